//! Wrapping integers, conversions, tables, matrices, distance and bearing.

use sha2::{Digest, Sha256};
use soup386::{
    attach,
    units::{Angle, Matrix, Q8, Vec3, bearing, distance, distance_flat, heading_of, round_even, truncate},
    update::Runtime,
    world::Transform,
};

use crate::{
    stage::{IDLE, actor_text, scene_text},
    support,
};

/// Rows of small whole numbers, so that each product of a step can be told from the others.
const ROWS: Matrix = Matrix([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);

fn point(x: i32, y: i32, z: i32) -> Vec3<Q8> {
    Vec3::new(Q8(x), Q8(y), Q8(z))
}

fn angles(pitch: i32, heading: i32, roll: i32) -> Vec3<Angle> {
    Vec3::new(Angle(pitch), Angle(heading), Angle(roll))
}

/// A number `steps` single-precision steps further from zero.
fn away(mut value: f32, steps: i32) -> f32 {
    for _ in 0..steps.abs() {
        value = if (steps > 0) == (value > 0.0) { value.next_up() } else { value.next_down() };
    }
    value
}

/// One actor of this text, with a default group that shows a frame.
fn turning(keys: &str) -> Runtime {
    support::runtime(&scene_text(&actor_text("a", keys, &[IDLE])))
}

/// The scene text with an open item system.
fn with_items(scene: &str) -> String {
    scene.replacen('\n', "\nitem_system = true\n", 1)
}

fn matrix(runtime: &Runtime) -> Matrix {
    support::actor(runtime, "a").matrix
}

/// Z1: sums and differences wrap, shifts keep the sign, a mask is the remainder modulo a turn.
#[test]
fn integers_wrap_and_shift_arithmetically() {
    assert_eq!(Q8(i32::MAX).plus(Q8(1)), Q8(i32::MIN));
    assert_eq!(Q8(i32::MIN).minus(Q8(1)), Q8(i32::MAX));
    assert_eq!((Q8(-1).whole(), Q8(-256).whole(), Q8(-257).whole(), Q8(255).whole()), (-1, -1, -2, 0));
    assert_eq!((Angle(-1).masked(), Angle(2048).masked(), Angle(5000).masked()), (Angle(2047), Angle(0), Angle(904)));
    // i32::MIN − 1 wraps to 0x7fffffff.
    assert_eq!(Angle(i32::MIN).minus(Angle(1)), Angle(2047));
    assert_eq!(Angle(i32::MAX).plus(Angle(1)), Angle(0));
}

/// Z2: toward zero, and the integer indefinite for what does not fit.
#[test]
fn truncation_goes_toward_zero() {
    let cases = [(1.9, 1), (-1.9, -1), (-0.5, 0), (2_147_483_647.9, i32::MAX), (-2_147_483_648.9, i32::MIN)];
    for (value, expected) in cases {
        assert_eq!(truncate(value), expected, "{value}");
    }
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2_147_483_648.0, -2_147_483_649.0, 1e300] {
        assert_eq!(truncate(value), i32::MIN, "{value}");
    }
}

/// Z2: to the nearest, ties to even, and the integer indefinite for what does not fit.
#[test]
fn rounding_takes_ties_to_even() {
    let cases = [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2), (2.4999, 2), (2.5001, 3)];
    for (value, expected) in cases {
        assert_eq!(round_even(value), expected, "{value}");
    }
    assert_eq!((round_even(2_147_483_647.4), round_even(-2_147_483_648.5)), (i32::MAX, i32::MIN));
    // The tie above i32::MAX goes to 2147483648, which does not fit.
    for value in [f64::NAN, f64::INFINITY, 2_147_483_647.5, -2_147_483_649.0] {
        assert_eq!(round_even(value), i32::MIN, "{value}");
    }
}

/// Z3, M5: sums are not rounded before the store, and are rounded there.
#[test]
fn sums_are_rounded_once_at_the_store() {
    const EXACT: i32 = 1 << 24;
    let ones = Matrix([1.0; 9]);
    // 2^24 + 1 + 1: single-precision steps would lose both ones, the single store keeps 16777218.
    assert_eq!(ones.transform(point(1, EXACT, 1)), point(EXACT + 2, EXACT + 2, EXACT + 2));
    // 2^24 + 1 is a tie of the store: it goes to the even 16777216.
    assert_eq!(ones.transform(point(1, EXACT, 0)), point(EXACT, EXACT, EXACT));
}

/// Z4: Q8 positions and angles in the order pitch, heading, roll.
#[test]
fn a_unit_is_256_and_a_turn_2048() {
    let mut runtime = turning("position = [512, -256, 300]\nangles = [1, 2049, 3]");
    for (property, value) in
        [("pos.vx", 512), ("pos.vy", -256), ("pos.vz", 300), ("angle.vx", 1), ("angle.vy", 1), ("angle.vz", 3)]
    {
        assert_eq!(support::property(&runtime, "a", property), value, "{property}");
    }
    support::updates(&mut runtime, 1);
    assert_eq!(support::actor(&runtime, "a").floating, [2.0, -1.0, 1.0]);
    // Heading turns about Y: the Y row and column stay.
    let turned = matrix(&turning("angles = [0, 100, 0]")).0;
    assert_eq!((turned[1], turned[3], turned[4], turned[5], turned[7]), (0.0, 0.0, 1.0, 0.0, 0.0));
    assert!(turned[0] != 1.0 && turned[2] != 0.0);
}

/// Z5: each of the bytes is what the rules mean by its name.
#[test]
fn state_bytes_go_by_their_property_names() {
    let groups = [IDLE, (5, 1, 1, "ShowFrame 5"), (9, 1, 1, "ShowFrame 9")];
    let scene = with_items(&scene_text(&actor_text("a", "attributes = { 44 = 9 }", &groups)));
    let fresh = || support::runtime(&scene);
    for (property, value, question) in [
        ("extra_flag", 20, "IsDrawingSword"),
        ("extra_flag", 21, "IsSheathingSword"),
        ("extra_flag", 10, "IsOnEdge"),
        ("fall_flag", 1, "IsInAir"),
        ("jump_flag", 1, "IsInAir"),
        ("slide_flag", 1, "IsInAir"),
        ("under_surface", 2, "IsInDeepWater"),
    ] {
        let mut runtime = fresh();
        assert_eq!(support::call(&mut runtime, "a", question, &[]), 0, "{property}");
        support::set_property(&mut runtime, "a", property, value);
        assert_eq!(support::call(&mut runtime, "a", question, &[]), 1, "{property}");
    }
    // The lifecycle selector is another byte than the motion state, and 8 means dead there: default 124 of rule W31.
    for (property, value, default) in [("ai_type", 8, 124), ("extra_flag", 8, 9), ("torch_timer", 1, 5)] {
        let mut runtime = fresh();
        support::set_property(&mut runtime, "a", property, value);
        support::updates(&mut runtime, 1);
        assert_eq!(support::actor(&runtime, "a").playback.default, default, "{property}");
    }
}

/// Z5: the motion state's companion is `extra_time`: weapon cleanup clears both.
#[test]
fn cleanup_clears_the_motion_state_and_its_companion() {
    let mut runtime = support::runtime(&with_items(&scene_text(&actor_text("a", "player = true", &[IDLE]))));
    for (property, value) in [("extra_flag", 20), ("extra_time", 7), ("ai_type", 6), ("ai_mode", 3)] {
        support::set_property(&mut runtime, "a", property, value);
    }
    support::call(&mut runtime, "a", "CheckPlayerWeapon", &[]);
    let values = ["extra_flag", "extra_time", "ai_type", "ai_mode"];
    assert_eq!(values.map(|property| support::property(&runtime, "a", property)), [0, 0, 6, 3]);
}

/// Z6: the default starts at 0, is no property, and only one actor can be the player.
#[test]
fn the_default_group_starts_at_0_and_the_player_is_one_actor() {
    let runtime = turning("attributes = { 44 = 9 }");
    assert_eq!(support::actor(&runtime, "a").playback.default, 0);
    assert_eq!(soup386::defs::properties().named("anim.default"), None);
    let two = |second: &str| {
        let text = actor_text("a", "player = true", &[IDLE]) + actor_text("b", second, &[IDLE]).as_str();
        soup386::defs::Scene::from_toml("t.toml", &scene_text(&text), &soup386::defs::ModuleSource::Nowhere).ok()
    };
    assert!(two("player = true").is_none());
    let runtime = Runtime::new(two("").expect("one player")).expect("a runtime");
    assert_eq!(runtime.world().player(), runtime.world().named("a"));
}

fn single(bytes: &[u8], index: usize) -> f32 {
    f32::from_le_bytes(bytes[index * 4..][..4].try_into().expect("four bytes"))
}

/// M1: the table has the documented hash, and sine and cosine read it.
#[test]
fn sine_and_cosine_come_from_the_documented_table() {
    let table = include_bytes!("../../src/units/rotation.bin");
    let hash: String = Sha256::digest(table).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "ee77db24ec7303c7bc1ae9bffb62954b2aa1b114e187e68cf5d285a7517d6035");
    for step in 0..2048 {
        let expected = (single(table, step), single(table, step + 512));
        assert_eq!(Angle(step as i32).sin_cos(), expected, "{step}");
        assert_eq!(Angle(step as i32 - 2048).sin_cos(), expected, "{step}");
    }
    assert_eq!(Angle(1).sin_cos().0.to_bits(), 0x3b49_0fc6);
    assert_eq!(Angle(0).sin_cos(), (0.0, 1.0));
    // The quarter turns keep their residues: rot[1024], and rot[2048] as the cosine of 1536.
    assert_eq!(Angle(512).sin_cos(), (1.0, 5.358_979_4e-8));
    assert_eq!(Angle(1536).sin_cos(), (-1.0, -1.071_795_9e-7));
}

/// M2, Z3: a quarter turn has s = 1 and the residue c = 5.359e-8, which moves some results by one step of f32.
#[test]
fn axis_steps_rotate_every_row_from_its_old_values() {
    // Yaw: x' = x·c − z, z' = z·c + x. Half a step is 1.2e-7 at 3, 6.0e-8 at 1, 2.4e-7 at 4..8, 4.8e-7 at 9.
    //   z'(1) = 1 + 1.61e-7 (1.35 steps), z'(2) = 4 + 3.2e-7 (0.67), z'(3) = 7 + 4.8e-7 (1.01); every x' rounds to −z.
    let yaw = [-3.0, 2.0, away(1.0, 1), -6.0, 5.0, away(4.0, 1), -9.0, 8.0, away(7.0, 1)];
    // Pitch: y' = y·c + z, z' = z·c − y.
    //   y'(2) = 6 + 2.7e-7 (0.56 steps); y'(1) and y'(3) round to z.
    //   z'(1) = −2 + 1.6e-7 (1.35 steps below 2), z'(2) = −5 + 3.2e-7 (0.67), z'(3) = −8 + 4.8e-7 (1.01 below 8).
    let pitch = [1.0, 3.0, away(-2.0, -1), 4.0, away(6.0, 1), away(-5.0, -1), 7.0, 9.0, away(-8.0, -1)];
    // Roll: x' = x·c + y, y' = y·c − x.
    //   y'(1) = −1 + 1.07e-7 (1.8 steps below 1), y'(2) = −4 + 2.7e-7 (1.12 below 4), y'(3) = −7 + 4.3e-7 (0.9).
    let roll = [2.0, away(-1.0, -2), 3.0, 5.0, away(-4.0, -1), 6.0, 8.0, away(-7.0, -1), 9.0];
    for quarter in [512, 512 - 2048, 512 + 2048] {
        assert_eq!(ROWS.yaw(Angle(quarter)), Matrix(yaw));
        assert_eq!(ROWS.pitch(Angle(quarter)), Matrix(pitch));
        assert_eq!(ROWS.roll(Angle(quarter)), Matrix(roll));
    }
    assert_eq!(ROWS.yaw(Angle(0)).pitch(Angle(0)).roll(Angle(0)), ROWS);
}

/// M3: angles are stored masked in all three places.
#[test]
fn load_angles_are_masked_and_remembered() {
    let runtime = turning("angles = [-1, 2148, 5000]");
    let actor = support::actor(&runtime, "a");
    assert_eq!(actor.angle, angles(2047, 100, 904));
    assert_eq!(actor.last_angle, actor.angle);
    assert_eq!(actor.cold.start_angle, actor.angle);
}

/// M3: an upright actor, and the order heading, pitch, roll by the negated angles.
#[test]
fn the_load_matrix_is_yaw_pitch_roll_of_the_negated_angles() {
    // −512 is 1536: s = −1, c = −1.07e-7.
    let c = -1.071_795_9e-7;
    assert_eq!(matrix(&turning("angles = [0, 512, 0]")).0, [c, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, c]);
    let expected = Matrix::IDENTITY.yaw(Angle(2048 - 300)).pitch(Angle(2048 - 200)).roll(Angle(2048 - 100));
    assert_eq!(matrix(&turning("angles = [200, 300, 100]")), expected);
    assert_ne!(expected, Matrix::IDENTITY.pitch(Angle(1848)).yaw(Angle(1748)).roll(Angle(1948)));
}

/// M4: mode 0 turns the matrix it finds by what changed since the last ordinary update, once.
#[test]
fn a_changed_angle_turns_the_existing_matrix_once() {
    let mut runtime = turning("angles = [0, 100, 0]");
    let loaded = matrix(&runtime);
    support::updates(&mut runtime, 1);
    assert_eq!(matrix(&runtime), loaded);
    support::set_property(&mut runtime, "a", "angle.vy", 180);
    support::set_property(&mut runtime, "a", "angle.vx", 30);
    // The write alone does nothing.
    assert_eq!(matrix(&runtime), loaded);
    let turned = loaded.yaw(Angle(2048 - 80)).pitch(Angle(2048 - 30)).roll(Angle(0));
    for _ in 0..3 {
        support::updates(&mut runtime, 1);
        assert_eq!(matrix(&runtime), turned);
    }
    // The history is kept: it is not the matrix of the present angles.
    assert_ne!(turned, Matrix::of_orientation(angles(30, 180, 0)));
}

/// M4: the presentation does not touch the last angles, so an actor that is presented but not updated goes on turning.
#[test]
fn the_refresh_leaves_the_last_angles_alone() {
    let mut runtime = turning("");
    support::set_property(&mut runtime, "a", "disable_script", 8);
    support::set_property(&mut runtime, "a", "angle.vy", 100);
    support::updates(&mut runtime, 3);
    let mut expected = Matrix::IDENTITY;
    for _ in 0..3 {
        expected = expected.turned(angles(0, 2048 - 100, 0));
    }
    assert_eq!(matrix(&runtime), expected);
    assert_eq!(support::actor(&runtime, "a").last_angle, angles(0, 0, 0));
}

/// M4: differences of zero are steps too. Yaw by 600 has c < 0 < s, so it makes −0 of the 0 at row 1: 0·c − 0·s. The
/// roll by 0 makes it +0 again: −0·1 + 1·0.
#[test]
fn a_difference_of_zero_is_still_a_step() {
    let mut runtime = turning("");
    assert_eq!(Matrix::IDENTITY.yaw(Angle(600)).0[3].to_bits(), (-0.0_f32).to_bits());
    support::set_property(&mut runtime, "a", "angle.vy", -600);
    support::updates(&mut runtime, 1);
    assert_eq!(matrix(&runtime).0[3].to_bits(), 0);
}

/// M4: mode 2 rebuilds at each presentation, other modes leave the matrix alone; the attribute is read each time, and
/// `rotation_mode` is its short form.
#[test]
fn rotation_modes_rebuild_or_leave_the_matrix() {
    let mut runtime = turning("rotation_mode = 2");
    assert_eq!(support::actor(&runtime, "a").attribute(28), 2);
    support::set_property(&mut runtime, "a", "angle.vy", 100);
    support::updates(&mut runtime, 1);
    support::set_property(&mut runtime, "a", "angle.vy", 180);
    support::updates(&mut runtime, 1);
    let rebuilt = Matrix::of_orientation(angles(0, 180, 0));
    assert_eq!(matrix(&runtime), rebuilt);
    for mode in [1, 3, 255] {
        support::call(&mut runtime, "a", "SetAttribute", &[28, mode]);
        support::set_property(&mut runtime, "a", "angle.vy", mode);
        support::updates(&mut runtime, 2);
        assert_eq!(matrix(&runtime), rebuilt, "mode {mode}");
    }
    // Back in mode 2 without any change of angle: the write of the attribute does nothing, the presentation does.
    support::call(&mut runtime, "a", "SetAttribute", &[28, 2]);
    assert_eq!(matrix(&runtime), rebuilt);
    support::updates(&mut runtime, 1);
    assert_eq!(matrix(&runtime), Matrix::of_orientation(angles(0, 255, 0)));
}

/// M4: the player with a roll is rebuilt in every mode; other actors with a roll are not.
#[test]
fn a_rolling_player_is_rebuilt() {
    for (keys, rebuilt) in [("player = true\nrotation_mode = 1", true), ("rotation_mode = 1", false)] {
        let mut runtime = turning(keys);
        support::set_property(&mut runtime, "a", "angle.vz", 50);
        support::set_property(&mut runtime, "a", "angle.vy", 70);
        support::updates(&mut runtime, 1);
        let expected = if rebuilt { Matrix::of_orientation(angles(0, 70, 50)) } else { Matrix::IDENTITY };
        assert_eq!(matrix(&runtime), expected, "{keys}");
    }
    let mut runtime = turning("player = true\nrotation_mode = 1");
    support::set_property(&mut runtime, "a", "angle.vy", 70);
    support::updates(&mut runtime, 1);
    assert_eq!(matrix(&runtime), Matrix::IDENTITY);
}

/// M4: with or without a pose, but only where the actor is presented.
#[test]
fn the_refresh_needs_presentation_not_a_pose() {
    let mut runtime = support::runtime(&scene_text("[[actor]]\nname = \"a\"\n"));
    support::set_property(&mut runtime, "a", "angle.vy", 100);
    support::updates(&mut runtime, 1);
    assert_eq!(matrix(&runtime), Matrix::IDENTITY.turned(angles(0, 1948, 0)));
    let mut runtime = turning("");
    support::set_property(&mut runtime, "a", "hide", 1);
    support::set_property(&mut runtime, "a", "angle.vy", 100);
    support::updates(&mut runtime, 1);
    assert_eq!(matrix(&runtime), Matrix::IDENTITY);
}

/// M5: rows are outputs, inputs are single precision, results round to even.
#[test]
fn points_are_columns() {
    assert_eq!(ROWS.transform(point(1, 0, 0)), point(1, 4, 7));
    assert_eq!(ROWS.transform(point(0, 1, 0)), point(2, 5, 8));
    assert_eq!(ROWS.transform(point(0, 0, 1)), point(3, 6, 9));
    // 2^24 + 1 is no f32: it becomes 2^24.
    assert_eq!(Matrix::IDENTITY.transform(point((1 << 24) + 1, 0, 0)), point(1 << 24, 0, 0));
    let halves = Matrix([0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5]);
    assert_eq!(halves.transform(point(1, 3, -5)), point(0, 2, -2));
    // i32::MAX becomes 2^31, which does not fit.
    assert_eq!(Matrix::IDENTITY.transform(point(i32::MAX, i32::MIN, 0)), point(i32::MIN, i32::MIN, 0));
}

/// M5: the third product is added last. 2^60 swallows the 1 before −2^60 is added.
#[test]
fn the_z_product_is_added_last() {
    let (large, n) = ((1 << 30) as f32, 1 << 30);
    let rows = Matrix([large, 1.0, -large, large, 1.0, -large, large, 1.0, -large]);
    assert_eq!(rows.transform(point(n, 1, n)), point(0, 0, 0));
}

/// B1: known lengths, ties of the root, what does not fit.
#[test]
fn distances_round_the_root() {
    assert_eq!((distance_flat(3, 4), distance_flat(-3, 4), distance(2, -3, 6)), (5, 5, 7));
    // 1.41, 2.24, 2.83
    assert_eq!((distance_flat(1, 1), distance_flat(1, 2), distance_flat(2, 2)), (1, 2, 3));
    assert_eq!((distance(0, 5, 0), distance(0, 0, 0)), (5, 0));
    assert_eq!((distance_flat(i32::MIN, 0), distance_flat(i32::MAX, 0)), (i32::MIN, i32::MIN));
    // 2^24 + 1 is rounded to single precision before it is squared.
    assert_eq!(distance_flat((1 << 24) + 1, 0), 1 << 24);
}

/// B1: the root is rounded once, not to f64 and then to f32.
#[test]
fn the_root_is_rounded_once() {
    assert_eq!(distance_flat(328_269_056, 102_492), 328_269_088);
}

/// B2: the axes, the diagonals and the four reflections.
#[test]
fn bearings_are_reflected_by_sign() {
    // oct[256] = trunc(atan(0.5) × 20860.757) >> 6 = 9672 >> 6 = 151.
    let cases = [
        ((0, 0), 0),
        ((5, 0), 512),
        ((-5, 0), 1536),
        ((0, 5), 0),
        ((0, -5), 1024),
        ((7, 7), 256),
        ((7, -7), 768),
        ((-7, -7), 1280),
        ((-7, 7), 1792),
        ((1, 2), 151),
        ((2, 1), 512 - 151),
        ((1, -2), 1024 - 151),
        ((-1, -2), 1024 + 151),
        ((-1, 2), 2048 - 151),
        ((-2, 1), 2048 - (512 - 151)),
        // 512·1/511 = 1, oct[1] = trunc(40.7) >> 6 = 0: the whole turn 2048 − 0 is masked.
        ((-1, 511), 0),
    ];
    for ((p, q), expected) in cases {
        assert_eq!(bearing(p, q), Angle(expected), "({p}, {q})");
    }
}

/// B2: both are halved until they fit nine bits: (1023, 1022) becomes (511, 511), the diagonal; unhalved it would be 257.
#[test]
fn bearings_halve_large_components() {
    assert_eq!(bearing(1023, 1022), Angle(256));
    assert_eq!(bearing(1022, 1023), Angle(256));
    // (1, 512) becomes (0, 256).
    assert_eq!(bearing(-1, 512), Angle(0));
    assert_eq!(bearing(1 << 30, 1 << 29), Angle(512 - 151));
}

/// B2: the table has the documented hash and sum, and every first-quadrant direction reads it.
#[test]
fn bearings_come_from_the_documented_table() {
    let table = include_bytes!("../../src/units/octant.bin");
    let hash: String = Sha256::digest(table).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "d46fea464118b3c17a030aef5ee6946ab0afa75ca86decb096fe9a0d8d3306a9");
    assert_eq!(table.iter().map(|&step| u32::from(step)).sum::<u32>(), 72_856);
    for small in (1..511).step_by(7) {
        for large in (small + 1..=511).step_by(5) {
            let step = i32::from(table[(512 * small / large) as usize]);
            assert_eq!(bearing(small, large), Angle(step), "({small}, {large})");
            assert_eq!(bearing(large, small), Angle(512 - step), "({large}, {small})");
        }
    }
}

/// B3: the minimum stays negative: it fits, is the smaller one, and its table index is clamped to 0.
#[test]
fn the_minimum_counts_as_smallest() {
    let min = i32::MIN;
    let cases = [
        ((min, 0), 1536),
        ((0, min), 1024),
        ((min, min), 1280),
        // 512 × −2^31 wraps to 0; oct[0] = 0, then 2048 − 0.
        ((min, 100), 0),
        // b halves nine times to 256, a to −2^22; 512 × −2^22 is −2^31, and −2^31 / 256 is clamped to 0.
        ((min, 1 << 17), 0),
        // a > b: 512 − 0, then 1024 − 512.
        ((1 << 17, min), 512),
    ];
    for ((p, q), expected) in cases {
        assert_eq!(bearing(p, q), Angle(expected), "({p}, {q})");
    }
}

/// B4: the negated bearing.
#[test]
fn headings_are_negated_bearings() {
    let cases = [((9, 0), 1536), ((-9, 0), 512), ((0, 9), 0), ((0, -9), 1024), ((9, 9), 1792), ((1, 2), 2048 - 151)];
    for ((dx, dz), expected) in cases {
        assert_eq!(heading_of(dx, dz), Angle(expected), "({dx}, {dz})");
    }
}

/// Z1, Z2: the weapon length is shifted and negated with wrapping.
#[test]
fn a_huge_weapon_length_wraps() {
    let transform = Transform { position: [0.0; 3], matrix: Matrix::IDENTITY };
    let tip = |length| attach::endpoints(&transform, length).tip.y;
    // 2^24 << 8 is 0; 2^23 << 8 is −2^31, whose negation is itself.
    assert_eq!((tip(1 << 24), tip(1 << 23), tip(3), tip(-3)), (0, -(1 << 23), -3, 3));
}
