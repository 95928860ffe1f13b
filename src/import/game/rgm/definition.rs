//! RAHD: the definitions of actors, each with what it refers to in the other sections.

use std::collections::BTreeSet;

use super::{
    Budget, FrameList, GroupList, MAX_RECORDS, Record,
    frames::FrameLists,
    groups::GroupLists,
    section::Sections,
    texts::{TextBytes, Texts, texts},
};
use crate::{
    defs::{VertexIdx, VertexPair},
    import::{
        Fault,
        game::{
            Warnings,
            bytes::{Bytes, Records, latin1, shown},
        },
    },
};

/// Local numbers are bytes in programs.
const MAX_LOCALS: usize = 256;
/// Longer namespaces are no names.
const MAX_NAMESPACE: usize = 255;

/// What a definition's models are before a placement brings its own (rule I11).
#[derive(Clone, Debug)]
pub enum ModelLoad {
    /// No model.
    None,
    /// One model that never moves; no frame table.
    Static {
        /// Its name, upper case.
        model: String,
    },
    /// A frame table.
    Table(FrameList),
}

/// The part of RASC that is a definition's program.
#[derive(Clone, Copy, Debug)]
pub struct ProgramPart<'a> {
    /// The code.
    pub bytes: &'a [u8],
    /// Its place in RASC, which is its base (rule Y2).
    pub base: u32,
    /// Where it begins, from its first byte.
    pub start: u32,
}

/// An actor as a map defines it.
#[derive(Clone, Debug)]
pub struct Definition<'a> {
    /// Its number in RAHD.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The name under which programs know it (rule Y58).
    pub namespace: String,
    /// 256 attribute bytes.
    pub attributes: &'a [u8],
    /// Vertices that hold the drawn item.
    pub grip: VertexPair,
    /// Vertices that hold the sheathed item.
    pub scabbard: VertexPair,
    /// Its models.
    pub models: ModelLoad,
    /// Its groups.
    pub groups: GroupList,
    /// Its program, unless that has no bytes.
    pub program: Option<ProgramPart<'a>>,
    /// The native call made before its program (rule Y14).
    pub hook: Option<&'a [u8]>,
    /// Authored locations (rule I19).
    pub n_locations: usize,
    texts: Option<Texts<'a>>,
    locals: Locals<'a>,
}

impl Definition<'_> {
    /// Number of texts of its program.
    #[must_use]
    pub fn n_texts(&self) -> usize {
        self.texts.map_or(0, Texts::len)
    }

    /// The texts of its program.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts.into_iter().flat_map(Texts::iter)
    }

    /// Number of local variables.
    #[must_use]
    pub fn n_locals(&self) -> usize {
        self.locals.count.min(MAX_LOCALS)
    }

    /// First values of the local variables of the `instance`-th actor, from 0; none when RAVA has none for it.
    #[must_use]
    pub fn locals(&self, instance: usize) -> Option<Vec<i32>> {
        self.locals.of(instance)
    }
}

/// Where local variables start.
#[derive(Clone, Copy, Debug)]
struct Locals<'a> {
    rest: Option<Bytes<'a>>,
    count: usize,
}

impl Locals<'_> {
    fn of(self, instance: usize) -> Option<Vec<i32>> {
        let Some(rest) = self.rest else { return Some(Vec::new()) };
        let at = instance.checked_mul(self.count)?.checked_mul(4)?;
        let values = rest.records(at, u32::try_from(self.count).ok()?, 4, "locals").ok()?;
        Some(values.iter().take(MAX_LOCALS).map(|value| value.i32(0)).collect())
    }
}

/// Reads all definitions.
///
/// # Source
/// formats/RGM.md, "RAHD (Actor Header)".
pub(super) fn read_all<'a>(
    sections: &Sections<'a>,
    file: Bytes<'a>,
    warnings: &mut Warnings,
) -> Result<Vec<Definition<'a>>, Fault> {
    const SIZE: usize = 165;
    let Some(rahd) = sections.rahd else { return Err(Fault::of_file(file.file(), "the section RAHD is missing")) };
    let count = rahd.u32(0, "the count")?;
    let records = rahd.records(8, count, SIZE, "definitions")?;
    if count > MAX_RECORDS {
        return Err(rahd.fault(0, format!("{count} definitions, at most {MAX_RECORDS} are read")));
    }
    let prefix: [u8; 4] = rahd.array(4, "the four bytes after the count")?;
    if prefix != [0x1B, 0x80, 0x37, 0x00] {
        warnings.add(rahd.fault(4, format!("unusual bytes after the count: {prefix:02X?}")));
    }
    let left = rahd.len() - 8 - records.n_bytes();
    if left > 0 {
        warnings.add(rahd.fault(8 + records.n_bytes(), format!("{left} bytes after the last record are not read")));
    }
    if sections.ranm.is_none() {
        warnings.add(Fault::of_file(file.file(), "the section RANM is missing: namespaces are names"));
    }
    let mut reading = Reading::new(sections, file, warnings);
    (0..records.len()).map(|index| reading.definition(records, index)).collect()
}

struct Reading<'r, 'a> {
    sections: &'r Sections<'a>,
    file: Bytes<'a>,
    rast: Option<TextBytes<'a>>,
    warnings: &'r mut Warnings,
    budget: Budget,
    names: BTreeSet<String>,
    frame_lists: FrameLists,
    group_lists: GroupLists,
}

impl<'r, 'a> Reading<'r, 'a> {
    fn new(sections: &'r Sections<'a>, file: Bytes<'a>, warnings: &'r mut Warnings) -> Self {
        Self {
            sections,
            file,
            rast: sections.rast.map(TextBytes::new),
            warnings,
            budget: Budget::new(),
            names: BTreeSet::new(),
            frame_lists: FrameLists::default(),
            group_lists: GroupLists::default(),
        }
    }

    fn definition(&mut self, records: Records<'a>, index: usize) -> Result<Definition<'a>, Fault> {
        let record = records.get(index).unwrap_or(Record::of(&[]));
        let name = record.name(0x04, 9);
        self.check_name(records, index, name);
        let place = format!("definition {index} ({})", shown(name));
        let read = self.parts(index, name, record, &place);
        read.map_err(|fault| fault.within(&place))
    }

    fn parts(
        &mut self,
        index: usize,
        name: &'a [u8],
        record: Record<'a>,
        place: &str,
    ) -> Result<Definition<'a>, Fault> {
        let attributes = self.need(self.sections.raat, "RAAT")?.slice_at(record.i32(0x1D), 256, "the attributes")?;
        let (grip, scabbard) = self.vertex_pairs(record.i32(0x71), place)?;
        let models = self.models(record, place)?;
        let ragr = self.need(self.sections.ragr, "RAGR")?;
        let groups = self.group_lists.read(ragr, record.i32(0x31), &mut self.budget, self.warnings)?;
        Ok(Definition {
            index,
            name: latin1(name),
            namespace: self.namespace(record.i32(0x19), name, place),
            attributes: attributes.data(),
            grip,
            scabbard,
            models,
            groups,
            program: self.program(record)?,
            hook: self.hook(record.i32(0x5D))?,
            n_locations: self.locations(record.i32(0x61), record.i32(0x69))?,
            texts: self.texts(record)?,
            locals: self.locals(record, place)?,
        })
    }

    fn need(&self, section: Option<Bytes<'a>>, tag: &str) -> Result<Bytes<'a>, Fault> {
        section.ok_or_else(|| Fault::of_file(self.file.file(), format!("the section {tag} is missing, but needed")))
    }

    fn check_name(&mut self, records: Records<'_>, index: usize, name: &[u8]) {
        let mut warn = |reason: &str| self.warnings.add(records.fault(index, 4, format!("{reason}: {}", shown(name))));
        if name.is_empty() {
            warn("definition without a name, which cannot be placed");
        } else if name.iter().any(|byte| !(0x20..=0x7E).contains(byte)) {
            warn("unusual bytes in the name of a definition");
        }
        if !name.is_empty() && !self.names.insert(latin1(name).to_ascii_lowercase()) {
            self.warnings.add(records.fault(index, 4, format!("{} is defined twice: the first counts", shown(name))));
        }
    }

    /// The namespace; empty, missing or outside it is the name.
    fn namespace(&mut self, offset: i32, name: &[u8], place: &str) -> String {
        let Some(ranm) = self.sections.ranm else { return latin1(name) };
        let rest = match ranm.rest_at(offset, "the namespace") {
            Ok(rest) => rest.data(),
            Err(fault) => {
                self.warnings.add(fault.within(place));
                return latin1(name);
            }
        };
        match rest.iter().take(MAX_NAMESPACE + 1).position(|&byte| byte == 0) {
            Some(0) => latin1(name),
            Some(end) => latin1(&rest[..end]),
            None if rest.is_empty() => latin1(name),
            None => {
                self.warnings.add(ranm.fault(0, "the namespace is not ended by a zero byte").within(place));
                latin1(name)
            }
        }
    }

    fn vertex_pairs(&mut self, offset: i32, place: &str) -> Result<(VertexPair, VertexPair), Fault> {
        const SIZE: usize = 30;
        let raex = self.need(self.sections.raex, "RAEX")?;
        if !raex.len().is_multiple_of(SIZE) {
            self.warnings.add(raex.fault(0, format!("{} bytes are not whole records of {SIZE}", raex.len())));
        }
        let record = raex.slice_at(offset, SIZE, "the vertices")?.record();
        if !(offset as usize).is_multiple_of(SIZE) {
            self.warnings.add(raex.fault(offset as usize, "the offset is between records").within(place));
        }
        let vertex = |at| VertexIdx(record.i16(at));
        let grip = VertexPair { first: vertex(0), second: vertex(2) };
        Ok((grip, VertexPair { first: vertex(4), second: vertex(6) }))
    }

    fn models(&mut self, record: Record<'_>, place: &str) -> Result<ModelLoad, Fault> {
        let (count, n_bytes, offset) = (record.i32(0x21), record.u32(0x25), record.i32(0x29));
        if count == 0 {
            return Ok(ModelLoad::None);
        }
        let raan = self.need(self.sections.raan, "RAAN")?;
        let list = self.frame_lists.read(raan, offset, count, &mut self.budget, self.warnings)?;
        if list.n_bytes as u64 != u64::from(n_bytes) {
            let reason = format!("the frame sources take {} bytes, RAHD says {n_bytes}", list.n_bytes);
            self.warnings.add(raan.fault(offset as usize, reason).within(place));
        }
        match &list.entries[..] {
            [(model, _)] if record.i32(0x2D) == -1 && record.i32(0x85) < 2 => {
                Ok(ModelLoad::Static { model: model.clone() })
            }
            _ => Ok(ModelLoad::Table(list)),
        }
    }

    fn program(&self, record: Record<'_>) -> Result<Option<ProgramPart<'a>>, Fault> {
        let (length, base, start) = (record.u32(0x4D), record.i32(0x51), record.u32(0x55));
        if length == 0 {
            return Ok(None);
        }
        let rasc = self.need(self.sections.rasc, "RASC")?;
        let bytes = rasc.slice_at(base, length as usize, "the program")?.data();
        Ok(Some(ProgramPart { bytes, base: base as u32, start }))
    }

    fn texts(&mut self, record: Record<'_>) -> Result<Option<Texts<'a>>, Fault> {
        let (count, offset) = (record.u32(0x41), record.i32(0x49));
        if count == 0 {
            return Ok(None);
        }
        let rasb = self.need(self.sections.rasb, "RASB")?;
        self.need(self.sections.rast, "RAST")?;
        let rast = self.rast.unwrap_or(TextBytes::new(rasb));
        texts(rasb, rast, offset, count, &mut self.budget).map(Some)
    }

    fn locals(&mut self, record: Record<'_>, place: &str) -> Result<Locals<'a>, Fault> {
        let (count, offset) = (record.u32(0x75), record.i32(0x7D));
        if count == 0 {
            return Ok(Locals { rest: None, count: 0 });
        }
        let rest = self.need(self.sections.rava, "RAVA")?.rest_at(offset, "the locals")?;
        rest.records(0, count, 4, "locals")?;
        if count as usize > MAX_LOCALS {
            let reason = format!("{count} locals, of which programs can name {MAX_LOCALS}");
            self.warnings.add(rest.fault(0, reason).within(place));
        }
        Ok(Locals { rest: Some(rest), count: count as usize })
    }

    fn hook(&self, offset: i32) -> Result<Option<&'a [u8]>, Fault> {
        if offset == 0 {
            return Ok(None);
        }
        let rest = self.need(self.sections.rahk, "RAHK")?.rest_at(offset, "the hook")?;
        let n_arguments = rest.slice(0, 3, "the hook")?.record().u8(2);
        let record = rest.slice(0, 3 + 5 * usize::from(n_arguments), "the hook")?;
        Ok(Some(record.data()))
    }

    fn locations(&self, count: i32, offset: i32) -> Result<usize, Fault> {
        const SIZE: usize = 12;
        if count == 0 {
            return Ok(0);
        }
        let ralc = self.need(self.sections.ralc, "RALC")?;
        let Ok(count) = u32::try_from(count) else {
            return Err(ralc.fault(0, format!("the count {count} of locations is negative")));
        };
        if offset <= 0 {
            return Err(ralc.fault(0, format!("the offset {offset} of the locations is not positive")));
        }
        let rest = ralc.rest_at(offset / 12 * 12, "the locations")?;
        Ok(rest.records(0, count, SIZE, "locations")?.len())
    }
}
