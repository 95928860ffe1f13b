//! Maps become scenes: what is placed, in which order, with which models.

use soup386::{
    defs::{Group, VertexIdx, VertexPair},
    import::game::{
        GameOptions,
        write::{DefinitionDraft, PlacementDraft},
    },
    units::{Angle, Q8},
};

use crate::game_support::{GameFolder, actor_names, assert_warns, body, map, placed, trace};

fn group(index: u32, speed: u8, commands: &[&str]) -> (u32, Group) {
    let commands = commands.iter().map(|text| text.parse().expect("a command")).collect();
    (index, Group { speed, group_type: 1, commands })
}

#[test]
fn the_demo_as_a_game_leaves_the_trace_of_the_demo() {
    // I3 I5 I13 I14 I17 I20 I30 I31: everything together.
    let folder = GameFolder::empty("demo");
    for (path, bytes) in soup386::import::demo_game_files() {
        folder.write(&path, bytes);
    }
    let imported = folder.load();
    assert_eq!(imported.warnings, []);
    let demo = soup386::Scene::demo();
    let names = |scene: &soup386::Scene| -> Vec<String> {
        scene.defs.models().iter().map(|model| model.name.to_string()).collect()
    };
    assert_eq!(names(&imported.scene), names(&demo));
    assert_eq!(actor_names(&imported.scene), ["CYRUS", "GUARD"]);
    assert_eq!(trace(&imported.scene, 60), trace(&demo, 60));
}

#[test]
fn names_are_found_without_case_and_of_several_the_first_in_byte_order() {
    // I1.
    let folder = GameFolder::with_map("case", &map(vec![body("A")], vec![placed("a", [0; 3])]));
    std::fs::rename(folder.path("maps"), folder.path("mApS")).expect("renamed");
    std::fs::rename(folder.path("SYSTEM.INI"), folder.path("system.ini")).expect("renamed");
    assert_eq!(actor_names(&folder.load().scene), ["A"]);
    folder.write("World.ini", "[world]\nstart_world=0\n");
    if folder.path("WORLD.INI").metadata().expect("there").len()
        == folder.path("World.ini").metadata().expect("there").len()
    {
        // A file system without case has one file of the two names.
        return;
    }
    let imported = folder.load();
    assert_warns(&imported, "although there is also World.ini");
}

#[test]
fn maps_and_settings_stay_below_the_game_folder() {
    // I2.
    let folder = GameFolder::with_map("below", &map(vec![body("A")], vec![]));
    for (path, why) in
        [("..\\x.rgm", "leads upwards"), ("C:\\x.rgm", "names a drive"), ("\\x.rgm", "begins with a separator")]
    {
        folder.write("WORLD.INI", format!("[world]\nstart_world=0\nworld_map[0]={path}\n"));
        assert!(folder.fault().contains(why), "{path}: {}", folder.fault());
    }
}

#[test]
fn the_art_folder_is_the_one_with_the_archive() {
    // I3.
    let folder = GameFolder::with_map("art", &map(vec![body("A")], vec![placed("A", [0; 3])]));
    std::fs::rename(folder.path("fxart"), folder.path("3DART")).expect("renamed");
    std::fs::create_dir(folder.path("fxart")).expect("made");
    let imported = folder.load();
    assert_eq!(imported.scene.defs.models().len(), 2);
    let options = GameOptions { art: Some("fxart".into()), ..folder.options() };
    let fault = soup386::Scene::from_game(&options).expect_err("no models").to_string();
    assert!(fault.contains("there is no model BODY"), "{fault}");
    let options = GameOptions { art: Some(folder.path("3DART")), ..folder.options() };
    assert!(soup386::Scene::from_game(&options).is_ok());
}

#[test]
fn models_are_looked_up_in_the_archive_then_in_files() {
    // I4 I5 I12: a segment hides a file of its name; handles follow the segments, then the first use.
    let mut twice = body("B");
    twice.frames = vec![("x\\LATE.3d".to_owned(), 1), ("BOX".to_owned(), 1), ("body".to_owned(), 2)];
    let folder = GameFolder::with_map("lookup", &map(vec![twice], vec![placed("B", [0; 3])]));
    let other = soup386::import::game::write::model(&[vec![[7, 7, 7]]], &[]);
    folder.write("fxart/BOX.3D", &other);
    folder.write("fxart/late.3d", &other);
    let scene = folder.load().scene;
    let names: Vec<_> = scene.defs.models().iter().map(|model| &*model.name).collect();
    assert_eq!(names, ["BOX", "LATE", "BODY"]);
    let boxed = scene.defs.models()[0].shape.vertex(0, VertexIdx(1));
    assert_eq!(boxed, Some([1.0, 0.0, 0.0]));
    let handles: Vec<_> = scene.defs.actors()[0].frame_table.iter().map(|pose| (pose.handle, pose.frame)).collect();
    assert_eq!(handles, [(2, 0), (1, 0), (3, 0), (3, 1)]);
}

#[test]
fn types_2_and_6_are_not_actors_and_others_are_with_a_warning() {
    // I10.
    let kind = |object_type| PlacementDraft { object_type, ..placed("A", [0; 3]) };
    let placements = vec![kind(2), kind(6), kind(9), placed("NOBODY", [0; 3]), placed("", [0; 3])];
    let folder = GameFolder::with_map("types", &map(vec![body("A")], placements));
    let imported = folder.load();
    assert_eq!(actor_names(&imported.scene), ["A"]);
    assert_warns(&imported, "placement 2 (A) has the object type 9");
    assert_warns(&imported, "placement 3 (NOBODY) has no definition");
    assert_warns(&imported, "placement 4 () has no definition");
}

#[test]
fn one_model_with_the_static_prefix_is_no_frame_table() {
    // I11: all 32 bits of the prefix, a signed comparison, one model.
    let cases = [(-1, 1, 1, 0), (-1, -5, 1, 0), (-1, 2, 1, 3), (255, 1, 1, 3), (-1, 1, 2, 6)];
    for (prefix, frame_data, n_models, n_frames) in cases {
        let mut definition = body("A");
        definition.anim_control_prefix = prefix;
        definition.anim_frame_data = frame_data;
        definition.frames = vec![definition.frames[0].clone(); n_models];
        // I13: groups without a frame table are not there, and their references are not looked at.
        definition.groups = vec![group(0, 1, &["ShowFrame 2"])];
        let folder = GameFolder::with_map("static", &map(vec![definition], vec![placed("A", [0; 3])]));
        let scene = folder.load().scene;
        let actor = &scene.defs.actors()[0];
        assert_eq!(actor.frame_table.len(), n_frames, "{prefix} {frame_data} {n_models}");
        assert_eq!(actor.groups.iter().count(), usize::from(n_frames > 0));
    }
}

#[test]
fn a_placement_brings_its_own_model_when_the_definition_has_none() {
    // I12 I13.
    let mut bare = DefinitionDraft::new("A");
    bare.groups = vec![group(0, 1, &["ShowFrame 1"])];
    let own = |object_type, model: &str, is_static| PlacementDraft {
        object_type,
        model: model.to_owned(),
        is_static,
        ..placed("A", [0; 3])
    };
    let frames = |placement| {
        let folder = GameFolder::with_map("own", &map(vec![bare.clone()], vec![placement]));
        folder.load().scene.defs.actors()[0].frame_table.len()
    };
    assert_eq!(frames(own(1, "body", 3)), 3);
    assert_eq!(frames(own(1, "BODY", 255)), 255, "I23: more frames than the model has");
    assert_eq!(frames(own(1, "BODY", 1)), 0);
    assert_eq!(frames(own(1, "BODY", 0)), 0);
    assert_eq!(frames(own(1, "", 3)), 0);
    assert_eq!(frames(own(3, "BODY", 3)), 0);
    // With a frame table from the definition the placement's model need not exist.
    let folder = GameFolder::with_map("unused", &map(vec![body("A")], vec![own(1, "NOWHERE", 2)]));
    assert_eq!(folder.load().scene.defs.actors()[0].frame_table.len(), 3);
}

#[test]
fn references_are_held_against_the_table_of_the_placement() {
    // I13: only what is placed is checked.
    let mut bare = DefinitionDraft::new("A");
    bare.groups = vec![group(5, 1, &["EndAnimation", "ShowFrame 2"])];
    let two = PlacementDraft { model: "BODY".to_owned(), is_static: 2, ..placed("A", [0; 3]) };
    let folder = GameFolder::with_map("reference", &map(vec![bare.clone()], vec![two.clone()]));
    let fault = folder.fault();
    assert!(fault.contains("RAGR, definition 0 (A)") && fault.contains("group 5, command 1: ShowFrame 2"), "{fault}");
    let three = PlacementDraft { is_static: 3, ..two };
    let mut template = body("B");
    template.groups = vec![group(0, 1, &["ShowFrame 3"])];
    let folder = GameFolder::with_map("reference", &map(vec![bare, template], vec![three]));
    let imported = folder.load();
    assert_eq!(actor_names(&imported.scene), ["A"]);
    assert_warns(&imported, "ShowFrame 3 is outside the frame table of 3 frames");
}

#[test]
fn the_player_stands_at_the_start_marker_once() {
    // I14.
    let mut draft = map(vec![body("CYRUS"), body("A")], vec![placed("CYRUS", [9, 9, 9]), placed("A", [0; 3])]);
    draft.markers = vec![[0; 3], [-1, 0x7F_FFFF, -0x80_0000]];
    let folder = GameFolder::with_map("player", &draft);
    folder.write("WORLD.INI", "[world]\nstart_world=0\nstart_marker=1\nworld_map[0]=maps/TEST.RGM\n");
    let imported = folder.load();
    assert_warns(&imported, "placement 0 (CYRUS) is made by the engine itself");
    let player = &imported.scene.defs.actors()[0];
    assert_eq!((player.name.as_str(), player.player), ("CYRUS", true));
    assert_eq!([player.position.x, player.position.y, player.position.z], [Q8(-256), Q8(0x7FFF_FF00), Q8(i32::MIN)]);
    assert_eq!(player.angles.y, Angle(0));
    folder.write("WORLD.INI", "[world]\nstart_world=0\nstart_marker=2\nworld_map[0]=maps/TEST.RGM\n");
    assert!(folder.fault().contains("the player starts at marker 2, but there are 2 markers"), "{}", folder.fault());
    // Another map than that of the start world has marker 0.
    folder.write("maps/OTHER.RGM", draft.bytes());
    let options = GameOptions { map: Some("other".to_owned()), ..folder.options() };
    let scene = soup386::Scene::from_game(&options).unwrap_or_else(|error| panic!("{error}")).scene;
    assert_eq!(scene.defs.actors()[0].position.x, Q8(0));
}

#[test]
fn definitions_without_a_placement_are_templates() {
    // I15.
    let definitions = vec![body("SHELL"), body("GREMLIN"), body("CAMERA"), body("A")];
    let placements = vec![placed("A", [0; 3]), placed("gremlin", [0; 3])];
    let folder = GameFolder::with_map("templates", &map(definitions, placements));
    let imported = folder.load();
    assert_warns(&imported, "placement 1 (gremlin) is made by the engine itself");
    assert_eq!(actor_names(&imported.scene), ["A"]);
    let templates: Vec<_> = imported.scene.defs.actors().iter().filter(|actor| actor.template).collect();
    assert_eq!(templates.iter().map(|actor| actor.name.as_str()).collect::<Vec<_>>(), ["SHELL", "GREMLIN", "CAMERA"]);
    let mut runtime = soup386::Runtime::new(imported.scene).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(runtime.world().len(), 1);
    let engine = runtime.engine_mut();
    let shell = engine.defs.actor_named("shell").expect("a template");
    assert!(engine.spawn(shell, "SHELL").is_ok());
}

#[test]
fn placements_of_one_definition_are_numbered_in_the_order_of_the_file() {
    // I16 I17 I18: persistent actors are updated from the last record to the first.
    let folder = GameFolder::with_map(
        "number",
        &map(vec![body("A")], vec![placed("A", [1, 0, 0]), placed("a", [2, 0, 0]), placed("A", [3, 0, 0])]),
    );
    let scene = folder.load().scene;
    assert_eq!(actor_names(&scene), ["A#3", "A#2", "A"]);
    let x: Vec<_> = scene.defs.actors().iter().map(|actor| actor.position.x.0 / 256).collect();
    assert_eq!(x, [3, 2, 1]);
    // A definition may have such a name of its own.
    let placements = vec![placed("A#2", [0; 3]), placed("A", [0; 3]), placed("A", [0; 3])];
    let folder = GameFolder::with_map("number", &map(vec![body("A"), body("A#2")], placements));
    assert_eq!(actor_names(&folder.load().scene), ["A#2#", "A", "A#2"]);
}

#[test]
fn cells_come_before_the_player_and_persistent_actors_after() {
    // I17: rows of Z, then columns of X, of 16 bits; inside a cell the last record first.
    let cell = |name: &str, x, z| PlacementDraft { activation: 0, ..placed(name, [x, 0, z]) };
    let names = ["A", "B", "C", "D", "E", "F", "G", "CYRUS"];
    let placements = vec![
        placed("A", [0; 3]),
        cell("B", 511, 512),
        cell("C", 512, 512),
        cell("D", 0, 0),
        cell("E", 511, 511),
        // −1 and 65536 wrap into 16 bits.
        cell("F", -1, 65_536),
        placed("G", [0; 3]),
    ];
    let folder = GameFolder::with_map("order", &map(names.map(body).to_vec(), placements));
    assert_eq!(actor_names(&folder.load().scene), ["E", "D", "F", "B", "C", "CYRUS", "G", "A"]);
}

#[test]
fn records_give_vertices_attributes_angles_and_groups() {
    let mut definition = body("A");
    definition.grip = VertexPair { first: VertexIdx(-3), second: VertexIdx(32_767) };
    definition.scabbard = VertexPair { first: VertexIdx(1), second: VertexIdx(2) };
    definition.attributes[28] = 2;
    definition.attributes[25] = 7;
    definition.attributes[26] = 8;
    definition.groups = vec![group(91, 200, &["ShowFrame 2", "EndAnimation"]), group(0, 3, &["GoToPrevious 0"])];
    definition.locations = vec![[1, 2, 3], [4, 5, 6]];
    let placement = PlacementDraft { angles: [1, 2048 + 5, u32::MAX], ..placed("A", [1, -2, 3]) };
    let folder = GameFolder::with_map("records", &map(vec![definition], vec![placement]));
    // I19: locations are only looked for.
    let scene = folder.load().scene;
    let actor = &scene.defs.actors()[0];
    assert_eq!((actor.grip.first, actor.grip.second), (VertexIdx(-3), VertexIdx(32_767)));
    assert_eq!((actor.scabbard.first, actor.scabbard.second), (VertexIdx(1), VertexIdx(2)));
    assert_eq!(actor.attributes[25..29], [7, 8, 0, 2]);
    assert_eq!(<[Angle; 3]>::from(actor.angles), [Angle(1), Angle(5), Angle(2047)]);
    assert_eq!(<[Q8; 3]>::from(actor.position), [Q8(256), Q8(-512), Q8(768)]);
    let groups: Vec<_> = actor.groups.iter().map(|(index, group)| (index, group.speed, group.commands.len())).collect();
    assert_eq!(groups, [(0, 3, 1), (91, 200, 2)]);
    folder.write("SYSTEM.INI", "[system]\njump_time=456\njump_height=0\n[debug]\ndisable_family=1\n");
    let scene = folder.load().scene;
    assert_eq!(scene.defs.actors()[0].attributes[25..27], [0, 0]);
    assert_eq!(scene.defs.jump(), [200, 80]);
}

#[test]
fn a_part_of_a_map_is_what_the_caller_names() {
    let definitions = vec![body("CYRUS"), body("A"), body("B"), body("SHELL")];
    let folder = GameFolder::with_map(
        "part",
        &map(definitions, vec![placed("A", [0; 3]), placed("B", [0; 3]), placed("A", [0; 3])]),
    );
    let part = |names: &[&str]| {
        let actors = names.iter().map(|name| (*name).to_owned()).collect();
        soup386::Scene::from_game(&GameOptions { actors, ..folder.options() })
    };
    let names = |imported: soup386::import::game::Imported| -> Vec<String> {
        imported.scene.defs.actors().iter().map(|actor| actor.name.clone()).collect()
    };
    assert_eq!(names(part(&["a", "SHELL"]).expect("a part")), ["A#2", "A", "SHELL"]);
    assert_eq!(names(part(&["A#2", "cyrus"]).expect("a part")), ["CYRUS", "A#2"]);
    let fault = part(&["SHELF"]).expect_err("no such actor").to_string();
    assert!(fault.contains("no actor is named SHELF; did you mean \"SHELL\"?"), "{fault}");
}
