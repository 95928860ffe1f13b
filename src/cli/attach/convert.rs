//! Attachments in another form.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{cannot_read, open, refused};
use crate::{
    cli::{
        Outcome,
        output::{message, to_file_or_stdout},
        problem::Problem,
    },
    import::{ContentRoot, Form, converted},
};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Typed text, as an .attach file.
    Typed,
    /// ModelDoc, as a .vmdl_prefab file.
    Modeldoc,
}

#[derive(Args)]
pub(crate) struct ConvertArguments {
    /// A model or list file.
    file: PathBuf,
    /// The form to write. Only attachments are written, not the rest of a model.
    #[arg(long, value_enum)]
    to: Target,
    /// Where to write; without it to stdout. What is there is replaced.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Take in the lists of files that are named, which lie in this folder.
    #[arg(long, value_name = "DIR")]
    content_root: Option<PathBuf>,
}

pub(super) fn run(arguments: &ConvertArguments) -> Result<Outcome, Problem> {
    let ConvertArguments { file: path, to, output, content_root } = arguments;
    let file = open(path)?;
    let list = match content_root {
        Some(root) => ContentRoot::new(root).resolve(&file).map_err(cannot_read)?.list,
        None => {
            for path in file.external_paths() {
                message(format_args!("warning: {path} is left out; --content-root says where it lies"));
            }
            file.list()
        }
    };
    let form = if *to == Target::Typed { Form::Typed } else { Form::ModelDoc };
    let (converted, lost) = converted("", form, &list).map_err(|error| refused(path, &error))?;
    for lost in lost {
        message(format_args!("warning: {lost}"));
    }
    to_file_or_stdout(output.as_deref(), converted.text().as_bytes())?;
    Ok(Outcome::Held)
}
