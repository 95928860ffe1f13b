//! Attachment lists in files: three text forms, read and changed in place.
//!
//! Typed text is what models of 2014 to 2016 are written in (`.vmdl`, `.attach`); KV3 text followed it, first with the
//! same fields, then with the nodes of ModelDoc. A change replaces what changed and nothing else: unknown fields,
//! comments and numbers keep their text. `docs/attachments.md` describes the forms.

mod content;
mod convert;
mod edit;
mod faults;
mod fields;
mod header;
mod kv3;
mod lexer;
mod modeldoc;
mod outline;
mod places;
mod render;
mod share;
mod splice;
mod tree;
mod typed;

pub use content::{ContentRoot, Resolved, is_content_path};
pub use convert::{attachment_text, converted};
pub use edit::EditError;
pub use places::AttachmentPlace;

use std::path::Path;

use super::{Fault, ImportError, read_bytes};
use crate::defs::{Attachment, AttachmentList, ListReference, did_you_mean};
use edit::impossible;
use faults::Faults;
use header::Header;
use lexer::Broken;
use outline::{Duplicates, Outline, Root};
use render::Layout;
use splice::Splices;
use tree::{Span, Tree};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Typed schema text: the type stands before every field.
    Typed,
    /// KV3 text with the fields of typed text.
    Generic,
    /// KV3 text with the nodes of ModelDoc.
    ModelDoc,
}

impl Form {
    /// Its name, as the command line has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Typed => "typed",
            Self::Generic => "generic",
            Self::ModelDoc => "modeldoc",
        }
    }
}

/// A text longer than this is not read, in bytes.
const MAX_TEXT: usize = 64 << 20;

/// A file with attachment lists: its text and what the text says.
#[derive(Clone, Debug)]
pub struct AttachmentFile {
    name: String,
    text: String,
    form: Form,
    format: String,
    is_list: bool,
    references: Vec<ListReference>,
    /// Where each reference names its file or list.
    places: Vec<Span>,
    /// Where the attachments of the lists stand, in order.
    spots: Vec<places::Spot>,
    /// Those of names that come twice first.
    warnings: Vec<Fault>,
    n_duplicates: usize,
    duplicates: Duplicates,
}

impl AttachmentFile {
    /// Reads a text in any of the three forms; its header tells which. `name` is the file name that faults show.
    ///
    /// # Errors
    /// [`ImportError`] with place and reason: the first fault of the text itself, or all faults of its attachments.
    /// Two attachments of one name are refused in typed text; in the other forms the first counts.
    ///
    /// # Source
    /// Rules L1 to L6, L10.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self, ImportError> {
        Self::read(name.into(), text.into(), Duplicates::Refused)
    }

    /// The same for files that may be damaged: of two attachments of one name the first counts in every form.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_damaged(name: impl Into<String>, text: impl Into<String>) -> Result<Self, ImportError> {
        Self::read(name.into(), text.into(), Duplicates::FirstWins)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ImportError`] when the file cannot be read, or as for [`Self::parse`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let (name, text) = text_of(path.as_ref())?;
        Self::parse(name, text)
    }

    /// Reads a file that may be damaged, as [`Self::parse_damaged`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_damaged(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let (name, text) = text_of(path.as_ref())?;
        Self::parse_damaged(name, text)
    }

    /// A new file that holds a list and nothing else. Typed text is what an `.attach` file is written in.
    ///
    /// # Errors
    /// [`EditError`] when the form cannot hold an attachment, a name comes twice or a number is not finite.
    pub fn new(name: impl Into<String>, form: Form, list: &AttachmentList) -> Result<Self, EditError> {
        let mut names = std::collections::BTreeSet::new();
        for attachment in &list.attachments {
            edit::check(form, attachment)?;
            if !names.insert(crate::defs::folded(&attachment.name)) {
                return Err(EditError::Taken { name: attachment.name.clone() });
            }
        }
        let text = Layout::new(form).file(list);
        Self::parse(name, text).or_else(|error| impossible(format!("the new file cannot be read: {error}")))
    }

    fn read(name: String, text: String, duplicates: Duplicates) -> Result<Self, ImportError> {
        if text.len() > MAX_TEXT {
            let reason = format!("the text has {} bytes; at most {MAX_TEXT} are read", text.len());
            return Err(ImportError(vec![Fault::of_file(&name, reason)]));
        }
        let mut faults = Faults::new(&name, &text);
        let tree = parse(&text, &mut faults).map_err(|broken| broken.fault(&name, &text))?;
        let outline = outline(&tree, duplicates, &mut faults);
        let (duplicates_found, mut warnings) = faults.finish().map_err(ImportError)?;
        let n_duplicates = duplicates_found.len();
        warnings.splice(0..0, duplicates_found);
        let is_list = matches!(outline.root, Root::List);
        let places = outline.references.iter().map(outline::Reference::place).collect();
        let spots = places::spots(&outline);
        let references = outline.into_references();
        let Tree { form, format, .. } = tree;
        Ok(Self { name, text, form, format, is_list, references, places, spots, warnings, n_duplicates, duplicates })
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text to save: the one that was read, with all changes.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is written.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The format that the header names, such as `generic` or `modeldoc29`.
    #[must_use]
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Whether the file is a list of its own, as an `.attach` file is, and not a model.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        self.is_list
    }

    /// The lists, and the files that hold others, in file order.
    #[must_use]
    pub fn references(&self) -> &[ListReference] {
        &self.references
    }

    /// What is odd but was read. Paths and places are as in errors.
    #[must_use]
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// Those of the warnings that are about names which come twice.
    #[must_use]
    pub fn duplicates(&self) -> &[Fault] {
        &self.warnings[..self.n_duplicates]
    }

    /// The attachments in this file, all lists together; of equal names the first counts.
    #[must_use]
    pub fn list(&self) -> AttachmentList {
        let mut all = content::Gathered::default();
        for reference in &self.references {
            if let ListReference::Internal(list) = reference {
                all.add(list);
            }
        }
        all.list
    }

    /// Where the attachments of all lists in this file stand, in order.
    #[must_use]
    pub fn places(&self) -> Vec<AttachmentPlace> {
        places::placed(&self.name, &self.text, &self.spots)
    }

    /// The attachment of this name.
    #[must_use]
    pub fn attachment(&self, name: &str) -> Option<&Attachment> {
        self.references.iter().find_map(|reference| match reference {
            ListReference::Internal(list) => list.named(name),
            _ => None,
        })
    }

    /// Adds an attachment at the end of the first list, which is made if the file has none.
    ///
    /// # Errors
    /// [`EditError`]: the name is taken, the form cannot hold the attachment, or there is no place for a list. The file
    /// stays as it was then, as for every change.
    pub fn add(&mut self, attachment: &Attachment) -> Result<(), EditError> {
        edit::check(self.form, attachment)?;
        self.is_free(&attachment.name)?;
        let (file, ()) = self.changed(|splices, tree, outline| edit::add(splices, tree, outline, attachment))?;
        self.accept(file, attachment)
    }

    /// Makes an attachment what `attachment` is, its name included. Only what differs is written.
    ///
    /// # Errors
    /// [`EditError`]: no attachment has this name, the new name is taken, or the form cannot hold it.
    pub fn replace(&mut self, name: &str, attachment: &Attachment) -> Result<(), EditError> {
        edit::check(self.form, attachment)?;
        if !name.eq_ignore_ascii_case(&attachment.name) {
            self.is_free(&attachment.name)?;
        }
        let file = self.changed_at(name, |splices, located, at| edit::replace(splices, located, at, attachment))?;
        self.accept(file, attachment)
    }

    /// Gives an attachment another name.
    ///
    /// # Errors
    /// As [`Self::replace`].
    pub fn rename(&mut self, name: &str, new_name: &str) -> Result<(), EditError> {
        let attachment = self.attachment(name).cloned().ok_or_else(|| self.unknown(name))?;
        self.replace(name, &Attachment { name: new_name.to_owned(), ..attachment })
    }

    /// Takes an attachment out.
    ///
    /// # Errors
    /// [`EditError::Unknown`].
    pub fn remove(&mut self, name: &str) -> Result<(), EditError> {
        *self = self.changed_at(name, edit::remove)?;
        Ok(())
    }

    fn unknown(&self, name: &str) -> EditError {
        let list = self.list();
        let names = list.attachments.iter().map(|attachment| &attachment.name);
        let mut hint = did_you_mean(name, names);
        if let (true, Some(path)) = (hint.is_empty(), self.external_paths().next()) {
            hint = format!(" in this file, which names others: {path}");
        }
        EditError::Unknown { name: name.to_owned(), hint }
    }

    fn is_free(&self, name: &str) -> Result<(), EditError> {
        match self.attachment(name) {
            Some(_) => Err(EditError::Taken { name: name.to_owned() }),
            None => Ok(()),
        }
    }

    /// Takes a changed file in whose attachment is what it should be. A damaged file could read differently.
    fn accept(&mut self, file: Self, asked: &Attachment) -> Result<(), EditError> {
        match file.attachment(&asked.name) {
            Some(read) if edit::is_written(file.form, read, asked) => *self = file,
            _ => return impossible(format!("{:?} would not be read as it was written", asked.name)),
        }
        Ok(())
    }

    /// The file after a change of one attachment.
    fn changed_at(
        &self,
        name: &str,
        change: impl FnOnce(&mut Splices<'_>, &outline::Located<'_>, usize),
    ) -> Result<Self, EditError> {
        let unknown = || self.unknown(name);
        let outcome = self.changed(|splices, _, outline| match outline.find(name) {
            Some((located, at)) => {
                change(splices, located, at);
                Ok(())
            }
            None => Err(unknown()),
        });
        outcome.map(|(file, ())| file)
    }

    /// The file after a change. What was written is read again, so nothing is saved that could not be read.
    fn changed<T>(
        &self,
        change: impl FnOnce(&mut Splices<'_>, &Tree, &Outline<'_>) -> Result<T, EditError>,
    ) -> Result<(Self, T), EditError> {
        let mut faults = Faults::new(&self.name, &self.text);
        let Ok(tree) = parse(&self.text, &mut faults) else { return impossible("the file cannot be read") };
        let outline = outline(&tree, self.duplicates, &mut faults);
        let mut splices = Splices::new(&self.text, Layout::of(self.form, &self.text));
        let value = change(&mut splices, &tree, &outline)?;
        let file = Self::read(self.name.clone(), splices.apply(), self.duplicates);
        file.map(|file| (file, value))
            .or_else(|error| impossible(format!("the changed file could not be read: {error}")))
    }
}

fn text_of(path: &Path) -> Result<(String, String), ImportError> {
    let name = path.display().to_string();
    let bytes = read_bytes(path).map_err(|reason| ImportError(vec![Fault::of_file(&name, reason)]))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(ImportError(vec![not_a_text(&name, &error)])),
    }
}

fn not_a_text(name: &str, error: &std::string::FromUtf8Error) -> Fault {
    let bytes = error.as_bytes();
    let at = error.utf8_error().valid_up_to();
    let reason = if bytes[..at.min(64)].contains(&0) {
        "the file is binary, as compiled models are: only texts can be read".to_owned()
    } else {
        format!("the file is not UTF-8 text: byte {at} (hex {at:X}) begins no character")
    };
    let before = String::from_utf8_lossy(&bytes[..at]);
    Fault { span: None, ..Fault::at(name, &before, at..at, "", reason) }
}

fn parse(text: &str, faults: &mut Faults<'_>) -> Result<Tree, Broken> {
    match header::read(text, faults)? {
        (Header::Typed, at) => typed::parse(text, at, faults),
        (Header::Kv3 { format }, at) => kv3::parse(text, at, &format, faults),
    }
}

fn outline<'t>(tree: &'t Tree, duplicates: Duplicates, faults: &mut Faults<'_>) -> Outline<'t> {
    match tree.form {
        Form::ModelDoc => modeldoc::outline(tree, faults),
        Form::Typed | Form::Generic => fields::outline(tree, duplicates, faults),
    }
}

impl Broken {
    fn fault(self, file: &str, text: &str) -> ImportError {
        ImportError(vec![Fault::at(file, text, self.span, "", self.reason)])
    }
}
