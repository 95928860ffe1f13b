//! Edits of lists, as changes of the text that they are in.

use std::collections::BTreeSet;

use super::{
    Form, fields,
    outline::{Content, Entry, Located, Outline, Place, Reference, Root},
    render::{InfluenceField, quoted},
    splice::Splices,
    tree::{Node, Object, Tree, Value},
};
use crate::defs::{Attachment, AttachmentList, Influence, ListReference};

/// Why an edit was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No list of the file holds this attachment.
    #[error("no attachment is named {name:?}{hint}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// A close name, as the end of a sentence.
        hint: String,
    },
    /// The name is taken.
    #[error("an attachment is already named {name:?} (case does not count)")]
    Taken {
        /// The name.
        name: String,
    },
    /// The attachment cannot be what it should become.
    #[error("{reason}")]
    Impossible {
        /// Why not.
        reason: String,
    },
}

pub(super) fn impossible<T>(reason: impl Into<String>) -> Result<T, EditError> {
    Err(EditError::Impossible { reason: reason.into() })
}

/// What the file must not be asked to hold.
pub(super) fn check(form: Form, attachment: &Attachment) -> Result<(), EditError> {
    let name = &attachment.name;
    if name.is_empty() {
        return impossible("an attachment needs a name");
    }
    for influence in &attachment.influences {
        let crate::defs::Angles { pitch, yaw, roll } = influence.rotation;
        let [x, y, z] = influence.translation;
        if [x, y, z, pitch, yaw, roll, influence.weight].iter().any(|number| !number.is_finite()) {
            return impossible(format!("{name:?}: every number must be finite"));
        }
        if influence.weight < 0.0 {
            return impossible(format!("{name:?}: a weight cannot be negative, found {}", influence.weight));
        }
        if form == Form::ModelDoc && !influence.root && influence.joint.is_empty() {
            return impossible(format!("{name:?}: in ModelDoc an influence without a joint is one of the root"));
        }
    }
    if form == Form::ModelDoc && attachment.influences.is_empty() {
        return impossible(format!("{name:?}: a ModelDoc attachment has at least one influence"));
    }
    if form != Form::ModelDoc && attachment.ignore_rotation {
        return impossible(format!("{name:?}: only ModelDoc files can ignore the rotation of joints"));
    }
    Ok(())
}

/// Whether an attachment that was read is the one that was to be written. ModelDoc keeps no name for the root.
pub(super) fn is_written(form: Form, read: &Attachment, asked: &Attachment) -> bool {
    let is_same = |(read, asked): (&Influence, &Influence)| {
        let no_name = form == Form::ModelDoc && asked.root;
        let joint = if no_name { String::new() } else { asked.joint.clone() };
        read.is_same(&Influence { joint, ..asked.clone() })
    };
    read.name == asked.name
        && read.ignore_rotation == asked.ignore_rotation
        && read.influences.len() == asked.influences.len()
        && read.influences.iter().zip(&asked.influences).all(is_same)
}

impl<'t> Outline<'t> {
    /// The lists in the file itself.
    pub(super) fn located(&self) -> impl Iterator<Item = &Located<'t>> {
        self.references.iter().filter_map(|reference| match &reference.content {
            Content::List(located) => Some(located),
            _ => None,
        })
    }

    pub(super) fn find(&self, name: &str) -> Option<(&Located<'t>, usize)> {
        self.located().find_map(|located| {
            let attachments = &located.list.attachments;
            let at = attachments.iter().position(|attachment| attachment.name.eq_ignore_ascii_case(name));
            at.map(|at| (located, at))
        })
    }

    pub(super) fn into_references(self) -> Vec<ListReference> {
        let reference = |reference: Reference<'_>| match reference.content {
            Content::List(located) => ListReference::Internal(located.list),
            Content::File { path } => ListReference::External { path },
            Content::Empty => ListReference::Empty,
        };
        self.references.into_iter().map(reference).collect()
    }
}

/// Adds an attachment to the first list, which is made if there is none.
pub(super) fn add(
    splices: &mut Splices<'_>,
    tree: &Tree,
    outline: &Outline<'_>,
    attachment: &Attachment,
) -> Result<(), EditError> {
    let lines = splices.layout.attachment(attachment);
    if let Some(located) = outline.located().next() {
        match located.array {
            Some(array) => splices.add_elements(array, &[lines]),
            None => {
                let head = match tree.form {
                    Form::ModelDoc => "children = ".to_owned(),
                    _ => splices.layout.pair("CVattachment[]", "m_attachments", ""),
                };
                let lines = splices.layout.array(&head, vec![lines]);
                splices.add_pair(located.object, &lines);
            }
        }
        return Ok(());
    }
    let external = |reference: &Reference<'_>| match &reference.content {
        Content::File { path } if tree.form != Form::ModelDoc => Some(path.clone()),
        _ => None,
    };
    if let Some(path) = outline.references.iter().find_map(external) {
        let reason = format!("the attachments are in another file, {path}: edit that one, or make the list internal");
        return impossible(reason);
    }
    let list = AttachmentList { name: String::new(), attachments: vec![attachment.clone()] };
    add_list(splices, tree, outline, &list)
}

/// Adds a list to a file without one.
fn add_list(
    splices: &mut Splices<'_>,
    tree: &Tree,
    outline: &Outline<'_>,
    list: &AttachmentList,
) -> Result<(), EditError> {
    match outline.root {
        Root::Model(model) => {
            let reference = outline.references.first().and_then(|reference| reference.object);
            let array = model.get(fields::LISTS).map_or(model.braces.end, |array| array.span.start);
            let named_at = reference.map_or(array, |reference| reference.braces.start);
            let target = target(splices, tree, named_at, list);
            match reference {
                Some(reference) => set_target(splices, reference, &target),
                None => {
                    let reference = splices.layout.reference(&target);
                    add_to_array(splices, model, fields::LISTS, "CVattachmentListReference[]", reference);
                }
            }
            Ok(())
        }
        Root::ModelDoc(Some(root)) => {
            let attachments = list.attachments.iter().map(|attachment| splices.layout.attachment(attachment)).collect();
            let node = splices.layout.modeldoc_list(&list.name, attachments);
            add_to_array(splices, root, "children", "", node);
            Ok(())
        }
        Root::ModelDoc(None) | Root::List | Root::Other => {
            impossible("the file has no place for an attachment list: it is neither a model nor a list")
        }
    }
}

/// What `m_pObject` holds: a pointer to a new top-level object, or the list itself in generic form.
fn target(splices: &mut Splices<'_>, tree: &Tree, named_at: usize, list: &AttachmentList) -> Vec<String> {
    if tree.form != Form::Typed {
        return splices.layout.list_object("", list);
    }
    let name = free_name(tree);
    let lines = splices.layout.list_object(&format!("{} {name}", fields::LIST_TYPE), list);
    splices.add_top(tree, named_at, &lines);
    vec![format!("&{name}")]
}

pub(super) fn free_name(tree: &Tree) -> String {
    let taken: BTreeSet<&str> = tree.tops.iter().map(|top| top.name.as_str()).collect();
    let is_free = |name: &String| !taken.contains(name.as_str());
    let mut names = (0..=tree.tops.len()).map(|n| format!("{}_{n}", fields::LIST_TYPE));
    names.find(is_free).unwrap_or_default()
}

fn set_target(splices: &mut Splices<'_>, reference: &Object, target: &[String]) {
    let text = if target.len() == 1 { target.concat() } else { splices.block(reference, target) };
    set_value(splices, reference, "CVattachmentList*", "m_pObject", text);
}

fn add_to_array(splices: &mut Splices<'_>, object: &Object, key: &str, spec: &str, element: Vec<String>) {
    match object.get(key) {
        Some(array) => splices.add_elements(array, &[element]),
        None => {
            let lines = splices.layout.array(&splices.layout.pair(spec, key, ""), vec![element]);
            splices.add_pair(object, &lines);
        }
    }
}

/// Replaces the value of a key, or adds the pair.
pub(super) fn set_value(splices: &mut Splices<'_>, object: &Object, spec: &str, key: &str, text: String) {
    match object.get(key) {
        Some(node) => splices.replace(node.span.clone(), text),
        None => {
            let line = splices.layout.pair(spec, key, &text);
            splices.add_pair(object, &[line]);
        }
    }
}

/// Takes an attachment out of its list.
pub(super) fn remove(splices: &mut Splices<'_>, located: &Located<'_>, at: usize) {
    let entry = &located.entries[at];
    splices.remove_elements(entry.array, &[entry.index]);
}

/// Changes what differs between an attachment and what it becomes.
pub(super) fn replace(splices: &mut Splices<'_>, located: &Located<'_>, at: usize, new: &Attachment) {
    let (entry, old) = (&located.entries[at], &located.list.attachments[at]);
    let is_modeldoc = splices.layout.form == Form::ModelDoc;
    if new.name != old.name {
        let key = if is_modeldoc { "name" } else { "m_name" };
        set_value(splices, entry.object, "string", key, quoted(&new.name));
    }
    if new.ignore_rotation != old.ignore_rotation {
        set_value(splices, entry.object, "bool", "ignore_rotation", new.ignore_rotation.to_string());
    }
    replace_influences(splices, entry, &old.influences, &new.influences);
}

/// Influences that stay the same at both ends are left alone; those between are changed, added or taken out.
fn replace_influences(splices: &mut Splices<'_>, entry: &Entry<'_>, old: &[Influence], new: &[Influence]) {
    let same = |(a, b): &(&Influence, &Influence)| a.is_same(b);
    let common = old.len().min(new.len());
    let head = old.iter().zip(new).take_while(same).count();
    // The first influence of ModelDoc is the node itself, which cannot be taken out.
    let limit = common - head.max(usize::from(splices.layout.form == Form::ModelDoc).min(common));
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(same).count().min(limit);
    let tail = if new.len() > old.len() { 0 } else { tail };
    let (middle_old, middle_new) = (head..old.len() - tail, head..new.len() - tail);
    for at in head..middle_old.end.min(middle_new.end) {
        update(splices, entry.influences[at].object, &old[at], &new[at]);
    }
    remove_places(splices, entry.influences.get(middle_new.end..middle_old.end).unwrap_or_default());
    if let Some(added) = new.get(middle_old.end..middle_new.end).filter(|added| !added.is_empty()) {
        add_influences(splices, entry, added);
    }
}

fn remove_places(splices: &mut Splices<'_>, places: &[Place<'_>]) {
    let elements: Vec<(&Node, usize)> = places.iter().filter_map(|place| place.element).collect();
    for of_array in elements.chunk_by(|(a, _), (b, _)| std::ptr::eq(*a, *b)) {
        let removed: Vec<usize> = of_array.iter().map(|(_, index)| *index).collect();
        splices.remove_elements(of_array[0].0, &removed);
    }
}

fn add_influences(splices: &mut Splices<'_>, entry: &Entry<'_>, added: &[Influence]) {
    let elements: Vec<_> = added.iter().map(|influence| splices.layout.influence(influence)).collect();
    match entry.influence_array {
        Some(array) => splices.add_elements(array, &elements),
        None => {
            let head = match splices.layout.form {
                Form::ModelDoc => "children = ".to_owned(),
                _ => splices.layout.pair("CVattachmentInfluence[]", "m_influences", ""),
            };
            let lines = splices.layout.array(&head, elements);
            splices.add_pair(entry.object, &lines);
        }
    }
}

/// The fields of one influence whose text changes.
fn update(splices: &mut Splices<'_>, object: &Object, old: &Influence, new: &Influence) {
    let form = splices.layout.form;
    for field in InfluenceField::all(form) {
        let text = field.text(&splices.layout, new);
        if text == field.text(&splices.layout, old) {
            continue;
        }
        let triples = field.triple(form, old).zip(field.triple(form, new));
        match (triples, object.get(field.key(form)).map(|node| &node.value)) {
            (Some((old, new)), Some(Value::Array(nodes))) => {
                for (node, (old, new)) in nodes.iter().zip(old.into_iter().zip(new)) {
                    if old.to_bits() != new.to_bits() {
                        let number = splices.layout.number(new);
                        splices.replace(node.span.clone(), number);
                    }
                }
            }
            _ => set_value(splices, object, field.spec(), field.key(form), text),
        }
    }
}
