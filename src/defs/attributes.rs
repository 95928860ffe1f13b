//! Names of the 256 attribute bytes that every actor carries.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{folded, table};

static NAMES: LazyLock<BTreeMap<&'static str, u8>> = LazyLock::new(|| {
    let index = |row: &[&str]| row[0].parse().expect("attributes.csv: index");
    table::rows(include_str!("attributes.csv")).map(|row| (row[1], index(&row))).collect()
});

/// The index of an attribute given by name (without case) or as a decimal number.
#[must_use]
pub fn attribute_index(name: &str) -> Option<u8> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        return name.parse().ok();
    }
    NAMES.get(folded(name).as_str()).copied()
}

/// All named attributes, by name.
pub fn attribute_names() -> impl Iterator<Item = (&'static str, u8)> {
    NAMES.iter().map(|(&name, &index)| (name, index))
}

/// The attribute indices that rules name.
pub mod attr {
    #![allow(missing_docs, reason = "each constant is the name of attributes.csv without its prefix")]
    pub const COLLIDE: u8 = 1;
    pub const WEIGHT: u8 = 6;
    pub const STEP_TYPE: u8 = 11;
    pub const COMBAT: u8 = 14;
    pub const WEAPON: u8 = 23;
    pub const SLAVE: u8 = 26;
    pub const ROTATION: u8 = 28;
    pub const GROUP: u8 = 29;
    pub const USER: u8 = 30;
    pub const JUMP_TIME: u8 = 31;
    pub const JUMP_HEIGHT: u8 = 32;
    pub const SHEATH_FRAME: u8 = 34;
    pub const DRAW_FRAME: u8 = 35;
    pub const STOP_Y_ROTATE: u8 = 37;
    pub const STOP_X_ROTATE: u8 = 38;
    pub const STOP_Z_ROTATE: u8 = 39;
    pub const STOP_X_MOVE: u8 = 40;
    pub const STOP_Y_MOVE: u8 = 41;
    pub const STOP_Z_MOVE: u8 = 42;
    pub const ALWAYS_SYNC: u8 = 43;
    pub const PANIC_GROUP: u8 = 44;
    pub const LIGHT_FRAME: u8 = 103;
    pub const UNLIGHT_FRAME: u8 = 104;
    pub const PLAYER_TYPE: u8 = 105;
    pub const HOLDING_WEAPON: u8 = 110;
    pub const RESERVED_WEIGHT: u8 = 115;
    pub const NO_NODE_COMBAT: u8 = 116;
    pub const RESERVED_COLLIDE: u8 = 119;
    pub const MESS_GROUP: u8 = 125;
}
