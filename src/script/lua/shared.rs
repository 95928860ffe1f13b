//! What the bindings of one Lua state share: the lent engine and what the running script has used up.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

use mlua::Lua;

use super::problem::{Frame, script_frames};
use crate::{
    natives::{CallError, Engine},
    script::{Limits, Role, ScriptErrorKind, panic_message, parked_engine},
    sync::{Cell, Lock},
};

/// Growth of the memory in use costs one step for so many bytes.
const BYTES_PER_STEP: usize = 256;
/// What a step can cost grows with the values that it can touch: comparing two texts or skipping the empty places of a
/// table takes as long as they are large. So a step costs one more for each so many bytes of the largest value that
/// the script ever made.
const BYTES_PER_EXTRA_STEP: usize = 128 << 10;
/// Steps that a use of the world costs.
const CALL_STEPS: u64 = 2;
/// Steps that an error costs: its message, place and call chain.
pub(super) const ERROR_STEPS: u64 = 200;
/// Steps that an error with a search for close names costs.
pub(super) const SEARCH_STEPS: u64 = 5000;

pub(super) struct Shared {
    /// An empty engine, or the runtime's while a script runs.
    engine: Lock<Box<Engine>>,
    pub(super) limits: Limits,
    pub(super) role: Cell<Role>,
    pub(super) script: Cell<u64>,
    steps: Cell<u64>,
    memory: Cell<usize>,
    /// The most that the memory in use grew from one look to the next.
    pub(super) largest: Cell<usize>,
    printed: Cell<usize>,
    /// Why the running script must end; once set, every further step is refused.
    tripped: Lock<Option<Trip>>,
    /// The calls that were under way when an error was raised.
    frames: Lock<Vec<Frame>>,
}

/// Why a script must end, and where it was.
pub(super) struct Trip {
    pub(super) kind: ScriptErrorKind,
    pub(super) reason: String,
    pub(super) frames: Vec<Frame>,
}

impl Shared {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            engine: Lock::new(parked_engine()),
            limits,
            role: Cell::new(Role::Director),
            script: Cell::new(0),
            steps: Cell::new(0),
            memory: Cell::new(0),
            largest: Cell::new(0),
            printed: Cell::new(0),
            tripped: Lock::new(None),
            frames: Lock::new(Vec::new()),
        }
    }

    /// Exchanges the parked engine with the runtime's: lends it, and gives it back.
    pub(super) fn exchange(&self, engine: &mut Box<Engine>) {
        mem::swap(&mut *self.engine.borrow_mut(), engine);
    }

    /// A new run starts with full budgets.
    pub(super) fn begin(&self, script: u64, role: Role, memory: usize) {
        self.script.set(script);
        self.role.set(role);
        self.steps.set(0);
        self.memory.set(memory);
        self.printed.set(0);
        *self.tripped.borrow_mut() = None;
        self.frames.borrow_mut().clear();
    }

    /// Keeps the calls that are under way.
    pub(super) fn remember(&self, lua: &Lua) {
        *self.frames.borrow_mut() = script_frames(lua);
    }

    /// The calls that were kept last.
    pub(super) fn take_frames(&self) -> Vec<Frame> {
        mem::take(&mut *self.frames.borrow_mut())
    }

    /// Why the run had to end, if it had to.
    pub(super) fn take_trip(&self) -> Option<Trip> {
        self.tripped.borrow_mut().take()
    }

    /// Spends steps, and steps for memory that was taken since the last time.
    pub(super) fn spend(&self, lua: &Lua, steps: u64) -> mlua::Result<()> {
        let memory = lua.used_memory();
        let grown = memory.saturating_sub(self.memory.replace(memory));
        if grown > self.largest.get() {
            self.largest.set(grown);
        }
        let price = 1 + self.largest.get() / BYTES_PER_EXTRA_STEP;
        self.charge(lua, steps * price as u64 + (grown / BYTES_PER_STEP) as u64)
    }

    /// Spends steps.
    pub(super) fn charge(&self, lua: &Lua, steps: u64) -> mlua::Result<()> {
        let spent = self.steps.get().saturating_add(steps);
        self.steps.set(spent);
        if spent > self.limits.steps || self.tripped.borrow().is_some() {
            let limit = self.limits.steps;
            let reason =
                format!("the script took more than {limit} steps in one update; wait with next_update() in long loops");
            return Err(self.trip(lua, ScriptErrorKind::Budget, reason));
        }
        Ok(())
    }

    /// Steps that are left.
    pub(super) fn steps_left(&self) -> u64 {
        self.limits.steps.saturating_sub(self.steps.get())
    }

    /// Counts printed bytes.
    pub(super) fn count_printed(&self, lua: &Lua, bytes: usize) -> mlua::Result<()> {
        self.printed.set(self.printed.get().saturating_add(bytes));
        if self.printed.get() > self.limits.printed {
            let limit = self.limits.printed;
            let reason = format!("the script printed more than {limit} bytes in one update");
            return Err(self.trip(lua, ScriptErrorKind::Budget, reason));
        }
        Ok(())
    }

    /// Ends the run: the first reason stands.
    pub(super) fn trip(&self, lua: &Lua, kind: ScriptErrorKind, reason: String) -> mlua::Error {
        let mut tripped = self.tripped.borrow_mut();
        let trip = tripped.get_or_insert_with(|| Trip { kind, reason, frames: script_frames(lua) });
        mlua::Error::RuntimeError(trip.reason.clone())
    }

    /// Ends the run because memory ran out.
    pub(super) fn trip_memory(&self, lua: &Lua) -> mlua::Error {
        let limit = self.limits.memory;
        let reason = format!("not enough memory: all scripts together may use at most {limit} bytes");
        self.trip(lua, ScriptErrorKind::Memory, reason)
    }

    /// A refusal as an error at the script line that called.
    pub(super) fn refusal(&self, lua: &Lua, error: &CallError) -> mlua::Error {
        use CallError::{UnknownActor, UnknownAttribute, UnknownFlag, UnknownFunction, UnknownItem, UnknownProperty};
        let steps = match error {
            UnknownActor { .. } | UnknownAttribute { .. } | UnknownFlag { .. } | UnknownFunction { .. } => SEARCH_STEPS,
            UnknownItem { .. } | UnknownProperty { .. } => SEARCH_STEPS,
            _ => ERROR_STEPS,
        };
        self.failure(lua, steps, error)
    }

    /// An error at the script line that called, paid for with steps.
    pub(super) fn failure(&self, lua: &Lua, steps: u64, reason: impl ToString) -> mlua::Error {
        if let Err(spent) = self.charge(lua, steps.max(ERROR_STEPS)) {
            return spent;
        }
        let reason = reason.to_string();
        mlua::Error::RuntimeError(match script_frames(lua).first() {
            Some(frame) => format!("{}:{}: {reason}", frame.file, frame.line),
            None => reason,
        })
    }

    /// Uses the lent engine. A panic in a native ends the script, not the runtime.
    pub(super) fn with<R>(&self, lua: &Lua, act: impl FnOnce(&mut Engine) -> R) -> mlua::Result<R> {
        self.charge(lua, CALL_STEPS)?;
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            return Err(mlua::Error::RuntimeError("a native called back into a script".to_owned()));
        };
        catch_unwind(AssertUnwindSafe(|| act(&mut engine))).map_err(|panic| {
            self.trip(lua, ScriptErrorKind::Panic, format!("a native panicked: {}", panic_message(&*panic)))
        })
    }
}
