//! The Lua front end: scripts as coroutines of one Lua state, Luau or Lua 5.4 as built.
//!
//! Values are converted here and in `bindings`; what scripts see is laid out in `prelude.lua`. No rule of the game.

mod bindings;
mod problem;
mod shared;

#[cfg_attr(feature = "luau", path = "budget_luau.rs")]
#[cfg_attr(not(feature = "luau"), path = "budget_lua54.rs")]
mod budget;

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::Arc,
};

use mlua::{Function, LuaOptions, Table, Thread, Value, chunk::ChunkMode};

use self::{
    bindings::actor_value,
    problem::{chunk_name, script_error, syntax_error},
    shared::Shared,
};
use super::{FrontEnd, Limits, Progress, Role, ScriptError, ScriptErrorKind};
use crate::{
    defs::ScriptSource,
    natives::{Engine, Natives},
};

/// One Lua state with all scripts of a runtime.
pub(super) struct Lua {
    lua: mlua::Lua,
    shared: Rc<Shared>,
    /// Makes the globals of a script.
    new_environment: Function,
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
    /// By how much its runs grew the memory in use.
    growth: usize,
}

impl Lua {
    /// A state with its prelude.
    pub(super) fn new(limits: Limits, natives: &Arc<Natives>) -> mlua::Result<Self> {
        let lua = mlua::Lua::new_with(budget::LIBRARIES, LuaOptions::default())?;
        let shared = Rc::new(Shared::new(limits));
        let host = bindings::host(&lua, &shared, natives)?;
        budget::guard_patterns(&lua, &host)?;
        let prelude = lua.load(include_str!("prelude.lua")).set_name("=soup386").set_mode(ChunkMode::Text);
        let new_environment = prelude.call(host)?;
        budget::install(&lua, &shared)?;
        lua.set_memory_limit(limits.memory)?;
        Ok(Self { lua, shared, new_environment, scripts: HashMap::new() })
    }

    fn compile(&self, source: &ScriptSource, environment: Option<&Table>) -> Result<Function, ScriptError> {
        let chunk = self.lua.load(&source.text).set_name(chunk_name(&source.name)).set_mode(ChunkMode::Text);
        let chunk = match environment {
            Some(environment) => chunk.set_environment(environment.clone()),
            None => chunk,
        };
        chunk.into_function().map_err(|error| syntax_error(&source.name, &error))
    }

    fn prepare(&self, source: &ScriptSource, role: Role) -> mlua::Result<Table> {
        let me = match role {
            Role::Director => Value::Nil,
            Role::Actor(key) => actor_value(key),
        };
        let environment: Table = self.new_environment.call(me)?;
        bindings::set_modules(&self.lua, &environment, &source.modules)?;
        Ok(environment)
    }

    /// Runs the script's thread once.
    fn run(&self, script: &mut Script) -> Result<Progress, ScriptError> {
        if script.body_ended && script.thread.is_finished() {
            let on_update: Value = script.environment.raw_get("on_update").unwrap_or(Value::Nil);
            let Value::Function(on_update) = on_update else { return Ok(Progress::Ended) };
            script.thread = self.lua.create_thread(on_update).map_err(|error| script_error(&script.name, &error))?;
        }
        script.thread.resume::<()>(()).map_err(|error| script_error(&script.name, &error))?;
        if !script.thread.is_finished() {
            return Ok(Progress::Waiting);
        }
        script.body_ended = true;
        let has_on_update = matches!(script.environment.raw_get("on_update"), Ok(Value::Function(_)));
        Ok(if has_on_update { Progress::Waiting } else { Progress::Ended })
    }

    /// The budgets' word on a run: a script that spent one is over, whatever it made of the error.
    fn settle(
        &self,
        script: &mut Script,
        before: usize,
        outcome: Result<Progress, ScriptError>,
    ) -> Result<Progress, ScriptError> {
        if let Some((kind, reason)) = self.shared.take_trip() {
            let failure = outcome.err().unwrap_or_else(|| bare_error(&script.name, kind, ""));
            return Err(ScriptError { kind, message: reason, ..failure });
        }
        let used = self.lua.used_memory();
        script.growth = (script.growth + used).saturating_sub(before);
        if outcome.is_ok() && self.holds_too_much(script.growth) {
            let share = self.shared.limits.memory_share;
            let reason = format!("the script holds more than {share} bytes while memory is short");
            return Err(bare_error(&script.name, ScriptErrorKind::Memory, &reason));
        }
        outcome
    }

    fn holds_too_much(&self, growth: usize) -> bool {
        let Limits { memory, memory_share, .. } = self.shared.limits;
        growth > memory_share
            && self.lua.used_memory() > memory / 2
            && self.lua.gc_collect().is_ok()
            && self.lua.used_memory() > memory / 2
    }
}

fn bare_error(file: &str, kind: ScriptErrorKind, message: &str) -> ScriptError {
    ScriptError {
        kind,
        actor: None,
        tick: None,
        file: file.to_owned(),
        line: None,
        message: message.to_owned(),
        chain: Vec::new(),
    }
}

impl FrontEnd for Lua {
    fn check(&mut self, source: &ScriptSource) -> Result<(), ScriptError> {
        self.compile(source, None).map(drop)
    }

    fn load(&mut self, script: u64, source: &ScriptSource, role: Role) -> Result<(), ScriptError> {
        self.shared.begin(script, role, self.lua.used_memory());
        let failed = |error: &mlua::Error| script_error(&source.name, error);
        let environment = self.prepare(source, role).map_err(|error| failed(&error))?;
        let body = self.compile(source, Some(&environment))?;
        let thread = self.lua.create_thread(body).map_err(|error| failed(&error))?;
        let name = source.name.clone();
        self.scripts.insert(script, Script { name, role, environment, thread, body_ended: false, growth: 0 });
        Ok(())
    }

    fn resume(&mut self, script: u64, engine: &mut Box<Engine>) -> Result<Progress, ScriptError> {
        let Some(mut running) = self.scripts.remove(&script) else { return Ok(Progress::Ended) };
        let before = self.lua.used_memory();
        self.shared.begin(script, running.role, before);
        self.shared.exchange(engine);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run(&mut running)));
        self.shared.exchange(engine);
        let outcome = outcome.unwrap_or_else(|panic| {
            let reason = format!("a native panicked: {}", super::panic_message(&*panic));
            Err(bare_error(&running.name, ScriptErrorKind::Panic, &reason))
        });
        let outcome = self.settle(&mut running, before, outcome);
        self.scripts.insert(script, running);
        outcome
    }

    fn unload(&mut self, script: u64) {
        self.scripts.remove(&script);
    }
}
