//! HandItem.

use super::{Call, Entry, Parts};
use crate::{defs::ItemId, weapon};

/// Rule W16; engine/attachment.md, "Held-item assignment". Returns 0 whether or not the item was taken.
fn handitem(call: &mut Call<'_>) -> i32 {
    let item = ItemId(call.int(0));
    let Parts { defs, actor, conditions, events, .. } = call.parts();
    let taken = weapon::handitem(defs, actor, item, conditions, events);
    call.note(taken);
    0
}

pub(super) const NATIVES: &[Entry] = &[("HandItem", handitem)];
