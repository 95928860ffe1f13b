//! The schedule: which script runs when, and what becomes of one that ends.

use std::{collections::HashMap, mem, sync::Arc};

use slotmap::SecondaryMap;

use super::{Entered, FrontEnd, Limits, Progress, Role, ScriptError, ScriptErrorKind, front_end};
use crate::{
    defs::{Language, ScriptSource},
    natives::{Engine, Natives},
    world::{ActorKey, Event, EventKind},
};

/// All scripts of a runtime.
pub struct Scripts {
    limits: Limits,
    natives: Arc<Natives>,
    /// Looked up by language only, never walked.
    front_ends: HashMap<Language, Box<dyn FrontEnd>>,
    director: Option<Instance>,
    actors: SecondaryMap<ActorKey, Instance>,
    /// What runs texts that are entered one by one.
    session: Option<Instance>,
    next_script: u64,
    swept_removals: u64,
    failures: Vec<ScriptError>,
}

/// One loaded script.
struct Instance {
    script: u64,
    language: Language,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Ended,
    Failed,
}

impl Scripts {
    /// No scripts yet.
    #[must_use]
    pub fn new(limits: Limits, natives: Arc<Natives>) -> Self {
        Self {
            limits,
            natives,
            front_ends: HashMap::new(),
            director: None,
            actors: SecondaryMap::new(),
            session: None,
            // 0 is whoever calls without a script.
            next_script: 1,
            swept_removals: 0,
            failures: Vec::new(),
        }
    }

    /// Drops all scripts, so that nothing tells that they ran.
    ///
    /// # Errors
    /// A [`ScriptError`] of kind `Memory` when a language cannot be made anew.
    pub fn restart(&mut self) -> Result<(), ScriptError> {
        let directors = self.director.take().into_iter().chain(self.session.take());
        let instances = directors.chain(self.actors.drain().map(|(_, instance)| instance));
        for instance in instances.collect::<Vec<_>>() {
            self.unload(&instance);
        }
        (self.next_script, self.swept_removals) = (1, 0);
        self.failures.clear();
        for language in [Language::Lua, Language::Rhai] {
            if let Some(front_end) = self.front_ends.get_mut(&language) {
                front_end.restart()?;
            }
        }
        Ok(())
    }

    /// Checks a script's syntax.
    ///
    /// # Errors
    /// Its syntax error, or that no front end of this build reads the language.
    pub fn check(&mut self, source: &ScriptSource) -> Result<(), ScriptError> {
        let language = language_of(source)?;
        self.front_end(language, source)?.check(source)
    }

    /// Makes a script the director, in place of an earlier one.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn set_director(&mut self, source: &ScriptSource) -> Result<(), ScriptError> {
        let instance = self.load(source, Role::Director)?;
        if let Some(old) = self.director.replace(instance) {
            self.unload(&old);
        }
        Ok(())
    }

    /// Whether the director still runs; a scene without director runs for as long as it is updated.
    #[must_use]
    pub fn director_is_running(&self) -> bool {
        self.director.as_ref().is_none_or(|director| director.state == State::Running)
    }

    /// How many scripts hold state: the director and actor scripts that have begun and not ended, and a session.
    #[must_use]
    pub fn n_running(&self) -> usize {
        let scripts = self.director.iter().chain(self.actors.values());
        let running = scripts.filter(|instance| instance.state == State::Running).count();
        running + usize::from(self.session.is_some())
    }

    /// The errors since the last call, in the order in which they happened.
    pub fn drain_failures(&mut self) -> Vec<ScriptError> {
        mem::take(&mut self.failures)
    }

    /// Adds the error of a native that ran without a script, such as a task.
    pub fn report(&mut self, failure: ScriptError) {
        self.failures.push(failure);
    }

    fn front_end(&mut self, language: Language, source: &ScriptSource) -> Result<&mut dyn FrontEnd, ScriptError> {
        if !self.front_ends.contains_key(&language) {
            let made = front_end(language, self.limits, &self.natives).ok_or_else(|| no_front_end(source))?;
            self.front_ends.insert(language, made);
        }
        self.front_ends.get_mut(&language).map(|front_end| &mut **front_end as _).ok_or_else(|| no_front_end(source))
    }

    fn load(&mut self, source: &ScriptSource, role: Role) -> Result<Instance, ScriptError> {
        let language = language_of(source)?;
        let script = self.next_script;
        self.front_end(language, source)?.load(script, source, role)?;
        self.next_script += 1;
        Ok(Instance { script, language, state: State::Running })
    }

    fn unload(&mut self, instance: &Instance) {
        if let Some(front_end) = self.front_ends.get_mut(&instance.language) {
            front_end.unload(instance.script);
        }
    }

    /// Enters a text into the session of its language, which begins with the first text. The name is that of the session.
    ///
    /// # Errors
    /// The text's syntax error, or that no front end of this build reads the language.
    pub fn enter(&mut self, source: &ScriptSource) -> Result<Entered, ScriptError> {
        let language = language_of(source)?;
        let mut session = match self.session.take() {
            Some(session) if session.language == language => session,
            other => {
                let begun = self.load(&ScriptSource { text: String::new(), ..source.clone() }, Role::Director);
                if let Some(other) = other {
                    self.unload(&other);
                }
                begun?
            }
        };
        let entered =
            self.front_end(language, source).and_then(|front_end| front_end.enter(session.script, &source.text));
        session.state = if entered == Ok(Entered::Ready) { State::Running } else { State::Ended };
        self.session = Some(session);
        entered
    }

    /// Runs the text that was entered last until it waits or ends.
    ///
    /// # Errors
    /// What ended the text; the session goes on.
    pub fn run_entered(&mut self, engine: &mut Box<Engine>) -> Result<Progress, ScriptError> {
        let Some(session) = self.session.as_mut().filter(|session| session.state == State::Running) else {
            return Ok(Progress::Ended);
        };
        let Some(front_end) = self.front_ends.get_mut(&session.language) else { return Ok(Progress::Ended) };
        engine.running_script = 0;
        let outcome = front_end.resume(session.script, engine);
        if outcome != Ok(Progress::Waiting) {
            session.state = State::Ended;
        }
        outcome
    }

    /// Ends an actor's script for good.
    pub fn end_actor(&mut self, engine: &mut Engine, key: ActorKey) {
        if let Some(instance) = self.actors.remove(key) {
            self.unload(&instance);
            engine.forget_script(instance.script);
        }
    }

    /// The director stage (rules U2, S5, S6).
    pub fn run_director(&mut self, engine: &mut Box<Engine>) {
        let Some(mut director) = self.director.take() else { return };
        engine.running_script = 0;
        if let Some(failure) = self.run(&mut director, engine) {
            self.failures.push(failure);
        }
        self.director = Some(director);
    }

    /// The main body of one actor's script. It is loaded when it first runs.
    pub fn run_actor(&mut self, engine: &mut Box<Engine>, key: ActorKey) {
        if !self.actors.contains_key(key) {
            let Some(actor) = engine.world.get(key) else { return };
            let defs = Arc::clone(&engine.defs);
            let Some(source) = &defs.actor(actor.def).script else { return };
            match self.load(source, Role::Actor(key)) {
                Ok(instance) => self.actors.insert(key, instance),
                Err(failure) => {
                    let language = Language::Lua;
                    self.actors.insert(key, Instance { script: 0, language, state: State::Failed });
                    return self.fail_actor(engine, key, failure);
                }
            };
        }
        let Some(mut instance) = self.actors.get_mut(key).map(|instance| Instance { ..*instance }) else { return };
        if instance.state != State::Running {
            return;
        }
        engine.running_script = instance.script;
        let failure = self.run(&mut instance, engine);
        let ended = instance.state == State::Ended;
        self.actors.insert(key, instance);
        engine.running_script = 0;
        if ended {
            engine.world.events.push(Event { actor: key, kind: EventKind::ScriptEnded });
        }
        if let Some(failure) = failure {
            self.fail_actor(engine, key, failure);
        }
    }

    fn fail_actor(&mut self, engine: &mut Engine, key: ActorKey, mut failure: ScriptError) {
        failure.actor = engine.world.name_of(key).map(str::to_owned);
        failure.tick = failure.tick.or(Some(engine.world.clock.tick));
        engine.world.events.push(Event { actor: key, kind: EventKind::ScriptFailed { message: failure.to_string() } });
        self.failures.push(failure);
    }

    /// Resumes a script; one that is over is unloaded.
    fn run(&mut self, instance: &mut Instance, engine: &mut Box<Engine>) -> Option<ScriptError> {
        if instance.state != State::Running {
            return None;
        }
        let front_end = self.front_ends.get_mut(&instance.language)?;
        let outcome = front_end.resume(instance.script, engine);
        let failure = match outcome {
            Ok(Progress::Waiting) => return None,
            Ok(Progress::Ended) => {
                instance.state = State::Ended;
                None
            }
            Err(mut failure) => {
                instance.state = State::Failed;
                failure.tick = Some(engine.world.clock.tick);
                Some(failure)
            }
        };
        front_end.unload(instance.script);
        engine.forget_script(instance.script);
        failure
    }

    /// Drops the scripts of removed actors, with all that they hold.
    pub fn sweep(&mut self, engine: &mut Engine) {
        let removals = engine.world.n_removed();
        if removals == self.swept_removals {
            return;
        }
        self.swept_removals = removals;
        let Self { actors, front_ends, .. } = self;
        actors.retain(|key, instance| {
            let lives = engine.world.get(key).is_some();
            if !lives {
                if let Some(front_end) = front_ends.get_mut(&instance.language) {
                    front_end.unload(instance.script);
                }
                engine.forget_script(instance.script);
            }
            lives
        });
    }
}

fn language_of(source: &ScriptSource) -> Result<Language, ScriptError> {
    Language::of_name(&source.name).ok_or_else(|| no_front_end(source))
}

fn no_front_end(source: &ScriptSource) -> ScriptError {
    let message = match Language::of_name(&source.name) {
        Some(language) => format!("this build has no front end for {language:?}"),
        None if source.name.to_ascii_lowercase().ends_with(".soup") => {
            "a SOUP program belongs to an actor: a director is a script in Lua or Rhai".to_owned()
        }
        None => "cannot tell the language of the script: expected a name that ends in .lua or .rhai".to_owned(),
    };
    ScriptError::bare(&source.name, ScriptErrorKind::Language, message)
}
