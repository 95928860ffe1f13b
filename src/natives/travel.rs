//! Moving along one axis over several updates. No handler tests for collisions.
//!
//! # Source
//! Rules X25, X29, X30; engine/SOUP.md, "MoveByAxis and sMoveByAxis", "MoveObjectAxis"; engine/player.md,
//! "Heading-based translation".

use super::{
    Call, Entry,
    rotate::{GOAL, REACHED, any_axis, divided, finished, frame_scale, one_axis},
};
use crate::{
    defs::attr,
    units::{Angle, Q8, Vec3, truncate},
    world::{Actor, Gate},
};

fn coordinate(call: &mut Call<'_>, axis: usize) -> i32 {
    call.actor_mut().pos.axis_mut(axis).map_or(0, |coordinate| coordinate.0)
}

fn set_coordinate(call: &mut Call<'_>, axis: usize, value: i32) {
    if let Some(coordinate) = call.actor_mut().pos.axis_mut(axis) {
        *coordinate = Q8(value);
    }
}

/// The step of one pass: the quotient is cut to whole map units before the scale multiplies it.
fn step(call: &Call<'_>, delta: i32, duration: i32) -> Result<i32, Gate> {
    Ok((divided(delta, duration)? >> 8).wrapping_mul(frame_scale(call)))
}

/// Whether a step leads to the goal or beyond.
fn arrives(step: i32, next: i32, goal: i32) -> bool {
    (step < 0 && next <= goal) || (step > 0 && next >= goal)
}

/// Rule X29.
fn movebyaxis(call: &mut Call<'_>) -> i32 {
    let outcome = move_by(call);
    finished(call, outcome)
}

fn move_by(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, delta, duration) = (any_axis(call.int(0)), call.int(1), call.int(2));
    if delta == 0 || duration == 0 {
        return Ok(false);
    }
    let now = coordinate(call, axis);
    let step = step(call, delta, duration)?;
    let goal = match call.scratch[GOAL] {
        0 => now.wrapping_add(delta),
        goal => goal,
    };
    call.scratch[GOAL] = goal;
    let next = now.wrapping_add(step);
    let active = !arrives(step, next, goal) && call.elapsed < duration.wrapping_sub(1);
    set_coordinate(call, axis, if active { next } else { goal });
    Ok(active)
}

/// Rule X29.
fn smovebyaxis(call: &mut Call<'_>) -> i32 {
    let outcome = smoothly_by(call);
    finished(call, outcome)
}

fn smoothly_by(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, delta, duration) = (one_axis(call.int(0)), call.int(1), call.int(2));
    let offset = divided(delta.wrapping_shl(8), duration)?.wrapping_mul(call.elapsed) >> 8;
    let active = call.elapsed < duration.wrapping_sub(1);
    let Some(axis) = axis else { return Ok(active) };
    if call.scratch[GOAL] == 0 && call.elapsed == 0 {
        call.scratch[GOAL] = coordinate(call, axis);
    }
    let origin = call.scratch[GOAL];
    set_coordinate(call, axis, origin.wrapping_add(if active { offset } else { delta }));
    Ok(active)
}

/// Rule X30.
fn moveobjectaxis(call: &mut Call<'_>) -> i32 {
    let outcome = move_object(call);
    finished(call, outcome)
}

fn move_object(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, delta, duration) = (call.int(0), call.int(1), call.int(2));
    if delta == 0 || duration == 0 {
        return Ok(false);
    }
    let step = step(call, delta, duration)?;
    if call.elapsed == 0 {
        (call.scratch[GOAL], call.scratch[REACHED]) = (delta, 0);
    }
    let sum = call.scratch[REACHED].wrapping_add(step);
    call.scratch[REACHED] = sum;
    if arrives(step, sum, call.scratch[GOAL]) {
        return Ok(false);
    }
    shift(call.actor_mut(), axis, step);
    Ok(call.elapsed < duration.wrapping_sub(1))
}

/// Moves an actor along an axis of its own; axes beyond Z do not move it.
fn shift(actor: &mut Actor, axis: i32, step: i32) {
    let upright = actor.attribute(attr::SLAVE) == 0 && actor.angle.x.0 == 0 && actor.angle.z.0 == 0;
    if axis == 2 && upright {
        let (sin, cos) = actor.angle.y.negated().sin_cos();
        actor.pos.x = forward(actor.pos.x, step, sin);
        actor.pos.z = forward(actor.pos.z, step, cos);
        return;
    }
    let mut local = Vec3::<Q8>::default();
    if let Some(component) = one_axis(axis).and_then(|axis| local.axis_mut(axis)) {
        *component = Q8(step);
    }
    actor.pos = actor.pos.zip(actor.matrix.transform(local), Q8::plus);
}

/// The sum is stored in single precision, then cut.
fn forward(Q8(from): Q8, step: i32, part: f32) -> Q8 {
    let sum = (f64::from(from as f32) + f64::from(step) * f64::from(part)) as f32;
    Q8(truncate(sum.into()))
}

/// The angles and coordinates that nonzero arguments choose (rule X34).
fn chosen<T>(call: &Call<'_>, mut now: Vec3<T>, start: Vec3<T>) -> Vec3<T> {
    for (argument, start) in <[T; 3]>::from(start).into_iter().enumerate() {
        if call.int(argument) != 0
            && let Some(now) = now.axis_mut(argument)
        {
            *now = start;
        }
    }
    now
}

/// Rule X34. Returns 0.
fn resetrotation(call: &mut Call<'_>) -> i32 {
    let actor = call.actor();
    let (now, start): (Vec3<Angle>, Vec3<Angle>) = (actor.angle, actor.cold.start_angle);
    call.actor_mut().angle = chosen(call, now, start);
    reloadrotation(call)
}

/// Rule X34. Returns 0.
fn reloadrotation(call: &mut Call<'_>) -> i32 {
    let actor = call.actor_mut();
    actor.last_angle = actor.angle;
    actor.orient();
    0
}

/// Rule X34. Returns 0.
fn resetposition(call: &mut Call<'_>) -> i32 {
    let actor = call.actor();
    let (now, start): (Vec3<Q8>, Vec3<Q8>) = (actor.pos, actor.cold.start_pos);
    let pos = chosen(call, now, start);
    let actor = call.actor_mut();
    (actor.pos, actor.last_pos) = (pos, pos);
    actor.float();
    0
}

pub(super) const NATIVES: &[Entry] = &[
    ("MoveByAxis", movebyaxis),
    ("sMoveByAxis", smovebyaxis),
    ("MoveObjectAxis", moveobjectaxis),
    ("ResetRotation", resetrotation),
    ("ReloadRotation", reloadrotation),
    ("ResetPosition", resetposition),
];
