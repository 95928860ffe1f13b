//! The step budget in Luau: the interrupt, which stays tripped.

use std::rc::Rc;

use mlua::{Lua, Table, VmState};

use super::shared::Shared;

/// Options of the state: what libraries a script could reach at all.
pub(super) const LIBRARIES: mlua::StdLib = mlua::StdLib::ALL_SAFE;

/// Counts every loop round, call and return.
pub(super) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let shared = Rc::clone(shared);
    lua.set_interrupt(move |lua| {
        shared.spend(1, lua.used_memory())?;
        Ok(VmState::Continue)
    });
    Ok(())
}

/// The pattern matcher of Luau is interrupted like any loop, so patterns need no guard.
pub(super) fn guard_patterns(_: &Lua, _: &Table) -> mlua::Result<()> {
    Ok(())
}
