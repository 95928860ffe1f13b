//! Where the attachments of a file stand in its text.

use super::{
    outline::{Content, Entry, Outline},
    tree::Object,
};
use crate::import::Fault;

/// The place of an attachment, and those of its influences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentPlace {
    /// The file's name.
    pub file: String,
    /// Line and column of its name, or where it begins, from 1.
    pub attachment: (usize, usize),
    /// Line and column of each influence: of its joint's name, or where it begins.
    pub influences: Vec<(usize, usize)>,
}

impl AttachmentPlace {
    /// A fault of the attachment, or of one of its influences. `path` is what it is about.
    #[must_use]
    pub fn fault(&self, influence: Option<usize>, path: &str, reason: impl Into<String>) -> Fault {
        let place = influence.and_then(|number| self.influences.get(number)).unwrap_or(&self.attachment);
        Fault { place: Some(*place), path: path.to_owned(), ..Fault::of_file(&self.file, reason) }
    }
}

/// The same in bytes.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    attachment: usize,
    influences: Vec<usize>,
}

/// The attachments of all lists in the text, in order.
pub(super) fn spots(outline: &Outline<'_>) -> Vec<Spot> {
    let entries = outline.references.iter().filter_map(|reference| match &reference.content {
        Content::List(located) => Some(&located.entries),
        _ => None,
    });
    entries.flatten().map(spot).collect()
}

fn spot(entry: &Entry<'_>) -> Spot {
    let at = |object: &Object, keys: [&str; 2]| {
        let named = keys.iter().find_map(|key| object.get(key));
        named.map_or(object.braces.start, |node| node.span.start)
    };
    let influences = entry.influences.iter().map(|place| at(place.object, ["m_influenceName", "parent_bone"]));
    Spot { attachment: at(entry.object, ["m_name", "name"]), influences: influences.collect() }
}

/// Bytes as lines and columns, in one pass over the text.
pub(super) fn placed(file: &str, text: &str, spots: &[Spot]) -> Vec<AttachmentPlace> {
    let mut wanted: Vec<usize> =
        spots.iter().flat_map(|spot| spot.influences.iter().chain([&spot.attachment])).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut places = Vec::with_capacity(wanted.len());
    let (mut line, mut column, mut at) = (1, 1, 0);
    for &offset in &wanted {
        let between = &text[at..offset];
        match between.rfind('\n') {
            Some(end) => {
                line += between.matches('\n').count();
                column = between[end + 1..].chars().count() + 1;
            }
            None => column += between.chars().count(),
        }
        at = offset;
        places.push((line, column));
    }
    let place = |offset: &usize| wanted.binary_search(offset).map_or((1, 1), |number| places[number]);
    let placed = |spot: &Spot| AttachmentPlace {
        file: file.to_owned(),
        attachment: place(&spot.attachment),
        influences: spot.influences.iter().map(place).collect(),
    };
    spots.iter().map(placed).collect()
}
