//! Reverse playback.

use soup386::{
    units::Vec3,
    world::{EventKind, Playback},
};

use crate::{
    stage::{Group, IDLE, Stage, actor_text, scene_text},
    support,
};

const TWENTY: Group = (20, 5, 1, "ShowFrame 20, ShowFrame 21, ShowFrame 22, GoToPrevious 0");
const FRAMES: &str = "ShowFrame 10, ShowFrame 11, ShowFrame 12, ShowFrame 13, ShowFrame 14";

/// Group 10 backward, its cursor on a command.
fn backward(cursor: i16, commands: &str) -> Stage {
    let mut stage = Stage::at_command(10, cursor, &[IDLE, (10, 3, 1, commands), TWENTY]);
    stage.set(|anim| anim.reverse = 1);
    stage
}

/// Backward from the command `tested` at cursor 2, for one advance without ticks.
fn interpret(tested: &str, prepare: impl FnOnce(&mut Playback)) -> Stage {
    let mut stage = backward(2, &format!("ShowFrame 10, ShowFrame 11, {tested}, ShowFrame 13, ShowFrame 14"));
    stage.set(prepare);
    stage.advance(0);
    stage
}

/// G1, G3: the countdown of rule P3 with the steps turned round.
#[test]
fn the_countdown_steps_backward() {
    // (ticks, countdown) -> (cursor, real_frame, countdown)
    let cases = [
        ((0, 0), (4, 1, 0)),
        ((1, 2), (4, 1, 1)),
        ((7, 2), (4, 1, 1)),
        ((1, 0), (3, 0, 2)),
        ((2, 0), (2, 255, 2)),
        ((3, 0), (1, 254, 2)),
    ];
    for (case, (cursor, real_frame, countdown)) in cases {
        let mut stage = backward(4, FRAMES);
        stage.set(|anim| (anim.speed_count, anim.real_frame) = (case.1, 1));
        stage.advance(case.0);
        assert_eq!(stage.at(), (10, cursor, 10 + cursor), "{case:?}");
        assert_eq!((stage.anim().real_frame, stage.anim().speed_count), (real_frame, countdown), "{case:?}");
    }
}

/// G1: delays hold reverse playback as well.
#[test]
fn a_delay_holds_reverse_playback() {
    let mut stage = backward(4, FRAMES);
    stage.set(|anim| (anim.hold, anim.speed_count) = (2, 0));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().hold), ((10, 4, 10), 1));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().hold), ((10, 3, 13), 0));
}

/// G1: replacement is tested before the exit marker is cleared.
#[test]
fn a_pending_group_replaces_a_reversed_one_past_its_exit() {
    let mut stage = backward(4, FRAMES);
    stage.set(|anim| (anim.exit, anim.pending, anim.next_speed) = (1, 20, 5));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().speed_count, stage.anim().reverse), ((20, 0, 20), 4, 0));
}

/// G2: every iteration clears the markers and the deltas.
#[test]
fn each_reverse_command_clears_markers_and_deltas() {
    let stage = interpret("ShowFrame 12", |anim| {
        (anim.exit, anim.still) = (1, 1);
        (anim.delta_pos, anim.delta_angle) = (Vec3::new(1, 2, 3), Vec3::new(4, 5, 6));
    });
    let anim = stage.anim();
    assert_eq!((stage.at(), anim.exit, anim.still), ((10, 2, 12), 0, 0));
    assert_eq!((anim.delta_pos, anim.delta_angle), (Vec3::new(0, 0, 0), Vec3::new(0, 0, 0)));
}

/// G2, P9: below command 1 the group ends: its sound stops and what waits starts with the ticks of the call.
#[test]
fn command_0_is_never_shown_in_reverse() {
    for cursor in [1, 0, -3] {
        let mut stage = backward(cursor, FRAMES);
        stage.set(|anim| {
            (anim.speed_count, anim.sound, anim.pending, anim.next_speed) = (u8::from(cursor != 1), 4, 20, 5);
        });
        stage.advance(1);
        assert_eq!((stage.at(), stage.anim().speed_count), ((20, 0, 20), 4), "{cursor}");
        assert_eq!(stage.events(), [EventKind::SoundStopped { slot: 4 }], "{cursor}");
    }
    // With nothing pending the default starts.
    let mut stage = backward(0, FRAMES);
    stage.advance(0);
    assert_eq!(stage.at(), (0, 0, 0));
}

/// G3: what only moves: nothing else of the record changes, no event is raised.
#[test]
fn most_commands_only_move_in_reverse() {
    let commands = [
        "SetRotationXYZ 1 2 3",
        "SetRotationAxis 1 5",
        "SetPositionXYZ 1 2 3",
        "SetPositionAxis 1 5",
        "ChangeAnimGroup 20 1",
        "ConditionalDelay 4",
        "LoopControl 4",
        "Transition 1 6 4",
        "Transition 4 6 4",
        "BreakPoint",
        "GoToPrevious 4",
        "GoToFuture 4",
        "DelayCounter 0",
        "DelayCounter 256",
    ];
    for command in commands {
        let mut stage = backward(2, &format!("ShowFrame 10, ShowFrame 11, {command}, ShowFrame 13, ShowFrame 14"));
        let actor = stage.actor_mut();
        (actor.cold.action, actor.fall_flag) = (3, 1);
        stage.set(|anim| (anim.rep, anim.pending, anim.next_speed) = (5, 20, 5));
        let before = stage.anim();
        stage.advance(0);
        assert_eq!(stage.anim(), Playback { cursor: 1, ..before }, "{command}");
        assert_eq!((stage.at(), stage.actor().cold.action), ((10, 1, 11), 3), "{command}");
        assert_eq!(stage.events(), [], "{command}");
    }
}

/// G3: sounds and actor events happen backward too.
#[test]
fn sounds_and_actor_events_happen_in_reverse() {
    let mut stage = interpret("PlaySound 3 -1", |anim| anim.sound = 8);
    assert_eq!((stage.at(), stage.anim().sound), ((10, 1, 11), 0));
    assert_eq!(stage.events(), [EventKind::Sound { effect: 3, rate: -1 }]);
    let mut stage = interpret("Rumble 16", |_| {});
    assert_eq!(stage.at(), (10, 1, 11));
    assert_eq!(stage.events(), [EventKind::ActorEvent { mask: 16 }]);
}

/// G3: the finite loop is where a reversed group moves forward.
#[test]
fn reverse_jumps_depend_on_the_finite_loop() {
    let cases = [
        ("GoToPrevious 4", 1, (10, 3, 13), 0),
        ("GoToPrevious 4", 2, (10, 4, 14), 1),
        ("GoToPrevious 4", 255, (10, 4, 14), 254),
        ("GoToFuture 4", 1, (10, 3, 13), 1),
        ("GoToFuture 4", 9, (10, 3, 13), 9),
    ];
    for (command, loop_count, at, left) in cases {
        let stage = interpret(command, |anim| (anim.loop_count, anim.pending) = (loop_count, 20));
        assert_eq!((stage.at(), stage.anim().loop_count), (at, left), "{command}, {loop_count}");
        assert_eq!(stage.anim().exit, 0);
    }
}

/// G3: DelayCounter yields at once, one command further back.
#[test]
fn a_delay_counter_yields_in_reverse() {
    let mut stage = interpret("DelayCounter 259", |_| {});
    assert_eq!((stage.at(), stage.anim().hold), ((10, 1, 10), 3));
    stage.advance(3);
    assert_eq!((stage.at(), stage.anim().hold), ((10, 1, 11), 0));
}

/// G3: EndAnimation ends, whichever way it is met.
#[test]
fn end_animation_ends_a_reversed_group() {
    let mut stage = interpret("EndAnimation", |anim| anim.sound = 2);
    assert_eq!(stage.at(), (0, 0, 0));
    assert_eq!(stage.events(), [EventKind::SoundStopped { slot: 2 }]);
}

/// G3: skipped frames move back; control commands between them use no skip.
#[test]
fn frames_are_skipped_backward() {
    let mut stage = backward(4, "ShowFrame 10, ShowFrame 11, Rumble 1, ShowFrame 13, ShowFrame 14");
    stage.set(|anim| (anim.speed_count, anim.real_frame) = (0, 9));
    stage.advance(2);
    // Cursor 3 at the countdown, skipped to 2, Rumble to 1.
    assert_eq!((stage.at(), stage.anim().real_frame, stage.n_rumbles()), ((10, 1, 11), 7, 1));
}

/// G4: a script turns a running group round; only 1 is backward; the next group runs forward again.
#[test]
fn only_a_script_starts_reverse_playback() {
    let groups = [IDLE, (10, 1, 1, FRAMES), TWENTY];
    for (flag, expected) in [(1, [13, 12, 11, 0]), (2, [14, 0, 0, 0])] {
        let mut runtime = support::runtime(&scene_text(&actor_text("a", "", &groups)));
        support::call(&mut runtime, "a", "PlayAnimation", &[10, 0]);
        // Countdown 1 at the request: update 0 shows frame 10, then one frame an update.
        support::updates(&mut runtime, if flag == 1 { 5 } else { 4 });
        assert_eq!(support::property(&runtime, "a", "anim.rewind_flag"), 0);
        support::set_property(&mut runtime, "a", "anim.rewind_flag", flag);
        for frame in expected {
            support::updates(&mut runtime, 1);
            assert_eq!(support::actor(&runtime, "a").pose.frame, frame, "flag {flag}");
        }
        assert_eq!(support::property(&runtime, "a", "anim.rewind_flag"), 0);
    }
}
