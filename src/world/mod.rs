//! Live state: a slotmap of actors in update order, item counts, flags, random state, clock.
//!
//! A [`World`] is data: it can be cloned, compared and serialised, and knows nothing of scripts.

mod actor;
mod attributes;
mod channel;
mod event;
mod globals;
mod program;
mod property;
mod task;

pub use actor::{
    Actor, Attachment, COMBAT_ARMED, Cold, CombatRecord, Endpoints, Interpreted, Placed, PlacementCache,
    PlacementInputs, Playback, Shown, Transform,
};
pub use attributes::Attributes;
pub use channel::{ChannelKind, Channels, Membership};
pub use event::{Event, EventKind, Gate, Refusal};
pub use globals::{ClockState, Flag, Items, Random};
pub use program::{Fault, OperandSource, ProgramMark, ScriptState};
pub use task::{Args, CallSite, MAX_ARGS, N_SLOTS, NewTask, Scratch, Task, Tasks};

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use slotmap::{Key, KeyData, SlotMap};

use crate::{
    defs::{ActorDef, ActorDefIdx, Defs, Scene, attr, folded},
    units::{Angle, Matrix, Vec3},
};

slotmap::new_key_type! {
    /// Names an actor for as long as it lives; a key of a removed actor names nothing.
    pub struct ActorKey;
}

impl ActorKey {
    /// Index bits of [`Self::to_number`]: a world holds at most this many actors.
    const INDEX_BITS: u32 = 22;

    /// The key as a number below 2^53, so that languages whose numbers are `f64` can hold it.
    #[must_use]
    pub fn to_number(self) -> u64 {
        // A live slot's version is odd, so its lowest bit carries nothing.
        let data = self.data().as_ffi();
        let (version, index) = (data >> 32, data & 0xffff_ffff);
        (version >> 1) << Self::INDEX_BITS | index
    }

    /// The key of [`Self::to_number`]. Any number is safe: one that was never made names no actor.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        let index = number & ((1 << Self::INDEX_BITS) - 1);
        let version = ((number >> Self::INDEX_BITS) << 1 | 1) & 0xffff_ffff;
        KeyData::from_ffi(version << 32 | index).into()
    }
}

/// `ai_type` of the dead.
pub const DEAD: u8 = 8;
/// `ai_type` in combat.
pub const IN_COMBAT: u8 = 6;

/// The most actors a world holds at once.
pub const MAX_ACTORS: usize = (1 << ActorKey::INDEX_BITS) - 2;
/// Removed actors that are remembered by name, for the error of a stale handle.
const REMEMBERED: usize = 4096;
/// Runtime identifiers (rule X16).
const PLAYER_ID: u16 = 1;
const FIRST_ID: u16 = 36;

/// Something that a Display native showed in this update (rule W19).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Display {
    /// `hand` or `hilt`.
    pub kind: Shown,
    /// The model's name.
    pub model: Arc<str>,
    /// Where.
    pub transform: Transform,
}

/// An actor that is gone: what a stale handle can still say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// Its key.
    pub key: ActorKey,
    /// Its name.
    pub name: Arc<str>,
    /// Index of the update in which it was removed.
    pub tick: u64,
}

/// Why an actor could not be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The name is taken.
    #[error("an actor is already named \"{name}\"")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The name is empty.
    #[error("an actor needs a name")]
    NoName,
    /// The world is full.
    #[error("the world already holds {MAX_ACTORS} actors")]
    Full,
}

/// Why a world that was restored cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The look-ups do not match the actors.
    #[error("the world is damaged: {what}")]
    Damaged {
        /// What does not fit.
        what: &'static str,
    },
    /// An actor was made from a record that the scene does not have.
    #[error("the actor {actor} was made from record {record}, but the scene has {known} records")]
    UnknownRecord {
        /// Its name.
        actor: String,
        /// The record.
        record: u32,
        /// How many there are.
        known: usize,
    },
    /// It ran other programs.
    #[error("the program of {actor} is not the one that the world was saved with")]
    Program {
        /// The record's name.
        actor: String,
    },
    /// Another number of flags.
    #[error("the world has {found} flags, the scene {expected}")]
    Flags {
        /// In the world.
        found: usize,
        /// In the scene.
        expected: usize,
    },
}

/// All live state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    places: SlotMap<ActorKey, u32>,
    actors: Vec<Actor>,
    n_holes: usize,
    /// Whether any actor has displays.
    displaying: bool,
    by_name: BTreeMap<String, ActorKey>,
    /// Actors by folded namespace, in scene order (rule Y58).
    by_namespace: BTreeMap<String, Vec<ActorKey>>,
    /// One mark for each record with a program.
    programs: Vec<Option<ProgramMark>>,
    /// The record whose strings text parameters mean (rule Y57).
    pub string_source: Option<ActorDefIdx>,
    removals: VecDeque<Removal>,
    n_removed: u64,
    player: Option<ActorKey>,
    next_id: u16,
    next_message_group: u8,
    next_combat_index: u32,
    /// Tick inputs and time.
    pub clock: ClockState,
    /// Random state.
    pub random: Random,
    /// Item counts and selection.
    pub items: Items,
    /// Global flags, in id order.
    pub flags: Vec<Flag>,
    /// Synchronisation channels.
    pub channels: Channels,
    /// Burning time of a torch, in ticks (rule X22).
    pub torch_time: i32,
    /// Whether vertex queries are switched off (rule V6).
    pub dummy_manager: bool,
    /// What happened in this update.
    pub events: Vec<Event>,
    /// Whether an update is under way whose presentation is still to come.
    #[serde(skip)]
    pub before_presentation: bool,
    /// How often scripts emitted in this update.
    #[serde(skip)]
    pub n_emitted: usize,
}

/// `places` follows from the actors, which carry their keys, so it is not compared.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        let state = |world: &Self| {
            (
                world.player,
                world.next_id,
                world.next_message_group,
                world.next_combat_index,
                world.random,
                world.dummy_manager,
                world.torch_time,
            )
        };
        state(self) == state(other)
            && self.actors().eq(other.actors())
            && self.removals == other.removals
            && self.clock == other.clock
            && self.items == other.items
            && self.flags == other.flags
            && self.channels == other.channels
            && self.programs == other.programs
            && self.string_source == other.string_source
            && self.events == other.events
    }
}

impl World {
    /// An empty world with a scene's clock, seed, flags and items, but without its actors.
    ///
    /// `Engine::new` makes the whole one.
    #[must_use]
    pub fn empty(scene: &Scene) -> Self {
        let defs = &scene.defs;
        Self {
            places: SlotMap::with_key(),
            actors: Vec::new(),
            n_holes: 0,
            displaying: false,
            by_name: BTreeMap::new(),
            by_namespace: BTreeMap::new(),
            programs: ProgramMark::of_all(defs),
            string_source: None,
            removals: VecDeque::new(),
            n_removed: 0,
            player: None,
            next_id: FIRST_ID,
            next_message_group: 0,
            next_combat_index: 0,
            clock: ClockState { clock: scene.clock.clone(), tick: 0, updates: 0, ticks: 0 },
            random: Random(scene.seed),
            items: Items {
                open: scene.item_system,
                owned: defs.items().map(|item| (item.id, item.player_total)).collect(),
                selected: defs.first_item(),
                ..Items::default()
            },
            flags: defs.flags().iter().map(|flag| Flag { value: flag.value, latch: false }).collect(),
            channels: Channels::default(),
            torch_time: scene.torch_time,
            dummy_manager: scene.dummy_manager,
            events: Vec::new(),
            before_presentation: false,
            n_emitted: 0,
        }
    }

    /// Checks a world that came from outside against the definitions it is to run with.
    ///
    /// # Errors
    /// [`WorldError`] when look-ups and actors do not match, or it belongs to another scene.
    pub fn check(&self, defs: &Defs) -> Result<(), WorldError> {
        let damaged = |what| Err(WorldError::Damaged { what });
        if self.places.len() + self.n_holes != self.actors.len() || self.by_name.len() != self.places.len() {
            return damaged("the numbers of actors, places and names differ");
        }
        if self.flags.len() != defs.flags().len() {
            return Err(WorldError::Flags { found: self.flags.len(), expected: defs.flags().len() });
        }
        if self.player.is_some_and(|player| !self.places.contains_key(player)) {
            return damaged("the player is no live actor");
        }
        for (key, &place) in &self.places {
            let Some(actor) = self.actors.get(place as usize).filter(|actor| actor.key == key) else {
                return damaged("a key leads to another actor");
            };
            if self.named(&actor.cold.name) != Some(key) {
                return damaged("a name leads to another actor");
            }
            let Some(record) = defs.actors().get(actor.def.0 as usize) else {
                let (actor, record) = (actor.cold.name.to_string(), actor.def.0);
                return Err(WorldError::UnknownRecord { actor, record, known: defs.actors().len() });
            };
            if actor.animated != record.is_animated() {
                return damaged("an actor's animation state does not fit its record");
            }
        }
        self.check_programs(defs)
    }

    /// Number of live actors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no actors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The actor of a key, while it lives.
    #[must_use]
    pub fn get(&self, key: ActorKey) -> Option<&Actor> {
        self.places.get(key).map(|&place| &self.actors[place as usize])
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, key: ActorKey) -> Option<&mut Actor> {
        self.places.get(key).map(|&place| &mut self.actors[place as usize])
    }

    /// An actor together with the event list, for steps that change one and append to the other.
    pub fn actor_and_events(&mut self, key: ActorKey) -> Option<(&mut Actor, &mut Vec<Event>)> {
        let place = *self.places.get(key)? as usize;
        Some((&mut self.actors[place], &mut self.events))
    }

    /// An actor together with the item counts and the event list.
    pub fn actor_items_and_events(&mut self, key: ActorKey) -> Option<(&mut Actor, &Items, &mut Vec<Event>)> {
        let place = *self.places.get(key)? as usize;
        Some((&mut self.actors[place], &self.items, &mut self.events))
    }

    /// The live actor of this name, without case.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<ActorKey> {
        self.by_name.get(&folded(name)).copied()
    }

    /// The selected player actor.
    #[must_use]
    pub fn player(&self) -> Option<ActorKey> {
        self.player
    }

    /// Live actors in update order (rule U10).
    pub fn actors(&self) -> impl Iterator<Item = &Actor> {
        self.actors.iter().filter(|actor| self.n_holes == 0 || self.places.contains_key(actor.key))
    }

    /// Number of places in update order, holes included: bounds for [`Self::key_at`].
    #[must_use]
    pub fn n_places(&self) -> usize {
        self.actors.len()
    }

    /// The live actor at a place of the update order.
    #[must_use]
    pub fn key_at(&self, place: usize) -> Option<ActorKey> {
        let key = self.actors.get(place)?.key;
        self.places.contains_key(key).then_some(key)
    }

    /// The live actor at a place of the update order, with the event list.
    pub fn at_place(&mut self, place: usize) -> Option<(&mut Actor, &mut Vec<Event>)> {
        let actor = self.actors.get_mut(place)?;
        let lives = self.n_holes == 0 || self.places.contains_key(actor.key);
        lives.then_some((actor, &mut self.events))
    }

    /// Appends to what an actor's Display natives showed in this update. False when the key names nothing.
    pub fn display(&mut self, key: ActorKey, display: Display) -> bool {
        let Some(&place) = self.places.get(key) else { return false };
        self.actors[place as usize].displays.push(display);
        self.displaying = true;
        true
    }

    /// Makes every placement be computed anew, as if its inputs had changed. The results are the same.
    pub fn forget_placements(&mut self) {
        self.actors.iter_mut().for_each(|actor| actor.placement.placed = None);
    }

    /// Forgets what was displayed: it lasts for one update (rule W19).
    pub fn clear_displays(&mut self) {
        if std::mem::take(&mut self.displaying) {
            self.actors.iter_mut().for_each(|actor| actor.displays.clear());
        }
    }

    /// All places with the event list, for passes over every actor. No place is a hole right after [`Self::sweep`].
    pub fn actors_and_events(&mut self) -> (&mut [Actor], &mut Vec<Event>) {
        (&mut self.actors, &mut self.events)
    }

    /// Adds an actor at the end of the update order, with the load adjustments of rules F6, F7 and M3, but without
    /// its first animation requests.
    ///
    /// # Errors
    /// [`SpawnError`] when the name is empty or taken, or the world is full.
    pub fn insert(&mut self, defs: &Defs, def: ActorDefIdx, name: &str) -> Result<ActorKey, SpawnError> {
        if name.is_empty() {
            return Err(SpawnError::NoName);
        }
        if self.by_name.contains_key(&folded(name)) {
            return Err(SpawnError::NameTaken { name: name.to_owned() });
        }
        if self.actors.len() >= MAX_ACTORS {
            return Err(SpawnError::Full);
        }
        let record = defs.actor(def);
        // A second actor made from the player's record is not the player.
        let player = record.player && self.player.is_none();
        let key = self.places.insert(self.actors.len() as u32);
        let id = if player { PLAYER_ID } else { self.take_id() };
        let attributes = self.load_attributes(defs, record);
        let has_combat = attributes[attr::COMBAT] != 0 && record.is_animated();
        let combat = has_combat.then(|| CombatRecord::new(self.take_combat_index()));
        self.actors.push(new_actor(key, def, record, name, player, Loaded { id, attributes, combat }));
        self.by_name.insert(folded(name), key);
        if let Some(actor) = self.actors.last() {
            self.channels.join(&actor.cold);
            self.by_namespace.entry(folded(&actor.cold.namespace)).or_default().push(key);
        }
        if player {
            self.player = Some(key);
        }
        self.events.push(Event { actor: key, kind: EventKind::Spawned });
        Ok(key)
    }

    fn take_id(&mut self) -> u16 {
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        id
    }

    fn take_combat_index(&mut self) -> u32 {
        let index = self.next_combat_index;
        self.next_combat_index = index.wrapping_add(1);
        index
    }

    /// Copies and adjusts the attributes (rule F6).
    fn load_attributes(&mut self, defs: &Defs, record: &ActorDef) -> Attributes {
        let mut attributes = Attributes::new(record.attributes.clone());
        let [jump_time, jump_height] = defs.jump();
        if attributes[attr::JUMP_TIME] as i8 <= 0 {
            attributes[attr::JUMP_TIME] = jump_time;
        }
        for (index, default) in [(attr::JUMP_HEIGHT, jump_height), (attr::DRAW_FRAME, 2), (attr::SHEATH_FRAME, 10)] {
            if attributes[index] == 0 {
                attributes[index] = default;
            }
        }
        attributes[attr::RESERVED_WEIGHT] = attributes[attr::WEIGHT];
        attributes[attr::RESERVED_COLLIDE] = attributes[attr::COLLIDE];
        if record.is_animated() {
            attributes[attr::MESS_GROUP] = self.next_message_group;
            self.next_message_group = self.next_message_group.wrapping_add(1);
        }
        attributes
    }

    /// Takes an actor out of the world at once: its key names nothing, its name is free. Its place in the update order
    /// closes at the next [`Self::sweep`]. False when the key named nothing.
    pub fn remove(&mut self, key: ActorKey) -> bool {
        let Some(place) = self.places.remove(key) else { return false };
        self.n_holes += 1;
        self.n_removed += 1;
        let name = self.actors[place as usize].cold.name.clone();
        self.by_name.remove(&folded(&name));
        if let Some(keys) = self.by_namespace.get_mut(&folded(&self.actors[place as usize].cold.namespace)) {
            keys.retain(|&other| other != key);
        }
        if self.player == Some(key) {
            self.player = None;
        }
        if self.removals.len() == REMEMBERED {
            self.removals.pop_front();
        }
        self.removals.push_back(Removal { key, name: name.clone(), tick: self.clock.tick });
        self.events.push(Event { actor: key, kind: EventKind::Removed { name } });
        true
    }

    /// How many actors were ever removed: tells whether any was since one looked last.
    #[must_use]
    pub fn n_removed(&self) -> u64 {
        self.n_removed
    }

    /// What is remembered of a removed actor; the oldest of 4096 removals are forgotten.
    #[must_use]
    pub fn removal(&self, key: ActorKey) -> Option<&Removal> {
        self.removals.iter().rev().find(|removal| removal.key == key)
    }

    /// The name of an actor that lives or was removed lately.
    #[must_use]
    pub fn name_of(&self, key: ActorKey) -> Option<&str> {
        let live = self.get(key).map(|actor| &*actor.cold.name);
        live.or_else(|| self.removal(key).map(|removal| &*removal.name))
    }

    /// Closes the places of removed actors. Called between stages, so that no pass over the order is disturbed.
    pub fn sweep(&mut self) {
        if self.n_holes == 0 {
            return;
        }
        let Self { places, actors, .. } = self;
        actors.retain(|actor| places.contains_key(actor.key));
        for (place, actor) in actors.iter().enumerate() {
            places[actor.key] = place as u32;
        }
        self.n_holes = 0;
    }
}

/// What the world adds to an actor record when an actor is made.
struct Loaded {
    id: u16,
    attributes: Attributes,
    combat: Option<CombatRecord>,
}

fn new_actor(key: ActorKey, def: ActorDefIdx, record: &ActorDef, name: &str, player: bool, loaded: Loaded) -> Actor {
    let name: Arc<str> = name.into();
    let angle: Vec3<Angle> = record.angles.map(Angle::masked);
    let joined = |kind: ChannelKind| Membership { joined: loaded.attributes[kind.attribute()], posted: 0 };
    let (group_channel, user_channel) = (joined(ChannelKind::Group), joined(ChannelKind::User));
    Actor {
        key,
        def,
        animated: record.is_animated(),
        player,
        object_excluded: false,
        animation_excluded: false,
        pose: Default::default(),
        presented: None,
        playback: Playback::default(),
        pos: record.position,
        last_pos: record.position,
        angle,
        last_angle: angle,
        matrix: Matrix::of_orientation(angle),
        floating: [0.0; 3],
        extra_flag: 0,
        extra_time: 0,
        slide_flag: 0,
        fall_flag: 0,
        jump_flag: 0,
        under_surface: 0,
        torch_timer: 0,
        weapon_drawn: 0,
        hand_item: 0,
        ai_type: 0,
        hide: 0,
        dead: 0,
        disable_script: 0,
        rope: 0,
        hand_pos: Vec3::default(),
        hand_angle: Vec3::default(),
        grip: record.grip,
        scabbard: record.scabbard,
        attributes: loaded.attributes,
        combat: loaded.combat,
        attachment: None,
        shown_item: None,
        endpoints: None,
        placement: PlacementCache::default(),
        interpreted: Interpreted::default(),
        tasks: Tasks::default(),
        script: ScriptState::of_record(record).map(Box::new),
        displays: Vec::new(),
        cold: Box::new(Cold {
            namespace: record.namespace.as_deref().map_or_else(|| Arc::clone(&name), Arc::from),
            name,
            id: loaded.id,
            start_pos: record.position,
            start_angle: angle,
            action: 0,
            action_flag: 0,
            action_time: 0,
            move_counter: 0,
            ai_mode: 0,
            candle_timer: 0,
            camera_slot: 0,
            saved_torch: 0,
            anchor: 0,
            script_rv: 0,
            script_ret_rv: 0,
            group_channel,
            user_channel,
            refusal: None,
            record: Vec::new(),
        }),
    }
}
