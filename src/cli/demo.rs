//! `soup386 demo`.

use std::{fs, path::PathBuf};

use clap::Args;

use super::{Outcome, output::to_stdout, problem::Problem, run::write_whole};
use crate::import::{demo_files, demo_game_files};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 demo duel && soup386 run --scene duel/scene.toml\n  soup386 demo game --as-game && soup386 run --game game game/draw_and_sheathe.lua"
)]
pub(crate) struct DemoArguments {
    /// The folder to write to; it is made if it is not there. Files that are there already are left alone.
    folder: PathBuf,
    /// Write a folder of the game's own file formats instead of a scene.
    #[arg(long)]
    as_game: bool,
}

pub(crate) fn run(arguments: &DemoArguments) -> Result<Outcome, Problem> {
    let folder = &arguments.folder;
    let failed = |what: String| move |error| Problem::io(what, error);
    fs::create_dir_all(folder).map_err(failed(format!("cannot make the folder {}", folder.display())))?;
    let files: Vec<(String, Vec<u8>)> = if arguments.as_game {
        demo_game_files()
    } else {
        demo_files().into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
    };
    if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
        return Err(Problem::Other(format!("{} is already there; nothing was written", folder.join(name).display())));
    }
    let mut written = String::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(format!("cannot make the folder {}", parent.display())))?;
        }
        write_whole(&path, &mut bytes.as_slice()).map_err(failed(format!("cannot write {}", path.display())))?;
        written += &format!("{}\n", path.display());
    }
    to_stdout(|out| out.write_all(written.as_bytes()))?;
    Ok(Outcome::Held)
}
