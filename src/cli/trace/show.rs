//! `soup386 trace show`: a trace as a table.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Map, Value};

use super::{
    fields::{Aligned, KEYS, Kind, cell, kind},
    read::{Line, Reader, Row},
    which::{Wanted, Which},
};
use crate::{
    cli::{
        Outcome,
        output::{Table, cannot_write, to_stdout},
        problem::Problem,
    },
    defs::did_you_mean,
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
    #[command(flatten)]
    which: Which,
    /// What to show: keys of the trace, with commas between; drawn is short for weapon_drawn.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = DEFAULT_COLUMNS)]
    columns: Vec<String>,
}

pub(crate) fn run(arguments: &ShowArguments) -> Result<Outcome, Problem> {
    let columns: Vec<Column> = arguments.columns.iter().map(|name| Column::named(name)).collect::<Result<_, _>>()?;
    let mut reader = Reader::open(&arguments.file)?;
    let mut wanted = Wanted::new(&arguments.which, reader.header.get("actors"));
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
        if wanted.is_beyond(&row) {
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
