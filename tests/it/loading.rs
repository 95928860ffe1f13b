//! Frame tables, groups, and what an actor is at load.

use soup386::{
    defs::{ModuleSource, Scene, VertexIdx},
    update::Runtime,
    world::{CombatRecord, EventKind},
};

use crate::{
    stage::{actor_text, scene_text},
    support,
};

const TWO_MODELS: &str = "soup386 = 1
[[model]]
name = \"walk\"
frames = [[[1.0, 0.0, 0.0]], [[2.0, 0.0, 0.0]], [[3.0, 0.0, 0.0]]]
[[model]]
name = \"swim\"
frames = [[[4.0, 0.0, 0.0]], [[5.0, 0.0, 0.0]]]
";

/// The faults of a scene text that does not load.
fn faults(scene: &str) -> String {
    match Scene::from_toml("test.toml", scene, &ModuleSource::Nowhere) {
        Ok(_) => panic!("the scene loads"),
        Err(error) => error.to_string(),
    }
}

fn attributes(runtime: &Runtime, name: &str, indices: &[u8]) -> Vec<u8> {
    indices.iter().map(|&index| support::actor(runtime, name).attribute(index)).collect()
}

/// F1, C17: entries are concatenated in order, each from model frame 0; the pose is a handle and a frame, and no tracked
/// vertex is touched.
#[test]
fn references_index_the_concatenated_frame_table() {
    let table =
        "frames = [{ model = \"swim\", count = 2 }, { model = \"walk\", count = 3 }, { model = \"swim\", count = 1 }]";
    // walk is model 1, swim model 2.
    let expected = [(2, 0), (2, 1), (1, 0), (1, 1), (1, 2), (2, 0)];
    for (reference, pose) in expected.into_iter().enumerate() {
        let actor = format!(
            "[[actor]]\nname = \"a\"\n{table}\ngrip = [7, 8]\n[[actor.group]]\nindex = 0\ncommands = [\"ShowFrame {reference}\"]\n"
        );
        let runtime = support::runtime(&format!("{TWO_MODELS}{actor}"));
        let shown = support::actor(&runtime, "a").pose;
        assert_eq!((shown.handle, shown.frame), pose, "{reference}");
        let grip = support::actor(&runtime, "a").grip;
        assert_eq!((grip.first, grip.second), (VertexIdx(7), VertexIdx(8)));
    }
}

/// F2: the last entry is a reference, the next number is none.
#[test]
fn a_reference_beyond_the_frame_table_is_a_load_error() {
    let scene = |reference: u32| {
        let group = format!("[[actor.group]]\nindex = 3\ncommands = [\"EndAnimation\", \"ShowFrame {reference}\"]\n");
        format!("{TWO_MODELS}[[actor]]\nname = \"a\"\nframes = [{{ model = \"walk\", count = 3 }}]\n{group}")
    };
    support::runtime(&scene(2));
    let faults = faults(&scene(3));
    assert!(faults.contains("actor[0].group[0].commands[1]"), "{faults}");
}

/// F2, V4: a frame that the model does not have can be shown; its vertices are zero.
#[test]
fn a_frame_beyond_the_model_is_shown_without_vertices() {
    let scene = |reference: u32| {
        let group = format!("[[actor.group]]\nindex = 0\ncommands = [\"ShowFrame {reference}\"]\n");
        format!("{TWO_MODELS}[[actor]]\nname = \"a\"\nframes = [{{ model = \"swim\", count = 9 }}]\n{group}")
    };
    for (reference, x) in [(1, 5 * 256), (2, 0), (8, 0)] {
        let runtime = support::runtime(&scene(reference));
        let pose = support::actor(&runtime, "a").pose;
        assert_eq!(i64::from(pose.frame), i64::from(reference));
        let vertex = soup386::attach::query(&runtime.engine().defs, pose, VertexIdx(0), false);
        assert_eq!(vertex.x.0, x, "{reference}");
    }
}

/// F3: group numbers.
#[test]
fn group_numbers_end_at_177() {
    let scene = |index: u32| scene_text(&actor_text("a", "", &[(index, 1, 1, "ShowFrame 1")]));
    let mut runtime = support::runtime(&scene(177));
    support::call(&mut runtime, "a", "PlayAnimation", &[177, 0]);
    assert_eq!(support::actor(&runtime, "a").playback.current, 177);
    let faults = faults(&scene(178));
    assert!(faults.contains("actor[0].group[0].index"), "{faults}");
}

/// F3: the second of two groups of one number counts, with its speed and type.
#[test]
fn a_second_group_replaces_the_first() {
    let first = (10, 3, 1, "ShowFrame 1");
    let second = (10, 7, 2, "ShowFrame 2, GoToFuture 3, ShowFrame 4, ShowFrame 5");
    let mut runtime = support::runtime(&scene_text(&actor_text("a", "", &[first, (0, 1, 1, "ShowFrame 0"), second])));
    support::call(&mut runtime, "a", "PlayAnimation", &[10, 0]);
    let actor = support::actor(&runtime, "a");
    assert_eq!((actor.pose.frame, actor.playback.speed), (2, 7));
    // Type 2: the pending default does not open the exit (type 1 would show frame 5).
    support::set_property(&mut runtime, "a", "anim.frame", 1);
    support::set_property(&mut runtime, "a", "anim.next", 0);
    support::updates(&mut runtime, 1);
    assert_eq!(support::actor(&runtime, "a").pose.frame, 4);
}

/// F4: no groups, not even faulty ones; requests do nothing; `anim.*` reads 0 and ignores writes.
#[test]
fn an_actor_without_frames_has_no_animation_state() {
    for frames in ["", "frames = []", "frames = [{ model = \"walk\", count = 0 }]"] {
        let group = "[[actor.group]]\nindex = 0\ncommands = [\"ShowFrame 7\"]\n";
        let mut runtime = support::runtime(&format!(
            "{TWO_MODELS}[[actor]]\nname = \"a\"\n{frames}\nattributes = {{ 14 = 1 }}\n{group}"
        ));
        support::call(&mut runtime, "a", "PlayAnimation", &[0, 0]);
        support::set_property(&mut runtime, "a", "anim.frame", 5);
        support::updates(&mut runtime, 2);
        for property in ["anim", "anim.current", "anim.next", "anim.frame", "anim.speed_count", "handle", "combat"] {
            assert_eq!(support::property(&runtime, "a", property), 0, "{frames}: {property}");
        }
    }
}

/// F5: the ticks at load are 0 whatever the clock says, so nothing is counted down.
#[test]
fn group_0_starts_at_load_without_ticks() {
    let clock = "[clock]\nnominal = [3]\n";
    let group = (0, 2, 1, "ShowFrame 4, ShowFrame 5, ShowFrame 6");
    let runtime = support::runtime(&scene_text(&(clock.to_owned() + actor_text("a", "", &[group]).as_str())));
    let actor = support::actor(&runtime, "a");
    assert_eq!((actor.playback.current, actor.playback.cursor, actor.playback.speed_count), (0, 0, 2));
    assert_eq!(actor.pose.frame, 4);
}

/// F5: two ordinary requests, and for the player a forced one for the default. Group 0 hands over to group 5, so that
/// the second request finds another group current.
#[test]
fn the_load_makes_two_requests_and_a_forced_one_for_the_player() {
    for (keys, rumbles, pending) in [("", 1, 0), ("player = true", 2, -1)] {
        let groups = [(0, 1, 1, "Rumble 1, ChangeAnimGroup 5 0"), (5, 1, 1, "ShowFrame 2")];
        let runtime = support::runtime(&scene_text(&actor_text("a", keys, &groups)));
        let playback = support::actor(&runtime, "a").playback;
        assert_eq!((playback.current, playback.pending, playback.default), (5, pending, 0), "{keys}");
        let is_rumble = |kind: &EventKind| matches!(kind, EventKind::ActorEvent { .. });
        assert_eq!(runtime.world().events.iter().filter(|event| is_rumble(&event.kind)).count(), rumbles, "{keys}");
    }
}

/// F5, F6: the requests at load do not go to attribute 44, which becomes the default in the first update.
#[test]
fn attribute_44_is_not_asked_for_at_load() {
    let groups = [(0, 1, 1, "ShowFrame 1"), (9, 1, 1, "ShowFrame 2")];
    let mut runtime =
        support::runtime(&scene_text(&actor_text("a", "player = true\nattributes = { 44 = 9 }", &groups)));
    assert_eq!(support::actor(&runtime, "a").playback.current, 0);
    support::updates(&mut runtime, 1);
    assert_eq!(support::actor(&runtime, "a").playback.current, 9);
}

/// F6: fallbacks and mirrors.
#[test]
fn attributes_are_adjusted_at_load() {
    let cases = [
        ("", [6, 80, 2, 10, 0, 0]),
        ("31 = 127, 32 = 1, 35 = 255, 34 = 3, 6 = 77, 1 = 88, 115 = 4, 119 = 5", [127, 1, 255, 3, 77, 88]),
        ("31 = 128, 115 = 4, 119 = 5", [6, 80, 2, 10, 0, 0]),
        ("31 = 255", [6, 80, 2, 10, 0, 0]),
        ("31 = 1", [1, 80, 2, 10, 0, 0]),
    ];
    for (given, expected) in cases {
        let keys = format!("attributes = {{ {given} }}");
        let runtime = support::runtime(&scene_text(&actor_text("a", &keys, &[])));
        assert_eq!(attributes(&runtime, "a", &[31, 32, 35, 34, 115, 119]), expected, "{given}");
    }
}

/// F6: later writes are not adjusted.
#[test]
fn attributes_are_adjusted_at_load_only() {
    let mut runtime = support::runtime(&scene_text(&actor_text("a", "", &[])));
    for index in [31, 32, 34, 35] {
        support::call(&mut runtime, "a", "SetAttribute", &[index, 0]);
    }
    support::updates(&mut runtime, 2);
    assert_eq!(attributes(&runtime, "a", &[31, 32, 34, 35]), [0, 0, 0, 0]);
}

/// F6: attribute 125 counts animated actors, modulo 256; the others keep theirs.
#[test]
fn attribute_125_counts_animated_actors() {
    let mut scene = actor_text("first", "attributes = { 125 = 9 }", &[]);
    scene += "[[actor]]\nname = \"bare\"\nattributes = { 125 = 9 }\n";
    (1..=256).for_each(|i| scene += &actor_text(&format!("a{i}"), "", &[]));
    let runtime = support::runtime(&scene_text(&scene));
    let numbers: Vec<_> = ["first", "bare", "a1", "a2", "a255", "a256"]
        .iter()
        .map(|name| support::actor(&runtime, name).attribute(125))
        .collect();
    assert_eq!(numbers, [0, 9, 1, 2, 255, 0]);
}

/// F7: when there is a combat record, and how it starts.
#[test]
fn a_combat_record_needs_attribute_14_and_an_animation_state() {
    let scene = actor_text("plain", "", &[])
        + "[[actor]]\nname = \"bare\"\nattributes = { 14 = 1 }\n"
        + actor_text("fighter", "attributes = { 14 = 255, 44 = 3 }", &[]).as_str();
    let mut runtime = support::runtime(&scene_text(&scene));
    assert_eq!(support::actor(&runtime, "plain").combat, None);
    assert_eq!(support::actor(&runtime, "bare").combat, None);
    let record = CombatRecord { index: 0, cooldown: 0, action: -1, flags: 0, death_default: 0 };
    assert_eq!(support::actor(&runtime, "fighter").combat, Some(record));
    // At load only.
    support::call(&mut runtime, "plain", "SetAttribute", &[14, 1]);
    support::call(&mut runtime, "fighter", "SetAttribute", &[14, 0]);
    support::updates(&mut runtime, 1);
    assert_eq!(support::actor(&runtime, "plain").combat, None);
    assert_eq!(support::actor(&runtime, "fighter").combat, Some(record));
}
