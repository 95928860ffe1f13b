//! The game's own files: maps, models, archives, settings, definitions.
//!
//! Everything is read through bytes that know their place and their end: no reader can pass over the end of a file, and
//! nothing is allocated from a count before the bytes behind it are known to be there.
//!
//! # Source
//! Rules I1 to I40; formats/RGM.md, formats/ROB.md, formats/models/3d.md, formats/models/3dc.md, config/item-ini.md,
//! config/world-ini.md, config/system-ini.md, engine/SOUPDEF.md.

mod bytes;
pub mod census;
pub mod definition;
pub mod export;
mod files;
pub mod ini;
pub mod items;
mod load;
pub mod model3d;
mod models;
pub mod names;
mod paths;
mod programs;
mod report;
pub mod rgm;
pub mod rob;
pub mod settings;
pub mod write;

pub use load::Loaded;
pub use models::ModelFile;
pub use programs::programs_of_map;
pub use report::Warnings;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Fault, ImportError};
use crate::defs::{Scene, SceneBuilder, Tables};

/// Which game, and which part of it.
#[derive(Clone, Debug, Default)]
pub struct GameOptions {
    /// The folder with SYSTEM.INI.
    pub folder: PathBuf,
    /// A map by its name in the folder of maps; none is the map of the start world.
    pub map: Option<String>,
    /// Definitions or actors to load; none named is all.
    pub actors: Vec<String>,
    /// The art folder: a path, or a name in the game folder; none is `fxart`, else `3dart`.
    pub art: Option<PathBuf>,
}

impl GameOptions {
    /// The start world of the game in a folder.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), ..Self::default() }
    }
}

/// A scene from a game's files, and what was odd in them.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The scene.
    pub scene: Scene,
    /// Warnings in the order in which they were met, each once.
    pub warnings: Vec<Fault>,
}

impl Scene {
    /// The scene of a map of the game: its actors, models, items, flags and programs.
    ///
    /// # Errors
    /// [`ImportError`] with the first fault.
    ///
    /// # Source
    /// Rules I1 to I40.
    pub fn from_game(options: &GameOptions) -> Result<Imported, ImportError> {
        let mut warnings = Warnings::default();
        let loaded = load::load(options, false, &mut warnings).map_err(|fault| ImportError(vec![fault]))?;
        Ok(Imported { scene: built(&loaded.map_name, loaded.builder)?, warnings: warnings.into_list() })
    }
}

fn built(map_name: &str, builder: SceneBuilder) -> Result<Scene, ImportError> {
    builder.build().map_err(|errors| {
        ImportError(
            errors
                .iter()
                .map(|error| Fault { path: error.path.clone(), ..Fault::of_file(map_name, &*error.reason) })
                .collect(),
        )
    })
}

/// All maps of a game, in byte order of their names.
///
/// # Errors
/// The game folder cannot be read, or has no folder of maps.
pub fn maps(folder: &Path, warnings: &mut Warnings) -> Result<Vec<PathBuf>, Fault> {
    files::all_maps(folder, warnings)
}

/// The names in force in a game: those of its SOUP386.DEF, or the built-in ones.
///
/// # Errors
/// The file is there and wrong.
pub fn tables_of(folder: &Path, warnings: &mut Warnings) -> Result<Arc<Tables>, Fault> {
    let file = files::definitions_of(folder, warnings)?;
    Ok(file.map_or_else(|| Tables::built_in(&[]), |file| names::tables(&file.definitions)))
}

/// The bytes of a game file, which is a regular file of at most 64 MiB, or 1 MiB of settings or definitions.
///
/// # Errors
/// It cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Fault> {
    paths::read(path)
}
