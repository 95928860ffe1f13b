//! The advance and the commands, played forward.

use soup386::{
    anim::BUDGET,
    units::{Q8, Vec3},
    world::{EventKind, Playback},
};

use crate::{
    stage::{Group, IDLE, Stage, actor_text, scene_text},
    support,
};

const TEN: Group = (10, 3, 1, "ShowFrame 10, ShowFrame 11, ShowFrame 12, GoToPrevious 0");
const TWENTY: Group = (20, 5, 1, "ShowFrame 20, ShowFrame 21, ShowFrame 22, GoToPrevious 0");

/// The stage after one advance without ticks from a command of group 10.
fn interpret(cursor: i16, commands: &str, prepare: impl FnOnce(&mut Playback)) -> Stage {
    let mut stage = Stage::at_command(10, cursor, &[IDLE, (10, 3, 1, commands), TWENTY]);
    stage.set(prepare);
    stage.advance(0);
    stage
}

/// Deltas as no command leaves them.
fn set_deltas(anim: &mut Playback) {
    anim.delta_pos = Vec3::new(1, 2, 3);
    anim.delta_angle = Vec3::new(4, 5, 6);
}

fn has_deltas(anim: Playback) -> (bool, bool) {
    (anim.delta_pos != Vec3::new(0, 0, 0), anim.delta_angle != Vec3::new(0, 0, 0))
}

/// P1: step 2 before step 3.
#[test]
fn delays_come_before_replacement() {
    let mut stage = Stage::playing(10, &[IDLE, TEN, TWENTY]);
    stage.set(|anim| (anim.exit, anim.pending, anim.next_speed, anim.hold) = (1, 20, 5, 2));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().hold), ((10, 0, 10), 1));
    stage.advance(1);
    assert_eq!(stage.at(), (20, 0, 20));
}

/// P1, P18: the test of DelayCounter comes first, and alone while it waits.
#[test]
fn delay_counter_is_tested_before_conditional_delay() {
    let mut stage = Stage::playing(10, &[IDLE, TEN]);
    stage.set(|anim| (anim.hold, anim.cond) = (2, 2));
    stage.advance(1);
    assert_eq!((stage.anim().hold, stage.anim().cond), (1, 2));
    stage.advance(1);
    assert_eq!((stage.anim().hold, stage.anim().cond), (0, 1));
    stage.advance(1);
    assert_eq!((stage.anim().cond, stage.anim().speed_count), (0, 2));
}

/// P1: step 2, only when a group is current.
#[test]
fn a_delay_without_a_current_group_does_not_wait() {
    let mut stage = Stage::new(&[IDLE, TWENTY]);
    stage.set(|anim| (anim.current, anim.pending, anim.next_speed, anim.hold, anim.cond) = (-1, 20, 5, 255, 9));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().hold, stage.anim().cond), ((20, 0, 20), 0, 0));
}

/// P1: step 3 before step 4; the new group's countdown is reduced, the old one's cursor is not moved.
#[test]
fn replacement_comes_before_the_countdown() {
    let mut stage = Stage::playing(10, &[IDLE, TEN, TWENTY]);
    stage.set(|anim| (anim.exit, anim.pending, anim.next_speed, anim.speed_count) = (1, 20, 5, 0));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().real_frame, stage.anim().speed_count), ((20, 0, 20), 0, 4));
}

/// P1: step 3 with neither group.
#[test]
fn with_nothing_current_or_pending_the_default_starts() {
    let mut stage = Stage::playing(10, &[(0, 6, 1, "ShowFrame 5"), TEN]);
    stage.set(|anim| anim.current = -1);
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().speed_count), ((0, 0, 5), 5));
}

/// P1: step 3 with neither group nor default; the pose stays.
#[test]
fn without_a_default_nothing_starts_and_the_pose_stays() {
    let mut stage = Stage::playing(10, &[TEN]);
    stage.set(|anim| anim.current = -1);
    let before = stage.anim();
    stage.advance(1);
    assert_eq!(stage.anim(), before);
    assert_eq!(stage.actor().pose.frame, 10);
}

/// P2: the group that follows an end gets all ticks of the call.
#[test]
fn a_group_change_consumes_no_ticks() {
    let next = (20, 0, 1, "ShowFrame 1, ShowFrame 2, ShowFrame 3, ShowFrame 4, ShowFrame 5");
    let mut stage = Stage::playing(10, &[IDLE, (10, 3, 1, "ShowFrame 10, EndAnimation"), next]);
    stage.set(|anim| (anim.speed_count, anim.pending, anim.next_speed) = (0, 20, 0));
    stage.advance(3);
    // Group 20: command 0 is left (1), two of three ticks skip frames (2, 3).
    assert_eq!((stage.at(), stage.anim().real_frame), ((20, 3, 4), 3));
}

/// P3: every case of the countdown; P8: skipped frames count as progress.
#[test]
fn the_countdown_is_one_and_the_ticks_are_another() {
    let frames = "ShowFrame 0, ShowFrame 1, ShowFrame 2, ShowFrame 3, ShowFrame 4, ShowFrame 5";
    // (ticks, countdown, reload) -> (cursor and real_frame, countdown, still)
    let cases = [
        ((0, 0, 4), (0, 0, 1)),
        ((0, 3, 4), (0, 3, 1)),
        ((1, 3, 4), (0, 2, 1)),
        ((5, 3, 4), (0, 2, 1)),
        ((1, 1, 4), (0, 0, 1)),
        ((1, 0, 4), (1, 3, 0)),
        ((3, 0, 4), (3, 3, 0)),
        ((2, 0, 1), (2, 0, 0)),
        ((1, 0, 0), (1, 255, 0)),
    ];
    for (case, (progress, countdown, still)) in cases {
        let (ticks, speed_count, speed) = case;
        let mut stage = Stage::playing(10, &[IDLE, (10, 3, 1, frames)]);
        stage.set(|anim| (anim.speed_count, anim.speed, anim.still) = (speed_count, speed, 1));
        stage.advance(ticks);
        let anim = stage.anim();
        assert_eq!(stage.at(), (10, progress, progress), "{case:?}");
        assert_eq!(anim.real_frame, progress as u8, "{case:?}");
        assert_eq!((anim.speed_count, anim.still), (countdown, still), "{case:?}");
    }
}

/// P3: `real_frame` is a byte, the cursor an i16.
#[test]
fn progress_wraps() {
    let mut stage = Stage::playing(10, &[IDLE, TEN]);
    stage.set(|anim| (anim.speed_count, anim.real_frame) = (0, 255));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().real_frame), ((10, 1, 11), 0));
    // A cursor that wraps to −32768 is outside the group and ends it.
    stage.set(|anim| (anim.speed_count, anim.cursor) = (0, i16::MAX));
    stage.advance(1);
    assert_eq!(stage.at(), (0, 0, 0));
}

/// P4: at one tick an update.
#[test]
fn speed_is_the_number_of_updates_of_a_frame() {
    for speed in 1..=3 {
        let group = (0, speed, 1, "ShowFrame 0, ShowFrame 1, ShowFrame 2, GoToPrevious 0");
        let mut runtime = support::runtime(&scene_text(&actor_text("a", "", &[group])));
        for update in 0..12 * i16::from(speed) {
            support::updates(&mut runtime, 1);
            let expected = update / i16::from(speed) % 3;
            assert_eq!(support::actor(&runtime, "a").pose.frame, expected, "speed {speed}, update {update}");
        }
    }
}

/// P4: the countdown is not reduced by more than one, so a slow group is not faster at two ticks until it steps.
#[test]
fn two_ticks_skip_frames_but_do_not_shorten_the_countdown() {
    let group = (0, 3, 1, "ShowFrame 0, ShowFrame 1, ShowFrame 2, ShowFrame 3, ShowFrame 4, GoToPrevious 0");
    let clock = "[clock]\nnominal = [2]\n";
    let mut runtime = support::runtime(&scene_text(&(clock.to_owned() + actor_text("a", "", &[group]).as_str())));
    let mut shown = Vec::new();
    for _ in 0..9 {
        support::updates(&mut runtime, 1);
        shown.push(support::actor(&runtime, "a").pose.frame);
    }
    assert_eq!(shown, [0, 0, 0, 2, 2, 2, 4, 4, 4]);
}

/// P4: a byte countdown of 0.
#[test]
fn a_countdown_of_zero_leaves_command_0_at_once_and_holds_256_updates() {
    let mut stage = Stage::new(&[IDLE, (10, 0, 1, "ShowFrame 1, ShowFrame 2, ShowFrame 3, EndAnimation")]);
    stage.request(10, 0, 1);
    assert_eq!((stage.at(), stage.anim().speed_count), ((10, 1, 2), 255));
    for advance in 2..=256 {
        stage.advance(1);
        assert_eq!(stage.at(), (10, 1, 2), "advance {advance}");
    }
    stage.advance(1);
    assert_eq!(stage.at(), (10, 2, 3));
}

/// P5: a retained ShowFrame selects its frame again.
#[test]
fn a_retained_frame_is_selected_again() {
    let mut stage = Stage::at_command(10, 1, &[IDLE, TEN]);
    stage.actor_mut().pose.frame = 33;
    stage.advance(0);
    assert_eq!(stage.at(), (10, 1, 11));
}

/// P5: whatever command the cursor was left on is interpreted.
#[test]
fn playback_resumes_at_a_control_command() {
    let mut stage = interpret(1, "ShowFrame 1, Rumble 6, ShowFrame 2", |_| {});
    assert_eq!((stage.at(), stage.n_rumbles()), ((10, 2, 2), 1));
}

/// P6: two commands in a circle share the budget evenly, and nothing is rolled back.
#[test]
fn an_endless_loop_is_left_after_exactly_4096_commands() {
    assert_eq!(BUDGET, 4096);
    let mut stage = interpret(1, "ShowFrame 1, Rumble 1, GoToPrevious 1", |_| {});
    assert_eq!((stage.at(), stage.n_rumbles()), ((10, 1, 1), 2048));
    // Three commands: 4096 = 3 × 1365 + 1, so the first of them runs once more and the cursor stands on the second.
    let mut stage = interpret(1, "ShowFrame 1, Rumble 1, Rumble 2, GoToPrevious 1", |_| {});
    assert_eq!((stage.at(), stage.n_rumbles()), ((10, 2, 1), 2 * 1365 + 1));
}

/// P6: nested advances draw on the budget of the outermost one.
#[test]
fn nested_advances_share_the_budget() {
    let groups = [(0, 1, 1, "Rumble 1, GoToPrevious 0"), (10, 1, 1, "Rumble 1, Rumble 2, EndAnimation")];
    let mut stage = Stage::new(&groups);
    stage.events();
    stage.set(|anim| (anim.current, anim.cursor) = (10, 0));
    stage.advance(0);
    // 3 commands of group 10 leave 4093 for group 0: 2047 Rumble and 2046 GoToPrevious.
    assert_eq!((stage.anim().current, stage.anim().cursor), (0, 1));
    assert_eq!(stage.n_rumbles(), 2 + 2047);
}

/// P6: 4096 levels nest without exhausting the stack; the advance that finds the budget empty still selects and counts.
#[test]
fn a_default_that_only_ends_terminates() {
    let mut stage = Stage::new(&[(0, 3, 1, "EndAnimation")]);
    stage.set(|anim| anim.real_frame = 8);
    stage.advance(1);
    let expected = Playback { current: 0, next_speed: 3, speed: 3, speed_count: 2, ..Playback::default() };
    assert_eq!(stage.anim(), expected);
    // Each level interprets one command: here every second command is a sound.
    let mut stage = Stage::new(&[(0, 3, 1, "PlaySound 1 0, EndAnimation")]);
    stage.set(|anim| anim.cursor = 0);
    stage.events();
    stage.advance(1);
    assert_eq!(stage.events().len(), 2048);
}

/// P6: the same through whole updates.
#[test]
fn an_actor_whose_default_only_ends_can_be_updated() {
    for commands in ["EndAnimation", "Rumble 1, EndAnimation", "GoToPrevious 5"] {
        let mut runtime = support::runtime(&scene_text(&actor_text("a", "", &[(0, 0, 2, commands)])));
        support::updates(&mut runtime, 3);
        assert_eq!(support::actor(&runtime, "a").pose.handle, 0, "{commands}");
        assert_eq!(support::actor(&runtime, "a").playback.current, 0, "{commands}");
    }
}

/// P6, P9: a cursor outside the group ends it.
#[test]
fn a_cursor_outside_the_group_ends_it() {
    for cursor in [-1, 4, i16::MIN, i16::MAX] {
        let mut stage = Stage::at_command(10, cursor, &[IDLE, TEN]);
        stage.set(|anim| anim.sound = 5);
        stage.advance(0);
        assert_eq!((stage.at(), stage.anim().sound), ((0, 0, 0), 0), "{cursor}");
        assert_eq!(stage.events(), [EventKind::SoundStopped { slot: 5 }], "{cursor}");
    }
}

/// P7: by type of the current group, exit marker and pending group, which may be the current one; the default is 0.
#[test]
fn replacement_needs_the_exit_marker_and_a_pending_group() {
    let cases = [
        // (type, exit, pending) -> replaced
        ((0, 0, 20), false),
        ((1, 0, 20), false),
        ((2, 0, 20), false),
        ((0, 1, 20), true),
        ((1, 1, 20), true),
        ((2, 1, 20), true),
        ((1, 255, 20), true),
        ((0, 1, -1), false),
        ((1, 1, -1), false),
        ((2, 1, -1), false),
        ((1, 1, 10), true),
        ((2, 1, 10), true),
        ((0, 1, 0), true),
        ((1, 1, 0), false),
        ((2, 1, 0), false),
        ((3, 1, 0), false),
        ((3, 1, 20), true),
        ((255, 1, 0), false),
    ];
    for (case, replaced) in cases {
        let (group_type, exit, pending) = case;
        let mut stage = Stage::at_command(10, 1, &[IDLE, (10, 3, group_type, TEN.3), TWENTY]);
        stage.set(|anim| (anim.exit, anim.pending, anim.next_speed) = (exit, pending, 77));
        stage.advance(1);
        let expected = if replaced { (pending, 76, 0) } else { (10, 8, exit) };
        let anim = stage.anim();
        assert_eq!((anim.current, anim.speed_count, anim.exit), expected, "{case:?}");
    }
}

/// P7: a number that is not defined is an empty group of type 1: it ends, and so stops its sound, before the default.
#[test]
fn an_undefined_current_group_is_an_empty_one_of_type_1() {
    for current in [99, 178, i16::MAX] {
        let mut stage = Stage::playing(10, &[IDLE, TEN]);
        stage.set(|anim| (anim.current, anim.exit, anim.pending, anim.sound) = (current, 1, 0, 6));
        stage.advance(0);
        assert_eq!(stage.at(), (0, 0, 0));
        assert_eq!(stage.events(), [EventKind::SoundStopped { slot: 6 }], "{current}");
    }
}

/// P8: a skipped frame clears the movement suppression, a shown one does not; both halves of the pose are set.
#[test]
fn skipping_a_frame_clears_movement_suppression() {
    let commands = "ShowFrame 0, BreakPoint, ShowFrame 1, ShowFrame 2, ShowFrame 3";
    for (ticks, expected) in [(1, ((10, 2, 1), 1, 1)), (2, ((10, 3, 2), 2, 0)), (3, ((10, 4, 3), 3, 0))] {
        let mut stage = Stage::playing(10, &[IDLE, (10, 3, 1, commands)]);
        stage.set(|anim| anim.speed_count = 0);
        stage.actor_mut().pose.handle = 9;
        stage.advance(ticks);
        assert_eq!((stage.at(), stage.anim().real_frame, stage.anim().still), expected, "{ticks}");
        assert_eq!(stage.actor().pose.handle, 1);
    }
}

/// P9: the sound is stopped if there is one, and what waits starts in the same call.
#[test]
fn end_animation_stops_the_sound_and_starts_what_waits() {
    let mut stage = interpret(1, "ShowFrame 1, EndAnimation", |anim| {
        (anim.sound, anim.pending, anim.next_speed) = (4, 20, 5);
    });
    assert_eq!((stage.at(), stage.anim().sound), ((20, 0, 20), 0));
    assert_eq!(stage.events(), [EventKind::SoundStopped { slot: 4 }]);
    let mut stage = interpret(1, "ShowFrame 1, EndAnimation", |_| {});
    assert_eq!((stage.at(), stage.events()), ((0, 0, 0), Vec::new()));
}

/// P10: the countdown is the number of rounds; without one the jump is always taken, whatever waits.
#[test]
fn go_to_previous_counts_rounds() {
    let commands = "ShowFrame 1, Rumble 1, GoToPrevious 1, ShowFrame 2";
    for rounds in [1, 2, 3, 255] {
        let mut stage = interpret(1, commands, |anim| anim.loop_count = rounds);
        let anim = stage.anim();
        assert_eq!((stage.at(), anim.loop_count, anim.real_frame), ((10, 3, 2), 0, 0));
        assert_eq!(stage.n_rumbles(), usize::from(rounds));
    }
}

/// P10: the jump clears `still`, keeps `real_frame` and does not look at the pending group.
#[test]
fn go_to_previous_jumps_whatever_waits() {
    let commands = "ShowFrame 1, BreakPoint, GoToPrevious 0, ShowFrame 2";
    for (exit, pending) in [(0, -1), (0, 20), (1, 0)] {
        let stage = interpret(1, commands, |anim| {
            (anim.exit, anim.pending, anim.real_frame) = (exit, pending, 7);
        });
        let anim = stage.anim();
        assert_eq!((stage.at(), anim.still, anim.real_frame, anim.exit), ((10, 0, 1), 0, 7, exit));
    }
    // Leaving the last round is no jump.
    let stage = interpret(1, commands, |anim| anim.loop_count = 1);
    assert_eq!((stage.at(), stage.anim().still), ((10, 3, 2), 1));
}

/// P11: by type, finite loop, exit marker and pending group; the default is 0.
#[test]
fn go_to_future_is_taken_when_another_group_waits() {
    let cases = [
        // (type, loop, exit, pending) -> taken
        ((1, 0, 0, -1), false),
        ((1, 0, 0, 10), false),
        ((1, 0, 0, 20), true),
        ((1, 0, 0, 0), true),
        ((1, 0, 1, -1), true),
        ((1, 0, 1, 0), true),
        ((1, 2, 0, 20), false),
        ((1, 2, 1, -1), false),
        ((2, 0, 0, -1), false),
        ((2, 0, 0, 10), false),
        ((2, 0, 0, 20), true),
        ((2, 0, 0, 0), false),
        ((2, 0, 1, -1), true),
        ((2, 0, 1, 0), false),
        ((2, 2, 0, 20), false),
        ((0, 0, 0, -1), false),
        ((0, 0, 0, 10), false),
        ((0, 0, 0, 20), true),
        ((0, 0, 0, 0), true),
        ((0, 0, 1, -1), true),
        ((0, 2, 0, 20), false),
    ];
    let commands = "ShowFrame 1, GoToFuture 3, ShowFrame 2, ShowFrame 3";
    for (case, taken) in cases {
        let (group_type, loop_count, exit, pending) = case;
        let mut stage = Stage::at_command(10, 1, &[IDLE, (10, 3, group_type, commands), TWENTY]);
        stage.set(|anim| {
            (anim.loop_count, anim.exit, anim.pending, anim.still) = (loop_count, exit, pending, 1);
            set_deltas(anim);
        });
        stage.advance(0);
        let anim = stage.anim();
        assert_eq!(stage.at(), if taken { (10, 3, 3) } else { (10, 2, 2) }, "{case:?}");
        assert_eq!(anim.exit, if taken { 1 } else { exit }, "{case:?}");
        assert_eq!((anim.still, has_deltas(anim)), (u8::from(!taken), (!taken, !taken)), "{case:?}");
        assert_eq!((anim.loop_count, anim.pending), (loop_count, pending), "{case:?}");
    }
}

/// P12: a marker, not a pause.
#[test]
fn a_break_point_suppresses_movement_and_goes_on() {
    let stage = interpret(1, "ShowFrame 1, BreakPoint, ShowFrame 2", |_| {});
    assert_eq!((stage.at(), stage.anim().still), ((10, 2, 2), 1));
}

/// P13: the pose stays while the delay runs, a call without ticks keeps it, and its end shows the next command.
#[test]
fn a_delay_counter_waits_its_ticks() {
    let mut stage = interpret(1, "ShowFrame 1, DelayCounter 5, ShowFrame 2", |_| {});
    stage.actor_mut().pose.frame = 33;
    assert_eq!((stage.at(), stage.anim().hold), ((10, 2, 33), 5));
    for (ticks, hold) in [(1, 4), (0, 4), (2, 2), (1, 1)] {
        stage.advance(ticks);
        assert_eq!((stage.at(), stage.anim().hold, stage.anim().speed_count), ((10, 2, 33), hold, 9));
    }
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().hold, stage.anim().speed_count), ((10, 2, 2), 0, 8));
}

/// P13: the whole tick input is used by the call in which the delay ends, and P3 steps over the command at the cursor.
#[test]
fn an_expiring_delay_uses_all_ticks_and_can_step_over_a_frame() {
    let commands = "ShowFrame 1, DelayCounter 2, ShowFrame 2, ShowFrame 3, ShowFrame 4, ShowFrame 5";
    for ticks in [2, 3] {
        let mut stage = interpret(1, commands, |anim| anim.speed_count = 0);
        stage.advance(ticks);
        // Cursor 2 → 3 at the countdown, then ticks − 1 frames are skipped.
        let cursor = 3 + ticks as i16 - 1;
        assert_eq!((stage.at(), stage.anim().hold), ((10, cursor, cursor), 0));
    }
}

/// P13: the operand is narrowed to a byte; 0 does not wait, 255 waits for ever.
#[test]
fn delay_operands_are_bytes_of_which_255_never_ends() {
    for (operand, hold) in [(0, 0), (256, 0), (257, 1), (-1, 255), (255, 255)] {
        let commands = format!("ShowFrame 1, DelayCounter {operand}, ShowFrame 2");
        let mut stage = interpret(1, &commands, |_| {});
        let frame = if hold == 0 { 2 } else { 1 };
        assert_eq!((stage.at(), stage.anim().hold), ((10, 2, frame), hold), "{operand}");
        if hold == 255 {
            (0..300).for_each(|_| stage.advance(7));
            assert_eq!((stage.at(), stage.anim().hold), ((10, 2, frame), 255));
        }
    }
}

/// P14: an event and an empty slot; no skip is used up.
#[test]
fn play_sound_raises_an_event_and_uses_no_skip() {
    let mut stage = Stage::playing(10, &[IDLE, (10, 3, 1, "ShowFrame 0, PlaySound 3 -1, ShowFrame 1, ShowFrame 2")]);
    stage.set(|anim| (anim.speed_count, anim.sound) = (0, 9));
    stage.advance(2);
    assert_eq!((stage.at(), stage.anim().real_frame, stage.anim().sound), ((10, 3, 2), 2, 0));
    assert_eq!(stage.events(), [EventKind::Sound { effect: 3, rate: -1 }]);
}

/// P15: an event with the whole mask.
#[test]
fn rumble_raises_an_actor_event() {
    let mut stage = interpret(1, "ShowFrame 1, Rumble 16, ActorEvent -524288, ShowFrame 2", |_| {});
    assert_eq!(stage.at(), (10, 3, 2));
    let events = [EventKind::ActorEvent { mask: 16 }, EventKind::ActorEvent { mask: -524_288 }];
    assert_eq!(stage.events(), events);
}

/// P16: factors, axes and narrowing; the actor does not move.
#[test]
fn deltas_are_stored_and_not_applied() {
    let three = interpret(1, "ShowFrame 1, SetRotationXYZ -32 2 31, SetPositionXYZ -32 2 31, ShowFrame 2", |_| {});
    // −32 × 256, 2 × 256, 31 × 256; −32 × 8, 2 × 8, 31 × 8.
    assert_eq!(three.anim().delta_angle, Vec3::new(-8192, 512, 7936));
    assert_eq!(three.anim().delta_pos, Vec3::new(-256, 16, 248));
    assert_eq!((three.at(), three.actor().pos, three.actor().angle.y.0), ((10, 3, 2), Vec3::default(), 0));
    assert_eq!(three.actor().pos.x, Q8(0));

    let commands = "ShowFrame 1, SetRotationAxis 0 70000, SetRotationAxis 1 -7, SetPositionAxis 2 -131072, \
                    SetPositionAxis 1 131071, SetRotationAxis 3 99, SetPositionAxis 3 99, ShowFrame 2";
    let one = interpret(1, commands, set_deltas);
    // 70000 − 65536; −131072 is 0 and 131071 is −1 in 16 bits; axis 3 is none; the rest keeps its values.
    assert_eq!(one.anim().delta_angle, Vec3::new(4464, -7, 6));
    assert_eq!(one.anim().delta_pos, Vec3::new(1, -1, 0));
    assert_eq!(one.at(), (10, 7, 2));
}

/// P17: nothing but group and cursor changes.
#[test]
fn change_anim_group_goes_on_in_the_other_group() {
    let mut stage = Stage::at_command(10, 1, &[IDLE, (10, 3, 1, "ShowFrame 1, ChangeAnimGroup 20 2"), TWENTY]);
    stage.set(|anim| {
        (anim.pending, anim.next_speed, anim.speed, anim.real_frame) = (0, 66, 77, 88);
        (anim.exit, anim.still, anim.rep, anim.loop_count, anim.sound) = (1, 1, 5, 6, 7);
        set_deltas(anim);
    });
    let before = stage.anim();
    stage.advance(0);
    assert_eq!(stage.anim(), Playback { current: 20, cursor: 2, ..before });
    assert_eq!(stage.at(), (20, 2, 22));
}

/// P17: a group that does not exist is passed over.
#[test]
fn change_anim_group_to_a_missing_group_is_passed_over() {
    for group in [21, -1, 178, 511] {
        let stage = interpret(1, &format!("ShowFrame 1, ChangeAnimGroup {group} 0, ShowFrame 2"), |_| {});
        assert_eq!(stage.at(), (10, 2, 2), "{group}");
    }
}

/// P18: like DelayCounter, but on its own byte and with 255 as a number of ticks.
#[test]
fn a_conditional_delay_waits_and_can_end_from_255() {
    let mut stage = interpret(1, "ShowFrame 1, ConditionalDelay 255, ShowFrame 2", |_| {});
    assert_eq!((stage.at(), stage.anim().cond, stage.anim().hold), ((10, 2, 1), 255, 0));
    stage.advance(254);
    assert_eq!((stage.at(), stage.anim().cond, stage.anim().speed_count), ((10, 2, 1), 1, 9));
    stage.advance(0);
    assert_eq!((stage.at(), stage.anim().cond), ((10, 2, 1), 1));
    stage.advance(4);
    assert_eq!((stage.at(), stage.anim().cond, stage.anim().speed_count), ((10, 2, 2), 0, 8));
    let stage = interpret(1, "ShowFrame 1, ConditionalDelay 256, ShowFrame 2", |_| {});
    assert_eq!((stage.at(), stage.anim().cond), ((10, 2, 2), 0));
}

/// P18: forward only; backward the counter is left alone.
#[test]
fn a_conditional_delay_does_not_hold_reverse_playback() {
    let mut stage = Stage::at_command(10, 2, &[IDLE, TEN]);
    stage.set(|anim| (anim.cond, anim.reverse) = (3, 1));
    stage.advance(1);
    assert_eq!((stage.at(), stage.anim().cond, stage.anim().speed_count), ((10, 2, 12), 3, 8));
}

/// P19: `rep` is the number of rounds, 0 included.
#[test]
fn loop_control_counts_rep() {
    for (rep, rumbles, still) in [(0, 1, 1), (1, 1, 1), (2, 2, 0), (3, 3, 0), (255, 255, 0)] {
        let mut stage = interpret(1, "BreakPoint, Rumble 1, LoopControl 1, ShowFrame 2", |anim| {
            (anim.rep, anim.still, anim.loop_count) = (rep, 1, 4);
        });
        let anim = stage.anim();
        assert_eq!((stage.at(), anim.rep, anim.still, anim.loop_count), ((10, 3, 2), 0, still, 4), "{rep}");
        assert_eq!(stage.n_rumbles(), rumbles, "{rep}");
    }
}

/// P20: by mask, pending action word and falling byte. `start − 2` is 3, the target is 4.
#[test]
fn a_transition_is_taken_by_mask() {
    let cases = [
        // (mask, pending, accepted, falling) -> (cursor, pending, accepted)
        ((1, 0, 7, 1), (2, 0, 7)),
        ((1, 0xfc, 7, 0), (2, 0xfc, 7)),
        ((1, 0x83, 0x42, 0), (3, 0x81, 0xc1)),
        ((1, 0x02, 0x43, 0), (3, 0, 0x41)),
        ((1, 0x01, 0, 0), (3, 1, 1)),
        ((2, 0x83, 0x41, 0), (3, 0x82, 0xc2)),
        ((2, 0x01, 0x43, 0), (3, 0, 0x42)),
        ((2, 0, 0, 1), (2, 0, 0)),
        ((4, 3, 0, 0), (2, 3, 0)),
        ((4, 3, 0x40, 1), (4, 3, 0x40)),
        ((4, 0, 0, 255), (4, 0, 0)),
        ((8, 3, 3, 1), (2, 3, 3)),
        ((0, 3, 3, 1), (2, 3, 3)),
        ((3, 3, 3, 1), (2, 3, 3)),
        ((5, 3, 3, 1), (2, 3, 3)),
        ((63, 3, 3, 1), (2, 3, 3)),
    ];
    for (case, (cursor, pending, accepted)) in cases {
        let (mask, action, action_flag, falling) = case;
        let commands = format!("ShowFrame 1, Transition {mask} 5 4, ShowFrame 2, ShowFrame 3, ShowFrame 4");
        let mut stage = Stage::at_command(10, 1, &[IDLE, (10, 3, 1, &commands)]);
        stage.set(|anim| {
            anim.still = 1;
            set_deltas(anim);
        });
        let actor = stage.actor_mut();
        (actor.cold.action, actor.cold.action_flag, actor.fall_flag) = (action, action_flag, falling);
        stage.advance(0);
        let (anim, taken) = (stage.anim(), cursor != 2);
        assert_eq!(stage.at(), (10, cursor, cursor), "{case:?}");
        let words = (stage.actor().cold.action, stage.actor().cold.action_flag);
        assert_eq!(words, (pending, accepted), "{case:?}");
        assert_eq!((anim.exit, anim.still), (u8::from(taken), u8::from(!taken)), "{case:?}");
        assert_eq!(has_deltas(anim), (!taken, !taken), "{case:?}");
    }
}

/// P20: a start below 2 leads out of the group, which ends it.
#[test]
fn a_transition_to_a_start_below_two_ends_the_group() {
    let mut stage = Stage::at_command(10, 1, &[IDLE, (10, 3, 1, "ShowFrame 1, Transition 1 1 0, ShowFrame 2")]);
    stage.actor_mut().cold.action = 1;
    stage.advance(0);
    assert_eq!(stage.at(), (0, 0, 0));
}

/// The actor's line of the trace of the last update.
fn trace_row(runtime: &soup386::update::Runtime) -> serde_json::Value {
    let lines = soup386::trace::lines(&runtime.engine().defs, runtime.world(), false);
    serde_json::from_slice(&lines).expect("one line of JSON")
}

/// P11: in whole updates, for each group type; the frame of the trace is never −1 once a pose was shown.
#[test]
fn a_taken_jump_shows_its_target_in_the_same_update() {
    for group_type in [0, 1, 2] {
        let jumper = (10, 1, group_type, "ShowFrame 0, GoToFuture 3, GoToPrevious 0, ShowFrame 2, EndAnimation");
        let other = (20, 1, 1, "ShowFrame 7, GoToPrevious 0");
        // No group 0: the default cannot become pending and cause the jump.
        let mut runtime = support::runtime(&scene_text(&actor_text("a", "", &[jumper, other])));
        support::call(&mut runtime, "a", "PlayAnimation", &[10, 0]);
        let mut shown = Vec::new();
        for update in 0..5 {
            if update == 2 {
                support::call(&mut runtime, "a", "PlayAnimation", &[20, 0]);
            }
            support::updates(&mut runtime, 1);
            let row = trace_row(&runtime);
            shown.push((row["group"].as_i64().unwrap_or(-9), row["frame"].as_i64().unwrap_or(-9)));
        }
        // The countdown is 1 at the start and 0 after update 0. Update 1 goes 0 → 1 → 2 → 0, update 2 takes the jump,
        // update 3 replaces the group at its start.
        assert_eq!(shown, [(10, 0), (10, 0), (10, 2), (20, 7), (20, 7)], "type {group_type}");
    }
}

/// P11, P7: a pending default takes a type 1 group to its exit and lets a type 2 group go on.
#[test]
fn the_default_ends_a_type_1_group_but_not_a_type_2_group() {
    let commands = "ShowFrame 1, GoToFuture 3, GoToPrevious 0, ShowFrame 2, ShowFrame 3, EndAnimation";
    for (group_type, expected) in
        [(0, [1, 2, 0, 0, 0]), (1, [1, 2, 3, 0, 0]), (2, [1, 1, 1, 1, 1]), (3, [1, 2, 3, 0, 0])]
    {
        let scene = scene_text(&actor_text("a", "", &[IDLE, (10, 1, group_type, commands)]));
        let mut runtime = support::runtime(&scene);
        support::call(&mut runtime, "a", "PlayAnimation", &[10, 0]);
        let mut shown = Vec::new();
        for _ in 0..5 {
            support::updates(&mut runtime, 1);
            shown.push(support::actor(&runtime, "a").pose.frame);
        }
        // Each update requests the default after its advance, so it waits from update 0 on.
        assert_eq!(shown, expected, "type {group_type}");
    }
}
