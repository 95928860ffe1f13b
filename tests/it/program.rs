//! Programs written byte by byte, for tests of the machine.

use std::fmt::Write;

use soup386::{
    defs::{functions, properties},
    update::Runtime,
    world::{Actor, ScriptState, Task},
};

use super::support;

pub(crate) const ME: &str = "0000";
pub(crate) const PLAYER: &str = "0100";
pub(crate) const CAMERA: &str = "0200";

fn word(value: u16) -> String {
    format!("{:04x}", value.swap_bytes())
}

pub(crate) fn long(value: i32) -> String {
    format!("{:08x}", value.swap_bytes())
}

/// A number, everywhere.
pub(crate) fn number(value: i32) -> String {
    format!("07{}", long(value))
}

/// A text as a parameter.
pub(crate) fn text(index: u32) -> String {
    format!("15{}", long(index as i32))
}

/// An object that a string names.
pub(crate) fn named(string: u8) -> String {
    format!("04{string:02x}")
}

/// A local in a formula.
pub(crate) fn local(index: u8) -> String {
    format!("0a{index:02x}")
}

/// A local as a parameter.
pub(crate) fn local_parameter(index: u8) -> String {
    format!("0a{index:02x}000000")
}

/// A property in a formula or parameter.
pub(crate) fn property(object: &str, name: &str) -> String {
    format!("14{object}{}", property_id(name))
}

fn property_id(name: &str) -> String {
    word(properties().named(name).expect("a property of this name").0)
}

/// The operands of a call.
pub(crate) fn call(function: &str, parameters: &[String]) -> String {
    let id = functions().named(function).expect("a function of this name").0;
    let count = if id == 0 { String::new() } else { format!("{:02x}", parameters.len()) };
    format!("{}{count}{}", word(id), parameters.concat())
}

pub(crate) fn task(call: &str) -> String {
    format!("00{call}")
}

pub(crate) fn multitask(call: &str) -> String {
    format!("01{call}")
}

pub(crate) fn function(call: &str) -> String {
    format!("02{call}")
}

/// A call on an object; dispatch 0 task, 1 multitask, 2 function.
pub(crate) fn routed(object: &str, dispatch: u8, call: &str) -> String {
    format!("19{object}{dispatch:02x}{call}")
}

/// An assignment of a formula of one value to a local.
pub(crate) fn set(index: u8, value: &str) -> String {
    format!("0a{index:02x}{value}00")
}

/// `local += amount`
pub(crate) fn add(index: u8, amount: i32) -> String {
    format!("0a{index:02x}{}01{}00", local(index), number(amount))
}

/// An assignment of a formula of one value to a property.
pub(crate) fn set_property(object: &str, name: &str, value: &str) -> String {
    format!("14{object}{}{value}00", property_id(name))
}

pub(crate) fn goto(target: i32) -> String {
    format!("04{}", long(target))
}

pub(crate) fn end(target: i32) -> String {
    format!("05{}", long(target))
}

pub(crate) fn gosub(target: i32) -> String {
    format!("11{}", long(target))
}

pub(crate) const RETURN: &str = "12";
pub(crate) const ENDINT: &str = "13";
pub(crate) const YIELD: &str = "18";

/// An actor's text: a name, further keys, and a program of these statements.
pub(crate) fn actor_text(name: &str, keys: &str, statements: &[String], program_keys: &str) -> String {
    let mut text = format!("[[actor]]\nname = \"{name}\"\n{keys}\n[actor.program]\n{program_keys}\n");
    let _ = writeln!(text, "bytes = \"{}\"", statements.concat());
    text
}

/// A scene of one actor A with this program.
pub(crate) fn alone(statements: &[String], program_keys: &str) -> Runtime {
    support::runtime(&format!("soup386 = 1\n{}", actor_text("A", "", statements, program_keys)))
}

pub(crate) fn state<'r>(runtime: &'r Runtime, name: &str) -> &'r ScriptState {
    support::actor(runtime, name).script.as_ref().expect("a program")
}

pub(crate) fn locals(runtime: &Runtime, name: &str) -> Vec<i32> {
    state(runtime, name).locals.clone()
}

/// Slot, counter, blocking and paused of each running task.
pub(crate) fn slots(actor: &Actor) -> Vec<(u8, u16, bool, bool)> {
    let row = |task: &Task| (task.slot, task.counter, task.blocking, task.paused);
    actor.tasks.running().iter().map(row).collect()
}
