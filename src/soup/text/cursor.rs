//! Going through the tokens of one line.

use std::ops::Range;

use super::{
    error::Slip,
    lex::{Kind, Token, described},
};

/// A place among the tokens of a line.
pub(super) struct Cursor<'l> {
    pub(super) line: &'l str,
    pub(super) tokens: &'l [Token<'l>],
    pub(super) at: usize,
}

impl<'l> Cursor<'l> {
    pub(super) fn new(line: &'l str, tokens: &'l [Token<'l>]) -> Self {
        Self { line, tokens, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<&'l Kind<'l>> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    pub(super) fn peek_after(&self, n: usize) -> Option<&'l Kind<'l>> {
        self.tokens.get(self.at + n).map(|token| &token.kind)
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.is_sign_after(0, sign)
    }

    pub(super) fn is_sign_after(&self, n: usize, sign: &str) -> bool {
        matches!(self.peek_after(n), Some(Kind::Sign(found)) if *found == sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Kind::Word(found)) if found.eq_ignore_ascii_case(word))
    }

    /// Passes a sign if it is the next token.
    pub(super) fn takes_sign(&mut self, sign: &str) -> bool {
        let takes = self.is_sign(sign);
        self.at += usize::from(takes);
        takes
    }

    /// Passes a word if it is the next token.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let takes = self.is_word(word);
        self.at += usize::from(takes);
        takes
    }

    pub(super) fn sign(&mut self, sign: &str) -> Result<(), Slip> {
        if self.takes_sign(sign) { Ok(()) } else { Err(self.expected(&format!("\"{sign}\""))) }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'l str, Slip> {
        let Some(Kind::Word(word)) = self.peek() else { return Err(self.expected(what)) };
        self.at += 1;
        Ok(word)
    }

    /// The name of a label, without its sign.
    pub(super) fn label(&mut self) -> Result<&'l str, Slip> {
        match self.peek() {
            Some(Kind::Label(label)) if !label.is_empty() => {
                self.at += 1;
                Ok(label)
            }
            _ => Err(self.expected("a label such as #1A")),
        }
    }

    pub(super) fn end(&self) -> Result<(), Slip> {
        if self.at >= self.tokens.len() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Bytes of the next token, or of the place behind the last one.
    pub(super) fn span(&self) -> Range<usize> {
        match self.tokens.get(self.at) {
            Some(token) => token.span.clone(),
            None => {
                let end = self.tokens.last().map_or(0, |token| token.span.end);
                end..end
            }
        }
    }

    /// Bytes of the token passed last.
    pub(super) fn last_span(&self) -> Range<usize> {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0..0, |token| token.span.clone())
    }

    /// Bytes from the token at `first` to the one passed last.
    pub(super) fn span_from(&self, first: usize) -> Range<usize> {
        let start = self.tokens.get(first).map_or(0, |token| token.span.start);
        start..self.last_span().end.max(start)
    }

    pub(super) fn expected(&self, what: &str) -> Slip {
        let found = described(self.tokens.get(self.at), self.line);
        Slip::new(self.span(), format!("expected {what}, found {found}"))
    }

    /// INT: decimal or hexadecimal, from −2147483648 to 4294967295 (rule Y96).
    pub(super) fn int(&mut self, what: &str) -> Result<u32, Slip> {
        let first = self.at;
        let is_negative = self.takes_sign("-");
        let Some(Kind::Number(digits)) = self.peek() else { return Err(self.expected(what)) };
        self.at += 1;
        let range = "numbers go from -2147483648 to 4294967295";
        let number = parse_digits(digits).map_err(|reason| {
            let reason = if reason.is_empty() { range } else { reason };
            Slip::new(self.span_from(first), reason)
        })?;
        match (is_negative, number) {
            (false, number) => Ok(number),
            (true, 0..=0x8000_0000) => Ok(number.wrapping_neg()),
            _ => Err(Slip::new(self.span_from(first), range)),
        }
    }

    /// A number that is at most `limit`.
    pub(super) fn at_most(&mut self, limit: u32, what: &str) -> Result<u32, Slip> {
        let first = self.at;
        let is_negative = self.is_sign("-");
        let number = self.int(what)?;
        if number > limit || is_negative {
            return Err(Slip::new(self.span_from(first), format!("{what} is at most {limit}")));
        }
        Ok(number)
    }
}

/// The number, or what is wrong with it; an empty reason when it is too large.
fn parse_digits(digits: &str) -> Result<u32, &'static str> {
    let (digits, radix) = match digits.get(..2) {
        Some("0x" | "0X") => (&digits[2..], 16),
        _ => (digits, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err("this is no number: numbers are decimal, or hexadecimal behind 0x");
    }
    u32::from_str_radix(digits, radix).map_err(|_| "")
}

/// The value of hexadecimal digits, of at most `bits` bits.
pub(super) fn hexadecimal(digits: &str, bits: u32) -> Option<u32> {
    let value = u32::from_str_radix(digits, 16).ok()?;
    (value < 1 << bits).then_some(value)
}
