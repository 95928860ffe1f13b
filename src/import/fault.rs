//! What is wrong in an outside file, and where.

use std::{fmt, ops::Range};

/// Why a file could not be read: all faults found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError(pub Vec<Fault>);

/// One fault in a line.
impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ImportError {}

/// One fault in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file's name.
    pub file: String,
    /// Line and column from 1, for faults that have a place in a text.
    pub place: Option<(usize, usize)>,
    /// The bytes meant, and the text they are in, for diagnostics that show the line itself.
    pub span: Option<Range<usize>>,
    /// Offset of the byte meant, for faults in files that are no text.
    pub offset: Option<usize>,
    /// The key path, such as `actor[2].group[0].commands[3]`; empty for faults of the file as a whole.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

impl Fault {
    /// A fault of the file as a whole.
    #[must_use]
    pub fn of_file(file: &str, reason: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            place: None,
            span: None,
            offset: None,
            path: String::new(),
            reason: reason.into(),
        }
    }

    /// A fault at a byte of a file that is no text.
    #[must_use]
    pub fn at_offset(file: &str, path: &str, offset: usize, reason: impl Into<String>) -> Self {
        Self { offset: Some(offset), path: path.to_owned(), ..Self::of_file(file, reason) }
    }

    /// A fault in a line of a text, from 1.
    #[must_use]
    pub fn at_line(file: &str, line: usize, path: &str, reason: impl Into<String>) -> Self {
        Self { place: Some((line, 1)), path: path.to_owned(), ..Self::of_file(file, reason) }
    }

    /// The fault with the record that it is in added to its path.
    #[must_use]
    pub fn within(mut self, record: &str) -> Self {
        self.path = if self.path.is_empty() { record.to_owned() } else { format!("{}, {record}", self.path) };
        self
    }

    /// A fault at a byte range of a text.
    #[must_use]
    pub fn at(file: &str, text: &str, span: Range<usize>, path: &str, reason: impl Into<String>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
        Self {
            file: file.to_owned(),
            place: Some((line, column)),
            span: Some(span),
            offset: None,
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

/// `file:line:column: key.path: reason`, or `file: section: offset 0x1F: reason`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        if let Some(offset) = self.offset {
            write!(f, ": offset {offset:#X}")?;
        }
        write!(f, ": {}", self.reason)
    }
}
