//! Lists in other files, found under the game's content root.
//!
//! # Source
//! Rule L4.

use std::{collections::BTreeSet, fs, path::PathBuf};

use super::{AttachmentFile, AttachmentPlace, outline::Duplicates};
use crate::{
    defs::{AttachmentList, ListReference, folded},
    import::{Fault, ImportError},
};

/// The folder under which content paths are looked up.
#[derive(Clone, Debug)]
pub struct ContentRoot {
    folder: PathBuf,
}

/// All attachments of a file, those of other files included.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// The attachments in the order in which they were found; of equal names the first counts.
    pub list: AttachmentList,
    /// Where each of them stands.
    pub places: Vec<AttachmentPlace>,
    /// The files that were read, relative to the content root.
    pub files: Vec<String>,
    /// What is odd, in all files.
    pub warnings: Vec<Fault>,
    /// Those of the warnings that are about names which come twice.
    pub duplicates: Vec<Fault>,
}

/// Files within each other; and files in all.
const MAX_DEPTH: usize = 32;
const MAX_FILES: usize = 1000;
/// The walk ends after so many faults.
const MAX_FAULTS: usize = 50;

/// Whether a path is relative and stays under the root.
///
/// # Errors
/// Why it is not, in words.
pub fn is_content_path(path: &str) -> Result<(), &'static str> {
    let path = path.replace('\\', "/");
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    if path.is_empty() {
        return Err("the path is empty");
    }
    if path.contains('\0') {
        return Err("the path holds a NUL");
    }
    if path.starts_with('/') || drive {
        return Err("the path is absolute; content paths are relative to the content root");
    }
    let mut depth = 0_usize;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => depth = depth.checked_sub(1).ok_or("the path leaves the content root")?,
            _ => depth += 1,
        }
    }
    if depth == 0 { Err("the path names no file") } else { Ok(()) }
}

impl ContentRoot {
    /// A root at this folder.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where a content path leads.
    ///
    /// # Errors
    /// Why it leads nowhere, in words: it is absolute, leaves the root (also through a link), or nothing is there.
    pub fn locate(&self, path: &str) -> Result<PathBuf, String> {
        is_content_path(path)?;
        let mut file = self.folder.clone();
        for part in path.replace('\\', "/").split('/') {
            match part {
                "" | "." => {}
                ".." => drop(file.pop()),
                part => file.push(part),
            }
        }
        let root = fs::canonicalize(&self.folder)
            .map_err(|error| format!("the content root {} cannot be opened: {error}", self.folder.display()))?;
        let found = fs::canonicalize(&file).map_err(|error| format!("{} cannot be opened: {error}", file.display()))?;
        if found.starts_with(&root) { Ok(file) } else { Err("a link on the path leaves the content root".to_owned()) }
    }

    /// The lists of a file with those that it finds in others, and those in turn.
    ///
    /// # Errors
    /// [`ImportError`]: a path is absolute or leaves the root, a file is missing or cannot be read, or files name each
    /// other in a circle.
    pub fn resolve(&self, file: &AttachmentFile) -> Result<Resolved, ImportError> {
        let mut walk = Walk { root: Some(self), ..Walk::default() };
        let mut way: Vec<PathBuf> = fs::canonicalize(file.name()).into_iter().collect();
        walk.file(file, &mut way);
        if walk.faults.is_empty() {
            Ok(Resolved { list: walk.gathered.list, ..walk.found })
        } else {
            Err(ImportError(walk.faults))
        }
    }
}

/// Lists put together; of equal names the first counts.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) list: AttachmentList,
    taken: BTreeSet<String>,
}

impl Gathered {
    /// Adds a list, and tells which of its attachments were added: their names were free.
    pub(super) fn add(&mut self, list: &AttachmentList) -> Vec<bool> {
        if self.list.name.is_empty() {
            self.list.name.clone_from(&list.name);
        }
        let mut added = Vec::with_capacity(list.attachments.len());
        for attachment in &list.attachments {
            let is_free = self.taken.insert(folded(&attachment.name));
            if is_free {
                self.list.attachments.push(attachment.clone());
            }
            added.push(is_free);
        }
        added
    }
}

#[derive(Default)]
struct Walk<'r> {
    /// Without one other files are passed over.
    root: Option<&'r ContentRoot>,
    gathered: Gathered,
    found: Resolved,
    faults: Vec<Fault>,
    seen: BTreeSet<PathBuf>,
}

impl Walk<'_> {
    fn file(&mut self, file: &AttachmentFile, way: &mut Vec<PathBuf>) {
        self.found.warnings.extend_from_slice(file.warnings());
        self.found.duplicates.extend_from_slice(file.duplicates());
        let mut places = file.places().into_iter();
        for (at, reference) in file.references().iter().enumerate() {
            if self.faults.len() > MAX_FAULTS {
                return;
            }
            match reference {
                ListReference::Internal(list) => self.list(list, &mut places),
                ListReference::External { path } => {
                    if let Err(reason) = self.external(file, path, way) {
                        self.faults.push(file.fault_at_reference(at, format!("{path}: {reason}")));
                    }
                }
                ListReference::Empty => {}
            }
        }
    }

    fn list(&mut self, list: &AttachmentList, places: &mut impl Iterator<Item = AttachmentPlace>) {
        let added = self.gathered.add(list).into_iter();
        for ((attachment, place), is_added) in list.attachments.iter().zip(places).zip(added) {
            if is_added {
                self.found.places.push(place);
                continue;
            }
            let reason = format!("{:?} is already in another list: the first counts", attachment.name);
            let fault = place.fault(None, "", reason);
            self.found.warnings.push(fault.clone());
            self.found.duplicates.push(fault);
        }
    }

    fn external(&mut self, from: &AttachmentFile, path: &str, way: &mut Vec<PathBuf>) -> Result<(), String> {
        let Some(root) = self.root else { return Ok(()) };
        let place = root.locate(path)?;
        let identity = fs::canonicalize(&place).unwrap_or_else(|_| place.clone());
        if way.contains(&identity) {
            return Err("the files name each other in a circle".to_owned());
        }
        if !self.seen.insert(identity.clone()) {
            return Ok(());
        }
        if way.len() > MAX_DEPTH || self.seen.len() > MAX_FILES {
            return Err(format!("more than {MAX_DEPTH} files within each other, or {MAX_FILES} in all"));
        }
        self.found.files.push(path.to_owned());
        let file = match from.duplicates {
            Duplicates::Refused => AttachmentFile::open(&place),
            Duplicates::FirstWins => AttachmentFile::open_damaged(&place),
        };
        match file {
            Ok(file) => {
                way.push(identity);
                self.file(&file, way);
                way.pop();
            }
            Err(error) => self.faults.extend(error.0),
        }
        Ok(())
    }
}

impl AttachmentFile {
    /// What is in this file alone, as [`ContentRoot::resolve`] gives it for several.
    #[must_use]
    pub fn resolved_alone(&self) -> Resolved {
        let mut walk = Walk::default();
        walk.file(self, &mut Vec::new());
        Resolved { list: walk.gathered.list, ..walk.found }
    }

    /// A fault at one of [`Self::references`], by number: at the name of its file, else where it stands.
    #[must_use]
    pub fn fault_at_reference(&self, at: usize, reason: impl Into<String>) -> Fault {
        let span = self.places.get(at).cloned().unwrap_or(0..0);
        Fault::at(&self.name, &self.text, span, "", reason)
    }
}
