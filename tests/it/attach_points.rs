//! Attachments on posed joints: angles, weights, blends, joints that are not there.

use soup386::{
    attach::list::{ModelFrame, evaluate},
    defs::{Angles, Attachment, BoundPoint, Influence, Joint, JointPose, Rig},
    units::Quat,
};

fn angles([pitch, yaw, roll]: [f64; 3]) -> Quat {
    Quat::of_angles(pitch, yaw, roll)
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

fn components(q: Quat) -> [f64; 4] {
    [q.x, q.y, q.z, q.w]
}

/// L7: the reference numbers of an independent computation.
#[test]
fn angles_make_the_quaternions_of_the_reference() {
    for (given, expected) in [
        ([30.0, 0.0, 0.0], [0.0, 0.258_819, 0.0, 0.965_926]),
        ([10.0, 20.0, 30.0], [0.239_298, 0.127_679, 0.144_878, 0.951_549]),
        ([20.0, 30.0, 10.0], [0.038_135, 0.189_308, 0.239_298, 0.951_549]),
        ([-90.0, -90.0, 0.0], [-0.5, -0.5, -0.5, 0.5]),
        ([0.0, 90.0, 90.0], [0.5, 0.5, 0.5, 0.5]),
    ] {
        assert!(close(&components(angles(given)), &expected), "{given:?}: {:?}", angles(given));
    }
    assert!(close(&angles([30.0, 0.0, 0.0]).rotate([1.0, 0.0, 0.0]), &[0.866_025, 0.0, -0.5]));
    assert!(close(&angles([10.0, 20.0, 30.0]).rotate([1.0, 0.0, 0.0]), &[0.925_417, 0.336_824, -0.173_648]));
    // A pelvis that is turned so, and a point on it that is turned back: the model's own axes.
    let forward = angles([-90.0, -90.0, 0.0]).times(angles([0.0, 90.0, 90.0]));
    assert!(close(&components(forward.towards(Quat::IDENTITY)), &[0.0, 0.0, 0.0, 1.0]));
}

/// L7: angles come back; straight up and down, where only their difference counts, all of it is yaw.
#[test]
fn quaternions_give_their_angles_back() {
    for given in [[10.0, 20.0, 30.0], [-80.0, 170.0, -90.0], [0.0, -0.5, 179.0], [89.9, 45.0, 10.0]] {
        assert!(close(&angles(given).to_angles(), &given), "{given:?}: {:?}", angles(given).to_angles());
    }
    for given in [[90.0, 30.0, 10.0], [-90.0, 30.0, 10.0], [90.0, 0.0, 0.0]] {
        let back = angles(given).to_angles();
        assert!((back[0] - given[0]).abs() < 1e-5 && back[2] == 0.0, "{back:?}");
        let again = angles(back).towards(angles(given));
        assert!(close(&components(again), &components(angles(given))), "{back:?}");
    }
}

/// A rig of one frame.
fn rig(joints: &[(&str, [f64; 3], Quat)]) -> Rig {
    let poses = joints.iter().map(|&(_, translation, rotation)| JointPose { translation, rotation, ..JointPose::ROOT });
    let joints = joints.iter().map(|(name, ..)| Joint { name: (*name).into(), parent: None }).collect();
    Rig::new(joints, poses.collect(), 1.0).expect("a whole frame")
}

fn on(joint: &str, translation: [f64; 3], weight: f64) -> Influence {
    Influence { translation, weight, ..Influence::new(joint) }
}

fn point(influences: Vec<Influence>) -> Attachment {
    Attachment { name: "point".to_owned(), influences, ignore_rotation: false }
}

fn frame(attachment: &Attachment, rig: &Rig) -> ModelFrame {
    let bound = BoundPoint::bind(attachment, Some(rig)).expect("a joint is there");
    evaluate(&bound, rig.frame(0).expect("a frame")).expect("all joints are posed")
}

fn two_joints() -> Rig {
    let turned = angles([0.0, 90.0, 0.0]);
    rig(&[("low", [0.0, 0.0, 10.0], Quat::IDENTITY), ("high", [10.0, 0.0, 10.0], turned)])
}

/// L9, L13: the reference blend; not what turning along the arc would give.
#[test]
fn a_blend_has_the_numbers_of_the_reference() {
    let blended = point(vec![on("low", [1.0, 0.0, 0.0], 1.0), on("high", [1.0, 0.0, 0.0], 3.0)]);
    let found = frame(&blended, &two_joints());
    assert!(close(&found.position, &[7.75, 0.75, 10.0]), "{found:?}");
    assert!(close(&components(found.rotation), &[0.0, 0.0, 0.562_097, 0.827_072]), "{found:?}");
    // The order of influences is of no account.
    let mut reversed = blended;
    reversed.influences.reverse();
    assert!(close(&components(frame(&reversed, &two_joints()).rotation), &components(found.rotation)));
}

/// L9: one influence: the joint's frame, moved and turned in the joint's axes.
#[test]
fn one_influence_is_the_joints_frame() {
    let rotation = Angles { pitch: 0.0, yaw: 90.0, roll: 0.0 };
    let one = point(vec![Influence { rotation, ..on("HIGH", [1.0, 2.0, 3.0], 0.0) }]);
    let found = frame(&one, &two_joints());
    assert!(close(&found.position, &[8.0, 1.0, 13.0]), "L11: a weight of 0 does not count alone: {found:?}");
    assert!(close(&components(found.rotation), &[0.0, 0.0, 1.0, 0.0]), "{found:?}");
}

/// L9: the root is the model's own frame, and its offset counts; models without joints have it too.
#[test]
fn the_root_is_the_models_frame() {
    let root = Influence { root: true, ..on("static_prop", [0.59, 17.25, -59.66], 1.0) };
    let bound = BoundPoint::bind(&point(vec![root]), None).expect("the root is always there");
    let found = evaluate(&bound, &[]).expect("no joint is needed");
    assert_eq!(found.position, [0.59, 17.25, -59.66]);
    assert_eq!(found.rotation, Quat::IDENTITY);
}

/// L11: weights count in proportion, equally when all are 0.
#[test]
fn weights_count_in_proportion() {
    let at = |weights: [f64; 2]| {
        let [low, high] = weights.map(|weight| on("", [0.0, 0.0, 0.0], weight));
        let attachment =
            point(vec![Influence { translation: [0.0; 3], ..low }, Influence { translation: [8.0, 0.0, 0.0], ..high }]);
        frame(&attachment, &two_joints()).position[0]
    };
    assert_eq!(at([1.0, 1.0]), 4.0);
    assert_eq!(at([10.0, 30.0]), 6.0);
    assert_eq!(at([0.0, 0.5]), 8.0);
    assert_eq!(at([0.0, 0.0]), 4.0);
}

/// L12: an influence whose joint is not there is left out; a point without any is nowhere.
#[test]
fn missing_joints_are_left_out() {
    let half = point(vec![on("nowhere", [0.0; 3], 5.0), on("high", [0.0; 3], 1.0)]);
    assert_eq!(frame(&half, &two_joints()).position, [10.0, 0.0, 10.0]);
    let none = point(vec![on("nowhere", [0.0; 3], 1.0)]);
    assert_eq!(BoundPoint::bind(&none, Some(&two_joints())), None);
    assert_eq!(BoundPoint::bind(&half, None), None);
}

/// L13: a quaternion and its negative are the same rotation, so they do not cancel; neither do half turns.
#[test]
fn opposite_quaternions_do_not_cancel() {
    let q = angles([10.0, 20.0, 30.0]);
    let same = rig(&[("a", [0.0; 3], q), ("b", [0.0; 3], q.scaled(-1.0))]);
    let both = point(vec![on("a", [0.0; 3], 1.0), on("b", [0.0; 3], 1.0)]);
    assert!(close(&components(frame(&both, &same).rotation), &components(q)));
    let apart = rig(&[("a", [0.0; 3], Quat::IDENTITY), ("b", [0.0; 3], angles([0.0, 180.0, 0.0]))]);
    let between = frame(&both, &apart).rotation;
    assert!(close(&components(between), &components(angles([0.0, 90.0, 0.0]))), "{between:?}");
    assert!((between.dot(between) - 1.0).abs() < 1e-12);
}

/// L13: on equal weights the first influence says which sign counts, so the result is the same every time.
#[test]
fn more_than_three_influences_all_count() {
    let names = ["a", "b", "c", "d", "e"];
    let joints: Vec<_> =
        names.iter().zip(0..).map(|(name, i)| (*name, [f64::from(i), 0.0, 0.0], Quat::IDENTITY)).collect();
    let five = point(names.iter().map(|name| on(name, [0.0; 3], 2.0)).collect());
    assert!(close(&frame(&five, &rig(&joints)).position, &[2.0, 0.0, 0.0]));
}

/// L14: a point that ignores rotation keeps the model's axes where it is.
#[test]
fn a_point_can_ignore_rotation() {
    let mut still = point(vec![on("high", [1.0, 0.0, 0.0], 1.0)]);
    still.ignore_rotation = true;
    let found = frame(&still, &two_joints());
    assert!(close(&found.position, &[10.0, 1.0, 10.0]));
    assert_eq!(found.rotation, Quat::IDENTITY);
}

/// L9: the scale of a joint moves offsets and nothing else.
#[test]
fn a_scaled_joint_moves_offsets_only() {
    let pose = JointPose { translation: [1.0, 1.0, 1.0], rotation: angles([0.0, 90.0, 0.0]), scale: [2.0, 3.0, 1.0] };
    let joint = Joint { name: "big".into(), parent: None };
    let rig = Rig::new(vec![joint], vec![pose], 1.0).expect("a whole frame");
    let found = frame(&point(vec![on("big", [1.0, 1.0, 0.0], 1.0)]), &rig);
    assert!(close(&found.position, &[-2.0, 3.0, 1.0]), "{found:?}");
    assert!(close(&components(found.rotation), &components(angles([0.0, 90.0, 0.0]))));
}
