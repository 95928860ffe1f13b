//! What Rhai scripts can do, and what they are told when they do it wrong.

use std::sync::Arc;

use soup386::{
    Runtime, Scene,
    defs::{FunctionKind, ModuleSource, ScriptSource},
    natives::Handler,
    script::{Limits, ScriptErrorKind},
    update::Options,
};

use crate::{
    stage::{actor_text, scene_text},
    support,
};

/// Runs `updates` updates; what was printed, and after it in each update the errors.
fn drive(runtime: &mut Runtime, updates: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..updates {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        lines.extend(runtime.drain_output());
        lines.extend(runtime.drain_failures().iter().map(ToString::to_string));
    }
    lines
}

fn demo(director: &ScriptSource) -> Runtime {
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    runtime.set_director_source(director).unwrap_or_else(|error| panic!("{error}"));
    runtime
}

/// Runs a director on the demo.
#[track_caller]
fn check(text: &str, updates: u32, expected: &[&str]) {
    let mut runtime = demo(&ScriptSource::new("test.rhai", text));
    assert_eq!(drive(&mut runtime, updates), expected, "{text}");
}

/// A scene of actors `a`, `b`, … with a Rhai script each.
fn acting(scripts: &[&str]) -> Runtime {
    let names: Vec<String> = (b'a'..).take(scripts.len()).map(|letter| char::from(letter).to_string()).collect();
    let files: Vec<String> = names.iter().map(|name| format!("{name}.rhai")).collect();
    let actors = names.iter().zip(&files).map(|(name, file)| actor_text(name, &format!("script = \"{file}\""), &[]));
    let rest: String = actors.collect();
    let listed: Vec<(&str, &str)> = files.iter().map(String::as_str).zip(scripts.iter().copied()).collect();
    support::scripted(&scene_text(&rest), &listed)
}

/// Runs actor scripts.
#[track_caller]
fn check_acting(scripts: &[&str], updates: u32, expected: &[&str]) {
    assert_eq!(drive(&mut acting(scripts), updates), expected, "{scripts:?}");
}

#[test]
fn properties_are_read_and_written_through_any_chain() {
    check("let a = player; a.pos.vx = 5; print(a.pos.vx, a[\"pos.vx\"], a.pos[\"vx\"]);", 1, &["5\t5\t5"]);
    check("player.pos.vx = 5; player.pos.vx += 2; print(player.pos.vx);", 1, &["7"]);
    check("let a = player; a.grip[0] = 3; a.grip[0] += 1; print(a.grip[0], actor(\"CYRUS\").grip[0]);", 1, &["4\t4"]);
    check("fn f(a) { a.pos.vx = 4; } let a = player; f(a); print(a.pos.vx);", 1, &["4"]);
    check("let m = #{ a: player }; m.a.pos.vx = 6; print(m.a.pos.vx);", 1, &["6"]);
    check("let l = actors(); l[0].pos.vx = 8; print(l[0].pos.vx, l.len());", 1, &["8\t2"]);
    check("let p = player.pos; p.vx = 9; print(player.pos.vx);", 1, &["9"]);
    check("const A = player; A.pos.vx = 3; print(A.pos.vx);", 1, &["3"]);
    check("let a = player; let f = || { a.pos.vx = 2; a.pos.vx }; print(f.call(), a.pos.vx);", 1, &["2\t2"]);
    check("let v = player.shown; print(v, player.tip, type_of(player));", 1, &["none\t\tactor"]);
}

#[test]
fn names_of_the_runtime_are_known_in_functions_too() {
    check("fn f() { player.name + tick() } print(f());", 1, &["CYRUS0"]);
    check("let player = 5; print(player);", 1, &["5"]);
    check("print(flags.x)", 1, &["test.rhai:1: the scene has no flag \"x\""]);
    check("log.info(\"a\", 1); log.warn(2); log.error(); print(`${player}`);", 1, &["actor CYRUS"]);
}

#[test]
fn errors_say_where_and_who_called() {
    let mut runtime = demo(&ScriptSource::new(
        "duel.rhai",
        "fn inner() {\n  player.handitem();\n}\nfn outer() {\n  inner();\n}\n\nouter();",
    ));
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    let failure = runtime.drain_failures().pop().expect("a failure");
    assert_eq!((failure.file.as_str(), failure.line), ("duel.rhai", Some(2)));
    assert_eq!(failure.message, "handitem: expected 1 argument (item), found 0");
    assert_eq!(failure.chain, ["duel.rhai:2", "duel.rhai:5 called inner", "duel.rhai:8 called outer"]);
    assert!(!runtime.is_running());
}

#[test]
fn syntax_errors_are_told_before_anything_runs() {
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    let error = runtime.set_director("test.rhai", "print(1);\nlet x = ;").expect_err("a syntax error");
    assert!(error.to_string().starts_with("test.rhai:2: "), "{error}");
}

#[test]
fn scripts_catch_errors_as_texts_with_their_place() {
    check(
        "try {\n  player.handitem(\"x\");\n} catch (problem) { print(problem); }",
        1,
        &["test.rhai:2: handitem argument 1 (item): expected an integer, found \"x\""],
    );
    check(
        "try { throw \"mine\"; } catch (problem) { print(problem); } throw \"out\";",
        1,
        &["mine", "test.rhai:1: out"],
    );
    check(
        "try {\n player.foo;\n} catch (e) {\n throw e;\n}",
        1,
        &["test.rhai:2: an actor has no property or function \"foo\""],
    );
    check(
        "try { [1][5]; } catch (e) { print(e.message, e.line); throw e; }",
        1,
        &[
            "Array index 5 out of bounds: only 1 element in array\t1",
            "test.rhai:1: Array index 5 out of bounds: only 1 element in array",
        ],
    );
    check("let x = 1 +\n nothing;", 1, &["test.rhai:2: there is no variable \"nothing\""]);
    check(
        "player.drawsord();",
        1,
        &["test.rhai:1: an actor has no property or function \"drawsord\"; did you mean \"drawsword\"?"],
    );
    check(
        "drawsword();",
        1,
        &["test.rhai:1: drawsword: a director has no actor of its own; call it as actor.drawsword(…)"],
    );
    check(
        "player.drawsword(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);",
        1,
        &["test.rhai:1: drawsword: expected no arguments, found 10"],
    );
    check("1 + player", 1, &["test.rhai:1: there is no + for integer, actor"]);
}

#[test]
fn whole_floats_are_integers_and_results_are_integers() {
    check(
        "let a = player; a.pos.vx = 3.0; print(a.pos.vx / 2, type_of(a.pos.vx), type_of(a.rnd(5.0)));",
        1,
        &["1\ti64\ti64"],
    );
}

#[test]
fn scripts_wait_wherever_they_are() {
    let text = "fn pause(n) { if n > 0 { next_update(); pause(n - 1); } }
        pause(2); print(tick());
        [1, 2].for_each(|| updates(this)); print(tick());
        try { updates(1); throw 1; } catch { next_update(); } print(tick());
        wait_until(|| { next_update(); tick() > 8 }, 100); print(tick());";
    check(text, 12, &["2", "5", "7", "10"]);
    check(
        "wait_until(|| 1, 5)",
        1,
        &["test.rhai:1: wait_until: the function must give true or false, not 1; write == 1"],
    );
    check("wait_until(|| false, 1)", 2, &["test.rhai:1: wait_until: still not true after 1 updates"]);
}

/// S5. A body without statements has ended before the first update.
#[test]
fn on_update_follows_the_body() {
    check("fn on_update() { print(tick()); }", 3, &["0", "1", "2"]);
    check("print(\"body\"); fn on_update() { print(tick()); }", 3, &["body", "1", "2"]);
    check("let n = 10; next_update(); fn on_update() { n += 1; print(n); }", 4, &["11", "12"]);
    check("fn on_update() { print(tick()); updates(2); }", 6, &["0", "3"]);
    check("fn on_update() { throw \"x\"; }", 2, &["test.rhai:1: x"]);
    check("fn on_update(n) { print(n); }", 2, &[]);
    check("exit(); print(1); fn on_update() { print(2); }", 2, &["2"]);
}

/// K1: a task on the own actor holds the script; functions on `me` need no receiver.
#[test]
fn tasks_on_the_own_actor_hold_the_script() {
    check_acting(
        &["print(tick()); wait(4); print(tick()); me.wait(2); print(tick(), wait(0)); print(tick());"],
        9,
        &["0", "3", "4\t0", "5"],
    );
    check_acting(&["for i in 0..2 { next_update(); print(tick()); }"], 5, &["1", "2"]);
    check_acting(&["print(me, myid() == me.myid(), player == ());"], 1, &["actor a\ttrue\ttrue"]);
    check_acting(&["fn on_update() { wait(3); print(tick()); }"], 8, &["2", "5"]);
}

/// K2: a task on another actor holds that actor's script, not the caller's.
#[test]
fn tasks_on_other_actors_hold_those() {
    check_acting(
        &["actor(\"b\").wait(5); print(\"a\", tick());", "loop { print(\"b\", tick()); next_update(); }"],
        6,
        &["a\t0", "b\t3", "b\t4", "b\t5"],
    );
}

/// K4: a multitask call at a line whose task still runs is not made again.
#[test]
fn a_call_site_owns_its_task() {
    let text = "let tasks = [];\nfor i in 0..3 {\ntasks.push(multitask.wait(10));\n}\nlet other = multitask.wait(10);\n\
        tasks[0].stop();\nprint(tasks[1].active(), tasks[2].active(), other.active());";
    check_acting(&[text], 1, &["false\tfalse\ttrue"]);
    check_acting(
        &["loop { multitask.wait(3); next_update(); if tick() == 4 { print(me.multitask().wait(9).active()); } }"],
        6,
        &["true"],
    );
}

#[test]
fn an_actor_has_six_slots() {
    let text = "let n = 0;\nlet t = [\nmultitask.wait(9),\nmultitask.wait(9),\nmultitask.wait(9),\nmultitask.wait(9),\n\
        multitask.wait(9),\nmultitask.wait(9),\nmultitask.wait(9)];\nfor x in t { if x.active() { n += 1; } }\nprint(n, me.why());";
    let lines = drive(&mut acting(&[text]), 1);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("6\twait refused"), "{lines:?}");
}

#[test]
fn errors_of_one_actor_leave_the_others_alone() {
    check_acting(
        &["me.foo", "next_update(); print(\"b goes on\")"],
        2,
        &["a.rhai:1: an actor has no property or function \"foo\" (actor a, update 0)", "b goes on"],
    );
}

#[test]
fn a_panic_in_a_hosts_native_ends_the_script_alone() {
    let mut runtime = acting(&[
        "loop { try { drawsword(); } catch { print(\"caught\"); } }",
        "loop { next_update(); print(tick()); }",
    ]);
    let natives = Arc::make_mut(&mut runtime.engine_mut().natives);
    let bound = natives.bind("drawsword", Handler::Host(Arc::new(|_| panic!("the host is broken"))));
    assert_eq!(bound, Ok(()));
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    let failure = runtime.drain_failures().pop().expect("a failure");
    assert_eq!(failure.kind, ScriptErrorKind::Panic);
    assert_eq!(failure.message, "a native panicked: the host is broken");
    assert_eq!(drive(&mut runtime, 2), ["1", "2"]);
}

#[test]
fn modules_are_found_beneath_the_script_and_run_once() {
    let texts = [
        (
            "lib/tools",
            "print(\"loaded\");\nexport const SIZE = 3;\nfn twice(n) {\n n * 2\n}\nfn fail() {\n player.handitem();\n}",
        ),
        ("other.rhai", "import \"lib/tools\" as t;\nfn four() { import \"lib/tools\" as t; t::twice(2) }"),
    ];
    let listed = texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let text = "import \"lib/tools\" as tools;\nimport \"other\" as other;\nprint(tools::twice(tools::SIZE), other::four());\ntools::fail();";
    let source = ScriptSource { modules: ModuleSource::Listed(listed), ..ScriptSource::new("main.rhai", text) };
    let lines = drive(&mut demo(&source), 2);
    assert_eq!(lines, ["loaded", "6\t4", "lib/tools.rhai:7: handitem: expected 1 argument (item), found 0"]);
}

#[test]
fn limits_are_the_hosts_to_set() {
    let limits = Limits { steps: 100, printed: 10, string: 8, ..Limits::default() };
    for (text, kind) in [
        ("for i in 0..200 { }", ScriptErrorKind::Budget),
        ("print(\"12345\"); print(\"1234567\");", ScriptErrorKind::Budget),
        ("let s = \"12345678\" + \"9\";", ScriptErrorKind::Memory),
    ] {
        let mut runtime = Runtime::with_options(Scene::demo(), Options { limits, ..Options::default() })
            .unwrap_or_else(|error| panic!("{error}"));
        runtime.set_director("test.rhai", text).unwrap_or_else(|error| panic!("{error}"));
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let failure = runtime.drain_failures().pop().unwrap_or_else(|| panic!("nothing ended {text}"));
        assert_eq!(failure.kind, kind, "{failure}");
    }
}

/// Each row of the table of number traps in docs/scripting.md.
#[test]
fn numbers_behave_as_the_documentation_says() {
    check("print(7 / 2, 7.0 / 2, -7 / 2, -7 % 3, 7 % -3);", 1, &["3\t3.5\t-3\t-1\t1"]);
    check("print(1 << 40, -8 >> 1, 1 << 64, 6 & 3, 6 ^ 3, 2 ** 3);", 1, &["1099511627776\t-4\t0\t2\t5\t8"]);
    check("print(1 == 1.0, 0.1 + 0.2 == 0.3, 1.0, 3.0 / 2);", 1, &["true\ttrue\t1.0\t1.5"]);
    check("9223372036854775807 + 1", 1, &["test.rhai:1: Addition overflow: 9223372036854775807 + 1"]);
    check("1 / 0", 1, &["test.rhai:1: Division by zero: 1 / 0"]);
    check("print(1.0 / 0.0)", 1, &["inf"]);
    check("print(\"1\" + 1)", 1, &["11"]);
    check("let n = 1; if n { }", 1, &["test.rhai:1: Data type incorrect: i64 (expecting bool)"]);
}

#[test]
fn functions_that_a_host_adds_are_called_like_all_others() {
    let mut natives = soup386::natives::Natives::default();
    let doubled = Handler::Host(Arc::new(|call| call.int(0) * 2));
    natives.add("Doubled", FunctionKind::Function, &["n"], "Twice n", doubled).expect("a new function");
    let options = Options { natives: Arc::new(natives), ..Options::default() };
    let mut runtime = Runtime::with_options(Scene::demo(), options).unwrap_or_else(|error| panic!("{error}"));
    let text = "print(player.doubled(4)); player.doubled();";
    runtime.set_director("test.rhai", text).unwrap_or_else(|error| panic!("{error}"));
    let lines = drive(&mut runtime, 1);
    assert_eq!(lines, ["8", "test.rhai:1: doubled: expected 1 argument (n), found 0"]);
}
