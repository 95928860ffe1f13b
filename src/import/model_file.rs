//! What is asked of a model file, and what it gives.

use crate::defs::Rig;

/// Which frames a model file is to give.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelClip {
    /// The animation; without it the only frame is the rest pose.
    pub name: Option<String>,
    /// Frames in a second: frame k is the pose at k / fps. Positive.
    pub fps: f64,
    /// The length of a unit of the file in map units. Positive.
    pub scale: f64,
}

impl Default for ModelClip {
    fn default() -> Self {
        Self { name: None, fps: 15.0, scale: 1.0 }
    }
}

/// The frames of a model file.
#[derive(Clone, Debug)]
pub struct ModelFrames {
    /// Joints with their poses: model space, X forward, Y left, Z up, in units of the file.
    pub rig: Rig,
    /// Vertices in map units, Y down; every frame has the same number.
    pub frames: Vec<Vec<[f32; 3]>>,
    /// Polygons as vertex numbers.
    pub faces: Vec<Vec<u32>>,
}
