//! Errors of Lua as script errors: message, place, call chain.

use mlua::{Error, Lua};

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

/// The longest message that is kept, in bytes.
const LONGEST_MESSAGE: usize = 4096;
/// The most frames that are kept of a call chain, and that are looked at to find them.
const MOST_FRAMES: usize = 20;
const MOST_LEVELS: usize = 60;

/// A call of a script that is under way.
pub(super) struct Frame {
    pub(super) file: String,
    pub(super) line: u32,
    function: Option<String>,
    defined: usize,
}

impl Frame {
    pub(super) fn chain_line(&self) -> String {
        let Self { file, line, function, defined } = self;
        match function {
            Some(name) => format!("{file}:{line}: in function '{name}'"),
            None => format!("{file}:{line}: in function <{file}:{defined}>"),
        }
    }
}

/// The line of the script that called, 0 when none did. A tail call leaves no line of its own, so that the next outer
/// one stands for it.
pub(super) fn calling_line(lua: &Lua) -> u32 {
    frames(lua).next().map_or(0, |frame| frame.line)
}

/// The calls of the running coroutine that stand in script files, innermost first.
pub(super) fn script_frames(lua: &Lua) -> Vec<Frame> {
    frames(lua).take(MOST_FRAMES).collect()
}

fn frames(lua: &Lua) -> impl Iterator<Item = Frame> {
    let frame = move |level| {
        lua.inspect_stack(level, |frame| {
            let file = frame.source().short_src.map(|name| name.into_owned())?;
            let line = u32::try_from(frame.current_line()?).ok()?;
            let function = frame.names().name.map(|name| name.into_owned());
            let defined = frame.source().line_defined.unwrap_or(1).max(1);
            is_of_a_script(&format!("{file}:")).then_some(Frame { file, line, function, defined })
        })
    };
    (0..MOST_LEVELS).map_while(frame).flatten()
}

/// The name of a file as it was given, where a place may show it shortened.
pub(super) fn whole_name(named: &str, file: String) -> String {
    if named == shown_name(&file) { file } else { named.to_owned() }
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
    let message = without_place_here(message);
    let chain: Vec<String> = traceback
        .lines()
        .map(str::trim)
        .filter(|line| is_of_a_script(line))
        .take(MOST_FRAMES)
        .map(str::to_owned)
        .collect();
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
            file: whole_name(named, file.to_owned()),
            line: Some(line),
            message: kept(rest),
            chain,
        },
        None => ScriptError {
            kind,
            actor: None,
            tick: None,
            file: file.to_owned(),
            line: None,
            message: kept(message),
            chain,
        },
    }
}

/// The message of an error that a script catches: without the call chain.
pub(super) fn caught_text(error: &Error) -> String {
    let text = full_text(error);
    let message = text.split_once("\nstack traceback:").map_or(text.as_str(), |(message, _)| message);
    without_place_here(message).to_owned()
}

/// A message without a place in the prelude, which says nothing to the script's author.
pub(super) fn without_place_here(message: &str) -> &str {
    match message.strip_prefix("soup386:") {
        Some(placed) => placed.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(": "),
        None => message,
    }
}

/// A message without the place at its beginning.
pub(super) fn placeless(message: &str) -> &str {
    place(message).map_or(message, |(_, _, rest)| rest)
}

/// A message as it is kept: of bounded length, and without an address, which differs from run to run.
fn kept(message: &str) -> String {
    if message == "nil" {
        return "the error value is nil".to_owned();
    }
    if let Some((kind, _)) =
        message.split_once(": 0x").filter(|(kind, _)| ["table", "function", "thread"].contains(kind))
    {
        return format!("the error value is a {kind}");
    }
    let end = (0..=message.len().min(LONGEST_MESSAGE)).rev().find(|&end| message.is_char_boundary(end)).unwrap_or(0);
    let rest = if end < message.len() { "…" } else { "" };
    format!("{}{rest}", &message[..end])
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

pub(super) fn is_memory(error: &Error) -> bool {
    match error {
        Error::MemoryError(_) => true,
        Error::CallbackError { cause, .. } | Error::WithContext { cause, .. } => is_memory(cause),
        // An error of an inner coroutine has become text.
        Error::RuntimeError(text) => text == "not enough memory",
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
