//! Which scenarios failed last time, kept between runs for `--failed-first`.
//!
//! The file lies in the folder that `SOUP386_CACHE` names, else in `soup386` beneath the user's folder for caches, under a
//! name made of the current folder's.

use std::{collections::BTreeSet, env, fs, path::PathBuf};

use serde_json::{Value, json};

use super::report::{Round, Status};
use crate::cli::run::write_whole;

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 16 << 20;

type Failed = BTreeSet<(String, String)>;

fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("SOUP386_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|folder| folder.join("soup386")))
        .or_else(|| named("LOCALAPPDATA").map(|folder| folder.join("soup386")))
        .or_else(|| named("HOME").map(|folder| folder.join(".cache/soup386")))
}

fn file() -> Option<PathBuf> {
    let here = env::current_dir().ok()?.canonicalize().ok()?;
    let bytes = here.to_string_lossy();
    let hash = bytes
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    Some(folder()?.join(format!("failed-{hash:016x}.json")))
}

/// File and name of what failed last time. What cannot be read is as good as nothing.
pub(super) fn failed() -> Failed {
    let read = || {
        let file = file()?;
        let metadata = fs::metadata(&file).ok()?;
        let text = (metadata.len() <= MAX_FILE).then(|| fs::read_to_string(file).ok())??;
        let value: Value = serde_json::from_str(&text).ok()?;
        let pair = |pair: &Value| Some((pair.get(0)?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned()));
        Some(value.get("failed")?.as_array()?.iter().filter_map(pair).collect())
    };
    read().unwrap_or_default()
}

/// Keeps what failed now; what did not run stays as it was.
pub(super) fn remember(round: &Round) {
    let before = failed();
    let mut now = before.clone();
    for case in &round.cases {
        let name = (round.file(case.place).to_owned(), round.declared(case.place).name.clone());
        match case.status() {
            Status::Failed => drop(now.insert(name)),
            Status::Passed | Status::Skipped => drop(now.remove(&name)),
            Status::NotRun => {}
        }
    }
    let Some(file) = file().filter(|_| now != before) else { return };
    let text = format!("{}\n", json!({"failed": now}));
    let written =
        file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_whole(&file, &mut text.as_bytes()));
    if let Err(error) = written {
        tracing::info!("cannot keep which scenarios failed in {}: {error}", file.display());
    }
}
