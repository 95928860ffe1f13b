//! A point's frame in model space.

use crate::{
    defs::{BoundInfluence, BoundPoint, JointPose},
    units::Quat,
};

/// A rigid frame in model space: X forward, Y left, Z up, in units of the model file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelFrame {
    /// Its origin.
    pub position: [f64; 3],
    /// From its axes to the model's.
    pub rotation: Quat,
}

/// Where a point is when the joints are posed so; none when a joint is outside the pose.
///
/// Each influence has a frame: the joint's, moved by the offset in the joint's axes and turned by the rotation. Their
/// origins are averaged by weight. So are their quaternions, in the order of the influences, each with the sign that
/// is closer to that of the heaviest influence (the first of them); the average is brought to length 1. A scaled joint
/// moves offsets and scales nothing else.
///
/// # Source
/// Rules L9, L13, L14.
#[must_use]
pub fn evaluate(point: &BoundPoint, joints: &[JointPose]) -> Option<ModelFrame> {
    let mut frame = match &point.influences[..] {
        [only] => frame_of(only, joints)?,
        influences => blend(influences, joints)?,
    };
    if point.ignore_rotation {
        frame.rotation = Quat::IDENTITY;
    }
    Some(frame)
}

fn frame_of(influence: &BoundInfluence, joints: &[JointPose]) -> Option<ModelFrame> {
    let BoundInfluence { joint, offset, rotation, .. } = *influence;
    let Some(joint) = joint else { return Some(ModelFrame { position: offset, rotation }) };
    let JointPose { translation, rotation: turn, scale } = *joints.get(joint as usize)?;
    let arm = turn.rotate([0, 1, 2].map(|i| scale[i] * offset[i]));
    Some(ModelFrame { position: [0, 1, 2].map(|i| translation[i] + arm[i]), rotation: turn.times(rotation) })
}

fn blend(influences: &[BoundInfluence], joints: &[JointPose]) -> Option<ModelFrame> {
    let mut heaviest: Option<&BoundInfluence> = None;
    for influence in influences {
        if heaviest.is_none_or(|heaviest| influence.weight > heaviest.weight) {
            heaviest = Some(influence);
        }
    }
    let main = frame_of(heaviest?, joints)?.rotation;
    let mut position = [0.0; 3];
    let mut sum = Quat::new(0.0, 0.0, 0.0, 0.0);
    for influence in influences {
        let frame = frame_of(influence, joints)?;
        for (sum, component) in position.iter_mut().zip(frame.position) {
            *sum += influence.weight * component;
        }
        sum = sum.plus(frame.rotation.towards(main).scaled(influence.weight));
    }
    Some(ModelFrame { position, rotation: sum.normalised().unwrap_or(main) })
}
