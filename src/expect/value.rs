//! Values of scripts as expectations see them: alike in every language.

use std::{collections::BTreeMap, fmt};

use crate::world::ActorKey;

/// Values that one expectation looks at, nested ones counted.
pub const MOST_VALUES: usize = 4096;
/// Bytes of text that one expectation looks at.
const MOST_TEXT: usize = 1 << 20;
/// How deep they may be nested.
pub const MOST_NESTED: usize = 8;
/// Characters of a value that messages show.
const MOST_SHOWN: usize = 200;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `nil`, `()`.
    Nothing,
    /// A truth value.
    Truth(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Self>),
    /// Values by name.
    Table(BTreeMap<String, Self>),
    /// An actor.
    Actor {
        /// Its key.
        key: ActorKey,
        /// How the handle reads as text.
        shown: String,
    },
    /// Anything else, by the name of its type.
    Other(&'static str),
}

/// A value that is too large to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a value is nested more than {MOST_NESTED} deep, or holds more than {MOST_VALUES} values or 1 MiB of text")]
pub struct TooLarge;

/// How many more values fit into an expectation, for languages that convert theirs.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    left: usize,
    text_left: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { left: MOST_VALUES, text_left: MOST_TEXT }
    }
}

impl Room {
    /// Takes the place of one value at a depth, 0 being the outermost.
    ///
    /// # Errors
    /// [`TooLarge`] when there is none.
    pub fn take(&mut self, depth: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        if depth > MOST_NESTED { Err(TooLarge) } else { Ok(()) }
    }

    /// Takes the place of a text.
    ///
    /// # Errors
    /// [`TooLarge`] when there is none.
    pub fn take_text(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.text_left = self.text_left.checked_sub(bytes).ok_or(TooLarge)?;
        Ok(())
    }

    /// Steps that looking at the values costs a script.
    #[must_use]
    pub fn steps(&self) -> u64 {
        ((MOST_VALUES - self.left) / 4 + (MOST_TEXT - self.text_left) / 256) as u64
    }
}

impl Value {
    /// The value as a number.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether two values are the same: numbers by what they amount to, so that 1 is 1.0; lists and tables by what is in
    /// them. An empty list is an empty table, since Lua has one form for both.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Int(int), Self::Float(float)) | (Self::Float(float), Self::Int(int)) => {
                *int as f64 == *float && *float as i64 == *int
            }
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b)),
            (Self::Table(a), Self::Table(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((a, x), (b, y))| a == b && x.is_same(y))
            }
            (Self::List(list), Self::Table(table)) | (Self::Table(table), Self::List(list)) => {
                list.is_empty() && table.is_empty()
            }
            (Self::Actor { key: a, .. }, Self::Actor { key: b, .. }) => a == b,
            // Two functions, for instance: nothing tells whether they are the same.
            (Self::Other(_), Self::Other(_)) => false,
            (a, b) => a == b,
        }
    }

    /// Whether every number differs by no more than `tolerance` from its counterpart; the rest is compared as
    /// [`Self::is_same`] does.
    #[must_use]
    pub fn is_near(&self, other: &Self, tolerance: f64) -> bool {
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            return (a - b).abs() <= tolerance;
        }
        match (self, other) {
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_near(b, tolerance))
            }
            (Self::Table(a), Self::Table(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((a, x), (b, y))| a == b && x.is_near(y, tolerance))
            }
            (a, b) => a.is_same(b),
        }
    }

    /// The actors in the value.
    pub fn actors(&self, found: &mut Vec<ActorKey>) {
        match self {
            Self::Actor { key, .. } => found.push(*key),
            Self::List(values) => values.iter().for_each(|value| value.actors(found)),
            Self::Table(values) => values.values().for_each(|value| value.actors(found)),
            _ => {}
        }
    }

    /// The text in messages, cut when it is long.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut text = self.to_string();
        if let Some((end, _)) = text.char_indices().nth(MOST_SHOWN) {
            text.truncate(end);
            text.push('…');
        }
        text
    }
}

/// Numbers without fraction read as integers: languages differ in what they make of `3.0`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nil"),
            Self::Truth(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(values) => {
                f.write_str("[")?;
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Table(values) if values.is_empty() => f.write_str("[]"),
            Self::Table(values) => {
                f.write_str("{")?;
                for (i, (name, value)) in values.iter().enumerate() {
                    write!(f, "{}{name}: {value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
            Self::Actor { shown, .. } => f.write_str(shown),
            Self::Other(kind) => f.write_str(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn numbers_are_what_they_amount_to() {
        assert!(Value::Int(1).is_same(&Value::Float(1.0)));
        assert!(!Value::Int(1).is_same(&Value::Float(1.5)));
        assert!(!Value::Int(i64::MAX).is_same(&Value::Float(9.2e18)));
        assert!(!Value::Float(f64::NAN).is_same(&Value::Float(f64::NAN)));
        assert!(!Value::Int(1).is_same(&Value::Truth(true)) && !text("1").is_same(&Value::Int(1)));
        assert_eq!(Value::Float(3.0).to_string(), "3");
    }

    #[test]
    fn lists_and_tables_are_compared_by_content() {
        let list = |values: &[i64]| Value::List(values.iter().map(|&value| Value::Int(value)).collect());
        let table = |value: f64| Value::Table([("x".to_owned(), Value::Float(value))].into());
        assert!(list(&[1, 2]).is_same(&list(&[1, 2])) && !list(&[1, 2]).is_same(&list(&[1])));
        assert!(table(1.0).is_same(&table(1.0)) && !table(1.0).is_same(&table(1.5)));
        assert!(table(1.0).is_near(&table(1.5), 0.5) && !table(1.0).is_near(&table(1.5), 0.4));
        assert!(list(&[]).is_same(&Value::Table(BTreeMap::new())));
        assert_eq!(list(&[1, 2]).to_string(), "[1, 2]");
        assert_eq!(table(0.5).to_string(), "{x: 0.5}");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(text(&"é".repeat(300)).shown().chars().count(), MOST_SHOWN + 1);
        let mut room = Room::default();
        assert_eq!(room.take(MOST_NESTED + 1), Err(TooLarge));
        assert!((1..MOST_VALUES).all(|_| room.take(0).is_ok()));
        assert_eq!(room.take(0), Err(TooLarge));
        assert_eq!((room.take_text(MOST_TEXT), room.take_text(1)), (Ok(()), Err(TooLarge)));
        assert_eq!(room.steps(), (MOST_VALUES / 4 + MOST_TEXT / 256) as u64);
    }
}
