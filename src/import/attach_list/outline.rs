//! Where lists, attachments and influences stand in a text, beside what they hold.

use std::collections::BTreeMap;

use super::{
    faults::Faults,
    tree::{Node, Object, Span, Value},
};
use crate::defs::{Attachment, AttachmentList, Influence, folded};

/// What a text says about attachments.
pub(super) struct Outline<'t> {
    pub(super) root: Root<'t>,
    pub(super) references: Vec<Reference<'t>>,
}

/// What kind of file it is.
pub(super) enum Root<'t> {
    /// A model in typed or generic form.
    Model(&'t Object),
    /// A list of its own.
    List,
    /// A ModelDoc file, with its root node.
    ModelDoc(Option<&'t Object>),
    /// Something without attachments.
    Other,
}

pub(super) struct Reference<'t> {
    pub(super) content: Content<'t>,
    /// The reference itself, in a model.
    pub(super) object: Option<&'t Object>,
    pub(super) home: Home<'t>,
}

/// Where a reference stands.
#[derive(Clone, Copy)]
pub(super) enum Home<'t> {
    /// Where a list could stand instead.
    Model,
    /// Among the attachments of a list: in this array, at this index.
    List(&'t Node, usize),
    /// Where only prefabs stand.
    PrefabList,
}

impl Reference<'_> {
    /// Where it names its file, else where it stands.
    pub(super) fn place(&self) -> Span {
        let Some(object) = self.object else {
            return match &self.content {
                Content::List(located) => located.object.braces.start..located.object.braces.start + 1,
                _ => 0..0,
            };
        };
        let named = object.get("m_sFileName").or_else(|| object.get("target_file"));
        named.map_or(object.braces.clone(), |node| node.span.clone())
    }
}

pub(super) enum Content<'t> {
    List(Located<'t>),
    File { path: String },
    Empty,
}

/// A list with the places of what is in it.
pub(super) struct Located<'t> {
    pub(super) list: AttachmentList,
    pub(super) entries: Vec<Entry<'t>>,
    /// The object that holds the attachments, and their array if it is there.
    pub(super) object: &'t Object,
    pub(super) array: Option<&'t Node>,
    /// The top-level object that this is, by number.
    pub(super) top: Option<usize>,
}

/// One attachment: an element of an array.
pub(super) struct Entry<'t> {
    pub(super) object: &'t Object,
    pub(super) array: &'t Node,
    pub(super) index: usize,
    pub(super) influences: Vec<Place<'t>>,
    /// The array of influences, if it is there.
    pub(super) influence_array: Option<&'t Node>,
}

/// One influence: an element of an array, or the attachment's own object.
pub(super) struct Place<'t> {
    pub(super) object: &'t Object,
    pub(super) element: Option<(&'t Node, usize)>,
}

impl<'t> Located<'t> {
    pub(super) fn new(object: &'t Object, array: Option<&'t Node>) -> Self {
        Self { list: AttachmentList::default(), entries: Vec::new(), object, array, top: None }
    }
}

/// What is made of a name that comes twice in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duplicates {
    Refused,
    FirstWins,
}

/// Enters attachments into a list, watching over their names.
pub(super) struct Names {
    duplicates: Duplicates,
    taken: BTreeMap<String, usize>,
}

impl Names {
    pub(super) fn new(duplicates: Duplicates) -> Self {
        Self { duplicates, taken: BTreeMap::new() }
    }

    pub(super) fn enter<'t>(
        &mut self,
        faults: &mut Faults<'_>,
        located: &mut Located<'t>,
        attachment: Attachment,
        entry: Entry<'t>,
        (name_span, path): (Span, &str),
    ) {
        if attachment.name.is_empty() {
            faults.warning(name_span.clone(), path, "the attachment has no name");
        }
        if let Some(&first) = self.taken.get(&folded(&attachment.name)) {
            let reason = format!("another attachment is already named {:?} (case does not count)", attachment.name);
            if self.duplicates == Duplicates::Refused {
                return faults.error(name_span, path, reason);
            }
            return faults.duplicate(name_span, path, format!("{reason}: only number {first}, the first, counts"));
        }
        if attachment.influences.is_empty() {
            faults.warning(name_span.clone(), path, format!("{:?} has no influence", attachment.name));
        }
        warn_of_weights(faults, &attachment, name_span, path);
        self.taken.insert(folded(&attachment.name), located.entries.len());
        located.list.attachments.push(attachment);
        located.entries.push(entry);
    }
}

/// The engine's compiled form holds so many influences.
pub(super) const ENGINE_INFLUENCES: usize = 3;

fn warn_of_weights(faults: &mut Faults<'_>, attachment: &Attachment, span: Span, path: &str) {
    let Attachment { name, influences, .. } = attachment;
    if influences.len() > ENGINE_INFLUENCES {
        let n = influences.len();
        let reason = format!("{name:?} has {n} influences: the engine's compiled form holds {ENGINE_INFLUENCES}");
        faults.warning(span.clone(), path, reason);
    }
    if influences.len() > 1 && influences.iter().all(|influence| influence.weight == 0.0) {
        faults.warning(span, path, format!("all weights of {name:?} are 0: they count as equal"));
    }
}

/// The fields of one object. What is there but of another kind is an error.
pub(super) struct Fields<'f, 't, 'x> {
    pub(super) faults: &'f mut Faults<'x>,
    pub(super) object: &'t Object,
    pub(super) path: String,
}

impl<'t> Fields<'_, 't, '_> {
    pub(super) fn path_of(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    /// The value of a key, which must not come twice.
    pub(super) fn get(&mut self, key: &str) -> Option<&'t Node> {
        let mut found = self.object.pairs.iter().filter(|pair| pair.key == key);
        let first = found.next()?;
        if let Some(second) = found.next() {
            let path = self.path_of(key);
            self.faults.error(second.span.clone(), &path, "this field is given twice");
        }
        Some(&first.value)
    }

    fn wrong(&mut self, key: &str, node: &Node, expected: &str) {
        let path = self.path_of(key);
        self.faults.error(node.span.clone(), &path, format!("expected {expected}, found {}", node.described()));
    }

    pub(super) fn text(&mut self, key: &str) -> Option<&'t str> {
        let node = self.get(key)?;
        match &node.value {
            Value::Text(text) => return Some(text),
            _ => self.wrong(key, node, "a text"),
        }
        None
    }

    pub(super) fn boolean(&mut self, key: &str) -> Option<bool> {
        let node = self.get(key)?;
        match node.value {
            Value::Bool(set) => return Some(set),
            _ => self.wrong(key, node, "true or false"),
        }
        None
    }

    pub(super) fn weight(&mut self, key: &str) -> f64 {
        let Some(node) = self.get(key) else { return 1.0 };
        match node.value {
            Value::Number(weight) if weight < 0.0 => {
                let path = self.path_of(key);
                self.faults.error(node.span.clone(), &path, format!("a weight cannot be negative, found {weight}"));
            }
            Value::Number(weight) => return weight,
            _ => self.wrong(key, node, "a number"),
        }
        1.0
    }

    /// Three numbers; all 0 when the key is not there.
    pub(super) fn triple(&mut self, key: &str) -> [f64; 3] {
        let Some(node) = self.get(key) else { return [0.0; 3] };
        if let Value::Array(values) = &node.value {
            let numbers: Vec<f64> = values
                .iter()
                .map_while(|value| if let Value::Number(n) = value.value { Some(n) } else { None })
                .collect();
            if let (Ok(triple), 3) = (<[f64; 3]>::try_from(numbers), values.len()) {
                return triple;
            }
        }
        self.wrong(key, node, "three numbers");
        [0.0; 3]
    }

    /// The elements of an array.
    pub(super) fn elements(&mut self, key: &str) -> Option<(&'t Node, &'t [Node])> {
        let node = self.get(key)?;
        match &node.value {
            Value::Array(values) => return Some((node, values)),
            _ => self.wrong(key, node, "a list"),
        }
        None
    }
}

/// The element as an object.
pub(super) fn object_of<'t>(faults: &mut Faults<'_>, node: &'t Node, path: &str) -> Option<&'t Object> {
    match &node.value {
        Value::Object(object) => return Some(object),
        _ => faults.error(node.span.clone(), path, format!("expected an object, found {}", node.described())),
    }
    None
}

/// A value with `-0` as it is.
pub(super) fn influence(joint: String, translation: [f64; 3], rotation: crate::defs::Angles, weight: f64) -> Influence {
    let root = joint.is_empty();
    Influence { joint, translation, rotation, weight, root }
}
