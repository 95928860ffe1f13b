//! The torch: lighting, burning, putting out.

use soup386::{update::Runtime, world::Actor};

use super::{
    support::{actor, call, runtime, updates},
    yard::{Closer, admits, call_from_shell, edit, refusal, reports_the_earlier_gate, scene, set_attribute},
};

/// The yard with the torch's groups, for the player and the guard alike.
fn hall() -> Runtime {
    let groups = |text: &str| {
        let mut text = text.to_owned();
        for index in [149, 150] {
            text += &format!(
                "[[actor.group]]\nindex = {index}\ncommands = [\"ShowFrame 0\", \"ShowFrame 1\", \"ShowFrame 2\", \
                 \"ShowFrame 3\", \"EndAnimation\"]\n"
            );
        }
        text
    };
    let text = scene("").replace("soup386 = 1\n", "soup386 = 1\ntorch_time = 11\n");
    let marker = "[[actor]]\nname = ";
    let mut parts = text.split(marker);
    let mut whole = parts.next().expect("a head").to_owned();
    for part in parts {
        let part = if part.starts_with("\"STONE") { part.to_owned() } else { groups(part) };
        whole = format!("{whole}{marker}{part}");
    }
    let mut runtime = runtime(&whole);
    for name in ["CYRUS", "GUARD"] {
        edit(&mut runtime, name, |actor| {
            actor.attributes[23] = 0;
            (actor.attributes[103], actor.attributes[104]) = (2, 1);
        });
    }
    runtime
}

fn state(runtime: &Runtime) -> (u8, u8, u8, i16) {
    let cyrus = actor(runtime, "CYRUS");
    (cyrus.extra_flag, cyrus.torch_timer, cyrus.hand_item, cyrus.playback.current)
}

/// X20: the predicates read motion state or group, behind the gates.
#[test]
fn torch_predicates() {
    for (flag, current, expected) in
        [(0, 0, [0, 0, 0]), (33, 0, [1, 0, 1]), (0, 149, [1, 0, 1]), (34, 0, [0, 1, 1]), (33, 150, [1, 1, 1])]
    {
        let mut runtime = hall();
        edit(&mut runtime, "CYRUS", |actor| (actor.extra_flag, actor.playback.current) = (flag, current));
        let names = ["IsLightingTorch", "IsUnlightingTorch", "IsLightingOrUnlighting"];
        assert_eq!(names.map(|name| call(&mut runtime, "CYRUS", name, &[])), expected, "{flag}, {current}");
        runtime.engine_mut().world.items.open = false;
        assert_eq!(names.map(|name| call(&mut runtime, "CYRUS", name, &[])), [0, 0, 0], "closed");
    }
}

const LIGHT_CLOSERS: [Closer; 12] = [
    ("the item system is closed", |r| r.engine_mut().world.items.open = false),
    ("not allowed in shell context", |r| call_from_shell(r, "LightTorch")),
    ("the actor is in water (under_surface = 3)", |r| edit(r, "CYRUS", |a| a.under_surface = 3)),
    ("the motion state forbids it (extra_flag = 15)", |r| edit(r, "CYRUS", |a| a.extra_flag = 15)),
    ("the actor is on an edge (extra_flag = 10)", |r| edit(r, "CYRUS", |a| a.extra_flag = 10)),
    ("a torch is being lit or put out (extra_flag = ", |r| edit(r, "CYRUS", |a| a.playback.current = 150)),
    ("the torch burns (torch_timer = 4)", |r| edit(r, "CYRUS", |a| a.torch_timer = 4)),
    ("a weapon is already in the hand", |r| set_attribute(r, "CYRUS", 110, 1)),
    ("the sword is being drawn", |r| edit(r, "CYRUS", |a| a.extra_flag = 20)),
    ("the sword is being put away", |r| edit(r, "CYRUS", |a| a.extra_flag = 21)),
    ("the actor is falling (fall_flag = 1)", |r| edit(r, "CYRUS", |a| a.fall_flag = 1)),
    ("a motion is queued (jump_flag = 1)", |r| edit(r, "CYRUS", |a| a.jump_flag = 1)),
];

const DOUSE_CLOSERS: [Closer; 6] = [
    ("the item system is closed", |r| r.engine_mut().world.items.open = false),
    ("not allowed in shell context", |r| call_from_shell(r, "UnlightTorch")),
    ("the motion state forbids it (extra_flag = 27)", |r| edit(r, "CYRUS", |a| a.extra_flag = 27)),
    ("a torch is being lit or put out (extra_flag = ", |r| edit(r, "CYRUS", |a| a.playback.current = 149)),
    ("the sword is being drawn", |r| edit(r, "CYRUS", |a| a.extra_flag = 20)),
    ("the sword is being put away", |r| edit(r, "CYRUS", |a| a.extra_flag = 21)),
];

/// X21: each gate closes, earlier ones first; without the group nothing happens either.
#[test]
fn torch_gates() {
    // States that share a byte cannot hold at once: the gates on it are tested one at a time.
    for (closers, function) in [(&LIGHT_CLOSERS[..], "LightTorch"), (&DOUSE_CLOSERS[..], "UnlightTorch")] {
        for closer in closers {
            reports_the_earlier_gate(&[*closer], hall, "CYRUS", function, &[]);
        }
        let mut runtime = super::yard::yard();
        call(&mut runtime, "CYRUS", function, &[]);
        assert!(refusal(&runtime, "CYRUS").contains("the actor does not have the animation group (group = 1"));
        call(&mut runtime, "STONE", function, &[]);
        assert!(refusal(&runtime, "STONE").contains("no animation state"));
    }
}

/// X21, X22: a torch is lit when group 149 reaches attribute 103, for one and a half times the scene's time.
#[test]
fn a_torch_is_lit() {
    let mut runtime = hall();
    edit(&mut runtime, "CYRUS", |actor| actor.hand_item = 3);
    admits(&mut runtime, "CYRUS", "LightTorch", &[]);
    assert_eq!(state(&runtime).0, 33);
    // 11 * 1.5 = 16.5, to even.
    let states: Vec<_> = (0..4).map(|_| (updates(&mut runtime, 1), state(&runtime)).1).collect();
    let lit = states.iter().position(|state| state.1 != 0).expect("the torch burns");
    assert_eq!(states[lit], (0, 16, 3, 149));
    assert!(states[..lit].iter().all(|state| *state == (33, 0, 3, 149)), "{states:?}");
    assert!(lit > 0, "not before the frame");
}

/// X22: without a held item a transition does not end.
#[test]
fn nothing_is_lit_without_an_item() {
    let mut runtime = hall();
    admits(&mut runtime, "CYRUS", "LightTorch", &[]);
    updates(&mut runtime, 6);
    assert_eq!((state(&runtime).0, state(&runtime).1), (33, 0));
}

fn burning(timer: u8) -> Runtime {
    let mut runtime = hall();
    edit(&mut runtime, "CYRUS", |actor| (actor.hand_item, actor.torch_timer) = (3, timer));
    runtime
}

/// X22: a doused torch remembers what is left, and is lit again with that.
#[test]
fn a_doused_torch_keeps_its_time() {
    let mut runtime = burning(9);
    admits(&mut runtime, "CYRUS", "UnlightTorch", &[]);
    updates(&mut runtime, 3);
    assert_eq!((state(&runtime).0, state(&runtime).1, state(&runtime).2), (0, 0, 0));
    assert_eq!(actor(&runtime, "CYRUS").cold.saved_torch, 9);
    assert_eq!(call(&mut runtime, "CYRUS", "HaveItem", &[3]), 1, "it is not used up");
    updates(&mut runtime, 5);
    edit(&mut runtime, "CYRUS", |actor| actor.hand_item = 3);
    admits(&mut runtime, "CYRUS", "LightTorch", &[]);
    updates(&mut runtime, 4);
    assert_eq!((state(&runtime).0, state(&runtime).1, state(&runtime).2), (0, 9, 3));
}

/// X22: the counter falls by the tick input at updates 7, 15, …; at its end the torch goes out and one is used up.
#[test]
fn a_torch_burns_down() {
    let mut runtime = burning(2);
    let mut timers = Vec::new();
    for _ in 0..16 {
        updates(&mut runtime, 1);
        timers.push(state(&runtime).1);
    }
    assert_eq!(timers, [2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(state(&runtime).0, 34, "it is being put out");
    updates(&mut runtime, 4);
    assert_eq!((state(&runtime).0, state(&runtime).2), (0, 0));
    assert_eq!(call(&mut runtime, "CYRUS", "HaveItem", &[3]), 0);
}

/// X22: shallow water puts the torch out, deep water at once; deep water or a weapon in the hand drops the held item.
#[test]
fn water_and_weapons() {
    let mut runtime = burning(9);
    edit(&mut runtime, "CYRUS", |actor| actor.under_surface = 1);
    updates(&mut runtime, 8);
    assert_eq!((state(&runtime).0, state(&runtime).1), (34, 9));
    let drop = |prepare: fn(&mut Actor)| {
        let mut runtime = burning(9);
        edit(&mut runtime, "CYRUS", prepare);
        updates(&mut runtime, 1);
        let held = state(&runtime).2;
        updates(&mut runtime, 7);
        (held, state(&runtime).1)
    };
    assert_eq!(drop(|actor| actor.under_surface = 2), (0, 0));
    assert_eq!(drop(|actor| actor.attributes[110] = 1), (0, 8));
    assert_eq!(drop(|actor| actor.hide = 1), (3, 9), "an actor that is not presented keeps all");
}
