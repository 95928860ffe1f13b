//! The publication: an immutable picture of the world after each update, swapped in whole for readers.

use std::{mem, ops::Range, sync::Arc};

use parking_lot::Mutex;

use crate::{
    attach::{list::points_of, seen},
    defs::{Defs, Pose},
    units::{Matrix, Vec3},
    world::{Actor, ActorKey, Display, Endpoints, Event, Shown, Transform, World},
};

/// Everything a renderer or a log needs of one update.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Publication {
    tick: Option<u64>,
    attachments: Vec<PublishedAttachment>,
    poses: Vec<PublishedPose>,
    points: Vec<PublishedPoint>,
    /// Where the points of each actor that has any are, actors ascending.
    points_of: Vec<(ActorKey, Range<usize>)>,
    events: Vec<Event>,
}

/// A held or stowed item. Position and ends are in map units, world space, Y down.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedAttachment {
    /// Who holds it.
    pub actor: ActorKey,
    /// The equipped weapon, or a model shown by a Display native for this update.
    pub source: AttachmentSource,
    /// In the hand or at the scabbard.
    pub kind: Shown,
    /// The model's name.
    pub model: Arc<str>,
    /// Where it is.
    pub position: [f32; 3],
    /// Rotation from item to world, row-major.
    pub matrix: Matrix,
    /// Where the weapon is held, if the actor can fight (rule E1).
    pub base: Option<Vec3<i32>>,
    /// The weapon's point, likewise.
    pub tip: Option<Vec3<i32>>,
}

/// Where an attachment comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentSource {
    /// The equipped-weapon pass.
    Equipped,
    /// A Display native.
    Display,
}

/// What one presented actor looks like: model, frame, place and attachments belong to one presentation, so a weapon is
/// in the hand of the very frame that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedPose {
    /// Who.
    pub actor: ActorKey,
    /// Model handle and frame; a handle of 0 is no pose.
    pub pose: Pose,
    /// World position in map units, Y down (rule A1).
    pub position: [f32; 3],
    /// Rotation from model to world, row-major.
    pub matrix: Matrix,
}

/// A named point of an actor, in the presentation that the publication shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedPoint {
    /// The attachment's name.
    pub name: Arc<str>,
    /// World position in map units, Y down.
    pub position: [f32; 3],
    /// Rotation from what is put there to world, row-major.
    pub matrix: Matrix,
}

impl Publication {
    /// Index of the update that it shows; none before the first.
    #[must_use]
    pub fn tick(&self) -> Option<u64> {
        self.tick
    }

    /// All items shown, in update order of their actors.
    #[must_use]
    pub fn attachments(&self) -> &[PublishedAttachment] {
        &self.attachments
    }

    /// All actors that were presented, in update order.
    #[must_use]
    pub fn poses(&self) -> &[PublishedPose] {
        &self.poses
    }

    /// The attachments of an actor that have a place on the model shown, in the order of its list (rules L15, L16).
    #[must_use]
    pub fn attachment_points(&self, actor: ActorKey) -> &[PublishedPoint] {
        let found = self.points_of.binary_search_by_key(&actor, |(actor, _)| *actor);
        found.ok().and_then(|at| self.points.get(self.points_of[at].1.clone())).unwrap_or_default()
    }

    /// What happened in the update, in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn fill(&mut self, defs: &Defs, world: &World) {
        self.tick = Some(world.clock.tick);
        self.poses.clear();
        let mut n_attachments = 0;
        for actor in world.actors() {
            let Actor { key, floating, matrix, .. } = *actor;
            let Some(pose) = actor.presented else { continue };
            self.poses.push(PublishedPose { actor: key, pose, position: floating, matrix });
            if let Some(held) = equipped(defs, actor) {
                self.put(n_attachments, held);
                n_attachments += 1;
            }
            for display in &actor.displays {
                self.put(n_attachments, displayed(key, display));
                n_attachments += 1;
            }
        }
        self.attachments.truncate(n_attachments);
        self.fill_points(defs, world);
        self.events.clone_from(&world.events);
    }

    fn fill_points(&mut self, defs: &Defs, world: &World) {
        self.points.clear();
        self.points_of.clear();
        if !defs.has_points() {
            return;
        }
        for actor in world.actors().filter(|actor| actor.presented.is_some()) {
            let start = self.points.len();
            let points = points_of(defs, actor, &seen(world, actor));
            self.points.extend(points.map(|(name, Transform { position, matrix })| PublishedPoint {
                name: Arc::clone(name),
                position,
                matrix,
            }));
            if self.points.len() > start {
                self.points_of.push((actor.key, start..self.points.len()));
            }
        }
        self.points_of.sort_unstable_by_key(|(actor, _)| *actor);
    }

    /// Writes an attachment over what an earlier update left at its place. Names are counted references: one that is
    /// there already is kept, which costs nothing.
    fn put(&mut self, place: usize, held: Held<'_>) {
        let Held { actor, source, kind, model, transform: Transform { position, matrix }, ends } = held;
        let (base, tip) = (ends.map(|ends| ends.base), ends.map(|ends| ends.tip));
        match self.attachments.get_mut(place) {
            Some(old) => {
                if !Arc::ptr_eq(&old.model, model) {
                    old.model = Arc::clone(model);
                }
                (old.actor, old.source, old.kind) = (actor, source, kind);
                (old.position, old.matrix, old.base, old.tip) = (position, matrix, base, tip);
            }
            None => {
                let model = Arc::clone(model);
                self.attachments.push(PublishedAttachment { actor, source, kind, model, position, matrix, base, tip });
            }
        }
    }
}

/// An attachment whose name is still the definition's.
struct Held<'a> {
    actor: ActorKey,
    source: AttachmentSource,
    kind: Shown,
    model: &'a Arc<str>,
    transform: Transform,
    ends: Option<Endpoints>,
}

fn equipped<'a>(defs: &'a Defs, actor: &Actor) -> Option<Held<'a>> {
    let attachment = actor.attachment?;
    Some(Held {
        actor: actor.key,
        source: AttachmentSource::Equipped,
        kind: attachment.shown,
        model: attachment.model(defs)?,
        transform: attachment.transform,
        ends: actor.endpoints,
    })
}

fn displayed(actor: ActorKey, display: &Display) -> Held<'_> {
    let Display { kind, ref model, transform } = *display;
    Held { actor, source: AttachmentSource::Display, kind, model, transform, ends: None }
}

/// The last publication, for any thread. Reading copies a pointer; neither side waits for the other's work.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    latest: Arc<Mutex<Arc<Publication>>>,
}

impl Reader {
    /// The publication of the last whole update.
    #[must_use]
    pub fn latest(&self) -> Arc<Publication> {
        Arc::clone(&self.latest.lock())
    }
}

/// The writing end.
#[derive(Debug, Default)]
pub struct Publisher {
    reader: Reader,
    current: Arc<Publication>,
    /// The publication before the current one; its buffers serve again once no reader holds it.
    spare: Arc<Publication>,
}

impl Publisher {
    /// A handle for readers.
    #[must_use]
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// The publication of the last whole update.
    #[must_use]
    pub fn current(&self) -> &Publication {
        &self.current
    }

    /// Publishes the world as it is.
    pub fn publish(&mut self, defs: &Defs, world: &World) {
        if Arc::get_mut(&mut self.spare).is_none() {
            self.spare = Arc::default();
        }
        if let Some(next) = Arc::get_mut(&mut self.spare) {
            next.fill(defs, world);
        }
        mem::swap(&mut self.current, &mut self.spare);
        *self.reader.latest.lock() = Arc::clone(&self.current);
    }
}
