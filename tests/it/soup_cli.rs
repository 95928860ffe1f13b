//! `disasm`, `asm`, `lint` and `inspect` as users meet them.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use crate::support::hex;

/// A folder of one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("soup386-programs-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).expect("a file can be written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("a file can be read")
    }

    #[track_caller]
    fn run(&self, arguments: &[&str], code: i32) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soup386"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null()).env_remove("SOUP386_LOG");
        let Output { status, stdout, stderr } = command.output().expect("the command starts");
        let (out, err) = (String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned());
        assert_eq!(status.code(), Some(code), "{arguments:?}\nstdout: {out}\nstderr: {err}");
        assert!(!err.contains("panicked"), "{err}");
        assert!(code != 2 || (out.is_empty() && !err.is_empty()), "{arguments:?}: {out}");
        (out, err)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const GUARD: &str = "05 05000000 02 2E01 01 07 01000000 02 2701 00 05 05000000";

/// Y90: bytes become text and the text those bytes.
#[test]
fn bytes_survive_as_text() {
    let folder = Folder::new("round");
    folder.write("guard.bin", hex(GUARD));
    let (text, _) = folder.run(&["disasm", "guard.bin", "--start", "5"], 0);
    assert!(text.starts_with("soup386 program 1\n\nguard (Execution starts at #05)\n{\n  End #05\n"), "{text}");
    folder.write("guard.soup", &text);
    let (said, _) = folder.run(&["asm", "guard.soup", "-o", "guard2.bin"], 0);
    assert_eq!(said, "guard2.bin: guard, 23 bytes, 4 statements, start 0x05, 0 strings, 0 locals\n");
    assert_eq!(folder.read("guard2.bin"), hex(GUARD));
    folder.run(&["disasm", "guard.bin", "--start", "0x5", "-o", "again.soup"], 0);
    assert_eq!(folder.read("again.soup"), text.as_bytes());
}

/// Y102: strings, locals, name and flags of bare bytes come from the command line.
#[test]
fn what_bytes_do_not_hold() {
    let folder = Folder::new("bare");
    folder.write("trap.bin", hex("0A 02 15 00000000 01 06 7001 00 0F 0401 1200"));
    folder.write("trap.txt", "door\r\ncyrus\n");
    let (text, _) = folder.run(&["disasm", "trap.bin"], 0);
    assert!(text.contains("var0 = 0\nvar1 = 0\nvar2 = 0\ntrap\n{\n  var2 = $0 + flag_368\n  $1.pos.vx++\n"), "{text}");
    let rest = ["--strings", "trap.txt", "--locals", "1,-2,3", "--name", "TRAP 1"];
    let (text, _) = folder.run(&[&["disasm", "trap.bin"], &rest[..]].concat(), 0);
    let expected = "$0 = \"door\"\n$1 = \"cyrus\"\nvar0 = 1\nvar1 = -2\nvar2 = 3\n\"TRAP 1\"\n{\n  var2 = \"door\" + flag_368\n  \
                    cyrus.pos.vx++\n}\n";
    assert!(text.ends_with(expected), "{text}");
    folder.write("flags.toml", "soup386 = 1\n[[flag]]\nname = \"gate\"\n[[actor]]\nname = \"A\"\n");
    let (_, err) = folder.run(&["disasm", "trap.bin", "--scene", "flags.toml"], 2);
    assert!(err.contains("trap.bin: trap at 0x00: flag 368 of 1"), "{err}");
    folder.write("gate.bin", hex("06 0000 07 01000000 00"));
    let (text, _) = folder.run(&["disasm", "gate.bin", "--scene", "flags.toml"], 0);
    assert!(text.contains("\n  gate = 1\n"), "{text}");
}

/// Y21, Y22, Y97: what is no program says where and why, and nothing is written.
#[test]
fn faults() {
    let folder = Folder::new("faults");
    folder.write("bad.bin", hex("18 18 0A 00 05"));
    let (_, err) = folder.run(&["disasm", "bad.bin"], 2);
    assert!(err.contains("bad.bin: bad at 0x02, byte 0x04: opcode 0x05 is not a value"), "{err}");
    folder.write("bad.soup", "soup386 program 1\nA\n{\n  Wayt(1)\n  Yield\n  Goto #A\n}\n");
    let (_, err) = folder.run(&["asm", "bad.soup", "-o", "bad.out"], 2);
    let expected = "bad.soup:4:3: no function is \"Wayt\"; did you mean \"Wait\"?\n  \u{20} Wayt(1)\n  \u{20} ^^^^\n\
                    bad.soup:6:8: no line has the label #A\n  \u{20} Goto #A\n  \u{20}      ^^\nbad.soup: 2 errors\n";
    assert_eq!(err, expected);
    assert!(!folder.0.join("bad.out").exists());
    for (name, content) in
        [("empty.soup", &b""[..]), ("latin.soup", b"soup386 program 1\n\xE9\n"), ("noise.soup", &[0; 99])]
    {
        folder.write(name, content);
        let (_, err) = folder.run(&["asm", name, "-o", "bad.out"], 2);
        assert!(err.starts_with(&format!("{name}:")) || err.starts_with(&format!("error: {name}:")), "{err}");
    }
    folder.write("long.bin", vec![0x18; (1 << 20) + 1]);
    assert!(folder.run(&["disasm", "long.bin"], 2).1.contains("more than 1048576 bytes"));
    assert!(folder.run(&["disasm", "none.bin"], 2).1.contains("cannot read none.bin"));
    assert!(folder.run(&["disasm", "bad.bin", "--start", "x"], 2).1.contains("decimal, or hexadecimal"));
    assert!(folder.run(&["disasm", "bad.bin", "A"], 2).1.contains("--name names the program"));
}

const TWO: &str = "soup386 program 1\n\nONE\n{\n  Yield\n}\n\nTWO\n{\n  Endint\n}\n";

/// Y90: of several programs one is named, without case.
#[test]
fn several_programs() {
    let folder = Folder::new("several");
    folder.write("two.soup", TWO);
    assert_eq!(folder.run(&["disasm", "two.soup"], 0).0, TWO);
    assert_eq!(folder.run(&["disasm", "two.soup", "two"], 0).0, "soup386 program 1\n\nTWO\n{\n  Endint\n}\n");
    assert!(folder.run(&["asm", "two.soup", "-o", "x.bin"], 2).1.contains("name one of ONE, TWO"));
    assert!(folder.run(&["asm", "two.soup", "THREE", "-o", "x.bin"], 2).1.contains("it has ONE, TWO"));
    folder.run(&["asm", "two.soup", "Two", "-o", "x.bin"], 0);
    assert_eq!(folder.read("x.bin"), [0x13]);
}

/// Programs of a scene's actors have the names of its flags.
#[test]
fn programs_of_a_scene() {
    let folder = Folder::new("scene");
    let scene = "soup386 = 1\n[[flag]]\nname = \"gate\"\n[[actor]]\nname = \"A\"\n[[actor]]\nname = \"B\"\n[actor.program]\n\
                 bytes = \"06 0000 07 01000000 00 18\"\n[[actor]]\nname = \"C\"\n[actor.program]\nbytes = \"13\"\n";
    folder.write("yard.toml", scene);
    let (text, _) = folder.run(&["disasm", "yard.toml"], 0);
    assert_eq!(text, "soup386 program 1\n\nB\n{\n  gate = 1\n  Yield\n}\n\nC\n{\n  Endint\n}\n");
    assert_eq!(folder.run(&["disasm", "yard.toml", "c"], 0).0, "soup386 program 1\n\nC\n{\n  Endint\n}\n");
    assert!(folder.run(&["disasm", "yard.toml", "A"], 2).1.contains("no program \"A\"; it has B, C"));
    folder.run(&["asm", "yard.toml", "B", "-o", "b.bin"], 0);
    assert_eq!(folder.read("b.bin"), hex("06 0000 07 01000000 00 18"));
    let (out, _) = folder.run(&["lint", "yard.toml", "B"], 1);
    assert!(out.contains("yard.toml: B at 0x09: execution can leave the program"), "{out}");
    folder.write("none.toml", "soup386 = 1\n[[actor]]\nname = \"A\"\n");
    assert!(folder.run(&["disasm", "none.toml"], 2).1.contains("no actor of this scene has a program"));
}

/// Y98: a text of the mod manager becomes one of this program.
#[test]
fn texts_of_the_mod_manager() {
    let folder = Folder::new("foreign");
    let text = "Maps\\ISLAND.RGM\nID: 1\n\nvar2 = 5\n\nattr_health = 9\n\nGUARD\n{\n  var2 = var2 * 2 / 3\n  HandItem(<Iron Sabre>)\n  \
                End\n}";
    folder.write("guard.txt", text);
    folder.write("items.toml", "soup386 = 1\n[[item]]\nid = 7\nname = \"Iron Sabre\"\n[[actor]]\nname = \"A\"\n");
    let arguments = ["disasm", "guard.txt", "--dialect", "mod-manager", "--scene", "items.toml"];
    let (text, _) = folder.run(&arguments, 0);
    let expected = "soup386 program 1\n\nvar0 = 0\nvar1 = 0\nvar2 = 5\nGUARD\n{\n  #00:\n  var2 = var2 / 2 * 3\n  HandItem(7)\n  \
                    End #00\n}\n";
    assert_eq!(text, expected);
}

/// Names that only this file has, and others at numbers of their own.
const DEF: &str =
    "[functions]\ntask UnveilIsland parms 1\nfunction HandItem parms 1\n[refs]\nodd.one\n[flags]\nBOOL Gate 1\n";

/// Y102: with a SOUP386.DEF bytes become text with its names, and the text those bytes.
#[test]
fn names_of_a_definition_file() {
    let folder = Folder::new("def");
    folder.write("own.def", DEF);
    let bytes = hex("00 0100 01 07 03000000 01 0200 01 15 02000000 06 0000 14 00 00 0000 00 13");
    folder.write("p.bin", &bytes);
    let (text, err) = folder.run(&["disasm", "p.bin", "--def", "own.def"], 0);
    assert_eq!(
        text,
        "soup386 program 1\n\np\n{\n  UnveilIsland(3)\n  @HandItem($2)\n  Gate = Me.odd.one\n  Endint\n}\n"
    );
    assert!(
        err.contains("own.def:2") && err.contains("UnveilIsland"),
        "functions that nobody implements are told: {err}"
    );
    folder.write("p.soup", &text);
    folder.run(&["asm", "p.soup", "--def", "own.def", "-o", "again.bin"], 0);
    assert_eq!(folder.read("again.bin"), bytes);
    assert_eq!(folder.run(&["lint", "p.soup", "--def", "own.def"], 0).0, "p.soup: 1 program, 0 findings\n");
    for file in ["p.soup", "p.bin"] {
        let (out, _) = folder.run(&["inspect", file, "--def", "own.def"], 0);
        assert!(out.contains("UnveilIsland: calls 1, function task") && out.contains("HandItem: calls 1"), "{out}");
    }
    let (_, err) = folder.run(&["asm", "p.soup", "-o", "never.bin"], 2);
    assert!(err.contains("p.soup:5:3: no function is \"UnveilIsland\"") && err.contains("--def"), "{err}");
    assert!(folder.run(&["disasm", "p.bin"], 2).1.contains("; a program of a game needs the game's names: --def"));
    folder.write("odd.def", "[functions]\nshow parms 1\n");
    let (_, err) = folder.run(&["disasm", "p.bin", "--def", "odd.def"], 2);
    assert!(err.contains("odd.def:2") && err.contains("expected \"kind name parms count\""), "{err}");
    let (_, err) = folder.run(&["disasm", "p.bin", "--def", "none.def"], 2);
    assert!(err.contains("none.def"), "{err}");
}

/// Y102: a scene names its file with a key, and its own flags count.
#[test]
fn a_scene_with_a_definition_file() {
    let folder = Folder::new("def-scene");
    folder.write("own.def", DEF);
    folder.write("p.soup", "soup386 program 1\nA\n{\n  Barrier = 2\n  UnveilIsland(3)\n  Endint\n}\n");
    let scene =
        "soup386 = 1\ndef = \"own.def\"\n[[actor]]\nname = \"A\"\nscript = \"p.soup\"\n[[flag]]\nname = \"Barrier\"\n";
    folder.write("yard.toml", scene);
    let text = "soup386 program 1\n\nA\n{\n  Barrier = 2\n  UnveilIsland(3)\n  Endint\n}\n";
    assert_eq!(folder.run(&["disasm", "yard.toml"], 0).0, text);
    for more in [&["--scene", "yard.toml"][..], &["--scene", "yard.toml", "--def", "own.def"]] {
        assert_eq!(folder.run(&[&["disasm", "p.soup"], more].concat(), 0).0, text);
    }
    let arguments = ["run", "--scene", "yard.toml", "--updates", "2", "--trace", "-", "--trace-scripts"];
    let (out, err) = folder.run(&arguments, 0);
    assert!(out.contains("\"flags\":[2]"), "{out}");
    assert!(err.contains("function 1 (UnveilIsland) is known to no one here"), "{err}");
    let (_, err) = folder.run(&["disasm", "yard.toml", "--def", "own.def"], 2);
    assert!(err.contains("with the key def"), "{err}");
    let (_, err) = folder.run(&["inspect", "yard.toml", "--def", "own.def"], 2);
    assert!(err.contains("yard.toml: --def is for the text or the bytes of a program"), "{err}");
    for option in [["--start", "5"], ["--locals", "1"], ["--name", "X"], ["--strings", "own.def"]] {
        for file in ["p.soup", "yard.toml"] {
            let scene = if file == "p.soup" { &["--scene", "yard.toml"][..] } else { &[] };
            let (_, err) = folder.run(&[&["disasm", file], &option[..], scene].concat(), 2);
            assert!(err.contains(&format!("{file}: {} is for the bytes of a program", option[0])), "{err}");
        }
    }
}

/// Programs of a map, with the names of its game, with others, and with none.
#[test]
fn programs_of_a_map() {
    use soup386::{
        defs::Program,
        import::game::write::{DefinitionDraft, MapDraft},
    };
    let folder = Folder::new("map");
    ["game/maps", "game/SOUP386"].iter().for_each(|name| fs::create_dir_all(folder.0.join(name)).expect("a folder"));
    let definition = |name: &str, bytes: &str, base| {
        let program = Program { bytes: hex(bytes), base, locals: vec![3], ..Program::default() };
        DefinitionDraft { program: Some(program), ..DefinitionDraft::new(name) }
    };
    let definitions = vec![
        definition("A", "00 0100 01 07 03000000 13", 0),
        DefinitionDraft::new("SHELL"),
        definition("B", "06 0000 0A 00 00 18", 40),
        definition("a", "13", 60),
        definition("C", "77", 80),
    ];
    folder.write("game/maps/M.RGM", MapDraft { definitions, ..MapDraft::default() }.bytes());
    folder.write("game/SOUP386/SOUP386.DEF", DEF);
    let both = "soup386 program 1\n\nvar0 = 3\nA\n{\n  UnveilIsland(3)\n  Endint\n}\n\nvar0 = 3\nB\n{\n  Gate = var0\n  Yield\n}\n";
    let (text, err) = folder.run(&["disasm", "game/maps/M.RGM"], 0);
    assert_eq!(text, both);
    assert!(err.contains("definition 4 (C): the program is left out: C at 0x00: unknown opcode 0x77"), "{err}");
    folder.run(&["asm", "game/maps/M.RGM", "b", "-o", "b.bin"], 0);
    assert_eq!(folder.read("b.bin"), hex("06 0000 0A 00 00 18"));
    assert!(folder.run(&["lint", "game/maps/M.RGM", "A"], 0).0.ends_with("M.RGM: 1 program, 0 findings\n"));
    assert!(folder.run(&["disasm", "game/maps/M.RGM", "SHELL"], 2).1.contains("no program \"SHELL\"; it has A, B"));
    folder.write("other.def", DEF.replace("UnveilIsland", "Wait").replace("Gate", "Grid"));
    let (text, _) = folder.run(&["disasm", "game/maps/M.RGM", "--def", "other.def"], 0);
    assert_eq!(text, both.replace("UnveilIsland", "Wait").replace("Gate", "Grid"));
    fs::rename(folder.0.join("game/maps/M.RGM"), folder.0.join("M.RGM")).expect("a file that moves");
    let (text, err) = folder.run(&["disasm", "M.RGM", "B"], 0);
    assert_eq!(text, "soup386 program 1\n\nvar0 = 3\nB\n{\n  flag_0 = var0\n  Yield\n}\n");
    assert!(err.contains("SOUP386.DEF: the file is missing: the built-in tables are in force"), "{err}");
}

/// What a user may take for a program, a scene or a game: the message says what it is and what to do.
#[test]
fn files_of_other_kinds() {
    let folder = Folder::new("kinds");
    for name in ["yard", "game/maps", "empty"] {
        fs::create_dir_all(folder.0.join(name)).expect("a folder");
    }
    folder.write("yard/scene.toml", "soup386 = 1\n");
    folder.write("game/SYSTEM.INI", "[system]\n");
    folder.write("game/WORLD.INI", "[world]\nstart_world=0\nworld_map[0]=maps\\DEMO.RGM\n");
    folder.write("game/maps/DEMO.RGM", [0xFF; 20]);
    folder.write("two.soup", TWO);
    folder.write("walk.lua", "-- a script\n");
    folder.write("map.rgm", [0xFF; 20]);
    let cases: [(&[&str], &str); 17] = [
        (&["disasm", "yard"], "cannot read yard: it is a folder; its scene is yard/scene.toml"),
        (&["disasm", "game"], "cannot read game: it is the folder of a game, for run --game, import --game and census"),
        (&["inspect", "empty"], "cannot read empty: it is a folder"),
        (
            &["disasm", "walk.lua"],
            "walk.lua: this is text, but its first line is not \"soup386 program 1\"; a text of the mod",
        ),
        (&["run", "--scene", "yard"], "yard: cannot read the file: it is a folder; its scene is yard/scene.toml"),
        (
            &["run", "--scene", "two.soup"],
            "two.soup: this is a text of SOUP programs, which an [[actor]] of a scene names",
        ),
        (&["run", "--scene", "map.rgm"], "a map of a game is taken with --game FOLDER --map NAME"),
        (&["run", "map.rgm"], "a map of a game is taken with --game FOLDER --map NAME"),
        (&["lint", "two.soup", "--scene", "two.soup"], "which an [[actor]] of a scene names: script = \"FILE.soup\""),
        (&["run", "--game", "map.rgm"], "it is a file: a game is given by its folder, in which SYSTEM.INI is"),
        (&["census", "map.rgm"], "it is a file: a game is given by its folder"),
        (&["census", "yard"], "yard: there is no folder maps: give the folder of the game, in which SYSTEM.INI is"),
        (&["run", "--game", "game", "--map", "ELSEWHERE"], "there is no maps/ELSEWHERE.RGM; there is DEMO"),
        (&["run", "--game", "game", "--map", "DEMA"], "there is no maps/DEMA.RGM; did you mean \"DEMO\"?"),
        (&["disasm", "two.soup", "-o", "none/x.soup"], "cannot write none/x.soup: there is no folder none"),
        (&["disasm", "two.soup", "-o", "yard"], "cannot write yard: it is a folder: name a file in it"),
        (&["asm", "two.soup", "ONE", "--def", "yard", "-o", "x"], "yard: cannot read the file: it is a folder"),
    ];
    for (arguments, expected) in cases {
        let (_, err) = folder.run(arguments, 2);
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

/// What is doubtful is shown with its line, and the command fails.
#[test]
fn lint_shows_lines() {
    let folder = Folder::new("lint");
    folder.write("good.soup", TWO);
    assert_eq!(folder.run(&["lint", "good.soup"], 1).0.lines().count(), 3, "Yield runs out");
    folder.write("loop.soup", "soup386 program 1\nvar0 = 0\nL\n{\n  #1:\n  var0 = var0 + 1\n  Goto #1\n  Yield\n}\n");
    let (out, _) = folder.run(&["lint", "loop.soup"], 1);
    let expected = "loop.soup:7:3: this loop never yields: only the budget stops it, with a fault\n  Goto #1\n\
                    loop.soup:8:3: this statement is never reached\n  Yield\nloop.soup: 1 program, 2 findings\n";
    assert_eq!(out, expected);
    folder.write("loop.bin", hex("18 04 01000000"));
    let (out, _) = folder.run(&["lint", "loop.bin"], 1);
    assert!(out.starts_with("loop.bin: loop at 0x01: this loop never yields"), "{out}");
    folder.write("fine.bin", hex("18 04 00000000"));
    assert_eq!(folder.run(&["lint", "fine.bin"], 0).0, "fine.bin: 1 program, 0 findings\n");
}

/// With a scene the groups of its actors are known.
#[test]
fn lint_knows_the_groups_of_a_scene() {
    let folder = Folder::new("groups");
    folder.write(
        "a.soup",
        "soup386 program 1\n$0 = \"b\"\nA\n{\n  #0:\n  @PushAnimation(5, 1)\n  b.@PushAnimation(5, 1)\n  End #0\n}\n",
    );
    folder.write(
        "a.toml",
        "soup386 = 1\n[[model]]\nname = \"M\"\nframes = [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]\n\
         [[actor]]\nname = \"A\"\nframes = [{ model = \"M\", count = 1 }]\n\
         [[actor]]\nname = \"B\"\nframes = [{ model = \"M\", count = 1 }]\n\
         [[actor.group]]\nindex = 5\ncommands = [\"EndAnimation\"]\n",
    );
    let (out, _) = folder.run(&["lint", "a.soup", "--scene", "a.toml"], 1);
    let expected = "a.soup:6:3: PushAnimation names group 5, which A does not have\n  @PushAnimation(5, 1)\n\
                    a.soup: 1 program, 1 finding\n";
    assert_eq!(out, expected);
    folder.run(&["lint", "a.soup"], 0);
}

/// A program's size, entry points, locals, strings and calls.
#[test]
fn inspect_shows_programs() {
    let folder = Folder::new("inspect");
    folder.write("guard.bin", hex(GUARD));
    let (out, _) = folder.run(&["inspect", "guard.bin"], 0);
    for line in ["kind: program", "name: guard", "bytes: 23", "statements: 4", "main: 0x00", "DrawSword: calls 1"] {
        assert!(out.contains(line), "{line}: {out}");
    }
    folder.write("two.soup", TWO);
    let (out, _) = folder.run(&["inspect", "two.soup", "--json"], 0);
    let content: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&content["kind"], &content["programs"][1]["name"]), (&"programs".into(), &"TWO".into()));
    let start = "soup386 program 1\n$0 = \"x\"\nvar0 = 4\nS (Execution starts at #1)\n{\n  Yield\n  #1:\n  Yield\n}\n";
    folder.write("start.soup", start);
    let (out, _) = folder.run(&["inspect", "start.soup", "--json"], 0);
    let content: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(content["entry_points"], serde_json::json!({ "entry": "0x00", "main": "0x01" }));
    assert_eq!((&content["locals"], &content["strings"]), (&serde_json::json!([4]), &serde_json::json!(["x"])));
    folder.write("bad.bin", "text");
    assert!(folder.run(&["inspect", "bad.bin"], 2).1.contains("unknown opcode"));
}

#[test]
fn helps_end_with_two_examples() {
    let folder = Folder::new("help");
    for command in ["disasm", "asm", "lint"] {
        let (help, _) = folder.run(&[command, "--help"], 0);
        let (_, examples) = help.rsplit_once("Examples:").expect("examples");
        assert_eq!(examples.trim().lines().count(), 2, "{help}");
        assert!(examples.trim().lines().all(|line| line.trim().starts_with(&format!("soup386 {command}"))), "{help}");
    }
}
