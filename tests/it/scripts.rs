//! The scripts that ship: each runs to its end and shows what it promises. That both languages do the same is among the
//! agreements.

use std::{collections::BTreeSet, fs, path::Path};

use soup386::{Runtime, Scene};

/// Updates after which a script that has not ended is stuck.
const PATIENCE: u32 = 1000;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts"))
}

/// The names of the scripts, each of which must have both files.
fn names() -> BTreeSet<String> {
    let mut extensions = [("lua", BTreeSet::new()), ("rhai", BTreeSet::new())];
    for entry in fs::read_dir(folder()).expect("the folder") {
        let path = entry.expect("an entry").path();
        let (stem, extension) = (path.file_stem().expect("a name"), path.extension().expect("an extension"));
        for (wanted, names) in &mut extensions {
            if extension == *wanted {
                names.insert(stem.to_string_lossy().into_owned());
            }
        }
    }
    let [(_, lua), (_, rhai)] = extensions;
    assert_eq!(lua, rhai, "each script is there in both languages");
    lua
}

/// The lines that a run of the demo prints.
fn run(name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join(name).with_extension("lua")).expect("a script");
    let mut runtime = Runtime::new(Scene::demo()).expect("a runtime");
    runtime.set_director(format!("{name}.lua"), text).expect("a director");
    let mut printed = Vec::new();
    for _ in 0..PATIENCE {
        if !runtime.is_running() {
            return printed;
        }
        runtime.update().expect("an update");
        let failures = runtime.drain_failures();
        assert!(failures.is_empty(), "{name}: {failures:?}");
        printed.extend(runtime.drain_output());
    }
    panic!("{name} still runs after {PATIENCE} updates");
}

/// What a newcomer sees is what the scripts promise.
#[test]
fn the_scripts_come_to_their_points() {
    let ends = [
        ("guard_on_watch", "the guard's sword: hilt"),
        ("duel", "wins and puts the sword away"),
        ("parade", "in the hand 0, at the hip 1000, between 0"),
        ("watch_the_hand", "highest "),
        ("walk_cycle", "at ease"),
    ];
    for (name, end) in ends {
        let printed = run(name);
        let last = printed.last().expect("a line");
        assert!(last.contains(end), "{name} ends with {last:?}");
    }
    assert!(run("walk_cycle").iter().any(|line| line.contains("back at 0 0, heading 0")));
}

#[test]
fn the_folder_says_what_each_shows() {
    let readme = fs::read_to_string(folder().join("README.md")).expect("the folder's README");
    for name in names() {
        assert!(readme.contains(&format!("| `{name}` |")), "{name} has a row");
    }
}
