//! Reading outside formats into a scene. Alone in knowing files and text formats.
//!
//! Readers are strict and bounded: nothing is allocated from a number before the data behind it is there, and every
//! fault names file, line, column and key path.

mod attach_list;
mod demo;
mod fault;
pub mod game;
#[cfg_attr(not(feature = "gltf"), path = "gltf_absent.rs")]
mod gltf;
mod model_file;
mod program;
mod reader;
mod scene;
mod scene_files;

pub use attach_list::{
    AttachmentFile, AttachmentPlace, ContentRoot, EditError, Form, Resolved, attachment_text, converted,
    is_content_path,
};
pub use fault::{Fault, ImportError};
pub use gltf::{model_from_bytes, model_from_file};
pub use model_file::{ModelClip, ModelFrames};

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::defs::{ModuleSource, Scene, ScriptSource};

/// The director of the demo: draws and sheathes, and says what happens to the sword.
pub const DEMO_DIRECTOR: (&str, &str) = ("draw_and_sheathe.lua", include_str!("../../scripts/draw_and_sheathe.lua"));

/// The demo as files to start from: names and texts.
#[must_use]
pub fn demo_files() -> Vec<(&'static str, String)> {
    let (name, director) = DEMO_DIRECTOR;
    let scene = demo::scene_toml().replacen("seed = 1\n", &format!("seed = 1\ndirector = \"{name}\"\n"), 1);
    vec![("scene.toml", scene), (name, director.to_owned())]
}

/// The demo as a game folder: paths with `/`, and bytes. Its map is DEMO.
///
/// # Panics
/// Never: the demo is tested to fit into the game's files.
#[must_use]
pub fn demo_game_files() -> Vec<(String, Vec<u8>)> {
    let files = match game::write::game_files(&Scene::demo(), "DEMO") {
        Ok(files) => files,
        Err(error) => panic!("the built-in demo does not fit into the game's files: {error}"),
    };
    let (name, director) = DEMO_DIRECTOR;
    let director = (name.to_owned(), director.as_bytes().to_vec());
    files.into_iter().map(|file| (file.path, file.bytes)).chain([director]).collect()
}

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;

impl Scene {
    /// The built-in demo: a fencer who can draw, sheathe and walk, and a guard.
    ///
    /// # Panics
    /// Never: the demo is tested to be valid.
    #[must_use]
    pub fn demo() -> Self {
        match Self::from_toml("demo/scene.toml", &demo::scene_toml(), &ModuleSource::Nowhere) {
            Ok(scene) => scene,
            Err(error) => panic!("the built-in demo is not valid: {error}"),
        }
    }

    /// A scene from its text. `name` is the file name that faults show; scripts that it names are looked up in `files`.
    ///
    /// # Errors
    /// [`ImportError`] with all faults found.
    ///
    /// # Source
    /// Rule S2.
    pub fn from_toml(name: &str, text: &str, files: &ModuleSource) -> Result<Self, ImportError> {
        scene::read(name, text, files).map_err(ImportError)
    }

    /// A scene from a file; scripts that it names lie relative to it.
    ///
    /// # Errors
    /// [`ImportError`] when the file cannot be read, with all faults found in it.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read_text(path).map_err(|reason| ImportError(vec![Fault::of_file(&name, reason)]))?;
        Self::from_toml(&name, &text, &ModuleSource::Folder(folder_of(path)))
    }
}

/// A script from a file; what it requires lies beneath the file's folder.
///
/// # Errors
/// [`ImportError`] when the file cannot be read.
pub fn script_from_file(path: impl AsRef<Path>) -> Result<ScriptSource, ImportError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let text = read_text(path).map_err(|reason| ImportError(vec![Fault::of_file(&name, reason)]))?;
    Ok(ScriptSource { name, text, modules: ModuleSource::Folder(folder_of(path)) })
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// What a path is that leads to no file, and what to do with it.
pub(crate) fn no_file(path: &Path) -> String {
    let has = |name: &str| path.join(name).is_file();
    match path.is_dir() {
        true if has("scene.toml") => format!("it is a folder; its scene is {}", path.join("scene.toml").display()),
        true if has("SYSTEM.INI") || has("system.ini") => {
            "it is the folder of a game, for run --game, import --game and census".to_owned()
        }
        true => "it is a folder".to_owned(),
        false => "it is not a regular file".to_owned(),
    }
}

/// The bytes of a file, or why there are none.
fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("cannot read the file: {error}");
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(format!("cannot read the file: {}", no_file(path)));
    }
    if metadata.len() > MAX_FILE {
        return Err(format!("the file has {} bytes; at most {MAX_FILE} are read", metadata.len()));
    }
    fs::read(path).map_err(cannot)
}

/// The text of a file, or why there is none.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let is_map = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("rgm"));
        let hint = if is_map { "; a map of a game is taken with --game FOLDER --map NAME" } else { "" };
        format!("the file is not UTF-8 text: byte {at} (hex {at:X}) begins no character{hint}")
    })
}
