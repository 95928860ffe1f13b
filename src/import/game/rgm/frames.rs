//! RAAN: the models whose frames make up a definition's frame table.

use std::{collections::BTreeMap, sync::Arc};

use super::super::{
    Warnings,
    bytes::Bytes,
    paths::{MAX_PATH, stem},
    report::Budget,
};
use crate::import::Fault;

/// ShowFrame references have 20 bits.
const MAX_FRAMES: usize = 1 << 20;
/// Four unread bytes, frame count, type, one letter, NUL.
const LEAST_ENTRY: usize = 8;

/// Models and how many frames of each, in order.
#[derive(Clone, Debug)]
pub struct FrameList {
    /// Model names, upper case, with their numbers of frames.
    pub entries: Arc<[(String, u32)]>,
    /// Frames of all entries together.
    pub n_frames: usize,
    /// Bytes that the entries take.
    pub n_bytes: usize,
}

/// Lists by offset and count: definitions may share them.
#[derive(Debug, Default)]
pub(super) struct FrameLists(BTreeMap<(i32, i32), FrameList>);

impl FrameLists {
    /// The list at an offset of RAAN.
    ///
    /// # Source
    /// formats/RGM.md, "RAAN (Animation File References)".
    pub(super) fn read(
        &mut self,
        raan: Bytes<'_>,
        offset: i32,
        count: i32,
        budget: &mut Budget,
        warnings: &mut Warnings,
    ) -> Result<FrameList, Fault> {
        if let Some(list) = self.0.get(&(offset, count)) {
            return Ok(list.clone());
        }
        let bytes = raan.rest_at(offset, "the frame sources")?;
        let Ok(n_entries) = usize::try_from(count) else {
            return Err(bytes.fault(0, format!("the count {count} of frame sources is negative")));
        };
        bytes.records(0, n_entries as u32, LEAST_ENTRY, "frame sources")?;
        // A name takes as much memory as some commands.
        budget.spend(n_entries.saturating_mul(16)).map_err(|reason| bytes.fault(0, reason))?;
        let mut entries = Vec::with_capacity(n_entries);
        let mut at = 0;
        for _ in 0..n_entries {
            let (entry, end) = entry(bytes, at, warnings)?;
            entries.push(entry);
            at = end;
        }
        let n_frames = entries.iter().map(|(_, n)| *n as usize).sum();
        if n_frames > MAX_FRAMES {
            return Err(bytes.fault(0, format!("the frame sources have {n_frames} frames, at most {MAX_FRAMES}")));
        }
        let list = FrameList { entries: entries.into(), n_frames, n_bytes: at };
        self.0.insert((offset, count), list.clone());
        Ok(list)
    }
}

/// One entry and where the next begins.
fn entry(bytes: Bytes<'_>, at: usize, warnings: &mut Warnings) -> Result<((String, u32), usize), Fault> {
    let head = bytes.slice(at, 6, "a frame source")?.record();
    let path = bytes.text(at + 6, "the path of a frame source")?;
    if path.len() > MAX_PATH {
        return Err(bytes.fault(at + 6, format!("the path has {} bytes, at most {MAX_PATH} are allowed", path.len())));
    }
    let name = stem(path);
    if name.is_empty() {
        return Err(bytes.fault(at + 6, "the path names no model"));
    }
    if !matches!(head.u8(5).to_ascii_lowercase(), b'c' | b's') {
        let reason = format!("the model type {:#04X} is neither c nor s", head.u8(5));
        warnings.add(bytes.fault(at + 5, reason));
    }
    Ok(((name, u32::from(head.u8(4))), at + 6 + path.len() + 1))
}
