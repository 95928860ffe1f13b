//! The 256 attribute bytes.
//!
//! # Source
//! Rules X1 and W32; engine/SOUP.md, "GetAttribute, SetAttribute, GetMyAttr, and SetMyAttr".

use super::{Call, Entry};
use crate::{defs::attr, world::Gate};

/// The byte at the index's low byte.
fn getattribute(call: &mut Call<'_>) -> i32 {
    call.actor().attribute(call.int(0) as u8).into()
}

/// Stores the value's low byte; 6 and 1 mirror into 115 and 119, and a dead actor keeps 44 as its death default.
/// Returns 0.
fn setattribute(call: &mut Call<'_>) -> i32 {
    let (index, value) = (call.int(0) as u8, call.int(1));
    let actor = call.actor_mut();
    let attributes = &mut actor.attributes;
    attributes[index] = value as u8;
    match index {
        attr::WEIGHT => attributes[attr::RESERVED_WEIGHT] = value as u8,
        attr::COLLIDE => attributes[attr::RESERVED_COLLIDE] = value as u8,
        attr::PANIC_GROUP if actor.is_dead() => {
            if let Some(combat) = &mut actor.combat {
                combat.death_default = value as i16;
            }
        }
        _ => {}
    }
    0
}

/// The byte at the index; 0 outside 0..=255.
fn getmyattr(call: &mut Call<'_>) -> i32 {
    match u8::try_from(call.int(0)) {
        Ok(index) => call.actor().attribute(index).into(),
        Err(_) => {
            call.refuse(Gate::AttributeIndex { index: call.int(0) });
            0
        }
    }
}

/// Stores the value's low byte without mirrors; nothing outside 0..=255. An actor that is excluded from object updates
/// keeps 44 as its death default. Returns 0.
fn setmyattr(call: &mut Call<'_>) -> i32 {
    let Ok(index) = u8::try_from(call.int(0)) else {
        call.refuse(Gate::AttributeIndex { index: call.int(0) });
        return 0;
    };
    let value = call.int(1) as u8;
    let actor = call.actor_mut();
    actor.attributes[index] = value;
    if index == attr::PANIC_GROUP
        && actor.object_excluded
        && let Some(combat) = &mut actor.combat
    {
        combat.death_default = value.into();
    }
    0
}

pub(super) const NATIVES: &[Entry] = &[
    ("GetAttribute", getattribute),
    ("SetAttribute", setattribute),
    ("GetMyAttr", getmyattr),
    ("SetMyAttr", setmyattr),
];
