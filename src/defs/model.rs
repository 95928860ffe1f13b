//! Models: vertex frames, or a parent whose frames are shared.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Rig;

/// The position of a model in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModelIdx(pub u16);

impl ModelIdx {
    /// The pose handle that selects this model: its position plus one.
    #[must_use]
    pub const fn handle(self) -> i16 {
        (self.0 + 1) as i16
    }
}

/// The number of a vertex in a model; out-of-range numbers are legal and give the zero vector (rule V4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VertexIdx(pub i16);

/// Two tracked vertices: where an item is, and where it points (rule A3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VertexPair {
    /// The vertex at the item.
    pub first: VertexIdx,
    /// The vertex that the item points away from.
    pub second: VertexIdx,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name, as first spelt.
    pub name: Arc<str>,
    /// Where its vertices come from.
    pub shape: Shape,
    /// Its joints, for models that come from files with any. A virtual model has those of its root.
    pub rig: Option<Arc<Rig>>,
}

/// Where a model's vertices come from.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Vertices in model units (f32, Y down), frame after frame.
    Frames {
        /// `n_vertices` entries for each frame.
        vertices: Vec<[f32; 3]>,
        /// Vertices in every frame.
        n_vertices: usize,
        /// Number of frames.
        n_frames: usize,
        /// Polygons as vertex numbers of a frame; for pictures only.
        faces: Vec<Vec<u32>>,
    },
    /// A virtual model (rule V5): another model's frames under a handle of its own.
    Virtual {
        /// The model named as parent.
        parent: ModelIdx,
        /// The model with frames at the end of the chain of parents.
        root: ModelIdx,
    },
}

impl Shape {
    /// One vertex of one frame, in model units; none outside the model.
    #[must_use]
    pub fn vertex(&self, frame: i16, vertex: VertexIdx) -> Option<[f32; 3]> {
        let Self::Frames { vertices, n_vertices, n_frames, .. } = self else { return None };
        let frame_idx = usize::try_from(frame).ok().filter(|idx| idx < n_frames)?;
        let vertex_idx = usize::try_from(vertex.0).ok().filter(|idx| idx < n_vertices)?;
        vertices.get(frame_idx * n_vertices + vertex_idx).copied()
    }

    /// Number of frames of its own; a virtual model has none.
    #[must_use]
    pub fn n_frames(&self) -> usize {
        match self {
            Self::Frames { n_frames, .. } => *n_frames,
            Self::Virtual { .. } => 0,
        }
    }
}

impl super::Defs {
    /// The shape that holds a handle's vertices, following virtual models to their root (rule V5).
    #[must_use]
    pub fn shape_of_handle(&self, handle: i16) -> Option<&Shape> {
        match &self.model_of_handle(handle)?.shape {
            Shape::Virtual { root, .. } => self.models().get(usize::from(root.0)).map(|model| &model.shape),
            own => Some(own),
        }
    }

    /// The joints behind a handle, with the model that they belong to, following virtual models to their root.
    #[must_use]
    pub fn rig_of_handle(&self, handle: i16) -> Option<(ModelIdx, &Rig)> {
        let own = ModelIdx(u16::try_from(handle).ok()?.checked_sub(1)?);
        let model = match self.models().get(usize::from(own.0))?.shape {
            Shape::Virtual { root, .. } => root,
            Shape::Frames { .. } => own,
        };
        Some((model, self.models().get(usize::from(model.0))?.rig.as_deref()?))
    }
}
