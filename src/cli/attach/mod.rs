//! `soup386 attach`: attachment lists in files.

mod change;
mod check;
mod convert;
mod list;
mod share;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{
    Outcome,
    output::{message, plain, to_file_or_stdout},
    problem::Problem,
    run::write_whole,
};
use crate::import::{AttachmentFile, EditError, ImportError};

#[derive(Subcommand)]
pub(crate) enum AttachCommand {
    /// Lists the attachments of a file.
    #[command(
        after_help = "Examples:\n  soup386 attach list hero.vmdl\n  soup386 attach list hero.vmdl --content-root content --json"
    )]
    List(list::ListArguments),
    /// Adds an attachment; a new .attach or .vmdl_prefab file is made when there is none.
    #[command(
        after_help = "Examples:\n  soup386 attach add hero.attach hand_r --joint wrist_r --offset 4,0,-1.5\n  soup386 attach add hero.vmdl muzzle --root --angles 0,90,0 --backup"
    )]
    Add(change::AddArguments),
    /// Changes an attachment; what is not named stays as it is written.
    #[command(
        after_help = "Examples:\n  soup386 attach set hero.vmdl hand_r --offset 4,0,-1\n  soup386 attach set hero.vmdl hand_r --influence 1 --joint elbow_r --weight 0.5"
    )]
    Set(change::SetArguments),
    /// Gives an attachment another name.
    #[command(
        after_help = "Examples:\n  soup386 attach rename hero.vmdl hand_r weapon_r\n  soup386 attach rename hero.attach HAND_R hand_r"
    )]
    Rename(change::RenameArguments),
    /// Takes attachments out.
    #[command(
        after_help = "Examples:\n  soup386 attach remove hero.vmdl hat\n  soup386 attach remove hero.attach hat hip_l --backup"
    )]
    Remove(change::RemoveArguments),
    /// Moves the list of a model into a file of its own, which the model then names.
    #[command(
        after_help = "Examples:\n  soup386 attach make-external content/models/hero.vmdl models/hero.attach --content-root content\n  soup386 attach make-external new.vmdl points.vmdl_prefab --backup"
    )]
    MakeExternal(share::ExternalArguments),
    /// Moves the list from a file that a model names into the model. The file stays.
    #[command(
        after_help = "Examples:\n  soup386 attach make-internal content/models/hero.vmdl --content-root content\n  soup386 attach make-internal new.vmdl models/points.vmdl_prefab --backup"
    )]
    MakeInternal(share::InternalArguments),
    /// Writes the attachments of a file in another form.
    #[command(
        after_help = "Examples:\n  soup386 attach convert hero.vmdl --to modeldoc > hero.vmdl_prefab\n  soup386 attach convert new.vmdl --to typed --output old.attach"
    )]
    Convert(convert::ConvertArguments),
    /// Looks for joints that a model does not have, names that come twice, weights and influences that do nothing.
    #[command(
        after_help = "Examples:\n  soup386 attach check hero.vmdl --skeleton hero.glb\n  soup386 attach check hero.vmdl --skeleton hero.glb --content-root content"
    )]
    Check(check::CheckArguments),
}

/// What every change takes.
#[derive(Args)]
struct Saving {
    /// Keep the file as it was beside it, with .bak at the end of its name.
    #[arg(long)]
    backup: bool,
}

pub(crate) fn run(command: &AttachCommand) -> Result<Outcome, Problem> {
    match command {
        AttachCommand::List(arguments) => list::run(arguments),
        AttachCommand::Add(arguments) => change::add(arguments),
        AttachCommand::Set(arguments) => change::set(arguments),
        AttachCommand::Rename(arguments) => change::rename(arguments),
        AttachCommand::Remove(arguments) => change::remove(arguments),
        AttachCommand::MakeExternal(arguments) => share::make_external(arguments),
        AttachCommand::MakeInternal(arguments) => share::make_internal(arguments),
        AttachCommand::Convert(arguments) => convert::run(arguments),
        AttachCommand::Check(arguments) => check::run(arguments),
    }
}

fn cannot_read(error: ImportError) -> Problem {
    Problem::Library { error: error.into(), sources: Vec::new() }
}

/// Reads a file and says what is odd about it.
fn open(path: &Path) -> Result<AttachmentFile, Problem> {
    let file = AttachmentFile::open(path).map_err(cannot_read)?;
    warn(&file);
    Ok(file)
}

fn warn(file: &AttachmentFile) {
    for warning in file.warnings() {
        message(format_args!("warning: {}", plain(&warning.to_string())));
    }
}

fn refused(path: &Path, error: &EditError) -> Problem {
    Problem::Other(format!("{}: {error}; nothing was written", path.display()))
}

/// Writes a changed file, whole or not at all.
fn save(path: &Path, text: &str, saving: &Saving) -> Result<(), Problem> {
    let before = std::fs::metadata(path).ok();
    if saving.backup && before.is_some() {
        let backup = backup_of(path);
        let failed = |error| Problem::io(format!("cannot write {}; nothing was changed", backup.display()), error);
        let kept = std::fs::read(path).map_err(failed)?;
        write_whole(&backup, &mut &kept[..]).map_err(failed)?;
    }
    to_file_or_stdout(Some(path), text.as_bytes())?;
    // The new file stands in for the old one, so it may be read by whoever could read that.
    if let Some(before) = before {
        let _ = std::fs::set_permissions(path, before.permissions());
    }
    Ok(())
}

fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    name.into()
}
