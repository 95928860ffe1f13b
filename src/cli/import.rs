//! `soup386 import`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;

use super::{
    Outcome,
    game::GameArguments,
    output::to_stdout,
    problem::{Problem, print_warnings},
};
use crate::import::game::export::export;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 import --game Redguard --map ISLAND -o island\n  soup386 run --scene island/scene.toml walk.lua"
)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The folder to write, whole or not at all; it must not be there, or be empty.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(arguments: &ImportArguments) -> Result<Outcome, Problem> {
    let Some(options) = arguments.game.options() else {
        return Err(Problem::Other("which game? give its folder with --game DIR".to_owned()));
    };
    let target = &arguments.output;
    if fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_some()) || target.is_file() {
        return Err(Problem::Other(format!("{} is already there; nothing was written", target.display())));
    }
    let exported = export(&options)?;
    print_warnings(&exported.warnings);
    write_folder(target, &exported.files)?;
    to_stdout(|out| exported.files.iter().try_for_each(|(name, _)| writeln!(out, "{}", target.join(name).display())))?;
    Ok(Outcome::Held)
}

/// Writes a folder beside its place and then moves it there.
fn write_folder(target: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Problem> {
    let failed = |error| Problem::io(format!("cannot write {}", target.display()), error);
    let parent = target.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed)?;
    let folder = tempfile::Builder::new().prefix(".soup386-").tempdir_in(parent).map_err(failed)?;
    let inner = folder.path().join("scene");
    for (name, bytes) in files {
        let path = inner.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&inner)).map_err(failed)?;
        fs::write(path, bytes).map_err(failed)?;
    }
    fs::rename(&inner, target).map_err(failed)
}
