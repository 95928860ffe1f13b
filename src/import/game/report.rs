//! What is odd in a file but does not end its reading.

use std::collections::BTreeSet;

use super::super::Fault;

/// More warnings than anyone reads; the rest are counted.
const MAX_WARNINGS: usize = 200;

/// Warnings in the order in which they were met, each once.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    kept: Vec<Fault>,
    seen: BTreeSet<String>,
    n_more: usize,
}

impl Warnings {
    /// Adds a warning unless the same one is there.
    pub fn add(&mut self, warning: Fault) {
        if self.kept.len() >= MAX_WARNINGS {
            self.n_more += 1;
        } else if self.seen.insert(warning.to_string()) {
            self.kept.push(warning);
        }
    }

    /// All warnings; the last says how many are left out.
    #[must_use]
    pub fn into_list(mut self) -> Vec<Fault> {
        if self.n_more > 0 {
            let file = self.kept.last().map(|warning| warning.file.clone()).unwrap_or_default();
            self.kept.push(Fault::of_file(&file, format!("{} more warnings are not shown", self.n_more)));
        }
        self.kept
    }

    /// Whether nothing odd was met.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// Work that the bytes of a file can ask for by pointing at the same place again and again.
///
/// Sharing and overlapping are legal, so no single reference can be refused; together they are bounded.
#[derive(Debug)]
pub(super) struct Budget(usize);

/// Records and commands of all definitions of a map together; the largest map needs some thousands.
const MAX_STEPS: usize = 1 << 22;

impl Budget {
    pub(super) fn new() -> Self {
        Self(MAX_STEPS)
    }

    /// Takes `steps`; none are left when it fails.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), String> {
        match self.0.checked_sub(steps) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(format!("the definitions refer to more than {MAX_STEPS} entries: their offsets overlap")),
        }
    }
}
