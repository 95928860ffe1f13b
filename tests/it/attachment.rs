//! Vertex queries, the drawn and the stowed transform, endpoints, and when they are computed.

use soup386::{
    attach::{self, Placement},
    defs::{Defs, ModuleSource, Pose, Scene, VertexIdx},
    units::{Angle, Matrix, Q8, Vec3},
    update::Runtime,
    world::{Actor, Endpoints, Shown, Transform},
};

use crate::support;

/// Vertices of one frame, in model units.
type Frame<'f> = &'f [[f64; 3]];

/// An idle default group.
const IDLE: &str = "[[actor.group]]\nindex = 0\ncommands = [\"ShowFrame 0\", \"GoToPrevious 0\"]\n";
/// A fighter who carries item 1, as attributes and tracked vertices.
const FIGHTER: &str = "attributes = { 14 = 1, 23 = 1 }\ngrip = [0, 1]\nscabbard = [0, 1]";

/// Item 1 with models `blade` and `hilt` and length 10; an actor of model `body` with these frames, keys and groups.
fn scene(frames: &[Frame], keys: &str, groups: &str) -> String {
    format!(
        "soup386 = 1
[[item]]
id = 1
type = \"weapon\"
length = 10
hand_model = \"blade\"
hilt_model = \"hilt\"
[[model]]
name = \"body\"
frames = {frames:?}
[[model]]
name = \"blade\"
frames = [[[0.0, 0.0, 0.0]]]
[[model]]
name = \"hilt\"
frames = [[[0.0, 0.0, 0.0]]]
[[actor]]
name = \"a\"
frames = [{{ model = \"body\", count = {} }}]
{keys}
{groups}",
        frames.len()
    )
}

/// A fighter with one frame of these vertices, before the first update: identity matrix, floating position 0.
fn fighter(vertices: Frame) -> Runtime {
    support::runtime(&scene(&[vertices], FIGHTER, IDLE))
}

fn actor_mut(runtime: &mut Runtime) -> &mut Actor {
    let world = &mut runtime.engine_mut().world;
    let key = world.named("a").expect("the actor");
    world.get_mut(key).expect("a live actor")
}

fn drawn(runtime: &Runtime) -> Placement {
    attach::place_drawn(&runtime.engine().defs, support::actor(runtime, "a"), Vec3::default(), false)
        .expect("vertices are always somewhere")
}

fn stowed(runtime: &Runtime) -> Placement {
    attach::place_stowed(&runtime.engine().defs, support::actor(runtime, "a"), Vec3::default(), false)
        .expect("vertices are always somewhere")
}

fn q8(x: i32, y: i32, z: i32) -> Vec3<Q8> {
    Vec3::new(Q8(x), Q8(y), Q8(z))
}

fn angles(pitch: i32, heading: i32, roll: i32) -> Vec3<Angle> {
    Vec3::new(Angle(pitch), Angle(heading), Angle(roll))
}

/// The actor's line of the trace of the last update.
fn row(runtime: &Runtime) -> serde_json::Value {
    let lines = soup386::trace::lines(&runtime.engine().defs, runtime.world(), false);
    serde_json::from_slice(&lines).expect("one line of JSON")
}

fn shown(runtime: &Runtime) -> Option<Shown> {
    support::actor(runtime, "a").attachment.map(|attachment| attachment.shown)
}

fn position(runtime: &Runtime) -> [f32; 3] {
    support::actor(runtime, "a").attachment.expect("an attachment").transform.position
}

fn query(defs: &Defs, handle: i16, frame: i16, vertex: i16) -> Vec3<Q8> {
    attach::query(defs, Pose { handle, frame }, VertexIdx(vertex), false)
}

/// V1: a decimal goes to the nearest f64 and from there to f32. 1 + 2^-24 and a bit more is the f64 1 + 2^-24, a tie of
/// f32 that goes to 1; read as f32 at once it would be 1 + 2^-23.
#[test]
fn coordinates_are_rounded_to_double_and_then_to_single() {
    let text = "soup386 = 1\n[[model]]\nname = \"m\"\nframes = [[[1.00000005960464477539062500001, 0.1, -7]]]\n";
    let runtime = support::runtime(text);
    let vertex = runtime.engine().defs.models()[0].shape.vertex(0, VertexIdx(0));
    assert_eq!(vertex, Some([1.0, 0.1_f32, -7.0]));
}

/// V2: 256 to the unit, ties to even; what does not fit is the integer indefinite.
#[test]
fn vertices_are_rounded_to_even_q8() {
    let n = 1.0 / 256.0;
    let vertices = [
        [1.0, -2.5, 100.0 * n],
        [0.5 * n, 1.5 * n, 2.5 * n],
        [-0.5 * n, -1.5 * n, -2.5 * n],
        [0.4999 * n, 0.5001 * n, -0.5001 * n],
        [8_388_608.0, 3e38, -9e6],
    ];
    let expected = [q8(256, -640, 100), q8(0, 2, 2), q8(0, -2, -2), q8(0, 1, -1), q8(i32::MIN, i32::MIN, i32::MIN)];
    let runtime = fighter(&vertices);
    for (vertex, expected) in expected.into_iter().enumerate() {
        assert_eq!(query(&runtime.engine().defs, 1, 0, vertex as i16), expected, "vertex {vertex}");
    }
}

/// V3: no pose, no vertex.
#[test]
fn without_a_pose_vertices_are_zero() {
    let runtime = fighter(&[[1.0, 2.0, 3.0]]);
    assert_eq!(query(&runtime.engine().defs, 1, 0, 0), q8(256, 512, 768));
    for handle in [0, -1, i16::MIN] {
        assert_eq!(query(&runtime.engine().defs, handle, 0, 0), Vec3::default(), "{handle}");
    }
}

/// V4: outside the model everything is zero.
#[test]
fn vertices_outside_the_model_are_zero() {
    let frames: &[Frame] = &[&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], &[[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]];
    let runtime = support::runtime(&scene(frames, FIGHTER, IDLE));
    let defs = &runtime.engine().defs;
    assert_eq!(query(defs, 1, 1, 1), q8(2560, 2816, 3072));
    // Vertex 2 of frame 0 is not vertex 0 of frame 1.
    for (frame, vertex) in [(0, 2), (0, 3), (0, -1), (0, i16::MIN), (2, 0), (-1, 0), (i16::MAX, i16::MAX)] {
        assert_eq!(query(defs, 1, frame, vertex), Vec3::default(), "frame {frame}, vertex {vertex}");
    }
    // The whole transform goes on with the zero vector.
    let mut runtime = fighter(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    support::set_property(&mut runtime, "a", "grip[0]", 2);
    assert_eq!(drawn(&runtime).hand_pos, Vec3::default());
}

const CHAIN: &str = "soup386 = 1
[[model]]
name = \"child\"
parent = \"middle\"
[[model]]
name = \"middle\"
parent = \"root\"
[[model]]
name = \"root\"
frames = [[[1.0, 0.0, 0.0]], [[2.0, 0.0, 0.0]]]
[[actor]]
name = \"a\"
frames = [{ model = \"child\", count = 2 }]
[[actor.group]]
index = 0
commands = [\"ShowFrame 1\"]
";

/// V5: the vertices of the first model with frames, under a handle and name of its own and with the frame kept.
#[test]
fn a_virtual_model_borrows_its_parents_vertices() {
    let mut runtime = support::runtime(CHAIN);
    support::updates(&mut runtime, 1);
    let pose = support::actor(&runtime, "a").pose;
    assert_eq!((pose.handle, pose.frame), (1, 1));
    for handle in 1..=3 {
        assert_eq!(query(&runtime.engine().defs, handle, 1, 0), q8(512, 0, 0), "{handle}");
        assert_eq!(query(&runtime.engine().defs, handle, 0, 0), q8(256, 0, 0), "{handle}");
    }
    assert_eq!(row(&runtime)["model"], "child");
}

/// V5: an unknown parent and a circle do not load; the chain is named.
#[test]
fn a_chain_of_parents_must_end() {
    for (parent, named) in [("rooot", vec!["middle", "rooot"]), ("child", vec!["middle", "child"])] {
        let text = CHAIN.replace("parent = \"root\"", &format!("parent = {parent:?}"));
        let Err(error) = Scene::from_toml("t.toml", &text, &ModuleSource::Nowhere) else { panic!("{parent} loads") };
        let error = error.to_string();
        assert!(named.iter().all(|name| error.contains(name)) && error.contains("parent"), "{error}");
    }
}

/// V6: queries give zero, playback and weapon rules go on.
#[test]
fn the_query_switch_zeroes_vertices_only() {
    let groups = IDLE.replace("\"ShowFrame 0\"", "\"ShowFrame 0\", \"ShowFrame 1\"");
    let frames: &[Frame] = &[&[[9.0, 9.0, 9.0], [0.0; 3]], &[[9.0, 9.0, 9.0], [0.0; 3]]];
    let keys = format!("{FIGHTER}\nposition = [512, 0, 0]");
    for (switch, x) in [("false", 9 * 256 + 512), ("true", 512)] {
        let text = scene(frames, &keys, &groups).replacen('\n', &format!("\ndummy_manager = {switch}\n"), 1);
        let mut runtime = support::runtime(&text);
        support::updates(&mut runtime, 2);
        let actor = support::actor(&runtime, "a");
        assert_eq!((actor.hand_pos.x.0, shown(&runtime)), (x, Some(Shown::Hilt)), "{switch}");
        // Group 0 with speed 1: frame 1 in the second update.
        assert_eq!(actor.pose.frame, 1);
    }
}

/// A1: the floating position is that of the last presentation with a pose.
#[test]
fn the_floating_position_is_stored_by_presentation() {
    let text = scene(&[&[[0.0; 3]]], &format!("{FIGHTER}\nposition = [1000, -1, -257]"), IDLE);
    let mut runtime = support::runtime(&text);
    let floating = |runtime: &Runtime| support::actor(runtime, "a").floating;
    assert_eq!(floating(&runtime), [0.0; 3]);
    support::updates(&mut runtime, 1);
    // 1000 >> 8, −1 >> 8, −257 >> 8
    assert_eq!(floating(&runtime), [3.0, -1.0, -2.0]);
    support::set_property(&mut runtime, "a", "pos.vx", 2560);
    assert_eq!(floating(&runtime), [3.0, -1.0, -2.0]);
    support::call(&mut runtime, "a", "HideMe", &[]);
    support::updates(&mut runtime, 1);
    assert_eq!(floating(&runtime), [3.0, -1.0, -2.0]);
    support::call(&mut runtime, "a", "ShowMe", &[]);
    support::updates(&mut runtime, 1);
    assert_eq!(floating(&runtime), [10.0, -1.0, -2.0]);
}

/// A1: an actor without a pose keeps (0, 0, 0).
#[test]
fn without_a_pose_the_floating_position_stays() {
    let mut runtime = support::runtime("soup386 = 1\n[[actor]]\nname = \"a\"\nposition = [2560, 0, 0]\n");
    support::updates(&mut runtime, 1);
    assert_eq!(support::actor(&runtime, "a").floating, [0.0; 3]);
}

/// A2, Z4: the offset is added in model space, the sum goes through the actor's matrix, and neither the position nor
/// the radius of the actor is added.
#[test]
fn the_offset_is_turned_with_the_actor() {
    let keys = format!("{FIGHTER}\nposition = [2560, 0, 0]\nangles = [0, 512, 0]\nradius = 5.0");
    let mut runtime = support::runtime(&scene(&[&[[1.0, 2.0, 3.0], [0.0; 3]]], &keys, IDLE));
    support::call(&mut runtime, "a", "DisplayHandModel", &[1, 10, 20, 30]);
    // Sum (266, 532, 798); at heading 512 x' = c·x − z and z' = x + c·z with c = −1.07e-7. No presentation yet: fp = 0.
    assert_eq!(support::actor(&runtime, "a").hand_pos, q8(-798, 532, 266));
    support::call(&mut runtime, "a", "DisplayHiltModel", &[1, 0, 0, 0]);
    assert_eq!(support::actor(&runtime, "a").hand_pos, q8(-768, 512, 256));
}

/// A2, Z1: the sum wraps: i32::MAX + 256 is −2147483393, in single precision −2147483392.
#[test]
fn the_offset_wraps() {
    let mut runtime = fighter(&[[1.0, 0.0, 0.0], [0.0; 3]]);
    support::call(&mut runtime, "a", "DisplayHandModel", &[1, i32::MAX, 0, 0]);
    assert_eq!(support::actor(&runtime, "a").hand_pos.x, Q8(-2_147_483_392));
}

/// A3, A5: the direction from the second vertex to the first. `hand_angle` is (pitch + 512, heading, roll).
#[test]
fn the_direction_points_from_the_second_vertex_to_the_first() {
    let cases = [
        ([1.0, 0.0, 0.0], (512, 512)),
        ([-1.0, 0.0, 0.0], (512, 1536)),
        ([0.0, 0.0, 1.0], (512, 1024)),
        ([0.0, 0.0, -1.0], (512, 0)),
        // Along Y there is no heading: 1024 − bearing(0, 0).
        ([0.0, 1.0, 0.0], (0, 1024)),
        ([0.0, -1.0, 0.0], (1024, 1024)),
        // bearing(256, ±512) = 151 or 1024 − 151; − 512 + 512.
        ([1.0, 2.0, 0.0], (151, 512)),
        ([1.0, -2.0, 0.0], (873, 512)),
        // h = 1280 = −dy: bearing 768. bearing(768, 1024) = oct[384] = trunc(0.6435011 × 20860.757) >> 6 = 209.
        ([3.0, -5.0, 4.0], (768, 1024 - 209)),
        // Coincident: pitch 1536, heading 1024.
        ([0.0, 0.0, 0.0], (0, 1024)),
    ];
    for (d, (pitch, heading)) in cases {
        let base = [7.0, -3.0, 2.0];
        let first = [d[0] + base[0], d[1] + base[1], d[2] + base[2]];
        let runtime = fighter(&[first, base]);
        assert_eq!(drawn(&runtime).hand_angle, angles(pitch, heading, 0), "{d:?}");
        assert_eq!(stowed(&runtime).hand_angle, angles(pitch, heading, 0), "{d:?}");
    }
}

/// A3, Z1: the difference wraps: 2048000000 + 2048000000 is −198967296, so the heading is that of −X.
#[test]
fn the_direction_wraps() {
    let runtime = fighter(&[[8e6, 0.0, 0.0], [-8e6, 0.0, 0.0]]);
    assert_eq!(drawn(&runtime).hand_angle.y, Angle(1536));
}

/// A4: yaw by −heading, pitch by 512 − pitch, roll by −roll.
#[test]
fn the_item_matrix_is_made_of_the_direction_and_the_actors_roll() {
    let mut runtime = fighter(&[[1.0, 2.0, 0.0], [0.0; 3]]);
    support::set_property(&mut runtime, "a", "angle.vz", 100);
    // Direction pitch 151 − 512 = 1687 and heading 512; 512 − 1687 is 873.
    let expected = Matrix::IDENTITY.yaw(Angle(1536)).pitch(Angle(873)).roll(Angle(1948));
    assert_eq!(drawn(&runtime).transform.matrix, expected);
    assert_eq!(stowed(&runtime).transform.matrix, expected);
}

/// A5: the roll is the actor's, masked.
#[test]
fn the_hand_roll_is_the_actors() {
    for (roll, masked) in [(100, 100), (5000, 904), (-1, 2047)] {
        let mut runtime = fighter(&[[0.0; 3], [0.0; 3]]);
        support::set_property(&mut runtime, "a", "angle.vz", roll);
        assert_eq!(drawn(&runtime).hand_angle.z, Angle(masked));
        assert_eq!(stowed(&runtime).hand_angle.z, Angle(masked));
    }
}

/// A6: the midpoint rounds down twice: at the halving and at the whole unit.
#[test]
fn a_drawn_item_lies_at_the_midpoint() {
    let n = 1.0 / 256.0;
    // Per component (p0, p1): (0, −3) → −2 → −1; (512, 1026) → 769 → 3; (2, −3) → 2 − 3 = −1 → −1.
    let runtime = fighter(&[[0.0, 2.0, 2.0 * n], [-3.0 * n, 1026.0 * n, -3.0 * n]]);
    assert_eq!(drawn(&runtime).transform.position, [-1.0, 3.0, -1.0]);
    assert_eq!(drawn(&runtime).hand_pos, q8(0, 512, 2));
}

/// A6, Z1: the midpoint wraps: p1 − p0 = −4096000000 is 198967296, half of it and 2048000000 make 2^31.
#[test]
fn the_midpoint_wraps() {
    let runtime = fighter(&[[8e6, 0.0, 0.0], [-8e6, 0.0, 0.0]]);
    assert_eq!(drawn(&runtime).transform.position[0], -8_388_608.0);
}

/// A6, Z2, Z3: the floating position is added in full; the tracked point is not stored to single precision before it
/// is truncated toward zero.
#[test]
fn a_drawn_item_moves_with_the_floating_position() {
    let n = 1.0 / 256.0;
    let mut runtime = fighter(&[[-n, n, 300.0 * n], [0.0; 3]]);
    actor_mut(&mut runtime).floating = [-0.3, 65_537.0, 8_388_607.0];
    // −1 − 76.8 = −77.8; 1 + 16777472 has 25 bits; 300 + 2147483392 does not fit.
    assert_eq!(drawn(&runtime).hand_pos, q8(-77, 16_777_473, i32::MIN));
    // Midpoints (−1, 0, 150) >> 8 are (−1, 0, 0).
    assert_eq!(drawn(&runtime).transform.position, [-1.3, 65_537.0, 8_388_607.0]);
}

/// A7: the first vertex, not the midpoint, in whole units rounded down after the truncation.
#[test]
fn a_stowed_item_lies_at_the_first_vertex() {
    let n = 1.0 / 256.0;
    let mut runtime = fighter(&[[-n, 130.0 * n, 300.0 * n], [50.0, 50.0, 50.0]]);
    assert_eq!(stowed(&runtime).transform.position, [-1.0, 0.0, 1.0]);
    assert_eq!(stowed(&runtime).hand_pos, q8(-1, 130, 300));
    actor_mut(&mut runtime).floating = [-0.3, 0.5, 8_388_607.0];
    // −77.8 → −77 → −1; 130 + 128 = 258 → 1; out of range → −2^31 → −2^23.
    assert_eq!(stowed(&runtime).hand_pos, q8(-77, 258, i32::MIN));
    assert_eq!(stowed(&runtime).transform.position, [-1.0, 1.0, -8_388_608.0]);
}

/// A8: two pairs, which scripts can change.
#[test]
fn grip_and_scabbard_are_two_pairs() {
    let vertices = [[1.0, 0.0, 0.0], [1.0, 0.0, -1.0], [5.0, 0.0, 0.0], [5.0, -1.0, 0.0]];
    let keys = "attributes = { 14 = 1, 23 = 1 }\ngrip = [0, 1]\nscabbard = [2, 3]";
    let mut runtime = support::runtime(&scene(&[&vertices], keys, IDLE));
    // Grip: direction +Z, heading 1024, pitch 0; scabbard: +Y.
    assert_eq!((drawn(&runtime).hand_pos, drawn(&runtime).hand_angle), (q8(256, 0, 0), angles(512, 1024, 0)));
    assert_eq!((stowed(&runtime).hand_pos, stowed(&runtime).hand_angle), (q8(1280, 0, 0), angles(0, 1024, 0)));
    for (property, vertex) in [("grip[0]", 3), ("grip[1]", 2), ("scabbard[0]", 1), ("scabbard[1]", 65_536)] {
        support::set_property(&mut runtime, "a", property, vertex);
    }
    // The grip is turned round; the scabbard goes from vertex 0 (65536 as i16) to vertex 1: −Z.
    assert_eq!((drawn(&runtime).hand_pos, drawn(&runtime).hand_angle), (q8(1280, -256, 0), angles(1024, 1024, 0)));
    assert_eq!((stowed(&runtime).hand_pos, stowed(&runtime).hand_angle), (q8(256, 0, -256), angles(512, 0, 0)));
}

/// A9, E2: nothing is placed and nothing written, but the state goes on.
#[test]
fn an_item_without_a_model_is_not_placed() {
    let draw = "[[actor.group]]\nindex = 91\ncommands = [\"ShowFrame 0\", \"GoToPrevious 0\"]\n";
    let text =
        scene(&[&[[1.0, 0.0, 0.0], [0.0; 3]]], &FIGHTER.replace("23 = 1", "23 = 1, 35 = 1"), &format!("{IDLE}{draw}"));
    let mut runtime = support::runtime(&text.replace("hand_model = \"blade\"\n", ""));
    // The hilt has a model.
    support::updates(&mut runtime, 1);
    assert_eq!(shown(&runtime), Some(Shown::Hilt));
    let ends = support::actor(&runtime, "a").endpoints;
    for property in ["hand_pos.vx", "hand_angle.vy"] {
        support::set_property(&mut runtime, "a", property, 77);
    }
    (actor_mut(&mut runtime).extra_flag, actor_mut(&mut runtime).playback.real_frame) = (20, 1);
    actor_mut(&mut runtime).playback.current = 91;
    support::updates(&mut runtime, 1);
    let actor = support::actor(&runtime, "a");
    assert_eq!((actor.weapon_drawn, actor.extra_flag, actor.attachment), (1, 0, None));
    assert_eq!((actor.hand_pos.x.0, actor.hand_angle.y.0), (77, 77));
    assert_eq!(actor.endpoints, ends);
    assert!(ends.is_some());
}

/// E1: −Y of the item is its length, so that it points away from the second vertex; Y is down.
#[test]
fn a_weapon_points_along_its_tracked_direction() {
    // Direction +X: the tip is 10 units along +X; direction −Y (up): 10 units up.
    for (first, tip) in
        [([1.0, 0.0, 0.0], [10, 0, 0]), ([0.0, -1.0, 0.0], [0, -10, 0]), ([0.0, 0.0, -1.0], [0, 0, -10])]
    {
        let keys = format!("{FIGHTER}\nposition = [512, 768, -1024]");
        let mut runtime = support::runtime(&scene(&[&[first, [0.0; 3]]], &keys, IDLE));
        support::set_property(&mut runtime, "a", "weapon_drawn", 1);
        support::updates(&mut runtime, 1);
        // The midpoint of 0 and ±1 is 0 or −1 unit (rounded down).
        let base = Vec3::from(position(&runtime).map(|component| component as i32));
        let tip = base.zip(Vec3::from(tip), |base, along| base + along);
        assert_eq!(support::actor(&runtime, "a").endpoints, Some(Endpoints { base, tip }), "{first:?}");
    }
}

/// E1, Z3: base and tip are truncated, the tip after an addition that is not stored to single precision.
#[test]
fn endpoints_are_truncated_without_a_store() {
    let ends = |position, matrix, length| attach::endpoints(&Transform { position, matrix }, length);
    let fractions = ends([0.9, -0.9, -1.5], Matrix::IDENTITY, 1);
    // The tip's Y: −1 − 0.9.
    assert_eq!(fractions, Endpoints { base: Vec3::new(0, 0, -1), tip: Vec3::new(0, -1, -1) });
    // 16777216 + 1 has 25 bits.
    let sideways = Matrix([0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(ends([16_777_216.0, 0.0, 0.0], sideways, 1).tip.x, 16_777_217);
    // −256 / 256 = −1, and −1 >> 8 is −1.
    let slight = Matrix([0.0, 1.0 / 256.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(ends([0.0; 3], slight, 1).tip.x, -1);
    assert_eq!(ends([3e9, f32::NAN, 0.0], Matrix::IDENTITY, 0).base, Vec3::new(i32::MIN, i32::MIN, 0));
}

/// E1, E2: without a combat record there are no endpoints; the trace says null.
#[test]
fn endpoints_need_a_combat_record() {
    for (keys, has_ends) in [(FIGHTER.to_owned(), true), (FIGHTER.replace("14 = 1, ", ""), false)] {
        let mut runtime = support::runtime(&scene(&[&[[0.0; 3], [0.0; 3]]], &keys, IDLE));
        assert!(support::actor(&runtime, "a").endpoints.is_none());
        support::updates(&mut runtime, 1);
        assert_eq!(shown(&runtime), Some(Shown::Hilt));
        assert_eq!(support::actor(&runtime, "a").endpoints.is_some(), has_ends);
        assert_eq!((row(&runtime)["base"].is_null(), row(&runtime)["tip"].is_null()), (!has_ends, !has_ends));
    }
}

/// E2: an absent attachment is forgotten, its ends are kept.
#[test]
fn endpoints_outlive_the_attachment() {
    let mut runtime = fighter(&[[1.0, 0.0, 0.0], [0.0; 3]]);
    support::updates(&mut runtime, 1);
    let ends = support::actor(&runtime, "a").endpoints;
    assert!(ends.is_some() && shown(&runtime).is_some());
    support::call(&mut runtime, "a", "HideMe", &[]);
    support::set_property(&mut runtime, "a", "pos.vx", 25_600);
    support::updates(&mut runtime, 1);
    let actor = support::actor(&runtime, "a");
    assert_eq!((actor.attachment, actor.endpoints), (None, ends));
    assert!(row(&runtime)["position"].is_null() && !row(&runtime)["base"].is_null());
    // The same when the item is taken away.
    support::call(&mut runtime, "a", "ShowMe", &[]);
    support::call(&mut runtime, "a", "SetAttribute", &[23, 0]);
    support::updates(&mut runtime, 1);
    let actor = support::actor(&runtime, "a");
    assert_eq!((actor.attachment, actor.endpoints), (None, ends));
}

/// A6, A7, W12: the frame counter of the pass decides, whatever ticks an update brings.
#[test]
fn draw_threshold_is_the_same_for_any_tick_list() {
    let frames: Vec<_> = (0..8).map(|frame| format!("\"ShowFrame {frame}\"")).collect();
    let groups = format!(
        "{IDLE}[[actor.group]]\nindex = 8\ncommands = [\"ShowFrame 0\", \"GoToPrevious 0\"]\n\
         [[actor.group]]\nindex = 91\nspeed = 1\ncommands = [{}, \"EndAnimation\"]\n",
        frames.join(", ")
    );
    let body: Frame = &[[0.0; 3], [0.0; 3]];
    let text = scene(&[body; 8], &FIGHTER.replace("23 = 1", "23 = 1, 35 = 4"), &groups);
    // Group 91 starts in the pass of the first update with countdown 1; the first advance with ticks uses that up, each
    // further one steps T frames. One tick: pass and update of update 0 make two advances, so update k ends at frame
    // k + 1 and the pass of update 4 sees 4. Two ticks: frame 2 after update 0, 4 after update 1, seen at 2.
    // 0, 1, 1: nothing in update 0, the countdown in 1, then frames 1 (2), 2 (4), 3 (5), 4 (7), seen at 8.
    for (nominal, hand_at) in [("[1]", 4), ("[2]", 2), ("[0, 1, 1]", 8)] {
        let clock = format!("\n[clock]\nnominal = {nominal}\n");
        let mut runtime = support::runtime(&text.replacen('\n', &clock, 1));
        support::call(&mut runtime, "a", "DrawSword", &[]);
        for update in 0..12 {
            let before = support::actor(&runtime, "a").playback;
            let reached = update >= hand_at;
            if before.current == 91 {
                assert_eq!(before.real_frame >= 4, reached, "{nominal}, update {update}");
            }
            support::updates(&mut runtime, 1);
            let row = row(&runtime);
            let expected = if reached { ("hand", 1) } else { ("hilt", 0) };
            assert_eq!((row["shown"].as_str(), row["weapon_drawn"].as_i64()), (Some(expected.0), Some(expected.1)));
            assert_eq!(row["state"], if reached { 0 } else { 20 }, "{nominal}, update {update}");
        }
    }
}

/// A2, A6, A7, W12: vertex 0 is at X = frame number, so the place tells which pose it was taken from: that of the last
/// update's end, or of the group that the pass itself starts.
#[test]
fn place_follows_the_pose_of_the_same_presentation() {
    let frames: Vec<[[f64; 3]; 2]> = (0..8).map(|x| [[f64::from(x), 0.0, 0.0], [f64::from(x), 1.0, 0.0]]).collect();
    let frames: Vec<Frame> = frames.iter().map(|frame| &frame[..]).collect();
    let group = |index: u32, frames: &[u32]| {
        let commands: Vec<_> = frames.iter().map(|frame| format!("\"ShowFrame {frame}\"")).collect();
        format!(
            "[[actor.group]]\nindex = {index}\nspeed = 1\ncommands = [{}, \"GoToPrevious 0\"]\n",
            commands.join(", ")
        )
    };
    let groups = [group(0, &[3]), group(8, &[1, 2, 4, 6]), group(91, &[7]), group(129, &[5])].concat();
    let text = scene(&frames, FIGHTER, &groups);

    let mut runtime = support::runtime(&text);
    support::set_property(&mut runtime, "a", "weapon_drawn", 1);
    let mut places = Vec::new();
    for _ in 0..7 {
        let posed = support::actor(&runtime, "a").pose.frame;
        support::updates(&mut runtime, 1);
        assert_eq!(position(&runtime), [f32::from(posed), 0.0, 0.0]);
        places.push(posed);
    }
    // Frame 3 of the load, then group 8 from update 0 on: advanced twice there, so countdown 1 is gone at once.
    assert_eq!(places, [3, 2, 4, 6, 1, 2, 4]);

    for (state, shown_as, x) in [(20, Shown::Hilt, 7.0), (21, Shown::Hand, 5.0)] {
        let mut runtime = support::runtime(&text);
        support::set_property(&mut runtime, "a", "extra_flag", state);
        assert_eq!(support::actor(&runtime, "a").pose.frame, 3);
        support::updates(&mut runtime, 1);
        assert_eq!((shown(&runtime), position(&runtime)), (Some(shown_as), [x, 0.0, 0.0]), "state {state}");
    }
}
