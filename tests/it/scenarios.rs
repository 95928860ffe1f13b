//! The case folders under tests/scenarios: a scene, a director, and the trace fields that the case is about.
//!
//! `expect.jsonl` begins with the claim, the rules and the number of updates; each further line lists fields of one
//! actor after one update. `UPDATE_EXPECT=1` rewrites the values of the listed fields.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};
use soup386::{
    Runtime, Scene,
    import::script_from_file,
    script::ScriptErrorKind,
    trace::{Extras, lines_with},
};

/// Every folder of an area with an expectation, in the order of their names.
fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let folders = |path: &Path| -> Vec<PathBuf> {
        let mut folders: Vec<_> =
            fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        folders.retain(|path| path.is_dir());
        folders.sort();
        folders
    };
    let mut cases: Vec<PathBuf> = folders(&root).iter().flat_map(|area| folders(area)).collect();
    cases.retain(|case| case.join("expect.jsonl").is_file());
    cases
}

fn objects(text: &str) -> Vec<Map<String, Value>> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Runs a case and returns its trace rows.
fn run(case: &Path, director: &str, updates: u64) -> Vec<Map<String, Value>> {
    let scene = Scene::from_file(case.join("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
    let mut runtime = Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"));
    let director = script_from_file(case.join(director)).unwrap_or_else(|error| panic!("{error}"));
    runtime.set_director_source(&director).unwrap_or_else(|error| panic!("{error}"));
    let mut lines = Vec::new();
    for _ in 0..updates {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let extras = Extras { events: false, scripts: true };
        lines.extend(lines_with(&runtime.engine().defs, runtime.world(), extras));
    }
    let mut failures = runtime.drain_failures();
    // A program that faults says so in its rows.
    failures.retain(|failure| failure.kind != ScriptErrorKind::Fault);
    assert!(failures.is_empty(), "{}: {failures:?}", case.display());
    objects(std::str::from_utf8(&lines).expect("a trace is UTF-8"))
}

/// Numbers of the f32 fields are compared as f32, bit for bit (S4); everything else as it stands.
fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(e, f)| same(e, f))
        }
        (Value::Object(expected), Value::Object(found)) => {
            expected.len() == found.len() && expected.iter().all(|(key, e)| found.get(key).is_some_and(|f| same(e, f)))
        }
        (Value::Number(e), Value::Number(f)) if e.is_f64() || f.is_f64() => {
            let single = |n: &serde_json::Number| (n.as_f64().expect("a number") as f32).to_bits();
            single(e) == single(f)
        }
        _ => expected == found,
    }
}

fn check(case: &Path, director: &str) {
    let file = case.join("expect.jsonl");
    let mut expected = objects(&fs::read_to_string(&file).expect("an expectation"));
    let head = expected.remove(0);
    let updates = head["updates"].as_u64().expect("a number of updates");
    assert!(!expected.is_empty(), "{} expects nothing", case.display());
    let rows = run(case, director, updates);
    let rewrite = std::env::var_os("UPDATE_EXPECT").is_some();
    for fields in &mut expected {
        // The line of the flags has no actor.
        let is_it =
            |row: &&Map<String, Value>| row["tick"] == fields["tick"] && row.get("actor") == fields.get("actor");
        let row = rows.iter().find(is_it);
        let row = row.unwrap_or_else(|| panic!("{}: no row for {fields:?}", case.display()));
        for (key, value) in fields.iter_mut() {
            if rewrite {
                *value = row[key].clone();
            }
            let (tick, actor) = (&row["tick"], row.get("actor").unwrap_or(&Value::Null));
            assert!(
                same(value, &row[key]),
                "{}: update {tick}, {actor}, {key}: expected {value}, found {}",
                case.display(),
                row[key]
            );
        }
    }
    if rewrite {
        let lines = std::iter::once(&head).chain(&expected);
        let text: String = lines.map(|line| Value::Object(line.clone()).to_string() + "\n").collect();
        fs::write(&file, text).expect("a writable expectation");
    }
}

fn check_all(director: &str) {
    let cases = cases();
    assert!(cases.len() >= 18, "only {} cases were found", cases.len());
    for case in cases {
        check(&case, director);
    }
}

#[cfg(any(feature = "luau", feature = "lua54"))]
#[test]
fn every_case_holds_in_lua() {
    check_all("director.lua");
}

#[cfg(feature = "rhai")]
#[test]
fn every_case_holds_in_rhai() {
    check_all("director.rhai");
}
