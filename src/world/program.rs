//! Where an actor's program stands, and which program that is.
//!
//! # Source
//! Rules Y3, Y41, Y58, Y82; engine/SOUP.md, "Threading Model", "Ordinary entry gate".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Actor, ActorKey, World, WorldError};
use crate::defs::{ActorDef, ActorDefIdx, Defs, Program};

/// The script state of one actor (rule Y3). Cursors are offsets in the program, never pointers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptState {
    /// The main cursor.
    pub main: u32,
    /// The entry cursor; a program that starts at its first byte has none.
    pub entry: Option<u32>,
    /// Where Return goes on, once a Gosub has run.
    pub ret: Option<u32>,
    /// The locals.
    pub locals: Vec<i32>,
    /// What stopped the program for good.
    pub fault: Option<Fault>,
}

impl ScriptState {
    /// The state in which the program of a record begins; none without a program.
    #[must_use]
    pub fn of_record(record: &ActorDef) -> Option<Self> {
        let mut state = Self::new(record.program.as_deref()?);
        if let Some(locals) = &record.locals {
            state.locals = locals.to_vec();
        }
        Some(state)
    }

    fn new(program: &Program) -> Self {
        Self {
            main: program.start,
            entry: (program.start != 0).then_some(0),
            ret: None,
            locals: program.locals.clone(),
            fault: None,
        }
    }
}

/// What stops a program: neither entry nor main runs again (rule Y41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A division by zero.
    Divide,
    /// Too many statements in one invocation (rule Y42).
    Budget,
    /// The cursor is at the program's end.
    End,
    /// A native panicked.
    Panic,
}

impl Fault {
    /// The word of the trace.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Divide => "divide",
            Self::Budget => "budget",
            Self::End => "end",
            Self::Panic => "panic",
        }
    }
}

/// Where a running task's operands stand: in the program of a record, at the offset of a call's function number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperandSource {
    /// Whose program.
    pub record: ActorDefIdx,
    /// Offset of the call's operands.
    pub offset: u32,
}

/// Tells a program from others, for a world that comes back from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramMark {
    /// Length in bytes.
    pub length: u32,
    /// A hash of its bytes, strings, start and number of locals.
    pub hash: u64,
}

impl ProgramMark {
    /// The mark of a program: FNV-1a, 64 bits.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut eat = |bytes: &[u8]| {
            for &byte in bytes {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        eat(&program.bytes);
        eat(&program.start.to_le_bytes());
        eat(&program.base.to_le_bytes());
        eat(&(program.locals.len() as u32).to_le_bytes());
        for string in &program.strings {
            eat(&(string.len() as u32).to_le_bytes());
            eat(string);
        }
        eat(program.hook.as_deref().unwrap_or_default());
        Self { length: program.bytes.len() as u32, hash }
    }

    /// The marks of all records; records that share a program are looked at once.
    pub(super) fn of_all(defs: &Defs) -> Vec<Option<Self>> {
        let mut last: Option<(&Arc<Program>, Self)> = None;
        let mut marks = Vec::with_capacity(defs.actors().len());
        for record in defs.actors() {
            marks.push(record.program.as_ref().map(|program| match last {
                Some((seen, mark)) if Arc::ptr_eq(seen, program) => mark,
                _ => last.insert((program, Self::of(program))).1,
            }));
        }
        marks
    }
}

impl World {
    /// Checks that the world ran these programs (rule Y82).
    pub(super) fn check_programs(&self, defs: &Defs) -> Result<(), WorldError> {
        let marks = ProgramMark::of_all(defs);
        let differs = |record: usize| self.programs.get(record) != marks.get(record);
        if let Some(record) = (0..marks.len().max(self.programs.len())).find(|&record| differs(record)) {
            let actor = defs.actors().get(record).map_or_else(|| "?".to_owned(), |record| record.name.clone());
            return Err(WorldError::Program { actor });
        }
        for actor in self.actors() {
            let program = defs.actors().get(actor.def.0 as usize).and_then(|record| record.program.as_ref());
            let fits = match (&actor.script, program) {
                (None, None) => true,
                (Some(state), Some(program)) => state.locals.len() == program.locals.len(),
                _ => false,
            };
            if !fits {
                return Err(WorldError::Damaged { what: "an actor's script state does not fit its program" });
            }
        }
        Ok(())
    }

    /// The actor that a program's name means: the player before the others, these in scene order (rule Y58). `folded` is
    /// the name with A to Z in lower case.
    #[must_use]
    pub fn in_namespace(&self, folded: &str) -> Option<ActorKey> {
        let found = self.by_namespace.get(folded)?;
        let player = self.player.filter(|player| found.contains(player));
        player.or_else(|| found.first().copied())
    }

    /// The first actor of namespace `camera`.
    #[must_use]
    pub fn camera(&self) -> Option<ActorKey> {
        self.in_namespace("camera")
    }

    /// Makes an actor one of a record that was added behind the others and has a program, which begins. Its slots stay.
    pub(crate) fn adopt_program(&mut self, defs: &Defs, key: ActorKey, record: ActorDefIdx) {
        let definition = defs.actor(record);
        self.programs.push(definition.program.as_deref().map(ProgramMark::of));
        if let Some(actor) = self.get_mut(key) {
            actor.def = record;
            actor.script = ScriptState::of_record(definition).map(Box::new);
        }
    }

    /// Puts an actor's program back to its beginning: cursors, locals, no fault (rule Y41). Its slots, the returned bytes
    /// and the anchor stay. False when there is no such actor, or it has no program.
    pub fn reset_program(&mut self, defs: &Defs, key: ActorKey) -> bool {
        let Some(actor) = self.get_mut(key) else { return false };
        let Actor { script: Some(state), def, .. } = actor else { return false };
        let Some(first) = ScriptState::of_record(defs.actor(*def)) else { return false };
        **state = first;
        true
    }
}
