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
/// Names the scene of a scenario file, beneath its folder.
fn scene(file: String);
/// Declares a scenario.
fn scenario(name: String, body: FnPtr);
/// Declares a scenario with options: tags, updates, seconds, local_trace, skip, only, allow_script_errors.
fn scenario(name: String, options: Map, body: FnPtr);
/// Declares a scenario; no others run while there is one like it.
fn only(name: String, body: FnPtr);
/// The same with options.
fn only(name: String, options: Map, body: FnPtr);
/// Runs before each scenario of the file.
fn before_each(body: FnPtr);
/// An expectation, to be followed by a matcher.
fn expect(value: ?) -> Expectation;
/// It is the value.
fn equals(expectation: Expectation, value: ?) -> Expectation;
/// It is not the value.
fn differs(expectation: Expectation, value: ?) -> Expectation;
/// It differs from the value by at most the tolerance.
fn near(expectation: Expectation, value: ?, tolerance: float) -> Expectation;
/// It is a number and not below the bound.
fn at_least(expectation: Expectation, bound: float) -> Expectation;
/// It is a number and not above the bound.
fn at_most(expectation: Expectation, bound: float) -> Expectation;
/// It is true, or the 1 of a predicate.
fn is_true(expectation: Expectation) -> Expectation;
/// It is false, or the 0 of a predicate.
fn is_false(expectation: Expectation) -> Expectation;
/// The text, list or table contains the value.
fn contains(expectation: Expectation, value: ?) -> Expectation;
/// The function raises an error whose words contain the text; gives the words.
fn expect_error(body: FnPtr, text: String) -> String;
/// Compares the trace so far with a file beneath the script's folder.
fn golden(file: String);
/// Ends the scenario, which then is skipped.
fn skip(why: String);
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
