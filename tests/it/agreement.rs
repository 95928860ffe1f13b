//! Lua and Rhai mean the same: a case with a script in each prints the same lines, fails with the same words, and leaves
//! the same trace.

use std::{
    fs,
    path::{Path, PathBuf},
};

use soup386::{Runtime, Scene, import::script_from_file, trace};

/// Updates of a case whose folder does not say how many.
const UPDATES: u64 = 40;

/// Cases with one script only, each with the reason.
const WITHOUT_TWIN: &[(&str, &str)] = &[];

fn folders(path: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    folders(&root).iter().flat_map(|area| folders(area)).collect()
}

/// What a run leaves.
#[derive(Debug, PartialEq)]
struct Left {
    printed: Vec<String>,
    /// Kind, update and words, without the place.
    errors: Vec<String>,
    trace: String,
}

fn scene_of(case: &Path) -> Scene {
    let file = case.join("scene.toml");
    if !file.is_file() {
        return Scene::demo();
    }
    Scene::from_file(&file).unwrap_or_else(|error| panic!("{error}"))
}

fn updates_of(case: &Path) -> u64 {
    let Ok(text) = fs::read_to_string(case.join("expect.jsonl")) else { return UPDATES };
    let head: serde_json::Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    head["updates"].as_u64().expect("a number of updates")
}

/// Runs a case.
fn run(case: &Path, script: &Path) -> Left {
    let mut runtime = Runtime::new(scene_of(case)).unwrap_or_else(|error| panic!("{error}"));
    let director = script_from_file(script).unwrap_or_else(|error| panic!("{error}"));
    runtime.set_director_source(&director).unwrap_or_else(|error| panic!("{error}"));
    let (mut printed, mut errors, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..updates_of(case) {
        // A script that ships is a whole; a case says how long it lasts.
        if !case.is_dir() && !runtime.is_running() {
            break;
        }
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        lines.extend(trace::lines(&runtime.engine().defs, runtime.world(), true));
        printed.extend(runtime.drain_output());
        errors.extend(
            runtime.drain_failures().iter().map(|error| format!("{:?} {:?} {}", error.kind, error.tick, error.message)),
        );
    }
    Left { printed, errors, trace: String::from_utf8(lines).expect("a trace is UTF-8") }
}

fn check(name: &str, case: &Path, lua: &Path, rhai: &Path) {
    let (lua, rhai) = (run(case, lua), run(case, rhai));
    assert_eq!(lua.printed, rhai.printed, "{name}: printed by Lua, by Rhai");
    assert_eq!(lua.errors, rhai.errors, "{name}: errors of Lua, of Rhai");
    for (number, (lua, rhai)) in lua.trace.lines().zip(rhai.trace.lines()).enumerate() {
        assert_eq!(lua, rhai, "{name}: line {number} of the trace of Lua, of Rhai");
    }
    assert_eq!(lua.trace.len(), rhai.trace.len(), "{name}");
}

fn name_of(case: &Path) -> String {
    let last: Vec<_> = case.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("{}/{}", last[1], last[0])
}

#[test]
fn both_languages_leave_the_same() {
    let cases = cases();
    assert!(cases.len() >= 26, "only {} cases were found", cases.len());
    for case in cases {
        let name = name_of(&case);
        let (lua, rhai) = (case.join("director.lua"), case.join("director.rhai"));
        let listed = WITHOUT_TWIN.iter().any(|(listed, _)| *listed == name);
        assert_eq!(
            lua.is_file() && rhai.is_file(),
            !listed,
            "{name}: a twin is missing, or listed as missing and there"
        );
        if !listed {
            check(&name, &case, &lua, &rhai);
        }
    }
    for (name, reason) in WITHOUT_TWIN {
        let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios").join(name);
        assert!(case.is_dir() && !reason.is_empty(), "{name} is listed without a folder or a reason");
    }
}

#[test]
fn the_scripts_that_ship_leave_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let lua = entry.expect("an entry").path();
        let rhai = lua.with_extension("rhai");
        if lua.extension().is_some_and(|extension| extension == "lua") && rhai.is_file() {
            check(&lua.display().to_string(), Path::new("demo"), &lua, &rhai);
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// A director in one language, actor scripts in the other.
#[test]
fn both_languages_run_in_one_scene() {
    let folder = std::env::temp_dir().join(format!("soup386-both-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let scene = r#"
soup386 = 1
director = "scene.lua"
[[model]]
name = "M"
frames = [[[0.0, 0.0, 0.0]]]
[[actor]]
name = "A"
frames = [{ model = "M", count = 1 }]
script = "a.rhai"
[[actor]]
name = "B"
frames = [{ model = "M", count = 1 }]
script = "b.lua"
"#;
    for (name, text) in [
        ("scene.toml", scene),
        ("scene.lua", "for _ = 1, 3 do print('director', tick(), actor('A').pos.vx) next_update() end"),
        ("a.rhai", "loop { me.pos.vx += 1; print(\"a\", tick(), actor(\"B\").pos.vx); next_update(); }"),
        ("b.lua", "while true do me.pos.vx = me.pos.vx + 2 next_update() end"),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
    let scene = Scene::from_file(folder.join("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
    let mut runtime = Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..3 {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
    }
    fs::remove_dir_all(&folder).expect("the folder");
    assert!(runtime.drain_failures().is_empty());
    let expected = ["director\t0\t0", "a\t0\t0", "director\t1\t1", "a\t1\t2", "director\t2\t2", "a\t2\t4"];
    assert_eq!(runtime.drain_output(), expected);
}

/// The Lua column of the table of number traps in docs/scripting.md; the other is held in `rhai`.
#[cfg(feature = "luau")]
#[test]
fn luau_numbers_behave_as_the_documentation_says() {
    let text = "print(7 / 2, -7 / 2, -7 // 2, -7 % 3, 7 % -3, 2 ^ 3, bit32.lshift(1, 4), 1 == 1.0, 0.1 + 0.2 == 0.3)
        print(2 ^ 53 + 1 == 2 ^ 53, 1 / 0, '1' + 1, 3.0, bit32.rshift(-1, 28))";
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    runtime.set_director("test.lua", text).unwrap_or_else(|error| panic!("{error}"));
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    let expected = ["3.5\t-3.5\t-4\t2\t-2\t8\t16\ttrue\tfalse", "true\tinf\t2\t3\t15"];
    assert_eq!(runtime.drain_output(), expected);
}
