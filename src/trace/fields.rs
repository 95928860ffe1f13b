//! The keys of a trace line: their order, and what they hold.
//!
//! # Source
//! Rules S3 and S4.

use serde_json::{Map, Value};

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Natural numbers.
    Index,
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Texts.
    Text,
    /// Texts or null.
    TextOrNull,
    /// Three integers.
    Ints,
    /// Three integers or null.
    IntsOrNull,
    /// So many single-precision numbers, compared by their bits, or null.
    Singles(usize),
    /// The list of displays.
    Displays,
}

/// All keys of a line, in their order.
pub const KEYS: [(&str, Kind); 23] = [
    ("tick", Kind::Index),
    ("actor", Kind::Text),
    ("group", Kind::Int),
    ("pending", Kind::Int),
    ("cursor", Kind::Int),
    ("real_frame", Kind::Int),
    ("speed_count", Kind::Int),
    ("loop", Kind::Int),
    ("exit", Kind::Bool),
    ("model", Kind::TextOrNull),
    ("frame", Kind::Int),
    ("state", Kind::Int),
    ("weapon_drawn", Kind::Int),
    ("hand_item", Kind::Int),
    ("shown", Kind::Text),
    ("shown_model", Kind::TextOrNull),
    ("position", Kind::Singles(3)),
    ("matrix", Kind::Singles(9)),
    ("hand_pos", Kind::Ints),
    ("hand_angle", Kind::Ints),
    ("base", Kind::IntsOrNull),
    ("tip", Kind::IntsOrNull),
    ("displays", Kind::Displays),
];

/// The keys of one display.
const DISPLAY_KEYS: [(&str, Kind); 4] =
    [("kind", Kind::Text), ("model", Kind::Text), ("position", Kind::Singles(3)), ("matrix", Kind::Singles(9))];

/// What the key of a line holds; none for keys of other programs.
#[must_use]
pub fn kind(key: &str) -> Option<Kind> {
    KEYS.iter().find(|(name, _)| *name == key).map(|&(_, kind)| kind)
}

/// What the key of a display holds.
#[must_use]
pub fn display_kind(key: &str) -> Option<Kind> {
    DISPLAY_KEYS.iter().find(|(name, _)| *name == key).map(|&(_, kind)| kind)
}

/// Checks that an object has all the keys, each with what it holds.
///
/// # Errors
/// The reason.
pub fn check(values: &Map<String, Value>) -> Result<(), String> {
    check_keys(values, &KEYS)
}

fn check_keys(values: &Map<String, Value>, keys: &[(&str, Kind)]) -> Result<(), String> {
    for &(key, kind) in keys {
        let Some(value) = values.get(key) else { return Err(format!("the key \"{key}\" is missing")) };
        check_value(key, kind, value)?;
    }
    Ok(())
}

/// Checks the value of one key.
///
/// # Errors
/// The reason.
pub fn check_value(key: &str, kind: Kind, value: &Value) -> Result<(), String> {
    if kind == Kind::Displays {
        let displays = value.as_array().map(Vec::as_slice);
        let displays = displays.ok_or_else(|| format!("\"{key}\": expected {}", kind.expected()))?;
        return displays.iter().enumerate().try_for_each(|(i, display)| {
            let display = display.as_object().ok_or_else(|| format!("\"{key}[{i}]\": expected an object"))?;
            check_keys(display, &DISPLAY_KEYS).map_err(|reason| format!("{key}[{i}]: {reason}"))
        });
    }
    if kind.fits(value) { Ok(()) } else { Err(format!("\"{key}\": expected {}", kind.expected())) }
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        let list = |n: usize, fits: fn(&Value) -> bool| {
            value.as_array().is_some_and(|values| values.len() == n && values.iter().all(fits))
        };
        match self {
            Self::Index => value.is_u64(),
            Self::Int => is_integer(value),
            Self::Bool => value.is_boolean(),
            Self::Text => value.is_string(),
            Self::TextOrNull => value.is_string() || value.is_null(),
            Self::Ints => list(3, is_integer),
            Self::IntsOrNull => value.is_null() || list(3, is_integer),
            // A number that is not finite has no form in JSON; it is written as null.
            Self::Singles(n) => value.is_null() || list(n, |value| value.is_number() || value.is_null()),
            Self::Displays => value.is_array(),
        }
    }

    fn expected(self) -> String {
        match self {
            Self::Index => "a whole number from 0".to_owned(),
            Self::Int => "an integer".to_owned(),
            Self::Bool => "true or false".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::TextOrNull => "a text or null".to_owned(),
            Self::Ints => "an array of 3 integers".to_owned(),
            Self::IntsOrNull => "an array of 3 integers or null".to_owned(),
            Self::Singles(n) => format!("an array of {n} numbers or null"),
            Self::Displays => "an array of displays".to_owned(),
        }
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

/// The single-precision number nearest to a JSON number (rule S4).
#[must_use]
pub fn single(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32)
}
