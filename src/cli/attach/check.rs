//! What is wrong with the attachments of a file.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::json;

use super::cannot_read;
use crate::{
    cli::{
        Outcome,
        output::{count, plain, to_stdout},
        problem::Problem,
    },
    defs::{Attachment, Influence, ListReference, Rig, did_you_mean},
    import::{AttachmentFile, AttachmentPlace, ContentRoot, Fault, ModelClip, model_from_file},
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
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// What was found: errors make the check fail, warnings do not.
#[derive(Default)]
struct Found {
    errors: Vec<Fault>,
    warnings: Vec<Fault>,
}

/// Close names are looked for in so many errors: it takes longer than all else.
const MAX_HINTS: usize = 100;

/// So many files that are not looked at are told one by one.
const MAX_FILES: usize = 50;

pub(super) fn run(arguments: &CheckArguments) -> Result<Outcome, Problem> {
    let file = AttachmentFile::open_damaged(&arguments.file).map_err(cannot_read)?;
    let skeleton = arguments.skeleton.as_deref();
    let rig = skeleton.map(joints).transpose()?;
    let mut found = Found::default();
    let resolved = match &arguments.content_root {
        Some(root) => ContentRoot::new(root).resolve(&file).map_err(cannot_read)?,
        None => {
            not_looked_at(&file, &mut found);
            file.resolved_alone()
        }
    };
    // Read, but refused by the vendor's tool.
    let duplicates: BTreeSet<String> = resolved.duplicates.iter().map(ToString::to_string).collect();
    for warning in &resolved.warnings {
        let is_error = duplicates.contains(&warning.to_string());
        if is_error { &mut found.errors } else { &mut found.warnings }.push(warning.clone());
    }
    if let Some((path, rig)) = skeleton.zip(rig.as_ref()) {
        names_of(rig, path, &mut found);
    }
    for (attachment, place) in resolved.list.attachments.iter().zip(&resolved.places) {
        check(attachment, place, rig.as_ref(), &mut found);
    }
    let n = resolved.list.attachments.len();
    to_stdout(|out| if arguments.json { write_json(out, &found, n) } else { report(out, &found, n) })?;
    Ok(if found.errors.is_empty() { Outcome::Held } else { Outcome::Failed })
}

fn joints(path: &Path) -> Result<Rig, Problem> {
    model_from_file(path, &ModelClip::default()).map(|model| model.rig).map_err(cannot_read)
}

fn not_looked_at(file: &AttachmentFile, found: &mut Found) {
    let files = file.references().iter().enumerate().filter_map(|(at, reference)| match reference {
        ListReference::External { path } => Some((at, path)),
        _ => None,
    });
    for (at, path) in files.clone().take(MAX_FILES) {
        let reason = format!("{path} is not looked at; --content-root says where it lies");
        found.warnings.push(file.fault_at_reference(at, reason));
    }
    let n = files.count();
    if n > MAX_FILES {
        let reason = format!("{} more files are not looked at", n - MAX_FILES);
        found.warnings.push(Fault::of_file(file.name(), reason));
    }
}

fn names_of(rig: &Rig, path: &Path, found: &mut Found) {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    rig.joints().iter().for_each(|joint| *names.entry(joint.name.to_ascii_lowercase()).or_default() += 1);
    let path = path.display().to_string();
    for (name, n) in names.iter().filter(|(_, count)| **count > 1) {
        found.warnings.push(Fault::of_file(&path, format!("{n} joints are named {name:?}: the first counts")));
    }
}

fn check(attachment: &Attachment, place: &AttachmentPlace, rig: Option<&Rig>, found: &mut Found) {
    let name = &attachment.name;
    let mut n_found = 0;
    for (i, influence) in attachment.influences.iter().enumerate() {
        let about = if attachment.influences.len() > 1 { format!("{name}, influence {i}") } else { name.clone() };
        let is_known = influence.root || rig.is_none_or(|rig| rig.joint_named(&influence.joint).is_some());
        n_found += usize::from(is_known);
        if let (false, Some(rig)) = (is_known, rig) {
            let joint = &influence.joint;
            let names = rig.joints().iter().map(|joint| &*joint.name);
            let hint = if found.errors.len() < MAX_HINTS { did_you_mean(joint, names) } else { String::new() };
            let reason = format!("the model has no joint {joint:?}{hint}");
            found.errors.push(place.fault(Some(i), &about, reason));
        }
        let unused = unused(attachment, influence).into_iter();
        found.warnings.extend(unused.map(|reason| place.fault(Some(i), &about, reason)));
    }
    if n_found == 0 && !attachment.influences.is_empty() {
        found.errors.push(place.fault(None, name, "none of its joints is there, so it is nowhere"));
    }
}

/// What is written and does nothing.
fn unused(attachment: &Attachment, influence: &Influence) -> Vec<String> {
    let mut reasons = Vec::new();
    if influence.root && !influence.joint.is_empty() {
        reasons.push(format!("it hangs on the root, so the joint {:?} is not used", influence.joint));
    }
    let is_alone = attachment.influences.len() == 1;
    if is_alone && influence.weight != 1.0 {
        reasons.push(format!("the weight {} of the only influence is not used", influence.weight));
    }
    let others = attachment.influences.iter().any(|other| other.weight > 0.0);
    if !is_alone && influence.weight == 0.0 && others {
        reasons.push("it has the weight 0, so it is not used".to_owned());
    }
    let crate::defs::Angles { pitch, yaw, roll } = influence.rotation;
    if attachment.ignore_rotation && [pitch, yaw, roll].iter().any(|angle| *angle != 0.0) {
        reasons.push("the rotation is not used, since the attachment ignores it".to_owned());
    }
    reasons
}

fn report(out: &mut dyn Write, found: &Found, n_attachments: usize) -> io::Result<()> {
    for (kind, faults) in [("error", &found.errors), ("warning", &found.warnings)] {
        for fault in faults {
            writeln!(out, "{kind}: {}", plain(&fault.to_string()))?;
        }
    }
    let n = |faults: &[Fault], thing| count(faults.len() as u64, thing);
    let attachments = count(n_attachments as u64, "attachment");
    writeln!(out, "{attachments}, {}, {}", n(&found.errors, "error"), n(&found.warnings, "warning"))
}

fn write_json(out: &mut dyn Write, found: &Found, n_attachments: usize) -> io::Result<()> {
    let fault = |fault: &Fault| {
        let (line, column) = fault.place.unzip();
        json!({ "file": fault.file, "line": line, "column": column, "about": fault.path, "reason": fault.reason })
    };
    let faults = |faults: &[Fault]| faults.iter().map(fault).collect::<Vec<_>>();
    let (errors, warnings) = (faults(&found.errors), faults(&found.warnings));
    writeln!(out, "{:#}", json!({ "attachments": n_attachments, "errors": errors, "warnings": warnings }))
}
