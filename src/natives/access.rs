//! What every language does alike beside calling natives: look-ups, properties and their groups, extra values, checks of
//! the arguments of helper functions. One wording for all of them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use super::{CallError, Engine, Given, integer};
use crate::{
    defs::{FlagDef, ItemId, PropertyId, attribute_index, attribute_names, did_you_mean, functions, properties},
    world::{Actor, ActorKey, Shown},
};

/// A read-only value of an actor beside its properties.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// A name.
    Text(String),
    /// A number.
    Int(i64),
    /// A place in map units, with fraction.
    Place([f32; 3]),
    /// A place in whole map units.
    WholePlace([i32; 3]),
    /// There is none now.
    Nothing,
}

/// Names of the values that [`Engine::extra`] gives.
pub const EXTRAS: [&str; 8] = ["name", "shown", "shown_model", "position", "base", "tip", "hand_type", "hand_length"];

/// Names are looked up in this length at most, in bytes: looking one up takes as long as it is long.
pub const LONGEST_NAME: usize = 255;

/// The beginning of a text that names something.
fn cut(name: &str) -> &str {
    let end = (0..=name.len().min(LONGEST_NAME)).rev().find(|&end| name.is_char_boundary(end));
    &name[..end.unwrap_or(0)]
}

/// What a name stands for on an actor or within a group of its properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A property.
    Property(PropertyId),
    /// Names that begin alike, such as `hand_pos.…` or `grip[…]`.
    Group(GroupId),
}

/// A group of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupId(u16);

struct Group {
    prefix: &'static str,
    members: HashMap<String, Field>,
}

/// All groups, and what each name without group stands for.
struct Groups {
    groups: Vec<Group>,
    top: HashMap<&'static str, Field>,
}

static GROUPS: LazyLock<Groups> = LazyLock::new(|| {
    let mut ids: BTreeMap<&'static str, GroupId> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut top = HashMap::new();
    for row in properties().rows() {
        let mut parent = None;
        for (at, _) in row.name.match_indices(['.', '[']) {
            let prefix = &row.name[..at];
            let id = *ids.entry(prefix).or_insert_with(|| {
                groups.push(Group { prefix, members: HashMap::new() });
                GroupId(groups.len() as u16 - 1)
            });
            enter(&mut groups, &mut top, parent, prefix, Field::Group(id));
            parent = Some(id);
        }
        enter(&mut groups, &mut top, parent, row.name, Field::Property(row.id));
    }
    Groups { groups, top }
});

/// Files a name under its group. A name that is a group stays one: `pos` is where `pos.vx` is found.
fn enter(
    groups: &mut [Group],
    top: &mut HashMap<&'static str, Field>,
    parent: Option<GroupId>,
    name: &'static str,
    field: Field,
) {
    let is_group = matches!(field, Field::Group(_));
    match parent {
        Some(GroupId(id)) => {
            let group = &mut groups[usize::from(id)];
            let key = name[group.prefix.len()..].trim_matches(['.', '[', ']']).to_owned();
            if is_group || !group.members.contains_key(&key) {
                group.members.insert(key, field);
            }
        }
        None if is_group || !top.contains_key(name) => drop(top.insert(name, field)),
        None => {}
    }
}

/// What `name` stands for on an actor: a property or a group of them.
#[must_use]
pub fn field(name: &str) -> Option<Field> {
    let found = GROUPS.top.get(name).or_else(|| GROUPS.top.get(name.to_ascii_lowercase().as_str())).copied();
    found.or_else(|| properties().named(name).map(Field::Property))
}

/// Every name that stands alone: properties without a point, and groups.
pub fn fields() -> impl Iterator<Item = &'static str> {
    properties().rows().iter().map(|row| row.name.split(['.', '[']).next().unwrap_or(row.name))
}

/// Every name that stands within a group after a point, once each.
pub fn member_names() -> impl Iterator<Item = &'static str> {
    let mut names: Vec<&'static str> =
        GROUPS.groups.iter().flat_map(|group| group.members.keys()).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()))
}

impl GroupId {
    /// The names' common part.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        GROUPS.groups[usize::from(self.0)].prefix
    }

    /// What `key` stands for within the group.
    ///
    /// # Errors
    /// [`CallError::UnknownProperty`] with the whole name.
    pub fn field(self, key: &str) -> Result<Field, CallError> {
        let members = &GROUPS.groups[usize::from(self.0)].members;
        let found = members.get(key).or_else(|| members.get(key.to_ascii_lowercase().as_str())).copied();
        found.ok_or_else(|| {
            let is_index = key.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && !key.is_empty();
            let prefix = self.prefix();
            unknown_property(&if is_index { format!("{prefix}[{key}]") } else { format!("{prefix}.{key}") })
        })
    }
}

/// No property, function or extra value has this name.
#[must_use]
pub fn unknown_property(name: &str) -> CallError {
    let names = properties().rows().iter().map(|row| row.name);
    let functions = functions().rows().iter().map(|decl| decl.script_name.as_str());
    CallError::UnknownProperty { name: name.to_owned(), hint: did_you_mean(name, names.chain(functions).chain(EXTRAS)) }
}

/// Why a name of an actor cannot be assigned.
#[must_use]
pub fn cannot_write(name: &str) -> CallError {
    let known = EXTRAS.contains(&name) || functions().named(name).is_some();
    if known || field(name).is_some() {
        CallError::ReadOnly { property: name.to_owned() }
    } else {
        unknown_property(name)
    }
}

/// The property of a name.
///
/// # Errors
/// [`CallError::UnknownProperty`].
pub fn property_named(name: &str) -> Result<PropertyId, CallError> {
    let name = cut(name);
    properties().named(name).ok_or_else(|| unknown_property(name))
}

/// The value that a property or flag of this name is given.
///
/// # Errors
/// [`CallError::PropertyValue`].
pub fn assigned(name: &str, value: Given<'_>) -> Result<i32, CallError> {
    integer(value).map_err(|(expected, found)| CallError::PropertyValue { property: name.to_owned(), expected, found })
}

/// The attribute of a name or index.
///
/// # Errors
/// [`CallError::UnknownAttribute`]; [`CallError::Argument`] for an index outside a byte.
pub fn attribute(which: Given<'_>) -> Result<u8, CallError> {
    if let Given::Text(name) = which {
        let name = cut(name);
        return attribute_index(name).ok_or_else(|| CallError::UnknownAttribute {
            hint: did_you_mean(name, attribute_names().map(|(name, _)| name)),
            name: name.to_owned(),
        });
    }
    let wrong = |found| CallError::Argument {
        function: "attribute".to_owned(),
        position: 1,
        parameter: "attribute".to_owned(),
        expected: "an attribute name or an integer in 0..=255",
        found,
    };
    let index = integer(which).map_err(|(_, found)| wrong(found))?;
    u8::try_from(index).map_err(|_| wrong(index.to_string()))
}

/// The attribute of a constant's name, with or without `attr_`; a suggestion if there is none.
///
/// # Errors
/// What to say.
pub fn attribute_constant(name: &str) -> Result<u8, String> {
    let known = || attribute_names().map(|(known, _)| known);
    let short = |known: &'static str| known.trim_start_matches("attr_");
    let found = attribute_names().find(|&(known, _)| known == name || short(known) == name);
    found.map(|(_, index)| index).ok_or_else(|| {
        let hint = did_you_mean(name, known().chain(known().map(short)));
        format!("there is no attribute {name}{hint}")
    })
}

/// A text argument of a helper function.
///
/// # Errors
/// [`CallError::Argument`].
pub fn text_argument<'a>(
    function: &str,
    position: usize,
    parameter: &str,
    value: Given<'a>,
) -> Result<&'a str, CallError> {
    let (function, parameter) = (function.to_owned(), parameter.to_owned());
    let found = match value {
        Given::Text(text) if text.len() <= LONGEST_NAME => return Ok(text),
        Given::Text(text) => return Err(too_long(function, position, parameter, text.len())),
        Given::Int(value) => value.to_string(),
        Given::Float(value) => value.to_string(),
        Given::Other(kind) => kind.to_owned(),
    };
    Err(CallError::Argument { function, position, parameter, expected: "a text", found })
}

/// A name of so many bytes, which is more than any has.
#[must_use]
pub fn too_long(function: String, position: usize, parameter: String, bytes: usize) -> CallError {
    let (expected, found) = ("a text of at most 255 bytes", format!("a text of {bytes} bytes"));
    CallError::Argument { function, position, parameter, expected, found }
}

/// An integer argument of a helper function.
///
/// # Errors
/// [`CallError::Argument`].
pub fn integer_argument(function: &str, position: usize, parameter: &str, value: Given<'_>) -> Result<i32, CallError> {
    integer(value).map_err(|(expected, found)| {
        let (function, parameter) = (function.to_owned(), parameter.to_owned());
        CallError::Argument { function, position, parameter, expected, found }
    })
}

/// What a script does with a running task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskOp {
    /// Frees its slot.
    Stop,
    /// Passes it over.
    Pause,
    /// Lets it go on.
    Resume,
    /// Only asks.
    Active,
}

impl Engine {
    /// The live actor of a key.
    ///
    /// # Errors
    /// [`CallError::ActorRemoved`], [`CallError::ActorForgotten`].
    pub fn live(&self, key: ActorKey) -> Result<&Actor, CallError> {
        self.touch(key);
        self.world.get(key).ok_or_else(|| self.stale(key))
    }

    /// Writes a property.
    ///
    /// # Errors
    /// As [`Self::live`] and [`assigned`].
    pub fn write_property(&mut self, key: ActorKey, id: PropertyId, value: Given<'_>) -> Result<(), CallError> {
        self.touch(key);
        let Some(actor) = self.world.get_mut(key) else { return Err(self.stale(key)) };
        let name = properties().get(id).map_or("?", |row| row.name);
        actor.set_property(id, assigned(name, value)?);
        Ok(())
    }

    /// A value of [`EXTRAS`]; nothing for other names.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub fn extra(&self, key: ActorKey, name: &str) -> Result<Extra, CallError> {
        let (actor, defs) = (self.live(key)?, &self.defs);
        let shown_item = actor.shown_item.and_then(|id| defs.item(id));
        let ends = |end: fn(&crate::world::Endpoints) -> [i32; 3]| {
            actor.endpoints.as_ref().map_or(Extra::Nothing, |ends| Extra::WholePlace(end(ends)))
        };
        Ok(match name {
            "name" => Extra::Text(actor.cold.name.to_string()),
            "shown" => Extra::Text(actor.attachment.map_or("none", |held| Shown::name(held.shown)).to_owned()),
            "shown_model" => {
                let model = actor.attachment.and_then(|held| held.model(defs));
                model.map_or(Extra::Nothing, |model| Extra::Text(model.to_string()))
            }
            "position" => actor.attachment.map_or(Extra::Nothing, |held| Extra::Place(held.transform.position)),
            "base" => ends(|ends| ends.base.into()),
            "tip" => ends(|ends| ends.tip.into()),
            "hand_type" => Extra::Int(shown_item.map_or(0, |item| item.item_type.code().into())),
            "hand_length" => Extra::Int(shown_item.map_or(0, |item| item.length.into())),
            _ => Extra::Nothing,
        })
    }

    /// Why the last call on an actor was refused; empty when it was not.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub fn why(&self, key: ActorKey) -> Result<String, CallError> {
        Ok(self.live(key)?.cold.refusal.as_ref().map(ToString::to_string).unwrap_or_default())
    }

    /// How a handle reads as text.
    #[must_use]
    pub fn describe(&self, key: ActorKey) -> String {
        match (self.world.get(key), self.world.removal(key)) {
            (Some(actor), _) => format!("actor {}", actor.cold.name),
            (None, Some(removal)) => format!("removed actor {}", removal.name),
            (None, None) => "removed actor".to_owned(),
        }
    }

    /// Makes an actor from the record of a scene actor's name.
    ///
    /// # Errors
    /// [`CallError::UnknownActor`], [`CallError::Spawn`].
    pub fn spawn_named(&mut self, template: &str, name: &str) -> Result<ActorKey, CallError> {
        let Some(def) = self.defs.actor_named(template) else {
            let names = self.defs.actors().iter().map(|record| record.name.as_str()).take(1000);
            return Err(CallError::UnknownActor { hint: did_you_mean(template, names), name: template.to_owned() });
        };
        self.spawn(def, name)
    }

    /// The item of a name.
    ///
    /// # Errors
    /// [`CallError::UnknownItem`].
    pub fn item_named(&self, name: &str) -> Result<ItemId, CallError> {
        let found = self.defs.items().find(|item| item.name.eq_ignore_ascii_case(name)).map(|item| item.id);
        found.ok_or_else(|| CallError::UnknownItem {
            hint: did_you_mean(name, self.defs.items().map(|item| item.name.as_str())),
            name: name.to_owned(),
        })
    }

    /// The position of a flag given by name or id; it is within the world's list.
    ///
    /// # Errors
    /// [`CallError::UnknownFlag`].
    pub fn flag(&self, which: Given<'_>) -> Result<usize, CallError> {
        let defs = &self.defs;
        let found = match which {
            Given::Text(name) => defs.flag_named(cut(name)),
            other => integer(other).ok().and_then(|id| usize::try_from(id).ok()),
        };
        found.filter(|&id| id < defs.flags().len() && id < self.world.flags.len()).ok_or_else(|| {
            let names = || defs.flags().iter().map(|flag: &FlagDef| flag.name.as_str());
            let (flag, hint) = match which {
                Given::Text(name) => (format!("{:?}", cut(name)), did_you_mean(cut(name), names())),
                other => (shown_key(other), String::new()),
            };
            CallError::UnknownFlag { flag, hint }
        })
    }

    /// Writes a flag.
    ///
    /// # Errors
    /// As [`Self::flag`] and [`assigned`].
    pub fn write_flag(&mut self, which: Given<'_>, value: Given<'_>) -> Result<(), CallError> {
        let index = self.flag(which)?;
        self.world.flags[index].value = assigned(&format!("flags.{}", shown_key(which)), value)?;
        Ok(())
    }

    /// Does something with a task; whether it was running.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub fn task(&mut self, key: ActorKey, serial: Option<u64>, op: TaskOp) -> Result<bool, CallError> {
        let Some(actor) = self.world.get_mut(key) else { return Err(self.stale(key)) };
        let Some(task) = serial.and_then(|serial| actor.tasks.get_mut(serial)) else { return Ok(false) };
        let serial = task.serial;
        match op {
            TaskOp::Pause => task.paused = true,
            TaskOp::Resume => task.paused = false,
            TaskOp::Stop => drop(actor.tasks.stop(serial)),
            TaskOp::Active => {}
        }
        Ok(true)
    }
}

/// How a key reads in a message.
#[must_use]
pub fn shown_key(key: Given<'_>) -> String {
    match key {
        Given::Text(text) | Given::Other(text) => cut(text).to_owned(),
        Given::Int(value) => value.to_string(),
        Given::Float(value) => value.to_string(),
    }
}
