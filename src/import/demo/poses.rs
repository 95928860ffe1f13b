//! Every frame of the demo's fencer as numbers: where hands and feet are, and how the trunk is turned.
//!
//! A move is a few poses at chosen frames with straight blends between them.

use super::geometry::{Point, mix};
use std::ops::Range;

pub(super) const IDLE: Range<usize> = 0..4;
pub(super) const WALK: Range<usize> = 4..12;
pub(super) const DRAW: Range<usize> = 12..22;
pub(super) const READY_IDLE: Range<usize> = 22..26;
pub(super) const SHEATHE: Range<usize> = 26..36;
pub(super) const HIT: Range<usize> = 36..41;
pub(super) const SWING: Range<usize> = 41..47;
pub(super) const DEATH: Range<usize> = 47..55;

/// Frame of [`DRAW`] in which the hand has closed on the hilt and nothing has moved yet.
pub(super) const DRAW_CONTACT: usize = 3;
/// Frame of [`SHEATHE`] in which the blade is home.
pub(super) const SHEATHE_CONTACT: usize = 5;

/// Places are in the actor's space, turns are `[pitch, heading, roll]` in degrees.
#[derive(Clone, Copy)]
pub(super) struct Pose {
    pub(super) pelvis: Point,
    pub(super) hips: Point,
    pub(super) chest: Point,
    pub(super) head: Point,
    pub(super) right_hand: Point,
    pub(super) blade: Point,
    pub(super) left_hand: Point,
    pub(super) right_foot: Point,
    pub(super) right_sole: Point,
    pub(super) left_foot: Point,
    pub(super) left_sole: Point,
    /// 0 leaves the right hand where `right_hand` says, 1 puts it on the hilt.
    pub(super) on_hilt: f64,
    /// How far the hilt has come out of the scabbard.
    pub(super) pulled: f64,
    /// 1 keeps the grip markers at the scabbard although the hand may have left.
    pub(super) grip_stays: f64,
    /// The whole body about the point between the feet.
    pub(super) fall: Point,
}

const STAND: Pose = Pose {
    pelvis: [0.0, 0.3, 0.0],
    hips: [0.0, 0.0, 0.0],
    chest: [1.0, 0.0, 0.0],
    head: [0.0, 0.0, 0.0],
    right_hand: [11.0, -29.2, 2.5],
    blade: [0.1, -0.3, 0.95],
    left_hand: [-11.5, -29.4, 1.5],
    right_foot: [4.3, -3.0, 1.0],
    right_sole: [0.0, 14.0, 0.0],
    left_foot: [-4.3, -3.0, -1.0],
    left_sole: [0.0, -14.0, 0.0],
    on_hilt: 0.0,
    pulled: 0.0,
    grip_stays: 0.0,
    fall: [0.0, 0.0, 0.0],
};

const INHALED: Pose = Pose {
    pelvis: [0.0, 0.0, 0.0],
    chest: [-2.0, 0.0, 0.0],
    right_hand: [11.6, -30.1, 2.0],
    left_hand: [-12.1, -30.3, 1.0],
    ..STAND
};

const HAND_ON_HILT: Pose = Pose {
    pelvis: [0.0, 1.0, 0.5],
    hips: [0.0, 4.0, 0.0],
    chest: [10.0, -26.0, 0.0],
    head: [6.0, -6.0, 0.0],
    left_hand: [-11.5, -35.0, -2.0],
    on_hilt: 1.0,
    ..STAND
};

const HALF_DRAWN: Pose = Pose {
    pelvis: [0.0, 1.4, 1.0],
    hips: [0.0, -4.0, 0.0],
    chest: [4.0, -28.0, 0.0],
    head: [2.0, -4.0, 0.0],
    right_foot: [3.8, -5.0, 4.5],
    pulled: 13.0,
    ..HAND_ON_HILT
};

const POINT_LEAVES: Pose = Pose {
    pelvis: [0.0, 2.0, 1.5],
    hips: [0.0, -14.0, 0.0],
    chest: [0.0, -20.0, 0.0],
    head: [0.0, 0.0, 0.0],
    right_foot: [3.2, -4.5, 8.0],
    left_foot: [-4.6, -3.0, -4.0],
    left_sole: [0.0, -32.0, 0.0],
    left_hand: [-13.0, -40.0, -7.0],
    pulled: 23.0,
    ..HALF_DRAWN
};

const BLADE_ACROSS: Pose = Pose {
    pelvis: [0.0, 2.6, 1.0],
    hips: [0.0, -24.0, 0.0],
    chest: [0.0, -14.0, 0.0],
    right_hand: [3.0, -50.0, 20.0],
    blade: [-0.85, -0.25, 0.45],
    right_foot: [3.0, -3.0, 11.0],
    left_foot: [-4.8, -3.0, -6.0],
    left_sole: [0.0, -44.0, 0.0],
    on_hilt: 0.0,
    pulled: 23.0,
    ..POINT_LEAVES
};

const READY: Pose = Pose {
    pelvis: [0.0, 3.4, 1.0],
    hips: [0.0, -34.0, 0.0],
    chest: [4.0, -8.0, 0.0],
    right_hand: [6.0, -41.0, 20.0],
    blade: [-0.12, -0.5, 0.86],
    left_hand: [-13.0, -53.0, -15.0],
    right_foot: [3.0, -3.0, 12.0],
    right_sole: [0.0, 4.0, 0.0],
    left_foot: [-5.0, -3.0, -9.0],
    left_sole: [0.0, -58.0, 0.0],
    ..STAND
};

const READY_LOW: Pose = Pose {
    pelvis: [0.0, 4.4, 1.4],
    chest: [6.0, -9.0, 0.0],
    right_hand: [5.6, -39.6, 20.6],
    blade: [-0.12, -0.44, 0.89],
    left_hand: [-13.4, -51.6, -14.6],
    ..READY
};

const HOME: Pose = Pose { right_foot: [3.8, -3.0, 4.0], pulled: 0.0, grip_stays: 1.0, ..HAND_ON_HILT };

const RECOIL: Pose = Pose {
    pelvis: [0.0, 3.0, -4.5],
    hips: [-6.0, -22.0, 0.0],
    chest: [-20.0, 12.0, 6.0],
    head: [-24.0, 18.0, 8.0],
    right_hand: [15.0, -46.0, 10.0],
    blade: [0.55, -0.7, 0.45],
    left_hand: [-17.0, -42.0, 3.0],
    right_foot: [3.4, -4.2, 9.0],
    right_sole: [-14.0, 4.0, 0.0],
    ..READY
};

const RAISED: Pose = Pose {
    pelvis: [0.0, 2.4, -1.0],
    hips: [0.0, -24.0, 0.0],
    chest: [-8.0, 26.0, 0.0],
    right_hand: [12.0, -61.0, 0.0],
    blade: [0.25, -0.72, -0.62],
    left_hand: [-13.0, -42.0, 9.0],
    ..READY
};

const CUT: Pose = Pose {
    pelvis: [0.0, 5.4, 6.0],
    hips: [4.0, -36.0, 0.0],
    chest: [10.0, -12.0, 0.0],
    right_hand: [3.0, -49.0, 29.0],
    blade: [-0.1, -0.12, 0.98],
    left_hand: [-13.0, -46.0, -11.0],
    right_foot: [3.0, -3.0, 20.0],
    ..READY
};

const CUT_THROUGH: Pose = Pose {
    pelvis: [0.0, 6.0, 6.4],
    chest: [18.0, -26.0, 0.0],
    head: [6.0, -8.0, 0.0],
    right_hand: [-6.0, -36.0, 23.0],
    blade: [-0.72, 0.42, 0.55],
    left_hand: [-12.0, -42.0, -12.0],
    ..CUT
};

const STAGGER: Pose = Pose { pelvis: [0.0, 4.0, -3.0], head: [-20.0, 10.0, 6.0], fall: [-4.0, 0.0, 0.0], ..RECOIL };

const BUCKLED: Pose = Pose {
    pelvis: [0.0, 11.0, -4.0],
    hips: [-6.0, -12.0, 0.0],
    chest: [4.0, 4.0, 4.0],
    head: [16.0, 4.0, 6.0],
    right_hand: [18.0, -36.0, 7.0],
    blade: [0.8, -0.1, 0.6],
    left_hand: [-17.0, -36.0, 4.0],
    right_foot: [4.5, -3.0, 5.0],
    right_sole: [16.0, 10.0, 0.0],
    left_foot: [-5.0, -3.0, -1.0],
    left_sole: [16.0, -30.0, 0.0],
    fall: [-18.0, 0.0, 0.0],
    ..RECOIL
};

const SITTING: Pose = Pose {
    pelvis: [0.0, 12.5, -6.5],
    hips: [4.0, 0.0, 0.0],
    chest: [16.0, 0.0, 0.0],
    head: [24.0, 0.0, 0.0],
    right_hand: [21.0, -44.0, 6.0],
    blade: [0.85, -0.5, 0.2],
    left_hand: [-21.0, -44.0, 6.0],
    right_sole: [36.0, 14.0, 0.0],
    left_sole: [36.0, -24.0, 0.0],
    fall: [-58.0, 0.0, 0.0],
    ..BUCKLED
};

const LYING: Pose = Pose {
    pelvis: [0.0, -0.4, 0.0],
    chest: [0.0, 0.0, 0.0],
    head: [-4.0, 20.0, 0.0],
    right_hand: [27.0, -38.0, -2.4],
    blade: [0.75, -0.66, 0.0],
    left_hand: [-27.0, -34.0, -2.4],
    right_foot: [7.0, -4.4, 0.0],
    right_sole: [24.0, 34.0, 0.0],
    left_foot: [-5.0, -4.2, 0.0],
    left_sole: [24.0, -40.0, 0.0],
    fall: [-90.0, 0.0, 0.0],
    ..STAND
};

/// All moves, in the order of the ranges above.
pub(super) fn poses() -> Vec<Pose> {
    let mut poses = swaying(STAND, INHALED);
    poses.extend((0..8).map(step));
    poses.extend(draw());
    poses.extend(swaying(READY, READY_LOW));
    poses.extend(sheathe());
    poses.extend(hit());
    poses.extend(swing());
    poses.extend(death());
    poses
}

fn draw() -> Vec<Pose> {
    blended(&[
        (0, blend(STAND, HAND_ON_HILT, 0.3)),
        (DRAW_CONTACT, HAND_ON_HILT),
        (5, HALF_DRAWN),
        (6, POINT_LEAVES),
        (7, BLADE_ACROSS),
        (9, READY),
    ])
}

/// Once the blade is home the grip markers stay with it: until the group ends, the sheathed weapon is
/// still placed by the grip pair (rule W12), and must not follow the hand away.
fn sheathe() -> Vec<Pose> {
    let hand_back = Pose { grip_stays: 1.0, ..STAND };
    blended(&[
        (0, blend(READY, BLADE_ACROSS, 0.5)),
        (1, BLADE_ACROSS),
        (2, POINT_LEAVES),
        (3, HALF_DRAWN),
        (SHEATHE_CONTACT, HOME),
        (6, HOME),
        (9, hand_back),
    ])
}

fn hit() -> Vec<Pose> {
    blended(&[(0, blend(READY, RECOIL, 0.6)), (1, RECOIL), (4, blend(RECOIL, READY, 0.85))])
}

fn swing() -> Vec<Pose> {
    blended(&[
        (0, blend(READY, RAISED, 0.6)),
        (1, RAISED),
        (2, CUT),
        (3, CUT_THROUGH),
        (5, blend(CUT_THROUGH, READY, 0.8)),
    ])
}

fn death() -> Vec<Pose> {
    blended(&[
        (0, blend(READY, STAGGER, 0.7)),
        (1, STAGGER),
        (3, BUCKLED),
        (5, SITTING),
        (6, blend(SITTING, LYING, 0.7)),
        (7, LYING),
    ])
}

fn swaying(rest: Pose, other: Pose) -> Vec<Pose> {
    let between = blend(rest, other, 0.5);
    vec![rest, between, other, between]
}

/// One pose a frame, from the first key's frame to the last's.
fn blended(keys: &[(usize, Pose)]) -> Vec<Pose> {
    let mut poses = vec![keys[0].1];
    for pair in keys.windows(2) {
        let ((from_frame, from), (to_frame, to)) = (pair[0], pair[1]);
        let frames = to_frame - from_frame;
        poses.extend((1..=frames).map(|frame| blend(from, to, frame as f64 / frames as f64)));
    }
    poses
}

/// Starts with the feet side by side, so that entering and leaving the walk does not jump.
fn step(phase: usize) -> Pose {
    // Forward, lift and toe-down of one foot: half a cycle on the ground, half in the air.
    const FOOT: [Point; 8] = [
        [0.0, 0.0, 0.0],
        [-4.6, 0.0, 0.0],
        [-9.0, 1.6, 22.0],
        [-7.0, 4.2, 34.0],
        [0.5, 4.4, 8.0],
        [7.5, 2.2, -14.0],
        [9.4, 0.4, -16.0],
        [4.8, 0.0, 0.0],
    ];
    const SINK: [f64; 4] = [0.2, 0.8, 1.9, 1.0];
    let (right, left) = (FOOT[phase], FOOT[(phase + 4) % 8]);
    let (right_swing, left_swing) = (-right[0] * 0.75, -left[0] * 0.75);
    Pose {
        pelvis: [0.0, SINK[phase % 4], 0.5],
        hips: [1.0, -right[0] * 0.8, 0.0],
        chest: [3.0, right[0] * 1.5, 0.0],
        right_hand: [10.6, -31.0 - right_swing.abs() * 0.25, 3.5 + right_swing],
        left_hand: [-11.4, -31.0 - left_swing.abs() * 0.25, 2.5 + left_swing],
        right_foot: [3.4, -3.0 - right[1], right[0]],
        right_sole: [right[2], 6.0, 0.0],
        left_foot: [-3.4, -3.0 - left[1], left[0]],
        left_sole: [left[2], -6.0, 0.0],
        ..STAND
    }
}

fn blend(from: Pose, to: Pose, share: f64) -> Pose {
    let number = |from: f64, to: f64| from + (to - from) * share;
    Pose {
        pelvis: mix(from.pelvis, to.pelvis, share),
        hips: mix(from.hips, to.hips, share),
        chest: mix(from.chest, to.chest, share),
        head: mix(from.head, to.head, share),
        right_hand: mix(from.right_hand, to.right_hand, share),
        blade: mix(from.blade, to.blade, share),
        left_hand: mix(from.left_hand, to.left_hand, share),
        right_foot: mix(from.right_foot, to.right_foot, share),
        right_sole: mix(from.right_sole, to.right_sole, share),
        left_foot: mix(from.left_foot, to.left_foot, share),
        left_sole: mix(from.left_sole, to.left_sole, share),
        on_hilt: number(from.on_hilt, to.on_hilt),
        pulled: number(from.pulled, to.pulled),
        grip_stays: number(from.grip_stays, to.grip_stays).floor(),
        fall: mix(from.fall, to.fall, share),
    }
}
