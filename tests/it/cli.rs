//! The command as users meet it: exit codes, what goes to which stream, and no panic for any input.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A folder of one test, removed at its end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("soup386-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("a file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file can be read")
    }

    /// Runs the command in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(arguments, command(&self.0, arguments).output().expect("the command starts"))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = command(&self.0, arguments);
        let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("the command starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the command reads");
        Ran::of(arguments, child.wait_with_output().expect("the command ends"))
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soup386"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
        .env_remove("SOUP386_LOG")
        .env_remove("NO_COLOR")
        .env_remove("CI")
        .env("SOUP386_CACHE", folder.join(".cache"));
    command
}

/// How a run of the command went.
pub(crate) struct Ran {
    arguments: String,
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn of(arguments: &[&str], output: Output) -> Self {
        let ran = Self {
            arguments: arguments.join(" "),
            code: output.status.code().expect("an exit code"),
            out: String::from_utf8(output.stdout).expect("stdout is text"),
            err: String::from_utf8(output.stderr).expect("stderr is text"),
        };
        assert!(!ran.err.contains("panicked"), "{}: {}", ran.arguments, ran.err);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{}: colours into a pipe", ran.arguments);
        ran
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\nstdout: {}\nstderr: {}", self.arguments, self.out, self.err);
        // What could not run says so on stderr alone.
        assert!(code != 2 || (self.out.is_empty() && !self.err.is_empty()), "{}: {}", self.arguments, self.out);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "{}: {words:?} is not in stderr: {}", self.arguments, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn shows(self, words: &str) -> Self {
        assert!(self.out.contains(words), "{}: {words:?} is not in stdout: {}", self.arguments, self.out);
        self
    }
}

pub(crate) const SCENE: &str = "soup386 = 1\n[[actor]]\nname = \"A\"\nplayer = true\n[[actor]]\nname = \"B\"\n";

/// The lines of a trace as JSON, header first.
fn lines(trace: &str) -> Vec<Value> {
    trace.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn every_help_ends_with_two_examples() {
    let folder = Folder::new("help");
    let commands = [
        "",
        "run",
        "test",
        "trace",
        "trace diff",
        "trace show",
        "natives",
        "demo",
        "inspect",
        "import",
        "census",
        "torture",
        "repl",
    ];
    for command in commands {
        let mut arguments: Vec<_> = command.split_whitespace().collect();
        arguments.push("--help");
        let ran = folder.run(&arguments).exits(0);
        let (_, examples) = ran.out.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}: {}", ran.out));
        assert_eq!(examples.matches("  soup386 ").count(), 2, "{command}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = Folder::new("usage");
    for arguments in [
        &[][..],
        &["nonsense"],
        &["run", "--updates", "-1"],
        &["run", "--nominal", "1,x"],
        &["run", "--nominal", "-1"],
        &["run", "--seed", "4294967296"],
        &["run", "--trace-events"],
        &["run", "absent.lua"],
        &["run", "--scene", "absent.toml"],
        &["demo"],
        &["trace"],
        &["trace", "diff", "a"],
        &["trace", "diff", "-", "-"],
        &["trace", "diff", "absent", "absent"],
        &["trace", "show", "absent"],
        &["natives", "--format", "xml"],
        &["natives", "--state", "missing"],
        &["inspect"],
        &["inspect", "absent.toml"],
    ] {
        folder.run(arguments).exits(2);
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn the_demo_runs_to_its_end() {
    let folder = Folder::new("demo-run");
    folder.run(&["run"]).exits(0).shows("the sword is in the hand").shows(" updates, 2 actors\n");
    let quiet = folder.run(&["run", "--quiet"]).exits(0);
    assert!(!quiet.out.contains("2 actors"), "{}", quiet.out);
    folder.run(&["run", "--updates", "3"]).exits(0).shows("3 updates, 2 actors\n");
    folder.run(&["run", "--ticks", "1"]).exits(0).shows("1 update, 2 actors\n");
}

#[test]
fn the_written_demo_runs_like_the_built_in_one() {
    let folder = Folder::new("demo");
    folder.run(&["demo", "made/duel"]).exits(0).shows("scene.toml\n");
    let written = folder.run(&["run", "--scene", "made/duel/scene.toml"]).exits(0);
    assert_eq!(written.out, folder.run(&["run"]).exits(0).out);
    let before = folder.read("made/duel/scene.toml");
    folder.run(&["demo", "made/duel"]).exits(2).says("already there");
    assert_eq!(folder.read("made/duel/scene.toml"), before);
}

#[test]
fn a_broken_scene_is_shown_at_its_place() {
    let folder = Folder::new("broken");
    for (text, place, words, line) in [
        ("soup386 = 1\nseed = = 2\n", ":2:", "", "seed = = 2"),
        ("soup386 = 1\nsede = 2\n", ":2:1: ", "did you mean \"seed\"", "sede = 2"),
        ("soup386 = 1\nseed = \"x\"\n", ":2:8: ", "seed", "seed = \"x\""),
        ("soup386 = 1\n[[actor]]\nname = 3\n", ":3:8: ", "actor[0].name", "name = 3"),
        ("soup386 = 2\n", ":1:11: ", "", "soup386 = 2"),
        ("soup386 = 1\ndirector = \"absent.lua\"\n", ":2:12: ", "absent.lua", "director = \"absent.lua\""),
    ] {
        folder.write("broken.toml", text);
        for command in [&["run", "--scene", "broken.toml"][..], &["inspect", "broken.toml"]] {
            folder.run(command).exits(2).says(&format!("broken.toml{place}")).says(words).says(line);
        }
    }
}

#[test]
fn files_of_any_content_are_refused_in_words() {
    let folder = Folder::new("content");
    fs::create_dir(folder.0.join("folder.toml")).expect("a folder");
    folder.write("empty.toml", "");
    folder.write("bytes.toml", [0xff, 0xfe, 0, 7, b'\n', 0x80]);
    folder.write("deep.toml", format!("soup386 = 1\nx = {}", "[".repeat(2_000)));
    for name in ["folder.toml", "empty.toml", "bytes.toml", "deep.toml"] {
        folder.run(&["run", "--scene", name]).exits(2).says(name);
        folder.run(&["inspect", name]).exits(2).says(name);
        folder.run(&["trace", "show", name]).exits(2).says(name);
        folder.run(&["trace", "diff", name, name]).exits(2).says(name);
    }
    folder.write("bytes.lua", [0xff, 0xfe, 0, 7]);
    folder.run(&["run", "bytes.lua"]).exits(2).says("bytes.lua");
    folder.write("other.txt", "print(1)");
    folder.run(&["run", "other.txt"]).exits(2).says("other.txt");
}

#[test]
fn a_trace_is_the_same_bytes_every_time() {
    let folder = Folder::new("trace");
    for name in ["a.jsonl", "b.jsonl"] {
        folder.run(&["run", "--trace", name, "--trace-events"]).exits(0);
    }
    assert_eq!(folder.read("a.jsonl"), folder.read("b.jsonl"));
    assert_eq!(folder.names(), ["a.jsonl", "b.jsonl"]);
    let to_stdout = folder.run(&["run", "--trace", "-", "--trace-events"]).exits(0);
    assert_eq!(to_stdout.out, folder.read("a.jsonl"));
    to_stdout.says("the sword is in the hand").says(" updates, 2 actors");
    let lines = lines(&folder.read("a.jsonl"));
    assert_eq!(lines[0]["soup386_trace"], 1);
    assert_eq!(lines[0]["actors"], serde_json::json!(["CYRUS", "GUARD"]));
    assert!(lines.iter().any(|line| line["event"] == "drawn"));
}

#[test]
fn a_trace_is_written_whole_or_not_at_all() {
    let folder = Folder::new("no-folder");
    let ran = folder.run(&["run", "--updates", "2", "--quiet", "--trace", "absent/t.jsonl"]);
    assert_eq!((ran.code, ran.err.contains("absent/t.jsonl")), (2, true), "{}", ran.err);
    folder.write("broken.lua", "if");
    folder.run(&["run", "broken.lua", "--trace", "t.jsonl"]).exits(2);
    assert_eq!(folder.names(), ["broken.lua"]);
}

#[cfg(unix)]
#[test]
fn a_trace_becomes_a_file_like_any_other() {
    use std::os::unix::fs::{MetadataExt, symlink};
    let folder = Folder::new("file");
    folder.write("plain.txt", "");
    symlink("t.jsonl", folder.0.join("link.jsonl")).expect("a link");
    let run = |target: &str| folder.run(&["run", "-q", "--updates", "1", "--trace", target]);
    run("t.jsonl").exits(0);
    let mode = |name: &str| fs::metadata(folder.0.join(name)).expect("a file").mode();
    assert_eq!(mode("t.jsonl"), mode("plain.txt"));
    folder.write("t.jsonl", "");
    run("link.jsonl").exits(0);
    assert!(folder.0.join("link.jsonl").is_symlink());
    assert_eq!(lines(&folder.read("t.jsonl")).len(), 3);
    assert_eq!(run("/dev/fd/1").exits(0).out, folder.read("t.jsonl"));
    let ran = run(".");
    assert_eq!((ran.code, ran.err.contains("cannot write the trace")), (2, true), "{}", ran.err);
}

#[test]
fn nominal_ticks_and_seed_replace_the_scenes() {
    let folder = Folder::new("replace");
    folder.write("draws.lua", "for _ = 1, 3 do print(player:rnd(1000)) end print(player:getframepassed())");
    let run = |more: &[&str]| folder.run(&[&["run", "-q", "draws.lua"], more].concat()).exits(0).out;
    let first = run(&[]);
    assert_eq!(first, run(&["--seed", "1", "--nominal", "1"]));
    assert_ne!(first, run(&["--seed", "2"]));
    assert!(run(&["--nominal", "3,0"]).ends_with("\n3\n"));
    folder.run(&["run", "-q", "draws.lua", "--seed", "9", "--trace", "t.jsonl"]).exits(0);
    assert_eq!(lines(&folder.read("t.jsonl"))[0]["seed"], 9);
}

#[test]
fn a_directors_error_ends_the_run_after_the_update() {
    let folder = Folder::new("director");
    folder.write("fails.lua", "updates(3)\nlocal nothing = nil\nprint(nothing.x)\n");
    let ran = folder.run(&["run", "fails.lua", "--updates", "50", "--trace", "t.jsonl"]).exits(1);
    let ran = ran.says("fails.lua:3: ").says("print(nothing.x)");
    assert!(ran.out.ends_with("4 updates, 2 actors, 1 script failed\n"), "{}", ran.out);
    let lines = lines(&folder.read("t.jsonl"));
    assert_eq!(lines[0]["updates"], 4);
    assert_eq!(lines.len(), 1 + 4 * 2);
    assert_eq!((&lines[8]["tick"], &lines[8]["actor"]), (&Value::from(3), &Value::from("GUARD")));
}

#[test]
fn an_actor_scripts_error_ends_that_script_alone() {
    let folder = Folder::new("actor");
    folder.write("scene.toml", format!("{SCENE}script = \"b.lua\"\n"));
    folder.write("b.lua", "next_update()\nme:drawsord()\n");
    folder.write("director.lua", "updates(5)\nprint(\"the director is done\")\n");
    let ran = folder.run(&["run", "--scene", "scene.toml", "director.lua"]).exits(1);
    let ran = ran.says("b.lua:2: ").says("actor B").says("drawsord").shows("the director is done");
    assert!(ran.out.ends_with("6 updates, 2 actors, 1 script failed\n"), "{}", ran.out);
}

#[test]
fn a_syntax_error_stops_before_the_first_update() {
    let folder = Folder::new("syntax");
    folder.write("scene.toml", format!("{SCENE}script = \"b.lua\"\n"));
    folder.write("b.lua", "local x = 1\nlocal = 2\n");
    folder.run(&["run", "--scene", "scene.toml"]).exits(2).says("b.lua:2: ").says("local = 2");
    folder.run(&["run", "b.lua"]).exits(2).says("b.lua:2: ");
}

#[test]
fn colours_stay_out_of_pipes() {
    let folder = Folder::new("colour");
    folder.write("broken.toml", "soup386 = 1\nsede = 2\n");
    for no_color in ["1", ""] {
        let arguments = ["run", "--scene", "broken.toml"];
        let output = command(&folder.0, &arguments).env("NO_COLOR", no_color).output().expect("the command starts");
        Ran::of(&arguments, output).exits(2).says("sede = 2");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new("pipe");
    folder.run(&["run", "-q", "--trace", "t.jsonl"]).exits(0);
    for arguments in [
        &["natives", "--format", "lua"][..],
        &["trace", "show", "t.jsonl"],
        &["trace", "diff", "t.jsonl", "t.jsonl"],
        &["inspect", "t.jsonl"],
        &["run", "--trace", "-"],
        &["demo", "d"],
    ] {
        let mut child = command(&folder.0, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.as_mut().expect("the command starts");
        drop(child.stdout.take());
        let mut err = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut err).expect("text");
        assert_eq!(child.wait().expect("the command ends").code(), Some(0), "{arguments:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("error"), "{arguments:?}: {err}");
    }
    assert!(folder.0.join("d/scene.toml").exists());
}

mod trace_diff {
    use super::*;

    const HEADER: &str = "{\"soup386_trace\":1,\"actors\":[\"A\",\"B\"],\"updates\":4,\"seed\":1}\n";

    fn row(tick: u64, actor: &str) -> String {
        format!(
            "{{\"tick\":{tick},\"actor\":\"{actor}\",\"group\":0,\"pending\":-1,\"cursor\":{tick},\"real_frame\":0,\
             \"speed_count\":0,\"loop\":0,\"exit\":false,\"model\":\"M\",\"frame\":0,\"state\":0,\"weapon_drawn\":0,\
             \"hand_item\":0,\"shown\":\"hilt\",\"shown_model\":\"S\",\"position\":[1.5,0.0,3],\"matrix\":null,\
             \"hand_pos\":[1,2,3],\"hand_angle\":[0,0,0],\"base\":null,\"tip\":[7,8,9],\"displays\":[]}}\n"
        )
    }

    fn trace() -> String {
        let rows = (0..4).flat_map(|tick| [row(tick, "A"), row(tick, "B")]);
        HEADER.to_owned() + rows.collect::<String>().as_str()
    }

    /// Compares the trace with one that is changed in one place.
    fn check(test: &str, from: &str, to: &str) -> Ran {
        let folder = Folder::new(&format!("diff-{test}"));
        let changed = trace().replacen(from, to, 1);
        assert_ne!(changed, trace(), "{from}");
        folder.write("a.jsonl", trace());
        folder.write("b.jsonl", changed);
        folder.run(&["trace", "diff", "a.jsonl", "b.jsonl"])
    }

    #[test]
    fn equal_traces_exit_with_0() {
        let folder = Folder::new("diff-equal");
        folder.write("a.jsonl", trace());
        let words = "the traces are equal: 4 updates, 2 actors\n";
        assert_eq!(folder.run(&["trace", "diff", "a.jsonl", "a.jsonl"]).exits(0).out, words);
        assert_eq!(folder.run_with_input(&["trace", "diff", "a.jsonl", "-"], &trace()).exits(0).out, words);
        assert_eq!(check("text", "[1.5,0.0,3]", "[15e-1,0,3.00000001]").exits(0).out, words);
    }

    #[test]
    fn the_first_difference_is_shown_with_what_is_around_it() {
        let folder = Folder::new("diff-first");
        folder.write("a.jsonl", trace());
        let changed = row(2, "B").replace("\"state\":0", "\"state\":20").replace("[7,8,9]", "[7,8,-9]");
        folder.write("b.jsonl", trace().replace(&row(2, "B"), &changed));
        let ran = folder.run(&["trace", "diff", "a.jsonl", "b.jsonl", "--context", "1"]).exits(1);
        let ran = ran.shows("first difference: update 2, actor B (a.jsonl:7, b.jsonl:7)\n");
        let table: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
        for expected in [
            "state 0 20",
            "tip[2] 9 -9",
            "1 both 0 -1 1 0 0 0 0 hilt (7, 8, 9)",
            "> 2 A 0 -1 2 0 0 0 0 hilt (7, 8, 9)",
            "> 2 B 0 -1 2 0 0 20 0 hilt (7, 8, -9)",
            "3 both 0 -1 3 0 0 0 0 hilt (7, 8, 9)",
        ] {
            assert!(table.contains(&expected.split(' ').collect()), "{expected:?} is not in {}", ran.out);
        }
        assert!(!table.iter().any(|words| words.starts_with(&["0", "both"])), "{}", ran.out);
    }

    #[test]
    fn single_precision_differs_by_its_bits() {
        check("negative-zero", "[1.5,0.0,3]", "[1.5,-0.0,3]").exits(1).shows("position[1]  0.0  -0.0\n");
        check("last-bit", "[1.5,0.0,3]", "[1.5000001,0.0,3]").exits(1).shows("position[0]  1.5  1.5000001\n");
        check("null", "[1.5,0.0,3]", "null").exits(1).shows("position  [1.5,0.0,3]  null\n");
    }

    #[test]
    fn headers_are_compared_first() {
        let ran = check("seed", "\"seed\":1", "\"seed\":2").exits(1);
        let ran = ran.shows("the headers differ:\n").shows("seed   1  2\n").shows("the updates are equal\n");
        assert!(!ran.out.contains("first difference"), "{}", ran.out);
        check("actors", "[\"A\",\"B\"]", "[\"A\",\"C\"]").exits(1).shows("actors[1]  \"B\"  \"C\"\n");
    }

    #[test]
    fn missing_and_extra_lines_are_differences() {
        let last = row(3, "B");
        let words = "B ends, A goes on with update 3, actor B (a.jsonl:9, b.jsonl:8)";
        check("missing", &last, "").exits(1).shows(words);
        let words = "A ends, B goes on with update 4, actor A (a.jsonl:9, b.jsonl:10)";
        check("extra", &last, &(last.clone() + row(4, "A").as_str())).exits(1).shows(words);
        let words = "A goes on with update 1, actor A, B with update 1, actor B (a.jsonl:4, b.jsonl:4)";
        check("middle", &row(1, "A"), "").exits(1).shows(words);
    }

    #[test]
    fn events_are_compared_when_both_traces_have_some() {
        let folder = Folder::new("diff-events");
        let event = |tick: u64, effect: u8| {
            format!("{{\"tick\":{tick},\"event\":\"sound\",\"actor\":\"A\",\"effect\":{effect}}}\n")
        };
        let with = |n: u64, event: &str| trace().replace(&row(n, "A"), &(event.to_owned() + row(n, "A").as_str()));
        folder.write("none.jsonl", trace());
        folder.write("at1.jsonl", with(1, &event(1, 40)));
        folder.write("other.jsonl", with(1, &event(1, 41)));
        folder.write("at3.jsonl", with(3, &event(3, 40)));
        let diff = |a: &str, b: &str| folder.run(&["trace", "diff", a, b]);
        diff("none.jsonl", "at1.jsonl").exits(0).shows("only the second has events");
        diff("at1.jsonl", "at1.jsonl").exits(0);
        diff("at1.jsonl", "other.jsonl").exits(1).shows("update 1, actor A, event sound").shows("effect  40  41\n");
        diff("at1.jsonl", "at3.jsonl").exits(1).shows("update 1, actor A, event sound").shows("B: no event here\n");
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let line = &row(1, "A");
        for (test, from, to, words) in [
            ("json", "{\"tick\":1", "{tick:1", "b.jsonl:4: not JSON: "),
            ("array", line, "[1]\n", "b.jsonl:4: expected a JSON object"),
            ("key", "\"cursor\":1,", "", "b.jsonl:4: the key \"cursor\" is missing"),
            ("kind", "\"cursor\":1", "\"cursor\":1.0", "b.jsonl:4: \"cursor\": expected an integer"),
            ("number", "\"cursor\":1", "\"cursor\":1e999", "b.jsonl:4: not JSON: "),
            ("display", "\"displays\":[]", "\"displays\":[{}]", "b.jsonl:2: displays[0]: the key \"kind\" is missing"),
            ("blank", line, "\n", "b.jsonl:4: "),
            ("event", line, "{\"event\":\"x\"}\n", "b.jsonl:4: an event needs \"tick\""),
            ("header", HEADER, "", "b.jsonl:1: the header is missing"),
            ("header-key", "\"seed\":1", "\"sede\":1", "b.jsonl:1: the header's key \"seed\" is missing"),
            ("version", "trace\":1", "trace\":2", "b.jsonl:1: version 2 of the trace format"),
        ] {
            check(test, from, to).exits(2).says(words);
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let folder = Folder::new("diff-long");
        folder.write("a.jsonl", trace());
        folder.write("long.jsonl", HEADER.to_owned() + " ".repeat((16 << 20) + 1).as_str());
        folder.run(&["trace", "diff", "a.jsonl", "long.jsonl"]).exits(2).says("long.jsonl:2: the line has more than");
    }

    #[test]
    fn a_table_shows_the_rows_and_columns_asked_for() {
        let folder = Folder::new("show");
        folder.write("t.jsonl", trace());
        let show = |more: &[&str]| folder.run(&[&["trace", "show", "t.jsonl"], more].concat());
        let all = show(&[]).exits(0);
        assert_eq!(all.out.lines().count(), 1 + 8);
        let head: Vec<_> = all.out.lines().next().expect("a head").split_whitespace().collect();
        assert_eq!(
            head.join(" "),
            "tick actor group pending cursor real_frame frame state drawn shown shown_model position"
        );
        let some = show(&["--actor", "b", "--from", "1", "--to", "2", "--columns", "tick,drawn,position,tip"]).exits(0);
        assert_eq!(
            some.out,
            "tick  drawn  position         tip\n   1      0  (1.5, 0.0, 3.0)  (7, 8, 9)\n   \
             2      0  (1.5, 0.0, 3.0)  (7, 8, 9)\n"
        );
        show(&["--columns", "tick,stat"]).exits(2).says("unknown column \"stat\"; did you mean \"state\"?");
        let ran = show(&["--actor", "D"]);
        assert_eq!((ran.code, ran.err.contains("the trace has no actor")), (2, true), "{}", ran.err);
        assert_eq!(folder.run_with_input(&["trace", "show", "-"], &trace()).exits(0).out, all.out);
    }
}

mod natives {
    use super::*;

    #[test]
    fn the_table_counts_all_functions() {
        let ran = Folder::new("natives").run(&["natives"]).exits(0);
        assert_eq!(ran.out.lines().count(), 1 + 367 + 1);
        let counts = ran.out.lines().last().expect("a last line");
        let numbers: Vec<usize> = counts.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers.len(), 3, "{counts}");
        assert_eq!(numbers.iter().sum::<usize>(), 367, "{counts}");
    }

    #[test]
    fn names_and_states_select() {
        let folder = Folder::new("natives-names");
        let ran = folder.run(&["natives", "DRAWSWORD", "Rnd"]).exits(0).shows("DrawSword").shows("Rnd");
        assert!(ran.out.ends_with("2 implemented, 0 delegated to the host, 0 undocumented\n"), "{}", ran.out);
        folder.run(&["natives", "drawsord"]).exits(2).says("did you mean \"DrawSword\"?");
        let ran = folder.run(&["natives", "--state", "undocumented"]).exits(0);
        assert!(ran.out.contains("\n0 implemented, 0 delegated to the host, "), "{}", ran.out);
    }

    #[test]
    fn json_holds_every_function() {
        let ran = Folder::new("natives-json").run(&["natives", "--format", "json"]).exits(0);
        let functions: Vec<Value> = serde_json::from_str(&ran.out).expect("an array");
        assert_eq!(functions.len(), 367);
        for (id, function) in functions.iter().enumerate() {
            assert_eq!(function["id"], id);
            for key in ["name", "script_name", "kind", "state", "source", "doc"] {
                assert!(function[key].is_string(), "{function}");
            }
            assert!(function["parameters"].is_array(), "{function}");
        }
    }

    #[test]
    fn definitions_for_lua_are_valid_lua() {
        let text = Folder::new("natives-lua").run(&["natives", "--format", "lua"]).exits(0).out;
        mlua::Lua::new().load(&text).exec().expect("the definitions run");
        assert!(text.starts_with("---@meta\n"));
        for property in soup386::defs::properties().rows() {
            let (class, field) = match property.name.rfind(['.', '[']) {
                Some(at) => (format!("Actor.{}", &property.name[..at]), property.name[at..].trim_start_matches('.')),
                None => ("Actor".to_owned(), property.name),
            };
            let (_, class_text) = text.split_once(&format!("---@class {class}\n")).expect(property.name);
            let class_text = class_text.split("\n\n").next().expect("a class");
            let hidden = format!("(\"{field}\")");
            let is_there = class_text.contains(&format!("---@field {field} ")) || class_text.contains(&hidden);
            assert!(is_there, "{} is not in {class}", property.name);
        }
        for function in soup386::defs::functions().rows() {
            let head = format!("function Actor:{}({}) end", function.script_name, function.parameters.join(", "));
            assert!(text.contains(&head) || function.script_name == "move", "{head}");
        }
    }

    #[test]
    fn definitions_for_rhai_have_every_function() {
        let text = Folder::new("natives-rhai").run(&["natives", "--format", "rhai"]).exits(0).out;
        assert!(text.starts_with("module static;\n"));
        assert!(text.contains("fn wait(self_actor: Actor, ticks: int) -> int;\n"));
        assert_eq!(text.lines().filter(|line| line.ends_with(") -> int;") && line.contains("self_actor")).count(), 367);
    }

    #[test]
    fn markdown_rows_have_the_same_number_of_cells() {
        let text = Folder::new("natives-markdown").run(&["natives", "--format", "markdown"]).exits(0).out;
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        let rows: Vec<_> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 2 + 367);
        assert!(rows.iter().all(|row| cells(row) == cells(rows[0])));
    }
}

mod inspect {
    use super::*;

    #[test]
    fn a_scene_is_shown_with_all_that_is_in_it() {
        let folder = Folder::new("inspect-scene");
        folder.run(&["demo", "."]).exits(0);
        let tree = folder.run(&["inspect", "scene.toml"]).exits(0);
        let tree = tree.shows("version: 1\n").shows("actors: 2\n").shows("attr_weapon: 1\n").shows("sabre: ");
        tree.shows("FENCER2: parent FENCER\n").shows("flags: none\n");
        let json: Value =
            serde_json::from_str(&folder.run(&["inspect", "scene.toml", "--json"]).exits(0).out).expect("JSON");
        assert_eq!((&json["kind"], &json["seed"]), (&Value::from("scene"), &Value::from(1)));
        assert_eq!(json["director"], "draw_and_sheathe.lua");
        assert_eq!(json["actors"][0]["player"], true);
        assert_eq!(json["items"].as_array().map(Vec::len), Some(4));
        assert!(json["actors"][0]["groups"][0]["commands"].is_u64());
    }

    #[test]
    fn a_trace_is_summed_up_by_actor() {
        let folder = Folder::new("inspect-trace");
        folder.run(&["run", "-q", "--trace", "t.out", "--trace-events"]).exits(0);
        folder.run(&["inspect", "t.out"]).exits(0).shows("CYRUS: draws 1, ").shows("sheaths 1");
        let json: Value =
            serde_json::from_str(&folder.run(&["inspect", "t.out", "--json"]).exits(0).out).expect("JSON");
        assert_eq!(json["header"]["updates"], json["updates"]);
        assert_eq!(json["actors"][0]["states"], serde_json::json!([0, 20, 21]));
        assert_eq!(json["actors"][1]["draws"], 0);
    }

    #[test]
    fn other_files_are_refused_with_what_can_be_inspected() {
        let folder = Folder::new("inspect-other");
        folder.write("x.bin", [0, 1, 2, 255]);
        folder.write("x.json", "{}");
        for name in ["x.bin", "x.json"] {
            folder.run(&["inspect", name]).exits(2).says("a scene").says("a trace");
        }
        folder.write("scene.txt", SCENE);
        folder.run(&["inspect", "scene.txt"]).exits(0).shows("kind: scene\n");
        folder.write("t.jsonl", "{\"soup386_trace\":9}\n");
        folder.run(&["inspect", "t.jsonl"]).exits(2).says("t.jsonl:1: version 9");
    }
}

/// What a script requires lies beneath its own folder, whatever the folder is that the command runs in.
#[test]
fn modules_lie_beneath_the_folder_of_the_script() {
    let folder = Folder::new("modules");
    fs::create_dir_all(folder.0.join("play/lib")).expect("a folder");
    folder.write("outside.lua", "return 'outside'");
    folder.write("play/lib/util.lua", "return { twice = function(n) return 2 * n end }");
    folder.write(
        "play/main.lua",
        "print(require('lib/util').twice(21), require('lib/util') == require('lib/util'))
         for _, name in ipairs({'../outside', '/etc/passwd', 'lib\\\\util', 'nothing', 'lib/leak'}) do
           print((select(2, pcall(require, name))))
         end",
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.0.join("outside.lua"), folder.0.join("play/lib/leak.lua")).expect("a link");
    let ran = folder.run(&["run", "--updates", "1", "play/main.lua"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "42\ttrue");
    assert!(lines[1..4].iter().all(|line| line.contains("a module name has letters, digits, _ and -")), "{lines:?}");
    assert!(lines[4].contains("no file nothing.lua beneath the script's folder"), "{lines:?}");
    #[cfg(unix)]
    assert!(lines[5].contains("the file lies outside the script's folder"), "{lines:?}");
}

#[test]
fn the_demo_is_a_game_that_runs_like_the_scene() {
    let folder = Folder::new("as-game");
    folder.run(&["demo", "game", "--as-game"]).exits(0).shows("game/maps/DEMO.RGM");
    folder.run(&["demo", "game", "--as-game"]).exits(2).says("is already there; nothing was written");
    folder.run(&["demo", "scene"]).exits(0);
    let game = ["run", "--game", "game", "--trace", "game.jsonl", "game/draw_and_sheathe.lua"];
    let of_game = folder.run(&game).exits(0).out;
    let of_scene = folder.run(&["run", "--scene", "scene/scene.toml", "--trace", "scene.jsonl"]).exits(0).out;
    assert_eq!(of_game, of_scene);
    assert_eq!(folder.read("game.jsonl"), folder.read("scene.jsonl"));
    let part = ["run", "--game", "game", "--map", "demo", "--actors", "guard", "--updates", "1", "--trace", "-"];
    assert_eq!(lines(&folder.run(&part).exits(0).out)[0]["actors"], serde_json::json!(["GUARD"]));
    folder.run(&["run", "--game", "game", "--map", "DEMA"]).exits(2).says("did you mean \"DEMO\"?");
    folder.run(&["run", "--game", "game", "--scene", "scene/scene.toml"]).exits(2);
    folder.run(&["run", "--map", "DEMO"]).exits(2);
}

#[test]
fn game_files_are_inspected_and_counted() {
    let folder = Folder::new("inspect-game");
    folder.run(&["demo", ".", "--as-game"]).exits(0);
    let json = |file: &str| -> Value {
        serde_json::from_str(&folder.run(&["inspect", file, "--json"]).exits(0).out).expect("JSON")
    };
    let map = json("maps/DEMO.RGM");
    assert_eq!(map["definitions"][0]["name"], "CYRUS");
    assert_eq!(map["definitions"][0]["frames"], serde_json::json!([{ "model": "FENCER", "count": 55 }]));
    assert_eq!(map["placements"][0]["position"], serde_json::json!([0, 0, 110]));
    assert_eq!(json("fxart/DEMO.ROB")["segments"][2]["extents"], serde_json::json!([2, 24, 5]));
    assert_eq!(json("fxart/FENCER.3DC")["n_frames"], 55);
    assert_eq!(json("ITEM.INI")["sections"]["items"]["name[1]"], "sabre");
    assert_eq!(json("SOUP386/SOUP386.DEF")["functions"][0]["name"], "sRotate");
    folder.run(&["inspect", "maps/DEMO.RGM"]).exits(0).shows("CYRUS: grip 100 101");
    let census: Value = serde_json::from_str(&folder.run(&["census", ".", "--json"]).exits(0).out).expect("JSON");
    assert_eq!(census["maps"][0]["name"], "DEMO");
    folder.run(&["census", "."]).exits(0).shows("1 map, 0 programs, 0 statements");
    folder.run(&["census", "nowhere"]).exits(2).says("cannot read the folder");
    for (name, words) in [
        ("x.rgm", "RAGR"),
        ("x.rob", "the header needs 20 bytes"),
        ("x.3d", "the header needs 64 bytes"),
        ("x.ini", "control character"),
        ("x.def", "control character"),
    ] {
        folder.write(name, b"RAGR\0\0\0\x04\xFF\xFF\xFF\xFFEND ");
        folder.run(&["inspect", name]).exits(2).says(words).says(name);
    }
}

#[test]
fn torture_tells_known_quirks_with_their_rules() {
    let folder = Folder::new("torture");
    let ran = folder.run(&["torture", "demo", "--actor", "guard", "--all", "--language", "rhai"]).exits(0);
    let ran = ran.shows("known, from the rules X14, U7, W12: ").shows("GUARD, draw, kill: the motion state stays 20");
    ran.shows("    let a = actor(\"GUARD\");").shows("disturbances tried: nothing that the rules do not demand");
    let json: Value = serde_json::from_str(&folder.run(&["torture", "demo", "--json"]).exits(0).out).expect("JSON");
    assert!(
        json["findings"].as_array().is_some_and(|findings| findings.iter().all(|found| found["rules"].is_string()))
    );
    folder
        .run(&["torture", "demo", "--actor", "GARD"])
        .exits(2)
        .says("there is no actor \"GARD\"; did you mean \"GUARD\"");
    folder.run(&["torture", "missing.toml"]).exits(2).says("missing.toml");
    folder.write("still.toml", SCENE);
    folder.run(&["torture", "still.toml"]).exits(0).shows("A is left out: drawsword refused: ");
}

#[test]
fn a_map_is_imported_whole_or_not_at_all() {
    let folder = Folder::new("import");
    folder.run(&["demo", "game", "--as-game"]).exits(0);
    folder.run(&["import", "--game", "game", "-o", "deep/scene"]).exits(0).shows("deep/scene/scene.toml");
    let game = ["run", "--game", "game", "--trace", "game.jsonl", "game/draw_and_sheathe.lua"];
    folder.run(&game).exits(0);
    let scene = "deep/scene/scene.toml";
    folder.run(&["run", "--scene", scene, "--trace", "scene.jsonl", "game/draw_and_sheathe.lua"]).exits(0);
    assert_eq!(folder.read("game.jsonl"), folder.read("scene.jsonl"));
    folder
        .run(&["import", "--game", "game", "-o", "deep/scene"])
        .exits(2)
        .says("is already there; nothing was written");
    folder.run(&["import", "-o", "other"]).exits(2).says("give its folder with --game");
    folder.write("game/maps/DEMO.RGM", "RAHD");
    folder.run(&["import", "--game", "game", "-o", "other"]).exits(2).says("the header of a section needs 8 bytes");
    assert_eq!(folder.names(), ["deep", "game", "game.jsonl", "scene.jsonl"]);
    assert!(
        !folder
            .0
            .join("deep")
            .read_dir()
            .expect("a folder")
            .any(|entry| { entry.expect("an entry").file_name().to_string_lossy().starts_with('.') })
    );
}
