//! The 226 property descriptors: name, place in the actor record, type letter, width.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{folded, table};

/// The position of a descriptor in table order, as encoded property references hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyId(pub u16);

/// What a descriptor's type letter means for reading and writing (rule S1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `b`: unsigned byte.
    Byte,
    /// `w`: signed word.
    Word,
    /// `d`: signed double word.
    Long,
    /// `M`: a field of the animation record.
    Anim,
    /// `Z`: a field of the size record.
    Size,
    /// Every other letter: a pointer to, or the body of, a sub-record.
    Pointer,
}

/// One property descriptor.
#[derive(Clone, Debug)]
pub struct PropertyDecl {
    /// Position in table order.
    pub id: PropertyId,
    /// The name, such as `hand_pos.vx` or `grip[0]`.
    pub name: &'static str,
    /// Byte offset in the actor record; relative to the sub-record for `anim.*` and `size.*`.
    pub offset: u16,
    /// The type letter's meaning.
    pub tag: Tag,
    /// Width in bytes.
    pub width: u8,
}

/// The table of all properties.
pub struct PropertyTable {
    rows: Vec<PropertyDecl>,
    by_name: BTreeMap<&'static str, PropertyId>,
}

/// The one property table.
///
/// # Source
/// engine/SOUPPROPS.md, "SOUP property descriptors".
#[must_use]
pub fn properties() -> &'static PropertyTable {
    static TABLE: LazyLock<PropertyTable> = LazyLock::new(|| {
        let rows: Vec<_> = table::rows(include_str!("properties.csv")).map(|row| descriptor(&row)).collect();
        let by_name = rows.iter().map(|row: &PropertyDecl| (row.name, row.id)).collect();
        PropertyTable { rows, by_name }
    });
    &TABLE
}

fn descriptor(row: &[&'static str]) -> PropertyDecl {
    let [index, name, offset, tag, width] = *row else { panic!("properties.csv: fields of {row:?}") };
    PropertyDecl {
        id: PropertyId(index.parse().expect("properties.csv: index")),
        name,
        offset: u16::from_str_radix(offset.trim_start_matches("0x"), 16).expect("properties.csv: offset"),
        tag: match tag {
            "b" => Tag::Byte,
            "w" => Tag::Word,
            "d" => Tag::Long,
            "M" if name.contains('.') => Tag::Anim,
            "Z" if name.contains('.') => Tag::Size,
            _ => Tag::Pointer,
        },
        width: width.parse().expect("properties.csv: width"),
    }
}

impl PropertyTable {
    /// All rows; a row's position is its id.
    #[must_use]
    pub fn rows(&self) -> &[PropertyDecl] {
        &self.rows
    }

    /// The row of an id; none beyond the table.
    #[must_use]
    pub fn get(&self, id: PropertyId) -> Option<&PropertyDecl> {
        self.rows.get(usize::from(id.0))
    }

    /// The id of a name, without case.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<PropertyId> {
        match self.by_name.get(name) {
            Some(&id) => Some(id),
            None => self.by_name.get(folded(name).as_str()).copied(),
        }
    }
}
