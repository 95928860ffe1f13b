//! Ordinary requests, forced requests, changes of the default, and the selection of the pending group.

use soup386::{units::Vec3, world::Playback};

use crate::{
    stage::{CIRCLE, Group, IDLE, Stage, scene_text},
    support,
};

/// Groups 10, 20 and 30 beside the default 0.
const FOUR: [Group; 4] = [
    IDLE,
    (10, 3, 1, "ShowFrame 10, ShowFrame 11, GoToPrevious 0"),
    (20, 4, 1, "ShowFrame 20, ShowFrame 21, GoToPrevious 0"),
    (30, 5, 1, "ShowFrame 30, ShowFrame 31, GoToPrevious 0"),
];
/// The same without the default.
const NO_DEFAULT: &[Group] = FOUR.split_at(1).1;

/// A record in which every field differs from what a selection leaves.
fn busy(current: i16, pending: i16) -> Playback {
    Playback {
        current,
        pending,
        default: 0,
        cursor: 1,
        next_speed: 7,
        speed: 8,
        speed_count: 9,
        real_frame: 10,
        exit: 1,
        still: 1,
        hold: 11,
        cond: 12,
        rep: 13,
        reverse: 1,
        loop_count: 14,
        sound: 15,
        delta_pos: Vec3::new(1, 2, 3),
        delta_angle: Vec3::new(4, 5, 6),
    }
}

/// R1: step 1.
#[test]
fn requesting_the_current_default_does_not_restart_it() {
    let mut stage = Stage::new(&[CIRCLE]);
    // Countdown 1 at load: 0 after the first advance, then one frame an advance.
    (0..3).for_each(|_| stage.advance(1));
    let before = stage.anim();
    assert_eq!(stage.at(), (0, 2, 2));
    stage.request(0, 7, 1);
    assert_eq!(stage.anim(), before);
}

/// R1: steps 1 and 4; the advance of the request uses the ticks of the update.
#[test]
fn another_group_replaces_the_current_default_at_once() {
    let mut stage = Stage::new(&[IDLE, (10, 0, 1, "ShowFrame 3, ShowFrame 4, ShowFrame 5")]);
    stage.request(10, 0, 2);
    // Countdown 0 and two ticks: command 0 is left, one frame is skipped.
    assert_eq!(stage.at(), (10, 2, 5));
    assert_eq!((stage.anim().pending, stage.anim().real_frame), (-1, 2));
}

/// R1: step 4 advances only when no group is current.
#[test]
fn a_request_beside_another_group_waits() {
    let mut stage = Stage::playing(10, &FOUR);
    let mut expected = stage.anim();
    stage.request(20, 0, 1);
    (expected.pending, expected.next_speed) = (20, 4);
    assert_eq!(stage.anim(), expected);
}

/// R1: step 2, the priority of pending groups.
#[test]
fn a_lower_group_does_not_displace_a_higher_pending_one() {
    let mut stage = Stage::playing(10, &FOUR);
    stage.request(20, 0, 1);
    stage.request(30, 0, 1);
    assert_eq!(stage.anim().pending, 30);
    stage.request(20, 0, 1);
    assert_eq!(stage.anim().pending, 30);
    stage.request(30, 6, 1);
    assert_eq!((stage.anim().pending, stage.anim().next_speed), (30, 11));
}

/// R1: step 2, the case `pending = current`.
#[test]
fn a_pending_group_that_is_also_current_gives_way_to_a_lower_one() {
    let mut stage = Stage::playing(30, &FOUR);
    stage.request(30, 0, 1);
    assert_eq!((stage.anim().current, stage.anim().pending), (30, 30));
    stage.request(20, 0, 1);
    assert_eq!(stage.anim().pending, 20);
}

/// R1: step 2 compares the number asked for, step 3 falls back.
#[test]
fn arbitration_compares_the_number_asked_for_not_its_fallback() {
    let mut stage = Stage::playing(10, &FOUR);
    stage.request(30, 0, 1);
    stage.request(25, 0, 1);
    assert_eq!(stage.anim().pending, 30);
    stage.request(40, 2, 1);
    assert_eq!((stage.anim().pending, stage.anim().next_speed), (0, 3));
}

/// R1: step 3 without a group to fall back to.
#[test]
fn a_missing_group_without_default_clears_the_pending_one() {
    let mut stage = Stage::playing(10, NO_DEFAULT);
    stage.request(20, 0, 1);
    let mut expected = stage.anim();
    stage.request(40, 0, 1);
    expected.pending = -1;
    assert_eq!(stage.anim(), expected);
}

/// R1: step 3, `(speed + mod) & 255`.
#[test]
fn the_speed_modifier_wraps_in_a_byte() {
    for (modifier, expected) in [(10, 4), (-251, 255), (i32::MAX, 249)] {
        let mut stage = Stage::playing(10, &[IDLE, FOUR[1], (20, 250, 1, "ShowFrame 20")]);
        stage.request(20, modifier, 1);
        assert_eq!(stage.anim().next_speed, expected, "{modifier}");
    }
}

/// R2: also for numbers that no group can have.
#[test]
fn a_missing_group_restarts_the_current_default() {
    for group in [99, -1, 178, 65_546] {
        let mut stage = Stage::new(&[CIRCLE, FOUR[1]]);
        (0..3).for_each(|_| stage.advance(1));
        assert_eq!((stage.at(), stage.anim().real_frame), ((0, 2, 2), 2));
        stage.request(group, 0, 0);
        assert_eq!((stage.at(), stage.anim().real_frame), ((0, 0, 0), 0), "{group}");
    }
}

/// R3: the first case.
#[test]
fn forcing_the_current_group_before_its_exit_only_clears_the_pending_one() {
    let mut stage = Stage::playing(10, &FOUR);
    stage.request(20, 0, 1);
    stage.set(|anim| anim.loop_count = 2);
    stage.advance(1);
    let mut expected = stage.anim();
    stage.force(10, 9, 1);
    expected.pending = -1;
    assert_eq!(stage.anim(), expected);
}

/// R3: the exit marker makes the same group start again.
#[test]
fn forcing_the_current_group_after_its_exit_restarts_it() {
    let mut stage = Stage::at_command(10, 1, &FOUR);
    stage.set(|anim| anim.exit = 1);
    stage.force(10, 9, 1);
    // Speed 3 + 9, less one for the advance.
    assert_eq!((stage.at(), stage.anim().speed_count, stage.anim().exit), ((10, 0, 10), 11, 0));
}

/// R3: ordinary priority does not count.
#[test]
fn a_forced_group_displaces_a_higher_pending_one_and_the_current_one() {
    let mut stage = Stage::playing(10, &FOUR);
    stage.request(30, 0, 1);
    stage.force(20, 0, 1);
    assert_eq!((stage.at(), stage.anim().pending), ((20, 0, 20), -1));
}

/// R3: what is cleared, seen where no group can start.
#[test]
fn a_forced_request_clears_progress_even_when_nothing_starts() {
    let mut stage = Stage::playing(10, NO_DEFAULT);
    stage.set(|anim| *anim = busy(10, 20));
    stage.force(40, 0, 1);
    let kept = busy(-1, -1);
    let expected = Playback {
        current: -1,
        pending: -1,
        next_speed: kept.next_speed,
        speed: kept.speed,
        speed_count: kept.speed_count,
        real_frame: kept.real_frame,
        sound: kept.sound,
        ..Playback::default()
    };
    assert_eq!(stage.anim(), expected);
}

/// R3: `resolve(g)`, with the number compared in full width.
#[test]
fn forcing_a_missing_group_starts_the_default() {
    for group in [40, 65_546] {
        let mut stage = Stage::playing(10, &FOUR);
        stage.force(group, 0, 0);
        assert_eq!(stage.at(), (0, 0, 0), "{group}");
    }
}

/// R4: forced, so that a higher pending group does not keep the new default waiting.
#[test]
fn a_new_default_replaces_the_current_old_one_at_once() {
    let mut stage = Stage::new(&FOUR);
    stage.set(|anim| anim.pending = 30);
    stage.change_default(20, 1);
    assert_eq!((stage.at(), stage.anim().pending, stage.anim().default), ((20, 0, 20), -1, 20));
    assert_eq!(stage.anim().speed_count, 3);
}

/// R4: the exit marker protects the current group.
#[test]
fn a_new_default_spares_an_old_one_past_its_exit() {
    let mut stage = Stage::new(&FOUR);
    stage.set(|anim| anim.exit = 1);
    let mut expected = stage.anim();
    stage.change_default(20, 1);
    expected.default = 20;
    assert_eq!(stage.anim(), expected);
}

/// R4: the pending old default is replaced by an ordinary request, which a lower number loses.
#[test]
fn a_pending_old_default_is_replaced_by_a_higher_new_one_only() {
    let mut stage = Stage::playing(10, &FOUR);
    stage.request(0, 0, 1);
    stage.change_default(20, 1);
    assert_eq!((stage.anim().current, stage.anim().pending, stage.anim().next_speed), (10, 20, 4));
    stage.change_default(0, 1);
    assert_eq!((stage.anim().default, stage.anim().pending), (0, 20));
}

/// R4: `new = old`.
#[test]
fn the_same_default_changes_nothing() {
    let mut stage = Stage::new(&FOUR);
    stage.set(|anim| anim.pending = 30);
    let before = stage.anim();
    stage.change_default(0, 1);
    assert_eq!(stage.anim(), before);
}

/// R4: in an update, before the advance of the same update.
#[test]
fn attribute_44_changes_the_default_in_the_next_update() {
    let mut stage = Stage::new(&FOUR);
    support::call(&mut stage.runtime, "a", "SetAttribute", &[44, 20]);
    assert_eq!(stage.anim().default, 0);
    support::updates(&mut stage.runtime, 1);
    // Speed 4: the forced request advances once, the ordinary advance once more.
    assert_eq!((stage.at(), stage.anim().default, stage.anim().speed_count), ((20, 0, 20), 20, 2));
}

/// R5: every field, with no tick to count down.
#[test]
fn selection_resets_the_record() {
    let mut stage = Stage::new(&FOUR);
    stage.set(|anim| *anim = busy(-1, 20));
    stage.advance(0);
    let expected = Playback { current: 20, next_speed: 7, speed: 7, speed_count: 7, ..Playback::default() };
    assert_eq!(stage.anim(), expected);
    // The remembered sound is forgotten, not stopped.
    assert_eq!(stage.events(), []);
}

/// R6: neither visibility nor activity counts.
#[test]
fn an_excluded_or_hidden_actor_still_takes_requests() {
    let mut stage = Stage::new(&FOUR);
    let actor = stage.actor_mut();
    (actor.hide, actor.dead, actor.disable_script) = (1, 1, 8);
    (actor.object_excluded, actor.animation_excluded) = (true, true);
    stage.request(10, 0, 1);
    assert_eq!(stage.at(), (10, 0, 10));
    stage.force(20, 0, 1);
    assert_eq!(stage.at(), (20, 0, 20));
}

/// R6, F4, P1: no animation state, no requests, no advance, no change of the default.
#[test]
fn an_actor_without_animation_state_ignores_everything() {
    let bare = "[[actor]]\nname = \"a\"\n[[actor.group]]\nindex = 0\ncommands = [\"ShowFrame 0\"]\n";
    let mut runtime = support::runtime(&scene_text(bare));
    support::call(&mut runtime, "a", "PlayAnimation", &[0, 0]);
    support::call(&mut runtime, "a", "SetAttribute", &[44, 5]);
    support::updates(&mut runtime, 2);
    let actor = support::actor(&runtime, "a");
    assert_eq!(actor.playback, Playback::default());
    assert_eq!(actor.pose.handle, 0);
}
