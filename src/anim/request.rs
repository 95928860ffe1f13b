//! Requests: which group waits, which is replaced, which becomes the default.

use super::play::{note_change, run};
use crate::{
    defs::{ActorDef, Groups},
    units::Vec3,
    world::{Actor, Event, Playback},
};

/// Ordinary request for `group` with a speed modifier.
///
/// `ticks` is the tick input of this update, which an advance made here uses whole. An actor without animation state
/// is left alone; visibility and activity are not looked at (rule R6).
///
/// # Source
/// Rules R1 and R2; engine/animation.md, "Ordinary requests and default groups".
pub fn request(def: &ActorDef, actor: &mut Actor, group: i32, modifier: i32, ticks: i32, events: &mut Vec<Event>) {
    if !actor.animated {
        return;
    }
    let before = actor.playback.current;
    if queue(&def.groups, &mut actor.playback, group, modifier) {
        run(def, actor, ticks, events);
    }
    note_change(before, actor, events);
}

/// Steps 1 to 3 of an ordinary request; true when an advance must follow (step 4).
pub(super) fn queue(groups: &Groups, playback: &mut Playback, group: i32, modifier: i32) -> bool {
    if playback.current >= 0 && playback.current == playback.default {
        if group == i32::from(playback.default) {
            return false;
        }
        playback.current = -1;
    }
    let accepted = playback.current < 0
        || playback.pending < 0
        || i32::from(playback.pending) <= group
        || playback.pending == playback.current;
    accepted && put_pending(groups, playback, group, modifier) && playback.current < 0
}

/// Makes `group`, or the default in its place, the pending group; false and no pending group when neither exists.
fn put_pending(groups: &Groups, playback: &mut Playback, group: i32, modifier: i32) -> bool {
    let default = i32::from(playback.default);
    let found = [group, default].into_iter().find_map(|wanted| Some((wanted as i16, groups.get(wanted)?)));
    let Some((resolved, definition)) = found else {
        playback.pending = -1;
        return false;
    };
    playback.pending = resolved;
    playback.next_speed = i32::from(definition.speed).wrapping_add(modifier) as u8;
    true
}

/// Forced request: replaces the current group at once, unless it is `group` itself before its exit.
///
/// # Source
/// Rule R3; engine/animation.md, "Forced requests".
pub fn force(def: &ActorDef, actor: &mut Actor, group: i32, modifier: i32, ticks: i32, events: &mut Vec<Event>) {
    if !actor.animated {
        return;
    }
    let before = actor.playback.current;
    let playback = &mut actor.playback;
    if i32::from(playback.current) == group && playback.exit == 0 {
        playback.pending = -1;
        return;
    }
    playback.current = -1;
    playback.cursor = 0;
    clear_progress(playback);
    if put_pending(&def.groups, playback, group, modifier) {
        run(def, actor, ticks, events);
    }
    note_change(before, actor, events);
}

/// Zeroes what a group leaves behind: direction, delays, markers, loop state, deltas (rules R3, R5).
pub(super) fn clear_progress(playback: &mut Playback) {
    playback.reverse = 0;
    playback.hold = 0;
    playback.cond = 0;
    playback.exit = 0;
    playback.still = 0;
    playback.loop_count = 0;
    playback.rep = 0;
    clear_deltas(playback);
}

/// Zeroes both delta records.
pub(super) fn clear_deltas(playback: &mut Playback) {
    playback.delta_pos = Vec3::new(0, 0, 0);
    playback.delta_angle = Vec3::new(0, 0, 0);
}

/// Stores a new default group and replaces the old one where it is current or pending.
///
/// # Source
/// Rule R4; engine/animation.md, "Living actor default selection".
pub fn change_default(def: &ActorDef, actor: &mut Actor, new: i16, ticks: i32, events: &mut Vec<Event>) {
    let old = actor.playback.default;
    if !actor.animated || new == old {
        return;
    }
    actor.playback.default = new;
    if actor.playback.current == old && actor.playback.exit == 0 {
        force(def, actor, new.into(), 0, ticks, events);
    }
    if actor.playback.pending == old {
        request(def, actor, new.into(), 0, ticks, events);
    }
}

/// The first requests of an actor that has just been made: group 0 twice, and for the player the default by force.
///
/// # Source
/// Rule F5; engine/animation.md, "Placed actor initialization and eligibility"; engine/player.md, "Initial player
/// animation setup".
pub fn start(def: &ActorDef, actor: &mut Actor, ticks: i32, events: &mut Vec<Event>) {
    for _ in 0..2 {
        request(def, actor, 0, 0, ticks, events);
    }
    if actor.player {
        let default = actor.playback.default.into();
        force(def, actor, default, 0, ticks, events);
    }
}
