//! The Display natives: show a model or an item for the length of this update.
//!
//! # Source
//! Rule W19. The documents give only the parameter count and one line of purpose (engine/attachment.md, "SOUP Script
//! Interface"), so the meaning is chosen: immediate mode, no state but the tracked point and angles.

use std::sync::Arc;

use super::{Call, Entry, Parts};
use crate::{
    attach,
    defs::{Defs, ItemId},
    units::{Q8, Vec3},
    weapon,
    world::{Display, Gate, Shown},
};

/// Shows a model in the grip. `model` is a scene model's name or its 1-based index; x, y, z are a local Q8 offset.
fn displayhandmodel(call: &mut Call<'_>) -> i32 {
    display(call, Shown::Hand, named_model)
}

/// Shows an item's hand model in the grip.
fn displayhanditem(call: &mut Call<'_>) -> i32 {
    display(call, Shown::Hand, |call| item_model(call, Shown::Hand))
}

/// Shows a model at the scabbard.
fn displayhiltmodel(call: &mut Call<'_>) -> i32 {
    display(call, Shown::Hilt, named_model)
}

/// Shows an item's hilt model at the scabbard.
fn displayhiltitem(call: &mut Call<'_>) -> i32 {
    display(call, Shown::Hilt, |call| item_model(call, Shown::Hilt))
}

fn display(call: &mut Call<'_>, kind: Shown, model: impl FnOnce(&Call<'_>) -> Result<Arc<str>, Gate>) -> i32 {
    let outcome = show(call, kind, model);
    call.note(outcome);
    0
}

fn show(call: &mut Call<'_>, kind: Shown, model: impl FnOnce(&Call<'_>) -> Result<Arc<str>, Gate>) -> Result<(), Gate> {
    weapon::item_system_gate(call.actor(), call.conditions())?;
    let model = model(call)?;
    let offset = Vec3::new(Q8(call.int(1)), Q8(call.int(2)), Q8(call.int(3)));
    let Parts { defs, actor, conditions, .. } = call.parts();
    let place = if kind == Shown::Hand { attach::place_drawn } else { attach::place_stowed };
    // A named point that is nowhere on the model holds nothing (rule L12).
    let Some(placement) = place(defs, actor, offset, conditions.dummy_manager) else { return Ok(()) };
    actor.hand_pos = placement.hand_pos;
    actor.hand_angle = placement.hand_angle;
    let key = actor.key;
    call.world.display(key, Display { kind, model, transform: placement.transform });
    Ok(())
}

fn named_model(call: &Call<'_>) -> Result<Arc<str>, Gate> {
    let by_index =
        |defs: &Defs, index: i32| defs.model_of_handle(i16::try_from(index).ok()?).map(|model| model.name.clone());
    let found = match call.args.text() {
        Some(name) => call.defs.model_named(name).and_then(|model| by_index(call.defs, model.handle().into())),
        None => by_index(call.defs, call.int(0)),
    };
    found.ok_or(Gate::UnknownModel { index: call.int(0) })
}

fn item_model(call: &Call<'_>, kind: Shown) -> Result<Arc<str>, Gate> {
    let id = ItemId(call.int(0));
    let item = call.defs.item(id).ok_or(Gate::UnknownItem { item: id.0 })?;
    let model = if kind == Shown::Hand { &item.hand_model } else { &item.hilt_model };
    model.clone().ok_or(Gate::NoModelName { item: id.0 })
}

pub(super) const NATIVES: &[Entry] = &[
    ("DisplayHandModel", displayhandmodel),
    ("DisplayHandItem", displayhanditem),
    ("DisplayHiltModel", displayhiltmodel),
    ("DisplayHiltItem", displayhiltitem),
];
