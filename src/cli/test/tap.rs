//! The report in the Test Anything Protocol, version 13.

use std::fmt::Write;

use super::report::{Case, Round, Status};
use crate::cli::{output::plain, problem::Problem};

pub(super) fn write(round: &Round) -> Result<String, Problem> {
    let n = round.cases.len() + round.broken.len();
    let mut text = format!("TAP version 13\n1..{n}\n");
    if let Some(seed) = round.shuffle {
        let _ = writeln!(text, "# order of --shuffle={seed}");
    }
    for (at, case) in round.cases.iter().enumerate() {
        line(&mut text, round, case, at + 1);
    }
    for (at, broken) in round.broken.iter().enumerate() {
        let _ = writeln!(text, "not ok {} - {}", round.cases.len() + at + 1, description(&broken.file));
        details(&mut text, &broken.failure.to_string(), &broken.failure.report(), None);
    }
    Ok(text)
}

fn line(text: &mut String, round: &Round, case: &Case, number: usize) {
    let name = description(&format!("{}: {}", round.file(case.place), round.declared(case.place).name));
    let _ = match case.status() {
        Status::Passed => writeln!(text, "ok {number} - {name}"),
        Status::Failed => writeln!(text, "not ok {number} - {name}"),
        Status::Skipped => {
            writeln!(
                text,
                "ok {number} - {name} # SKIP {}",
                plain(case.skipped().unwrap_or_default()).replace('#', "\\#")
            )
        }
        Status::NotRun => writeln!(text, "ok {number} - {name} # SKIP not run: another scenario failed"),
    };
    let seed = round.seed_of(case.place);
    match case.failure() {
        Some(failure) => details(text, &failure.to_string(), &failure.report(), Some(seed)),
        None => {
            let _ = writeln!(text, "# seed {seed}");
        }
    }
}

/// A description without what TAP would take for a directive.
fn description(text: &str) -> String {
    plain(text).replace('#', "\\#")
}

/// A block of YAML, in which a JSON text is a text too.
fn details(text: &mut String, message: &str, report: &str, seed: Option<u32>) {
    let _ = writeln!(text, "  ---\n  message: {}", serde_json::Value::from(plain(message)));
    if let Some(seed) = seed {
        let _ = writeln!(text, "  seed: {seed}");
    }
    text.push_str("  report: |\n");
    for line in report.trim_end().lines() {
        let _ = writeln!(text, "    {}", plain(line));
    }
    text.push_str("  ...\n");
}
