//! Scenarios as Lua scripts declare them, and what they expect.

use std::collections::BTreeMap;

use mlua::{Lua, MultiValue, Result, Table, Value as LuaValue};

use super::{
    bindings::{self, Owned},
    problem::{placeless, script_frames},
    shared::{ERROR_STEPS, Shared},
};
use crate::{
    expect::{Declaration, MATCHERS, Place, Room, TooLarge, Value, unknown_matcher},
    natives::Engine,
    sync::{Portable, Shared as Ref},
};

/// What the prelude takes for scenarios.
pub(super) fn functions(lua: &Lua, host: &Table, shared: &Ref<Shared>) -> Result<()> {
    declarations(lua, host, shared)?;
    let names = MATCHERS.iter().map(|matcher| matcher.name);
    host.raw_set("matchers", lua.create_sequence_from(names)?)?;
    bind(lua, host, shared, "unknown_matcher", |_, _, _, name: LuaValue| {
        Err::<(), _>(unknown_matcher(&bindings::shown_key(&name)))
    })?;
    bind(lua, host, shared, "expect", |engine, place, room, mut values: MultiValue| {
        let matcher = values.pop_front().map(|name| bindings::shown_key(&name)).unwrap_or_default();
        let all: std::result::Result<Vec<Value>, TooLarge> =
            values.iter().map(|value| convert(engine, value, 0, room)).collect();
        let all = all.map_err(|error| format!("{matcher}: {error}"))?;
        match all.split_first() {
            Some((found, args)) => engine.expect(&matcher, found, args, place),
            None => Ok(()),
        }
    })?;
    bind(lua, host, shared, "expect_error", |engine, place, _, values: (bool, LuaValue, LuaValue)| {
        let (ended_well, problem, text) = values;
        let raised = match &problem {
            _ if ended_well => None,
            LuaValue::String(text) => Some(placeless(&text.to_string_lossy()).to_owned()),
            other => Some(bindings::kind_of(other).to_owned()),
        };
        engine.expect_error(raised, Owned::of(&text).given(), place)
    })
}

fn declarations(lua: &Lua, host: &Table, shared: &Ref<Shared>) -> Result<()> {
    let of = Ref::clone(shared);
    // The position of the scenario that is to run, from 1; nothing while declarations are collected.
    let wanted = move |lua: &Lua, ()| {
        let wanted = of.with(lua, |engine| engine.sheet.as_ref().and_then(|sheet| sheet.wanted()))?;
        Ok(wanted.map(|index| index + 1))
    };
    host.raw_set("wanted", lua.create_function(wanted)?)?;
    bind(lua, host, shared, "began", |engine, _, _, ()| {
        engine.sheet.as_mut().map_or(Ok(()), |sheet| {
            sheet.begin();
            Ok(())
        })
    })?;
    bind(lua, host, shared, "declare", |engine, place, room, values: (bool, LuaValue, LuaValue, LuaValue)| {
        let (is_only, name, options, body) = values;
        let function = if is_only { "only" } else { "scenario" };
        if engine.sheet.as_ref().is_some_and(|sheet| sheet.wanted().is_some()) {
            return engine.is_chosen(function).map(drop);
        }
        let mut value =
            |value: &LuaValue| convert(engine, value, 0, room).map_err(|error| format!("{function}: {error}"));
        let name = value(&name)?;
        let options = if options.is_nil() { None } else { Some(value(&options)?) };
        engine.declare(Declaration { function, name, options, body: kind(&body) }, place)
    })?;
    bind(lua, host, shared, "before_each", |engine, _, _, body: LuaValue| engine.before_each(kind(&body)))?;
    bind(lua, host, shared, "scene", |engine, place, _, name: LuaValue| {
        engine.name_scene(Owned::of(&name).given(), place)
    })?;
    bind(lua, host, shared, "golden", |engine, place, _, name: LuaValue| {
        engine.golden(Owned::of(&name).given(), place)
    })?;
    bind(lua, host, shared, "skip", |engine, _, _, why: LuaValue| match engine.skip(Owned::of(&why).given())? {
        true => Err("the scenario was skipped".to_owned()),
        false => Ok(()),
    })
}

/// Registers a function that works on the lent engine and knows where it was called. What it looks at is paid for.
fn bind<A, R>(
    lua: &Lua,
    host: &Table,
    shared: &Ref<Shared>,
    name: &str,
    act: impl Fn(&mut Engine, Place, &mut Room, A) -> std::result::Result<R, String> + Portable + 'static,
) -> Result<()>
where
    A: mlua::FromLuaMulti,
    R: mlua::IntoLuaMulti,
{
    let shared = Ref::clone(shared);
    let function = lua.create_function(move |lua, args: A| {
        let place = script_frames(lua).into_iter().next();
        let place = place.map_or_else(Place::default, |frame| Place { file: frame.file, line: Some(frame.line) });
        let mut room = Room::default();
        let done = shared.with(lua, |engine| act(engine, place, &mut room, args))?;
        shared.charge(lua, room.steps())?;
        done.map_err(|reason| shared.failure(lua, ERROR_STEPS, reason))
    })?;
    host.raw_set(name, function)
}

fn kind(value: &LuaValue) -> &'static str {
    match value {
        LuaValue::Function(_) => "a function",
        other => bindings::kind_of(other),
    }
}

/// A Lua value as expectations see it. Tables that count from 1 are lists.
fn convert(engine: &Engine, value: &LuaValue, depth: usize, room: &mut Room) -> std::result::Result<Value, TooLarge> {
    room.take(depth)?;
    Ok(match value {
        LuaValue::Nil => Value::Nothing,
        LuaValue::Boolean(value) => Value::Truth(*value),
        LuaValue::Integer(value) => Value::Int(*value),
        LuaValue::Number(value) => Value::Float(*value),
        LuaValue::String(text) => {
            room.take_text(text.as_bytes().len())?;
            Value::Text(text.to_string_lossy().to_string())
        }
        LuaValue::LightUserData(handle) => {
            let key = bindings::key_of(*handle);
            Value::Actor { key, shown: engine.describe(key) }
        }
        LuaValue::Table(table) => table_value(engine, table, depth, room)?,
        LuaValue::Function(_) => Value::Other("a function"),
        _ => Value::Other("an object"),
    })
}

fn table_value(engine: &Engine, table: &Table, depth: usize, room: &mut Room) -> std::result::Result<Value, TooLarge> {
    let n = table.raw_len();
    let mut list = Vec::new();
    let mut named = BTreeMap::new();
    for pair in table.pairs::<LuaValue, LuaValue>() {
        // A key that is there has a value; only memory can be short.
        let Ok((key, value)) = pair else { return Err(TooLarge) };
        let value = convert(engine, &value, depth + 1, room)?;
        let index = match key {
            LuaValue::Integer(index) => usize::try_from(index).ok(),
            LuaValue::Number(index) if index.fract() == 0.0 && index >= 1.0 => Some(index as usize),
            _ => None,
        };
        match index.filter(|&index| (1..=n).contains(&index)) {
            Some(index) => list.push((index, value)),
            None => drop(named.insert(bindings::shown_key(&key), value)),
        }
    }
    list.sort_by_key(|(index, _)| *index);
    if named.is_empty() {
        return Ok(Value::List(list.into_iter().map(|(_, value)| value).collect()));
    }
    named.extend(list.into_iter().map(|(index, value)| (index.to_string(), value)));
    Ok(Value::Table(named))
}
