//! Where two lines differ: integers exactly, single-precision numbers by their bits (rule S4).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::fields::{KEYS, Kind, display_kind, kind, single};

/// One differing value; none where one of the lines has nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where, such as `hand_pos[1]` or `displays[0].matrix[8]`.
    pub path: String,
    /// The value in the first line.
    pub a: Option<String>,
    /// The value in the second line.
    pub b: Option<String>,
}

/// All differences of two lines with actors' values, in the order of the keys.
#[must_use]
pub fn rows(a: &Map<String, Value>, b: &Map<String, Value>) -> Vec<Difference> {
    objects(a, b, "", &KEYS.map(|(key, _)| key), kind)
}

/// All differences of two lines whose values are all compared exactly: headers and events.
#[must_use]
pub fn exact(a: &Map<String, Value>, b: &Map<String, Value>) -> Vec<Difference> {
    objects(a, b, "", &[], |_| None)
}

fn objects(
    a: &Map<String, Value>,
    b: &Map<String, Value>,
    prefix: &str,
    order: &[&str],
    kind: fn(&str) -> Option<Kind>,
) -> Vec<Difference> {
    let known = order.iter().copied();
    let others: BTreeSet<&str> = a.keys().chain(b.keys()).map(String::as_str).filter(|k| !order.contains(k)).collect();
    let mut found = Vec::new();
    for key in known.chain(others) {
        values(&format!("{prefix}{key}"), kind(key), a.get(key), b.get(key), &mut found);
    }
    found
}

fn values(path: &str, kind: Option<Kind>, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    match (a, b) {
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for i in 0..a.len().max(b.len()) {
                element(&format!("{path}[{i}]"), kind, a.get(i), b.get(i), found);
            }
        }
        _ if a == b => {}
        _ => found.push(Difference { path: path.to_owned(), a: a.map(Value::to_string), b: b.map(Value::to_string) }),
    }
}

fn element(path: &str, kind: Option<Kind>, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    match (kind, a, b) {
        (Some(Kind::Displays), Some(Value::Object(a)), Some(Value::Object(b))) => {
            found.extend(objects(a, b, &format!("{path}."), &["kind", "model", "position", "matrix"], display_kind));
        }
        (Some(Kind::Singles(_)), Some(a), Some(b)) => {
            let (single_a, single_b) = (single(a), single(b));
            if single_a.map(f32::to_bits) != single_b.map(f32::to_bits) {
                let shown =
                    |number: Option<f32>| Some(number.map_or("null".to_owned(), |number| format!("{number:?}")));
                found.push(Difference { path: path.to_owned(), a: shown(single_a), b: shown(single_b) });
            }
        }
        _ => values(path, None, a, b, found),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The differences of two values under one key, as `path a b`.
    fn check(key: &str, a: Value, b: Value) -> Vec<String> {
        let line = |value: Value| Map::from_iter([(key.to_owned(), value)]);
        let text = |value: Option<String>| value.unwrap_or("nothing".to_owned());
        rows(&line(a), &line(b)).into_iter().map(|d| format!("{} {} {}", d.path, text(d.a), text(d.b))).collect()
    }

    #[test]
    fn integers_differ_exactly() {
        assert_eq!(check("group", json!(1), json!(1)), [""; 0]);
        assert_eq!(check("group", json!(1), json!(2)), ["group 1 2"]);
        assert_eq!(check("hand_pos", json!([1, 2, 3]), json!([1, 5, 3])), ["hand_pos[1] 2 5"]);
        assert_eq!(check("tip", json!(null), json!([1, 2, 3])), ["tip null [1,2,3]"]);
    }

    #[test]
    fn singles_differ_by_their_bits() {
        let parsed = |text: &str| serde_json::from_str(text).expect("JSON");
        assert_eq!(check("position", parsed("[1,2,0.1]"), parsed("[1.0,2e0,0.10000000149]")), [""; 0]);
        assert_eq!(check("position", parsed("[0.0,0,0]"), parsed("[-0.0,0,0]")), ["position[0] 0.0 -0.0"]);
        assert_eq!(
            check("position", parsed("[0,0,0.10000000149]"), parsed("[0,0,0.1000000089]")),
            ["position[2] 0.1 0.10000001"]
        );
        assert_eq!(check("hand_pos", parsed("[1,2,3]"), parsed("[1.0,2,3]")), ["hand_pos[0] 1 1.0"]);
    }

    #[test]
    fn displays_are_compared_value_by_value() {
        let display = |x: f64| json!({"kind": "hand", "model": "A", "position": [x, 0, 0], "matrix": null});
        assert_eq!(check("displays", json!([display(1.0)]), json!([display(1.0)])), [""; 0]);
        assert_eq!(
            check("displays", json!([display(0.0)]), json!([display(-0.0)])),
            ["displays[0].position[0] 0.0 -0.0"]
        );
        let missing = check("displays", json!([display(1.0)]), json!([]));
        assert_eq!(missing.len(), 1);
        assert!(missing[0].starts_with("displays[0] {") && missing[0].ends_with(" nothing"), "{missing:?}");
    }
}
