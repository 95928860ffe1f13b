//! What the bindings of one Lua state share: the lent engine and what the running script has used up.

use std::{
    cell::{Cell, RefCell},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    defs::SceneBuilder,
    natives::Engine,
    script::{Limits, Role, ScriptErrorKind, panic_message},
};

/// Growth of the memory in use costs one step for so many bytes.
const BYTES_PER_STEP: usize = 256;

pub(super) struct Shared {
    /// An empty engine, or the runtime's while a script runs.
    engine: RefCell<Box<Engine>>,
    pub(super) limits: Limits,
    pub(super) role: Cell<Role>,
    pub(super) script: Cell<u64>,
    steps: Cell<u64>,
    memory: Cell<usize>,
    printed: Cell<usize>,
    /// Why the running script must end; once set, every further step is refused.
    tripped: RefCell<Option<(ScriptErrorKind, String)>>,
}

impl Shared {
    pub(super) fn new(limits: Limits) -> Self {
        let nothing = SceneBuilder::default().build();
        let engine =
            nothing.map(|scene| Engine::new(&scene)).unwrap_or_else(|_| unreachable!("an empty scene is valid"));
        Self {
            engine: RefCell::new(Box::new(engine)),
            limits,
            role: Cell::new(Role::Director),
            script: Cell::new(0),
            steps: Cell::new(0),
            memory: Cell::new(0),
            printed: Cell::new(0),
            tripped: RefCell::new(None),
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
    }

    /// Why the run had to end, if it had to.
    pub(super) fn take_trip(&self) -> Option<(ScriptErrorKind, String)> {
        self.tripped.borrow_mut().take()
    }

    /// Spends steps, and steps for memory that was taken since the last time.
    pub(super) fn spend(&self, steps: u64, memory: usize) -> mlua::Result<()> {
        let grown = memory.saturating_sub(self.memory.replace(memory));
        self.charge(steps + (grown / BYTES_PER_STEP) as u64)
    }

    /// Spends steps.
    pub(super) fn charge(&self, steps: u64) -> mlua::Result<()> {
        let spent = self.steps.get().saturating_add(steps);
        self.steps.set(spent);
        if spent > self.limits.steps || self.tripped.borrow().is_some() {
            let limit = self.limits.steps;
            return Err(self.trip(
                ScriptErrorKind::Budget,
                format!("the script took more than {limit} steps in one update; wait with next_update() in long loops"),
            ));
        }
        Ok(())
    }

    /// Counts printed bytes.
    pub(super) fn count_printed(&self, bytes: usize) -> mlua::Result<()> {
        self.printed.set(self.printed.get().saturating_add(bytes));
        if self.printed.get() > self.limits.printed {
            let limit = self.limits.printed;
            return Err(
                self.trip(ScriptErrorKind::Budget, format!("the script printed more than {limit} bytes in one update"))
            );
        }
        Ok(())
    }

    /// Ends the run: the first reason stands.
    pub(super) fn trip(&self, kind: ScriptErrorKind, reason: String) -> mlua::Error {
        let mut tripped = self.tripped.borrow_mut();
        let (_, reason) = tripped.get_or_insert((kind, reason));
        mlua::Error::RuntimeError(reason.clone())
    }

    /// Uses the lent engine. A panic in a native ends the script, not the runtime.
    pub(super) fn with<R, E: ToString>(
        &self,
        act: impl FnOnce(&mut Engine) -> Result<R, E>,
    ) -> mlua::Result<Result<R, E>> {
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            return Err(mlua::Error::RuntimeError("a native called back into a script".to_owned()));
        };
        catch_unwind(AssertUnwindSafe(|| act(&mut engine))).map_err(|panic| {
            self.trip(ScriptErrorKind::Panic, format!("a native panicked: {}", panic_message(&*panic)))
        })
    }
}
