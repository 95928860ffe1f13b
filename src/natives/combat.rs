//! beginCombat and endCombat.

use super::{Call, Entry, Parts};
use crate::weapon;

/// Rule W20; engine/animation.md, "Combat entry". Returns 0.
fn begincombat(call: &mut Call<'_>) -> i32 {
    let Parts { def, actor, conditions, events, .. } = call.parts();
    let drawn = weapon::begin_combat(def, actor, conditions, events);
    call.note(drawn);
    0
}

/// Rule W21; engine/SOUP.md, "endCombat". Returns 0.
fn endcombat(call: &mut Call<'_>) -> i32 {
    let Parts { actor, conditions, .. } = call.parts();
    let sheathed = weapon::end_combat(actor, conditions);
    call.note(sheathed);
    0
}

pub(super) const NATIVES: &[Entry] = &[("beginCombat", begincombat), ("endCombat", endcombat)];
