//! The animation vertex query.

use crate::{
    defs::{Defs, Pose, VertexIdx},
    units::{Q8, Vec3, round_even},
};

/// One vertex of the pose's model frame, in model space, Q8.
///
/// No pose, a vertex or frame outside the model, and switched-off queries give the zero vector.
///
/// # Source
/// Rules V2 to V6; engine/attachment.md, "Actor model-point conversion".
#[must_use]
pub fn query(defs: &Defs, pose: Pose, vertex: VertexIdx, dummy_manager: bool) -> Vec3<Q8> {
    if dummy_manager {
        return Vec3::default();
    }
    let found = defs.shape_of_handle(pose.handle).and_then(|shape| shape.vertex(pose.frame, vertex));
    found.map_or_else(Vec3::default, |coordinates| {
        Vec3::from(coordinates).map(|coordinate| Q8(round_even(f64::from(coordinate * 256.0))))
    })
}
