//! Texts that are entered one by one, over the variables and functions of those before.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, LexError, ParseError, ParseErrorType, Scope};

use super::{Program, Rhai, Script, State, problem::syntax_error};
use crate::script::{Entered, Role, ScriptError};

/// The variable that holds a value while it is printed.
const VALUE: &str = "soup386_value";

/// Makes a text what the session runs next.
pub(super) fn enter(rhai: &mut Rhai, session: u64, text: &str) -> Result<Entered, ScriptError> {
    let Some(script) = rhai.scripts.remove(&session) else { return Ok(Entered::Ready) };
    let (before, role, modules) = (Rc::clone(&script.program), script.role, Rc::clone(&script.modules));
    // A name that was declared again hides the variable of before, which nothing can reach any more.
    let scope = rhai.cancel(script).map(|scope| scope.clone_visible()).unwrap_or_default();
    let prepared = prepare(rhai, &before, text);
    let program = match &prepared {
        Ok(Some(program)) => Rc::clone(program),
        _ => before,
    };
    let state = State::Idle(Box::new(scope));
    rhai.scripts.insert(session, Script { program, role, modules, state });
    prepared.map(|program| if program.is_some() { Entered::Ready } else { Entered::Unfinished })
}

/// The text with the functions of before; nothing when it is unfinished.
fn prepare(rhai: &Rhai, before: &Program, text: &str) -> Result<Option<Rc<Program>>, ScriptError> {
    rhai.shared.begin(0, Role::Director, &Rc::default());
    let name = before.name.clone();
    let entered = match rhai.engine.compile(text) {
        // An open comment is no error to Rhai; where none is open its end is one.
        Ok(_) if text.contains("/*") && rhai.engine.compile(format!("{text}\n*/")).is_ok() => return Ok(None),
        Ok(ast) => ast,
        Err(error) if is_unfinished(&error, text) => return Ok(None),
        Err(error) => return Err(syntax_error(&name, &error)),
    };
    let printer = rhai.engine.compile(format!("print({VALUE});")).map_err(|error| syntax_error(&name, &error))?;
    let mut ast = before.ast.clone_functions_only().merge(&entered);
    ast.set_source(name.as_str());
    let (text, directed, printer) = (String::new(), None, Some(printer));
    Ok(Some(Rc::new(Program { name, text, ast, directed, has_body: true, has_on_update: false, printer })))
}

/// Runs a text, and prints what it gives unless that is nothing.
pub(super) fn run(
    engine: &rhai::Engine,
    program: &Program,
    scope: &mut Scope<'static>,
) -> Result<(), Box<EvalAltResult>> {
    let value: Dynamic = engine.eval_ast_with_scope(scope, &program.ast)?;
    let Some(printer) = program.printer.as_ref().filter(|_| !value.is_unit()) else { return Ok(()) };
    let n_variables = scope.len();
    scope.push_dynamic(VALUE, value);
    let printed = engine.run_ast_with_scope(scope, printer);
    scope.rewind(n_variables);
    printed
}

/// Whether a text is wrong only because it ends too early.
fn is_unfinished(error: &ParseError, text: &str) -> bool {
    match error.err_type() {
        ParseErrorType::UnexpectedEOF => true,
        // Only texts in backticks go on in the next line.
        ParseErrorType::BadInput(LexError::UnterminatedString) => text.matches('`').count() % 2 == 1,
        ParseErrorType::BadInput(_) => false,
        _ => is_at_the_end(error, text),
    }
}

fn is_at_the_end(error: &ParseError, text: &str) -> bool {
    let position = error.position();
    let Some(line) = position.line() else { return true };
    let n_lines = text.trim_end().lines().count();
    let last = text.trim_end().lines().last().unwrap_or_default();
    line > n_lines || line == n_lines && position.position().unwrap_or(0) > last.chars().count()
}
