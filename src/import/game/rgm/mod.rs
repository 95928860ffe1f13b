//! Maps: sections, definitions of actors, placements, markers.
//!
//! # Source
//! formats/RGM.md; what is refused: rules I10 to I19 and the table of docs/rules.md, "Strictness".

mod definition;
mod frames;
mod groups;
mod places;
mod section;
mod texts;

pub use definition::{Definition, ModelLoad, ProgramPart};
pub use frames::FrameList;
pub use groups::GroupList;
pub use places::{Marker, Placement};
pub use section::{SectionKind, SectionPlace};

use super::{
    Warnings,
    bytes::{Bytes, Record},
    report::Budget,
};
use crate::import::Fault;
use places::{Markers, markers, placements};
use section::Sections;

/// The most definitions and the most placements that are read; the largest map has some hundreds and some thousands.
const MAX_RECORDS: u32 = 16_384;

/// A map, borrowing the bytes of its file.
#[derive(Debug)]
pub struct Map<'a> {
    /// All sections in the order of the file.
    pub sections: Vec<SectionPlace>,
    /// The definitions in the order of RAHD.
    pub definitions: Vec<Definition<'a>>,
    /// The records of MPOB in their order.
    pub placements: Vec<Placement>,
    markers: Markers<'a>,
}

impl<'a> Map<'a> {
    /// Reads a map. `file` is the name that faults show.
    ///
    /// # Errors
    /// The first [`Fault`]: with section, record and offset.
    ///
    /// # Source
    /// formats/RGM.md, "Section Framing", "RAHD", "MPOB", "MPMK".
    pub fn read(file: &'a str, data: &'a [u8], warnings: &mut Warnings) -> Result<Self, Fault> {
        let bytes = Bytes::new(file, data);
        let (sections, listed) = Sections::read(bytes, warnings)?;
        let definitions = definition::read_all(&sections, bytes, warnings)?;
        let placements = match sections.mpob {
            Some(section) => placements(section, warnings)?,
            None => {
                warnings.add(Fault::of_file(file, "the section MPOB is missing: nothing is placed"));
                Vec::new()
            }
        };
        let markers = sections.mpmk.map(|section| markers(section, warnings)).transpose()?;
        Ok(Self { sections: listed, definitions, placements, markers: markers.unwrap_or_default() })
    }

    /// The first definition of a name, without case.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<&Definition<'a>> {
        self.definitions.iter().find(|definition| definition.name.eq_ignore_ascii_case(name))
    }

    /// A marker by its number; none outside the list.
    #[must_use]
    pub fn marker(&self, index: u32) -> Option<Marker> {
        self.markers.get(index)
    }

    /// Number of markers.
    #[must_use]
    pub fn n_markers(&self) -> usize {
        self.markers.len()
    }
}
