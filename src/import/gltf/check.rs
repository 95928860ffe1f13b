//! Indices and words of a document. The reader of the format takes them on trust, so they are looked at first.

use gltf::json::{self, Index, validation::Checked};

/// Whether every index that is followed leads to something, and every word means something.
pub(super) fn check(root: &json::Root) -> Result<(), String> {
    let within = |index: usize, n: usize, what: &str| {
        if index < n { Ok(()) } else { Err(format!("{what} {index} is named, but there are {n}")) }
    };
    let node = |index: &Index<json::Node>| within(index.value(), root.nodes.len(), "node");
    let accessor = |index: &Index<json::Accessor>| within(index.value(), root.accessors.len(), "accessor");
    let view = |index: &Index<json::buffer::View>| within(index.value(), root.buffer_views.len(), "buffer view");
    for owner in &root.nodes {
        owner.children.iter().flatten().try_for_each(node)?;
        owner.mesh.iter().try_for_each(|mesh| within(mesh.value(), root.meshes.len(), "mesh"))?;
        owner.skin.iter().try_for_each(|skin| within(skin.value(), root.skins.len(), "skin"))?;
    }
    root.scene.iter().try_for_each(|scene| within(scene.value(), root.scenes.len(), "scene"))?;
    root.scenes.iter().flat_map(|scene| &scene.nodes).try_for_each(node)?;
    for skin in &root.skins {
        skin.joints.iter().try_for_each(node)?;
        skin.inverse_bind_matrices.iter().try_for_each(accessor)?;
    }
    for primitive in root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        known(&primitive.mode, "primitive mode")?;
        primitive.attributes.keys().try_for_each(|semantic| known(semantic, "vertex attribute"))?;
        primitive.attributes.values().try_for_each(accessor)?;
        primitive.indices.iter().try_for_each(accessor)?;
        let targets = primitive.targets.iter().flatten();
        targets.flat_map(|target| &target.positions).try_for_each(accessor)?;
    }
    for animation in &root.animations {
        for channel in &animation.channels {
            node(&channel.target.node)?;
            known(&channel.target.path, "animated property")?;
            within(channel.sampler.value(), animation.samplers.len(), "sampler")?;
        }
        animation.samplers.iter().try_for_each(|sampler| known(&sampler.interpolation, "interpolation"))?;
        animation.samplers.iter().flat_map(|sampler| [&sampler.input, &sampler.output]).try_for_each(accessor)?;
    }
    for data in &root.accessors {
        data.buffer_view.iter().try_for_each(view)?;
        if let Some(sparse) = &data.sparse {
            known(&sparse.indices.component_type, "index type")?;
            [&sparse.indices.buffer_view, &sparse.values.buffer_view].into_iter().try_for_each(view)?;
        }
        known(&data.type_, "accessor type")?;
        known(&data.component_type, "component type")?;
    }
    root.buffer_views.iter().try_for_each(|view| within(view.buffer.value(), root.buffers.len(), "buffer"))
}

/// Whether a word of the document is one that the format has.
fn known<T>(word: &Checked<T>, what: &str) -> Result<(), String> {
    if matches!(word, Checked::Invalid) { Err(format!("there is no such {what}")) } else { Ok(()) }
}
