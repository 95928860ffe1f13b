//! Programs mean what actor scripts mean: a case with a script in Lua, in Rhai and as a program leaves the same trace.

use std::{
    fs,
    path::{Path, PathBuf},
};

use soup386::{
    Runtime, Scene,
    defs::{Language, ModuleSource},
    trace,
};

const UPDATES: u32 = 120;

/// Cases of directors that have no program, with the reason.
const WITHOUT_PROGRAM: &[(&str, &str)] = &[
    ("agreement/an_uncaught_error_ends_the_director", PRINTS),
    ("agreement/fifty_cycles", DIRECTS),
    ("agreement/on_update_follows_the_body", PRINTS),
    ("agreement/properties_read_and_write_alike", PRINTS),
    ("agreement/removed_actors_are_told", PRINTS),
    ("agreement/tasks_can_be_held_and_stopped", PRINTS),
    ("agreement/unknown_names_say_the_same", PRINTS),
    ("agreement/waits_end_in_the_same_update", PRINTS),
    ("agreement/wrong_arguments_say_the_same", PRINTS),
    ("golden/attach_identity", DIRECTS),
    ("golden/attribute_reads", DIRECTS),
    ("golden/coincident", DIRECTS),
    ("golden/delay", DIRECTS),
    ("golden/future_exit", DIRECTS),
    ("golden/future_type2_default", DIRECTS),
    ("golden/future_type2_other", DIRECTS),
    ("golden/hand_item_cleanup", DIRECTS),
    ("golden/heading_quarter", DIRECTS),
    ("golden/missing_group", DIRECTS),
    ("golden/no_combat_record", DIRECTS),
    ("golden/out_of_range", DIRECTS),
    ("golden/push_loop", DIRECTS),
    ("golden/reverse", DIRECTS),
    ("golden/speeds", DIRECTS),
    ("golden/vertex_ties", DIRECTS),
    ("golden/weapon_cycle", DIRECTS),
];

const DIRECTS: &str = "its director acts before the presentation of an update, a program in the script stage after it";
const PRINTS: &str = "it is about what scripts print, raise, spawn or catch, which programs cannot";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// The scene of a case with its scripts in this form.
fn scene(case: &Path, form: &str) -> Scene {
    let text = fs::read_to_string(case.join("scene.toml")).expect("a scene");
    let named = |name: &str| match form {
        "soup" => format!("\"program.soup#{name}\""),
        form => format!("\"{name}.{form}\""),
    };
    let mut rewritten = String::new();
    for line in text.lines() {
        match line.strip_prefix("script = \"").and_then(|name| name.strip_suffix(".lua\"")) {
            Some(name) => rewritten += &format!("script = {}\n", named(name)),
            None => rewritten += &format!("{line}\n"),
        }
    }
    assert!(rewritten.contains("script = "), "{} has no script", case.display());
    let files = ModuleSource::Folder(case.to_owned());
    Scene::from_toml("scene.toml", &rewritten, &files).unwrap_or_else(|error| panic!("{}: {error}", case.display()))
}

fn run(case: &Path, form: &str) -> String {
    let mut runtime = Runtime::new(scene(case, form)).unwrap_or_else(|error| panic!("{error}"));
    let mut lines = Vec::new();
    for _ in 0..UPDATES {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        lines.extend(trace::lines(&runtime.engine().defs, runtime.world(), false));
    }
    let failures = runtime.drain_failures();
    assert!(failures.is_empty(), "{} as {form}: {failures:?}", case.display());
    String::from_utf8(lines).expect("a trace is UTF-8")
}

#[test]
fn programs_and_scripts_leave_the_same() {
    let cases = folders(&tests().join("twins"));
    assert!(cases.len() >= 7, "only {} cases were found", cases.len());
    for case in cases {
        let program = run(&case, "soup");
        let first = program.lines().take(2).last().expect("two lines");
        assert!(program.lines().skip(2).any(|line| line.len() != first.len()), "{}: nothing happens", case.display());
        for (language, form) in [(Language::Lua, "lua"), (Language::Rhai, "rhai")] {
            if !has(language) {
                continue;
            }
            let script = run(&case, form);
            for (number, (program, script)) in program.lines().zip(script.lines()).enumerate() {
                assert_eq!(program, script, "{}: line {number} of the program's trace, of {form}", case.display());
            }
            assert_eq!(program.len(), script.len());
        }
    }
}

/// Whether this build reads a language.
fn has(language: Language) -> bool {
    match language {
        Language::Lua => cfg!(any(feature = "luau", feature = "lua54")),
        Language::Rhai => cfg!(feature = "rhai"),
    }
}

/// A director that does nothing leaves what a program that does nothing leaves.
#[test]
fn an_idle_program_leaves_no_trace() {
    let case = tests().join("scenarios/golden/tick_skip");
    let text = fs::read_to_string(case.join("scene.toml")).expect("a scene");
    let with = format!("{text}\n[actor.program]\nbytes = \"0500000000\"\n");
    let trace = |text: &str| {
        let scene = Scene::from_toml("scene.toml", text, &ModuleSource::Folder(case.clone()));
        let mut runtime =
            Runtime::new(scene.unwrap_or_else(|error| panic!("{error}"))).unwrap_or_else(|error| panic!("{error}"));
        let mut lines = Vec::new();
        for _ in 0..30 {
            runtime.update().unwrap_or_else(|error| panic!("{error}"));
            lines.extend(trace::lines(&runtime.engine().defs, runtime.world(), false));
        }
        lines
    };
    assert_eq!(trace(&with), trace(&text));
}

/// Every case of a director has a program here, or stands in the list with its reason.
#[test]
fn missing_programs_are_listed() {
    let root = tests().join("scenarios");
    let mut expected: Vec<_> = WITHOUT_PROGRAM.iter().map(|&(name, _)| name.to_owned()).collect();
    expected.push("golden/tick_skip".to_owned());
    expected.sort();
    let mut found = Vec::new();
    for area in ["agreement", "golden"] {
        for case in folders(&root.join(area)) {
            found.push(format!("{area}/{}", case.file_name().expect("a name").to_string_lossy()));
        }
    }
    assert_eq!(found, expected);
    assert!(WITHOUT_PROGRAM.iter().all(|(_, reason)| !reason.is_empty()));
}
