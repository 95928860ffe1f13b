//! Compiled texts: those used last are kept, also when a new state is made.

use std::collections::VecDeque;

use mlua::{Function, Lua, Result, Table, chunk::ChunkMode};

use super::{budget, problem::chunk_name};

/// Texts that are kept.
const MOST: usize = 8;

/// The prelude's name, that of places which scripts are not shown, and its text: one chunk, whose parts see the local
/// variables of those before.
const PRELUDE: (&str, &str) = (
    "soup386",
    concat!(
        include_str!("prelude/start.lua"),
        include_str!("prelude/actors.lua"),
        include_str!("prelude/waiting.lua"),
        include_str!("prelude/library.lua"),
        include_str!("prelude/scenarios.lua"),
        include_str!("prelude/environment.lua"),
        include_str!("prelude/session.lua"),
    ),
);

/// A text in the form that a state runs.
struct Program {
    name: String,
    text: String,
    /// Made here, never read from outside.
    bytecode: Vec<u8>,
}

/// The prelude and the texts used last, the latest first.
#[derive(Default)]
pub(super) struct Programs {
    prelude: Option<Vec<u8>>,
    recent: VecDeque<Program>,
}

impl Programs {
    /// The prelude as a function of a state.
    pub(super) fn prelude(&mut self, lua: &Lua) -> Result<Function> {
        let (name, text) = PRELUDE;
        if let Some(bytecode) = &self.prelude {
            return loaded(lua, name, bytecode, None);
        }
        let (function, bytecode) = budget::compile(lua, name, text, None)?;
        self.prelude = Some(bytecode);
        Ok(function)
    }

    /// A script as a function of a state.
    ///
    /// # Errors
    /// The text is not a program, or memory is short.
    pub(super) fn script(
        &mut self,
        lua: &Lua,
        name: &str,
        text: &str,
        environment: Option<&Table>,
    ) -> Result<Function> {
        let known = self.recent.iter().position(|program| program.name == name && program.text == text);
        if let Some(program) = known.and_then(|at| self.recent.remove(at)) {
            let function = loaded(lua, name, &program.bytecode, environment);
            self.recent.push_front(program);
            return function;
        }
        let (function, bytecode) = budget::compile(lua, name, text, environment)?;
        self.recent.truncate(MOST - 1);
        self.recent.push_front(Program { name: name.to_owned(), text: text.to_owned(), bytecode });
        Ok(function)
    }
}

pub(super) fn compiled(lua: &Lua, name: &str, text: &str, environment: Option<&Table>) -> Result<Function> {
    let chunk = lua.load(text).set_name(chunk_name(name)).set_mode(ChunkMode::Text);
    match environment {
        Some(environment) => chunk.set_environment(environment.clone()).into_function(),
        None => chunk.into_function(),
    }
}

pub(super) fn loaded(lua: &Lua, name: &str, bytecode: &[u8], environment: Option<&Table>) -> Result<Function> {
    let chunk = lua.load(bytecode).set_name(chunk_name(name)).set_mode(ChunkMode::Binary);
    match environment {
        Some(environment) => chunk.set_environment(environment.clone()).into_function(),
        None => chunk.into_function(),
    }
}
