//! The models of a map: those of its archive, then files of the art folder.

use std::{collections::BTreeMap, path::Path};

use super::{
    Warnings,
    model3d::{self, Model3d, VertexBudget},
    paths::{Folder, read},
    rob::{Segment, SegmentKind},
};
use crate::{defs::ModelDraft, import::Fault};

/// A model with the bytes that it was read from.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Its name, upper case.
    pub name: String,
    /// `3D` or `3DC`.
    pub extension: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Why a model cannot be read, and whether whoever wanted it was told.
#[derive(Debug)]
struct Unusable {
    fault: Fault,
    told: bool,
}

/// Models by name, in the order of their handles (rules I4, I5).
#[derive(Debug)]
pub(super) struct Models<'a> {
    art: Option<Folder>,
    drafts: Vec<ModelDraft>,
    names: BTreeMap<String, usize>,
    /// Bounding box heights of segments by upper-case name; of equal names the first.
    heights: BTreeMap<String, i32>,
    /// Models that cannot be read.
    unusable: BTreeMap<String, Unusable>,
    budget: VertexBudget,
    /// Bytes of all models, where they are wanted.
    files: Option<Vec<ModelFile>>,
    archive: &'a str,
}

impl<'a> Models<'a> {
    /// No models yet. `keep` has their bytes kept.
    pub(super) fn new(art: Option<Folder>, archive: &'a str, keep: bool) -> Self {
        Self {
            art,
            drafts: Vec::new(),
            names: BTreeMap::new(),
            heights: BTreeMap::new(),
            unusable: BTreeMap::new(),
            budget: VertexBudget::default(),
            files: keep.then(Vec::new),
            archive,
        }
    }

    /// Reads every segment of the archive that can be read.
    pub(super) fn load_archive(&mut self, segments: &[Segment<'_>], warnings: &mut Warnings) {
        for segment in segments {
            let name = segment.name.to_ascii_uppercase();
            if name.is_empty() || self.heights.contains_key(&name) {
                continue;
            }
            self.heights.insert(name.clone(), segment.extents[1]);
            let place = segment.name.escape_debug().to_string();
            if let Err(fault) = self.load_segment(&name, &place, segment, warnings) {
                self.unusable.insert(name, Unusable { fault, told: false });
            }
        }
    }

    /// `place` is the name as faults show it.
    fn load_segment(
        &mut self,
        name: &str,
        place: &str,
        segment: &Segment<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        let reason = match segment.kind {
            SegmentKind::Embedded => {
                let model = model3d::read(self.archive, place, segment.data, &mut self.budget, warnings);
                let model =
                    model.map_err(|fault| Fault { offset: fault.offset.map(|at| at + segment.offset), ..fault })?;
                self.enter(name, "3D", segment.data, model);
                return Ok(());
            }
            SegmentKind::External => {
                if self.load_file(name, warnings)? {
                    return Ok(());
                }
                "the segment is external, but there is no file of its name".to_owned()
            }
            SegmentKind::Unknown(code) => format!("the segment has the unknown type {code}"),
        };
        Err(Fault::at_offset(self.archive, place, segment.offset, reason))
    }

    /// Reads a model from a file of its name; false when there is none.
    fn load_file(&mut self, name: &str, warnings: &mut Warnings) -> Result<bool, Fault> {
        let Some(art) = &self.art else { return Ok(false) };
        for extension in ["3DC", "3D"] {
            let Some(path) = art.find(&format!("{name}.{extension}"), warnings) else { continue };
            let bytes = read(&path)?;
            let model = read_model(&path, &bytes, &mut self.budget, warnings)?;
            self.enter(name, extension, &bytes, model);
            return Ok(true);
        }
        Ok(false)
    }

    fn enter(&mut self, name: &str, extension: &'static str, bytes: &[u8], model: Model3d) {
        self.names.insert(name.to_owned(), self.drafts.len());
        self.drafts.push(ModelDraft {
            name: name.to_owned(),
            frames: model.frames,
            faces: model.faces,
            ..ModelDraft::default()
        });
        if let Some(files) = &mut self.files {
            files.push(ModelFile { name: name.to_owned(), extension, bytes: bytes.to_owned() });
        }
    }

    /// Sees to it that a model is there; false when there is none of this name.
    ///
    /// # Errors
    /// There is one, but it cannot be read.
    pub(super) fn want(&mut self, name: &str, warnings: &mut Warnings) -> Result<bool, Fault> {
        if self.names.contains_key(name) {
            return Ok(true);
        }
        if let Some(unusable) = self.unusable.get_mut(name) {
            unusable.told = true;
            return Err(unusable.fault.clone());
        }
        // A file is not read again for the next who wants it.
        self.load_file(name, warnings).inspect_err(|fault| {
            self.unusable.insert(name.to_owned(), Unusable { fault: fault.clone(), told: true });
        })
    }

    /// The height of the bounding box of a model's segment; 0 without one.
    pub(super) fn height(&self, name: &str) -> i32 {
        self.heights.get(name).copied().unwrap_or(0)
    }

    /// All names, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.drafts.iter().map(|draft| draft.name.as_str())
    }

    /// The models and their bytes. What nobody wanted and could not be read was harmless.
    pub(super) fn finish(self, warnings: &mut Warnings) -> (Vec<ModelDraft>, Vec<ModelFile>) {
        for Unusable { fault, .. } in self.unusable.into_values().filter(|unusable| !unusable.told) {
            warnings.add(Fault { reason: format!("not used, and not readable: {}", fault.reason), ..fault });
        }
        (self.drafts, self.files.unwrap_or_default())
    }
}

fn read_model(path: &Path, bytes: &[u8], budget: &mut VertexBudget, warnings: &mut Warnings) -> Result<Model3d, Fault> {
    model3d::read(&path.display().to_string(), "", bytes, budget, warnings)
}
