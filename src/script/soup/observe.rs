//! Watching a program run: what a debugger is told.

use super::Thread;
use crate::{
    defs::{ActorDefIdx, NativeId},
    natives::Engine,
    soup::{Code, code::StatementIdx},
    sync::Portable,
    world::{ActorKey, Args},
};

/// The statement that is about to be executed.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Whose program.
    pub actor: ActorKey,
    /// Its record.
    pub record: ActorDefIdx,
    /// Entry or main.
    pub thread: Thread,
    /// The decoded program.
    pub code: &'a Code,
    /// The statement.
    pub statement: StatementIdx,
}

impl Place<'_> {
    /// The statement's offset.
    #[must_use]
    pub fn offset(&self) -> u32 {
        self.code.offset(self.statement)
    }
}

/// A call that a statement made.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// Who called.
    pub caller: ActorKey,
    /// The actor called on.
    pub receiver: ActorKey,
    /// The function.
    pub native: NativeId,
    /// Its arguments.
    pub args: &'a Args,
    /// The value; 0 for tasks.
    pub value: i32,
}

/// Told of every statement and call of every program. The world that it sees is whole.
pub trait Observer: Portable {
    /// Whether anyone looks. What nobody looks at costs nothing.
    fn is_active(&self) -> bool {
        true
    }

    /// A statement is about to be executed.
    fn statement(&mut self, engine: &Engine, place: Place<'_>);

    /// A call was made; why it was refused stands in the receiver's `cold.refusal`.
    fn called(&mut self, engine: &Engine, called: Called<'_>);
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    #[inline]
    fn is_active(&self) -> bool {
        false
    }

    fn statement(&mut self, _: &Engine, _: Place<'_>) {}

    fn called(&mut self, _: &Engine, _: Called<'_>) {}
}
