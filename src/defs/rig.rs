//! The joints of a model and where they are in every frame.

use std::{collections::BTreeMap, sync::Arc};

use super::folded;
use crate::units::Quat;

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name, as the file spells it.
    pub name: Arc<str>,
    /// The joint that it hangs on.
    pub parent: Option<u32>,
}

/// Where a joint is in one frame: model space, X forward, Y left, Z up, in units of the model file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    /// Its origin.
    pub translation: [f64; 3],
    /// From the joint's axes to the model's.
    pub rotation: Quat,
    /// How long a unit along each of the joint's axes is.
    pub scale: [f64; 3],
}

impl JointPose {
    /// At the origin, not turned, not scaled.
    pub const ROOT: Self = Self { translation: [0.0; 3], rotation: Quat::IDENTITY, scale: [1.0; 3] };
}

/// The joints of a model with their poses, frame after frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    joints: Vec<Joint>,
    by_name: BTreeMap<String, u32>,
    poses: Vec<JointPose>,
    n_frames: usize,
    scale: f64,
}

/// No such rig can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{n_poses} joint poses do not make whole frames of {n_joints} joints")]
pub struct RigError {
    n_joints: usize,
    n_poses: usize,
}

impl Rig {
    /// A rig of joints and, for every frame, one pose for each. `scale` is the length of a unit of the model file in
    /// map units.
    ///
    /// Names are looked up without ASCII case; of equal names the first joint's counts.
    ///
    /// # Errors
    /// [`RigError`] when the last frame is not whole.
    pub fn new(joints: Vec<Joint>, poses: Vec<JointPose>, scale: f64) -> Result<Self, RigError> {
        let (n_joints, n_poses) = (joints.len(), poses.len());
        let whole = poses.chunks_exact(n_joints.max(1));
        if !whole.remainder().is_empty() || (n_joints == 0 && n_poses > 0) {
            return Err(RigError { n_joints, n_poses });
        }
        let mut by_name = BTreeMap::new();
        for (joint, index) in joints.iter().zip(0_u32..) {
            by_name.entry(folded(&joint.name)).or_insert(index);
        }
        let n_frames = whole.len();
        Ok(Self { joints, by_name, poses, n_frames, scale })
    }

    /// All joints, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joint of this name.
    #[must_use]
    pub fn joint_named(&self, name: &str) -> Option<u32> {
        self.by_name.get(&folded(name)).copied()
    }

    /// Number of frames.
    #[must_use]
    pub const fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// The poses of all joints in a frame; none outside the model.
    #[must_use]
    pub fn frame(&self, frame: i16) -> Option<&[JointPose]> {
        let frame = usize::try_from(frame).ok().filter(|&frame| frame < self.n_frames)?;
        self.poses.get(frame * self.joints.len()..(frame + 1) * self.joints.len())
    }

    /// The length of a unit of the model file in map units.
    #[must_use]
    pub const fn scale(&self) -> f64 {
        self.scale
    }
}
