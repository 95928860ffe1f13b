//! What is in a scene.

use serde_json::{Map, Value, json};

use crate::{
    Scene,
    defs::{ActorDef, FlagDef, ItemDef, Model, Points, Shape, VertexPair, attribute_names},
};

/// The scene as data; a version other than 1 is not read.
pub(super) fn content(scene: &Scene) -> Value {
    let defs = &scene.defs;
    json!({
        "kind": "scene",
        "version": 1,
        "seed": scene.seed,
        "clock": { "nominal": scene.clock.nominal, "frame_scale": scene.clock.frame_scale },
        "item_system": scene.item_system,
        "dummy_manager": scene.dummy_manager,
        "director": scene.director.as_ref().map(|source| &source.name),
        "items": defs.items().map(item).collect::<Vec<_>>(),
        "models": defs.models().iter().map(|model| self::model(scene, model)).collect::<Vec<_>>(),
        "actors": defs.actors().iter().map(|actor| self::actor(scene, actor)).collect::<Vec<_>>(),
        "flags": defs.flags().iter().map(flag).collect::<Vec<_>>(),
    })
}

fn item(item: &ItemDef) -> Value {
    json!({
        "id": item.id,
        "name": item.name,
        "type": item.item_type,
        "hand_model": item.hand_model.as_deref(),
        "hilt_model": item.hilt_model.as_deref(),
        "length": item.length,
        "player_total": item.player_total,
        "total": item.total,
        "player_max": item.player_max,
    })
}

fn model(scene: &Scene, model: &Model) -> Value {
    match &model.shape {
        Shape::Frames { n_vertices, n_frames, faces, .. } => json!({
            "name": &*model.name,
            "frames": n_frames,
            "vertices": n_vertices,
            "faces": faces.len(),
        }),
        Shape::Virtual { parent, .. } => {
            let parent = scene.defs.models().get(usize::from(parent.0)).map(|parent| &*parent.name);
            json!({ "name": &*model.name, "parent": parent })
        }
    }
}

fn actor(scene: &Scene, actor: &ActorDef) -> Value {
    let groups = actor.groups.iter().map(|(index, group)| {
        json!({
            "index": index,
            "speed": group.speed,
            "type": group.group_type,
            "commands": group.commands.len(),
        })
    });
    json!({
        "name": actor.name,
        "player": actor.player,
        "template": actor.template,
        "position": <[_; 3]>::from(actor.position),
        "angles": <[_; 3]>::from(actor.angles),
        "frame_table": actor.frame_table.len(),
        "frame_models": frame_models(scene, actor),
        "grip": holder(actor, actor.grip, |points| points.grip.as_ref()),
        "scabbard": holder(actor, actor.scabbard, |points| points.scabbard.as_ref()),
        "attachments": actor.points.iter().flat_map(|points| &points.list.attachments).map(|a| &a.name).collect::<Vec<_>>(),
        "script": actor.script.as_ref().map(|source| &source.name),
        "attributes": attributes(actor),
        "groups": groups.collect::<Vec<_>>(),
    })
}

/// The name of a point, else two vertex numbers.
fn holder(actor: &ActorDef, pair: VertexPair, name: impl Fn(&Points) -> Option<&String>) -> Value {
    match actor.points.as_deref().and_then(name) {
        Some(name) => json!(name),
        None => json!([pair.first.0, pair.second.0]),
    }
}

/// The models of the frame table, in order, each once for a run of frames.
fn frame_models(scene: &Scene, actor: &ActorDef) -> Vec<String> {
    let mut handles: Vec<i16> = actor.frame_table.iter().map(|pose| pose.handle).collect();
    handles.dedup();
    let name = |handle| scene.defs.model_of_handle(handle).map(|model| model.name.to_string());
    handles.into_iter().filter_map(name).collect()
}

/// The attributes that are not 0, by name or else by index.
fn attributes(actor: &ActorDef) -> Map<String, Value> {
    let set = actor.attributes.iter().enumerate().filter(|&(_, &byte)| byte != 0);
    let name = |index: usize| attribute_names().find(|&(_, known)| usize::from(known) == index);
    set.map(|(index, &byte)| (name(index).map_or(index.to_string(), |(name, _)| name.to_owned()), byte.into()))
        .collect()
}

fn flag(flag: &FlagDef) -> Value {
    json!({ "name": flag.name, "kind": flag.kind, "value": flag.value })
}
