//! The matchers of `expect`.

use std::fmt;

use super::Value;
use crate::defs::did_you_mean;

/// One matcher: what `expect(v)` can be asked.
#[derive(Clone, Copy, Debug)]
pub struct Matcher {
    /// The name in scripts.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [&'static str],
    check: fn(&Value, &[Value]) -> Result<Option<String>, String>,
}

/// All matchers.
pub const MATCHERS: [Matcher; 8] = [
    Matcher { name: "equals", parameters: &["value"], check: equals },
    Matcher { name: "differs", parameters: &["value"], check: differs },
    Matcher { name: "near", parameters: &["value", "tolerance"], check: near },
    Matcher { name: "at_least", parameters: &["bound"], check: at_least },
    Matcher { name: "at_most", parameters: &["bound"], check: at_most },
    Matcher { name: "is_true", parameters: &[], check: is_true },
    Matcher { name: "is_false", parameters: &[], check: is_false },
    Matcher { name: "contains", parameters: &["value"], check: contains },
];

/// What was found is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Who says so: the matcher, or `expect_error`.
    pub function: &'static str,
    /// What was expected, in words.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.function, self.expected, self.found)
    }
}

impl Matcher {
    /// The matcher of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        MATCHERS.iter().find(|matcher| matcher.name == name)
    }

    /// Looks whether `found` is what the arguments say.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    pub fn check(&self, found: &Value, args: &[Value]) -> Result<Option<Mismatch>, String> {
        let Self { name, parameters, check } = *self;
        if args.len() != parameters.len() {
            return Err(format!("{name}: expected {}, found {}", signature(parameters), args.len()));
        }
        let expected = check(found, args)?;
        Ok(expected.map(|expected| Mismatch { function: name, expected, found: found.shown() }))
    }
}

fn signature(parameters: &[&str]) -> String {
    match parameters.len() {
        0 => "no arguments".to_owned(),
        1 => format!("1 argument ({})", parameters[0]),
        n => format!("{n} arguments ({})", parameters.join(", ")),
    }
}

/// No matcher has this name.
#[must_use]
pub fn unknown_matcher(name: &str) -> String {
    let hint = did_you_mean(name, MATCHERS.iter().map(|matcher| matcher.name));
    format!("expect has no matcher \"{name}\"{hint}")
}

/// What was expected, unless it was found.
type Expected = Result<Option<String>, String>;

fn unless(holds: bool, expected: impl FnOnce() -> String) -> Expected {
    Ok((!holds).then(expected))
}

fn number(matcher: &str, position: usize, parameter: &str, value: &Value) -> Result<f64, String> {
    value.number().ok_or_else(|| {
        format!("{matcher} argument {position} ({parameter}): expected a number, found {}", value.shown())
    })
}

fn equals(found: &Value, args: &[Value]) -> Expected {
    unless(found.is_same(&args[0]), || args[0].shown())
}

fn differs(found: &Value, args: &[Value]) -> Expected {
    unless(!found.is_same(&args[0]), || format!("anything but {}", args[0].shown()))
}

fn near(found: &Value, args: &[Value]) -> Expected {
    let tolerance = number("near", 2, "tolerance", &args[1])?;
    if tolerance.is_nan() || tolerance < 0.0 {
        return Err(format!("near argument 2 (tolerance): expected a number from 0, found {}", args[1].shown()));
    }
    match &args[0] {
        Value::Int(_) | Value::Float(_) | Value::List(_) | Value::Table(_) => {}
        other => return Err(format!("near argument 1 (value): expected a number, found {}", other.shown())),
    }
    unless(found.is_near(&args[0], tolerance), || format!("{} ± {}", args[0].shown(), args[1].shown()))
}

fn at_least(found: &Value, args: &[Value]) -> Expected {
    let bound = number("at_least", 1, "bound", &args[0])?;
    unless(found.number().is_some_and(|found| found >= bound), || format!("at least {}", args[0].shown()))
}

fn at_most(found: &Value, args: &[Value]) -> Expected {
    let bound = number("at_most", 1, "bound", &args[0])?;
    unless(found.number().is_some_and(|found| found <= bound), || format!("at most {}", args[0].shown()))
}

/// True, or the 1 that predicates give.
fn is_true(found: &Value, _: &[Value]) -> Expected {
    unless(*found == Value::Truth(true) || found.number() == Some(1.0), || "true".to_owned())
}

/// False, or the 0 that predicates give.
fn is_false(found: &Value, _: &[Value]) -> Expected {
    unless(*found == Value::Truth(false) || found.number() == Some(0.0), || "false".to_owned())
}

fn contains(found: &Value, args: &[Value]) -> Expected {
    let holds = match (found, &args[0]) {
        (Value::Text(text), Value::Text(part)) => text.contains(part.as_str()),
        (Value::List(values), wanted) => values.iter().any(|value| value.is_same(wanted)),
        (Value::Table(values), Value::Text(name)) => values.contains_key(name),
        _ => false,
    };
    let kind = match found {
        Value::Text(_) => "a text that contains",
        Value::List(_) => "a list that contains",
        Value::Table(_) => "a table with the key",
        _ => "a text, list or table that contains",
    };
    unless(holds, || format!("{kind} {}", args[0].shown()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a matcher says: nothing, a mismatch, or what is wrong with the call.
    fn check(found: Value, name: &str, args: &[Value]) -> String {
        let matcher = Matcher::named(name).expect("a matcher");
        match matcher.check(&found, args) {
            Ok(None) => String::new(),
            Ok(Some(mismatch)) => mismatch.to_string(),
            Err(reason) => reason,
        }
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn every_matcher_holds_and_fails() {
        use Value::{Float, Int, List, Nothing, Truth};
        assert_eq!(check(Int(1), "equals", &[Float(1.0)]), "");
        assert_eq!(check(text("a"), "equals", &[text("b")]), "equals: expected \"b\", found \"a\"");
        assert_eq!(check(Int(1), "differs", &[Int(2)]), "");
        assert_eq!(check(Int(1), "differs", &[Int(1)]), "differs: expected anything but 1, found 1");
        assert_eq!(check(Int(10), "near", &[Int(8), Int(2)]), "");
        assert_eq!(check(Int(11), "near", &[Int(8), Float(2.5)]), "near: expected 8 ± 2.5, found 11");
        assert_eq!(check(Nothing, "near", &[Int(8), Int(2)]), "near: expected 8 ± 2, found nil");
        assert_eq!(check(Int(2), "at_least", &[Int(2)]), "");
        assert_eq!(check(Int(1), "at_least", &[Int(2)]), "at_least: expected at least 2, found 1");
        assert_eq!(check(Int(2), "at_most", &[Int(2)]), "");
        assert_eq!(check(text("3"), "at_most", &[Int(2)]), "at_most: expected at most 2, found \"3\"");
        assert_eq!([Int(1), Truth(true)].map(|value| check(value, "is_true", &[])), ["", ""]);
        assert_eq!(check(Int(2), "is_true", &[]), "is_true: expected true, found 2");
        assert_eq!([Int(0), Truth(false)].map(|value| check(value, "is_false", &[])), ["", ""]);
        assert_eq!(check(Nothing, "is_false", &[]), "is_false: expected false, found nil");
        assert_eq!(check(text("abc"), "contains", &[text("bc")]), "");
        assert_eq!(
            check(List(vec![Int(1)]), "contains", &[Int(2)]),
            "contains: expected a list that contains 2, found [1]"
        );
    }

    #[test]
    fn wrong_arguments_are_no_mismatch() {
        assert_eq!(
            check(Value::Int(1), "near", &[Value::Int(1)]),
            "near: expected 2 arguments (value, tolerance), found 1"
        );
        assert_eq!(
            check(Value::Int(1), "near", &[Value::Int(1), Value::Int(-1)]),
            "near argument 2 (tolerance): expected a number from 0, found -1"
        );
        assert_eq!(
            check(Value::Int(1), "at_least", &[Value::Nothing]),
            "at_least argument 1 (bound): expected a number, found nil"
        );
        assert_eq!(check(Value::Int(1), "is_true", &[Value::Int(1)]), "is_true: expected no arguments, found 1");
        assert_eq!(unknown_matcher("equal"), "expect has no matcher \"equal\"; did you mean \"equals\"?");
    }
}
