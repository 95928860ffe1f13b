//! A line as tokens.

use std::ops::Range;

use super::{error::Slip, foreign::Dialect, is_key_byte};

/// A token and the bytes of the line that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'l> {
    pub(super) kind: Kind<'l>,
    pub(super) span: Range<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'l> {
    /// A word that begins with a letter or an underscore.
    Word(&'l str),
    /// A word that begins with a digit: decimal, `0x…`, or hexadecimal where the grammar says so.
    Number(&'l str),
    /// What follows a `#`; empty for `#=`.
    Label(&'l str),
    /// What follows a `$`.
    Dollar(&'l str),
    /// What follows a `!`.
    Pad(&'l str),
    /// The bytes of a string.
    Text(Vec<u8>),
    /// Four letters.
    Key([u8; 4]),
    /// Any other sign.
    Sign(&'static str),
}

/// Longer signs first, so that they are not read as two.
const SIGNS: [&str; 29] = [
    "!=", "<=", ">=", "<<", ">>", "++", "--", "(", ")", "{", "}", "[", "]", ",", ".", ":", "@", "=", "<", ">", "+",
    "-", "*", "/", "&", "|", "^", ";", "%",
];

/// More than the longest statement of the longest program needs.
const MAX_TOKENS: usize = 2_000_000;

/// The tokens of a line up to a comment.
pub(super) fn tokens<'l>(line: &'l str, dialect: Dialect<'_>) -> Result<Vec<Token<'l>>, Slip> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        let rest = &line[at..];
        at += rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let rest = &line[at..];
        if rest.is_empty() || rest.starts_with("//") {
            return Ok(tokens);
        }
        if tokens.len() == MAX_TOKENS {
            return Err(Slip::new(at..at + 1, format!("a line of more than {MAX_TOKENS} words and signs")));
        }
        let (kind, length) = match rest.as_bytes()[0] {
            b'"' if dialect.is_foreign() => plain_text(rest, at)?,
            _ => token(rest, at)?,
        };
        tokens.push(Token { kind, span: at..at + length });
        at += length;
    }
}

fn token(rest: &str, at: usize) -> Result<(Kind<'_>, usize), Slip> {
    let first = rest.as_bytes()[0];
    match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(lead(word(rest), 0, Kind::Word)),
        b'0'..=b'9' => Ok(lead(word(rest), 0, Kind::Number)),
        b'#' if rest.as_bytes().get(1) == Some(&b'=') => Ok((Kind::Label(""), 2)),
        b'#' => prefixed(rest, at, "a label: digits, letters or underscores", Kind::Label),
        b'$' => prefixed(rest, at, "the number of a string", Kind::Dollar),
        b'!' if rest.as_bytes().get(1) != Some(&b'=') => prefixed(rest, at, "the hexadecimal padding", Kind::Pad),
        b'"' => text(rest, at),
        b'\'' => key(rest, at),
        _ => sign(rest, at),
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

fn lead<'l>(word: &'l str, prefix: usize, kind: fn(&'l str) -> Kind<'l>) -> (Kind<'l>, usize) {
    (kind(word), prefix + word.len())
}

fn prefixed<'l>(
    rest: &'l str,
    at: usize,
    what: &str,
    kind: fn(&'l str) -> Kind<'l>,
) -> Result<(Kind<'l>, usize), Slip> {
    let word = word(&rest[1..]);
    if word.is_empty() {
        return Err(Slip::new(at..at + 1, format!("\"{}\" must be followed by {what}", &rest[..1])));
    }
    Ok(lead(word, 1, kind))
}

fn sign(rest: &str, at: usize) -> Result<(Kind<'_>, usize), Slip> {
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Ok((Kind::Sign(sign), sign.len()));
    }
    let c = rest.chars().next().unwrap_or_default();
    Err(Slip::new(at..at + c.len_utf8(), format!("{} does not belong in a program", shown(c))))
}

fn shown(c: char) -> String {
    if c.is_control() { format!("the character {:#04X}", u32::from(c)) } else { format!("the character \"{c}\"") }
}

fn text(rest: &str, at: usize) -> Result<(Kind<'_>, usize), Slip> {
    let bytes = rest.as_bytes();
    let mut read = Vec::new();
    let mut from = 1;
    loop {
        let (byte, length) = match &bytes[from..] {
            [] => return Err(Slip::new(at..at + rest.len(), "the string is not closed")),
            [b'"', ..] => return Ok((Kind::Text(read), from + 1)),
            [b'\\', b'n', ..] => (b'\n', 2),
            [b'\\', b'r', ..] => (b'\r', 2),
            [b'\\', b't', ..] => (b'\t', 2),
            [b'\\', quoted @ (b'"' | b'\\'), ..] => (*quoted, 2),
            [b'\\', b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (nibble(*high) << 4 | nibble(*low), 4)
            }
            [b'\\', ..] => {
                let what = "after a backslash stands one of \" \\ n r t, or x and two hexadecimal digits";
                return Err(Slip::new(at + from..at + from + 1, what));
            }
            [plain @ 0x20..=0x7E, ..] => (*plain, 1),
            [other, ..] => {
                let what = format!("write this byte as \\x{other:02X}: strings hold printable ASCII");
                let start = at + from;
                let c = rest[from..].chars().next().map_or(1, char::len_utf8);
                return Err(Slip::new(start..start + c, what));
            }
        };
        read.push(byte);
        from += length;
    }
}

/// The mod manager's strings know no backslash.
fn plain_text(rest: &str, at: usize) -> Result<(Kind<'_>, usize), Slip> {
    let Some(end) = rest[1..].find('"') else {
        return Err(Slip::new(at..at + rest.len(), "the string is not closed"));
    };
    Ok((Kind::Text(rest.as_bytes()[1..=end].to_vec()), end + 2))
}

fn nibble(digit: u8) -> u8 {
    char::from(digit).to_digit(16).unwrap_or(0) as u8
}

fn key(rest: &str, at: usize) -> Result<(Kind<'_>, usize), Slip> {
    match rest.as_bytes() {
        [b'\'', a, b, c, d, b'\'', ..] if [a, b, c, d].iter().all(|byte| is_key_byte(**byte)) => {
            Ok((Kind::Key([*a, *b, *c, *d]), 6))
        }
        _ => {
            let what = "a key is four printable characters in single quotes, none of them a quote or a backslash";
            Err(Slip::new(at..at + 1, what))
        }
    }
}

/// How a token is called in an error.
pub(super) fn described(token: Option<&Token<'_>>, line: &str) -> String {
    match token {
        None => "the end of the line".to_owned(),
        Some(token) => {
            let written = &line[token.span.clone()];
            let mut short: String = written.chars().take(40).collect();
            if short.len() < written.len() {
                short.push('…');
            }
            format!("\"{short}\"")
        }
    }
}
