//! Cleanup, the player's weapon check, default groups, combat entry and exit.

use soup386::{update::Runtime, weapon, world::Actor};

use super::{
    support::{actor, call, runtime, updates},
    yard::{admits, call_from_shell, edit, refusal, refuses, scene, set_attribute, shown, step, yard},
};

/// An actor before and after cleanup.
fn cleaned(name: &str, set: impl FnOnce(&mut Actor)) -> (Actor, Actor) {
    let mut runtime = yard();
    edit(&mut runtime, name, set);
    let before = actor(&runtime, name).clone();
    step(&mut runtime, name, |defs, actor, conditions, events| {
        weapon::cleanup(defs.actor(actor.def), actor, conditions.ticks, events);
    });
    (before, actor(&runtime, name).clone())
}

/// W13: only the player, and only from group 91 or 129, asks for its default group, with modifier 0.
#[test]
fn cleanup_asks_for_the_players_default_group() {
    let in_group = |group| {
        move |actor: &mut Actor| {
            actor.playback.current = group;
            actor.playback.default = 8;
            actor.playback.next_speed = 77;
        }
    };
    for group in [91, 129] {
        let (_, actor) = cleaned("CYRUS", in_group(group));
        let playback = actor.playback;
        assert_eq!((playback.current, playback.pending, playback.next_speed), (group, 8, 1), "group {group}");
        let (_, actor) = cleaned("GUARD", in_group(group));
        assert_eq!((actor.playback.current, actor.playback.pending), (group, -1), "not the player");
    }
    let (_, actor) = cleaned("CYRUS", in_group(18));
    assert_eq!((actor.playback.current, actor.playback.pending), (18, -1), "another group");
}

/// W13: motion states 20 and 21 end with their companion byte, whether or not the weapon is drawn.
#[test]
fn cleanup_ends_the_motion_state() {
    for drawn in [0, 1] {
        for state in [0, 19, 20, 21, 22, 27] {
            let set = |actor: &mut Actor| {
                actor.extra_flag = state;
                actor.extra_time = 9;
                actor.weapon_drawn = drawn;
            };
            let (_, actor) = cleaned("GUARD", set);
            let expected = if state == 20 || state == 21 { (0, 0) } else { (state, 9) };
            assert_eq!((actor.extra_flag, actor.extra_time), expected, "state {state}, drawn {drawn}");
        }
    }
}

/// W13: a drawn weapon leaves the hand with its combat flag, and the player's candle shows; otherwise nothing.
#[test]
fn cleanup_takes_a_drawn_weapon_out_of_the_hand() {
    let set = |drawn| {
        move |actor: &mut Actor| {
            actor.weapon_drawn = drawn;
            actor.cold.candle_timer = 3;
            actor.combat.as_mut().expect("a combat record").flags = 0xff;
        }
    };
    let flags = |actor: &Actor| actor.combat.expect("a combat record").flags;
    let (_, actor) = cleaned("CYRUS", set(1));
    assert_eq!((actor.weapon_drawn, flags(&actor), actor.cold.candle_timer), (0, 0xfb, 25));
    let (_, actor) = cleaned("GUARD", set(1));
    assert_eq!((actor.weapon_drawn, flags(&actor), actor.cold.candle_timer), (0, 0xfb, 3));
    let (before, actor) = cleaned("CYRUS", set(0));
    assert_eq!(actor, before, "an undrawn weapon leaves flag and candle alone");
    let (_, actor) = cleaned("CYRUS", |actor| {
        actor.weapon_drawn = 1;
        actor.combat = None;
    });
    assert_eq!((actor.weapon_drawn, actor.combat), (0, None));
}

/// What the player's weapon check makes of CYRUS, drawn and in state 20, after `set`: attribute 23, drawn, state.
fn checked(receiver: &str, set: impl FnOnce(&mut Runtime)) -> ((u8, u8, u8), String) {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| (actor.weapon_drawn, actor.extra_flag) = (1, 20));
    set(&mut runtime);
    assert_eq!(call(&mut runtime, receiver, "CheckPlayerWeapon", &[]), 0);
    let player = actor(&runtime, "CYRUS");
    ((player.attribute(23), player.weapon_drawn, player.extra_flag), refusal(&runtime, receiver))
}

/// W17: an owned weapon is valid; anything else is taken back, with cleanup, whoever the receiver is.
#[test]
fn checkplayerweapon_takes_an_invalid_weapon_back() {
    let taken = (0, 0, 0);
    for receiver in ["CYRUS", "GUARD", "STONE"] {
        assert_eq!(checked(receiver, |_| {}), ((1, 1, 20), String::new()));
        let (state, _) = checked(receiver, |r| set_attribute(r, "CYRUS", 23, 4));
        assert_eq!(state, taken, "not owned");
    }
    let (state, why) = checked("CYRUS", |r| set_attribute(r, "CYRUS", 23, 4));
    assert_eq!((state, &*why), (taken, "checkplayerweapon refused: the item is not owned (item = 4)"));
    let (state, why) = checked("CYRUS", |r| set_attribute(r, "CYRUS", 23, 2));
    assert_eq!((state, &*why), (taken, "checkplayerweapon refused: the item is not a weapon (item = 2)"));
    let (state, why) = checked("CYRUS", |r| set_attribute(r, "CYRUS", 23, 99));
    assert_eq!((state, &*why), (taken, "checkplayerweapon refused: no item has this id (item = 99)"));
    let (state, why) = checked("CYRUS", |r| set_attribute(r, "CYRUS", 23, 0));
    assert_eq!((state, &*why), (taken, "checkplayerweapon refused: no weapon is assigned (attribute_23 = 0)"));
    let (state, _) = checked("CYRUS", |r| edit(r, "CYRUS", |actor| actor.animated = false));
    assert_eq!(state, taken, "no animation state");
    let (state, _) = checked("CYRUS", |r| call_from_shell(r, "CheckPlayerWeapon"));
    assert_eq!(state, taken, "shell context");
}

/// W17: a closed item system leaves everything as it is; so does a scene without player.
#[test]
fn checkplayerweapon_does_nothing_when_closed_or_without_player() {
    let mut runtime = yard();
    set_attribute(&mut runtime, "CYRUS", 23, 4);
    runtime.engine_mut().world.items.open = false;
    let text = "checkplayerweapon refused: the item system is closed";
    refuses(&mut runtime, "CYRUS", "CheckPlayerWeapon", &[], text);
    let player = runtime.world().player().expect("a player");
    assert!(runtime.engine_mut().world.remove(player));
    runtime.engine_mut().world.items.open = true;
    set_attribute(&mut runtime, "GUARD", 23, 4);
    refuses(&mut runtime, "GUARD", "CheckPlayerWeapon", &[], "checkplayerweapon refused: there is no player");
}

/// W17, U6: the update checks the player after presentation; others keep what they do not own.
#[test]
fn the_update_takes_a_weapon_that_the_player_does_not_own() {
    let mut runtime = yard();
    for name in ["CYRUS", "GUARD"] {
        edit(&mut runtime, name, |actor| (actor.attributes[23], actor.weapon_drawn) = (4, 1));
    }
    updates(&mut runtime, 1);
    assert_eq!((shown(&runtime, "CYRUS"), shown(&runtime, "GUARD")), ("hand", "hand"), "presented before the check");
    let state = |name| (actor(&runtime, name).attribute(23), actor(&runtime, name).weapon_drawn);
    assert_eq!((state("CYRUS"), state("GUARD")), ((0, 0), (4, 1)));
    updates(&mut runtime, 1);
    assert_eq!((shown(&runtime, "CYRUS"), shown(&runtime, "GUARD")), ("none", "hand"));
}

/// W17, W18: what counts is the owned count: `player_total`, default 0, and what AddItem and DropItem make of it.
#[test]
fn owned_counts_start_at_player_total_and_follow_the_items() {
    let mut runtime = yard();
    let have = |runtime: &mut Runtime, item| call(runtime, "CYRUS", "HaveItem", &[item]);
    assert_eq!((have(&mut runtime, 1), have(&mut runtime, 4)), (1, 0));
    admits(&mut runtime, "CYRUS", "AddItem", &[4, 2]);
    assert_eq!(have(&mut runtime, 4), 2);
    set_attribute(&mut runtime, "CYRUS", 23, 4);
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "CYRUS").attribute(23), 4, "owned now");
    admits(&mut runtime, "CYRUS", "DropItem", &[4, 2]);
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "CYRUS").attribute(23), 0, "owned no more");
}

/// W30: each branch in order: with all conditions set the first wins, and taking them away one by one shows the next.
#[test]
fn the_default_group_is_the_first_branch_that_holds() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| {
        actor.attributes[44] = 33;
        actor.rope = 1;
        actor.extra_flag = 15;
        actor.playback.current = 129;
        actor.weapon_drawn = 1;
        actor.torch_timer = 1;
    });
    let next = |runtime: &mut Runtime, change: &dyn Fn(&mut Actor)| {
        edit(runtime, "CYRUS", change);
        step(runtime, "CYRUS", |defs, actor, conditions, events| {
            weapon::default_group(defs.actor(actor.def), actor, conditions, events)
        })
    };
    assert_eq!(next(&mut runtime, &|_| {}), 79, "rope");
    assert_eq!(next(&mut runtime, &|actor| actor.rope = 0), 7, "state 15");
    assert_eq!(next(&mut runtime, &|actor| actor.extra_flag = 0), 33, "sheathing: attribute 44, though drawn");
    assert_eq!(next(&mut runtime, &|actor| actor.playback.current = 0), 8, "held");
    assert_eq!(next(&mut runtime, &|actor| actor.weapon_drawn = 0), 5, "torch");
    assert_eq!(next(&mut runtime, &|actor| actor.torch_timer = 0), 33, "otherwise attribute 44");
    assert_eq!(next(&mut runtime, &|actor| actor.extra_flag = 20), 8, "drawing");
    let sheathing_while_drawing = |actor: &mut Actor| (actor.extra_flag, actor.playback.current) = (21, 91);
    assert_eq!(next(&mut runtime, &sheathing_while_drawing), 33, "sheathing is tested first");
    assert_eq!(next(&mut runtime, &|actor| (actor.rope, actor.under_surface) = (1, 2)), 141, "deep water");
    assert_eq!(next(&mut runtime, &|actor| actor.under_surface = 1), 79, "shallow water does not count");
}

/// W30: the player in deep water is cleaned up at every update; others swim with what they have.
#[test]
fn deep_water_cleans_the_player_up_at_every_update() {
    let mut runtime = yard();
    for _ in 0..2 {
        for name in ["CYRUS", "GUARD"] {
            edit(&mut runtime, name, |actor| (actor.under_surface, actor.weapon_drawn) = (4, 1));
        }
        updates(&mut runtime, 1);
        assert_eq!(actor(&runtime, "CYRUS").weapon_drawn, 0);
        assert_eq!(actor(&runtime, "CYRUS").playback.default, 141);
        assert_eq!(actor(&runtime, "GUARD").weapon_drawn, 1);
        assert_eq!(actor(&runtime, "GUARD").playback.default, 8);
    }
}

/// W31: the dead have their record's default; without record 123 if the group exists, else 124.
#[test]
fn the_dead_have_their_own_default_group() {
    let dead = |set: &dyn Fn(&mut Actor)| {
        let mut runtime = yard();
        edit(&mut runtime, "CYRUS", |actor| {
            // All living branches would hold too.
            (actor.ai_type, actor.under_surface, actor.rope, actor.weapon_drawn) = (8, 2, 1, 1);
            set(actor);
        });
        let group = step(&mut runtime, "CYRUS", |defs, actor, conditions, events| {
            weapon::default_group(defs.actor(actor.def), actor, conditions, events)
        });
        assert_eq!(actor(&runtime, "CYRUS").weapon_drawn, 1, "the dead are not cleaned up");
        group
    };
    assert_eq!(dead(&|_| {}), 0, "the record starts with 0");
    assert_eq!(dead(&|actor| actor.combat.as_mut().expect("a record").death_default = -300), -300);
    assert_eq!(dead(&|actor| actor.combat = None), 124, "the yard has no group 123");
    let text = scene("").replace("index = 141", "index = 123");
    let mut runtime = runtime(&text);
    edit(&mut runtime, "GUARD", |actor| (actor.ai_type, actor.combat) = (8, None));
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "GUARD").playback.default, 123);
    assert_eq!(actor(&runtime, "GUARD").playback.current, 123);
}

/// W32: SetAttribute of 44 on the dead stores the whole value as death default; SetMyAttr the byte, and only under the
/// object-update exclusion, dead or not.
#[test]
fn attribute_44_sets_the_death_default() {
    let after = |function: &str, value: i32, set: fn(&mut Actor)| {
        let mut runtime = yard();
        edit(&mut runtime, "GUARD", set);
        admits(&mut runtime, "GUARD", function, &[44, value]);
        let guard = actor(&runtime, "GUARD");
        assert_eq!(guard.attribute(44), value as u8);
        guard.combat.map(|combat| combat.death_default)
    };
    assert_eq!(after("SetAttribute", 300, |_| {}), Some(0), "alive");
    assert_eq!(after("SetAttribute", 300, |actor| actor.ai_type = 8), Some(300));
    assert_eq!(after("SetAttribute", -2, |actor| actor.ai_type = 8), Some(-2));
    assert_eq!(after("SetAttribute", 300, |actor| (actor.ai_type, actor.combat) = (8, None)), None);
    assert_eq!(after("SetAttribute", 300, |actor| actor.object_excluded = true), Some(0));
    assert_eq!(after("SetMyAttr", 300, |actor| actor.ai_type = 8), Some(0));
    assert_eq!(after("SetMyAttr", 300, |actor| actor.object_excluded = true), Some(44), "300 is 256 + 44");
    assert_eq!(after("SetMyAttr", 300, |actor| (actor.object_excluded, actor.combat) = (true, None)), None);
}

/// W32: SetAttribute mirrors 6 into 115 and 1 into 119; SetMyAttr never does.
#[test]
fn setattribute_mirrors_weight_and_collide() {
    let mut runtime = yard();
    for (index, mirror) in [(6, 115), (1, 119)] {
        admits(&mut runtime, "GUARD", "SetAttribute", &[index, 0x1_07]);
        let attribute = |runtime: &Runtime, index| i32::from(actor(runtime, "GUARD").attribute(index));
        assert_eq!((attribute(&runtime, index as u8), attribute(&runtime, mirror)), (7, 7));
        admits(&mut runtime, "GUARD", "SetMyAttr", &[index, 9]);
        assert_eq!((attribute(&runtime, index as u8), attribute(&runtime, mirror)), (9, 7));
    }
}

/// An actor of the yard after beginCombat in this state, and why it was refused.
fn begun(name: &str, text: &str, set: impl FnOnce(&mut Actor)) -> (Actor, String) {
    let mut runtime = runtime(text);
    updates(&mut runtime, 1);
    edit(&mut runtime, name, |actor| {
        actor.disable_script = 8;
        set(actor);
    });
    assert_eq!(call(&mut runtime, name, "beginCombat", &[]), 0);
    (actor(&runtime, name).clone(), refusal(&runtime, name))
}

fn combat_flags(actor: &Actor) -> u8 {
    actor.combat.expect("a combat record").flags
}

/// W20: entry sets selector 6, admits the draw and starts group 91 at once, and sets the combat flag; only on others
/// than the player it holds the native hook off.
#[test]
fn begincombat_draws_the_weapon() {
    for (name, script_control) in [("CYRUS", 8), ("GUARD", 10)] {
        let (actor, why) = begun(name, &scene(""), |_| {});
        assert_eq!((actor.ai_type, actor.extra_flag, actor.weapon_drawn), (6, 20, 0));
        assert_eq!((actor.playback.current, actor.playback.real_frame), (91, 0));
        assert_eq!((combat_flags(&actor), actor.disable_script), (4, script_control));
        assert_eq!(why, "");
    }
}

/// W20: in combat already: the hook is held off, and nothing else.
#[test]
fn begincombat_in_combat_only_holds_the_hook_off() {
    let mut before = None;
    let (actor, _) = begun("GUARD", &scene(""), |actor| {
        actor.ai_type = 6;
        let mut expected = actor.clone();
        expected.disable_script = 10;
        before = Some(expected);
    });
    assert_eq!(Some(actor), before);
}

/// W20: a refused draw says why; combat is entered and group 91 asked for all the same.
#[test]
fn begincombat_asks_for_group_91_even_when_the_draw_is_refused() {
    let (actor, why) = begun("GUARD", &scene(""), |actor| actor.fall_flag = 1);
    assert_eq!(why, "begincombat refused: the actor is falling (fall_flag = 1)");
    assert_eq!((actor.ai_type, actor.extra_flag, actor.playback.current), (6, 0, 91));
    assert_eq!(combat_flags(&actor), 4);
}

/// W20: a drawn weapon is left alone.
#[test]
fn begincombat_leaves_a_drawn_weapon_alone() {
    let (actor, _) = begun("GUARD", &scene(""), |actor| (actor.weapon_drawn, actor.extra_flag) = (1, 12));
    assert_eq!((actor.ai_type, actor.weapon_drawn, actor.extra_flag), (6, 1, 12));
    assert_eq!((actor.playback.current, combat_flags(&actor)), (0, 4));
}

/// W20: nothing assigned: drawn at once without cleanup, so the companion byte stays.
#[test]
fn begincombat_without_weapon_is_drawn_at_once() {
    let (actor, _) = begun("GUARD", &scene(""), |actor| {
        actor.attributes[23] = 0;
        (actor.extra_flag, actor.extra_time) = (21, 9);
    });
    assert_eq!((actor.weapon_drawn, actor.extra_flag, actor.extra_time), (1, 0, 9));
    assert_eq!((actor.ai_type, combat_flags(&actor), actor.playback.current), (6, 4, 0));
}

/// W20: without group 91 cleanup comes first, then drawn at once: companion byte cleared, the player's candle set.
#[test]
fn begincombat_without_draw_group_cleans_up_first() {
    let text = scene("").replace("index = 91", "index = 90");
    let (actor, _) = begun("CYRUS", &text, |actor| {
        (actor.extra_flag, actor.extra_time, actor.weapon_drawn) = (21, 9, 1);
    });
    assert_eq!((actor.weapon_drawn, actor.extra_flag, actor.extra_time), (1, 0, 0));
    assert_eq!((actor.cold.candle_timer, combat_flags(&actor)), (25, 4), "the flag is set after cleanup");
    let (actor, _) = begun("GUARD", &text, |actor| actor.combat = None);
    assert_eq!((actor.weapon_drawn, actor.ai_type, actor.combat), (1, 6, None), "no record, no flag");
}

/// W21: exit sheathes where that is admitted, then selector 1, mode 0, the hook on again, the combat flag off.
#[test]
fn endcombat_sheathes_and_leaves_combat() {
    let ended = |set: fn(&mut Actor)| {
        let mut runtime = yard();
        edit(&mut runtime, "GUARD", |actor| {
            (actor.ai_type, actor.cold.ai_mode, actor.disable_script, actor.weapon_drawn) = (6, 5, 7, 1);
            if let Some(combat) = &mut actor.combat {
                combat.flags = 0xff;
            }
            set(actor);
        });
        assert_eq!(call(&mut runtime, "GUARD", "endCombat", &[]), 0);
        let guard = actor(&runtime, "GUARD").clone();
        assert_eq!((guard.ai_type, guard.cold.ai_mode, guard.disable_script), (1, 0, 5));
        (guard, refusal(&runtime, "GUARD"))
    };
    let (guard, why) = ended(|_| {});
    assert_eq!((guard.extra_flag, combat_flags(&guard)), (21, 0xfb));
    assert_eq!((guard.combat.map(|combat| combat.cooldown), &*why), (Some(24), ""));
    let (guard, why) = ended(|actor| actor.weapon_drawn = 0);
    assert_eq!((guard.extra_flag, combat_flags(&guard)), (0, 0xfb), "the flag goes even if nothing is sheathed");
    assert_eq!(why, "endcombat refused: no weapon is in the hand (weapon_drawn = 0, attribute_23 = 1)");
    let (guard, why) = ended(|actor| actor.combat = None);
    assert_eq!((guard.extra_flag, guard.combat), (0, None));
    assert_eq!(why, "endcombat refused: the actor has no combat record (attribute_14 = 1)");
}

/// W15: attribute 1 comes back from 119 and the cooldown runs down to 0, also while scripts are disabled.
#[test]
fn maintenance_restores_attribute_1_and_runs_the_cooldown_down() {
    let text = scene("").replace("soup386 = 1", "soup386 = 1\nclock.nominal = [3]");
    for script_control in [0, 1, 2, 4] {
        let mut runtime = runtime(&text);
        for name in ["CYRUS", "GUARD"] {
            edit(&mut runtime, name, |actor| {
                actor.combat.as_mut().expect("a combat record").cooldown = 7;
                (actor.attributes[1], actor.attributes[119]) = (8, 5);
                actor.disable_script = script_control;
            });
        }
        for expected in [4, 1, 0, 0] {
            updates(&mut runtime, 1);
            for name in ["CYRUS", "GUARD"] {
                let actor = actor(&runtime, name);
                assert_eq!(actor.combat.map(|combat| combat.cooldown), Some(expected), "{name}, {script_control}");
                assert_eq!(actor.attribute(1), 5);
            }
        }
    }
}

/// Cooldown and attribute 1 after one update with T = 1, from 7 and 8; attribute 119 holds 5.
fn maintained(name: &str, set: impl FnOnce(&mut Runtime)) -> (Option<i32>, u8) {
    let mut runtime = yard();
    edit(&mut runtime, name, |actor| {
        actor.combat.as_mut().expect("a combat record").cooldown = 7;
        (actor.attributes[1], actor.attributes[119]) = (8, 5);
    });
    set(&mut runtime);
    updates(&mut runtime, 1);
    let actor = actor(&runtime, name);
    (actor.combat.map(|combat| combat.cooldown), actor.attribute(1))
}

/// W15: an unpaused task holds maintenance back, a paused one does not; without record there is none.
#[test]
fn maintenance_waits_for_tasks_and_needs_a_record() {
    let wait = |r: &mut Runtime| admits(r, "GUARD", "Wait", &[9]);
    assert_eq!(maintained("GUARD", |_| {}), (Some(6), 5));
    assert_eq!(maintained("GUARD", wait), (Some(7), 8));
    let paused = |r: &mut Runtime| {
        wait(r);
        edit(r, "GUARD", |actor| actor.tasks.get_mut(0).expect("the task").paused = true);
    };
    assert_eq!(maintained("GUARD", paused), (Some(6), 5));
    assert_eq!(maintained("GUARD", |r| edit(r, "GUARD", |actor| actor.combat = None)), (None, 8));
}

/// W15: while drawing or sheathing the player's cooldown stands still, that of others runs.
#[test]
fn the_players_cooldown_stands_still_while_drawing_or_sheathing() {
    for set in [|actor: &mut Actor| actor.extra_flag = 20, |actor: &mut Actor| actor.extra_flag = 21] {
        assert_eq!(maintained("CYRUS", |r| edit(r, "CYRUS", set)), (Some(7), 5));
        assert_eq!(maintained("GUARD", |r| edit(r, "GUARD", set)), (Some(6), 5));
    }
}
