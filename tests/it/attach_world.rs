//! Named points in the world: axes, the weapon, scripts, events, publications, scenes.

use soup386::{
    Runtime, Scene,
    defs::ModuleSource,
    world::{Event, EventKind, Shown},
};

use crate::support::{actor, set_property, updates};

const ITEM: &str = "soup386 = 1\nitem = [{ id = 1, type = \"weapon\", hand_model = \"SABRE\", hilt_model = \"SABREH\", \
                    length = 24, player_total = 1 }]\n";

/// A typed list of attachments, each of name, joint (the root, if empty), offset and rotation as they are written.
fn list(attachments: &[(&str, &str, &str, &str)]) -> String {
    let attachment = |(name, joint, offset, rotation): &(&str, &str, &str, &str)| {
        format!(
            "CVattachment {{ string m_name = \"{name}\" CVattachmentInfluence[] m_influences = [ CVattachmentInfluence {{ \
             string m_influenceName = \"{joint}\" float(3) m_vTranslationOffset = ( {offset} ) \
             float(3) m_vRotationOffset = ( {rotation} ) float m_flWeight = 1.0 bool m_bRoot = {} }} ] }}",
            joint.is_empty()
        )
    };
    let attachments: Vec<_> = attachments.iter().map(attachment).collect();
    format!(
        "<!-- schema text {{7e125a45-3d83-4043-b292-9e24f8ef27b4}} generic {{198980d8-3a93-4919-b4c6-dd1fb07a3a4b}} -->\n\
         CVattachmentList CVattachmentList_0 {{ string m_name = \"\" CVattachment[] m_attachments = [ {} ] }}",
        attachments.join(", ")
    )
}

fn scene(text: &str, files: &[(&str, &str)]) -> Result<Scene, String> {
    let listed = files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    Scene::from_toml("test.toml", text, &ModuleSource::Listed(listed)).map_err(|error| error.to_string())
}

fn started(text: &str, files: &[(&str, &str)]) -> Runtime {
    let scene = scene(text, files).unwrap_or_else(|error| panic!("{error}"));
    Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"))
}

/// An actor whose weapon is stowed at `scabbard`, on a model of two vertices: 10 above the ground, the second below the
/// first.
fn wearer(name: &str, scabbard: &str) -> String {
    format!(
        "[[actor]]\nname = \"{name}\"\nplayer = {}\nframes = [{{ model = \"BODY\", count = 1 }}]\nattachments = \"hero.attach\"\n\
         scabbard = {scabbard}\nattributes = {{ 14 = 1, 23 = 1 }}\nrotation_mode = 2\n\
         [[actor.group]]\nindex = 0\ncommands = [\"ShowFrame 0\", \"GoToPrevious 0\"]\n",
        name == "A"
    )
}

const BODY: &str = "[[model]]\nname = \"BODY\"\nframes = [[[3, -10, 5], [3, -5, 5]]]\n";

/// L15, L16: the weapon at a named point has the place, the angles and the ends that vertices in the same place give.
#[test]
fn a_point_and_vertices_in_one_place_hold_alike() {
    let text = format!("{ITEM}{BODY}{}{}", wearer("A", "[0, 1]"), wearer("B", "\"belt\""));
    // Engine (3, −10, 5) is 5 forward, 3 to the right, 10 up.
    let mut runtime = started(&text, &[("hero.attach", &list(&[("belt", "", "5, -3, 10", "0, 0, 0")]))]);
    for (heading, pitch, roll) in [(0, 0, 0), (300, 0, 0), (1111, 100, 0), (2000, 30, 77)] {
        for name in ["A", "B"] {
            for (property, value) in [("angle.vy", heading), ("angle.vx", pitch), ("angle.vz", roll), ("pos.vx", 2560)]
            {
                set_property(&mut runtime, name, property, value);
            }
        }
        runtime.update().expect("an update");
        let [a, b] = ["A", "B"].map(|name| actor(&runtime, name));
        assert_eq!(a.hand_pos, b.hand_pos);
        // The direction of two vertices is rounded to Q8, that of a point is not.
        let apart = a.hand_angle.zip(b.hand_angle, |a, b| a.minus(b).0.min(b.minus(a).0));
        assert!(<[i32; 3]>::from(apart).iter().all(|steps| *steps <= 2), "{:?} {:?}", a.hand_angle, b.hand_angle);
        assert_eq!(a.attachment.map(|held| held.shown), Some(Shown::Hilt));
        let [at_a, at_b] = [a, b].map(|actor| actor.attachment.expect("it is stowed").transform);
        assert_eq!(at_a.position, at_b.position);
        let along = |matrix: [f32; 9]| [matrix[1], matrix[4], matrix[7]];
        let (a, b) = (along(at_a.matrix.0), along(at_b.matrix.0));
        // A roll turns the item on vertices away from their direction; a point's orientation has it already.
        assert!(roll != 0 || a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01), "{a:?} {b:?}");
    }
}

/// L16: the item keeps the whole orientation of a point: a point of the root that is not turned has the actor's matrix.
#[test]
fn a_point_of_the_root_has_the_actors_matrix() {
    let text = format!("{ITEM}{BODY}{}", wearer("A", "\"belt\""));
    let mut runtime = started(&text, &[("hero.attach", &list(&[("belt", "", "0, 0, 0", "0, 0, 0")]))]);
    set_property(&mut runtime, "A", "angle.vy", 700);
    updates(&mut runtime, 2);
    let a = actor(&runtime, "A");
    let held = a.attachment.expect("it is stowed");
    assert!(held.transform.matrix.0.iter().zip(a.matrix.0).all(|(a, b)| (a - b).abs() < 1e-6));
    assert_eq!(a.endpoints.map(|ends| ends.tip.y), Some(-24), "the blade stands up: it lies along Z of the point");
}

/// L10, L12: what holds an item must be there, on some model of the actor.
#[test]
fn a_holder_must_be_there() {
    let text = format!("{ITEM}{BODY}{}", wearer("A", "\"belt\""));
    let files = |name, joint| [("hero.attach", list(&[(name, joint, "0, 0, 0", "0, 0, 0")]))];
    let fault = |[(name, text_of)]: [(&str, String); 1]| scene(&text, &[(name, &text_of)]).expect_err("it is wrong");
    let misspelt = fault(files("belt_l", ""));
    assert!(misspelt.contains("actor[0].scabbard: no attachment and no joint is named \"belt\""), "{misspelt}");
    let close = fault(files("belts", ""));
    assert!(close.contains("did you mean \"belts\"?"), "{close}");
    let jointless = fault(files("belt", "hip"));
    assert!(jointless.contains("\"belt\" is on no joint of the actor's models: they have no hip"), "{jointless}");
}

/// L4, S2: faults of a list are told at their place in its file, faults of the name where the scene has it.
#[test]
fn faults_of_files_have_their_place() {
    let text = format!("{ITEM}{BODY}{}", wearer("A", "[0, 1]"));
    assert!(
        scene(&text, &[]).expect_err("no list").contains("test.toml:10:15: actor[0].attachments: hero.attach: no text")
    );
    let broken = list(&[("belt", "", "0, 0", "0, 0, 0")]);
    assert!(scene(&text, &[("hero.attach", &broken)]).expect_err("a fault").starts_with("hero.attach:2:"));
    let model =
        format!("{ITEM}[[model]]\nname = \"x\"\nfile = \"x.glb\"\nfps = 0\n[[model]]\nname = \"y\"\nclip = \"a\"\n");
    let faults = scene(&model, &[]).expect_err("no files here");
    for expected in [
        "model[0].file: this scene was read without a folder",
        "model[0].fps: expected a number above 0, at most 1000, found 0",
        "model[1].clip: \"clip\" belongs to a model with a glTF \"file\"",
        "model[1].frames: a model needs \"frames\", a \"file\", or the name of a \"parent\"",
    ] {
        assert!(faults.contains(expected), "{expected} is not in {faults}");
    }
}

/// L18: an event has the place of its point in the update, also when it was raised before the presentation.
#[test]
fn an_emission_has_the_place_of_its_update() {
    let text = format!("{ITEM}{BODY}{}", wearer("A", "[0, 1]"));
    let mut runtime = started(&text, &[("hero.attach", &list(&[("mark", "", "0, 0, 10", "0, 0, 0")]))]);
    let a = runtime.world().named("A").expect("an actor");
    updates(&mut runtime, 1);
    set_property(&mut runtime, "A", "pos.vz", 512);
    runtime.engine_mut().world.before_presentation = true;
    let open = runtime.engine_mut().emit(a, "MARK", "sparks");
    assert_eq!(open, Ok(()));
    let places = |runtime: &Runtime| -> Vec<_> {
        let place = |event: &Event| match &event.kind {
            EventKind::Emitted { place, .. } => Some(place.map(|place| place.position)),
            _ => None,
        };
        runtime.world().events.iter().filter_map(place).collect()
    };
    assert_eq!(places(&runtime), [None]);
    runtime.engine_mut().world.before_presentation = false;
    runtime.engine_mut().emit(a, "mark", "sparks").expect("it is there");
    assert_eq!(places(&runtime), [None, Some([0.0, -10.0, 0.0])], "the presentation showed it at the origin");
    let unknown = runtime.engine_mut().emit(a, "marks", "sparks").expect_err("it is not there").to_string();
    assert_eq!(unknown, "A has no attachment and no joint \"marks\" on the model BODY; did you mean \"mark\"?");
    for _ in runtime.world().n_emitted..4096 {
        runtime.engine_mut().emit(a, "mark", "sparks").expect("it is there");
    }
    let many = runtime.engine_mut().emit(a, "mark", "sparks").expect_err("too many").to_string();
    assert!(many.contains("called 4096 times in this update"), "{many}");
    updates(&mut runtime, 1);
    assert_eq!(places(&runtime), []);
    runtime.engine_mut().emit(a, "mark", "sparks").expect("a new update, a new count");
}

#[cfg(feature = "gltf")]
mod on_joints {
    use std::fs;

    use super::*;
    use crate::glb::{Glb, fighter};
    use crate::support::call;
    use serde_json::json;
    use soup386::{
        attach::list::{evaluate, local_point},
        defs::{BoundPoint, Pose},
    };

    /// The scene of a fighter whose clip `draw` has five frames.
    fn yard(keys: &str) -> String {
        let commands: Vec<String> = (0..5).map(|k| format!("\"ShowFrame {k}\"")).collect();
        let draw = format!("commands = [{}, \"EndAnimation\"]\n", commands.join(", "));
        format!(
            "{ITEM}[[model]]\nname = \"HERO\"\nfile = \"hero.glb\"\nclip = \"draw\"\nfps = 4\nscale = 2\n\
             [[model]]\nname = \"TWIN\"\nparent = \"HERO\"\n\
             [[actor]]\nname = \"A\"\nplayer = true\nframes = [{{ model = \"HERO\" }}, {{ model = \"TWIN\", count = 2 }}]\n\
             attachments = \"hero.attach\"\ngrip = \"hand_r\"\nscabbard = \"HIP\"\n{keys}\n\
             attributes = {{ 14 = 1, 23 = 1, 34 = 2, 35 = 2 }}\n\
             [[actor.group]]\nindex = 0\ncommands = [\"ShowFrame 0\", \"GoToPrevious 0\"]\n\
             [[actor.group]]\nindex = 91\n{draw}[[actor.group]]\nindex = 129\n{draw}"
        )
    }

    fn runtime(glb: &Glb, scene: &str, list: &str) -> Runtime {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("hero.glb"), glb.bytes()).expect("a file");
        fs::write(folder.path().join("hero.attach"), list).expect("a file");
        fs::write(folder.path().join("scene.toml"), scene).expect("a file");
        let scene = Scene::from_file(folder.path().join("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
        Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    fn hands() -> String {
        list(&[("hand_r", "wrist_r", "0, 0, 0", "0, 0, 0"), ("muzzle", "nowhere", "0, 0, 0", "0, 0, 0")])
    }

    /// L16, L17: in every update, the first too, points are those of the very frame that the publication shows, for
    /// every actor; a sword comes to the hand of that frame.
    #[test]
    fn points_belong_to_the_frame_that_is_shown() {
        let mut runtime = runtime(&fighter(), &yard(""), &hands());
        let a = runtime.world().named("A").expect("an actor");
        let template = runtime.engine().defs.actor_named("A").expect("a record");
        let mut crowd = vec![a];
        crowd.extend((0..20).map(|i| runtime.engine_mut().spawn(template, &format!("A{i}")).expect("an actor")));
        let mut frames = std::collections::BTreeSet::new();
        for update in 0..24 {
            if update == 3 {
                call(&mut runtime, "A", "drawsword", &[]);
            }
            updates(&mut runtime, 1);
            let (publication, defs) = (runtime.publication(), &runtime.engine().defs);
            let (_, rig) = defs.rig_of_handle(1).expect("a rig");
            assert_eq!(publication.poses().len(), crowd.len());
            for shown in publication.poses() {
                frames.insert(shown.pose.frame);
                let wrist = rig.frame(shown.pose.frame).expect("a frame")[2].translation;
                let [point] = publication.attachment_points(shown.actor) else { panic!("one point has joints") };
                assert_eq!(&*point.name, "hand_r");
                let expected = [-wrist[1], -wrist[2], wrist[0]].map(|n| (n * 2.0) as f32);
                let near = point.position.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1.0 / 256.0);
                assert!(near, "update {update}: {:?} {expected:?}", point.position);
            }
            let held = publication.attachments().iter().find(|held| held.actor == a).expect("a weapon");
            let [point] = publication.attachment_points(a) else { panic!("one point has joints") };
            if held.kind == Shown::Hand {
                assert_eq!(held.position, point.position.map(f32::floor));
                assert_eq!(held.matrix, point.matrix);
            } else {
                assert_eq!(held.kind, Shown::Hilt);
                assert_eq!(held.position[1], -80.0 - f32::from(publication.poses()[0].pose.frame) * 4.0);
            }
        }
        assert!(frames.contains(&4), "{frames:?}");
    }

    /// L17: an entry of a frame table without a count has all frames of its model.
    #[test]
    fn all_frames_of_a_model() {
        let runtime = runtime(&fighter(), &yard(""), &hands());
        let defs = &runtime.engine().defs;
        let table = &defs.actor(defs.actor_named("A").expect("a record")).frame_table;
        let shown: Vec<_> = table.iter().map(|pose| (pose.handle, pose.frame)).collect();
        assert_eq!(shown, [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), (2, 1)]);
    }

    /// L10, L12: names that are no attachments are joints; those whose joints are missing are nowhere, and say so.
    #[test]
    fn names_are_attachments_then_joints() {
        let mut runtime = runtime(&fighter(), &yard(""), &hands());
        updates(&mut runtime, 1);
        let a = runtime.world().named("A").expect("an actor");
        let engine = runtime.engine();
        assert_eq!(engine.attachment(a, "SPINE").map(|place| place.position), Ok([0.0, -100.0, 0.0]));
        assert_eq!(engine.attachment(a, "Hand_R").map(|place| place.position), Ok([8.0, -100.0, 0.0]));
        assert_eq!(engine.attachments(a), Ok(vec!["hand_r", "muzzle"]));
        let error = |name| engine.attachment(a, name).expect_err("it is nowhere").to_string();
        let nowhere = "the attachment \"muzzle\" of A is on no joint of the model HERO: it has no nowhere";
        assert_eq!(error("muzzle"), nowhere);
        let unknown = "A has no attachment and no joint \"wrist_l\" on the model HERO; did you mean \"wrist_r\"?";
        assert_eq!(error("wrist_l"), unknown);
        runtime.engine_mut().world.get_mut(a).expect("an actor").pose.frame = 99;
        runtime.engine_mut().world.before_presentation = true;
        let beyond = runtime.engine().attachment(a, "hand_r").expect_err("no such frame").to_string();
        assert!(beyond.contains("the model HERO has no frame"), "{beyond}");
        runtime.engine_mut().world.get_mut(a).expect("an actor").pose.handle = 0;
        let unposed = runtime.engine().attachment(a, "hand_r").expect_err("no frame").to_string();
        let reason =
            "A shows no frame of a model, so its attachment \"hand_r\" is nowhere: a ShowFrame in a group gives it one";
        assert_eq!(unposed, reason);
    }

    /// L12: where the grip has no place on the model shown, nothing is held; it comes back with its model.
    #[test]
    fn a_grip_that_is_nowhere_holds_nothing() {
        let mut runtime = runtime(&fighter(), &yard(""), &hands());
        updates(&mut runtime, 1);
        assert!(actor(&runtime, "A").attachment.is_some());
        let a = runtime.world().named("A").expect("an actor");
        let model = |runtime: &mut Runtime, handle| {
            let actor = runtime.engine_mut().world.get_mut(a).expect("an actor");
            actor.pose.handle = handle;
            actor.animation_excluded = false;
        };
        model(&mut runtime, 77);
        let before = actor(&runtime, "A").hand_pos;
        updates(&mut runtime, 1);
        assert_eq!(actor(&runtime, "A").attachment, None);
        assert_eq!(actor(&runtime, "A").hand_pos, before);
        assert!(runtime.publication().attachment_points(a).is_empty());
        updates(&mut runtime, 2);
        assert!(actor(&runtime, "A").attachment.is_some());
    }

    /// L15, L16: the worked example of the guide.
    #[test]
    fn the_worked_example_of_the_guide() {
        let mut glb = Glb::new();
        glb.node("wrist_r", None, json!({ "translation": [-0.4, 1.25, 0.1] }));
        let list = list(&[("hand_r", "wrist_r", "0, 0.1, 0.05", "-90, 0, 0")]);
        let scene = format!(
            "{ITEM}[[model]]\nname = \"HERO\"\nfile = \"hero.glb\"\nscale = 40\n\
             [[actor]]\nname = \"A\"\nplayer = true\nframes = [{{ model = \"HERO\" }}]\nattachments = \"hero.attach\"\n\
             scabbard = \"hand_r\"\nposition = [25600, 0, 51200]\nattributes = {{ 14 = 1, 23 = 1 }}\n\
             [[actor.group]]\nindex = 0\ncommands = [\"ShowFrame 0\", \"GoToPrevious 0\"]\n"
        );
        let mut runtime = runtime(&glb, &scene, &list);
        updates(&mut runtime, 1);
        let a = actor(&runtime, "A");
        let point = runtime.engine().attachment(a.key, "hand_r").expect("a point");
        assert_eq!(point.position, [116.0, -54.0, 206.0]);
        let blade = [-point.matrix.0[1], -point.matrix.0[4], -point.matrix.0[7]];
        assert!(blade.iter().zip([0.0, -1.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{blade:?}");
        assert_eq!(a.hand_pos.map(|q8| q8.0), [116 * 256, -54 * 256, 206 * 256].into());
        assert_eq!(a.hand_angle.map(|angle| angle.0), [1024, 1024, 0].into());
        let ends = a.endpoints.expect("a fighter");
        assert_eq!((ends.base, ends.tip), ([116, -54, 206].into(), [116, -78, 206].into()));
    }

    /// L9, L15: a point on a joint, in model space and in the engine's.
    #[test]
    fn a_point_is_turned_into_engine_space() {
        let runtime = runtime(&fighter(), &yard(""), &hands());
        let defs = &runtime.engine().defs;
        let (_, rig) = defs.rig_of_handle(2).expect("the twin has the joints of its parent");
        let point = BoundPoint::of_joint("wrist_r".into(), 2);
        let frame = evaluate(&point, rig.frame(4).expect("a frame")).expect("a frame");
        let local = local_point(defs, Pose { handle: 2, frame: 4 }, &point).expect("a point");
        assert!(frame.position.iter().zip([4.0, 0.0, 58.0]).all(|(a, b)| (a - b).abs() < 1e-6));
        assert_eq!(local.position.map(|q8| q8.0), [0, -58 * 512, 4 * 512].into());
        assert_eq!(local_point(defs, Pose { handle: 2, frame: 5 }, &point), None);
    }
}
