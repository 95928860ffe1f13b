//! The stages of one update: which there are, in which order, and what keeps an actor out of them.

use std::sync::Arc;

use soup386::{
    natives::{Call, Handler},
    units::{Angle, Q8, Vec3},
    update::Runtime,
    world::Actor,
};

use super::{
    support::{actor, call, runtime, updates},
    yard::{admits, edit, scene, set_attribute, shown, yard},
};

/// Starts a task on GUARD that does this in each pass: what an actor script does in the script stage.
fn in_script_stage(runtime: &mut Runtime, act: impl Fn(&mut Call<'_>) + Send + Sync + 'static) {
    let engine = runtime.engine_mut();
    let mut natives = (*engine.natives).clone();
    let handler = move |call: &mut Call<'_>| {
        if call.elapsed > 0 {
            act(call);
        }
        1
    };
    assert!(natives.bind("Guard", Handler::Host(Arc::new(handler))).is_ok());
    engine.natives = Arc::new(natives);
    call(runtime, "GUARD", "Guard", &[0, 0, 0]);
}

fn nearest(actor: &Actor) -> [i32; 9] {
    actor.matrix.0.map(|component| component.round() as i32)
}

const UNTURNED: [i32; 9] = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/// Yaw by −512: x' = −z·s, z' = x·s with s = −1.
const QUARTER: [i32; 9] = [0, 0, -1, 0, 1, 0, 1, 0, 0];
const HALF: [i32; 9] = [-1, 0, 0, 0, 1, 0, 0, 0, -1];

/// U1, X17: tick inputs are cycled by update index and shared by all.
#[test]
fn tick_inputs_are_cycled() {
    let mut runtime = runtime(&scene("").replace("soup386 = 1", "soup386 = 1\nclock.nominal = [2, 0, 5]"));
    for expected in [2, 0, 5, 2, 0] {
        updates(&mut runtime, 1);
        for name in ["CYRUS", "GUARD", "STONE"] {
            assert_eq!(call(&mut runtime, name, "GetFramePassed", &[]), expected);
        }
    }
    assert_eq!(runtime.world().clock.tick, 4);
}

/// U2, X8: what lasts for one update is gone when the next begins: displays, events, the use latch.
#[test]
fn an_update_begins_without_displays_events_and_use_latch() {
    let mut runtime = yard();
    admits(&mut runtime, "CYRUS", "DisplayHandModel", &[1, 0, 0, 0]);
    admits(&mut runtime, "CYRUS", "KillMe", &[]);
    runtime.engine_mut().world.items.use_latch = true;
    updates(&mut runtime, 1);
    assert!(actor(&runtime, "CYRUS").displays.is_empty());
    assert!(!runtime.world().items.use_latch);
    let player = runtime.world().player();
    assert!(!runtime.world().events.iter().any(|event| Some(event.actor) == player));
}

/// U3: an attached actor is presented where it stands itself.
#[test]
fn attribute_26_does_not_change_presentation() {
    let mut runtime = yard();
    set_attribute(&mut runtime, "GUARD", 26, 1);
    edit(&mut runtime, "GUARD", |actor| {
        actor.pos = Vec3::new(Q8(2560), Q8(0), Q8(0));
        actor.angle.y = Angle(512);
    });
    updates(&mut runtime, 1);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((guard.floating, nearest(guard)), ([10.0, 0.0, 0.0], QUARTER));
    assert_eq!(shown(&runtime, "GUARD"), "hilt");
}

/// U4: hidden and excluded actors are not presented: nothing shown, no matrix, no floating position, no draw.
#[test]
fn presentation_passes_hidden_and_excluded_actors_over() {
    let gates: [fn(&mut Actor); 3] =
        [|actor| actor.hide = 2, |actor| actor.object_excluded = true, |actor| actor.animation_excluded = true];
    for (i, close) in gates.into_iter().enumerate() {
        let mut runtime = yard();
        updates(&mut runtime, 1);
        assert_eq!(shown(&runtime, "GUARD"), "hilt");
        edit(&mut runtime, "GUARD", |actor| {
            (actor.pos.x, actor.angle.y, actor.extra_flag) = (Q8(2560), Angle(512), 20);
            close(actor);
        });
        updates(&mut runtime, 1);
        let guard = actor(&runtime, "GUARD");
        assert_eq!((shown(&runtime, "GUARD"), nearest(guard), guard.floating[0]), ("none", UNTURNED, 0.0), "gate {i}");
        assert_ne!(guard.playback.current, 91, "gate {i}: no pass, so no request");
    }
}

/// U4: matrix, then floating position, then the weapon: all three of the same update.
#[test]
fn presentation_places_the_weapon_with_this_updates_matrix_and_position() {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| {
        (actor.weapon_drawn, actor.pose.frame) = (1, 3);
        (actor.pos.x, actor.angle.y) = (Q8(2560), Angle(512));
    });
    updates(&mut runtime, 1);
    // The grip's middle (3, 0, 5) turned: X = −5, Z = 3. Position 10 is added to X.
    let attachment = actor(&runtime, "GUARD").attachment.expect("in the hand");
    assert_eq!(attachment.transform.position, [5.0, 0.0, 3.0]);
}

/// U5: neither ropes nor shell scripts run: an actor on a rope stays where it is.
#[test]
fn ropes_do_not_move_anybody() {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| (actor.rope, actor.pos) = (5, Vec3::new(Q8(100), Q8(200), Q8(300))));
    updates(&mut runtime, 10);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((guard.rope, guard.pos), (5, Vec3::new(Q8(100), Q8(200), Q8(300))));
    assert_eq!(guard.playback.current, 79, "the rope's default group");
}

/// U6, U4, U7: the check stands between presentation and the ordinary updates: the taken weapon was still shown, and
/// the default group of the same update already is that of empty hands.
#[test]
fn the_weapon_check_stands_before_the_ordinary_updates() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| (actor.attributes[23], actor.weapon_drawn) = (4, 1));
    updates(&mut runtime, 1);
    assert_eq!((shown(&runtime, "CYRUS"), actor(&runtime, "CYRUS").playback.default), ("hand", 0));
}

/// U7: excluded, killed and held actors are skipped: no snapshot, default, animation, maintenance, task or lock.
#[test]
fn skipped_actors_do_nothing_at_all() {
    let gates: [fn(&mut Actor); 3] =
        [|actor| actor.object_excluded = true, |actor| actor.dead = 1, |actor| actor.disable_script = 8];
    for (i, close) in gates.into_iter().enumerate() {
        let mut runtime = yard();
        call(&mut runtime, "GUARD", "Wait", &[1]);
        set_attribute(&mut runtime, "GUARD", 40, 1);
        edit(&mut runtime, "GUARD", |actor| {
            actor.hide = 1;
            actor.combat.as_mut().expect("a combat record").cooldown = 9;
            (actor.pos.x, actor.angle.x, actor.attributes[44], actor.torch_timer) = (Q8(5), Angle(6), 18, 1);
            close(actor);
        });
        let mut expected = actor(&runtime, "GUARD").clone();
        expected.attachment = None;
        updates(&mut runtime, 3);
        assert_eq!(*actor(&runtime, "GUARD"), expected, "gate {i}");
    }
}

/// U7: default selection, then advance, then the request for the default, then the script stage.
#[test]
fn the_script_stage_sees_this_updates_default_and_frame() {
    let mut runtime = yard();
    in_script_stage(&mut runtime, |call| {
        let seen = call.actor().playback;
        call.actor_mut().hand_pos =
            Vec3::new(Q8(seen.default.into()), Q8(seen.real_frame.into()), Q8(seen.pending.into()));
    });
    admits(&mut runtime, "GUARD", "PlayAnimation", &[18, 0]);
    edit(&mut runtime, "GUARD", |actor| (actor.attributes[23], actor.torch_timer) = (0, 1));
    updates(&mut runtime, 2);
    // Group 18 starts with T = 0; the first advance holds its frame, the second is frame 1. The torch's default is 5.
    assert_eq!(actor(&runtime, "GUARD").hand_pos, Vec3::new(Q8(5), Q8(1), Q8(5)));
}

/// U7: an actor excluded from animation still selects its default and runs its tasks.
#[test]
fn animation_exclusion_stops_the_animation_only() {
    let mut runtime = yard();
    call(&mut runtime, "GUARD", "Wait", &[3]);
    edit(&mut runtime, "GUARD", |actor| {
        actor.animation_excluded = true;
        (actor.playback.current, actor.playback.real_frame, actor.torch_timer) = (18, 7, 1);
    });
    updates(&mut runtime, 2);
    let guard = actor(&runtime, "GUARD");
    let playback = guard.playback;
    assert_eq!((playback.current, playback.real_frame, playback.pending, playback.default), (18, 7, -1, 5));
    assert!(guard.tasks.is_empty());
}

/// U7, X13: script-control 1 and 4 keep the existing tasks from running, 2 does not.
#[test]
fn script_control_holds_tasks_back() {
    for (control, counter) in [(0, 4), (1, 1), (2, 4), (4, 1), (5, 1)] {
        let mut runtime = yard();
        call(&mut runtime, "GUARD", "Wait", &[100]);
        edit(&mut runtime, "GUARD", |actor| actor.disable_script = control);
        updates(&mut runtime, 3);
        assert_eq!(actor(&runtime, "GUARD").tasks.running()[0].counter, counter, "script-control {control}");
    }
}

/// U7: the collision stage repeats no draw admission, which would clean up here because the hand is taken.
#[test]
fn the_collision_stage_leaves_states_20_and_21_alone() {
    for state in [20, 21] {
        let mut runtime = yard();
        edit(&mut runtime, "GUARD", |actor| {
            (actor.attributes[1], actor.attributes[119], actor.hand_item) = (4, 4, 2);
            (actor.extra_flag, actor.weapon_drawn) = (state, 1);
        });
        updates(&mut runtime, 1);
        let guard = actor(&runtime, "GUARD");
        assert_eq!((guard.extra_flag, guard.weapon_drawn, &guard.cold.refusal), (state, 1, &None));
    }
}

/// U7: attributes 40, 41, 42 lock X, Y, Z and 38, 37, 39 pitch, heading, roll, each alone; attribute 26 lifts them all.
#[test]
fn axis_locks_restore_what_the_script_stage_changed() {
    let moved = |lock: u8, is_slave: bool| {
        let mut runtime = yard();
        in_script_stage(&mut runtime, |call| {
            let actor = call.actor_mut();
            actor.pos = Vec3::new(Q8(1), Q8(2), Q8(3));
            actor.angle = Vec3::new(Angle(4), Angle(5), Angle(6));
        });
        set_attribute(&mut runtime, "GUARD", lock, 255);
        set_attribute(&mut runtime, "GUARD", 26, is_slave.into());
        updates(&mut runtime, 1);
        let guard = actor(&runtime, "GUARD");
        let pos: [i32; 3] = guard.pos.map(|Q8(component)| component).into();
        let angle: [i32; 3] = guard.angle.map(|Angle(component)| component).into();
        (pos, angle)
    };
    for (lock, expected) in [
        (36, ([1, 2, 3], [4, 5, 6])),
        (37, ([1, 2, 3], [4, 0, 6])),
        (38, ([1, 2, 3], [0, 5, 6])),
        (39, ([1, 2, 3], [4, 5, 0])),
        (40, ([0, 2, 3], [4, 5, 6])),
        (41, ([1, 0, 3], [4, 5, 6])),
        (42, ([1, 2, 0], [4, 5, 6])),
    ] {
        assert_eq!(moved(lock, false), expected, "attribute {lock}");
        assert_eq!(moved(lock, true), ([1, 2, 3], [4, 5, 6]), "attribute {lock} of a slave");
    }
}

/// U8, U10: rows, and everything else, go in scene order; new actors come last.
#[test]
fn the_update_order_is_the_scene_order() {
    let mut runtime = yard();
    let def = runtime.engine().defs.actor_named("GUARD").expect("a record");
    runtime.engine_mut().spawn(def, "ARNE").expect("a free name");
    for name in ["ARNE", "GUARD", "CYRUS"] {
        edit(&mut runtime, name, |actor| (actor.weapon_drawn, actor.combat) = (1, None));
    }
    updates(&mut runtime, 1);
    let text = soup386::trace::lines(&runtime.engine().defs, runtime.world(), false);
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let row = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).expect("a row is JSON");
    let names: Vec<_> = lines.map(|line| row(line)["actor"].as_str().expect("a name").to_owned()).collect();
    assert_eq!(names, ["CYRUS", "GUARD", "STONE", "ARNE"]);
    let sheathed = |event: &&soup386::world::Event| event.kind == soup386::world::EventKind::Sheathed;
    let key = |name| runtime.world().named(name).expect("an actor");
    let order: Vec<_> = runtime.world().events.iter().filter(sheathed).map(|event| event.actor).collect();
    assert_eq!(order, ["CYRUS", "GUARD", "ARNE"].map(key), "the pass clears them in this order");
}

/// U11: a group that the pass starts is advanced by the request and again by the ordinary update.
#[test]
fn a_group_that_the_pass_starts_is_advanced_twice() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "DrawSword", &[]);
    updates(&mut runtime, 1);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((guard.playback.current, guard.playback.real_frame, guard.pose.frame), (91, 1, 3));
    let attachment = guard.attachment.expect("the hilt");
    assert_eq!(attachment.transform.position, [0.0, 2.0, 0.0], "the pass saw the first of the two");
}

/// U11: a write before the update shows in the floating position of this update, one of the script stage in the next.
#[test]
fn positions_show_in_the_presentation_after_the_write() {
    let mut runtime = yard();
    in_script_stage(&mut runtime, |call| call.actor_mut().pos.x = Q8(512));
    edit(&mut runtime, "GUARD", |actor| actor.pos.x = Q8(256));
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "GUARD").floating[0], 1.0);
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "GUARD").floating[0], 2.0);
}

/// U12: each write of an angle turns the matrix exactly once; a skipped actor turns at every update.
#[test]
fn a_written_angle_turns_the_matrix_once() {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| actor.angle.y = Angle(512));
    for _ in 0..3 {
        updates(&mut runtime, 1);
        assert_eq!(nearest(actor(&runtime, "GUARD")), QUARTER);
    }
    let mut runtime = yard();
    in_script_stage(&mut runtime, |call| call.actor_mut().angle.y = Angle(512));
    let turned = |runtime: &mut Runtime| {
        updates(runtime, 1);
        nearest(actor(runtime, "GUARD"))
    };
    assert_eq!([turned(&mut runtime), turned(&mut runtime), turned(&mut runtime)], [UNTURNED, QUARTER, QUARTER]);
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| (actor.angle.y, actor.disable_script) = (Angle(512), 8));
    assert_eq!([turned(&mut runtime), turned(&mut runtime)], [QUARTER, HALF]);
}
