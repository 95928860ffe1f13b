//! What every text that can be read must stand.

use soup386::{
    defs::{Attachment, Influence},
    import::{AttachmentFile, Form, converted},
};

/// Reads a text; changes it in all ways and back; writes it in other forms and reads those.
pub fn exercise(text: &str) {
    let Ok(file) = AttachmentFile::parse_damaged("text", text) else { return };
    assert_eq!(file.text(), text);
    let list = file.list();
    for form in [Form::Typed, Form::Generic, Form::ModelDoc] {
        let Ok((other, _)) = converted("other", form, &list) else { continue };
        for attachment in other.list().attachments {
            assert!(list.named(&attachment.name).is_some());
        }
    }
    for attachment in list.attachments.iter().take(3) {
        change(&file, attachment);
    }
    let new = Attachment {
        name: "a new one".to_owned(),
        influences: vec![Influence::new("joint"), Influence::new("")],
        ignore_rotation: false,
    };
    let mut added = file.clone();
    if added.add(&new).is_ok() {
        assert_eq!(added.attachment("a new one"), Some(&new));
        added.remove("a new one").expect("it was added");
    }
}

/// A change of every number and its inverse leave the text as it was.
fn change(file: &AttachmentFile, attachment: &Attachment) {
    let mut changed = attachment.clone();
    for influence in &mut changed.influences {
        influence.weight += 1.0;
        influence.translation[1] = 0.5;
        influence.rotation.yaw = -0.0;
    }
    let mut other = file.clone();
    if other.replace(&attachment.name, &changed).is_ok() {
        let found = other.attachment(&attachment.name).expect("it was changed");
        assert!(found.influences.iter().zip(&changed.influences).all(|(a, b)| a.is_same(b)));
        other.replace(&attachment.name, attachment).expect("it can be changed back");
        let found = other.attachment(&attachment.name).expect("it was changed back");
        assert!(found.influences.iter().zip(&attachment.influences).all(|(a, b)| a.is_same(b)));
    }
    let mut fewer = file.clone();
    if fewer.remove(&attachment.name).is_ok() {
        assert!(fewer.list().attachments.len() <= file.list().attachments.len());
    }
}
