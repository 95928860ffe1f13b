//! Texts that are entered one by one, in the globals of one script.

use mlua::{Error, Function, chunk::ChunkMode};

use super::{
    Lua, Script, budget,
    problem::{chunk_name, script_error, syntax_error},
};
use crate::script::{Entered, Role, ScriptError, ScriptErrorKind};

/// Makes a text what the session runs next: as an expression if it is one, else as statements.
pub(super) fn enter(lua: &mut Lua, session: u64, text: &str) -> Result<Entered, ScriptError> {
    let Some(mut script) = lua.scripts.remove(&session) else { return Ok(Entered::Ready) };
    script.is_session = true;
    let entered = prepare(lua, session, &mut script, text);
    lua.scripts.insert(session, script);
    entered
}

fn prepare(lua: &Lua, session: u64, script: &mut Script, text: &str) -> Result<Entered, ScriptError> {
    lua.make_room();
    lua.shared.begin(session, Role::Director, lua.lua.used_memory());
    if let Some((line, reason)) = budget::refused(text) {
        let refused = ScriptError::bare(&script.name, ScriptErrorKind::Syntax, reason);
        return Err(ScriptError { line: Some(line), ..refused });
    }
    let expression = format!("return {text}");
    let compiled = match compile(lua, script, &expression) {
        Err(as_expression) => compile(lua, script, text).map_err(|error| (as_expression, error)),
        Ok(function) => Ok(function),
    };
    let body = match compiled {
        Ok(body) => body,
        Err((as_expression, error)) if is_unfinished(&as_expression) || is_unfinished(&error) => {
            return Ok(Entered::Unfinished);
        }
        Err((as_expression, _)) if is_within_a_bracket(lua, script, &expression, &as_expression) => {
            return Ok(Entered::Unfinished);
        }
        Err((_, error)) if is_within_a_bracket(lua, script, text, &error) => return Ok(Entered::Unfinished),
        Err((_, error)) => return Err(syntax_error(&script.name, &error)),
    };
    let thread = lua.shown.call(body).and_then(|body: Function| lua.coroutine(body));
    script.thread = thread.map_err(|error| script_error(&script.name, &error))?;
    script.body_ended = false;
    Ok(Entered::Ready)
}

fn compile(lua: &Lua, script: &Script, text: &str) -> mlua::Result<Function> {
    let chunk = lua.lua.load(text).set_name(chunk_name(&script.name)).set_mode(ChunkMode::Text);
    chunk.set_environment(script.environment.clone()).into_function()
}

fn is_unfinished(error: &Error) -> bool {
    matches!(error, Error::SyntaxError { incomplete_input: true, .. })
}

/// Whether a text ends within a long string or comment, for which Luau has the same words as for a wrong one: a closing
/// bracket of some level mends it.
fn is_within_a_bracket(lua: &Lua, script: &Script, text: &str, error: &Error) -> bool {
    const MOST_SIGNS: usize = 4;
    let is_open = |error: &Error| {
        let message = error.to_string();
        message.contains("Malformed string") || message.contains("unfinished comment")
    };
    let is_mended = |n_signs| {
        let closed = format!("{text}\n]{}]", "=".repeat(n_signs));
        compile(lua, script, &closed).err().is_none_or(|error| !is_open(&error))
    };
    is_open(error) && (0..=MOST_SIGNS).any(is_mended)
}
