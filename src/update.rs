//! The main loop: one update of everything, in the order of rules U1 to U8.

mod console;
mod crowd;
mod phases;

use std::{
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crate::{
    defs::{NativeId, Scene, ScriptSource},
    error::{Error, Result},
    natives::{CallError, CallRequest, Dispatch, Engine, Given, Host, Natives, NoHost, Programs, arguments},
    publish::{Publication, Publisher, Reader},
    script::{
        Limits, ScriptError, ScriptErrorKind, Scripts, panic_message,
        soup::{self, Observer, Thread, Unobserved},
    },
    weapon::{self, Conditions},
    world::{ActorKey, CallSite, Event, World},
};

pub use console::Entry;

/// A world with its scripts, driven update by update.
pub struct Runtime {
    engine: Box<Engine>,
    scripts: Scripts,
    publisher: Publisher,
    threads: NonZeroUsize,
    raised: Vec<crowd::Raised>,
    /// Whoever watches programs run.
    observer: Option<Box<dyn Observer>>,
    /// Statements of one invocation of a program.
    statements: u32,
    stage: &'static str,
}

/// What a host brings to a runtime.
pub struct Options {
    /// Budgets of scripts.
    pub limits: Limits,
    /// The registry: [`Natives::default`], with handlers and functions of the host's own.
    pub natives: Arc<Natives>,
    /// Answers for functions without handler.
    pub host: Box<dyn Host>,
    /// The most threads that an update may use: 1 unless a host says otherwise. Stages in which actors touch only
    /// themselves are shared out when there are thousands of actors; scripts and tasks run on the caller's thread. The
    /// results are the same for any number.
    pub threads: NonZeroUsize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            natives: Natives::shared(),
            host: Box::new(NoHost),
            threads: NonZeroUsize::MIN,
        }
    }
}

impl Runtime {
    /// A scene at load, with its director if it has one, the built-in natives and no host.
    ///
    /// # Errors
    /// [`Error::Script`] when the syntax of a script is wrong or its language is not in this build; [`Error::Program`] when
    /// a program cannot be decoded.
    pub fn new(scene: Scene) -> Result<Self> {
        Self::with_options(scene, Options::default())
    }

    /// The same with limits, natives and host of one's own.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_options(scene: Scene, options: Options) -> Result<Self> {
        let Options { limits, natives, host, threads } = options;
        let mut engine = Box::new(Engine::new(&scene));
        engine.programs = programs(&scene, &natives)?;
        engine.natives = Arc::clone(&natives);
        engine.host = host;
        let scripts = Scripts::new(limits, natives);
        let (publisher, statements, raised) = (Publisher::default(), limits.statements, Vec::new());
        let (observer, stage) = (None, "load");
        let mut runtime = Self { engine, scripts, publisher, threads, raised, observer, statements, stage };
        runtime.load_scripts(&scene)?;
        Ok(runtime)
    }

    fn load_scripts(&mut self, scene: &Scene) -> Result<()> {
        for source in scene.defs.actors().iter().filter_map(|record| record.script.as_ref()) {
            self.scripts.check(source)?;
        }
        if let Some(director) = &scene.director {
            self.scripts.set_director(director)?;
        }
        Ok(())
    }

    /// Starts over with a scene at load, the same or another. Registry and host stay; no script that ran before is left, and
    /// none finds a trace of it. Cheaper than a new runtime: the languages keep what does not depend on earlier scripts.
    ///
    /// The publication of the last update stays until the next one.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn restart(&mut self, scene: Scene) -> Result<()> {
        let mut fresh = Box::new(Engine::new(&scene));
        fresh.programs = match Arc::ptr_eq(&scene.defs, &self.engine.defs) {
            true => Arc::clone(&self.engine.programs),
            false => programs(&scene, &self.engine.natives)?,
        };
        fresh.natives = Arc::clone(&self.engine.natives);
        std::mem::swap(&mut fresh.host, &mut self.engine.host);
        self.engine = fresh;
        self.raised.clear();
        self.scripts.restart()?;
        self.load_scripts(&scene)
    }

    /// Makes a script text the director; its name's extension tells the language.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn set_director(&mut self, name: impl Into<String>, text: impl Into<String>) -> Result<()> {
        self.set_director_source(&ScriptSource::new(name, text))
    }

    /// The same for a script with modules.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn set_director_source(&mut self, source: &ScriptSource) -> Result<()> {
        Ok(self.scripts.set_director(source)?)
    }

    /// Whether the director still runs. Without a director a runtime runs for as long as it is updated.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.scripts.director_is_running()
    }

    /// One update: clock, director, presentation, weapon check, ordinary updates, publication.
    ///
    /// A script that fails ends alone; see [`Self::drain_failures`].
    ///
    /// # Errors
    /// [`Error::Update`] when code of the host panicked outside a script. Nothing is published then; the world is as
    /// the panic left it.
    ///
    /// # Source
    /// Rules U1 to U8; engine/animation.md, "Ordinary actor update order", "Timing boundary".
    pub fn update(&mut self) -> Result<()> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.stages()));
        outcome.map_err(|panic| Error::Update {
            tick: self.engine.world.clock.tick,
            stage: self.stage,
            message: panic_message(&*panic),
        })
    }

    fn stages(&mut self) {
        self.stage = "clock";
        begin(&mut self.engine.world); // U1, U2
        self.stage = "director";
        self.scripts.run_director(&mut self.engine); // U2
        self.engine.world.sweep();
        self.stage = "channels";
        self.engine.world.update_channels(); // U3
        let n_places = self.engine.world.n_places();
        self.stage = "presentation";
        // Actors before this place needed no script stage, so their ordinary update is done as well.
        let first = self.present(); // U4, U6
        self.engine.place_emissions();
        self.stage = "ordinary update";
        for place in first..n_places {
            self.ordinary_update(place); // U7
        }
        self.engine.world.sweep();
        self.scripts.sweep(&mut self.engine);
        self.engine.world.clock.updates += 1;
        self.stage = "publication";
        self.publisher.publish(&self.engine.defs, &self.engine.world); // U8
    }

    /// Presentation and weapon check of all actors; see [`crowd::run`].
    fn present(&mut self) -> usize {
        let Engine { defs, world, .. } = &mut *self.engine;
        crowd::run(defs, world, self.threads.get(), &mut self.raised)
    }

    /// Rule U7 for one actor.
    fn ordinary_update(&mut self, place: usize) {
        let engine = &mut *self.engine;
        let conditions = Conditions::ordinary(&engine.world);
        let Some((actor, events)) = engine.world.at_place(place) else { return };
        if !phases::is_updated(actor) {
            return;
        }
        let def = engine.defs.actor(actor.def);
        phases::animate(def, actor, conditions, events);
        let key = actor.key;
        if actor.script.is_some() {
            self.program_stage(key);
        } else {
            weapon::maintain_combat(actor, conditions);
            if phases::has_script_stage(def, actor) {
                self.script_stage(key);
            }
        }
        if let Some((actor, _)) = self.engine.world.at_place(place) {
            phases::lock_axes(actor);
        }
    }

    /// Existing tasks, then the main body unless a task holds it back (rule U7, step 6).
    fn script_stage(&mut self, key: ActorKey) {
        let Some(control) = self.engine.world.get(key).map(|actor| actor.disable_script) else { return };
        if control & 1 != 0 {
            return;
        }
        let main_only = control & 4 != 0;
        if !main_only {
            self.run_tasks(key);
        }
        let blocked = self.engine.world.get(key).is_none_or(|actor| actor.tasks.n_blocking() != 0);
        if main_only || !blocked {
            self.scripts.run_actor(&mut self.engine, key);
        }
    }

    /// The script stage of an actor with a program: hook, combat maintenance, entry, existing tasks, main (rule Y30).
    fn program_stage(&mut self, key: ActorKey) {
        let failure = soup::run_hook(&mut self.engine, key);
        self.report(failure);
        let conditions = Conditions::ordinary(&self.engine.world);
        let Some(actor) = self.engine.world.get_mut(key) else { return };
        weapon::maintain_combat(actor, conditions);
        // Nothing runs between the reads of rule Y30, so one serves for all of them.
        let (control, record) = (actor.disable_script, actor.def);
        if control & 1 != 0 {
            return;
        }
        let main_only = control & 4 != 0;
        if !main_only {
            self.engine.world.string_source = Some(record);
        }
        self.run_thread(key, Thread::Entry);
        if !main_only {
            self.run_tasks(key);
        }
        let blocked = self.engine.world.get(key).is_none_or(|actor| actor.tasks.n_blocking() != 0);
        if main_only || !blocked {
            self.run_thread(key, Thread::Main);
        }
    }

    fn run_thread(&mut self, key: ActorKey, thread: Thread) {
        let (engine, budget) = (&mut *self.engine, self.statements);
        let failure = match &mut self.observer {
            Some(observer) => soup::run_thread(engine, key, thread, budget, &mut **observer),
            None => soup::run_thread(engine, key, thread, budget, &mut Unobserved),
        };
        self.report(failure);
    }

    fn report(&mut self, failure: Option<ScriptError>) {
        if let Some(failure) = failure {
            self.scripts.report(failure);
        }
    }

    /// A task whose native panics is stopped with all tasks of its actor; the update goes on.
    fn run_tasks(&mut self, key: ActorKey) {
        let engine = &mut self.engine;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| engine.run_tasks(key))) {
            let actor = engine.world.name_of(key).map(str::to_owned);
            if let Some(actor) = engine.world.get_mut(key) {
                actor.tasks.stop_all();
            }
            self.scripts.report(ScriptError {
                kind: ScriptErrorKind::Panic,
                file: format!("tasks of {}", actor.as_deref().unwrap_or("an actor")),
                actor,
                tick: Some(engine.world.clock.tick),
                line: None,
                message: format!("a native panicked: {}", panic_message(&*panic)),
                chain: Vec::new(),
            });
        }
    }

    /// The last publication.
    #[must_use]
    pub fn publication(&self) -> &Publication {
        self.publisher.current()
    }

    /// A handle through which another thread reads the last publication.
    #[must_use]
    pub fn reader(&self) -> Reader {
        self.publisher.reader()
    }

    /// The live state.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.engine.world
    }

    /// Definitions, world, registry and host.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The same, to change them between updates.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The events of the last update, which are taken out. The publication keeps its own copy.
    pub fn drain_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.engine.world.events)
    }

    /// Has every statement and call of programs told to an observer, in place of an earlier one.
    pub fn set_observer(&mut self, observer: Box<dyn Observer>) {
        self.observer = Some(observer);
    }

    /// Ends the observation.
    pub fn take_observer(&mut self) -> Option<Box<dyn Observer>> {
        self.observer.take()
    }

    /// Lets an actor's program begin anew: cursors, locals, no fault. Its running tasks go on.
    ///
    /// # Errors
    /// [`Error::Call`] when the actor is gone or has no program.
    ///
    /// # Source
    /// Rules Y3 and Y41.
    pub fn reset_program(&mut self, actor: ActorKey) -> Result<()> {
        let engine = &mut *self.engine;
        engine.live(actor)?;
        if engine.world.reset_program(&engine.defs, actor) {
            return Ok(());
        }
        let name = engine.world.name_of(actor).unwrap_or("?").to_owned();
        Err(CallError::NoProgram { name }.into())
    }

    /// The world as it is, to be restored later. Programs run in it; their bytes are not in it.
    ///
    /// # Errors
    /// [`Error::ScriptsRunning`] when scripts hold state that the world does not: suspended coroutines, their variables
    /// and functions.
    pub fn snapshot(&self) -> Result<World> {
        match self.scripts.n_running() {
            0 => Ok(self.engine.world.clone()),
            scripts => Err(Error::ScriptsRunning { scripts }),
        }
    }

    /// Goes on from a snapshot, which may come from another process.
    ///
    /// # Errors
    /// [`Error::World`] when it does not belong to this scene or is damaged; [`Error::ScriptsRunning`] as for
    /// [`Self::snapshot`]. The running world stays then.
    pub fn restore(&mut self, mut world: World) -> Result<()> {
        world.check(&self.engine.defs)?;
        self.engine.programs.check(&world)?;
        if let scripts @ 1.. = self.scripts.n_running() {
            return Err(Error::ScriptsRunning { scripts });
        }
        world.forget_placements();
        self.engine.world = world;
        Ok(())
    }

    /// The script errors since the last call.
    pub fn drain_failures(&mut self) -> Vec<ScriptError> {
        self.scripts.drain_failures()
    }

    /// What scripts printed since the last call, one line each.
    pub fn drain_output(&mut self) -> Vec<String> {
        std::mem::take(&mut self.engine.printed)
    }

    /// Calls a native by name on an actor, as a director would.
    ///
    /// # Errors
    /// [`Error::Call`] when no function has this name, the number of arguments is wrong, or the actor is gone.
    pub fn call(&mut self, actor: ActorKey, function: &str, args: &[i32]) -> Result<i32> {
        let native = self.engine.function_named(function)?;
        self.call_by_id(actor, native, args)
    }

    /// The same by id, which saves the look-up of the name.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn call_by_id(&mut self, actor: ActorKey, native: NativeId, args: &[i32]) -> Result<i32> {
        let row = self.engine.natives.get(native);
        let unknown = || CallError::UnknownFunction { name: format!("number {}", native.0), hint: String::new() };
        let decl = &row.ok_or_else(unknown)?.decl;
        let args = arguments(decl, args.iter().map(|&value| Given::Int(value.into())))?;
        let request = CallRequest { receiver: actor, native, args, dispatch: Dispatch::Declared, site: CallSite::Host };
        Ok(self.engine.call(request)?.value)
    }
}

/// The programs of a scene.
fn programs(scene: &Scene, natives: &Natives) -> Result<Arc<Programs>> {
    Ok(Arc::new(Programs::decode(&scene.defs, natives)?))
}

/// Starts an update: tick input, and what lasts for one update only (rules U1, U2, W19, X8).
fn begin(world: &mut World) {
    world.clock.tick = world.clock.updates;
    world.clock.ticks = world.clock.nominal(world.clock.tick);
    world.items.use_latch = false;
    world.events.clear();
    world.before_presentation = true;
    world.n_emitted = 0;
    world.clear_displays();
}
