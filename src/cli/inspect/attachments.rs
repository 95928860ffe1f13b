//! What is in a file with attachment lists.

use serde_json::{Map, Value, json};

use crate::{
    defs::{Attachment, AttachmentList, Influence, ListReference},
    import::AttachmentFile,
};

/// The lists as data, and where others are.
pub(super) fn content(file: &AttachmentFile) -> Value {
    let kind = if file.is_list() { "attachment list" } else { "model" };
    let lists: Vec<_> = file.references().iter().map(reference).collect();
    let warnings: Vec<_> = file.warnings().iter().map(ToString::to_string).collect();
    json!({
        "kind": kind,
        "form": file.form().name(),
        "format": file.format(),
        "lists": lists,
        "warnings": warnings,
    })
}

fn reference(reference: &ListReference) -> Value {
    match reference {
        ListReference::Internal(list) => self::list(list),
        ListReference::External { path } => json!({ "name": "", "file": path }),
        ListReference::Empty => json!({ "name": "", "empty": true }),
    }
}

fn list(list: &AttachmentList) -> Value {
    json!({ "name": list.name, "attachments": list.attachments.iter().map(attachment).collect::<Vec<_>>() })
}

fn attachment(attachment: &Attachment) -> Value {
    let influences: Vec<_> = attachment.influences.iter().enumerate().map(influence).collect();
    let mut fields = Map::new();
    fields.insert("name".to_owned(), json!(attachment.name));
    if attachment.ignore_rotation {
        fields.insert("ignore_rotation".to_owned(), json!(true));
    }
    fields.insert("influences".to_owned(), json!(influences));
    Value::Object(fields)
}

fn influence((index, influence): (usize, &Influence)) -> Value {
    let crate::defs::Angles { pitch, yaw, roll } = influence.rotation;
    json!({
        "index": index,
        "joint": influence.joint,
        "root": influence.root,
        "offset": influence.translation,
        "pitch_yaw_roll": [pitch, yaw, roll],
        "weight": influence.weight,
    })
}
