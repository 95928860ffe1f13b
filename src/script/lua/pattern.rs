//! The patterns of Lua's string library, with every comparison paid for.
//!
//! The matcher of Lua 5.4 cannot be interrupted, and that of Luau counts its steps but not the bytes that one step
//! skips: `("("):rep(1000000):find("%b()")` takes minutes in both. This one stops when its work is spent.
//!
//! # Source
//! Lua 5.4 reference manual, section 6.4.1 "Patterns".

use std::ops::Range;

/// Nested repetitions and captures in one pattern.
const MOST_NESTED: u32 = 200;
/// Captures in one pattern.
const MOST_CAPTURES: usize = 32;

/// Why a match was given up.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The pattern is not one.
    Malformed(&'static str),
    /// The work is spent.
    Spent,
}

type Outcome<T> = Result<T, Fault>;

/// What a pair of brackets in a pattern caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capture {
    /// Its end is not reached.
    Open(usize),
    /// `()`: a position, from 0.
    Position(usize),
    /// From and to.
    Closed(usize, usize),
}

/// What a caller gets of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Caught {
    /// A position, from 1.
    Position(usize),
    /// A piece of the text.
    Piece(Range<usize>),
}

/// A pattern at work on a text.
pub(super) struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    captures: Vec<Capture>,
    nested: u32,
    /// Comparisons that may still be made.
    work: u64,
}

impl<'a> Matcher<'a> {
    /// A matcher that makes at most `work` comparisons. A leading `^` is the caller's business.
    pub(super) fn new(text: &'a [u8], pattern: &'a [u8], work: u64) -> Self {
        Self { text, pattern, captures: Vec::new(), nested: 0, work }
    }

    /// What is left of the work.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// The end of the match that starts at `start`.
    pub(super) fn matches_at(&mut self, start: usize) -> Outcome<Option<usize>> {
        self.captures.clear();
        self.nested = 0;
        self.run(start, 0)
    }

    /// The first match that starts at `start` or later, or exactly there when `anchored`.
    pub(super) fn first_from(&mut self, start: usize, anchored: bool) -> Outcome<Option<Range<usize>>> {
        let last = if anchored { start } else { self.text.len() };
        for at in start..=last {
            if let Some(end) = self.matches_at(at)? {
                return Ok(Some(at..end));
            }
        }
        Ok(None)
    }

    /// The captures of the last match; the whole match when there are none and `whole` is given.
    pub(super) fn caught(&self, whole: Option<&Range<usize>>) -> Outcome<Vec<Caught>> {
        if self.captures.is_empty() {
            return Ok(whole.map(|whole| Caught::Piece(whole.clone())).into_iter().collect());
        }
        let caught = |capture: &Capture| match *capture {
            Capture::Open(_) => Err(Fault::Malformed("unfinished capture")),
            Capture::Position(at) => Ok(Caught::Position(at + 1)),
            Capture::Closed(from, to) => Ok(Caught::Piece(from..to)),
        };
        self.captures.iter().map(caught).collect()
    }

    fn pay(&mut self, work: usize) -> Outcome<()> {
        self.work = self.work.checked_sub(work as u64).ok_or(Fault::Spent)?;
        Ok(())
    }

    /// Matches the pattern from `p` on at `s`; the end of the match.
    fn run(&mut self, s: usize, p: usize) -> Outcome<Option<usize>> {
        if self.nested == MOST_NESTED {
            return Err(Fault::Malformed("pattern too complex"));
        }
        self.nested += 1;
        let outcome = self.items(s, p);
        self.nested -= 1;
        outcome
    }

    fn items(&mut self, mut s: usize, mut p: usize) -> Outcome<Option<usize>> {
        loop {
            self.pay(1)?;
            let Some(&item) = self.pattern.get(p) else { return Ok(Some(s)) };
            let next = self.pattern.get(p + 1).copied();
            match (item, next) {
                (b'(', Some(b')')) => return self.open(Capture::Position(s), s, p + 2),
                (b'(', _) => return self.open(Capture::Open(s), s, p + 1),
                (b')', _) => return self.close(s, p + 1),
                (b'$', None) => return Ok((s == self.text.len()).then_some(s)),
                (b'%', Some(b'b')) => match self.balanced(s, p + 2)? {
                    Some(end) => (s, p) = (end, p + 4),
                    None => return Ok(None),
                },
                (b'%', Some(b'f')) => match self.frontier(s, p + 2)? {
                    Some(after) => p = after,
                    None => return Ok(None),
                },
                (b'%', Some(digit @ b'0'..=b'9')) => match self.again(s, digit)? {
                    Some(end) => (s, p) = (end, p + 2),
                    None => return Ok(None),
                },
                _ => {
                    let after = self.class_end(p)?;
                    let once = self.single(s, p, after)?;
                    match (self.pattern.get(after), once) {
                        (Some(b'?'), true) => match self.run(s + 1, after + 1)? {
                            Some(end) => return Ok(Some(end)),
                            None => p = after + 1,
                        },
                        (Some(b'?'), false) => p = after + 1,
                        (Some(b'+'), true) => return self.most(s + 1, p, after),
                        (Some(b'*'), _) => return self.most(s, p, after),
                        (Some(b'-'), _) => return self.least(s, p, after),
                        (_, true) => (s, p) = (s + 1, after),
                        (_, false) => return Ok(None),
                    }
                }
            }
        }
    }

    fn open(&mut self, capture: Capture, s: usize, p: usize) -> Outcome<Option<usize>> {
        if self.captures.len() == MOST_CAPTURES {
            return Err(Fault::Malformed("too many captures"));
        }
        self.captures.push(capture);
        let depth = self.captures.len();
        let end = self.run(s, p)?;
        if end.is_none() {
            self.captures.truncate(depth - 1);
        }
        Ok(end)
    }

    fn close(&mut self, s: usize, p: usize) -> Outcome<Option<usize>> {
        let open = self.captures.iter().rposition(|capture| matches!(capture, Capture::Open(_)));
        let Some(at) = open else { return Err(Fault::Malformed("invalid pattern capture")) };
        let Capture::Open(from) = self.captures[at] else { return Ok(None) };
        self.captures[at] = Capture::Closed(from, s);
        let end = self.run(s, p)?;
        if end.is_none() {
            self.captures[at] = Capture::Open(from);
        }
        Ok(end)
    }

    /// As many repetitions as possible.
    fn most(&mut self, s: usize, p: usize, after: usize) -> Outcome<Option<usize>> {
        let mut end = s;
        while self.single(end, p, after)? {
            end += 1;
        }
        loop {
            if let Some(end) = self.run(end, after + 1)? {
                return Ok(Some(end));
            }
            if end == s {
                return Ok(None);
            }
            end -= 1;
        }
    }

    /// As few repetitions as possible.
    fn least(&mut self, mut s: usize, p: usize, after: usize) -> Outcome<Option<usize>> {
        loop {
            if let Some(end) = self.run(s, after + 1)? {
                return Ok(Some(end));
            }
            if !self.single(s, p, after)? {
                return Ok(None);
            }
            s += 1;
        }
    }

    /// `%bxy`.
    fn balanced(&mut self, s: usize, p: usize) -> Outcome<Option<usize>> {
        let (Some(&open), Some(&close)) = (self.pattern.get(p), self.pattern.get(p + 1)) else {
            return Err(Fault::Malformed("malformed pattern (missing arguments to '%b')"));
        };
        if self.text.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1_usize;
        for at in s + 1..self.text.len() {
            self.pay(1)?;
            let byte = self.text[at];
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(at + 1));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        Ok(None)
    }

    /// `%f[set]`: the pattern position after it, where it holds.
    fn frontier(&mut self, s: usize, p: usize) -> Outcome<Option<usize>> {
        if self.pattern.get(p) != Some(&b'[') {
            return Err(Fault::Malformed("missing '[' after '%f' in pattern"));
        }
        let after = self.class_end(p)?;
        self.pay(2 * (after - p))?;
        let before = if s == 0 { 0 } else { self.text[s - 1] };
        let here = self.text.get(s).copied().unwrap_or(0);
        let set = &self.pattern[p..after];
        Ok((!in_set(before, set) && in_set(here, set)).then_some(after))
    }

    /// `%1`: what a capture caught, once more.
    fn again(&mut self, s: usize, digit: u8) -> Outcome<Option<usize>> {
        let capture = usize::from(digit).checked_sub(usize::from(b'1')).and_then(|index| self.captures.get(index));
        let Some(&Capture::Closed(from, to)) = capture else {
            return Err(Fault::Malformed("invalid capture index in pattern"));
        };
        self.pay(to - from)?;
        let piece = &self.text[from..to];
        Ok(self.text[s..].starts_with(piece).then_some(s + piece.len()))
    }

    /// Where the single-byte class at `p` ends.
    fn class_end(&mut self, p: usize) -> Outcome<usize> {
        match self.pattern[p] {
            b'%' if p + 1 == self.pattern.len() => Err(Fault::Malformed("malformed pattern (ends with '%')")),
            b'%' => Ok(p + 2),
            b'[' => {
                let mut at = p + 1 + usize::from(self.pattern.get(p + 1) == Some(&b'^'));
                // A bracket in the first place belongs to the set.
                loop {
                    let missing = Fault::Malformed("malformed pattern (missing ']')");
                    let byte = *self.pattern.get(at).ok_or(missing)?;
                    at += 1 + usize::from(byte == b'%');
                    if self.pattern.get(at) == Some(&b']') {
                        self.pay(at - p)?;
                        return Ok(at + 1);
                    }
                }
            }
            _ => Ok(p + 1),
        }
    }

    /// Whether the byte at `s` is of the class at `p`.
    fn single(&mut self, s: usize, p: usize, after: usize) -> Outcome<bool> {
        self.pay(after - p)?;
        let Some(&byte) = self.text.get(s) else { return Ok(false) };
        Ok(match self.pattern[p] {
            b'.' => true,
            b'%' => in_class(byte, self.pattern[p + 1]),
            b'[' => in_set(byte, &self.pattern[p..after]),
            literal => literal == byte,
        })
    }
}

/// Whether a byte is of a class such as `%a`.
fn in_class(byte: u8, class: u8) -> bool {
    let of = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return class == byte,
    };
    of != class.is_ascii_uppercase()
}

/// Whether a byte is in a set, which is given with its brackets.
fn in_set(byte: u8, set: &[u8]) -> bool {
    let inner = &set[1..set.len() - 1];
    let (inner, wanted) = match inner.strip_prefix(b"^") {
        Some(inner) => (inner, false),
        None => (inner, true),
    };
    let mut rest = inner;
    loop {
        let (hit, used) = match *rest {
            [] => return !wanted,
            [b'%', class, ..] => (in_class(byte, class), 2),
            [from, b'-', to, ..] => ((from..=to).contains(&byte), 3),
            [literal, ..] => (literal == byte, 1),
        };
        if hit {
            return wanted;
        }
        rest = &rest[used..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, pattern: &str, expected: Option<&[&str]>) {
        let (pattern, anchored) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
        let mut matcher = Matcher::new(text.as_bytes(), pattern.as_bytes(), 1_000_000);
        let found = matcher.first_from(0, anchored).expect("a pattern");
        let pieces = found.map(|whole| {
            let shown = |caught| match caught {
                Caught::Position(at) => at.to_string(),
                Caught::Piece(piece) => text[piece].to_owned(),
            };
            matcher.caught(Some(&whole)).expect("captures").into_iter().map(shown).collect::<Vec<_>>()
        });
        let expected = expected.map(|pieces| pieces.iter().map(|&piece| piece.to_owned()).collect::<Vec<_>>());
        assert_eq!(pieces, expected, "{text:?} {pattern:?}");
    }

    #[test]
    fn matches_as_the_manual_says() {
        check("hello world", "o w", Some(&["o w"]));
        check("hello", "l+", Some(&["ll"]));
        check("hello", "xl*", None);
        check("key = value ", "^%s*(%w+)%s*=%s*(.-)%s*$", Some(&["key", "value"]));
        check("THE (quick) fox", "%((%a+)%)", Some(&["quick"]));
        check("f(a(b)c)d", "%b()", Some(&["(a(b)c)"]));
        check("THE (quick) fox", "%f[%a]%a+%f[%A]", Some(&["THE"]));
        check("\"it's\"", "([\"'])(.-)%1", Some(&["\"", "it's"]));
        check("hello", "()ll()", Some(&["3", "5"]));
        check("a]b", "[]]", Some(&["]"]));
        check("a-b", "[a-]+", Some(&["a-"]));
        check("abc", "[^a-b]", Some(&["c"]));
        check("x+y", "x%+y", Some(&["x+y"]));
        check("", "^$", Some(&[""]));
        check("ab", "a?b?c?", Some(&["ab"]));
        check("0x1F", "0[xX](%x+)", Some(&["1F"]));
        check("a.b", "a%.-b", Some(&["a.b"]));
        check("[[x]]", "%[%[(.-)%]%]", Some(&["x"]));
        check("a$", "a$$", Some(&["a$"]));
    }

    #[test]
    fn malformed_patterns_are_told() {
        for pattern in ["%", "[a", "[^", "[%", "(a", "a)", "%1", "(a%1)", "%f", "%b", "%bx"] {
            let mut matcher = Matcher::new(b"aaa", pattern.as_bytes(), 1_000_000);
            let outcome = matcher.first_from(0, false).and_then(|found| matcher.caught(found.as_ref()));
            assert!(matches!(outcome, Err(Fault::Malformed(_))), "{pattern:?} gave {outcome:?}");
        }
    }

    #[test]
    fn work_is_bounded() {
        let bombs =
            [("a?".repeat(40) + "a".repeat(40).as_str(), "a".repeat(39)), (".-.-.-.-b".into(), "a".repeat(10_000))];
        for (pattern, text) in bombs {
            let mut matcher = Matcher::new(text.as_bytes(), pattern.as_bytes(), 100_000);
            assert_eq!(matcher.first_from(0, false), Err(Fault::Spent), "{pattern}");
        }
    }
}
