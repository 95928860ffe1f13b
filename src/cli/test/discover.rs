//! Finding scenario files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{cli::problem::Problem, defs::Language, import::script_from_file, scenario::declares};

/// How deep folders are searched.
const DEEPEST: usize = 32;
/// Scripts that are looked at in folders.
const MOST_FILES: usize = 100_000;

/// A file that may declare scenarios.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Whether it was named, and not found in a folder: then it must declare some.
    pub(super) named: bool,
}

/// The scripts named, and those in folders that declare scenarios, each once, by their paths.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<Found>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        let metadata =
            fs::metadata(path).map_err(|error| Problem::io(format!("cannot read {}", path.display()), error))?;
        if metadata.is_dir() {
            folder(path, 0, &mut found)?;
        } else {
            found.push(Found { path: plain(path), named: true });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path).then(b.named.cmp(&a.named)));
    found.dedup_by(|later, earlier| later.path == earlier.path);
    Ok(found)
}

/// Hidden folders and what compilers leave are passed over; links to folders are not followed.
fn folder(path: &Path, depth: usize, found: &mut Vec<Found>) -> Result<(), Problem> {
    let failed = |error| Problem::io(format!("cannot read the folder {}", path.display()), error);
    if depth > DEEPEST {
        return Err(Problem::Other(format!("{}: folders are nested more than {DEEPEST} deep", path.display())));
    }
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (entry_path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        match entry.file_type().map_err(failed)? {
            kind if kind.is_dir() => folder(&entry_path, depth + 1, found)?,
            _ if is_scenario_file(&entry_path, &name) => found.push(Found { path: plain(&entry_path), named: false }),
            _ => {}
        }
        if found.len() > MOST_FILES {
            return Err(Problem::Other(format!("{}: more than {MOST_FILES} scenario files", path.display())));
        }
    }
    Ok(())
}

/// Whether a file is a script of a language that is built in, and declares scenarios. One that cannot be read may do so:
/// what is wrong with it is told when it is read for good.
fn is_scenario_file(path: &Path, name: &str) -> bool {
    let Some(language) = Language::of_name(name).filter(|language| is_built_in(*language)) else { return false };
    script_from_file(path).map_or(path.is_file(), |source| declares(language, &source.text))
}

fn is_built_in(language: Language) -> bool {
    match language {
        Language::Lua => cfg!(any(feature = "luau", feature = "lua54")),
        Language::Rhai => cfg!(feature = "rhai"),
    }
}

/// `./a.lua` is `a.lua`.
fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").map_or_else(|_| path.to_owned(), Path::to_owned)
}
