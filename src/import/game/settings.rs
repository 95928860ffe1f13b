//! SYSTEM.INI and WORLD.INI: which files make up the game, and where it starts.

use super::{
    Warnings,
    ini::{BadLine, Ini},
};
use crate::import::Fault;

/// What SYSTEM.INI says, as far as it matters here.
///
/// # Source
/// config/system-ini.md, "`[system]`", "`[debug]`"; rule V6 for `[3dmanager] dummy_manager`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemSettings {
    /// The worlds file.
    pub world_ini: String,
    /// The items file, if one is named.
    pub item_ini: Option<String>,
    /// What attribute 31 becomes where it has no value (rule F6).
    pub jump_time: u8,
    /// What attribute 32 becomes where it has no value (rule F6).
    pub jump_height: u8,
    /// Whether attributes 25 and 26 are cleared.
    pub disable_family: bool,
    /// Whether vertex queries are switched off (rule V6).
    pub dummy_manager: bool,
}

impl Default for SystemSettings {
    fn default() -> Self {
        Self {
            world_ini: "WORLD.INI".to_owned(),
            item_ini: None,
            jump_time: 6,
            jump_height: 80,
            disable_family: false,
            dummy_manager: false,
        }
    }
}

impl SystemSettings {
    /// Reads SYSTEM.INI.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn read(file: &str, data: &[u8], warnings: &mut Warnings) -> Result<Self, Fault> {
        let ini = Ini::read(file, data, BadLine::Error, warnings)?;
        let system = ini.require("system")?;
        let default = Self::default();
        let switch = |section, key| match ini.section(section) {
            Some(section) => section.switch(key).map(|value| value == Some(1)),
            None => Ok(false),
        };
        let low_byte = |key, default| {
            let value = system.int(key)?;
            Ok(value.filter(|&value| value >= 1).map_or(default, |value| value as u8))
        };
        Ok(Self {
            world_ini: system.value("world_ini").map_or(default.world_ini, |value| value.text.clone()),
            item_ini: system.value("item_ini").map(|value| value.text.clone()),
            jump_time: low_byte("jump_time", default.jump_time)?,
            jump_height: low_byte("jump_height", default.jump_height)?,
            disable_family: switch("debug", "disable_family")?,
            dummy_manager: switch("3dmanager", "dummy_manager")?,
        })
    }
}

/// What WORLD.INI says, as far as it matters here.
///
/// # Source
/// config/world-ini.md, "Global Keys" and "Core".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldSettings {
    /// The world that a new game starts in.
    pub start_world: Option<u32>,
    /// The marker at which it starts.
    pub start_marker: u32,
    /// The map of the start world, as it is written.
    pub start_map: Option<String>,
}

impl WorldSettings {
    /// Reads WORLD.INI.
    ///
    /// # Errors
    /// The first [`Fault`].
    pub fn read(file: &str, data: &[u8], warnings: &mut Warnings) -> Result<Self, Fault> {
        let ini = Ini::read(file, data, BadLine::Warning, warnings)?;
        let world = ini.require("world")?;
        let start_world = world.natural("start_world")?;
        let map = start_world.and_then(|number| world.value(&format!("world_map[{number}]")));
        Ok(Self {
            start_world,
            start_marker: world.natural("start_marker")?.unwrap_or(0),
            start_map: map.map(|value| value.text.clone()),
        })
    }
}
