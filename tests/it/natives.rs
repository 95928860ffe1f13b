//! Natives about one actor: attributes, life, surroundings, action words; and global flags.

use soup386::{
    update::Runtime,
    world::{Actor, EventKind},
};

use super::{
    support::{actor, call, runtime, set_property, updates},
    yard::{
        Closer, admits, call_from_shell, edit, refusal, refuses, reports_the_earlier_gate, scene, set_attribute, shown,
        yard,
    },
};

/// X1: GetAttribute and SetAttribute take the index's low byte, SetAttribute stores the value's.
#[test]
fn getattribute_and_setattribute_mask_their_index() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "SetAttribute", &[256 + 200, 0x1_2a]);
    assert_eq!(actor(&runtime, "GUARD").attribute(200), 42);
    for index in [200, 456, -56] {
        assert_eq!(call(&mut runtime, "GUARD", "GetAttribute", &[index]), 42, "{index}");
    }
    admits(&mut runtime, "GUARD", "SetAttribute", &[-56, -1]);
    assert_eq!(call(&mut runtime, "GUARD", "GetAttribute", &[200]), 255);
}

/// X1: GetMyAttr and SetMyAttr know no index outside 0..=255.
#[test]
fn getmyattr_and_setmyattr_check_their_index() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "SetMyAttr", &[200, 0x1_2a]);
    assert_eq!(call(&mut runtime, "GUARD", "GetMyAttr", &[200]), 42);
    for index in [-1, 256, 456, -56, i32::MIN] {
        let text = format!("refused: there is no such attribute (index = {index})");
        refuses(&mut runtime, "GUARD", "GetMyAttr", &[index], &format!("getmyattr {text}"));
        refuses(&mut runtime, "GUARD", "SetMyAttr", &[index, 7], &format!("setmyattr {text}"));
    }
}

/// X1: no other attribute acts at the write: only its byte changes, and no matrix, group or flag.
#[test]
fn attribute_writes_have_no_other_effect() {
    for function in ["SetAttribute", "SetMyAttr"] {
        for index in (0..=255).filter(|index| ![1, 6].contains(index)) {
            let mut runtime = yard();
            let mut expected = actor(&runtime, "GUARD").clone();
            expected.attributes[index] = 99;
            admits(&mut runtime, "GUARD", function, &[index.into(), 99]);
            assert_eq!(*actor(&runtime, "GUARD"), expected, "{function} of {index}");
        }
    }
}

/// A scene with one flag of each kind, and GUARD of the yard.
fn flagged() -> Runtime {
    let flags = "flag = [{ name = \"b\", kind = \"bool\", value = 1 }, { name = \"f\", kind = \"flipflop\" }, \
                 { name = \"c\", kind = \"counter\", value = 2 }, { name = \"n\", value = 5 }]";
    runtime(&scene("").replace("soup386 = 1", &format!("soup386 = 1\n{flags}")))
}

/// Value and TestGlobalFlag after a set.
fn set(runtime: &mut Runtime, id: i32) -> (i32, i32) {
    assert_eq!(call(runtime, "GUARD", "SetGlobalFlag", &[id]), 0);
    (runtime.world().flags[id as usize].value, call(runtime, "GUARD", "TestGlobalFlag", &[id]))
}

/// X11: what a set does to each kind, and that a reset clears the latch and nothing else.
#[test]
fn setglobalflag_acts_as_the_kind_says() {
    let mut runtime = flagged();
    for id in 0..4 {
        assert_eq!(call(&mut runtime, "GUARD", "TestGlobalFlag", &[id]), 0, "unlatched at the start");
    }
    assert_eq!([set(&mut runtime, 0), set(&mut runtime, 0)], [(0, 1), (0, 1)], "a latched bool stays");
    admits(&mut runtime, "GUARD", "ResetGlobalFlag", &[0]);
    assert_eq!(call(&mut runtime, "GUARD", "TestGlobalFlag", &[0]), 0);
    assert_eq!([set(&mut runtime, 0), set(&mut runtime, 0)], [(1, 1), (1, 1)]);
    assert_eq!([set(&mut runtime, 1), set(&mut runtime, 1), set(&mut runtime, 1)], [(1, 0), (0, 0), (1, 0)]);
    assert_eq!([set(&mut runtime, 2), set(&mut runtime, 2)], [(1, 1), (0, 1)], "a counter ignores its latch");
    admits(&mut runtime, "GUARD", "ResetGlobalFlag", &[2]);
    assert_eq!(set(&mut runtime, 2), (0, 0), "at zero nothing happens");
    assert_eq!(set(&mut runtime, 3), (5, 1), "a number is only latched");
    runtime.engine_mut().world.flags[2].value = i32::MIN;
    assert_eq!(set(&mut runtime, 2), (i32::MAX, 1), "a counter wraps");
    runtime.engine_mut().world.flags[1].value = -3;
    assert_eq!(set(&mut runtime, 1), (0, 0));
}

/// X11: a latched bool, a counter at zero and ids outside the table say so and change nothing.
#[test]
fn flags_name_their_gates() {
    let mut runtime = flagged();
    set(&mut runtime, 0);
    refuses(&mut runtime, "GUARD", "SetGlobalFlag", &[0], "setglobalflag refused: the flag is latched (flag = 0)");
    runtime.engine_mut().world.flags[2].value = 0;
    refuses(&mut runtime, "GUARD", "SetGlobalFlag", &[2], "setglobalflag refused: the counter is at zero (flag = 2)");
    for id in [4, -1, i32::MAX] {
        for function in ["SetGlobalFlag", "TestGlobalFlag", "ResetGlobalFlag"] {
            let text = format!("{} refused: no flag has this id (flag = {id})", function.to_ascii_lowercase());
            refuses(&mut runtime, "GUARD", function, &[id], &text);
        }
    }
}

/// X12: a hidden actor goes on in everything but presentation; what was shown stays until the next update.
#[test]
fn hideme_and_showme() {
    let mut runtime = yard();
    call(&mut runtime, "GUARD", "Wait", &[100]);
    updates(&mut runtime, 1);
    admits(&mut runtime, "GUARD", "HideMe", &[]);
    assert_eq!((actor(&runtime, "GUARD").hide, shown(&runtime, "GUARD")), (1, "hilt"));
    let frame = actor(&runtime, "GUARD").playback.real_frame;
    updates(&mut runtime, 1);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((shown(&runtime, "GUARD"), guard.playback.real_frame), ("none", frame + 1));
    assert_eq!(guard.tasks.running()[0].counter, 3, "two passes");
    admits(&mut runtime, "GUARD", "ShowMe", &[]);
    assert_eq!(actor(&runtime, "GUARD").hide, 0);
    updates(&mut runtime, 1);
    assert_eq!(shown(&runtime, "GUARD"), "hilt");
}

/// X13: each pair sets and clears its own bit of script-control, and nothing else.
#[test]
fn script_and_hook_switches_change_one_bit() {
    for (function, from, to) in [
        ("DisableScript", 0, 1),
        ("DisableScript", 0xfe, 0xff),
        ("EnableScript", 0xff, 0xfe),
        ("EnableScript", 0, 0),
        ("DisableHook", 0xfd, 0xff),
        ("EnableHook", 0xff, 0xfd),
    ] {
        let mut runtime = yard();
        call(&mut runtime, "GUARD", "Wait", &[100]);
        edit(&mut runtime, "GUARD", |actor| actor.disable_script = from);
        let mut expected = actor(&runtime, "GUARD").clone();
        expected.disable_script = to;
        admits(&mut runtime, "GUARD", function, &[]);
        assert_eq!(*actor(&runtime, "GUARD"), expected, "{function} from {from}");
    }
}

/// X14: killed: flag, selector 8, sounds stopped; everything else stays, updates pass it over, presentation does not.
#[test]
fn killme_ends_ordinary_updates_only() {
    let mut runtime = yard();
    updates(&mut runtime, 1);
    call(&mut runtime, "GUARD", "Wait", &[100]);
    set_attribute(&mut runtime, "GUARD", 40, 1);
    edit(&mut runtime, "GUARD", |actor| {
        (actor.weapon_drawn, actor.hand_item) = (1, 2);
        actor.combat.as_mut().expect("a combat record").cooldown = 9;
    });
    let mut expected = actor(&runtime, "GUARD").clone();
    (expected.dead, expected.ai_type) = (1, 8);
    admits(&mut runtime, "GUARD", "KillMe", &[]);
    assert_eq!(*actor(&runtime, "GUARD"), expected);
    let guard = expected.key;
    let stopped = |event: &soup386::world::Event| event.actor == guard && event.kind == EventKind::SoundsStopped;
    assert!(runtime.world().events.iter().any(stopped));
    edit(&mut runtime, "GUARD", |actor| actor.pos.x.0 = 256);
    updates(&mut runtime, 3);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((shown(&runtime, "GUARD"), guard.floating[0], guard.pos.x.0), ("hand", 1.0, 256));
    assert_eq!((guard.playback, &guard.tasks, guard.combat), (expected.playback, &expected.tasks, expected.combat));
}

/// GUARD with a used combat record, after `set` and resurrect.
fn resurrected(set: impl FnOnce(&mut Actor)) -> (Actor, Actor) {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| {
        let combat = actor.combat.as_mut().expect("a combat record");
        (combat.cooldown, combat.action, combat.flags, combat.death_default) = (9, 3, 0xff, 124);
        (actor.weapon_drawn, actor.extra_flag, actor.cold.ai_mode, actor.hand_item) = (1, 12, 7, 2);
        set(actor);
    });
    let before = actor(&runtime, "GUARD").clone();
    assert_eq!(call(&mut runtime, "GUARD", "resurrect", &[]), 0);
    let mut after = actor(&runtime, "GUARD").clone();
    after.cold.refusal = None;
    (before, after)
}

/// X15: only for the killed and the dead: the flag is cleared and the record set up anew with its index; selector 8
/// stays, 6 becomes 1 with mode 0.
#[test]
fn resurrect_sets_the_combat_record_up_anew() {
    let fresh = |mut actor: Actor| {
        actor.dead = 0;
        if let Some(combat) = &mut actor.combat {
            (combat.cooldown, combat.action, combat.flags, combat.death_default) = (0, -1, 0, 0);
        }
        actor
    };
    let (before, after) = resurrected(|actor| (actor.dead, actor.ai_type) = (1, 8));
    assert_eq!(after, fresh(before));
    assert_eq!((after.ai_type, after.combat.map(|combat| combat.index)), (8, Some(1)), "GUARD's is the second record");
    let (before, after) = resurrected(|actor| actor.ai_type = 8);
    assert_eq!(after, fresh(before));
    let (before, after) = resurrected(|actor| (actor.dead, actor.ai_type) = (1, 6));
    let mut expected = fresh(before);
    (expected.ai_type, expected.cold.ai_mode) = (1, 0);
    assert_eq!(after, expected);
    let (before, after) = resurrected(|actor| (actor.dead, actor.ai_type, actor.combat) = (1, 6, None));
    assert_eq!(after, fresh(before), "without record the selector stays");
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| actor.ai_type = 6);
    let text = "resurrect refused: the actor is neither killed nor dead (dead = 0, ai_type = 6)";
    refuses(&mut runtime, "GUARD", "resurrect", &[], text);
}

/// X16: the player is 1, the others 36, 37, … in scene order; MyId is the property as an unsigned word.
#[test]
fn myid_is_the_runtime_identifier() {
    let mut runtime = yard();
    let id = |runtime: &mut Runtime, name: &str| call(runtime, name, "MyId", &[]);
    assert_eq!((id(&mut runtime, "CYRUS"), id(&mut runtime, "GUARD"), id(&mut runtime, "STONE")), (1, 36, 37));
    set_property(&mut runtime, "GUARD", "id", -2);
    assert_eq!(id(&mut runtime, "GUARD"), 65534);
}

/// X17: the tick input of this update, 0 before the first; TrueFunction is 1.
#[test]
fn getframepassed_and_truefunction() {
    let mut runtime = runtime(&scene("").replace("soup386 = 1", "soup386 = 1\nclock.nominal = [7]"));
    assert_eq!(call(&mut runtime, "GUARD", "GetFramePassed", &[]), 0);
    updates(&mut runtime, 1);
    assert_eq!(call(&mut runtime, "GUARD", "GetFramePassed", &[]), 7);
    assert_eq!(call(&mut runtime, "STONE", "TrueFunction", &[]), 1);
}

/// X18, W7: where an actor is, by stored surface and motion state, without any other gate.
#[test]
fn surroundings_by_surface_and_motion_state() {
    let mut runtime = yard();
    runtime.engine_mut().world.items.open = false;
    for value in 0..=255_u8 {
        edit(&mut runtime, "STONE", |actor| (actor.under_surface, actor.extra_flag) = (value, value));
        let names = ["IsInDeepWater", "IsInWater", "IsInLava", "IsOnEdge", "IsInAir"];
        let says = names.map(|name| call(&mut runtime, "STONE", name, &[]) == 1);
        let expected = [
            value == 2 || value == 4,
            (1..=4).contains(&value),
            value == 5,
            (10..=19).contains(&value),
            (27..=29).contains(&value),
        ];
        assert_eq!(says, expected, "{value}");
    }
    assert_eq!(call(&mut runtime, "STONE", "IsShellScript", &[]), 0);
    call_from_shell(&mut runtime, "IsShellScript");
    assert_eq!(call(&mut runtime, "STONE", "IsShellScript", &[]), 1);
}

/// GUARD in group 18, where SetAction is accepted.
fn stepping() -> Runtime {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| {
        actor.playback.current = 18;
        actor.cold.action_time = 9;
    });
    runtime
}

fn words(runtime: &Runtime) -> (u32, u32, u8) {
    let cold = &actor(runtime, "GUARD").cold;
    (cold.action, cold.action_flag, cold.action_time)
}

/// X24: accepted in groups 18 and 30 before their exit: both low bits pending, the timer 0. Sliding does not matter.
#[test]
fn setaction_is_accepted_while_a_step_holds() {
    let accepted: [fn(&mut Actor); 4] = [
        |_| {},
        |actor| actor.playback.current = 30,
        |actor| (actor.attributes[11], actor.cold.move_counter) = (1, 0xbf),
        |actor| (actor.slide_flag, actor.cold.action, actor.cold.action_flag) = (1, 0x80, 0x40),
    ];
    for (i, set) in accepted.into_iter().enumerate() {
        for mask in [1, 2] {
            let mut runtime = stepping();
            edit(&mut runtime, "GUARD", set);
            let (action, action_flag, _) = words(&runtime);
            admits(&mut runtime, "GUARD", "SetAction", &[mask]);
            assert_eq!(words(&runtime), (action | 3, action_flag, 0), "case {i}, mask {mask}");
        }
    }
}

/// The gates of SetAction in the order of X24, but for the mask.
const ACTION_GATES: [Closer; 3] = [
    ("the action is already pending or accepted", |r| edit(r, "GUARD", |a| a.cold.action_flag = 1)),
    ("a jump or fall is under way", |r| edit(r, "GUARD", |a| a.jump_flag = 8)),
    ("the call would start a script jump", |r| edit(r, "GUARD", |a| a.playback.exit = 1)),
];

/// X24: of two closed gates the earlier one is reported.
#[test]
fn setaction_reports_the_earlier_gate() {
    reports_the_earlier_gate(&ACTION_GATES, stepping, "GUARD", "SetAction", &[1]);
    for (_, close) in ACTION_GATES {
        for mask in [0, 3, 4, -1, 0x1_0001] {
            let mut runtime = stepping();
            close(&mut runtime);
            let text = format!("setaction refused: the mask is neither 1 nor 2 (mask = {mask})");
            refuses(&mut runtime, "GUARD", "SetAction", &[mask], &text);
        }
    }
}

/// X24: a bit in either word, a missing step and an exit under way say so and change nothing.
#[test]
fn each_action_gate_names_itself() {
    let refused = |mask: i32, text: &str, set: fn(&mut Actor)| {
        let mut runtime = stepping();
        edit(&mut runtime, "GUARD", set);
        refuses(&mut runtime, "GUARD", "SetAction", &[mask], &format!("setaction refused: {text}"));
    };
    let taken = "the action is already pending or accepted (mask = 2, action = 2, action_flag = 0)";
    refused(2, taken, |actor| actor.cold.action = 2);
    let taken = "the action is already pending or accepted (mask = 1, action = 0, action_flag = 3)";
    refused(1, taken, |actor| actor.cold.action_flag = 3);
    let jump = |current: i32, exit: i32| {
        format!(
            "the call would start a script jump, which this runtime does not perform (current = {current}, exit = {exit})"
        )
    };
    refused(1, &jump(19, 0), |actor| actor.playback.current = 19);
    refused(1, &jump(18, 1), |actor| actor.playback.exit = 1);
    refused(1, &jump(64, 0), |actor| actor.playback.current = 64);
    refused(1, &jump(75, 0), |actor| actor.playback.current = 75);
    for move_counter in [0, 16, 32, 0xcf] {
        let mut runtime = stepping();
        edit(&mut runtime, "GUARD", |actor| {
            (actor.attributes[11], actor.cold.move_counter) = (1, move_counter);
        });
        refuses(&mut runtime, "GUARD", "SetAction", &[1], &format!("setaction refused: {}", jump(18, 0)));
    }
    // The other bit does not hold an action back.
    let mut runtime = stepping();
    edit(&mut runtime, "GUARD", |actor| actor.cold.action = 1);
    admits(&mut runtime, "GUARD", "SetAction", &[2]);
}

/// X24: groups 65 to 74, queued motion and falling clear the low two bits of both words and nothing else.
#[test]
fn setaction_in_a_jump_clears_the_low_bits() {
    let cleared = |set: &dyn Fn(&mut Actor)| {
        let mut runtime = stepping();
        edit(&mut runtime, "GUARD", |actor| {
            (actor.cold.action, actor.cold.action_flag) = (0xff02, 0xfff2);
            set(actor);
        });
        let mut expected = actor(&runtime, "GUARD").clone();
        (expected.cold.action, expected.cold.action_flag) = (0xff00, 0xfff0);
        assert_eq!(call(&mut runtime, "GUARD", "SetAction", &[1]), 0);
        let why = refusal(&runtime, "GUARD");
        assert!(
            why.starts_with("setaction refused: a jump or fall is under way; the action words were cleared ("),
            "{why}"
        );
        let mut after = actor(&runtime, "GUARD").clone();
        after.cold.refusal = None;
        assert_eq!(after, expected);
    };
    for group in 65..=74 {
        cleared(&|actor| actor.playback.current = group);
    }
    cleared(&|actor| actor.jump_flag = 1);
    cleared(&|actor| actor.fall_flag = 1);
}

/// X24: ResetAction clears the mask's bits in both words, ResetAllAction both words; the timer stays.
#[test]
fn resets_clear_the_words_and_keep_the_timer() {
    let mut runtime = stepping();
    edit(&mut runtime, "GUARD", |actor| (actor.cold.action, actor.cold.action_flag) = (0xffff_ffff, 0x8000_00ff));
    admits(&mut runtime, "GUARD", "ResetAction", &[0x0f]);
    assert_eq!(words(&runtime), (0xffff_fff0, 0x8000_00f0, 9));
    admits(&mut runtime, "GUARD", "ResetAction", &[i32::MIN]);
    assert_eq!(words(&runtime), (0x7fff_fff0, 0xf0, 9));
    admits(&mut runtime, "GUARD", "ResetAllAction", &[]);
    assert_eq!(words(&runtime), (0, 0, 9));
}
