//! The step budget in Lua 5.4: a count hook that stays tripped, and a guard for patterns.

use std::rc::Rc;

use mlua::{BString, HookTriggers, Lua, Table, VmState};

use super::shared::Shared;

/// Options of the state: what libraries a script could reach at all.
pub(super) const LIBRARIES: mlua::StdLib = mlua::StdLib::ALL_SAFE;

/// So many instructions make one step.
const INSTRUCTIONS_PER_STEP: u32 = 16;
/// The hook runs once for so many steps.
const STEPS_PER_HOOK: u32 = 32;

/// Counts instructions. Once tripped the hook runs at every instruction, so that no `pcall` loop outlives it.
pub(super) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let shared = Rc::clone(shared);
    let triggers = HookTriggers::new().every_nth_instruction(INSTRUCTIONS_PER_STEP * STEPS_PER_HOOK);
    lua.set_global_hook(triggers, move |lua, _| {
        shared.spend(STEPS_PER_HOOK.into(), lua.used_memory())?;
        Ok(VmState::Continue)
    })
}

/// A pattern of several repetitions can take time that grows with a power of the text: such calls are refused.
pub(super) fn guard_patterns(lua: &Lua, host: &Table) -> mlua::Result<()> {
    const MOST_TRIES: f64 = 1e8;
    let guard = lua.create_function(|_, (text, pattern): (mlua::Value, mlua::Value)| {
        let bytes = |value: &mlua::Value| value.as_string().map(|text| BString::from(text.as_bytes().to_vec()));
        let (Some(text), Some(pattern)) = (bytes(&text), bytes(&pattern)) else { return Ok(()) };
        let mut tries = 1.0_f64;
        for &byte in pattern.iter() {
            match byte {
                b'*' | b'+' | b'-' => tries *= text.len() as f64 + 1.0,
                b'?' => tries *= 2.0,
                _ => {}
            }
        }
        // The search starts anew at every byte of the text.
        if tries * (text.len() as f64 + 1.0) > MOST_TRIES {
            let reason = "the pattern could take too long on this text; use fewer of * + - ? or a shorter text";
            return Err(mlua::Error::RuntimeError(reason.to_owned()));
        }
        Ok(())
    })?;
    host.raw_set("guard_pattern", guard)
}
