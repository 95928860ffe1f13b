//! The torch: lighting, burning, putting out.
//!
//! # Source
//! Rules X20 to X22; engine/hud.md, "Torches".

use super::predicates::{
    Conditions, air_gate_of_torch, drawing_gate, edge_gate, is_holding_weapon, is_in_deep_water, is_in_water,
    item_system_gate, not_holding_gate, sheathing_gate, torch_transition_gate,
};
use crate::{
    anim,
    defs::{ActorDef, ItemId, attr},
    units::round_even,
    world::{Actor, Event, Gate},
};

/// Motion states and groups of the two transitions.
const LIGHTING: u8 = 33;
const DOUSING: u8 = 34;
const LIGHT_GROUP: u8 = 149;
const DOUSE_GROUP: u8 = 150;

/// Updates between two looks at the burning counter.
const BURN_PERIOD: u64 = 8;

/// Starts to light the torch: group 149, motion state 33.
///
/// # Errors
/// The gate that closed; nothing changes then.
///
/// # Source
/// Rule X21.
pub fn light_torch(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    item_system_gate(actor, conditions)?;
    group_gate(def, LIGHT_GROUP)?;
    if is_in_water(actor) {
        return Err(Gate::InWater { under_surface: actor.under_surface.into() });
    }
    if matches!(actor.extra_flag, 15 | 27..=32) {
        return Err(Gate::MotionState { extra_flag: actor.extra_flag.into() });
    }
    edge_gate(actor)?;
    torch_transition_gate(actor, conditions)?;
    if actor.torch_timer != 0 {
        return Err(Gate::TorchBurns { torch_timer: actor.torch_timer.into() });
    }
    not_holding_gate(actor, conditions)?;
    drawing_gate(actor, conditions)?;
    sheathing_gate(actor, conditions)?;
    air_gate_of_torch(actor)?;
    start(def, actor, LIGHT_GROUP, LIGHTING, conditions.ticks, events);
    Ok(())
}

/// Starts to put the torch out: group 150, motion state 34.
///
/// # Errors
/// The gate that closed; nothing changes then.
///
/// # Source
/// Rule X21.
pub fn unlight_torch(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    events: &mut Vec<Event>,
) -> Result<(), Gate> {
    item_system_gate(actor, conditions)?;
    group_gate(def, DOUSE_GROUP)?;
    if (27..=32).contains(&actor.extra_flag) {
        return Err(Gate::MotionState { extra_flag: actor.extra_flag.into() });
    }
    torch_transition_gate(actor, conditions)?;
    drawing_gate(actor, conditions)?;
    sheathing_gate(actor, conditions)?;
    start(def, actor, DOUSE_GROUP, DOUSING, conditions.ticks, events);
    Ok(())
}

fn group_gate(def: &ActorDef, group: u8) -> Result<(), Gate> {
    let group = i32::from(group);
    if def.groups.get(group).is_none() { Err(Gate::NoGroup { group }) } else { Ok(()) }
}

fn start(def: &ActorDef, actor: &mut Actor, group: u8, state: u8, ticks: i32, events: &mut Vec<Event>) {
    anim::request(def, actor, group.into(), 0, ticks, events);
    actor.extra_flag = state;
}

/// The torch's part of a presentation, after the equipped weapon: ends a transition, and at every eighth update lets the
/// torch burn down. Gives the item of which one is used up.
///
/// `tick` is the index of the update; `torch_time` the scene's burning time in ticks.
///
/// # Source
/// Rule X22.
pub fn tend_torch(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    (tick, torch_time): (u64, i32),
    events: &mut Vec<Event>,
) -> Option<ItemId> {
    let used_up = if actor.hand_item == 0 { None } else { transition(def, actor, conditions, torch_time, events) };
    let due = tick % BURN_PERIOD == BURN_PERIOD - 1;
    if due && actor.torch_timer != 0 && actor.extra_flag != DOUSING {
        burn(def, actor, conditions, events);
    }
    used_up
}

fn transition(
    def: &ActorDef,
    actor: &mut Actor,
    conditions: Conditions,
    torch_time: i32,
    events: &mut Vec<Event>,
) -> Option<ItemId> {
    if is_in_deep_water(actor) || is_holding_weapon(actor, conditions) {
        actor.hand_item = 0;
        return None;
    }
    let reached = |actor: &Actor, group: u8, frame: u8| {
        actor.playback.current == i16::from(group) && actor.playback.real_frame >= actor.attribute(frame)
    };
    match actor.extra_flag {
        LIGHTING => {
            anim::request(def, actor, LIGHT_GROUP.into(), 0, conditions.ticks, events);
            if reached(actor, LIGHT_GROUP, attr::LIGHT_FRAME) {
                let saved = actor.cold.saved_torch;
                actor.torch_timer = if saved == 0 { full(torch_time) } else { saved };
                actor.extra_flag = 0;
            }
            None
        }
        DOUSING => {
            anim::request(def, actor, DOUSE_GROUP.into(), 0, conditions.ticks, events);
            reached(actor, DOUSE_GROUP, attr::UNLIGHT_FRAME).then(|| douse(actor)).flatten()
        }
        _ => None,
    }
}

/// A torch that had burnt down is used up.
fn douse(actor: &mut Actor) -> Option<ItemId> {
    let left = std::mem::take(&mut actor.torch_timer);
    actor.cold.saved_torch = left;
    actor.extra_flag = 0;
    let held = std::mem::take(&mut actor.hand_item);
    (left == 0).then_some(ItemId(held.into()))
}

/// The counter of a new torch.
fn full(torch_time: i32) -> u8 {
    round_even(f64::from(torch_time.max(1)) * 1.5).clamp(0, 255) as u8
}

fn burn(def: &ActorDef, actor: &mut Actor, conditions: Conditions, events: &mut Vec<Event>) {
    if is_in_deep_water(actor) {
        actor.torch_timer = 0;
        return;
    }
    if !matches!(actor.under_surface, 1 | 3) {
        actor.torch_timer = i32::from(actor.torch_timer).saturating_sub(conditions.ticks).clamp(0, 255) as u8;
        if actor.torch_timer != 0 {
            return;
        }
    }
    // What keeps the torch from being put out now is tested anew at the next look.
    let _ = unlight_torch(def, actor, conditions, events);
}
