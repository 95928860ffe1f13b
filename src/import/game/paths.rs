//! Finding files by names whose case does not count.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use super::{
    Warnings,
    bytes::{latin1, shown},
};
use crate::import::{Fault, no_file};

/// The longest game file that is read, in bytes.
const MAX_GAME_FILE: u64 = 64 << 20;

/// A path has at most so many bytes, as paths of the game's system do.
pub(super) const MAX_PATH: usize = 255;

/// The model that a path in a file selects: its last part without extension, upper case (rule I2).
pub(super) fn stem(path: &[u8]) -> String {
    let name = path.rsplit(|byte| matches!(byte, b'\\' | b'/' | b':')).next().unwrap_or_default();
    let end = name.iter().rposition(|&byte| byte == b'.').unwrap_or(name.len());
    latin1(&name[..end]).trim().to_ascii_uppercase()
}

/// The parts of a path in a file that is followed below the game folder (rule I2).
///
/// # Errors
/// Why the path is refused: it is empty, or leads out of the folder.
pub(super) fn parts(path: &str) -> Result<Vec<&str>, String> {
    let refuse = |why: &str| Err(format!("the path \"{}\" {why}", shown(path.as_bytes())));
    if path.len() > MAX_PATH {
        return refuse(&format!("has {} bytes, at most {MAX_PATH} are allowed", path.len()));
    }
    if path.starts_with(['\\', '/']) {
        return refuse("begins with a separator");
    }
    if path.contains(':') {
        return refuse("names a drive");
    }
    let parts: Vec<_> = path.split(['\\', '/']).filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return refuse("leads upwards");
    }
    if parts.is_empty() {
        return refuse("is empty");
    }
    Ok(parts)
}

/// A folder whose files are found without case (rule I1). Listings are kept: a map asks for many files.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Names by their lower-case form, in byte order.
    names: BTreeMap<Vec<u8>, Vec<OsString>>,
}

impl Folder {
    /// Lists a folder.
    pub(super) fn open(path: &Path) -> Result<Self, Fault> {
        let shown = path.display().to_string();
        let cannot = |error: std::io::Error| {
            let reason = match error.kind() {
                std::io::ErrorKind::NotADirectory => {
                    "it is a file: a game is given by its folder, in which SYSTEM.INI is".to_owned()
                }
                _ => error.to_string(),
            };
            Fault::of_file(&shown, format!("cannot read the folder: {reason}"))
        };
        let mut names: BTreeMap<_, Vec<OsString>> = BTreeMap::new();
        for entry in fs::read_dir(path).map_err(cannot)? {
            let name = entry.map_err(cannot)?.file_name();
            names.entry(name.as_encoded_bytes().to_ascii_lowercase()).or_default().push(name);
        }
        for spellings in names.values_mut() {
            spellings.sort_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
        }
        Ok(Self { path: path.to_owned(), names })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The entry of a name; of several spellings the first in byte order.
    pub(super) fn find(&self, name: &str, warnings: &mut Warnings) -> Option<PathBuf> {
        let spellings = self.names.get(&name.as_bytes().to_ascii_lowercase())?;
        let (first, others) = spellings.split_first()?;
        let path = self.path.join(first);
        if !others.is_empty() {
            let shown = path.display().to_string();
            let others: Vec<_> = others.iter().map(|name| name.to_string_lossy()).collect();
            warnings.add(Fault::of_file(&shown, format!("read, although there is also {}", others.join(", "))));
        }
        Some(path)
    }

    /// The file or folder that a path below this folder leads to.
    pub(super) fn follow(&self, parts: &[&str], warnings: &mut Warnings) -> Option<PathBuf> {
        let (first, rest) = parts.split_first()?;
        let path = self.find(first, warnings)?;
        if rest.is_empty() { Some(path) } else { Self::open(&path).ok()?.follow(rest, warnings) }
    }

    /// The names in the folder that end in an extension, in byte order.
    pub(super) fn with_extension(&self, extension: &str) -> Vec<PathBuf> {
        let names = self.names.values().filter_map(|spellings| spellings.first());
        let paths = names.map(|name| self.path.join(name));
        paths.filter(|path| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))).collect()
    }
}

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let shown = path.display().to_string();
    let fault = |reason: String| Fault::of_file(&shown, format!("cannot read the file: {reason}"));
    let metadata = fs::metadata(path).map_err(|error| fault(error.to_string()))?;
    if !metadata.is_file() {
        return Err(fault(no_file(path)));
    }
    if metadata.len() > MAX_GAME_FILE {
        return Err(fault(format!("it has {} bytes, at most {MAX_GAME_FILE} are read", metadata.len())));
    }
    fs::read(path).map_err(|error| fault(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_selects_a_model_by_its_stem() {
        // I2.
        let stems = [&b"3dart\\cyrsa001.3d"[..], b"fxart/Sabre.3DC", b"D:x.y.3d", b"3dart\\", b"PLAIN"].map(stem);
        assert_eq!(stems, ["CYRSA001", "SABRE", "X.Y", "", "PLAIN"]);
    }

    #[test]
    fn paths_stay_below_the_game_folder() {
        // I2.
        assert_eq!(parts("MAPS\\start.rgm").expect("a path"), ["MAPS", "start.rgm"]);
        for (path, why) in
            [("..\\x", "upwards"), ("a/../../x", "upwards"), ("C:x", "drive"), ("\\x", "separator"), ("", "empty")]
        {
            assert!(parts(path).expect_err("refused").contains(why), "{path}");
        }
    }
}
