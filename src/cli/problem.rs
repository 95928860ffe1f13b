//! What stopped a command, as a block with the offending line.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, Source};

use super::output::{message, plain_lines};
use crate::{
    Error,
    defs::ScriptSource,
    import::{Fault, ImportError, no_file},
    script::ScriptError,
    soup::text::TextError,
};

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Input or output of a file failed.
    Io { what: String, error: io::Error },
    /// The scene, a script or a call is wrong. The text is that of the file at fault, when it is at hand.
    Library { error: Error, sources: Vec<ScriptSource> },
    /// A text of programs is wrong: all faults found.
    Texts(Vec<TextError>),
    /// Anything else, in words.
    Other(String),
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        Self::Library { error: error.into(), sources: Vec::new() }
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        ImportError(vec![fault]).into()
    }
}

impl Problem {
    pub(crate) fn io(what: impl Into<String>, error: io::Error) -> Self {
        Self::Io { what: what.into(), error }
    }

    /// A path that cannot be read; one that leads to no file is told apart.
    pub(crate) fn unreadable(path: &Path, error: io::Error) -> Self {
        match path.is_dir() {
            true => Self::Other(format!("cannot read {}: {}", path.display(), no_file(path))),
            false => Self::io(format!("cannot read {}", path.display()), error),
        }
    }

    /// Whether whoever reads our output went away.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn print(&self) {
        match self {
            Self::Io { what, error } => message(format_args!("error: {what}: {error}")),
            Self::Texts(errors) => print_text_errors(errors),
            Self::Other(text) => message(format_args!("error: {text}")),
            Self::Library { error: Error::Import(faults), .. } => faults.0.iter().for_each(print_fault),
            Self::Library { error: Error::Script(error), sources } => print_script_error(error, sources),
            Self::Library { error, .. } => message(plain_lines(&format!("error: {error}"))),
        }
    }
}

/// Warnings from the files of a game, one a line.
pub(crate) fn print_warnings(warnings: &[Fault]) {
    warnings.iter().for_each(|warning| message(plain_lines(&format!("warning: {warning}"))));
}

/// Faults of a text, each with its line and a caret.
fn print_text_errors(errors: &[TextError]) {
    errors.iter().for_each(message);
    let faults = super::output::count(errors.len() as u64, "error");
    message(format_args!("{}: {faults}", errors.first().map_or("", |error| &error.file)));
}

/// Colours only on a terminal, and not against `NO_COLOR`.
pub(crate) fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A fault in a scene file.
fn print_fault(fault: &Fault) {
    let text = fault.span.as_ref().and_then(|_| std::fs::read_to_string(&fault.file).ok());
    match (&fault.span, text) {
        (Some(span), Some(text)) => {
            let (line, column) = fault.place.unwrap_or((1, 1));
            let path = if fault.path.is_empty() { String::new() } else { format!("{}: ", fault.path) };
            // A long value would print line after line: its beginning is enough.
            let end = span.end.min(span.start + text[span.start..].find('\n').unwrap_or(text.len() - span.start));
            let head = format!("{}:{line}:{column}: {path}{}", fault.file, fault.reason);
            print_block(&head, &fault.file, &text, span.start..end.max(span.start), &fault.reason);
        }
        _ => message(plain_lines(&format!("error: {fault}"))),
    }
}

/// A script's error, with the line itself and the call chain.
pub(crate) fn print_script_error(error: &ScriptError, sources: &[ScriptSource]) {
    let text = sources.iter().find(|source| source.name == error.file).map(|source| source.text.clone());
    let text = text.or_else(|| std::fs::read_to_string(Path::new(&error.file)).ok());
    let line = error.line.unwrap_or(0) as usize;
    let span = text.as_deref().and_then(|text| line_span(text, line));
    match (text, span) {
        (Some(text), Some(span)) => print_block(&error.to_string(), &error.file, &text, span, &error.message),
        _ => message(plain_lines(&format!("error: {error}"))),
    }
    if error.chain.len() > 1 {
        message("called from:");
        for frame in &error.chain {
            message(format_args!("  {frame}"));
        }
    }
}

/// The bytes of a line without its indentation.
fn line_span(text: &str, line: usize) -> Option<std::ops::Range<usize>> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let content = text.get(start..)?.lines().next()?;
    let indent = content.len() - content.trim_start().len();
    Some(start + indent..start + content.trim_end().len().max(indent))
}

/// A longer line is not shown: it hides what is wrong, and takes seconds to draw.
const MAX_LINE: usize = 500;

/// Control characters as question marks of the same length, so that places stay what they are.
fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    let disturbs = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(disturbs) {
        return text.into();
    }
    text.chars().map(|c| if disturbs(c) { "?".repeat(c.len_utf8()) } else { c.to_string() }).collect()
}

fn print_block(head: &str, file: &str, text: &str, span: std::ops::Range<usize>, reason: &str) {
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    if text[start..].lines().next().is_some_and(|line| line.len() > MAX_LINE) {
        return message(format_args!("Error: {}", visible(head)));
    }
    let (text, reason) = (visible(text), visible(reason));
    let config = Config::new().with_index_type(IndexType::Byte).with_color(colours()).with_char_set(if colours() {
        CharSet::Unicode
    } else {
        CharSet::Ascii
    });
    let report = Report::build(ReportKind::Error, (file, span.clone()))
        .with_config(config)
        .with_message(visible(head))
        .with_label(Label::new((file, span)).with_message(reason.lines().next().unwrap_or_default()))
        .finish();
    // Written at once: piece by piece a long line takes seconds.
    let mut block = Vec::new();
    if report.write((file, Source::from(&*text)), &mut block).is_ok() {
        message(String::from_utf8_lossy(&block).trim_end());
    }
}
