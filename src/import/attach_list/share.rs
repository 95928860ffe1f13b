//! Lists that move into files of their own, and back into the models that name them.
//!
//! # Source
//! Rule L19.

use super::{
    AttachmentFile, EditError, Form,
    content::is_content_path,
    edit::{self, free_name, impossible, set_value},
    faults::Faults,
    fields, header,
    outline::{Content, Home, Located, Outline, Reference, Root},
    render::quoted,
    splice::{Splices, moved, top_start},
    tree::{Node, Object, Span, Tree, Value},
};
use crate::defs::{AttachmentList, ListReference, did_you_mean};

impl AttachmentFile {
    /// Moves the list out of the model, which then names the file at `path` under the content root. The text of that
    /// file comes back: a list in the form of the model, for ModelDoc a prefab.
    ///
    /// # Errors
    /// [`EditError`]: there is no list in the model or more than one, or the path is not one under the content root.
    ///
    /// # Source
    /// Rule L19.
    pub fn make_external(&mut self, path: &str) -> Result<String, EditError> {
        if let Err(reason) = is_content_path(path) {
            return impossible(format!("{path:?}: {reason}"));
        }
        let path = path.replace('\\', "/");
        if self.form == Form::ModelDoc && !path.to_ascii_lowercase().ends_with(".vmdl_prefab") {
            return impossible(format!("{path:?}: ModelDoc files name prefabs, which end in .vmdl_prefab"));
        }
        let (at, list) = self.movable()?;
        let list = list.clone();
        let (file, text) = self.changed(|splices, tree, outline| match tree.form {
            Form::Typed => typed_out(splices, tree, &outline.references[at], &path),
            Form::Generic => generic_out(splices, &outline.references[at], &path),
            Form::ModelDoc => modeldoc_out(splices, &outline.references[at], &path),
        })?;
        match Self::read(path, text, self.duplicates) {
            Ok(other) if other.list().attachments == list.attachments => {
                *self = file;
                Ok(other.text)
            }
            _ => impossible("the list would not be read in its own file as it is read here"),
        }
    }

    /// Moves the list from a file that the model names into the model. `path` is the name that the model has for the
    /// file, and `other` the file. Where both have the same form the list keeps its text.
    ///
    /// # Errors
    /// [`EditError`]: the model does not name this file, a name is taken, the form of the model cannot hold an
    /// attachment, or the file holds what would be lost.
    ///
    /// # Source
    /// Rule L19.
    pub fn make_internal(&mut self, path: &str, other: &Self) -> Result<(), EditError> {
        let path = path.replace('\\', "/");
        let is_meant =
            |reference: &ListReference| matches!(reference, ListReference::External { path: named } if *named == path);
        let Some(at) = self.references.iter().position(is_meant) else {
            let hint = did_you_mean(&path, self.external_paths());
            return impossible(format!("the file names no list {path:?}{hint}"));
        };
        let list = other.list();
        for attachment in &list.attachments {
            edit::check(self.form, attachment)?;
            self.is_free(&attachment.name)?;
        }
        let mut faults = Faults::new(&other.name, &other.text);
        let Ok(tree) = super::parse(&other.text, &mut faults) else {
            return impossible("the other file cannot be read");
        };
        let outline = super::outline(&tree, other.duplicates, &mut faults);
        let source = Source { text: &other.text, list: &list, place: place(self.form, &tree, &outline)? };
        if source.place.is_none() && other.external_paths().next().is_some() {
            return impossible(format!("{} names other files in its turn, which would be lost", other.name));
        }
        let (file, ()) = self.changed(|splices, tree, outline| {
            let reference = &outline.references[at];
            match tree.form {
                Form::Typed => typed_in(splices, tree, reference, &source),
                Form::Generic => generic_in(splices, reference, &source),
                Form::ModelDoc => modeldoc_in(splices, reference, &source),
            }
        })?;
        let is_there = |asked| file.attachment(asked).is_some();
        match list.attachments.iter().find(|asked| !is_there(&asked.name)) {
            Some(lost) => impossible(format!("{:?} would not be read as it was written", lost.name)),
            None => {
                *self = file;
                Ok(())
            }
        }
    }

    /// The only list that can move, with its number.
    fn movable(&self) -> Result<(usize, &AttachmentList), EditError> {
        if self.is_list {
            return impossible("the file is a list of its own, and no model that could name one");
        }
        let mut found = self.references.iter().enumerate().filter_map(|(at, reference)| match reference {
            ListReference::Internal(list) => Some((at, list)),
            _ => None,
        });
        let elsewhere = self.external_paths().next();
        match (found.next(), found.next(), elsewhere) {
            (Some(_), Some(_), _) => impossible("there is more than one list in the file: put them together first"),
            (Some((_, list)), None, Some(path)) if list.attachments.is_empty() => {
                impossible(format!("the list in the file is empty; others are in {path}"))
            }
            (Some(found), None, _) => Ok(found),
            (None, _, Some(path)) => impossible(format!("the list is in a file of its own already: {path}")),
            (None, _, None) => impossible("there is no list in the file; adding an attachment makes one"),
        }
    }
}

const UNNAMED: &str = "nothing in the file names the list";

/// A list in another file, and where its text is if that can be taken over.
struct Source<'s> {
    text: &'s str,
    list: &'s AttachmentList,
    place: Option<SourcePlace>,
}

/// Typed text: from behind the list's name to its brace. Generic: the object. ModelDoc: the node, and what is in it.
struct SourcePlace {
    list: Span,
    /// From the first child to the last, if there are any.
    children: Option<Span>,
    /// The children with their brackets.
    array: Option<Span>,
}

/// Where the list stands in the text of a file of the same form.
fn place(form: Form, tree: &Tree, outline: &Outline<'_>) -> Result<Option<SourcePlace>, EditError> {
    let whole = |list: Span| Ok(Some(SourcePlace { list, children: None, array: None }));
    match (&outline.root, &tree.tops[..]) {
        (Root::ModelDoc(root), _) if form == Form::ModelDoc => {
            let list = only_list(*root, outline)?;
            Ok(Some(SourcePlace {
                list: list.object.braces.clone(),
                children: list.array.and_then(inner),
                array: list.array.map(|array| array.span.clone()),
            }))
        }
        (Root::List, [top]) if form == tree.form && !holds_pointer(&top.object) => match form {
            Form::Typed if top.name.is_empty() => Ok(None),
            Form::Typed => whole(top.name_span.end..top.object.braces.end),
            _ => whole(top.object.braces.clone()),
        },
        _ => Ok(None),
    }
}

/// The list of a prefab, which must hold nothing else: the model would no longer have it.
fn only_list<'o, 't>(root: Option<&Object>, outline: &'o Outline<'t>) -> Result<&'o Located<'t>, EditError> {
    let nodes = match root.and_then(|root| root.get("children")).map(|node| &node.value) {
        Some(Value::Array(nodes)) => &nodes[..],
        _ => &[],
    };
    let class = |node: &Node| match &node.value {
        Value::Object(object) => object.text("_class").to_owned(),
        _ => String::new(),
    };
    match (nodes, outline.located().next()) {
        ([only], Some(list)) if class(only) == "AttachmentList" => Ok(list),
        ([_], _) | ([], _) => impossible("the prefab holds no attachment list"),
        _ => {
            let classes: Vec<_> = nodes.iter().map(class).filter(|class| class != "AttachmentList").collect();
            let others = if classes.is_empty() { "another list".to_owned() } else { classes.join(", ") };
            impossible(format!("the prefab holds more than one attachment list ({others}), which would be lost"))
        }
    }
}

fn inner(array: &Node) -> Option<Span> {
    let Value::Array(values) = &array.value else { return None };
    Some(values.first()?.span.start..values.last()?.span.end)
}

fn list_of<'r, 't>(reference: &'r Reference<'t>) -> Result<&'r Located<'t>, EditError> {
    match &reference.content {
        Content::List(located) => Ok(located),
        _ => impossible("the list is not in this file"),
    }
}

/// What names the list in its model.
fn naming<'t>(reference: &Reference<'t>) -> Result<&'t Object, EditError> {
    reference.object.map_or_else(|| impossible(UNNAMED), Ok)
}

fn typed_out(
    splices: &mut Splices<'_>,
    tree: &Tree,
    reference: &Reference<'_>,
    path: &str,
) -> Result<String, EditError> {
    let top = list_of(reference)?.top;
    let object = naming(reference)?;
    let Some(number) = top else { return impossible(UNNAMED) };
    let top = &tree.tops[number];
    if holds_pointer(&top.object) {
        return impossible("the list points to other objects of its file, so it cannot leave it");
    }
    let newline = splices.layout.newline;
    let body = &splices.text[top.name_span.end..top.object.braces.end];
    let file = format!("{}{newline}{} {}_0{body}", header::TYPED, fields::LIST_TYPE, fields::LIST_TYPE);
    splices.remove_top(top_start(splices.text, top), top.object.braces.end);
    set_value(splices, object, "CVattachmentList*", "m_pObject", "NULL".to_owned());
    set_value(splices, object, "string", "m_sFileName", quoted(path));
    Ok(file)
}

fn typed_in(
    splices: &mut Splices<'_>,
    tree: &Tree,
    reference: &Reference<'_>,
    source: &Source<'_>,
) -> Result<(), EditError> {
    let object = naming(reference)?;
    let name = free_name(tree);
    let head = format!("{} {name}", fields::LIST_TYPE);
    let lines = match &source.place {
        Some(place) => vec![format!("{head}{}", moved(source.text, place.list.clone(), "", splices.layout.newline))],
        None => splices.layout.list_object(&head, source.list),
    };
    splices.add_top(tree, object.braces.start, &lines);
    set_value(splices, object, "CVattachmentList*", "m_pObject", format!("&{name}"));
    set_value(splices, object, "string", "m_sFileName", quoted(""));
    Ok(())
}

fn holds_pointer(object: &Object) -> bool {
    object.pairs.iter().any(|pair| is_pointer(&pair.value))
}

fn is_pointer(node: &Node) -> bool {
    match &node.value {
        Value::Pointer(_) => true,
        Value::Array(values) => values.iter().any(is_pointer),
        Value::Object(object) => holds_pointer(object),
        _ => false,
    }
}

fn generic_out(splices: &mut Splices<'_>, reference: &Reference<'_>, path: &str) -> Result<String, EditError> {
    let list = list_of(reference)?.object.braces.clone();
    let object = naming(reference)?;
    let newline = splices.layout.newline;
    let body = moved(splices.text, list.clone(), "", newline);
    // The object stands on lines of its own, and null does not.
    let before = splices.text[..list.start].trim_end().len();
    splices.replace(before..list.end, " null");
    set_value(splices, object, "string", "m_sFileName", quoted(path));
    Ok(format!("{}{newline}{body}{newline}", header::written(splices.text, header::GENERIC)))
}

fn generic_in(splices: &mut Splices<'_>, reference: &Reference<'_>, source: &Source<'_>) -> Result<(), EditError> {
    let object = naming(reference)?;
    let newline = splices.layout.newline;
    let text = match &source.place {
        Some(place) => {
            let indent = splices.indent(object.pairs.last().map_or(object.braces.start, |pair| pair.span.start));
            format!("{newline}{indent}{}", moved(source.text, place.list.clone(), indent, newline))
        }
        None => splices.block(object, &splices.layout.list_object("", source.list)),
    };
    match object.get("m_pObject") {
        Some(null) => {
            // Most files have a blank before the line break, early ones have none.
            let blank = if splices.text.contains("=\n") || splices.text.contains("=\r\n") { "" } else { " " };
            let before = splices.text[..null.span.start].trim_end().len();
            splices.replace(before..null.span.end, format!("{blank}{text}"));
        }
        None => set_value(splices, object, "CVattachmentList*", "m_pObject", text),
    }
    // No file of this form has the field without need.
    splices.remove_pair(object, "m_sFileName");
    Ok(())
}

/// The list stays, and a prefab is in it instead of what was: so the vendor's own models are written.
fn modeldoc_out(splices: &mut Splices<'_>, reference: &Reference<'_>, path: &str) -> Result<String, EditError> {
    let Some(array) = list_of(reference)?.array else { return impossible("the list in the file is empty") };
    let layout = &splices.layout;
    let children = moved(splices.text, array.span.clone(), &layout.children_indent(), layout.newline);
    let file = layout.modeldoc_file(header::written(splices.text, header::MODELDOC), children);
    let prefab = layout.array("", vec![layout.prefab(path)]);
    let text = layout.joined(&prefab[1..], splices.indent(array.span.start));
    splices.replace(array.span.clone(), text);
    Ok(file)
}

fn modeldoc_in(splices: &mut Splices<'_>, reference: &Reference<'_>, source: &Source<'_>) -> Result<(), EditError> {
    let object = naming(reference)?;
    match reference.home {
        Home::List(array, index) if source.list.attachments.is_empty() && !holds_nodes(source) => {
            splices.remove_elements(array, &[index]);
        }
        Home::List(array, index) => children_in(splices, array, index, source),
        Home::Model => {
            let indent = splices.indent(object.braces.start);
            let text = match &source.place {
                Some(place) => moved(source.text, place.list.clone(), indent, splices.layout.newline),
                None => {
                    let attachments = source.list.attachments.iter();
                    let attachments = attachments.map(|attachment| splices.layout.attachment(attachment)).collect();
                    let lines = splices.layout.modeldoc_list(&source.list.name, attachments);
                    splices.layout.joined(&lines, indent)
                }
            };
            splices.replace(object.braces.clone(), text);
        }
        Home::PrefabList => {
            return impossible("the prefab is in a PrefabList, where no attachments can be: move its node into a list");
        }
    }
    Ok(())
}

fn holds_nodes(source: &Source<'_>) -> bool {
    source.place.as_ref().is_some_and(|place| place.children.is_some())
}

/// The children of a prefab's list in the place of the prefab.
fn children_in(splices: &mut Splices<'_>, array: &Node, index: usize, source: &Source<'_>) {
    let Value::Array(nodes) = &array.value else { return };
    let newline = splices.layout.newline;
    let prefab = nodes[index].span.clone();
    let around = [&splices.text[array.span.start..prefab.start], &splices.text[prefab.end..array.span.end]];
    let is_alone = nodes.len() == 1 && around.iter().all(|text| !text.contains('/'));
    if let (true, Some(SourcePlace { array: Some(other), .. })) = (is_alone, &source.place) {
        let text = moved(source.text, other.clone(), splices.indent(array.span.start), newline);
        return splices.replace(array.span.clone(), text);
    }
    let indent = splices.indent(prefab.start);
    let text = match source.place.as_ref().and_then(|place| place.children.clone()) {
        Some(children) => moved(source.text, children, indent, newline),
        None => {
            let attachments = source.list.attachments.iter();
            let lines =
                attachments.map(|attachment| splices.layout.joined(&splices.layout.attachment(attachment), indent));
            lines.collect::<Vec<_>>().join(&format!(",{newline}{indent}"))
        }
    };
    splices.replace(prefab, text);
}
