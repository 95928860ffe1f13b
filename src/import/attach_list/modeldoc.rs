//! The nodes of ModelDoc files.
//!
//! # Source
//! Rule L5.

use super::{
    faults::Faults,
    outline::{
        Content, Duplicates, Entry, Fields, Home, Located, Names, Outline, Place, Reference, Root, influence, object_of,
    },
    tree::{Node, Object, Tree, Value},
};
use crate::defs::{Angles, Attachment, Influence};

/// Finds the attachment lists below the root node, and the prefabs that may hold more.
pub(super) fn outline<'t>(tree: &'t Tree, faults: &mut Faults<'_>) -> Outline<'t> {
    let mut document = Fields { faults, object: &tree.tops[0].object, path: "root".to_owned() };
    let root = document.get("rootNode").and_then(|node| object_of(document.faults, node, "rootNode"));
    let mut references = Vec::new();
    if let Some(root) = root {
        nodes(faults, root, "rootNode", Home::Model, &mut references);
    } else {
        faults.warning(tree.tops[0].name_span.clone(), "", "this file has no rootNode, so it holds no attachment list");
    }
    Outline { root: Root::ModelDoc(root), references }
}

fn is_disabled(object: &Object) -> bool {
    matches!(object.get("disabled").map(|node| &node.value), Some(Value::Bool(true)))
}

/// The nodes among a node's children, those switched off left out.
fn children<'t>(
    faults: &mut Faults<'_>,
    object: &'t Object,
    path: &str,
) -> (Option<&'t Node>, Vec<(usize, &'t Node, &'t Object)>) {
    let mut fields = Fields { faults, object, path: path.to_owned() };
    let Some((array, elements)) = fields.elements("children") else { return (None, Vec::new()) };
    let child = |(i, node): (usize, &'t Node)| {
        let object = object_of(faults, node, &format!("{path}.children[{i}]"))?;
        (!is_disabled(object)).then_some((i, node, object))
    };
    (Some(array), elements.iter().enumerate().filter_map(child).collect())
}

/// What stands beside the lists.
fn nodes<'t>(
    faults: &mut Faults<'_>,
    parent: &'t Object,
    path: &str,
    home: Home<'t>,
    references: &mut Vec<Reference<'t>>,
) {
    for (i, _, object) in children(faults, parent, path).1 {
        let path = format!("{path}.children[{i}]");
        match object.text("_class") {
            "AttachmentList" => list(faults, object, &path, references),
            "Folder" => nodes(faults, object, &path, home, references),
            "PrefabList" => nodes(faults, object, &path, Home::PrefabList, references),
            "Prefab" => prefab(faults, object, &path, home, references),
            _ => {}
        }
    }
}

fn prefab<'t>(
    faults: &mut Faults<'_>,
    object: &'t Object,
    path: &str,
    home: Home<'t>,
    references: &mut Vec<Reference<'t>>,
) {
    let mut fields = Fields { faults, object, path: path.to_owned() };
    let content = match fields.text("target_file") {
        None | Some("") => {
            faults.warning(object.braces.clone(), path, "the prefab names no file");
            Content::Empty
        }
        Some(file) => Content::File { path: file.replace('\\', "/") },
    };
    references.push(Reference { content, object: Some(object), home });
}

fn list<'t>(faults: &mut Faults<'_>, object: &'t Object, path: &str, references: &mut Vec<Reference<'t>>) {
    let array = object.get("children");
    let mut located = Located::new(object, array);
    object.text("name").clone_into(&mut located.list.name);
    let mut names = Names::new(Duplicates::FirstWins);
    let mut prefabs = Vec::new();
    entries(faults, object, path, &mut |faults, node, object, array, index, path| match object.text("_class") {
        "Attachment" => {
            let (attachment, entry) = attachment(faults, object, (array, index), path);
            let name_span = object.get("name").map_or(node.span.clone(), |name| name.span.clone());
            names.enter(faults, &mut located, attachment, entry, (name_span, path));
        }
        "Prefab" => prefab(faults, object, path, Home::List(array, index), &mut prefabs),
        class => {
            let reason = format!("a node of class {class:?} in an attachment list: it is passed over");
            faults.warning(node.span.clone(), path, reason);
        }
    });
    references.push(Reference { content: Content::List(located), object: None, home: Home::Model });
    references.append(&mut prefabs);
}

type Visit<'v, 't> = dyn FnMut(&mut Faults<'_>, &'t Node, &'t Object, &'t Node, usize, &str) + 'v;

/// Everything in a list, folders opened.
fn entries<'t>(faults: &mut Faults<'_>, parent: &'t Object, path: &str, visit: &mut Visit<'_, 't>) {
    let (Some(array), children) = children(faults, parent, path) else { return };
    for (i, node, object) in children {
        let path = format!("{path}.children[{i}]");
        if object.text("_class") == "Folder" {
            entries(faults, object, &path, visit);
        } else {
            visit(faults, node, object, array, i, &path);
        }
    }
}

fn attachment<'t>(
    faults: &mut Faults<'_>,
    object: &'t Object,
    (array, index): (&'t Node, usize),
    path: &str,
) -> (Attachment, Entry<'t>) {
    let mut fields = Fields { faults, object, path: path.to_owned() };
    let name = fields.text("name").unwrap_or_default().to_owned();
    let ignore_rotation = fields.boolean("ignore_rotation").unwrap_or(false);
    let mut influences = vec![own_influence(&mut fields)];
    let mut places = vec![Place { object, element: None }];
    entries(faults, object, path, &mut |faults, node, object, array, index, path| {
        if object.text("_class") == "AttachmentInfluence" {
            let mut fields = Fields { faults, object, path: path.to_owned() };
            influences.push(own_influence(&mut fields));
            places.push(Place { object, element: Some((array, index)) });
        } else {
            let class = object.text("_class");
            let reason = format!("a node of class {class:?} in an attachment: it is passed over");
            faults.warning(node.span.clone(), path, reason);
        }
    });
    let entry = Entry { object, array, index, influences: places, influence_array: object.get("children") };
    (Attachment { name, influences, ignore_rotation }, entry)
}

/// The influence that a node's own fields make: of the root when no joint is named.
fn own_influence(fields: &mut Fields<'_, '_, '_>) -> Influence {
    let joint = fields.text("parent_bone").unwrap_or_default().to_owned();
    let translation = fields.triple("relative_origin");
    let [pitch, yaw, roll] = fields.triple("relative_angles");
    influence(joint, translation, Angles { pitch, yaw, roll }, fields.weight("weight"))
}
