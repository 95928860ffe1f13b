//! Maps that are small and ask for much: what points at the same bytes, the same list or the same missing model again and
//! again is read once, paid for, or refused.

use soup386::{
    Scene,
    defs::Program,
    import::game::{
        export::export,
        write::{DefinitionDraft, SegmentDraft, archive},
    },
};

use crate::game_support::{GameFolder, assert_warns, body, box_segment, map, placed};

fn with_frames(name: &str, frames: &[(&str, u8)]) -> DefinitionDraft {
    let frames = frames.iter().map(|(path, n)| ((*path).to_owned(), *n)).collect();
    DefinitionDraft { frames, ..DefinitionDraft::new(name) }
}

/// A section of a map with another payload.
fn with_section(bytes: &[u8], tag: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut at = 0;
    let length = |at: usize| u32::from_be_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize;
    while &bytes[at..at + 4] != tag {
        at += 8 + length(at);
    }
    [&bytes[..at + 4], &(payload.len() as u32).to_be_bytes(), payload, &bytes[at + 8 + length(at)..]].concat()
}

/// Other fields of the first definition; RAHD comes first.
fn with_fields(mut bytes: Vec<u8>, fields: &[(usize, u32)]) -> Vec<u8> {
    for &(at, value) in fields {
        bytes[16 + at..20 + at].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

#[test]
fn many_texts_at_one_place_are_paid_for_one_by_one() {
    // 250,000 offsets lead to one text of a million bytes: their lengths together are 250 GB.
    let program = Program { bytes: vec![0x18], strings: vec![b"x".to_vec()], ..Program::default() };
    let definition = DefinitionDraft { program: Some(program), ..body("A") };
    let bytes = map(vec![definition], vec![placed("A", [0; 3])]).bytes();
    let bytes = with_section(&bytes, b"RAST", &[vec![b'x'; 1_000_000], vec![0]].concat());
    let bytes = with_section(&bytes, b"RASB", &vec![0; 4 * 250_000]);
    let folder = GameFolder::with_map("texts", &map(vec![], vec![]));
    folder.write("maps/TEST.RGM", with_fields(bytes, &[(0x41, 250_000)]));
    let words = "definition 0 (A): the programs and texts up to here have more than 4194304 bytes together";
    assert!(folder.fault().contains(words), "{}", folder.fault());
}

#[test]
fn names_close_to_missing_models_are_looked_for_some_times_alone() {
    let templates = (0..30).map(|k| with_frames(&format!("D{k}"), &[(&format!("BODI{k}"), 1), ("BOX", 1)])).collect();
    let folder = GameFolder::with_map("hints", &map(templates, vec![]));
    let segments = (0..30).map(|k| SegmentDraft { name: format!("BODY{k}"), ..box_segment() });
    let segments: Vec<_> = segments.chain([box_segment()]).collect();
    folder.write("fxart/TEST.ROB", archive(&segments));
    let warnings: Vec<_> = folder.load().warnings.iter().map(ToString::to_string).collect();
    let n = |words: &str| warnings.iter().filter(|warning| warning.contains(words)).count();
    assert_eq!((n("there is no model BODI"), n("did you mean \"BODY")), (30, 20));
}

#[test]
fn a_list_with_a_missing_model_is_walked_once_and_told_for_each_definition() {
    // Walked for each of them these are 160 million models.
    const SHARED: u32 = 10_000;
    let mut list = vec![("BOX", 1); SHARED as usize];
    list.push(("NONE", 1));
    let first = with_frames("A", &list);
    let others = (1..16_000).map(|k| DefinitionDraft::new(format!("D{k}")));
    let mut bytes = map([first].into_iter().chain(others).collect(), vec![]).bytes();
    let shared: [u8; 12] = bytes[16 + 0x21..16 + 0x2D].try_into().expect("a count, a length, an offset");
    for k in 1..16_000 {
        let at = 16 + 165 * k + 0x21;
        bytes[at..at + 12].copy_from_slice(&shared);
    }
    let folder = GameFolder::with_map("missing", &map(vec![], vec![]));
    folder.write("maps/TEST.RGM", bytes);
    let imported = folder.load();
    assert_warns(&imported, "definition 0 (A): there is no model NONE");
    assert_warns(&imported, "definition 99 (D99): there is no model NONE");
    assert!(imported.scene.defs.actors().iter().all(|actor| actor.frame_table.is_empty()));
}

#[test]
fn a_model_that_cannot_be_read_is_told_to_each_who_wants_it() {
    let definitions =
        vec![with_frames("A", &[("WRONG", 1), ("BOX", 1)]), with_frames("B", &[("WRONG", 2), ("BOX", 1)])];
    let folder = GameFolder::with_map("wrong", &map(definitions, vec![]));
    let check = || {
        let imported = folder.load();
        assert_warns(&imported, "(definition 0 (A) needs it)");
        assert_warns(&imported, "(definition 1 (B) needs it)");
        let unused = imported.warnings.iter().any(|warning| warning.reason.contains("not used"));
        assert!(!unused, "{:#?}", imported.warnings);
    };
    folder.write("fxart/WRONG.3DC", "v4.0");
    check();
    let wrong = SegmentDraft { name: "WRONG".to_owned(), data: Some(b"v4.0".to_vec()), halves: [[0; 2]; 3] };
    folder.write("fxart/TEST.ROB", archive(&[box_segment(), wrong]));
    check();
}

#[test]
fn frame_tables_have_a_bound() {
    // F1: 255 frames in eleven bytes.
    let list = vec![("BODY", 255); 4113];
    let folder = GameFolder::with_map("long", &map(vec![with_frames("A", &list)], vec![placed("A", [0; 3])]));
    let words = "RAAN, definition 0 (A): offset";
    let fault = folder.fault();
    assert!(fault.contains(words) && fault.contains("have 1048815 frames, at most 1048576"), "{fault}");
    // Seventeen such tables with a frame less: the scene says so once.
    let list = &list[..4112];
    let definitions = (0..20).map(|k| with_frames(&format!("D{k}"), list)).collect();
    let placements = (0..20).map(|k| placed(&format!("D{k}"), [0; 3])).collect();
    folder.write("maps/TEST.RGM", map(definitions, placements).bytes());
    let fault = folder.fault();
    assert!(fault.contains("more than 16777216 entries together"), "{fault}");
    assert_eq!(fault.lines().count(), 1, "{fault}");
}

#[test]
fn all_models_together_have_a_bound() {
    // I23: two models of 3.2 million vertices each.
    const FRAMES: u32 = 3200;
    let directory = 64 + 12 * 1000;
    let mut bytes = vec![0; 64];
    bytes[..4].copy_from_slice(b"v4.0");
    for (at, value) in [(0x04, 1000), (0x10, FRAMES), (0x14, directory), (0x30, 64)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes.resize(directory as usize, 0);
    (0..FRAMES).for_each(|_| bytes.extend([64, 0, 0, 0].into_iter().chain([0; 12])));
    let segment = |name: &str| SegmentDraft { name: name.to_owned(), data: Some(bytes.clone()), halves: [[0; 2]; 3] };
    let archived = archive(&[segment("ONE"), segment("TWO")]);
    let folder =
        GameFolder::with_map("vertices", &map(vec![with_frames("A", &[("ONE", 1)])], vec![placed("A", [0; 3])]));
    folder.write("fxart/TEST.ROB", archived);
    assert_warns(&folder.load(), "3200 frames of 1000 vertices: all models together have more than 6291456");
    folder.write("maps/TEST.RGM", map(vec![with_frames("A", &[("TWO", 1)])], vec![placed("A", [0; 3])]).bytes());
    assert!(folder.fault().contains("all models together have more than 6291456"), "{}", folder.fault());
}

#[test]
fn paths_of_settings_are_as_long_as_paths_of_maps() {
    // I2.
    let folder = GameFolder::with_map("paths", &map(vec![body("A")], vec![]));
    folder.write("SYSTEM.INI", format!("[system]\nworld_ini={}\n", "x".repeat(100_000)));
    let fault = folder.fault();
    assert!(fault.contains("has 100000 bytes, at most 255 are allowed") && fault.len() < 500, "{fault}");
}

#[test]
fn a_definition_file_without_a_byte_is_refused() {
    let folder = GameFolder::with_map("nothing", &map(vec![body("A")], vec![]));
    folder.write("SOUP386/SOUP386.DEF", "");
    assert!(folder.fault().ends_with("SOUP386.DEF: the file is empty"), "{}", folder.fault());
}

#[test]
fn flags_of_equal_names_are_called_what_no_other_is() {
    // I40: what would be the number's name may be taken before and after.
    let folder = GameFolder::with_map("flags-taken", &map(vec![body("A")], vec![placed("A", [0; 3])]));
    folder.write("SOUP386/SOUP386.DEF", "[flags]\nBOOL flag_2 1\nBOOL a 0\nNUMBER A 5\nBOOL a 1\nBOOL FLAG_3 0\n");
    let names = |scene: &Scene| scene.defs.flags().iter().map(|flag| flag.name.clone()).collect::<Vec<_>>();
    let expected = ["flag_2", "a", "flag_2_", "flag_3_", "FLAG_3"];
    assert_eq!(names(&folder.load().scene), expected);
    for (name, bytes) in export(&folder.options()).unwrap_or_else(|error| panic!("{error}")).files {
        folder.write(&format!("scene/{name}"), bytes);
    }
    let scene = Scene::from_file(folder.path("scene/scene.toml")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(names(&scene), expected);
}

#[test]
fn what_is_no_scene_is_not_imported_as_one() {
    let list = vec![("BODY", 255); 4112];
    let definitions = (0..20).map(|k| with_frames(&format!("D{k}"), &list)).collect();
    let folder = GameFolder::with_map(
        "no-scene",
        &map(definitions, (0..20).map(|k| placed(&format!("D{k}"), [0; 3])).collect()),
    );
    let error = export(&folder.options()).expect_err("no scene").to_string();
    assert!(error.contains("more than 16777216 entries together"), "{error}");
}
