//! The action words: pending (`action`), accepted (`action_flag`), timer (`action_time`).
//!
//! # Source
//! Rules K11 and X24; engine/animation.md, "Action words". The per-update action update belongs to jumping and does not
//! run here.

use super::{Call, Entry};
use crate::{defs::attr, world::Gate};

/// Asks for action 1 or 2. Returns 0.
fn setaction(call: &mut Call<'_>) -> i32 {
    let outcome = set(call);
    call.note(outcome);
    0
}

fn set(call: &mut Call<'_>) -> Result<(), Gate> {
    let mask = call.int(0);
    if mask != 1 && mask != 2 {
        return Err(Gate::ActionMask { mask });
    }
    let actor = call.actor_mut();
    let (action, action_flag) = (actor.cold.action as i32, actor.cold.action_flag as i32);
    if (action | action_flag) & mask != 0 {
        return Err(Gate::ActionTaken { mask, action, action_flag });
    }
    let current = i32::from(actor.playback.current);
    if (65..=74).contains(&current) || actor.jump_flag != 0 || actor.fall_flag != 0 {
        actor.cold.action &= !3;
        actor.cold.action_flag &= !3;
        return Err(Gate::ActionCleared {
            current,
            jump_flag: actor.jump_flag.into(),
            fall_flag: actor.fall_flag.into(),
        });
    }
    let step_holds = actor.attribute(attr::STEP_TYPE) == 0 || actor.cold.move_counter & 48 == 48;
    if step_holds && matches!(current, 18 | 30) && actor.playback.exit == 0 {
        actor.cold.action |= 3;
        actor.cold.action_time = 0;
        return Ok(());
    }
    Err(Gate::ScriptJump { current, exit: actor.playback.exit.into() })
}

/// Clears the mask's bits in both words; the timer stays. Returns 0.
fn resetaction(call: &mut Call<'_>) -> i32 {
    let keep = !(call.int(0) as u32);
    let cold = &mut call.actor_mut().cold;
    cold.action &= keep;
    cold.action_flag &= keep;
    0
}

/// Clears both words; the timer stays. Returns 0.
fn resetallaction(call: &mut Call<'_>) -> i32 {
    let cold = &mut call.actor_mut().cold;
    cold.action = 0;
    cold.action_flag = 0;
    0
}

pub(super) const NATIVES: &[Entry] =
    &[("SetAction", setaction), ("ResetAction", resetaction), ("ResetAllAction", resetallaction)];
