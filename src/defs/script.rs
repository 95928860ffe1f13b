//! Script texts: what a language front end is given to load.

use std::{collections::BTreeMap, path::PathBuf};

/// A scripting language, told from a file name's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `.lua` (Luau or PUC Lua 5.4, as built).
    Lua,
    /// `.rhai`.
    Rhai,
}

impl Language {
    /// The language of a script name, if its extension is known.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "lua" | "luau" => Some(Self::Lua),
            "rhai" => Some(Self::Rhai),
            _ => None,
        }
    }
}

/// Where `require` may look: beneath the script's own folder, or in memory, or nowhere.
#[derive(Clone, Debug, Default)]
pub enum ModuleSource {
    /// No module can be required.
    #[default]
    Nowhere,
    /// Files beneath this folder.
    Folder(PathBuf),
    /// Texts by module name.
    Listed(BTreeMap<String, String>),
}

/// A named script text.
#[derive(Clone, Debug)]
pub struct ScriptSource {
    /// The name that errors show; its extension tells the language.
    pub name: String,
    /// The text.
    pub text: String,
    /// Where its `require` looks.
    pub modules: ModuleSource,
}

impl ScriptSource {
    /// A script in memory that requires no modules.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), modules: ModuleSource::Nowhere }
    }
}
