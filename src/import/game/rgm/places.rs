//! MPOB and MPMK: where things are.

use super::super::{
    Warnings,
    bytes::{Bytes, Record, Records, latin1},
};
use super::MAX_RECORDS;
use crate::import::Fault;

/// A record of MPOB.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The editor's number.
    pub id: u32,
    /// 1 for actors; 2 and 6 are other things (rule I10).
    pub object_type: u8,
    /// Nonzero: in the list of persistent actors (rule I17).
    pub activation: u8,
    /// The definition's name.
    pub script: String,
    /// The model of its own, or empty.
    pub model: String,
    /// 1 selects a static model, other values give a number of frames (rule I12).
    pub is_static: u8,
    /// Map coordinates: signed, 24 bits.
    pub position: [i32; 3],
    /// Pitch, heading, roll as stored.
    pub angles: [u32; 3],
    /// Offset in the section, for messages.
    pub(crate) offset: usize,
}

/// The placements of a map.
///
/// # Source
/// formats/RGM.md, "MPOB (Object Instances)".
pub(super) fn placements(mpob: Bytes<'_>, warnings: &mut Warnings) -> Result<Vec<Placement>, Fault> {
    const SIZE: usize = 66;
    let count = mpob.u32(0, "the count")?;
    let records = mpob.records(4, count, SIZE, "placements")?;
    if count > MAX_RECORDS {
        return Err(mpob.fault(0, format!("{count} placements, at most {MAX_RECORDS} are read")));
    }
    let left = mpob.len() - 4 - records.n_bytes();
    if left > 0 {
        warnings.add(mpob.fault(4 + records.n_bytes(), format!("{left} bytes after the last placement are not read")));
    }
    Ok(records.iter().enumerate().map(|(index, record)| placement(record, 4 + index * SIZE)).collect())
}

fn placement(record: Record<'_>, offset: usize) -> Placement {
    Placement {
        id: record.u32(0x00),
        object_type: record.u8(0x04),
        activation: record.u8(0x05),
        script: latin1(record.name(0x06, 9)),
        model: latin1(record.name(0x0F, 9)).to_ascii_uppercase(),
        is_static: record.u8(0x18),
        position: [record.i24(0x1B), record.i24(0x1F), record.i24(0x23)],
        angles: [record.u32(0x26), record.u32(0x2A), record.u32(0x2E)],
        offset,
    }
}

/// A named place without a name: markers have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Map coordinates: signed, 24 bits.
    pub position: [i32; 3],
    /// 1 for markers that can be used.
    pub auxiliary: u8,
}

/// The markers of a map, read as they are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Markers<'a>(Option<(Records<'a>, &'a [u8])>);

impl Markers<'_> {
    pub(super) fn len(&self) -> usize {
        self.0.map_or(0, |(records, _)| records.len())
    }

    pub(super) fn get(&self, index: u32) -> Option<Marker> {
        let (records, auxiliary) = self.0?;
        let record = records.get(index as usize)?;
        let position = [record.i24(0), record.i24(4), record.i24(8)];
        Some(Marker { position, auxiliary: *auxiliary.get(index as usize)? })
    }
}

/// The markers of a map: all positions, then one byte for each.
///
/// # Source
/// formats/RGM.md, "MPMK (Markers)".
pub(super) fn markers<'a>(mpmk: Bytes<'a>, warnings: &mut Warnings) -> Result<Markers<'a>, Fault> {
    let count = mpmk.u32(0, "the count")?;
    mpmk.records(4, count, 13, "markers")?;
    if count > MAX_RECORDS {
        return Err(mpmk.fault(0, format!("{count} markers, at most {MAX_RECORDS} are read")));
    }
    let records = mpmk.records(4, count, 12, "positions")?;
    let auxiliary = mpmk.slice(4 + records.n_bytes(), count as usize, "the auxiliary bytes")?;
    let left = mpmk.len() - 4 - records.n_bytes() - auxiliary.len();
    if left > 0 {
        warnings.add(mpmk.fault(mpmk.len() - left, format!("{left} bytes after the last marker are not read")));
    }
    Ok(Markers(Some((records, auxiliary.data()))))
}
