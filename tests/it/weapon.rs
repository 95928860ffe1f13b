//! Weapon predicates, the gates of draw, sheath and hand.

use soup386::{update::Runtime, world::Actor};

use super::{
    support::{actor, call},
    yard::{Closer, admits, call_from_shell, edit, refusal, refuses, reports_the_earlier_gate, set_attribute, yard},
};

/// What a predicate says of CYRUS in this state, in the yard before its first update.
fn says(predicate: &str, set: impl FnOnce(&mut Actor)) -> i32 {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", set);
    call(&mut runtime, "CYRUS", predicate, &[])
}

/// The predicate holds in `state`, but not without each of the gates IAS.
#[track_caller]
fn needs_the_item_system_gates(predicate: &str, state: fn(&mut Actor)) {
    assert_eq!(says(predicate, state), 1, "{predicate}");
    let mut closed = yard();
    edit(&mut closed, "CYRUS", state);
    closed.engine_mut().world.items.open = false;
    assert_eq!(call(&mut closed, "CYRUS", predicate, &[]), 0, "{predicate} with the item system closed");
    let unanimated = |actor: &mut Actor| {
        state(actor);
        actor.animated = false;
    };
    assert_eq!(says(predicate, unanimated), 0, "{predicate} without animation state");
    let mut shell = yard();
    edit(&mut shell, "CYRUS", state);
    call_from_shell(&mut shell, predicate);
    assert_eq!(call(&mut shell, "CYRUS", predicate, &[]), 0, "{predicate} in shell context");
}

/// W1: motion state 20 or current group 91, within the gates.
#[test]
fn is_drawing_sword_in_state_20_or_group_91() {
    for state in 0..=255 {
        assert_eq!(says("IsDrawingSword", |actor| actor.extra_flag = state), i32::from(state == 20), "state {state}");
    }
    for group in [-1, 0, 20, 90, 91, 92, 129] {
        let set = |actor: &mut Actor| actor.playback.current = group;
        assert_eq!(says("IsDrawingSword", set), i32::from(group == 91), "group {group}");
    }
    assert_eq!(says("IsDrawingSword", |actor| actor.playback.pending = 91), 0, "pending does not count");
    needs_the_item_system_gates("IsDrawingSword", |actor| actor.extra_flag = 20);
    needs_the_item_system_gates("IsDrawingSword", |actor| actor.playback.current = 91);
}

/// W2: motion state 21 or current group 129, within the gates.
#[test]
fn is_sheathing_sword_in_state_21_or_group_129() {
    for state in 0..=255 {
        assert_eq!(says("IsSheathingSword", |actor| actor.extra_flag = state), i32::from(state == 21), "state {state}");
    }
    for group in [-1, 0, 21, 91, 128, 129, 130] {
        let set = |actor: &mut Actor| actor.playback.current = group;
        assert_eq!(says("IsSheathingSword", set), i32::from(group == 129), "group {group}");
    }
    needs_the_item_system_gates("IsSheathingSword", |actor| actor.extra_flag = 21);
    needs_the_item_system_gates("IsSheathingSword", |actor| actor.playback.current = 129);
}

/// W3: either of the two.
#[test]
fn is_drawing_or_sheathing_is_either() {
    for (state, holds) in [(19, 0), (20, 1), (21, 1), (22, 0)] {
        assert_eq!(says("IsDrawingOrSheathing", |actor| actor.extra_flag = state), holds, "state {state}");
    }
    for (group, holds) in [(8, 0), (91, 1), (129, 1)] {
        assert_eq!(says("IsDrawingOrSheathing", |actor| actor.playback.current = group), holds, "group {group}");
    }
    needs_the_item_system_gates("IsDrawingOrSheathing", |actor| actor.extra_flag = 21);
}

/// W4: attribute 110 alone, or a weapon assigned within the gates.
#[test]
fn is_combat_capable_with_attribute_110_or_an_assigned_weapon() {
    needs_the_item_system_gates("IsCombatCapable", |_| {});
    assert_eq!(says("IsCombatCapable", |actor| actor.attributes[23] = 0), 0);
    let mut runtime = yard();
    set_attribute(&mut runtime, "STONE", 110, 2);
    runtime.engine_mut().world.items.open = false;
    assert_eq!(call(&mut runtime, "STONE", "IsCombatCapable", &[]), 1, "attribute 110 is before all gates");
}

/// W5: attribute 110 before all gates; else assigned, drawn and not being put away.
#[test]
fn is_holding_weapon_when_drawn_and_not_sheathing() {
    needs_the_item_system_gates("IsHoldingWeapon", |actor| actor.weapon_drawn = 1);
    needs_the_item_system_gates("IsHoldingWeapon", |actor| actor.weapon_drawn = 255);
    assert_eq!(says("IsHoldingWeapon", |_| {}), 0, "not drawn");
    let drawn = |change: fn(&mut Actor)| {
        says("IsHoldingWeapon", move |actor| {
            actor.weapon_drawn = 1;
            change(actor);
        })
    };
    assert_eq!(drawn(|actor| actor.attributes[23] = 0), 0, "not assigned");
    assert_eq!(drawn(|actor| actor.extra_flag = 21), 0, "motion state 21");
    assert_eq!(drawn(|actor| actor.playback.current = 129), 0, "group 129");
    assert_eq!(drawn(|actor| actor.extra_flag = 20), 1, "drawing does not matter");
    let mut runtime = yard();
    set_attribute(&mut runtime, "STONE", 110, 1);
    runtime.engine_mut().world.items.open = false;
    call_from_shell(&mut runtime, "IsHoldingWeapon");
    assert_eq!(call(&mut runtime, "STONE", "IsHoldingWeapon", &[]), 1, "attribute 110 is before all gates");
}

/// W6: assigned within the gates; attribute 110 does not count, and the item need not exist.
#[test]
fn is_carrying_weapon_when_one_is_assigned() {
    needs_the_item_system_gates("IsCarryingWeapon", |_| {});
    needs_the_item_system_gates("IsCarryingWeapon", |actor| actor.attributes[23] = 99);
    let only_110 = |actor: &mut Actor| {
        actor.attributes[23] = 0;
        actor.attributes[110] = 1;
    };
    assert_eq!(says("IsCarryingWeapon", only_110), 0);
}

/// W7: falling, sliding, queued motion, or motion states 27 to 29.
#[test]
fn in_air_by_flags_or_motion_state() {
    for state in 0..=255 {
        let in_air = (27..=29).contains(&state);
        assert_eq!(says("IsInAir", |actor| actor.extra_flag = state), i32::from(in_air), "state {state}");
    }
    assert_eq!(says("IsInAir", |actor| actor.fall_flag = 2), 1);
    assert_eq!(says("IsInAir", |actor| actor.slide_flag = 255), 1);
    assert_eq!(says("IsInAir", |actor| actor.jump_flag = 1), 1);
}

/// The gates of the draw, in the order of W10.
const DRAW_GATES: [Closer; 15] = [
    ("the item system is closed", |r| r.engine_mut().world.items.open = false),
    ("the actor has no animation state", |r| edit(r, "CYRUS", |a| a.animated = false)),
    ("not allowed in shell context", |r| call_from_shell(r, "DrawSword")),
    ("the actor hangs on a rope", |r| edit(r, "CYRUS", |a| a.rope = 7)),
    ("the motion state forbids it", |r| edit(r, "CYRUS", |a| a.extra_flag = 15)),
    ("the sword is being drawn", |r| edit(r, "CYRUS", |a| a.playback.current = 91)),
    ("the sword is being put away", |r| edit(r, "CYRUS", |a| a.extra_flag = 21)),
    ("a weapon is already in the hand", |r| set_attribute(r, "CYRUS", 110, 1)),
    ("the actor is falling", |r| edit(r, "CYRUS", |a| a.fall_flag = 1)),
    ("a motion is queued", |r| edit(r, "CYRUS", |a| a.jump_flag = 8)),
    ("the player's type forbids it", |r| set_attribute(r, "CYRUS", 105, 1)),
    ("the hand holds another item", |r| edit(r, "CYRUS", |a| a.hand_item = 2)),
    ("no weapon is assigned", |r| set_attribute(r, "CYRUS", 23, 0)),
    ("the actor is on an edge", |r| edit(r, "CYRUS", |a| a.extra_flag = 10)),
    ("the actor is in deep water", |r| edit(r, "CYRUS", |a| a.under_surface = 2)),
];

/// W10: of two closed gates the earlier one is reported.
#[test]
fn drawsword_reports_the_earlier_gate() {
    reports_the_earlier_gate(&DRAW_GATES, yard, "CYRUS", "DrawSword", &[]);
    // Both need the motion state; group 129 is the other half of W2.
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| {
        actor.extra_flag = 27;
        actor.playback.current = 129;
    });
    refuses(
        &mut runtime,
        "CYRUS",
        "DrawSword",
        &[],
        "drawsword refused: the motion state forbids it (extra_flag = 27)",
    );
}

/// A draw of CYRUS in this state is refused with this text and changes nothing.
#[track_caller]
fn draw_is_refused(text: &str, set: impl FnOnce(&mut Runtime)) {
    let mut runtime = yard();
    set(&mut runtime);
    refuses(&mut runtime, "CYRUS", "DrawSword", &[], &format!("drawsword refused: {text}"));
}

/// W10: each gate says which it is and shows the values that decided; nothing changes.
#[test]
fn each_draw_gate_names_itself() {
    draw_is_refused("the item system is closed", DRAW_GATES[0].1);
    draw_is_refused("the actor has no animation state", DRAW_GATES[1].1);
    draw_is_refused("not allowed in shell context", DRAW_GATES[2].1);
    draw_is_refused("the actor hangs on a rope (rope = 7)", DRAW_GATES[3].1);
    for state in [15, 27, 28, 29, 30, 31, 32] {
        let text = format!("the motion state forbids it (extra_flag = {state})");
        draw_is_refused(&text, |r| edit(r, "CYRUS", |actor| actor.extra_flag = state));
    }
    draw_is_refused("the sword is being drawn (extra_flag = 20, current = 0)", |r| {
        edit(r, "CYRUS", |actor| actor.extra_flag = 20);
    });
    draw_is_refused("the sword is being drawn (extra_flag = 0, current = 91)", DRAW_GATES[5].1);
    draw_is_refused("the sword is being put away (extra_flag = 21, current = 0)", DRAW_GATES[6].1);
    draw_is_refused("a weapon is already in the hand (weapon_drawn = 0, attribute_110 = 1)", DRAW_GATES[7].1);
    draw_is_refused("a weapon is already in the hand (weapon_drawn = 1, attribute_110 = 0)", |r| {
        edit(r, "CYRUS", |actor| actor.weapon_drawn = 1);
    });
    draw_is_refused("the actor is falling (fall_flag = 1)", DRAW_GATES[8].1);
    draw_is_refused("a motion is queued (jump_flag = 8)", DRAW_GATES[9].1);
    draw_is_refused("the player's type forbids it (attribute_105 = 1)", DRAW_GATES[10].1);
    draw_is_refused("the hand holds another item (hand_item = 2)", DRAW_GATES[11].1);
    draw_is_refused("no weapon is assigned (attribute_23 = 0)", DRAW_GATES[12].1);
    for state in [10, 11, 12, 13, 14, 16, 17, 18, 19] {
        let text = format!("the actor is on an edge (extra_flag = {state})");
        draw_is_refused(&text, |r| edit(r, "CYRUS", |actor| actor.extra_flag = state));
    }
    for surface in [2, 4] {
        let text = format!("the actor is in deep water (under_surface = {surface})");
        draw_is_refused(&text, |r| edit(r, "CYRUS", |actor| actor.under_surface = surface));
    }
}

/// W10: what the rule does not name does not hold a draw back.
#[test]
fn neighbours_of_the_draw_gates_are_open() {
    let open: [fn(&mut Runtime); 9] = [
        |r| edit(r, "CYRUS", |actor| actor.extra_flag = 9),
        |r| edit(r, "CYRUS", |actor| actor.extra_flag = 22),
        |r| edit(r, "CYRUS", |actor| actor.extra_flag = 26),
        |r| edit(r, "CYRUS", |actor| actor.extra_flag = 33),
        |r| edit(r, "CYRUS", |actor| actor.slide_flag = 1),
        |r| edit(r, "CYRUS", |actor| actor.under_surface = 3),
        |r| set_attribute(r, "CYRUS", 105, 2),
        |r| set_attribute(r, "CYRUS", 23, 4),
        |r| edit(r, "CYRUS", |actor| actor.combat = None),
    ];
    for (i, set) in open.into_iter().enumerate() {
        let mut runtime = yard();
        set(&mut runtime);
        admits(&mut runtime, "CYRUS", "DrawSword", &[]);
        assert_eq!(actor(&runtime, "CYRUS").extra_flag, 20, "case {i}");
    }
    let mut runtime = yard();
    set_attribute(&mut runtime, "GUARD", 105, 1);
    admits(&mut runtime, "GUARD", "DrawSword", &[]);
}

/// W10, W11: admission sets the motion state, for the player also the combat flag and the candle, and returns 0; the
/// drawn flag, the pose and the place of the actor stay.
#[test]
fn an_admitted_draw_sets_the_motion_state_only() {
    for (name, is_player) in [("CYRUS", true), ("GUARD", false)] {
        let mut runtime = yard();
        edit(&mut runtime, name, |actor| {
            actor.extra_time = 3;
            actor.combat.as_mut().expect("a combat record").flags = 0x81;
        });
        let mut expected = actor(&runtime, name).clone();
        expected.extra_flag = 20;
        if is_player {
            expected.combat.as_mut().expect("a combat record").flags = 0x85;
            expected.cold.candle_timer = 25;
        }
        admits(&mut runtime, name, "DrawSword", &[]);
        assert_eq!(*actor(&runtime, name), expected);
    }
}

/// W10, W13: a held item and a missing assignment run cleanup: a weapon that attribute 23 no longer names is put away.
#[test]
fn a_draw_with_a_taken_hand_or_nothing_assigned_cleans_up() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| {
        actor.attributes[23] = 0;
        actor.weapon_drawn = 1;
    });
    call(&mut runtime, "CYRUS", "DrawSword", &[]);
    assert_eq!(refusal(&runtime, "CYRUS"), "drawsword refused: no weapon is assigned (attribute_23 = 0)");
    assert_eq!(actor(&runtime, "CYRUS").weapon_drawn, 0);
    assert_eq!(actor(&runtime, "CYRUS").cold.candle_timer, 25);
    edit(&mut runtime, "CYRUS", |actor| {
        actor.hand_item = 2;
        actor.weapon_drawn = 1;
    });
    call(&mut runtime, "CYRUS", "DrawSword", &[]);
    assert_eq!(refusal(&runtime, "CYRUS"), "drawsword refused: the hand holds another item (hand_item = 2)");
    assert_eq!((actor(&runtime, "CYRUS").weapon_drawn, actor(&runtime, "CYRUS").hand_item), (0, 2));
}

/// CYRUS holding his sword, at rest.
fn holding() -> Runtime {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| actor.weapon_drawn = 1);
    runtime
}

/// The gates of the sheath, in the order of W14.
const SHEATH_GATES: [Closer; 7] = [
    ("the actor has no animation state", |r| edit(r, "CYRUS", |a| a.animated = false)),
    ("the actor has no combat record", |r| edit(r, "CYRUS", |a| a.combat = None)),
    ("the combat cooldown has not run out", |r| {
        edit(r, "CYRUS", |a| {
            if let Some(combat) = &mut a.combat {
                combat.cooldown = 1;
            }
        });
    }),
    ("the motion state forbids it", |r| edit(r, "CYRUS", |a| a.extra_flag = 30)),
    ("the sword is being drawn", |r| edit(r, "CYRUS", |a| a.playback.current = 91)),
    ("the sword is being put away", |r| edit(r, "CYRUS", |a| a.extra_flag = 21)),
    ("no weapon is in the hand", |r| edit(r, "CYRUS", |a| a.weapon_drawn = 0)),
];

/// W14: of two closed gates the earlier one is reported.
#[test]
fn sheathsword_reports_the_earlier_gate() {
    reports_the_earlier_gate(&SHEATH_GATES, holding, "CYRUS", "SheathSword", &[]);
    let mut runtime = holding();
    edit(&mut runtime, "CYRUS", |actor| {
        actor.extra_flag = 27;
        actor.playback.current = 129;
    });
    let text = "sheathsword refused: the motion state forbids it (extra_flag = 27)";
    refuses(&mut runtime, "CYRUS", "SheathSword", &[], text);
}

/// W14: each gate says which it is, and nothing changes.
#[test]
fn each_sheath_gate_names_itself() {
    let texts = [
        "the actor has no animation state",
        "the actor has no combat record (attribute_14 = 1)",
        "the combat cooldown has not run out (cooldown = 1)",
        "the motion state forbids it (extra_flag = 30)",
        "the sword is being drawn (extra_flag = 0, current = 91)",
        "the sword is being put away (extra_flag = 21, current = 0)",
        "no weapon is in the hand (weapon_drawn = 0, attribute_23 = 1)",
    ];
    for ((_, close), text) in SHEATH_GATES.into_iter().zip(texts) {
        let mut runtime = holding();
        close(&mut runtime);
        refuses(&mut runtime, "CYRUS", "SheathSword", &[], &format!("sheathsword refused: {text}"));
    }
    for state in 27..=32 {
        let mut runtime = holding();
        edit(&mut runtime, "CYRUS", |actor| actor.extra_flag = state);
        let text = format!("sheathsword refused: the motion state forbids it (extra_flag = {state})");
        refuses(&mut runtime, "CYRUS", "SheathSword", &[], &text);
    }
    let mut runtime = holding();
    runtime.engine_mut().world.items.open = false;
    let text = "sheathsword refused: no weapon is in the hand (weapon_drawn = 1, attribute_23 = 1)";
    refuses(&mut runtime, "CYRUS", "SheathSword", &[], text);
}

/// W14: motion state 21 without companion, cooldown 24, combat flag off; for the player candle 25 and camera slot 0.
/// State 15, an edge, water and a held item do not matter.
#[test]
fn an_admitted_sheath_sets_state_cooldown_and_flag() {
    for (name, is_player) in [("CYRUS", true), ("GUARD", false)] {
        for state in [0, 15, 12, 26, 33] {
            let mut runtime = yard();
            edit(&mut runtime, name, |actor| {
                actor.weapon_drawn = 1;
                (actor.extra_flag, actor.extra_time) = (state, 9);
                (actor.under_surface, actor.hand_item) = (2, 2);
                actor.cold.camera_slot = 3;
                actor.combat.as_mut().expect("a combat record").flags = 0xff;
            });
            let mut expected = actor(&runtime, name).clone();
            (expected.extra_flag, expected.extra_time) = (21, 0);
            let combat = expected.combat.as_mut().expect("a combat record");
            (combat.flags, combat.cooldown) = (0xfb, 24);
            if is_player {
                (expected.cold.candle_timer, expected.cold.camera_slot) = (25, 0);
            }
            admits(&mut runtime, name, "SheathSword", &[]);
            assert_eq!(*actor(&runtime, name), expected, "{name} from state {state}");
        }
    }
}

/// The gates of HandItem, in the order of W16.
const HAND_GATES: [Closer; 7] = [
    ("the actor is in deep water", |r| edit(r, "CYRUS", |a| a.under_surface = 4)),
    ("the actor is on an edge", |r| edit(r, "CYRUS", |a| a.extra_flag = 19)),
    ("the actor is in the air", |r| edit(r, "CYRUS", |a| a.slide_flag = 1)),
    ("a weapon is already in the hand", |r| set_attribute(r, "CYRUS", 110, 1)),
    ("the item system is closed", |r| r.engine_mut().world.items.open = false),
    ("not allowed in shell context", |r| call_from_shell(r, "HandItem")),
    ("no item has this id", |_| {}),
];

/// W16: of two closed gates the earlier one is reported. The last one is the unknown item of the call itself.
#[test]
fn handitem_reports_the_earlier_gate() {
    reports_the_earlier_gate(&HAND_GATES, yard, "CYRUS", "HandItem", &[99]);
}

/// W16: each gate says which it is, and nothing changes.
#[test]
fn each_hand_gate_names_itself() {
    let refused = |item: i32, text: &str, set: &dyn Fn(&mut Runtime)| {
        let mut runtime = yard();
        set(&mut runtime);
        refuses(&mut runtime, "CYRUS", "HandItem", &[item], &format!("handitem refused: {text}"));
    };
    refused(2, "the actor is in deep water (under_surface = 4)", &HAND_GATES[0].1);
    refused(2, "the actor is on an edge (extra_flag = 19)", &HAND_GATES[1].1);
    let air = "the actor is in the air (fall_flag = 0, slide_flag = 1, jump_flag = 0, extra_flag = 0)";
    refused(2, air, &HAND_GATES[2].1);
    let air = "the actor is in the air (fall_flag = 0, slide_flag = 0, jump_flag = 0, extra_flag = 28)";
    refused(2, air, &|r| edit(r, "CYRUS", |actor| actor.extra_flag = 28));
    let held = "a weapon is already in the hand (weapon_drawn = 0, attribute_110 = 1)";
    refused(2, held, &HAND_GATES[3].1);
    refused(2, "the item system is closed", &HAND_GATES[4].1);
    refused(2, "not allowed in shell context", &HAND_GATES[5].1);
    refused(99, "no item has this id (item = 99)", &HAND_GATES[6].1);
    refused(-1, "no item has this id (item = -1)", &HAND_GATES[6].1);
}

/// W16: the low byte of the id is stored and nothing else; type, ownership and animation state are not looked at.
#[test]
fn handitem_stores_the_low_byte() {
    // 300 is 1 × 256 + 44.
    for (item, stored) in [(2, 2), (4, 4), (300, 44)] {
        for name in ["CYRUS", "STONE"] {
            let mut runtime = yard();
            let mut expected = actor(&runtime, name).clone();
            expected.hand_item = stored;
            admits(&mut runtime, name, "HandItem", &[item]);
            assert_eq!(*actor(&runtime, name), expected);
        }
    }
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| (actor.extra_flag, actor.under_surface) = (30, 3));
    admits(&mut runtime, "CYRUS", "HandItem", &[2]);
}
