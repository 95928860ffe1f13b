//! Vertices: base, morph targets, skin.

use std::rc::Rc;

use gltf::{Semantic, mesh::Mode};

use super::{
    accessor::numbers,
    nodes::{Nodes, Placed, moved, product},
};

/// The vertices of one node's mesh.
pub(super) struct Part {
    /// The node, in tree order.
    place: usize,
    base: Vec<[f64; 3]>,
    /// For each morph target a displacement of every vertex.
    targets: Vec<Vec<[f64; 3]>>,
    skin: Option<Skin>,
}

/// The joints of a skin, in tree order, with their inverse bind matrices.
type Joints = Rc<[(usize, [f64; 12])]>;

struct Skin {
    joints: Joints,
    /// For every vertex: joint numbers of the skin and weights.
    influences: Vec<Vec<(usize, f64)>>,
}

/// All meshes of the scene, and their polygons as vertex numbers.
pub(super) fn parts(
    document: &gltf::Document,
    nodes: &Nodes,
    buffers: &[Vec<u8>],
) -> Result<(Vec<Part>, Vec<Vec<u32>>), String> {
    let (mut parts, mut faces) = (Vec::new(), Vec::new());
    let (mut n_vertices, mut n_numbers) = (0, 0);
    let by_number: Vec<_> = document.nodes().collect();
    for (place, &number) in nodes.numbers.iter().enumerate() {
        let node = &by_number[number];
        let Some(mesh) = node.mesh() else { continue };
        let joints = node.skin().map(|skin| skin_joints(&skin, nodes, buffers)).transpose()?;
        for primitive in mesh.primitives() {
            n_numbers += size(&primitive);
            if n_numbers > MAX_VERTICES {
                return Err(format!("the meshes and their targets have more than {MAX_VERTICES} vertices"));
            }
            let part = part(&primitive, place, joints.as_ref(), buffers)?;
            polygons(&primitive, buffers, n_vertices, part.base.len(), &mut faces)?;
            n_vertices += part.base.len();
            parts.push(part);
        }
    }
    Ok((parts, faces))
}

fn part(
    primitive: &gltf::Primitive<'_>,
    place: usize,
    joints: Option<&Joints>,
    buffers: &[Vec<u8>],
) -> Result<Part, String> {
    let positions = |accessor| Ok::<_, String>(triples(&numbers(&accessor, buffers, 3)?));
    let base = primitive.get(&Semantic::Positions).map(positions).transpose()?.unwrap_or_default();
    let mut targets = Vec::new();
    for target in primitive.morph_targets() {
        let moved = target.positions().map(positions).transpose()?.unwrap_or_else(|| vec![[0.0; 3]; base.len()]);
        if moved.len() != base.len() {
            return Err(format!("a morph target moves {} vertices of {}", moved.len(), base.len()));
        }
        targets.push(moved);
    }
    let skin = match joints {
        Some(joints) => Some(Skin {
            joints: Rc::clone(joints),
            influences: influences(primitive, joints.len(), base.len(), buffers)?,
        }),
        None => None,
    };
    Ok(Part { place, base, targets, skin })
}

fn triples(numbers: &[f64]) -> Vec<[f64; 3]> {
    numbers.chunks_exact(3).map(|triple| [triple[0], triple[1], triple[2]]).collect()
}

fn skin_joints(skin: &gltf::Skin<'_>, nodes: &Nodes, buffers: &[Vec<u8>]) -> Result<Joints, String> {
    const IDENTITY: [f64; 12] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let inverse = skin.inverse_bind_matrices().map(|accessor| numbers(&accessor, buffers, 16)).transpose()?;
    let mut joints = Vec::new();
    for (i, joint) in skin.joints().enumerate() {
        let place = nodes.places.get(joint.index()).copied().flatten();
        let place =
            place.ok_or_else(|| format!("joint {} of skin {} is not in the scene", joint.index(), skin.index()))?;
        let bind = match &inverse {
            None => IDENTITY,
            Some(all) => {
                let m = all.get(16 * i..16 * (i + 1));
                let m = m.ok_or_else(|| format!("skin {} has too few inverse bind matrices", skin.index()))?;
                // Columns in the file, three rows here.
                [m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]]
            }
        };
        joints.push((place, bind));
    }
    Ok(joints.into())
}

/// Sets of four joints for a vertex; files have one or two.
const MAX_SETS: u32 = 4;

fn influences(
    primitive: &gltf::Primitive<'_>,
    n_joints: usize,
    n_vertices: usize,
    buffers: &[Vec<u8>],
) -> Result<Vec<Vec<(usize, f64)>>, String> {
    let mut all = vec![Vec::new(); n_vertices];
    for set in 0..MAX_SETS {
        let (Some(joints), Some(weights)) =
            (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)))
        else {
            break;
        };
        let (joints, weights) = (numbers(&joints, buffers, 4)?, numbers(&weights, buffers, 4)?);
        if joints.len() != 4 * n_vertices || weights.len() != joints.len() {
            return Err(format!("joints and weights of set {set} are not those of {n_vertices} vertices"));
        }
        for (i, (joint, weight)) in joints.iter().zip(weights).enumerate().filter(|(_, (_, weight))| *weight != 0.0) {
            let joint = *joint as usize;
            if joint >= n_joints {
                return Err(format!("a vertex hangs on joint {joint} of a skin of {n_joints}"));
            }
            all[i / 4].push((joint, weight));
        }
    }
    Ok(all)
}

fn polygons(
    primitive: &gltf::Primitive<'_>,
    buffers: &[Vec<u8>],
    first: usize,
    n_vertices: usize,
    faces: &mut Vec<Vec<u32>>,
) -> Result<(), String> {
    if primitive.mode() != Mode::Triangles {
        return Ok(());
    }
    let corners: Vec<usize> = match primitive.indices() {
        Some(accessor) => numbers(&accessor, buffers, 1)?.into_iter().map(|index| index as usize).collect(),
        None => (0..n_vertices).collect(),
    };
    if let Some(corner) = corners.iter().find(|&&corner| corner >= n_vertices) {
        return Err(format!("a triangle names vertex {corner} of {n_vertices}"));
    }
    faces.extend(corners.chunks_exact(3).map(|face| face.iter().map(|corner| (first + corner) as u32).collect()));
    Ok(())
}

/// Vertices and morphed vertices of all meshes together, and the corners of their triangles.
const MAX_VERTICES: usize = 1 << 22;

/// How many vertices, morphed vertices and corners are read for a primitive.
fn size(primitive: &gltf::Primitive<'_>) -> usize {
    let base = primitive.get(&Semantic::Positions).map_or(0, |accessor| accessor.count());
    let corners = primitive.indices().map_or(0, |accessor| accessor.count());
    base.saturating_mul(1 + primitive.morph_targets().len()).saturating_add(corners)
}

impl Part {
    pub(super) const fn n_vertices(&self) -> usize {
        self.base.len()
    }

    /// What a frame costs: additions to vertices, and matrices.
    pub(super) fn work(&self) -> usize {
        let skin = self.skin.as_ref().map_or(0, |skin| skin.joints.len());
        self.base.len() * (1 + self.targets.len()) + skin
    }

    /// The vertices at a time, in the axes of the file.
    pub(super) fn vertices(&self, placed: &[Placed]) -> Vec<[f64; 3]> {
        let mut vertices = self.base.clone();
        let node = &placed[self.place];
        for (target, &weight) in self.targets.iter().zip(node.weights.iter().flatten()) {
            for (vertex, displacement) in vertices.iter_mut().zip(target) {
                *vertex = [0, 1, 2].map(|i| vertex[i] + weight * displacement[i]);
            }
        }
        let Some(skin) = &self.skin else {
            return vertices.into_iter().map(|vertex| moved(&node.affine, vertex)).collect();
        };
        let matrices: Vec<_> = skin.joints.iter().map(|(place, bind)| product(&placed[*place].affine, bind)).collect();
        let skinned = |(vertex, influences): ([f64; 3], &Vec<(usize, f64)>)| {
            let mut sum = [0.0; 3];
            for &(joint, weight) in influences {
                let at = moved(&matrices[joint], vertex);
                sum = [0, 1, 2].map(|i| sum[i] + weight * at[i]);
            }
            sum
        };
        vertices.into_iter().zip(&skin.influences).map(skinned).collect()
    }
}
