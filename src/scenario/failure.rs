//! What went wrong in a scenario or its file, with all that a reader needs to see why.

use std::fmt::{self, Write};

use serde_json::{Map, Value};

use super::GoldenDifference;
use crate::{
    script::{ScriptError, ScriptErrorKind},
    trace::Row,
};

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// An expectation did not hold.
    Expectation,
    /// The trace differs from a golden, or the golden cannot be compared.
    Golden,
    /// A script raised an error.
    Script,
    /// A budget was spent: of the script, or of the scenario.
    Budget,
    /// Code of the host panicked.
    Panic,
    /// The file cannot be read, is no program, or declares wrongly.
    File,
    /// Two runs differ.
    Unsteady,
}

impl FailureKind {
    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Expectation => "expectation",
            Self::Golden => "golden",
            Self::Script => "script",
            Self::Budget => "budget",
            Self::Panic => "panic",
            Self::File => "file",
            Self::Unsteady => "unsteady",
        }
    }
}

/// Why a scenario failed, or a file cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// The script file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The line's text.
    pub source: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What was expected, for expectations.
    pub expected: Option<String>,
    /// What was found, for expectations.
    pub found: Option<String>,
    /// Who called whom, innermost first; empty when the scenario itself did.
    pub chain: Vec<String>,
    /// The last updates of the actors involved.
    pub local_trace: Vec<ActorTrace>,
    /// Where a trace differs from a golden.
    pub golden: Option<Box<GoldenDifference>>,
}

/// The last updates of one actor.
#[derive(Clone, Debug, PartialEq)]
pub struct ActorTrace {
    /// Its name.
    pub actor: String,
    /// The update in which it was removed.
    pub removed: Option<u64>,
    /// Its updates, the last one last.
    pub lines: Vec<TraceLine>,
}

/// One actor after one update.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceLine {
    /// Whether the update was under way: the actor is shown as it stood when the scenario failed.
    pub now: bool,
    /// The trace's keys.
    pub values: Map<String, Value>,
    /// Why calls on it were refused.
    pub refused: Vec<String>,
}

impl TraceLine {
    pub(super) fn new(row: &Row, refused: Vec<String>, now: bool) -> Self {
        Self { now, values: row.values(), refused }
    }
}

/// Columns of the table, with the trace's keys.
const COLUMNS: [(&str, &str); 11] = [
    ("update", "tick"),
    ("group", "group"),
    ("pending", "pending"),
    ("cursor", "cursor"),
    ("real_frame", "real_frame"),
    ("frame", "frame"),
    ("state", "state"),
    ("drawn", "weapon_drawn"),
    ("hand_item", "hand_item"),
    ("shown", "shown"),
    ("shown_model", "shown_model"),
];

/// Longest message and line that are shown, in bytes.
const LONGEST_SHOWN: usize = 2000;

impl Failure {
    /// A failure with a place and words, without all else.
    #[must_use]
    pub fn new(kind: FailureKind, file: &str, line: Option<u32>, message: impl Into<String>) -> Self {
        Self {
            kind,
            file: file.to_owned(),
            line,
            source: None,
            message: message.into(),
            expected: None,
            found: None,
            chain: Vec::new(),
            local_trace: Vec::new(),
            golden: None,
        }
    }

    pub(super) fn of_script(error: ScriptError) -> Self {
        let kind = match error.kind {
            ScriptErrorKind::Syntax | ScriptErrorKind::Language => FailureKind::File,
            ScriptErrorKind::Budget | ScriptErrorKind::Memory => FailureKind::Budget,
            ScriptErrorKind::Panic => FailureKind::Panic,
            ScriptErrorKind::Runtime | ScriptErrorKind::Fault => FailureKind::Script,
        };
        let message = match &error.actor {
            Some(actor) => format!("the script of actor {actor} failed: {}", error.message),
            None => error.message,
        };
        // A chain of one call says no more than the place.
        let chain = if error.chain.len() > 1 { error.chain } else { Vec::new() };
        Self { chain, ..Self::new(kind, &error.file, error.line, message) }
    }

    /// The whole report on several lines, without colours: place, line, values, calls, tables.
    #[must_use]
    pub fn report(&self) -> String {
        let mut text = format!("{self}\n");
        if let (Some(line), Some(source)) = (self.line, &self.source) {
            let _ = writeln!(text, "  {line:>5} | {}", cut(source.trim_end()));
        }
        if let (Some(expected), Some(found)) = (&self.expected, &self.found) {
            let _ = writeln!(text, "  expected  {expected}\n  found     {found}");
        }
        if !self.chain.is_empty() {
            text.push_str("  called from:\n");
            for frame in &self.chain {
                let _ = writeln!(text, "    {frame}");
            }
        }
        if let Some(golden) = &self.golden {
            text.push_str(&golden.report());
        }
        self.local_trace.iter().for_each(|actor| actor.write(&mut text));
        text
    }
}

/// `file:line: message`.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", cut(&self.message))
    }
}

impl ActorTrace {
    fn write(&self, text: &mut String) {
        let removed = self.removed.map(|tick| format!(", removed in update {tick}")).unwrap_or_default();
        if self.lines.is_empty() {
            let _ = writeln!(text, "  actor {}{removed}", self.actor);
            return;
        }
        let _ = writeln!(text, "  the last updates of {}{removed}:", self.actor);
        let mut head: Vec<String> = COLUMNS.iter().map(|(title, _)| (*title).to_owned()).collect();
        head.push("refused".to_owned());
        let rows = self.lines.iter().map(|line| {
            let mut cells: Vec<String> = COLUMNS.iter().map(|(_, key)| cell(line.values.get(*key))).collect();
            if line.now {
                cells[0].push_str(" now");
            }
            cells.push(line.refused.join("; "));
            cells
        });
        push_table(text, head, rows.collect());
    }
}

/// A value as a cell.
pub(super) fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => cut(&other.to_string()).to_owned(),
    }
}

/// A table with columns as wide as their widest cell, indented.
pub(super) fn push_table(text: &mut String, head: Vec<String>, mut rows: Vec<Vec<String>>) {
    rows.insert(0, head);
    let n_columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    for row in &rows {
        let mut line = "   ".to_owned();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, " {cell:<width$} ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// The beginning of a text.
fn cut(text: &str) -> &str {
    let end = (0..=text.len().min(LONGEST_SHOWN)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}
