//! `soup386 attach` and `soup386 inspect` on files with attachment lists.

use serde_json::Value;

use crate::cli::Folder;

const MODEL: &str = include_str!("../data/attachments/guard_typed.vmdl");
const MODELDOC: &str = include_str!("../data/attachments/guard_modeldoc.vmdl");

fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("attach-{test}"));
    folder.write("guard.vmdl", MODEL);
    folder.write("new.vmdl", MODELDOC);
    folder
}

#[test]
fn every_help_ends_with_two_examples() {
    let folder = Folder::new("attach-help");
    let commands = ["", "list", "add", "set", "rename", "remove", "make-external", "make-internal", "convert", "check"];
    for command in commands {
        let mut arguments = vec!["attach"];
        arguments.extend(Some(command).filter(|command| !command.is_empty()));
        arguments.push("--help");
        let ran = folder.run(&arguments).exits(0);
        let (_, examples) = ran.out.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}: {}", ran.out));
        assert_eq!(examples.matches("  soup386 ").count(), 2, "{command}");
    }
}

#[test]
fn a_list_is_made_shown_changed_and_emptied() {
    let folder = folder("life");
    folder.run(&["attach", "add", "a.attach", "hand_r", "--joint", "wrist_r", "--offset", "4,0,-1.5"]).exits(0);
    folder.run(&["attach", "add", "a.attach", "hat", "--root", "--angles", "-10,20,30", "--weight", "2"]).exits(0);
    let text = folder.read("a.attach");
    assert!(text.contains("m_vTranslationOffset = ( 4.000000, 0.000000, -1.500000 )"), "{text}");
    assert!(text.contains("m_vRotationOffset = ( 30.000000, -10.000000, 20.000000 )"), "roll, pitch, yaw: {text}");
    let shown = folder.run(&["attach", "list", "a.attach"]).exits(0);
    let expected = "name    joint    offset    pitch yaw roll  weight\n\
                    hand_r  wrist_r  4 0 -1.5           0 0 0       1\n\
                    hat     (root)      0 0 0       -10 20 30       2\n";
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&shown.out), words(expected), "{}", shown.out);
    folder.run(&["attach", "set", "a.attach", "HAND_R", "--offset=-4,0,0", "--backup"]).exits(0);
    assert_eq!(folder.read("a.attach.bak"), text);
    assert_eq!(
        folder.read("a.attach"),
        text.replace("( 4.000000, 0.000000, -1.500000 )", "( -4.000000, 0.000000, 0.000000 )")
    );
    folder.run(&["attach", "set", "a.attach", "hat", "--add-influence", "--joint", "head", "--weight", "0.5"]).exits(0);
    folder.run(&["attach", "set", "a.attach", "hat", "--influence", "1", "--joint", "neck"]).exits(0);
    assert!(folder.read("a.attach").contains("m_influenceName = \"neck\""));
    folder.run(&["attach", "set", "a.attach", "hat", "--influence", "0", "--drop-influence"]).exits(0);
    folder.run(&["attach", "rename", "a.attach", "hat", "cap"]).exits(0);
    let listed = folder.run(&["attach", "list", "a.attach", "--json"]).exits(0);
    let listed: Value = serde_json::from_str(&listed.out).expect("JSON");
    assert_eq!(listed[1]["name"], "cap");
    assert_eq!(listed[1]["influences"][0]["joint"], "neck");
    assert_eq!(listed[1]["influences"].as_array().map(Vec::len), Some(1));
    folder.run(&["attach", "remove", "a.attach", "cap", "hand_r"]).exits(0);
    assert_eq!(folder.run(&["attach", "list", "a.attach", "--json"]).exits(0).out.trim(), "[]");
    assert_eq!(folder.names(), ["a.attach", "a.attach.bak", "guard.vmdl", "new.vmdl"]);
}

#[test]
fn what_cannot_be_done_leaves_the_file() {
    let folder = folder("refused");
    for (arguments, words) in [
        (&["attach", "add", "guard.vmdl", "HAND_R"][..], "already named \"HAND_R\""),
        (&["attach", "add", "absent.vmdl", "x"], "only .attach and .vmdl_prefab files are made anew"),
        (&["attach", "set", "guard.vmdl", "hand_l", "--root"], "did you mean \"hand_r\"?"),
        (&["attach", "set", "guard.vmdl", "hand_r", "--influence", "3", "--root"], "has no influence 3: there are 1"),
        (&["attach", "set", "guard.vmdl", "hand_r", "--weight=-1"], "a weight cannot be negative"),
        (&["attach", "set", "guard.vmdl", "hand_r", "--offset", "1,2"], "three numbers"),
        (&["attach", "set", "guard.vmdl", "hand_r", "--offset", "1,2,inf"], "three numbers"),
        (&["attach", "set", "guard.vmdl", "hand_r", "--ignore-rotation", "true"], "only ModelDoc files"),
        (&["attach", "set", "guard.vmdl", "hand_r", "--root", "--joint", "x"], "cannot be used with"),
        (&["attach", "rename", "guard.vmdl", "hand_r", "brow"], "already named \"brow\""),
        (&["attach", "remove", "guard.vmdl", "hand_r", "hat"], "no attachment is named \"hat\""),
        (&["attach", "make-external", "guard.vmdl", "../x.attach"], "leaves the content root"),
        (&["attach", "make-external", "guard.vmdl", "new.vmdl"], "already there"),
        (&["attach", "make-internal", "guard.vmdl"], "names no list file"),
        (&["attach", "make-external", "new.vmdl", "x.attach"], "ModelDoc files name prefabs"),
        (&["attach", "make-internal", "new.vmdl"], "models/guard/more.vmdl_prefab: "),
        (&["attach", "make-internal", "new.vmdl", "x.vmdl_prefab"], "x.vmdl_prefab cannot be opened"),
        (&["attach", "list", "absent.vmdl"], "cannot read the file"),
    ] {
        folder.run(arguments).exits(2).says(words);
    }
    assert_eq!(folder.read("guard.vmdl"), MODEL);
    assert_eq!(folder.read("new.vmdl"), MODELDOC);
    assert_eq!(folder.names(), ["guard.vmdl", "new.vmdl"]);
}

#[test]
fn a_broken_file_shows_its_line() {
    let folder = folder("broken");
    folder.write("scene.toml", "soup386 = 1\n[[actor]]\nname = \"A\"\nattachments = \"none.attach\"\n");
    let missing = "scene.toml:4:15: actor[0].attachments: none.attach: cannot read the file";
    folder.run(&["inspect", "scene.toml"]).exits(2).says(missing);
    let deep = MODEL.replace("bool m_bRoot = true", &format!("float x = {}", "[".repeat(100_000)));
    folder.write("deep.vmdl", deep.replace("\"hand_r\"", "\"\u{1b}[31mred\""));
    let ran =
        folder.run(&["attach", "list", "deep.vmdl"]).exits(2).says("more than 100 objects and lists within each other");
    assert!(ran.err.len() < 500, "the line is not shown");
    folder.write("escape.vmdl", MODEL.replace("\"hand_r\"", "hand\u{1b}[31mred"));
    let ran = folder.run(&["attach", "list", "escape.vmdl"]).exits(2).says("hand?[31mred");
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
    folder.write("long.vmdl", MODEL.replace("hand_r", &"x".repeat(70_000)));
    folder.run(&["attach", "list", "long.vmdl"]).exits(0).shows("brow");
    let node = "{ _class = \"Prefab\" target_file = \"a.vmdl_prefab\" },";
    folder.write("many.vmdl", MODELDOC.replace("// more of them", &node.repeat(3000)));
    let ran = folder.run(&["attach", "check", "many.vmdl"]).exits(0);
    ran.shows("many.vmdl: 2951 more files are not looked at").shows("3 attachments, 0 errors, 54 warnings");
    let ran = folder.run(&["attach", "check", "many.vmdl", "--content-root", "."]).exits(2);
    assert_eq!(ran.err.matches("cannot be opened").count(), 51);
    folder.write("latin.vmdl", [MODEL.as_bytes(), b"// \xe9"].concat());
    folder.run(&["attach", "list", "latin.vmdl"]).exits(2).says("latin.vmdl:111:5: the file is not UTF-8 text");
    folder.write("compiled.vmdl", [0, 1, 0, 0, 0xff]);
    folder.run(&["attach", "list", "compiled.vmdl"]).exits(2).says("compiled.vmdl:1:5: the file is binary");
    folder.write("broken.vmdl", MODEL.replace("float m_flWeight = 0.65", "float m_flWeight = nan"));
    let ran = folder.run(&["attach", "list", "broken.vmdl"]).exits(2);
    let ran = ran.says("broken.vmdl:82:25: expected a number, found a bare word");
    ran.says("float m_flWeight = nan");
    folder.write("twice.vmdl", MODEL.replace("Hip_L", "hand_R"));
    folder.run(&["attach", "list", "twice.vmdl"]).exits(2).says("already named \"hand_R\"");
}

#[test]
fn a_list_moves_out_and_back_in() {
    let folder = folder("share");
    folder.run(&["attach", "make-external", "guard.vmdl", "points.attach"]).exits(0);
    assert!(folder.read("guard.vmdl").contains("m_sFileName = \"points.attach\""));
    folder.run(&["attach", "list", "guard.vmdl", "--content-root", "."]).exits(0).shows("Hip_L");
    folder.run(&["attach", "add", "guard.vmdl", "x"]).exits(2).says("the attachments are in another file");
    folder.run(&["attach", "add", "points.attach", "x"]).exits(0);
    folder.run(&["attach", "remove", "points.attach", "X"]).exits(0);
    folder.run(&["attach", "make-internal", "guard.vmdl"]).exits(0);
    assert_eq!(folder.read("guard.vmdl"), MODEL);
}

#[test]
fn a_modeldoc_list_moves_out_and_back_in() {
    let folder = folder("prefab");
    let alone = MODELDOC.replace("more.vmdl_prefab", "../mesh.vmdl_prefab");
    folder.write("new.vmdl", &alone);
    folder.run(&["attach", "make-external", "new.vmdl", "points.vmdl_prefab"]).exits(0);
    folder.run(&["attach", "list", "points.vmdl_prefab"]).exits(0).shows("between_hands");
    folder
        .run(&["attach", "set", "new.vmdl", "eyes", "--root"])
        .exits(2)
        .says("which names others: points.vmdl_prefab");
    folder.run(&["attach", "make-internal", "new.vmdl", "--backup"]).exits(0);
    assert_eq!(folder.read("new.vmdl"), alone);
    folder.write(
        "two.vmdl",
        alone.replace("// more of them", "{ _class = \"Prefab\" target_file = \"points.vmdl_prefab\" },"),
    );
    folder.run(&["attach", "make-internal", "two.vmdl"]).exits(2).says(
        "say which of the files that the model names is to move in: points.vmdl_prefab, models/guard/../mesh.vmdl_prefab",
    );
    folder.write("a.attach", MODELDOC);
    folder.write(
        "old.vmdl",
        crate::attach_share::typed("CVattachmentList* m_pObject = NULL string m_sFileName = \"a.attach\"", ""),
    );
    folder.run(&["attach", "make-internal", "old.vmdl"]).exits(2).says("only ModelDoc files can ignore the rotation");
    folder.run(&["attach", "remove", "a.attach", "between_hands"]).exits(0);
    folder.write("a.attach", folder.read("a.attach").replace("_class = \"Prefab\"", "_class = \"Note\""));
    let ran = folder.run(&["attach", "make-internal", "old.vmdl"]).exits(0);
    ran.says("warning: a.attach is modeldoc, the model typed: attachments moved in, nothing else");
    folder.run(&["attach", "list", "old.vmdl"]).exits(0).shows("hand_R");
}

#[test]
fn forms_convert() {
    let folder = folder("convert");
    let ran = folder.run(&["attach", "convert", "guard.vmdl", "--to", "modeldoc"]).exits(0);
    let ran = ran.says("the joint \"static_prop\" of an influence of the root is dropped");
    assert!(ran.out.contains("relative_angles = [ -0.0, 30.0, 10.0 ]"), "{}", ran.out);
    let ran = folder.run(&["attach", "convert", "new.vmdl", "--to", "typed", "--output", "old.attach"]).exits(0);
    ran.says("models/guard/more.vmdl_prefab is left out").says("ignore_rotation has no place in this form");
    folder.run(&["attach", "list", "old.attach"]).exits(0).shows("between_hands");
    let missing = folder.run(&["attach", "convert", "new.vmdl", "--to", "typed", "--content-root", "."]).exits(2);
    missing.says("more.vmdl_prefab");
}

#[test]
fn lists_can_be_inspected() {
    let folder = folder("inspect");
    let tree = folder.run(&["inspect", "guard.vmdl"]).exits(0);
    let tree = tree.shows("form: typed").shows("hand_r:").shows("pitch_yaw_roll -0.0 30.0 10.0");
    tree.shows("warnings: guard.vmdl:11:39");
    let json = folder.run(&["inspect", "new.vmdl", "--json"]).exits(0);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["format"], "modeldoc29");
    assert_eq!(json["lists"][0]["attachments"][2]["influences"][1]["weight"], 1.0);
    assert_eq!(json["lists"][1]["file"], "models/guard/more.vmdl_prefab");
    folder.write("broken.attach", "nonsense");
    folder.run(&["inspect", "broken.attach"]).exits(2).says("broken.attach:1:9");
}

#[test]
fn a_check_without_a_skeleton_finds_names_and_weights() {
    let folder = folder("check");
    let ran = folder.run(&["attach", "check", "guard.vmdl"]).exits(0).shows("the joint \"static_prop\" is not used");
    ran.shows("warning: guard.vmdl:79:31: Hip_L: the weight 0.65 of the only influence is not used")
        .shows("4 attachments, 0 errors, 3 warnings");
    folder.write("twice.vmdl", MODEL.replace("Hip_L", "hand_R"));
    let ran = folder.run(&["attach", "check", "twice.vmdl"]).exits(1);
    ran.shows("error: twice.vmdl:72:20: CVattachmentList_0.m_attachments[2]: another attachment is already named");
    let ran = folder.run(&["attach", "check", "new.vmdl"]).exits(0);
    ran.shows("warning: new.vmdl:107:21: models/guard/more.vmdl_prefab is not looked at")
        .shows("warning: new.vmdl:83:23: between_hands, influence 0: it has the weight 0");
}

#[test]
fn a_check_tells_the_place_in_the_file_that_is_named() {
    let folder = folder("places");
    folder.run(&["attach", "make-external", "guard.vmdl", "points.attach"]).exits(0);
    let ran = folder.run(&["attach", "check", "guard.vmdl", "--content-root", "."]).exits(0);
    ran.shows("points.attach:46:31: Hip_L: the weight 0.65 of the only influence is not used");
    folder.write("points.attach", folder.read("points.attach").replace("Hip_L", "hand_R"));
    let ran = folder.run(&["attach", "check", "guard.vmdl", "--content-root", "."]).exits(1);
    ran.shows("points.attach:39:20: CVattachmentList_0.m_attachments[2]: another attachment is already named");
    let again = MODELDOC.replace("more.vmdl", "again.vmdl");
    folder.write("new.vmdl", MODELDOC.replace("models/guard/more.", "more."));
    folder.write(
        "more.vmdl_prefab",
        MODELDOC.replace("\"eyes\"", "\"brow\"").replace("models/guard/more.vmdl", "last.vmdl"),
    );
    folder.write("last.vmdl_prefab", again.replace("models/guard/again.vmdl_prefab", ""));
    let ran = folder.run(&["attach", "check", "new.vmdl", "--content-root", "."]).exits(1);
    ran.shows("more.vmdl_prefab:44:18: \"hand_R\" is already in another list: the first counts")
        .shows("last.vmdl_prefab:25:14: \"eyes\" is already in another list: the first counts");
}

#[cfg(feature = "gltf")]
#[test]
fn a_check_with_a_skeleton_finds_joints() {
    let folder = folder("skeleton");
    folder.write("hero.glb", crate::glb::fighter().bytes());
    folder.run(&["attach", "add", "a.attach", "good", "--joint", "WRIST_R"]).exits(0);
    folder
        .run(&["attach", "check", "a.attach", "--skeleton", "hero.glb"])
        .exits(0)
        .shows("1 attachment, 0 errors, 0 warnings");
    folder.run(&["attach", "add", "a.attach", "half", "--joint", "wrist_l"]).exits(0);
    folder.run(&["attach", "set", "a.attach", "half", "--add-influence", "--joint", "hip"]).exits(0);
    folder.run(&["attach", "add", "a.attach", "lost", "--joint", "tail"]).exits(0);
    let ran = folder.run(&["attach", "check", "a.attach", "--skeleton", "hero.glb"]).exits(1);
    let ran = ran.shows(
        "error: a.attach:29:31: half, influence 0: the model has no joint \"wrist_l\"; did you mean \"wrist_r\"?",
    );
    ran.shows("error: a.attach:47:20: lost: none of its joints is there, so it is nowhere")
        .shows("3 attachments, 3 errors, 0 warnings");
    let ran = folder.run(&["attach", "check", "a.attach", "--skeleton", "hero.glb", "--json"]).exits(1);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(found["attachments"], 3);
    let lost = serde_json::json!({"file": "a.attach", "line": 47, "column": 20, "about": "lost", "reason": "none of its joints is there, so it is nowhere"});
    assert_eq!(found["errors"][2], lost);
    assert_eq!(found["warnings"], serde_json::json!([]));
    folder.run(&["attach", "check", "a.attach", "--skeleton", "a.attach"]).exits(2).says("no glTF 2.0 file");
}
