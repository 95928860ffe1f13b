//! Waiting for time or for other tasks.
//!
//! # Source
//! Rules K5, K9; engine/SOUP.md, "Wait, WaitOnTasks, and WaitNonMulti".

use super::{Call, Entry};

/// Active while the elapsed time is below `ticks − 1`, wrapping and signed.
fn wait(call: &mut Call<'_>) -> i32 {
    (call.elapsed < call.int(0).wrapping_sub(1)).into()
}

/// Active while more than one unpaused slot is occupied, its own included.
fn waitontasks(call: &mut Call<'_>) -> i32 {
    (call.actor().tasks.n_unpaused() > 1).into()
}

/// Active while more than one unpaused blocking slot is occupied, its own included.
fn waitnonmulti(call: &mut Call<'_>) -> i32 {
    (call.actor().tasks.n_blocking() > 1).into()
}

/// Frees all six slots at once; no handler runs. Returns 0.
fn killmytasks(call: &mut Call<'_>) -> i32 {
    call.actor_mut().tasks.stop_all();
    0
}

pub(super) const NATIVES: &[Entry] =
    &[("Wait", wait), ("WaitOnTasks", waitontasks), ("WaitNonMulti", waitnonmulti), ("KillMyTasks", killmytasks)];
