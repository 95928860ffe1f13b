//! `soup386 trace diff`: the first difference of two traces, found line by line.

mod report;

use std::{
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::{Map, Value};

use super::read::{Line, Reader, Row};
use crate::{
    cli::{Outcome, output::to_stdout, problem::Problem},
    trace::compare::{self, Difference},
};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 trace diff before.jsonl after.jsonl\n  soup386 run --trace - -q duel.lua | soup386 trace diff expected.jsonl - --context 5"
)]
pub(crate) struct DiffArguments {
    /// The first trace; - is stdin.
    a: PathBuf,
    /// The second trace; - is stdin.
    b: PathBuf,
    /// How many updates to show before and after the difference.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=1000))]
    context: u64,
}

pub(crate) fn run(arguments: &DiffArguments) -> Result<Outcome, Problem> {
    if arguments.a == Path::new("-") && arguments.b == Path::new("-") {
        return Err(Problem::Other("only one of the two traces can come from stdin".to_owned()));
    }
    let (a, b) = (Side::open(&arguments.a)?, Side::open(&arguments.b)?);
    let headers = compare::exact(&a.reader.header, &b.reader.header);
    let mut comparison = Comparison { a, b, before: History::new(arguments.context), undecided: None };
    let found = comparison.first()?;
    let same = headers.is_empty() && found.is_none();
    let (names, header) = (comparison.names(), comparison.a.reader.header.clone());
    let events = comparison.events_note();
    let first = found.map(|found| comparison.surroundings(found));
    to_stdout(|out| {
        if same {
            return report::equal(out, &header, events);
        }
        report::names(out, &names)?;
        report::headers(out, &headers)?;
        match &first {
            Some(first) => report::first(out, first),
            None => writeln!(out, "the updates are equal"),
        }
    })?;
    Ok(if same { Outcome::Held } else { Outcome::Failed })
}

/// One of the two traces.
struct Side {
    reader: Reader,
    has_events: bool,
}

impl Side {
    fn open(path: &Path) -> Result<Self, Problem> {
        Ok(Self { reader: Reader::open(path)?, has_events: false })
    }

    fn next(&mut self) -> Result<Option<Line>, Problem> {
        let line = self.reader.next()?;
        self.has_events |= matches!(line, Some(Line::Event(_)));
        Ok(line)
    }

    /// The rows of an actor from `row`, the one in hand, up to and with update `last`. The first difference is already
    /// known, so a line that cannot be read merely ends them.
    fn rows_to(&mut self, row: Option<Row>, actor: &str, last: u64) -> Vec<Row> {
        let mut rows: Vec<Row> = row.into_iter().filter(|row| row.actor == actor && row.tick <= last).collect();
        while let Ok(Some(line)) = self.reader.next() {
            match line {
                Line::Row(row) if row.tick > last => break,
                Line::Row(row) if row.actor == actor => rows.push(row),
                _ => {}
            }
        }
        rows
    }
}

/// What differs, with the lines of both files at that point.
struct Found {
    what: What,
    lines: [u64; 2],
}

enum What {
    /// The values of one actor after one update.
    Values { a: Row, b: Row, differences: Vec<Difference> },
    /// The traces go on with different actors or updates, or one of them has ended.
    Order { a: Option<Row>, b: Option<Row> },
    /// The events at this place.
    Events { a: Option<Map<String, Value>>, b: Option<Map<String, Value>> },
}

/// The first difference with the updates around it.
struct First {
    found: Found,
    names: [String; 2],
    before: Vec<Row>,
    from_a: Vec<Row>,
    from_b: Vec<Row>,
}

/// Two traces under comparison.
struct Comparison {
    a: Side,
    b: Side,
    before: History,
    /// The first event that only one trace has: a difference as soon as the other has any event at all.
    undecided: Option<Found>,
}

impl Comparison {
    fn names(&self) -> [String; 2] {
        [self.a.reader.name.clone(), self.b.reader.name.clone()]
    }

    /// Reads on to the first difference; none when both traces end before there is one.
    fn first(&mut self) -> Result<Option<Found>, Problem> {
        let (mut a, mut b) = (self.a.next()?, self.b.next()?);
        loop {
            if self.a.has_events && self.b.has_events && self.undecided.is_some() {
                return Ok(self.undecided.take());
            }
            let differing = match (a, b) {
                (Some(Line::Event(event)), other) if !matches!(other, Some(Line::Event(_))) => {
                    self.hold(What::Events { a: Some(event), b: None });
                    (a, b) = (self.a.next()?, other);
                    continue;
                }
                (other, Some(Line::Event(event))) if !matches!(other, Some(Line::Event(_))) => {
                    self.hold(What::Events { a: None, b: Some(event) });
                    (a, b) = (other, self.b.next()?);
                    continue;
                }
                (None, None) => return Ok(None),
                (a, b) => self.compare(a, b),
            };
            if let Some(what) = differing {
                return Ok(Some(self.found(what)));
            }
            (a, b) = (self.a.next()?, self.b.next()?);
        }
    }

    /// Remembers an event that the other trace does not have at this place.
    fn hold(&mut self, what: What) {
        if self.undecided.is_none() {
            self.undecided = Some(self.found(what));
        }
    }

    fn found(&self, what: What) -> Found {
        Found { what, lines: [self.a.reader.line, self.b.reader.line] }
    }

    /// Compares two lines of the same sort, or one with the other trace's end.
    fn compare(&mut self, a: Option<Line>, b: Option<Line>) -> Option<What> {
        match (a, b) {
            (Some(Line::Event(a)), Some(Line::Event(b))) => (a != b).then_some(What::Events { a: Some(a), b: Some(b) }),
            (Some(Line::Row(a)), Some(Line::Row(b))) if (a.tick, &a.actor) == (b.tick, &b.actor) => {
                let differences = compare::rows(&a.values, &b.values);
                if differences.is_empty() {
                    self.before.push(a);
                    return None;
                }
                Some(What::Values { a, b, differences })
            }
            (a, b) => Some(What::Order { a: a.and_then(row), b: b.and_then(row) }),
        }
    }

    /// What to say about events that were passed over.
    fn events_note(&self) -> Option<&'static str> {
        match (self.a.has_events, self.b.has_events) {
            (true, false) => Some("only the first has events, which were not compared"),
            (false, true) => Some("only the second has events, which were not compared"),
            _ => None,
        }
    }

    /// The updates around a difference, of the actor that it is about.
    fn surroundings(&mut self, found: Found) -> First {
        let names = self.names();
        let (a, b) = match &found.what {
            What::Values { a, b, .. } => (Some(a.clone()), Some(b.clone())),
            What::Order { a, b } => (a.clone(), b.clone()),
            What::Events { .. } => (None, None),
        };
        let Some((actor, tick)) = subject(a.as_ref(), b.as_ref()) else {
            return First { found, names, before: Vec::new(), from_a: Vec::new(), from_b: Vec::new() };
        };
        let before = self.before.of(&actor, tick);
        let last = tick.saturating_add(self.before.n_updates);
        let (from_a, from_b) = (self.a.rows_to(a, &actor, last), self.b.rows_to(b, &actor, last));
        First { found, names, before, from_a, from_b }
    }
}

fn row(line: Line) -> Option<Row> {
    match line {
        Line::Row(row) => Some(row),
        Line::Event(_) => None,
    }
}

/// The actor and update that a difference of order is about: the earlier of the two.
fn subject(a: Option<&Row>, b: Option<&Row>) -> Option<(String, u64)> {
    let rows = a.into_iter().chain(b);
    rows.min_by_key(|row| row.tick).map(|row| (row.actor.clone(), row.tick))
}

/// The last rows of every actor. They are equal in both traces.
struct History {
    n_updates: u64,
    tick: u64,
    rows: BTreeMap<String, VecDeque<Row>>,
}

impl History {
    fn new(n_updates: u64) -> Self {
        Self { n_updates, tick: 0, rows: BTreeMap::new() }
    }

    fn push(&mut self, row: Row) {
        if self.n_updates == 0 {
            return;
        }
        if row.tick != self.tick {
            // Actors that were removed are forgotten, so that memory does not grow with the trace.
            self.tick = row.tick;
            let oldest = row.tick.saturating_sub(self.n_updates);
            self.rows.retain(|_, rows| rows.back().is_some_and(|last| last.tick >= oldest));
        }
        match self.rows.get_mut(&row.actor) {
            Some(rows) => {
                if rows.len() as u64 >= self.n_updates {
                    rows.pop_front();
                }
                rows.push_back(row);
            }
            None => drop(self.rows.insert(row.actor.clone(), VecDeque::from([row]))),
        }
    }

    fn of(&mut self, actor: &str, tick: u64) -> Vec<Row> {
        let oldest = tick.saturating_sub(self.n_updates);
        self.rows.remove(actor).into_iter().flatten().filter(|row| row.tick >= oldest).collect()
    }
}
