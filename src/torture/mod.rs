//! Disturbs draws and sheaths at every update, and checks what becomes of the actor.
//!
//! A *stage* is a draw or a sheath of one actor, alone in its scene with all others, without scripts. For each update of
//! it and each [`Interruption`] the stage runs again, is disturbed there, and runs on until nothing should be under way
//! any more. What is wrong then is a [`Fault`]; one that the rules demand is a [`Quirk`] and says which rules.

mod check;
mod interruption;
mod quirk;
mod script;

pub use check::Fault;
pub use interruption::{Act, Interruption, interruptions};
pub use quirk::{QUIRKS, Quirk};
pub use script::minimal_script;

use crate::{
    defs::{Scene, properties},
    error::Result,
    update::Runtime,
    world::{ActorKey, World},
};
use check::Watch;

/// Updates after which a stage that goes on undisturbed is taken to go on for ever: 12 frames of the slowest speed.
const PATIENCE: usize = 4000;
/// The most updates of a stage that are disturbed; of a longer one every second, every third, and so on.
const PLACES: usize = 400;
/// Updates without anything under way, after which nothing more is expected.
const QUIET: usize = 24;
/// How long an interruption lasts, in updates.
const HOLDS: [usize; 2] = [1, 8];

/// What is disturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// From DrawSword until the animation has ended.
    Draw,
    /// From SheathSword of a drawn weapon until the animation has ended.
    Sheath,
}

impl Stage {
    /// The function that starts it, as scripts name it.
    #[must_use]
    pub fn function(self) -> &'static str {
        match self {
            Self::Draw => "drawsword",
            Self::Sheath => "sheathsword",
        }
    }
}

/// Where and how a stage was disturbed.
#[derive(Clone, Debug)]
pub struct Disturbance {
    /// What was disturbed.
    pub stage: Stage,
    /// What happened.
    pub interruption: Interruption,
    /// Updates between the stage's call and the interruption.
    pub after: usize,
    /// Updates that it lasted.
    pub hold: usize,
}

/// A disturbance that ended badly. The first of each kind stands for all: later and longer ones are counted.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The actor.
    pub actor: String,
    /// What was done, at its earliest and shortest.
    pub disturbance: Disturbance,
    /// What is wrong.
    pub fault: Fault,
    /// The rules that demand it, if they do.
    pub quirk: Option<&'static Quirk>,
    /// How many disturbances of this kind end so.
    pub count: usize,
    /// Updates to run on until it shows for good.
    pub settle: usize,
}

/// What a torture found.
#[derive(Clone, Debug, Default)]
pub struct Torture {
    /// Disturbances tried.
    pub n_disturbances: usize,
    /// What went wrong, stage by stage in the order of [`interruptions`].
    pub findings: Vec<Finding>,
    /// Actors that could not be disturbed, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Tortures one actor of a scene, or all of them.
///
/// # Errors
/// [`Error::Call`](crate::Error::Call) when the scene has no actor of this name; what [`Runtime::update`] gives.
pub fn torture(scene: &Scene, actor: Option<&str>) -> Result<Torture> {
    let scene = Scene { director: None, defs: scene.defs.without_scripts().into(), ..scene.clone() };
    let mut found = Torture::default();
    let names: Vec<String> = match actor {
        Some(name) => {
            let mut engine = Runtime::new(scene.clone())?;
            let key = engine.engine_mut().actor_named(name)?;
            vec![engine.world().name_of(key).unwrap_or(name).to_owned()]
        }
        None => scene.defs.actors().iter().map(|record| record.name.clone()).collect(),
    };
    for name in names {
        Subject { scene: &scene, name: &name }.torture(&mut found)?;
    }
    Ok(found)
}

impl Torture {
    /// Keeps a finding, or counts it with those of its kind.
    fn note(&mut self, actor: &str, disturbance: Disturbance, fault: Fault, settle: usize) {
        let known = self.findings.iter_mut().find(|finding| {
            finding.actor == actor
                && finding.fault == fault
                && finding.disturbance.stage == disturbance.stage
                && finding.disturbance.interruption == disturbance.interruption
        });
        match known {
            Some(finding) => finding.count += 1,
            None => {
                let quirk = quirk::of(&disturbance.interruption, fault);
                let actor = actor.to_owned();
                self.findings.push(Finding { actor, disturbance, fault, quirk, count: 1, settle });
            }
        }
    }
}

/// One actor under torture.
#[derive(Clone, Copy)]
struct Subject<'a> {
    scene: &'a Scene,
    name: &'a str,
}

/// A stage without disturbance: the world before each of its updates, the last one after it.
struct Baseline {
    stage: Stage,
    worlds: Vec<World>,
}

impl Subject<'_> {
    fn torture(self, found: &mut Torture) -> Result<()> {
        let mut runtime = Runtime::new(self.scene.clone())?;
        runtime.update()?;
        let mut baselines = Vec::new();
        for stage in [Stage::Draw, Stage::Sheath] {
            match self.baseline(&mut runtime, stage)? {
                Ok(Baseline { mut worlds, .. }) if worlds.len() == PATIENCE => {
                    let fault = check::stuck(worlds.last(), self.name);
                    let interruption = Interruption::nothing();
                    let nothing = Disturbance { stage, interruption, after: 0, hold: 0 };
                    let Some(fault) = fault else {
                        // The animation goes round for ever, but the weapon has arrived.
                        worlds.truncate(PLACES);
                        baselines.push(Baseline { stage, worlds });
                        continue;
                    };
                    found.note(self.name, nothing, fault, PATIENCE);
                    // The other stage would begin in the middle of this one.
                    break;
                }
                Ok(baseline) => baselines.push(baseline),
                Err(reason) => found.left_out.push((self.name.to_owned(), reason)),
            }
        }
        // Whatever is under way may begin anew when it is let go, and needs its whole time again.
        let settle = 2 * baselines.iter().map(|baseline| baseline.worlds.len()).sum::<usize>() + 60;
        for baseline in &baselines {
            for interruption in interruptions(&self.scene.defs, &baseline.worlds[0], self.name) {
                self.disturb(&mut runtime, baseline, &interruption, settle, found)?;
            }
        }
        Ok(())
    }

    /// A stage as it goes when nothing happens, or why it does not begin.
    fn baseline(self, runtime: &mut Runtime, stage: Stage) -> Result<Result<Baseline, String>> {
        // The cooldown of a draw must have run out before a sheath is admitted (rule W14).
        for _ in 0..PATIENCE {
            if self.call(runtime, stage.function(), &[])?.is_none() {
                break;
            }
            runtime.update()?;
        }
        if !check::is_under_way(runtime.world(), self.name) {
            let reason = self.call(runtime, stage.function(), &[])?;
            return Ok(Err(reason.unwrap_or_else(|| format!("{} starts nothing", stage.function()))));
        }
        let mut worlds = vec![runtime.snapshot()?];
        while worlds.len() < PATIENCE && check::is_under_way(runtime.world(), self.name) {
            runtime.update()?;
            worlds.push(runtime.snapshot()?);
        }
        Ok(Ok(Baseline { stage, worlds }))
    }

    fn disturb(
        self,
        runtime: &mut Runtime,
        baseline: &Baseline,
        interruption: &Interruption,
        settle: usize,
        found: &mut Torture,
    ) -> Result<()> {
        let step = baseline.worlds.len().div_ceil(PLACES);
        for hold in HOLDS {
            for (after, world) in baseline.worlds.iter().enumerate().step_by(step) {
                runtime.restore(world.clone())?;
                let fault = self.run(runtime, interruption, hold, settle)?;
                found.n_disturbances += 1;
                if let Some(fault) = fault {
                    let (stage, interruption) = (baseline.stage, interruption.clone());
                    found.note(self.name, Disturbance { stage, interruption, after, hold }, fault, settle);
                }
            }
        }
        Ok(())
    }

    /// Disturbs what is under way and runs on; what is wrong at the end, or in an update on the way.
    fn run(
        self,
        runtime: &mut Runtime,
        interruption: &Interruption,
        hold: usize,
        settle: usize,
    ) -> Result<Option<Fault>> {
        let mut watch = Watch::default();
        let nominal = runtime.world().clock.clock.nominal.clone();
        self.apply(runtime, &interruption.begin)?;
        for left in (0..hold + settle).rev() {
            let is_held = left >= settle;
            if left + 1 == settle {
                self.apply(runtime, &interruption.end)?;
            }
            let ticks = interruption.ticks.filter(|_| is_held);
            runtime.engine_mut().world.clock.clock.nominal = ticks.map_or_else(|| nominal.clone(), |ticks| vec![ticks]);
            runtime.update()?;
            watch.look(&self.scene.defs, runtime, self.name);
            if !is_held && watch.n_quiet() >= QUIET {
                break;
            }
        }
        runtime.engine_mut().world.clock.clock.nominal = nominal;
        Ok(watch.verdict(runtime.world(), self.name))
    }

    fn apply(self, runtime: &mut Runtime, acts: &[Act]) -> Result<()> {
        for act in acts {
            match act {
                // A refused call is part of the torture.
                Act::Call(function, args) => drop(self.call(runtime, function, args)?),
                Act::Set(property, value) => {
                    if let (Some(id), Some(actor)) = (
                        properties().named(property),
                        self.key(runtime).and_then(|key| runtime.engine_mut().world.get_mut(key)),
                    ) {
                        actor.set_property(id, *value);
                    }
                }
                Act::Recreate => self.recreate(runtime)?,
            }
        }
        Ok(())
    }

    fn recreate(self, runtime: &mut Runtime) -> Result<()> {
        let key = self.key(runtime);
        let engine = runtime.engine_mut();
        if let (Some(key), Some(record)) = (key, engine.defs.actor_named(self.name)) {
            engine.world.remove(key);
            engine.spawn(record, self.name)?;
        }
        Ok(())
    }

    /// A call on the actor, and why it was refused if it was.
    fn call(self, runtime: &mut Runtime, function: &str, args: &[i32]) -> Result<Option<String>> {
        let Some(key) = self.key(runtime) else { return Ok(None) };
        runtime.call(key, function, args)?;
        let refusal = runtime.world().get(key).and_then(|actor| actor.cold.refusal.as_ref());
        Ok(refusal.map(ToString::to_string))
    }

    fn key(self, runtime: &Runtime) -> Option<ActorKey> {
        runtime.world().named(self.name)
    }
}
