//! What a person does to a running world from outside: texts entered one by one, another program for an actor.

use std::sync::Arc;

use super::Runtime;
use crate::{
    defs::{Program, ScriptSource},
    error::Result,
    script::{Entered, Progress, ScriptError},
    world::ActorKey,
};

/// Where a text stands that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// It is done.
    Done,
    /// It waits for an update, then for [`Runtime::go_on`].
    Waits,
    /// It is not whole and did not run: enter it again with more lines.
    Unfinished,
}

impl Runtime {
    /// Runs a text at once, as a director's code between updates. What it gives is printed, and its globals (in Rhai its
    /// variables and functions) are there for the next text; a language has one session, which begins with its first text.
    /// A text that still waits is given up. The extension of the source's name tells the language.
    ///
    /// # Errors
    /// [`Error::Script`](crate::Error::Script): what is wrong with the text, or what ended it. The session goes on.
    pub fn enter(&mut self, source: &ScriptSource) -> Result<Entry> {
        match self.scripts.enter(source)? {
            Entered::Unfinished => Ok(Entry::Unfinished),
            Entered::Ready => self.go_on(),
        }
    }

    /// Goes on with a text that waits, once an update ran.
    ///
    /// # Errors
    /// As [`Self::enter`].
    pub fn go_on(&mut self) -> Result<Entry> {
        let progress: Result<Progress, ScriptError> = self.scripts.run_entered(&mut self.engine);
        self.engine.world.sweep();
        self.scripts.sweep(&mut self.engine);
        Ok(if progress? == Progress::Waiting { Entry::Waits } else { Entry::Done })
    }

    /// Gives an actor this program from now on, in place of its script or program. It begins at its beginning; running
    /// tasks go on. Other actors of the same record keep theirs. The program's base is set behind all others; `labels` are
    /// those of its text, without their `#`.
    ///
    /// # Errors
    /// [`Error::Call`](crate::Error::Call) when the actor is gone, [`Error::Program`](crate::Error::Program) when the program
    /// cannot be decoded. Nothing has changed then.
    ///
    /// # Source
    /// Rules Y2 and Y3.
    pub fn set_program(&mut self, actor: ActorKey, mut program: Program, labels: Vec<(String, u32)>) -> Result<()> {
        let engine = &mut *self.engine;
        let record = engine.live(actor)?.def;
        program.base = engine.programs.next_address();
        let program = Arc::new(program);
        let programs = engine.programs.with(&program, &engine.defs, &engine.natives)?;
        let (defs, added) = engine.defs.with_program(record, program, labels.into());
        engine.world.adopt_program(&defs, actor, added);
        (engine.defs, engine.programs) = (Arc::new(defs), Arc::new(programs));
        self.scripts.end_actor(engine, actor);
        Ok(())
    }
}
