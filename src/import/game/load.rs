//! A map becomes a scene.
//!
//! # Source
//! Rules I10 to I19, I30, I31.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    GameOptions, Warnings,
    files::Files,
    models::{ModelFile, Models},
    names,
    programs::Programs,
    rgm::{Definition, Map, ModelLoad, Placement},
    rob,
};
use crate::{
    defs::{ActorDraft, ItemDef, SceneBuilder, Tables, attr, did_you_mean, near_or_some},
    import::Fault,
    units::{Angle, Q8},
};

/// The player's definition.
const PLAYER: &str = "CYRUS";
/// Definitions that the engine makes actors of by itself, beside the player.
const OWN: [&str; 2] = ["GREMLIN", "CAMERA"];

/// So many missing models are compared with all names.
const HINTS: u32 = 20;

/// A map as the draft of a scene.
#[derive(Debug)]
pub struct Loaded {
    /// The map's name without extension.
    pub map_name: String,
    /// The scene.
    pub builder: SceneBuilder,
    /// The bytes of SOUP386.DEF, if the game has one.
    pub definitions: Option<Vec<u8>>,
    /// The models' files in the order of their handles, if they were wanted.
    pub model_files: Vec<ModelFile>,
}

/// Reads a map and all that belongs to it. `keep` has the bytes of models kept.
pub(super) fn load(options: &GameOptions, keep: bool, warnings: &mut Warnings) -> Result<Loaded, Fault> {
    let mut files = Files::open(options, warnings)?;
    let map = Map::read(&files.map.name, &files.map.bytes, warnings)?;
    let mut models = Models::new(files.art.take(), files.archive.as_ref().map_or("", |archive| &archive.name), keep);
    if let Some(archive) = &files.archive {
        let segments = rob::read(&archive.name, &archive.bytes, warnings)?;
        models.load_archive(&segments, warnings);
    }
    let definitions = files.definitions.take();
    let tables = definitions.as_ref().map_or_else(|| Tables::built_in(&[]), |file| names::tables(&file.definitions));
    let mut mapping = Mapping {
        file: &files.map.name,
        map: &map,
        models: &mut models,
        programs: Programs::new(&files.map.name, Arc::clone(&tables)),
        warnings,
        checked: BTreeMap::new(),
        n_hints: HINTS,
        disable_family: files.system.disable_family,
    };
    let actors = mapping.actors(options, files.start_marker)?;
    let mut builder = SceneBuilder {
        actors,
        jump: [files.system.jump_time, files.system.jump_height],
        dummy_manager: files.system.dummy_manager,
        item_system: Some(files.items.is_some()),
        flags: tables.flags().to_vec(),
        tables: Some(tables),
        ..SceneBuilder::default()
    };
    if let Some(items) = files.items.take() {
        builder.items = items.items;
        builder.torch_time = items.torch_time;
        for item in &mut builder.items {
            item_models(item, &mut models, warnings)?;
        }
        // The scene selects its first item at load (rule X6).
        if let Some(place) = builder.items.iter().position(|item| Some(item.id) == items.selected) {
            builder.items[..=place].rotate_right(1);
        }
    }
    let (drafts, model_files) = models.finish(warnings);
    builder.models = drafts;
    let definitions = definitions.map(|file| file.bytes);
    Ok(Loaded { map_name: files.map_name, builder, definitions, model_files })
}

/// Sees to an item's models; its length is the height of the hand model's segment. A model that is not there is none.
fn item_models(item: &mut ItemDef, models: &mut Models<'_>, warnings: &mut Warnings) -> Result<(), Fault> {
    item.length = item.hand_model.as_ref().map_or(0, |name| models.height(name));
    for slot in [&mut item.hand_model, &mut item.hilt_model] {
        let Some(name) = slot else { continue };
        if !models.want(name, warnings)? {
            let reason =
                format!("item {} ({}): there is no model {}", item.id.0, item.name.escape_debug(), name.escape_debug());
            warnings.add(Fault::of_file("ITEM.INI", reason));
            *slot = None;
        }
    }
    Ok(())
}

/// Models and how many frames of each.
type Frames = Arc<[(String, u32)]>;

/// Where an actor comes in the update order (rule I17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Map cell by row and column, then later records first.
    Cell {
        row: u16,
        column: u16,
        from_last: usize,
    },
    Player,
    /// Later records first.
    Persistent {
        from_last: usize,
    },
    Template {
        index: usize,
    },
}

struct Mapping<'m, 'a, 'f> {
    file: &'m str,
    map: &'m Map<'a>,
    models: &'m mut Models<'f>,
    programs: Programs<'m>,
    warnings: &'m mut Warnings,
    /// Frame lists by address, with the place of the first model that is not there.
    checked: BTreeMap<*const (String, u32), Option<usize>>,
    /// Missing models for which a close name may still be looked for, among all names.
    n_hints: u32,
    disable_family: bool,
}

/// A placement that becomes an actor.
struct Actor<'m, 'a> {
    definition: &'m Definition<'a>,
    placement: Option<&'m Placement>,
    name: String,
    order: Order,
    /// Which set of local variables is its own, from 0.
    instance: usize,
}

impl<'m, 'a> Mapping<'m, 'a, '_> {
    fn actors(&mut self, options: &GameOptions, start_marker: u32) -> Result<Vec<ActorDraft>, Fault> {
        let mut actors = self.placed();
        actors.extend(self.named(PLAYER).map(|definition| self.single(definition, Order::Player)));
        let placed: Vec<_> = actors.iter().map(|actor| actor.definition.index).collect();
        let is_placed: std::collections::BTreeSet<_> = placed.into_iter().collect();
        let templates = self.first_definitions().filter(|definition| !is_placed.contains(&definition.index));
        let single =
            |definition: &'m Definition<'a>| self.single(definition, Order::Template { index: definition.index });
        actors.extend(templates.map(single));
        actors.sort_by_key(|actor| actor.order);
        if !options.actors.is_empty() {
            actors = self.chosen(actors, &options.actors)?;
        }
        actors.iter().map(|actor| self.draft(actor, start_marker)).collect()
    }

    fn single(&self, definition: &'m Definition<'a>, order: Order) -> Actor<'m, 'a> {
        Actor { definition, placement: None, name: definition.name.clone(), order, instance: 0 }
    }

    fn named(&self, name: &str) -> Option<&'m Definition<'a>> {
        self.map.definition(name)
    }

    /// Definitions with a name, of equal names the first.
    fn first_definitions(&self) -> impl Iterator<Item = &'m Definition<'a>> {
        let mut names = std::collections::BTreeSet::new();
        self.map
            .definitions
            .iter()
            .filter(move |definition| !definition.name.is_empty() && names.insert(definition.name.to_ascii_lowercase()))
    }

    /// The placements that are actors (rules I10, I14 to I16).
    fn placed(&mut self) -> Vec<Actor<'m, 'a>> {
        let definitions: BTreeMap<_, _> =
            self.first_definitions().map(|definition| (definition.name.to_ascii_lowercase(), definition)).collect();
        let mut n_actors: BTreeMap<usize, usize> = BTreeMap::new();
        let mut n_instances: BTreeMap<usize, usize> = BTreeMap::new();
        let mut actors: Vec<Actor<'m, 'a>> = Vec::new();
        let n_placements = self.map.placements.len();
        for (index, placement) in self.map.placements.iter().enumerate() {
            let is_actor = !matches!(placement.object_type, 2 | 6);
            let Some(&definition) = definitions.get(&placement.script.to_ascii_lowercase()) else {
                if is_actor {
                    self.odd(index, placement, "has no definition: it is left out");
                }
                continue;
            };
            // Every record that binds a script takes its set of local variables, actor or not.
            let instance = n_instances.entry(definition.index).or_default();
            let this_instance = std::mem::replace(instance, *instance + 1);
            if !is_actor {
                continue;
            }
            if [PLAYER, OWN[0], OWN[1]].iter().any(|own| own.eq_ignore_ascii_case(&definition.name)) {
                self.odd(index, placement, "is made by the engine itself: the placement is left out");
                continue;
            }
            if placement.object_type != 1 {
                self.odd(index, placement, &format!("has the object type {}", placement.object_type));
            }
            let n = n_actors.entry(definition.index).or_default();
            *n += 1;
            let mut name = if *n == 1 { definition.name.clone() } else { format!("{}#{n}", definition.name) };
            // Another definition may be called like that.
            while *n > 1 && definitions.contains_key(&name.to_ascii_lowercase()) {
                name.push('#');
            }
            let order = order(placement, n_placements - index);
            actors.push(Actor { definition, placement: Some(placement), name, order, instance: this_instance });
        }
        actors
    }

    fn odd(&mut self, index: usize, placement: &Placement, what: &str) {
        let reason = format!("placement {index} ({}) {what}", placement.script.escape_debug());
        self.warnings.add(Fault::at_offset(self.file, "MPOB", placement.offset, reason));
    }

    /// The actors of which the caller named the definition or themselves.
    fn chosen(&self, actors: Vec<Actor<'m, 'a>>, names: &[String]) -> Result<Vec<Actor<'m, 'a>>, Fault> {
        let is_named = |actor: &Actor<'_, '_>, name: &String| {
            name.eq_ignore_ascii_case(&actor.name) || name.eq_ignore_ascii_case(&actor.definition.name)
        };
        for name in names {
            if !actors.iter().any(|actor| is_named(actor, name)) {
                let names: Vec<_> = actors.iter().map(|actor| &actor.name).collect();
                let hint = near_or_some(name, "there are", &names);
                return Err(Fault::of_file(self.file, format!("no actor is named {}{hint}", name.escape_debug())));
            }
        }
        Ok(actors.into_iter().filter(|actor| names.iter().any(|name| is_named(actor, name))).collect())
    }

    fn draft(&mut self, actor: &Actor<'m, 'a>, start_marker: u32) -> Result<ActorDraft, Fault> {
        let definition = actor.definition;
        let mut draft = ActorDraft::new(actor.name.clone());
        draft.player = actor.order == Order::Player;
        draft.template = matches!(actor.order, Order::Template { .. });
        draft.grip = definition.grip;
        draft.scabbard = definition.scabbard;
        draft.attributes.copy_from_slice(definition.attributes);
        if self.disable_family {
            draft.attributes[25] = 0;
            draft.attributes[usize::from(attr::SLAVE)] = 0;
        }
        if let Some(placement) = actor.placement {
            draft.position = map_position(placement.position);
            draft.angles = placement.angles.map(|angle| Angle((angle & 2047) as i32)).into();
        } else if draft.player {
            draft.position = map_position(self.start(start_marker)?);
        }
        let n_frames;
        (draft.frames, n_frames) = self.frames(actor)?;
        if n_frames > 0 {
            match check_references(definition, n_frames) {
                Ok(()) => draft.groups = Arc::clone(&definition.groups.groups),
                // Only what is placed must be in order.
                Err(fault) if draft.template => self.warnings.add(fault),
                Err(fault) => return Err(fault),
            }
        }
        self.programs.give(&mut draft, definition, actor.instance, self.warnings)?;
        Ok(draft)
    }

    fn start(&mut self, index: u32) -> Result<[i32; 3], Fault> {
        let Some(marker) = self.map.marker(index) else {
            let reason = format!("the player starts at marker {index}, but there are {} markers", self.map.n_markers());
            return Err(Fault { path: "MPMK".to_owned(), ..Fault::of_file(self.file, reason) });
        };
        if marker.auxiliary != 1 {
            let reason = format!("the auxiliary byte of the start marker {index} is {}, not 1", marker.auxiliary);
            self.warnings.add(Fault { path: "MPMK".to_owned(), ..Fault::of_file(self.file, reason) });
        }
        Ok(marker.position)
    }

    /// The frame table's models, and how many frames they give (rules I11, I12).
    fn frames(&mut self, actor: &Actor<'m, 'a>) -> Result<(Frames, usize), Fault> {
        let place = || format!("definition {} ({})", actor.definition.index, actor.definition.name.escape_debug());
        let is_template = matches!(actor.order, Order::Template { .. });
        match (&actor.definition.models, actor.placement) {
            (ModelLoad::Table(list), _) => {
                if self.has_models(&list.entries, &place(), is_template)? {
                    Ok((Arc::clone(&list.entries), list.n_frames))
                } else {
                    Ok((Arc::default(), 0))
                }
            }
            (ModelLoad::Static { model }, _) => {
                self.want(model, &place(), is_template)?;
                Ok((Arc::default(), 0))
            }
            (ModelLoad::None, Some(placement)) if placement.object_type == 1 && !placement.model.is_empty() => {
                let place = format!("placement of {}", actor.name.escape_debug());
                self.want(&placement.model, &place, false)?;
                let n_frames = if placement.is_static == 1 { 0 } else { u32::from(placement.is_static) };
                let own = || Arc::new([(placement.model.clone(), n_frames)]);
                Ok((if n_frames == 0 { Arc::default() } else { own() }, n_frames as usize))
            }
            (ModelLoad::None, _) => Ok((Arc::default(), 0)),
        }
    }

    /// Sees to the models of a frame list, which many may share: it is walked once.
    fn has_models(&mut self, list: &Frames, place: &str, is_template: bool) -> Result<bool, Fault> {
        let first_missing = match self.checked.get(&list.as_ptr()) {
            Some(&known) => known,
            None => {
                let is_missing = |(model, _): &(String, u32)| !self.models.want(model, self.warnings).unwrap_or(false);
                let missing = list.iter().position(is_missing);
                self.checked.insert(list.as_ptr(), missing);
                missing
            }
        };
        match first_missing {
            None => Ok(true),
            // A template's models matter only when it is spawned, which needs a scene that has them.
            Some(k) => self.want(&list[k].0, place, is_template),
        }
    }

    /// Sees to a model. Without it a template stays without frames, anything else is a fault.
    fn want(&mut self, model: &str, place: &str, is_template: bool) -> Result<bool, Fault> {
        let fault = match self.models.want(model, self.warnings) {
            Ok(true) => return Ok(true),
            Ok(false) => {
                let hint = match self.n_hints {
                    0 => String::new(),
                    _ => did_you_mean(model, self.models.names()),
                };
                self.n_hints = self.n_hints.saturating_sub(1);
                let reason =
                    format!("there is no model {}: neither in the archive nor as a file{hint}", model.escape_debug());
                Fault { path: place.to_owned(), ..Fault::of_file(self.file, reason) }
            }
            Err(fault) => Fault { reason: format!("{} ({place} needs it)", fault.reason), ..fault },
        };
        if !is_template {
            return Err(fault);
        }
        self.warnings.add(fault);
        Ok(false)
    }
}

/// Every ShowFrame must be inside the frame table (rules I13, F2).
fn check_references(definition: &Definition<'_>, n_frames: usize) -> Result<(), Fault> {
    match &definition.groups.greatest {
        Some((reference, fault)) if *reference as usize >= n_frames => {
            let place = format!("definition {} ({})", definition.index, definition.name.escape_debug());
            let reason = format!("{} is outside the frame table of {n_frames} frames", fault.reason);
            Err(Fault { reason, ..fault.clone() }.within(&place))
        }
        _ => Ok(()),
    }
}

fn order(placement: &Placement, from_last: usize) -> Order {
    if placement.activation != 0 {
        return Order::Persistent { from_last };
    }
    let cell = |coordinate: i32| (coordinate as u32 & 0xFFFF) as u16 >> 9;
    Order::Cell { row: cell(placement.position[2]), column: cell(placement.position[0]), from_last }
}

/// Map coordinates in the world's unit.
fn map_position(position: [i32; 3]) -> crate::units::Vec3<Q8> {
    position.map(|coordinate| Q8(coordinate.wrapping_mul(256))).into()
}
