//! Definitions of the script API for Rhai editors.

use std::io::{self, Write};

use super::{Listed, doc_lines};

/// Functions that are no natives.
const GLOBALS: &str = "\
/// The actor of this name; an error when there is none.
fn actor(name: String) -> Actor;
/// The actor of this name; () when there is none.
fn find(name: String) -> ?;
/// All actors in update order.
fn actors() -> Array;
/// Index of this update.
fn tick() -> int;
/// Waits for the next update.
fn next_update();
/// Waits for so many updates.
fn updates(n: int);
/// Waits until the condition holds; an error after `max` updates.
fn wait_until(condition: FnPtr, max: int);
";

/// Natives are methods: `actor.drawsword()` passes the actor as the first parameter.
pub(super) fn write(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    writeln!(out, "module static;\n\n{GLOBALS}")?;
    for listed in listed {
        let (decl, _) = listed;
        doc_lines(listed).iter().try_for_each(|line| writeln!(out, "/// {line}"))?;
        let parameters: String = decl.parameters.iter().map(|name| format!(", {name}: int")).collect();
        writeln!(out, "fn {}(self_actor: Actor{parameters}) -> int;", decl.script_name)?;
    }
    Ok(())
}
