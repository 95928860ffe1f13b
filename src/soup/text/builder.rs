//! The program that is being read: bytes, labels, and the places that wait for labels.

use std::{collections::BTreeMap, ops::Range};

use super::{error::Slip, suggest::Suggest};
use crate::{
    defs::{MAX_PROGRAM, Program, folded},
    soup::op,
};

/// A fault of an earlier line, which is counted from 1.
pub(super) type LineSlip = (u32, Slip);

/// A label that is named somewhere.
#[derive(Debug)]
pub(super) struct LabelRef {
    pub(super) label: String,
    /// What is added to its offset.
    pub(super) further: u32,
    pub(super) line: u32,
    pub(super) span: Range<usize>,
}

/// Strings by their bytes: the index of the only one, or nothing when there are more.
#[derive(Debug, Default)]
pub(super) struct Strings {
    pub(super) list: Vec<Vec<u8>>,
    exact: BTreeMap<Vec<u8>, Option<u32>>,
    folded: BTreeMap<Vec<u8>, Option<u32>>,
}

impl Strings {
    pub(super) fn push(&mut self, bytes: Vec<u8>) -> u32 {
        let index = self.list.len() as u32;
        let lower = bytes.to_ascii_lowercase();
        self.folded.entry(lower).and_modify(|seen| *seen = None).or_insert(Some(index));
        self.exact.entry(bytes.clone()).and_modify(|seen| *seen = None).or_insert(Some(index));
        self.list.push(bytes);
        index
    }

    /// The index of these bytes: none there, or more than one there.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<Option<u32>> {
        self.exact.get(bytes).copied()
    }

    /// The index of a name without case; the exact spelling goes first.
    pub(super) fn find_name(&self, name: &str) -> Option<Option<u32>> {
        match self.find(name.as_bytes()) {
            None => self.folded.get(name.to_ascii_lowercase().as_bytes()).copied(),
            found => found,
        }
    }
}

/// A program whose text is being read.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) name: String,
    /// Line of the name.
    pub(super) line: u32,
    pub(super) strings: Strings,
    pub(super) locals: Vec<i32>,
    pub(super) start: Option<LabelRef>,
    pub(super) bytes: Vec<u8>,
    /// Offsets of labels by their folded name.
    labels: BTreeMap<String, u32>,
    /// Labels in the order of their lines.
    label_list: Vec<(String, u32)>,
    /// Places of four bytes and the labels that go there.
    fixups: Vec<(usize, LabelRef)>,
    /// Offset and line of each statement.
    pub(super) lines: Vec<(u32, u32)>,
    /// Offsets of the branches on the returned byte.
    script_rvs: Vec<u32>,
    /// Whether the last statement is such a branch that takes no return with it.
    pub(super) after_script_rv: bool,
    pub(super) attributes: Vec<(String, i32)>,
    /// Whether any line was left out.
    pub(super) is_broken: bool,
    pub(super) is_full: bool,
}

/// A program read from a text, with what a debugger wants to know of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The program.
    pub program: Program,
    /// Labels without their `#`, as spelt, and their offsets.
    pub labels: Vec<(String, u32)>,
    /// Offset and line (from 1) of each statement.
    pub lines: Vec<(u32, u32)>,
    /// Line of the program's name.
    pub line: u32,
    /// Attributes named above the program and their values; only the mod manager's texts have them.
    pub attributes: Vec<(String, i32)>,
}

impl Listing {
    /// The line of the statement at this offset.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> Option<u32> {
        let found = self.lines.binary_search_by_key(&offset, |&(start, _)| start);
        found.ok().map(|index| self.lines[index].1)
    }

    /// The offset of a label, without case and with or without its `#`.
    #[must_use]
    pub fn offset_of(&self, label: &str) -> Option<u32> {
        let label = label.strip_prefix('#').unwrap_or(label);
        self.labels.iter().find(|(name, _)| name.eq_ignore_ascii_case(label)).map(|&(_, offset)| offset)
    }
}

impl Builder {
    pub(super) fn offset(&self) -> u32 {
        self.bytes.len() as u32
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Room for the offset of a label.
    pub(super) fn label_operand(&mut self, reference: LabelRef) {
        self.fixups.push((self.bytes.len(), reference));
        self.u32(0);
    }

    /// Writes an offset into room left for it.
    pub(super) fn patch(&mut self, at: usize, offset: u32) {
        if let Some(room) = self.bytes.get_mut(at..at + 4) {
            room.copy_from_slice(&offset.to_le_bytes());
        }
    }

    /// What stands there, to go back to when a line turns out to be wrong.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.bytes.len(), self.fixups.len())
    }

    pub(super) fn rewind(&mut self, (bytes, fixups): (usize, usize)) {
        self.bytes.truncate(bytes);
        self.fixups.truncate(fixups);
        self.after_script_rv = false;
        self.is_broken = true;
    }

    /// Ends a statement that began at `start`.
    pub(super) fn statement(&mut self, start: u32, line: u32) -> Result<(), String> {
        self.lines.push((start, line));
        if self.bytes.len() <= MAX_PROGRAM {
            return Ok(());
        }
        self.is_full = true;
        Err(format!("the program is longer than {MAX_PROGRAM} bytes; what follows is not read"))
    }

    pub(super) fn script_rv(&mut self, start: u32) {
        self.script_rvs.push(start);
    }

    pub(super) fn define(&mut self, label: &str) -> Result<(), String> {
        let offset = self.offset();
        if self.labels.insert(folded(label), offset).is_some() {
            return Err(format!("the label #{label} is there already"));
        }
        self.label_list.push((label.to_owned(), offset));
        Ok(())
    }

    /// The finished program, or all that is wrong with its labels and branches.
    pub(super) fn finish(mut self, suggest: &mut Suggest) -> Result<Listing, Vec<LineSlip>> {
        let mut slips = Vec::new();
        for (at, reference) in std::mem::take(&mut self.fixups) {
            match self.resolve(&reference, suggest) {
                Ok(offset) => self.patch(at, offset),
                Err(slip) => slips.push(slip),
            }
        }
        let start = self.start.take().map_or(Ok(0), |reference| self.resolve(&reference, suggest));
        let start = start.map_err(|slip| slips.push(slip)).unwrap_or_default();
        if !self.is_broken {
            slips.extend(self.stray_script_rvs());
        }
        if !slips.is_empty() || self.is_broken {
            return Err(slips);
        }
        let program = Program {
            name: self.name,
            bytes: self.bytes,
            start,
            strings: self.strings.list,
            locals: self.locals,
            base: 0,
            hook: None,
        };
        let attributes = self.attributes;
        Ok(Listing { program, labels: self.label_list, lines: self.lines, line: self.line, attributes })
    }

    fn resolve(&self, reference: &LabelRef, suggest: &mut Suggest) -> Result<u32, LineSlip> {
        let LabelRef { label, further, line, span } = reference;
        let fail = |what: String| (*line, Slip::new(span.clone(), what));
        let Some(offset) = self.labels.get(&folded(label)) else {
            let names = self.label_list.iter().take(1000).map(|(name, _)| name.as_str());
            let mean = suggest.of(label, names);
            return Err(fail(format!("no line has the label #{label}{mean}")));
        };
        offset.checked_add(*further).ok_or_else(|| fail("labels go up to 4294967295".to_owned()))
    }

    /// Branches on the returned byte go seven bytes on, whatever is there (rule Y40).
    fn stray_script_rvs(&self) -> Vec<LineSlip> {
        let mut slips = Vec::new();
        for &start in &self.script_rvs {
            let target = start + op::SCRIPT_RV_SPAN;
            let place = self.lines.binary_search_by_key(&target, |&(offset, _)| offset);
            let reason = match place {
                Ok(_) => continue,
                Err(_) if target == self.offset() => continue,
                Err(_) if target > self.offset() => "beyond the end of the program".to_owned(),
                Err(after) => format!("into the statement of line {}", self.lines[after - 1].1),
            };
            let own = self.lines.binary_search_by_key(&start, |&(offset, _)| offset);
            let line = own.map_or(self.line, |index| self.lines[index].1);
            let what = format!("the ScriptRv goes seven bytes on when the byte differs, which leads {reason}");
            slips.push((line, Slip::new(0..usize::MAX, what)));
        }
        slips
    }
}
