//! World state that belongs to no actor: clock, random numbers, flags, items.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::defs::{Clock, ItemId};

/// The tick inputs, and where the world is in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockState {
    /// The scene's tick inputs.
    pub clock: Clock,
    /// Index of this update, or of the last one between updates; the first is 0.
    pub tick: u64,
    /// Number of whole updates so far.
    pub updates: u64,
    /// Whole nominal ticks of this update; 0 while a scene loads (rule F5).
    pub ticks: i32,
}

impl ClockState {
    /// The tick input of update `tick` (rule U1).
    #[must_use]
    pub fn nominal(&self, tick: u64) -> i32 {
        let nominal = &self.clock.nominal;
        let len = nominal.len().max(1) as u64;
        nominal.get((tick % len) as usize).copied().unwrap_or(0)
    }
}

/// The shared random state (rule N1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Random(pub u32);

impl Random {
    /// One draw: 0..=32767.
    ///
    /// # Source
    /// Rule N1; engine/SOUP.md, "Rnd and QuickRnd".
    pub fn draw(&mut self) -> i32 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12345);
        ((self.0 >> 16) & 32767) as i32
    }

    /// A number below `bound`; 0 when it is not positive, which still consumes a draw (rule N2).
    pub fn below(&mut self, bound: i32) -> i32 {
        let draw = self.draw();
        if bound <= 0 {
            return 0;
        }
        let mask = (1..15).map(|bits| (1 << bits) - 1).find(|mask| mask + 1 >= bound).unwrap_or(32767);
        (draw & mask) % bound
    }
}

/// A global flag's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// Its value.
    pub value: i32,
    /// Whether SetGlobalFlag has acted since the last reset (rule X11).
    pub latch: bool,
}

/// Item counts and the selection: they belong to the world, not to an actor (rule X2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Items {
    /// Whether the item system is open.
    pub open: bool,
    /// Owned counts.
    pub owned: BTreeMap<ItemId, i32>,
    /// The selected item.
    pub selected: Option<ItemId>,
    /// Set by UseItem, cleared at the start of every update (rule X8).
    pub use_latch: bool,
    /// Whether item 0, the compass, is shown (rule X8).
    pub compass: bool,
    /// The player's lockout value (rule X10).
    pub lockout: u16,
}

impl Items {
    /// How many of an item the player owns; 0 for unknown ids.
    #[must_use]
    pub fn owned(&self, id: ItemId) -> i32 {
        self.owned.get(&id).copied().unwrap_or(0)
    }
}
