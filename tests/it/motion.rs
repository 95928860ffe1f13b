//! Natives that turn and move an actor, and those that say where the player is.

use soup386::{
    natives::{CallRequest, Dispatch},
    units::{Angle, Q8, Vec3},
    update::Runtime,
    world::{Args, CallSite},
};

use super::{
    support::{actor, call, runtime, updates},
    yard::{admits, edit, refusal, refuses, scene, yard},
};

/// GUARD's angle or coordinate on an axis.
fn angle(runtime: &Runtime, axis: usize) -> i32 {
    <[Angle; 3]>::from(actor(runtime, "GUARD").angle)[axis].0
}

fn coordinate(runtime: &Runtime, axis: usize) -> i32 {
    <[Q8; 3]>::from(actor(runtime, "GUARD").pos)[axis].0
}

/// What a task leaves after its call and after each pass, until it is done.
fn series(runtime: &mut Runtime, function: &str, args: &[i32], read: impl Fn(&Runtime) -> i32) -> Vec<i32> {
    assert_eq!(call(runtime, "GUARD", function, args), 0, "a task's call returns 0");
    let mut values = vec![read(runtime)];
    while !actor(runtime, "GUARD").tasks.is_empty() && values.len() < 40 {
        updates(runtime, 1);
        values.push(read(runtime));
    }
    values
}

fn turned(start: i32, function: &str, args: &[i32]) -> Vec<i32> {
    let mut runtime = yard();
    let axis = usize::try_from(args[0]).unwrap_or(2).min(2);
    edit(&mut runtime, "GUARD", |actor| *actor.angle.axis_mut(axis).expect("an axis") = Angle(start));
    series(&mut runtime, function, args, |runtime| angle(runtime, axis))
}

fn moved(start: i32, function: &str, args: &[i32]) -> Vec<i32> {
    let mut runtime = yard();
    let axis = usize::try_from(args[0]).unwrap_or(2).min(2);
    edit(&mut runtime, "GUARD", |actor| *actor.pos.axis_mut(axis).expect("an axis") = Q8(start));
    series(&mut runtime, function, args, |runtime| coordinate(runtime, axis))
}

/// X25, X26: RotateByAxis turns by a step at each pass and ends on the goal; other axes are Z.
#[test]
fn rotatebyaxis() {
    assert_eq!(turned(0, "RotateByAxis", &[1, 100, 4]), [25, 50, 75, 100]);
    assert_eq!(turned(30, "RotateByAxis", &[0, -60, 3]), [10, 2038, 2018]);
    for axis in [2, 3, -1] {
        assert_eq!(turned(0, "RotateByAxis", &[axis, 100, 2]), [50, 100], "axis {axis}");
    }
    for args in [[1, 0, 4], [1, 100, 0]] {
        assert_eq!(turned(7, "RotateByAxis", &args), [7, 7], "nothing to do: done at the first pass");
    }
    // 1 << 8 over 1000 is no step: the tick input is one, of 24.8, until the rest is below it.
    let slow = turned(0, "RotateByAxis", &[1, 1, 1000]);
    assert_eq!((slow[0], slow.len()), (0, 40), "|0 - 1| > 0: the task goes on");
}

/// X26: the start of a task that begins on a goal of 0 is repeated only while no time has passed.
#[test]
fn rotatebyaxis_to_the_zero_angle_does_not_begin_again() {
    assert_eq!(turned(2048 - 60, "RotateByAxis", &[1, 60, 3]), [2008, 2028, 0]);
}

/// X27: RotateToAxis takes the shorter way.
#[test]
fn rotatetoaxis() {
    assert_eq!(turned(100, "RotateToAxis", &[1, 2000, 4]), [63, 26, 2037, 2000]);
    assert_eq!(turned(2000, "RotateToAxis", &[9, 100 + 2048, 2]), [26, 100]);
    assert_eq!(turned(0, "RotateToAxis", &[1, 1024, 2]), [512, 1024], "half a turn keeps its direction");
    assert_eq!(turned(1024, "RotateToAxis", &[1, 0, 2]), [512, 0]);
    assert_eq!(turned(5, "RotateToAxis", &[1, 900, 0]), [5, 5]);
    assert_eq!(turned(2053, "RotateToAxis", &[1, 5, 3]), [5, 5], "already there: the angle is masked");
}

/// X28: the s-forms interpolate from the elapsed time and end on the whole value.
#[test]
fn srotate() {
    assert_eq!(turned(10, "sRotateByAxis", &[0, -90, 4]), [10, 2036, 2013, 1968]);
    assert_eq!(turned(10, "sRotateByAxis", &[2, 90, 1]), [100, 100]);
    assert_eq!(turned(0, "sRotateToAxis", &[2, 1500, 3]), [0, 1810, 1500]);
    assert_eq!(turned(100, "sRotateToAxis", &[1, 300, 3]), [100, 200, 300]);
    assert_eq!(turned(1500, "sRotateToAxis", &[1, 100, 3]), [1500, 1824, 100], "-1400 & 2047 = 648");
    let mut runtime = yard();
    for function in ["sRotateByAxis", "sRotateToAxis"] {
        let passes = series(&mut runtime, function, &[3, 500, 3], |runtime| angle(runtime, 2));
        assert_eq!(passes, [0, 0, 0], "{function}: no axis, but the time passes");
    }
}

/// X25, X28: a division that has no result ends the task, and nothing is written.
#[test]
fn divisions_without_result() {
    let text = |dividend: i32, divisor: i32| {
        format!(
            "refused: the duration divides by zero or beyond 32 bits; the task is done (dividend = {dividend}, \
             divisor = {divisor})"
        )
    };
    for (function, args, dividend, divisor) in [
        ("sRotateByAxis", [1, 90, 0], 90 << 8, 0),
        ("sRotateToAxis", [1, 90, 1], 90 << 8, 0),
        ("sMoveByAxis", [1, 90, 0], 90 << 8, 0),
        ("RotateByAxis", [1, 1 << 23, -1], i32::MIN, -1),
        ("sRotateByAxis", [3, 1 << 23, -1], i32::MIN, -1),
        ("MoveByAxis", [1, i32::MIN, -1], i32::MIN, -1),
        ("MoveObjectAxis", [1, i32::MIN, -1], i32::MIN, -1),
    ] {
        let mut runtime = yard();
        let receiver = runtime.world().named("GUARD").expect("GUARD");
        let native = runtime.engine().function_named(function).expect("a function");
        let before = actor(&runtime, "GUARD").clone();
        let (args, dispatch) = (Args::ints(&args), Dispatch::Function);
        let request = CallRequest { receiver, native, args, dispatch, site: CallSite::Host };
        assert_eq!(runtime.engine_mut().call(request).expect("GUARD lives").value, 0, "{function} is done");
        let said = refusal(&runtime, "GUARD");
        assert_eq!(said, format!("{} {}", function.to_ascii_lowercase(), text(dividend, divisor)));
        edit(&mut runtime, "GUARD", |actor| actor.cold.refusal = None);
        assert_eq!(*actor(&runtime, "GUARD"), before, "{function}");
    }
}

/// X29: MoveByAxis steps in whole map units times the scale, and ends on its goal.
#[test]
fn movebyaxis() {
    assert_eq!(moved(100, "MoveByAxis", &[0, 1024, 4]), [356, 612, 868, 1124]);
    assert_eq!(moved(0, "MoveByAxis", &[5, -1000, 3]), [-512, -1000]);
    assert_eq!(moved(0, "MoveByAxis", &[1, 100, 4]), [0, 0, 0, 100], "no step, but the time runs out");
    assert_eq!(moved(3, "MoveByAxis", &[1, 0, 4]), [3, 3]);
    assert_eq!(moved(3, "MoveByAxis", &[1, 50, 0]), [3, 3]);
}

/// X29: a goal of 0 is set anew at every pass.
#[test]
fn movebyaxis_whose_goal_is_the_origin() {
    assert_eq!(moved(-768, "MoveByAxis", &[0, 768, 3]), [-512, -256, 256], "-512 + 768 at the second pass");
}

/// X29: sMoveByAxis interpolates; other axes only wait.
#[test]
fn smovebyaxis() {
    assert_eq!(moved(7, "sMoveByAxis", &[1, 1000, 4]), [7, 257, 507, 1007]);
    assert_eq!(moved(7, "sMoveByAxis", &[0, -1000, 4]), [7, -243, -493, -993]);
    assert_eq!(moved(7, "sMoveByAxis", &[3, 1000, 3]), [7, 7, 7]);
    assert_eq!(moved(7, "sMoveByAxis", &[0, 0, 2]), [7, 7], "no short cut for nothing");
}

fn scaled(scale: u32) -> Runtime {
    runtime(&scene("").replace("soup386 = 1\n", &format!("soup386 = 1\nclock = {{ frame_scale = {scale} }}\n")))
}

/// X30: the upright way forward adds in single precision and cuts.
#[test]
fn moveobjectaxis_forward() {
    let mut runtime = scaled(680);
    edit(&mut runtime, "GUARD", |actor| {
        actor.angle.y = Angle(2036);
        actor.pos = Vec3::new(Q8(10_446_802), Q8(9), Q8(10_818_615));
    });
    admits(&mut runtime, "GUARD", "MoveObjectAxis", &[2, 2560, 10]);
    assert_eq!(actor(&runtime, "GUARD").pos, Vec3::new(Q8(10_446_827), Q8(9), Q8(10_819_295)));
}

/// X30: other axes and actors that are not upright go through the matrix as it stands; axes beyond Z do not move.
#[test]
fn moveobjectaxis_through_the_matrix() {
    for (axis, prepare, expected) in
        [(0, 0, [256, 0, 0]), (1, 0, [0, 256, 0]), (2, 26, [0, 0, 256]), (7, 0, [0, 0, 0]), (-1, 0, [0, 0, 0])]
    {
        let mut runtime = yard();
        edit(&mut runtime, "GUARD", |actor| {
            // A heading that the matrix does not have yet.
            actor.angle.y = Angle(512);
            if prepare != 0 {
                actor.attributes[prepare] = 1;
            }
        });
        admits(&mut runtime, "GUARD", "MoveObjectAxis", &[axis, 2560, 10]);
        assert_eq!(actor(&runtime, "GUARD").pos, Vec3::from(expected.map(Q8)), "axis {axis}");
    }
}

/// X30: the way covered ends the task without a move, and so does the time; nothing snaps.
#[test]
fn moveobjectaxis_ends_by_way_or_time() {
    let x = |runtime: &Runtime| coordinate(runtime, 0);
    assert_eq!(series(&mut yard(), "MoveObjectAxis", &[0, 1024, 4], x), [256, 512, 768, 768]);
    assert_eq!(series(&mut yard(), "MoveObjectAxis", &[0, -600, 2], x), [-512, -512]);
    assert_eq!(series(&mut yard(), "MoveObjectAxis", &[0, 1000, 3], x), [256, 512, 768]);
    assert_eq!(series(&mut yard(), "MoveObjectAxis", &[0, 0, 3], x), [0, 0]);
}

/// X31: distances from the receiver to the player.
#[test]
fn distances_to_the_player() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| actor.pos = Vec3::new(Q8(100), Q8(-50), Q8(0)));
    edit(&mut runtime, "GUARD", |actor| actor.pos = Vec3::new(Q8(70), Q8(-50), Q8(40)));
    assert_eq!(call(&mut runtime, "GUARD", "PlayerDistance", &[]), 70);
    assert_eq!(call(&mut runtime, "GUARD", "AcuratePlayerDistance", &[]), 50);
    edit(&mut runtime, "GUARD", |actor| actor.pos = Vec3::new(Q8(i32::MIN), Q8(-50), Q8(0)));
    assert_eq!(call(&mut runtime, "GUARD", "PlayerDistance", &[]), i32::MAX - 99, "wrapping");
}

/// X31: without a player the distance is to the origin, and nobody looks.
#[test]
fn without_a_player() {
    let mut runtime = runtime(&scene("").replace("player = true", "player = false"));
    edit(&mut runtime, "GUARD", |actor| actor.pos = Vec3::new(Q8(3), Q8(0), Q8(-4)));
    assert_eq!(call(&mut runtime, "GUARD", "PlayerDistance", &[]), 7);
    assert_eq!(call(&mut runtime, "GUARD", "AcuratePlayerDistance", &[]), 5);
    refuses(&mut runtime, "GUARD", "PlayerFacing", &[0, 2000], "playerfacing refused: there is no player");
    refuses(&mut runtime, "GUARD", "PlayerLooking", &[2000], "playerlooking refused: there is no player");
}

/// X31: headings compare the short way round, and the tolerance is signed.
#[test]
fn headings_of_the_player() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| actor.angle.y = Angle(10));
    edit(&mut runtime, "GUARD", |actor| actor.angle.y = Angle(2000));
    for (offset, tolerance, expected) in
        [(0, 58, 1), (0, 57, 0), (58, 0, 1), (58 + 2048, 0, 1), (58, -1, 0), (1082, 1023, 0), (1082, 1024, 1)]
    {
        let facing = call(&mut runtime, "GUARD", "PlayerFacing", &[offset, tolerance]);
        assert_eq!(facing, expected, "{offset}, {tolerance}");
    }
    // The player stands behind the guard on -Z; heading 0 is +Z, so it looks at the guard.
    edit(&mut runtime, "CYRUS", |actor| (actor.angle.y, actor.pos.z) = (Angle(20), Q8(-5000)));
    for (tolerance, expected) in [(20, 1), (19, 0), (-1, 0)] {
        assert_eq!(call(&mut runtime, "GUARD", "PlayerLooking", &[tolerance]), expected, "{tolerance}");
    }
}

/// X34: start angles come back where asked, and the matrix is built anew.
#[test]
fn resetrotation_and_reloadrotation() {
    let mut runtime = runtime(&scene("angles = [1, 2, 3]"));
    let changed = Vec3::new(Angle(100), Angle(200), Angle(300));
    edit(&mut runtime, "GUARD", |actor| actor.angle = changed);
    admits(&mut runtime, "GUARD", "ReloadRotation", &[]);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((guard.angle, guard.last_angle), (changed, changed));
    assert_eq!(guard.matrix, soup386::units::Matrix::of_orientation(changed));
    admits(&mut runtime, "GUARD", "ResetRotation", &[1, 0, -5]);
    let guard = actor(&runtime, "GUARD");
    let expected = Vec3::new(Angle(1), Angle(200), Angle(3));
    assert_eq!((guard.angle, guard.last_angle), (expected, expected));
    assert_eq!(guard.matrix, soup386::units::Matrix::of_orientation(expected));
}

/// X34: start coordinates come back where asked, with the floating position.
#[test]
fn resetposition() {
    let mut runtime = runtime(&scene("position = [256, 512, 770]"));
    edit(&mut runtime, "GUARD", |actor| actor.pos = Vec3::new(Q8(1), Q8(2560), Q8(3)));
    admits(&mut runtime, "GUARD", "ResetPosition", &[2, 0, 1]);
    let guard = actor(&runtime, "GUARD");
    let expected = Vec3::new(Q8(256), Q8(2560), Q8(770));
    assert_eq!((guard.pos, guard.last_pos, guard.floating), (expected, expected, [1.0, 10.0, 3.0]));
}
