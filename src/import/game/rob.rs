//! Archives of models.
//!
//! # Source
//! formats/ROB.md.

use std::collections::BTreeSet;

use super::{
    Warnings,
    bytes::{Bytes, Record, latin1, shown},
};
use crate::import::Fault;

const HEADER: usize = 20;
const SEGMENT: usize = 80;
/// Models have handles of 16 bits.
const MAX_SEGMENTS: u32 = i16::MAX as u32;

/// What a segment holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A model (type 0, and 256 in menus).
    Embedded,
    /// Nothing: the model is a file of this name (type 512).
    External,
    /// A type that is not known.
    Unknown(u16),
}

/// A segment of an archive, borrowing its data.
#[derive(Clone, Debug)]
pub struct Segment<'a> {
    /// Its name, as it is spelt.
    pub name: String,
    /// What it holds.
    pub kind: SegmentKind,
    /// Total extents of its bounding box.
    pub extents: [i32; 3],
    /// Offset of its data in the file.
    pub offset: usize,
    /// The model.
    pub data: &'a [u8],
}

/// Reads an archive: its segments in stored order.
///
/// # Errors
/// The first [`Fault`].
///
/// # Source
/// formats/ROB.md, "Overall Structure", "Segment Header".
pub fn read<'a>(file: &'a str, data: &'a [u8], warnings: &mut Warnings) -> Result<Vec<Segment<'a>>, Fault> {
    let bytes = Bytes::new(file, data);
    if bytes.len() == 0 {
        return Err(Fault::of_file(file, "the file is empty"));
    }
    let header = bytes.slice(0, HEADER, "the header")?;
    for (at, magic) in [(0, b"OARC"), (12, b"OARD")] {
        let found: [u8; 4] = header.record().array(at);
        if &found != magic {
            return Err(header.fault(at, format!("expected {}, found {}", shown(magic), shown(&found))));
        }
    }
    let count = header.record().u32(8);
    let payload_size = u32::from_be_bytes(header.record().array(16));
    if u64::from(payload_size) + 24 != data.len() as u64 {
        let reason =
            format!("the payload size is {payload_size}, the file less 24 bytes has {}", data.len() as i64 - 24);
        warnings.add(header.fault(16, reason));
    }
    bytes.records(HEADER, count, SEGMENT, "segments")?;
    if count > MAX_SEGMENTS {
        return Err(header.fault(8, format!("{count} segments, at most {MAX_SEGMENTS} are read")));
    }
    let mut segments = Vec::with_capacity(count as usize);
    let mut names = BTreeSet::new();
    let mut at = HEADER;
    for index in 0..count {
        let read = segment(bytes, at, &mut names, warnings);
        let (segment, end) = read.map_err(|fault| fault.within(&format!("segment {index}")))?;
        segments.push(segment);
        at = end;
    }
    end(bytes, at, warnings)?;
    Ok(segments)
}

/// One segment and where the next begins.
fn segment<'a>(
    bytes: Bytes<'a>,
    at: usize,
    names: &mut BTreeSet<String>,
    warnings: &mut Warnings,
) -> Result<(Segment<'a>, usize), Fault> {
    let header = bytes.slice(at, SEGMENT, "the header of a segment")?;
    let record = header.record();
    let (name, data_size) = (record.name(0x04, 8), record.u32(0x4C));
    let kind = match record.u16(0x0C) {
        0 | 256 => SegmentKind::Embedded,
        512 => SegmentKind::External,
        other => SegmentKind::Unknown(other),
    };
    if kind == SegmentKind::External && data_size > 0 {
        let reason = format!("{} is an external segment, but has {data_size} bytes of data", shown(name));
        return Err(header.fault(0x4C, reason));
    }
    let data = bytes.slice(at + SEGMENT, data_size as usize, "the data of the segment")?;
    odd_segment(header, record, name, warnings);
    if !name.is_empty() && !names.insert(latin1(name).to_ascii_lowercase()) {
        warnings.add(header.fault(4, format!("the segment {} is there twice: the first counts", shown(name))));
    }
    let extents = [record.i32(0x1C), record.i32(0x20), record.i32(0x24)];
    let segment = Segment { name: latin1(name), kind, extents, offset: at + SEGMENT, data: data.data() };
    Ok((segment, at + SEGMENT + data.len()))
}

fn odd_segment(header: Bytes<'_>, record: Record<'_>, name: &[u8], warnings: &mut Warnings) {
    let (total, data_size) = (record.u32(0), record.u32(0x4C));
    if u64::from(total) != u64::from(data_size) + SEGMENT as u64 {
        let reason = format!("the total size {total} is not the data size {data_size} and 80: the data size counts");
        warnings.add(header.fault(0, reason));
    }
    if name.is_empty() {
        warnings.add(header.fault(4, "a segment without a name"));
    }
    let is_sum = |axis: usize| {
        let [extent, positive, negative] = [0x1C, 0x34, 0x40].map(|field| record.u32(field + 4 * axis));
        extent == positive.wrapping_add(negative)
    };
    if !(0..3).all(is_sum) {
        warnings.add(header.fault(0x1C, format!("the extents of {} are not the sums of their halves", shown(name))));
    }
}

fn end(bytes: Bytes<'_>, at: usize, warnings: &mut Warnings) -> Result<(), Fault> {
    let left = bytes.rest(at, "the end")?;
    if left.len() == 0 {
        warnings.add(bytes.fault(at, "END is missing at the end of the file"));
        return Ok(());
    }
    if !left.data().starts_with(b"END ") {
        let reason = format!("expected END after the last segment, found {}", shown(&left.data()[..left.len().min(4)]));
        return Err(bytes.fault(at, reason));
    }
    if left.len() > 4 {
        return Err(
            bytes.fault(at, format!("END is followed by {} bytes: it belongs after the last segment", left.len() - 4))
        );
    }
    Ok(())
}
