//! A scene in which every weapon rule can be reached, and helpers to set a state and look at a refusal.
//!
//! CYRUS is the player, GUARD is not, STONE has no animation state. All frames are one update long. In frame f of BODY
//! the grip pair is (f, 0, 0), (f, 0, 10) and the scabbard pair (0, f, 0), (0, f, 10), so a position tells pair and
//! frame apart.

use std::{fmt::Write, sync::Arc};

use soup386::{
    natives::Handler,
    update::Runtime,
    weapon::Conditions,
    world::{Actor, Event, World},
};

use super::support::{actor, call, runtime};

/// Items: 1 an owned sword, 2 owned, general; 3 a torch; 4 a sword that is not owned; 300 beyond a byte.
const ITEMS: &str = r#"
soup386 = 1
item = [
  { id = 1, type = "weapon", hand_model = "SABRE", hilt_model = "SABREH", length = 24, player_total = 1 },
  { id = 2, type = "general", player_total = 1 },
  { id = 3, type = "torch", player_total = 1 },
  { id = 4, type = "weapon", hand_model = "SABRE", length = 30 },
  { id = 300, type = "general" },
]
"#;

/// Each group: number, first and last frame shown, last command.
const GROUPS: [(u32, u32, u32, &str); 10] = [
    (0, 0, 0, "GoToPrevious 0"),
    (5, 0, 0, "GoToPrevious 0"),
    (8, 1, 1, "GoToPrevious 0"),
    (18, 0, 0, "GoToPrevious 0"),
    (30, 0, 0, "GoToPrevious 0"),
    (70, 0, 0, "GoToPrevious 0"),
    (79, 0, 0, "GoToPrevious 0"),
    (91, 2, 5, "EndAnimation"),
    (129, 6, 8, "EndAnimation"),
    (141, 0, 0, "GoToPrevious 0"),
];

/// The scene text. `keys` are more lines for each of the two animated actors.
pub(crate) fn scene(keys: &str) -> String {
    let mut text = ITEMS.to_owned();
    for name in ["SABRE", "SABREH"] {
        let _ = write!(text, "[[model]]\nname = \"{name}\"\nframes = [[[0, 0, 0]]]\n");
    }
    let frame = |f| format!("[[{f}, 0, 0], [{f}, 0, 10], [0, {f}, 0], [0, {f}, 10]]");
    let frames: Vec<String> = (0..9).map(frame).collect();
    let _ = write!(text, "[[model]]\nname = \"BODY\"\nframes = [{}]\n", frames.join(", "));
    for (name, is_player) in [("CYRUS", true), ("GUARD", false)] {
        let _ = write!(
            text,
            "[[actor]]\nname = \"{name}\"\nplayer = {is_player}\n{keys}\n\
             frames = [{{ model = \"BODY\", count = 9 }}]\ngrip = [0, 1]\nscabbard = [2, 3]\n\
             attributes = {{ 14 = 1, 23 = 1, 34 = 2, 35 = 2 }}\n"
        );
        for (index, first, last, end) in GROUPS {
            let shows: Vec<String> = (first..=last).map(|frame| format!("\"ShowFrame {frame}\"")).collect();
            let _ = write!(text, "[[actor.group]]\nindex = {index}\ncommands = [{}, \"{end}\"]\n", shows.join(", "));
        }
    }
    text.push_str("[[actor]]\nname = \"STONE\"\n");
    text
}

/// The scene at load.
pub(crate) fn yard() -> Runtime {
    runtime(&scene(""))
}

/// Changes an actor directly.
pub(crate) fn edit(runtime: &mut Runtime, name: &str, change: impl FnOnce(&mut Actor)) {
    let key = runtime.world().named(name).expect("an actor of this name");
    change(runtime.engine_mut().world.get_mut(key).expect("a live actor"));
}

/// Sets one attribute byte without any side effect.
pub(crate) fn set_attribute(runtime: &mut Runtime, name: &str, index: u8, value: u8) {
    edit(runtime, name, |actor| actor.attributes[index] = value);
}

/// Why the last call on the actor was refused; empty when it was not.
pub(crate) fn refusal(runtime: &Runtime, name: &str) -> String {
    actor(runtime, name).cold.refusal.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The weapon's place as the trace says it.
pub(crate) fn shown(runtime: &Runtime, name: &str) -> &'static str {
    actor(runtime, name).attachment.map_or("none", |attachment| attachment.shown.name())
}

/// Puts every later call of a function of this runtime into shell context.
pub(crate) fn call_from_shell(runtime: &mut Runtime, function: &str) {
    let engine = runtime.engine_mut();
    let id = engine.function_named(function).expect("a function of this name");
    let row = engine.natives.get(id).and_then(|native| native.handler.as_ref());
    let Some(&Handler::BuiltIn(handler)) = row else { panic!("{function} has no handler") };
    let in_shell = move |call: &mut soup386::natives::Call<'_>| {
        call.shell = true;
        handler(call)
    };
    let mut natives = (*engine.natives).clone();
    assert!(natives.bind(function, Handler::Host(Arc::new(in_shell))).is_ok());
    engine.natives = Arc::new(natives);
}

/// The conditions of an ordinary call in the world as it is.
pub(crate) fn conditions(runtime: &Runtime) -> Conditions {
    Conditions::ordinary(runtime.world())
}

/// Runs a step of the weapon rules on one actor, outside an update.
pub(crate) fn step<R>(
    runtime: &mut Runtime,
    name: &str,
    act: impl FnOnce(&soup386::defs::Defs, &mut Actor, Conditions, &mut Vec<Event>) -> R,
) -> R {
    let conditions = conditions(runtime);
    let engine = runtime.engine_mut();
    let key = engine.world.named(name).expect("an actor of this name");
    let (actor, events) = engine.world.actor_and_events(key).expect("a live actor");
    act(&engine.defs, actor, conditions, events)
}

/// The world without what a call always leaves: the reason of its refusal, and events.
fn without_reasons(world: &World) -> World {
    let mut world = world.clone();
    world.events.clear();
    for actor in world.actors_and_events().0 {
        actor.cold.refusal = None;
    }
    world
}

/// The call returns 0, is refused with this text, and changes nothing else.
#[track_caller]
pub(crate) fn refuses(runtime: &mut Runtime, name: &str, function: &str, args: &[i32], text: &str) {
    let before = without_reasons(runtime.world());
    assert_eq!(call(runtime, name, function, args), 0, "{function} returns 0");
    assert_eq!(refusal(runtime, name), text);
    assert_eq!(without_reasons(runtime.world()), before, "{function} changed something though it was refused: {text}");
}

/// The call is not refused.
#[track_caller]
pub(crate) fn admits(runtime: &mut Runtime, name: &str, function: &str, args: &[i32]) {
    assert_eq!(call(runtime, name, function, args), 0, "{function} returns 0");
    assert_eq!(refusal(runtime, name), "", "{function} is admitted");
}

/// A condition that closes a gate: what the refusal says, and how to make it hold.
pub(crate) type Closer = (&'static str, fn(&mut Runtime));

/// Where two gates are closed at once, the earlier one of the list is reported.
#[track_caller]
pub(crate) fn reports_the_earlier_gate(
    closers: &[Closer],
    start: impl Fn() -> Runtime,
    name: &str,
    function: &str,
    args: &[i32],
) {
    for (i, (reason, close_earlier)) in closers.iter().enumerate() {
        for (later, close_later) in &closers[i..] {
            let mut runtime = start();
            if later != reason {
                close_later(&mut runtime);
            }
            close_earlier(&mut runtime);
            assert_eq!(call(&mut runtime, name, function, args), 0);
            let said = refusal(&runtime, name);
            let wanted = format!("{} refused: {reason}", function.to_ascii_lowercase());
            assert!(said.starts_with(&wanted), "{reason} before {later}: {said}");
        }
    }
}
