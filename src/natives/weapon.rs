//! DrawSword, SheathSword, the weapon predicates, CheckPlayerWeapon.

use super::{Call, Entry, Parts};
use crate::{weapon, world::Gate};

/// Rule W11; engine/animation.md, "Weapon draw admission". Returns 0.
fn drawsword(call: &mut Call<'_>) -> i32 {
    let Parts { def, actor, conditions, events, .. } = call.parts();
    let admitted = weapon::drawsword(def, actor, conditions, events);
    call.note(admitted);
    0
}

/// Rule W14; engine/SOUP.md, "SheathSword". Returns 0.
fn sheathsword(call: &mut Call<'_>) -> i32 {
    let Parts { actor, conditions, .. } = call.parts();
    let admitted = weapon::sheathsword(actor, conditions);
    call.note(admitted);
    0
}

/// Rule W17; config/item-ini.md, "Selected-player weapon validation". Looks at the player whatever the receiver is;
/// returns 0.
fn checkplayerweapon(call: &mut Call<'_>) -> i32 {
    let conditions = call.conditions();
    let Some(player) = call.world.player() else {
        call.refuse(Gate::NoPlayer {});
        return 0;
    };
    let defs = call.defs;
    if let Some((player, items, events)) = call.world.actor_items_and_events(player) {
        let valid = weapon::check_player_weapon(defs, items, player, conditions, events);
        call.note(valid);
    }
    0
}

/// Rule W5; engine/animation.md, "Living actor default selection". Returns 1 or 0.
fn isholdingweapon(call: &mut Call<'_>) -> i32 {
    weapon::is_holding_weapon(call.actor(), call.conditions()).into()
}

/// Rule W6. Returns 1 or 0.
fn iscarryingweapon(call: &mut Call<'_>) -> i32 {
    weapon::is_carrying_weapon(call.actor(), call.conditions()).into()
}

/// Rule W1; engine/animation.md, "Living actor default selection". Returns 1 or 0.
fn isdrawingsword(call: &mut Call<'_>) -> i32 {
    weapon::is_drawing_sword(call.actor(), call.conditions()).into()
}

/// Rule W2; engine/animation.md, "Living actor default selection". Returns 1 or 0.
fn issheathingsword(call: &mut Call<'_>) -> i32 {
    weapon::is_sheathing_sword(call.actor(), call.conditions()).into()
}

/// Rule W3. Returns 1 or 0.
fn isdrawingorsheathing(call: &mut Call<'_>) -> i32 {
    weapon::is_drawing_or_sheathing(call.actor(), call.conditions()).into()
}

/// Rule W4; engine/hud.md, "Activation prompt". Returns 1 or 0.
fn iscombatcapable(call: &mut Call<'_>) -> i32 {
    weapon::is_combat_capable(call.actor(), call.conditions()).into()
}

pub(super) const NATIVES: &[Entry] = &[
    ("DrawSword", drawsword),
    ("SheathSword", sheathsword),
    ("CheckPlayerWeapon", checkplayerweapon),
    ("IsHoldingWeapon", isholdingweapon),
    ("IsCarryingWeapon", iscarryingweapon),
    ("IsDrawingSword", isdrawingsword),
    ("IsSheathingSword", issheathingsword),
    ("IsDrawingOrSheathing", isdrawingorsheathing),
    ("IsCombatCapable", iscombatcapable),
];
