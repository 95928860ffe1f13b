//! Scenarios as a library runs them: what is declared, how expectations fail, and what every run leaves, in both languages.

use std::{collections::BTreeMap, sync::Arc};

use soup386::{
    defs::{FunctionKind, ModuleSource, ScriptSource},
    natives::{Handler, Natives},
    scenario::{Failure, FailureKind, GoldenState, Outcome, Runner, Settings, Suite, Verdict},
};

/// The languages that this build has.
fn languages() -> Vec<&'static str> {
    let mut languages = Vec::new();
    if cfg!(any(feature = "luau", feature = "lua54")) {
        languages.push("lua");
    }
    if cfg!(feature = "rhai") {
        languages.push("rhai");
    }
    languages
}

/// A script with other files beside it.
fn source(name: &str, text: &str, files: &[(&str, &str)]) -> ScriptSource {
    let listed: BTreeMap<_, _> = files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    ScriptSource { modules: ModuleSource::Listed(listed), ..ScriptSource::new(name, text) }
}

fn collected(runner: &mut Runner, source: &ScriptSource) -> Suite {
    runner.collect(source).unwrap_or_else(|failure| panic!("{}", failure.report()))
}

/// Runs every scenario of a text.
fn outcomes(settings: Settings, name: &str, text: &str, files: &[(&str, &str)]) -> Vec<Outcome> {
    let mut runner = Runner::new(settings);
    let suite = collected(&mut runner, &source(name, text, files));
    (0..suite.scenarios.len()).map(|index| runner.run(&suite, index, &mut || None)).collect()
}

fn run(name: &str, text: &str) -> Vec<Outcome> {
    outcomes(Settings::default(), name, text, &[])
}

/// A scenario with this body.
fn wrapped(language: &str, body: &str) -> String {
    match language {
        "lua" => format!("scenario('it', function()\n{body}\nend)"),
        _ => format!("scenario(\"it\", || {{\n{body}\n}});"),
    }
}

/// The outcome of a scenario with this body.
fn one(language: &str, body: &str) -> Outcome {
    run(&format!("it.{language}"), &wrapped(language, body)).remove(0)
}

#[track_caller]
fn failure(outcome: &Outcome) -> &Failure {
    match &outcome.verdict {
        Verdict::Failed(failure) => failure,
        other => panic!("{other:?}"),
    }
}

/// The failure of a body in Lua and of its twin in Rhai, which say the same.
#[track_caller]
fn both_fail(lua: &str, rhai: &str) -> Failure {
    let failures: Vec<Failure> = languages()
        .into_iter()
        .map(|language| failure(&one(language, if language == "lua" { lua } else { rhai })).clone())
        .collect();
    let told = |failure: &Failure| (failure.kind, failure.line, failure.message.clone(), failure.local_trace.clone());
    for other in &failures[1..] {
        assert_eq!(told(&failures[0]), told(other));
    }
    failures[0].clone()
}

/// The Rhai form of a Lua line.
fn as_rhai(lua: &str) -> String {
    lua.replace("):", ").").replace("a:", "a.").replace("local ", "let ").replace("nil", "()") + ";"
}

#[track_caller]
fn line_fails(lua: &str, message: &str) {
    let failed = both_fail(lua, &as_rhai(lua));
    assert_eq!((failed.kind, failed.line, failed.message.as_str()), (FailureKind::Expectation, Some(2), message));
    assert!(failed.source.is_some_and(|line| line.contains("expect(")));
}

#[test]
fn every_matcher_fails_with_place_and_both_values() {
    line_fails("expect(1):equals(2)", "equals: expected 2, found 1");
    line_fails("expect(\"hand\"):equals(\"hilt\")", "equals: expected \"hilt\", found \"hand\"");
    line_fails("expect(1):differs(1.0)", "differs: expected anything but 1, found 1");
    line_fails("expect(10):near(5, 2)", "near: expected 5 ± 2, found 10");
    line_fails("expect(nil):near(5, 2)", "near: expected 5 ± 2, found nil");
    line_fails("expect(1):at_least(2)", "at_least: expected at least 2, found 1");
    line_fails("expect(3):at_most(2)", "at_most: expected at most 2, found 3");
    line_fails("expect(0):is_true()", "is_true: expected true, found 0");
    line_fails("expect(true):is_false()", "is_false: expected false, found true");
    line_fails("expect(\"abc\"):contains(\"x\")", "contains: expected a text that contains \"x\", found \"abc\"");
    line_fails("expect(actor(\"CYRUS\")):equals(actor(\"GUARD\"))", "equals: expected actor GUARD, found actor CYRUS");
}

#[test]
fn lists_and_tables_are_compared_in_both_languages() {
    let failed = both_fail("expect({1, 2}):equals({1, 3})", "expect([1, 2]).equals([1, 3]);");
    assert_eq!(failed.message, "equals: expected [1, 3], found [1, 2]");
    let failed = both_fail("expect({x = 1, y = {2}}):equals({x = 1})", "expect(#{x: 1, y: [2]}).equals(#{x: 1});");
    assert_eq!(failed.message, "equals: expected {x: 1}, found {x: 1, y: [2]}");
    let failed = both_fail("expect({1, 2}):contains(3)", "expect([1, 2]).contains(3);");
    assert_eq!(failed.message, "contains: expected a list that contains 3, found [1, 2]");
}

#[test]
fn every_matcher_holds() {
    let lua = "local a = actor('CYRUS')
        expect(1):equals(1.0):differs(2):near(2, 1):at_least(1):at_most(1):is_true()
        expect(false):is_false()
        expect('abc'):contains('bc')
        expect({1, 2}):contains(2)
        expect({x = 1}):contains('x')
        expect(a):equals(actor('cyrus'))
        expect(expect_error(function() actor('NOBODY') end, 'no actor')):contains('NOBODY')
        expect_error(function() a:handitem('x') end)";
    let rhai = "let a = actor(\"CYRUS\");
        expect(1).equals(1.0).differs(2).near(2, 1).at_least(1).at_most(1).is_true();
        expect(false).is_false();
        expect(\"abc\").contains(\"bc\");
        expect([1, 2]).contains(2);
        expect(#{x: 1}).contains(\"x\");
        expect(a).equals(actor(\"cyrus\"));
        expect(expect_error(|| actor(\"NOBODY\"), \"no actor\")).contains(\"NOBODY\");
        expect_error(|| a.handitem(\"x\"));";
    for language in languages() {
        let outcome = one(language, if language == "lua" { lua } else { rhai });
        assert_eq!((outcome.verdict, outcome.n_held), (Verdict::Passed, 14), "{language}");
    }
}

#[test]
fn errors_that_do_not_come_fail() {
    let failed = both_fail("expect_error(function() end, 'x')", "expect_error(|| {}, \"x\");");
    assert_eq!(failed.message, "expect_error: expected an error that contains \"x\", found none");
    let failed = both_fail("expect_error(function() end)", "expect_error(|| {});");
    assert_eq!(failed.message, "expect_error: expected an error, found none");
    let failed = both_fail("expect_error(function() actor('X') end, 'y')", "expect_error(|| actor(\"X\"), \"y\");");
    assert_eq!(
        failed.message,
        "expect_error: expected an error that contains \"y\", found \"there is no actor \\\"X\\\"\""
    );
}

#[test]
fn misused_expectations_say_the_same() {
    let misused = |lua: &str, message: &str| {
        let failed = both_fail(lua, &as_rhai(lua));
        assert_eq!((failed.kind, failed.message.as_str()), (FailureKind::Script, message));
    };
    misused("expect(1):near(1)", "near: expected 2 arguments (value, tolerance), found 1");
    misused("expect(1):equals()", "equals: expected 1 argument (value), found 0");
    misused("expect(1):at_least(\"x\")", "at_least argument 1 (bound): expected a number, found \"x\"");
    misused("expect(1):eqals(1)", "expect has no matcher \"eqals\"; did you mean \"equals\"?");
    misused("expect()", "expect: expected 1 argument (value), found 0");
    misused("expect_error(1)", "expect_error argument 1 (fn): expected a function, found number");
    misused("golden(1)", "golden argument 1 (file): expected a text, found 1");
    misused("skip(1)", "skip argument 1 (why): expected a text, found 1");
    misused("scene(\"x.toml\")", "scene: the scene is named at the top of the file, not in a scenario");
    let failed = both_fail("scenario('x', function() end)", "scenario(\"x\", || {});");
    assert_eq!(failed.message, "scenario: a scenario cannot declare scenarios; they stand at the top of the file");
    let failed = both_fail("before_each(function() end)", "before_each(|| {});");
    assert_eq!(failed.message, "before_each: it stands at the top of the file, not in a scenario");
}

/// What is looked at is bounded, and costs steps.
#[test]
fn large_values_are_not_compared() {
    let failed = both_fail(
        "local t = {} for i = 1, 5000 do t[i] = i end expect(t):equals(t)",
        "let t = []; for i in 1..=5000 { t.push(i); } expect(t).equals(t);",
    );
    let words = "equals: a value is nested more than 8 deep, or holds more than 4096 values or 1 MiB of text";
    assert_eq!((failed.kind, failed.message.as_str()), (FailureKind::Script, words));
    let failed = both_fail(
        "local t = 1 for _ = 1, 10 do t = {t} end expect(t):equals(t)",
        "let t = 1; for i in 1..=10 { t = [t]; } expect(t).equals(t);",
    );
    assert_eq!(failed.message, words);
    let lua = "local t = {} for i = 1, 2000 do t[i] = i end while true do expect(t):equals(t) end";
    let rhai = "let t = []; for i in 1..=2000 { t.push(i); } loop { expect(t).equals(t); }";
    for language in languages() {
        let outcome = one(language, if language == "lua" { lua } else { rhai });
        assert_eq!(failure(&outcome).kind, FailureKind::Budget, "{language}");
        assert!(outcome.n_held < 5000, "{language}: {}", outcome.n_held);
    }
}

/// Neither `pcall` nor `try` keeps a failed expectation from failing the scenario.
#[test]
fn a_caught_failure_still_fails() {
    let failed = both_fail(
        "pcall(function() expect(1):equals(2) end)\nexpect(1):equals(3)",
        "try { expect(1).equals(2); } catch {}\nexpect(1).equals(3);",
    );
    assert_eq!((failed.line, failed.message.as_str()), (Some(2), "equals: expected 2, found 1"));
}

#[test]
fn a_failure_shows_the_actors_and_why_calls_were_refused() {
    let lua = "local a = actor('CYRUS')
a:drawsword()
updates(2)
expect(tick()):equals(2)
a:drawsword()
expect(a.shown):equals('hand')";
    let rhai = "let a = actor(\"CYRUS\");
a.drawsword();
updates(2);
expect(tick()).equals(2);
a.drawsword();
expect(a.shown).equals(\"hand\");";
    let failed = both_fail(lua, rhai);
    let [actor] = failed.local_trace.as_slice() else { panic!("{:?}", failed.local_trace) };
    assert_eq!(actor.actor, "CYRUS");
    let ticks: Vec<_> = actor.lines.iter().map(|line| (line.values["tick"].as_u64(), line.now)).collect();
    assert_eq!(ticks, [(Some(0), false), (Some(1), false), (Some(2), true)]);
    assert_eq!(actor.lines[2].refused, ["drawsword refused: the sword is being drawn (extra_flag = 20, current = 91)"]);
    let report = failed.report();
    for part in ["  expected  \"hand\"\n  found     \"hilt\"\n", "the last updates of CYRUS:", "2 now", "refused"] {
        assert!(report.contains(part), "{report}");
    }
}

/// Only actors dealt with since the expectation before are shown; one that is gone is told.
#[test]
fn actors_of_earlier_expectations_are_left_out() {
    let failed = both_fail(
        "expect(actor('CYRUS').weapon_drawn):equals(0)\nlocal g = actor('GUARD')\ng:remove()\nexpect(g:valid()):is_true()\n",
        "expect(actor(\"CYRUS\").weapon_drawn).equals(0);\nlet g = actor(\"GUARD\");\ng.remove();\nexpect(g.valid()).is_true();\n",
    );
    let actors: Vec<_> = failed.local_trace.iter().map(|actor| (actor.actor.as_str(), actor.removed)).collect();
    assert_eq!(actors, [("GUARD", Some(0))]);
}

/// Each scenario has a fresh world and fresh variables; hooks run before each.
#[test]
fn scenarios_do_not_see_each_other() {
    let lua = "local n = 0
        shared = 0
        before_each(function() n = n + 1 flags.n = 0 end)
        for i = 1, 3 do
          scenario('run ' .. i, {tags = 'x'}, function()
            n, shared = n + 1, shared + 1
            expect(n):equals(2)
            expect(shared):equals(1)
            expect(tick()):equals(0)
            player.pos.vx = player.pos.vx + 1
            expect(player.pos.vx):equals(1)
          end)
        end";
    let rhai = "let n = 0;
        let count = 0;
        before_each(|| { n += 1; });
        for i in 1..=3 {
          scenario(`run ${i}`, #{tags: \"x\"}, || {
            n += 1;
            count += 1;
            expect(n).equals(2);
            expect(count).equals(1);
            expect(tick()).equals(0);
            player.pos.vx += 1;
            expect(player.pos.vx).equals(1);
          });
        }";
    let scene = "soup386 = 1\n[[flag]]\nname = \"n\"\n[[actor]]\nname = \"A\"\nplayer = true\n";
    for language in languages() {
        let text = if language == "lua" { lua } else { rhai };
        let head = if language == "lua" { "scene 's.toml'\n" } else { "scene(\"s.toml\");\n" };
        let name = format!("it.{language}");
        let outcomes = outcomes(Settings::default(), &name, &format!("{head}{text}"), &[("s.toml", scene)]);
        assert_eq!(outcomes.len(), 3);
        for outcome in &outcomes {
            assert_eq!(outcome.verdict, Verdict::Passed, "{language}");
        }
        assert_eq!(outcomes[0], outcomes[2]);
    }
}

#[test]
fn what_is_declared_is_collected() {
    for language in languages() {
        let text = match language {
            "lua" => {
                "scenario('a', {tags = {'x', 'y'}, updates = 7, seconds = 0.5}, function() end)\nonly('b', function() end)\nscenario('c', {skip = 'later'}, function() end)"
            }
            _ => {
                "scenario(\"a\", #{tags: [\"x\", \"y\"], updates: 7, seconds: 0.5}, || {});\nonly(\"b\", || {});\nscenario(\"c\", #{skip: \"later\"}, || {});"
            }
        };
        let mut runner = Runner::new(Settings::default());
        let suite = collected(&mut runner, &source(&format!("it.{language}"), text, &[]));
        let all: Vec<_> = suite.scenarios.iter().map(|of| (of.name.as_str(), of.line, of.only)).collect();
        assert_eq!(all, [("a", Some(1), false), ("b", Some(2), true), ("c", Some(3), false)], "{language}");
        let first = &suite.scenarios[0];
        assert_eq!((first.tags.join(" "), first.updates, first.seconds), ("x y".to_owned(), Some(7), Some(0.5)));
        let skipped = runner.run(&suite, 2, &mut || None);
        assert_eq!(skipped.verdict, Verdict::Skipped("later".to_owned()));
    }
}

/// The failure of a file that cannot be used.
fn refused(lua: &str, rhai: &str) -> Failure {
    let failures: Vec<Failure> = languages()
        .into_iter()
        .map(|language| {
            let text = if language == "lua" { lua } else { rhai };
            let mut runner = Runner::new(Settings::default());
            runner.collect(&source(&format!("it.{language}"), text, &[])).expect_err("a file that cannot be used")
        })
        .collect();
    for other in &failures[1..] {
        assert_eq!((failures[0].line, &failures[0].message), (other.line, &other.message));
    }
    failures[0].clone()
}

#[test]
fn wrong_declarations_say_the_same() {
    let says = |lua: &str, rhai: &str, message: &str| assert_eq!(refused(lua, rhai).message, message);
    says("scenario('a')", "scenario(\"a\");", "scenario argument 2 (fn): expected a function, found nil");
    says("scenario(1, function() end)", "scenario(1, || {});", "scenario argument 1 (name): expected a text, found 1");
    says(
        "scenario('a', 5, function() end)",
        "scenario(\"a\", 5, || {});",
        "scenario argument 2 (options): expected a table, found 5",
    );
    says(
        "scenario('a', {tag = 'x'}, function() end)",
        "scenario(\"a\", #{tag: \"x\"}, || {});",
        "scenario: there is no option \"tag\"; did you mean \"tags\"?",
    );
    says(
        "scenario('a', function() end)\nscenario('a', function() end)",
        "scenario(\"a\", || {});\nscenario(\"a\", || {});",
        "scenario: the file declares \"a\" twice",
    );
    says("before_each(1)", "before_each(1);", "before_each argument 1 (fn): expected a function, found a number");
    says("golden('x')", "golden(\"x\");", "golden: only a scenario has a trace to compare");
    says("scene('no.toml')", "scene(\"no.toml\");", "scene: there is no file \"no.toml\"");
    says(
        "scene('../x.toml')",
        "scene(\"../x.toml\");",
        "scene: \"../x.toml\": expected a path beneath the script's folder",
    );
    says("scene('a') scene('b')", "scene(\"a\"); scene(\"b\");", "scene: there is no file \"a\"");
    says(
        "scenario('a', function() end) next_update()",
        "scenario(\"a\", || {}); next_update();",
        "the top of a scenario file only declares: it must not wait, nor define on_update",
    );
}

#[test]
fn a_text_that_is_no_program_is_told() {
    for language in languages() {
        let mut runner = Runner::new(Settings::default());
        let refused = runner.collect(&source(&format!("it.{language}"), "\nscenario(\"a\",", &[]));
        let failed = refused.expect_err("no program");
        assert_eq!((failed.kind, failed.file, failed.line), (FailureKind::File, format!("it.{language}"), Some(2)));
    }
}

#[test]
fn scenarios_need_somebody_to_run_them() {
    use soup386::{Runtime, Scene};
    for language in languages() {
        let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
        let text = if language == "lua" { "scenario('a', function() end)" } else { "scenario(\"a\", || {});" };
        runtime.set_director(format!("it.{language}"), text).unwrap_or_else(|error| panic!("{error}"));
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let failures = runtime.drain_failures();
        assert_eq!(failures[0].message, "scenario: scenarios are run by soup386 test", "{language}");
        // Expectations serve every script.
        let text = if language == "lua" { "expect(1):equals(2)" } else { "expect(1).equals(2);" };
        runtime.set_director(format!("it.{language}"), text).unwrap_or_else(|error| panic!("{error}"));
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(runtime.drain_failures()[0].message, "equals: expected 2, found 1", "{language}");
    }
}

#[test]
fn hostile_scenarios_fail_alone() {
    let lua = "scenario('loops', function() while true do end end)
        scenario('swallows', function() while true do pcall(function() while true do end end) end end)
        scenario('waits', {updates = 20}, function() while true do next_update() end end)
        scenario('hoards', function() local t = {} while true do t[#t + 1] = string.rep('x', 100000) .. #t end end)
        scenario('recurses', function() local function f() return 1 + f() end f() end)
        scenario('prints', function() while true do print(string.rep('x', 1000)) end end)
        scenario('is well', function() next_update() expect(tick()):equals(1) end)";
    let rhai = "fn f() { 1 + f() }
        scenario(\"loops\", || { loop {} });
        scenario(\"swallows\", || { loop { try { [1].map(|x| { loop {} }) } catch { } } });
        scenario(\"waits\", #{updates: 20}, || { loop { next_update(); } });
        scenario(\"hoards\", || { let t = \"x\"; loop { t += t; } });
        scenario(\"recurses\", || { f() });
        scenario(\"prints\", || { let t = \"x\"; t.pad(1000, 'x'); loop { print(t); } });
        scenario(\"is well\", || { next_update(); expect(tick()).equals(1); });";
    for language in languages() {
        let outcomes = run(&format!("it.{language}"), if language == "lua" { lua } else { rhai });
        for (index, outcome) in outcomes[..6].iter().enumerate() {
            // A recursion that is too deep is an ordinary error in Lua.
            let kind = failure(outcome).kind;
            assert!(kind == FailureKind::Budget || index == 4, "{language} {index}: {kind:?}");
            assert!(outcome.printed.iter().map(|line| line.len() + 1).sum::<usize>() <= (1 << 20) + 8);
        }
        assert_eq!(failure(&outcomes[2]).message, "the scenario took more than 20 updates");
        assert_eq!(outcomes[6].verdict, Verdict::Passed, "{language}");
    }
}

/// A host's native that panics, in a call and in a task.
#[test]
fn a_crash_fails_its_scenario_only() {
    let mut natives = Natives::default();
    let crash = Handler::Host(Arc::new(|_| panic!("the host's native broke")));
    natives.add("Crash", FunctionKind::Function, &[], "", crash).expect("a new name");
    let settings = Settings { natives: Arc::new(natives), ..Settings::default() };
    for language in languages() {
        let text = match language {
            "lua" => {
                "scenario('a', function() pcall(function() actor('CYRUS'):crash() end) end)\nscenario('b', function() end)"
            }
            _ => "scenario(\"a\", || { try { actor(\"CYRUS\").crash(); } catch {} });\nscenario(\"b\", || {});",
        };
        let outcomes = outcomes(settings.clone(), &format!("it.{language}"), text, &[]);
        let failed = failure(&outcomes[0]);
        assert_eq!(
            (failed.kind, failed.message.as_str()),
            (FailureKind::Panic, "a native panicked: the host's native broke")
        );
        assert_eq!(outcomes[1].verdict, Verdict::Passed);
    }
}

/// The script of an actor fails: so does the scenario, unless it says that it expects this.
#[test]
fn failing_actor_scripts_fail_the_scenario() {
    let scene = "soup386 = 1\n[[actor]]\nname = \"A\"\nscript = \"a.lua\"\n";
    if !languages().contains(&"lua") {
        return;
    }
    let text = "scene 's.toml'\nscenario('a', function() updates(2) end)\nscenario('b', {allow_script_errors = true}, function() updates(2) end)";
    let files = [("s.toml", scene), ("a.lua", "next_update() error('broken')")];
    let outcomes = outcomes(Settings::default(), "it.lua", text, &files);
    let failed = failure(&outcomes[0]);
    assert_eq!((failed.file.as_str(), failed.line), ("a.lua", Some(1)));
    assert_eq!(failed.message, "the script of actor A failed: broken");
    assert_eq!(outcomes[1].verdict, Verdict::Passed);
}

#[test]
fn skipping_ends_a_scenario_or_a_whole_file() {
    let skipped = |outcome: &Outcome, why: &str| assert_eq!(outcome.verdict, Verdict::Skipped(why.to_owned()));
    for language in languages() {
        let lua = "next_update() pcall(function() skip('no sword') end) print('on')";
        let rhai = "next_update(); try { skip(\"no sword\"); } catch {} print(\"on\");";
        skipped(&one(language, if language == "lua" { lua } else { rhai }), "no sword");
        let end = if language == "lua" { "" } else { ";" };
        let text = format!("skip(\"all\"){end}\n{}", wrapped(language, ""));
        skipped(&run(&format!("it.{language}"), &text)[0], "all");
    }
}

const GOLDEN: &str = "golden(\"g.jsonl\")";

fn drawing(language: &str) -> String {
    match language {
        "lua" => wrapped("lua", &format!("actor('CYRUS'):drawsword()\nupdates(3)\n{GOLDEN}")),
        _ => wrapped("rhai", &format!("actor(\"CYRUS\").drawsword();\nupdates(3);\n{GOLDEN};")),
    }
}

/// What a golden says, and what is made of it by the run of both languages.
fn golden(golden: Option<&str>, update: bool) -> Vec<Outcome> {
    let files: Vec<_> = golden.map(|text| ("g.jsonl", text)).into_iter().collect();
    let settings = Settings { update_goldens: update, ..Settings::default() };
    let run =
        |language: &str| outcomes(settings.clone(), &format!("it.{language}"), &drawing(language), &files).remove(0);
    languages().into_iter().map(run).collect()
}

/// The text that a run writes.
fn rewritten(text: Option<&str>) -> String {
    let outcomes = golden(text, true);
    let texts: Vec<_> = outcomes.iter().map(|of| of.goldens[0].texts.clone().expect("a new text").1).collect();
    assert!(texts.iter().all(|other| *other == texts[0]));
    texts[0].clone()
}

#[test]
fn a_written_golden_is_a_trace_that_holds() {
    let text = rewritten(None);
    assert!(text.starts_with("{\"soup386_trace\":1,\"actors\":[\"CYRUS\",\"GUARD\"],\"updates\":3,\"seed\":1}\n{\"tick\":0,\"actor\":\"CYRUS\",\"group\":"));
    assert_eq!(text.lines().count(), 1 + 2 * 3);
    for outcome in golden(Some(&text), false) {
        assert_eq!((outcome.verdict, &outcome.goldens[0].state), (Verdict::Passed, &GoldenState::Same));
    }
    // Written again it is the same.
    assert_eq!(rewritten(Some(&text)), text);
}

const HEAD: &str = "{\"soup386_trace\":1}\n";

#[test]
fn goldens_compare_the_fields_they_hold() {
    let held = format!("{HEAD}{{\"tick\":2,\"actor\":\"CYRUS\",\"group\":91,\"shown\":\"hilt\"}}\n");
    assert!(golden(Some(&held), false).iter().all(|outcome| outcome.verdict == Verdict::Passed));
    let differs = held.replace("hilt", "hand").replace(":91", ":92");
    for outcome in golden(Some(&differs), false) {
        let failed = failure(&outcome);
        assert_eq!((failed.kind, failed.line), (FailureKind::Golden, Some(4)));
        assert_eq!(failed.message, "golden: g.jsonl:2: update 2, actor CYRUS, group: expected 92, found 91");
        let difference = failed.golden.as_ref().expect("a difference");
        let paths: Vec<_> = difference.differences.iter().map(|of| of.path.as_str()).collect();
        assert_eq!(paths, ["group", "shown"]);
        let ticks: Vec<_> = difference.around.iter().map(|around| around.tick).collect();
        assert_eq!(ticks, [0, 1, 2]);
        assert!(failed.report().contains("around it, actor CYRUS:"), "{}", failed.report());
    }
    // Rewriting keeps which fields a line holds.
    assert_eq!(rewritten(Some(&differs)), held);
}

/// Three updates before and after the difference, and the first one counts.
#[test]
fn goldens_show_three_updates_around() {
    let text = match languages()[0] {
        "lua" => wrapped("lua", "updates(12)\ngolden('g.jsonl')"),
        _ => wrapped("rhai", "updates(12);\ngolden(\"g.jsonl\");"),
    };
    let line = |tick: u32, drawn: u32| format!("{{\"tick\":{tick},\"actor\":\"GUARD\",\"weapon_drawn\":{drawn}}}\n");
    let lines: Vec<String> = (0..12).map(|tick| line(tick, (tick == 5 || tick == 9).into())).collect();
    let golden = format!("{HEAD}{}", lines.concat());
    let name = format!("it.{}", languages()[0]);
    let outcome = outcomes(Settings::default(), &name, &text, &[("g.jsonl", &golden)]).remove(0);
    let difference = failure(&outcome).golden.clone().expect("a difference");
    assert_eq!((difference.line, difference.tick, difference.n_lines), (7, Some(5), 2));
    let ticks: Vec<_> = difference.around.iter().map(|around| around.tick).collect();
    assert_eq!(ticks, [2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn goldens_that_cannot_hold_say_why() {
    let says = |text: &str, message: &str| {
        for outcome in golden(Some(text), false) {
            assert_eq!(failure(&outcome).message, message);
        }
    };
    let line = |values: &str| format!("{HEAD}{{\"tick\":0,\"actor\":\"CYRUS\",{values}}}\n");
    let head = "golden: g.jsonl: line 1: the first line must be a header with \"soup386_trace\": 1";
    says("", head);
    says("{}\n", head);
    says(&line("\"shwon\":1"), "golden: g.jsonl: line 2: a trace has no key \"shwon\"; did you mean \"shown\"?");
    says(&line("\"shown\":1"), "golden: g.jsonl: line 2: \"shown\": expected a text");
    says(&format!("{HEAD}{{\"tick\":1}}\n"), "golden: g.jsonl: line 2: a line needs \"tick\" and \"actor\"");
    says(
        &format!("{HEAD}{{\"tick\":7,\"actor\":\"CYRUS\",\"group\":1}}\n"),
        "golden: g.jsonl:2: the run has no actor CYRUS in update 7",
    );
    says("{\"soup386_trace\":1,\"updates\":4}\n", "golden: g.jsonl:1: the header differs: updates");
    for outcome in golden(None, false) {
        assert_eq!(failure(&outcome).message, "golden: there is no file \"g.jsonl\"; --update writes it");
    }
}

/// Updates that follow are added for an actor of which every update was listed.
#[test]
fn rewriting_follows_the_run() {
    let line = |tick: u32, fields: &str| format!("{{\"tick\":{tick},\"actor\":\"CYRUS\",{fields}}}\n");
    let old = format!("{HEAD}{}{}", line(0, "\"group\":1"), line(1, "\"group\":91"));
    let new = format!("{HEAD}{}{}{}", line(0, "\"group\":91"), line(1, "\"group\":91"), line(2, "\"group\":91"));
    assert_eq!(rewritten(Some(&old)), new);
    let sparse = format!("{HEAD}{}{}", line(1, "\"state\":0"), line(9, "\"state\":0"));
    assert_eq!(rewritten(Some(&sparse)), format!("{HEAD}{}", line(1, "\"state\":20")));
}

/// A word of the file tells that goldens are compared; where it does not, the scenario is run again.
#[test]
fn a_golden_is_compared_wherever_it_is_asked_for() {
    if languages().contains(&"lua") {
        let text = wrapped("lua", "updates(30) _G['gol' .. 'den']('g.jsonl')");
        let outcome = outcomes(
            Settings::default(),
            "it.lua",
            &text,
            &[("g.jsonl", &format!("{HEAD}{{\"tick\":0,\"actor\":\"CYRUS\",\"group\":1}}\n"))],
        );
        assert!(failure(&outcome[0]).message.starts_with("golden: g.jsonl:2: update 0, actor CYRUS, group"));
    }
}

/// The order of the runs, and what ran before, change nothing; nor do other threads.
#[test]
fn runs_leave_the_same_in_any_order() {
    for language in languages() {
        let text = match language {
            "lua" => {
                "for i = 1, 6 do scenario('s' .. i, function() for k = 1, i do print(k, player:rnd(100)) next_update() end expect(i):differs(4) end) end"
            }
            _ => {
                "for i in 1..=6 { let n = i; scenario(`s${n}`, || { for k in 1..=n { print(k, player.rnd(100)); next_update(); } expect(n).differs(4); }); }"
            }
        };
        let settings = Settings { digest: true, coverage: true, ..Settings::default() };
        let source = source(&format!("it.{language}"), text, &[]);
        let mut runner = Runner::new(settings.clone());
        let suite = collected(&mut runner, &source);
        let forward: Vec<_> = (0..6).map(|index| runner.run(&suite, index, &mut || None)).collect();
        let mut backward: Vec<_> = (0..6).rev().map(|index| runner.run(&suite, index, &mut || None)).collect();
        backward.reverse();
        assert_eq!(forward, backward, "{language}");
        let elsewhere = std::thread::spawn(move || {
            let mut runner = Runner::new(settings);
            (0..6).map(|index| runner.run(&suite, index, &mut || None)).collect::<Vec<_>>()
        });
        assert_eq!(elsewhere.join().expect("a thread"), forward, "{language}");
        assert!(matches!(forward[3].verdict, Verdict::Failed(_)) && forward[5].verdict == Verdict::Passed);
    }
}

#[test]
fn coverage_is_what_the_run_reached() {
    use soup386::{
        defs::{Opcode, functions},
        scenario::WeaponState,
    };
    let settings = Settings { coverage: true, ..Settings::default() };
    for language in languages() {
        let text = match language {
            "lua" => wrapped(
                "lua",
                "local a = actor('CYRUS') a:drawsword() wait_until(function() return a.weapon_drawn == 1 end, 60) a:drawsword()",
            ),
            _ => wrapped(
                "rhai",
                "let a = actor(\"CYRUS\"); a.drawsword(); wait_until(|| a.weapon_drawn == 1, 60); a.drawsword();",
            ),
        };
        let outcome = outcomes(settings.clone(), &format!("it.{language}"), &text, &[]).remove(0);
        let coverage = outcome.coverage.expect("coverage");
        let drawsword = functions().named("drawsword").expect("a function");
        assert_eq!(coverage.natives.into_iter().collect::<Vec<_>>(), [drawsword]);
        assert_eq!(coverage.refusals.into_iter().collect::<Vec<_>>(), [(drawsword, "DrawingSword")]);
        assert!(
            coverage.commands & 1 << Opcode::ShowFrame as u16 != 0
                && coverage.commands & 1 << Opcode::Transition as u16 == 0
        );
        let ways = [(WeaponState::Stowed, WeaponState::Drawing), (WeaponState::Drawing, WeaponState::Drawn)];
        assert_eq!(coverage.transitions.into_iter().collect::<Vec<_>>(), ways);
    }
}

/// Time is the caller's business: it is asked before every update.
#[test]
fn a_run_can_be_stopped() {
    for language in languages() {
        let text = if language == "lua" { wrapped("lua", "updates(100)") } else { wrapped("rhai", "updates(100);") };
        let mut runner = Runner::new(Settings::default());
        let suite = collected(&mut runner, &source(&format!("it.{language}"), &text, &[]));
        let mut left = 10;
        let mut stop = || {
            left -= 1;
            (left == 0).then(|| "enough".to_owned())
        };
        let outcome = runner.run(&suite, 0, &mut stop);
        assert_eq!((outcome.updates, failure(&outcome).message.as_str()), (9, "enough"));
    }
}
