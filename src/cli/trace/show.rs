//! `soup386 trace show`: a trace as a table.

use std::{
    collections::BTreeSet,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Map, Value};

use super::{
    fields::{Aligned, KEYS, Kind, cell, kind},
    read::{Line, Reader, Row},
};
use crate::{
    cli::{
        Outcome,
        output::{Table, cannot_write, to_stdout},
        problem::Problem,
    },
    defs::{did_you_mean, folded},
};

/// The columns unless others are asked for.
const DEFAULT_COLUMNS: &str = "tick,actor,group,pending,cursor,real_frame,frame,state,drawn,shown,shown_model,position";

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 trace show yard.jsonl --actor CYRUS --from 10 --to 30\n  soup386 trace show yard.jsonl --columns tick,actor,shown,position,tip"
)]
pub(crate) struct ShowArguments {
    /// The trace; - is stdin.
    file: PathBuf,
    /// Only this actor; can be given several times.
    #[arg(long, value_name = "NAME")]
    actor: Vec<String>,
    /// The first update to show.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// The last update to show.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    to: u64,
    /// What to show: keys of the trace, with commas between; drawn is short for weapon_drawn.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = DEFAULT_COLUMNS)]
    columns: Vec<String>,
}

pub(crate) fn run(arguments: &ShowArguments) -> Result<Outcome, Problem> {
    let columns: Vec<Column> = arguments.columns.iter().map(|name| Column::named(name)).collect::<Result<_, _>>()?;
    let mut reader = Reader::open(&arguments.file)?;
    let mut wanted = Wanted::new(arguments, reader.header.get("actors"));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut table = Table::new(columns.iter().map(|column| (column.title.clone(), column.kind.align())));
    let read = rows(&mut reader, &mut wanted, |row| {
        let cells = columns.iter().map(|column| cell(Some(column.kind), row.values.get(column.key))).collect();
        table.row(&mut out, cells)
    });
    // The rows above a line that cannot be read are shown all the same.
    table.finish(&mut out).and_then(|()| out.flush()).map_err(cannot_write)?;
    read?;
    wanted.finish()?;
    Ok(Outcome::Held)
}

/// Shows values by key with the columns of `trace show`.
pub(crate) fn show_rows(rows: impl Iterator<Item = Map<String, Value>>) -> Result<(), Problem> {
    let columns: Vec<Column> = DEFAULT_COLUMNS.split(',').map(Column::named).collect::<Result<_, _>>()?;
    to_stdout(|out| {
        let mut table = Table::new(columns.iter().map(|column| (column.title.clone(), column.kind.align())));
        for row in rows {
            table.row(out, columns.iter().map(|column| cell(Some(column.kind), row.get(column.key))).collect())?;
        }
        table.finish(out)
    })
}

fn rows(reader: &mut Reader, wanted: &mut Wanted, mut show: impl FnMut(&Row) -> io::Result<()>) -> Result<(), Problem> {
    while let Some(line) = reader.next()? {
        let Line::Row(row) = line else { continue };
        if row.tick > wanted.to && wanted.unseen.is_empty() {
            break;
        }
        if wanted.is(&row) {
            show(&row).map_err(cannot_write)?;
        }
    }
    Ok(())
}

/// A column of the table.
struct Column {
    title: String,
    key: &'static str,
    kind: Kind,
}

impl Column {
    fn named(name: &str) -> Result<Self, Problem> {
        let name = name.trim();
        let wanted = if name.eq_ignore_ascii_case("drawn") { "weapon_drawn" } else { name };
        let known = KEYS.iter().find(|(key, _)| key.eq_ignore_ascii_case(wanted));
        let Some(&(key, _)) = known else {
            let hint = did_you_mean(name, KEYS.iter().map(|(key, _)| *key).chain(["drawn"]));
            let all = KEYS.map(|(key, _)| key).join(" ");
            return Err(Problem::Other(format!("unknown column {name:?}{hint}\nthe columns are: {all} drawn")));
        };
        Ok(Self { title: name.to_ascii_lowercase(), key, kind: kind(key).unwrap_or(Kind::Text) })
    }
}

/// Which rows are asked for, and which of the actors asked for have not been met.
struct Wanted {
    from: u64,
    to: u64,
    actors: BTreeSet<String>,
    unseen: BTreeSet<String>,
    met: BTreeSet<String>,
}

impl Wanted {
    /// Actors of the header are known before they are met.
    fn new(arguments: &ShowArguments, header: Option<&Value>) -> Self {
        let actors: BTreeSet<String> = arguments.actor.iter().map(|name| folded(name)).collect();
        let names = header.and_then(Value::as_array).into_iter().flatten();
        let known: BTreeSet<String> = names.filter_map(Value::as_str).map(folded).collect();
        let unseen = actors.difference(&known).cloned().collect();
        Self { from: arguments.from, to: arguments.to, actors, unseen, met: known }
    }

    fn is(&mut self, row: &Row) -> bool {
        let name = folded(&row.actor);
        let is_wanted = self.actors.is_empty() || self.actors.contains(&name);
        if !self.unseen.is_empty() {
            self.unseen.remove(&name);
            self.met.insert(name);
        }
        is_wanted && (self.from..=self.to).contains(&row.tick)
    }

    /// An actor that is nowhere in the trace was hardly meant.
    fn finish(&self) -> Result<(), Problem> {
        let Some(name) = self.unseen.first() else { return Ok(()) };
        let hint = did_you_mean(name, &self.met);
        Err(Problem::Other(format!("the trace has no actor {name:?}{hint}")))
    }
}
