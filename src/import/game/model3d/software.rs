//! Frames of v2.6 and v2.7 (rule I21).

use super::{HEADER, Header, VERTEX, VertexBudget, fixed, fixed_point, part, raw_point, spend};
use crate::import::{
    Fault,
    game::bytes::{Bytes, Records},
};

/// The vertices of every frame; a model without a number of frames has one.
///
/// # Source
/// formats/models/3dc.md, "Software animation directory".
pub(super) fn frames(
    bytes: Bytes<'_>,
    header: &Header,
    budget: &mut VertexBudget,
) -> Result<Vec<Vec<[f32; 3]>>, Fault> {
    if header.n_frames == 0 {
        let base = part(bytes, header.vertices, header.n_vertices, VERTEX, "vertices")?;
        spend(bytes, header, 1, budget)?;
        return Ok(vec![base.iter().map(fixed_point).collect()]);
    }
    let directory = Directory::read(bytes, header)?;
    spend(bytes, header, directory.entries.len(), budget)?;
    let reference: Option<Vec<[i32; 3]>> = match directory.compression {
        Some(Compression { reference, .. }) => {
            Some(directory.vertices(bytes, header, reference, VERTEX)?.iter().map(raw_point).collect())
        }
        None => None,
    };
    (0..directory.entries.len()).map(|k| directory.frame(bytes, header, k, reference.as_deref())).collect()
}

/// Deltas to the vertices of one frame.
#[derive(Clone, Copy, Debug)]
struct Compression {
    reference: usize,
    shift: u32,
}

struct Directory<'a> {
    entries: Records<'a>,
    compression: Option<Compression>,
}

impl<'a> Directory<'a> {
    fn read(bytes: Bytes<'a>, header: &Header) -> Result<Self, Fault> {
        if (header.frame_data as usize) < HEADER {
            let reason = format!("the offset {} of the animation header is inside the header", header.frame_data);
            return Err(bytes.fault(0x14, reason));
        }
        let at = header.frame_data as usize;
        let animation = bytes.slice(at, 24, "the animation header")?.record();
        let (table, flags, reference) = (animation.u32(0), animation.u16(0x0C), usize::from(animation.u16(0x0E)));
        let is_compressed = flags & 1 != 0;
        let size = if is_compressed { 12 } else { 16 };
        let entries = part(bytes, table, header.n_frames, size, "frame entries")?;
        if is_compressed && reference >= entries.len() {
            let reason = format!("the reference frame {reference} is none of the {} frames", entries.len());
            return Err(bytes.fault(at + 0x0E, reason));
        }
        let shift = u32::from(animation.u8(0x17) & 31);
        Ok(Self { entries, compression: is_compressed.then_some(Compression { reference, shift }) })
    }

    fn vertices(&self, bytes: Bytes<'a>, header: &Header, k: usize, size: usize) -> Result<Records<'a>, Fault> {
        let offset = self.entries.get(k).map_or(0, |entry| entry.u32(0));
        let vertices = part(bytes, offset, header.n_vertices, size, "vertices of a frame");
        vertices.map_err(|fault| fault.within(&format!("frame {k}")))
    }

    fn frame(
        &self,
        bytes: Bytes<'a>,
        header: &Header,
        k: usize,
        reference: Option<&[[i32; 3]]>,
    ) -> Result<Vec<[f32; 3]>, Fault> {
        match (self.compression, reference) {
            (Some(Compression { reference: at, shift }), Some(reference)) if at != k => {
                let deltas = self.vertices(bytes, header, k, 6)?;
                let vertex = |(base, delta): (&[i32; 3], super::Record<'_>)| {
                    let axis =
                        |axis: usize| base[axis].wrapping_add(i32::from(delta.i16(2 * axis)).wrapping_shl(shift));
                    [0, 1, 2].map(|i| fixed(axis(i)))
                };
                Ok(reference.iter().zip(deltas.iter()).map(vertex).collect())
            }
            _ => Ok(self.vertices(bytes, header, k, VERTEX)?.iter().map(fixed_point).collect()),
        }
    }
}
