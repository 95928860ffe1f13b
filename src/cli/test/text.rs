//! The report for people.

use std::io::{self, IsTerminal, Write};

use super::{
    TestArguments, coverage,
    plan::Plan,
    pool::Collected,
    report::{Case, Round, Status},
};
use crate::cli::{
    Outcome,
    output::{count, message, plain, plain_lines, to_stdout},
    problem::Problem,
};

/// Printed lines of a failed scenario that are shown; the last ones.
const MOST_PRINTED: usize = 100;

/// `--list`: one scenario a line.
pub(super) fn list(collected: &Collected, plan: &Plan) -> Result<Outcome, Problem> {
    for broken in &collected.broken {
        message(plain_lines(&broken.failure.report()));
    }
    to_stdout(|out| {
        for &place in &plan.order {
            let declared = collected.declared(place);
            let tags =
                if declared.tags.is_empty() { String::new() } else { format!(" [{}]", declared.tags.join(", ")) };
            writeln!(out, "{}", plain(&format!("{}: {}{tags}", collected.file(place), declared.name)))?;
        }
        Ok(())
    })?;
    Ok(if collected.broken.is_empty() { Outcome::Held } else { Outcome::Failed })
}

/// Words in colour, on a terminal only, and not against `NO_COLOR`.
struct Paint {
    on: bool,
}

impl Paint {
    fn new(arguments: &TestArguments) -> Self {
        let is_terminal =
            if arguments.takes_stdout() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        Self { on: is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    fn word(&self, status: Status) -> String {
        let (word, colour) = match status {
            Status::Passed => ("ok     ", 32),
            Status::Failed => ("FAILED ", 31),
            Status::Skipped => ("skipped", 33),
            Status::NotRun => ("not run", 2),
        };
        if self.on { format!("\u{1b}[{colour}m{word}\u{1b}[0m") } else { word.to_owned() }
    }
}

/// All scenarios by file, what failed in detail, and the summary.
pub(super) fn write(arguments: &TestArguments, round: &Round, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint::new(arguments);
    if !arguments.quiet {
        cases(round, &paint, out)?;
    }
    for broken in &round.broken {
        let (word, file) = (paint.word(Status::Failed), plain(&broken.file));
        writeln!(out, "{word} {file}\n{}\n", indented(&plain_lines(&broken.failure.report())))?;
    }
    for case in &round.cases {
        failure(round, case, &paint, out)?;
    }
    if let Some(coverage) = &round.coverage {
        coverage::write(coverage, out)?;
    }
    writeln!(out, "{}", summary(round))
}

fn cases(round: &Round, paint: &Paint, out: &mut dyn Write) -> io::Result<()> {
    let mut file = None;
    for case in &round.cases {
        if file != Some(case.place.suite) {
            file = Some(case.place.suite);
            writeln!(out, "{}", plain(round.file(case.place)))?;
        }
        let why = case.skipped().map(|why| format!(": {why}")).unwrap_or_default();
        let name = plain(&format!("{}{why}", round.declared(case.place).name));
        writeln!(out, "  {} {name}", paint.word(case.status()))?;
    }
    writeln!(out)
}

fn failure(round: &Round, case: &Case, paint: &Paint, out: &mut dyn Write) -> io::Result<()> {
    let (Some(failure), Some(outcome)) = (case.failure(), &case.outcome) else { return Ok(()) };
    let place = plain(&format!("{}: {}", round.file(case.place), round.declared(case.place).name));
    writeln!(out, "{} {place}", paint.word(Status::Failed))?;
    writeln!(out, "{}", indented(&plain_lines(&failure.report())))?;
    if !outcome.printed.is_empty() {
        writeln!(out, "    printed:")?;
        let left_out = outcome.printed.len().saturating_sub(MOST_PRINTED);
        if left_out > 0 {
            writeln!(out, "      ({} before)", count(left_out as u64, "line"))?;
        }
        for line in outcome.printed[left_out..].iter().flat_map(|text| text.split('\n')) {
            writeln!(out, "      {}", plain(line))?;
        }
    }
    writeln!(out, "    {}, seed {}\n", count(outcome.updates, "update"), outcome.seed)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// How many ended how, and the seeds that repeat the run.
pub(super) fn summary(round: &Round) -> String {
    let mut parts = vec![format!("{} passed", round.count(Status::Passed))];
    for (status, word) in [(Status::Failed, "failed"), (Status::Skipped, "skipped"), (Status::NotRun, "not run")] {
        match round.count(status) {
            0 if status != Status::Failed => {}
            n => parts.push(format!("{n} {word}")),
        }
    }
    if round.left_out > 0 {
        parts.push(format!("{} left out by only", round.left_out));
    }
    if !round.broken.is_empty() {
        parts.push(format!("{} cannot be used", count(round.broken.len() as u64, "file")));
    }
    let seeds: Vec<String> = round.seeds().iter().take(10).map(u32::to_string).collect();
    let seeds = format!("seed{} {}", if seeds.len() == 1 { "" } else { "s" }, seeds.join(", "));
    let order = round.shuffle.map(|seed| format!("; order of --shuffle={seed}")).unwrap_or_default();
    format!("{}: {}; {seeds}{order}", count(round.cases.len() as u64, "scenario"), parts.join(", "))
}
