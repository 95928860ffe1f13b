//! Combat entry and exit, and the record's maintenance.

use super::{
    admission::{cleanup, drawsword, sheathsword},
    predicates::{Conditions, is_drawing_or_sheathing},
};
use crate::{
    anim,
    defs::{ActorDef, attr},
    world::{Actor, COMBAT_ARMED, CombatRecord, Event, EventKind, Gate, IN_COMBAT},
};

/// The script-control bit that combat holds on actors other than the player.
const HOOK_OFF: u8 = 2;

/// Enters combat: lifecycle selector 6, and the weapon out or coming out.
///
/// # Errors
/// The gate that kept the draw from being admitted; combat is entered all the same.
///
/// # Source
/// Rule W20; engine/animation.md, "Combat entry".
pub fn begin_combat(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    if !actor.player {
        actor.disable_script |= HOOK_OFF;
    }
    if actor.ai_type == IN_COMBAT {
        return Ok(());
    }
    actor.ai_type = IN_COMBAT;
    let admitted = ready_weapon(def, actor, conditions, events);
    if let Some(combat) = &mut actor.combat {
        combat.flags |= COMBAT_ARMED;
    }
    admitted
}

fn ready_weapon(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    let has_draw_group = actor.animated && def.groups.get(91).is_some();
    if actor.assigned_weapon().is_some() && has_draw_group {
        if actor.weapon_drawn != 0 {
            return Ok(());
        }
        let admitted = drawsword(def, actor, conditions, events);
        anim::request(def, actor, 91, 0, conditions.ticks, events);
        return admitted;
    }
    if actor.assigned_weapon().is_some() {
        cleanup(def, actor, conditions.ticks, events);
    }
    if actor.weapon_drawn == 0 {
        events.push(Event { actor: actor.key, kind: EventKind::Drawn });
    }
    actor.weapon_drawn = 1;
    actor.extra_flag = 0;
    Ok(())
}

/// Leaves combat: sheathes where that is admitted, lifecycle selector 1. An actor without combat record does the same
/// without the record's writes, where the original would fault.
///
/// # Errors
/// The gate that kept the weapon from being sheathed; combat is left all the same.
///
/// # Source
/// Rule W21; engine/SOUP.md, "endCombat".
pub fn end_combat(actor: &mut Actor, conditions: Conditions) -> Result<(), Gate> {
    let admitted = sheathsword(actor, conditions);
    actor.ai_type = 1;
    actor.cold.ai_mode = 0;
    actor.disable_script &= !HOOK_OFF;
    if let Some(combat) = &mut actor.combat {
        combat.flags &= !COMBAT_ARMED;
    }
    admitted
}

/// Combat maintenance in the script stage: attribute 1 from its reserve, and the cooldown.
///
/// Nothing happens without a combat record or while an unpaused task slot is occupied.
///
/// # Source
/// Rule W15; engine/SOUP.md, "Multiple-attacker spacing" and "Ordinary update gates".
pub fn maintain_combat(actor: &mut Actor, conditions: Conditions) {
    if actor.combat.is_none() || actor.tasks.n_unpaused() != 0 {
        return;
    }
    actor.attributes[attr::COLLIDE] = actor.attribute(attr::RESERVED_COLLIDE);
    let held_back = actor.player && is_drawing_or_sheathing(actor, conditions);
    if let Some(CombatRecord { cooldown, .. }) = &mut actor.combat
        && !held_back
    {
        *cooldown = cooldown.wrapping_sub(conditions.ticks).max(0);
    }
}
