//! PlayAnimation, PushAnimation, and the waits for a frame.

use super::{Call, Entry, Parts};
use crate::{
    anim,
    world::{Actor, Gate},
};

/// Rule K8; engine/SOUP.md, "PlayAnimation". An ordinary request with the modifier's low byte; returns 0.
fn playanimation(call: &mut Call<'_>) -> i32 {
    let (group, modifier) = (call.int(0), call.int(1) & 255);
    let Parts { def, actor, conditions, events, .. } = call.parts();
    if actor.object_excluded {
        call.refuse(Gate::ObjectExcluded {});
    } else if !actor.animated {
        call.refuse(Gate::NoAnimationState {});
    } else {
        anim::request(def, actor, group, modifier, conditions.ticks, events);
    }
    0
}

/// Whether the task has found its group current and set the loop countdown (rule K6).
const STARTED: usize = 0;

/// Rule K6; engine/animation.md, "Animation tasks". Active until the group, once current, is current no more.
fn pushanimation(call: &mut Call<'_>) -> i32 {
    let (group, count) = (call.int(0), call.int(1));
    let started = call.scratch[STARTED] != 0;
    let Parts { def, actor, conditions, events, .. } = call.parts();
    if !actor.animated {
        call.refuse(Gate::NoAnimationState {});
        return 0;
    }
    let is_current = i32::from(actor.playback.current) == group;
    if started {
        return is_current.into();
    }
    if is_current {
        actor.playback.loop_count = count as u8;
        call.scratch[STARTED] = 1;
    } else {
        anim::request(def, actor, group, 0, conditions.ticks, events);
    }
    1
}

/// Rule K7; engine/animation.md, "Frame waits".
fn waitanimframe(call: &mut Call<'_>) -> i32 {
    waits_for_frame(Some(call.actor()), call.int(0), call.int(1)).into()
}

/// Rule K7: the same test on the player. Declared without parameters, but documented with two; without them both read 0.
fn waitplayeranimframe(call: &mut Call<'_>) -> i32 {
    let player = call.world.player().and_then(|key| call.world.get(key));
    waits_for_frame(player, call.int(0), call.int(1)).into()
}

fn waits_for_frame(actor: Option<&Actor>, group: i32, frame: i32) -> bool {
    let Some(Actor { animated: true, playback, .. }) = actor else { return false };
    if i32::from(playback.current) == group {
        i32::from(playback.real_frame) < frame
    } else {
        i32::from(playback.pending) == group
    }
}

pub(super) const NATIVES: &[Entry] = &[
    ("PlayAnimation", playanimation),
    ("PushAnimation", pushanimation),
    ("WaitAnimFrame", waitanimframe),
    ("WaitPlayerAnimFrame", waitplayeranimframe),
];
