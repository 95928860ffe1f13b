//! Faults that were found in other programs with the same job, as scenarios under tests/reports: they hold in both
//! languages, which leave the same traces.

use std::{fs, path::Path};

use soup386::{
    defs::{ModuleSource, ScriptSource},
    scenario::{Outcome, Runner, Settings, Verdict},
};

/// The languages that this build has.
fn languages() -> Vec<&'static str> {
    let lua = cfg!(any(feature = "luau", feature = "lua54")).then_some("lua");
    lua.into_iter().chain(cfg!(feature = "rhai").then_some("rhai")).collect()
}

/// The text of a file under tests/reports.
fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a scenario file with its scene, which `change` may adapt; the scripts of actors are in the same language.
fn run(file: &str, language: &str, scene: &str, change: &dyn Fn(String) -> String) -> Vec<(String, Outcome)> {
    let mut files = vec![(scene.to_owned(), change(text(scene)).replace(".lua\"", &format!(".{language}\"")))];
    for name in ["before", "greedy", "after"] {
        let name = format!("{name}.{language}");
        files.push((name.clone(), text(&name)));
    }
    let name = format!("{file}.{language}");
    let source = ScriptSource {
        modules: ModuleSource::Listed(files.into_iter().collect()),
        ..ScriptSource::new(name.clone(), text(&name))
    };
    let mut runner = Runner::new(Settings { digest: true, ..Settings::default() });
    let suite = runner.collect(&source).unwrap_or_else(|failure| panic!("{}", failure.report()));
    let names = suite.scenarios.iter().map(|declared| declared.name.clone());
    names.enumerate().map(|(index, name)| (name, runner.run(&suite, index, &mut || None))).collect()
}

/// All scenarios of a file hold; the languages agree in names, updates, expectations and traces.
#[track_caller]
fn holds(file: &str, scene: &str, n: usize, change: &dyn Fn(String) -> String) {
    let mut all = Vec::new();
    for language in languages() {
        let ran = run(file, language, scene, change);
        for (name, outcome) in &ran {
            if let Verdict::Failed(failure) = &outcome.verdict {
                panic!("{language}, {name}: {}", failure.report());
            }
        }
        let left = |(name, of): (String, Outcome)| (name, of.verdict, of.updates, of.n_held, of.digest);
        all.push(ran.into_iter().map(left).collect::<Vec<_>>());
    }
    assert_eq!(all[0].len(), n);
    for other in &all[1..] {
        assert_eq!(all[0], *other);
    }
}

fn as_it_is(scene: String) -> String {
    scene
}

/// Rules W12, W13, A6 and U4, with one tick an update.
#[test]
fn weapons_are_drawn_shown_and_put_away() {
    holds("weapon", "yard.toml", 13, &as_it_is);
}

/// The same threshold with two ticks an update, and with none in every third.
#[test]
fn ticks_do_not_draw_too_early() {
    for nominal in ["nominal = [2]", "nominal = [0, 1, 1]"] {
        let name = "the sword is drawn at its threshold";
        for language in languages() {
            let ran = run("weapon", language, "yard.toml", &|scene| scene.replace("nominal = [1]", nominal));
            let (_, outcome) = ran.iter().find(|(known, _)| known.starts_with(name)).expect("the scenario");
            assert_eq!(outcome.verdict, Verdict::Passed, "{language}, {nominal}");
        }
    }
}

/// Rules P7 and P11.
#[test]
fn jumps_show_their_target_at_once() {
    holds("future", "future.toml", 3, &as_it_is);
}

#[test]
fn scripts_end_and_handles_tell_of_the_dead() {
    holds("budget", "greedy.toml", 2, &as_it_is);
}
