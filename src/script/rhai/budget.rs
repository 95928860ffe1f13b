//! What scripts share while they run: the lent engine, and what the running script has used up.
//!
//! Rhai's own limit of operations can be evaded through callbacks, so operations are counted here, and once a budget is
//! spent every further operation is refused. Rhai tells nobody what memory a script holds, so the values that a script
//! reads are looked at as it reads them.

use std::{
    cell::{Cell, RefCell},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use rhai::{Dynamic, EvalAltResult, FnPtr, Position, Scope};

use super::{modules::Modules, scenario::Chosen, stack::Current};
use crate::{
    natives::Engine,
    script::{Limits, Role, ScriptErrorKind, panic_message, parked_engine},
};

/// Longest text, in bytes, that one value holds, nested texts together.
const MOST_TEXT: usize = 64 << 10;
/// Most elements of an array with all arrays in it, and most entries of a map.
const MOST_ELEMENTS: usize = 16 << 10;
/// How deep values may be nested: arrays, maps and what closures keep. Rhai walks values by recursion, on the script's
/// small stack.
const MOST_NESTED: usize = 64;
/// Most values that one variable may reach.
const MOST_REACHED: usize = 128 << 10;
/// One in so many reads of a nested value looks at all that it reaches.
const READS_PER_LOOK: u32 = 8;
/// One in so many reads of a variable weighs all variables of the running function.
const READS_PER_WEIGHING: u32 = 64;
/// How deep functions call each other at most. Each of them holds its part of what a script may hold.
const MOST_CALLS: usize = 64;
/// Reading a variable costs one step for so many elements, or for four times as many bytes of text: what Rhai does with
/// the value takes time with its size.
const UNITS_PER_STEP: u64 = 128;
/// Bytes that a value takes beside its text.
const VALUE_BYTES: usize = size_of::<Dynamic>() + 16;

/// What a script that waits is waiting for.
pub(super) enum Request {
    /// A later update.
    Update,
    /// The syntax tree of a module: the parser needs more room than a script's stack has.
    Module(String),
}

pub(super) struct Shared {
    /// An empty engine, or the runtime's while a script runs.
    engine: RefCell<Box<Engine>>,
    pub(super) limits: Limits,
    pub(super) current: Rc<Current<Request>>,
    pub(super) role: Cell<Role>,
    pub(super) script: Cell<u64>,
    /// Where the running script finds its modules.
    pub(super) modules: RefCell<Rc<Modules>>,
    /// What the top level of a scenario file left.
    pub(super) chosen: Chosen,
    steps: Cell<u64>,
    reads: Cell<u32>,
    printed: Cell<usize>,
    /// Every further operation is refused.
    is_over: Cell<bool>,
    tripped: RefCell<Option<(ScriptErrorKind, String)>>,
}

impl Shared {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            engine: RefCell::new(parked_engine()),
            limits,
            current: Rc::default(),
            role: Cell::new(Role::Director),
            script: Cell::new(0),
            modules: RefCell::default(),
            chosen: Chosen::default(),
            steps: Cell::new(0),
            reads: Cell::new(0),
            printed: Cell::new(0),
            is_over: Cell::new(false),
            tripped: RefCell::new(None),
        }
    }

    /// Exchanges the parked engine with the runtime's: lends it, and gives it back.
    pub(super) fn exchange(&self, engine: &mut Box<Engine>) {
        mem::swap(&mut *self.engine.borrow_mut(), engine);
    }

    /// A new run starts with full budgets.
    pub(super) fn begin(&self, script: u64, role: Role, modules: &Rc<Modules>) {
        self.script.set(script);
        self.role.set(role);
        *self.modules.borrow_mut() = Rc::clone(modules);
        self.steps.set(0);
        self.reads.set(0);
        self.printed.set(0);
        self.is_over.set(false);
        *self.tripped.borrow_mut() = None;
    }

    /// The script is being dropped: it does nothing more.
    pub(super) fn stop(&self) {
        self.is_over.set(true);
    }

    /// Why the run had to end, if it had to.
    pub(super) fn take_trip(&self) -> Option<(ScriptErrorKind, String)> {
        self.tripped.borrow_mut().take()
    }

    /// Ends the run: the first reason stands.
    fn trip(&self, kind: ScriptErrorKind, reason: impl Into<String>) {
        self.tripped.borrow_mut().get_or_insert_with(|| (kind, reason.into()));
        self.is_over.set(true);
    }

    /// The same, as the error that ends the script.
    fn end(&self, kind: ScriptErrorKind, reason: impl Into<String>) -> Box<EvalAltResult> {
        self.trip(kind, reason);
        terminated()
    }

    /// Whether every further operation is refused.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Rhai asks before every operation; a value ends the script, and no `catch` sees it.
    pub(super) fn operation(&self) -> Option<Dynamic> {
        if self.is_over.get() {
            return Some(Dynamic::UNIT);
        }
        if self.current.is_stack_spent() {
            self.trip(ScriptErrorKind::Budget, "functions call each other too deeply for the script's stack");
            return Some(Dynamic::UNIT);
        }
        self.charge(1).err().map(|_| Dynamic::UNIT)
    }

    /// Spends steps.
    pub(super) fn charge(&self, steps: u64) -> Result<(), Box<EvalAltResult>> {
        let spent = self.steps.get().saturating_add(steps);
        self.steps.set(spent);
        if spent <= self.limits.steps {
            return Ok(());
        }
        let limit = self.limits.steps;
        let reason =
            format!("the script took more than {limit} steps in one update; wait with next_update() in long loops");
        Err(self.end(ScriptErrorKind::Budget, reason))
    }

    /// Counts printed bytes; false when there were too many.
    pub(super) fn count_printed(&self, bytes: usize) -> bool {
        self.printed.set(self.printed.get().saturating_add(bytes));
        let limit = self.limits.printed;
        if self.printed.get() > limit {
            self.trip(ScriptErrorKind::Budget, format!("the script printed more than {limit} bytes in one update"));
        }
        !self.is_over()
    }

    /// The script reads or shares a variable: pays for what it holds, and is ended when that is too much.
    pub(super) fn read(&self, value: &Dynamic, scope: &Scope<'_>) -> Result<(), Box<EvalAltResult>> {
        let reads = self.reads.get().wrapping_add(1);
        self.reads.set(reads);
        if reads.is_multiple_of(READS_PER_WEIGHING) {
            self.weigh(scope)?;
        }
        if value.is_shared() || !is_simple(value) {
            let size = top_size(value);
            self.charge(size as u64 / UNITS_PER_STEP)?;
            if reads.is_multiple_of(READS_PER_LOOK) || value.is_shared() {
                let mut reached = Reached::default();
                let fits = reached.add(value, 0);
                self.charge(reached.values as u64 / 64)?;
                self.require(fits)?;
            }
        }
        Ok(())
    }

    /// Sums up what all variables of the running function hold. Callers are out of sight, so none may hold more than
    /// leaves room for all.
    fn weigh(&self, scope: &Scope<'_>) -> Result<(), Box<EvalAltResult>> {
        let mut bytes = 0_usize;
        for (_, _, value) in scope.iter_raw() {
            let mut reached = Reached::default();
            let fits = is_simple(value) || reached.add(value, 0);
            self.charge(reached.values as u64 / 64)?;
            self.require(fits)?;
            bytes = bytes.saturating_add(reached.values * VALUE_BYTES + reached.text);
        }
        let most = self.limits.memory / MOST_CALLS;
        if bytes > most {
            return Err(
                self.end(ScriptErrorKind::Memory, format!("the variables of one function hold more than {most} bytes"))
            );
        }
        Ok(())
    }

    fn require(&self, fits: bool) -> Result<(), Box<EvalAltResult>> {
        if fits {
            return Ok(());
        }
        let reason =
            format!("a value is nested more than {MOST_NESTED} deep, or reaches more than {MOST_REACHED} values");
        Err(self.end(ScriptErrorKind::Memory, reason))
    }

    /// Uses the lent engine. A panic in a native ends the script, not the runtime.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut Engine) -> R) -> Result<R, Box<EvalAltResult>> {
        if self.is_over() {
            return Err(terminated());
        }
        let Ok(mut engine) = self.engine.try_borrow_mut() else {
            return Err("a native called back into a script".into());
        };
        catch_unwind(AssertUnwindSafe(|| act(&mut engine)))
            .map_err(|panic| self.end(ScriptErrorKind::Panic, format!("a native panicked: {}", panic_message(&*panic))))
    }

    /// Suspends the running script.
    pub(super) fn wait(&self, request: Request) -> Result<(), Box<EvalAltResult>> {
        if self.is_over() {
            return Err(terminated());
        }
        if !self.current.is_running() {
            return Err("cannot wait here".into());
        }
        self.current.suspend(request).map_err(|_| terminated())
    }
}

/// Ends the script; no `catch` sees it.
pub(super) fn terminated() -> Box<EvalAltResult> {
    EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into()
}

/// Sets Rhai's own limits: per value, and on the depth of what it parses.
pub(super) fn set_limits(engine: &mut rhai::Engine, limits: Limits) {
    engine.set_max_string_size(limits.string.min(MOST_TEXT));
    engine.set_max_array_size(MOST_ELEMENTS);
    engine.set_max_map_size(MOST_ELEMENTS);
    engine.set_max_call_levels(MOST_CALLS);
    engine.set_max_expr_depths(64, 48);
    engine.set_max_variables(1024);
    engine.set_max_functions(4096);
    engine.disable_symbol("eval");
}

/// Most elements of an array or entries of a map.
pub(super) const fn most_elements() -> usize {
    MOST_ELEMENTS
}

/// Numbers, truth values, handles: nothing that grows.
fn is_simple(value: &Dynamic) -> bool {
    !(value.is_string() || value.is_array() || value.is_map() || value.is_fnptr() || value.is_blob())
}

/// Elements, or bytes by four.
fn top_size(value: &Dynamic) -> usize {
    if let Ok(text) = value.as_immutable_string_ref() {
        return text.len() / 4;
    }
    value.as_array_ref().map(|array| array.len()).or_else(|_| value.as_map_ref().map(|map| map.len())).unwrap_or(0)
}

/// What a value reaches, values that are reached twice counted twice.
#[derive(Default)]
struct Reached {
    values: usize,
    text: usize,
}

impl Reached {
    /// Adds a value; false when it is nested too deeply or reaches too much.
    fn add(&mut self, value: &Dynamic, depth: usize) -> bool {
        self.values += 1;
        if depth > MOST_NESTED || self.values > MOST_REACHED {
            return false;
        }
        if !value.is_shared() && is_simple(value) {
            return true;
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            self.text += text.len();
        } else if let Ok(blob) = value.as_blob_ref() {
            self.text += blob.len();
        } else if let Ok(array) = value.as_array_ref() {
            return array.iter().all(|element| self.add(element, depth + 1));
        } else if let Ok(map) = value.as_map_ref() {
            return map.values().all(|element| self.add(element, depth + 1));
        } else if let Some(function) = value.read_lock::<FnPtr>() {
            return function.curry().iter().all(|kept| self.add(kept, depth + 1));
        }
        true
    }
}
