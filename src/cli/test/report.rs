//! What a round of runs came to: the one value that all reports are made of.

use std::collections::BTreeSet;

use crate::{
    expect::Declared,
    scenario::{Coverage, Failure, Outcome, Suite, Verdict},
};

/// A file that cannot be used.
pub(super) struct Broken {
    pub(super) file: String,
    pub(super) failure: Failure,
}

/// Where a scenario is declared: the position of its file and its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) suite: usize,
    pub(super) index: usize,
}

/// A scenario that was to run.
pub(super) struct Case {
    pub(super) place: Place,
    /// None when it was not run, because another had failed.
    pub(super) outcome: Option<Outcome>,
}

/// One word for how a scenario ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Passed,
    Failed,
    Skipped,
    NotRun,
}

impl Case {
    pub(super) fn status(&self) -> Status {
        match self.outcome.as_ref().map(|outcome| &outcome.verdict) {
            None => Status::NotRun,
            Some(Verdict::Passed) => Status::Passed,
            Some(Verdict::Skipped(_)) => Status::Skipped,
            Some(Verdict::Failed(_)) => Status::Failed,
        }
    }

    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.outcome.as_ref()?.verdict {
            Verdict::Failed(failure) => Some(failure),
            _ => None,
        }
    }

    /// Why it was skipped.
    pub(super) fn skipped(&self) -> Option<&str> {
        match &self.outcome.as_ref()?.verdict {
            Verdict::Skipped(why) => Some(why),
            _ => None,
        }
    }
}

/// All runs, in the order in which the scenarios are declared.
pub(super) struct Round {
    pub(super) suites: Vec<Suite>,
    pub(super) broken: Vec<Broken>,
    pub(super) cases: Vec<Case>,
    /// The seed of the order.
    pub(super) shuffle: Option<u64>,
    /// The seed that replaced the scenes'.
    pub(super) seed: Option<u32>,
    /// How many scenarios are left out because others are marked.
    pub(super) left_out: usize,
    pub(super) coverage: Option<Coverage>,
}

impl Round {
    pub(super) fn declared(&self, place: Place) -> &Declared {
        &self.suites[place.suite].scenarios[place.index]
    }

    pub(super) fn file(&self, place: Place) -> &str {
        &self.suites[place.suite].source.name
    }

    pub(super) fn count(&self, status: Status) -> usize {
        self.cases.iter().filter(|case| case.status() == status).count()
    }

    /// Start state of the random numbers of a scenario.
    pub(super) fn seed_of(&self, place: Place) -> u32 {
        self.seed.unwrap_or(self.suites[place.suite].scene.seed)
    }

    /// All start states.
    pub(super) fn seeds(&self) -> BTreeSet<u32> {
        self.cases.iter().map(|case| self.seed_of(case.place)).collect()
    }

    /// Whether nothing failed.
    pub(super) fn holds(&self) -> bool {
        self.broken.is_empty() && self.count(Status::Failed) == 0
    }
}
