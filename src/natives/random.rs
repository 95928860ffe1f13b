//! Random numbers from the world's one state.
//!
//! # Source
//! Rules N1 and N2; engine/SOUP.md, "Rnd and QuickRnd".

use super::{Call, Entry};

/// A number below the bound.
fn rnd(call: &mut Call<'_>) -> i32 {
    call.world.random.below(call.int(0))
}

/// A draw and the mask.
fn quickrnd(call: &mut Call<'_>) -> i32 {
    call.world.random.draw() & call.int(0)
}

pub(super) const NATIVES: &[Entry] = &[("Rnd", rnd), ("QuickRnd", quickrnd)];
