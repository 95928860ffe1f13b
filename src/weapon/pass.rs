//! The equipped-weapon pass: decides how the weapon is shown and puts it there.

use super::predicates::{Conditions, item_system_gate};
use crate::{
    anim,
    attach::{self, Placement},
    defs::{ActorDef, Defs, ItemDef, ItemType, attr},
    units::Vec3,
    world::{Actor, Attachment, Event, EventKind, Placed, PlacementInputs, Shown},
};

/// One presentation of an actor's equipped weapon.
///
/// Sets `attachment`, `hand_pos`, `hand_angle` and the endpoints; drives motion states 20 and 21 through groups 91 and
/// 129. The thresholds are compared with the pose that the request of the same pass may have made.
///
/// # Source
/// Rule W12; engine/animation.md, "Equipped-weapon transition"; engine/attachment.md, "Weapon State Machine".
pub fn equip(defs: &Defs, actor: &mut Actor, conditions: Conditions, events: &mut Vec<Event>) {
    let Some(item) = equipped_item(defs, actor, conditions) else {
        actor.attachment = None;
        return;
    };
    if actor.combat.is_none() {
        set_drawn(actor, false, events);
    }
    let shown = transition(defs.actor(actor.def), actor, conditions.ticks, events);
    place(defs, actor, item, shown, conditions.dummy_manager);
}

/// The weapon that the pass is about, if its gates are open.
fn equipped_item<'d>(defs: &'d Defs, actor: &Actor, conditions: Conditions) -> Option<&'d ItemDef> {
    item_system_gate(actor, conditions).ok()?;
    actor.assigned_weapon().and_then(|id| defs.item(id)).filter(|item| item.item_type == ItemType::Weapon)
}

/// Steps 2 to 4: what is shown after the motion state had its say.
fn transition(def: &ActorDef, actor: &mut Actor, ticks: i32, events: &mut Vec<Event>) -> Shown {
    match actor.extra_flag {
        20 => {
            anim::request(def, actor, 91, 0, ticks, events);
            let in_hand =
                actor.playback.current == 91 && actor.playback.real_frame >= actor.attribute(attr::DRAW_FRAME);
            if !in_hand {
                return Shown::Hilt;
            }
            set_drawn(actor, true, events);
            actor.extra_flag = 0;
            Shown::Hand
        }
        21 if actor.playback.current != 129 => {
            anim::request(def, actor, 129, 0, ticks, events);
            Shown::Hand
        }
        21 if actor.playback.real_frame < actor.attribute(attr::SHEATH_FRAME) => Shown::Hand,
        21 => {
            set_drawn(actor, false, events);
            actor.extra_flag = 0;
            if actor.playback.pending == 129 {
                actor.playback.pending = -1;
            }
            Shown::HiltGrip
        }
        _ if actor.weapon_drawn != 0 => Shown::Hand,
        _ if actor.playback.current == 129 => Shown::HiltGrip,
        _ => Shown::Hilt,
    }
}

fn set_drawn(actor: &mut Actor, drawn: bool, events: &mut Vec<Event>) {
    let was_drawn = actor.weapon_drawn != 0;
    actor.weapon_drawn = drawn.into();
    if drawn != was_drawn {
        let kind = if drawn { EventKind::Drawn } else { EventKind::Sheathed };
        events.push(Event { actor: actor.key, kind });
    }
}

/// Step 5. Without a model name the allocation fails: no vertex is queried and nothing is written (rule A9).
fn place(defs: &Defs, actor: &mut Actor, item: &ItemDef, shown: Shown, dummy_manager: bool) {
    let model = if shown == Shown::Hand { &item.hand_model } else { &item.hilt_model };
    if model.is_none() {
        actor.attachment = None;
        return;
    }
    let inputs = PlacementInputs {
        shown,
        item: item.id,
        fights: actor.combat.is_some(),
        dummy_manager,
        pose: actor.pose,
        pair: if shown == Shown::Hilt { actor.scabbard } else { actor.grip },
        roll: actor.angle.z,
    };
    if std::mem::take(&mut actor.placement.moved)
        || actor.placement.placed.as_ref().is_none_or(|placed| placed.inputs != inputs)
    {
        if compute(defs, actor, item, inputs).is_none() {
            // A named point that is nowhere holds nothing (rule L12).
            actor.placement.placed = None;
        }
        // What is attached no longer shows the last placement.
        actor.attachment = None;
    }
    let Some(placed) = &actor.placement.placed else { return };
    actor.hand_pos = placed.hand_pos;
    actor.hand_angle = placed.hand_angle;
    if actor.attachment.is_none() {
        actor.attachment = Some(Attachment { shown, item: item.id, transform: placed.transform });
        actor.shown_item = Some(item.id);
        if placed.endpoints.is_some() {
            actor.endpoints = placed.endpoints;
        }
    }
}

/// Computes a placement and remembers it; none when what holds the item is nowhere.
fn compute(defs: &Defs, actor: &mut Actor, item: &ItemDef, inputs: PlacementInputs) -> Option<()> {
    let origin = Vec3::default();
    let placement = match inputs.shown {
        Shown::Hand | Shown::HiltGrip => attach::place_drawn(defs, actor, origin, inputs.dummy_manager),
        Shown::Hilt => attach::place_stowed(defs, actor, origin, inputs.dummy_manager),
    }?;
    let Placement { transform, hand_pos, hand_angle } = placement;
    let endpoints = inputs.fights.then(|| attach::endpoints(&transform, item.length));
    let placed = Placed { inputs, transform, hand_pos, hand_angle, endpoints };
    match &mut actor.placement.placed {
        Some(kept) => **kept = placed,
        none => *none = Some(Box::new(placed)),
    }
    Some(())
}
