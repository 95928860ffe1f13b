//! `soup386 test`: what it finds, which scenarios it runs in which order, and its reports.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

use quick_junit::{Report, TestCaseStatus};
use serde_json::Value;

use super::cli::{Folder, command};

const GOOD: &str = "scenario('draws', {tags = {'draw'}}, function()
  local a = actor('CYRUS')
  a:drawsword()
  print('told by draws')
  wait_until(function() return a.weapon_drawn == 1 end, 60)
  expect(a.shown):equals('hand')
end)
scenario('ticks', function() expect(tick()):equals(0) end)
";

const BAD: &str = "scenario('fails', {tags = {'draw', 'slow'}}, function()
  local a = actor('CYRUS')
  a:drawsword()
  next_update()
  print('told by fails')
  a:drawsword()
  expect(a.shown):equals('hand')
end)
scenario('is skipped', function() skip('no # sword') end)
scenario('goes on', function() end)
";

/// A folder with two scenario files, one in a folder within, and a script that declares none.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    fs::create_dir_all(folder.0.join("inner")).expect("a folder");
    folder.write("good.lua", GOOD);
    folder.write("inner/bad.lua", BAD);
    folder.write("director.lua", "-- no scenario('x') here\nwhile true do next_update() end");
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_text_shows_failures_in_full() {
    let folder = folder("test-text");
    let ran = folder.run(&["test"]).exits(1);
    let expected = "good.lua
  ok      draws
  ok      ticks
inner/bad.lua
  FAILED  fails
  skipped is skipped: no # sword
  ok      goes on

FAILED  inner/bad.lua: fails
  inner/bad.lua:7: equals: expected \"hand\", found \"hilt\"
        7 |   expect(a.shown):equals('hand')
    expected  \"hand\"
    found     \"hilt\"
    the last updates of CYRUS:
      update  group  pending  cursor  real_frame  frame  state  drawn  hand_item  shown  shown_model  refused
      0       91     8        0       0           12     20     0      0          hilt   SABREH
      1 now   91     8        0       0           12     20     0      0          hilt   SABREH       drawsword refused: the sword is being drawn (extra_flag = 20, current = 91)
    printed:
      told by fails
    2 updates, seed 1

5 scenarios: 3 passed, 1 failed, 1 skipped; seed 1
";
    assert_eq!(ran.out, expected);
    assert_eq!(ran.err, "");
    let ran = folder.run(&["test", "good.lua"]).exits(0);
    assert!(!ran.out.contains("told by"), "{}", ran.out);
    let quiet = folder.run(&["test", "-q", "good.lua"]).exits(0);
    assert_eq!(quiet.out, "2 scenarios: 2 passed, 0 failed; seed 1\n");
}

#[test]
fn scenarios_are_chosen_by_name_and_tag() {
    let folder = folder("test-choice");
    let listed = |arguments: &[&str]| folder.run(&[&["test", "--list"], arguments].concat()).exits(0).out;
    assert_eq!(
        listed(&[]),
        "good.lua: draws [draw]\ngood.lua: ticks\ninner/bad.lua: fails [draw, slow]\ninner/bad.lua: is skipped\ninner/bad.lua: goes on\n"
    );
    assert_eq!(listed(&["--tag", "draw"]), "good.lua: draws [draw]\ninner/bad.lua: fails [draw, slow]\n");
    assert_eq!(listed(&["--tag", "draw", "--filter", "inner"]), "inner/bad.lua: fails [draw, slow]\n");
    assert_eq!(listed(&["--filter", "ticks", "--filter", "goes"]), "good.lua: ticks\ninner/bad.lua: goes on\n");
    folder.run(&["test", "--filter", "nothing"]).exits(2).says("none of the 5 scenarios");
    folder.run(&["test", "--tag", "x"]).exits(2).says("none of the 5 scenarios");
}

#[test]
fn what_cannot_run_says_why() {
    let folder = folder("test-wrong");
    folder.run(&["test", "nowhere"]).exits(2).says("cannot read nowhere");
    folder.run(&["test", "director.lua"]).exits(2).says("director.lua: the script declares no scenarios");
    fs::create_dir_all(folder.0.join("empty")).expect("a folder");
    folder.run(&["test", "empty"]).exits(2).says("no script in empty declares scenarios");
    folder.write("text.txt", "scenario('a', function() end)");
    folder.run(&["test", "text.txt"]).exits(2).says("cannot tell the language of the script");
    folder.write("bytes.lua", b"scenario('a', \xff)");
    folder.run(&["test", "bytes.lua"]).exits(2).says("the file is not UTF-8 text");
    folder.run(&["test", "--jobs", "0"]).exits(2);
    folder.run(&["test", "--timeout", "0"]).exits(2).says("expected a number above 0");
    folder.run(&["test", "--tap", "no/where.tap"]).exits(2).says("there is no folder no");
    folder.run(&["test", "--tap", "-", "--json", "-"]).exits(2).says("only one report can go to stdout");
    folder.write("scene.lua", "scene 'duel.toml'\nscenario('a', function() end)");
    folder.run(&["test", "scene.lua"]).exits(2).says("scene.lua:1: scene: duel.toml: cannot read the file");
}

/// A file that is no program is one failure; the others run.
#[test]
fn a_broken_file_fails_alone() {
    let folder = folder("test-broken");
    folder.write("broken.lua", "scenario('a', function()\n");
    folder.run(&["test", "broken.lua"]).exits(2).says("broken.lua:");
    let ran = folder.run(&["test", "broken.lua", "good.lua"]).exits(1);
    assert!(ran.out.contains("FAILED  broken.lua\n  broken.lua:"), "{}", ran.out);
    ran.shows("2 scenarios: 2 passed, 0 failed, 1 file cannot be used; seed 1");
}

/// However many run at once, and in whatever order: the same reports, byte by byte.
#[test]
fn jobs_and_order_change_nothing() {
    let folder = folder("test-order");
    let many: String =
        (0..40).map(|n| format!("scenario('n{n}', function() updates({n}) expect({n}):differs(7) end)\n")).collect();
    folder.write("many.lua", many);
    let run = |arguments: &[&str]| {
        let all =
            [&["test", "--coverage", "--tap", "r.tap", "--junit", "r.xml", "--json", "r.json"], arguments].concat();
        let out = folder.run(&all).exits(1).out;
        [out, folder.read("r.tap"), folder.read("r.xml"), folder.read("r.json")]
    };
    let one = run(&["--jobs", "1"]);
    assert_eq!(one, run(&["--jobs", "3"]));
    assert_eq!(one, run(&["--repeat", "2"]));
    let shuffled = run(&["--shuffle=7", "--jobs", "2"]);
    assert_eq!(shuffled, run(&["--shuffle=7", "--jobs", "1"]));
    assert_eq!(shuffled[0].replace("; order of --shuffle=7", ""), one[0]);
    assert!(shuffled[1].contains("--shuffle=7") && shuffled[2].contains("name=\"shuffle\" value=\"7\""));
    assert_eq!(json(&shuffled[3])["shuffle"], 7);
    // Without a seed there is one, and it is told.
    let ran = folder.run(&["test", "--shuffle", "good.lua"]).exits(0);
    assert!(ran.out.contains("; order of --shuffle="), "{}", ran.out);
}

#[test]
fn only_is_for_the_moment() {
    let folder = folder("test-only");
    folder.write("only.lua", "scenario('a', function() end)\nonly('b', function() end)\n");
    let ran = folder.run(&["test"]).exits(0);
    ran.shows("1 scenario: 1 passed, 0 failed, 6 left out by only; seed 1");
    folder.run(&["test", "--forbid-only"]).exits(2).says("only.lua:2: \"b\" is marked with only");
    let output = command(&folder.0, &["test"]).env("CI", "true").output().expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    folder.run(&["test", "--forbid-only", "good.lua"]).exits(0);
}

#[test]
fn failing_fast_leaves_the_rest() {
    let folder = folder("test-fast");
    let many: String =
        (0..30).map(|n| format!("scenario('n{n}', function() expect({n} < 5):is_true() end)\n")).collect();
    folder.write("many.lua", many);
    for jobs in ["1", "4"] {
        let ran = folder.run(&["test", "--fail-fast", "--jobs", jobs, "many.lua"]).exits(1);
        ran.shows("30 scenarios: 5 passed, 1 failed, 24 not run; seed 1");
    }
}

#[test]
fn what_failed_is_run_first() {
    let folder = folder("test-failed");
    folder.run(&["test"]).exits(1);
    // Nothing that passed before it is run now.
    let ran = folder.run(&["test", "--failed-first", "--fail-fast", "--jobs", "1"]).exits(1);
    ran.shows("5 scenarios: 0 passed, 1 failed, 4 not run; seed 1");
    folder.write("inner/bad.lua", BAD.replace("equals('hand')", "equals('hilt')"));
    folder.run(&["test", "--failed-first"]).exits(0);
    // A cache that is no JSON is as good as none.
    for name in fs::read_dir(folder.0.join(".cache")).expect("the cache") {
        fs::write(name.expect("an entry").path(), "{").expect("a file");
    }
    folder.run(&["test", "--failed-first"]).exits(0);
}

#[test]
fn runs_that_differ_are_told() {
    let folder = folder("test-repeat");
    folder.run(&["test", "--repeat", "3", "good.lua"]).exits(0);
    folder.run(&["test", "--repeat", "0", "good.lua"]).exits(2);
}

#[test]
fn budgets_can_be_given() {
    let folder = Folder::new("test-budgets");
    folder.write(
        "slow.lua",
        "scenario('updates', function() while true do next_update() end end)
scenario('own updates', {updates = 3}, function() while true do next_update() end end)
scenario('seconds', {updates = 1000000000, seconds = 0.05}, function() while true do next_update() end end)
scenario('steps', function() while true do end end)
",
    );
    let ran = folder.run(&["test", "--max-updates", "20"]).exits(1);
    let ran = ran.shows("slow.lua:1: the scenario took more than 20 updates");
    let ran = ran.shows("slow.lua:2: the scenario took more than 3 updates");
    let ran = ran.shows("slow.lua:3: the scenario took more than 0.05 seconds");
    ran.shows("slow.lua:4: the script took more than 1000000 steps in one update");
}

#[test]
fn the_seed_can_be_given() {
    let folder = Folder::new("test-seed");
    folder.write("rnd.lua", "scenario('rnd', function() print(player:rnd(1000000)) expect(1):equals(2) end)");
    let printed = |seed: &str| {
        let ran = folder.run(&["test", "--seed", seed, "--json", "-"]).exits(1);
        let report = json(&ran.out);
        assert_eq!(report["scenarios"][0]["seed"].to_string(), seed);
        report["scenarios"][0]["printed"][0].clone()
    };
    assert_eq!(printed("7"), printed("7"));
    assert_ne!(printed("7"), printed("8"));
}

/// Read by the parser of another crate's own.
#[test]
fn junit_is_junit() {
    let folder = folder("test-junit");
    folder.write("broken.lua", "scenario(");
    folder.write(
        "inner/odd.lua",
        "scenario('<&> \"x\"', function() print(']]> \\1 &amp;') expect('\\27[31m'):equals('<') end)",
    );
    folder.run(&["test", "--junit", "report.xml"]).exits(1);
    let report = Report::deserialize_from_str(&folder.read("report.xml")).expect("JUnit");
    assert_eq!((report.tests, report.failures, report.errors, report.skipped), (7, 2, 1, 1));
    let names: Vec<_> = report.test_suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, ["good.lua", "inner/bad.lua", "inner/odd.lua", "broken.lua"]);
    let failed = &report.test_suites[1].test_cases[0];
    let TestCaseStatus::NonSuccess { message, description, .. } = &failed.status else { panic!("{failed:?}") };
    assert_eq!(
        message.as_ref().map(|text| text.as_str()),
        Some("inner/bad.lua:7: equals: expected \"hand\", found \"hilt\"")
    );
    assert!(description.as_ref().is_some_and(|text| text.as_str().contains("the last updates of CYRUS")));
    assert_eq!(failed.system_out.as_ref().map(|text| text.as_str()), Some("told by fails"));
    assert!(failed.properties.iter().any(|of| of.name.as_str() == "seed" && of.value.as_str() == "1"));
    assert_eq!(report.test_suites[2].test_cases[0].name.as_str(), "<&> \"x\"");
    assert!(report.test_suites[0].test_cases[0].system_out.is_none());
}

/// One line of TAP: number, whether it is ok, and the directive.
fn tap_line(line: &str) -> Option<(usize, bool, Option<&str>)> {
    let (ok, rest) = match line.strip_prefix("not ") {
        Some(rest) => (false, rest),
        None => (true, line),
    };
    let rest = rest.strip_prefix("ok ")?;
    let (number, description) = rest.split_once(" - ")?;
    let directive = description.match_indices('#').find(|(at, _)| !description[..*at].ends_with('\\'));
    Some((number.parse().ok()?, ok, directive.map(|(at, _)| description[at + 1..].trim())))
}

#[test]
fn tap_is_tap() {
    let folder = folder("test-tap");
    folder.write("broken.lua", "scenario(");
    folder.write("odd.lua", "scenario('a # skip', function() expect('---\\n...'):equals(1) end)");
    let ran = folder.run(&["test", "--tap", "-"]).exits(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[..2], ["TAP version 13", "1..7"]);
    let read: Vec<_> = lines.iter().filter_map(|line| tap_line(line)).collect();
    let expected = [
        (1, true, None),
        (2, true, None),
        (3, false, None),
        (4, true, Some("SKIP no \\# sword")),
        (5, true, None),
        (6, false, None),
        (7, false, None),
    ];
    assert_eq!(read, expected);
    // Every other line is a comment, the plan, or within a block of YAML that is closed.
    let mut is_open = false;
    for line in &lines[2..] {
        match *line {
            "  ---" => is_open = true,
            "  ..." => is_open = false,
            _ if is_open => assert!(line.starts_with("  "), "{line}"),
            _ => assert!(line.starts_with('#') || tap_line(line).is_some(), "{line}"),
        }
    }
    assert!(!is_open && !ran.out.contains("told by draws"));
    // The text goes to stderr then.
    assert!(ran.err.contains("5 passed") || ran.err.contains("scenarios:"), "{}", ran.err);
}

#[test]
fn json_tells_everything() {
    let folder = folder("test-json");
    folder.write("broken.lua", "scenario(");
    let ran = folder.run(&["test", "--json", "report.json", "--coverage"]).exits(1);
    let report = json(&folder.read("report.json"));
    assert_eq!((&report["soup386_test"], &report["summary"]["passed"]), (&json("1"), &json("3")));
    let failed = &report["scenarios"][2];
    assert_eq!(
        (&failed["status"], &failed["line"], &failed["tags"][1]),
        (&json("\"failed\""), &json("1"), &json("\"slow\""))
    );
    let failure = &failed["failure"];
    assert_eq!((&failure["kind"], &failure["line"]), (&json("\"expectation\""), &json("7")));
    assert_eq!((&failure["expected"], &failure["found"]), (&json("\"\\\"hand\\\"\""), &json("\"\\\"hilt\\\"\"")));
    assert_eq!(failure["local_trace"][0]["updates"][1]["values"]["group"], 91);
    assert_eq!(report["files_that_cannot_be_used"][0]["file"], "broken.lua");
    let commands = &report["coverage"]["animation_commands"];
    let n = |list: &Value| list.as_array().map_or(0, Vec::len);
    assert_eq!(n(&commands["reached"]) + n(&commands["not_reached"]), 16);
    assert!(commands["reached"].as_array().is_some_and(|reached| reached.contains(&json("\"ShowFrame\""))));
    let refusals = json("[{\"function\": \"drawsword\", \"gate\": \"drawing_sword\"}]");
    assert_eq!(report["coverage"]["refusals"], refusals);
    ran.shows("  animation commands: ").shows("reached: drawing_sword");
}

/// Whole or not at all, beside what scripts print, and no file is left over.
#[test]
fn reports_are_written_whole() {
    let folder = folder("test-whole");
    folder.run(&["test", "--tap", "t.tap", "--junit", "j.xml", "--json", "j.json"]).exits(1);
    let names: BTreeSet<String> = folder.names().into_iter().collect();
    let expected = [".cache", "director.lua", "good.lua", "inner", "j.json", "j.xml", "t.tap"].map(str::to_owned);
    assert_eq!(names, BTreeSet::from(expected));
    assert!(!folder.read("t.tap").contains("told by draws"));
}

#[test]
fn goldens_are_written_and_reviewed() {
    let folder = Folder::new("test-golden");
    let text = "scenario('draws', function() actor('CYRUS'):drawsword() updates(2) golden('g.jsonl') end)";
    folder.write("a.lua", text);
    folder.run(&["test"]).exits(1).shows("a.lua:1: golden: there is no file \"g.jsonl\"; --update writes it");
    folder.run(&["test", "--update"]).exits(0).shows("golden g.jsonl (a.lua: draws): new, 4 lines\n");
    let written = folder.read("g.jsonl");
    let ran = folder.run(&["test", "--update"]).exits(0);
    assert!(!ran.out.contains("golden g.jsonl"), "{}", ran.out);
    folder.write("g.jsonl", written.replace("\"group\":91", "\"group\":90"));
    let ran = folder.run(&["test"]).exits(1);
    ran.shows("golden: g.jsonl:2: update 0, actor CYRUS, group: expected 90, found 91")
        .shows("around it, actor CYRUS:");
    let ran = folder.run(&["test", "--update"]).exits(0);
    ran.shows(
        "golden g.jsonl (a.lua: draws):\n  update 0, CYRUS, group\n    - 90\n    + 91\n  update 1, CYRUS, group\n",
    );
    assert_eq!(folder.read("g.jsonl"), written);
    // A trace that `run` writes holds as a golden.
    folder.write("b.lua", "actor('CYRUS'):drawsword() updates(1)");
    folder.run(&["run", "--updates", "2", "--trace", "g.jsonl", "-q", "b.lua"]).exits(0);
    folder.run(&["test"]).exits(0);
    folder.run(&["trace", "show", "g.jsonl"]).exits(0);
}

/// Nothing is written for what failed otherwise, or when two scenarios disagree.
#[test]
fn goldens_are_not_written_in_doubt() {
    let folder = Folder::new("test-doubt");
    folder.write("a.lua", "scenario('a', function() next_update() golden('a.jsonl') expect(1):equals(2) end)");
    folder.run(&["test", "--update"]).exits(1);
    folder.write("a.lua", "for i = 1, 2 do scenario('s' .. i, function() updates(i) golden('a.jsonl') end) end");
    folder.run(&["test", "--update"]).exits(2).says("no golden is written: a.jsonl: \"a.lua: s1\" and \"a.lua: s2\"");
    assert_eq!(folder.names(), [".cache", "a.lua"]);
    folder.write("a.lua", "scenario('a', function() next_update() golden('../a.jsonl') end)");
    folder.run(&["test", "--update"]).exits(1).shows("expected a path beneath the script's folder");
}

/// The first round runs all, later ones what a change touches: a module, then a scene.
#[test]
fn watching_runs_what_a_change_touches() {
    let folder = Folder::new("test-watch");
    folder.write("s.toml", super::cli::SCENE);
    folder.write("m.lua", "return 1");
    folder.write("a.lua", "local m = require 'm'\nscenario('a', function() expect(m):equals(1) end)");
    let of_scene =
        "scene 's.toml'\nfor i = 1, 2 do scenario('b' .. i, function() expect(find('C')):equals(nil) end) end";
    folder.write("b.lua", of_scene);
    let mut watch = command(&folder.0, &["test", "-q", "--watch"]);
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut lines = BufReader::new(watch.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    let mut messages = BufReader::new(watch.stderr.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    let mut summary = |wanted: &str| lines.find(|line| line.ends_with("; seed 1") && line.starts_with(wanted));
    assert_eq!(summary("").as_deref(), Some("3 scenarios: 3 passed, 0 failed; seed 1"));
    assert!(messages.any(|line| line.starts_with("watching")));
    folder.write("m.lua", "return 2");
    assert_eq!(summary("").as_deref(), Some("1 scenario: 0 passed, 1 failed; seed 1"));
    // What follows may be about the module once more, as it was written in two steps.
    folder.write("s.toml", format!("{}[[actor]]\nname = \"C\"\n", super::cli::SCENE));
    assert_eq!(summary("2 scenarios").as_deref(), Some("2 scenarios: 0 passed, 2 failed; seed 1"));
    watch.kill().expect("the watch ends");
    watch.wait().expect("it ended");
}

/// The scenarios that ship hold, ten in each language, and the programs beside them are passed over.
#[test]
fn the_scenarios_that_ship_hold() {
    let folder = Folder::new("test-scripts");
    let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts");
    folder.run(&["test", scripts]).exits(0).shows("20 scenarios: 20 passed, 0 failed");
}
