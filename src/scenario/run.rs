//! Running one scenario.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use super::{
    Coverage, Failure, FailureKind, GoldenDifference, GoldenFile, Suite,
    collect::{beneath, whole_name, with_source},
    coverage::Watch,
    golden::Run,
    record::{Keep, Record},
};
use crate::{
    defs::{ModuleSource, Scene, ScriptSource},
    expect::{Broken, GoldenCall, Involved, Reached, Sheet},
    import::read_text,
    natives::{Host, Natives, NoHost},
    script::{Limits, ScriptError},
    update::{Options, Runtime},
};

/// Bytes of printed text that are kept of a scenario.
const MOST_PRINTED: usize = 1 << 20;

/// How scenarios are run.
#[derive(Clone)]
pub struct Settings {
    /// Budgets of scripts.
    pub limits: Limits,
    /// The registry.
    pub natives: Arc<Natives>,
    /// Makes the host of a scenario.
    pub host: Arc<dyn Fn() -> Box<dyn Host> + Send + Sync>,
    /// Updates after which a scenario is ended, unless it says otherwise.
    pub updates: u64,
    /// How many updates of the actors involved a failure shows, unless the scenario says otherwise.
    pub local_trace: usize,
    /// Start state of the random numbers, in place of the scene's.
    pub seed: Option<u32>,
    /// Whether goldens are to be rewritten: a difference is then no failure.
    pub update_goldens: bool,
    /// Whether to note what a run reaches.
    pub coverage: bool,
    /// Whether to sum up the whole trace in a number, to tell runs apart.
    pub digest: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            natives: Natives::shared(),
            host: Arc::new(|| Box::new(NoHost)),
            updates: 10_000,
            local_trace: 5,
            seed: None,
            update_goldens: false,
            coverage: false,
            digest: false,
        }
    }
}

/// How a scenario ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All expectations held.
    Passed,
    /// It said that it is not to run.
    Skipped(String),
    /// It failed.
    Failed(Box<Failure>),
}

/// How a golden compared.
#[derive(Clone, Debug, PartialEq)]
pub enum GoldenState {
    /// The trace is as it says.
    Same,
    /// There is none yet.
    Missing,
    /// The trace differs.
    Differs(Box<GoldenDifference>),
    /// It cannot be read.
    Unreadable(String),
}

/// A golden that a scenario compared.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenOutcome {
    /// Its name in the script.
    pub name: String,
    /// Its file, if the script has a folder.
    pub path: Option<PathBuf>,
    /// How it compared.
    pub state: GoldenState,
    /// Its text before, and with the values of this run; only while goldens are rewritten.
    pub texts: Option<(Option<String>, String)>,
}

/// What a run of a scenario left. Equal for equal files, whatever ran before or beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub verdict: Verdict,
    /// How many updates it took.
    pub updates: u64,
    /// Expectations that held.
    pub n_held: u64,
    /// Start state of the random numbers.
    pub seed: u32,
    /// What its scripts printed.
    pub printed: Vec<String>,
    /// The goldens that it compared.
    pub goldens: Vec<GoldenOutcome>,
    /// The modules that its scripts loaded.
    pub modules: BTreeSet<PathBuf>,
    /// What it reached, if that was wanted.
    pub coverage: Option<Coverage>,
    /// A number for the whole trace, if that was wanted.
    pub digest: Option<u64>,
}

impl Outcome {
    /// A run that failed before it took an update.
    #[must_use]
    pub fn failed(failure: Failure, seed: u32) -> Self {
        Self {
            verdict: Verdict::Failed(Box::new(failure)),
            updates: 0,
            n_held: 0,
            seed,
            printed: Vec::new(),
            goldens: Vec::new(),
            modules: BTreeSet::new(),
            coverage: None,
            digest: None,
        }
    }
}

/// Runs scenarios one after the other, on one thread. Others may run on other threads.
pub struct Runner {
    pub(super) settings: Settings,
    pub(super) runtime: Option<Runtime>,
    demo: Option<Scene>,
}

/// A run under way.
struct Session {
    record: Record,
    watch: Option<Watch>,
    printed: Vec<String>,
    n_printed: usize,
    goldens: Vec<GoldenOutcome>,
    /// A golden needs updates that were not kept.
    wants_all: bool,
}

impl Runner {
    /// A runner that has run nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, runtime: None, demo: None }
    }

    pub(super) fn demo(&mut self) -> Scene {
        self.demo.get_or_insert_with(Scene::demo).clone()
    }

    /// A world at load with the file as its director.
    pub(super) fn start(
        &mut self,
        source: &ScriptSource,
        scene: &Scene,
        sheet: Sheet,
    ) -> Result<&mut Runtime, Failure> {
        let Settings { limits, natives, host, seed, .. } = &self.settings;
        let scene = Scene { director: Some(source.clone()), seed: seed.unwrap_or(scene.seed), ..scene.clone() };
        let made = match self.runtime.take() {
            Some(mut runtime) => runtime.restart(scene).map(|()| runtime),
            None => {
                let natives = Arc::clone(natives);
                let options = Options { limits: *limits, natives, host: host(), ..Options::default() };
                Runtime::with_options(scene, options)
            }
        };
        let mut runtime = made.map_err(|error| match error {
            crate::error::Error::Script(error) => Failure::of_script(*error),
            other => Failure::new(FailureKind::File, &source.name, None, other.to_string()),
        })?;
        runtime.engine_mut().host = host();
        runtime.engine_mut().sheet = Some(Box::new(sheet));
        Ok(self.runtime.insert(runtime))
    }

    /// Runs the scenario at this position.
    ///
    /// `stop` is asked before every update whether the run is to end, and why: the place for a limit of time, which the
    /// library does not have.
    pub fn run(&mut self, suite: &Suite, index: usize, stop: &mut dyn FnMut() -> Option<String>) -> Outcome {
        let n_shown = self.n_shown(suite, index);
        let mut keep = if suite.source.text.contains("golden") { Keep::All } else { Keep::Last(n_shown) };
        loop {
            let (outcome, wants_all) = self.run_once(suite, index, keep, stop);
            // The same again, this time keeping everything.
            if !wants_all || keep == Keep::All {
                return outcome;
            }
            keep = Keep::All;
        }
    }

    fn n_shown(&self, suite: &Suite, index: usize) -> usize {
        let declared = suite.scenarios.get(index).and_then(|declared| declared.local_trace);
        declared.unwrap_or(self.settings.local_trace)
    }

    fn run_once(
        &mut self,
        suite: &Suite,
        index: usize,
        keep: Keep,
        stop: &mut dyn FnMut() -> Option<String>,
    ) -> (Outcome, bool) {
        let settings = self.settings.clone();
        let mut session = Session {
            record: Record::new(keep, settings.digest),
            watch: settings.coverage.then(Watch::default),
            printed: Vec::new(),
            n_printed: 0,
            goldens: Vec::new(),
            wants_all: false,
        };
        let mut sheet = Sheet::running(index);
        sheet.reached = settings.coverage.then(Box::<Reached>::default);
        let skipped = suite.skipped.clone().or_else(|| suite.scenarios.get(index).and_then(|of| of.skip.clone()));
        let verdict = match skipped {
            Some(why) => Verdict::Skipped(why),
            None => match self.start(&suite.source, &suite.scene, sheet) {
                Ok(runtime) => {
                    if let Some(watch) = &mut session.watch {
                        watch.begin(runtime.world());
                    }
                    self.drive(suite, index, &mut session, stop)
                }
                Err(failure) => Verdict::Failed(Box::new(failure)),
            },
        };
        self.outcome(suite, verdict, session)
    }

    fn outcome(&mut self, suite: &Suite, verdict: Verdict, session: Session) -> (Outcome, bool) {
        let Session { record, watch, printed, goldens, wants_all, .. } = session;
        let engine = self.runtime.as_mut().map(Runtime::engine_mut);
        let (updates, sheet) = engine.map_or((0, None), |engine| (engine.world.clock.updates, engine.sheet.take()));
        let mut coverage = watch.map(|watch| watch.coverage);
        if let (Some(coverage), Some(reached)) =
            (&mut coverage, sheet.as_ref().and_then(|sheet| sheet.reached.as_ref()))
        {
            coverage.add_reached(reached);
        }
        let verdict = match verdict {
            Verdict::Failed(failure) => Verdict::Failed(Box::new(with_source(*failure, &suite.source))),
            other => other,
        };
        let outcome = Outcome {
            verdict,
            updates,
            n_held: sheet.as_ref().map_or(0, |sheet| sheet.n_held),
            seed: self.settings.seed.unwrap_or(suite.scene.seed),
            printed,
            goldens,
            modules: sheet.map(|sheet| sheet.modules).unwrap_or_default(),
            coverage,
            digest: record.digest(),
        };
        (outcome, wants_all)
    }

    /// Updates until the scenario ends or fails.
    fn drive(
        &mut self,
        suite: &Suite,
        index: usize,
        session: &mut Session,
        stop: &mut dyn FnMut() -> Option<String>,
    ) -> Verdict {
        let Some(declared) = suite.scenarios.get(index) else {
            return Verdict::Failed(Box::new(Failure::new(
                FailureKind::File,
                &suite.source.name,
                None,
                "no such scenario",
            )));
        };
        let limit = declared.updates.unwrap_or(self.settings.updates);
        for done in 0_u64.. {
            let spent =
                if done >= limit { Some(format!("the scenario took more than {limit} updates")) } else { stop() };
            if let Some(reason) = spent {
                let file = if declared.file.is_empty() {
                    &suite.source.name
                } else {
                    whole_name(&suite.source, &declared.file)
                };
                let failure = Failure::new(FailureKind::Budget, file, declared.line, reason);
                return self.failed(suite, index, session, failure, None);
            }
            let Some(runtime) = &mut self.runtime else { break };
            if let Err(error) = runtime.update() {
                return Verdict::Failed(Box::new(self.panicked(&suite.source, &error)));
            }
            session.note(runtime);
            if let Some(verdict) = self.after_update(suite, index, session) {
                return verdict;
            }
        }
        Verdict::Passed
    }

    /// Whether the update ended the scenario, and how. What happened first decides.
    fn after_update(&mut self, suite: &Suite, index: usize, session: &mut Session) -> Option<Verdict> {
        let runtime = self.runtime.as_mut()?;
        let errors = runtime.drain_failures();
        let engine = runtime.engine_mut();
        let sheet = engine.sheet.as_mut()?;
        let calls = std::mem::take(&mut sheet.goldens);
        let (broken, skipped, began) = (sheet.broken.take(), sheet.skipped.take(), sheet.has_begun());
        for call in calls {
            let failure = self.compare_golden(suite, &call, session);
            if session.wants_all {
                return Some(Verdict::Passed);
            }
            if let Some(failure) = failure {
                return Some(self.failed(suite, index, session, failure, None));
            }
        }
        let (directors, actors): (Vec<_>, Vec<_>) = errors.into_iter().partition(|error| error.actor.is_none());
        let error = directors.into_iter().next();
        if let Some(broken) = broken {
            let Broken { place, mismatch, actors } = broken;
            let failure = expectation(suite, &place.file, place.line, &mismatch, error);
            return Some(self.failed(suite, index, session, failure, Some(actors)));
        }
        if let Some(why) = skipped {
            return Some(Verdict::Skipped(why));
        }
        let allowed = suite.scenarios.get(index).is_some_and(|declared| declared.allow_script_errors);
        if let Some(error) = error.or_else(|| actors.into_iter().next().filter(|_| !allowed)) {
            return Some(self.failed(suite, index, session, Failure::of_script(error), None));
        }
        if self.runtime.as_ref()?.is_running() {
            return None;
        }
        if !began {
            let reason = "the file declared other scenarios than when it was first evaluated";
            let failure = Failure::new(FailureKind::File, &suite.source.name, None, reason);
            return Some(Verdict::Failed(Box::new(failure)));
        }
        Some(Verdict::Passed)
    }

    /// A failure with the last updates of the actors involved.
    fn failed(
        &self,
        suite: &Suite,
        index: usize,
        session: &Session,
        mut failure: Failure,
        involved: Option<Vec<Involved>>,
    ) -> Verdict {
        let Some(runtime) = &self.runtime else { return Verdict::Failed(Box::new(failure)) };
        let engine = runtime.engine();
        let touched = || {
            let keys = engine.sheet.as_ref().map(|sheet| sheet.touched()).unwrap_or_default();
            keys.into_iter().map(|key| Involved { key, now: None }).collect()
        };
        if failure.kind != FailureKind::Golden {
            let involved = involved.unwrap_or_else(touched);
            let tick = engine.world.clock.tick;
            failure.local_trace = session.record.of(involved, engine, tick, self.n_shown(suite, index));
        }
        Verdict::Failed(Box::new(failure))
    }

    /// Compares the trace so far with a golden; why the scenario failed, if it did.
    fn compare_golden(&self, suite: &Suite, call: &GoldenCall, session: &mut Session) -> Option<Failure> {
        let file = whole_name(&suite.source, &call.place.file).to_owned();
        let fail = |reason: String| Failure::new(FailureKind::Golden, &file, call.place.line, reason);
        if session.record.is_too_long() {
            return Some(fail("golden: the trace is too long to be compared".to_owned()));
        }
        let Some(rows) = session.record.first(call.updates) else {
            session.wants_all = true;
            return None;
        };
        let actors = suite.scene.defs.actors().iter().map(|record| record.name.clone()).collect();
        let run = Run { rows, actors, updates: call.updates, seed: self.settings.seed.unwrap_or(suite.scene.seed) };
        let (path, text) = match golden_text(&suite.source.modules, &call.name) {
            Ok(found) => found,
            Err(reason) => return Some(fail(format!("golden: {reason}"))),
        };
        let read = text.as_deref().map(GoldenFile::read).transpose();
        let state = match &read {
            Ok(None) => GoldenState::Missing,
            Ok(Some(golden)) => golden.compare(&call.name, &run).map_or(GoldenState::Same, GoldenState::Differs),
            Err(error) => GoldenState::Unreadable(error.to_string()),
        };
        let texts = self.settings.update_goldens.then(|| {
            let new = read.ok().flatten().map_or_else(|| run.text(), |golden| golden.rewritten(&run));
            (text.clone(), new)
        });
        let failure = match &state {
            GoldenState::Same => None,
            GoldenState::Unreadable(reason) => Some(fail(format!("golden: {}: {reason}", call.name))),
            _ if self.settings.update_goldens => None,
            GoldenState::Missing => Some(fail(format!("golden: there is no file {:?}; --update writes it", call.name))),
            GoldenState::Differs(difference) => {
                Some(Failure { golden: Some(difference.clone()), ..fail(difference.summary()) })
            }
        };
        session.goldens.push(GoldenOutcome { name: call.name.clone(), path, state, texts });
        failure
    }
}

impl Session {
    fn note(&mut self, runtime: &mut Runtime) {
        for line in runtime.drain_output() {
            self.n_printed = self.n_printed.saturating_add(line.len() + 1);
            if self.n_printed <= MOST_PRINTED {
                self.printed.push(line);
            } else if self.printed.last().is_none_or(|last| last != "…") {
                self.printed.push("…".to_owned());
            }
        }
        self.record.note(runtime.engine());
        if let Some(watch) = &mut self.watch {
            watch.note(runtime.world());
        }
    }
}

/// An expectation that did not hold. The error that it raised tells the whole name of the file and who called, unless the
/// script caught it.
fn expectation(
    suite: &Suite,
    file: &str,
    line: Option<u32>,
    mismatch: &crate::expect::Mismatch,
    error: Option<ScriptError>,
) -> Failure {
    let message = mismatch.to_string();
    let raised = error.filter(|error| error.message == message).map(Failure::of_script);
    let failure = raised
        .unwrap_or_else(|| Failure::new(FailureKind::Expectation, whole_name(&suite.source, file), line, message));
    Failure {
        kind: FailureKind::Expectation,
        expected: Some(mismatch.expected.clone()),
        found: Some(mismatch.found.clone()),
        ..failure
    }
}

/// The text of a golden, and its file; no text when there is none.
fn golden_text(modules: &ModuleSource, name: &str) -> Result<(Option<PathBuf>, Option<String>), String> {
    match (beneath(modules, name)?, modules) {
        (Some(path), _) if !path.exists() => Ok((Some(path), None)),
        (Some(path), _) => {
            let text = read_text(&path).map_err(|reason| format!("{name}: {reason}"))?;
            Ok((Some(path), Some(text)))
        }
        (None, ModuleSource::Listed(texts)) => Ok((None, texts.get(name).cloned())),
        (None, _) => Err("this script has no folder to find goldens in".to_owned()),
    }
}
