//! RAGR: animation groups.

use std::{collections::BTreeMap, sync::Arc};

use super::super::{Warnings, bytes::Bytes, report::Budget};
use crate::{
    defs::{Command, Group, N_GROUPS, Opcode},
    import::Fault,
};

/// The groups of a definition, in the order of the file; of equal numbers the last.
#[derive(Clone, Debug)]
pub struct GroupList {
    /// Groups with their numbers.
    pub groups: Arc<[(u32, Group)]>,
    /// The greatest ShowFrame reference and the offset in the file of its command.
    pub(crate) greatest: Option<(u32, Fault)>,
}

/// Lists by offset: definitions may share them.
#[derive(Debug, Default)]
pub(super) struct GroupLists(BTreeMap<i32, GroupList>);

impl GroupLists {
    /// The list at an offset of RAGR.
    ///
    /// # Source
    /// formats/RGM.md, "RAGR (Animation Groups)".
    pub(super) fn read(
        &mut self,
        ragr: Bytes<'_>,
        offset: i32,
        budget: &mut Budget,
        warnings: &mut Warnings,
    ) -> Result<GroupList, Fault> {
        if let Some(list) = self.0.get(&offset) {
            return Ok(list.clone());
        }
        let bytes = ragr.rest_at(offset, "the groups")?;
        let mut reading =
            Reading { bytes, budget, warnings, groups: Vec::new(), places: [None; N_GROUPS], greatest: None };
        reading.all()?;
        let list = GroupList { groups: reading.groups.into(), greatest: reading.greatest };
        self.0.insert(offset, list.clone());
        Ok(list)
    }
}

struct Reading<'r, 'a> {
    bytes: Bytes<'a>,
    budget: &'r mut Budget,
    warnings: &'r mut Warnings,
    groups: Vec<(u32, Group)>,
    /// Where in `groups` a number stands.
    places: [Option<u8>; N_GROUPS],
    greatest: Option<(u32, Fault)>,
}

impl Reading<'_, '_> {
    fn all(&mut self) -> Result<(), Fault> {
        let mut at = 0;
        loop {
            match self.bytes.len() - at {
                0 => {
                    self.warnings.add(self.bytes.fault(at, "the last group list has no end: the section is over"));
                    return Ok(());
                }
                1 => return Err(self.bytes.fault(at, "a single byte is left where the size of a group belongs")),
                _ => {}
            }
            let size = usize::from(self.bytes.u16(at, "the size of a group")?);
            if size == 0 {
                return Ok(());
            }
            if size < 8 {
                return Err(self.bytes.fault(at, format!("a group of {size} bytes: at least 8 are needed")));
            }
            self.group(self.bytes.slice(at + 2, size, "a group")?)?;
            at += 2 + size;
        }
    }

    fn group(&mut self, entry: Bytes<'_>) -> Result<(), Fault> {
        let head = entry.record();
        let (index, kind) = (u32::from(head.u16(0)), head.u16(4) as u8);
        let n_commands = head.u16(6);
        if index as usize >= N_GROUPS {
            return Err(entry.fault(0, format!("the group number {index} is above 177")));
        }
        let commands = entry.records(8, n_commands.into(), 3, "commands")?;
        // An entry costs about as much as some commands.
        self.budget.spend(16 + commands.len()).map_err(|reason| entry.fault(0, reason))?;
        if entry.len() > 8 + commands.n_bytes() {
            let reason = format!("group {index} has {} bytes after its commands", entry.len() - 8 - commands.n_bytes());
            self.warnings.add(entry.fault(8 + commands.n_bytes(), reason));
        }
        if kind > 2 {
            self.warnings.add(entry.fault(4, format!("group {index} has the type {kind}, which is none of 0, 1, 2")));
        }
        let commands: Arc<[Command]> = commands.iter().map(|bytes| Command::decode(bytes.array(0))).collect();
        self.note_greatest(entry, index, &commands);
        let group = Group { speed: head.u16(2) as u8, group_type: kind, commands };
        match self.places[index as usize] {
            Some(place) => {
                self.warnings.add(entry.fault(0, format!("group {index} is there twice: the last one counts")));
                self.groups[usize::from(place)].1 = group;
            }
            None => {
                self.places[index as usize] = Some(self.groups.len() as u8);
                self.groups.push((index, group));
            }
        }
        Ok(())
    }

    fn note_greatest(&mut self, entry: Bytes<'_>, index: u32, commands: &[Command]) {
        let shown = |command: &Command| (command.opcode == Opcode::ShowFrame).then_some(command.operands[0] as u32);
        let references = commands.iter().enumerate().filter_map(|(at, command)| Some((shown(command)?, at)));
        let Some((reference, at)) = references.max_by_key(|&(reference, _)| reference) else { return };
        if self.greatest.as_ref().is_none_or(|(greatest, _)| reference > *greatest) {
            let fault = entry.fault(8 + 3 * at, format!("group {index}, command {at}: ShowFrame {reference}"));
            self.greatest = Some((reference, fault));
        }
    }
}
