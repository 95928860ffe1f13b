//! Items and global flags.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// An item's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ItemId(pub i32);

/// What an item is (rule S2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemType {
    /// Type code 0: carried, used, dropped.
    #[default]
    General,
    /// Type code 1: drawn and sheathed.
    Weapon,
    /// Type code 2: held in the hand.
    HandObject,
    /// Type code 3: lit and put out.
    Torch,
}

impl ItemType {
    /// The code that scripts read as `hand_type` (rule W22).
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::General => 0,
            Self::Weapon => 1,
            Self::HandObject => 2,
            Self::Torch => 3,
        }
    }
}

/// One item.
///
/// # Source
/// Rules S2 and X2; config/item-ini.md, "Per-Item Field Schema".
#[derive(Clone, Debug, Default)]
pub struct ItemDef {
    /// The number scripts use.
    pub id: ItemId,
    /// The label.
    pub name: String,
    /// What it is.
    pub item_type: ItemType,
    /// The model shown in the hand; none is an attachment that cannot be shown (rule A9).
    pub hand_model: Option<Arc<str>>,
    /// The model shown in the scabbard.
    pub hilt_model: Option<Arc<str>>,
    /// Blade length in map units, along the attachment's −Y (rule E1).
    pub length: i32,
    /// How many the player owns at the start.
    pub player_total: i32,
    /// How many there are in the world; none is no cap.
    pub total: Option<i32>,
    /// How many the player can carry; none is no cap.
    pub player_max: Option<i32>,
    /// Bit 1: a drop empties the count (rule X5).
    pub flags: i32,
    /// Items that must be owned before this one can be.
    pub required_item: Vec<ItemId>,
    /// Items added with this one.
    pub add_item: Vec<ItemId>,
    /// Items dropped when this one is added.
    pub drop_add_item: Vec<ItemId>,
    /// Items cleared when this one is dropped and some are left.
    pub remove_drop_item: Vec<ItemId>,
}

/// Items by id. The ids that an attribute byte can hold are found at once: every update looks weapons up.
#[derive(Clone, Debug)]
pub(super) struct Items {
    /// Ids ascending.
    sorted: Vec<ItemDef>,
    /// Position in `sorted` plus one of the ids 0..=255; 0 is none.
    by_byte: Box<[u32; 256]>,
}

impl Default for Items {
    fn default() -> Self {
        Self { sorted: Vec::new(), by_byte: Box::new([0; 256]) }
    }
}

impl Items {
    /// Enters an item; false when its id is taken.
    pub(super) fn insert(&mut self, item: ItemDef) -> bool {
        let Err(place) = self.sorted.binary_search_by_key(&item.id, |item| item.id) else { return false };
        self.sorted.insert(place, item);
        for (at, item) in self.sorted.iter().enumerate().take_while(|(_, item)| item.id.0 <= 255) {
            if let Some(slot) = usize::try_from(item.id.0).ok().and_then(|byte| self.by_byte.get_mut(byte)) {
                *slot = at as u32 + 1;
            }
        }
        true
    }

    pub(super) fn get(&self, id: ItemId) -> Option<&ItemDef> {
        let place = match usize::try_from(id.0).ok().and_then(|byte| self.by_byte.get(byte)) {
            Some(&slot) => (slot as usize).checked_sub(1)?,
            None => self.sorted.binary_search_by_key(&id, |item| item.id).ok()?,
        };
        self.sorted.get(place)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ItemDef> {
        self.sorted.iter()
    }
}

/// How a global flag answers `SetGlobalFlag` (rule X11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagKind {
    /// Turns over once, until reset.
    Bool,
    /// Turns over at every set.
    Flipflop,
    /// Counts down to zero.
    Counter,
    /// Keeps its value.
    #[default]
    Number,
}

/// One global flag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlagDef {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: FlagKind,
    /// Its value at the start.
    pub value: i32,
}
