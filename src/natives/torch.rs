//! Lighting and putting out a torch.
//!
//! # Source
//! Rules X20 and X21; engine/hud.md, "Torches".

use super::{Call, Entry, Parts};
use crate::weapon;

/// Starts the lighting where it is admitted. Returns 0.
fn lighttorch(call: &mut Call<'_>) -> i32 {
    let Parts { def, actor, conditions, events, .. } = call.parts();
    let admitted = weapon::light_torch(def, actor, conditions, events);
    call.note(admitted);
    0
}

/// Starts the dousing where it is admitted. Returns 0.
fn unlighttorch(call: &mut Call<'_>) -> i32 {
    let Parts { def, actor, conditions, events, .. } = call.parts();
    let admitted = weapon::unlight_torch(def, actor, conditions, events);
    call.note(admitted);
    0
}

fn islightingtorch(call: &mut Call<'_>) -> i32 {
    weapon::is_lighting_torch(call.actor(), call.conditions()).into()
}

fn isunlightingtorch(call: &mut Call<'_>) -> i32 {
    weapon::is_unlighting_torch(call.actor(), call.conditions()).into()
}

fn islightingorunlighting(call: &mut Call<'_>) -> i32 {
    let (actor, conditions) = (call.actor(), call.conditions());
    (weapon::is_lighting_torch(actor, conditions) || weapon::is_unlighting_torch(actor, conditions)).into()
}

pub(super) const NATIVES: &[Entry] = &[
    ("LightTorch", lighttorch),
    ("UnlightTorch", unlighttorch),
    ("IsLightingTorch", islightingtorch),
    ("IsUnlightingTorch", isunlightingtorch),
    ("IsLightingOrUnlighting", islightingorunlighting),
];
