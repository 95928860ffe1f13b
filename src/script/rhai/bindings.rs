//! Natives, helper functions and global names as scripts call them.

use std::{any::TypeId, rc::Rc};

use rhai::{
    Dynamic, Engine as Rhai, EvalAltResult, EvalContext, Expression, FLOAT, FnPtr, INT, ImmutableString,
    NativeCallContext, Position,
};

use super::{
    budget::{Request, Shared},
    handles::{Actor, Flags, Log, Multitask, Names, Owned, Task, type_word},
    problem::{fail_at, text},
};
use crate::{
    defs::{FunctionDecl, FunctionKind},
    natives::{
        CallError, CallRequest, Dispatch, Engine, Given, Native, Natives,
        access::{TaskOp, attribute, integer_argument, property_named, text_argument},
        arguments,
    },
    script::{Role, log},
    world::{ActorKey, Args, CallSite},
};

/// What a function gives to Rhai.
pub(super) type Outcome<T = Dynamic> = Result<T, Box<EvalAltResult>>;
type Values<'a, 'b> = &'a mut [&'b mut Dynamic];

/// An error at the call that a script made.
pub(super) fn fail(context: &NativeCallContext<'_>, reason: impl ToString) -> Box<EvalAltResult> {
    fail_at(context.call_source(), context.call_position(), &reason.to_string())
}

/// Uses the lent engine; an error gets the caller's place.
pub(super) fn with<R>(
    shared: &Shared,
    context: &NativeCallContext<'_>,
    act: impl FnOnce(&mut Engine) -> Result<R, CallError>,
) -> Outcome<R> {
    shared.with(act)?.map_err(|error| fail(context, error))
}

/// Everything that scripts call by name.
pub(super) fn register(engine: &mut Rhai, shared: &Rc<Shared>, natives: &Natives) {
    for Native { decl, .. } in natives.rows() {
        register_native(engine, shared, &Rc::new(decl.clone()));
    }
    world_functions(engine, shared);
    actor_functions(engine, shared);
    super::points::register(engine, shared);
    task_functions(engine, shared);
    waits(engine, shared);
    super::scenario::register(engine, shared);
    output(engine, shared);
    take_away(engine);
    spawn_syntax(engine, shared);
    global_names(engine, shared);
}

/// A function with `1..=most` (or no) values of any type; missing ones read as nothing.
pub(super) fn helper(
    engine: &mut Rhai,
    shared: &Rc<Shared>,
    name: &str,
    most: usize,
    act: fn(&Shared, &NativeCallContext<'_>, &[&mut Dynamic]) -> Outcome,
) {
    for count in 0..=most {
        let shared = Rc::clone(shared);
        engine.register_raw_fn(name, vec![TypeId::of::<Dynamic>(); count], move |context, values: Values<'_, '_>| {
            act(&shared, &context, values)
        });
    }
}

/// A method of actors with up to `most` values of any type; missing ones read as nothing.
pub(super) fn method(
    engine: &mut Rhai,
    shared: &Rc<Shared>,
    name: &str,
    most: usize,
    act: fn(&Shared, &NativeCallContext<'_>, ActorKey, &[&mut Dynamic]) -> Outcome,
) {
    for count in 0..=most {
        let mut types = vec![TypeId::of::<Dynamic>(); count + 1];
        types[0] = TypeId::of::<Actor>();
        let shared = Rc::clone(shared);
        engine.register_raw_fn(name, types, move |context, values: Values<'_, '_>| {
            let Some(Actor(key)) = values.first().and_then(|value| handle(value)) else { return Ok(Dynamic::UNIT) };
            act(&shared, &context, key, &values[1..])
        });
    }
}

fn handle(value: &Dynamic) -> Option<Actor> {
    value.read_lock::<Actor>().map(|actor| *actor)
}

/// The value at `index`; nothing beyond the end.
pub(super) fn given(values: &[&mut Dynamic], index: usize) -> Owned {
    values.get(index).map_or(Owned::Other("nil"), |value| Owned::of(value))
}

// Natives ---------------------------------------------------------------------------------------------------------------

/// Forms with values of any type, of any number near the declared one, so that wrong calls are told in our words; what
/// is further off `problem` words alike. The usual forms, an actor or nothing and then integers as many as declared, are
/// found at the first look.
fn register_native(engine: &mut Rhai, shared: &Rc<Shared>, decl: &Rc<FunctionDecl>) {
    let arity = decl.parameters.len();
    let mut with_actor = vec![TypeId::of::<INT>(); arity + 1];
    with_actor[0] = TypeId::of::<Actor>();
    let mut forms = vec![with_actor, vec![TypeId::of::<INT>(); arity]];
    forms.extend((0..=arity + 3).map(|count| vec![TypeId::of::<Dynamic>(); count]));
    if arity == 0 {
        // The same as the form of no value at all.
        forms.remove(1);
    }
    for types in forms {
        let (shared, decl) = (Rc::clone(shared), Rc::clone(decl));
        engine.register_raw_fn(decl.script_name.clone(), types, move |context, values: Values<'_, '_>| {
            call(&shared, &context, &decl, values)
        });
    }
}

/// Whom a call is made on, how, and with what.
fn call(shared: &Shared, context: &NativeCallContext<'_>, decl: &FunctionDecl, values: &[&mut Dynamic]) -> Outcome {
    let first = values.first();
    if let Some(Actor(key)) = first.and_then(|value| handle(value)) {
        return declared(shared, context, decl, key, &values[1..]);
    }
    if let Some(Multitask(key)) = first.and_then(|value| value.read_lock::<Multitask>().map(|of| *of)) {
        return multitask(shared, context, decl, key, &values[1..]);
    }
    match shared.role.get() {
        Role::Actor(key) => declared(shared, context, decl, key, values),
        Role::Director => {
            let name = &decl.script_name;
            Err(fail(context, format!("{name}: a director has no actor of its own; call it as actor.{name}(…)")))
        }
    }
}

fn declared(
    shared: &Shared,
    context: &NativeCallContext<'_>,
    decl: &FunctionDecl,
    receiver: ActorKey,
    values: &[&mut Dynamic],
) -> Outcome {
    let args = checked(context, decl, values)?;
    let site = match decl.kind {
        FunctionKind::Function => CallSite::Host,
        _ => site(shared, context, decl),
    };
    let request = CallRequest { receiver, native: decl.id, args, dispatch: Dispatch::Declared, site };
    let called = with(shared, context, |engine| engine.call(request))?;
    if decl.kind == FunctionKind::Task && shared.role.get() == Role::Actor(receiver) {
        shared.wait(Request::Update)?;
    }
    Ok(Dynamic::from_int(called.value.into()))
}

fn multitask(
    shared: &Shared,
    context: &NativeCallContext<'_>,
    decl: &FunctionDecl,
    receiver: ActorKey,
    values: &[&mut Dynamic],
) -> Outcome {
    let args = checked(context, decl, values)?;
    let site = site(shared, context, decl);
    let request = CallRequest { receiver, native: decl.id, args, dispatch: Dispatch::Multitask, site };
    let called = with(shared, context, |engine| engine.call(request))?;
    Ok(Dynamic::from(Task { actor: receiver, serial: called.task }))
}

/// Rule K4: actor scripts own the site of a call by script, line and function; directors always call anew.
fn site(shared: &Shared, context: &NativeCallContext<'_>, decl: &FunctionDecl) -> CallSite {
    let line = context.call_position().line().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
    match shared.role.get() {
        Role::Director => CallSite::Host,
        Role::Actor(_) => CallSite::Line { script: shared.script.get(), line, native: decl.id },
    }
}

/// Checked arguments. The usual case, integers as many as declared, allocates nothing.
fn checked(context: &NativeCallContext<'_>, decl: &FunctionDecl, values: &[&mut Dynamic]) -> Outcome<Args> {
    if values.len() == decl.parameters.len() {
        let plain = |value: &Dynamic| value.as_int().ok().and_then(|value| i32::try_from(value).ok());
        let mut args = Args::default();
        if values.iter().all(|value| plain(value).is_some_and(|value| args.push(value))) {
            return Ok(args);
        }
    }
    let owned: Vec<Owned> = values.iter().map(|value| Owned::of(value)).collect();
    arguments(decl, owned.iter().map(Owned::given)).map_err(|error| fail(context, error))
}

// Helpers ---------------------------------------------------------------------------------------------------------------

fn world_functions(engine: &mut Rhai, shared: &Rc<Shared>) {
    helper(engine, shared, "actor", 2, |shared, context, values| {
        let name = given(values, 0);
        let found = |engine: &mut Engine| engine.actor_named(text_argument("actor", 1, "name", name.given())?);
        with(shared, context, found).map(|key| Dynamic::from(Actor(key)))
    });
    helper(engine, shared, "find", 1, |shared, context, values| {
        let name = given(values, 0);
        let found = |engine: &mut Engine| Ok(engine.world.named(text_argument("find", 1, "name", name.given())?));
        Ok(with(shared, context, found)?.map_or(Dynamic::UNIT, |key| Dynamic::from(Actor(key))))
    });
    helper(engine, shared, "actors", 0, |shared, _, _| {
        let keys = |engine: &mut Engine| -> Vec<Dynamic> {
            engine.world.actors().map(|actor| Dynamic::from(Actor(actor.key))).collect()
        };
        let all = shared.with(keys)?;
        shared.charge(all.len() as u64 / 16)?;
        Ok(Dynamic::from_array(all))
    });
    helper(engine, shared, "tick", 0, |shared, _, _| {
        let tick = shared.with(|engine| engine.world.clock.tick)?;
        Ok(Dynamic::from_int(i64::try_from(tick).unwrap_or(i64::MAX)))
    });
}

/// Two functions of Rhai's library are taken away: `sleep` would hold up the whole runtime, and `parse_json` runs the
/// parser, for which a script's stack is too small.
fn take_away(engine: &mut Rhai) {
    let forms: [(&str, TypeId, &str); 3] = [
        ("sleep", TypeId::of::<INT>(), "; wait for updates with updates(n)"),
        ("sleep", TypeId::of::<FLOAT>(), "; wait for updates with updates(n)"),
        ("parse_json", TypeId::of::<ImmutableString>(), ""),
    ];
    for (name, given, hint) in forms {
        engine.register_raw_fn(name, [given], move |context, _: Values<'_, '_>| -> Outcome {
            Err(fail(&context, format!("there is no function \"{name}\"{hint}")))
        });
    }
}

fn actor_functions(engine: &mut Rhai, shared: &Rc<Shared>) {
    method(engine, shared, "valid", 0, |shared, _, key, _| {
        Ok(shared.with(|engine| engine.world.get(key).is_some())?.into())
    });
    method(engine, shared, "remove", 0, |shared, context, key, _| {
        with(shared, context, |engine| engine.live(key).map(drop))?;
        shared.with(|engine| engine.world.remove(key))?;
        Ok(Dynamic::UNIT)
    });
    method(engine, shared, "why", 0, |shared, context, key, _| {
        with(shared, context, |engine| engine.why(key)).map(text)
    });
    method(engine, shared, "multitask", 0, |shared, context, key, _| {
        with(shared, context, |engine| engine.live(key).map(drop))?;
        Ok(Dynamic::from(Multitask(key)))
    });
    method(engine, shared, "attribute", 1, |shared, context, key, values| {
        let which = given(values, 0);
        let read = |engine: &mut Engine| Ok(engine.live(key)?.attribute(attribute(which.given())?));
        with(shared, context, read).map(|byte| Dynamic::from_int(byte.into()))
    });
    method(engine, shared, "property", 1, |shared, context, key, values| {
        let name = given(values, 0);
        let read = |engine: &mut Engine| {
            let Given::Text(name) = name.given() else {
                return Err(CallError::UnknownProperty {
                    name: crate::natives::access::shown_key(name.given()),
                    hint: String::new(),
                });
            };
            Ok(engine.live(key)?.property(property_named(name)?))
        };
        with(shared, context, read).map(|value| Dynamic::from_int(value.into()))
    });
}

fn task_functions(engine: &mut Rhai, shared: &Rc<Shared>) {
    let ops =
        [("stop", TaskOp::Stop), ("pause", TaskOp::Pause), ("resume", TaskOp::Resume), ("active", TaskOp::Active)];
    for (name, op) in ops {
        let shared = Rc::clone(shared);
        engine.register_raw_fn(name, [TypeId::of::<Task>()], move |context, values: Values<'_, '_>| {
            let Some(task) = values.first().and_then(|value| value.read_lock::<Task>().map(|task| *task)) else {
                return Ok(false);
            };
            with(&shared, &context, |engine| engine.task(task.actor, task.serial, op))
        });
    }
}

fn waits(engine: &mut Rhai, shared: &Rc<Shared>) {
    helper(engine, shared, "next_update", 0, |shared, _, _| {
        shared.wait(Request::Update)?;
        Ok(Dynamic::UNIT)
    });
    helper(engine, shared, "updates", 1, |shared, context, values| {
        let count = integer_argument("updates", 1, "n", given(values, 0).given());
        for _ in 0..count.map_err(|error| fail(context, error))? {
            shared.wait(Request::Update)?;
        }
        Ok(Dynamic::UNIT)
    });
    helper(engine, shared, "wait_until", 2, |shared, context, values| {
        let first = values.first();
        let Some(condition) = first.and_then(|value| value.read_lock::<FnPtr>().map(|function| function.clone()))
        else {
            let found = first.map_or("nil", |value| type_word(value));
            return Err(fail(context, format!("wait_until argument 1 (fn): expected a function, found {found}")));
        };
        let max = integer_argument("wait_until", 2, "max", given(values, 1).given());
        wait_until(shared, context, &condition, max.map_err(|error| fail(context, error))?)
    });
}

fn wait_until(shared: &Shared, context: &NativeCallContext<'_>, condition: &FnPtr, max: i32) -> Outcome {
    for waited in 0..=max {
        shared.charge(1)?;
        let answer: Dynamic = condition.call_within_context(context, ())?;
        match answer.as_bool() {
            Ok(true) => return Ok(Dynamic::UNIT),
            Ok(false) => {}
            Err(_) => {
                let found = Owned::of(&answer);
                let found = crate::natives::access::shown_key(found.given());
                let reason = format!("wait_until: the function must give true or false, not {found}; write == 1");
                return Err(fail(context, reason));
            }
        }
        if waited < max {
            shared.wait(Request::Update)?;
        }
    }
    Err(fail(context, format!("wait_until: still not true after {max} updates")))
}

// Output ----------------------------------------------------------------------------------------------------------------

/// Values of a `print` or `log` beyond which there is no form.
const MOST_PRINTED: usize = 8;

fn output(engine: &mut Rhai, shared: &Rc<Shared>) {
    let of = Rc::clone(shared);
    engine.on_print(move |line| print(&of, line));
    let of = Rc::clone(shared);
    engine.on_debug(move |line, _, _| print(&of, line));
    for count in 2..=MOST_PRINTED {
        let types = vec![TypeId::of::<Dynamic>(); count];
        // Rhai hands what `print` gives to `on_print`.
        engine.register_raw_fn("print", types, |context, values: Values<'_, '_>| joined(&context, values).map(text));
    }
    for level in ["info", "warn", "error"] {
        for count in 0..=MOST_PRINTED {
            let mut types = vec![TypeId::of::<Dynamic>(); count + 1];
            types[0] = TypeId::of::<Log>();
            let shared = Rc::clone(shared);
            engine.register_raw_fn(level, types, move |context, values: Values<'_, '_>| {
                let line = joined(&context, &mut values[1..])?;
                if !shared.count_printed(line.len() + 1) {
                    return Ok(Dynamic::UNIT);
                }
                let role = shared.role.get();
                shared.with(|engine| log(engine, role, level, &line))?;
                Ok(Dynamic::UNIT)
            });
        }
    }
}

fn print(shared: &Shared, line: &str) {
    if shared.count_printed(line.len() + 1) {
        // An error here has ended the script already.
        let _ = shared.with(|engine| engine.printed.push(line.to_owned()));
    }
}

/// The values as texts, with tabs between them.
fn joined(context: &NativeCallContext<'_>, values: Values<'_, '_>) -> Outcome<String> {
    let mut line = String::new();
    for (index, value) in values.iter_mut().enumerate() {
        if index > 0 {
            line.push('\t');
        }
        let shown: Dynamic = context.call_native_fn("to_string", (value.flatten_clone(),))?;
        line.push_str(&shown.into_immutable_string().unwrap_or_default());
    }
    Ok(line)
}

// Names -----------------------------------------------------------------------------------------------------------------

/// `spawn` is a reserved word of Rhai, so it is made a syntax of its own.
fn spawn_syntax(engine: &mut Rhai, shared: &Rc<Shared>) {
    let shared = Rc::clone(shared);
    let spawn = move |context: &mut EvalContext<'_, '_, '_, '_, '_, '_>, inputs: &[Expression<'_>]| {
        let position = inputs.first().map_or(Position::NONE, Expression::position);
        let template = Owned::of(&context.eval_expression_tree(&inputs[0])?);
        let name = Owned::of(&context.eval_expression_tree(&inputs[1])?);
        let made = shared.with(|engine| {
            let limit = shared.limits.actors;
            if engine.world.len() >= limit {
                return Err(CallError::TooManyActors { limit });
            }
            let template = text_argument("spawn", 1, "template", template.given())?;
            engine.spawn_named(template, text_argument("spawn", 2, "name", name.given())?)
        })?;
        let made = made.map_err(|error: CallError| fail_at(context.source(), position, &error.to_string()))?;
        Ok(Dynamic::from(Actor(made)))
    };
    let symbols = ["spawn", "(", "$expr$", ",", "$expr$", ")"];
    let registered = engine.register_custom_syntax(symbols, false, spawn);
    debug_assert!(registered.is_ok(), "{:?}", registered.err());
}

/// What scripts find everywhere, also in functions: `me`, `player`, `flags` and their like.
fn global_names(engine: &mut Rhai, shared: &Rc<Shared>) {
    let shared = Rc::clone(shared);
    #[expect(deprecated, reason = "the callback is not deprecated but subject to change")]
    engine.on_var(move |name, index, context| {
        let scope = context.scope();
        let value = match index.checked_sub(1) {
            Some(from_end) => scope.iter_raw().nth(from_end).map(|(_, _, value)| value),
            None => scope.get(name),
        };
        match value {
            Some(value) => shared.read(value, scope).map(|()| None),
            None => global(&shared, name),
        }
    });
}

fn global(shared: &Shared, name: &str) -> Outcome<Option<Dynamic>> {
    let me = match shared.role.get() {
        Role::Actor(key) => Some(key),
        Role::Director => None,
    };
    Ok(match name {
        "me" => me.map(|key| Dynamic::from(Actor(key))),
        "multitask" => me.map(|key| Dynamic::from(Multitask(key))),
        "player" => {
            let player = shared.with(|engine| engine.world.player())?;
            Some(player.map_or(Dynamic::UNIT, |key| Dynamic::from(Actor(key))))
        }
        "flags" => Some(Dynamic::from(Flags)),
        "attr" => Some(Dynamic::from(Names::Attributes)),
        "item" => Some(Dynamic::from(Names::Items)),
        "log" => Some(Dynamic::from(Log)),
        _ => None,
    })
}
