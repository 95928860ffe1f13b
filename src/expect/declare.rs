//! What a call of `scenario` declares.

use super::Value;
use crate::defs::did_you_mean;

/// Longest name of a scenario and longest tag, in bytes.
const LONGEST_NAME: usize = 255;
/// Most tags of a scenario.
const MOST_TAGS: usize = 64;
/// Most updates that a scenario may ask for.
const MOST_UPDATES: f64 = 1e9;
/// Most seconds that a scenario may ask for.
const MOST_SECONDS: f64 = 86_400.0;
/// Most updates of its actors that a failure may show.
const MOST_TRACED: f64 = 100.0;

/// A declared scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Its name, which no other scenario of the file has.
    pub name: String,
    /// The file that declares it: the scenario file, or a module of it.
    pub file: String,
    /// The line of the declaration.
    pub line: Option<u32>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Whether only it and its like are to run.
    pub only: bool,
    /// Why it is not to run.
    pub skip: Option<String>,
    /// Updates after which it is ended.
    pub updates: Option<u64>,
    /// Seconds after which it is ended.
    pub seconds: Option<f64>,
    /// How many updates of the actors involved a failure shows.
    pub local_trace: Option<usize>,
    /// Whether it goes on when the script of an actor fails.
    pub allow_script_errors: bool,
}

/// The arguments of `scenario` or `only`.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// `scenario` or `only`.
    pub function: &'static str,
    /// The name, which should be a text.
    pub name: Value,
    /// The options, if they were given.
    pub options: Option<Value>,
    /// What should be a function, by the name of its type.
    pub body: &'static str,
}

impl Declaration {
    /// The scenario that is declared, if all is as it should be.
    ///
    /// # Errors
    /// What is wrong with the call.
    pub fn read(self) -> Result<Declared, String> {
        let Self { function, name, options, body } = self;
        let name = match name {
            Value::Text(name) if name.trim().is_empty() => return Err(format!("{function}: a scenario needs a name")),
            Value::Text(name) if name.len() > LONGEST_NAME || name.chars().any(char::is_control) => {
                let expected = format!("a name of one line and at most {LONGEST_NAME} bytes");
                return Err(format!("{function} argument 1 (name): expected {expected}"));
            }
            Value::Text(name) => name,
            other => return Err(format!("{function} argument 1 (name): expected a text, found {}", other.shown())),
        };
        if body != "a function" {
            let position = if options.is_some() { 3 } else { 2 };
            return Err(format!("{function} argument {position} (fn): expected a function, found {body}"));
        }
        let mut declared = Declared { name, only: function == "only", ..Declared::default() };
        match options {
            None | Some(Value::Nothing) => {}
            Some(Value::Table(options)) => {
                options.iter().try_for_each(|(key, value)| {
                    set(&mut declared, key, value).map_err(|reason| format!("{function}: {reason}"))
                })?;
            }
            // An empty table of Lua.
            Some(Value::List(list)) if list.is_empty() => {}
            Some(other) => {
                let found = other.shown();
                return Err(format!("{function} argument 2 (options): expected a table, found {found}"));
            }
        }
        Ok(declared)
    }
}

type Setter = fn(&mut Declared, &Value) -> Option<()>;

/// The options with what they take.
const OPTIONS: [(&str, &str, Setter); 7] = [
    ("tags", "texts of at most 255 bytes", |declared, value| {
        declared.tags = tags(value)?;
        Some(())
    }),
    ("only", "true or false", |declared, value| {
        declared.only |= truth(value)?;
        Some(())
    }),
    ("skip", "a text that says why", |declared, value| {
        let Value::Text(why) = value else { return None };
        declared.skip = Some(why.clone());
        Some(())
    }),
    ("updates", "a whole number from 1 to 1000000000", |declared, value| {
        declared.updates = Some(whole(value, 1.0, MOST_UPDATES)?);
        Some(())
    }),
    ("seconds", "a number above 0, at most 86400", |declared, value| {
        declared.seconds = Some(value.number().filter(|&value| value > 0.0 && value <= MOST_SECONDS)?);
        Some(())
    }),
    ("local_trace", "a whole number from 0 to 100", |declared, value| {
        declared.local_trace = Some(whole(value, 0.0, MOST_TRACED)? as usize);
        Some(())
    }),
    ("allow_script_errors", "true or false", |declared, value| {
        declared.allow_script_errors = truth(value)?;
        Some(())
    }),
];

fn set(declared: &mut Declared, key: &str, value: &Value) -> Result<(), String> {
    let Some((_, expected, setter)) = OPTIONS.iter().find(|(name, ..)| *name == key) else {
        let hint = did_you_mean(key, OPTIONS.iter().map(|(name, ..)| *name));
        return Err(format!("there is no option \"{key}\"{hint}"));
    };
    setter(declared, value).ok_or_else(|| format!("option {key}: expected {expected}, found {}", value.shown()))
}

fn tags(value: &Value) -> Option<Vec<String>> {
    let tag = |value: &Value| match value {
        Value::Text(tag) if !tag.is_empty() && tag.len() <= LONGEST_NAME => Some(tag.clone()),
        _ => None,
    };
    match value {
        Value::List(tags) if tags.len() <= MOST_TAGS => tags.iter().map(tag).collect(),
        one => tag(one).map(|tag| vec![tag]),
    }
}

fn truth(value: &Value) -> Option<bool> {
    if let Value::Truth(value) = value { Some(*value) } else { None }
}

fn whole(value: &Value, least: f64, most: f64) -> Option<u64> {
    let number = value.number().filter(|number| number.fract() == 0.0 && (least..=most).contains(number))?;
    Some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &[(&str, Value)]) -> Result<Declared, String> {
        let options = options.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let name = Value::Text("a".to_owned());
        Declaration { function: "scenario", name, options: Some(Value::Table(options)), body: "a function" }.read()
    }

    #[test]
    fn options_are_checked() {
        let text = |text: &str| Value::Text(text.to_owned());
        let read_well = read(&[
            ("tags", Value::List(vec![text("draw"), text("slow")])),
            ("updates", Value::Float(20.0)),
            ("seconds", Value::Float(0.5)),
        ]);
        let declared = read_well.expect("good options");
        assert_eq!((declared.tags.len(), declared.updates, declared.seconds), (2, Some(20), Some(0.5)));
        assert_eq!(
            read(&[("updates", Value::Int(0))]),
            Err("scenario: option updates: expected a whole number from 1 to 1000000000, found 0".to_owned())
        );
        assert_eq!(
            read(&[("tag", text("x"))]),
            Err("scenario: there is no option \"tag\"; did you mean \"tags\"?".to_owned())
        );
    }

    #[test]
    fn a_scenario_needs_a_name_and_a_function() {
        let named = |name: Value, body| Declaration { function: "only", name, options: None, body }.read();
        assert_eq!(
            named(Value::Int(1), "a function"),
            Err("only argument 1 (name): expected a text, found 1".to_owned())
        );
        assert_eq!(
            named(Value::Text("a".to_owned()), "nil"),
            Err("only argument 2 (fn): expected a function, found nil".to_owned())
        );
        assert!(named(Value::Text("a".to_owned()), "a function").is_ok_and(|declared| declared.only));
    }
}
