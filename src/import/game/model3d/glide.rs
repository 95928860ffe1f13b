//! Frames of v4.0 and v5.0 (rule I20).

use super::{Header, VERTEX, VertexBudget, fixed_point, part, spend};
use crate::import::{
    Fault,
    game::{
        Warnings,
        bytes::{Bytes, Record},
    },
};

/// How later frames are stored, told by the type of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    /// Types 0 and 4: whole positions.
    Full,
    /// Types 2 and 12h: words to subtract, in 1/256 or whole units.
    Words { scale: f64 },
    /// Type 1: bytes to subtract, in whole units.
    Bytes,
    /// Type 8: there is only one frame.
    Single,
}

impl Encoding {
    fn of_type(code: u32) -> Option<Self> {
        Some(match code {
            0 | 4 => Self::Full,
            1 => Self::Bytes,
            2 => Self::Words { scale: 1.0 / 256.0 },
            0x12 => Self::Words { scale: 1.0 },
            8 => Self::Single,
            _ => return None,
        })
    }

    fn vertex_size(self) -> usize {
        match self {
            Self::Full | Self::Single => VERTEX,
            Self::Words { .. } => 6,
            Self::Bytes => 3,
        }
    }

    fn vertex(self, base: [f32; 3], record: Record<'_>) -> [f32; 3] {
        let minus = |delta: [f64; 3]| std::array::from_fn(|axis| (f64::from(base[axis]) - delta[axis]) as f32);
        match self {
            Self::Full | Self::Single => fixed_point(record),
            Self::Words { scale } => minus([0, 2, 4].map(|at| f64::from(record.i16(at)) * scale)),
            Self::Bytes => minus([0, 1, 2].map(|at| f64::from(record.u8(at) as i8))),
        }
    }
}

/// The vertices of every frame.
///
/// # Source
/// formats/models/3dc.md, "Glide animation frame data" and "Compressed vertex reconstruction".
pub(super) fn frames(
    bytes: Bytes<'_>,
    header: &Header,
    budget: &mut VertexBudget,
    warnings: &mut Warnings,
) -> Result<Vec<Vec<[f32; 3]>>, Fault> {
    let base = part(bytes, header.vertices, header.n_vertices, VERTEX, "vertices")?;
    if header.n_frames == 0 {
        warnings.add(bytes.fault(0x10, "the number of frames is 0: one is read"));
        spend(bytes, header, 1, budget)?;
        return Ok(vec![base.iter().map(fixed_point).collect()]);
    }
    let directory = part(bytes, header.frame_data, header.n_frames, 16, "frame entries")?;
    spend(bytes, header, directory.len(), budget)?;
    let base: Vec<_> = base.iter().map(fixed_point).collect();
    let mut frames = Vec::with_capacity(directory.len());
    let mut encoding = Encoding::Single;
    for (k, entry) in directory.iter().enumerate() {
        let [vertices, normals, _, code] = [0, 4, 8, 12].map(|at| entry.u32(at));
        if k == 0 {
            encoding = first_frame(directory.len(), code).map_err(|reason| directory.fault(0, 12, reason))?;
            if vertices != header.vertices {
                warnings.add(directory.fault(0, 0, "frame 0 is not at the base vertices, which are read for it"));
            }
            frames.push(base.clone());
        } else {
            if code != 0 {
                warnings.add(directory.fault(k, 12, "a later frame has a type, which means nothing"));
            }
            let what = "vertices of a frame";
            let stored = part(bytes, vertices, header.n_vertices, encoding.vertex_size(), what)
                .map_err(|fault| fault.within(&format!("frame {k}")))?;
            frames.push(base.iter().zip(stored.iter()).map(|(&base, stored)| encoding.vertex(base, stored)).collect());
        }
        check_normals(bytes, normals, header.n_faces, 4, k, warnings);
    }
    check_normals(bytes, header.face_normals, header.n_faces, 12, 0, warnings);
    Ok(frames)
}

fn first_frame(n_frames: usize, code: u32) -> Result<Encoding, String> {
    match Encoding::of_type(code) {
        Some(Encoding::Single) if n_frames > 1 => Err(format!("the type 8 is for one frame, there are {n_frames}")),
        Some(encoding) => Ok(encoding),
        None => Err(format!("unknown frame type {code}")),
    }
}

/// Normals are read by nothing (rule I22), but where they are outside the file something else is wrong.
fn check_normals(bytes: Bytes<'_>, offset: u32, n_faces: u32, size: u64, frame: usize, warnings: &mut Warnings) {
    let end = u64::from(offset) + u64::from(n_faces) * size;
    if offset != 0 && end > bytes.len() as u64 {
        warnings.add(bytes.fault(offset as usize, format!("the normals of frame {frame} are outside the file")));
    }
}
