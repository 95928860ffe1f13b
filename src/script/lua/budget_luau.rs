//! The step budget in Luau: the interrupt, which stays tripped.

use crate::sync::Shared as Ref;

use mlua::{Function, Lua, Table, VmState, chunk::Compiler};

use super::{
    programs::{compiled, loaded},
    shared::Shared,
};

/// Options of the state: what libraries a script could reach at all.
pub(super) const LIBRARIES: mlua::StdLib = mlua::StdLib::ALL_SAFE;
/// Whether bodies need a guard: Luau has no variables that are closed.
pub(super) const GUARDS_BODIES: bool = false;

/// Counts every loop round, call and return.
pub(super) fn install(lua: &Lua, shared: &Ref<Shared>) -> mlua::Result<()> {
    let shared = Ref::clone(shared);
    lua.set_interrupt(move |lua| {
        shared.spend(lua, 1)?;
        Ok(VmState::Continue)
    });
    Ok(())
}

/// The line and reason for which a text is no script here: none, Luau has nothing that must be refused.
pub(super) fn refused(_: &str) -> Option<(u32, &'static str)> {
    None
}

/// A text as a function, and its compiled form for states that are made later.
pub(super) fn compile(
    lua: &Lua,
    name: &str,
    text: &str,
    environment: Option<&Table>,
) -> mlua::Result<(Function, Vec<u8>)> {
    match Compiler::new().compile(text) {
        Ok(bytecode) => Ok((loaded(lua, name, &bytecode, environment)?, bytecode)),
        // The state's own error names the script.
        Err(nameless) => Err(compiled(lua, name, text, environment).err().unwrap_or(nameless)),
    }
}
