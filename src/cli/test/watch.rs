//! `--watch`: runs again what a changed file touches.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

use notify::{EventKind, RecursiveMode, Watcher, recommended_watcher};

use super::{TestArguments, discover, finish, plan, pool, report::Round};
use crate::cli::{Outcome, output::message, problem::Problem};

/// Changes so close together are taken for one: editors write a file in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// The files that each scenario file reads, its own included, by its path. All are absolute.
type Reads = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

pub(super) fn run(arguments: &TestArguments) -> Result<Outcome, Problem> {
    let (sender, changes) = mpsc::channel();
    let failed = |error: notify::Error| Problem::Other(format!("cannot watch files: {error}"));
    let mut watcher = recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        if !matches!(event.kind, EventKind::Access(_)) {
            // The receiver is there for as long as the command runs.
            let _ = sender.send(event.paths);
        }
    })
    .map_err(failed)?;
    let mut watched = BTreeSet::new();
    let mut reads = Reads::new();
    let mut changed: Option<BTreeSet<PathBuf>> = None;
    loop {
        round(arguments, changed.as_ref(), &mut reads);
        for folder in folders(arguments, &reads) {
            if watched.insert(folder.clone()) {
                watcher.watch(&folder, RecursiveMode::Recursive).map_err(failed)?;
            }
        }
        message(format_args!("watching {}; stop with Ctrl-C", super::shown(&arguments.paths)));
        changed = Some(next_change(&changes)?);
    }
}

/// Waits for changes until there are none for a moment.
fn next_change(changes: &mpsc::Receiver<Vec<PathBuf>>) -> Result<BTreeSet<PathBuf>, Problem> {
    let stopped = |_| Problem::Other("files are no longer watched".to_owned());
    let mut changed: BTreeSet<PathBuf> = changes.recv().map_err(stopped)?.into_iter().collect();
    while let Ok(more) = changes.recv_timeout(SETTLED) {
        changed.extend(more);
    }
    Ok(changed)
}

/// Runs the files that a change touches; at first all. What goes wrong is shown, and the watch goes on.
fn round(arguments: &TestArguments, changed: Option<&BTreeSet<PathBuf>>, reads: &mut Reads) {
    let found = match discover::files(&arguments.paths) {
        Ok(found) => found,
        Err(problem) => return problem.print(),
    };
    let touched: Vec<_> = found
        .into_iter()
        .filter(|found| changed.is_none_or(|changed| is_touched(&absolute(&found.path), changed, reads)))
        .collect();
    if touched.is_empty() {
        if changed.is_none() {
            message("no script declares scenarios yet");
        }
        return;
    }
    let paths: Vec<PathBuf> = touched.iter().map(|found| absolute(&found.path)).collect();
    for path in &paths {
        reads.insert(path.clone(), BTreeSet::from([path.clone()]));
    }
    let collected = pool::collect(arguments, touched);
    let plan = match plan::make(arguments, &collected) {
        Ok(plan) => plan,
        Err(problem) => return problem.print(),
    };
    let round = pool::run(arguments, collected, plan);
    note_reads(&round, reads);
    if let Err(problem) = finish(arguments, &round) {
        problem.print();
    }
}

/// Whether one of the files that a scenario file reads has changed. A file that was not met before is new.
fn is_touched(path: &Path, changed: &BTreeSet<PathBuf>, reads: &Reads) -> bool {
    let Some(read) = reads.get(path) else { return true };
    let is_read = |changed: &PathBuf| {
        let changed = absolute(changed);
        // A model lies somewhere beneath the scene's folder; scenes do not say where once they are read.
        let script_like =
            changed.extension().is_some_and(|e| ["lua", "luau", "rhai", "jsonl", "toml"].iter().any(|k| e == *k));
        let beside_scene = || {
            let scenes = read.iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
            scenes.filter_map(|scene| scene.parent()).any(|folder| changed.is_file() && changed.starts_with(folder))
        };
        read.contains(&changed) || (!script_like && beside_scene())
    };
    changed.iter().any(is_read)
}

/// Enters what the scenario files of a round read: scene, its scripts, modules, goldens.
fn note_reads(round: &Round, reads: &mut Reads) {
    for (at, suite) in round.suites.iter().enumerate() {
        let Some(read) = reads.get_mut(&absolute(Path::new(&suite.source.name))) else { continue };
        read.extend(suite.scene_file.iter().chain(&suite.modules).map(|path| absolute(path)));
        let scripts = suite.scene.defs.actors().iter().filter_map(|record| record.script.as_ref());
        read.extend(scripts.map(|script| {
            let path = Path::new(&script.name);
            let beside = suite.scene_file.as_deref().and_then(Path::parent).map(|folder| folder.join(path));
            absolute(&beside.filter(|beside| beside.is_file()).unwrap_or_else(|| path.to_owned()))
        }));
        for outcome in round.cases.iter().filter(|case| case.place.suite == at).filter_map(|case| case.outcome.as_ref())
        {
            read.extend(outcome.modules.iter().map(|path| absolute(path)));
            read.extend(outcome.goldens.iter().filter_map(|golden| golden.path.as_deref()).map(absolute));
        }
    }
}

/// The folders in which something can change: those named, and those of all files read.
fn folders(arguments: &TestArguments, reads: &Reads) -> BTreeSet<PathBuf> {
    let folder = |path: &Path| if path.is_dir() { path.to_owned() } else { path.parent().unwrap_or(path).to_owned() };
    let named = arguments.paths.iter().map(|path| folder(&absolute(path)));
    let all: BTreeSet<PathBuf> = named.chain(reads.values().flatten().map(|path| folder(path))).collect();
    // A folder within another is watched with it.
    all.iter()
        .filter(|folder| folder.is_dir() && !folder.ancestors().skip(1).any(|above| all.contains(above)))
        .cloned()
        .collect()
}

/// The path from the root, with links resolved, as watchers tell it; of a file that is gone as good as can be.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
