//! Programs of maps: where they come from, what is left out, and that they run like those of scenes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use soup386::{
    Scene,
    defs::Program,
    import::game::{
        export::export,
        write::{DefinitionDraft, SegmentDraft, archive, game_files},
    },
};

use crate::game_support::{GameFolder, actor_names, assert_warns, body, box_segment, map, placed, trace};

fn with_program(name: &str, program: Program) -> DefinitionDraft {
    DefinitionDraft { program: Some(program), ..body(name) }
}

/// Local 0 := local 0 + 1, then yield, from the beginning again.
const COUNT: [u8; 13] = [0x0A, 0, 0x0A, 0, 1, 7, 1, 0, 0, 0, 0, 0x18, 0x13];

#[test]
fn instances_share_a_program_and_have_their_own_locals() {
    // I16 Y2 Y58: the record of another kind between them takes its locals too.
    let program = Program { bytes: COUNT.to_vec(), locals: vec![10], base: 100, ..Program::default() };
    let definition = DefinitionDraft {
        namespace: Some("Alias".to_owned()),
        more_locals: vec![vec![20], vec![30]],
        ..with_program("A", program)
    };
    let other = soup386::import::game::write::PlacementDraft { object_type: 2, ..placed("A", [0; 3]) };
    let placements = vec![placed("A", [0; 3]), other, placed("A", [0; 3]), placed("A", [0; 3])];
    let folder = GameFolder::with_map("instances", &map(vec![definition], placements));
    let imported = folder.load();
    assert_warns(&imported, "RAVA has no locals for A#3: it gets the first ones");
    assert_eq!(actor_names(&imported.scene), ["A#3", "A#2", "A"]);
    let actors = imported.scene.defs.actors();
    assert!(actors.iter().all(|actor| actor.namespace.as_deref() == Some("Alias")));
    let programs: Vec<_> = actors.iter().filter_map(|actor| actor.program.clone()).collect();
    assert!(programs.iter().all(|program| std::sync::Arc::ptr_eq(program, &programs[0]) && program.base == 100));
    let mut runtime = soup386::Runtime::new(imported.scene).unwrap_or_else(|error| panic!("{error}"));
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    let locals = |runtime: &soup386::Runtime| -> Vec<i32> {
        let actors = runtime.world().actors();
        actors.map(|actor| actor.script.as_ref().expect("a program").locals[0]).collect()
    };
    assert_eq!(locals(&runtime), [11, 31, 11]);
    let key = runtime.world().named("A#2").expect("an actor");
    let engine = runtime.engine_mut();
    assert!(engine.world.reset_program(&engine.defs, key));
    assert_eq!(locals(&runtime), [11, 30, 11]);
}

#[test]
fn what_cannot_be_decoded_is_left_out_and_its_actor_stays() {
    // I40: the tables in force are those of the game; Y14 Y20 Y23.
    let unknown = Program { bytes: vec![0x77], ..Program::default() };
    let bad_hook = Program { bytes: vec![0x18], ..Program::default() };
    let bad_hook = Program { hook: Some([vec![0, 0, 9], vec![0; 45]].concat()), ..bad_hook };
    let far = Program { bytes: vec![0x05, 0xFF, 0, 0, 0], base: 4, ..Program::default() };
    let definitions =
        vec![with_program("A", unknown), with_program("B", Program { base: 1, ..bad_hook }), with_program("C", far)];
    let placements = ["C", "B", "A"].map(|name| placed(name, [0; 3])).to_vec();
    let folder = GameFolder::with_map("undecoded", &map(definitions, placements));
    let imported = folder.load();
    assert_warns(&imported, "definition 0 (A): the program is left out: A at 0x00: unknown opcode");
    assert_warns(&imported, "definition 1 (B): the hook is left out: B hook at 0x00");
    assert_warns(&imported, "definition 2 (C): the program is left out: C at 0x00");
    let actors = imported.scene.defs.actors();
    let programs: Vec<_> =
        actors.iter().map(|actor| actor.program.as_ref().map(|program| program.hook.is_some())).collect();
    assert_eq!(programs, [None, Some(false), None]);
    let (census, warnings) = soup386::import::game::census::census(&folder.0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((census.maps[0].programs, census.maps[0].refused, census.maps[0].statements), (1, 2, 1));
    assert_eq!(warnings.len(), 3);
    assert_eq!(census.opcodes.iter().find(|row| row.name == "Yield").map(|row| row.count), Some(1));
}

#[test]
fn numbers_mean_what_the_game_s_definitions_say() {
    // I40 Y12: function 1 and property 0 of the file are others than those of the crate.
    let bytes = [0x02, 1, 0, 1, 7, 3, 0, 0, 0, 0x14, 0, 0, 0, 0, 7, 9, 0, 0, 0, 0, 0x18, 0x13].to_vec();
    let folder = GameFolder::with_map(
        "numbers",
        &map(vec![with_program("A", Program { bytes, ..Program::default() })], vec![placed("A", [0; 3])]),
    );
    folder.write("SOUP386/SOUP386.DEF", "[functions]\nfunction HandItem parms 1\n[refs]\npos.vx\n");
    let imported = folder.load();
    let mut runtime = soup386::Runtime::new(imported.scene).unwrap_or_else(|error| panic!("{error}"));
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    let actor = runtime.world().actors().next().expect("an actor");
    assert_eq!(actor.pos.x.0, 9);
    let (census, _) = soup386::import::game::census::census(&folder.0).unwrap_or_else(|error| panic!("{error}"));
    let natives: Vec<_> =
        census.natives.iter().map(|native| (native.id, native.name.as_str(), native.count, native.maps)).collect();
    assert_eq!(natives, [(1, "HandItem", 1, 1)]);
}

/// Every scene of the case folders.
fn scenes(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            scenes(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn scenes_written_as_games_leave_the_same_traces() {
    // I5 I16 I17 I20 I30: every scene of the cases that the game's files can hold.
    let mut paths = Vec::new();
    scenes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios"), &mut paths);
    let mut refused = Vec::new();
    let mut n_same = 0;
    for path in &paths {
        let scene = Scene::from_file(path).unwrap_or_else(|error| panic!("{error}"));
        let files = match game_files(&scene, "TEST") {
            Ok(files) => files,
            Err(error) => {
                refused.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        let folder = GameFolder::empty("cases");
        files.iter().for_each(|file| folder.write(&file.path, &file.bytes));
        let imported = folder.load();
        assert!(imported.warnings.is_empty(), "{}: {:?}", path.display(), imported.warnings);
        let of_game = Scene { clock: scene.clock.clone(), seed: scene.seed, ..imported.scene };
        let is_same = trace(&of_game, 40) == trace(&scene, 40);
        assert!(is_same, "{}", path.display());
        n_same += 1;
    }
    assert!(n_same >= 15, "{n_same} scenes of {}: {refused:#?}", paths.len());
}

/// A scene read back from the files that `import` writes.
fn exported(folder: &GameFolder) -> Scene {
    let exported = export(&folder.options()).unwrap_or_else(|error| panic!("{error}"));
    for (name, bytes) in &exported.files {
        folder.write(&format!("scene/{name}"), bytes);
    }
    Scene::from_file(folder.path("scene/scene.toml")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn maps_imported_as_scenes_leave_the_same_traces() {
    let mut paths = Vec::new();
    scenes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios"), &mut paths);
    let mut n_same = 0;
    for path in paths {
        let scene = Scene::from_file(&path).unwrap_or_else(|error| panic!("{error}"));
        let Ok(files) = game_files(&scene, "TEST") else { continue };
        let folder = GameFolder::empty("exported");
        files.iter().for_each(|file| folder.write(&file.path, &file.bytes));
        let of_scene = Scene { clock: scene.clock.clone(), seed: scene.seed, ..exported(&folder) };
        assert!(trace(&of_scene, 40) == trace(&scene, 40), "{}", path.display());
        n_same += 1;
    }
    assert!(n_same >= 15, "{n_same}");
}

#[test]
fn models_of_any_name_stay_in_the_imported_folder() {
    let folder = GameFolder::with_map("names", &map(vec![body("A")], vec![placed("A", [0; 3])]));
    let segments = ["../../X", "BOX", "model-0"].map(|name| SegmentDraft { name: name.to_owned(), ..box_segment() });
    folder.write("fxart/TEST.ROB", archive(&segments));
    let files = export(&folder.options()).unwrap_or_else(|error| panic!("{error}")).files;
    let models: Vec<_> = files.iter().map(|(name, _)| name.as_str()).filter(|name| name.ends_with(".3D")).collect();
    assert_eq!(models, ["models/model-0.3D", "models/BOX.3D", "models/model-2.3D"]);
    let names: Vec<_> = exported(&folder).defs.models().iter().map(|model| model.name.to_string()).collect();
    assert_eq!(names, ["../../X", "BOX", "MODEL-0", "BODY"]);
}

#[test]
fn everything_that_a_map_has_comes_through_an_import() {
    // Y2 Y100: bases, hooks and locals beside the text of a program; odd names; templates; flags of all kinds.
    let hook = Some(vec![0, 0, 0]);
    let program =
        |base| Program { bytes: COUNT.to_vec(), locals: vec![10], base, hook: hook.clone(), ..Program::default() };
    let first = DefinitionDraft {
        namespace: Some("Al\"\\ias".to_owned()),
        more_locals: vec![vec![20]],
        ..with_program("A", program(500))
    };
    let strings = vec![b"caf\xE9".to_vec(), b"\x01\"".to_vec()];
    let second = with_program("if", Program { strings, ..program(40) });
    let placements = vec![placed("A", [1, 2, 3]), placed("if", [-4, 5, 6]), placed("A", [0; 3])];
    let folder = GameFolder::with_map("import", &map(vec![first, second, body("SHELL"), body("CYRUS")], placements));
    folder.write("SYSTEM.INI", "[system]\njump_time=9\nitem_ini=ITEM.INI\n[3dmanager]\ndummy_manager=1\n");
    folder.write("ITEM.INI", "[items]\ntorch_time=3\ntype[4]=1\nname[4]=a \"b\" \\c\nhand_object_file[4]=BOX\ntotal[4]=2\nadd_item_list[4]=4\n");
    let flags = "[flags]\nBOOL b 1\nNUMBER n -5\nCOUNTER c 3\nFLIPFLOP f 0\n";
    let definitions = soup386::defs::functions().rows().iter().skip(1);
    let definitions: String =
        definitions.map(|row| format!("{} {} parms {}\n", row.kind, row.name, row.parameters.len())).collect();
    let references: String = soup386::defs::properties().rows().iter().map(|row| format!("{}\n", row.name)).collect();
    folder.write("SOUP386/SOUP386.DEF", format!("[functions]\n{definitions}[refs]\n{references}{flags}"));
    let imported = folder.load();
    let scene = exported(&folder);
    assert_eq!(trace(&scene, 30), trace(&imported.scene, 30));
    assert_eq!(scene.defs.jump(), [9, 80]);
    assert_eq!((scene.dummy_manager, scene.item_system, scene.torch_time), (true, true, 3));
    let debug = |scene: &Scene| format!("{:?} {:?}", scene.defs.items().collect::<Vec<_>>(), scene.defs.flags());
    assert_eq!(debug(&scene), debug(&imported.scene));
    for (ours, theirs) in scene.defs.actors().iter().zip(imported.scene.defs.actors()) {
        assert_eq!((&ours.name, ours.template, &ours.namespace), (&theirs.name, theirs.template, &theirs.namespace));
        assert_eq!(ours.locals, theirs.locals);
        match (&ours.program, &theirs.program) {
            (Some(ours), Some(theirs)) => {
                assert_eq!((&ours.bytes, &ours.strings, ours.base), (&theirs.bytes, &theirs.strings, theirs.base));
                assert_eq!((&ours.hook, ours.start), (&theirs.hook, theirs.start));
            }
            (ours, theirs) => assert!(ours.is_none() && theirs.is_none()),
        }
    }
}

#[test]
fn functions_that_only_the_definitions_have_come_through_an_import() {
    // Y12 Y94 Y102: other numbers, a name that the registry lacks, one without the form of a name, names declared twice.
    let call = |function: u8| [0x01, function, 0, 1, 7, 5, 0, 0, 0];
    let bytes = [
        &[0x00, 3, 0, 0][..],                  // task Unheard()
        &call(1),                              // @Wait(5)
        &call(2),                              // the other Wait
        &call(4),                              // one whose name the text cannot have
        &[0x14, 0, 0, 1, 0, 7, 9, 0, 0, 0, 0], // property 1
        &[0x06, 2, 0, 7, 8, 0, 0, 0, 0],       // flag 2, of the name of flag 0
        &[0x13],
    ];
    let program = Program { bytes: bytes.concat(), base: 40, ..Program::default() };
    let folder = GameFolder::with_map("only-there", &map(vec![with_program("A", program)], vec![placed("A", [0; 3])]));
    let functions = "multitask Wait parms 1\nTASK wait parms 1\ntask Unheard parms 0\nfunction caf\u{e9} parms 1\n";
    let latin1: Vec<u8> = functions.chars().map(|c| c as u8).collect();
    let rest = "[refs]\nodd\npos.vx\n[equates]\nMAP_SHOWN = 3\n[flags]\nBOOL a 1\nNUMBER b 0\nNUMBER A 0\n";
    folder.write("SOUP386/SOUP386.DEF", [b"[functions]\n", &*latin1, rest.as_bytes()].concat());
    let of_game = folder.load().scene;
    let of_scene = exported(&folder);
    let text = fs::read_to_string(folder.path("scene/TEST.soup")).expect("a text");
    for line in ["  Unheard()", "  @func_1(5)", "  @func_2(5)", "  @func_4(5)", "  Me.pos.vx = 9", "  flag_2 = 8"] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    let program = |scene: &Scene| scene.defs.actors()[0].program.clone().expect("a program");
    assert_eq!(program(&of_scene), program(&of_game));
    let both = [trace(&of_game, 20), trace(&of_scene, 20)];
    assert_eq!(both[0], both[1]);
    assert!(both[0].contains("\"flags\":[1,0,8]") && both[0].contains("\"native\":\"Wait\""), "{}", both[0]);
    // The scene is a scene like others: as a game again it has the same names.
    let again = GameFolder::empty("only-there-again");
    let files = game_files(&of_scene, "TEST").unwrap_or_else(|error| panic!("{error}"));
    files.iter().for_each(|file| again.write(&file.path, &file.bytes));
    assert_eq!(trace(&again.load().scene, 20), both[0]);
}
