//! `soup386 repl`: lines of script against a live world, driven through stdin in both languages.

#[cfg(unix)]
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

use soup386::{
    Error, Runtime, Scene,
    defs::{ModuleSource, Program, ScriptSource},
    update::Entry,
};

#[cfg(unix)]
use crate::cli::command;
use crate::cli::{Folder, Ran, SCENE};

/// Runs lines in the session of a scene.
fn session(folder: &Folder, language: &str, lines: &str) -> Ran {
    folder.write("scene.toml", SCENE);
    let mut arguments = vec!["repl", "--scene", "scene.toml"];
    if language == "rhai" {
        arguments.push("--rhai");
    }
    folder.run_with_input(&arguments, lines)
}

#[track_caller]
fn prints(test: &str, language: &str, lines: &str, expected: &str) {
    let folder = Folder::new(test);
    let ran = session(&folder, language, lines).exits(0);
    assert_eq!(ran.out, expected, "stderr: {}", ran.err);
    assert_eq!(ran.err, "");
}

/// A program that counts.
const PROGRAM: &str = "soup386 program 1\n\nvar0 = 0\nCOUNT\n{\n  #TOP:\n  var0 = var0 + 1\n  Me.pos.vx = var0\n  Wait(2)\n  Goto #TOP\n}\n";

#[test]
fn lua_prints_values_and_keeps_globals() {
    let lines = "1 + 1\nx = 20\nx, \"text\", nil\nfunction twice(n)\n  return 2 * n\nend\ntwice(x)\nlocal gone = 1\ngone\n\
        -- nothing\nactor('a')\nactors()\n{\n  1, {2},\n  b = \"c\"\n}\n--[[ a\nb ]] [==[c\n]]d]==]\nfor i = 1, 2 do print(i) end\nreturn 7\n";
    let expected = "2\n20\ttext\tnil\n40\nnil\nactor A\n{actor A, actor B}\n{1, {2}, b = \"c\"}\nc\n]]d\n1\n2\n7\n";
    prints("repl-lua", "lua", lines, expected);
}

#[test]
#[cfg(feature = "rhai")]
fn rhai_prints_values_and_keeps_variables_and_functions() {
    let lines = "1 + 1\nlet x = 20;\nx\nfn twice(n) {\n  2 * n\n}\ntwice(x)\nlet x = x + 1;\nlet f = |n| n + x;\nf.call(1)\n\
        // nothing\nactor(\"a\")\nactors()\n[\n  1,\n  \"c\"]\nfor i in 1..3 { print(i) }\nfn twice(n) { 20 * n }\ntwice(x)\n\
        `a\nb`\n/* a\n*/ 3\n";
    let expected = "2\n20\n40\n22\nactor A\n[actor A, actor B]\n[1, \"c\"]\n1\n2\n420\na\nb\n3\n";
    prints("repl-rhai", "rhai", lines, expected);
}

#[test]
fn lua_lines_that_wait_run_updates() {
    let lines = "tick()\nprint('a') updates(3) print('b')\ntick()\nwait_until(function() return tick() == 4 end, 9)\ntick()\n\
        next_update() return tick()\nwait_until(function() return false end, 3)\n";
    let folder = Folder::new("repl-lua-waits");
    let ran = session(&folder, "lua", lines).exits(1).says("error: wait_until: still not true after 3 updates");
    assert_eq!(ran.out, "0\na\nb\n2\n4\n5\n");
}

#[test]
#[cfg(feature = "rhai")]
fn rhai_lines_that_wait_run_updates() {
    let lines = "tick()\nlet n = 1; updates(3); n += 1; print(n)\ntick()\nwait_until(|| tick() == 4, 9)\ntick()\n\
        next_update(); tick()\nwait_until(|| false, 3)\nn\n";
    let folder = Folder::new("repl-rhai-waits");
    let ran = session(&folder, "rhai", lines).exits(1).says("error: wait_until: still not true after 3 updates");
    assert_eq!(ran.out, "0\n2\n2\n4\n5\n2\n");
}

#[test]
fn an_error_or_a_spent_budget_ends_its_line_alone_in_lua() {
    let lines = "x = 1\nx = 2 error('oh')\nactor('A'):nosuch()\nwhile true do end\n) (\nx = x + 1\nx\n\
        while true do next_update() end\nx\n";
    let folder = Folder::new("repl-lua-errors");
    let ran =
        session(&folder, "lua", lines).exits(1).says("error: oh\n").says("nosuch").says("more than 1000000 steps");
    let ran = ran.says("still waits after 100000 updates");
    assert_eq!(ran.err.matches("error: ").count(), 5, "{}", ran.err);
    assert_eq!(ran.out, "3\n3\n");
}

#[test]
#[cfg(feature = "rhai")]
fn an_error_or_a_spent_budget_ends_its_line_alone_in_rhai() {
    let lines = "let x = 1;\nx = 2; throw \"oh\"\nactor(\"A\").nosuch()\nlet y = 5; loop { }\n) (\nx + y\n\
        let z = 9; loop { next_update(); }\nx + z\n";
    let folder = Folder::new("repl-rhai-errors");
    let ran =
        session(&folder, "rhai", lines).exits(1).says("error: oh\n").says("nosuch").says("more than 1000000 steps");
    let ran = ran.says("still waits after 100000 updates");
    assert_eq!(ran.err.matches("error: ").count(), 5, "{}", ran.err);
    assert_eq!(ran.out, "7\n11\n");
}

#[test]
fn a_place_is_shown_where_it_is_not_the_line_itself() {
    let folder = Folder::new("repl-places");
    let ran = session(&folder, "lua", "do\n  error('second')\nend\nfunction f(\n").exits(1);
    ran.says("error: repl.lua:2: second\n").says("error: the input ended within a text\n");
}

#[test]
fn steps_show_what_scripts_print_and_why_they_end() {
    let folder = Folder::new("repl-step");
    folder.write("d.lua", "print('first')\nnext_update()\nprint('second')\nerror('third')\n");
    folder.write("bad.lua", "x = = 1");
    let lines = ":load d.lua\n:step\n:load bad.lua\n:load none.lua\n:step 2\n:step 0\n:step many\ntick()\n";
    let ran = session(&folder, "lua", lines).exits(1).says("d.lua:4: third").says("bad.lua:1").says("none.lua");
    let ran = ran.says(":step takes a number of updates from 1 to 1000000");
    assert_eq!(ran.out, "first\nsecond\n2\n");
}

#[test]
fn commands_show_the_world() {
    let folder = Folder::new("repl-commands");
    let lines = ":trace\n:step 3\n:trace b\n:actors\n:why A\n:help\n:trcae\n:why nobody\n:quit\nprint('never')\n";
    let ran = session(&folder, "lua", lines).exits(1);
    let ran = ran.says("error: no update has run yet").says("did you mean \"trace\"").says("nobody");
    let rows: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..3], ["tick", "actor", "group"]);
    assert_eq!(rows[1][..2], ["2", "B"]);
    assert_eq!(rows[2], ["actor", "script", "group", "drawn"]);
    assert_eq!([rows[3][0], rows[4][0]], ["A", "B"]);
    assert!(ran.out.contains("the last call was not refused") && ran.out.contains(":load FILE"), "{}", ran.out);
    assert!(!ran.out.contains("never"));
}

#[test]
fn a_program_takes_the_place_of_what_an_actor_ran() {
    let folder = Folder::new("repl-program");
    folder.write("scene.toml", format!("{SCENE}script = \"b.lua\"\n"));
    folder.write("b.lua", "function on_update() print('script') end");
    folder.write("p.soup", PROGRAM);
    folder.write("bad.soup", PROGRAM.replace("Goto #TOP", "Goto #NOWHERE"));
    let lines = ":step 2\n:load bad.soup B\n:load p.soup#COUNTS B\n:load p.soup nobody\n:load p.soup\n:step\n:load p.soup#COUNT b\n\
        :step 5\n:actors\nactor('B').pos.vx > 1, actor('A').pos.vx\n:load p.soup A\n:step\nactor('A').pos.vx\n";
    let ran = folder.run_with_input(&["repl", "--scene", "scene.toml"], lines).exits(1);
    let ran = ran.says("NOWHERE").says("did you mean \"COUNT\"").says("nobody").says("needs an actor");
    assert_eq!(ran.out.matches("script\n").count(), 2, "on_update runs until the program comes: {}", ran.out);
    assert!(ran.out.contains("program COUNT") && ran.out.ends_with("true\t0\n1\n"), "{}", ran.out);
}

#[test]
fn a_session_that_cannot_start_exits_with_2() {
    let folder = Folder::new("repl-start");
    folder.write("scene.toml", "soup386 = 1\n[[actor]]\n");
    folder.run_with_input(&["repl", "--scene", "none.toml"], "").exits(2).says("none.toml");
    folder.run_with_input(&["repl", "--scene", "scene.toml"], "").exits(2).says("name");
}

#[test]
fn bytes_that_are_no_text_are_an_error_of_their_line() {
    let folder = Folder::new("repl-bytes");
    folder.write("scene.toml", SCENE);
    let long = format!("x = '{}'\n1 + 2\n", "y".repeat(2 << 20));
    let ran = folder.run_with_input(&["repl", "--scene", "scene.toml"], &long).exits(1).says("at most 1048576 bytes");
    assert_eq!(ran.out, "3\n");
}

#[test]
fn the_demo_and_a_seed_serve_without_a_scene() {
    let folder = Folder::new("repl-demo");
    let lines =
        "c = actor('CYRUS')\nc:drawsword()\nwait_until(function() return c.weapon_drawn == 1 end, 60)\nc.shown\n";
    let ran = folder.run_with_input(&["repl", "--seed", "7"], lines).exits(0);
    assert!(ran.out.ends_with("hand\n"), "{}", ran.out);
}

#[test]
fn a_host_has_the_same_sessions() {
    let mut runtime =
        Runtime::new(Scene::from_toml("scene", SCENE, &ModuleSource::Nowhere).expect("a scene")).expect("a world");
    let text = |text: &str| ScriptSource::new("console.lua", text);
    assert_eq!(runtime.enter(&text("function f()")).expect("a text"), Entry::Unfinished);
    assert_eq!(runtime.enter(&text("x = 1 next_update() x = 2")).expect("a text"), Entry::Waits);
    assert!(matches!(runtime.snapshot(), Err(Error::ScriptsRunning { scripts: 1 })));
    // The text that waits is given up.
    assert_eq!(runtime.enter(&text("x")).expect("a text"), Entry::Done);
    assert_eq!(runtime.go_on().expect("nothing is left to do"), Entry::Done);
    assert_eq!(runtime.drain_output(), ["1"]);
}

/// Y3: a program that an actor is given begins at its beginning, and a world in which it ran can be saved and restored.
#[test]
fn a_given_program_belongs_to_the_world() {
    let mut runtime =
        Runtime::new(Scene::from_toml("scene", SCENE, &ModuleSource::Nowhere).expect("a scene")).expect("a world");
    let actor = runtime.world().named("B").expect("an actor");
    let broken = Program { bytes: vec![0xFF], ..Program::default() };
    let before = runtime.world().clone();
    assert!(matches!(runtime.set_program(actor, broken, Vec::new()), Err(Error::Program(_))));
    assert_eq!(*runtime.world(), before, "nothing changed");
    let tables = soup386::soup::Tables::built_in(&[]);
    let listing = soup386::soup::text::read("p.soup", PROGRAM, &tables).expect("a text").remove(0);
    runtime.set_program(actor, listing.program, listing.labels).expect("a program");
    runtime.update().expect("an update");
    let saved = runtime.snapshot().expect("no script runs");
    let after = |runtime: &mut Runtime| {
        (0..5).for_each(|_| runtime.update().expect("an update"));
        runtime.world().clone()
    };
    let first = after(&mut runtime);
    runtime.restore(saved).expect("its own world");
    assert_eq!(after(&mut runtime), first);
    runtime.engine_mut().world.remove(actor);
    assert!(matches!(runtime.set_program(actor, Program::default(), Vec::new()), Err(Error::Call(_))));
}

/// Ctrl-C ends a text that waits, and the session goes on. The text prints more in each update than fits into a pipe in the
/// end, so it cannot come to an end of its own before the signal is there.
#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_text_that_waits() {
    let folder = Folder::new("repl-ctrl-c");
    folder.write("scene.toml", SCENE);
    let mut child = command(&folder.0, &["repl", "--scene", "scene.toml"]);
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the command starts");
    let lines = "x = 1\nwhile true do print(string.rep('x', 1000)) x = x + 1 next_update() end\nx > 1, 'still here'\n";
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the command reads");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut printed = String::new();
    out.read_line(&mut printed).expect("the text runs");
    let kill = ["-c", "kill -s INT \"$0\"", &child.id().to_string()];
    assert!(Command::new("sh").args(kill).status().expect("a shell").success());
    out.read_to_string(&mut printed).expect("text");
    let ended = child.wait_with_output().expect("the command ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(printed.ends_with("x\ntrue\tstill here\n"), "{said}");
    assert!(said.contains("error: interrupted after ") && said.contains("; the session goes on"), "{said}");
    assert_eq!(ended.status.code(), Some(1));
}
