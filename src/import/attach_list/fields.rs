//! The fields of the typed and of the generic form, which are the same.
//!
//! # Source
//! Rules L3, L4, L6.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Form,
    faults::Faults,
    outline::{Content, Duplicates, Entry, Fields, Home, Located, Names, Outline, Place, Reference, Root, object_of},
    tree::{Node, Object, Tree, Value},
};
use crate::defs::{Angles, Attachment, Influence, did_you_mean};

pub(super) const LISTS: &str = "m_pAttachmentLists";
pub(super) const LIST_TYPE: &str = "CVattachmentList";

/// `(roll, pitch, yaw)`, as the field holds it.
pub(super) fn angles([roll, pitch, yaw]: [f64; 3]) -> Angles {
    Angles { pitch, yaw, roll }
}

/// Finds the lists of a model, or the list that the file is.
pub(super) fn outline<'t>(tree: &'t Tree, duplicates: Duplicates, faults: &mut Faults<'_>) -> Outline<'t> {
    let by_name = names(tree, faults);
    let mut reader = Reader { tree, duplicates, faults, by_name, referenced: BTreeSet::new() };
    let with_lists = tree.tops.iter().find(|top| top.object.pair(LISTS).is_some());
    let first = &tree.tops[0];
    let class = class_of(&first.object);
    if let Some(model) = with_lists.or(Some(first).filter(|_| class == "CVModel")) {
        let references = reader.references(&model.object);
        reader.warn_of_unreferenced();
        return Outline { root: Root::Model(&model.object), references };
    }
    if class == LIST_TYPE || (class.is_empty() && first.object.pair("m_attachments").is_some()) {
        let mut located = reader.list(&first.object, &first.name);
        located.top = Some(0);
        reader.referenced.insert(0);
        reader.warn_of_unreferenced();
        let reference = Reference { content: Content::List(located), object: None, home: Home::Model };
        return Outline { root: Root::List, references: vec![reference] };
    }
    let reason = "this file holds neither a model nor an attachment list";
    reader.faults.warning(first.name_span.clone(), "", reason);
    Outline { root: Root::Other, references: Vec::new() }
}

/// The type of an object: written before it, or in its key `_class`.
fn class_of(object: &Object) -> &str {
    if object.class.is_empty() { object.text("_class") } else { &object.class }
}

/// The top-level objects by name, which must not come twice.
fn names<'t>(tree: &'t Tree, faults: &mut Faults<'_>) -> BTreeMap<&'t str, usize> {
    let mut by_name = BTreeMap::new();
    for (number, top) in tree.tops.iter().enumerate().filter(|(_, top)| !top.name.is_empty()) {
        if by_name.insert(top.name.as_str(), number).is_some() {
            let name = &top.name;
            faults.error(top.name_span.clone(), name, format!("another object is already named {name}"));
        }
    }
    by_name
}

struct Reader<'r, 't, 'x> {
    tree: &'t Tree,
    duplicates: Duplicates,
    faults: &'r mut Faults<'x>,
    by_name: BTreeMap<&'t str, usize>,
    referenced: BTreeSet<usize>,
}

impl<'t> Reader<'_, 't, '_> {
    fn references(&mut self, model: &'t Object) -> Vec<Reference<'t>> {
        let mut fields = Fields { faults: self.faults, object: model, path: class_of(model).to_owned() };
        let Some((_, elements)) = fields.elements(LISTS) else { return Vec::new() };
        let reference = |(i, node)| self.reference(node, &format!("{LISTS}[{i}]"));
        elements.iter().enumerate().filter_map(reference).collect()
    }

    fn reference(&mut self, node: &'t Node, path: &str) -> Option<Reference<'t>> {
        let object = object_of(self.faults, node, path)?;
        let mut fields = Fields { faults: self.faults, object, path: path.to_owned() };
        let file = fields.text("m_sFileName").unwrap_or_default();
        let pointer = fields.get("m_pObject").filter(|pointer| !matches!(pointer.value, Value::Null));
        let content = match (pointer, file) {
            (Some(_), file) if !file.is_empty() => {
                let reason = "ambiguous: both m_pObject and m_sFileName are set; one of them must be empty";
                self.faults.error(node.span.clone(), path, reason);
                return None;
            }
            (Some(pointer), _) => Content::List(self.pointed(pointer, path)?),
            (None, "") => {
                self.faults.warning(node.span.clone(), path, "neither list nor file is given: the list is empty");
                Content::Empty
            }
            (None, file) => Content::File { path: file.replace('\\', "/") },
        };
        Some(Reference { content, object: Some(object), home: Home::Model })
    }

    /// The list behind `m_pObject`: an object by name, or the object itself in the generic form.
    fn pointed(&mut self, pointer: &'t Node, path: &str) -> Option<Located<'t>> {
        let path = format!("{path}.m_pObject");
        let name = match &pointer.value {
            Value::Object(object) => return Some(self.list(object, &path)),
            Value::Pointer(name) => name,
            _ => {
                let reason = format!("expected a list or a pointer to one, found {}", pointer.described());
                self.faults.error(pointer.span.clone(), &path, reason);
                return None;
            }
        };
        let Some(&number) = self.by_name.get(name.as_str()) else {
            let hint = if self.faults.is_shown() { did_you_mean(name, self.by_name.keys()) } else { String::new() };
            self.faults.error(pointer.span.clone(), &path, format!("no object is named {name}{hint}"));
            return None;
        };
        let top = &self.tree.tops[number];
        if class_of(&top.object) != LIST_TYPE {
            let reason = format!("expected a {LIST_TYPE}, but {name} is a {}", class_of(&top.object));
            self.faults.error(pointer.span.clone(), &path, reason);
            return None;
        }
        if !self.referenced.insert(number) {
            self.faults.error(pointer.span.clone(), &path, format!("{name} is already referenced"));
            return None;
        }
        let mut located = self.list(&top.object, name);
        located.top = Some(number);
        Some(located)
    }

    fn warn_of_unreferenced(&mut self) {
        for (number, top) in self.tree.tops.iter().enumerate() {
            if class_of(&top.object) == LIST_TYPE && !self.referenced.contains(&number) {
                let reason = format!("nothing references the list {}: it is passed over", top.name);
                self.faults.warning(top.name_span.clone(), "", reason);
            }
        }
    }

    fn list(&mut self, object: &'t Object, path: &str) -> Located<'t> {
        let mut fields = Fields { faults: self.faults, object, path: path.to_owned() };
        let name = fields.text("m_name").unwrap_or_default().to_owned();
        let attachments = fields.elements("m_attachments");
        let mut located = Located::new(object, attachments.map(|(array, _)| array));
        located.list.name = name;
        let duplicates = if self.tree.form == Form::Typed { self.duplicates } else { Duplicates::FirstWins };
        let mut names = Names::new(duplicates);
        let Some((array, elements)) = attachments else { return located };
        for (index, node) in elements.iter().enumerate() {
            let path = format!("{path}.m_attachments[{index}]");
            if let Some(object) = object_of(self.faults, node, &path) {
                let (attachment, entry) = self.attachment(object, array, index, &path);
                let name_span = object.get("m_name").map_or(node.span.clone(), |name| name.span.clone());
                names.enter(self.faults, &mut located, attachment, entry, (name_span, &path));
            }
        }
        located
    }

    fn attachment(&mut self, object: &'t Object, array: &'t Node, index: usize, path: &str) -> (Attachment, Entry<'t>) {
        let mut fields = Fields { faults: self.faults, object, path: path.to_owned() };
        let name = fields.text("m_name").unwrap_or_default().to_owned();
        let found = fields.elements("m_influences");
        let mut influences = Vec::new();
        let mut places = Vec::new();
        for (i, node) in found.map_or(&[][..], |(_, elements)| elements).iter().enumerate() {
            let path = format!("{path}.m_influences[{i}]");
            if let (Some(object), Some((array, _))) = (object_of(self.faults, node, &path), found) {
                influences.push(self.influence(node, object, path));
                places.push(Place { object, element: Some((array, i)) });
            }
        }
        let influence_array = found.map(|(array, _)| array);
        let entry = Entry { object, array, index, influences: places, influence_array };
        (Attachment { name, influences, ignore_rotation: false }, entry)
    }

    fn influence(&mut self, node: &Node, object: &'t Object, path: String) -> Influence {
        let mut fields = Fields { faults: self.faults, object, path };
        let joint = fields.text("m_influenceName").unwrap_or_default().to_owned();
        let translation = fields.triple("m_vTranslationOffset");
        let rotation = angles(fields.triple("m_vRotationOffset"));
        let weight = fields.weight("m_flWeight");
        let root = fields.boolean("m_bRoot").unwrap_or_else(|| {
            if !joint.is_empty() && object.get("m_bRoot").is_none() {
                let reason = format!("m_bRoot is not given, so it is true and the joint {joint:?} does not count");
                fields.faults.warning(node.span.clone(), &fields.path, reason);
            }
            true
        });
        Influence { joint, translation, rotation, weight, root }
    }
}
