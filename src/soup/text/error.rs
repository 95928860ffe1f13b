//! What is wrong in a program's text, and where.

use std::{fmt, ops::Range};

/// One fault of a text. Shown as `file:line:column: what`, the line, and a caret below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong, with a suggestion where there is one.
    pub what: String,
    /// The line itself, or the part of a long line around the place.
    pub text: String,
    /// Characters of `text` before the place, and how many are meant.
    pub caret: Range<usize>,
}

/// Characters of a line that are shown.
const SHOWN: usize = 120;
/// Characters shown before the place in a long line.
const BEFORE: usize = 60;

impl TextError {
    /// The error at a range of bytes of a line, which is counted from 1.
    pub(super) fn at(file: &str, line: u32, content: &str, span: Range<usize>, what: String) -> Self {
        let before = content.get(..span.start).unwrap_or(content);
        let column = before.chars().count();
        let width = content.get(span).map_or(1, |meant| meant.chars().count()).max(1);
        let left = if content.len() > SHOWN { column.saturating_sub(BEFORE) } else { 0 };
        let shown = content.chars().skip(left).take(SHOWN);
        let text = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let start = column - left;
        let caret = start..(start + width).min(SHOWN).max(start + 1);
        Self { file: file.to_owned(), line, column: column as u32 + 1, what: clipped(what), text, caret }
    }

    /// `line:column: what`, without the file and the line itself.
    #[must_use]
    pub fn brief(&self) -> String {
        format!("{}:{}: {}", self.line, self.column, self.what)
    }
}

/// The text without its middle when a name in it is very long.
fn clipped(what: String) -> String {
    let count = what.chars().count();
    if count <= 3 * SHOWN {
        return what;
    }
    let head = what.chars().take(SHOWN);
    let tail = what.chars().skip(count - SHOWN);
    head.chain(['…']).chain(tail).collect()
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}", self.file, self.brief())?;
        writeln!(f, "  {}", self.text)?;
        let Range { start, end } = self.caret;
        write!(f, "  {:start$}{}", "", "^".repeat(end - start))
    }
}

impl std::error::Error for TextError {}

/// A fault within a line that is being read.
#[derive(Debug)]
pub(super) struct Slip {
    pub(super) span: Range<usize>,
    pub(super) what: String,
}

impl Slip {
    pub(super) fn new(span: Range<usize>, what: impl Into<String>) -> Self {
        Self { span, what: what.into() }
    }
}
