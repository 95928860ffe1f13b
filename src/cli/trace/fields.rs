//! How the values of a trace line are shown.

use serde_json::Value;

pub(crate) use crate::trace::fields::{KEYS, Kind, check, kind};
use crate::{
    cli::output::{Align, plain},
    trace::fields::{display_kind, single},
};

/// How a column of such values is aligned.
pub(crate) trait Aligned {
    /// Left or right.
    fn align(self) -> Align;
}

impl Aligned for Kind {
    fn align(self) -> Align {
        if matches!(self, Self::Index | Self::Int) { Align::Right } else { Align::Left }
    }
}

/// A value as a cell of a table.
pub(crate) fn cell(kind: Option<Kind>, value: Option<&Value>) -> String {
    let Some(value) = value.filter(|value| !value.is_null()) else { return "-".to_owned() };
    match (kind, value) {
        (Some(Kind::Singles(_)), Value::Array(values)) => {
            joined(values, |value| single(value).map_or("-".to_owned(), |number| format!("{number:?}")))
        }
        (Some(Kind::Displays), Value::Array(displays)) => {
            let shown: Vec<_> = displays.iter().map(display_cell).collect();
            if shown.is_empty() { "-".to_owned() } else { shown.join("; ") }
        }
        (_, Value::Array(values)) => joined(values, Value::to_string),
        (_, Value::String(text)) => plain(text),
        (_, value) => plain(&value.to_string()),
    }
}

fn joined(values: &[Value], shown: impl Fn(&Value) -> String) -> String {
    format!("({})", values.iter().map(shown).collect::<Vec<_>>().join(", "))
}

fn display_cell(display: &Value) -> String {
    let part = |key| cell(display_kind(key), display.get(key));
    format!("{} {} {}", part("kind"), part("model"), part("position"))
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::{Runtime, Scene, trace};

    #[test]
    fn the_keys_are_those_of_written_lines() {
        let mut runtime = Runtime::new(Scene::demo()).expect("the demo is valid");
        runtime.update().expect("an update");
        let engine = runtime.engine();
        let text = String::from_utf8(trace::lines(&engine.defs, &engine.world, false)).expect("text");
        let line = text.lines().next().expect("a line");
        let values: Map<String, Value> = serde_json::from_str(line).expect("an object");
        assert_eq!(check(&values), Ok(()));
        assert_eq!(values.len(), KEYS.len());
        let places: Vec<_> = KEYS.iter().map(|(key, _)| line.find(&format!("\"{key}\":"))).collect();
        assert!(places.is_sorted(), "{line}");
    }
}
