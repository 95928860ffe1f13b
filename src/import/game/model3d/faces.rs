//! Faces: polygons as vertex numbers. Textures are read by nothing here (rule I22).

use super::{HEADER, Header, Version};
use crate::import::{
    Fault,
    game::{Warnings, bytes::Bytes},
};

/// Vertex number and two texture coordinates.
const FACE_VERTEX: usize = 8;

/// The faces of a model.
///
/// # Source
/// formats/models/3d.md, "Face Data".
pub(super) fn faces(bytes: Bytes<'_>, header: &Header, warnings: &mut Warnings) -> Result<Vec<Vec<u32>>, Fault> {
    if header.n_faces == 0 {
        return Ok(Vec::new());
    }
    let head = if header.version.is_software() { 8 } else { 10 };
    if (header.faces as usize) < HEADER {
        let reason = format!("the offset {} of the faces is inside the header", header.faces);
        return Err(bytes.fault(0x3C, reason));
    }
    let mut at = header.faces as usize;
    bytes.records(at, header.n_faces, head + 3 * FACE_VERTEX, "faces of three vertices")?;
    let mut faces = Vec::with_capacity(header.n_faces as usize);
    let mut n_face_vertices = 0;
    for index in 0..header.n_faces {
        let face = face(bytes, header, &mut at, head).map_err(|fault| fault.within(&format!("face {index}")))?;
        n_face_vertices += face.len();
        faces.push(face);
    }
    if !header.version.is_software() && n_face_vertices != header.n_face_vertices as usize {
        let reason = format!("the faces have {n_face_vertices} vertices, the header says {}", header.n_face_vertices);
        warnings.add(bytes.fault(0x18, reason));
    }
    Ok(faces)
}

fn face(bytes: Bytes<'_>, header: &Header, at: &mut usize, head: usize) -> Result<Vec<u32>, Fault> {
    let n_vertices = bytes.slice(*at, head, "a face")?.record().u8(0);
    if n_vertices < 3 {
        return Err(bytes.fault(*at, format!("a face has {n_vertices} vertices: at least 3 are needed")));
    }
    let vertices = bytes.records(*at + head, n_vertices.into(), FACE_VERTEX, "face vertices")?;
    // Software models give the offset of a vertex in its list.
    let unit = if matches!(header.version, Version::V26 | Version::V27) { 12 } else { 1 };
    let mut face = Vec::with_capacity(vertices.len());
    for (k, vertex) in vertices.iter().enumerate() {
        let vertex = vertex.u32(0) / unit;
        if vertex >= header.n_vertices {
            return Err(vertices.fault(k, 0, format!("vertex {vertex} is none of the {}", header.n_vertices)));
        }
        face.push(vertex);
    }
    *at += head + vertices.n_bytes();
    Ok(face)
}
