//! `require`: modules by name, beneath the script's own folder or from memory.

use mlua::{Function, Lua, Result, Table, Value, chunk::ChunkMode};

use super::{bindings::text_argument, budget, problem::chunk_name, shared::Shared};
use crate::{defs::ModuleSource, script::modules::module_text};

/// Where the script of this environment finds its modules.
struct Modules(ModuleSource);

/// The registry key under which an environment's modules are kept: the environment itself cannot hold them, since
/// scripts write to it.
const MODULES: &str = "soup386.modules";

/// Tells `require` of this environment where to look.
pub(super) fn set_modules(lua: &Lua, environment: &Table, modules: &ModuleSource) -> Result<()> {
    let all: Table = match lua.named_registry_value(MODULES)? {
        Value::Table(table) => table,
        _ => {
            let table = lua.create_table()?;
            let weak = lua.create_table_from([("__mode", "k")])?;
            table.set_metatable(Some(weak))?;
            lua.set_named_registry_value(MODULES, &table)?;
            table
        }
    };
    all.raw_set(environment, lua.create_any_userdata(Modules(modules.clone()))?)
}

/// Compiles a module for an environment: found by name beneath the script's folder, text only.
pub(super) fn load_module(lua: &Lua, shared: &Shared, (name, environment): (Value, Table)) -> Result<Function> {
    /// Looking for a file takes the system a while.
    const STEPS: u64 = 1000;
    shared.charge(lua, STEPS)?;
    let name = text_argument("require", 1, "name", &name).map_err(|error| shared.refusal(lua, &error))?;
    let all: Table = lua.named_registry_value(MODULES)?;
    let modules: mlua::AnyUserData = all.raw_get(&environment)?;
    let modules = modules.borrow::<Modules>()?;
    shared.with(lua, |engine| engine.note_module(&modules.0, &name, "lua"))?;
    let text = module_text(&modules.0, &name, "lua")
        .map_err(|reason| shared.failure(lua, 0, format!("require: {name:?}: {reason}")))?;
    if let Some((line, reason)) = budget::refused(&text) {
        return Err(shared.failure(lua, 0, format!("require: {name}.lua:{line}: {reason}")));
    }
    let chunk = lua.load(text).set_name(chunk_name(&format!("{name}.lua"))).set_mode(ChunkMode::Text);
    chunk.set_environment(environment).into_function()
}
