//! Small stacks on which scripts run, so that a script can wait in the middle of a call.
//!
//! The one unsafe block of the crate is in [`Current::suspend`].

#![allow(unsafe_code, reason = "one block, with its proof beside it")]

use std::{cell::Cell, ptr, rc::Rc};

use corosensei::{
    Coroutine, CoroutineResult, Yielder,
    stack::{DefaultStack, Stack},
};

/// Bytes of one stack: address space, of which only what a script touches becomes memory.
const STACK_BYTES: usize = if cfg!(debug_assertions) { 1 << 20 } else { 512 << 10 };

/// Bytes that scripts must leave: for what runs between two looks at the stack. The deepest of that is Rhai's own
/// walking of nested values, which `budget` keeps shallow.
const MARGIN: usize = STACK_BYTES / 2;

/// Free stacks that are kept for the next script.
const MOST_KEPT: usize = 16;

/// What a suspended script is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Go on.
    Go,
    /// Return at once: the script is being dropped.
    Stop,
}

/// The script must return at once, or cannot wait where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Where a fiber stands after it ran; `Q` is what it waits for.
pub(super) enum Step<Q, R> {
    /// It waits.
    Waits(Q),
    /// It returned. Nothing when it was stopped before it began.
    Done(Option<R>),
}

/// The fiber that runs now.
pub(super) struct Current<Q> {
    /// Null while none runs.
    yielder: Cell<*const Yielder<Signal, Q>>,
    /// The lowest address that its script may use.
    floor: Cell<usize>,
}

/// A script on a stack of its own.
pub(super) struct Fiber<Q, R> {
    coroutine: Coroutine<Signal, Q, Option<R>, DefaultStack>,
    floor: usize,
}

/// Stacks, bounded in number.
pub(super) struct Stacks {
    free: Vec<DefaultStack>,
    n_used: usize,
    most: usize,
}

/// Puts back what was current before, also when a panic passes.
struct Restore<'c, Q> {
    current: &'c Current<Q>,
    yielder: *const Yielder<Signal, Q>,
    floor: usize,
}

impl<Q> Drop for Restore<'_, Q> {
    fn drop(&mut self) {
        self.current.yielder.set(self.yielder);
        self.current.floor.set(self.floor);
    }
}

impl<Q> Default for Current<Q> {
    fn default() -> Self {
        Self { yielder: Cell::new(ptr::null()), floor: Cell::new(0) }
    }
}

impl<Q> Current<Q> {
    /// Suspends the running fiber until it is resumed.
    ///
    /// # Errors
    /// [`Stopped`] when it is to return, or no fiber runs.
    pub(super) fn suspend(&self, what: Q) -> Result<(), Stopped> {
        let yielder = self.yielder.get();
        if yielder.is_null() {
            return Err(Stopped);
        }
        // SAFETY: the pointer is that of a live `Yielder`, and we are on its stack.
        // - It is written in two places only, both by the fiber itself while it runs: at the start of its function
        //   (`Fiber::new`), from the reference that corosensei hands it, and below, after its own `suspend` returned.
        // - Whenever control leaves the fiber, by `suspend`, by return or by panic, `Fiber::resume` puts back the value
        //   from before the resume (`Restore`, also when unwinding). So a pointer that is not null belongs to the
        //   innermost fiber that runs now, and `suspend` is called from its stack.
        // - corosensei keeps the `Yielder` at the base of that stack until the fiber's function returns, which cannot
        //   have happened, as we are called from within it.
        // - No other thread sees the cell: `Current` holds a raw pointer and is therefore neither `Send` nor `Sync`.
        let signal = unsafe { &*yielder }.suspend(what);
        self.yielder.set(yielder);
        match signal {
            Signal::Go => Ok(()),
            Signal::Stop => Err(Stopped),
        }
    }

    /// Whether the running script has used up its stack.
    pub(super) fn is_stack_spent(&self) -> bool {
        let here = 0_u8;
        ptr::from_ref(&here).addr() < self.floor.get()
    }

    /// Whether a fiber runs now.
    pub(super) fn is_running(&self) -> bool {
        !self.yielder.get().is_null()
    }
}

impl<Q: 'static, R: 'static> Fiber<Q, R> {
    /// A fiber that will run `body`.
    pub(super) fn new(stack: DefaultStack, current: &Rc<Current<Q>>, body: impl FnOnce() -> R + 'static) -> Self {
        let floor = stack.limit().get() + MARGIN;
        let current = Rc::clone(current);
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<Signal, Q>, signal| {
            current.yielder.set(yielder);
            (signal == Signal::Go).then(body)
        });
        Self { coroutine, floor }
    }

    /// Runs the fiber until it waits or returns. A panic of its body passes through.
    pub(super) fn resume(&mut self, current: &Current<Q>, signal: Signal) -> Step<Q, R> {
        let (yielder, floor) = (current.yielder.replace(ptr::null()), current.floor.replace(self.floor));
        let _restore = Restore { current, yielder, floor };
        match self.coroutine.resume(signal) {
            CoroutineResult::Yield(what) => Step::Waits(what),
            CoroutineResult::Return(result) => Step::Done(result),
        }
    }

    /// Whether it returned or panicked.
    pub(super) fn is_done(&self) -> bool {
        self.coroutine.done()
    }
}

impl Stacks {
    /// At most so many at once.
    pub(super) fn new(most: usize) -> Self {
        Self { free: Vec::new(), n_used: 0, most }
    }

    /// Whether one more script can have a stack.
    pub(super) fn has_room(&self) -> bool {
        self.n_used < self.most
    }

    /// A stack, unless all are taken or the system has no more.
    pub(super) fn take(&mut self) -> Option<DefaultStack> {
        if !self.has_room() {
            return None;
        }
        let stack = self.free.pop().or_else(|| DefaultStack::new(STACK_BYTES).ok())?;
        self.n_used += 1;
        Some(stack)
    }

    /// Takes back the stack of a fiber that is done; that of another is given up with the fiber.
    pub(super) fn give_back<Q, R>(&mut self, fiber: Fiber<Q, R>) {
        self.n_used = self.n_used.saturating_sub(1);
        if fiber.coroutine.done() && self.free.len() < MOST_KEPT {
            self.free.push(fiber.coroutine.into_stack());
        }
    }

    /// How many are in use.
    pub(super) fn n_used(&self) -> usize {
        self.n_used
    }
}
