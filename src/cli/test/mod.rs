//! `soup386 test`: runs the scenarios of script files and reports on them.

mod cache;
mod coverage;
mod discover;
mod goldens;
mod json;
mod junit;
mod plan;
mod pool;
mod report;
mod tap;
mod text;
mod watch;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;

use self::report::Round;
use super::{
    Outcome,
    output::{cannot_write, message, plain_lines},
    problem::Problem,
    run::write_whole,
};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 test scripts/\n  soup386 test --tag draw --jobs 4 --junit report.xml scripts/weapon_rules.lua"
)]
pub(crate) struct TestArguments {
    /// Script files, and folders in which scripts that declare scenarios are looked for.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Only scenarios whose name, or file and name, contain this text; can be given several times.
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Only scenarios with this tag; can be given several times.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// List the scenarios and run none.
    #[arg(long)]
    list: bool,
    /// How many run at once; without it as many as there are processors.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Run nothing after the first failure.
    #[arg(long)]
    fail_fast: bool,
    /// Begin with the scenarios that failed last time.
    #[arg(long)]
    failed_first: bool,
    /// Run in a random order, which the seed repeats.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true)]
    shuffle: Option<Option<u64>>,
    /// Run every scenario so often; it fails when two runs differ.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repeat: u32,
    /// Write goldens that differ or are missing, and show what changes.
    #[arg(long)]
    update: bool,
    /// Run again what a changed file touches, until interrupted.
    #[arg(long, conflicts_with = "list")]
    watch: bool,
    /// Fail when a scenario is declared with only; so does CI=true.
    #[arg(long)]
    forbid_only: bool,
    /// Updates after which a scenario is ended, unless it says otherwise.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_updates: u64,
    /// Seconds after which a scenario is ended, unless it says otherwise.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    timeout: f64,
    /// Start state of the random numbers: replaces the scenes'.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// How many updates of the actors involved a failure shows, unless the scenario says otherwise.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(0..=100))]
    local_trace: u16,
    /// Show which natives, animation commands, gates and ways of the weapon the run reached, and which not.
    #[arg(long)]
    coverage: bool,
    /// Show failures and the summary only.
    #[arg(long, short)]
    quiet: bool,
    /// Write a report in the Test Anything Protocol, whole or not at all; - is stdout.
    #[arg(long, value_name = "FILE")]
    tap: Option<PathBuf>,
    /// Write a JUnit report, whole or not at all; - is stdout.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a JSON report, whole or not at all; - is stdout.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Makes the text of a report.
type Writer = fn(&Round) -> Result<String, Problem>;

fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if value > 0.0 && value <= 86_400.0 {
        Ok(value)
    } else {
        Err("expected a number above 0, at most 86400".to_owned())
    }
}

impl TestArguments {
    /// The report files with what writes them.
    fn reports(&self) -> [(&Option<PathBuf>, Writer); 3] {
        [(&self.tap, tap::write), (&self.junit, junit::write), (&self.json, json::write)]
    }

    /// Whether a report has stdout for itself; the text then goes to stderr.
    fn takes_stdout(&self) -> bool {
        self.reports().iter().any(|(target, _)| target.as_deref() == Some(Path::new("-")))
    }

    /// Finds out now what would cost a whole run later.
    fn check(&self) -> Result<(), Problem> {
        let targets: Vec<&PathBuf> = self.reports().into_iter().filter_map(|(target, _)| target.as_ref()).collect();
        if targets.iter().filter(|target| **target == Path::new("-")).count() > 1 {
            return Err(Problem::Other("only one report can go to stdout".to_owned()));
        }
        for target in targets {
            let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let (target, folder) = (target.display(), folder.display());
                return Err(Problem::Other(format!("cannot write the report {target}: there is no folder {folder}")));
            }
        }
        Ok(())
    }

    fn forbids_only(&self) -> bool {
        self.forbid_only || std::env::var_os("CI").is_some_and(|value| value == "true")
    }
}

pub(crate) fn run(arguments: &TestArguments) -> Result<Outcome, Problem> {
    arguments.check()?;
    if arguments.watch {
        return watch::run(arguments);
    }
    let files = discover::files(&arguments.paths)?;
    if files.is_empty() {
        return Err(Problem::Other(format!("no script in {} declares scenarios", shown(&arguments.paths))));
    }
    let collected = pool::collect(arguments, files);
    let plan = plan::make(arguments, &collected)?;
    if arguments.list {
        return text::list(&collected, &plan);
    }
    let round = pool::run(arguments, collected, plan);
    finish(arguments, &round)
}

/// Writes goldens, reports, the text and what failed; how it went.
fn finish(arguments: &TestArguments, round: &Round) -> Result<Outcome, Problem> {
    if arguments.update {
        let mut shown = Vec::new();
        let written = goldens::write(round, &mut shown);
        say(arguments, &shown)?;
        written?;
    }
    cache::remember(round);
    for (target, write) in arguments.reports() {
        let Some(target) = target else { continue };
        let report = write(round)?;
        let failed = |error| Problem::io(format!("cannot write the report {}", target.display()), error);
        match target == Path::new("-") {
            true => io::stdout().lock().write_all(report.as_bytes()).map_err(failed)?,
            false => write_whole(target, &mut report.as_bytes()).map_err(failed)?,
        }
    }
    if round.cases.is_empty() {
        round.broken.iter().for_each(|broken| message(plain_lines(&broken.failure.report())));
        return Err(Problem::Other("no scenario could be run".to_owned()));
    }
    let mut shown = Vec::new();
    text::write(arguments, round, &mut shown).map_err(cannot_write)?;
    say(arguments, &shown)?;
    Ok(if round.holds() { Outcome::Held } else { Outcome::Failed })
}

/// The text for people: to stdout, unless a report has that for itself.
fn say(arguments: &TestArguments, text: &[u8]) -> Result<(), Problem> {
    if arguments.takes_stdout() {
        // Nothing is left to be said when stderr is gone.
        let _ = io::stderr().write_all(text);
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(cannot_write)
}

fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
