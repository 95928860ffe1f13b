//! Models and archives.
//!
//! # Source
//! formats/models/3d.md, formats/models/3dc.md, formats/ROB.md.

use super::RecordWriter;

/// A model: v4.0 with whole positions in every frame, or v5.0 when there is one frame.
///
/// `frames` holds coordinates in 1/256 model units.
#[must_use]
pub fn model(frames: &[Vec<[i32; 3]>], faces: &[Vec<u32>]) -> Vec<u8> {
    const HEADER: usize = 64;
    let n_vertices = frames.first().map_or(0, Vec::len);
    let n_face_vertices: usize = faces.iter().map(Vec::len).sum();
    let vertices = HEADER + faces.len() * 10 + n_face_vertices * 8;
    let face_normals = vertices + n_vertices * 12;
    let directory = face_normals + faces.len() * 12;
    let later = directory + frames.len() * 16;
    let frame_size = n_vertices * 12 + faces.len() * 4;
    let mut header = RecordWriter::new(HEADER);
    header.put(0, if frames.len() == 1 { b"v5.0" } else { b"v4.0" });
    header.u32(0x04, n_vertices as u32).u32(0x08, faces.len() as u32).u32(0x0C, radius(frames));
    header.u32(0x10, frames.len() as u32).u32(0x14, directory as u32);
    header.u32(0x18, n_face_vertices as u32).u32(0x38, n_face_vertices as u32);
    header.u32(0x30, vertices as u32).u32(0x34, face_normals as u32).u32(0x3C, HEADER as u32);
    let mut bytes = header.0;
    for face in faces {
        push_face(&mut bytes, face);
    }
    if let Some(base) = frames.first() {
        push_points(&mut bytes, base);
    }
    // Nothing here reads normals; those of renderers are made anew.
    bytes.resize(directory, 0);
    for k in 0..frames.len() {
        let start = later + k.saturating_sub(1) * frame_size;
        let at = if k == 0 { [vertices, face_normals] } else { [start, start + n_vertices * 12] };
        let kind = if k == 0 && frames.len() > 1 { 4 } else { 0_u32 };
        let mut record = RecordWriter::new(16);
        record.u32(0, at[0] as u32).u32(4, at[1] as u32).u32(12, kind);
        bytes.append(&mut record.0);
    }
    for frame in frames.iter().skip(1) {
        push_points(&mut bytes, frame);
        bytes.resize(bytes.len() + faces.len() * 4, 0);
    }
    bytes
}

/// A face in one colour.
fn push_face(bytes: &mut Vec<u8>, face: &[u32]) {
    let mut record = RecordWriter::new(10);
    record.put(0, &[face.len() as u8, 0xFF]).u32(2, 0xFFF0_8000);
    bytes.append(&mut record.0);
    for vertex in face {
        let mut record = RecordWriter::new(8);
        record.u32(0, *vertex);
        bytes.append(&mut record.0);
    }
}

fn push_points(bytes: &mut Vec<u8>, points: &[[i32; 3]]) {
    points.iter().flatten().for_each(|coordinate| bytes.extend(coordinate.to_le_bytes()));
}

/// The least whole number that is not below any vertex's distance from the origin.
fn radius(frames: &[Vec<[i32; 3]>]) -> u32 {
    let square = |point: &[i32; 3]| point.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>();
    let greatest = frames.iter().flatten().map(square).fold(0.0, f64::max);
    greatest.sqrt().ceil() as u32
}

/// A segment of an archive, as it is written.
#[derive(Clone, Debug)]
pub struct SegmentDraft {
    /// Its name, at most eight bytes.
    pub name: String,
    /// The model; none is an external file of this name.
    pub data: Option<Vec<u8>>,
    /// Extents of its bounding box above and below the origin, by axis.
    pub halves: [[u32; 2]; 3],
}

/// An archive.
#[must_use]
pub fn archive(segments: &[SegmentDraft]) -> Vec<u8> {
    let mut header = RecordWriter::new(20);
    header.put(0, b"OARC").put(4, &4_u32.to_be_bytes()).u32(8, segments.len() as u32);
    header.put(12, b"OARD");
    let mut bytes = header.0;
    for segment in segments {
        let data = segment.data.as_deref().unwrap_or_default();
        let mut record = RecordWriter::new(80);
        record.u32(0, 80 + data.len() as u32).name(4, 8, &segment.name);
        record.u16(0x0C, if segment.data.is_some() { 0 } else { 512 }).u32(0x4C, data.len() as u32);
        for (axis, [positive, negative]) in segment.halves.iter().enumerate() {
            record.u32(0x1C + 4 * axis, positive.wrapping_add(*negative));
            record.u32(0x34 + 4 * axis, *positive).u32(0x40 + 4 * axis, *negative);
        }
        bytes.append(&mut record.0);
        bytes.extend(data);
    }
    bytes.extend(b"END ");
    // The payload is everything between the header and END.
    let payload = (bytes.len() - 24) as u32;
    bytes[16..20].copy_from_slice(&payload.to_be_bytes());
    bytes
}
