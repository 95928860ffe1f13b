//! Which group an actor falls back to.

use super::{
    admission::cleanup,
    predicates::{Conditions, is_drawing_sword, is_holding_weapon, is_in_deep_water, is_sheathing_sword},
};
use crate::{
    defs::{ActorDef, attr},
    world::{Actor, Event},
};

/// Selects the default group of this update. The player in deep water also has its weapon cleaned up, each time.
///
/// The result may name a group that the actor does not have.
///
/// # Source
/// Rules W30 and W31; engine/animation.md, "Living actor default selection" and "Dead actor default selection".
pub fn default_group(def: &ActorDef, actor: &mut Actor, conditions: Conditions, events: &mut Vec<Event>) -> i16 {
    let panic_group = i16::from(actor.attribute(attr::PANIC_GROUP));
    if actor.is_dead() {
        return match actor.combat {
            Some(combat) => combat.death_default,
            None if actor.animated && def.groups.get(123).is_some() => 123,
            None => 124,
        };
    }
    if actor.player && is_in_deep_water(actor) {
        cleanup(def, actor, conditions.ticks, events);
        141
    } else if actor.rope != 0 {
        79
    } else if actor.extra_flag == 15 {
        7
    } else if is_sheathing_sword(actor, conditions) {
        panic_group
    } else if is_drawing_sword(actor, conditions) || is_holding_weapon(actor, conditions) {
        8
    } else if actor.torch_timer != 0 {
        5
    } else {
        panic_group
    }
}
