//! The words for what differs.

use std::io::{self, Write};

use serde_json::{Map, Value};

use super::{
    super::{
        fields::{Aligned, cell, kind},
        read::Row,
    },
    First, What,
};
use crate::{
    cli::output::{Align, Table, count, plain},
    trace::compare::{self, Difference},
};

/// Columns of the table beside those that differ.
const COLUMNS: [&str; 8] = ["group", "pending", "cursor", "real_frame", "frame", "state", "weapon_drawn", "shown"];

/// Differing values that are listed one by one.
const MAX_LISTED: usize = 40;

/// Characters of one value that are shown.
const MAX_SHOWN: usize = 160;

pub(super) fn equal(out: &mut dyn Write, header: &Map<String, Value>, note: Option<&str>) -> io::Result<()> {
    let n_updates = header.get("updates").and_then(Value::as_u64).unwrap_or(0);
    let n_actors = header.get("actors").and_then(Value::as_array).map_or(0, Vec::len);
    let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
    writeln!(out, "the traces are equal: {}, {}{note}", count(n_updates, "update"), count(n_actors as u64, "actor"))
}

pub(super) fn names(out: &mut dyn Write, names: &[String; 2]) -> io::Result<()> {
    writeln!(out, "A is {}\nB is {}", plain(&names[0]), plain(&names[1]))
}

pub(super) fn headers(out: &mut dyn Write, differences: &[Difference]) -> io::Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    writeln!(out, "the headers differ:")?;
    list(out, differences)
}

pub(super) fn first(out: &mut dyn Write, first: &First) -> io::Result<()> {
    let [line_a, line_b] = first.found.lines;
    let [name_a, name_b] = first.names.each_ref().map(|name| plain(name));
    let places = format!("({name_a}:{line_a}, {name_b}:{line_b})");
    match &first.found.what {
        What::Values { a, differences, .. } => {
            writeln!(out, "first difference: update {}, actor {} {places}", a.tick, plain(&a.actor))?;
            list(out, differences)?;
            around(out, first, differences, a)
        }
        What::Order { a, b } => {
            writeln!(out, "first difference: {} {places}", order(a.as_ref(), b.as_ref()))?;
            let earlier = a.iter().chain(b).min_by_key(|row| row.tick);
            earlier.map_or(Ok(()), |row| around(out, first, &[], row))
        }
        What::Events { a, b } => events(out, a.as_ref(), b.as_ref(), &places),
    }
}

/// How two traces go on differently.
fn order(a: Option<&Row>, b: Option<&Row>) -> String {
    let goes_on = |row: &Row| format!("update {}, actor {}", row.tick, plain(&row.actor));
    match (a, b) {
        (Some(a), Some(b)) => format!("A goes on with {}, B with {}", goes_on(a), goes_on(b)),
        (Some(a), None) => format!("B ends, A goes on with {}", goes_on(a)),
        (None, Some(b)) => format!("A ends, B goes on with {}", goes_on(b)),
        (None, None) => "the traces go on differently".to_owned(),
    }
}

fn events(
    out: &mut dyn Write,
    a: Option<&Map<String, Value>>,
    b: Option<&Map<String, Value>>,
    places: &str,
) -> io::Result<()> {
    let Some(event) = a.or(b) else { return Ok(()) };
    let text = |key: &str| event.get(key).and_then(Value::as_str).map(plain).unwrap_or_default();
    let tick = event.get("tick").map(Value::to_string).unwrap_or_default();
    writeln!(out, "first difference: update {tick}, actor {}, event {} {places}", text("actor"), text("event"))?;
    if let (Some(a), Some(b)) = (a, b) {
        return list(out, &compare::exact(a, b));
    }
    for (side, event) in [("A", a), ("B", b)] {
        match event {
            Some(event) => writeln!(out, "  {side}: {}", shown(&Value::Object(event.clone()).to_string()))?,
            None => writeln!(out, "  {side}: no event here")?,
        }
    }
    Ok(())
}

/// The differing values, one a line.
fn list(out: &mut dyn Write, differences: &[Difference]) -> io::Result<()> {
    let head = ["  field", "A", "B"].map(|name| (name.to_owned(), Align::Left));
    let mut table = Table::new(head);
    let text = |value: &Option<String>| value.as_deref().map_or("nothing".to_owned(), shown);
    for difference in differences.iter().take(MAX_LISTED) {
        let cells = vec![format!("  {}", plain(&difference.path)), text(&difference.a), text(&difference.b)];
        table.row(out, cells)?;
    }
    table.finish(out)?;
    match differences.len().saturating_sub(MAX_LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more"),
    }
}

/// A value, cut when it is long.
fn shown(text: &str) -> String {
    let mut shown = plain(text);
    if let Some((end, _)) = shown.char_indices().nth(MAX_SHOWN) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// The updates around the difference: a row for both traces where they agree, else one for each.
fn around(out: &mut dyn Write, first: &First, differences: &[Difference], subject: &Row) -> io::Result<()> {
    let mut columns = COLUMNS.to_vec();
    for difference in differences {
        let key = difference.path.split(['[', '.']).next().unwrap_or_default();
        if !columns.contains(&key) {
            columns.push(key);
        }
    }
    let head = columns.iter().map(|&key| (plain(key), kind(key).map_or(Align::Left, |kind| kind.align())));
    let front = [("", Align::Left), ("update", Align::Right), ("in", Align::Left)];
    let mut table = Table::new(front.into_iter().map(|(name, align)| (name.to_owned(), align)).chain(head));
    writeln!(out, "around it, actor {}:", plain(&subject.actor))?;
    for (side, row) in merged(first) {
        let mark = if row.tick == subject.tick { " >" } else { "  " };
        let mut cells = vec![mark.to_owned(), row.tick.to_string(), side.to_owned()];
        cells.extend(columns.iter().map(|&key| shown(&cell(kind(key), row.values.get(key)))));
        table.row(out, cells)?;
    }
    table.finish(out)
}

/// The rows of both traces by update.
fn merged(first: &First) -> Vec<(&'static str, &Row)> {
    let mut rows: Vec<_> = first.before.iter().map(|row| ("both", row)).collect();
    let (mut a, mut b) = (first.from_a.iter().peekable(), first.from_b.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return rows,
            (Some(in_a), Some(in_b)) if in_a.tick == in_b.tick => {
                if compare::rows(&in_a.values, &in_b.values).is_empty() {
                    rows.push(("both", in_a));
                } else {
                    rows.extend([("A", *in_a), ("B", *in_b)]);
                }
                a.next();
                b.next();
            }
            (Some(in_a), other) if other.is_none_or(|in_b| in_a.tick < in_b.tick) => {
                rows.extend(a.next().map(|row| ("A", row)));
            }
            _ => rows.extend(b.next().map(|row| ("B", row))),
        }
    }
}
