//! `soup386 inspect`: what is in a scene, a trace, a program, a file of the game, or one with attachment lists.

mod attachments;
mod game;
mod scene;
mod trace;

use std::{
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use serde_json::{Map, Value};

use super::{
    Outcome,
    output::{plain, to_stdout},
    problem::{Problem, print_warnings},
    program,
    trace::{Reader, starts_like_a_trace},
};
use crate::{Scene, import::AttachmentFile, soup::Tables};

#[derive(Args)]
#[command(after_help = "Examples:\n  soup386 inspect guard.soup\n  soup386 inspect Redguard/maps/ISLAND.RGM --json")]
pub(crate) struct InspectArguments {
    /// A scene (.toml), a trace, a text of programs (.soup), the bytes of a program, a file of the game (.rgm, .rob,
    /// .3d, .3dc, .ini, .def), or one with attachment lists (.vmdl, .vmdl_prefab, .attach).
    file: PathBuf,
    /// A SOUP386.DEF whose functions, properties and flags a program uses; without it the built-in names.
    #[arg(long, value_name = "FILE")]
    def: Option<PathBuf>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &InspectArguments) -> Result<Outcome, Problem> {
    let path = &arguments.file;
    let tables = program::tables(None, arguments.def.as_deref())?;
    let sort = sort(path, &tables)?;
    if arguments.def.is_some() && !matches!(sort, Sort::Programs | Sort::Program) {
        let what = "--def is for the text or the bytes of a program, which this is not";
        return Err(Problem::Other(format!("{}: {what}", path.display())));
    }
    let content = match sort {
        Sort::Scene => {
            let scene = Scene::from_file(path);
            scene::content(&scene.map_err(|error| Problem::Library { error: error.into(), sources: Vec::new() })?)
        }
        Sort::Trace => trace::content(&mut Reader::open(path)?)?,
        Sort::Attachments => {
            let file = AttachmentFile::open_damaged(path);
            attachments::content(&file.map_err(|error| Problem::Library { error: error.into(), sources: Vec::new() })?)
        }
        Sort::Game(sort) => {
            let (content, warnings) = game::content(path, sort)?;
            print_warnings(&warnings);
            content
        }
        Sort::Programs => program::of_text(path, &tables)?,
        Sort::Program => program::of_bytes(path, &tables)?,
    };
    to_stdout(|out| {
        if arguments.json {
            return writeln!(out, "{content:#}");
        }
        writeln!(out, "{}", plain(&path.display().to_string()))?;
        tree(out, &content, 1)
    })?;
    Ok(Outcome::Held)
}

/// What kind of file it is.
enum Sort {
    Scene,
    Trace,
    Attachments,
    Game(game::GameSort),
    /// A text of programs.
    Programs,
    /// The bytes of a program.
    Program,
}

/// So many bytes tell what a file is.
const HEAD: u64 = 64 << 10;

fn sort(path: &Path, tables: &Arc<Tables>) -> Result<Sort, Problem> {
    if let Some(sort) = game::GameSort::of_name(path) {
        return Ok(Sort::Game(sort));
    }
    let name = path.display();
    let mut head = Vec::new();
    let file = File::open(path).map_err(|error| Problem::unreadable(path, error))?;
    let read = file.take(HEAD).read_to_end(&mut head);
    read.map_err(|error| Problem::unreadable(path, error))?;
    let is = |name: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name));
    if starts_like_a_trace(&head) {
        Ok(Sort::Trace)
    } else if starts_like_attachments(&head) || ["vmdl", "vmdl_prefab", "attach"].into_iter().any(is) {
        Ok(Sort::Attachments)
    } else if is("toml") || starts_like_a_scene(&head) {
        Ok(Sort::Scene)
    } else if is("soup") || program::is_text(&head) {
        Ok(Sort::Programs)
    } else {
        let Err(not_a_program) = program::as_bytes(path, tables) else { return Ok(Sort::Program) };
        Err(Problem::Other(format!(
            "{name}: this is nothing that can be inspected: a scene (a .toml file, or one with \"soup386 = 1\" at its \
             beginning), a trace (JSON lines, the first with \"soup386_trace\"), a text of programs (the first line \
             \"soup386 program 1\"), the bytes of a program ({not_a_program}), a file of the game (.rgm, .rob, .3d, \
             .3dc, .ini, .def), or one with attachment lists (.vmdl, .vmdl_prefab, .attach)"
        )))
    }
}

/// Model and list files begin with a header in a comment.
fn starts_like_attachments(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"<!--")
}

fn starts_like_a_scene(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let keys = text.lines().filter_map(|line| line.split_once('='));
    keys.map(|(key, _)| key.trim()).any(|key| key == "soup386")
}

/// Keys in the order in which they are shown; a JSON object has none. Others follow, ascending.
const ORDER: [&str; 70] = [
    "kind",
    "name",
    "statements",
    "entry_points",
    "version",
    "form",
    "format",
    "lists",
    "file",
    "attachments",
    "joint",
    "root",
    "offset",
    "pitch_yaw_roll",
    "weight",
    "influences",
    "header",
    "seed",
    "updates",
    "clock",
    "director",
    "item_system",
    "dummy_manager",
    "items",
    "models",
    "actors",
    "flags",
    "player",
    "position",
    "angles",
    "frame_table",
    "frame_models",
    "grip",
    "scabbard",
    "script",
    "attributes",
    // Files of the game.
    "sections",
    "definitions",
    "placements",
    "markers",
    "segments",
    "tag",
    "length",
    "use",
    "namespace",
    "load",
    "model",
    "count",
    "n_frames",
    "frames",
    "vertices",
    "faces",
    "extents",
    "type",
    "activation",
    "is_static",
    "program",
    "base",
    "start",
    "bytes",
    "strings",
    "locals",
    "hook",
    "locations",
    "functions",
    "references",
    "equates",
    "minimum",
    "maximum",
    "fault",
];

fn in_order(fields: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_key(|(key, _)| ORDER.iter().position(|known| known == key).unwrap_or(ORDER.len()));
    fields
}

/// An object as an indented tree: `key: value`, or `key:` with what is in it below.
fn tree(out: &mut dyn Write, value: &Value, depth: usize) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    let Value::Object(fields) = value else { return writeln!(out, "{indent}{}", flat(value)) };
    for (key, value) in in_order(fields) {
        let key = plain(key);
        if is_flat(value) {
            writeln!(out, "{indent}{key}: {}", flat(value))?;
            continue;
        }
        match value {
            Value::Array(values) => {
                writeln!(out, "{indent}{key}: {}", values.len())?;
                values.iter().try_for_each(|value| entry(out, value, depth + 1))?;
            }
            other => {
                writeln!(out, "{indent}{key}:")?;
                tree(out, other, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// An entry of a list: on one line when all its values are simple, else its simple values above the others.
fn entry(out: &mut dyn Write, value: &Value, depth: usize) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    let Value::Object(fields) = value else { return writeln!(out, "{indent}{}", flat(value)) };
    let (simple, nested): (Vec<_>, Vec<_>) = in_order(fields).into_iter().partition(|(_, value)| is_flat(value));
    let title = ["name", "index", "tag", "model"].into_iter().find(|&key| fields.contains_key(key));
    let name = title.and_then(|key| fields.get(key)).map(flat).unwrap_or_default();
    let rest = simple.iter().filter(|(key, _)| Some(key.as_str()) != title);
    let rest: Vec<_> = rest.map(|(key, value)| format!("{} {}", plain(key), flat(value))).collect();
    writeln!(out, "{indent}{name}: {}", rest.join(", "))?;
    let nested = nested.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    tree(out, &Value::Object(nested), depth + 1)
}

/// Whether a value fits on its key's line.
fn is_flat(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(values) => values.iter().all(|value| !value.is_object() && !value.is_array()),
        _ => true,
    }
}

fn flat(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => plain(text),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(flat).collect::<Vec<_>>().join(" "),
        Value::Object(_) => "none".to_owned(),
        number => number.to_string(),
    }
}
