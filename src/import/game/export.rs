//! A map as a scene to edit: a text, the files of its models, the texts of its programs.

use std::{collections::BTreeSet, fmt::Write, sync::Arc};

use super::{GameOptions, Loaded, Warnings, load::load};
use crate::{
    defs::{ActorDraft, FlagDef, FlagKind, ItemDef, ItemId, ItemType, Program, SceneBuilder},
    import::{Fault, ImportError},
    soup::{Code, decode, text},
};

/// The file of names beside the scene.
const DEFINITIONS: &str = "SOUP386.DEF";
/// A scene that nobody could edit.
const LONGEST: usize = 64 << 20;

/// A map as the files of a scene folder, whose run leaves the same trace.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Names with `/`, and bytes. The scene is `scene.toml`.
    pub files: Vec<(String, Vec<u8>)>,
    /// What was odd in the game's files.
    pub warnings: Vec<Fault>,
}

/// Reads a map and makes a scene folder of it.
///
/// # Errors
/// [`ImportError`] with the first fault; a scene that would be too long to be read again.
pub fn export(options: &GameOptions) -> Result<Exported, ImportError> {
    let mut warnings = Warnings::default();
    let loaded = load(options, true, &mut warnings).map_err(|fault| ImportError(vec![fault]))?;
    let files = files(loaded)?;
    Ok(Exported { files, warnings: warnings.into_list() })
}

fn files(loaded: Loaded) -> Result<Vec<(String, Vec<u8>)>, ImportError> {
    let Loaded { map_name, builder, definitions, model_files } = loaded;
    let model_names: Vec<_> = model_files.iter().enumerate().map(model_file).collect();
    let program_file = format!("{map_name}.soup");
    let programs = programs(&builder);
    let mut text = Text(String::new());
    text.head(&builder, definitions.is_some());
    builder.items.iter().for_each(|item| text.item(item));
    for (draft, file) in builder.models.iter().zip(&model_names) {
        text.line(format_args!("[[model]]\nname = {}\nfile = {}", quoted(&draft.name), quoted(file)));
    }
    for actor in &builder.actors {
        text.actor(actor, &program_file);
        if text.0.len() > LONGEST {
            let reason = format!("the scene has more than {LONGEST} bytes: choose some actors");
            return Err(ImportError(vec![Fault::of_file(&map_name, reason)]));
        }
    }
    builder.flags.iter().for_each(|flag| text.flag(flag));
    // What is no scene must not be written as one.
    super::built(&map_name, builder)?;
    let mut files = vec![("scene.toml".to_owned(), text.0.into_bytes())];
    files.extend(definitions.map(|bytes| (DEFINITIONS.to_owned(), bytes)));
    if let Some(programs) = programs {
        files.push((program_file, programs.into_bytes()));
    }
    files.extend(model_names.into_iter().zip(model_files).map(|(name, model)| (name, model.bytes)));
    Ok(files)
}

/// Where a model's file lies. Archives may call their segments anything, `../X` too; no such name is one of a file.
fn model_file((index, model): (usize, &super::ModelFile)) -> String {
    let is_plain = model.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = if is_plain { model.name.clone() } else { format!("model-{index}") };
    format!("models/{name}.{}", model.extension)
}

/// The text of all programs, in the order in which actors have them.
fn programs(builder: &SceneBuilder) -> Option<String> {
    let tables = builder.tables_in_force();
    let mut met = BTreeSet::new();
    let first = builder.actors.iter().filter_map(|actor| actor.program.as_ref());
    let first = first.filter(|program| met.insert(Arc::as_ptr(program)));
    // A program that was given to an actor decodes.
    let codes: Vec<Code> = first.filter_map(|program| decode(program, &tables).ok()).collect();
    (!codes.is_empty()).then(|| text::write(&codes))
}

/// A text in the quotes of a scene file.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // Writing to a string cannot fail, here and below.
            c if c.is_control() => drop(write!(out, "\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A scene file under way.
struct Text(String);

impl Text {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{line}");
    }

    fn head(&mut self, scene: &SceneBuilder, has_definitions: bool) {
        let [time, height] = scene.jump;
        let item_system = scene.item_system.unwrap_or(!scene.items.is_empty());
        self.line(format_args!("soup386 = 1\nitem_system = {item_system}\nseed = {}", scene.seed));
        self.line(format_args!("jump = [{time}, {height}]\ntorch_time = {}", scene.torch_time));
        self.line(format_args!("dummy_manager = {}", scene.dummy_manager));
        if has_definitions {
            self.line(format_args!("def = {}", quoted(DEFINITIONS)));
        }
        self.line(format_args!(""));
    }

    fn item(&mut self, item: &ItemDef) {
        let kind = match item.item_type {
            ItemType::General => "general",
            ItemType::Weapon => "weapon",
            ItemType::HandObject => "hand_object",
            ItemType::Torch => "torch",
        };
        self.line(format_args!("[[item]]\nid = {}\nname = {}\ntype = \"{kind}\"", item.id.0, quoted(&item.name)));
        for (key, model) in [("hand_model", &item.hand_model), ("hilt_model", &item.hilt_model)] {
            if let Some(model) = model {
                self.line(format_args!("{key} = {}", quoted(model)));
            }
        }
        let numbers = [
            ("length", Some(item.length)),
            ("player_total", Some(item.player_total)),
            ("total", item.total),
            ("player_max", item.player_max),
            ("flags", Some(item.flags)),
        ];
        for (key, number) in numbers {
            if let Some(number) = number {
                self.line(format_args!("{key} = {number}"));
            }
        }
        let lists = [
            ("required_item", &item.required_item),
            ("add_item", &item.add_item),
            ("drop_add_item", &item.drop_add_item),
            ("remove_drop_item", &item.remove_drop_item),
        ];
        for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            self.line(format_args!("{key} = {:?}", list.iter().map(|&ItemId(id)| id).collect::<Vec<_>>()));
        }
        self.line(format_args!(""));
    }

    fn actor(&mut self, actor: &ActorDraft, program_file: &str) {
        self.line(format_args!("[[actor]]\nname = {}", quoted(&actor.name)));
        for (key, is_set) in [("player", actor.player), ("template", actor.template)] {
            if is_set {
                self.line(format_args!("{key} = true"));
            }
        }
        self.line(format_args!("position = {:?}", <[_; 3]>::from(actor.position).map(|coordinate| coordinate.0)));
        self.line(format_args!("angles = {:?}", <[_; 3]>::from(actor.angles).map(|angle| angle.0)));
        if !actor.frames.is_empty() {
            let frames = actor.frames.iter().map(|(model, n)| format!("{{ model = {}, count = {n} }}", quoted(model)));
            self.line(format_args!("frames = [{}]", frames.collect::<Vec<_>>().join(", ")));
        }
        for (key, pair) in [("grip", actor.grip), ("scabbard", actor.scabbard)] {
            self.line(format_args!("{key} = [{}, {}]", pair.first.0, pair.second.0));
        }
        let set = actor.attributes.iter().enumerate().filter(|&(_, &byte)| byte != 0);
        let attributes: Vec<_> = set.map(|(index, byte)| format!("{index} = {byte}")).collect();
        if !attributes.is_empty() {
            self.line(format_args!("attributes = {{ {} }}", attributes.join(", ")));
        }
        if let Some(namespace) = &actor.namespace {
            self.line(format_args!("namespace = {}", quoted(namespace)));
        }
        if let Some(program) = &actor.program {
            self.program(actor, program, program_file);
        }
        self.groups(actor);
        self.line(format_args!(""));
    }

    fn program(&mut self, actor: &ActorDraft, program: &Program, file: &str) {
        self.line(format_args!("script = {}\nbase = {}", quoted(&format!("{file}#{}", program.name)), program.base));
        if let Some(hook) = &program.hook {
            let digits: String = hook.iter().map(|byte| format!("{byte:02X}")).collect();
            self.line(format_args!("hook = \"{digits}\""));
        }
        if let Some(locals) = &actor.locals {
            self.line(format_args!("locals = {locals:?}"));
        }
    }

    fn groups(&mut self, actor: &ActorDraft) {
        for (index, group) in actor.groups.iter() {
            self.line(format_args!(
                "[[actor.group]]\nindex = {index}\nspeed = {}\ntype = {}",
                group.speed, group.group_type
            ));
            let commands: Vec<_> = group.commands.iter().map(|command| format!("\"{command}\"")).collect();
            self.line(format_args!("commands = [{}]", commands.join(", ")));
        }
    }

    fn flag(&mut self, flag: &FlagDef) {
        let kind = match flag.kind {
            FlagKind::Bool => "bool",
            FlagKind::Flipflop => "flipflop",
            FlagKind::Counter => "counter",
            FlagKind::Number => "number",
        };
        self.line(format_args!("[[flag]]\nname = {}\nkind = \"{kind}\"\nvalue = {}", quoted(&flag.name), flag.value));
    }
}
