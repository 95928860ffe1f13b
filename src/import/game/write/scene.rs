//! A scene as the files of a game.

use std::{collections::BTreeMap, fmt};

use super::{
    DefinitionDraft, MapDraft, PlacementDraft, latin1_bytes,
    models::{SegmentDraft, archive, model},
    texts,
};
use crate::{
    defs::{ActorDef, Model, Pose, Program, Scene, Shape},
    units::{Q8, Vec3, round_even},
};

/// A file of a game folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// Its path below the folder, with `/`.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl GameFile {
    fn text(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), bytes: latin1_bytes(text) }
    }
}

/// Something in a scene that the game's files cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The actor, model or item.
    pub what: String,
    /// Why it cannot be written.
    pub reason: String,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.reason)
    }
}

impl std::error::Error for WriteError {}

fn cannot<T>(what: impl fmt::Display, reason: impl Into<String>) -> Result<T, WriteError> {
    Err(WriteError { what: what.to_string(), reason: reason.into() })
}

/// The files of a game whose only map is a scene. Reading them gives a scene with the same traces.
///
/// Clock, seed and director are not in a game's files. A virtual model becomes a copy of its parent.
///
/// # Errors
/// [`WriteError`] for the first thing that the files cannot hold: a name that is too long, a position between map units,
/// a player that is not called CYRUS or that is turned, an actor with a script, actors NAME and NAME#2 that are not alike.
pub fn game_files(scene: &Scene, map: &str) -> Result<Vec<GameFile>, WriteError> {
    if map.is_empty() || !map.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return cannot(map, "a map's name has letters, digits and underscores");
    }
    let mut files = vec![
        GameFile::text("SYSTEM.INI", &texts::system(scene)),
        GameFile::text("WORLD.INI", &texts::world(map)),
        GameFile::text("SOUP386/SOUP386.DEF", &texts::definitions(scene)),
    ];
    check_texts(scene)?;
    if scene.item_system {
        files.push(GameFile::text("ITEM.INI", &texts::items(scene)));
    }
    models(scene, map, &mut files)?;
    files.push(GameFile { path: format!("maps/{map}.RGM"), bytes: map_draft(scene)?.bytes() });
    Ok(files)
}

/// Texts are lines: what would end or change one cannot be written.
fn check_texts(scene: &Scene) -> Result<(), WriteError> {
    for item in scene.defs.items() {
        let is_line = item.name.trim() == item.name && !item.name.is_empty();
        if !is_line || item.name.contains(|c: char| c == ';' || c.is_control() || c > '\u{FF}') {
            return cannot(
                format!("item {}", item.id.0),
                format!("the name {:?} is no text of a settings file", item.name),
            );
        }
        let hand = item.hand_model.as_deref().and_then(|name| scene.defs.model_named(name));
        if item.length != 0 && hand.is_none() {
            return cannot(format!("item {}", item.id.0), "a length is kept with the hand model, and there is none");
        }
    }
    for flag in scene.defs.flags() {
        if flag.name.contains(|c: char| c.is_whitespace() || c.is_control() || c == ';' || c > '\u{FF}') {
            return cannot(format!("flag {:?}", flag.name), "the name is no word");
        }
    }
    Ok(())
}

fn models(scene: &Scene, map: &str, files: &mut Vec<GameFile>) -> Result<(), WriteError> {
    let lengths = lengths(scene)?;
    let mut segments = Vec::new();
    for record in scene.defs.models() {
        let name = &*record.name;
        if name.len() > 8 || !name.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\/:.".contains(&byte)) {
            return cannot(format!("model {name:?}"), "a name has at most 8 characters without separators");
        }
        let (frames, faces) = raw_frames(scene, record)?;
        let mut halves = halves(frames.first().map_or(&[], Vec::as_slice));
        if let Some(&length) = lengths.get(&name.to_ascii_lowercase()) {
            halves[1] = [length as u32, 0];
        }
        let bytes = model(&frames, faces);
        let is_external = frames.len() > 1;
        let segment = SegmentDraft { name: name.to_owned(), data: (!is_external).then(|| bytes.clone()), halves };
        segments.push(segment);
        if is_external {
            files.push(GameFile { path: format!("fxart/{}.3DC", name.to_ascii_uppercase()), bytes });
        }
    }
    files.push(GameFile { path: format!("fxart/{map}.ROB"), bytes: archive(&segments) });
    Ok(())
}

/// Item lengths by hand model.
fn lengths(scene: &Scene) -> Result<BTreeMap<String, i32>, WriteError> {
    let mut lengths = BTreeMap::new();
    for item in scene.defs.items() {
        let Some(name) = &item.hand_model else { continue };
        let length = *lengths.entry(name.to_ascii_lowercase()).or_insert(item.length);
        if length != item.length {
            return cannot(
                format!("item {}", item.id.0),
                format!("another item with the model {name} has the length {length}"),
            );
        }
    }
    Ok(lengths)
}

type RawFrames = Vec<Vec<[i32; 3]>>;

/// A model's frames in 1/256 units, as vertex queries see them (rule V2).
fn raw_frames<'s>(scene: &'s Scene, record: &'s Model) -> Result<(RawFrames, &'s [Vec<u32>]), WriteError> {
    let shape = match &record.shape {
        Shape::Virtual { root, .. } => scene.defs.models().get(usize::from(root.0)).map(|model| &model.shape),
        own => Some(own),
    };
    let Some(Shape::Frames { vertices, n_vertices, n_frames, faces }) = shape else {
        return cannot(format!("model {}", record.name), "it has no frames");
    };
    let raw = |coordinate: f32| round_even(f64::from(coordinate * 256.0));
    let mut frames: RawFrames = vec![Vec::new(); *n_frames];
    for (k, frame) in frames.iter_mut().enumerate() {
        let points = vertices.get(k * n_vertices..(k + 1) * n_vertices).unwrap_or_default();
        *frame = points.iter().map(|point| point.map(raw)).collect();
    }
    if frames.is_empty() {
        return cannot(format!("model {}", record.name), "it has no frames");
    }
    if faces.iter().any(|face| face.len() > 255) {
        return cannot(format!("model {}", record.name), "a face has more than 255 vertices");
    }
    Ok((frames, faces))
}

/// Whole extents above and below the origin.
fn halves(points: &[[i32; 3]]) -> [[u32; 2]; 3] {
    let reach = |axis: usize, sign: i64| {
        let greatest = points.iter().map(|point| sign * i64::from(point[axis])).max().unwrap_or(0).max(0);
        (greatest as u64).div_ceil(256) as u32
    };
    [0, 1, 2].map(|axis| [reach(axis, 1), reach(axis, -1)])
}

/// Actors before the player stand in map cells, all others are persistent; both lists are walked from their ends.
fn map_draft(scene: &Scene) -> Result<MapDraft, WriteError> {
    let mut map = MapDraft::default();
    let mut cells: Vec<PlacementDraft> = Vec::new();
    let mut persistent = Vec::new();
    let n_before_player = scene.defs.actors().iter().position(|actor| actor.player).unwrap_or(0);
    let mut instances = Instances::default();
    for (index, actor) in scene.defs.actors().iter().enumerate() {
        instances.enter(scene, actor)?;
        if actor.player {
            player(actor)?;
            map.markers.push(map_units(actor)?);
        } else if !actor.template {
            let placement = placement(actor, u8::from(index >= n_before_player))?;
            if placement.activation == 0 { cells.push(placement) } else { persistent.push(placement) }
        }
    }
    let cell = |placement: &PlacementDraft| [2, 0].map(|axis| (placement.position[axis] as u32 & 0xFFFF) >> 9);
    if !cells.is_sorted_by_key(cell) {
        return cannot("the actors before the player", "their map cells do not have the order of the scene");
    }
    map.placements = persistent.into_iter().rev().chain(cells.into_iter().rev()).collect();
    map.definitions = instances.finish(&mut map.placements)?;
    check_programs(&map.definitions)?;
    Ok(map)
}

/// The name of the definition of an actor, and which of its actors it is, from 1.
fn parts(name: &str) -> (&str, usize) {
    let numbered = name.rsplit_once('#').and_then(|(base, number)| Some((base, number.parse().ok()?)));
    numbered.filter(|(base, number)| !base.is_empty() && *number > 1).unwrap_or((name, 1))
}

/// Definitions, with the locals of their actors by number.
#[derive(Default)]
struct Instances {
    definitions: Vec<DefinitionDraft>,
    locals: BTreeMap<String, BTreeMap<usize, Vec<i32>>>,
}

impl Instances {
    /// Enters an actor; those of one definition must be alike but for place and locals.
    fn enter(&mut self, scene: &Scene, actor: &ActorDef) -> Result<(), WriteError> {
        let (base, number) = parts(&actor.name);
        let mut draft = definition(scene, actor, base)?;
        let mut locals = Vec::new();
        if let Some(program) = &mut draft.program {
            locals = actor.locals.as_deref().map_or_else(|| program.locals.clone(), <[i32]>::to_vec);
            program.locals = vec![0; locals.len()];
        }
        self.locals.entry(base.to_ascii_lowercase()).or_default().insert(number, locals);
        match self.definitions.iter().find(|other| other.name.eq_ignore_ascii_case(base)) {
            Some(other) if *other == draft => Ok(()),
            Some(_) => cannot(&actor.name, format!("it is not like the other actors of {base}")),
            None => {
                self.definitions.push(draft);
                Ok(())
            }
        }
    }

    /// The definitions. Placements must come in the order of their numbers, which they lose.
    fn finish(mut self, placements: &mut [PlacementDraft]) -> Result<Vec<DefinitionDraft>, WriteError> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for placement in placements {
            let (base, number) = parts(&placement.script);
            let count = counts.entry(base.to_ascii_lowercase()).or_default();
            *count += 1;
            if *count != number {
                return cannot(&placement.script, "actors of one definition are not in the order of their numbers");
            }
            placement.script = base.to_owned();
        }
        for definition in &mut self.definitions {
            let Some(program) = &mut definition.program else { continue };
            let locals = self.locals.remove(&definition.name.to_ascii_lowercase()).unwrap_or_default();
            let mut locals = locals.into_values();
            program.locals = locals.next().unwrap_or_default();
            definition.more_locals = locals.collect();
        }
        Ok(self.definitions)
    }
}

/// Programs lie in one section: what is at one address must be the same for all.
fn check_programs(definitions: &[DefinitionDraft]) -> Result<(), WriteError> {
    const LONGEST: u64 = 16 << 20;
    let mut programs: Vec<_> = definitions
        .iter()
        .filter_map(|definition| Some((definition.program.as_ref()?, &definition.name)))
        .map(|(program, name)| (u64::from(program.base), &program.bytes, name))
        .collect();
    programs.sort();
    let mut end = 0;
    let mut last: Option<(u64, &Vec<u8>)> = None;
    for (base, bytes, name) in programs {
        if base + bytes.len() as u64 > LONGEST {
            return cannot(name, format!("the program is beyond {LONGEST} bytes of programs"));
        }
        if base < end && last != Some((base, bytes)) {
            return cannot(name, "the program lies on another one");
        }
        end = end.max(base + bytes.len() as u64);
        last = Some((base, bytes));
    }
    Ok(())
}

fn player(actor: &ActorDef) -> Result<(), WriteError> {
    if !actor.name.eq_ignore_ascii_case("CYRUS") {
        return cannot(&actor.name, "the player of a map is called CYRUS");
    }
    if actor.angles.x.0 & 2047 != 0 || actor.angles.y.0 & 2047 != 0 || actor.angles.z.0 & 2047 != 0 {
        return cannot(&actor.name, "the player of a map is not turned");
    }
    Ok(())
}

fn placement(actor: &ActorDef, activation: u8) -> Result<PlacementDraft, WriteError> {
    if ["CYRUS", "GREMLIN", "CAMERA"].iter().any(|own| own.eq_ignore_ascii_case(&actor.name)) {
        return cannot(&actor.name, "the engine makes this actor by itself");
    }
    Ok(PlacementDraft {
        object_type: 1,
        activation,
        script: actor.name.clone(),
        position: map_units(actor)?,
        angles: [actor.angles.x, actor.angles.y, actor.angles.z].map(|angle| (angle.0 & 2047) as u32),
        ..PlacementDraft::default()
    })
}

/// A position in map units, which are whole and have 24 bits.
fn map_units(actor: &ActorDef) -> Result<[i32; 3], WriteError> {
    let Vec3 { x, y, z } = actor.position;
    if [x, y, z].iter().any(|Q8(coordinate)| coordinate % 256 != 0) {
        return cannot(&actor.name, "the position is between map units");
    }
    Ok([x, y, z].map(|Q8(coordinate)| coordinate / 256))
}

fn definition(scene: &Scene, actor: &ActorDef, name: &str) -> Result<DefinitionDraft, WriteError> {
    let bytes = latin1_bytes(name);
    if bytes.len() > 9 || !bytes.iter().all(|byte| (0x20..=0x7E).contains(byte)) {
        return cannot(&actor.name, "a name has at most 9 printable characters");
    }
    if actor.script.is_some() {
        return cannot(&actor.name, "a script is not a program");
    }
    if actor.points.is_some() {
        return cannot(&actor.name, "a grip is a pair of vertices, not a named point");
    }
    let mut definition = DefinitionDraft::new(name);
    let namespace = actor.namespace.as_ref().unwrap_or(&actor.name);
    if !namespace.eq_ignore_ascii_case(name) {
        if namespace.is_empty() || namespace.chars().any(|c| c == '\0' || c > '\u{FF}') {
            return cannot(&actor.name, "a namespace has Latin-1 characters");
        }
        definition.namespace = Some(namespace.clone());
    }
    if let Some(program) = &actor.program {
        if program.strings.iter().any(|string| string.contains(&0)) {
            return cannot(&actor.name, "a text of a program has a zero byte");
        }
        // The name is only for messages.
        definition.program = Some(Program { name: String::new(), ..Program::clone(program) });
    }
    definition.attributes = actor.attributes.clone();
    definition.grip = actor.grip;
    definition.scabbard = actor.scabbard;
    definition.frames = frame_sources(scene, actor)?;
    for (index, group) in actor.groups.iter() {
        if group.commands.len() > (usize::from(u16::MAX) - 8) / 3 {
            return cannot(&actor.name, format!("group {index} has too many commands"));
        }
        definition.groups.push((index as u32, group.clone()));
    }
    Ok(definition)
}

/// The frame table as models and numbers of frames: each model's frames begin at 0.
fn frame_sources(scene: &Scene, actor: &ActorDef) -> Result<Vec<(String, u8)>, WriteError> {
    let mut sources: Vec<(i16, u32)> = Vec::new();
    for &Pose { handle, frame } in actor.frame_table.iter() {
        match sources.last_mut() {
            Some((last, n)) if *last == handle && frame != 0 => *n += 1,
            _ => sources.push((handle, 1)),
        }
    }
    let path = |(handle, n): (i16, u32)| {
        let model = scene.defs.model_of_handle(handle).map_or("", |model| &*model.name);
        match u8::try_from(n) {
            Ok(n) => Ok((format!("fxart\\{model}.3dc"), n)),
            Err(_) => cannot(&actor.name, format!("{n} frames of {model}, at most 255 can be written")),
        }
    };
    sources.into_iter().map(path).collect()
}
