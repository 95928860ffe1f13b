//! The tree of nodes and where each is at a time.

use std::sync::Arc;

use gltf::animation::Property;

use super::clip::{Track, unit};
use crate::{
    defs::{Joint, JointPose},
    units::Quat,
};

/// The nodes of a scene, parents before children.
pub(super) struct Nodes {
    pub(super) joints: Vec<Joint>,
    /// The node of the document that each is.
    pub(super) numbers: Vec<usize>,
    /// Where a node of the document stands here, if the scene has it.
    pub(super) places: Vec<Option<usize>>,
    rest: Vec<Local>,
}

/// A node against its parent.
#[derive(Clone, Debug)]
struct Local {
    translation: [f64; 3],
    rotation: Quat,
    scale: [f64; 3],
    weights: Option<Vec<f64>>,
}

/// A node in its scene.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// Three rows of four, the origin last.
    pub(super) affine: [f64; 12],
    rotation: Quat,
    scale: [f64; 3],
    /// Weights of morph targets, where animation or node gives them.
    pub(super) weights: Option<Vec<f64>>,
}

const MAX_NODES: usize = 1 << 16;

/// The tree of a document's scene; of all nodes without parent when it has none.
pub(super) fn nodes(document: &gltf::Document) -> Result<Nodes, String> {
    let n = document.nodes().len();
    if n > MAX_NODES {
        return Err(format!("{n} nodes, at most {MAX_NODES} are read"));
    }
    let scene = document.default_scene().or_else(|| document.scenes().next());
    let mut stack: Vec<(gltf::Node<'_>, Option<u32>)> = match scene {
        Some(scene) => scene.nodes().map(|node| (node, None)).collect(),
        None => roots(document).into_iter().map(|node| (node, None)).collect(),
    };
    stack.reverse();
    let mut nodes = Nodes { joints: Vec::new(), numbers: Vec::new(), places: vec![None; n], rest: Vec::new() };
    while let Some((node, parent)) = stack.pop() {
        if nodes.places[node.index()].is_some() {
            return Err(format!("node {} has more than one parent, or is its own", node.index()));
        }
        let place = nodes.joints.len();
        nodes.places[node.index()] = Some(place);
        nodes.numbers.push(node.index());
        let name: Arc<str> = node.name().map_or_else(|| format!("node {}", node.index()).into(), Into::into);
        nodes.joints.push(Joint { name, parent });
        nodes.rest.push(local(&node)?);
        let first_child = stack.len();
        stack.extend(node.children().map(|child| (child, Some(place as u32))));
        stack[first_child..].reverse();
    }
    Ok(nodes)
}

fn roots(document: &gltf::Document) -> Vec<gltf::Node<'_>> {
    let mut is_child = vec![false; document.nodes().len()];
    for child in document.nodes().flat_map(|node| node.children().map(|child| child.index()).collect::<Vec<_>>()) {
        is_child[child] = true;
    }
    document.nodes().filter(|node| !is_child[node.index()]).collect()
}

fn local(node: &gltf::Node<'_>) -> Result<Local, String> {
    let (translation, rotation, scale) = node.transform().decomposed();
    let (translation, scale) = (translation.map(f64::from), scale.map(f64::from));
    let rotation = rotation.map(f64::from);
    if translation.iter().chain(&rotation).chain(&scale).any(|number| !number.is_finite()) {
        return Err(format!("the transform of node {} is not finite", node.index()));
    }
    let own = node.weights().or_else(|| node.mesh().and_then(|mesh| mesh.weights()));
    let weights = own.map(|weights| weights.iter().copied().map(f64::from).collect());
    Ok(Local { translation, rotation: unit(&rotation), scale, weights })
}

impl Nodes {
    /// All nodes at a time, in their order.
    pub(super) fn at(&self, tracks: &[Track], time: f64) -> Vec<Placed> {
        let mut locals = self.rest.clone();
        for track in tracks {
            let Some(local) = self.places.get(track.node).copied().flatten().map(|place| &mut locals[place]) else {
                continue;
            };
            let value = track.sample(time);
            match (track.property, <[f64; 3]>::try_from(&value[..])) {
                (Property::Translation, Ok(translation)) => local.translation = translation,
                (Property::Scale, Ok(scale)) => local.scale = scale,
                (Property::Rotation, _) => local.rotation = unit(&value),
                _ => local.weights = Some(value),
            }
        }
        let mut placed: Vec<Placed> = Vec::with_capacity(locals.len());
        for (local, joint) in locals.into_iter().zip(&self.joints) {
            let own = own_affine(&local);
            let Local { rotation, scale, weights, .. } = local;
            let next = match joint.parent.map(|parent| &placed[parent as usize]) {
                None => Placed { affine: own, rotation, scale, weights },
                Some(parent) => Placed {
                    affine: product(&parent.affine, &own),
                    rotation: parent.rotation.times(rotation),
                    scale: [0, 1, 2].map(|i| parent.scale[i] * scale[i]),
                    weights,
                },
            };
            placed.push(next);
        }
        placed
    }
}

fn own_affine(local: &Local) -> [f64; 12] {
    let m = local.rotation.matrix();
    let Local { translation: t, scale: s, .. } = local;
    [
        m[0] * s[0],
        m[1] * s[1],
        m[2] * s[2],
        t[0],
        m[3] * s[0],
        m[4] * s[1],
        m[5] * s[2],
        t[1],
        m[6] * s[0],
        m[7] * s[1],
        m[8] * s[2],
        t[2],
    ]
}

/// `a` after `b`.
pub(super) fn product(a: &[f64; 12], b: &[f64; 12]) -> [f64; 12] {
    let mut product = [0.0; 12];
    for row in 0..3 {
        for column in 0..4 {
            let sum = a[4 * row] * b[column] + a[4 * row + 1] * b[4 + column] + a[4 * row + 2] * b[8 + column];
            product[4 * row + column] = if column == 3 { sum + a[4 * row + 3] } else { sum };
        }
    }
    product
}

/// The point after the transform.
pub(super) fn moved(a: &[f64; 12], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 4, 8].map(|row| a[row] * x + a[row + 1] * y + a[row + 2] * z + a[row + 3])
}

/// From the file's axes (X left, Y up, Z forward) to those of model space: `(z, x, y)`.
const TO_MODEL: Quat = Quat::new(0.5, 0.5, 0.5, 0.5);

impl Placed {
    /// As a joint in model space.
    pub(super) fn pose(&self) -> JointPose {
        let [x, y, z] = [self.affine[3], self.affine[7], self.affine[11]];
        let rotation = TO_MODEL.times(self.rotation).normalised().unwrap_or(Quat::IDENTITY);
        JointPose { translation: [z, x, y], rotation, scale: self.scale }
    }
}
