//! Adding, changing, renaming and removing attachments.

use std::path::PathBuf;

use clap::Args;

use super::{Saving, open, refused, save};
use crate::{
    cli::{Outcome, problem::Problem},
    defs::{Angles, Attachment, AttachmentList, Influence},
    import::{AttachmentFile, EditError, Form},
};

/// What an influence is to be.
#[derive(Args)]
struct Values {
    /// The joint that it hangs on.
    #[arg(long, value_name = "NAME", conflicts_with = "root")]
    joint: Option<String>,
    /// It hangs on the root of the model.
    #[arg(long)]
    root: bool,
    /// Offset in the axes of the joint, in units of the model file.
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, allow_hyphen_values = true)]
    offset: Option<[f64; 3]>,
    /// Rotation in the axes of the joint, in degrees, whatever the order in the file is.
    #[arg(long, value_name = "PITCH,YAW,ROLL", value_parser = triple, allow_hyphen_values = true)]
    angles: Option<[f64; 3]>,
    /// Its part among several influences.
    #[arg(long, value_name = "N")]
    weight: Option<f64>,
    /// Whether the attachment keeps the orientation of the model (ModelDoc files only).
    #[arg(long, value_name = "true|false")]
    ignore_rotation: Option<bool>,
}

fn triple(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').map_while(|part| part.trim().parse().ok()).collect();
    match (<[f64; 3]>::try_from(numbers), text.split(',').count()) {
        (Ok(triple), 3) if triple.iter().all(|number| number.is_finite()) => Ok(triple),
        _ => Err("expected three numbers with commas between them".to_owned()),
    }
}

impl Values {
    fn apply(&self, influence: &mut Influence, attachment: &mut bool) {
        if let Some(joint) = &self.joint {
            joint.clone_into(&mut influence.joint);
            influence.root = false;
        }
        if self.root {
            influence.joint.clear();
            influence.root = true;
        }
        if let Some(offset) = self.offset {
            influence.translation = offset;
        }
        if let Some([pitch, yaw, roll]) = self.angles {
            influence.rotation = Angles { pitch, yaw, roll };
        }
        influence.weight = self.weight.unwrap_or(influence.weight);
        *attachment = self.ignore_rotation.unwrap_or(*attachment);
    }

    /// A new influence of these values; of the root when no joint is named.
    fn influence(&self, ignore_rotation: &mut bool) -> Influence {
        let mut influence = Influence::new("");
        self.apply(&mut influence, ignore_rotation);
        influence
    }
}

#[derive(Args)]
pub(crate) struct AddArguments {
    /// A model or list file.
    file: PathBuf,
    /// The new attachment.
    name: String,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn add(arguments: &AddArguments) -> Result<Outcome, Problem> {
    let AddArguments { file: path, name, values, saving } = arguments;
    let mut ignore_rotation = false;
    let influences = vec![values.influence(&mut ignore_rotation)];
    let attachment = Attachment { name: name.clone(), influences, ignore_rotation };
    let refused = |error: EditError| refused(path, &error);
    if path.exists() {
        let mut file = open(path)?;
        file.add(&attachment).map_err(refused)?;
        save(path, file.text(), saving)?;
        return Ok(Outcome::Held);
    }
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    let form = match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("attach") => Form::Typed,
        Some("vmdl_prefab") => Form::ModelDoc,
        _ => {
            let name = path.display();
            return Err(Problem::Other(format!(
                "{name} is not there; only .attach and .vmdl_prefab files are made anew"
            )));
        }
    };
    let list = AttachmentList { name: String::new(), attachments: vec![attachment] };
    let file = AttachmentFile::new(path.display().to_string(), form, &list).map_err(refused)?;
    save(path, file.text(), saving)?;
    Ok(Outcome::Held)
}

#[derive(Args)]
pub(crate) struct SetArguments {
    /// A model or list file.
    file: PathBuf,
    /// The attachment, without regard to case.
    name: String,
    /// The influence that is meant, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    influence: usize,
    /// Add an influence with the values given.
    #[arg(long, conflicts_with_all = ["influence", "drop_influence"])]
    add_influence: bool,
    /// Take the influence out.
    #[arg(long)]
    drop_influence: bool,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn set(arguments: &SetArguments) -> Result<Outcome, Problem> {
    let SetArguments { file: path, name, influence: at, values, saving, .. } = arguments;
    let mut file = open(path)?;
    // An unknown name is told by the change itself.
    let none = Attachment { name: name.clone(), influences: Vec::new(), ignore_rotation: false };
    let mut attachment = file.attachment(name).cloned().unwrap_or(none);
    let Attachment { influences, ignore_rotation, .. } = &mut attachment;
    let n = influences.len();
    match influences.get_mut(*at) {
        _ if arguments.add_influence => influences.push(values.influence(ignore_rotation)),
        Some(_) if arguments.drop_influence => drop(influences.remove(*at)),
        Some(influence) => values.apply(influence, ignore_rotation),
        None if n == 0 => influences.push(values.influence(ignore_rotation)),
        None => {
            let reason = format!("{name:?} has no influence {at}: there are {n}, numbered from 0; nothing was written");
            return Err(Problem::Other(format!("{}: {reason}", path.display())));
        }
    }
    file.replace(name, &attachment).map_err(|error| refused(path, &error))?;
    save(path, file.text(), saving)?;
    Ok(Outcome::Held)
}

#[derive(Args)]
pub(crate) struct RenameArguments {
    /// A model or list file.
    file: PathBuf,
    /// The attachment, without regard to case.
    name: String,
    /// Its new name.
    new_name: String,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn rename(arguments: &RenameArguments) -> Result<Outcome, Problem> {
    let RenameArguments { file: path, name, new_name, saving } = arguments;
    let mut file = open(path)?;
    file.rename(name, new_name).map_err(|error| refused(path, &error))?;
    save(path, file.text(), saving)?;
    Ok(Outcome::Held)
}

#[derive(Args)]
pub(crate) struct RemoveArguments {
    /// A model or list file.
    file: PathBuf,
    /// The attachments, without regard to case.
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    saving: Saving,
}

pub(super) fn remove(arguments: &RemoveArguments) -> Result<Outcome, Problem> {
    let RemoveArguments { file: path, names, saving } = arguments;
    let mut file = open(path)?;
    for name in names {
        file.remove(name).map_err(|error| refused(path, &error))?;
    }
    save(path, file.text(), saving)?;
    Ok(Outcome::Held)
}
