//! The publication: an immutable picture of the world after each update, swapped in whole for readers.

use std::{mem, sync::Arc};

use parking_lot::Mutex;

use crate::{
    defs::{Defs, Pose},
    units::{Matrix, Q8, Vec3},
    world::{Actor, ActorKey, Endpoints, Event, Shown, Transform, World},
};

/// Everything a renderer or a log needs of one update.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Publication {
    tick: Option<u64>,
    attachments: Vec<PublishedAttachment>,
    poses: Vec<PublishedPose>,
    events: Vec<Event>,
}

/// A held or stowed item. Position and ends are in map units, world space, Y down; the matrix is row-major.
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
    pub transform: Transform,
    /// The weapon's ends, for an equipped weapon of an actor that can fight.
    pub endpoints: Option<Endpoints>,
}

/// Where an attachment comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentSource {
    /// The equipped-weapon pass.
    Equipped,
    /// A Display native.
    Display,
}

/// What one actor looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedPose {
    /// Who.
    pub actor: ActorKey,
    /// Model handle and frame; a handle of 0 is no pose.
    pub pose: Pose,
    /// World position.
    pub position: Vec3<Q8>,
    /// Rotation from model to world, row-major.
    pub matrix: Matrix,
    /// Whether it is hidden.
    pub hidden: bool,
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

    /// All actors, in update order.
    #[must_use]
    pub fn poses(&self) -> &[PublishedPose] {
        &self.poses
    }

    /// What happened in the update, in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn fill(&mut self, defs: &Defs, world: &World) {
        self.tick = Some(world.clock.tick);
        self.attachments.clear();
        self.poses.clear();
        for actor in world.actors() {
            self.poses.push(PublishedPose {
                actor: actor.key,
                pose: actor.pose,
                position: actor.pos,
                matrix: actor.matrix,
                hidden: actor.hide != 0,
            });
            self.attachments.extend(equipped(defs, actor));
            self.attachments.extend(actor.displays.iter().map(|display| PublishedAttachment {
                actor: actor.key,
                source: AttachmentSource::Display,
                kind: display.kind,
                model: Arc::clone(&display.model),
                transform: display.transform,
                endpoints: None,
            }));
        }
        self.events.clone_from(&world.events);
    }
}

fn equipped(defs: &Defs, actor: &Actor) -> Option<PublishedAttachment> {
    let attachment = actor.attachment?;
    Some(PublishedAttachment {
        actor: actor.key,
        source: AttachmentSource::Equipped,
        kind: attachment.shown,
        model: Arc::clone(attachment.model(defs)?),
        transform: attachment.transform,
        endpoints: actor.endpoints,
    })
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
