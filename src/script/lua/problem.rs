//! Errors of Lua as script errors: message, place, call chain.

use mlua::Error;

use crate::script::{ScriptError, ScriptErrorKind};

/// Lua cuts the names of chunks that are longer.
const LONGEST_NAME: usize = 55;

/// The name under which Lua knows a script: its file name, whole or at least the last part.
pub(super) fn chunk_name(name: &str) -> String {
    format!("={}", shown_name(name))
}

fn shown_name(name: &str) -> &str {
    if name.len() <= LONGEST_NAME {
        return name;
    }
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let end = (0..=last.len().min(LONGEST_NAME)).rev().find(|&end| last.is_char_boundary(end));
    &last[..end.unwrap_or(0)]
}

/// A text that is not a program.
pub(super) fn syntax_error(file: &str, error: &Error) -> ScriptError {
    let mut failure = script_error(file, error);
    if failure.kind == ScriptErrorKind::Runtime {
        failure.kind = ScriptErrorKind::Syntax;
    }
    failure
}

/// What ended a script.
pub(super) fn script_error(file: &str, error: &Error) -> ScriptError {
    let kind = if is_memory(error) { ScriptErrorKind::Memory } else { ScriptErrorKind::Runtime };
    let text = full_text(error);
    let (message, traceback) = text.split_once("\nstack traceback:").unwrap_or((&text, ""));
    let chain: Vec<String> =
        traceback.lines().map(str::trim).filter(|line| is_of_a_script(line)).map(str::to_owned).collect();
    // A message that begins with a place names it; else the innermost script line of the chain is the place.
    let placed = place(message).or_else(|| {
        let (file, line, _) = chain.first().and_then(|line| place(line))?;
        Some((file, line, message))
    });
    match placed {
        Some((named, line, rest)) => ScriptError {
            kind,
            actor: None,
            tick: None,
            file: if named == shown_name(file) { file.to_owned() } else { named.to_owned() },
            line: Some(line),
            message: rest.to_owned(),
            chain,
        },
        None => ScriptError {
            kind,
            actor: None,
            tick: None,
            file: file.to_owned(),
            line: None,
            message: message.to_owned(),
            chain,
        },
    }
}

/// The message of an error that a script catches: without the call chain.
pub(super) fn caught_text(error: &Error) -> String {
    let text = full_text(error);
    text.split_once("\nstack traceback:").map_or(text.as_str(), |(message, _)| message).to_owned()
}

fn full_text(error: &Error) -> String {
    match error {
        Error::RuntimeError(text) | Error::MemoryError(text) => text.clone(),
        Error::SyntaxError { message, .. } => message.clone(),
        Error::CallbackError { traceback, cause } => {
            format!("{}\nstack traceback:{}", caught_text(cause), traceback.trim_start_matches("stack traceback:"))
        }
        Error::WithContext { cause, .. } => full_text(cause),
        other => other.to_string(),
    }
}

fn is_memory(error: &Error) -> bool {
    match error {
        Error::MemoryError(_) => true,
        Error::CallbackError { cause, .. } | Error::WithContext { cause, .. } => is_memory(cause),
        // An error of an inner coroutine has become text.
        Error::RuntimeError(text) => text.contains("not enough memory"),
        _ => false,
    }
}

/// Lines of the prelude and of Lua's own functions say nothing to the script's author.
fn is_of_a_script(line: &str) -> bool {
    !line.is_empty() && !line.starts_with("soup386:") && !line.starts_with("[C]") && !line.contains("__mlua")
}

/// `file:line: rest` taken apart.
fn place(text: &str) -> Option<(&str, u32, &str)> {
    let first_line = text.lines().next()?;
    for (at, _) in first_line.match_indices(':') {
        let rest = &text[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let line = rest[..digits].parse().ok()?;
            let rest = rest[digits..].trim_start_matches(':').trim_start();
            return Some((&text[..at], line, rest));
        }
    }
    None
}
