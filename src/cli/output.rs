//! Results on stdout: aligned tables, counted words, texts that cannot disturb a terminal.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use super::{problem::Problem, run::write_whole};

/// Writes a result to stdout. A reader that went away is told by the problem.
pub(crate) fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Problem> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(cannot_write)
}

/// Writes a result to a file, whole or not at all; without one to stdout.
pub(crate) fn to_file_or_stdout(file: Option<&Path>, result: &[u8]) -> Result<(), Problem> {
    let Some(file) = file else { return to_stdout(|out| out.write_all(result)) };
    let failed = |error| Problem::io(format!("cannot write {}", file.display()), error);
    write_whole(file, &mut &*result).map_err(failed)
}

/// The problem of a result that cannot be written.
pub(crate) fn cannot_write(error: io::Error) -> Problem {
    Problem::io("cannot write the output", error)
}

/// Writes a line of a message to stderr. Nothing is left to be said when stderr is gone.
pub(crate) fn message(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// `1 update`, `2 updates`.
pub(crate) fn count(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// The text without control characters, which could move the cursor or break a row.
pub(crate) fn plain(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// The same, line by line.
pub(crate) fn plain_lines(text: &str) -> String {
    text.trim_end().lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows kept back to find the widths of columns before any is written.
const HELD_ROWS: usize = 512;

/// A longer cell breaks its own row and no other.
const MAX_WIDTH: usize = 200;

/// A table whose columns are aligned by what is in them.
///
/// Rows are written in portions, so that a long table needs no more memory than a portion; a later portion can be
/// wider.
pub(crate) struct Table {
    aligns: Vec<Align>,
    widths: Vec<usize>,
    held: Vec<Vec<String>>,
}

impl Table {
    /// A table with its head.
    pub(crate) fn new(columns: impl IntoIterator<Item = (String, Align)>) -> Self {
        let (head, aligns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        Self { widths: vec![0; aligns.len()], aligns, held: vec![head] }
    }

    /// Adds a row, which has as many cells as there are columns.
    pub(crate) fn row(&mut self, out: &mut dyn Write, cells: Vec<String>) -> io::Result<()> {
        debug_assert_eq!(cells.len(), self.aligns.len());
        self.held.push(cells);
        if self.held.len() > HELD_ROWS { self.write_held(out) } else { Ok(()) }
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write_held(out)
    }

    fn write_held(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for cells in &self.held {
            for (width, cell) in self.widths.iter_mut().zip(cells) {
                *width = (*width).max(cell.chars().take(MAX_WIDTH).count());
            }
        }
        for cells in self.held.drain(..) {
            let mut line = String::new();
            for ((cell, &width), align) in cells.iter().zip(&self.widths).zip(&self.aligns) {
                let padded = match align {
                    Align::Left => format!("{cell:<width$}  "),
                    Align::Right => format!("{cell:>width$}  "),
                };
                line.push_str(&padded);
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut out = Vec::new();
        let columns = [("name", Align::Left), ("n", Align::Right)];
        let mut table = Table::new(columns.map(|(name, align)| (name.to_owned(), align)));
        table.row(&mut out, vec!["a".to_owned(), "1".to_owned()]).expect("memory");
        table.row(&mut out, vec!["longer".to_owned(), "-20".to_owned()]).expect("memory");
        table.finish(&mut out).expect("memory");
        assert_eq!(String::from_utf8_lossy(&out), "name      n\na         1\nlonger  -20\n");
    }

    #[test]
    fn a_very_long_cell_breaks_its_own_row() {
        let mut out = Vec::new();
        let mut table = Table::new(["name", "n"].map(|name| (name.to_owned(), Align::Left)));
        table.row(&mut out, vec!["x".repeat(100_000), "1".to_owned()]).expect("memory");
        table.row(&mut out, vec!["y".to_owned(), "2".to_owned()]).expect("memory");
        table.finish(&mut out).expect("memory");
        let text = String::from_utf8_lossy(&out);
        let lengths: Vec<_> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [203, 100_003, 203]);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(plain("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\nb");
    }
}
