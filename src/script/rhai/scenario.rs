//! Scenarios as Rhai scripts declare them, and what they expect.

use std::{any::TypeId, cell::RefCell, rc::Rc};

use rhai::{Dynamic, Engine as Rhai, EvalAltResult, FnPtr, NativeCallContext, Position};

use super::{
    bindings::{Outcome, fail, given, helper},
    budget::Shared,
    handles::{Actor, Expectation, Owned, type_word},
    problem::{caught, text},
};
use crate::{
    expect::{Declaration, MATCHERS, Place, Room, TooLarge, Value},
    natives::{Engine, Given},
};

/// The function that runs the chosen scenario; scripts that may declare some end with a call of it.
pub(super) const RUN: &str = "run_scenario";

/// What the top level of a file left for the scenario that runs.
#[derive(Default)]
pub(super) struct Chosen {
    body: RefCell<Option<(FnPtr, Position)>>,
    hooks: RefCell<Vec<(FnPtr, Position)>>,
}

impl Chosen {
    /// A new top level begins.
    pub(super) fn clear(&self) {
        self.body.take();
        self.hooks.take();
    }
}

/// Everything that scripts call of scenarios.
pub(super) fn register(engine: &mut Rhai, shared: &Rc<Shared>) {
    engine.register_type_with_name::<Expectation>(super::EXPECTATION_TYPE);
    helper(engine, shared, "scenario", 3, |shared, context, values| declare("scenario", shared, context, values));
    helper(engine, shared, "only", 3, |shared, context, values| declare("only", shared, context, values));
    helper(engine, shared, "before_each", 1, |shared, context, values| {
        use_engine(shared, context, |engine, _| engine.before_each(kind(values.first().map(|value| &**value))))?;
        if let Some(hook) = values.first().and_then(|value| function(value)) {
            shared.chosen.hooks.borrow_mut().push((hook, context.call_position()));
        }
        Ok(Dynamic::UNIT)
    });
    helper(engine, shared, "scene", 1, |shared, context, values| {
        let name = given(values, 0);
        use_engine(shared, context, |engine, place| engine.name_scene(name.given(), place)).map(Dynamic::from)
    });
    helper(engine, shared, "golden", 1, |shared, context, values| {
        let name = given(values, 0);
        use_engine(shared, context, |engine, place| engine.golden(name.given(), place)).map(Dynamic::from)
    });
    helper(engine, shared, "skip", 1, |shared, context, values| {
        let why = given(values, 0);
        let ends = use_engine(shared, context, |engine, _| engine.skip(why.given()))?;
        if ends { Err(fail(context, "the scenario was skipped")) } else { Ok(Dynamic::UNIT) }
    });
    helper(engine, shared, RUN, 0, |shared, context, _| run(shared, context));
    expectations(engine, shared);
}

fn expectations(engine: &mut Rhai, shared: &Rc<Shared>) {
    helper(engine, shared, "expect", 3, |shared, context, values| {
        let [value] = values else {
            return Err(fail(context, format!("expect: expected 1 argument (value), found {}", values.len())));
        };
        let mut room = Room::default();
        let found = shared.with(|engine| convert(engine, value, 0, &mut room))?;
        shared.charge(room.steps())?;
        Ok(Dynamic::from(Expectation(Rc::new(found))))
    });
    helper(engine, shared, "expect_error", 2, |shared, context, values| {
        let Some(body) = values.first().and_then(|value| function(value)) else {
            let found = values.first().map_or("nil", |value| type_word(value));
            return Err(fail(context, format!("expect_error argument 1 (fn): expected a function, found {found}")));
        };
        let called: Outcome = body.call_within_context(context, ());
        let raised = match called {
            Ok(_) => None,
            // A spent budget is not an error that one can expect.
            Err(error) if shared.is_over() => return Err(error),
            Err(error) => Some(caught(&error)),
        };
        let wanted = values.get(1).map_or(Owned::Other("nil"), |value| Owned::of(value));
        use_engine(shared, context, |engine, place| engine.expect_error(raised, wanted.given(), place)).map(text)
    });
    for matcher in MATCHERS {
        for count in 0..=matcher.parameters.len() + 2 {
            let mut types = vec![TypeId::of::<Dynamic>(); count + 1];
            types[0] = TypeId::of::<Expectation>();
            let shared = Rc::clone(shared);
            engine.register_raw_fn(matcher.name, types, move |context, values: &mut [&mut Dynamic]| {
                check(&shared, &context, matcher.name, values)
            });
        }
    }
}

/// One matcher; gives the expectation back, so that another can follow.
fn check(shared: &Shared, context: &NativeCallContext<'_>, matcher: &str, values: &[&mut Dynamic]) -> Outcome {
    let Some(expectation) = values.first().and_then(|value| value.read_lock::<Expectation>().map(|of| of.clone()))
    else {
        return Ok(Dynamic::UNIT);
    };
    let mut room = Room::default();
    let checked = use_engine(shared, context, |engine, place| {
        let found = expectation.0.as_ref().as_ref().map_err(|error| format!("{matcher}: {error}"))?;
        let args: Result<Vec<Value>, TooLarge> =
            values[1..].iter().map(|value| convert(engine, value, 0, &mut room)).collect();
        engine.expect(matcher, found, &args.map_err(|error| format!("{matcher}: {error}"))?, place)
    });
    shared.charge(room.steps())?;
    checked.map(|()| Dynamic::from(expectation))
}

/// `scenario` or `only`: a function last, options before it.
fn declare(name: &'static str, shared: &Shared, context: &NativeCallContext<'_>, values: &[&mut Dynamic]) -> Outcome {
    let body = if values.len() < 3 { values.get(1) } else { values.last() };
    let runs = shared.with(|engine| engine.sheet.as_ref().is_some_and(|sheet| sheet.wanted().is_some()))?;
    if runs {
        if use_engine(shared, context, |engine, _| engine.is_chosen(name))? {
            let body = body.and_then(|body| function(body));
            *shared.chosen.body.borrow_mut() = body.map(|body| (body, context.call_position()));
        }
        return Ok(Dynamic::UNIT);
    }
    let mut room = Room::default();
    let declared = use_engine(shared, context, |engine, place| {
        let mut value =
            |value: &Dynamic| convert(engine, value, 0, &mut room).map_err(|error| format!("{name}: {error}"));
        let declared = values.first().map_or(Ok(Value::Nothing), |name| value(name))?;
        let options = if values.len() < 3 { None } else { Some(value(values[1])?) };
        let body = kind(body.map(|body| &**body));
        engine.declare(Declaration { function: name, name: declared, options, body }, place)
    });
    shared.charge(room.steps())?;
    declared.map(|()| Dynamic::UNIT)
}

/// Runs the hooks and the body that the top level left, if it left any.
fn run(shared: &Shared, context: &NativeCallContext<'_>) -> Outcome {
    let (hooks, body) = (shared.chosen.hooks.take(), shared.chosen.body.take());
    let Some(body) = body else { return Ok(Dynamic::UNIT) };
    shared.with(|engine| {
        if let Some(sheet) = &mut engine.sheet {
            sheet.begin();
        }
    })?;
    for (function, declared) in hooks.into_iter().chain([body]) {
        let called: Outcome = function.call_within_context(context, ());
        if let Err(error) = called {
            return Err(own_error(*error, declared).into());
        }
    }
    Ok(Dynamic::UNIT)
}

/// The error of a scenario without the call that began it. Where it has no place it gets that of the declaration.
fn own_error(error: EvalAltResult, declared: Position) -> EvalAltResult {
    let mut error = match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => *inner,
        other => other,
    };
    if error.position().is_none() {
        error.set_position(declared);
    }
    error
}

/// Uses the lent engine; a refusal gets the caller's place.
fn use_engine<R>(
    shared: &Shared,
    context: &NativeCallContext<'_>,
    act: impl FnOnce(&mut Engine, Place) -> Result<R, String>,
) -> Outcome<R> {
    let line = context.call_position().line().and_then(|line| u32::try_from(line).ok());
    let place = Place { file: context.call_source().unwrap_or_default().to_owned(), line };
    shared.with(|engine| act(engine, place))?.map_err(|reason| fail(context, reason))
}

fn function(value: &Dynamic) -> Option<FnPtr> {
    value.read_lock::<FnPtr>().map(|function| function.clone())
}

fn kind(value: Option<&Dynamic>) -> &'static str {
    match value.map(Owned::of) {
        None => "nil",
        Some(Owned::Int(_) | Owned::Float(_)) => "a number",
        Some(Owned::Text(_)) => "a text",
        Some(Owned::Other(kind)) => kind,
    }
}

/// A Rhai value as expectations see it.
fn convert(engine: &Engine, value: &Dynamic, depth: usize, room: &mut Room) -> Result<Value, TooLarge> {
    room.take(depth)?;
    if let Some(actor) = value.read_lock::<Actor>() {
        return Ok(Value::Actor { key: actor.0, shown: engine.describe(actor.0) });
    }
    if let Ok(list) = value.as_array_ref() {
        let values: Result<_, _> = list.iter().map(|value| convert(engine, value, depth + 1, room)).collect();
        return values.map(Value::List);
    }
    if let Ok(table) = value.as_map_ref() {
        let values = table.iter().map(|(name, value)| Ok((name.to_string(), convert(engine, value, depth + 1, room)?)));
        return values.collect::<Result<_, _>>().map(Value::Table);
    }
    Ok(match Owned::of(value).given() {
        Given::Int(value) => Value::Int(value),
        Given::Float(value) => Value::Float(value),
        Given::Text(text) => {
            room.take_text(text.len())?;
            Value::Text(text.to_owned())
        }
        Given::Other("nil") => Value::Nothing,
        Given::Other("true") => Value::Truth(true),
        Given::Other("false") => Value::Truth(false),
        Given::Other(_) if value.is::<FnPtr>() => Value::Other("a function"),
        Given::Other(_) => Value::Other("an object"),
    })
}
