//! Errors of Rhai as script errors: message, place, call chain.

use rhai::{Dynamic, EvalAltResult, ImmutableString, ParseError, Position};

use crate::{
    defs::{did_you_mean, functions},
    expect::unknown_matcher,
    natives::{Given, access::unknown_property, arguments},
    script::{ScriptError, ScriptErrorKind},
};

/// An error at a place. Its text begins with the place, so that a script that catches it sees where it came from.
pub(super) fn fail_at(source: Option<&str>, position: Position, reason: &str) -> Box<EvalAltResult> {
    let text = match (source, position.line()) {
        (Some(source), Some(line)) => format!("{source}:{line}: {reason}"),
        _ => reason.to_owned(),
    };
    EvalAltResult::ErrorRuntime(text.into(), position).into()
}

/// A text that is not a program.
pub(super) fn syntax_error(file: &str, error: &ParseError) -> ScriptError {
    let line = line_of(error.position());
    ScriptError { line, ..ScriptError::bare(file, ScriptErrorKind::Syntax, error.err_type().to_string()) }
}

/// What ended a script.
pub(super) fn script_error(file: &str, error: &EvalAltResult) -> ScriptError {
    let mut chain = Vec::new();
    let mut at_file = file.to_owned();
    let mut outer_file = file.to_owned();
    let mut error = error;
    loop {
        match error {
            EvalAltResult::ErrorInFunctionCall(name, source, inner, position) => {
                chain.push(frame(&outer_file, *position, name));
                if !source.is_empty() {
                    at_file.clone_from(source);
                }
                outer_file.clone_from(&at_file);
                error = inner;
            }
            EvalAltResult::ErrorInModule(name, inner, position) => {
                chain.push(frame(&outer_file, *position, name));
                error = inner;
            }
            _ => break,
        }
    }
    chain.reverse();
    let (kind, text) = kind_and_message(error);
    let mut line = line_of(error.position());
    let mut message = text;
    if let Some((named, named_line, rest)) = place(&message) {
        (at_file, line, message) = (named.to_owned(), Some(named_line), rest.to_owned());
    }
    if !chain.is_empty() {
        chain.insert(0, line.map_or_else(|| at_file.clone(), |line| format!("{at_file}:{line}")));
    }
    ScriptError { line, chain, ..ScriptError::bare(&at_file, kind, message) }
}

/// The words of an error that a script catches, without its place.
pub(super) fn caught(error: &EvalAltResult) -> String {
    script_error("", error).message
}

fn frame(file: &str, position: Position, name: &str) -> String {
    let name = if name.starts_with("anon$") { "a closure" } else { name };
    match line_of(position) {
        Some(line) => format!("{file}:{line} called {name}"),
        None => format!("{file} called {name}"),
    }
}

fn line_of(position: Position) -> Option<u32> {
    position.line().and_then(|line| u32::try_from(line).ok())
}

fn kind_and_message(error: &EvalAltResult) -> (ScriptErrorKind, String) {
    let kind = match error {
        EvalAltResult::ErrorParsing(..) => ScriptErrorKind::Syntax,
        EvalAltResult::ErrorDataTooLarge(..) => ScriptErrorKind::Memory,
        EvalAltResult::ErrorTooManyOperations(..)
        | EvalAltResult::ErrorTooManyVariables(..)
        | EvalAltResult::ErrorTooManyModules(..)
        | EvalAltResult::ErrorStackOverflow(..)
        | EvalAltResult::ErrorTerminated(..) => ScriptErrorKind::Budget,
        _ => ScriptErrorKind::Runtime,
    };
    let text = match error {
        EvalAltResult::ErrorRuntime(value, _) => thrown(value),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(signature),
        EvalAltResult::ErrorVariableNotFound(name, _) => format!("there is no variable \"{name}\""),
        EvalAltResult::ErrorStackOverflow(_) => "functions call each other too deeply".to_owned(),
        EvalAltResult::ErrorDataTooLarge(what, _) => too_large(what),
        EvalAltResult::ErrorTooManyVariables(_) => "the script has too many variables at once".to_owned(),
        other => bare_text(other),
    };
    (kind, text)
}

fn too_large(what: &str) -> String {
    let elements = super::budget::most_elements();
    match what {
        "Length of string" => "a text, or the texts in a value, became longer than a script may hold".to_owned(),
        "Size of object map" => format!("a map, with the maps in it, got more than {elements} entries"),
        _ => format!("an array, with the arrays in it, got more than {elements} elements"),
    }
}

/// Rhai's own words, which end with the place.
fn bare_text(error: &EvalAltResult) -> String {
    let text = error.to_string();
    let place = format!(" ({})", error.position());
    text.strip_suffix(place.as_str()).map_or(text.clone(), str::to_owned)
}

/// What a script threw.
fn thrown(value: &Dynamic) -> String {
    if value.is_unit() {
        return "the script threw ()".to_owned();
    }
    let text = value.as_immutable_string_ref().map(|text| text.to_string());
    // What a script caught from Rhai itself, and threw again.
    let message = || {
        let map = value.as_map_ref().ok()?;
        map.get("message")?.as_immutable_string_ref().ok().map(|text| text.to_string())
    };
    text.ok().or_else(message).unwrap_or_else(|| value.to_string())
}

/// A call that nothing answers: `signature` is the name with the types given.
fn unknown_function(signature: &str) -> String {
    let (name, given) = signature.split_once(" (").unwrap_or((signature, ")"));
    let given = given.trim_end_matches(')');
    if let Some(reason) = wrong_count(name, given) {
        return reason;
    }
    if given == super::ACTOR_TYPE || given.starts_with(&format!("{}, ", super::ACTOR_TYPE)) {
        return unknown_property(name).to_string();
    }
    if given == super::EXPECTATION_TYPE || given.starts_with(&format!("{}, ", super::EXPECTATION_TYPE)) {
        return unknown_matcher(name);
    }
    let hint = did_you_mean(name, functions().rows().iter().map(|decl| decl.script_name.as_str()));
    let types = shown_types(given);
    let is_operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match is_operator {
        true => format!("there is no {name} for {types}"),
        false if types.is_empty() || !hint.is_empty() => format!("there is no function \"{name}\"{hint}"),
        false => format!("there is no function \"{name}\" for ({types})"),
    }
}

/// Rhai's names of types in the words of a script's author; of a long list the beginning.
fn shown_types(given: &str) -> String {
    const MOST: usize = 8;
    let word = |name: &str| match name {
        "i64" => "integer".to_owned(),
        "f64" => "float".to_owned(),
        "&str | ImmutableString | String" => "string".to_owned(),
        other => other.to_owned(),
    };
    let types: Vec<String> = given.split(", ").map(word).collect();
    let rest = if types.len() > MOST { ", …" } else { "" };
    types[..types.len().min(MOST)].join(", ") + rest
}

/// What a native says that was called with more values than it has forms for.
fn wrong_count(name: &str, given: &str) -> Option<String> {
    let decl = functions().get(functions().named(name)?)?;
    let count = if given.is_empty() { 0 } else { given.split(", ").count() };
    let n_values = if given.starts_with(super::ACTOR_TYPE) { count - 1 } else { count };
    let nothing = vec![Given::Other("nil"); n_values];
    arguments(decl, nothing.into_iter()).err().map(|error| error.to_string())
}

/// `file:line: rest` taken apart.
fn place(text: &str) -> Option<(&str, u32, &str)> {
    let first_line = text.lines().next()?;
    let end = first_line.find(": ")?;
    let (file, line) = first_line[..end].rsplit_once(':')?;
    let line = line.parse().ok()?;
    crate::defs::Language::of_name(file)?;
    Some((file, line, &text[end + 2..]))
}

/// A text for a script.
pub(super) fn text(text: impl Into<ImmutableString>) -> Dynamic {
    Dynamic::from(text.into())
}
