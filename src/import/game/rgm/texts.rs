//! RASB and RAST: the texts of a definition's program.

use super::super::{
    bytes::{Bytes, Records},
    report::Budget,
};
use crate::import::Fault;

/// Texts by number, read as they are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts<'a> {
    offsets: Records<'a>,
    rast: Bytes<'a>,
}

/// The section RAST with its last NUL: what begins at or before it is ended by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextBytes<'a> {
    bytes: Bytes<'a>,
    last_nul: Option<usize>,
}

impl<'a> TextBytes<'a> {
    pub(super) fn new(bytes: Bytes<'a>) -> Self {
        Self { bytes, last_nul: bytes.data().iter().rposition(|&byte| byte == 0) }
    }
}

/// The texts of a definition; each is known to be ended by a NUL.
///
/// # Source
/// formats/RGM.md, "RAST (String Data)" and "RASB (String Offset Table)".
pub(super) fn texts<'a>(
    rasb: Bytes<'a>,
    rast: TextBytes<'a>,
    offset: i32,
    count: u32,
    budget: &mut Budget,
) -> Result<Texts<'a>, Fault> {
    let bytes = rasb.rest_at(offset, "the text offsets")?;
    let offsets = bytes.records(0, count, 4, "text offsets")?;
    budget.spend(offsets.len()).map_err(|reason| bytes.fault(0, reason))?;
    let TextBytes { bytes: rast, last_nul } = rast;
    for (index, record) in offsets.iter().enumerate() {
        let at = record.i32(0);
        let is_ended = usize::try_from(at).is_ok_and(|at| last_nul.is_some_and(|last| at <= last));
        if !is_ended {
            let reason = match usize::try_from(at) {
                Ok(at) if at < rast.len() => "is not ended by a zero byte".to_owned(),
                Ok(_) => format!("is outside the {} bytes of RAST", rast.len()),
                Err(_) => "is negative".to_owned(),
            };
            return Err(offsets.fault(index, 0, format!("text {index}: the offset {at} {reason}")));
        }
    }
    Ok(Texts { offsets, rast })
}

impl<'a> Texts<'a> {
    pub(super) fn len(self) -> usize {
        self.offsets.len()
    }

    /// The texts in order.
    pub(super) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.offsets.iter().map(move |record| {
            let rest = self.rast.data().get(record.u32(0) as usize..).unwrap_or_default();
            &rest[..rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len())]
        })
    }
}
