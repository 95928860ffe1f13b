//! docs/rules.md and the tests agree: every rule is cited by a test, and no test cites a rule that is not there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The letters with which rule ids begin.
const FAMILIES: &str = "ZCFRPGVMBAEWKUNSXYLI";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a word is a rule id: a family letter and one to three digits.
fn is_id(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|letter| FAMILIES.contains(letter))
        && (2..=4).contains(&word.len())
        && chars.all(|digit| digit.is_ascii_digit())
}

fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| is_id(word))
}

/// The ids that begin a row or an entry of docs/rules.md.
fn rules() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/rules.md")).expect("docs/rules.md");
    let mut rules = BTreeSet::new();
    for line in text.lines() {
        let entry = line.strip_prefix("- ").or_else(|| line.strip_prefix("| "));
        let id = entry.and_then(|entry| entry.split([' ', '*']).next()).filter(|word| is_id(word));
        if let Some(id) = id {
            assert!(rules.insert(id.to_owned()), "docs/rules.md defines {id} twice");
        }
    }
    rules
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// What a file cites: the comments of test code, and the `rules` of case folders.
fn citations(path: &Path) -> Vec<String> {
    let is_test_code = path.starts_with(root().join("tests"));
    let text = fs::read_to_string(path).unwrap_or_default();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => {
            let tests =
                if is_test_code { &text[..] } else { text.split_once("#[cfg(test)]").map_or("", |(_, tests)| tests) };
            let comments = tests.lines().filter_map(|line| line.split_once("//").map(|(_, comment)| comment));
            comments.flat_map(ids).map(str::to_owned).collect()
        }
        Some("jsonl") => {
            let head: serde_json::Value =
                serde_json::from_str(text.lines().next().unwrap_or_default()).unwrap_or_default();
            head["rules"].as_array().into_iter().flatten().filter_map(|id| id.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn every_rule_is_cited_and_every_citation_is_a_rule() {
    let rules = rules();
    assert!(rules.len() > 140, "only {} rules were found", rules.len());
    let mut paths = Vec::new();
    files(&root().join("tests"), &mut paths);
    files(&root().join("src"), &mut paths);
    let mut cited: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in paths {
        for id in citations(&path) {
            cited.entry(id).or_insert_with(|| path.clone());
        }
    }
    let unknown: Vec<_> = cited.iter().filter(|(id, _)| !rules.contains(*id)).collect();
    assert!(unknown.is_empty(), "cited but not in docs/rules.md: {unknown:?}");
    let uncited: Vec<_> = rules.iter().filter(|id| !cited.contains_key(*id)).collect();
    assert!(uncited.is_empty(), "in docs/rules.md but cited by no test: {uncited:?}");
}
