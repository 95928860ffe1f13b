//! `soup386 trace plot`: what is drawn of a trace.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

/// A program that counts, beside an actor without one.
const SCENE: &str = "soup386 = 1\n[[actor]]\nname = \"<A&\\\"B>\"\n[actor.program]\nlocals = [0, 9]\n\
                     bytes = \"0A 00 0A 00 01 07 01000000 00 13\"\n[[actor]]\nname = \"C\"\n";

/// A folder with the trace of four updates.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("soup386-plot-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        fs::write(path.join("yard.toml"), SCENE).expect("a file can be written");
        let folder = Self(path);
        let run = ["run", "--scene", "yard.toml", "--updates", "4", "-q", "--trace", "t.jsonl", "--trace-scripts"];
        folder.run(&run, 0);
        folder
    }

    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soup386"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null()).env_remove("SOUP386_LOG");
        let Output { status, stdout, stderr } = command.output().expect("the command starts");
        let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
        assert_eq!(status.code(), Some(code), "{arguments:?}\nstdout: {out}\nstderr: {err}");
        (out, err)
    }

    #[track_caller]
    fn plot(&self, more: &[&str], code: i32) -> (String, String) {
        self.run(&[&["trace", "plot", "t.jsonl", "-o", "-"], more].concat(), code)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The paths of lines of values, with what they are called.
fn lines(svg: &str) -> Vec<(&str, &str)> {
    let line = |line: &'_ str| -> Option<(usize, usize)> {
        let path = line.strip_prefix("<path d=\"")?.split_once('"')?.0.len();
        Some((path, line.find("<title>")?))
    };
    svg.lines()
        .filter_map(|text| {
            let (path, title) = line(text)?;
            let title = text[title + 7..].split_once("</title>")?.0;
            Some((title, &text[9..9 + path]))
        })
        .collect()
}

#[test]
fn values_are_steps_and_texts_are_heights() {
    let folder = Folder::new("steps");
    let (svg, _) = folder.plot(&["--fields", "locals[0],shown", "--actor", "<a&\"b>"], 0);
    let steps = "M110.00 160.00H317.50V118.00H525.00V76.00H732.50V34.00H940.00";
    assert_eq!(lines(&svg), [("&lt;A&amp;&quot;B&gt;", steps), ("&lt;A&amp;&quot;B&gt;", "M110.00 97.00H940.00")]);
    for text in [">locals[0]</text>", ">1</text>", ">4</text>", ">none</text>", ">3</text>", "viewBox=\"0 0 960 380\""]
    {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
}

#[test]
fn lists_have_a_line_for_each_value_and_actors_without_a_value_have_none() {
    let folder = Folder::new("lists");
    let (svg, _) = folder.plot(&["--fields", "locals,pc,hand_pos[1],position", "--from", "2", "--to", "2"], 0);
    let titles: Vec<_> =
        lines(&svg).into_iter().map(|(title, path)| (title.replace("&lt;A&amp;&quot;B&gt;", "A"), path)).collect();
    let whole = "M110.00 97.00H940.00";
    let expected = [
        ("A [0]", "M110.00 160.00H940.00"),
        ("A [1]", "M110.00 34.00H940.00"),
        ("A", whole),
        ("C", ""),
        ("A", whole),
        ("C", whole),
    ];
    assert_eq!(titles, expected.map(|(title, path)| (title.to_owned(), path)));
}

/// Where an actor or a value is away there is a gap.
#[test]
fn gaps() {
    let folder = Folder::new("gaps");
    let text = fs::read_to_string(folder.0.join("t.jsonl")).expect("a trace");
    let kept: Vec<_> = text.lines().filter(|line| !line.starts_with("{\"tick\":1,")).collect();
    fs::write(folder.0.join("t.jsonl"), kept.join("\n")).expect("a file can be written");
    let (svg, _) = folder.plot(&["--fields", "hand_item", "--actor", "C"], 0);
    assert_eq!(lines(&svg), [("C", "M110.00 97.00H317.50M525.00 97.00H940.00")]);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let folder = Folder::new("faults");
    let cases: [(&[&str], &str); 9] = [
        (&["--fields", "grup"], "the trace has no field \"grup\"; did you mean \"group\"?"),
        (
            &["--fields", "hand_pos[x]"],
            "expected a key of the trace, or one value of a list such as hand_pos[1], found \"hand_pos[x]\"",
        ),
        (&["--fields", ""], "expected a key of the trace"),
        (&["--fields", "group[0]"], "t.jsonl:2: group is no list"),
        (&["--actor", "D"], "the trace has no actor \"d\""),
        (&["--from", "9"], "t.jsonl: the trace has no line of these updates"),
        (&["-o", "x"], "cannot be used multiple times"),
        (&["--fields", "flags"], "the trace has no field \"flags\""),
        (&["--fields", "displays[0],hand_item", "--to", "x"], "invalid value 'x' for '--to <N>'"),
    ];
    for (more, expected) in cases {
        let (_, err) = folder.plot(more, 2);
        assert!(err.contains(expected), "{more:?}: {err}");
    }
    let (_, err) = folder.run(&["trace", "plot", "t.jsonl", "-o", "none/x.svg"], 2);
    assert!(err.contains("cannot write none/x.svg: there is no folder none"), "{err}");
    let (_, err) = folder.run(&["trace", "plot", "yard.toml", "-o", "x.svg"], 2);
    assert!(err.contains("yard.toml:1: not JSON") && !folder.0.join("x.svg").exists(), "{err}");
    folder.run(&["trace", "plot", "t.jsonl", "-o", "x.svg"], 0);
    assert_eq!(fs::read_to_string(folder.0.join("x.svg")).expect("a picture"), folder.plot(&[], 0).0);
}
