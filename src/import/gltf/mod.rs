//! Models from glTF 2.0: joints and vertices, frame after frame.
//!
//! The file has X left, Y up and Z forward; joints come out in model space (X forward, Y left, Z up), vertices in the
//! engine's axes (X right, Y down, Z forward), times the scale.
//!
//! # Source
//! Rules L15, L17.

mod accessor;
mod buffers;
mod check;
mod clip;
mod mesh;
mod nodes;

use std::path::Path;

use super::{
    Fault, ImportError,
    model_file::{ModelClip, ModelFrames},
    read_bytes,
};
use crate::defs::{Rig, did_you_mean};

/// Frames are numbered by a signed word.
const MAX_FRAMES: usize = i16::MAX as usize + 1;
/// Vertices, and joint poses, of all frames together.
const MAX_POINTS: usize = 1 << 23;
/// Steps of computing all frames together.
const MAX_WORK: usize = 1 << 28;

/// Reads a `.glb` or `.gltf` file; buffers in other files lie beside it.
///
/// # Errors
/// [`ImportError`] when the file is damaged, has no such clip, or would give too many frames.
///
/// # Source
/// Rule L17.
pub fn model_from_file(path: impl AsRef<Path>, clip: &ModelClip) -> Result<ModelFrames, ImportError> {
    let path = path.as_ref();
    let fault = |reason| ImportError(vec![Fault::of_file(&path.display().to_string(), reason)]);
    let bytes = read_bytes(path).map_err(fault)?;
    frames(&bytes, path.parent(), clip).map_err(fault)
}

/// The same from bytes; all buffers must be in them.
///
/// # Errors
/// As [`model_from_file`].
pub fn model_from_bytes(name: &str, bytes: &[u8], clip: &ModelClip) -> Result<ModelFrames, ImportError> {
    frames(bytes, None, clip).map_err(|reason| ImportError(vec![Fault::of_file(name, reason)]))
}

fn frames(bytes: &[u8], folder: Option<&Path>, clip: &ModelClip) -> Result<ModelFrames, String> {
    let (document, blob) = document(bytes)?;
    let buffers = buffers::load(&document, blob, folder)?;
    let nodes = nodes::nodes(&document)?;
    let (parts, faces) = mesh::parts(&document, &nodes, &buffers)?;
    let (tracks, end) = match &clip.name {
        Some(name) => clip::tracks(&animation(&document, name)?, &buffers)?,
        None => (Vec::new(), 0.0),
    };
    let n_vertices: usize = parts.iter().map(mesh::Part::n_vertices).sum();
    let work: usize = parts.iter().map(mesh::Part::work).sum();
    let n_frames = n_frames(end, clip.fps, n_vertices.max(nodes.joints.len()), work + tracks.len())?;
    let (mut poses, mut frames) = (Vec::new(), Vec::new());
    for k in 0..n_frames {
        let placed = nodes.at(&tracks, k as f64 / clip.fps);
        poses.extend(placed.iter().map(nodes::Placed::pose));
        let vertices = parts.iter().flat_map(|part| part.vertices(&placed));
        frames.push(vertices.map(|vertex| engine_axes(vertex, clip.scale)).collect::<Vec<_>>());
    }
    if frames.iter().flatten().flatten().any(|coordinate| !coordinate.is_finite()) {
        return Err("a vertex is too far away for single precision".to_owned());
    }
    let finite = |pose: &crate::defs::JointPose| pose.translation.iter().chain(&pose.scale).all(|n| n.is_finite());
    if !poses.iter().all(finite) {
        return Err("a joint is too far away".to_owned());
    }
    let rig = Rig::new(nodes.joints, poses, clip.scale).map_err(|error| error.to_string())?;
    Ok(ModelFrames { rig, frames, faces })
}

/// The checked document and its binary chunk.
fn document(bytes: &[u8]) -> Result<(gltf::Document, Option<Vec<u8>>), String> {
    let damaged = |error: gltf::Error| format!("this is no glTF 2.0 file that can be read: {error}");
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice_without_validation(bytes).map_err(damaged)?;
    let mut json = document.into_json();
    // Materials, textures and lights are of no concern here; a file may require what it likes of them.
    let concerns =
        |name: &String| !["KHR_materials", "KHR_texture", "KHR_lights"].iter().any(|known| name.starts_with(known));
    json.extensions_required.retain(concerns);
    check::check(&json)?;
    Ok((gltf::Document::from_json(json).map_err(damaged)?, blob))
}

fn animation<'d>(document: &'d gltf::Document, name: &str) -> Result<gltf::Animation<'d>, String> {
    let found =
        document.animations().find(|animation| animation.name().is_some_and(|own| own.eq_ignore_ascii_case(name)));
    found.ok_or_else(|| {
        let names: Vec<_> = document.animations().filter_map(|animation| animation.name()).take(1000).collect();
        let known =
            if names.is_empty() { "there is none".to_owned() } else { format!("there are {}", names.join(", ")) };
        format!("no animation is named {name:?}, {known}{}", did_you_mean(name, &names))
    })
}

/// Frame k is the pose at k / fps, up to the last key.
fn n_frames(end: f64, fps: f64, n_points: usize, work: usize) -> Result<usize, String> {
    // A last key that is a rounding error beyond a frame is on it.
    let n = (end * fps + 1e-6).floor() + 1.0;
    let limit = MAX_FRAMES.min(MAX_POINTS / n_points.max(1)).min(MAX_WORK / work.max(1)).max(1);
    if n > limit as f64 {
        return Err(format!(
            "{n} frames, at most {limit} are allowed for {n_points} vertices or joints: take a lower fps"
        ));
    }
    Ok(n as usize)
}

fn engine_axes([x, y, z]: [f64; 3], scale: f64) -> [f32; 3] {
    // No −0 where a coordinate is 0.
    [-x * scale + 0.0, -y * scale + 0.0, z * scale + 0.0].map(|coordinate| coordinate as f32)
}
