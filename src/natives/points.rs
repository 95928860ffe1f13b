//! Named points for scripts and hosts: where they are, and what comes out of them.

use std::sync::Arc;

use super::{CallError, Engine};
use crate::{
    attach::{
        self,
        list::{PointError, point_named, point_names},
    },
    world::{ActorKey, Event, EventKind, Transform},
};

/// So often scripts may emit in one update.
const MAX_EMISSIONS: usize = 4096;

impl Engine {
    /// Where a named point of an actor is in this update: position in map units, rotation from point to world. A name
    /// that is no attachment is looked up among the joints.
    ///
    /// Before the presentation of an update it is where the presentation would show it of the actor as it is.
    ///
    /// # Errors
    /// [`CallError::Point`], and as [`Self::live`].
    ///
    /// # Source
    /// Rules L10, L12, L15, L16.
    pub fn attachment(&self, key: ActorKey, name: &str) -> Result<Transform, CallError> {
        let actor = self.live(key)?;
        Ok(point_named(&self.defs, actor, &attach::seen(&self.world, actor), name)?)
    }

    /// The names of an actor's attachments, in the order of its list.
    ///
    /// # Errors
    /// As [`Self::live`].
    pub fn attachments(&self, key: ActorKey) -> Result<Vec<&str>, CallError> {
        Ok(point_names(&self.defs, self.live(key)?).collect())
    }

    /// Raises an event of something that comes out of a named point, with the point's place in this update. Before the
    /// presentation the place is left open until then.
    ///
    /// # Errors
    /// [`CallError::TooManyEmissions`], and as [`Self::attachment`].
    ///
    /// # Source
    /// Rule L18.
    pub fn emit(&mut self, key: ActorKey, point: &str, effect: &str) -> Result<(), CallError> {
        let place = Some(self.attachment(key, point)?).filter(|_| !self.world.before_presentation);
        if self.world.n_emitted == MAX_EMISSIONS {
            return Err(CallError::TooManyEmissions { limit: MAX_EMISSIONS });
        }
        self.world.n_emitted += 1;
        let kind = EventKind::Emitted { point: point.to_owned(), effect: effect.to_owned(), place };
        self.world.events.push(Event { actor: key, kind });
        Ok(())
    }

    /// The presentation was made: what was emitted before it gets its places.
    pub(crate) fn place_emissions(&mut self) {
        self.world.before_presentation = false;
        if self.world.n_emitted == 0 {
            return;
        }
        let defs = Arc::clone(&self.defs);
        let mut events = std::mem::take(&mut self.world.events);
        for Event { actor, kind } in &mut events {
            if let (EventKind::Emitted { point, place, .. }, Some(actor)) = (kind, self.world.get(*actor)) {
                *place = point_named(&defs, actor, &attach::seen(&self.world, actor), point).ok();
            }
        }
        self.world.events = events;
    }
}

impl From<PointError> for CallError {
    fn from(error: PointError) -> Self {
        Self::Point(error.to_string())
    }
}
