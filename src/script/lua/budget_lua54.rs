//! The step budget in Lua 5.4: a count hook that stays tripped.

use crate::sync::{Cell, Shared as Ref};

use mlua::{Function, HookTriggers, Lua, Table, VmState};

use super::{programs::compiled, shared::Shared};

/// Options of the state: what libraries a script could reach at all.
pub(super) const LIBRARIES: mlua::StdLib = mlua::StdLib::ALL_SAFE;
/// Whether bodies need a guard: mlua closes the variables of a coroutine that failed, but outside any protection, so
/// that an error of a `__close` handler would abort the process.
pub(super) const GUARDS_BODIES: bool = true;

/// So many instructions make one step: about a round of a short loop, as in Luau.
const INSTRUCTIONS_PER_STEP: u32 = 5;
/// The hook runs once for so many steps.
const STEPS_PER_HOOK: u32 = 100;

/// Counts instructions.
///
/// A coroutine whose script is over is left suspended for ever: whoever resumed it goes on for as many instructions as
/// the hook waits, and is suspended too. No `pcall` catches that, and no handler of a to-be-closed variable runs. Where
/// a coroutine cannot be suspended, inside a C function, the hook is soon called again and raises an error.
pub(super) fn install(lua: &Lua, shared: &Ref<Shared>) -> mlua::Result<()> {
    let shared = Ref::clone(shared);
    // The address only tells coroutines apart.
    let suspended = Cell::new(0_usize);
    let triggers = HookTriggers::new().every_nth_instruction(INSTRUCTIONS_PER_STEP * STEPS_PER_HOOK);
    lua.set_global_hook(triggers, move |lua, _| {
        let Err(error) = shared.spend(lua, STEPS_PER_HOOK.into()) else {
            suspended.set(0);
            return Ok(VmState::Continue);
        };
        let running = lua.current_thread().to_pointer() as usize;
        if suspended.replace(running) == running { Err(error) } else { Ok(VmState::Yield) }
    })
}

/// The line and reason for which a text is no script here.
///
/// To-be-closed variables, which Luau does not have, are refused: the error that ends a script inside a C function closes
/// them while hooks are off, so that a handler that loops would never end.
pub(super) fn refused(text: &str) -> Option<(u32, &'static str)> {
    let reason = "to-be-closed variables (<close>, __close) are not available";
    let line = |line: &str| {
        let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        squeezed.contains("<close>") || squeezed.contains("__close")
    };
    text.lines().position(line).map(|at| (at as u32 + 1, reason))
}

/// A text as a function, and its compiled form for states that are made later.
pub(super) fn compile(
    lua: &Lua,
    name: &str,
    text: &str,
    environment: Option<&Table>,
) -> mlua::Result<(Function, Vec<u8>)> {
    let function = compiled(lua, name, text, environment)?;
    let bytecode = function.dump(false);
    Ok((function, bytecode))
}
