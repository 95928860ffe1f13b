//! Models: vertices of every frame, and faces.
//!
//! # Source
//! Rules I20 to I23, V1; formats/models/3d.md, formats/models/3dc.md.

mod faces;
mod glide;
mod software;

use super::{
    Warnings,
    bytes::{Bytes, Record, shown},
};
use crate::import::Fault;

const HEADER: usize = 64;
/// Frame numbers are signed words in the actor record.
const MAX_FRAMES: u32 = 1 << 15;
/// A vertex in a file: three 32-bit numbers.
const VERTEX: usize = 12;

/// Vertices of all frames of all models of a scene together; the largest map is far below.
const MAX_VERTICES: usize = 6 << 20;

/// A model version, which decides its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// v2.6, of the software renderer.
    V26,
    /// v2.7, of the software renderer.
    V27,
    /// v4.0.
    V40,
    /// v5.0.
    V50,
}

impl Version {
    /// As it is written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V26 => "v2.6",
            Self::V27 => "v2.7",
            Self::V40 => "v4.0",
            Self::V50 => "v5.0",
        }
    }

    fn of_tag(tag: [u8; 4]) -> Option<Self> {
        [Self::V26, Self::V27, Self::V40, Self::V50].into_iter().find(|version| version.name().as_bytes() == tag)
    }

    fn is_software(self) -> bool {
        matches!(self, Self::V26 | Self::V27)
    }
}

/// A decoded model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model3d {
    /// Its version.
    pub version: Version,
    /// Vertices of each frame in model units, Y down; all frames have the same number.
    pub frames: Vec<Vec<[f32; 3]>>,
    /// Polygons as vertex numbers.
    pub faces: Vec<Vec<u32>>,
}

/// Bounds what models are made into: three bytes can be a vertex, and frames may share their bytes.
#[derive(Debug)]
pub struct VertexBudget(usize);

impl Default for VertexBudget {
    fn default() -> Self {
        Self(MAX_VERTICES)
    }
}

impl VertexBudget {
    /// Takes what a model decodes into.
    fn spend(&mut self, n_vertices: usize) -> Option<()> {
        self.0 = self.0.checked_sub(n_vertices)?;
        Some(())
    }
}

/// The counts and offsets of a header.
#[derive(Clone, Copy, Debug)]
struct Header {
    version: Version,
    n_vertices: u32,
    n_faces: u32,
    n_frames: u32,
    frame_data: u32,
    n_face_vertices: u32,
    vertices: u32,
    face_normals: u32,
    faces: u32,
}

impl Header {
    fn of(version: Version, record: Record<'_>) -> Self {
        Self {
            version,
            n_vertices: record.u32(0x04),
            n_faces: record.u32(0x08),
            n_frames: record.u32(0x10),
            frame_data: record.u32(0x14),
            n_face_vertices: record.u32(0x18),
            vertices: record.u32(0x30),
            face_normals: record.u32(0x34),
            faces: record.u32(0x3C),
        }
    }
}

/// Reads a model. `file` is the name that faults show; `section` that of the archive's segment, if it is in one.
///
/// # Errors
/// The first [`Fault`].
///
/// # Source
/// formats/models/3d.md, "Header (64 bytes)"; formats/models/3dc.md.
pub fn read(
    file: &str,
    section: &str,
    data: &[u8],
    budget: &mut VertexBudget,
    warnings: &mut Warnings,
) -> Result<Model3d, Fault> {
    let bytes = Bytes::new(file, data).named(section);
    if bytes.len() == 0 {
        return Err(bytes.fault(0, "there is no model: no bytes"));
    }
    let record = bytes.slice(0, HEADER, "the header")?.record();
    let Some(version) = Version::of_tag(record.array(0)) else {
        let found: [u8; 4] = record.array(0);
        let reason = format!("expected the version v2.6, v2.7, v4.0 or v5.0, found {}", shown(&found));
        return Err(bytes.fault(0, reason));
    };
    let header = Header::of(version, record);
    if header.n_frames > MAX_FRAMES {
        return Err(bytes.fault(0x10, format!("{} frames, at most {MAX_FRAMES} are allowed", header.n_frames)));
    }
    // Every frame needs an entry of its own; the vertices of one are looked at before many are made.
    let frames = if version.is_software() {
        software::frames(bytes, &header, budget)?
    } else {
        glide::frames(bytes, &header, budget, warnings)?
    };
    let faces = faces::faces(bytes, &header, warnings)?;
    Ok(Model3d { version, frames, faces })
}

/// `count` records of `size` bytes at an absolute offset, which must be beyond the header. Without any the offset means
/// nothing.
fn part<'a>(
    bytes: Bytes<'a>,
    offset: u32,
    count: u32,
    size: usize,
    what: &str,
) -> Result<super::bytes::Records<'a>, Fault> {
    if count == 0 {
        return bytes.records(0, 0, size, what);
    }
    if (offset as usize) < HEADER {
        return Err(bytes.fault(0, format!("the offset {offset} of the {what} is inside the header")));
    }
    bytes.records(offset as usize, count, size, what)
}

/// Three 32-bit numbers in 1/256 units.
fn fixed_point(record: Record<'_>) -> [f32; 3] {
    raw_point(record).map(fixed)
}

fn raw_point(record: Record<'_>) -> [i32; 3] {
    [record.i32(0), record.i32(4), record.i32(8)]
}

fn fixed(raw: i32) -> f32 {
    raw as f32 / 256.0
}

fn spend(bytes: Bytes<'_>, header: &Header, n_frames: usize, budget: &mut VertexBudget) -> Result<(), Fault> {
    let n_vertices = (header.n_vertices as usize).saturating_mul(n_frames);
    budget.spend(n_vertices).ok_or_else(|| {
        let n_vertices = header.n_vertices;
        let reason =
            format!("{n_frames} frames of {n_vertices} vertices: all models together have more than {MAX_VERTICES}");
        bytes.fault(0x10, reason)
    })
}
