//! Finding the modules of a script: by name beneath its own folder, or in memory; alike for every language.

use std::{fs, path::Path};

use crate::defs::ModuleSource;

/// The longest module that is read, in bytes.
const MAX_MODULE: u64 = 4 << 20;

/// The text of a module; `extension` is that of the language.
pub(super) fn module_text(modules: &ModuleSource, name: &str, extension: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.split('/').all(|part| !part.is_empty() && part.chars().all(allowed)) {
        return Err("a module name has letters, digits, _ and -, with / between folders".to_owned());
    }
    match modules {
        ModuleSource::Nowhere => Err("this script has no folder to find modules in".to_owned()),
        ModuleSource::Listed(texts) => {
            let text = texts.get(name).or_else(|| texts.get(&format!("{name}.{extension}")));
            text.cloned().ok_or_else(|| "no such module".to_owned())
        }
        ModuleSource::Folder(folder) => module_file(folder, &format!("{name}.{extension}")),
    }
}

/// Links that lead out of the folder are not followed.
fn module_file(folder: &Path, name: &str) -> Result<String, String> {
    let shown = |error: std::io::Error| error.to_string();
    let root = folder.canonicalize().map_err(shown)?;
    let file = root.join(name).canonicalize().map_err(|_| format!("no file {name} beneath the script's folder"))?;
    if !file.starts_with(&root) {
        return Err("the file lies outside the script's folder".to_owned());
    }
    let metadata = fs::metadata(&file).map_err(shown)?;
    if !metadata.is_file() || metadata.len() > MAX_MODULE {
        return Err(format!("not a regular file of at most {MAX_MODULE} bytes"));
    }
    fs::read_to_string(&file).map_err(shown)
}
