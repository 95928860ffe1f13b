//! What runs reached: natives, gates, animation commands, and the ways of the weapon.

use std::collections::BTreeSet;

use crate::{
    defs::{NativeId, Opcode},
    expect::Reached,
    world::{Actor, ActorKey, Gate, Shown, World},
};

/// Where an actor's weapon is, by the state machine of rules W10 to W14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WeaponState {
    /// No weapon is shown.
    None,
    /// It hangs in the scabbard.
    Stowed,
    /// It is being drawn: motion state 20.
    Drawing,
    /// It is in the hand.
    Drawn,
    /// It is being put away: motion state 21.
    Sheathing,
    /// Its hilt is shown at the grip until the group of the sheath ends.
    HiltGrip,
}

use WeaponState::{Drawing, Drawn, HiltGrip, None as Nowhere, Sheathing, Stowed};

/// The ways that the rules know. Scripts that write properties can make others.
pub const TRANSITIONS: [(WeaponState, WeaponState); 14] = [
    (Nowhere, Stowed),
    (Stowed, Nowhere),
    (Stowed, Drawing),
    (Drawing, Drawn),
    (Drawing, Stowed),
    (Drawing, Nowhere),
    (Drawn, Sheathing),
    (Drawn, Stowed),
    (Drawn, Nowhere),
    (Sheathing, HiltGrip),
    (Sheathing, Stowed),
    (Sheathing, Nowhere),
    (HiltGrip, Stowed),
    (HiltGrip, Nowhere),
];

impl WeaponState {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stowed => "stowed",
            Self::Drawing => "drawing",
            Self::Drawn => "drawn",
            Self::Sheathing => "sheathing",
            Self::HiltGrip => "hilt_grip",
        }
    }

    /// Where an actor's weapon is.
    #[must_use]
    pub fn of(actor: &Actor) -> Self {
        match (actor.extra_flag, actor.weapon_drawn, actor.attachment.map(|held| held.shown)) {
            (20, ..) => Self::Drawing,
            (21, ..) => Self::Sheathing,
            (_, drawn, _) if drawn != 0 => Self::Drawn,
            (_, _, Some(Shown::HiltGrip)) => Self::HiltGrip,
            (_, _, Some(_)) => Self::Stowed,
            (_, _, None) => Self::None,
        }
    }
}

/// What one or more runs reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Natives that ran.
    pub natives: BTreeSet<NativeId>,
    /// Natives with the gates that refused them.
    pub refusals: BTreeSet<(NativeId, &'static str)>,
    /// Animation commands that were interpreted, a bit for each opcode.
    pub commands: u16,
    /// Ways of weapons.
    pub transitions: BTreeSet<(WeaponState, WeaponState)>,
}

impl Coverage {
    /// Adds what another run reached.
    pub fn merge(&mut self, other: &Self) {
        self.natives.extend(&other.natives);
        self.refusals.extend(&other.refusals);
        self.commands |= other.commands;
        self.transitions.extend(&other.transitions);
    }

    /// Whether a command was interpreted.
    #[must_use]
    pub fn has_command(&self, opcode: Opcode) -> bool {
        self.commands & 1 << opcode as u16 != 0
    }

    /// Whether a gate refused any call.
    #[must_use]
    pub fn has_gate(&self, gate: &str) -> bool {
        self.refusals.iter().any(|(_, name)| *name == gate)
    }

    /// All gates, in the order of their declaration.
    #[must_use]
    pub fn gates() -> &'static [&'static str] {
        Gate::NAMES
    }

    pub(super) fn add_reached(&mut self, reached: &Reached) {
        self.natives.extend(&reached.natives);
        self.refusals.extend(&reached.refusals);
    }
}

/// Watches the actors of one run.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) coverage: Coverage,
    states: Vec<(ActorKey, WeaponState)>,
}

impl Watch {
    /// Looks at the world at load, where nothing is shown yet: what is assigned hangs in its scabbard.
    pub(super) fn begin(&mut self, world: &World) {
        let state = |actor: &Actor| if actor.assigned_weapon().is_some() { Stowed } else { Nowhere };
        self.states = world.actors().map(|actor| (actor.key, state(actor))).collect();
    }

    /// Looks at every actor after an update.
    pub(super) fn note(&mut self, world: &World) {
        let mut states = Vec::with_capacity(self.states.len());
        for (place, actor) in world.actors().enumerate() {
            self.coverage.commands |= actor.interpreted.0;
            let state = WeaponState::of(actor);
            // Actors keep their order, so the one before is mostly at the same place.
            let before = match self.states.get(place) {
                Some((key, state)) if *key == actor.key => Some(*state),
                _ => self.states.iter().find(|(key, _)| *key == actor.key).map(|(_, state)| *state),
            };
            if before.is_some_and(|before| before != state) {
                self.coverage.transitions.extend(before.map(|before| (before, state)));
            }
            states.push((actor.key, state));
        }
        self.states = states;
    }
}
