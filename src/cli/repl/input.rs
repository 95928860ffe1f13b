//! Where lines come from: a terminal with history and completion, or plain lines.

use std::io::{self, BufRead, IsTerminal, Read};

use rustyline::{CompletionType, Config, Editor, error::ReadlineError, history::MemHistory};

use super::{Console, MOST_TEXT, complete::Words};
use crate::cli::problem::Problem;

/// Lines that are kept to be called up again.
const MOST_HISTORY: usize = 1000;

pub(super) enum Input {
    Terminal(Box<Editor<Words, MemHistory>>),
    Plain,
}

/// What came.
pub(super) enum Line {
    Text(String),
    /// The user gives up what was begun.
    Interrupted,
    /// Bytes that are no line of text, and why.
    Unreadable(String),
    End,
}

impl Input {
    pub(super) fn new() -> Result<Self, Problem> {
        if !io::stdin().is_terminal() {
            return Ok(Self::Plain);
        }
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true);
        let editor = config.max_history_size(MOST_HISTORY).map(rustyline::config::Builder::build).and_then(|config| {
            let history = MemHistory::with_config(&config);
            Editor::with_history(config, history)
        });
        editor.map(|editor| Self::Terminal(Box::new(editor))).map_err(unusable)
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    pub(super) fn line(&mut self, console: &Console) -> Result<Line, Problem> {
        let Self::Terminal(editor) = self else { return plain_line() };
        editor.set_helper(Some(Words::of(console)));
        let update = console.runtime.world().clock.updates;
        let prompt = if console.pending.is_empty() { format!("{update}> ") } else { format!("{update}. ") };
        match editor.readline(&prompt) {
            Ok(line) => Ok(Line::Text(line)),
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(error) => Err(unusable(error)),
        }
    }
}

fn unusable(error: ReadlineError) -> Problem {
    Problem::io("cannot use the terminal", io::Error::other(error))
}

fn plain_line() -> Result<Line, Problem> {
    let mut bytes = Vec::new();
    let limit = MOST_TEXT as u64 + 1;
    let read = io::stdin().lock().take(limit).read_until(b'\n', &mut bytes);
    read.map_err(|error| Problem::io("cannot read the input", error))?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() as u64 == limit {
        skip_line()?;
        return Ok(Line::Unreadable(format!("a line has at most {MOST_TEXT} bytes")));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(line) => Line::Text(line),
        Err(_) => Line::Unreadable("the line is not UTF-8 text".to_owned()),
    })
}

/// Passes over the rest of a line.
fn skip_line() -> Result<(), Problem> {
    io::stdin().lock().skip_until(b'\n').map(drop).map_err(|error| Problem::io("cannot read the input", error))
}
