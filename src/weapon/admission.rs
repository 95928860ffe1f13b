//! Drawing, sheathing, holding an item, cleanup, and the player's weapon check.

use super::predicates::{
    Conditions, air_gate, deep_water_gate, drawing_gate, edge_gate, holding_gate, item_system_gate, not_holding_gate,
    sheathing_gate,
};
use crate::{
    anim,
    defs::{ActorDef, Defs, ItemId, ItemType, attr},
    world::{Actor, COMBAT_ARMED, CombatRecord, Event, EventKind, Gate, Items},
};

/// Ticks that the health candle shows (rules W10, W13, W14).
const CANDLE_TICKS: u8 = 25;
/// Ticks after a sheath before the next one (rule W14).
const SHEATH_COOLDOWN: i32 = 24;

/// Draw admission: sets motion state 20. The pass draws the weapon later; the actor is never moved.
///
/// # Errors
/// The gate that closed. The gates `HandOccupied` and `NoWeapon` also run [`cleanup`].
///
/// # Source
/// Rules W10 and W11; engine/animation.md, "Weapon draw admission".
pub fn drawsword(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    draw_gates(actor, conditions)?;
    if actor.hand_item != 0 {
        let hand_item = actor.hand_item.into();
        cleanup(def, actor, conditions.ticks, events);
        return Err(Gate::HandOccupied { hand_item });
    }
    if actor.assigned_weapon().is_none() {
        cleanup(def, actor, conditions.ticks, events);
        return Err(Gate::NoWeapon { attribute_23: 0 });
    }
    edge_gate(actor)?;
    deep_water_gate(actor)?;
    actor.extra_flag = 20;
    if actor.player {
        if let Some(combat) = &mut actor.combat {
            combat.flags |= COMBAT_ARMED;
        }
        actor.cold.candle_timer = CANDLE_TICKS;
    }
    Ok(())
}

/// The gates before the held item and the assignment are looked at.
fn draw_gates(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    item_system_gate(actor, conditions)?;
    if actor.rope != 0 {
        return Err(Gate::OnRope { rope: actor.rope });
    }
    if matches!(actor.extra_flag, 15 | 27..=32) {
        return Err(Gate::MotionState { extra_flag: actor.extra_flag.into() });
    }
    drawing_gate(actor, conditions)?;
    sheathing_gate(actor, conditions)?;
    not_holding_gate(actor, conditions)?;
    if actor.fall_flag != 0 {
        return Err(Gate::Falling { fall_flag: actor.fall_flag.into() });
    }
    if actor.jump_flag != 0 {
        return Err(Gate::QueuedMotion { jump_flag: actor.jump_flag.into() });
    }
    if actor.player && actor.attribute(attr::PLAYER_TYPE) == 1 {
        return Err(Gate::PlayerType { attribute_105: 1 });
    }
    Ok(())
}

/// Starts to put the weapon away: motion state 21, cooldown 24.
///
/// # Errors
/// The gate that closed; nothing changes then.
///
/// # Source
/// Rule W14; engine/SOUP.md, "SheathSword".
pub fn sheathsword(actor: &mut Actor, conditions: Conditions) -> Result<(), Gate> {
    if !actor.animated {
        return Err(Gate::NoAnimationState {});
    }
    let Some(CombatRecord { cooldown, .. }) = actor.combat else {
        return Err(Gate::NoCombatRecord { attribute_14: actor.attribute(attr::COMBAT).into() });
    };
    if cooldown != 0 {
        return Err(Gate::Cooldown { cooldown });
    }
    if (27..=32).contains(&actor.extra_flag) {
        return Err(Gate::MotionState { extra_flag: actor.extra_flag.into() });
    }
    drawing_gate(actor, conditions)?;
    sheathing_gate(actor, conditions)?;
    holding_gate(actor, conditions)?;
    actor.extra_flag = 21;
    actor.extra_time = 0;
    if let Some(combat) = &mut actor.combat {
        combat.flags &= !COMBAT_ARMED;
        combat.cooldown = SHEATH_COOLDOWN;
    }
    if actor.player {
        actor.cold.candle_timer = CANDLE_TICKS;
        actor.cold.camera_slot = 0;
    }
    Ok(())
}

/// Puts an item into the hand: stores its low byte, nothing else. Neither type nor ownership is looked at.
///
/// # Errors
/// The gate that closed; nothing changes then.
///
/// # Source
/// Rule W16; engine/attachment.md, "Held-item assignment".
pub fn handitem(
    defs: &Defs,
    actor: &mut Actor,
    item: ItemId,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    deep_water_gate(actor)?;
    edge_gate(actor)?;
    air_gate(actor)?;
    not_holding_gate(actor, conditions)?;
    if !conditions.item_system_open {
        return Err(Gate::ItemSystemClosed {});
    }
    if conditions.shell {
        return Err(Gate::ShellContext {});
    }
    if defs.item(item).is_none() {
        return Err(Gate::UnknownItem { item: item.0 });
    }
    actor.hand_item = item.0 as u8;
    events.push(Event { actor: actor.key, kind: EventKind::ItemHeld { item: actor.hand_item } });
    Ok(())
}

/// Weapon cleanup: leaves the draw or the sheath, and the weapon out of the hand.
///
/// # Source
/// Rule W13; engine/animation.md, "Weapon cleanup".
pub fn cleanup(def: &ActorDef, actor: &mut Actor, ticks: i32, events: &mut Vec<Event>) {
    if actor.player && matches!(actor.playback.current, 91 | 129) {
        anim::request(def, actor, actor.playback.default.into(), 0, ticks, events);
    }
    if matches!(actor.extra_flag, 20 | 21) {
        actor.extra_flag = 0;
        actor.extra_time = 0;
    }
    if actor.weapon_drawn != 0 {
        actor.weapon_drawn = 0;
        events.push(Event { actor: actor.key, kind: EventKind::Sheathed });
        if let Some(combat) = &mut actor.combat {
            combat.flags &= !COMBAT_ARMED;
        }
        if actor.player {
            actor.cold.candle_timer = CANDLE_TICKS;
        }
    }
}

/// The selected player's weapon validation: an assignment that is not an owned weapon is taken back, with cleanup.
///
/// # Errors
/// The gate that made the assignment invalid, or that kept the check from running.
///
/// # Source
/// Rule W17; config/item-ini.md, "Selected-player weapon validation".
pub fn check_player_weapon(
    defs: &Defs,
    items: &Items,
    player: &mut Actor,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    if !conditions.item_system_open {
        return Err(Gate::ItemSystemClosed {});
    }
    let valid = weapon_is_valid(defs, items, player, conditions);
    if valid.is_err() {
        player.attributes[attr::WEAPON] = 0;
        let def = defs.actor(player.def);
        cleanup(def, player, conditions.ticks, events);
    }
    valid
}

fn weapon_is_valid(defs: &Defs, items: &Items, player: &Actor, conditions: Conditions) -> Result<(), Gate> {
    item_system_gate(player, conditions)?;
    let Some(weapon) = player.assigned_weapon() else {
        return Err(Gate::NoWeapon { attribute_23: 0 });
    };
    let Some(item) = defs.item(weapon) else { return Err(Gate::UnknownItem { item: weapon.0 }) };
    if item.item_type != ItemType::Weapon {
        return Err(Gate::NotAWeapon { item: weapon.0 });
    }
    if items.owned(weapon) <= 0 {
        return Err(Gate::NotOwned { item: weapon.0 });
    }
    Ok(())
}
