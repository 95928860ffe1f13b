//! Who may import whom: a module names only modules on lower floors, and only those in its row.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Each top-level module with the ones that it may import, lowest floor first.
const FLOORS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("sync", &[]),
    ("sync_send", &[]),
    ("defs", &["units"]),
    ("soup", &["defs", "units"]),
    ("world", &["defs", "units"]),
    ("anim", &["world", "defs", "units"]),
    ("attach", &["world", "defs", "units"]),
    ("weapon", &["anim", "attach", "world", "defs", "units"]),
    ("publish", &["attach", "world", "defs", "units"]),
    ("trace", &["publish", "world", "defs", "units"]),
    ("expect", &["trace", "world", "defs"]),
    ("natives", &["expect", "trace", "sync", "soup", "weapon", "anim", "attach", "world", "defs", "units"]),
    ("script", &["sync", "soup", "natives", "expect", "world", "defs", "units"]),
    ("import", &["soup", "defs", "units"]),
    ("error", &["import", "script", "natives", "soup", "world", "defs"]),
    (
        "update",
        &["error", "script", "soup", "publish", "natives", "weapon", "anim", "attach", "world", "defs", "units"],
    ),
    ("torture", &["update", "error", "natives", "world", "defs"]),
    ("scenario", &["update", "error", "import", "script", "natives", "expect", "trace", "world", "defs"]),
    (
        "cli",
        &[
            "scenario", "torture", "expect", "update", "import", "error", "trace", "script", "natives", "soup",
            "world", "defs", "units",
        ],
    ),
];

/// The crate's front, which the command line may name as any host does.
const FRONT: &[&str] = &["Error", "Result", "Runtime", "Scene"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a source folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The names that follow `crate::` in a source text, `use crate::{…}` lists included.
fn imports(text: &str) -> BTreeSet<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(list_heads(list)),
            None => names.extend(head(rest)),
        }
    }
    names
}

fn head(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

/// First names of the entries of a braced list, whose own lists are passed over.
fn list_heads(list: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut entry_start = 0;
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.extend(head(list[entry_start..at].trim_start()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.extend(head(list[entry_start..at].trim_start()));
                entry_start = at + 1;
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn modules_import_only_lower_floors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table: BTreeMap<&str, &[&str]> = FLOORS.iter().copied().collect();
    let mut seen = BTreeSet::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).expect("below src");
        let module = relative.iter().next().expect("a name").to_string_lossy().trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let allowed = table.get(module.as_str()).unwrap_or_else(|| panic!("{module} has no row in the table"));
        seen.insert(module.clone());
        for name in imports(&fs::read_to_string(&path).expect("a source")) {
            let is_front = FRONT.contains(&name.as_str()) && module == "cli";
            assert!(
                name == module || is_front || allowed.contains(&name.as_str()),
                "{} imports crate::{name}, which {module} may not",
                relative.display()
            );
        }
    }
    assert_eq!(seen.len(), FLOORS.len(), "the table has rows without a module");
}

#[test]
fn the_table_is_in_the_order_of_floors() {
    for (at, (module, allowed)) in FLOORS.iter().enumerate() {
        for name in *allowed {
            let lower = FLOORS[..at].iter().any(|(other, _)| other == name);
            assert!(lower, "{module} is not above {name}");
        }
    }
}
