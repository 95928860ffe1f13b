//! Goldens: traces that a scenario must leave, as far as they say.
//!
//! A golden is a trace file whose lines may hold fewer keys, and of which lines may be missing: only what it holds is
//! compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use serde_json::{Map, Value, json};

use super::failure::{cell, push_table};
use crate::{
    defs::did_you_mean,
    trace::{
        Row,
        compare::{self, Difference},
        fields::{KEYS, check_value, kind},
    },
};

/// Updates shown before and after a difference.
const AROUND: u64 = 3;
/// Differing values that are listed.
const MOST_LISTED: usize = 20;
/// Keys of the header that are compared when it holds them.
const HEADER: [&str; 3] = ["actors", "updates", "seed"];

/// What is wrong in the text of a golden.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct GoldenError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// A golden that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenFile {
    header: Map<String, Value>,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq)]
struct Line {
    number: usize,
    tick: u64,
    actor: String,
    values: Map<String, Value>,
}

/// The first difference of a trace from a golden.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenDifference {
    /// The golden's name.
    pub name: String,
    /// Its line, from 1.
    pub line: usize,
    /// The update; none when the headers differ.
    pub tick: Option<u64>,
    /// The actor.
    pub actor: String,
    /// What differs there; `a` is the golden's value. Empty when the run has no such actor in this update.
    pub differences: Vec<Difference>,
    /// The updates around it.
    pub around: Vec<Around>,
    /// How many lines of the golden differ in all.
    pub n_lines: usize,
}

/// One update near a difference, of the actor that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    /// The update.
    pub tick: u64,
    /// What the golden holds.
    pub golden: Option<Map<String, Value>>,
    /// What the run left.
    pub run: Option<Map<String, Value>>,
}

/// What a run left, by update and actor.
pub(super) struct Run<'r> {
    pub(super) rows: Vec<&'r Row>,
    pub(super) actors: Vec<String>,
    pub(super) updates: u64,
    pub(super) seed: u32,
}

impl Run<'_> {
    fn header(&self) -> Map<String, Value> {
        let header = json!({"soup386_trace": 1, "actors": self.actors, "updates": self.updates, "seed": self.seed});
        if let Value::Object(header) = header { header } else { Map::new() }
    }

    fn by_place(&self) -> BTreeMap<(u64, &str), &Row> {
        self.rows.iter().map(|row| ((row.tick(), &**row.actor()), *row)).collect()
    }

    /// The whole trace as a text.
    pub(super) fn text(&self) -> String {
        let mut text = header_text(&self.header());
        for row in &self.rows {
            push_values(&mut text, &row.values());
        }
        text
    }
}

impl GoldenFile {
    /// Reads a golden.
    ///
    /// # Errors
    /// [`GoldenError`] with the first line that is wrong.
    pub fn read(text: &str) -> Result<Self, GoldenError> {
        let mut objects = text.lines().enumerate().map(|(at, line)| {
            let number = at + 1;
            let value: Result<Value, _> = serde_json::from_str(line);
            match value {
                Ok(Value::Object(values)) => Ok((number, values)),
                Ok(_) => Err(GoldenError { line: number, reason: "expected a JSON object".to_owned() }),
                Err(error) => Err(GoldenError { line: number, reason: format!("not JSON: {error}") }),
            }
        });
        let missing = "the first line must be a header with \"soup386_trace\": 1";
        let (_, header) = objects.next().ok_or(GoldenError { line: 1, reason: missing.to_owned() })??;
        if header.get("soup386_trace").and_then(Value::as_u64) != Some(1) {
            return Err(GoldenError { line: 1, reason: missing.to_owned() });
        }
        let mut lines = Vec::new();
        for object in objects {
            let (number, values) = object?;
            // Events are not compared.
            if values.contains_key("event") {
                continue;
            }
            lines.push(line(number, values).map_err(|reason| GoldenError { line: number, reason })?);
        }
        Ok(Self { header, lines })
    }

    /// The first difference of a run.
    pub(super) fn compare(&self, name: &str, run: &Run<'_>) -> Option<Box<GoldenDifference>> {
        let rows = run.by_place();
        let mut first: Option<(&Line, Vec<Difference>)> = None;
        let mut n_lines = 0;
        for line in &self.lines {
            let differences = match rows.get(&(line.tick, line.actor.as_str())) {
                None => Some(Vec::new()),
                Some(row) => Some(compare::rows(&line.values, &held(&row.values(), &line.values)))
                    .filter(|differences| !differences.is_empty()),
            };
            if let Some(differences) = differences {
                n_lines += 1;
                first.get_or_insert((line, differences));
            }
        }
        let Some((line, differences)) = first else { return self.compare_headers(name, run) };
        let around = self.around(line, &rows);
        Some(Box::new(GoldenDifference {
            name: name.to_owned(),
            line: line.number,
            tick: Some(line.tick),
            actor: line.actor.clone(),
            differences,
            around,
            n_lines,
        }))
    }

    fn compare_headers(&self, name: &str, run: &Run<'_>) -> Option<Box<GoldenDifference>> {
        let known = |header: &Map<String, Value>| -> Map<String, Value> {
            let keys = HEADER.into_iter().filter(|key| self.header.contains_key(*key));
            keys.filter_map(|key| Some((key.to_owned(), header.get(key)?.clone()))).collect()
        };
        let differences = compare::exact(&known(&self.header), &known(&run.header()));
        (!differences.is_empty()).then(|| {
            let (name, actor) = (name.to_owned(), String::new());
            Box::new(GoldenDifference { name, line: 1, tick: None, actor, differences, around: Vec::new(), n_lines: 1 })
        })
    }

    fn around(&self, line: &Line, rows: &BTreeMap<(u64, &str), &Row>) -> Vec<Around> {
        let (from, to) = (line.tick.saturating_sub(AROUND), line.tick.saturating_add(AROUND));
        let near = (from..=to).map(|tick| {
            let golden = self.lines.iter().find(|other| other.tick == tick && other.actor == line.actor);
            let run = rows.get(&(tick, line.actor.as_str()));
            Around { tick, golden: golden.map(|line| line.values.clone()), run: run.map(|row| row.values()) }
        });
        near.filter(|around| around.golden.is_some() || around.run.is_some()).collect()
    }

    /// The text of the golden with the values of a run. Which keys a line holds stays; lines that the run does not have
    /// are left out; for an actor of which every update was listed, the updates that follow are added.
    pub(super) fn rewritten(&self, run: &Run<'_>) -> String {
        let mut header = self.header.clone();
        let of_run = run.header();
        for (key, value) in &mut header {
            if let Some(new) = of_run.get(key) {
                value.clone_from(new);
            }
        }
        let mut text = header_text(&header);
        let rows = run.by_place();
        let mut held_keys: BTreeMap<(u64, &str), &Map<String, Value>> =
            self.lines.iter().map(|line| ((line.tick, line.actor.as_str()), &line.values)).collect();
        for (actor, values) in self.complete_actors() {
            let after = self.lines.iter().filter(|line| line.actor == actor).map(|line| line.tick + 1).max();
            for tick in after.unwrap_or(0)..run.updates {
                held_keys.insert((tick, actor), values);
            }
        }
        // In the order of the run.
        for row in &run.rows {
            if let Some(keys) = held_keys.get(&(row.tick(), &**row.actor())) {
                push_values(&mut text, &held(&rows[&(row.tick(), &**row.actor())].values(), keys));
            }
        }
        text
    }

    /// Actors whose updates from 0 on are all listed, each with its last line.
    fn complete_actors(&self) -> Vec<(&str, &Map<String, Value>)> {
        let names: BTreeSet<&str> = self.lines.iter().map(|line| line.actor.as_str()).collect();
        let complete = names.into_iter().filter_map(|actor| {
            let of = || self.lines.iter().filter(|line| line.actor == actor);
            let ticks: BTreeSet<u64> = of().map(|line| line.tick).collect();
            let last = of().max_by_key(|line| line.tick)?;
            (ticks.len() as u64 == last.tick + 1).then_some((actor, &last.values))
        });
        complete.collect()
    }
}

fn line(number: usize, values: Map<String, Value>) -> Result<Line, String> {
    for (key, value) in &values {
        let Some(kind) = kind(key) else {
            let hint = did_you_mean(key, KEYS.iter().map(|(key, _)| *key));
            return Err(format!("a trace has no key \"{key}\"{hint}"));
        };
        check_value(key, kind, value)?;
    }
    let (Some(tick), Some(actor)) =
        (values.get("tick").and_then(Value::as_u64), values.get("actor").and_then(Value::as_str).map(str::to_owned))
    else {
        return Err("a line needs \"tick\" and \"actor\"".to_owned());
    };
    Ok(Line { number, tick, actor, values })
}

/// The values of a row under the keys that a golden's line has.
fn held(row: &Map<String, Value>, keys: &Map<String, Value>) -> Map<String, Value> {
    keys.keys().filter_map(|key| Some((key.clone(), row.get(key)?.clone()))).collect()
}

/// The header's known keys first, in their order.
fn header_text(header: &Map<String, Value>) -> String {
    let known = ["soup386_trace"].into_iter().chain(HEADER);
    let others = header.keys().map(String::as_str).filter(|key| *key != "soup386_trace" && !HEADER.contains(key));
    object_text(known.chain(others), header)
}

/// A line, its keys in the order of a trace.
fn push_values(text: &mut String, values: &Map<String, Value>) {
    text.push_str(&object_text(KEYS.iter().map(|(key, _)| *key), values));
}

fn object_text<'k>(keys: impl Iterator<Item = &'k str>, values: &Map<String, Value>) -> String {
    let pair = |key: &str| Some(format!("{}:{}", Value::from(key), values.get(key)?));
    format!("{{{}}}\n", keys.filter_map(pair).collect::<Vec<_>>().join(","))
}

impl GoldenDifference {
    /// What differs, in a line.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { name, line, actor, .. } = self;
        let Some(tick) = self.tick else {
            let keys: Vec<&str> = self.differences.iter().map(|difference| difference.path.as_str()).collect();
            return format!("golden: {name}:1: the header differs: {}", keys.join(", "));
        };
        match self.differences.first() {
            None => format!("golden: {name}:{line}: the run has no actor {actor} in update {tick}"),
            Some(first) => format!(
                "golden: {name}:{line}: update {tick}, actor {actor}, {}: expected {}, found {}",
                first.path,
                first.a.as_deref().unwrap_or("nothing"),
                first.b.as_deref().unwrap_or("nothing")
            ),
        }
    }

    /// The differing values, and the updates around them.
    #[must_use]
    pub fn report(&self) -> String {
        let mut text = String::new();
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let rows = self.differences.iter().take(MOST_LISTED);
        let rows: Vec<Vec<String>> = rows.map(|of| vec![of.path.clone(), value(&of.a), value(&of.b)]).collect();
        if !rows.is_empty() {
            push_table(&mut text, ["field", "golden", "run"].map(str::to_owned).to_vec(), rows);
        }
        if self.n_lines > 1 {
            let _ = writeln!(text, "  {} lines of the golden differ", self.n_lines);
        }
        if !self.around.is_empty() {
            let _ = writeln!(text, "  around it, actor {}:", self.actor);
            self.push_around(&mut text);
        }
        text
    }

    fn push_around(&self, text: &mut String) {
        let differing: BTreeSet<&str> = self.differences.iter().map(|of| top(&of.path)).collect();
        let usual = ["group", "cursor", "real_frame", "frame", "state", "weapon_drawn", "shown"];
        let columns: Vec<&str> =
            usual.into_iter().chain(differing.into_iter().filter(|key| !usual.contains(key))).collect();
        let mut head = vec![String::new(), "update".to_owned(), "in".to_owned()];
        head.extend(columns.iter().map(|&key| key.to_owned()));
        let mut rows = Vec::new();
        for Around { tick, golden, run } in &self.around {
            let mark = if Some(*tick) == self.tick { ">" } else { "" };
            for (side, values) in [("golden", golden), ("run", run)] {
                let Some(values) = values else { continue };
                let mut cells = vec![mark.to_owned(), tick.to_string(), side.to_owned()];
                cells.extend(columns.iter().map(|&key| cell(values.get(key))));
                rows.push(cells);
            }
        }
        push_table(text, head, rows);
    }
}

/// The key of a path such as `hand_pos[1]`.
fn top(path: &str) -> &str {
    path.split(['[', '.']).next().unwrap_or(path)
}
