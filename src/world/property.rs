//! Reading and writing an actor through the property descriptors.
//!
//! # Source
//! Rules S1 and Y60; engine/SOUPPROPS.md, "SOUP property descriptors".

use std::sync::LazyLock;

use super::{Actor, N_SLOTS, Task};
use crate::defs::{PropertyDecl, PropertyId, Tag, properties};

impl Actor {
    /// The value of a property, extended to `i32`; 0 for ids beyond the table.
    ///
    /// `b` reads as an unsigned byte, `w` as a signed word, `d` as a double word; pointer-like entries read 1 when what
    /// they point to is present, else 0; `anim.*` reads 0 without an animation state.
    #[must_use]
    pub fn property(&self, id: PropertyId) -> i32 {
        match accesses().get(usize::from(id.0)) {
            Some(Access::Field { get, .. } | Access::View(get)) => get(self),
            Some(Access::Anim { get, .. }) if self.animated => get(self),
            Some(Access::Slot { slot, get }) => self.tasks.in_slot(*slot).map_or(0, get),
            Some(Access::Record { offset, width }) => self.read_record(*offset, *width),
            Some(Access::Anim { .. } | Access::Absent) | None => 0,
        }
    }

    /// Stores a value, truncated to the property's width; views and absent records ignore it. Nothing else changes: no
    /// matrix, floating position or animation request follows (rule S1).
    pub fn set_property(&mut self, id: PropertyId, value: i32) {
        match accesses().get(usize::from(id.0)) {
            Some(Access::Field { set, .. }) => set(self, value),
            Some(Access::Anim { set, .. }) if self.animated => set(self, value),
            Some(Access::Record { offset, width }) => self.write_record(*offset, *width, value),
            _ => {}
        }
    }

    fn read_record(&self, offset: usize, width: usize) -> i32 {
        let bytes = self.cold.record.get(offset..offset + width);
        match bytes {
            Some(&[byte]) => byte.into(),
            Some(&[b0, b1]) => i16::from_le_bytes([b0, b1]).into(),
            Some(&[b0, b1, b2, b3]) => i32::from_le_bytes([b0, b1, b2, b3]),
            _ => 0,
        }
    }

    fn write_record(&mut self, offset: usize, width: usize, value: i32) {
        let record = &mut self.cold.record;
        if record.is_empty() {
            let ends = properties().rows().iter().map(|row| usize::from(row.offset) + usize::from(row.width));
            record.resize(ends.max().unwrap_or(0), 0);
        }
        if let Some(bytes) = record.get_mut(offset..offset + width) {
            bytes.copy_from_slice(&value.to_le_bytes()[..width]);
        }
    }
}

type Get = fn(&Actor) -> i32;
type Set = fn(&mut Actor, i32);

/// How one property is reached.
enum Access {
    /// A field of the actor.
    Field { get: Get, set: Set },
    /// A field of the animation record, which an actor without animation state does not have.
    Anim { get: Get, set: Set },
    /// Read only.
    View(Get),
    /// Read only, from the task in a slot.
    Slot { slot: usize, get: fn(&Task) -> i32 },
    /// Bytes that no rule names.
    Record { offset: usize, width: usize },
    /// Reads 0, ignores writes.
    Absent,
}

/// One access for each row of the property table, in its order.
fn accesses() -> &'static [Access] {
    static ACCESSES: LazyLock<Vec<Access>> = LazyLock::new(|| properties().rows().iter().map(access).collect());
    &ACCESSES
}

fn access(decl: &PropertyDecl) -> Access {
    if let Some(access) = slot_view(decl.name) {
        return access;
    }
    match decl.tag {
        Tag::Anim => anim_field(decl.name),
        Tag::Byte | Tag::Word | Tag::Long => {
            actor_field(decl.name).unwrap_or(Access::Record { offset: decl.offset.into(), width: decl.width.into() })
        }
        Tag::Size | Tag::Pointer => pointer(decl.name),
    }
}

/// `$kind { "name" = path as width; … }`: a field read as its own type and written truncated to it.
macro_rules! fields {
    ($name:ident, $access:ident, { $( $property:literal = $($path:tt).+ as $width:ty; )* }) => {
        match $name {
            $( $property => Some(Access::$access {
                get: |actor| i32::from(actor.$($path).+ as $width),
                set: |actor, value| actor.$($path).+ = value as _,
            }), )*
            _ => None,
        }
    };
}

fn pointer(name: &str) -> Access {
    match name {
        "rope" => Access::Field { get: |actor| actor.rope, set: |actor, value| actor.rope = value },
        "combat" => Access::View(|actor| actor.combat.is_some().into()),
        "anim" => Access::View(|actor| actor.animated.into()),
        "script_pc" => Access::View(|actor| actor.script.is_some().into()),
        "script_int" => Access::View(|actor| actor.script.as_ref().is_some_and(|state| state.entry.is_some()).into()),
        "script_return" => Access::View(|actor| actor.script.as_ref().is_some_and(|state| state.ret.is_some()).into()),
        _ => Access::Absent,
    }
}

/// `task[i]`, `task_status[i]`, `task_pause[i]`, `task_timer[i]`, `task_variable*[i]`.
fn slot_view(name: &str) -> Option<Access> {
    let (kind, index) = name.strip_suffix(']')?.split_once('[')?;
    let slot: usize = index.parse().ok().filter(|&slot| slot < N_SLOTS)?;
    match kind {
        "task" => Some(Access::Slot { slot, get: |_| 1 }),
        "task_status" => Some(Access::Slot { slot, get: |task| task.blocking.into() }),
        "task_pause" => Some(Access::Slot { slot, get: |task| task.paused.into() }),
        "task_timer" => Some(Access::Slot { slot, get: |task| i32::from(task.counter as i16) }),
        "task_variable" | "task_variable2" | "task_variable3" | "task_variable4" => Some(Access::Absent),
        _ => None,
    }
}

#[allow(clippy::unnecessary_cast, reason = "one macro serves signed and unsigned fields")]
fn anim_field(name: &str) -> Access {
    let field: Option<Access> = fields!(name, Anim, {
        "anim.current" = playback.current as i16;
        "anim.next" = playback.pending as i16;
        "anim.next_speed" = playback.next_speed as u8;
        "anim.frame" = playback.cursor as i16;
        "anim.speed" = playback.speed as u8;
        "anim.speed_count" = playback.speed_count as u8;
        "anim.stop_flag" = playback.exit as u8;
        "anim.halt_flag" = playback.still as u8;
        "anim.hold_flag" = playback.hold as u8;
        "anim.rep_count" = playback.rep as u8;
        "anim.rewind_flag" = playback.reverse as u8;
        "anim.loop_count" = playback.loop_count as u8;
        "anim.sound_handle" = playback.sound as u8;
        "anim.real_frame" = playback.real_frame as u8;
        "anim.pos.vx" = playback.delta_pos.x as i16;
        "anim.pos.vy" = playback.delta_pos.y as i16;
        "anim.pos.vz" = playback.delta_pos.z as i16;
        "anim.angle.vx" = playback.delta_angle.x as i16;
        "anim.angle.vy" = playback.delta_angle.y as i16;
        "anim.angle.vz" = playback.delta_angle.z as i16;
    });
    field.unwrap_or(Access::Absent)
}

#[allow(clippy::unnecessary_cast, reason = "one macro serves signed and unsigned fields")]
fn actor_field(name: &str) -> Option<Access> {
    fields!(name, Field, {
        "id" = cold.id as i16;
        "pos.vx" = pos.x.0 as i32;
        "pos.vy" = pos.y.0 as i32;
        "pos.vz" = pos.z.0 as i32;
        "start_pos.vx" = cold.start_pos.x.0 as i32;
        "start_pos.vy" = cold.start_pos.y.0 as i32;
        "start_pos.vz" = cold.start_pos.z.0 as i32;
        "last_pos.vx" = last_pos.x.0 as i32;
        "last_pos.vy" = last_pos.y.0 as i32;
        "last_pos.vz" = last_pos.z.0 as i32;
        "angle.vx" = angle.x.0 as i32;
        "angle.vy" = angle.y.0 as i32;
        "angle.vz" = angle.z.0 as i32;
        "start_angle.vx" = cold.start_angle.x.0 as i32;
        "start_angle.vy" = cold.start_angle.y.0 as i32;
        "start_angle.vz" = cold.start_angle.z.0 as i32;
        "last_angle.vx" = last_angle.x.0 as i32;
        "last_angle.vy" = last_angle.y.0 as i32;
        "last_angle.vz" = last_angle.z.0 as i32;
        "slide_flag" = slide_flag as u8;
        "fall_flag" = fall_flag as u8;
        "jump_flag" = jump_flag as u8;
        "extra_flag" = extra_flag as u8;
        "extra_time" = extra_time as u8;
        "action_flag" = cold.action_flag as i32;
        "action" = cold.action as i32;
        "action_time" = cold.action_time as u8;
        "move_counter" = cold.move_counter as u8;
        "under_surface" = under_surface as u8;
        "ai_type" = ai_type as u8;
        "ai_mode" = cold.ai_mode as u8;
        "weapon_drawn" = weapon_drawn as u8;
        "torch_timer" = torch_timer as u8;
        "hand_item" = hand_item as u8;
        "hand_pos.vx" = hand_pos.x.0 as i32;
        "hand_pos.vy" = hand_pos.y.0 as i32;
        "hand_pos.vz" = hand_pos.z.0 as i32;
        "hand_angle.vx" = hand_angle.x.0 as i32;
        "hand_angle.vy" = hand_angle.y.0 as i32;
        "hand_angle.vz" = hand_angle.z.0 as i32;
        "grip[0]" = grip.first.0 as i16;
        "grip[1]" = grip.second.0 as i16;
        "scabbard[0]" = scabbard.first.0 as i16;
        "scabbard[1]" = scabbard.second.0 as i16;
        "anchor" = cold.anchor as u8;
        "script_rv" = cold.script_rv as u8;
        "script_ret_rv" = cold.script_ret_rv as u8;
        "hide" = hide as u8;
        "dead" = dead as u8;
        "frame" = pose.frame as i16;
        "handle" = pose.handle as i16;
        "disable_script" = disable_script as u8;
    })
}
