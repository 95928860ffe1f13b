//! The six task slots: native calls that are still running, as plain data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::OperandSource;
use crate::defs::NativeId;

/// Slots of one actor (rule K1).
pub const N_SLOTS: usize = 6;
/// No function takes more parameters.
pub const MAX_ARGS: usize = 8;

/// Arguments of a native call. Only a first argument can be text (a model's name, rule W19).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Args {
    values: [i32; MAX_ARGS],
    count: u8,
    text: Option<Arc<str>>,
}

impl Args {
    /// Integer arguments; those beyond [`MAX_ARGS`] are dropped.
    #[must_use]
    pub fn ints(values: &[i32]) -> Self {
        let mut args = Self::default();
        for &value in values {
            args.push(value);
        }
        args
    }

    /// Appends an integer; false when there is no room.
    pub fn push(&mut self, value: i32) -> bool {
        let Some(place) = self.values.get_mut(usize::from(self.count)) else { return false };
        *place = value;
        self.count += 1;
        true
    }

    /// Makes the first argument text; its integer reads 0.
    pub fn push_text(&mut self, text: impl Into<Arc<str>>) -> bool {
        self.text = Some(text.into());
        self.push(0)
    }

    /// The integer at `index`; 0 beyond the end, as for calls with fewer arguments than a handler reads.
    #[must_use]
    pub fn int(&self, index: usize) -> i32 {
        self.values.get(index).copied().unwrap_or(0)
    }

    /// The first argument when it is text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// How many arguments there are.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Where a task call stands in a script; a site that owns a slot is not executed again (rule K4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallSite {
    /// A call of the host or of a director: always a new site.
    Host,
    /// A line of an actor script.
    Line {
        /// Tells scripts apart: the update-independent number of the running script.
        script: u64,
        /// Source line.
        line: u32,
        /// The function called.
        native: NativeId,
    },
    /// A call of a program, by the address of its operands (rule Y62).
    Program {
        /// Base of the caller's program plus the offset of the operands.
        address: u32,
    },
}

/// What a handler keeps from one run to the next (rule K10).
pub type Scratch = [i32; 4];

/// A native call that is still running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Slot number, 0..=5.
    pub slot: u8,
    /// The function.
    pub native: NativeId,
    /// Its arguments. Those of a program's call are evaluated again at each run.
    pub args: Args,
    /// Where a program's operands stand; without it the arguments are constants.
    pub operands: Option<OperandSource>,
    /// Runs so far; the allocation sets 1.
    pub counter: u16,
    /// The handler's own state.
    pub scratch: Scratch,
    /// Allocation number within the actor: tells a slot's successive tasks apart.
    pub serial: u64,
    /// Whether it holds back the main body.
    pub blocking: bool,
    /// Whether it is passed over.
    pub paused: bool,
    /// Where it was called.
    pub site: CallSite,
}

/// The occupied slots of one actor, oldest allocation first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    running: Vec<Task>,
    next_serial: u64,
}

impl Tasks {
    /// Running tasks, oldest first.
    #[must_use]
    pub fn running(&self) -> &[Task] {
        &self.running
    }

    /// Whether no slot is occupied.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The task in slot `slot`.
    #[must_use]
    pub fn in_slot(&self, slot: usize) -> Option<&Task> {
        self.running.iter().find(|task| usize::from(task.slot) == slot)
    }

    /// The task with this allocation number, while it runs.
    #[must_use]
    pub fn get(&self, serial: u64) -> Option<&Task> {
        self.running.iter().find(|task| task.serial == serial)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, serial: u64) -> Option<&mut Task> {
        self.running.iter_mut().find(|task| task.serial == serial)
    }

    /// The task that `site` owns (rule K4). Host sites own none.
    #[must_use]
    pub fn at_site(&self, site: CallSite) -> Option<&Task> {
        (site != CallSite::Host).then(|| self.running.iter().find(|task| task.site == site)).flatten()
    }

    /// Allocates the lowest free slot with counter 1 (rule K1); none when all six are occupied.
    pub fn allocate(&mut self, call: NewTask) -> Option<u64> {
        let slot = (0..N_SLOTS).find(|&slot| self.in_slot(slot).is_none())? as u8;
        let NewTask { native, args, operands, scratch, blocking, site } = call;
        let serial = self.next_serial;
        self.next_serial += 1;
        let (counter, paused) = (1, false);
        self.running.push(Task { slot, native, args, operands, counter, scratch, serial, blocking, paused, site });
        Some(serial)
    }

    /// Whether an unpaused blocking task of a program has an address that is not above this one (rule Y31).
    #[must_use]
    pub fn holds_back_entry(&self, address: u32) -> bool {
        self.running.iter().any(|task| {
            let at_or_below = matches!(task.site, CallSite::Program { address: at } if at <= address);
            at_or_below && task.blocking && !task.paused
        })
    }

    /// Frees the slot of this task; no handler runs.
    pub fn stop(&mut self, serial: u64) -> bool {
        let before = self.running.len();
        self.running.retain(|task| task.serial != serial);
        self.running.len() != before
    }

    /// Sets or clears the pause of this task.
    pub fn set_paused(&mut self, serial: u64, paused: bool) {
        if let Some(task) = self.get_mut(serial) {
            task.paused = paused;
        }
    }

    /// Frees all slots; no handler runs (rule K9).
    pub fn stop_all(&mut self) {
        self.running.clear();
    }

    /// Number of tasks that are not paused.
    #[must_use]
    pub fn n_unpaused(&self) -> usize {
        self.running.iter().filter(|task| !task.paused).count()
    }

    /// Number of blocking tasks that are not paused.
    #[must_use]
    pub fn n_blocking(&self) -> usize {
        self.running.iter().filter(|task| task.blocking && !task.paused).count()
    }
}

/// A task call that wants a slot.
pub struct NewTask {
    /// The function.
    pub native: NativeId,
    /// Its arguments.
    pub args: Args,
    /// Where a program's operands stand.
    pub operands: Option<OperandSource>,
    /// What its first run left.
    pub scratch: Scratch,
    /// Whether it holds back the main body.
    pub blocking: bool,
    /// Where it was called.
    pub site: CallSite,
}
