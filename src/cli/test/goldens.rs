//! Rewriting goldens: each whole or not at all, with a review of what changes.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

use serde_json::{Map, Value};

use super::report::{Round, Status};
use crate::{
    cli::{
        output::{cannot_write, count, plain},
        problem::Problem,
        run::write_whole,
    },
    trace::compare,
};

/// Changed values that are shown of one golden.
const MOST_SHOWN: usize = 40;

struct Change<'r> {
    scenario: String,
    before: Option<&'r str>,
    after: &'r str,
}

/// Writes what the scenarios that passed left, and shows what changes.
pub(super) fn write(round: &Round, out: &mut Vec<u8>) -> Result<(), Problem> {
    for (path, change) in changes(round)? {
        if change.before == Some(change.after) {
            continue;
        }
        review(&path, &change, out).map_err(cannot_write)?;
        let failed = |error| Problem::io(format!("cannot write the golden {}", path.display()), error);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        write_whole(&path, &mut change.after.as_bytes()).map_err(failed)?;
    }
    Ok(())
}

/// Every golden with its new text. Two scenarios that want different texts are told, and nothing is written.
fn changes(round: &Round) -> Result<BTreeMap<PathBuf, Change<'_>>, Problem> {
    let mut changes: BTreeMap<PathBuf, Change<'_>> = BTreeMap::new();
    for case in round.cases.iter().filter(|case| case.status() == Status::Passed) {
        let scenario = format!("{}: {}", round.file(case.place), round.declared(case.place).name);
        for golden in case.outcome.iter().flat_map(|outcome| &outcome.goldens) {
            let (Some(path), Some((before, after))) = (&golden.path, &golden.texts) else { continue };
            let change = Change { scenario: scenario.clone(), before: before.as_deref(), after };
            match changes.get(path) {
                Some(other) if other.after != change.after => {
                    let path = path.display();
                    let reason = format!("\"{}\" and \"{scenario}\" leave different traces", other.scenario);
                    return Err(Problem::Other(format!("no golden is written: {path}: {reason}")));
                }
                _ => drop(changes.insert(path.clone(), change)),
            }
        }
    }
    Ok(changes)
}

type Lines = BTreeMap<(u64, String), Map<String, Value>>;

/// The header under its own key, and lines by update and actor.
fn lines(text: &str) -> Lines {
    let objects = text.lines().filter_map(|line| serde_json::from_str::<Map<String, Value>>(line).ok());
    let place = |values: &Map<String, Value>| {
        let tick = values.get("tick").and_then(Value::as_u64);
        let actor = values.get("actor").and_then(Value::as_str);
        tick.zip(actor).map_or((0, String::new()), |(tick, actor)| (tick, actor.to_owned()))
    };
    objects.map(|values| (place(&values), values)).collect()
}

fn review(path: &std::path::Path, change: &Change<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    let after = lines(change.after);
    let head = plain(&format!("golden {} ({})", path.display(), change.scenario));
    let Some(before) = change.before.map(lines) else {
        return writeln!(out, "{head}: new, {}\n", count(after.len().saturating_sub(1) as u64, "line"));
    };
    writeln!(out, "{head}:")?;
    let mut rows = Vec::new();
    for key @ (tick, actor) in before.keys().chain(after.keys().filter(|key| !before.contains_key(*key))) {
        let place = if actor.is_empty() { "header".to_owned() } else { format!("update {tick}, {actor}") };
        match (before.get(key), after.get(key)) {
            (Some(a), Some(b)) => rows.extend(compare::rows(a, b).into_iter().map(|of| {
                let value = |value: Option<String>| value.unwrap_or_else(|| "nothing".to_owned());
                format!("  {place}, {}\n    - {}\n    + {}", of.path, value(of.a), value(of.b))
            })),
            (Some(_), None) => rows.push(format!("  - {place}")),
            (None, _) => rows.push(format!("  + {place}")),
        }
    }
    for row in rows.iter().take(MOST_SHOWN) {
        writeln!(out, "{}", row.lines().map(plain).collect::<Vec<_>>().join("\n"))?;
    }
    if rows.len() > MOST_SHOWN {
        writeln!(out, "  and {} more", rows.len() - MOST_SHOWN)?;
    }
    writeln!(out)
}
