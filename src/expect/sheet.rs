//! The sheet of one run of a scenario file: what its script declared, asked for and found wanting.

use std::{cell::Cell, collections::BTreeSet, path::PathBuf};

use super::{Declaration, Declared, Mismatch};
use crate::{
    defs::NativeId,
    trace::Row,
    world::{ActorKey, Refusal},
};

/// Scenarios that one file may declare.
const MOST_SCENARIOS: usize = 100_000;
/// Goldens that one scenario may ask for.
const MOST_GOLDENS: usize = 100;
/// Actors that are remembered as touched.
const MOST_TOUCHED: usize = 3;

/// A place in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, as far as the language knows it.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// An actor after an update, or in the middle of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Its line of the trace.
    pub row: Row,
    /// Why calls on it were refused in this update.
    pub refused: Vec<String>,
}

/// An actor that a failed expectation is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Involved {
    /// The actor.
    pub key: ActorKey,
    /// How it stood when the expectation failed; none when it was removed.
    pub now: Option<Moment>,
}

/// An expectation that did not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Where.
    pub place: Place,
    /// What was expected and found.
    pub mismatch: Mismatch,
    /// The actors that the script dealt with since the expectation before.
    pub actors: Vec<Involved>,
}

/// A call of `golden`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenCall {
    /// The file's name, relative to the scenario file.
    pub name: String,
    /// Where it was called.
    pub place: Place,
    /// How many updates had been completed.
    pub updates: u64,
}

/// Natives that were called, and gates that closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Functions that ran.
    pub natives: BTreeSet<NativeId>,
    /// Functions with the gates that refused them.
    pub refusals: BTreeSet<(NativeId, &'static str)>,
}

/// What the file's script is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// To learn what it declares.
    Collect,
    /// To run one scenario, by its position among the declared ones.
    Run(usize),
}

/// What one run of a scenario file entered.
#[derive(Clone, Debug)]
pub struct Sheet {
    mode: Mode,
    /// The declared scenarios, when they are collected.
    pub declared: Vec<Declared>,
    names: BTreeSet<String>,
    n_declared: usize,
    /// Whether the chosen scenario was met.
    began: bool,
    /// The scene that the file names, and where.
    pub scene: Option<(String, Place)>,
    /// Why the file, or the scenario, is skipped.
    pub skipped: Option<String>,
    /// The first expectation that did not hold.
    pub broken: Option<Broken>,
    /// Goldens in the order of the calls.
    pub goldens: Vec<GoldenCall>,
    /// Expectations that held.
    pub n_held: u64,
    /// Modules that scripts loaded.
    pub modules: BTreeSet<PathBuf>,
    /// What the run reached, if that is wanted.
    pub reached: Option<Box<Reached>>,
    touched: Touched,
}

impl Sheet {
    /// For a run that collects what a file declares.
    #[must_use]
    pub fn collecting() -> Self {
        Self::new(Mode::Collect)
    }

    /// For a run of the scenario that is declared at this position, from 0.
    #[must_use]
    pub fn running(index: usize) -> Self {
        Self::new(Mode::Run(index))
    }

    fn new(mode: Mode) -> Self {
        Self {
            mode,
            declared: Vec::new(),
            names: BTreeSet::new(),
            n_declared: 0,
            began: false,
            scene: None,
            skipped: None,
            broken: None,
            goldens: Vec::new(),
            n_held: 0,
            modules: BTreeSet::new(),
            reached: None,
            touched: Touched::default(),
        }
    }

    /// The position of the scenario that runs.
    #[must_use]
    pub fn wanted(&self) -> Option<usize> {
        match self.mode {
            Mode::Collect => None,
            Mode::Run(index) => Some(index),
        }
    }

    /// Whether the chosen scenario was met.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.began
    }

    /// The chosen scenario was met.
    pub fn begin(&mut self) {
        self.began = true;
    }

    /// Counts a declaration while a scenario runs: whether it is the chosen one.
    ///
    /// # Errors
    /// The chosen scenario runs already.
    pub fn is_chosen(&mut self, function: &str) -> Result<bool, String> {
        if self.began {
            return Err(format!("{function}: a scenario cannot declare scenarios; they stand at the top of the file"));
        }
        let index = self.n_declared;
        self.n_declared += 1;
        Ok(self.mode == Mode::Run(index))
    }

    /// Enters a declared scenario.
    ///
    /// # Errors
    /// What is wrong with the call.
    pub fn declare(&mut self, declaration: Declaration, place: Place) -> Result<(), String> {
        let function = declaration.function;
        let mut declared = declaration.read()?;
        if !self.names.insert(declared.name.clone()) {
            return Err(format!("{function}: the file declares \"{}\" twice", declared.name));
        }
        if self.declared.len() >= MOST_SCENARIOS {
            return Err(format!("{function}: a file declares at most {MOST_SCENARIOS} scenarios"));
        }
        (declared.file, declared.line) = (place.file, place.line);
        self.declared.push(declared);
        Ok(())
    }

    /// Enters the scene of the file.
    ///
    /// # Errors
    /// There is another one, or the scenario runs already.
    pub fn name_scene(&mut self, name: &str, place: Place) -> Result<(), String> {
        if self.began {
            return Err("scene: the scene is named at the top of the file, not in a scenario".to_owned());
        }
        match &self.scene {
            Some((known, _)) if known != name => Err(format!("scene: the file names \"{known}\" already")),
            Some(_) => Ok(()),
            None => {
                self.scene = Some((name.to_owned(), place));
                Ok(())
            }
        }
    }

    /// Enters a call of `golden`.
    ///
    /// # Errors
    /// No scenario runs, or there are too many.
    pub fn golden(&mut self, name: &str, place: Place, updates: u64) -> Result<(), String> {
        if !self.began {
            return Err("golden: only a scenario has a trace to compare".to_owned());
        }
        if self.goldens.len() >= MOST_GOLDENS {
            return Err(format!("golden: a scenario compares at most {MOST_GOLDENS} files"));
        }
        self.goldens.push(GoldenCall { name: name.to_owned(), place, updates });
        Ok(())
    }

    /// A script dealt with an actor.
    pub fn touch(&self, key: ActorKey) {
        self.touched.note(key);
    }

    /// The actors dealt with since the expectation before.
    #[must_use]
    pub fn touched(&self) -> Vec<ActorKey> {
        self.touched.all()
    }

    /// An expectation held.
    pub fn held(&mut self) {
        self.n_held += 1;
        self.touched.fresh.set(false);
    }

    /// A native ran.
    pub fn called(&mut self, native: NativeId, refusal: Option<&Refusal>) {
        if let Some(reached) = &mut self.reached {
            reached.natives.insert(native);
            if let Some(refusal) = refusal {
                reached.refusals.insert((native, refusal.gate.name()));
            }
        }
    }
}

/// The actors that a script dealt with lately. Reading an actor notes it, so this is written through shared references.
#[derive(Clone, Debug, Default)]
struct Touched {
    keys: Cell<[ActorKey; MOST_TOUCHED]>,
    n: Cell<usize>,
    /// Unset after an expectation held: the next actor begins a new list.
    fresh: Cell<bool>,
}

impl Touched {
    fn note(&self, key: ActorKey) {
        if !self.fresh.replace(true) {
            self.n.set(0);
        }
        let (mut keys, n) = (self.keys.get(), self.n.get());
        if n < MOST_TOUCHED && !keys[..n].contains(&key) {
            keys[n] = key;
            self.keys.set(keys);
            self.n.set(n + 1);
        }
    }

    fn all(&self) -> Vec<ActorKey> {
        self.keys.get()[..self.n.get()].to_vec()
    }
}
