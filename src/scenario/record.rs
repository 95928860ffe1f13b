//! The trace of a scenario while it runs: the last updates, or all of them.

use std::collections::VecDeque;

use crate::{
    expect::{Involved, Moment},
    natives::Engine,
    scenario::{ActorTrace, TraceLine},
    trace::{Row, push_line},
    world::{ActorKey, EventKind},
};

/// Rows that are kept of a whole trace.
const MOST_ROWS: usize = 2_000_000;

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// The last updates.
    Last(usize),
    /// Everything: a golden is to be compared.
    All,
}

/// A calm update: what every actor looked like after it.
struct Update {
    keys: Vec<ActorKey>,
    rows: Vec<Row>,
    refused: Vec<(ActorKey, String)>,
}

pub(super) struct Record {
    keep: Keep,
    updates: VecDeque<Update>,
    n_rows: usize,
    /// Whether updates were forgotten.
    lost: bool,
    digest: Option<u64>,
}

impl Record {
    pub(super) fn new(keep: Keep, wants_digest: bool) -> Self {
        let digest = wants_digest.then_some(0xcbf2_9ce4_8422_2325);
        Self { keep, updates: VecDeque::new(), n_rows: 0, lost: false, digest }
    }

    /// Adds the update that just ended.
    pub(super) fn note(&mut self, engine: &Engine) {
        let (world, defs) = (&engine.world, &engine.defs);
        let mut update = self.room().unwrap_or(Update { keys: Vec::new(), rows: Vec::new(), refused: Vec::new() });
        for actor in world.actors() {
            update.keys.push(actor.key);
            update.rows.push(Row::new(defs, actor, world.clock.tick));
        }
        for event in &world.events {
            if let EventKind::Refused(refusal) = &event.kind {
                update.refused.push((event.actor, refusal.to_string()));
            }
        }
        if let Some(digest) = &mut self.digest {
            let mut lines = Vec::new();
            update.rows.iter().for_each(|row| push_line(&mut lines, row));
            *digest = lines.iter().fold(*digest, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        }
        self.n_rows += update.rows.len();
        self.updates.push_back(update);
    }

    /// Forgets the oldest update when there are enough; what it held is used again.
    fn room(&mut self) -> Option<Update> {
        let most = match self.keep {
            Keep::Last(n) => n.max(1),
            Keep::All if self.n_rows > MOST_ROWS => 1,
            Keep::All => return None,
        };
        if self.updates.len() < most {
            return None;
        }
        let mut oldest = self.updates.pop_front()?;
        self.lost = true;
        self.n_rows -= oldest.rows.len();
        oldest.keys.clear();
        oldest.rows.clear();
        oldest.refused.clear();
        Some(oldest)
    }

    /// The rows of the first updates, in order; none when some were forgotten.
    pub(super) fn first(&self, updates: u64) -> Option<Vec<&Row>> {
        let n = usize::try_from(updates).unwrap_or(usize::MAX);
        (!self.lost).then(|| self.updates.iter().take(n).flat_map(|update| &update.rows).collect())
    }

    /// Whether a whole trace was wanted and became too long.
    pub(super) fn is_too_long(&self) -> bool {
        self.lost && self.keep == Keep::All
    }

    /// A number that differs when anything in the trace does, in all likelihood.
    pub(super) fn digest(&self) -> Option<u64> {
        self.digest
    }

    /// The last updates of the actors involved, before update `tick`, and how they stood when it happened.
    pub(super) fn of(&self, involved: Vec<Involved>, engine: &Engine, tick: u64, n: usize) -> Vec<ActorTrace> {
        if n == 0 {
            return Vec::new();
        }
        involved.into_iter().map(|Involved { key, now }| self.actor(key, now, engine, tick, n)).collect()
    }

    fn actor(&self, key: ActorKey, now: Option<Moment>, engine: &Engine, tick: u64, n: usize) -> ActorTrace {
        let mut lines: Vec<TraceLine> = Vec::new();
        for update in &self.updates {
            let Some(at) = update.keys.iter().position(|&known| known == key) else { continue };
            if update.rows[at].tick() >= tick && now.is_some() {
                continue;
            }
            let refused = update.refused.iter().filter(|(of, _)| *of == key).map(|(_, why)| why.clone()).collect();
            lines.push(TraceLine::new(&update.rows[at], refused, false));
        }
        lines.drain(..lines.len().saturating_sub(n));
        let name = now.as_ref().map(|now| now.row.actor().to_string());
        let name = name.or_else(|| engine.world.name_of(key).map(str::to_owned));
        lines.extend(now.map(|now| TraceLine::new(&now.row, now.refused, true)));
        let removed = engine.world.removal(key).map(|removal| removal.tick);
        ActorTrace { actor: name.unwrap_or_default(), removed, lines }
    }
}
