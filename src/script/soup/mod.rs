//! Programs run: hook, entry and main of an actor whose record has bytecode.
//!
//! The machine keeps nothing of its own: cursors, locals and slots are the world's, the decoded programs the engine's.
//! An invocation executes statements from a cursor until one ends it (rule Y32).
//!
//! # Source
//! Rules Y30 to Y68; engine/SOUP.md, "Ordinary entry gate", "Threading Model".

pub mod debug;
mod invocation;
mod observe;
mod statement;
mod value;

pub use observe::{Called, Observer, Place, Unobserved};

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use invocation::Invocation;

use super::{ScriptError, ScriptErrorKind, panic_message};
use crate::{
    natives::{CallRequest, Dispatch, Engine, LoadedProgram},
    world::{ActorKey, CallSite, Event, EventKind, Fault},
};

/// Which of its two cursors an invocation follows (rule Y32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread {
    /// The one that begins at offset 0 and runs in every update that does not hold it back.
    Entry,
    /// The one that begins at the program's start and waits for its tasks.
    Main,
}

/// Script-control bits (rule Y30).
const HOOK_OFF: u8 = 2;

fn program_of(engine: &Engine, key: ActorKey) -> Option<Arc<LoadedProgram>> {
    let actor = engine.world.get(key)?;
    engine.programs.get(actor.def).cloned()
}

/// The first step of a script stage: the hook, while no task runs (rules Y14, Y30).
pub(crate) fn run_hook(engine: &mut Engine, key: ActorKey) -> Option<ScriptError> {
    let actor = engine.world.get(key)?;
    let record = actor.def;
    if actor.tasks.n_unpaused() != 0 || actor.disable_script & HOOK_OFF != 0 {
        return None;
    }
    engine.programs.get(record)?.code.hook()?;
    let program = program_of(engine, key)?;
    let call = program.code.hook()?;
    let args = engine.program_arguments(&program, call, key, record);
    let Some(native) = call.native else {
        engine.notice_unknown_function(record, call.function);
        return None;
    };
    let request = CallRequest { receiver: key, native, args, dispatch: Dispatch::Function, site: CallSite::Host };
    engine.running_script = Engine::program_number(record);
    let outcome = catch_unwind(AssertUnwindSafe(|| engine.call_of(request, None)));
    engine.running_script = 0;
    let panic = outcome.err()?;
    let name = &program.code.program().name;
    Some(stop(engine, key, name, 0, Fault::Panic, &panic_message(&*panic)))
}

/// Runs one thread of an actor's program if it may run (rule Y31); what stopped the program, if anything did.
pub(crate) fn run_thread<O: Observer + ?Sized>(
    engine: &mut Engine,
    key: ActorKey,
    thread: Thread,
    budget: u32,
    observer: &mut O,
) -> Option<ScriptError> {
    let program = program_of(engine, key)?;
    if !may_run(engine, key, thread, &program) {
        return None;
    }
    let mut invocation = Invocation::new(engine, &program, key, thread)?;
    let outcome = catch_unwind(AssertUnwindSafe(|| invocation.run(budget, observer)));
    let (fault, message) = match outcome {
        Ok(Ok(())) => {
            invocation.finish();
            return None;
        }
        Ok(Err(fault)) => (fault, String::new()),
        Err(panic) => (Fault::Panic, panic_message(&*panic)),
    };
    let offset = invocation.finish();
    Some(stop(engine, key, &program.code.program().name, offset, fault, &message))
}

/// Rules Y31 and Y41: the entry waits for blocking tasks that were called at or below its cursor.
fn may_run(engine: &Engine, key: ActorKey, thread: Thread, program: &LoadedProgram) -> bool {
    let Some(actor) = engine.world.get(key) else { return false };
    let Some(state) = actor.script.as_ref().filter(|state| state.fault.is_none()) else { return false };
    match (thread, state.entry) {
        (Thread::Main, _) => true,
        (Thread::Entry, None) => false,
        (Thread::Entry, Some(entry)) => !actor.tasks.holds_back_entry(program.address(entry)),
    }
}

/// Marks a program as stopped and makes the report (rule Y41).
fn stop(engine: &mut Engine, key: ActorKey, name: &str, offset: u32, fault: Fault, message: &str) -> ScriptError {
    let reason = match fault {
        Fault::Divide => "division by zero".to_owned(),
        Fault::Budget => "the statement budget of one invocation is spent".to_owned(),
        Fault::End => "the cursor is at the end of the program".to_owned(),
        Fault::Panic => format!("a native panicked: {message}"),
    };
    if let Some(state) = engine.world.get_mut(key).and_then(|actor| actor.script.as_mut()) {
        state.fault = Some(fault);
    }
    let error = ScriptError {
        kind: if fault == Fault::Panic { ScriptErrorKind::Panic } else { ScriptErrorKind::Fault },
        actor: engine.world.name_of(key).map(str::to_owned),
        tick: Some(engine.world.clock.tick),
        file: format!("{name} program +0x{offset:02X}"),
        line: None,
        message: format!("{reason}; the program is stopped"),
        chain: Vec::new(),
    };
    engine.world.events.push(Event { actor: key, kind: EventKind::ScriptFailed { message: error.to_string() } });
    error
}
