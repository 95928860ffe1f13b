//! One run of one thread: the loop over statements, and what it takes from the world and puts back.

use super::{Observer, Place, Thread, statement::Next};
use crate::{
    defs::ActorDefIdx,
    natives::{Engine, LoadedProgram},
    soup::{Exit, code::StatementIdx},
    world::{ActorKey, Fault, ScriptState},
};

/// A thread that runs.
///
/// The locals are moved out of the world for the time between calls, where nobody else can look at them.
pub(super) struct Invocation<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) program: &'a LoadedProgram,
    pub(super) actor: ActorKey,
    pub(super) record: ActorDefIdx,
    /// The locals, and behind them the constants of quick statements.
    pub(super) locals: Vec<i32>,
    /// Whether the locals are here, not in the world.
    holds_locals: bool,
    /// The actor was removed by a call that it made.
    pub(super) gone: bool,
    thread: Thread,
    /// The statement that is executed, until it succeeded.
    at: StatementIdx,
}

impl<'a> Invocation<'a> {
    pub(super) fn new(
        engine: &'a mut Engine,
        program: &'a LoadedProgram,
        actor: ActorKey,
        thread: Thread,
    ) -> Option<Self> {
        let runs = engine.world.get_mut(actor)?;
        let record = runs.def;
        let state = runs.script.as_mut()?;
        let cursor = match thread {
            Thread::Entry => state.entry?,
            Thread::Main => state.main,
        };
        // A cursor is always a boundary: the decoder checks targets, and a restored world is checked too.
        let at = program.code.index_of(cursor)?;
        let mut locals = std::mem::take(&mut state.locals);
        locals.extend_from_slice(program.quick.constants());
        engine.running_script = Engine::program_number(record);
        Some(Self { engine, program, actor, record, locals, holds_locals: true, gone: false, thread, at })
    }

    /// Executes statements until one ends the invocation (rules Y32, Y41, Y42).
    pub(super) fn run<O: Observer + ?Sized>(&mut self, budget: u32, observer: &mut O) -> Result<(), Fault> {
        let program = self.program;
        let statements = program.code.statements();
        let mut left = budget;
        loop {
            if !observer.is_active() && program.quick.run(&mut self.at, &mut left, &mut self.locals) == Exit::Divide {
                return Err(Fault::Divide);
            }
            let Some(&statement) = statements.get(self.at as usize) else { return Err(Fault::End) };
            left = left.checked_sub(1).ok_or(Fault::Budget)?;
            if observer.is_active() {
                self.show(observer);
            }
            let next = self.execute(statement, observer)?;
            if self.gone {
                return Ok(());
            }
            match next {
                Next::Following => self.at += 1,
                Next::Jump(target) => self.at = target,
                Next::End(target) => {
                    self.at = target;
                    return Ok(());
                }
            }
        }
    }

    fn show<O: Observer + ?Sized>(&mut self, observer: &mut O) {
        self.swap_locals();
        self.keep_cursor();
        let (actor, record, thread) = (self.actor, self.record, self.thread);
        let place = Place { actor, record, thread, code: &self.program.code, statement: self.at };
        observer.statement(self.engine, place);
        self.swap_locals();
    }

    /// The number of the statement that is executed.
    pub(super) fn at(&self) -> StatementIdx {
        self.at
    }

    /// The script state in the world; none when the actor was removed meanwhile.
    pub(super) fn state(&mut self) -> Option<&mut ScriptState> {
        self.engine.world.get_mut(self.actor)?.script.as_deref_mut()
    }

    /// Moves the locals into the world, or out of it again.
    pub(super) fn swap_locals(&mut self) {
        let constants = self.program.quick.constants();
        if self.holds_locals {
            self.locals.truncate(self.locals.len().saturating_sub(constants.len()));
        }
        let state = self.engine.world.get_mut(self.actor).and_then(|actor| actor.script.as_deref_mut());
        match state {
            Some(state) => {
                std::mem::swap(&mut state.locals, &mut self.locals);
                self.holds_locals = !self.holds_locals;
            }
            None => self.gone = true,
        }
        if self.holds_locals {
            self.locals.extend_from_slice(constants);
        }
    }

    fn keep_cursor(&mut self) {
        let (cursor, thread) = (self.program.code.offset(self.at), self.thread);
        if let Some(state) = self.state() {
            match thread {
                Thread::Entry => state.entry = Some(cursor),
                Thread::Main => state.main = cursor,
            }
        }
    }

    /// Puts cursor and locals back into the world; the offset where the thread stands.
    pub(super) fn finish(mut self) -> u32 {
        // For some calls the locals are in the world already, and a panic may come out of any.
        if self.holds_locals {
            self.swap_locals();
        }
        self.keep_cursor();
        self.engine.running_script = 0;
        self.program.code.offset(self.at)
    }
}
