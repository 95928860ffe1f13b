//! `soup386 census`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Value, json};

use super::{
    Outcome,
    output::{Align, Table, count, plain, to_stdout},
    problem::{Problem, print_warnings},
};
use crate::import::game::census::{Census, census};

#[derive(Args)]
#[command(after_help = "Examples:\n  soup386 census Redguard\n  soup386 census Redguard --json")]
pub(crate) struct CensusArguments {
    /// A folder of the game, with the folder maps.
    folder: PathBuf,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &CensusArguments) -> Result<Outcome, Problem> {
    let (census, warnings) = census(&arguments.folder)?;
    print_warnings(&warnings);
    to_stdout(|out| if arguments.json { writeln!(out, "{:#}", content(&census)) } else { tables(out, &census) })?;
    Ok(Outcome::Held)
}

fn content(census: &Census) -> Value {
    let opcodes =
        census.opcodes.iter().map(|row| json!({ "opcode": row.opcode, "name": row.name, "count": row.count }));
    let natives = census
        .natives
        .iter()
        .map(|row| json!({ "id": row.id, "name": row.name, "kind": row.kind, "count": row.count, "maps": row.maps }));
    let maps = census.maps.iter().map(|map| {
        json!({
            "name": map.name,
            "definitions": map.definitions,
            "programs": map.programs,
            "refused": map.refused,
            "statements": map.statements,
        })
    });
    json!({
        "kind": "census",
        "version": 1,
        "opcodes": opcodes.collect::<Vec<_>>(),
        "natives": natives.collect::<Vec<_>>(),
        "maps": maps.collect::<Vec<_>>(),
    })
}

fn head(columns: &[(&str, Align)]) -> Table {
    Table::new(columns.iter().map(|&(name, align)| (name.to_owned(), align)))
}

fn tables(out: &mut dyn Write, census: &Census) -> io::Result<()> {
    let mut opcodes = head(&[("opcode", Align::Left), ("name", Align::Left), ("count", Align::Right)]);
    for row in &census.opcodes {
        opcodes.row(out, vec![format!("{:02X}", row.opcode), row.name.to_owned(), row.count.to_string()])?;
    }
    opcodes.finish(out)?;
    writeln!(out)?;
    let columns = [
        ("id", Align::Right),
        ("native", Align::Left),
        ("kind", Align::Left),
        ("count", Align::Right),
        ("maps", Align::Right),
    ];
    let mut natives = head(&columns);
    for row in &census.natives {
        let cells =
            [row.id.to_string(), plain(&row.name), row.kind.to_string(), row.count.to_string(), row.maps.to_string()];
        natives.row(out, cells.to_vec())?;
    }
    natives.finish(out)?;
    writeln!(out)?;
    let columns = [
        ("map", Align::Left),
        ("definitions", Align::Right),
        ("programs", Align::Right),
        ("refused", Align::Right),
        ("statements", Align::Right),
    ];
    let mut maps = head(&columns);
    for map in &census.maps {
        let cells = [map.definitions, map.programs, map.refused, map.statements].map(|n| n.to_string());
        maps.row(out, std::iter::once(plain(&map.name)).chain(cells).collect())?;
    }
    maps.finish(out)?;
    writeln!(out)?;
    let total = |of: fn(&crate::import::game::census::MapUse) -> u64| census.maps.iter().map(of).sum::<u64>();
    writeln!(
        out,
        "{}, {}, {}",
        count(census.maps.len() as u64, "map"),
        count(total(|map| map.programs), "program"),
        count(total(|map| map.statements), "statement")
    )
}
