//! What a scene takes from other files: models and attachment lists.

use std::{path::Path, sync::Arc};

use toml::{Spanned, de::DeValue};

use super::{
    AttachmentFile, ContentRoot, Fault, ModelClip,
    game::{
        Warnings,
        names::{tables_of_bytes, tables_of_file},
    },
    model_from_file,
    reader::{Fields, Reader},
};
use crate::{
    defs::{ActorDraft, AttachmentList, ModelDraft, ModuleSource, Tables, VertexIdx, VertexPair},
    import::ImportError,
};

const VERTEX: std::ops::RangeInclusive<i64> = i16::MIN as i64..=i16::MAX as i64;
/// More frames in a second than any clip has keys for.
const MAX_FPS: f64 = 1000.0;

/// Whether a model file is a glTF file, by its name.
pub(super) fn is_gltf(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| ["glb", "gltf"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// The keys `clip`, `fps` and `scale` of a model, which only glTF files have.
pub(super) fn clip(reader: &mut Reader<'_>, fields: &mut Fields<'_>, is_gltf: bool) -> ModelClip {
    let default = ModelClip::default();
    let name = optional(reader, fields, "clip", is_gltf, |reader, path, value| reader.text(path, value));
    let mut positive = |key, largest: f64| {
        optional(reader, fields, key, is_gltf, |reader, path, value| {
            let number = f64::from(reader.single(path, value)?);
            if number > 0.0 && number <= largest {
                return Some(number);
            }
            reader.fault(path, value.span(), format!("expected a number above 0, at most {largest}, found {number}"));
            None
        })
    };
    let (fps, scale) = (positive("fps", MAX_FPS), positive("scale", 1e6));
    ModelClip { name, fps: fps.unwrap_or(default.fps), scale: scale.unwrap_or(default.scale) }
}

/// Reads a glTF file that lies beside the scene.
pub(super) fn gltf_model(
    name: &str,
    files: &ModuleSource,
    clip: &ModelClip,
    draft: &mut ModelDraft,
) -> Result<(), String> {
    let ModuleSource::Folder(folder) = files else {
        return Err("this scene was read without a folder, so it can name no file".to_owned());
    };
    let model = model_from_file(folder.join(name), clip).map_err(|error| first(&error))?;
    (draft.frames, draft.faces, draft.rig) = (model.frames, model.faces, Some(model.rig));
    Ok(())
}

/// A key that only has a meaning beside a glTF file.
fn optional<T>(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &'static str,
    is_gltf: bool,
    read: impl FnOnce(&mut Reader<'_>, &str, &Spanned<DeValue<'_>>) -> Option<T>,
) -> Option<T> {
    let (path, value) = fields.take(reader, key)?;
    if !is_gltf {
        reader.fault(&path, value.span(), format!("\"{key}\" belongs to a model with a glTF \"file\""));
    }
    read(reader, &path, value)
}

fn first(error: &ImportError) -> String {
    error.0.first().map_or_else(|| error.to_string(), ToString::to_string)
}

/// The names that a SOUP386.DEF beside the scene declares: the key `def`.
pub(super) fn names(
    reader: &mut Reader<'_>,
    (path, value): (String, &Spanned<DeValue<'_>>),
    files: &ModuleSource,
) -> Option<Arc<Tables>> {
    let name = reader.text(&path, value)?;
    let mut warnings = Warnings::default();
    let tables = match files {
        ModuleSource::Folder(folder) if folder == Path::new(".") => tables_of_file(Path::new(&name), &mut warnings),
        ModuleSource::Folder(folder) => tables_of_file(&folder.join(&name), &mut warnings),
        ModuleSource::Listed(texts) => match texts.get(&name) {
            Some(text) => tables_of_bytes(&name, text.as_bytes(), &mut warnings),
            None => Err(Fault::of_file(&name, "no text of this name was given")),
        },
        ModuleSource::Nowhere => {
            Err(Fault::of_file(&name, "this scene was read without a folder, so it can name no file"))
        }
    };
    warnings.into_list().iter().for_each(|warning| tracing::warn!("{warning}"));
    match tables {
        Ok(tables) => Some(tables),
        // A fault within the file has its own place.
        Err(fault) if fault.place.is_some() => {
            reader.add(fault);
            None
        }
        Err(fault) => {
            reader.fault(&path, value.span(), fault.to_string());
            None
        }
    }
}

/// The keys `attachments`, `grip` and `scabbard` of an actor; lists in further files lie under `content_root`.
pub(super) fn points(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    draft: &mut ActorDraft,
    files: &ModuleSource,
    content_root: Option<&str>,
) {
    if let Some((path, value)) = fields.take(reader, "attachments")
        && let Some(name) = reader.text(&path, value)
    {
        match list(&name, files, content_root) {
            Ok(list) => draft.attachments = list,
            Err(Failure::Here(reason)) => reader.fault(&path, value.span(), format!("{name}: {reason}")),
            Err(Failure::There(error)) => error.0.into_iter().for_each(|fault| reader.add(fault)),
        }
    }
    (draft.grip, draft.grip_point) = holder(reader, fields, "grip");
    (draft.scabbard, draft.scabbard_point) = holder(reader, fields, "scabbard");
}

/// Two vertex numbers, or the name of a point.
fn holder(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> (VertexPair, Option<String>) {
    let Some((path, value)) = fields.take(reader, key) else { return (VertexPair::default(), None) };
    if let Some(name) = value.get_ref().as_str() {
        reader.mark(&path, value.span());
        return (VertexPair::default(), Some(name.to_owned()));
    }
    let [first, second] = reader.ints::<2>(&path, value, VERTEX).unwrap_or_default().map(|v| VertexIdx(v as i16));
    (VertexPair { first, second }, None)
}

enum Failure {
    /// To be told where the scene names the file.
    Here(String),
    /// In the file itself.
    There(ImportError),
}

impl Failure {
    /// A file that cannot be read at all has no place of its own to tell.
    fn of(error: ImportError) -> Self {
        match &error.0[..] {
            [fault] if fault.place.is_none() => Self::Here(fault.reason.clone()),
            _ => Self::There(error),
        }
    }
}

fn list(name: &str, files: &ModuleSource, content_root: Option<&str>) -> Result<AttachmentList, Failure> {
    let (file, root) = match files {
        ModuleSource::Folder(folder) => {
            let root = ContentRoot::new(folder.join(content_root.unwrap_or(".")));
            (AttachmentFile::open(folder.join(name)), Some(root))
        }
        ModuleSource::Listed(texts) => match texts.get(name) {
            Some(text) => (AttachmentFile::parse(name, text.as_str()), None),
            None => return Err(Failure::Here("no text of this name was given".to_owned())),
        },
        ModuleSource::Nowhere => {
            let reason = "this scene was read without a folder, so it can name no file";
            return Err(Failure::Here(reason.to_owned()));
        }
    };
    let file = file.map_err(Failure::of)?;
    let (list, warnings) = match root {
        Some(root) => {
            let resolved = root.resolve(&file).map_err(Failure::There)?;
            (resolved.list, resolved.warnings)
        }
        None if file.external_paths().next().is_some() => {
            return Err(Failure::Here("it names further files, which a scene without a folder cannot".to_owned()));
        }
        None => (file.list(), file.warnings().to_vec()),
    };
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    Ok(list)
}
