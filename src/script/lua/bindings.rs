//! The functions that the runtime lends to the prelude.

use std::{collections::BTreeMap, ffi::c_void, sync::Arc};

use mlua::{FromLua, Function, IntoLua, LightUserData, Lua, LuaString, MultiValue, Result, Table, Value, Variadic};

use super::{
    modules::load_module,
    problem::{calling_line, caught_text, is_memory, without_place_here},
    scenario,
    shared::{ERROR_STEPS, SEARCH_STEPS, Shared},
};
use crate::{
    defs::{FunctionDecl, FunctionKind, NativeId, PropertyId, properties},
    natives::{
        CallError, CallRequest, Called, Dispatch, Engine, Given, Native, Natives,
        access::{self, EXTRAS, Extra, LONGEST_NAME, TaskOp},
        arguments, integer,
    },
    script::{Role, log},
    sync::{Portable, Shared as Ref},
    world::{ActorKey, Args, CallSite, Transform},
};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("the Lua front end keeps actor keys in light userdata, which needs 64-bit pointers");

/// An actor as scripts hold it: its key in a light userdata, which no script can make.
pub(super) fn actor_value(key: ActorKey) -> Value {
    Value::LightUserData(LightUserData(key.to_number() as usize as *mut c_void))
}

pub(super) fn key_of(LightUserData(pointer): LightUserData) -> ActorKey {
    ActorKey::from_number(pointer as usize as u64)
}

/// What a method was called on: an actor, or something else.
struct Receiver(Option<LightUserData>);

impl FromLua for Receiver {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        Ok(Self(value.as_light_userdata()))
    }
}

impl Receiver {
    fn key(&self, lua: &Lua, shared: &Shared) -> Result<ActorKey> {
        let wrong = || shared.failure(lua, 0, "expected an actor before the colon: call it as actor:name(…)");
        self.0.map(key_of).ok_or_else(wrong)
    }
}

/// What a value is, for the value rule.
pub(super) enum Owned {
    Int(i64),
    Float(f64),
    Text(String),
    Other(&'static str),
}

impl Owned {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Integer(value) => Self::Int(*value),
            Value::Number(value) => Self::Float(*value),
            Value::String(text) => Self::Text(cut(text)),
            Value::Nil => Self::Other("nil"),
            Value::Boolean(true) => Self::Other("true"),
            Value::Boolean(false) => Self::Other("false"),
            Value::LightUserData(_) => Self::Other("an actor"),
            Value::Table(_) => Self::Other("a table"),
            Value::Function(_) => Self::Other("a function"),
            _ => Self::Other("an object"),
        }
    }

    pub(super) fn given(&self) -> Given<'_> {
        match self {
            Self::Int(value) => Given::Int(*value),
            Self::Float(value) => Given::Float(*value),
            Self::Text(text) => Given::Text(text),
            Self::Other(kind) => Given::Other(kind),
        }
    }
}

/// What a value is, in a message.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match Owned::of(value) {
        Owned::Int(_) | Owned::Float(_) => "a number",
        Owned::Text(_) => "a text",
        Owned::Other(kind) => kind,
    }
}

/// A value that passes the value rule at once.
fn plain_int(value: &Value) -> Option<i32> {
    match value {
        Value::Integer(value) => i32::try_from(*value).ok(),
        Value::Number(value) => integer(Given::Float(*value)).ok(),
        _ => None,
    }
}

/// Checked arguments. The usual case, whole numbers as many as declared, allocates nothing.
fn checked(lua: &Lua, shared: &Shared, decl: &FunctionDecl, values: &[Value], args: &mut Args) -> Result<()> {
    if values.len() == decl.parameters.len()
        && values.iter().all(|value| plain_int(value).is_some_and(|value| args.push(value)))
    {
        return Ok(());
    }
    let owned: Vec<Owned> = values.iter().map(Owned::of).collect();
    *args = arguments(decl, owned.iter().map(Owned::given)).map_err(|error| shared.refusal(lua, &error))?;
    Ok(())
}

/// Everything the prelude takes from the runtime.
pub(super) fn host(lua: &Lua, shared: &Ref<Shared>, registry: &Arc<Natives>) -> Result<Table> {
    let host = lua.create_table()?;
    tables(lua, &host, registry)?;
    natives(lua, &host, shared, registry)?;
    actor_access(lua, &host, shared)?;
    actor_functions(lua, &host, shared)?;
    world_functions(lua, &host, shared)?;
    tasks(lua, &host, shared, registry)?;
    support(lua, &host, shared)?;
    scenario::functions(lua, &host, shared)?;
    Ok(host)
}

/// Registers a function that works on the lent engine; its error gets the caller's place.
fn bind<A, R>(
    lua: &Lua,
    table: &Table,
    shared: &Ref<Shared>,
    name: &str,
    act: impl Fn(&Lua, &mut Engine, A) -> std::result::Result<R, CallError> + Portable + 'static,
) -> Result<()>
where
    A: mlua::FromLuaMulti,
    R: mlua::IntoLuaMulti,
{
    let shared = Ref::clone(shared);
    let function = lua.create_function(move |lua, args: A| {
        shared.with(lua, |engine| act(lua, engine, args))?.map_err(|error| shared.refusal(lua, &error))
    })?;
    table.raw_set(name, function)
}

/// Properties by name, groups of properties, properties that are natives too, names of extras.
fn tables(lua: &Lua, host: &Table, registry: &Natives) -> Result<()> {
    let by_name = lua.create_table_with_capacity(0, properties().rows().len())?;
    let mut groups = BTreeMap::new();
    for row in properties().rows() {
        by_name.raw_set(row.name, row.id.0)?;
        for (at, _) in row.name.match_indices(['.', '[']) {
            groups.insert(&row.name[..at], ());
        }
    }
    host.raw_set("properties", by_name)?;
    host.raw_set("groups", lua.create_sequence_from(groups.into_keys())?)?;
    let shadowed = properties().rows().iter().map(|row| row.name).filter(|name| registry.named(name).is_some());
    host.raw_set("shadowed", lua.create_sequence_from(shadowed)?)?;
    let extras = lua.create_table_from(EXTRAS.iter().map(|&name| (name, true)))?;
    host.raw_set("extras", extras)
}

/// Natives by their script name: a function that returns a value at once, or the number of one that takes a task slot.
fn natives(lua: &Lua, host: &Table, shared: &Ref<Shared>, registry: &Arc<Natives>) -> Result<()> {
    let (of, natives) = (Ref::clone(shared), Arc::clone(registry));
    let by_name = move |lua: &Lua, key: Value| {
        let Value::String(key) = &key else { return Ok((None, None)) };
        let named = key.to_str().ok().and_then(|key| natives.get(natives.named(&key)?));
        match named.map(|native| &native.decl).filter(|decl| *key == *decl.script_name) {
            None => Ok((None, None)),
            Some(decl) if decl.kind == FunctionKind::Task => Ok((None, Some(decl.id.0))),
            Some(decl) => Ok((Some(native(lua, &of, decl)?), None)),
        }
    };
    host.raw_set("native", lua.create_function(by_name)?)?;
    let registry = Arc::clone(registry);
    let name = move |_: &Lua, native: u16| {
        Ok(registry.get(NativeId(native)).map_or_else(String::new, |native| native.decl.script_name.clone()))
    };
    host.raw_set("native_name", lua.create_function(name)?)
}

/// A native as a function: its first argument is the actor called on. The others are taken apart from it, so that those
/// of a call without any need no room.
fn native(lua: &Lua, shared: &Ref<Shared>, decl: &FunctionDecl) -> Result<Function> {
    let shared = Ref::clone(shared);
    let decl = decl.clone();
    lua.create_function(move |lua, (actor, values): (Receiver, MultiValue)| {
        let receiver = actor.key(lua, &shared)?;
        let mut args = Args::default();
        checked(lua, &shared, &decl, values.as_slices().0, &mut args)?;
        let called = match decl.kind {
            FunctionKind::Function => shared.with(lua, |engine| engine.call_function(receiver, decl.id, &args))?,
            _ => {
                let (dispatch, site) = (Dispatch::Declared, site(&shared, lua, decl.id));
                let request = CallRequest { receiver, native: decl.id, args, dispatch, site };
                shared.with(lua, |engine| engine.call(request).map(|called| called.value))?
            }
        };
        called.map_err(|error| shared.refusal(lua, &error))
    })
}

/// Rule K4: actor scripts own the site of a call by script, line and function; directors always call anew.
fn site(shared: &Shared, lua: &Lua, native: NativeId) -> CallSite {
    match shared.role.get() {
        Role::Director => CallSite::Host,
        Role::Actor(_) => CallSite::Line { script: shared.script.get(), line: calling_line(lua), native },
    }
}

/// A key as text: what names something, or what a message shows. No name is longer than what is kept of a text.
pub(super) fn shown_key(value: &Value) -> String {
    match value {
        Value::String(text) => cut(text),
        Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => value.to_string().unwrap_or_default(),
        other => match Owned::of(other) {
            Owned::Other(kind) => kind.to_owned(),
            _ => String::new(),
        },
    }
}

fn cut(text: &LuaString) -> String {
    let bytes = text.as_bytes();
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_NAME)]).into_owned()
}

fn actor_access(lua: &Lua, host: &Table, shared: &Ref<Shared>) -> Result<()> {
    bind(lua, host, shared, "read", |_, engine, (handle, id): (LightUserData, u16)| {
        Ok(engine.live(key_of(handle))?.property(PropertyId(id)))
    })?;
    bind(lua, host, shared, "write", |_, engine, (handle, id, value): (LightUserData, u16, Value)| {
        let (key, id) = (key_of(handle), PropertyId(id));
        match plain_int(&value) {
            Some(value) => engine.write_property(key, id, Given::Int(value.into())),
            None => engine.write_property(key, id, Owned::of(&value).given()),
        }
    })?;
    bind(lua, host, shared, "extra", |lua, engine, (handle, name): (LightUserData, String)| {
        let extra = extra(lua, engine.extra(key_of(handle), &name)?);
        // Only memory can be short, which the state reports by itself.
        Ok(extra.unwrap_or(Value::Nil))
    })?;
    bind(lua, host, shared, "live", |_, engine, handle: LightUserData| {
        engine.live(key_of(handle))?;
        Ok(handle)
    })?;
    bind(lua, host, shared, "unknown_property", |_, _, key: Value| {
        Err::<(), _>(access::unknown_property(&shown_key(&key)))
    })?;
    bind(lua, host, shared, "cannot_write", |_, _, key: Value| Err::<(), _>(access::cannot_write(&shown_key(&key))))?;
    bind(lua, host, shared, "describe", |_, engine, handle: LightUserData| Ok(engine.describe(key_of(handle))))
}

fn vector<T: IntoLua>(lua: &Lua, [x, y, z]: [T; 3]) -> Result<Value> {
    lua.create_table_from([("x", x), ("y", y), ("z", z)])?.into_lua(lua)
}

fn extra(lua: &Lua, extra: Extra) -> Result<Value> {
    match extra {
        Extra::Text(text) => text.into_lua(lua),
        Extra::Int(value) => value.into_lua(lua),
        Extra::Place(place) => vector(lua, place),
        Extra::WholePlace(place) => vector(lua, place),
        Extra::Nothing => Ok(Value::Nil),
    }
}

/// Methods of actors beside the natives.
fn actor_functions(lua: &Lua, host: &Table, shared: &Ref<Shared>) -> Result<()> {
    let methods = lua.create_table()?;
    bind(lua, &methods, shared, "valid", |_, engine, handle: LightUserData| {
        Ok(engine.world.get(key_of(handle)).is_some())
    })?;
    bind(lua, &methods, shared, "remove", |_, engine, handle: LightUserData| {
        let key = key_of(handle);
        engine.live(key)?;
        engine.world.remove(key);
        Ok(())
    })?;
    bind(lua, &methods, shared, "why", |_, engine, handle: LightUserData| engine.why(key_of(handle)))?;
    bind(lua, &methods, shared, "attribute", |_, engine, (handle, which): (LightUserData, Value)| {
        Ok(engine.live(key_of(handle))?.attribute(access::attribute(Owned::of(&which).given())?))
    })?;
    bind(lua, &methods, shared, "property", |_, engine, (handle, name): (LightUserData, Value)| {
        Ok(engine.live(key_of(handle))?.property(access::property_named(&shown_key(&name))?))
    })?;
    points(lua, &methods, shared)?;
    host.raw_set("actor_methods", methods)
}

/// Named points.
fn points(lua: &Lua, methods: &Table, shared: &Ref<Shared>) -> Result<()> {
    bind(lua, methods, shared, "attachment", |lua, engine, (handle, name): (LightUserData, Value)| {
        let place = engine.attachment(key_of(handle), &text_argument("attachment", 1, "name", &name)?)?;
        // Only memory can be short, which the state reports by itself.
        Ok(transform(lua, place).unwrap_or(Value::Nil))
    })?;
    bind(lua, methods, shared, "attachments", |lua, engine, handle: LightUserData| {
        let names = engine.attachments(key_of(handle))?;
        Ok(lua.create_sequence_from(names).ok())
    })?;
    bind(lua, methods, shared, "emit", |_, engine, (handle, point, effect): (LightUserData, Value, Value)| {
        let point = text_argument("emit", 1, "point", &point)?;
        let effect = text_argument("emit", 2, "effect", &effect)?;
        engine.emit(key_of(handle), &point, &effect)
    })
}

fn transform(lua: &Lua, Transform { position, matrix }: Transform) -> Result<Value> {
    let table = lua.create_table()?;
    table.raw_set("position", vector(lua, position)?)?;
    table.raw_set("matrix", lua.create_sequence_from(matrix.0)?)?;
    table.into_lua(lua)
}

pub(super) fn text_argument(
    function: &str,
    position: usize,
    parameter: &str,
    value: &Value,
) -> std::result::Result<String, CallError> {
    match value {
        Value::String(text) if text.as_bytes().len() > LONGEST_NAME => {
            let bytes = text.as_bytes().len();
            Err(access::too_long(function.to_owned(), position, parameter.to_owned(), bytes))
        }
        _ => access::text_argument(function, position, parameter, Owned::of(value).given()).map(str::to_owned),
    }
}

fn world_functions(lua: &Lua, host: &Table, shared: &Ref<Shared>) -> Result<()> {
    bind(lua, host, shared, "actor", |_, engine, name: Value| {
        engine.actor_named(&text_argument("actor", 1, "name", &name)?).map(actor_value)
    })?;
    bind(lua, host, shared, "find", |_, engine, name: Value| {
        let name = text_argument("find", 1, "name", &name)?;
        Ok(engine.world.named(&name).map_or(Value::Nil, actor_value))
    })?;
    bind(lua, host, shared, "actors", |lua, engine, ()| {
        let actors = engine.world.actors().map(|actor| actor_value(actor.key));
        // Only memory can be short, which the state reports by itself.
        Ok(lua.create_sequence_from(actors).ok())
    })?;
    bind(lua, host, shared, "player", |_, engine, ()| Ok(engine.world.player().map_or(Value::Nil, actor_value)))?;
    bind(lua, host, shared, "tick", |_, engine, ()| Ok(engine.world.clock.tick))?;
    let of = Ref::clone(shared);
    bind(lua, host, shared, "spawn", move |_, engine, (template, name): (Value, Value)| {
        let limit = of.limits.actors;
        if engine.world.len() >= limit {
            return Err(CallError::TooManyActors { limit });
        }
        let template = text_argument("spawn", 1, "template", &template)?;
        let name = text_argument("spawn", 2, "name", &name)?;
        engine.spawn_named(&template, &name).map(actor_value)
    })?;
    let of = Ref::clone(shared);
    let constant = lua.create_function(move |lua, name: Value| {
        access::attribute_constant(&shown_key(&name)).map_err(|reason| of.failure(lua, SEARCH_STEPS, reason))
    })?;
    host.raw_set("attribute_constant", constant)?;
    bind(lua, host, shared, "item_id", |_, engine, name: Value| Ok(engine.item_named(&shown_key(&name))?.0))?;
    bind(lua, host, shared, "flag_read", |_, engine, key: Value| {
        let index = engine.flag(Owned::of(&key).given())?;
        Ok(engine.world.flags[index].value)
    })?;
    bind(lua, host, shared, "flag_write", |_, engine, (key, value): (Value, Value)| {
        engine.write_flag(Owned::of(&key).given(), Owned::of(&value).given())
    })
}

fn tasks(lua: &Lua, host: &Table, shared: &Ref<Shared>, registry: &Arc<Natives>) -> Result<()> {
    let of = Ref::clone(shared);
    let is_me = lua.create_function(move |lua, actor: Receiver| {
        let key = actor.key(lua, &of)?;
        Ok(of.role.get() == Role::Actor(key))
    })?;
    host.raw_set("is_me", is_me)?;
    bind(lua, host, shared, "native_id", |_, engine, name: Value| Ok(engine.function_named(&shown_key(&name))?.0))?;
    let of = Ref::clone(shared);
    let registry = Arc::clone(registry);
    let start =
        lua.create_function(move |lua, (actor, native, dispatch, values): (Receiver, u16, u8, Variadic<Value>)| {
            let receiver = actor.key(lua, &of)?;
            let native = NativeId(native);
            let Some(Native { decl, .. }) = registry.get(native) else { return Ok(None) };
            let mut args = Args::default();
            checked(lua, &of, decl, &values, &mut args)?;
            let dispatch = if dispatch == 0 { Dispatch::Declared } else { Dispatch::Multitask };
            let site = site(&of, lua, native);
            let request = CallRequest { receiver, native, args, dispatch, site };
            let called = of.with(lua, |engine| engine.call(request))?;
            let Called { task, .. } = called.map_err(|error| of.refusal(lua, &error))?;
            Ok(task)
        })?;
    host.raw_set("start", start)?;
    bind(lua, host, shared, "task", |_, engine, (op, handle, serial): (String, LightUserData, Option<u64>)| {
        let op = match op.as_str() {
            "stop" => TaskOp::Stop,
            "pause" => TaskOp::Pause,
            "resume" => TaskOp::Resume,
            _ => TaskOp::Active,
        };
        engine.task(key_of(handle), serial, op)
    })
}

/// Positions, budgets, output, modules.
fn support(lua: &Lua, host: &Table, shared: &Ref<Shared>) -> Result<()> {
    host.raw_set("wait_token", lua.create_table()?)?;
    host.raw_set("string_limit", shared.limits.string)?;
    let of = Ref::clone(shared);
    host.raw_set("charge", lua.create_function(move |lua, size: f64| of.charge(lua, (size / 256.0) as u64))?)?;
    let of = Ref::clone(shared);
    let print = lua.create_function(move |lua, text: LuaString| {
        of.count_printed(lua, text.as_bytes().len() + 1)?;
        let text = text.to_string_lossy().to_string();
        of.with(lua, |engine| engine.printed.push(text))
    })?;
    host.raw_set("print", print)?;
    let of = Ref::clone(shared);
    let log = lua.create_function(move |lua, (level, text): (String, LuaString)| {
        of.count_printed(lua, text.as_bytes().len() + 1)?;
        of.with(lua, |engine| log(engine, of.role.get(), &level, &text.to_string_lossy()))
    })?;
    host.raw_set("log", log)?;
    let of = Ref::clone(shared);
    let integer_argument = move |lua: &Lua, (function, position, name, value): (String, usize, String, Value)| {
        integer(Owned::of(&value).given()).map_err(|(expected, found)| {
            of.refusal(lua, &CallError::Argument { function, position, parameter: name, expected, found })
        })
    };
    host.raw_set("integer", lua.create_function(integer_argument)?)?;
    let of = Ref::clone(shared);
    host.raw_set("caught", lua.create_function(move |lua, value: Value| caught(lua, &of, value))?)?;
    let of = Ref::clone(shared);
    host.raw_set(
        "remember",
        lua.create_function(move |lua, problem: Value| {
            of.remember(lua);
            Ok(problem)
        })?,
    )?;
    let set_actor_metatable = |lua: &Lua, metatable: Table| {
        lua.set_type_metatable::<LightUserData>(Some(metatable));
        Ok(())
    };
    host.raw_set("set_actor_metatable", lua.create_function(set_actor_metatable)?)?;
    let set_string_metatable = |lua: &Lua, metatable: Table| {
        lua.set_type_metatable::<LuaString>(Some(metatable));
        Ok(())
    };
    host.raw_set("set_string_metatable", lua.create_function(set_string_metatable)?)?;
    let of = Ref::clone(shared);
    host.raw_set("load_module", lua.create_function(move |lua, args| load_module(lua, &of, args))?)
}

/// What a script gets of an error that it catches: texts for the runtime's error objects. What ends a script, a spent
/// budget or memory that ran out, is raised again.
fn caught(lua: &Lua, shared: &Shared, value: Value) -> Result<Value> {
    shared.charge(lua, ERROR_STEPS)?;
    match &value {
        Value::Error(error) if is_memory(error) => Err(shared.trip_memory(lua)),
        Value::Error(error) => caught_text(error).into_lua(lua),
        Value::String(text) if text == "not enough memory" => Err(shared.trip_memory(lua)),
        Value::String(text) if text.as_bytes().starts_with(b"soup386:") => {
            without_place_here(&text.to_string_lossy()).into_lua(lua)
        }
        _ => Ok(value),
    }
}
