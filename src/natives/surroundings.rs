//! Where an actor is: edge, air, water, lava, shell.
//!
//! # Source
//! Rules X18 and W7; engine/hud.md, "Activation prompt"; engine/player.md, "Converting support height to actor
//! position".

use super::{Call, Entry};
use crate::weapon;

fn isonedge(call: &mut Call<'_>) -> i32 {
    weapon::is_on_edge(call.actor()).into()
}

fn isinair(call: &mut Call<'_>) -> i32 {
    weapon::is_in_air(call.actor()).into()
}

fn isinwater(call: &mut Call<'_>) -> i32 {
    weapon::is_in_water(call.actor()).into()
}

fn isindeepwater(call: &mut Call<'_>) -> i32 {
    weapon::is_in_deep_water(call.actor()).into()
}

fn isinlava(call: &mut Call<'_>) -> i32 {
    weapon::is_in_lava(call.actor()).into()
}

fn isshellscript(call: &mut Call<'_>) -> i32 {
    call.shell.into()
}

pub(super) const NATIVES: &[Entry] = &[
    ("IsOnEdge", isonedge),
    ("IsInAir", isinair),
    ("IsInWater", isinwater),
    ("IsInDeepWater", isindeepwater),
    ("IsInLava", isinlava),
    ("IsShellScript", isshellscript),
];
