//! Work on several threads: each has a runner of its own, and results come back in order.

use std::{
    io::{self, IsTerminal},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::{
    TestArguments,
    discover::Found,
    plan::Plan,
    report::{Broken, Case, Place, Round},
};
use crate::{
    expect::Declared,
    import::script_from_file,
    scenario::{Coverage, Failure, FailureKind, Outcome, Runner, Settings, Suite, Verdict},
};

/// Bytes of a worker's stack: as much as a main thread has.
const STACK: usize = 8 << 20;
/// Runs from which on a terminal shows how far they are.
const SHOWS_PROGRESS: usize = 50;

/// All files with what they declare.
pub(super) struct Collected {
    pub(super) suites: Vec<Suite>,
    pub(super) broken: Vec<Broken>,
}

impl Collected {
    pub(super) fn declared(&self, place: Place) -> &Declared {
        &self.suites[place.suite].scenarios[place.index]
    }

    pub(super) fn file(&self, place: Place) -> &str {
        &self.suites[place.suite].source.name
    }

    /// Every scenario in the order of declaration.
    pub(super) fn places(&self) -> Vec<Place> {
        let of = |(suite, of): (usize, &Suite)| (0..of.scenarios.len()).map(move |index| Place { suite, index });
        self.suites.iter().enumerate().flat_map(of).collect()
    }
}

fn settings(arguments: &TestArguments) -> Settings {
    Settings {
        updates: arguments.max_updates,
        local_trace: arguments.local_trace.into(),
        seed: arguments.seed,
        update_goldens: arguments.update,
        coverage: arguments.coverage,
        digest: arguments.repeat > 1,
        ..Settings::default()
    }
}

/// Reads what the files declare.
pub(super) fn collect(arguments: &TestArguments, files: Vec<Found>) -> Collected {
    let read = parallel(arguments, files.len(), |runner, at| (read(runner, &files[at]), false), &ProgressBar::hidden());
    let mut collected = Collected { suites: Vec::new(), broken: Vec::new() };
    for (found, read) in files.iter().zip(read) {
        let file = found.path.display().to_string();
        match read {
            Some(Ok(suite)) if suite.scenarios.is_empty() && !found.named => {}
            Some(Ok(suite)) if suite.scenarios.is_empty() => {
                let failure = Failure::new(FailureKind::File, &file, None, "the script declares no scenarios");
                collected.broken.push(Broken { file, failure });
            }
            Some(Ok(suite)) => collected.suites.push(suite),
            Some(Err(failure)) => collected.broken.push(Broken { file, failure }),
            None => {}
        }
    }
    collected
}

fn read(runner: &mut Runner, found: &Found) -> Result<Suite, Failure> {
    let file = found.path.display().to_string();
    let failed = |reason: String| Failure::new(FailureKind::File, &file, None, reason);
    let source = script_from_file(Path::new(&found.path))
        .map_err(|error| failed(error.0.first().map_or_else(|| error.to_string(), |fault| fault.reason.clone())))?;
    let collected = catch_unwind(AssertUnwindSafe(|| runner.collect(&source)));
    collected.unwrap_or_else(|_| Err(failed("the file could not be evaluated: the runner panicked".to_owned())))
}

/// Runs the scenarios.
pub(super) fn run(arguments: &TestArguments, collected: Collected, plan: Plan) -> Round {
    let Plan { order, shuffle, left_out } = plan;
    let Collected { suites, broken } = collected;
    let work = |runner: &mut Runner, at: usize| {
        let Place { suite, index } = order[at];
        let outcome = repeated(arguments, runner, &suites[suite], index);
        let ends = arguments.fail_fast && matches!(outcome.verdict, Verdict::Failed(_));
        (outcome, ends)
    };
    let bar = progress(order.len());
    let mut outcomes = parallel(arguments, order.len(), work, &bar);
    bar.finish_and_clear();
    // What ran after the first failure did so by chance.
    if arguments.fail_fast {
        let failed = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome { verdict: Verdict::Failed(_), .. }));
        let end = outcomes.iter().position(failed).map_or(outcomes.len(), |at| at + 1);
        outcomes[end..].fill_with(|| None);
    }
    let coverage = arguments.coverage.then(|| {
        let mut whole = Coverage::default();
        outcomes.iter().flatten().filter_map(|outcome| outcome.coverage.as_ref()).for_each(|of| whole.merge(of));
        whole
    });
    let mut cases: Vec<Case> = order.iter().zip(outcomes).map(|(&place, outcome)| Case { place, outcome }).collect();
    cases.sort_by_key(|case| case.place);
    Round { suites, broken, cases, shuffle, seed: arguments.seed, left_out, coverage }
}

/// Runs a scenario as often as is asked for.
fn repeated(arguments: &TestArguments, runner: &mut Runner, suite: &Suite, index: usize) -> Outcome {
    let first = once(arguments, runner, suite, index);
    for run in 2..=arguments.repeat {
        let other = once(arguments, runner, suite, index);
        if other != first {
            let what = difference(&first, &other);
            let declared = &suite.scenarios[index];
            let reason = format!("run {run} of {} differs from the first in {what}", arguments.repeat);
            let failure = Failure::new(FailureKind::Unsteady, &suite.source.name, declared.line, reason);
            return Outcome { verdict: Verdict::Failed(Box::new(failure)), ..first };
        }
    }
    first
}

fn difference(a: &Outcome, b: &Outcome) -> &'static str {
    match () {
        () if a.verdict != b.verdict => "how it ends",
        () if a.printed != b.printed => "what it prints",
        () if a.updates != b.updates => "how many updates it takes",
        () => "its trace",
    }
}

fn once(arguments: &TestArguments, runner: &mut Runner, suite: &Suite, index: usize) -> Outcome {
    let seconds = suite.scenarios[index].seconds.unwrap_or(arguments.timeout);
    let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let begun = Instant::now();
    let mut stop = || (begun.elapsed() > limit).then(|| format!("the scenario took more than {seconds} seconds"));
    let run = catch_unwind(AssertUnwindSafe(|| runner.run(suite, index, &mut stop)));
    run.unwrap_or_else(|_| {
        // What the runner has left is not to be trusted.
        *runner = Runner::new(settings(arguments));
        let declared = &suite.scenarios[index];
        let reason = "the runner panicked";
        let failure = Failure::new(FailureKind::Panic, &suite.source.name, declared.line, reason);
        Outcome::failed(failure, arguments.seed.unwrap_or(suite.scene.seed))
    })
}

/// Does `n` pieces of work, begun in order. After one that ends the rest, none is begun that is not begun yet; those
/// before it are all done.
fn parallel<T: Send>(
    arguments: &TestArguments,
    n: usize,
    work: impl Fn(&mut Runner, usize) -> (T, bool) + Sync,
    bar: &ProgressBar,
) -> Vec<Option<T>> {
    let jobs = arguments.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(n));
    let results = Mutex::new((0..n).map(|_| None).collect::<Vec<Option<T>>>());
    let worker = || {
        let mut runner = Runner::new(settings(arguments));
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= end.load(Ordering::Relaxed) {
                break;
            }
            let (result, ends) = work(&mut runner, at);
            if ends {
                end.fetch_min(at, Ordering::Relaxed);
            }
            if let Ok(mut results) = results.lock() {
                results[at] = Some(result);
            }
            bar.inc(1);
        }
    };
    thread::scope(|scope| {
        let worker = &worker;
        let spawned: Vec<_> =
            (0..jobs.min(n)).map(|_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker)).collect();
        // A system without threads still gets its work done.
        if spawned.iter().all(Result::is_err) {
            worker();
        }
    });
    results.into_inner().unwrap_or_default()
}

/// Long runs show how far they are, on a terminal only.
fn progress(n: usize) -> ProgressBar {
    if !io::stderr().is_terminal() || n < SHOWS_PROGRESS {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(n as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} scenarios, {eta} left");
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_before_the_end_is_done() {
        use clap::Parser;
        #[derive(Parser)]
        struct Whole {
            #[command(flatten)]
            test: TestArguments,
        }
        let arguments = Whole::parse_from(["test", "--jobs", "4"]).test;
        let done = parallel(&arguments, 100, |_, at| (at, at == 40), &ProgressBar::hidden());
        assert!(done[..=40].iter().enumerate().all(|(at, done)| *done == Some(at)));
    }
}
