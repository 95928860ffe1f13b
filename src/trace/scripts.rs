//! What `--trace-scripts` adds: where each program stands, the task slots, and the flags.
//!
//! # Source
//! Rule Y103.

use serde::Serialize;

use super::Row;
use crate::{
    defs::{Defs, NativeId, functions},
    world::{Actor, Fault, N_SLOTS, Task, World},
};

/// One actor with its program after one update: the keys of a [`Row`], then those of its script state.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptRow<'a> {
    #[serde(flatten)]
    row: Row,
    pc: Option<u32>,
    entry_pc: Option<u32>,
    return_pc: Option<u32>,
    locals: &'a [i32],
    tasks: [Option<TaskRow>; N_SLOTS],
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct TaskRow {
    native: NativeName,
    counter: u16,
    blocking: bool,
    paused: bool,
}

/// The name in functions.csv; natives that a host added are numbered.
#[derive(Clone, Copy, Debug)]
struct NativeName(NativeId);

impl Serialize for NativeName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match functions().get(self.0) {
            Some(decl) => serializer.serialize_str(decl.name),
            None => serializer.collect_str(&format_args!("func_{}", self.0.0)),
        }
    }
}

impl From<&Task> for TaskRow {
    fn from(task: &Task) -> Self {
        let &Task { native, counter, blocking, paused, .. } = task;
        Self { native: NativeName(native), counter, blocking, paused }
    }
}

impl<'a> ScriptRow<'a> {
    /// The line of one actor.
    #[must_use]
    pub fn new(defs: &Defs, actor: &'a Actor, tick: u64) -> Self {
        let state = actor.script.as_deref();
        Self {
            row: Row::new(defs, actor, tick),
            pc: state.map(|state| state.main),
            entry_pc: state.and_then(|state| state.entry),
            return_pc: state.and_then(|state| state.ret),
            locals: state.map_or(&[], |state| &state.locals),
            tasks: std::array::from_fn(|slot| actor.tasks.in_slot(slot).map(TaskRow::from)),
            fault: state.and_then(|state| state.fault),
        }
    }
}

/// The flags after one update.
#[derive(Clone, Debug, Serialize)]
pub struct FlagsRow {
    tick: u64,
    flags: Vec<i32>,
    latches: Vec<u8>,
}

impl FlagsRow {
    /// The line of the flags; none when the scene has no flags.
    #[must_use]
    pub fn new(world: &World) -> Option<Self> {
        let flags = &world.flags;
        (!flags.is_empty()).then(|| Self {
            tick: world.clock.tick,
            flags: flags.iter().map(|flag| flag.value).collect(),
            latches: flags.iter().map(|flag| flag.latch.into()).collect(),
        })
    }
}
