//! A call and a property from Lua, here and in a state of mlua alone.

use std::ffi::c_void;

use mlua::{LightUserData, Lua, MultiValue, Value};
use soup386::Runtime;

use crate::crowd::scene;

/// Calls in one update of the measuring scripts.
pub(crate) const CALLS: usize = 10_000;

/// What is measured: a name, the loop's body for the runtime, and for the bare state.
pub(crate) const SHAPES: [(&str, &str, &str); 3] = [
    ("native call", "a:isholdingweapon()", "a:isholdingweapon()"),
    ("property read", "local x = a.weapon_drawn", "local x = a.weapon_drawn"),
    ("property write", "a.weapon_drawn = 0", "a.weapon_drawn = 0"),
];

fn looped(body: &str) -> String {
    format!("for i = 1, {CALLS} do {body} end")
}

/// A runtime whose director runs the loop once in each update.
pub(crate) fn runtime(body: &str) -> Runtime {
    let mut runtime = Runtime::new(scene(None)).expect("a runtime");
    let text = format!("local a = actor(\"swordsman\")\nwhile true do {} next_update() end", looped(body));
    runtime.set_director("bench.lua", text).expect("a director");
    runtime.update().expect("an update");
    runtime
}

/// A light userdata whose metatable leads to Rust functions that do nothing, with an interrupt that counts, as any
/// sandbox needs one.
pub(crate) fn bare_loop(body: &str) -> (Lua, mlua::Function) {
    let lua = Lua::new();
    let steps = std::cell::Cell::new(0_u64);
    #[cfg(feature = "luau")]
    lua.set_interrupt(move |_| {
        steps.set(steps.get() + 1);
        Ok(mlua::VmState::Continue)
    });
    #[cfg(not(feature = "luau"))]
    let _ = &steps;
    let call = lua.create_function(|_, values: MultiValue| Ok(i32::from(values.is_empty()))).expect("a function");
    let read = lua.create_function(|_, (_, id): (LightUserData, u16)| Ok(i32::from(id))).expect("a function");
    let write = lua.create_function(|_, _: (LightUserData, u16, Value)| Ok(())).expect("a function");
    let metatable = lua
        .load(
            "local call, read, write = ...
             local methods, ids = { isholdingweapon = call }, { weapon_drawn = 95 }
             return {
               __index = function(self, key)
                 local method = methods[key]
                 if method then return method end
                 return read(self, ids[key])
               end,
               __newindex = function(self, key, value) write(self, ids[key], value) end,
             }",
        )
        .call((call, read, write))
        .expect("a metatable");
    lua.set_type_metatable::<LightUserData>(Some(metatable));
    lua.globals().set("a", LightUserData(std::ptr::without_provenance_mut::<c_void>(8))).expect("a global");
    let looped = lua.load(format!("local a = a return function() {} end", looped(body))).eval().expect("a loop");
    (lua, looped)
}
