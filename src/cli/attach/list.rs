//! The attachments of a file, as a table.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{cannot_read, open};
use crate::{
    cli::{
        Outcome,
        output::{Align, Table, message, plain, to_stdout},
        problem::Problem,
    },
    defs::{Angles, Attachment, AttachmentList, Influence},
    import::ContentRoot,
};

#[derive(Args)]
pub(crate) struct ListArguments {
    /// A model or list file.
    file: PathBuf,
    /// Show the lists of files that are named, too; they lie in this folder.
    #[arg(long, value_name = "DIR")]
    content_root: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &ListArguments) -> Result<Outcome, Problem> {
    let file = open(&arguments.file)?;
    let list = match &arguments.content_root {
        Some(root) => {
            let resolved = ContentRoot::new(root).resolve(&file).map_err(cannot_read)?;
            let others = resolved.warnings.iter().filter(|warning| warning.file != file.name());
            others.for_each(|warning| message(format_args!("warning: {}", plain(&warning.to_string()))));
            resolved.list
        }
        None => file.list(),
    };
    if arguments.json {
        to_stdout(|out| writeln!(out, "{:#}", json!(list.attachments)))?;
    } else {
        table(&list)?;
    }
    Ok(Outcome::Held)
}

fn table(list: &AttachmentList) -> Result<(), Problem> {
    let columns =
        [("name", Align::Left), ("joint", Align::Left), ("offset", Align::Right), ("pitch yaw roll", Align::Right)];
    let columns = columns.into_iter().chain([("weight", Align::Right)]);
    to_stdout(|out| {
        let mut table = Table::new(columns.map(|(name, align)| (name.to_owned(), align)));
        for attachment in &list.attachments {
            for (i, influence) in attachment.influences.iter().enumerate() {
                table.row(out, row(attachment, i, influence))?;
            }
        }
        table.finish(out)
    })
}

fn row(attachment: &Attachment, i: usize, influence: &Influence) -> Vec<String> {
    let name = if i == 0 { plain(&attachment.name) } else { String::new() };
    let joint = if influence.root { "(root)".to_owned() } else { plain(&influence.joint) };
    let Angles { pitch, yaw, roll } = influence.rotation;
    let angles = if attachment.ignore_rotation { "(ignored)".to_owned() } else { triple([pitch, yaw, roll]) };
    vec![name, joint, triple(influence.translation), angles, influence.weight.to_string()]
}

fn triple([a, b, c]: [f64; 3]) -> String {
    format!("{a} {b} {c}")
}
