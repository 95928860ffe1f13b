//! Values that cross from a language into a native: one rule and one wording for all languages.

use std::fmt::Write;

use crate::{
    defs::FunctionDecl,
    world::{Args, MAX_ARGS},
};

/// A value as a language hands it over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(&'a str),
    /// Anything else, by the name of its type.
    Other(&'a str),
}

/// Why a call, a property access or a look-up is an error of the script.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The wrong number of arguments.
    #[error("{function}: expected {expected}, found {found}")]
    ArgumentCount {
        /// The function.
        function: String,
        /// How many it takes, with their names.
        expected: String,
        /// How many were given.
        found: usize,
    },
    /// An argument of the wrong type or outside `i32`.
    #[error("{function} argument {position} ({parameter}): expected {expected}, found {found}")]
    Argument {
        /// The function.
        function: String,
        /// 1 is the first.
        position: usize,
        /// The parameter's name.
        parameter: String,
        /// What it takes.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// A property was given a value of the wrong type or outside `i32`.
    #[error("{property}: expected {expected}, found {found}")]
    PropertyValue {
        /// The property.
        property: String,
        /// What it takes.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// The property can only be read.
    #[error("{property} cannot be written")]
    ReadOnly {
        /// The property.
        property: String,
    },
    /// An actor has neither a property nor a function of this name.
    #[error("an actor has no property or function \"{name}\"{hint}")]
    UnknownProperty {
        /// The name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// No function has this name.
    #[error("there is no function \"{name}\"{hint}")]
    UnknownFunction {
        /// The name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// No live actor has this name.
    #[error("there is no actor \"{name}\"{hint}")]
    UnknownActor {
        /// The name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// The handle's actor is gone.
    #[error("the actor {name} was removed in update {tick}; test a handle with valid() before using it")]
    ActorRemoved {
        /// Its name.
        name: String,
        /// Index of the update.
        tick: u64,
    },
    /// The handle's actor is gone, and so long that its name is forgotten.
    #[error("the actor of this handle was removed long ago; test a handle with valid() before using it")]
    ActorForgotten,
    /// The scene has no flag of this name or id.
    #[error("the scene has no flag {flag}{hint}")]
    UnknownFlag {
        /// Name in quotes, or id.
        flag: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// No attribute has this name.
    #[error("there is no attribute \"{name}\"{hint}")]
    UnknownAttribute {
        /// The name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// The scene has no item of this name.
    #[error("the scene has no item \"{name}\"{hint}")]
    UnknownItem {
        /// The name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// The actor has no program to reset.
    #[error("the actor {name} has no program")]
    NoProgram {
        /// Its name.
        name: String,
    },
    /// Scripts may not make the world more crowded than this.
    #[error("spawn: the world already holds {limit} actors, the most that scripts may fill it to")]
    TooManyActors {
        /// The most.
        limit: usize,
    },
    /// The actor has no such point.
    #[error("{0}")]
    Point(String),
    /// Scripts may not emit more often in one update.
    #[error("emit: called {limit} times in this update, the most that scripts may")]
    TooManyEmissions {
        /// The most.
        limit: usize,
    },
    /// The actor could not be created.
    #[error("spawn: {0}")]
    Spawn(#[from] crate::world::SpawnError),
}

const AN_INTEGER: &str = "an integer";
const IN_RANGE: &str = "an integer in -2147483648..=2147483647";
const A_MODEL: &str = "a model name or its 1-based index";

/// The longest text that an error message repeats whole.
const SHOWN_TEXT: usize = 40;

fn describe(given: Given<'_>) -> String {
    match given {
        Given::Int(value) => value.to_string(),
        Given::Float(value) => value.to_string(),
        Given::Text(text) => {
            let shown: String = text.chars().take(SHOWN_TEXT).collect();
            let rest = if shown.len() < text.len() { "…" } else { "" };
            format!("{shown:?}{rest}")
        }
        Given::Other(kind) => kind.to_owned(),
    }
}

/// The value rule: integers, and floats with an integral value, within `i32`.
///
/// # Errors
/// What was expected, and a description of what was given.
pub fn integer(given: Given<'_>) -> Result<i32, (&'static str, String)> {
    let value = match given {
        Given::Int(value) => value,
        Given::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => value as i64,
        Given::Float(value) if value.is_finite() && value.fract() == 0.0 => {
            return Err((IN_RANGE, describe(given)));
        }
        _ => return Err((AN_INTEGER, describe(given))),
    };
    i32::try_from(value).map_err(|_| (IN_RANGE, describe(given)))
}

/// Whether parameter `index` of `decl` may be text: the model of DisplayHandModel and DisplayHiltModel (rule W19).
pub(super) fn takes_text(decl: &FunctionDecl, index: usize) -> bool {
    index == 0 && decl.parameters.first().is_some_and(|&parameter| parameter == "model")
}

/// Whether `count` arguments are what `decl` takes. WaitPlayerAnimFrame declares none, but reads two where they are
/// given (rule K7).
fn accepts_count(decl: &FunctionDecl, count: usize) -> bool {
    count == decl.parameters.len() || (count == 2 && decl.script_name == "waitplayeranimframe")
}

/// Checks and converts the arguments of a call.
///
/// # Errors
/// [`CallError::ArgumentCount`] and [`CallError::Argument`], in that order of precedence.
pub fn arguments<'a>(decl: &FunctionDecl, given: impl ExactSizeIterator<Item = Given<'a>>) -> Result<Args, CallError> {
    let found = given.len();
    if !accepts_count(decl, found) || found > MAX_ARGS {
        return Err(CallError::ArgumentCount { function: decl.script_name.clone(), expected: signature(decl), found });
    }
    let mut args = Args::default();
    for (index, value) in given.enumerate() {
        match value {
            Given::Text(text) if takes_text(decl, index) => args.push_text(text),
            _ => args.push(integer(value).map_err(|(expected, found)| CallError::Argument {
                function: decl.script_name.clone(),
                position: index + 1,
                parameter: decl.parameters.get(index).map_or("value", |&name| name).to_owned(),
                expected: if takes_text(decl, index) { A_MODEL } else { expected },
                found,
            })?),
        };
    }
    Ok(args)
}

fn signature(decl: &FunctionDecl) -> String {
    let mut text = match decl.parameters.len() {
        0 => return "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    };
    let _ = write!(text, " ({})", decl.parameters.join(", "));
    text
}
