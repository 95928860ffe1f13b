//! `require`: modules by name, beneath the script's own folder or from memory.

use std::{fs, path::Path};

use mlua::{Function, Lua, Result, Table, Value, chunk::ChunkMode};

use super::{bindings::text_argument, budget, problem::chunk_name, shared::Shared};
use crate::defs::ModuleSource;

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
    let text = module_text(&modules.0, &name)
        .map_err(|reason| shared.failure(lua, 0, format!("require: {name:?}: {reason}")))?;
    if let Some((line, reason)) = budget::refused(&text) {
        return Err(shared.failure(lua, 0, format!("require: {name}.lua:{line}: {reason}")));
    }
    let chunk = lua.load(text).set_name(chunk_name(&format!("{name}.lua"))).set_mode(ChunkMode::Text);
    chunk.set_environment(environment).into_function()
}

fn module_text(modules: &ModuleSource, name: &str) -> std::result::Result<String, String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.split('/').all(|part| !part.is_empty() && part.chars().all(allowed)) {
        return Err("a module name has letters, digits, _ and -, with / between folders".to_owned());
    }
    match modules {
        ModuleSource::Nowhere => Err("this script has no folder to find modules in".to_owned()),
        ModuleSource::Listed(texts) => texts
            .get(name)
            .or_else(|| texts.get(&format!("{name}.lua")))
            .cloned()
            .ok_or_else(|| "no such module".to_owned()),
        ModuleSource::Folder(folder) => module_file(folder, name),
    }
}

/// The longest module that is read, in bytes.
const MAX_MODULE: u64 = 4 << 20;

/// Links that lead out of the folder are not followed.
fn module_file(folder: &Path, name: &str) -> std::result::Result<String, String> {
    let shown = |error: std::io::Error| error.to_string();
    let root = folder.canonicalize().map_err(shown)?;
    let file = root
        .join(format!("{name}.lua"))
        .canonicalize()
        .map_err(|_| format!("no file {name}.lua beneath the script's folder"))?;
    if !file.starts_with(&root) {
        return Err("the file lies outside the script's folder".to_owned());
    }
    let metadata = fs::metadata(&file).map_err(shown)?;
    if !metadata.is_file() || metadata.len() > MAX_MODULE {
        return Err(format!("not a regular file of at most {MAX_MODULE} bytes"));
    }
    fs::read_to_string(&file).map_err(shown)
}
