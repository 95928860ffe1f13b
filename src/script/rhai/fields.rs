//! Properties, flags and constants: what stands behind a point or in brackets.

use std::rc::Rc;

use rhai::{Dynamic, Engine as Rhai, FuncRegistration, ImmutableString, NativeCallContext};

use super::{
    bindings::{Outcome, fail, with},
    budget::Shared,
    handles::{Actor, Flags, Group, Log, Multitask, Names, Owned, Task},
    problem::text,
};
use crate::{
    natives::{
        CallError, Engine,
        access::{
            EXTRAS, Extra, Field, attribute_constant, cannot_write, field, fields, member_names, shown_key,
            unknown_property,
        },
    },
    world::ActorKey,
};

/// Types with their names, comparisons, texts, and everything behind a point.
pub(super) fn register(engine: &mut Rhai, shared: &Rc<Shared>) {
    engine.register_type_with_name::<Actor>(super::ACTOR_TYPE);
    engine.register_type_with_name::<Group>("properties");
    engine.register_type_with_name::<Multitask>("multitask");
    engine.register_type_with_name::<Task>("task");
    engine.register_type_with_name::<Flags>("flags");
    engine.register_type_with_name::<Names>("constants");
    engine.register_type_with_name::<Log>("log");
    engine.register_fn("==", |a: Actor, b: Actor| a == b);
    engine.register_fn("!=", |a: Actor, b: Actor| a != b);
    for name in ["to_string", "to_debug"] {
        let of = Rc::clone(shared);
        engine.register_fn(name, move |actor: &mut Actor| -> Outcome<String> {
            of.with(|engine| engine.describe(actor.0))
        });
        engine.register_fn(name, |_: &mut Task| "task");
    }
    actor_fields(engine, shared);
    group_fields(engine, shared);
    flags(engine, shared);
    constants(engine, shared);
}

/// Getters and setters for all names, so that they are found at the first look, and the general form in brackets.
fn actor_fields(engine: &mut Rhai, shared: &Rc<Shared>) {
    let mut names: Vec<&'static str> = fields().chain(EXTRAS).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let of = Rc::clone(shared);
        FuncRegistration::new_getter(name)
            .with_purity(true)
            .register_into_engine(engine, move |context: NativeCallContext<'_>, actor: &mut Actor| {
                read(&of, &context, actor.0, name)
            });
    }
    let of = Rc::clone(shared);
    FuncRegistration::new_index_getter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, actor: &mut Actor, key: Dynamic| {
            read(&of, &context, actor.0, &shown_key(Owned::of(&key).given()))
        },
    );
    let of = Rc::clone(shared);
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, actor: &mut Actor, key: Dynamic, value: Dynamic| {
            write(&of, &context, actor.0, &shown_key(Owned::of(&key).given()), &value)
        },
    );
}

fn read(shared: &Shared, context: &NativeCallContext<'_>, key: ActorKey, name: &str) -> Outcome {
    if EXTRAS.contains(&name) {
        let extra = with(shared, context, |engine| engine.extra(key, name))?;
        return Ok(extra_value(extra));
    }
    let Some(field) = field(name) else { return Err(fail(context, unknown_property(name))) };
    read_field(shared, context, key, field)
}

fn read_field(shared: &Shared, context: &NativeCallContext<'_>, key: ActorKey, field: Field) -> Outcome {
    match field {
        Field::Property(id) => {
            let value = with(shared, context, |engine| Ok(engine.live(key)?.property(id)))?;
            Ok(Dynamic::from_int(value.into()))
        }
        Field::Group(group) => {
            with(shared, context, |engine| engine.live(key).map(drop))?;
            Ok(Dynamic::from(Group { actor: key, group }))
        }
    }
}

fn extra_value(extra: Extra) -> Dynamic {
    match extra {
        Extra::Text(value) => text(value),
        Extra::Int(value) => Dynamic::from_int(value),
        Extra::Place(parts) => place(parts.map(|part| Dynamic::from_float(part.into()))),
        Extra::WholePlace(parts) => place(parts.map(|part| Dynamic::from_int(part.into()))),
        Extra::Nothing => Dynamic::UNIT,
    }
}

/// `x`, `y` and `z` by name.
pub(super) fn place(parts: [Dynamic; 3]) -> Dynamic {
    let names = ["x", "y", "z"].map(Into::into);
    Dynamic::from_map(names.into_iter().zip(parts).collect())
}

fn write(shared: &Shared, context: &NativeCallContext<'_>, key: ActorKey, name: &str, value: &Dynamic) -> Outcome<()> {
    let found = if EXTRAS.contains(&name) { None } else { field(name) };
    match found {
        Some(Field::Property(id)) => {
            let value = Owned::of(value);
            with(shared, context, |engine| engine.write_property(key, id, value.given()))
        }
        // After `a.pos.vx = 5` Rhai writes the group back where it came from.
        Some(Field::Group(group)) if is_same(value, Group { actor: key, group }) => Ok(()),
        _ => Err(fail(context, cannot_write(name))),
    }
}

fn is_same(value: &Dynamic, group: Group) -> bool {
    value.read_lock::<Group>().is_some_and(|given| *given == group)
}

fn group_fields(engine: &mut Rhai, shared: &Rc<Shared>) {
    for name in member_names() {
        let of = Rc::clone(shared);
        FuncRegistration::new_getter(name)
            .with_purity(true)
            .register_into_engine(engine, move |context: NativeCallContext<'_>, group: &mut Group| {
                read_member(&of, &context, *group, name)
            });
        let of = Rc::clone(shared);
        FuncRegistration::new_setter(name).with_purity(true).register_into_engine(
            engine,
            move |context: NativeCallContext<'_>, group: &mut Group, value: Dynamic| {
                write_member(&of, &context, *group, name, &value)
            },
        );
    }
    let of = Rc::clone(shared);
    FuncRegistration::new_index_getter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, group: &mut Group, key: Dynamic| {
            read_member(&of, &context, *group, &index_key(&key))
        },
    );
    let of = Rc::clone(shared);
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, group: &mut Group, key: Dynamic, value: Dynamic| {
            write_member(&of, &context, *group, &index_key(&key), &value)
        },
    );
}

fn read_member(shared: &Shared, context: &NativeCallContext<'_>, group: Group, key: &str) -> Outcome {
    let field = group.group.field(key).map_err(|error| fail(context, error))?;
    read_field(shared, context, group.actor, field)
}

fn write_member(
    shared: &Shared,
    context: &NativeCallContext<'_>,
    group: Group,
    key: &str,
    value: &Dynamic,
) -> Outcome<()> {
    match group.group.field(key).map_err(|error| fail(context, error))? {
        Field::Property(id) => {
            let value = Owned::of(value);
            with(shared, context, |engine| engine.write_property(group.actor, id, value.given()))
        }
        Field::Group(inner) if is_same(value, Group { actor: group.actor, group: inner }) => Ok(()),
        Field::Group(inner) => Err(fail(context, unknown_property(inner.prefix()))),
    }
}

/// `grip[1.0]` is `grip[1]`.
fn index_key(key: &Dynamic) -> String {
    match Owned::of(key) {
        Owned::Float(value) => value.floor().to_string(),
        other => shown_key(other.given()),
    }
}

fn flags(engine: &mut Rhai, shared: &Rc<Shared>) {
    let of = Rc::clone(shared);
    FuncRegistration::new_index_getter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, _: &mut Flags, key: Dynamic| -> Outcome {
            let key = Owned::of(&key);
            let read = |engine: &mut Engine| Ok(engine.world.flags[engine.flag(key.given())?].value);
            with(&of, &context, read).map(|value| Dynamic::from_int(value.into()))
        },
    );
    let of = Rc::clone(shared);
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, _: &mut Flags, key: Dynamic, value: Dynamic| {
            let (key, value) = (Owned::of(&key), Owned::of(&value));
            with(&of, &context, |engine| engine.write_flag(key.given(), value.given()))
        },
    );
}

fn constants(engine: &mut Rhai, shared: &Rc<Shared>) {
    let of = Rc::clone(shared);
    FuncRegistration::new_index_getter().with_purity(true).register_into_engine(
        engine,
        move |context: NativeCallContext<'_>, names: &mut Names, key: Dynamic| -> Outcome {
            let key = Owned::of(&key);
            let name = shown_key(key.given());
            let number = match names {
                Names::Attributes => attribute_constant(&name).map_err(|reason| fail(&context, reason))?.into(),
                Names::Items => with(&of, &context, |engine| item(engine, &name))?,
            };
            Ok(Dynamic::from_int(number))
        },
    );
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(
        engine,
        |context: NativeCallContext<'_>, names: &mut Names, key: ImmutableString, _: Dynamic| -> Outcome<()> {
            let list = if *names == Names::Attributes { "attr" } else { "item" };
            Err(fail(&context, format!("{list}.{key} cannot be changed: {list} is shared by all scripts")))
        },
    );
}

fn item(engine: &Engine, name: &str) -> Result<i64, CallError> {
    engine.item_named(name).map(|id| id.0.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::Given;

    #[test]
    fn a_float_index_is_its_whole_part() {
        assert_eq!(index_key(&Dynamic::from_float(1.0)), "1");
        assert_eq!(shown_key(Given::Int(-1)), "-1");
    }
}
