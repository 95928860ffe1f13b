//! What must hold of an actor that was disturbed.

use std::fmt;

use crate::{
    defs::Defs,
    update::Runtime,
    world::{Actor, Shown, World},
};

/// Motion states of a draw and of a sheath.
const DRAWING: u8 = 20;
const SHEATHING: u8 = 21;

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Motion state 20 never ends.
    StuckDrawing,
    /// Motion state 21 never ends.
    StuckSheathing,
    /// The weapon is shown in the hand while `weapon_drawn` is 0, or at the hip while it is set.
    Disagrees,
    /// Something is attached that has no model.
    NoModel,
    /// An attachment of an actor that is gone is still published.
    Stale,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StuckDrawing => "the motion state stays 20: the draw never ends",
            Self::StuckSheathing => "the motion state stays 21: the sheath never ends",
            Self::Disagrees => "what is shown and weapon_drawn do not agree",
            Self::NoModel => "something without a model is attached",
            Self::Stale => "an attachment of a removed actor is still there",
        })
    }
}

/// Whether a draw or a sheath of this actor goes on: its motion state, or its animation.
pub(super) fn is_under_way(world: &World, name: &str) -> bool {
    actor_of(world, name).is_some_and(|actor| {
        matches!(actor.extra_flag, DRAWING | SHEATHING) || matches!(actor.playback.current, 91 | 129)
    })
}

fn actor_of<'w>(world: &'w World, name: &str) -> Option<&'w Actor> {
    world.named(name).and_then(|key| world.get(key))
}

/// A draw or sheath that goes on in this world.
pub(super) fn stuck(world: Option<&World>, name: &str) -> Option<Fault> {
    match actor_of(world?, name)?.extra_flag {
        DRAWING => Some(Fault::StuckDrawing),
        SHEATHING => Some(Fault::StuckSheathing),
        _ => None,
    }
}

/// Looks at every update of a run.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What may never be, not even for one update.
    at_once: Option<Fault>,
    n_quiet: usize,
}

impl Watch {
    /// After an update.
    pub(super) fn look(&mut self, defs: &Defs, runtime: &Runtime, name: &str) {
        let world = runtime.world();
        let attachment = actor_of(world, name).and_then(|actor| actor.attachment);
        if attachment.is_some_and(|attachment| attachment.model(defs).is_none()) {
            self.at_once = Some(Fault::NoModel);
        }
        if runtime.publication().attachments().iter().any(|held| world.get(held.actor).is_none()) {
            self.at_once = Some(Fault::Stale);
        }
        let is_quiet = !is_under_way(world, name) && actor_of(world, name).is_none_or(agrees);
        self.n_quiet = if is_quiet { self.n_quiet + 1 } else { 0 };
    }

    /// How many updates in a row had nothing under way, and nothing wrong.
    pub(super) fn n_quiet(&self) -> usize {
        self.n_quiet
    }

    /// At the end of a run.
    pub(super) fn verdict(self, world: &World, name: &str) -> Option<Fault> {
        self.at_once.or_else(|| {
            let disagrees = || actor_of(world, name).is_some_and(|actor| !agrees(actor)).then_some(Fault::Disagrees);
            stuck(Some(world), name).or_else(disagrees)
        })
    }
}

/// What is shown agrees with `weapon_drawn` (rule W12). Nothing is shown while nothing is attached.
fn agrees(actor: &Actor) -> bool {
    match actor.attachment {
        Some(attachment) => (attachment.shown == Shown::Hand) == (actor.weapon_drawn != 0),
        None => true,
    }
}
