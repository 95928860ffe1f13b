//! Lists in the model, and in files of their own.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Saving, cannot_read, open, refused, save};
use crate::{
    cli::{
        Outcome,
        output::{message, to_file_or_stdout},
        problem::Problem,
    },
    import::{AttachmentFile, ContentRoot, is_content_path},
};

#[derive(Args)]
pub(crate) struct ExternalArguments {
    /// A model with its list in it.
    file: PathBuf,
    /// The new file, relative to the content root: an .attach file, for ModelDoc a .vmdl_prefab file. It must not be
    /// there yet.
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
    to_file_or_stdout(Some(&target), list.as_bytes())?;
    save(path, file.text(), saving).inspect_err(|_| {
        // Without the model's new text the new file would stand there for nothing.
        let _ = std::fs::remove_file(&target);
    })?;
    Ok(Outcome::Held)
}

#[derive(Args)]
pub(crate) struct InternalArguments {
    /// A model that names a list file.
    file: PathBuf,
    /// The list file, as the model names it; needed when it names several.
    path: Option<String>,
    /// The folder that the model names files in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    content_root: PathBuf,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn make_internal(arguments: &InternalArguments) -> Result<Outcome, Problem> {
    let InternalArguments { file: path, path: chosen, content_root, saving } = arguments;
    let mut file = open(path)?;
    let content_path = match chosen {
        Some(chosen) => chosen.clone(),
        None => only_list(&file, content_root)?,
    };
    let list = named(content_root, &content_path).map_err(|reason| reason.of(path, &content_path))?;
    file.make_internal(&content_path, &list).map_err(|error| refused(path, &error))?;
    save(path, file.text(), saving)?;
    if list.form() != file.form() {
        let (from, to) = (list.form().name(), file.form().name());
        message(format_args!("warning: {content_path} is {from}, the model {to}: attachments moved in, nothing else"));
    }
    Ok(Outcome::Held)
}

/// The only file that the model names for its attachments. Prefabs may hold anything, so several are looked at.
fn only_list(file: &AttachmentFile, content_root: &Path) -> Result<String, Problem> {
    let may_hold = |path: &&str| named(content_root, path).map_or(true, |named| !named.references().is_empty());
    let mut paths: Vec<&str> = file.external_paths().collect();
    if paths.len() > 1 {
        paths.retain(may_hold);
    }
    let reason = match paths[..] {
        [path] => return Ok(path.to_owned()),
        [] => "the model names no list file".to_owned(),
        _ => format!("say which of the files that the model names is to move in: {}", paths.join(", ")),
    };
    Err(Problem::Other(format!("{}: {reason}; nothing was written", file.name())))
}

enum Reason {
    Words(String),
    Problem(Problem),
}

impl Reason {
    fn of(self, file: &Path, path: &str) -> Problem {
        match self {
            Self::Words(words) => Problem::Other(format!("{}: {path}: {words}; nothing was written", file.display())),
            Self::Problem(problem) => problem,
        }
    }
}

fn named(content_root: &Path, path: &str) -> Result<AttachmentFile, Reason> {
    is_content_path(path).map_err(|reason| Reason::Words(reason.to_owned()))?;
    let place = ContentRoot::new(content_root).locate(path).map_err(Reason::Words)?;
    AttachmentFile::open(place).map_err(|error| Reason::Problem(cannot_read(error)))
}
