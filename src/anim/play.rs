//! The advance: delays, replacement, countdown, and the command interpreter in both directions.

use super::request::{clear_deltas, clear_progress, queue};
use crate::{
    defs::{ActorDef, Command, Opcode},
    world::{Actor, Event, EventKind, Playback},
};

/// Command interpretations that one outermost advance and all advances nested in it share (rule P6).
pub const BUDGET: u32 = 4096;

/// Advances an actor's animation by the tick input of this update.
///
/// # Source
/// Rule P1; engine/animation.md, "Forward frame countdown", "Forward type-one transitions", "Reverse frame countdown".
pub fn advance(def: &ActorDef, actor: &mut Actor, ticks: i32, events: &mut Vec<Event>) {
    let before = actor.playback.current;
    run(def, actor, ticks, events);
    note_change(before, actor, events);
}

/// Raises an event when another group is current than `before`.
pub(super) fn note_change(before: i16, actor: &Actor, events: &mut Vec<Event>) {
    let now = actor.playback.current;
    if now != before {
        events.push(Event { actor: actor.key, kind: EventKind::GroupChanged { from: before, to: now } });
    }
}

/// How an advance or a command ends.
enum Flow {
    /// The next command follows.
    Next,
    /// The advance is over.
    Done,
    /// A nested advance follows, and nothing after it.
    Nested,
}

/// An outermost advance. Every nested advance is the last act of the one around it, so the nesting is a loop, however
/// deep it gets.
pub(super) fn run(def: &ActorDef, actor: &mut Actor, ticks: i32, events: &mut Vec<Event>) {
    if !actor.animated {
        return;
    }
    let mut pass = Pass { def, actor, ticks, events, skip: 0, budget: BUDGET };
    while matches!(pass.advance(), Flow::Nested) {}
}

/// One outermost advance under way.
struct Pass<'a> {
    def: &'a ActorDef,
    actor: &'a mut Actor,
    ticks: i32,
    events: &'a mut Vec<Event>,
    /// Frames that ShowFrame still passes over (rule P8).
    skip: i32,
    budget: u32,
}

impl Pass<'_> {
    /// Rule P1, steps 2 to 5.
    fn advance(&mut self) -> Flow {
        let playback = &mut self.actor.playback;
        if playback.current >= 0 {
            if is_delayed(playback, self.ticks) {
                return Flow::Done;
            }
            if self.is_replaced() {
                select(&mut self.actor.playback);
            }
        } else if playback.pending >= 0 {
            select(playback);
        } else {
            let default = playback.default.into();
            return if queue(&self.def.groups, playback, default, 0) { Flow::Nested } else { Flow::Done };
        }
        self.skip = count_down(&mut self.actor.playback, self.ticks);
        self.interpret()
    }

    /// Whether the pending group takes the current one's place at the start of an advance (rule P7).
    fn is_replaced(&self) -> bool {
        let playback = &self.actor.playback;
        playback.exit != 0 && playback.pending >= 0 && (playback.pending != playback.default || self.group_type() == 0)
    }

    /// The current group's type; an undefined group, as a script may select, is of type 1 (rule P7).
    fn group_type(&self) -> u8 {
        self.def.groups.get(self.actor.playback.current.into()).map_or(1, |group| group.group_type)
    }

    /// Runs commands until a frame is shown or the call yields (rules P5, P6).
    fn interpret(&mut self) -> Flow {
        loop {
            if self.budget == 0 {
                return Flow::Done;
            }
            self.budget -= 1;
            let flow = if self.actor.playback.reverse == 1 { self.backward() } else { self.forward() };
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
    }

    /// The command at the cursor; none where the cursor is outside the group, which acts as EndAnimation (rule P6).
    fn command(&self) -> Option<Command> {
        let playback = &self.actor.playback;
        let group = self.def.groups.get(playback.current.into())?;
        group.commands.get(usize::try_from(playback.cursor).ok()?).copied()
    }

    fn forward(&mut self) -> Flow {
        let Some(Command { opcode, operands: [first, second, third] }) = self.command() else {
            return self.end_group();
        };
        self.actor.interpreted.0 |= 1 << opcode as u16;
        let playback = &mut self.actor.playback;
        match opcode {
            Opcode::ShowFrame => return self.show(first, 1),
            Opcode::EndAnimation => return self.end_group(),
            Opcode::GoToPrevious => go_to_previous(playback, first, 1),
            Opcode::GoToFuture => self.go_to_future(first),
            Opcode::PlaySound => self.play_sound(first, second, 1),
            Opcode::BreakPoint => {
                playback.still = 1;
                step(playback, 1);
            }
            Opcode::SetRotationXYZ => {
                playback.delta_angle = [first, second, third].map(|v| v.wrapping_mul(256) as i16).into();
                step(playback, 1);
            }
            Opcode::SetPositionXYZ => {
                playback.delta_pos = [first, second, third].map(|v| v.wrapping_mul(8) as i16).into();
                step(playback, 1);
            }
            Opcode::SetRotationAxis | Opcode::SetPositionAxis => {
                let deltas =
                    if opcode == Opcode::SetRotationAxis { &mut playback.delta_angle } else { &mut playback.delta_pos };
                if let Some(delta) = deltas.axis_mut(first as usize) {
                    *delta = second as i16;
                }
                step(playback, 1);
            }
            Opcode::ChangeAnimGroup => self.change_group(first, second),
            Opcode::Rumble => self.raise(EventKind::ActorEvent { mask: first }, 1),
            Opcode::DelayCounter => return hold(playback, first, 1),
            Opcode::ConditionalDelay => {
                playback.cond = first as u8;
                step(playback, 1);
                return if playback.cond == 0 { Flow::Next } else { Flow::Done };
            }
            Opcode::LoopControl => loop_control(playback, first),
            Opcode::Transition => self.transition(first, second, third),
        }
        Flow::Next
    }

    /// Rules G2 and G3: commands that only move are left backward without effect.
    fn backward(&mut self) -> Flow {
        let playback = &mut self.actor.playback;
        playback.exit = 0;
        playback.still = 0;
        clear_deltas(playback);
        if playback.cursor < 1 {
            return self.end_group();
        }
        let Some(Command { opcode, operands: [first, second, _] }) = self.command() else {
            return self.end_group();
        };
        self.actor.interpreted.0 |= 1 << opcode as u16;
        let playback = &mut self.actor.playback;
        match opcode {
            Opcode::ShowFrame => return self.show(first, -1),
            Opcode::EndAnimation => return self.end_group(),
            Opcode::GoToPrevious => go_to_previous(playback, first, -1),
            Opcode::GoToFuture => step(playback, if playback.loop_count == 0 { -1 } else { 1 }),
            Opcode::BreakPoint => {
                playback.still = 1;
                step(playback, -1);
            }
            Opcode::DelayCounter => return hold(playback, first, -1),
            Opcode::PlaySound => self.play_sound(first, second, -1),
            Opcode::Rumble => self.raise(EventKind::ActorEvent { mask: first }, -1),
            Opcode::SetRotationXYZ
            | Opcode::SetRotationAxis
            | Opcode::SetPositionXYZ
            | Opcode::SetPositionAxis
            | Opcode::ChangeAnimGroup
            | Opcode::ConditionalDelay
            | Opcode::LoopControl
            | Opcode::Transition => step(playback, -1),
        }
        Flow::Next
    }

    /// ShowFrame: passed over while frames are skipped, else the pose (rules P8, G3).
    fn show(&mut self, reference: i32, direction: i16) -> Flow {
        let playback = &mut self.actor.playback;
        if self.skip > 0 {
            self.skip -= 1;
            step(playback, direction);
            count_frame(playback, direction);
            playback.still = 0;
            return Flow::Next;
        }
        // References are checked against the frame table when a scene is built (rule F2).
        if let Some(&pose) = self.def.frame_table.get(reference as usize) {
            self.actor.pose = pose;
        }
        Flow::Done
    }

    /// Ends the group; what waits, or the default, starts in a nested advance (rule P9).
    fn end_group(&mut self) -> Flow {
        let playback = &mut self.actor.playback;
        playback.current = -1;
        let slot = std::mem::take(&mut playback.sound);
        if slot != 0 {
            self.events.push(Event { actor: self.actor.key, kind: EventKind::SoundStopped { slot } });
        }
        Flow::Nested
    }

    /// Rule P11.
    fn go_to_future(&mut self, target: i32) {
        let group_type = self.group_type();
        let playback = &mut self.actor.playback;
        let wanted = playback.exit != 0 || (playback.pending >= 0 && playback.pending != playback.current);
        let stays_for_default = group_type == 2 && playback.pending == playback.default;
        if playback.loop_count != 0 || !wanted || stays_for_default {
            step(playback, 1);
        } else {
            take_exit(playback, target);
        }
    }

    /// There is no mixer here, so the slot that a sound service would return stays 0 (rule P14).
    fn play_sound(&mut self, effect: i32, rate: i32, direction: i16) {
        self.actor.playback.sound = 0;
        self.raise(EventKind::Sound { effect, rate }, direction);
    }

    fn raise(&mut self, kind: EventKind, direction: i16) {
        self.events.push(Event { actor: self.actor.key, kind });
        step(&mut self.actor.playback, direction);
    }

    /// Rule P17.
    fn change_group(&mut self, group: i32, frame: i32) {
        let playback = &mut self.actor.playback;
        if self.def.groups.get(group).is_some() {
            playback.current = group as i16;
            playback.cursor = frame as i16;
        } else {
            step(playback, 1);
        }
    }

    /// Rule P20. Mask 8 waits for the player's forward key, which this runtime does not have.
    fn transition(&mut self, mask: i32, start: i32, target: i32) {
        let cold = &mut self.actor.cold;
        let playback = &mut self.actor.playback;
        match mask {
            1 | 2 if cold.action & 3 != 0 => {
                let other = if mask == 1 { 2 } else { 1 };
                cold.action &= !other;
                cold.action_flag &= !other;
                cold.action_flag |= cold.action;
                take_exit(playback, start - 2);
            }
            4 if self.actor.fall_flag != 0 => take_exit(playback, target),
            _ => step(playback, 1),
        }
    }
}

/// Whether a delay holds the current group back in this advance (rules P13, P18).
fn is_delayed(playback: &mut Playback, ticks: i32) -> bool {
    playback.hold == 255
        || still_waits(&mut playback.hold, ticks)
        || (playback.reverse != 1 && still_waits(&mut playback.cond, ticks))
}

fn still_waits(delay: &mut u8, ticks: i32) -> bool {
    let left = i32::from(*delay).wrapping_sub(ticks);
    if *delay == 0 {
        return false;
    }
    *delay = if left > 0 { left as u8 } else { 0 };
    left > 0
}

/// Makes the pending group current (rule R5).
fn select(playback: &mut Playback) {
    playback.current = playback.pending;
    playback.pending = -1;
    playback.speed = playback.next_speed;
    playback.speed_count = playback.next_speed;
    playback.cursor = 0;
    playback.real_frame = 0;
    clear_progress(playback);
    playback.sound = 0;
}

/// Counts the tick input down and returns how many frames are passed over (rules P3, G1).
fn count_down(playback: &mut Playback, ticks: i32) -> i32 {
    if ticks == 0 {
        return 0;
    }
    let mut skip = 0;
    if playback.speed_count == 0 {
        let direction = if playback.reverse == 1 { -1 } else { 1 };
        step(playback, direction);
        count_frame(playback, direction);
        playback.speed_count = playback.speed;
        playback.still = 0;
        skip = ticks - 1;
    }
    playback.speed_count = playback.speed_count.wrapping_sub(1);
    skip
}

fn step(playback: &mut Playback, direction: i16) {
    playback.cursor = playback.cursor.wrapping_add(direction);
}

fn count_frame(playback: &mut Playback, direction: i16) {
    playback.real_frame = playback.real_frame.wrapping_add(direction as u8);
}

/// Rules P10 and G3: forward without a countdown it jumps, backward it steps over.
fn go_to_previous(playback: &mut Playback, target: i32, direction: i16) {
    if playback.loop_count != 0 {
        playback.loop_count -= 1;
        if playback.loop_count == 0 {
            return step(playback, 1);
        }
    } else if direction < 0 {
        return step(playback, -1);
    }
    playback.cursor = target as i16;
    playback.still = 0;
}

/// A taken exit jump (rules P11, P20).
fn take_exit(playback: &mut Playback, target: i32) {
    playback.cursor = target as i16;
    playback.exit = 1;
    playback.still = 0;
    clear_deltas(playback);
}

/// DelayCounter at the command itself (rules P13, G3).
fn hold(playback: &mut Playback, ticks: i32, direction: i16) -> Flow {
    playback.hold = ticks as u8;
    step(playback, direction);
    if playback.hold == 0 { Flow::Next } else { Flow::Done }
}

/// Rule P19.
fn loop_control(playback: &mut Playback, target: i32) {
    if playback.rep != 0 {
        playback.rep -= 1;
        if playback.rep != 0 {
            playback.cursor = target as i16;
            playback.still = 0;
            return;
        }
    }
    step(playback, 1);
}
