//! What is wrong with the attachments of a file.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;

use super::cannot_read;
use crate::{
    cli::{
        Outcome,
        output::{count, plain, to_stdout},
        problem::Problem,
    },
    defs::{Attachment, AttachmentList, Influence, Rig, did_you_mean},
    import::{AttachmentFile, ContentRoot, ModelClip, model_from_file},
};

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// A model or list file.
    file: PathBuf,
    /// The glTF file whose joints the attachments hang on; without it joints are not looked for.
    #[arg(long, value_name = "MODEL")]
    skeleton: Option<PathBuf>,
    /// Check the lists of files that are named, too; they lie in this folder.
    #[arg(long, value_name = "DIR")]
    content_root: Option<PathBuf>,
}

/// What was found: errors make the check fail, warnings do not.
#[derive(Default)]
struct Found {
    errors: Vec<String>,
    warnings: Vec<String>,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<Outcome, Problem> {
    let file = AttachmentFile::open_damaged(&arguments.file).map_err(cannot_read)?;
    let rig = arguments.skeleton.as_deref().map(joints).transpose()?;
    let mut found = Found::default();
    let (list, duplicates, warnings) = match &arguments.content_root {
        Some(root) => {
            let resolved = ContentRoot::new(root).resolve(&file).map_err(cannot_read)?;
            (resolved.list, resolved.duplicates, resolved.warnings)
        }
        None => {
            for path in file.external_paths() {
                found.warnings.push(format!("{path} is not looked at; --content-root says where it lies"));
            }
            (file.list(), file.duplicates().to_vec(), file.warnings().to_vec())
        }
    };
    for warning in warnings {
        // Read, but refused by the vendor's tool.
        let is_error = duplicates.contains(&warning);
        if is_error { &mut found.errors } else { &mut found.warnings }.push(warning.to_string());
    }
    check(&list, rig.as_ref(), &mut found);
    to_stdout(|out| report(out, &found, &list))?;
    Ok(if found.errors.is_empty() { Outcome::Held } else { Outcome::Failed })
}

fn joints(path: &Path) -> Result<Rig, Problem> {
    model_from_file(path, &ModelClip::default()).map(|model| model.rig).map_err(cannot_read)
}

fn check(list: &AttachmentList, rig: Option<&Rig>, found: &mut Found) {
    if let Some(rig) = rig {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        rig.joints().iter().for_each(|joint| *names.entry(joint.name.to_ascii_lowercase()).or_default() += 1);
        let twice = names.iter().filter(|(_, count)| **count > 1);
        found.warnings.extend(twice.map(|(name, n)| format!("{n} joints are named {name:?}: the first counts")));
    }
    for attachment in &list.attachments {
        let name = &attachment.name;
        let mut n_found = 0;
        for (i, influence) in attachment.influences.iter().enumerate() {
            let place = if attachment.influences.len() > 1 { format!("{name}, influence {i}") } else { name.clone() };
            let is_known = influence.root || rig.is_none_or(|rig| rig.joint_named(&influence.joint).is_some());
            n_found += usize::from(is_known);
            if let (false, Some(rig)) = (is_known, rig) {
                let joint = &influence.joint;
                let hint = did_you_mean(joint, rig.joints().iter().map(|joint| &*joint.name));
                found.errors.push(format!("{place}: the model has no joint {joint:?}{hint}"));
            }
            unused(attachment, influence, &place, found);
        }
        if n_found == 0 && !attachment.influences.is_empty() {
            found.errors.push(format!("{name}: none of its joints is there, so it is nowhere"));
        }
    }
}

/// What is written and does nothing.
fn unused(attachment: &Attachment, influence: &Influence, place: &str, found: &mut Found) {
    if influence.root && !influence.joint.is_empty() {
        found.warnings.push(format!("{place}: it hangs on the root, so the joint {:?} is not used", influence.joint));
    }
    let is_alone = attachment.influences.len() == 1;
    if is_alone && influence.weight != 1.0 {
        found.warnings.push(format!("{place}: the weight {} of the only influence is not used", influence.weight));
    }
    let others = attachment.influences.iter().any(|other| other.weight > 0.0);
    if !is_alone && influence.weight == 0.0 && others {
        found.warnings.push(format!("{place}: it has the weight 0, so it is not used"));
    }
    let crate::defs::Angles { pitch, yaw, roll } = influence.rotation;
    if attachment.ignore_rotation && [pitch, yaw, roll].iter().any(|angle| *angle != 0.0) {
        found.warnings.push(format!("{place}: the rotation is not used, since the attachment ignores it"));
    }
}

fn report(out: &mut dyn Write, found: &Found, list: &AttachmentList) -> io::Result<()> {
    for (kind, texts) in [("error", &found.errors), ("warning", &found.warnings)] {
        for text in texts {
            writeln!(out, "{kind}: {}", plain(text))?;
        }
    }
    let n = |texts: &[String], thing| count(texts.len() as u64, thing);
    let attachments = count(list.attachments.len() as u64, "attachment");
    writeln!(out, "{attachments}, {}, {}", n(&found.errors, "error"), n(&found.warnings, "warning"))
}
