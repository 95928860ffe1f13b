//! A scene: definitions plus how a world starts. Built from plain data, checked once.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    ActorDef, ActorDefIdx, AttachmentList, BoundPoint, Command, Defs, FlagDef, Group, Groups, ItemDef, ItemType, Model,
    ModelIdx, Opcode, Points, Pose, Program, Rig, ScriptSource, Shape, Tables, VertexPair, folded,
};
use crate::units::{Angle, Q8, Vec3};

/// The tick inputs of successive updates (rule U1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Whole nominal ticks of update k: entry k modulo the length.
    pub nominal: Vec<i32>,
    /// Scale of elapsed time for tasks: 256 is one tick an update (rule K3).
    pub frame_scale: u32,
}

impl Default for Clock {
    fn default() -> Self {
        Self { nominal: vec![1], frame_scale: 256 }
    }
}

/// Checked definitions and start values: what a world is made from.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The definitions.
    pub defs: Arc<Defs>,
    /// Tick inputs.
    pub clock: Clock,
    /// Start state of the random numbers (rule N1).
    pub seed: u32,
    /// Whether the item system is open.
    pub item_system: bool,
    /// Burning time of a torch, in ticks (rule X22).
    pub torch_time: i32,
    /// Whether vertex queries are switched off (rule V6).
    pub dummy_manager: bool,
    /// The director, unless the host brings its own.
    pub director: Option<ScriptSource>,
}

/// The unchecked data of a scene. Fill the fields, then [`build`](Self::build).
#[derive(Clone, Debug)]
pub struct SceneBuilder {
    /// Tick inputs; default one tick an update.
    pub clock: Clock,
    /// Start state of the random numbers; default 1.
    pub seed: u32,
    /// Whether the item system is open; default: when there is an item.
    pub item_system: Option<bool>,
    /// Burning time of a torch, in ticks; default 0, which counts as 1.
    pub torch_time: i32,
    /// Whether vertex queries are switched off.
    pub dummy_manager: bool,
    /// The director.
    pub director: Option<ScriptSource>,
    /// Items, the first of which is selected at load.
    pub items: Vec<ItemDef>,
    /// Models; their order gives the handles.
    pub models: Vec<ModelDraft>,
    /// Actors in update order (rule U10).
    pub actors: Vec<ActorDraft>,
    /// What attributes 31 and 32 become at load where they have no value (rule F6); default 6 and 80.
    pub jump: [u8; 2],
    /// Global flags in id order.
    pub flags: Vec<FlagDef>,
    /// What function and property numbers of programs mean; none: the crate's own (rule Y102). Its flags do not count.
    pub tables: Option<Arc<Tables>>,
}

/// Jump time and jump height of actors that have none (rule F6).
pub(super) const JUMP: [u8; 2] = [6, 80];

impl Default for SceneBuilder {
    fn default() -> Self {
        Self {
            clock: Clock::default(),
            seed: 1,
            item_system: None,
            torch_time: 0,
            dummy_manager: false,
            director: None,
            items: Vec::new(),
            models: Vec::new(),
            actors: Vec::new(),
            jump: JUMP,
            flags: Vec::new(),
            tables: None,
        }
    }
}

/// A model before checking: frames, or the name of a parent.
#[derive(Clone, Debug, Default)]
pub struct ModelDraft {
    /// The name.
    pub name: String,
    /// Frames of vertices in model units.
    pub frames: Vec<Vec<[f32; 3]>>,
    /// Polygons as vertex numbers.
    pub faces: Vec<Vec<u32>>,
    /// A virtual model's parent (rule V5).
    pub parent: Option<String>,
    /// Its joints; their frames are as many as `frames`.
    pub rig: Option<Rig>,
}

/// An actor before checking.
#[derive(Clone, Debug)]
pub struct ActorDraft {
    /// The name.
    pub name: String,
    /// Whether this is the selected player actor; at most one is.
    pub player: bool,
    /// Start position.
    pub position: Vec3<Q8>,
    /// Start orientation: pitch, heading, roll.
    pub angles: Vec3<Angle>,
    /// Whether it is only there to spawn others from: no actor is made of it at load.
    pub template: bool,
    /// Models and how many frames of each make up the frame table (rule F1). Actors that share a list share the table.
    pub frames: Arc<[(String, u32)]>,
    /// Vertices that hold the drawn item.
    pub grip: VertexPair,
    /// Vertices that hold the sheathed item.
    pub scabbard: VertexPair,
    /// Its attachments.
    pub attachments: AttachmentList,
    /// The attachment or joint that holds the drawn item, instead of the vertices.
    pub grip_point: Option<String>,
    /// The attachment or joint that holds the sheathed item, instead of the vertices.
    pub scabbard_point: Option<String>,
    /// The 256 attribute bytes.
    pub attributes: Box<[u8; 256]>,
    /// Animation groups with their numbers. Actors that share a list share the groups.
    pub groups: Arc<[(u32, Group)]>,
    /// Its script.
    pub script: Option<ScriptSource>,
    /// Its SOUP program, instead of a script.
    pub program: Option<Arc<Program>>,
    /// First values of the program's locals in place of the program's own: actors that share a program may differ in
    /// them.
    pub locals: Option<Vec<i32>>,
    /// Labels of the program's text without their `#`, and their offsets; for debuggers.
    pub program_labels: Arc<[(String, u32)]>,
    /// The name that programs know it by, in place of its own (rule Y58).
    pub namespace: Option<String>,
}

impl ActorDraft {
    /// An actor of this name at the origin, without frames, groups or script.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            player: false,
            template: false,
            position: Vec3::default(),
            angles: Vec3::default(),
            frames: Arc::default(),
            grip: VertexPair::default(),
            scabbard: VertexPair::default(),
            attachments: AttachmentList::default(),
            grip_point: None,
            scabbard_point: None,
            attributes: Box::new([0; 256]),
            groups: Arc::default(),
            script: None,
            program: None,
            locals: None,
            program_labels: Arc::new([]),
            namespace: None,
        }
    }
}

/// What is wrong with a scene, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
#[non_exhaustive]
pub struct SceneError {
    /// The place as a key path, such as `actor[2].group[0].commands[3]`.
    pub path: String,
    /// What is wrong.
    pub reason: String,
}

/// Model and frame numbers are signed words in the actor record.
const MAX_MODELS: usize = i16::MAX as usize;
const MAX_FRAMES: usize = i16::MAX as usize + 1;
/// ShowFrame references have 20 bits.
const MAX_FRAME_TABLE: usize = 1 << 20;
/// Entries of all frame tables together: a short file can name many frames.
const MAX_FRAME_ENTRIES: usize = 1 << 24;

impl SceneBuilder {
    /// What numbers of programs mean with the flags as they are.
    #[must_use]
    pub fn tables_in_force(&self) -> Arc<Tables> {
        match &self.tables {
            Some(tables) => tables.with_flags(&self.flags),
            None => Tables::built_in(&self.flags),
        }
    }

    /// Checks everything and makes the scene.
    ///
    /// # Errors
    /// All faults found, each with its key path: duplicate names and ids, unknown models, parents in a circle, frames
    /// of unequal size, ShowFrame references outside the frame table, more than one player, numbers out of range.
    ///
    /// # Source
    /// Rules F1 to F3, V5, S2.
    pub fn build(self) -> Result<Scene, Vec<SceneError>> {
        let mut check = Check::default();
        let item_system = self.item_system.unwrap_or(!self.items.is_empty());
        check.clock(&self.clock);
        let first_item = self.items.first().map(|item| item.id);
        let tables = self.tables_in_force();
        let mut defs = Defs { first_item, jump: self.jump, tables, ..Defs::default() };
        check.items(self.items, &mut defs);
        check.models(self.models, &mut defs);
        check.actors(self.actors, &mut defs);
        check.flags(self.flags, &mut defs);
        if !check.errors.is_empty() {
            return Err(check.errors);
        }
        Ok(Scene {
            defs: Arc::new(defs),
            clock: self.clock,
            seed: self.seed,
            item_system,
            torch_time: self.torch_time,
            dummy_manager: self.dummy_manager,
            director: self.director,
        })
    }
}

/// The faults found so far. Each method checks one list and moves it into the definitions.
#[derive(Default)]
struct Check {
    errors: Vec<SceneError>,
    circle_reported: bool,
    n_frame_entries: usize,
    /// As they are spelt in the scene, for messages.
    model_names: Vec<String>,
    /// What was made of lists that actors share, by the list's address.
    tables: SharedLists<(String, u32), Arc<[Pose]>>,
    groups: SharedLists<(u32, Group), Arc<Groups>>,
}

type SharedLists<T, M> = BTreeMap<*const T, Shared<T, M>>;

/// A list that actors share, kept so that its address stays its own, and what was made of it.
struct Shared<T, M> {
    _list: Arc<[T]>,
    made: M,
}

impl Check {
    fn fault(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.errors.push(SceneError { path: path.into(), reason: reason.into() });
    }

    /// A close model name; none any more among many faults, since each look compares all names.
    fn model_hint(&self, word: &str) -> String {
        const HINTED_FAULTS: usize = 20;
        if self.errors.len() < HINTED_FAULTS { did_you_mean(word, &self.model_names) } else { String::new() }
    }

    fn clock(&mut self, clock: &Clock) {
        if clock.nominal.is_empty() {
            self.fault("clock.nominal", "expected at least one number of ticks");
        }
        for (k, ticks) in clock.nominal.iter().enumerate().filter(|&(_, &ticks)| ticks < 0) {
            self.fault(format!("clock.nominal[{k}]"), format!("ticks cannot be negative, found {ticks}"));
        }
    }

    /// Enters `name` into `index` unless it is empty or taken.
    fn name<T>(&mut self, index: &mut BTreeMap<String, T>, value: T, kind: &str, path: &str, name: &str) {
        if name.is_empty() {
            return self.fault(format!("{path}.name"), format!("the {kind} needs a name"));
        }
        match index.entry(folded(name)) {
            Entry::Vacant(place) => drop(place.insert(value)),
            Entry::Occupied(_) => {
                let reason = format!("another {kind} is already named \"{name}\" (case does not count)");
                self.fault(format!("{path}.name"), reason);
            }
        }
    }

    fn items(&mut self, items: Vec<ItemDef>, defs: &mut Defs) {
        for (i, item) in items.into_iter().enumerate() {
            let id = item.id.0;
            if id < 0 {
                self.fault(format!("item[{i}].id"), format!("an item id cannot be negative, found {id}"));
            } else if item.item_type == ItemType::Weapon && id > 255 {
                self.fault(
                    format!("item[{i}].id"),
                    format!("a weapon's id must be 0..=255 (attribute 23 is a byte), found {id}"),
                );
            } else if !defs.items.insert(item) {
                self.fault(format!("item[{i}].id"), format!("another item already has the id {id}"));
            }
        }
    }

    fn models(&mut self, models: Vec<ModelDraft>, defs: &mut Defs) {
        if models.len() > MAX_MODELS {
            return self.fault("model", format!("{} models, at most {MAX_MODELS} are allowed", models.len()));
        }
        for (i, draft) in models.iter().enumerate() {
            let index = ModelIdx(i as u16);
            self.name(&mut defs.model_by_name, index, "model", &format!("model[{i}]"), &draft.name);
        }
        self.model_names = models.iter().map(|draft| draft.name.clone()).collect();
        let parents: Vec<_> = models.iter().enumerate().map(|(i, draft)| self.parent(i, draft, defs)).collect();
        let mut roots = vec![None; parents.len()];
        for (i, draft) in models.into_iter().enumerate() {
            let shape = match parents[i] {
                Some(parent) => {
                    let root = self.root(i, &parents, &mut roots, &draft.name);
                    Shape::Virtual { parent, root }
                }
                None => self.frames(i, draft.frames, draft.faces),
            };
            let rig = draft.rig.map(Arc::new);
            self.rig(i, rig.as_deref(), &shape);
            defs.models.push(Model { name: draft.name.into(), shape, rig });
        }
    }

    fn parent(&mut self, i: usize, draft: &ModelDraft, defs: &Defs) -> Option<ModelIdx> {
        let parent = draft.parent.as_deref()?;
        if !draft.frames.is_empty() {
            self.fault(format!("model[{i}].parent"), "a model has either frames or a parent, not both");
        }
        let found = defs.model_named(parent);
        if found.is_none() {
            let hint = self.model_hint(parent);
            self.fault(
                format!("model[{i}].parent"),
                format!("{} -> {parent}: no model is named \"{parent}\"{hint}", draft.name),
            );
        }
        found
    }

    /// Follows the chain of parents to a model with frames (rule V5). What is found is kept in `roots` for every model
    /// on the way, so that long chains that share their end are not walked again and again.
    fn root(&mut self, i: usize, parents: &[Option<ModelIdx>], roots: &mut [Option<ModelIdx>], name: &str) -> ModelIdx {
        let mut way = Vec::new();
        let mut root = ModelIdx(i as u16);
        while let Some(next) = roots[usize::from(root.0)].or(parents[usize::from(root.0)]) {
            way.push(root);
            root = next;
            if self.circle_reported || way.len() > parents.len() {
                self.circle(i, name, parents);
                break;
            }
        }
        for passed in way {
            roots[usize::from(passed.0)] = Some(root);
        }
        root
    }

    /// One circle is reported; models that lead into it would only repeat it.
    fn circle(&mut self, i: usize, name: &str, parents: &[Option<ModelIdx>]) {
        if !std::mem::replace(&mut self.circle_reported, true) {
            let chain = circle(ModelIdx(i as u16), parents, &self.model_names);
            self.fault(format!("model[{i}].parent"), format!("{name}: the parents go in a circle: {chain}"));
        }
    }

    fn frames(&mut self, i: usize, frames: Vec<Vec<[f32; 3]>>, faces: Vec<Vec<u32>>) -> Shape {
        let n_vertices = frames.first().map_or(0, Vec::len);
        if frames.len() > MAX_FRAMES {
            self.fault(
                format!("model[{i}].frames"),
                format!("{} frames, at most {MAX_FRAMES} are allowed", frames.len()),
            );
        }
        for (k, frame) in frames.iter().enumerate() {
            if frame.len() != n_vertices {
                self.fault(
                    format!("model[{i}].frames[{k}]"),
                    format!("{} vertices, but frame 0 has {n_vertices}: all frames need the same number", frame.len()),
                );
            }
            if let Some(v) = frame.iter().position(|vertex| vertex.iter().any(|c| !c.is_finite())) {
                self.fault(
                    format!("model[{i}].frames[{k}][{v}]"),
                    "a coordinate must be a finite single-precision number",
                );
            }
        }
        for (k, face) in faces.iter().enumerate() {
            if face.len() < 3 || face.iter().any(|&v| v as usize >= n_vertices) {
                let reason = format!("expected three or more vertex numbers below {n_vertices}, found {face:?}");
                self.fault(format!("model[{i}].faces[{k}]"), reason);
            }
        }
        Shape::Frames { n_frames: frames.len(), n_vertices, vertices: frames.concat(), faces }
    }

    fn actors(&mut self, actors: Vec<ActorDraft>, defs: &mut Defs) {
        let mut player = None;
        for (i, draft) in actors.into_iter().enumerate() {
            let path = format!("actor[{i}]");
            self.name(&mut defs.actor_by_name, ActorDefIdx(i as u32), "actor", &path, &draft.name);
            if draft.player {
                match player {
                    Some(first) => {
                        self.fault(format!("{path}.player"), format!("actor[{first}] is already the player"));
                    }
                    None => player = Some(i),
                }
            }
            let frame_table = self.frame_table(&path, draft.frames, defs);
            let groups = self.groups(&path, draft.groups, frame_table.len());
            if draft.script.is_some() && draft.program.is_some() {
                self.fault(format!("{path}.program"), "an actor has either a script or a program, not both");
            }
            if let Some(locals) = &draft.locals {
                let expected = draft.program.as_ref().map_or(0, |program| program.locals.len());
                if locals.len() != expected {
                    let reason = format!("{} first values for {expected} locals of the program", locals.len());
                    self.fault(format!("{path}.locals"), reason);
                }
            }
            let held = (draft.grip_point, draft.scabbard_point);
            let points = self.points(&path, draft.attachments, held, &frame_table, defs);
            defs.has_points |= points.is_some();
            defs.actors.push(ActorDef {
                name: draft.name,
                player: draft.player,
                template: draft.template,
                position: draft.position,
                angles: draft.angles,
                frame_table,
                grip: draft.grip,
                scabbard: draft.scabbard,
                attributes: draft.attributes,
                groups,
                points,
                script: draft.script,
                // A program without bytes is none (rule Y1).
                program: draft.program.filter(|program| !program.bytes.is_empty()),
                locals: draft.locals.map(Vec::into_boxed_slice),
                program_labels: draft.program_labels,
                namespace: draft.namespace,
            });
        }
    }

    fn frame_table(&mut self, path: &str, frames: Arc<[(String, u32)]>, defs: &Defs) -> Arc<[Pose]> {
        if let Some(shared) = self.tables.get(&frames.as_ptr()).filter(|_| !frames.is_empty()) {
            return Arc::clone(&shared.made);
        }
        let made: Arc<[Pose]> = self.new_frame_table(path, &frames, defs).into();
        if Arc::strong_count(&frames) > 1 {
            self.tables.insert(frames.as_ptr(), Shared { _list: frames, made: Arc::clone(&made) });
        }
        made
    }

    fn new_frame_table(&mut self, path: &str, frames: &[(String, u32)], defs: &Defs) -> Vec<Pose> {
        let mut table = Vec::new();
        for (k, (name, count)) in frames.iter().enumerate() {
            let Some(model) = defs.model_named(name) else {
                let hint = self.model_hint(name);
                self.fault(format!("{path}.frames[{k}].model"), format!("no model is named \"{name}\"{hint}"));
                continue;
            };
            let count = *count as usize;
            if count > MAX_FRAMES || table.len() + count > MAX_FRAME_TABLE {
                let reason = format!(
                    "{count} frames: at most {MAX_FRAMES} of one model and {MAX_FRAME_TABLE} in all are allowed"
                );
                self.fault(format!("{path}.frames[{k}].count"), reason);
                break;
            }
            self.n_frame_entries = self.n_frame_entries.saturating_add(count);
            if self.n_frame_entries > MAX_FRAME_ENTRIES {
                // Every later table would only say so again.
                if self.n_frame_entries - count <= MAX_FRAME_ENTRIES {
                    let reason =
                        format!("the frame tables of the scene have more than {MAX_FRAME_ENTRIES} entries together");
                    self.fault(format!("{path}.frames[{k}].count"), reason);
                }
                break;
            }
            table.extend((0..count).map(|frame| Pose { handle: model.handle(), frame: frame as i16 }));
        }
        table
    }

    fn groups(&mut self, path: &str, drafts: Arc<[(u32, Group)]>, n_frames: usize) -> Arc<Groups> {
        // Without a frame table the groups do not exist, so nothing in them is checked (rule F4).
        if n_frames == 0 || drafts.is_empty() {
            return Arc::default();
        }
        if let Some(shared) = self.groups.get(&drafts.as_ptr()) {
            let made = Arc::clone(&shared.made);
            if made.greatest_reference().is_some_and(|greatest| greatest as usize >= n_frames) {
                self.references(path, &drafts, n_frames);
            }
            return made;
        }
        self.references(path, &drafts, n_frames);
        let mut groups = Groups::default();
        for (k, (index, group)) in drafts.iter().enumerate() {
            if !groups.insert(*index as usize, group.clone()) {
                self.fault(
                    format!("{path}.group[{k}].index"),
                    format!("a group number must be 0..=177, found {index}"),
                );
            }
        }
        let made = Arc::new(groups);
        if Arc::strong_count(&drafts) > 1 {
            self.groups.insert(drafts.as_ptr(), Shared { _list: drafts, made: Arc::clone(&made) });
        }
        made
    }

    fn references(&mut self, path: &str, drafts: &[(u32, Group)], n_frames: usize) {
        for (k, (_, group)) in drafts.iter().enumerate() {
            for (c, command) in group.commands.iter().enumerate() {
                if let Some(reason) = outside_frame_table(*command, n_frames) {
                    self.fault(format!("{path}.group[{k}].commands[{c}]"), reason);
                }
            }
        }
    }

    /// A rig has a frame for every frame of the vertices.
    fn rig(&mut self, i: usize, rig: Option<&Rig>, shape: &Shape) {
        let Some(rig) = rig else { return };
        if matches!(shape, Shape::Virtual { .. }) {
            self.fault(format!("model[{i}]"), "a model has either joints or a parent, not both");
        } else if rig.n_frames() != shape.n_frames() {
            let reason = format!("the joints have {} frames, the vertices {}", rig.n_frames(), shape.n_frames());
            self.fault(format!("model[{i}].frames"), reason);
        }
        if !(rig.scale() > 0.0 && rig.scale().is_finite()) {
            self.fault(format!("model[{i}].scale"), format!("a scale must be positive, found {}", rig.scale()));
        }
    }

    /// Binds an actor's attachments to the models of its frame table (rules L10, L12).
    fn points(
        &mut self,
        path: &str,
        list: AttachmentList,
        (grip, scabbard): (Option<String>, Option<String>),
        frame_table: &[Pose],
        defs: &Defs,
    ) -> Option<Arc<Points>> {
        if list.attachments.is_empty() && grip.is_none() && scabbard.is_none() {
            return None;
        }
        let handles: BTreeSet<i16> = frame_table.iter().map(|pose| pose.handle).collect();
        let rigs: BTreeMap<_, _> = handles.iter().filter_map(|&handle| defs.rig_of_handle(handle)).collect();
        for (key, name) in [("grip", &grip), ("scabbard", &scabbard)] {
            if let Some(name) = name {
                self.held(&format!("{path}.{key}"), name, &list, &rigs);
            }
        }
        Some(Arc::new(Points::new(list, grip, scabbard, rigs)))
    }

    /// Whether a point that holds an item is on a model of the actor at all.
    fn held(&mut self, path: &str, name: &str, list: &AttachmentList, rigs: &BTreeMap<ModelIdx, &Rig>) {
        if let Some(attachment) = list.named(name) {
            let binds = |rig| BoundPoint::bind(attachment, rig).is_some();
            if !binds(None) && !rigs.values().any(|rig| binds(Some(rig))) {
                let joints: Vec<_> = attachment.influences.iter().map(|influence| influence.joint.as_str()).collect();
                let reason =
                    format!("\"{name}\" is on no joint of the actor's models: they have no {}", joints.join(", "));
                self.fault(path, reason);
            }
        } else if !rigs.values().any(|rig| rig.joint_named(name).is_some()) {
            let joints = rigs.values().flat_map(|rig| rig.joints()).map(|joint| &*joint.name);
            let known = list.attachments.iter().map(|attachment| attachment.name.as_str());
            let hint = did_you_mean(name, known.chain(joints).take(1000));
            self.fault(path, format!("no attachment and no joint is named \"{name}\"{hint}"));
        }
    }

    fn flags(&mut self, flags: Vec<FlagDef>, defs: &mut Defs) {
        for (i, flag) in flags.into_iter().enumerate() {
            self.name(&mut defs.flag_by_name, i, "flag", &format!("flag[{i}]"), &flag.name);
            defs.flags.push(flag);
        }
    }
}

fn outside_frame_table(command: Command, n_frames: usize) -> Option<String> {
    let reference = command.operands[0];
    (command.opcode == Opcode::ShowFrame && reference as usize >= n_frames)
        .then(|| format!("ShowFrame {reference} is outside the frame table, whose entries are 0..={}", n_frames - 1))
}

/// The first names of a chain of parents that never ends, up to the first that comes again.
fn circle(start: ModelIdx, parents: &[Option<ModelIdx>], names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut way = vec![start];
    while let Some(next) = way.last().and_then(|at| parents[usize::from(at.0)]) {
        let ends = way.contains(&next) || way.len() == SHOWN;
        way.push(next);
        if ends {
            break;
        }
    }
    let shown: Vec<_> = way.iter().map(|at| names[usize::from(at.0)].as_str()).collect();
    let rest = if way.len() > SHOWN { " -> …" } else { "" };
    shown.join(" -> ") + rest
}

/// `; did you mean "x"?` when one of `names` is close to `word`, else nothing.
pub(crate) fn did_you_mean(word: &str, names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    // The comparison takes time in the product of the lengths, and no slip of the pen is this long.
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return String::new();
    }
    let word = folded(word);
    let size = word.chars().count();
    let allowed = |name: &str| 1 + name.len() / 4;
    names
        .into_iter()
        .filter(|name| name.as_ref().len() <= LONGEST)
        // The distance is at least the difference in length, which is known at once.
        .filter(|name| size.abs_diff(name.as_ref().chars().count()) <= allowed(name.as_ref()))
        .map(|name| (strsim::damerau_levenshtein(&word, &folded(name.as_ref())), name))
        .filter(|(distance, name)| *distance <= allowed(name.as_ref()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| format!("; did you mean \"{}\"?", name.as_ref()))
        .unwrap_or_default()
}

/// What [`did_you_mean`] says, else some of the names that there are.
pub(crate) fn near_or_some(word: &str, there_is: &str, names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 12;
    let near = did_you_mean(word, names);
    if !near.is_empty() || names.is_empty() {
        return near;
    }
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| name.as_ref().escape_debug().to_string()).collect();
    format!("; {there_is} {}{}", shown.join(", "), if names.len() > SHOWN { ", …" } else { "" })
}
