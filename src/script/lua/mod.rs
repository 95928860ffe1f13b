//! The Lua front end: scripts as coroutines of one Lua state, Luau or Lua 5.4 as built.
//!
//! Values are converted here and in `bindings`; what scripts see is laid out in `prelude/`. No rule of the game.

mod bindings;
mod modules;
mod pattern;
mod problem;
mod programs;
mod scenario;
mod session;
mod shared;
mod strings;

#[cfg_attr(feature = "luau", path = "budget_luau.rs")]
#[cfg_attr(not(feature = "luau"), path = "budget_lua54.rs")]
mod budget;

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use mlua::{Function, LuaOptions, Table, Thread, Value};

use self::{
    bindings::actor_value,
    problem::{Frame, script_error, syntax_error},
    programs::Programs,
    shared::{Shared, Trip},
};
use super::{Entered, FrontEnd, Limits, Progress, Role, ScriptError, ScriptErrorKind};
use crate::{
    defs::ScriptSource,
    natives::{Engine, Natives},
    sync::{Cell, Shared as Ref},
};

/// One Lua state with all scripts of a runtime.
pub(super) struct Lua {
    lua: mlua::Lua,
    shared: Ref<Shared>,
    natives: Arc<Natives>,
    programs: Programs,
    /// Makes the globals of a script.
    new_environment: Function,
    /// Makes what a coroutine runs of a body.
    guarded: Function,
    /// Makes what a director runs of its body: the body, then the scenario that was chosen while it ran.
    directed: Function,
    /// Makes what a session runs of a text: the text, then a print of its values.
    shown: Function,
    /// Memory in use after the last full collection that was asked for.
    after_collection: Cell<usize>,
    /// Looked up by number only, never walked.
    scripts: HashMap<u64, Script>,
}

/// One loaded script.
struct Script {
    name: String,
    role: Role,
    environment: Table,
    /// The body, or the run of `on_update` that is under way.
    thread: Thread,
    body_ended: bool,
    /// It runs texts that are entered, and `on_update` means nothing in it.
    is_session: bool,
    /// By how much its runs grew the memory in use; less than zero when the garbage of others was freed meanwhile.
    growth: i64,
    /// The most that the memory in use grew at once.
    largest: usize,
}

impl Script {
    /// What is called once per update, if it is a function.
    fn on_update(&self) -> Value {
        if self.is_session { Value::Nil } else { self.environment.raw_get("on_update").unwrap_or(Value::Nil) }
    }
}

impl Lua {
    /// A state with its prelude.
    pub(super) fn new(limits: Limits, natives: &Arc<Natives>) -> mlua::Result<Self> {
        Self::with_programs(limits, natives, Programs::default())
    }

    fn with_programs(limits: Limits, natives: &Arc<Natives>, mut programs: Programs) -> mlua::Result<Self> {
        let lua = mlua::Lua::new_with(budget::LIBRARIES, LuaOptions::default())?;
        let shared = Ref::new(Shared::new(limits));
        let host = bindings::host(&lua, &shared, natives)?;
        host.raw_set("patterns", strings::functions(&lua, &shared)?)?;
        let prelude = programs.prelude(&lua)?;
        host.raw_set("guards_bodies", budget::GUARDS_BODIES)?;
        let (new_environment, guarded, directed, shown) = prelude.call(host)?;
        budget::install(&lua, &shared)?;
        lua.set_memory_limit(limits.memory)?;
        let natives = Arc::clone(natives);
        Ok(Self {
            lua,
            shared,
            natives,
            programs,
            new_environment,
            guarded,
            directed,
            shown,
            after_collection: Cell::new(0),
            scripts: HashMap::new(),
        })
    }

    fn compile(&mut self, source: &ScriptSource, environment: Option<&Table>) -> Result<Function, ScriptError> {
        if let Some((line, reason)) = budget::refused(&source.text) {
            let refused = ScriptError::bare(&source.name, ScriptErrorKind::Syntax, reason);
            return Err(ScriptError { line: Some(line), ..refused });
        }
        let function = self.programs.script(&self.lua, &source.name, &source.text, environment);
        function.map_err(|error| syntax_error(&source.name, &error))
    }

    fn prepare(&self, source: &ScriptSource, role: Role) -> mlua::Result<Table> {
        let me = match role {
            Role::Director => Value::Nil,
            Role::Actor(key) => actor_value(key),
        };
        let environment: Table = self.new_environment.call(me)?;
        modules::set_modules(&self.lua, &environment, &source.modules)?;
        Ok(environment)
    }

    fn coroutine(&self, body: Function) -> mlua::Result<Thread> {
        self.lua.create_thread(self.guarded.call(body)?)
    }

    /// Runs the script's thread once.
    fn run(&self, script: &mut Script) -> Result<Progress, ScriptError> {
        if script.body_ended && script.thread.is_finished() {
            let on_update = script.on_update();
            let Value::Function(on_update) = on_update else { return Ok(Progress::Ended) };
            script.thread = self.coroutine(on_update).map_err(|error| script_error(&script.name, &error))?;
        }
        script.thread.resume::<()>(()).map_err(|error| {
            let failure = script_error(&script.name, &error);
            if failure.chain.is_empty() { placed_error(failure, &self.shared.take_frames()) } else { failure }
        })?;
        if !script.thread.is_finished() {
            return Ok(Progress::Waiting);
        }
        script.body_ended = true;
        match script.on_update() {
            Value::Function(_) => Ok(Progress::Waiting),
            Value::Nil => Ok(Progress::Ended),
            other => {
                let reason = format!("on_update: expected a function, found {}", bindings::kind_of(&other));
                Err(ScriptError::bare(&script.name, ScriptErrorKind::Runtime, &reason))
            }
        }
    }

    /// The budgets' word on a run: a script that spent one is over, whatever it made of the error.
    fn settle(
        &self,
        script: &mut Script,
        before: usize,
        outcome: Result<Progress, ScriptError>,
    ) -> Result<Progress, ScriptError> {
        if outcome.as_ref().is_err_and(|failure| failure.kind == ScriptErrorKind::Memory) {
            let _ = self.shared.trip_memory(&self.lua);
        }
        if let Some(trip) = self.shared.take_trip() {
            let failure = outcome.err().unwrap_or_else(|| ScriptError::bare(&script.name, trip.kind, ""));
            return Err(tripped_error(failure, trip));
        }
        script.growth += self.lua.used_memory() as i64 - before as i64;
        script.largest = self.shared.largest.get();
        if outcome.is_ok() && self.holds_too_much(script.growth) {
            let reason = format!("the script holds about {} bytes while memory is short", script.growth);
            return Err(ScriptError::bare(&script.name, ScriptErrorKind::Memory, &reason));
        }
        outcome
    }

    /// Whether memory is short, and a script of this growth is to blame: it holds more than its share, or more than is
    /// free. The second keeps many scripts of moderate size from filling the memory together.
    fn holds_too_much(&self, growth: i64) -> bool {
        let Limits { memory, memory_share, .. } = self.shared.limits;
        let to_blame = |used: usize| growth > memory_share.min(memory.saturating_sub(used)) as i64;
        let short = |used: usize| used > memory / 2;
        let used = self.lua.used_memory();
        if !short(used) || !to_blame(used) || self.lua.gc_collect().is_err() {
            return false;
        }
        let used = self.lua.used_memory();
        self.after_collection.set(used);
        short(used) && to_blame(used)
    }

    /// Collects what earlier scripts left when little memory is free, so that the next one finds some. Luau does not
    /// collect by itself when an allocation fails.
    fn make_room(&self) {
        let Limits { memory, .. } = self.shared.limits;
        let used = self.lua.used_memory();
        if used > memory / 2 && used > self.after_collection.get() + memory / 16 {
            let _ = self.lua.gc_collect();
            self.after_collection.set(self.lua.used_memory());
        }
    }
}

/// An error with the reason and the place of a spent budget. Where the error came out says little: the script may have
/// caught it meanwhile.
fn tripped_error(failure: ScriptError, trip: Trip) -> ScriptError {
    let failure = ScriptError { kind: trip.kind, message: trip.reason, ..failure };
    match trip.frames.is_empty() {
        true => failure,
        false => placed_error(ScriptError { line: None, ..failure }, &trip.frames),
    }
}

/// An error with a call chain, and with its place if it has none.
fn placed_error(failure: ScriptError, frames: &[Frame]) -> ScriptError {
    let chain = frames.iter().map(Frame::chain_line).collect();
    match frames.first() {
        Some(frame) if failure.line.is_none() => ScriptError {
            file: problem::whole_name(&frame.file, failure.file),
            line: Some(frame.line),
            chain,
            ..failure
        },
        _ => ScriptError { chain, ..failure },
    }
}

impl FrontEnd for Lua {
    fn check(&mut self, source: &ScriptSource) -> Result<(), ScriptError> {
        self.compile(source, None).map(drop)
    }

    fn load(&mut self, script: u64, source: &ScriptSource, role: Role) -> Result<(), ScriptError> {
        self.make_room();
        self.shared.begin(script, role, self.lua.used_memory());
        let failed = |error: &mlua::Error| script_error(&source.name, error);
        let environment = self.prepare(source, role).map_err(|error| failed(&error))?;
        let mut body = self.compile(source, Some(&environment))?;
        if role == Role::Director {
            body = self.directed.call(body).map_err(|error| failed(&error))?;
        }
        let thread = self.coroutine(body).map_err(|error| failed(&error))?;
        let name = source.name.clone();
        let (body_ended, is_session, growth, largest) = (false, false, 0, 0);
        self.scripts
            .insert(script, Script { name, role, environment, thread, body_ended, is_session, growth, largest });
        Ok(())
    }

    fn resume(&mut self, script: u64, engine: &mut Box<Engine>) -> Result<Progress, ScriptError> {
        let Some(mut running) = self.scripts.remove(&script) else { return Ok(Progress::Ended) };
        self.make_room();
        let before = self.lua.used_memory();
        self.shared.begin(script, running.role, before);
        self.shared.largest.set(running.largest);
        self.shared.exchange(engine);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run(&mut running)));
        self.shared.exchange(engine);
        let outcome = outcome.unwrap_or_else(|panic| {
            let reason = format!("a native panicked: {}", super::panic_message(&*panic));
            Err(ScriptError::bare(&running.name, ScriptErrorKind::Panic, &reason))
        });
        let outcome = self.settle(&mut running, before, outcome);
        self.scripts.insert(script, running);
        outcome
    }

    fn enter(&mut self, script: u64, text: &str) -> Result<Entered, ScriptError> {
        session::enter(self, script, text)
    }

    fn unload(&mut self, script: u64) {
        self.scripts.remove(&script);
    }

    /// What is in the memory decides when it is collected, and with that what steps cost, so a new state is made.
    fn restart(&mut self) -> Result<(), ScriptError> {
        let (natives, programs) = (Arc::clone(&self.natives), std::mem::take(&mut self.programs));
        *self = Self::with_programs(self.shared.limits, &natives, programs)
            .map_err(|error| ScriptError::bare("lua", ScriptErrorKind::Memory, error.to_string()))?;
        Ok(())
    }
}
