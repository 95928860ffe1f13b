//! Turning one angle over several updates. No handler refreshes the matrix.
//!
//! # Source
//! Rules X25 to X28; engine/SOUP.md, headings of the natives' names.

use super::{Call, Entry};
use crate::world::Gate;

/// What a task of this file and of `travel` keeps: where it goes, and how far it came.
pub(super) const GOAL: usize = 0;
pub(super) const REACHED: usize = 1;

/// Axis 0 or 1; every other number is Z.
pub(super) fn any_axis(axis: i32) -> usize {
    usize::try_from(axis).unwrap_or(2).min(2)
}

/// Axes 0 to 2; others select nothing.
pub(super) fn one_axis(axis: i32) -> Option<usize> {
    usize::try_from(axis).ok().filter(|&axis| axis < 3)
}

/// The quotient toward zero; the original faults where there is none (rule X25).
pub(super) fn divided(dividend: i32, divisor: i32) -> Result<i32, Gate> {
    dividend.checked_div(divisor).ok_or(Gate::NoQuotient { dividend, divisor })
}

/// A task whose arithmetic fails is done and has written nothing.
pub(super) fn finished(call: &mut Call<'_>, outcome: Result<bool, Gate>) -> i32 {
    match outcome {
        Ok(active) => active.into(),
        Err(gate) => {
            call.refuse(gate);
            0
        }
    }
}

/// The scale of elapsed time, as the signed factor of steps.
pub(super) fn frame_scale(call: &Call<'_>) -> i32 {
    call.world.clock.clock.frame_scale as i32
}

fn angle(call: &mut Call<'_>, axis: usize) -> i32 {
    call.actor_mut().angle.axis_mut(axis).map_or(0, |angle| angle.0)
}

fn set_angle(call: &mut Call<'_>, axis: usize, value: i32) {
    if let Some(angle) = call.actor_mut().angle.axis_mut(axis) {
        angle.0 = value & 2047;
    }
}

/// The shorter way between two angles, 0..=1024.
pub(super) fn apart(a: i32, b: i32) -> i32 {
    let turned = a.wrapping_sub(b) & 2047;
    turned.min(2048 - turned)
}

/// The step of this pass in 24.8: the part of `whole` that one update takes; when that is nothing, `least`.
fn step(call: &Call<'_>, whole: i32, duration: i32, least: impl FnOnce(i32) -> i32) -> Result<i32, Gate> {
    let step = divided(whole, duration)?.wrapping_mul(frame_scale(call)) >> 8;
    let ticks = call.world.clock.ticks;
    Ok(if step == 0 && ticks != 0 { least(ticks) } else { step })
}

/// Rule X26.
fn rotatebyaxis(call: &mut Call<'_>) -> i32 {
    let outcome = rotate_by(call);
    finished(call, outcome)
}

fn rotate_by(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, delta, duration) = (any_axis(call.int(0)), call.int(1), call.int(2));
    if delta == 0 || duration == 0 {
        return Ok(false);
    }
    let now = angle(call, axis);
    let [mut goal, mut reached, ..] = *call.scratch;
    if goal == 0 && call.elapsed == 0 {
        goal = (now.wrapping_add(delta) & 2047) << 8;
        reached = now.wrapping_shl(8);
    }
    let backward = |ticks: i32| if goal < 0 { ticks.wrapping_neg() } else { ticks };
    let step = step(call, delta.wrapping_shl(8), duration, backward)?;
    let active = apart(now, goal >> 8) > (step >> 8).wrapping_abs();
    if active {
        reached = reached.wrapping_add(step);
    }
    set_angle(call, axis, if active { reached >> 8 } else { goal >> 8 });
    (call.scratch[GOAL], call.scratch[REACHED]) = (goal, reached);
    Ok(active)
}

/// Rule X27.
fn rotatetoaxis(call: &mut Call<'_>) -> i32 {
    let outcome = rotate_to(call);
    finished(call, outcome)
}

/// The way from an angle to another; half a turn keeps the direction of the subtraction.
fn way(from: i32, to: i32) -> i32 {
    match (from & 2047) - to {
        ahead @ ..=-1025 => -(ahead & 2047),
        behind @ 1025.. => 2048 - behind,
        near => -near,
    }
}

fn rotate_to(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, target, duration) = (any_axis(call.int(0)), call.int(1) & 2047, call.int(2));
    if duration == 0 {
        return Ok(false);
    }
    let now = angle(call, axis);
    let left = way(now, target);
    let [mut saved, mut reached, ..] = *call.scratch;
    if saved == 0 && call.elapsed == 0 {
        saved = left.wrapping_shl(8);
        reached = now.wrapping_shl(8);
    }
    let backward = |ticks: i32| {
        let least = ticks.wrapping_shl(8);
        if saved < 0 { least.wrapping_neg() } else { least }
    };
    let step = step(call, saved, duration, backward)?;
    let active = left.wrapping_abs() > (step >> 8).wrapping_abs();
    if active {
        reached = reached.wrapping_add(step);
    }
    set_angle(call, axis, if active { reached >> 8 } else { target });
    (call.scratch[GOAL], call.scratch[REACHED]) = (saved, reached);
    Ok(active)
}

/// The angle at the start of the task, kept while it runs.
fn origin(call: &mut Call<'_>, axis: Option<usize>) -> i32 {
    match axis {
        Some(axis) if call.elapsed == 0 => angle(call, axis),
        _ => call.scratch[GOAL],
    }
}

fn place(call: &mut Call<'_>, axis: Option<usize>, origin: i32, value: i32) {
    call.scratch[GOAL] = origin;
    if let Some(axis) = axis {
        set_angle(call, axis, value);
    }
}

/// Rule X28.
fn srotatebyaxis(call: &mut Call<'_>) -> i32 {
    let outcome = smoothly_by(call);
    finished(call, outcome)
}

fn smoothly_by(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, delta, duration) = (one_axis(call.int(0)), call.int(1), call.int(2));
    let size = divided(delta.wrapping_abs().wrapping_shl(8), duration)?.wrapping_mul(call.elapsed) >> 8;
    let offset = if delta < 0 { size.wrapping_neg() } else { size };
    let active = call.elapsed < duration.wrapping_sub(1);
    let origin = origin(call, axis);
    place(call, axis, origin, origin.wrapping_add(if active { offset } else { delta }));
    Ok(active)
}

/// Rule X28.
fn srotatetoaxis(call: &mut Call<'_>) -> i32 {
    let outcome = smoothly_to(call);
    finished(call, outcome)
}

fn smoothly_to(call: &mut Call<'_>) -> Result<bool, Gate> {
    let (axis, target, duration) = (one_axis(call.int(0)), call.int(1), call.int(2));
    let origin = origin(call, axis);
    // The mask of great differences is the original's, though it leads astray until the last pass.
    let way = match target.wrapping_sub(origin) {
        ahead @ ..=-1025 => ahead & 2047,
        behind @ 1025.. => -(behind & 1023),
        near => near,
    };
    let last = duration.wrapping_sub(1);
    let offset = divided(way.wrapping_shl(8), last)?.wrapping_mul(call.elapsed) >> 8;
    let active = call.elapsed < last;
    place(call, axis, origin, if active { origin.wrapping_add(offset) } else { target });
    Ok(active)
}

pub(super) const NATIVES: &[Entry] = &[
    ("RotateByAxis", rotatebyaxis),
    ("RotateToAxis", rotatetoaxis),
    ("sRotateByAxis", srotatebyaxis),
    ("sRotateToAxis", srotatetoaxis),
];
