//! Programs on the command line: the trace of programs, faults, and the step debugger on stdin.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

const SCENE: &str = "soup386 = 1\n[[actor]]\nname = \"GUARD\"\nscript = \"guard.soup\"\n[[flag]]\nname = \"Door\"\n";

const PROGRAM: &str = "soup386 program 1\n\nvar0 = 0\nGUARD (Execution starts at #MAIN)\n{\n  #ENTRY:\n  var0 = var0 + 1\n  \
                       End #ENTRY\n\n  #MAIN:\n  HandItem(7)\n  @Wait(50)\n  Door = var0 * 2\n  Wait(9)\n  Goto #MAIN\n}\n";

/// A folder with a scene and its program.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, program: &str) -> Self {
        let path = std::env::temp_dir().join(format!("soup386-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        fs::write(path.join("yard.toml"), SCENE).expect("a file can be written");
        fs::write(path.join("guard.soup"), program).expect("a file can be written");
        Self(path)
    }

    /// Exit code, stdout and stderr of a run with these lines on stdin.
    fn run(&self, arguments: &[&str], input: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soup386"));
        command.args(["run"]).args(arguments).current_dir(&self.0).env_remove("SOUP386_LOG");
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        // A run that ends early does not read to the end.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the command ends");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert!(!err.contains("panicked"), "{err}");
        (output.status.code().expect("an exit code"), out, err)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Y103: the trace on stdout, with where the programs stand, and the flags.
#[test]
fn a_trace_of_programs() {
    let folder = Folder::new("soup-trace", PROGRAM);
    let arguments = ["--scene", "yard.toml", "--updates", "3", "--trace", "-", "--trace-scripts"];
    let (code, out, err) = folder.run(&arguments, "");
    assert_eq!(code, 0, "{err}");
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 7, "a header, and two lines for each update");
    assert_eq!((&lines[5]["locals"][0], &lines[5]["tasks"][1]["native"]), (&Value::from(3), &Value::from("Wait")));
    assert_eq!((&lines[6]["flags"][0], &lines[6]["tick"]), (&Value::from(2), &Value::from(2)));
    let (code, _, err) = folder.run(&["--scene", "yard.toml", "--trace-scripts"], "");
    assert_eq!(code, 2, "the option belongs to a trace");
    assert!(err.contains("--trace"), "{err}");
}

/// Y41: a fault is told with actor, program and offset, and shows in the exit code.
#[test]
fn a_fault_on_the_command_line() {
    let folder = Folder::new("soup-fault", &PROGRAM.replace("var0 * 2", "var0 / 0"));
    let (code, out, err) = folder.run(&["--scene", "yard.toml", "--updates", "3"], "");
    assert_eq!(code, 1);
    assert!(err.contains("GUARD program +0x2"), "{err}");
    assert!(err.contains("division by zero; the program is stopped (actor GUARD, update 0)"), "{err}");
    assert!(out.contains("3 updates, 1 actor, 1 script failed"), "{out}");
}

/// A text at fault is shown with its line.
#[test]
fn a_text_at_fault() {
    let folder = Folder::new("soup-text", &PROGRAM.replace("HandItem", "HandItme"));
    let (code, out, err) = folder.run(&["--scene", "yard.toml"], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("guard.soup:11:"), "{err}");
    assert!(err.contains("HandItme(7)") && err.contains("did you mean"), "{err}");
}

/// A program is no director.
#[test]
fn a_program_as_director() {
    let folder = Folder::new("soup-director", PROGRAM);
    let (code, _, err) = folder.run(&["guard.soup", "--scene", "yard.toml"], "");
    assert_eq!(code, 2);
    assert!(err.contains("a SOUP program belongs to an actor: a director is a script in Lua or Rhai"), "{err}");
}

/// The debugger shows lines, locals, tasks, flags and the last call, and stops at labels and offsets.
#[test]
fn stepping_on_stdin() {
    let folder = Folder::new("soup-step", PROGRAM);
    let commands = "l\nb #MAIN\nb 0\nb 3\nb nowhere\nb NOBODY:0\nd 0\nc\nw\ns\nr\nn\ns\nt\nf\nnonsense\nh\nq\n";
    let (code, out, err) = folder.run(&["--scene", "yard.toml", "--updates", "50", "--step"], commands);
    assert_eq!(code, 0, "{err}");
    let mut rest = out.as_str();
    for expected in [
        "update 0 GUARD entry +0x00: var0 = var0 + 1\n",
        "var0 = 0\n",
        "stops at GUARD +0x10\n",
        "stops at GUARD +0x00\n",
        "no statement begins at +0x03\n",
        "no label or offset \"nowhere\"\n",
        "there is no actor \"NOBODY\"\n",
        "stops at GUARD +0x00 no more\n",
        "* update 0 GUARD main +0x10: HandItem(7)\n",
        "  +0x0B: End #00\n> +0x10: HandItem(7)\n",
        "main +0x19: @Wait(50)\n",
        "GUARD.HandItem(7) = 0\nhanditem refused: the item system is closed\n",
        ": Wait(9)\n",
        "0: Wait counter 1\n1: -\n",
        "Door = 2\n",
        "unknown command \"nonsense\"; help lists them\n",
        "quit",
        "1 update, 1 actor\n",
    ] {
        let at = rest.find(expected).unwrap_or_else(|| panic!("{expected:?} is not in {rest:?} of {out}"));
        rest = &rest[at + expected.len()..];
    }
}

/// Without further commands the run goes on to its end; beside a trace on stdout the answers go to stderr.
#[test]
fn an_ended_stdin() {
    let folder = Folder::new("soup-step-end", PROGRAM);
    let arguments = ["--scene", "yard.toml", "--updates", "4", "--step", "--trace", "-"];
    let (code, out, err) = folder.run(&arguments, "s\n");
    assert_eq!(code, 0, "{err}");
    assert_eq!(out.lines().count(), 5);
    assert!(err.contains("update 0 GUARD entry +0x0B: End #00"), "{err}");
}

/// Without a program there is nothing to stop at, which is said.
#[test]
fn stepping_without_a_program() {
    let folder = Folder::new("soup-step-none", PROGRAM);
    fs::write(folder.0.join("none.toml"), "soup386 = 1\n[[actor]]\nname = \"A\"\n").expect("a file can be written");
    let (code, out, err) = folder.run(&["--scene", "none.toml", "--updates", "2", "--step"], "");
    assert_eq!((code, out.as_str()), (0, "2 updates, 1 actor\n"));
    assert_eq!(err, "warning: no actor has a SOUP program: there is nothing to step through\n");
}
