//! What is in a file of the game.

use std::path::Path;

use serde_json::{Map as Fields, Value, json};

use crate::{
    cli::problem::Problem,
    defs::{VertexPair, attribute_names},
    import::{
        Fault,
        game::{
            Warnings,
            definition::{self, Definitions},
            ini::{BadLine, Ini},
            items,
            model3d::{self, Model3d, VertexBudget},
            read_file,
            rgm::{Definition, Map, ModelLoad, Placement},
            rob::{self, Segment, SegmentKind},
            settings::{SystemSettings, WorldSettings},
        },
    },
};

/// Kinds of game files, told from a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameSort {
    Map,
    Archive,
    Model,
    Settings,
    Definitions,
}

impl GameSort {
    pub(super) fn of_name(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
            "rgm" => Self::Map,
            "rob" => Self::Archive,
            "3d" | "3dc" => Self::Model,
            "ini" => Self::Settings,
            "def" => Self::Definitions,
            _ => return None,
        })
    }
}

/// Entries of all definitions, which may share them, counted for each: more are not listed.
const MAX_LISTED: usize = 200_000;

/// The file as data, and what was odd in it.
pub(super) fn content(path: &Path, sort: GameSort) -> Result<(Value, Vec<Fault>), Problem> {
    let file = path.display().to_string();
    let bytes = read_file(path)?;
    let mut warnings = Warnings::default();
    let content = match sort {
        GameSort::Map => map(&Map::read(&file, &bytes, &mut warnings)?)?,
        GameSort::Archive => archive(&file, &rob::read(&file, &bytes, &mut warnings)?, &mut warnings),
        GameSort::Model => {
            let model = model3d::read(&file, "", &bytes, &mut VertexBudget::default(), &mut warnings)?;
            let mut fields = model_fields(&model);
            fields.insert("kind".to_owned(), "model".into());
            Value::Object(fields)
        }
        GameSort::Settings => settings(path, &file, &bytes, &mut warnings)?,
        GameSort::Definitions => definitions(&definition::read(&file, &bytes, &mut warnings)?),
    };
    let warnings = warnings.into_list();
    let mut content = content;
    if let Value::Object(fields) = &mut content {
        let texts = warnings.iter().map(|warning| Value::from(warning.to_string()));
        fields.insert("warnings".to_owned(), texts.collect());
    }
    Ok((content, warnings))
}

fn map(map: &Map<'_>) -> Result<Value, Problem> {
    let listed = map.definitions.iter().map(|definition| {
        let n_frames = if let ModelLoad::Table(list) = &definition.models { list.entries.len() } else { 0 };
        let n_attributes = definition.attributes.iter().filter(|&&byte| byte != 0).count();
        definition.groups.groups.len() + n_frames + definition.n_locals() + n_attributes
    });
    if listed.sum::<usize>() > MAX_LISTED {
        return Err(Problem::Other(format!(
            "the definitions have more than {MAX_LISTED} attributes, frame sources, groups and locals to show"
        )));
    }
    let sections = map.sections.iter().map(|section| {
        json!({
            "tag": section.tag,
            "offset": section.offset,
            "length": section.length,
            "use": section.kind.name(),
        })
    });
    let markers = (0..map.n_markers()).filter_map(|index| map.marker(index as u32));
    let markers = markers.map(|marker| json!({ "position": marker.position, "auxiliary": marker.auxiliary }));
    Ok(json!({
        "kind": "map",
        "sections": sections.collect::<Vec<_>>(),
        "definitions": map.definitions.iter().map(definition_content).collect::<Vec<_>>(),
        "placements": map.placements.iter().map(placement).collect::<Vec<_>>(),
        "markers": markers.collect::<Vec<_>>(),
    }))
}

fn definition_content(definition: &Definition<'_>) -> Value {
    let (load, frames) = match &definition.models {
        ModelLoad::None => ("none", Vec::new()),
        ModelLoad::Static { model } => ("static", vec![json!({ "model": model, "count": 1 })]),
        ModelLoad::Table(list) => {
            let frame = |(model, count): &(String, u32)| json!({ "model": model, "count": count });
            ("table", list.entries.iter().map(frame).collect())
        }
    };
    let groups = definition.groups.groups.iter().map(|(index, group)| {
        json!({ "index": index, "speed": group.speed, "type": group.group_type, "commands": group.commands.len() })
    });
    json!({
        "name": definition.name,
        "namespace": definition.namespace,
        "load": load,
        "frames": frames,
        "grip": pair(definition.grip),
        "scabbard": pair(definition.scabbard),
        "attributes": attributes(definition.attributes),
        "groups": groups.collect::<Vec<_>>(),
        "program": definition.program.map(|part| json!({
            "base": part.base,
            "start": part.start,
            "bytes": part.bytes.len(),
            "strings": definition.n_texts(),
            "locals": definition.locals(0),
            "hook": definition.hook.is_some(),
        })),
        "locations": definition.n_locations,
    })
}

fn pair(pair: VertexPair) -> [i16; 2] {
    [pair.first.0, pair.second.0]
}

/// The attributes that are not 0, by name or else by index.
fn attributes(bytes: &[u8]) -> Fields<String, Value> {
    let name = |index: usize| attribute_names().find(|&(_, known)| usize::from(known) == index);
    let set = bytes.iter().enumerate().filter(|&(_, &byte)| byte != 0);
    set.map(|(index, &byte)| (name(index).map_or(index.to_string(), |(name, _)| name.to_owned()), byte.into()))
        .collect()
}

fn placement(placement: &Placement) -> Value {
    json!({
        "name": placement.script,
        "model": placement.model,
        "type": placement.object_type,
        "activation": placement.activation,
        "is_static": placement.is_static,
        "position": placement.position,
        "angles": placement.angles.map(|angle| angle & 2047),
    })
}

fn archive(file: &str, segments: &[Segment<'_>], warnings: &mut Warnings) -> Value {
    let mut budget = VertexBudget::default();
    let mut segment = |segment: &Segment<'_>| {
        let (kind, mut fields) = match segment.kind {
            SegmentKind::Embedded => {
                let place = segment.name.escape_debug().to_string();
                let model = model3d::read(file, &place, segment.data, &mut budget, warnings);
                let fields = model.map_or_else(
                    |fault| Fields::from_iter([("fault".to_owned(), fault.to_string().into())]),
                    |model| model_fields(&model),
                );
                ("embedded".into(), fields)
            }
            SegmentKind::External => ("external".into(), Fields::new()),
            SegmentKind::Unknown(code) => (Value::from(code), Fields::new()),
        };
        fields.insert("name".to_owned(), segment.name.as_str().into());
        fields.insert("type".to_owned(), kind);
        fields.insert("extents".to_owned(), segment.extents.to_vec().into());
        fields.insert("offset".to_owned(), segment.offset.into());
        fields.insert("bytes".to_owned(), segment.data.len().into());
        Value::Object(fields)
    };
    json!({ "kind": "archive", "segments": segments.iter().map(&mut segment).collect::<Vec<_>>() })
}

fn model_fields(model: &Model3d) -> Fields<String, Value> {
    let bound = |keep: fn(f32, f32) -> f32| {
        let base = model.frames.first().into_iter().flatten().copied();
        base.reduce(|a, b| [keep(a[0], b[0]), keep(a[1], b[1]), keep(a[2], b[2])])
    };
    let fields = json!({
        "version": model.version.name(),
        "n_frames": model.frames.len(),
        "vertices": model.frames.first().map_or(0, Vec::len),
        "faces": model.faces.len(),
        "minimum": bound(f32::min),
        "maximum": bound(f32::max),
    });
    if let Value::Object(fields) = fields { fields } else { Fields::new() }
}

/// A settings file, checked as what its name says that it is.
fn settings(path: &Path, file: &str, bytes: &[u8], warnings: &mut Warnings) -> Result<Value, Problem> {
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    let bad_line = if name == "world.ini" { BadLine::Warning } else { BadLine::Error };
    let ini = Ini::read(file, bytes, bad_line, warnings)?;
    // What is odd about the records themselves was said above.
    let mut again = Warnings::default();
    match name.to_str() {
        Some("item.ini") => drop(items::read(file, bytes, warnings)?),
        Some("system.ini") => drop(SystemSettings::read(file, bytes, &mut again)?),
        Some("world.ini") => drop(WorldSettings::read(file, bytes, &mut again)?),
        _ => {}
    }
    let sections = ini.sections().map(|(name, values)| {
        let values = values.iter().map(|(key, value)| (key.clone(), Value::from(value.text.as_str())));
        (name.to_owned(), Value::Object(values.collect()))
    });
    Ok(json!({ "kind": "settings", "sections": sections.collect::<Fields<_, _>>() }))
}

fn definitions(definitions: &Definitions) -> Value {
    let functions = definitions
        .functions
        .iter()
        .map(|function| json!({ "name": function.name, "kind": function.kind, "parameters": function.n_parameters }));
    let flags =
        definitions.flags.iter().map(|flag| json!({ "name": flag.name, "kind": flag.kind, "value": flag.value }));
    let equates = definitions.equates.iter().map(|(name, value)| json!({ "name": name, "value": value }));
    json!({
        "kind": "definitions",
        "functions": functions.collect::<Vec<_>>(),
        "references": definitions.references,
        "equates": equates.collect::<Vec<_>>(),
        "flags": flags.collect::<Vec<_>>(),
    })
}
