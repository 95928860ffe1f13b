//! The framing of a map: tag, big-endian length, payload, until `END `.

use super::super::{
    Warnings,
    bytes::{Bytes, shown},
};
use crate::import::Fault;

/// Sections in a map are some thirty.
const MAX_SECTIONS: usize = 4096;

/// What is done with a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// It is read.
    Read,
    /// It is known, and nothing here needs it.
    Skipped,
    /// Its tag is not known.
    Unknown,
}

impl SectionKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Skipped => "skipped",
            Self::Unknown => "unknown",
        }
    }
}

/// A section of a map.
#[derive(Clone, Debug)]
pub struct SectionPlace {
    /// Its tag, with bytes that are no text escaped.
    pub tag: String,
    /// Offset of its payload in the file.
    pub offset: usize,
    /// Length of its payload.
    pub length: usize,
    /// What is done with it.
    pub kind: SectionKind,
}

/// Payloads of the sections that are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sections<'a> {
    pub(super) rahd: Option<Bytes<'a>>,
    pub(super) raat: Option<Bytes<'a>>,
    pub(super) raex: Option<Bytes<'a>>,
    pub(super) raan: Option<Bytes<'a>>,
    pub(super) ragr: Option<Bytes<'a>>,
    pub(super) ranm: Option<Bytes<'a>>,
    pub(super) rasc: Option<Bytes<'a>>,
    pub(super) rasb: Option<Bytes<'a>>,
    pub(super) rast: Option<Bytes<'a>>,
    pub(super) rava: Option<Bytes<'a>>,
    pub(super) rahk: Option<Bytes<'a>>,
    pub(super) ralc: Option<Bytes<'a>>,
    pub(super) mpob: Option<Bytes<'a>>,
    pub(super) mpmk: Option<Bytes<'a>>,
}

/// Sections that are known and not read, with the least size of the records that follow their count, if they have one.
const SKIPPED: [(&str, Option<usize>); 9] = [
    ("RAFS", None),
    ("RAVC", None),
    ("MPSO", Some(66)),
    ("MPSL", Some(42)),
    ("MPRP", Some(80)),
    ("MPSF", Some(24)),
    ("MPSZ", None),
    ("WDNM", Some(28)),
    ("FLAT", None),
];

/// Sections that begin with a count, with the offset and the size of their records: a wrong count is told where it
/// stands, before anything that it may have led to.
const COUNTED: [(&str, usize, usize); 3] = [("RAHD", 8, 165), ("MPOB", 4, 66), ("MPMK", 4, 13)];

impl<'a> Sections<'a> {
    /// Walks the sections of a file.
    pub(super) fn read(bytes: Bytes<'a>, warnings: &mut Warnings) -> Result<(Self, Vec<SectionPlace>), Fault> {
        if bytes.len() == 0 {
            return Err(Fault::of_file(bytes.file(), "the file is empty"));
        }
        let mut walk = Walk { sections: Self::default(), listed: Vec::new(), last: None };
        let mut at = 0;
        while at < bytes.len() {
            let header = bytes.slice(at, 8, "the header of a section").map_err(|fault| walk.after_last(fault))?;
            let record = header.record();
            let tag: [u8; 4] = record.array(0);
            let length = u32::from_be_bytes(record.array(4)) as usize;
            if &tag == b"END " {
                end(bytes, at, length, warnings);
                return Ok((walk.sections, walk.listed));
            }
            let payload = bytes.slice(at + 8, length, "the payload of the section");
            let payload = payload.map_err(|fault| fault.within(&shown(&tag)))?;
            walk.section(tag, at + 8, payload, warnings)?;
            at += 8 + length;
        }
        warnings.add(Fault::of_file(bytes.file(), "the section END is missing at the end of the file"));
        Ok((walk.sections, walk.listed))
    }

    fn slot(&mut self, tag: &str) -> Option<(&'static str, &mut Option<Bytes<'a>>)> {
        Some(match tag {
            "RAHD" => ("RAHD", &mut self.rahd),
            "RAAT" => ("RAAT", &mut self.raat),
            "RAEX" => ("RAEX", &mut self.raex),
            "RAAN" => ("RAAN", &mut self.raan),
            "RAGR" => ("RAGR", &mut self.ragr),
            "RANM" => ("RANM", &mut self.ranm),
            "RASC" => ("RASC", &mut self.rasc),
            "RASB" => ("RASB", &mut self.rasb),
            "RAST" => ("RAST", &mut self.rast),
            "RAVA" => ("RAVA", &mut self.rava),
            "RAHK" => ("RAHK", &mut self.rahk),
            "RALC" => ("RALC", &mut self.ralc),
            "MPOB" => ("MPOB", &mut self.mpob),
            "MPMK" => ("MPMK", &mut self.mpmk),
            _ => return None,
        })
    }
}

fn end(bytes: Bytes<'_>, at: usize, length: usize, warnings: &mut Warnings) {
    if length > 0 {
        warnings.add(bytes.named("END").fault(at + 4, format!("END has no payload, but gives the length {length}")));
    }
    let left = bytes.len() - at - 8;
    if left > 0 {
        warnings.add(bytes.named("END").fault(at + 8, format!("{left} bytes after END are not read")));
    }
}

/// The sections met so far.
struct Walk<'a> {
    sections: Sections<'a>,
    listed: Vec<SectionPlace>,
    last: Option<(String, Bytes<'a>)>,
}

impl<'a> Walk<'a> {
    fn section(
        &mut self,
        tag: [u8; 4],
        offset: usize,
        payload: Bytes<'a>,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        if self.listed.len() == MAX_SECTIONS {
            return Err(payload.fault(0, format!("more than {MAX_SECTIONS} sections")));
        }
        let name = shown(&tag);
        let known = SKIPPED.iter().find(|(known, _)| *known == name);
        let is_twice = self.listed.iter().any(|section| section.tag == name);
        let kind = if let Some((name, slot)) = self.sections.slot(&name) {
            let payload = payload.named(name);
            if slot.replace(payload).is_some() {
                return Err(twice(payload, name));
            }
            if let Some(&(_, at, size)) = COUNTED.iter().find(|(counted, ..)| *counted == name) {
                payload.records(at, payload.u32(0, "the count")?, size, "records")?;
            }
            SectionKind::Read
        } else if let Some(&(name, record_size)) = known {
            if is_twice {
                return Err(twice(payload, name));
            }
            if let Some(size) = record_size.filter(|_| payload.len() >= 4) {
                let payload = payload.named(name);
                payload.records(4, payload.u32(0, "the count")?, size, "records")?;
            }
            SectionKind::Skipped
        } else {
            let reason = format!("unknown section of {} bytes: it is skipped", payload.len());
            warnings.add(payload.fault(0, reason).within(&name));
            SectionKind::Unknown
        };
        self.last = Some((name.clone(), payload));
        self.listed.push(SectionPlace { tag: name, offset, length: payload.len(), kind });
        Ok(())
    }

    /// A fault of a header, with the section that stands before it: the mistake is mostly in there.
    fn after_last(&self, fault: Fault) -> Fault {
        let Some((name, payload)) = &self.last else { return fault };
        let first = match payload.u32(0, "") {
            Ok(word) => format!(", whose {} bytes begin with {word}", payload.len()),
            Err(_) => String::new(),
        };
        Fault { reason: format!("{} after the section {name}{first}", fault.reason), ..fault }
    }
}

fn twice<'a>(payload: Bytes<'a>, name: &'a str) -> Fault {
    payload.named(name).fault(0, "the section is there twice")
}
