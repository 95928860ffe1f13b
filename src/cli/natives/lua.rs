//! Definitions of the script API for Lua editors (LuaCATS).

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use super::{Listed, doc_lines};
use crate::defs::{FunctionKind, Tag, functions, properties};

/// Values of an actor beside its properties; all are read only.
const EXTRAS: [(&str, &str, &str); 8] = [
    ("name", "string", "the name"),
    ("shown", "\"none\"|\"hand\"|\"hilt\"|\"hilt_grip\"", "how the item is shown"),
    ("shown_model", "string?", "the model that is shown"),
    ("position", "Point?", "where the item is shown, in map units"),
    ("base", "Point?", "the blade's base, Q8"),
    ("tip", "Point?", "the blade's tip, Q8"),
    ("hand_type", "integer", "type code of the shown item: 0 general, 1 weapon, 2 hand object, 3 torch"),
    ("hand_length", "integer", "blade length of the shown item"),
];

/// What stands above the functions.
const HEAD: &str = "\
---@meta
-- The script API of soup386, written by `soup386 natives --format lua`.
-- Names of functions compare without case. In the script of an actor they are also plain functions on `me`.

---@class Point
---@field x number
---@field y number
---@field z number

---@class Task
local Task = {}
---Ends the task. Like the others it returns whether the task was still there.
---@return boolean
function Task:stop() end
---Holds the task.
---@return boolean
function Task:pause() end
---Lets the task go on.
---@return boolean
function Task:resume() end
---Only asks.
---@return boolean
function Task:active() end
";

/// Functions of actors that are no natives.
const ACTOR_METHODS: &str = "\
---Whether the actor is still in the world.
---@return boolean
function Actor:valid() end
---Takes the actor out of the world: its tasks and waits never run again.
function Actor:remove() end
---Where a named point is in this update; a name that is no attachment is looked up among the joints.
---@param name string
---@return {position: {x: number, y: number, z: number}, matrix: number[]}
function Actor:attachment(name) end
---The names of its attachments.
---@return string[]
function Actor:attachments() end
---An event with the place of a named point in this update, for the host.
---@param point string
---@param effect string
function Actor:emit(point, effect) end
---Why the last call on this actor was refused; empty when it was not.
---@return string
function Actor:why() end
---An attribute byte by name or index.
---@param which string|integer
---@return integer
function Actor:attribute(which) end
---A property by its full name, such as `hand_pos.vx`.
---@param name string
---@return integer
function Actor:property(name) end
---Calls that do not hold the script.
---@return Multitask
function Actor:multitask() end
";

/// Everything that is not on an actor.
const GLOBALS: &str = "\
---The actor of this name; an error when there is none.
---@param name string
---@return Actor
function actor(name) end
---The actor of this name; nil when there is none.
---@param name string
---@return Actor?
function find(name) end
---All actors in update order.
---@return Actor[]
function actors() end
---Makes an actor from an actor of the scene.
---@param template string
---@param name string
---@return Actor
function spawn(template, name) end
---Index of this update.
---@return integer
function tick() end
---Waits for the next update.
function next_update() end
---Waits for so many updates.
---@param n integer
function updates(n) end
---Waits until the condition holds; an error after `max` updates.
---@param condition fun(): boolean
---@param max integer
function wait_until(condition, max) end
---Writes a line to stdout.
---@param ... any
function print(...) end
---Loads a module from the script's own folder.
---@param name string
---@return any
function require(name) end

---@class ScenarioOptions
---@field tags? string[]|string
---@field updates? integer updates after which it fails
---@field seconds? number seconds after which it fails
---@field local_trace? integer updates of the actors involved that a failure shows
---@field skip? string why it is not to run
---@field only? boolean whether no others run
---@field allow_script_errors? boolean whether it goes on when the script of an actor fails
---Names the scene of a scenario file, beneath its folder.
---@param file string
function scene(file) end
---Declares a scenario.
---@param name string
---@param options ScenarioOptions
---@param body fun()
---@overload fun(name: string, body: fun())
function scenario(name, options, body) end
---Declares a scenario; no others run while there is one like it.
---@param name string
---@param options ScenarioOptions
---@param body fun()
---@overload fun(name: string, body: fun())
function only(name, options, body) end
---Runs before each scenario of the file.
---@param body fun()
function before_each(body) end
---@class Expectation
local Expectation = {}
---It is the value.
---@param value any
---@return Expectation
function Expectation:equals(value) end
---It is not the value.
---@param value any
---@return Expectation
function Expectation:differs(value) end
---It differs from the value by at most the tolerance.
---@param value any
---@param tolerance number
---@return Expectation
function Expectation:near(value, tolerance) end
---It is a number and not below the bound.
---@param bound number
---@return Expectation
function Expectation:at_least(bound) end
---It is a number and not above the bound.
---@param bound number
---@return Expectation
function Expectation:at_most(bound) end
---It is true, or the 1 of a predicate.
---@return Expectation
function Expectation:is_true() end
---It is false, or the 0 of a predicate.
---@return Expectation
function Expectation:is_false() end
---The text, list or table contains the value.
---@param value any
---@return Expectation
function Expectation:contains(value) end
---An expectation, to be followed by a matcher.
---@param value any
---@return Expectation
function expect(value) end
---The function raises an error whose words contain the text; gives the words.
---@param body fun()
---@param text? string
---@return string
function expect_error(body, text) end
---Compares the trace so far with a file beneath the script's folder.
---@param file string
function golden(file) end
---Ends the scenario, which then is skipped.
---@param why string
function skip(why) end

---@class Log
---@field info fun(...: any)
---@field warn fun(...: any)
---@field error fun(...: any)
---@type Log
log = nil
---Values of global flags, by name or id.
---@type table<string|integer, integer>
flags = nil
---Ids of the scene's items by name.
---@type table<string, integer>
item = nil
---Calls on the own actor that do not hold the script (actor scripts only).
---@type Multitask
multitask = nil
---The player.
---@type Actor
player = nil
---The own actor (actor scripts only).
---@type Actor
me = nil
";

pub(super) fn write(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
    actor_classes(out)?;
    writeln!(out, "{ACTOR_METHODS}")?;
    for listed in listed {
        method(out, listed)?;
    }
    writeln!(out, "\n---@class Multitask\nlocal Multitask = {{}}")?;
    for listed in listed.iter().filter(|(decl, _)| decl.kind != FunctionKind::Function) {
        task_form(out, listed)?;
    }
    writeln!(out, "\n{GLOBALS}")?;
    attributes(out)
}

/// The properties as nested classes: `pos.vx` is field `vx` of the class of `pos`, `grip[0]` field `[0]` of `grip`.
fn actor_classes(out: &mut dyn Write) -> io::Result<()> {
    let classes = classes();
    for (path, fields) in classes.iter().filter(|(path, _)| !path.is_empty()) {
        writeln!(out, "---@class Actor.{path}")?;
        // `actor.move.vx` is a property, `actor:move(…)` a function.
        if let Some(decl) = functions().named(path).and_then(|id| functions().get(id)) {
            let parameters: String = decl.parameters.iter().map(|name| format!(", {name}: integer")).collect();
            writeln!(out, "---@overload fun(self: Actor{parameters}): integer")?;
        }
        fields.iter().try_for_each(|field| writeln!(out, "{field}"))?;
        writeln!(out)?;
    }
    writeln!(out, "---@class Actor")?;
    for (name, kind, doc) in EXTRAS {
        writeln!(out, "---@field {name} {kind} {doc} (read only)")?;
    }
    classes.get("").into_iter().flatten().try_for_each(|field| writeln!(out, "{field}"))?;
    writeln!(out, "local Actor = {{}}\n")
}

/// Lines of the classes, by the path of the class; the actor's own path is empty.
fn classes() -> BTreeMap<&'static str, Vec<String>> {
    let mut groups: BTreeSet<&'static str> = BTreeSet::new();
    for row in properties().rows() {
        groups.extend(row.name.match_indices(['.', '[']).map(|(at, _)| &row.name[..at]));
    }
    let mut classes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for &group in &groups {
        let (parent, field) = group.rsplit_once('.').unwrap_or(("", group));
        classes.entry(parent).or_default().push(format!("---@field {field} Actor.{group}"));
    }
    for row in properties().rows() {
        let at = row.name.rfind(['.', '[']);
        let (parent, field) = at.map_or(("", row.name), |at| (&row.name[..at], row.name[at..].trim_start_matches('.')));
        classes.entry(parent).or_default().push(property(row.name, parent, field, row.tag, groups.contains(row.name)));
    }
    classes
}

/// The line of one property. One that another meaning of its name hides is still reached by `actor:property(name)`.
fn property(name: &str, parent: &str, field: &str, tag: Tag, is_group: bool) -> String {
    let is_method = functions().named(name).is_some() || name == "attribute";
    let is_extra = EXTRAS.iter().any(|&(extra, ..)| extra == name);
    if parent.is_empty() && (is_group || is_method || is_extra) {
        return format!("-- the property {name} is hidden by another meaning: actor:property(\"{name}\")");
    }
    let doc = match tag {
        Tag::Byte => "byte",
        Tag::Word => "word",
        Tag::Long => "double word",
        Tag::Anim => "animation record",
        Tag::Size => "size record",
        Tag::Pointer => "1 present, 0 absent",
    };
    format!("---@field {field} integer {doc}")
}

fn method(out: &mut dyn Write, listed: &Listed) -> io::Result<()> {
    let (decl, _) = listed;
    // A group of properties of this name takes the calls too.
    if properties().rows().iter().any(|row| row.name.starts_with(&format!("{}.", decl.script_name))) {
        return Ok(());
    }
    doc_lines(listed).iter().try_for_each(|line| writeln!(out, "---{line}"))?;
    decl.parameters.iter().try_for_each(|name| writeln!(out, "---@param {name} integer"))?;
    writeln!(out, "---@return integer")?;
    writeln!(out, "function Actor:{}({}) end", decl.script_name, decl.parameters.join(", "))
}

/// The form of a task that returns its handle; both `multitask.wait(10)` and `a:multitask():wait(10)` are good.
fn task_form(out: &mut dyn Write, listed: &Listed) -> io::Result<()> {
    let (decl, _) = listed;
    let typed: String = decl.parameters.iter().map(|name| format!(", {name}: integer")).collect();
    writeln!(out, "---{}", doc_lines(listed)[0])?;
    writeln!(out, "---@overload fun(self: Multitask{typed}): Task")?;
    decl.parameters.iter().try_for_each(|name| writeln!(out, "---@param {name} integer"))?;
    writeln!(out, "---@return Task")?;
    writeln!(out, "function Multitask.{}({}) end", decl.script_name, decl.parameters.join(", "))
}

/// The constants of `attr`, with and without their prefix.
fn attributes(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "---Indices of attributes by name, with or without `attr_`.\n---@class Attributes")?;
    for (name, index) in crate::defs::attribute_names() {
        writeln!(out, "---@field {name} integer {index}")?;
        writeln!(out, "---@field {} integer {index}", name.trim_start_matches("attr_"))?;
    }
    writeln!(out, "---@type Attributes\nattr = nil")
}
