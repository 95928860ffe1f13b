//! Which lines of a trace a command is about.

use std::collections::BTreeSet;

use clap::Args;
use serde_json::Value;

use super::read::Row;
use crate::{
    cli::problem::Problem,
    defs::{did_you_mean, folded},
};

/// Actors and updates.
#[derive(Args)]
pub(super) struct Which {
    /// Only this actor; can be given several times.
    #[arg(long, value_name = "NAME")]
    actor: Vec<String>,
    /// The first update to show.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// The last update to show.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    to: u64,
}

/// Which rows are asked for, and which of the actors asked for have not been met.
pub(super) struct Wanted {
    from: u64,
    to: u64,
    actors: BTreeSet<String>,
    unseen: BTreeSet<String>,
    met: BTreeSet<String>,
}

impl Wanted {
    /// Actors of the header are known before they are met.
    pub(super) fn new(arguments: &Which, header: Option<&Value>) -> Self {
        let actors: BTreeSet<String> = arguments.actor.iter().map(|name| folded(name)).collect();
        let names = header.and_then(Value::as_array).into_iter().flatten();
        let known: BTreeSet<String> = names.filter_map(Value::as_str).map(folded).collect();
        let unseen = actors.difference(&known).cloned().collect();
        Self { from: arguments.from, to: arguments.to, actors, unseen, met: known }
    }

    /// Whether a row is asked for.
    pub(super) fn is(&mut self, row: &Row) -> bool {
        let name = folded(&row.actor);
        let is_wanted = self.actors.is_empty() || self.actors.contains(&name);
        if !self.unseen.is_empty() {
            self.unseen.remove(&name);
            self.met.insert(name);
        }
        is_wanted && (self.from..=self.to).contains(&row.tick)
    }

    /// Whether neither this row nor a later one matters any more.
    pub(super) fn is_beyond(&self, row: &Row) -> bool {
        row.tick > self.to && self.unseen.is_empty()
    }

    /// An actor that is nowhere in the trace was hardly meant.
    pub(super) fn finish(&self) -> Result<(), Problem> {
        let Some(name) = self.unseen.first() else { return Ok(()) };
        let hint = did_you_mean(name, &self.met);
        Err(Problem::Other(format!("the trace has no actor {name:?}{hint}")))
    }
}
