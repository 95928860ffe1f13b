//! The 256 attribute bytes of an actor.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::defs::attr;

/// The attributes that every update reads: they stand in the actor itself, the others behind a pointer.
const HOT: [u8; N_HOT] = [
    attr::COLLIDE,
    attr::WEAPON,
    attr::SLAVE,
    attr::ROTATION,
    attr::SHEATH_FRAME,
    attr::DRAW_FRAME,
    attr::STOP_Y_ROTATE,
    attr::STOP_X_ROTATE,
    attr::STOP_Z_ROTATE,
    attr::STOP_X_MOVE,
    attr::STOP_Y_MOVE,
    attr::STOP_Z_MOVE,
    attr::PANIC_GROUP,
    attr::PLAYER_TYPE,
    attr::HOLDING_WEAPON,
    attr::RESERVED_COLLIDE,
];
const N_HOT: usize = 16;

/// Position in `HOT` of each attribute; `N_HOT` for the others.
static SLOTS: [u8; 256] = {
    let mut slots = [N_HOT as u8; 256];
    let mut slot = 0;
    while slot < N_HOT {
        slots[HOT[slot] as usize] = slot as u8;
        slot += 1;
    }
    slots
};

/// 256 bytes, indexed by attribute number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes {
    hot: [u8; N_HOT],
    /// All the others; the places of the hot ones are not read.
    cold: Box<[u8; 256]>,
}

impl Attributes {
    /// Attributes with these bytes.
    #[must_use]
    pub fn new(mut bytes: Box<[u8; 256]>) -> Self {
        let hot = HOT.map(|index| std::mem::take(&mut bytes[usize::from(index)]));
        Self { hot, cold: bytes }
    }

    /// All bytes by index.
    #[must_use]
    pub fn bytes(&self) -> [u8; 256] {
        std::array::from_fn(|index| self[index as u8])
    }
}

impl Index<u8> for Attributes {
    type Output = u8;

    #[inline]
    fn index(&self, index: u8) -> &u8 {
        match self.hot.get(usize::from(SLOTS[usize::from(index)])) {
            Some(byte) => byte,
            None => &self.cold[usize::from(index)],
        }
    }
}

impl IndexMut<u8> for Attributes {
    #[inline]
    fn index_mut(&mut self, index: u8) -> &mut u8 {
        match self.hot.get_mut(usize::from(SLOTS[usize::from(index)])) {
            Some(byte) => byte,
            None => &mut self.cold[usize::from(index)],
        }
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.bytes())
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Vec::<u8>::deserialize(deserializer)?.into_boxed_slice();
        let bytes = bytes.try_into().map_err(|_| D::Error::custom("expected 256 attribute bytes"))?;
        Ok(Self::new(bytes))
    }
}
