//! The values that scripts hold, and what a value is for the value rule.

use std::rc::Rc;

use rhai::{Dynamic, FnPtr, ImmutableString};

use crate::{
    expect::{TooLarge, Value},
    natives::{Given, access::GroupId},
    world::ActorKey,
};

/// An actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Actor(pub(super) ActorKey);

/// A group of an actor's properties, such as `a.hand_pos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) actor: ActorKey,
    pub(super) group: GroupId,
}

/// `multitask` and `a.multitask()`: calls that do not hold the script.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multitask(pub(super) ActorKey);

/// A task that a [`Multitask`] call started; none when no slot was free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) actor: ActorKey,
    pub(super) serial: Option<u64>,
}

/// `flags`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags;

/// `attr` and `item`: constants by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Attributes,
    Items,
}

/// `expect(value)`; the value may have been too large to be compared.
#[derive(Clone, Debug)]
pub(super) struct Expectation(pub(super) Rc<Result<Value, TooLarge>>);

/// `log`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Log;

/// What a value is, in the words that Lua uses too: a wrong value gives the same error in both languages.
pub(super) enum Owned {
    Int(i64),
    Float(f64),
    Text(ImmutableString),
    Other(&'static str),
}

impl Owned {
    pub(super) fn of(value: &Dynamic) -> Self {
        if let Ok(value) = value.as_int() {
            return Self::Int(value);
        }
        if let Ok(value) = value.as_float() {
            return Self::Float(value);
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Self::Text(text.clone());
        }
        if let Ok(letter) = value.as_char() {
            return Self::Text(letter.to_string().into());
        }
        Self::Other(match value.as_bool() {
            Ok(true) => "true",
            Ok(false) => "false",
            Err(_) if value.is_unit() => "nil",
            Err(_) if value.is::<Actor>() => "an actor",
            Err(_) if value.is::<FnPtr>() => "a function",
            Err(_) => "a table",
        })
    }

    pub(super) fn given(&self) -> Given<'_> {
        match self {
            Self::Int(value) => Given::Int(*value),
            Self::Float(value) => Given::Float(*value),
            Self::Text(text) => Given::Text(text),
            Self::Other(kind) => Given::Other(kind),
        }
    }
}

/// The type of a value by its Lua name, as helper functions report it.
pub(super) fn type_word(value: &Dynamic) -> &'static str {
    if value.is_int() || value.is_float() {
        "number"
    } else if value.is_string() || value.is_char() {
        "string"
    } else if value.is_unit() {
        "nil"
    } else if value.is_bool() {
        "boolean"
    } else if value.is::<FnPtr>() {
        "function"
    } else if value.is::<Actor>() {
        "userdata"
    } else {
        "table"
    }
}
