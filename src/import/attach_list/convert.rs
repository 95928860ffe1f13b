//! From one form to another.

use super::{AttachmentFile, EditError, Form, render::Layout};
use crate::defs::{Attachment, AttachmentList, ListReference};

/// A new file of another form with the attachments of `list`, and what was lost on the way.
///
/// # Errors
/// [`EditError`] when an attachment cannot be written at all.
///
/// # Source
/// Rules L5, L6.
pub fn converted(name: &str, form: Form, list: &AttachmentList) -> Result<(AttachmentFile, Vec<String>), EditError> {
    let mut lost = Vec::new();
    let mut list = list.clone();
    list.attachments.retain_mut(|attachment| adapt(attachment, form, &mut lost));
    Ok((AttachmentFile::new(name, form, &list)?, lost))
}

/// Makes an attachment what the form can hold; false where it cannot hold it at all.
fn adapt(attachment: &mut Attachment, form: Form, lost: &mut Vec<String>) -> bool {
    let name = &attachment.name;
    if name.is_empty() {
        lost.push("an attachment without a name is left out".to_owned());
        return false;
    }
    if form != Form::ModelDoc {
        if std::mem::take(&mut attachment.ignore_rotation) {
            lost.push(format!("{name:?}: ignore_rotation has no place in this form: the rotation counts again"));
        }
        return true;
    }
    if attachment.influences.is_empty() {
        lost.push(format!("{name:?} has no influence and is left out"));
        return false;
    }
    for influence in &mut attachment.influences {
        if !influence.root && influence.joint.is_empty() {
            lost.push(format!("{name:?}: an influence of a joint without a name becomes one of the root"));
            influence.root = true;
        } else if influence.root && !influence.joint.is_empty() {
            lost.push(format!("{name:?}: the joint {:?} of an influence of the root is dropped", influence.joint));
        }
    }
    true
}

/// One attachment as it would be written in a file of this form.
#[must_use]
pub fn attachment_text(form: Form, attachment: &Attachment) -> String {
    let layout = Layout::new(form);
    layout.joined(&layout.attachment(attachment), "")
}

/// What a converted file leaves behind: parts of a model that are no attachments, and files that it names.
impl AttachmentFile {
    /// Names of the files that hold more lists.
    pub fn external_paths(&self) -> impl Iterator<Item = &str> {
        self.references().iter().filter_map(|reference| match reference {
            ListReference::External { path } => Some(path.as_str()),
            _ => None,
        })
    }
}
