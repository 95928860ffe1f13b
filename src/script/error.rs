//! What ended a script, and where.

use std::{any::Any, fmt};

/// What ended a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptErrorKind {
    /// The text is not a program.
    Syntax,
    /// The program raised an error.
    Runtime,
    /// A budget was spent.
    Budget,
    /// The memory limit was reached.
    Memory,
    /// A native panicked.
    Panic,
    /// A SOUP program faulted (rule Y41).
    Fault,
    /// This build has no front end for the language.
    Language,
}

/// The end of a script, with its place. The world stays valid, and other scripts go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// What kind of end.
    pub kind: ScriptErrorKind,
    /// The actor whose script it is; none for the director.
    pub actor: Option<String>,
    /// The update in which it happened; none before the first.
    pub tick: Option<u64>,
    /// The file, as it was named when loaded.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// Who called whom, innermost first, one line each.
    pub chain: Vec<String>,
}

impl ScriptError {
    /// An error of a file as a whole.
    pub(super) fn bare(file: &str, kind: ScriptErrorKind, message: impl Into<String>) -> Self {
        let (file, message) = (file.to_owned(), message.into());
        Self { kind, actor: None, tick: None, file, line: None, message, chain: Vec::new() }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(actor) = &self.actor {
            write!(f, " (actor {actor}")?;
            if let Some(tick) = self.tick {
                write!(f, ", update {tick}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScriptError {}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown").to_owned()
}
