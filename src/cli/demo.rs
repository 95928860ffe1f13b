//! `soup386 demo`.

use std::{fs, path::PathBuf};

use clap::Args;

use super::{Outcome, output::to_stdout, problem::Problem, run::write_whole};
use crate::import::demo_files;

#[derive(Args)]
#[command(after_help = "Examples:\n  soup386 demo duel\n  soup386 run --scene duel/scene.toml")]
pub(crate) struct DemoArguments {
    /// The folder to write to; it is made if it is not there. Files that are there already are left alone.
    folder: PathBuf,
}

pub(crate) fn run(arguments: &DemoArguments) -> Result<Outcome, Problem> {
    let folder = &arguments.folder;
    let failed = |what: String| move |error| Problem::io(what, error);
    fs::create_dir_all(folder).map_err(failed(format!("cannot make the folder {}", folder.display())))?;
    let files = demo_files();
    if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
        return Err(Problem::Other(format!("{} is already there; nothing was written", folder.join(name).display())));
    }
    let mut written = String::new();
    for (name, text) in files {
        let path = folder.join(name);
        write_whole(&path, &mut text.as_bytes()).map_err(failed(format!("cannot write {}", path.display())))?;
        written += &format!("{}\n", path.display());
    }
    to_stdout(|out| out.write_all(written.as_bytes()))?;
    Ok(Outcome::Held)
}
