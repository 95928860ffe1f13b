//! Lists in the model, and in files of their own.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Saving, cannot_read, open, refused, save, write};
use crate::{
    cli::{Outcome, problem::Problem},
    import::{AttachmentFile, ContentRoot, is_content_path},
};

#[derive(Args)]
pub(crate) struct ExternalArguments {
    /// A typed model with its list in it.
    file: PathBuf,
    /// The new file, relative to the content root; it must not be there yet.
    path: String,
    /// The folder that the model names files in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    content_root: PathBuf,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn make_external(arguments: &ExternalArguments) -> Result<Outcome, Problem> {
    let ExternalArguments { file: path, path: content_path, content_root, saving } = arguments;
    let mut file = open(path)?;
    let list = file.make_external(content_path).map_err(|error| refused(path, &error))?;
    let target = content_root.join(content_path.replace('\\', "/"));
    if target.exists() {
        return Err(Problem::Other(format!("{} is already there; nothing was written", target.display())));
    }
    write(&target, &list)?;
    save(path, file.text(), saving).inspect_err(|_| {
        // Without the model's new text the new file would stand there for nothing.
        let _ = std::fs::remove_file(&target);
    })?;
    Ok(Outcome::Held)
}

#[derive(Args)]
pub(crate) struct InternalArguments {
    /// A typed model that names a list file.
    file: PathBuf,
    /// The folder that the model names files in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    content_root: PathBuf,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn make_internal(arguments: &InternalArguments) -> Result<Outcome, Problem> {
    let InternalArguments { file: path, content_root, saving } = arguments;
    let mut file = open(path)?;
    let Some(content_path) = file.external_paths().next().map(str::to_owned) else {
        return Err(Problem::Other(format!("{}: the model names no list file; nothing was written", path.display())));
    };
    let list = named(content_root, &content_path).map_err(|reason| match reason {
        Reason::Words(words) => Problem::Other(format!("{}: {content_path}: {words}", path.display())),
        Reason::Problem(problem) => problem,
    })?;
    file.make_internal(&list).map_err(|error| refused(path, &error))?;
    save(path, file.text(), saving)?;
    Ok(Outcome::Held)
}

enum Reason {
    Words(String),
    Problem(Problem),
}

fn named(content_root: &Path, path: &str) -> Result<AttachmentFile, Reason> {
    is_content_path(path).map_err(|reason| Reason::Words(reason.to_owned()))?;
    let place = ContentRoot::new(content_root).locate(path).map_err(Reason::Words)?;
    AttachmentFile::open(place).map_err(|error| Reason::Problem(cannot_read(error)))
}
