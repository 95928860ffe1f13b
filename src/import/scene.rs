//! The scene file: TOML to a scene.
//!
//! # Source
//! Rule S2; the format is described in `docs/scene.md`.

use std::{path::Path, sync::Arc};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Fault,
    game::{
        self, Warnings,
        model3d::{self, Model3d, VertexBudget},
    },
    program, read_text,
    reader::{Fields, Reader, described},
    scene_files,
};
use crate::{
    defs::{
        ActorDraft, Clock, Command, CommandError, FlagDef, FlagKind, Group, ItemDef, ItemId, ItemType, Language,
        ModelDraft, ModuleSource, Opcode, Scene, SceneBuilder, ScriptSource, attr, attribute_index, attribute_names,
    },
    units::{Angle, Q8},
};

type Value<'v> = Spanned<DeValue<'v>>;

const I32: std::ops::RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;
const NATURAL: std::ops::RangeInclusive<i64> = 0..=i32::MAX as i64;
const BYTE: std::ops::RangeInclusive<i64> = 0..=255;

/// Reads a scene text.
pub(super) fn read(file: &str, text: &str, files: &ModuleSource) -> Result<Scene, Vec<Fault>> {
    if text.trim_start_matches('\u{FEFF}').starts_with("soup386 program ") {
        let reason = "this is a text of SOUP programs, which an [[actor]] of a scene names: script = \"FILE.soup\"";
        return Err(vec![Fault::of_file(file, reason)]);
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let fault = |error: &toml::de::Error| Fault::at(file, text, error.span().unwrap_or(0..0), "", error.message());
        return Err(errors.iter().take(20).map(fault).collect());
    }
    let mut reader = Reader::new(file, text);
    let builder = scene(&mut reader, &document, files);
    reader.finish(|reader| {
        let built = builder.build();
        let built = built.map_err(|faults| faults.iter().for_each(|f| reader.fault_at_path(&f.path, &f.reason)));
        built.ok().inspect(|scene| program::check(reader, scene))
    })
}

fn scene(reader: &mut Reader<'_>, document: &Spanned<DeTable<'_>>, files: &ModuleSource) -> SceneBuilder {
    let mut root = Fields::root(document);
    let mut builder = SceneBuilder::default();
    match root.take(reader, "soup386") {
        Some((path, value)) => {
            reader.int(&path, value, 1..=1);
        }
        None => reader.fault("soup386", 0..0, "the format version is missing: the file must hold \"soup386 = 1\""),
    }
    builder.item_system = root.boolean(reader, "item_system");
    builder.dummy_manager = root.boolean(reader, "dummy_manager").unwrap_or(false);
    builder.torch_time = root.int(reader, "torch_time", NATURAL).unwrap_or(0) as i32;
    if let Some(seed) = root.int(reader, "seed", 0..=u32::MAX.into()) {
        builder.seed = seed as u32;
    }
    let director = root.take(reader, "director");
    builder.director = director.and_then(|entry| script(reader, entry, files, ".lua or .rhai"));
    if let Some((path, value)) = root.take(reader, "jump") {
        let [time, height] = reader.ints::<2>(&path, value, BYTE).unwrap_or_default();
        builder.jump = [time as u8, height as u8];
    }
    if let Some((path, value)) = root.take(reader, "clock") {
        builder.clock = {
            let fields = Fields::new(reader, &path, value);
            clock(reader, fields)
        };
    }
    builder.items = root.tables(reader, "item").into_iter().map(|fields| item(reader, fields)).collect();
    let mut budget = VertexBudget::default();
    let models = root.tables(reader, "model").into_iter().map(|fields| model(reader, fields, files, &mut budget));
    builder.models = models.collect();
    builder.flags = root.tables(reader, "flag").into_iter().map(|fields| flag(reader, fields)).collect();
    let content_root = root.text(reader, "content_root");
    builder.tables = root.take(reader, "def").and_then(|entry| scene_files::names(reader, entry, files));
    if let Some(tables) = builder.tables.as_ref().filter(|_| builder.flags.is_empty()) {
        builder.flags = tables.flags().to_vec();
    }
    let mut layout = program::Layout::new(builder.tables_in_force());
    let actors = root.tables(reader, "actor").into_iter();
    let actor = |fields| actor(reader, fields, files, content_root.as_deref(), &builder.models, &mut layout);
    builder.actors = actors.map(actor).collect();
    root.finish(reader);
    builder
}

fn clock(reader: &mut Reader<'_>, mut fields: Fields<'_>) -> Clock {
    let mut clock = Clock::default();
    if let Some((path, value)) = fields.take(reader, "nominal") {
        let array = reader.array(&path, value);
        let ticks = |(i, value)| reader.int(&format!("{path}[{i}]"), value, NATURAL).map(|ticks| ticks as i32);
        clock.nominal = array.iter().enumerate().filter_map(ticks).collect();
    }
    if let Some(scale) = fields.int(reader, "frame_scale", NATURAL) {
        clock.frame_scale = scale as u32;
    }
    fields.finish(reader);
    clock
}

fn item(reader: &mut Reader<'_>, mut fields: Fields<'_>) -> ItemDef {
    let id = fields.require(reader, "id").and_then(|(path, value)| reader.int(&path, value, NATURAL));
    let name = fields.text(reader, "name");
    let item_type = fields.take(reader, "type").map(|(path, value)| item_type(reader, &path, value));
    let id = id.unwrap_or(0) as i32;
    let mut int = |key| fields.int(reader, key, I32).map(|value| value as i32);
    let (length, flags) = (int("length").unwrap_or(0), int("flags").unwrap_or(0));
    let (player_total, total, player_max) = (int("player_total").unwrap_or(0), int("total"), int("player_max"));
    let mut model = |key| fields.text(reader, key).map(Arc::from);
    let (hand_model, hilt_model) = (model("hand_model"), model("hilt_model"));
    let mut list = |key| item_list(reader, &mut fields, key);
    let (required_item, add_item) = (list("required_item"), list("add_item"));
    let (drop_add_item, remove_drop_item) = (list("drop_add_item"), list("remove_drop_item"));
    fields.finish(reader);
    ItemDef {
        id: ItemId(id),
        name: name.unwrap_or_else(|| format!("item {id}")),
        item_type: item_type.unwrap_or_default(),
        hand_model,
        hilt_model,
        length,
        player_total,
        total,
        player_max,
        flags,
        required_item,
        add_item,
        drop_add_item,
        remove_drop_item,
    }
}

fn item_type(reader: &mut Reader<'_>, path: &str, value: &Value<'_>) -> ItemType {
    const TYPES: [(&str, ItemType); 4] = [
        ("general", ItemType::General),
        ("weapon", ItemType::Weapon),
        ("hand_object", ItemType::HandObject),
        ("torch", ItemType::Torch),
    ];
    choice(reader, path, value, "item type", &TYPES)
}

/// One of some words.
fn choice<T: Copy + Default>(
    reader: &mut Reader<'_>,
    path: &str,
    value: &Value<'_>,
    kind: &str,
    choices: &[(&str, T)],
) -> T {
    let Some(word) = reader.text(path, value) else { return T::default() };
    let found = choices.iter().find(|(name, _)| *name == word);
    if found.is_none() {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let hint = reader.hint(&word, &names);
        reader.fault(
            path,
            value.span(),
            format!("unknown {kind} {word:?}{hint}: expected one of {}", names.join(", ")),
        );
    }
    found.map_or_else(T::default, |&(_, choice)| choice)
}

fn item_list(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Vec<ItemId> {
    let Some((path, value)) = fields.take(reader, key) else { return Vec::new() };
    let array = reader.array(&path, value);
    let id = |(i, value)| reader.int(&format!("{path}[{i}]"), value, I32).map(|id| ItemId(id as i32));
    array.iter().enumerate().filter_map(id).collect()
}

fn model(
    reader: &mut Reader<'_>,
    mut fields: Fields<'_>,
    files: &ModuleSource,
    budget: &mut VertexBudget,
) -> ModelDraft {
    let mut draft = ModelDraft::default();
    if let Some((path, value)) = fields.require(reader, "name") {
        draft.name = reader.text(&path, value).unwrap_or_default();
    }
    let parent = fields.take(reader, "parent");
    let has_parent = parent.is_some();
    draft.parent = parent.and_then(|(path, value)| reader.text(&path, value));
    let file = fields.take(reader, "file");
    let frames = fields.take(reader, "frames");
    let name = file.as_ref().and_then(|(path, value)| Some((path.as_str(), *value, reader.text(path, value)?)));
    if let (Some((path, value)), true) = (&file, frames.is_some() || has_parent) {
        reader.fault(path, value.span(), "a model has one of \"frames\", \"file\" and \"parent\"");
    }
    let is_gltf = name.as_ref().is_some_and(|(.., name)| scene_files::is_gltf(name));
    let clip = scene_files::clip(reader, &mut fields, is_gltf);
    if let Some((path, value, name)) = name {
        let outcome = if is_gltf {
            scene_files::gltf_model(&name, files, &clip, &mut draft)
        } else {
            model_file(&name, files, budget).map(|model| (draft.frames, draft.faces) = (model.frames, model.faces))
        };
        if let Err(reason) = outcome {
            reader.fault(path, value.span(), reason);
        }
    }
    if let Some((path, value)) = &frames {
        let array = reader.array(path, value);
        draft.frames =
            array.iter().enumerate().map(|(k, frame)| vertices(reader, &format!("{path}[{k}]"), frame)).collect();
    } else if !has_parent && file.is_none() {
        let path = fields.path_of("frames");
        reader.fault_at_path(&path, "a model needs \"frames\", a \"file\", or the name of a \"parent\"");
    }
    if let Some((path, value)) = fields.take(reader, "faces") {
        let array = reader.array(&path, value);
        draft.faces =
            array.iter().enumerate().map(|(k, face)| polygon(reader, &format!("{path}[{k}]"), face)).collect();
    }
    fields.finish(reader);
    draft
}

/// The model of a file beside the scene.
fn model_file(name: &str, files: &ModuleSource, budget: &mut VertexBudget) -> Result<Model3d, String> {
    let ModuleSource::Folder(folder) = files else {
        return Err("this scene was read without a folder, so it can name no file".to_owned());
    };
    let path = folder.join(name);
    let bytes = game::read_file(&path).map_err(|fault| fault.to_string())?;
    let mut warnings = Warnings::default();
    let model = model3d::read(&path.display().to_string(), "", &bytes, budget, &mut warnings);
    warnings.into_list().iter().for_each(|warning| tracing::warn!("{warning}"));
    model.map_err(|fault| fault.to_string())
}

fn vertices(reader: &mut Reader<'_>, path: &str, frame: &Value<'_>) -> Vec<[f32; 3]> {
    reader.mark(path, frame.span());
    let array = reader.array(path, frame);
    array.iter().enumerate().map(|(v, vertex)| coordinates(reader, path, v, vertex)).collect()
}

fn coordinates(reader: &mut Reader<'_>, path: &str, v: usize, vertex: &Value<'_>) -> [f32; 3] {
    let mut point = [0.0; 3];
    let found = vertex.get_ref().as_array().map_or(usize::MAX, |array| array.len());
    if found != 3 {
        let found = described(vertex.get_ref());
        let reason = format!("expected a vertex of 3 numbers, found {found}");
        reader.fault(&format!("{path}[{v}]"), vertex.span(), reason);
        return point;
    }
    for (coordinate, value) in point.iter_mut().zip(reader.array(path, vertex)) {
        // The path is built for faults alone: a model has many coordinates.
        *coordinate = match reader.single(path, value) {
            Some(number) => number,
            None => return point,
        };
    }
    point
}

fn polygon(reader: &mut Reader<'_>, path: &str, face: &Value<'_>) -> Vec<u32> {
    reader.mark(path, face.span());
    let array = reader.array(path, face);
    array.iter().filter_map(|value| reader.int(path, value, 0..=u32::MAX.into())).map(|v| v as u32).collect()
}

fn actor(
    reader: &mut Reader<'_>,
    mut fields: Fields<'_>,
    files: &ModuleSource,
    content_root: Option<&str>,
    models: &[ModelDraft],
    layout: &mut program::Layout,
) -> ActorDraft {
    let name = fields.require(reader, "name").and_then(|(path, value)| reader.text(&path, value));
    let mut draft = ActorDraft::new(name.unwrap_or_default());
    draft.player = fields.boolean(reader, "player").unwrap_or(false);
    draft.template = fields.boolean(reader, "template").unwrap_or(false);
    if let Some((path, value)) = fields.take(reader, "position") {
        let position = reader.ints::<3>(&path, value, I32).unwrap_or_default();
        draft.position = position.map(|coordinate| Q8(coordinate as i32)).into();
    }
    if let Some((path, value)) = fields.take(reader, "angles") {
        let angles = reader.ints::<3>(&path, value, I32).unwrap_or_default();
        draft.angles = angles.map(|angle| Angle(angle as i32)).into();
    }
    draft.frames = fields.tables(reader, "frames").into_iter().map(|entry| frames(reader, entry, models)).collect();
    scene_files::points(reader, &mut fields, &mut draft, files, content_root);
    attributes(reader, &mut fields, &mut draft.attributes);
    // Accepted for scenes made for other tools; no rule reads it (rule A2).
    if let Some((path, value)) = fields.take(reader, "radius") {
        reader.single(&path, value);
    }
    draft.groups = fields.tables(reader, "group").into_iter().map(|entry| group(reader, entry)).collect();
    draft.namespace = fields.text(reader, "namespace");
    let beside = program::Beside::take(reader, &mut fields);
    draft.locals = program::locals(reader, &mut fields);
    let has_beside = !beside.is_empty() || draft.locals.is_some();
    if let Some(entry) = fields.take(reader, "script") {
        script_or_program(reader, &mut draft, entry, beside, files, layout);
    }
    if has_beside && draft.program.is_none() {
        let path = fields.path_of("script");
        reader.fault_at_path(&path, "\"base\", \"hook\" and \"locals\" belong to a script that is a .soup program");
    }
    if let Some((path, value)) = fields.take(reader, "program") {
        if draft.program.is_some() {
            reader.fault(&path, value.span(), "an actor has either a script or a program, not both");
        }
        let table = Fields::new(reader, &path, value);
        draft.program = Some(program::table(reader, table, &draft.name, layout));
    }
    fields.finish(reader);
    draft
}

/// The script of an actor in a scripting language, or its program in a text.
fn script_or_program(
    reader: &mut Reader<'_>,
    draft: &mut ActorDraft,
    entry: (String, &Value<'_>),
    beside: program::Beside,
    files: &ModuleSource,
    layout: &mut program::Layout,
) {
    let (path, value) = &entry;
    match value.get_ref().as_str().filter(|name| program::is_program(name)) {
        Some(name) => {
            let load = |file: &str| Ok((shown_name(file.to_owned(), files), text_of(file, files)?.0));
            if let Some((program, labels)) = layout.named(reader, (path, value), (name, &draft.name), beside, load) {
                (draft.program, draft.program_labels) = (Some(program), labels);
            }
        }
        None => draft.script = script(reader, entry, files, ".lua, .rhai or .soup"),
    }
}

/// A model and how many of its frames; all of a model from a file, if nothing is said.
fn frames(reader: &mut Reader<'_>, mut fields: Fields<'_>, models: &[ModelDraft]) -> (String, u32) {
    let model = fields.require(reader, "model").and_then(|(path, value)| reader.text(&path, value));
    let model = model.unwrap_or_default();
    let found = models.iter().find(|draft| draft.rig.is_some() && draft.name.eq_ignore_ascii_case(&model));
    let count = match found {
        Some(_) => fields.take(reader, "count"),
        None => fields.require(reader, "count"),
    };
    let all = found.map_or(0, |draft| draft.frames.len() as i64);
    let count = count.map_or(Some(all), |(path, value)| reader.int(&path, value, NATURAL));
    fields.finish(reader);
    (model, count.unwrap_or(0) as u32)
}

fn attributes(reader: &mut Reader<'_>, fields: &mut Fields<'_>, bytes: &mut [u8; 256]) {
    let mut given = [false; 256];
    if let Some((path, value)) = fields.take(reader, "attributes") {
        match value.get_ref().as_table() {
            Some(table) => {
                for (key, value) in table {
                    let path = format!("{path}.{}", key.get_ref());
                    let Some(index) = attribute_index(key.get_ref()) else {
                        let hint = reader.hint(key.get_ref(), attribute_names().map(|(name, _)| name));
                        reader.fault(&path, key.span(), format!("unknown attribute{hint}"));
                        continue;
                    };
                    set_attribute(reader, &path, value, index, bytes, &mut given);
                }
            }
            None => {
                let found = described(value.get_ref());
                reader.fault(&path, value.span(), format!("expected a table of attributes, found {found}"));
            }
        }
    }
    if let Some((path, value)) = fields.take(reader, "rotation_mode") {
        set_attribute(reader, &path, value, attr::ROTATION, bytes, &mut given);
    }
}

fn set_attribute(
    reader: &mut Reader<'_>,
    path: &str,
    value: &Value<'_>,
    index: u8,
    bytes: &mut [u8; 256],
    given: &mut [bool; 256],
) {
    if std::mem::replace(&mut given[usize::from(index)], true) {
        reader.fault(path, value.span(), format!("attribute {index} is given twice"));
    }
    if let Some(byte) = reader.int(path, value, BYTE) {
        bytes[usize::from(index)] = byte as u8;
    }
}

fn group(reader: &mut Reader<'_>, mut fields: Fields<'_>) -> (u32, Group) {
    let index = fields.require(reader, "index").and_then(|(path, value)| reader.int(&path, value, 0..=177));
    let speed = fields.int(reader, "speed", BYTE).unwrap_or(1) as u8;
    let group_type = fields.int(reader, "type", BYTE).unwrap_or(1) as u8;
    let mut commands = Vec::new();
    match (fields.take(reader, "commands"), fields.take(reader, "raw")) {
        (Some((path, value)), None) => {
            let array = reader.array(&path, value);
            let command = |(c, value)| command(reader, &format!("{path}[{c}]"), value);
            commands = array.iter().enumerate().filter_map(command).collect();
        }
        (None, Some((path, value))) => commands = raw_commands(reader, &path, &fields.path_of("commands"), value),
        (Some(_), Some((path, value))) => {
            reader.fault(&path, value.span(), "a group has either \"commands\" or \"raw\", not both");
        }
        (None, None) => {
            let path = fields.path_of("commands");
            reader.fault_at_path(&path, "a group needs \"commands\" or \"raw\"");
        }
    }
    fields.finish(reader);
    (index.unwrap_or(0) as u32, Group { speed, group_type, commands: commands.into() })
}

fn command(reader: &mut Reader<'_>, path: &str, value: &Value<'_>) -> Option<Command> {
    reader.mark(path, value.span());
    let text = reader.text(path, value)?;
    match text.parse::<Command>() {
        Ok(command) => Some(command),
        Err(error) => {
            let hint = match &error {
                CommandError::UnknownName { name } => reader.hint(name, Opcode::names()),
                _ => String::new(),
            };
            reader.fault(path, value.span(), format!("{error}{hint}"));
            None
        }
    }
}

/// Packed commands, three bytes each (rule C16).
fn raw_commands(reader: &mut Reader<'_>, path: &str, commands: &str, value: &Value<'_>) -> Vec<Command> {
    let array = reader.array(path, value);
    let byte = |(i, value)| reader.int(&format!("{path}[{i}]"), value, BYTE).map(|byte| byte as u8);
    let bytes: Vec<u8> = array.iter().enumerate().filter_map(byte).collect();
    // Faults of a command are found later, under the path of its mnemonic form.
    for (c, first) in array.iter().step_by(3).enumerate() {
        reader.spell(format!("{commands}[{c}]"), format!("{path}[{}]", 3 * c), first.span());
    }
    if !array.len().is_multiple_of(3) {
        reader.fault(path, value.span(), format!("commands have 3 bytes each, but there are {}", array.len()));
    }
    bytes.chunks_exact(3).map(|packed| Command::decode([packed[0], packed[1], packed[2]])).collect()
}

fn flag(reader: &mut Reader<'_>, mut fields: Fields<'_>) -> FlagDef {
    const KINDS: [(&str, FlagKind); 4] = [
        ("number", FlagKind::Number),
        ("bool", FlagKind::Bool),
        ("flipflop", FlagKind::Flipflop),
        ("counter", FlagKind::Counter),
    ];
    let name = fields.require(reader, "name").and_then(|(path, value)| reader.text(&path, value));
    let kind = fields.take(reader, "kind").map(|(path, value)| choice(reader, &path, value, "flag kind", &KINDS));
    let value = fields.take(reader, "value").and_then(|(path, value)| match value.get_ref() {
        DeValue::Boolean(set) => Some(i64::from(*set)),
        _ => reader.int(&path, value, I32),
    });
    fields.finish(reader);
    FlagDef { name: name.unwrap_or_default(), kind: kind.unwrap_or_default(), value: value.unwrap_or(0) as i32 }
}

/// The script that a key names, with its text.
fn script(
    reader: &mut Reader<'_>,
    (path, value): (String, &Value<'_>),
    files: &ModuleSource,
    endings: &str,
) -> Option<ScriptSource> {
    let name = reader.text(&path, value)?;
    if program::is_program(&name) {
        reader.fault(&path, value.span(), "a SOUP program belongs to an actor: a director ends in .lua or .rhai");
        return None;
    }
    if Language::of_name(&name).is_none() {
        reader.fault(&path, value.span(), format!("expected a script that ends in {endings}, found {name:?}"));
        return None;
    }
    match text_of(&name, files) {
        Ok((text, modules)) => Some(ScriptSource { name: shown_name(name, files), text, modules }),
        Err(reason) => {
            reader.fault(&path, value.span(), format!("{name}: {reason}"));
            None
        }
    }
}

/// The text of a script, and where its `require` looks.
fn text_of(name: &str, files: &ModuleSource) -> Result<(String, ModuleSource), String> {
    match files {
        ModuleSource::Folder(folder) => load(&folder.join(name)),
        ModuleSource::Listed(texts) => texts
            .get(name)
            .cloned()
            .map(|text| (text, files.clone()))
            .ok_or_else(|| "no text of this name was given".to_owned()),
        ModuleSource::Nowhere => Err("this scene was read without a folder, so it can name no script".to_owned()),
    }
}

/// The name that errors show: with the scene's folder, so that it can be opened from where the command runs.
fn shown_name(name: String, files: &ModuleSource) -> String {
    match files {
        ModuleSource::Folder(folder) if folder != Path::new(".") => folder.join(name).display().to_string(),
        _ => name,
    }
}

fn load(path: &Path) -> Result<(String, ModuleSource), String> {
    Ok((read_text(path)?, ModuleSource::Folder(super::folder_of(path))))
}
