//! The files that make up a game and one of its maps (rule I3 and the table before it).

use std::path::{Path, PathBuf};

use super::{
    GameOptions, Warnings,
    definition::{self, Definitions},
    items::{self, GameItems},
    paths::{Folder, parts, read},
    settings::{SystemSettings, WorldSettings},
};
use crate::{defs::near_or_some, import::Fault};

/// A file's name as it is shown, and its bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl Content {
    fn of(path: &Path) -> Result<Self, Fault> {
        Ok(Self { name: path.display().to_string(), bytes: read(path)? })
    }
}

/// SOUP386.DEF.
#[derive(Debug)]
pub(super) struct DefinitionFile {
    pub(super) definitions: Definitions,
    pub(super) bytes: Vec<u8>,
}

/// The settings of a game and the files of one map.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) system: SystemSettings,
    /// None: the item system is closed.
    pub(super) items: Option<GameItems>,
    /// None: the built-in tables are in force.
    pub(super) definitions: Option<DefinitionFile>,
    /// The map's name without extension.
    pub(super) map_name: String,
    pub(super) map: Content,
    pub(super) start_marker: u32,
    pub(super) art: Option<Folder>,
    /// None: the art folder has none.
    pub(super) archive: Option<Content>,
}

impl Files {
    /// Finds and reads the files.
    pub(super) fn open(options: &GameOptions, warnings: &mut Warnings) -> Result<Self, Fault> {
        let root = Folder::open(&options.folder)?;
        let system = system(&root, warnings)?;
        let worlds = worlds(&root, &system, options, warnings)?;
        let (map_path, start_marker) = map(&root, options, &worlds, warnings)?;
        let map_name = map_path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let map = Content::of(&map_path)?;
        let (art, archive) = art(&root, options, &map_name, warnings)?;
        Ok(Self {
            items: items(&root, &system, warnings)?,
            definitions: definitions(&root, warnings)?,
            archive: archive.as_deref().map(Content::of).transpose()?,
            system,
            map_name,
            map,
            start_marker,
            art,
        })
    }
}

/// A file that a settings file names below the game folder.
fn named(root: &Folder, path: &str, by: &str, warnings: &mut Warnings) -> Result<Option<PathBuf>, Fault> {
    let fault = |reason| Fault::of_file(&root.path().display().to_string(), format!("{by}: {reason}"));
    Ok(root.follow(&parts(path).map_err(fault)?, warnings))
}

fn missing(root: &Folder, path: &str, by: &str) -> Fault {
    Fault::of_file(&root.path().join(path).display().to_string(), format!("the file is missing; {by} names it"))
}

fn system(root: &Folder, warnings: &mut Warnings) -> Result<SystemSettings, Fault> {
    match root.find("SYSTEM.INI", warnings) {
        Some(path) => {
            let content = Content::of(&path)?;
            SystemSettings::read(&content.name, &content.bytes, warnings)
        }
        None => {
            let name = root.path().join("SYSTEM.INI").display().to_string();
            warnings.add(Fault::of_file(&name, "the file is missing: ITEM.INI and WORLD.INI are read"));
            Ok(SystemSettings::default())
        }
    }
}

/// Without a map named by the caller the worlds file must be there.
fn worlds(
    root: &Folder,
    system: &SystemSettings,
    options: &GameOptions,
    warnings: &mut Warnings,
) -> Result<WorldSettings, Fault> {
    match named(root, &system.world_ini, "world_ini", warnings)? {
        Some(path) => {
            let content = Content::of(&path)?;
            WorldSettings::read(&content.name, &content.bytes, warnings)
        }
        None if options.map.is_some() => {
            let fault = missing(root, &system.world_ini, "world_ini");
            warnings.add(Fault { reason: "the file is missing: marker 0 is the start".to_owned(), ..fault });
            Ok(WorldSettings::default())
        }
        None => Err(missing(root, &system.world_ini, "world_ini")),
    }
}

/// The map and the marker at which the player starts.
fn map(
    root: &Folder,
    options: &GameOptions,
    worlds: &WorldSettings,
    warnings: &mut Warnings,
) -> Result<(PathBuf, u32), Fault> {
    let start = match &worlds.start_map {
        Some(path) => named(root, path, "world_map", warnings)?,
        None => None,
    };
    let Some(name) = &options.map else {
        let Some(path) = &worlds.start_map else {
            let shown = root.path().display().to_string();
            return Err(Fault::of_file(&shown, "WORLD.INI names no map of a start world: choose one with a map name"));
        };
        let found = start.ok_or_else(|| missing(root, &path.replace('\\', "/"), "world_map"))?;
        return Ok((found, worlds.start_marker));
    };
    let file = if name.to_ascii_lowercase().ends_with(".rgm") { name.clone() } else { format!("{name}.RGM") };
    let fault = |reason| Fault::of_file(&root.path().display().to_string(), format!("the map: {reason}"));
    let steps = parts(&file).map_err(fault)?;
    let found =
        if steps.len() == 1 { root.follow(&["maps", steps[0]], warnings) } else { root.follow(&steps, warnings) };
    match found {
        Some(path) => {
            let marker = if start.as_ref() == Some(&path) { worlds.start_marker } else { 0 };
            Ok((path, marker))
        }
        None => Err(fault(format!("there is no maps/{file}{}", other_maps(root, name, warnings)))),
    }
}

fn other_maps(root: &Folder, name: &str, warnings: &mut Warnings) -> String {
    let maps = root.find("maps", warnings).and_then(|path| Folder::open(&path).ok());
    let paths = maps.map(|maps| maps.with_extension("rgm")).unwrap_or_default();
    let names = paths.iter().filter_map(|path| path.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    near_or_some(name, "there is", &names.collect::<Vec<_>>())
}

/// The art folder and the map's archive in it.
fn art(
    root: &Folder,
    options: &GameOptions,
    map_name: &str,
    warnings: &mut Warnings,
) -> Result<(Option<Folder>, Option<PathBuf>), Fault> {
    let archive = format!("{map_name}.ROB");
    let given = match &options.art {
        Some(path) if path.is_dir() => Some(path.clone()),
        Some(path) => Some(root.find(&path.to_string_lossy(), warnings).unwrap_or_else(|| path.clone())),
        None => None,
    };
    let candidates = match given {
        Some(path) => vec![path],
        None => ["fxart", "3dart"].iter().filter_map(|name| root.find(name, warnings)).collect(),
    };
    let folders = candidates.iter().map(|path| Folder::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut first = None;
    for folder in folders {
        if let Some(path) = folder.find(&archive, warnings) {
            return Ok((Some(folder), Some(path)));
        }
        first.get_or_insert(folder);
    }
    let shown = first.as_ref().map_or(root.path(), Folder::path).join(&archive).display().to_string();
    warnings.add(Fault::of_file(&shown, "the file is missing: models are files alone"));
    Ok((first, None))
}

/// The items, if the item system is open (rule I31).
fn items(root: &Folder, system: &SystemSettings, warnings: &mut Warnings) -> Result<Option<GameItems>, Fault> {
    let name = system.item_ini.as_deref().unwrap_or("ITEM.INI");
    match named(root, name, "item_ini", warnings)? {
        Some(path) => {
            let content = Content::of(&path)?;
            items::read(&content.name, &content.bytes, warnings).map(Some)
        }
        None if system.item_ini.is_some() => Err(missing(root, name, "item_ini")),
        None => Ok(None),
    }
}

fn definitions(root: &Folder, warnings: &mut Warnings) -> Result<Option<DefinitionFile>, Fault> {
    match root.follow(&["soup386", "SOUP386.DEF"], warnings) {
        Some(path) => {
            let Content { name, bytes } = Content::of(&path)?;
            Ok(Some(DefinitionFile { definitions: definition::read(&name, &bytes, warnings)?, bytes }))
        }
        None => {
            let name = root.path().join("SOUP386/SOUP386.DEF").display().to_string();
            warnings.add(Fault::of_file(&name, "the file is missing: the built-in tables are in force"));
            Ok(None)
        }
    }
}

/// All maps of a game, in byte order of their names.
///
/// # Errors
/// The game folder cannot be read, or has no folder of maps.
pub(super) fn all_maps(folder: &Path, warnings: &mut Warnings) -> Result<Vec<PathBuf>, Fault> {
    let root = Folder::open(folder)?;
    let Some(maps) = root.find("maps", warnings) else {
        let reason = "there is no folder maps: give the folder of the game, in which SYSTEM.INI is";
        return Err(Fault::of_file(&folder.display().to_string(), reason));
    };
    Ok(Folder::open(&maps)?.with_extension("rgm"))
}

/// The definitions of a game, if it has the file.
///
/// # Errors
/// The file is there and wrong.
pub(super) fn definitions_of(folder: &Path, warnings: &mut Warnings) -> Result<Option<DefinitionFile>, Fault> {
    definitions(&Folder::open(folder)?, warnings)
}
