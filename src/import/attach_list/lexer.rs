//! Tokens of both text forms.

use super::{faults::Faults, tree::Span};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A bare word: letters, digits, `_`, `.` and `::`.
    Word,
    Number(f64),
    Text(String),
    /// A single character of structure.
    Mark(char),
    /// `#[ … ]`.
    Binary,
    End,
}

/// A fault of the text itself: reading cannot go on.
pub(super) struct Broken {
    pub(super) span: Span,
    pub(super) reason: String,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Whether `\'` is an escape, as it is in KV3 text.
    apostrophes: bool,
    /// Escapes of no meaning that were kept, for warnings.
    pub(super) odd_escapes: Vec<Span>,
    pub(super) n_comments: usize,
}

const MAX_ODD_ESCAPES: usize = 20;

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at, apostrophes: false, odd_escapes: Vec::new(), n_comments: 0 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn broken<T>(span: Span, reason: impl Into<String>) -> Result<T, Broken> {
        Err(Broken { span, reason: reason.into() })
    }

    /// Passes over white space and comments.
    fn skip(&mut self) -> Result<(), Broken> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            let rest = self.rest();
            let length = if rest.starts_with("//") {
                rest.find(['\n', '\r']).unwrap_or(rest.len())
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(end) => end + 4,
                    None => return Self::broken(self.at..self.at + 2, "the comment has no end: \"*/\" is missing"),
                }
            } else {
                return Ok(());
            };
            self.at += length;
            self.n_comments += 1;
        }
    }

    /// The next token with its place.
    pub(super) fn next(&mut self) -> Result<(Token, Span), Broken> {
        self.skip()?;
        let start = self.at;
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Ok((Token::End, start..start)) };
        let token = match c {
            '"' if rest.starts_with("\"\"\"") => self.block_text()?,
            '"' => self.text()?,
            '0'..='9' | '+' | '-' | '.' => self.number()?,
            '#' if rest.starts_with("#[") => self.binary()?,
            c if c.is_ascii_alphabetic() || c == '_' => {
                self.at += word_length(rest);
                Token::Word
            }
            '{' | '}' | '[' | ']' | '(' | ')' | ',' | '=' | '&' | '*' | ':' | '|' => {
                self.at += 1;
                Token::Mark(c)
            }
            other => {
                let span = start..start + other.len_utf8();
                return Self::broken(span, format!("unexpected character {other:?}"));
            }
        };
        Ok((token, start..self.at))
    }

    fn number(&mut self) -> Result<Token, Broken> {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c))).unwrap_or(rest.len());
        self.at += length;
        let written = &rest[..length];
        let plain = written.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        match written.parse::<f64>() {
            Ok(number) if plain && number.is_finite() => Ok(Token::Number(number)),
            Ok(_) if plain => Self::broken(start..self.at, format!("the number {} is too large", head(written))),
            // A bare key may begin with a digit.
            _ if !plain && written.starts_with(|c: char| c.is_ascii_digit()) => Ok(Token::Word),
            _ => Self::broken(start..self.at, format!("expected a number, found {}", head(written))),
        }
    }

    /// `"…"` on one line, with its escapes decoded.
    fn text(&mut self) -> Result<Token, Broken> {
        let start = self.at;
        let mut decoded = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + at + 1;
                    return Ok(Token::Text(decoded));
                }
                '\n' | '\r' => break,
                '\\' => match chars.next() {
                    Some((_, 'n')) => decoded.push('\n'),
                    Some((_, 't')) => decoded.push('\t'),
                    Some((_, 'r')) => decoded.push('\r'),
                    Some((_, c @ ('\\' | '"'))) => decoded.push(c),
                    Some((_, '\'')) if self.apostrophes => decoded.push('\''),
                    None | Some((_, '\n' | '\r')) => break,
                    Some((_, other)) => {
                        decoded.push('\\');
                        decoded.push(other);
                        if self.odd_escapes.len() < MAX_ODD_ESCAPES {
                            self.odd_escapes.push(start + at..start + at + 1 + other.len_utf8());
                        }
                    }
                },
                other => decoded.push(other),
            }
        }
        Self::broken(start..start + 1, "the text has no end: \" is missing on its line")
    }

    /// `"""`, a line break, text as it is, a line break, `"""`.
    fn block_text(&mut self) -> Result<Token, Broken> {
        let start = self.at;
        let rest = self.rest();
        let Some(length) = rest[3..].find("\"\"\"") else {
            return Self::broken(start..start + 3, "the text has no end: \"\"\" is missing");
        };
        let inner = &rest[3..3 + length];
        self.at += length + 6;
        let inner = inner.strip_prefix("\r\n").or_else(|| inner.strip_prefix('\n')).unwrap_or(inner);
        let inner = inner.strip_suffix('\n').unwrap_or(inner);
        Ok(Token::Text(inner.strip_suffix('\r').unwrap_or(inner).to_owned()))
    }

    fn binary(&mut self) -> Result<Token, Broken> {
        let start = self.at;
        let rest = self.rest();
        let Some(length) = rest.find(']') else {
            return Self::broken(start..start + 2, "the binary data has no end: ] is missing");
        };
        let inner = &rest[2..length];
        match inner.find(|c: char| !c.is_ascii_hexdigit() && !c.is_ascii_whitespace()) {
            Some(at) => {
                let at = start + 2 + at;
                let end = at + self.text[at..].chars().next().map_or(0, char::len_utf8);
                Self::broken(at..end, "binary data holds hex digits only")
            }
            None => {
                self.at += length + 1;
                Ok(Token::Binary)
            }
        }
    }
}

fn word_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') => at += 1,
            Some(b':') if bytes.get(at + 1) == Some(&b':') => at += 2,
            _ => return at,
        }
    }
}

/// The beginning of something that may be long.
pub(super) fn head(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A lexer with the token ahead.
pub(super) struct Tokens<'t> {
    lexer: Lexer<'t>,
    pub(super) text: &'t str,
    pub(super) token: Token,
    pub(super) span: Span,
    /// Where the token before ended.
    pub(super) last_end: usize,
    depth: usize,
}

/// Objects and lists within each other; files have about 20.
const MAX_DEPTH: usize = 100;

impl<'t> Tokens<'t> {
    /// Tokens of typed text.
    pub(super) fn typed(text: &'t str, at: usize) -> Result<Self, Broken> {
        Self::of(Lexer::new(text, at))
    }

    /// Tokens of KV3 text.
    pub(super) fn kv3(text: &'t str, at: usize) -> Result<Self, Broken> {
        Self::of(Lexer { apostrophes: true, ..Lexer::new(text, at) })
    }

    fn of(mut lexer: Lexer<'t>) -> Result<Self, Broken> {
        let (text, at) = (lexer.text, lexer.at);
        let (token, span) = lexer.next()?;
        Ok(Self { lexer, text, token, span, last_end: at, depth: 0 })
    }

    /// Steps over the token.
    pub(super) fn advance(&mut self) -> Result<(), Broken> {
        self.last_end = self.span.end;
        (self.token, self.span) = self.lexer.next()?;
        Ok(())
    }

    /// Takes the token out and steps over it.
    pub(super) fn take(&mut self) -> Result<(Token, Span), Broken> {
        let taken = (std::mem::replace(&mut self.token, Token::End), self.span.clone());
        self.advance()?;
        Ok(taken)
    }

    pub(super) fn is(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }

    /// Steps over the mark if it is there.
    pub(super) fn accept(&mut self, mark: char) -> Result<bool, Broken> {
        let found = self.is(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Steps over the mark, which must be there.
    pub(super) fn expect(&mut self, mark: char, after: &str) -> Result<(), Broken> {
        if self.accept(mark)? { Ok(()) } else { self.unexpected(&format!("{mark:?} {after}")) }
    }

    /// The word ahead.
    pub(super) fn word(&self) -> &'t str {
        &self.text[self.span.clone()]
    }

    /// A fault at the token ahead.
    pub(super) fn unexpected<T>(&self, expected: &str) -> Result<T, Broken> {
        let found = match &self.token {
            Token::End => "the end of the file".to_owned(),
            _ => head(self.word()),
        };
        Err(Broken { span: self.span.clone(), reason: format!("expected {expected}, found {found}") })
    }

    /// One level deeper. What enters also leaves.
    pub(super) fn enter(&mut self) -> Result<(), Broken> {
        if self.depth == MAX_DEPTH {
            let reason = format!("more than {MAX_DEPTH} objects and lists within each other");
            return Err(Broken { span: self.span.clone(), reason });
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Reports what was accepted but is not as it should be.
    pub(super) fn warn(&self, faults: &mut Faults<'_>) {
        for span in &self.lexer.odd_escapes {
            let written = &self.text[span.clone()];
            faults.warning(span.clone(), "", format!("{written} is no escape: it is kept as two characters"));
        }
    }
}
