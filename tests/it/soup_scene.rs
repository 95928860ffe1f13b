//! Programs as texts beside a scene.

use std::sync::Arc;

use soup386::{
    Runtime, Scene,
    defs::{ActorDraft, FunctionKind, ModuleSource, Program, SceneBuilder},
    natives::{Call, Handler, Natives},
    update::Options,
    world::CallSite,
};

use super::{
    program::{locals, state},
    support::{actor, updates},
};

const TEXT: &str = "soup386 program 1\n\nvar0 = 5\nGUARD\n{\n  #TOP:\n  @Wait(90)\n  var0 = var0 + 1\n  End #TOP\n}\n\n\
                    var0 = 40\nOther (Execution starts at #05)\n{\n  End #05\n\n  #05:\n  var0 = var0 + 1\n  Yield\n  Goto #05\n}\n";

fn listed(scene: &str, text: &str) -> Result<Scene, String> {
    let files = ModuleSource::Listed([("x.soup".to_owned(), text.to_owned())].into());
    Scene::from_toml("test.toml", scene, &files).map_err(|error| error.to_string())
}

fn actors(scripts: &[(&str, &str)]) -> String {
    let text = |(name, script): &(&str, &str)| format!("[[actor]]\nname = \"{name}\"\nscript = \"{script}\"\n");
    format!("soup386 = 1\n{}", scripts.iter().map(text).collect::<String>())
}

fn fault(scripts: &[(&str, &str)], text: &str) -> String {
    listed(&actors(scripts), text).expect_err("a fault")
}

/// Y100: a program is the one of its name, or the one named like the actor; names compare without case.
#[test]
fn programs_by_name() {
    let scene = listed(
        &actors(&[("guard", "x.soup"), ("B", "x.soup#OTHER"), ("C", "X")]).replace("\"X\"", "\"x.soup#guard\""),
        TEXT,
    );
    let mut runtime = Runtime::new(scene.expect("a scene")).expect("a runtime");
    updates(&mut runtime, 2);
    assert_eq!(["guard", "B", "C"].map(|name| locals(&runtime, name)[0]), [7, 43, 7]);
    assert_eq!(state(&runtime, "B").entry, Some(17), "behind the Yield");
    let labels = &runtime.engine().defs.actors()[0].program_labels;
    assert_eq!(labels[..], [("TOP".to_owned(), 0)]);
}

/// Y100: a file with one program needs no name.
#[test]
fn a_single_program() {
    let text = "soup386 program 1\nvar0 = 0\nWHOEVER\n{\n  var0 = 9\n  Endint\n}\n";
    let mut runtime = Runtime::new(listed(&actors(&[("A", "x.soup")]), text).expect("a scene")).expect("a runtime");
    updates(&mut runtime, 1);
    assert_eq!(locals(&runtime, "A"), [9]);
}

/// Y2: actors that name the same program share its addresses; the next program lies behind.
#[test]
fn shared_programs_share_addresses() {
    let scene = listed(&actors(&[("A", "x.soup#GUARD"), ("B", "x.soup#Other"), ("C", "x.soup#guard")]), TEXT);
    let mut runtime = Runtime::new(scene.expect("a scene")).expect("a runtime");
    updates(&mut runtime, 1);
    for name in ["A", "C"] {
        assert_eq!(actor(&runtime, name).tasks.running()[0].site, CallSite::Program { address: 1 }, "{name}");
    }
    let record = |index: usize| runtime.engine().defs.actors()[index].program.clone().expect("a program");
    assert!(Arc::ptr_eq(&record(0), &record(2)));
    assert_eq!(record(1).base as usize, record(0).bytes.len());
}

/// Y100, Y97: what is wrong says where, in the scene or in the text.
#[test]
fn faults_of_texts() {
    let unknown = fault(&[("A", "x.soup#GUARDS")], TEXT);
    assert_eq!(
        unknown,
        "test.toml:4:10: actor[0].script: x.soup: no program is named \"GUARDS\"; did you mean \"GUARD\"?"
    );
    assert!(fault(&[("A", "x.soup")], TEXT).contains("there are 2 programs and none is named \"A\""));
    assert!(fault(&[("A", "y.soup")], TEXT).contains("y.soup: no text of this name was given"));
    let wrong = TEXT.replace("@Wait(90)", "@Wiat(90)").replace("var0 = var0 + 1\n  Yield", "var0 = var1 + 1\n  Yield");
    let said = fault(&[("A", "x.soup#GUARD"), ("B", "x.soup#OTHER")], &wrong);
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 2, "each fault once: {said}");
    assert!(lines[0].starts_with("x.soup:7:") && lines[0].contains("did you mean"), "{said}");
    assert!(lines[1].starts_with("x.soup:18:"), "{said}");
    let both = actors(&[("A", "x.soup#GUARD")]) + "[actor.program]\nbytes = \"18\"\n";
    assert!(listed(&both, TEXT).expect_err("both").contains("an actor has either a script or a program, not both"));
    let director = "soup386 = 1\ndirector = \"x.soup\"\n";
    let said = listed(director, TEXT).expect_err("no director");
    assert!(said.contains("a SOUP program belongs to an actor: a director ends in .lua or .rhai"), "{said}");
}

/// Y101: a text names the flags of its scene.
#[test]
fn texts_name_flags() {
    let text = "soup386 program 1\nA\n{\n  Door = Door + 4\n  Endint\n}\n";
    let scene = actors(&[("A", "x.soup")]) + "[[flag]]\nname = \"Door\"\nvalue = 2\n";
    let mut runtime = Runtime::new(listed(&scene, text).expect("a scene")).expect("a runtime");
    updates(&mut runtime, 1);
    assert_eq!(runtime.world().flags[0].value, 6);
}

/// Names of a SOUP386.DEF: function 1, property 1 and flag 1 are others than those of the crate.
const DEF: &str = "[functions]\nfunction SetGlobalFlag parms 1\ntask ShowMap parms 2\n[refs]\npos.vy\nanchor\n\
                   [flags]\nNUMBER first 7\nBOOL Door 1\n";

fn with_def(scene: &str, text: &str, def: &str) -> Result<Scene, String> {
    let files = [("x.soup", text), ("soup.def", def)].map(|(name, text)| (name.to_owned(), text.to_owned()));
    let scene = scene.replacen("soup386 = 1\n", "soup386 = 1\ndef = \"soup.def\"\n", 1);
    Scene::from_toml("test.toml", &scene, &ModuleSource::Listed(files.into())).map_err(|error| error.to_string())
}

/// Y102: with a SOUP386.DEF numbers and names are the file's, and so are the flags of a scene that has none.
#[test]
fn names_of_a_definition_file() {
    let text = "soup386 program 1\nA\n{\n  SetGlobalFlag(&Door)\n  Me.anchor = first\n  @ShowMap(1, 2)\n  Endint\n}\n";
    let scene = with_def(&actors(&[("A", "x.soup")]), text, DEF).expect("a scene");
    let program = scene.defs.actors()[0].program.clone().expect("a program");
    assert_eq!(program.bytes[..4], [0x02, 1, 0, 1], "function 1");
    let mut runtime = Runtime::new(scene).expect("a runtime");
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "A").cold.anchor, 7);
    let flags: Vec<_> = runtime.world().flags.iter().map(|flag| (flag.value, flag.latch)).collect();
    assert_eq!(flags, [(7, false), (0, true)]);
    assert_eq!(runtime.engine().defs.flag_named("DOOR"), Some(1));
}

/// Y81, Y102: a function that only the file has is answered by the native that a host added under its name.
#[test]
fn natives_of_a_host_by_the_names_of_a_definition_file() {
    let text = "soup386 program 1\nvar0 = 0\nA\n{\n  var0 = showmap(20, 1)\n  @ShowMap(7, 0)\n  Endint\n}\n";
    let scene = with_def(&actors(&[("A", "x.soup")]), text, DEF).expect("a scene");
    let mut natives = Natives::default();
    let sum = Handler::Host(Arc::new(|call: &mut Call<'_>| call.args.int(0) + call.args.int(1)));
    let id = natives.add("SHOWMAP", FunctionKind::Task, &["map", "zoom"], "Shows a map", sum).expect("a new name");
    let options = Options { natives: Arc::new(natives), ..Options::default() };
    let mut runtime = Runtime::with_options(scene.clone(), options).expect("a runtime");
    updates(&mut runtime, 1);
    assert_eq!(locals(&runtime, "A"), [21]);
    assert_eq!(actor(&runtime, "A").tasks.running()[0].native, id);
    let mut without = Runtime::new(scene).expect("a runtime");
    updates(&mut without, 1);
    assert_eq!((locals(&without, "A")[0], actor(&without, "A").tasks.is_empty()), (0, true));
}

/// Y101, Y102: a scene's own flags come before those of the file.
#[test]
fn flags_of_a_scene_with_a_definition_file() {
    let text = "soup386 program 1\nA\n{\n  Own = 4\n  Me.anchor = Own\n  Endint\n}\n";
    let scene = actors(&[("A", "x.soup")]) + "[[flag]]\nname = \"Own\"\n";
    let mut runtime = Runtime::new(with_def(&scene, text, DEF).expect("a scene")).expect("a runtime");
    updates(&mut runtime, 1);
    assert_eq!((runtime.world().flags.len(), actor(&runtime, "A").cold.anchor), (1, 4));
    let said = with_def(&scene, &text.replace("Own = 4", "first = 4"), DEF).expect_err("no such flag");
    assert!(said.starts_with("x.soup:4:3: "), "{said}");
}

/// I40, Y102: what is wrong with the file is told at its line, or where the scene names it.
#[test]
fn faults_of_a_definition_file() {
    let scene = actors(&[("A", "x.soup")]);
    let text = "soup386 program 1\nA\n{\n  Endint\n}\n";
    let said = with_def(&scene, text, &DEF.replace("BOOL", "BOOLE")).expect_err("a kind of flag");
    assert!(said.starts_with("soup.def:9:1: ") && said.contains("BOOLE"), "{said}");
    let said = listed(&scene.replacen('\n', "\ndef = \"other.def\"\n", 1), text).expect_err("no file");
    assert_eq!(said, "test.toml:2:7: def: other.def: no text of this name was given");
    let said = Scene::from_toml("t.toml", "soup386 = 1\ndef = \"soup.def\"\n", &ModuleSource::Nowhere);
    assert!(said.expect_err("no folder").to_string().contains("read without a folder"));
    let of_game =
        "soup386 = 1\n[[actor]]\nname = \"A\"\n[actor.program]\nbytes = \"02 FF00 02 07 00000000 07 00000000\"\n";
    let said = listed(of_game, text).expect_err("a number of parameters");
    assert!(
        said.ends_with("; a program of a game needs the game's names: def = \"SOUP386.DEF\" above the first table"),
        "{said}"
    );
    let said = listed(&(of_game.to_owned() + "def = \"soup.def\"\n"), text).expect_err("a key below a table");
    assert!(said.contains("actor[0].program.def: unknown key; it is a key of the scene"), "{said}");
}

/// A scene built in code takes programs as they are; what is wrong with one is an error of the runtime.
#[test]
fn programs_from_code() {
    let build = |bytes: &[u8]| {
        let mut builder = SceneBuilder::default();
        let mut actor = ActorDraft::new("A");
        let program = Program { name: "A".to_owned(), bytes: bytes.to_vec(), ..Program::default() };
        actor.program = Some(program.into());
        builder.actors.push(actor);
        Runtime::new(builder.build().expect("a scene"))
    };
    let mut runtime = build(&[0x17, 9, 0x13]).expect("a runtime");
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "A").cold.anchor, 9);
    let error = build(&[0x17]).err().expect("a truncated program").to_string();
    assert!(error.starts_with("A at 0x00"), "{error}");
}
