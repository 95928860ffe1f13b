//! What is in a trace.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::cli::{
    problem::Problem,
    trace::{Line, Reader, Row},
};

/// Different values that are kept of one key: more than an actor has groups and states.
const MAX_VALUES: usize = 512;

/// The trace as data, read line by line.
pub(super) fn content(reader: &mut Reader) -> Result<Value, Problem> {
    let mut actors: BTreeMap<String, Seen> = BTreeMap::new();
    let mut order = Vec::new();
    let (mut n_updates, mut last_tick, mut n_events) = (0_u64, None, 0_u64);
    while let Some(line) = reader.next()? {
        let Line::Row(row) = line else {
            n_events += 1;
            continue;
        };
        if last_tick.replace(row.tick) != Some(row.tick) {
            n_updates += 1;
        }
        match actors.get_mut(&row.actor) {
            Some(seen) => seen.add(&row),
            None => {
                order.push(row.actor.clone());
                actors.insert(row.actor.clone(), Seen::new(&row));
            }
        }
    }
    let shown = order.iter().filter_map(|name| Some(actors.get(name)?.content(name)));
    Ok(json!({
        "kind": "trace",
        "header": reader.header,
        "updates": n_updates,
        "events": n_events,
        "actors": shown.collect::<Vec<_>>(),
    }))
}

/// What was seen of an actor.
struct Seen {
    first_tick: u64,
    last_tick: u64,
    drawn: bool,
    n_draws: u64,
    n_sheaths: u64,
    groups: BTreeSet<i64>,
    states: BTreeSet<i64>,
    shown: BTreeSet<String>,
}

impl Seen {
    fn new(row: &Row) -> Self {
        let mut seen = Self {
            first_tick: row.tick,
            last_tick: row.tick,
            drawn: is_drawn(row),
            n_draws: 0,
            n_sheaths: 0,
            groups: BTreeSet::new(),
            states: BTreeSet::new(),
            shown: BTreeSet::new(),
        };
        seen.add(row);
        seen
    }

    fn add(&mut self, row: &Row) {
        self.last_tick = row.tick;
        match (self.drawn, is_drawn(row)) {
            (false, true) => self.n_draws += 1,
            (true, false) => self.n_sheaths += 1,
            _ => {}
        }
        self.drawn = is_drawn(row);
        let int = |key| row.values.get(key).and_then(Value::as_i64);
        // Group -1 is no group.
        keep(&mut self.groups, int("group").filter(|&group| group >= 0));
        keep(&mut self.states, int("state"));
        keep(&mut self.shown, row.values.get("shown").and_then(Value::as_str).map(str::to_owned));
    }

    fn content(&self, name: &str) -> Value {
        json!({
            "name": name,
            "first_update": self.first_tick,
            "last_update": self.last_tick,
            "groups": self.groups,
            "draws": self.n_draws,
            "sheaths": self.n_sheaths,
            "states": self.states,
            "shown": self.shown,
        })
    }
}

fn is_drawn(row: &Row) -> bool {
    row.values.get("weapon_drawn").and_then(Value::as_i64).is_some_and(|drawn| drawn != 0)
}

fn keep<T: Ord>(values: &mut BTreeSet<T>, value: Option<T>) {
    if values.len() < MAX_VALUES {
        values.extend(value);
    }
}
