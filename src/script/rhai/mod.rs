//! The Rhai front end: scripts of one Rhai engine, each suspended one on a small stack of its own.
//!
//! Values are converted here and beside; no rule of the game.

mod bindings;
mod budget;
mod fields;
mod handles;
mod modules;
mod points;
mod problem;
mod scenario;
mod session;
mod stack;

use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    rc::{Rc, Weak},
};

use rhai::{
    AST, CallFnOptions, Dynamic, EvalAltResult, OptimizationLevel, Scope,
    packages::{Package, StandardPackage},
};

use self::{
    budget::{Request, Shared},
    modules::{Modules, Resolver},
    problem::{script_error, syntax_error},
    stack::{Fiber, Signal, Stacks, Step},
};
use super::{Entered, FrontEnd, Limits, Progress, Role, ScriptError, ScriptErrorKind};
use crate::{
    defs::ScriptSource,
    natives::{Engine, Natives},
};

/// The name of the actor type in Rhai.
const ACTOR_TYPE: &str = "actor";

/// The name of what `expect` gives.
const EXPECTATION_TYPE: &str = "expectation";

/// Programs that are kept for when the runtime starts over.
const MOST_RECENT: usize = 8;

/// The function that is called once per update.
const ON_UPDATE: &str = "on_update";

/// One engine with all scripts of a runtime.
pub(super) struct Rhai {
    engine: Rc<rhai::Engine>,
    shared: Rc<Shared>,
    stacks: Stacks,
    /// Compiled texts that scripts still use, by name: a crowd shares one. Looked up only, never walked.
    programs: HashMap<String, Weak<Program>>,
    /// The programs compiled last, which are likely to be needed again when the runtime starts over.
    recent: VecDeque<Rc<Program>>,
    /// Looked up by number; walked only to drop all.
    scripts: HashMap<u64, Script>,
}

/// A compiled text.
struct Program {
    name: String,
    text: String,
    ast: AST,
    /// What a director runs: the body, and if it may declare scenarios, the one that was chosen while it ran.
    directed: Option<AST>,
    /// Whether there are statements beside functions.
    has_body: bool,
    has_on_update: bool,
    /// What prints the value of a text that was entered; of such a text only.
    printer: Option<AST>,
}

/// One loaded script.
struct Script {
    program: Rc<Program>,
    role: Role,
    modules: Rc<Modules>,
    state: State,
}

enum State {
    /// Its body did not run yet.
    Fresh,
    /// It waits in its body or in `on_update`.
    Waiting(Fiber<Request, Finished>),
    /// Its body ended; these are its variables.
    Idle(Box<Scope<'static>>),
    /// It is over.
    Over,
}

/// What a body or a call of `on_update` left.
struct Finished {
    scope: Scope<'static>,
    outcome: Result<(), Box<EvalAltResult>>,
}

impl Rhai {
    pub(super) fn new(limits: Limits, natives: &Natives) -> Self {
        let shared = Rc::new(Shared::new(limits));
        let mut engine = rhai::Engine::new_raw();
        StandardPackage::new().register_into_engine(&mut engine);
        engine.set_optimization_level(OptimizationLevel::None);
        budget::set_limits(&mut engine, limits);
        engine.set_module_resolver(Resolver(Rc::clone(&shared)));
        let of = Rc::clone(&shared);
        engine.on_progress(move |_| of.operation());
        bindings::register(&mut engine, &shared, natives);
        fields::register(&mut engine, &shared);
        let (programs, recent, scripts) = (HashMap::new(), VecDeque::new(), HashMap::new());
        Self { engine: Rc::new(engine), shared, stacks: Stacks::new(limits.stacks), programs, recent, scripts }
    }

    /// The program of a text; scripts of the same text share it.
    fn program(&mut self, source: &ScriptSource) -> Result<Rc<Program>, ScriptError> {
        let known = self.programs.get(&source.name).and_then(Weak::upgrade);
        if let Some(known) = known.filter(|known| known.text == source.text) {
            return Ok(known);
        }
        let program = Rc::new(self.compile(source)?);
        self.programs.retain(|_, program| program.strong_count() != 0);
        self.programs.insert(source.name.clone(), Rc::downgrade(&program));
        self.recent.truncate(MOST_RECENT - 1);
        self.recent.push_front(Rc::clone(&program));
        Ok(program)
    }

    fn compile(&self, source: &ScriptSource) -> Result<Program, ScriptError> {
        self.shared.begin(0, Role::Director, &Rc::default());
        let mut ast = self.engine.compile(&source.text).map_err(|error| syntax_error(&source.name, &error))?;
        ast.set_source(source.name.as_str());
        let has_on_update =
            ast.iter_functions().any(|function| function.name == ON_UPDATE && function.params.is_empty());
        let (name, text) = (source.name.clone(), source.text.clone());
        let directed =
            if text.contains("scenario") || text.contains("only") { Some(self.directed(&ast)?) } else { None };
        let (has_body, printer) = (self.has_statements(&ast), None);
        Ok(Program { name, text, has_body, has_on_update, directed, ast, printer })
    }

    /// The program with a call at its end that runs the chosen scenario.
    fn directed(&self, ast: &AST) -> Result<AST, ScriptError> {
        let call = format!("{}();", scenario::RUN);
        let end = self.engine.compile(call).map_err(|error| syntax_error("", &error))?;
        let mut whole = ast.merge(&end);
        if let Some(source) = ast.source() {
            whole.set_source(source);
        }
        Ok(whole)
    }

    /// Whether anything stands beside functions: a text that ends although it may not do a single operation is empty.
    fn has_statements(&self, ast: &AST) -> bool {
        self.shared.stop();
        self.engine.run_ast(ast).is_err()
    }

    /// Puts a script's next piece on a stack: its body, or a call of `on_update`.
    fn start(&mut self, program: &Rc<Program>, next: Next) -> Result<Fiber<Request, Finished>, ScriptError> {
        let Some(stack) = self.stacks.take() else { return Err(self.no_stack(&program.name)) };
        let (engine, program) = (Rc::clone(&self.engine), Rc::clone(program));
        Ok(Fiber::new(stack, &self.shared.current, move || next.run(&engine, &program)))
    }

    fn no_stack(&self, file: &str) -> ScriptError {
        let reason = format!(
            "{} scripts wait already, and each needs a stack of its own; scripts of a crowd should define on_update() and \
             do without waits",
            self.stacks.n_used()
        );
        ScriptError::bare(file, ScriptErrorKind::Memory, reason)
    }

    /// Runs a script until it waits for an update or its piece ends.
    fn run(&mut self, script: &mut Script) -> Result<Progress, ScriptError> {
        let program = Rc::clone(&script.program);
        let mut fiber = match std::mem::replace(&mut script.state, State::Over) {
            State::Waiting(fiber) => fiber,
            State::Over => return Ok(Progress::Ended),
            State::Fresh if program.has_body => {
                self.shared.chosen.clear();
                self.start(&program, if script.role == Role::Director { Next::Directed } else { Next::Body })?
            }
            State::Fresh if !program.has_on_update => return Ok(Progress::Ended),
            State::Fresh => self.start(&program, Next::OnUpdate(Box::default()))?,
            State::Idle(scope) if program.printer.is_some() => self.start(&program, Next::Entered(scope))?,
            State::Idle(scope) => self.start(&program, Next::OnUpdate(scope))?,
        };
        let step = catch_unwind(AssertUnwindSafe(|| self.step(script, &mut fiber)));
        match step {
            Ok(Some(finished)) => {
                self.stacks.give_back(fiber);
                script.state = State::Idle(Box::new(finished.scope));
                finished.outcome.map_err(|error| script_error(&program.name, &error))?;
                Ok(if program.has_on_update { Progress::Waiting } else { Progress::Ended })
            }
            Ok(None) => {
                script.state = State::Waiting(fiber);
                Ok(Progress::Waiting)
            }
            Err(panic) => {
                self.stacks.give_back(fiber);
                let reason = format!("a native panicked: {}", super::panic_message(&*panic));
                Err(ScriptError::bare(&program.name, ScriptErrorKind::Panic, reason))
            }
        }
    }

    /// Resumes a fiber, answering its wishes for modules.
    fn step(&self, script: &Script, fiber: &mut Fiber<Request, Finished>) -> Option<Finished> {
        loop {
            match fiber.resume(&self.shared.current, Signal::Go) {
                Step::Waits(Request::Update) => return None,
                Step::Waits(Request::Module(name)) => script.modules.compile(&self.engine, &name),
                Step::Done(finished) => return finished,
            }
        }
    }

    /// Has a waiting script return at once, so that its stack is free. Gives its variables.
    fn cancel(&mut self, script: Script) -> Option<Box<Scope<'static>>> {
        let mut fiber = match script.state {
            State::Waiting(fiber) => fiber,
            State::Idle(scope) => return Some(scope),
            State::Fresh | State::Over => return None,
        };
        self.shared.begin(0, script.role, &script.modules);
        self.shared.stop();
        let current = &self.shared.current;
        let stopped = catch_unwind(AssertUnwindSafe(|| fiber.resume(current, Signal::Stop)));
        debug_assert!(stopped.is_ok() && fiber.is_done(), "a stopped script went on");
        self.stacks.give_back(fiber);
        match stopped {
            Ok(Step::Done(finished)) => finished.map(|finished| Box::new(finished.scope)),
            _ => None,
        }
    }
}

/// What a fiber runs.
enum Next {
    Body,
    /// The body of a director, and a scenario that it declares.
    Directed,
    OnUpdate(Box<Scope<'static>>),
    /// A text that was entered, and a print of its value.
    Entered(Box<Scope<'static>>),
}

impl Next {
    fn run(self, engine: &rhai::Engine, program: &Program) -> Finished {
        match self {
            Self::Body | Self::Directed => {
                let directed = program.directed.as_ref().filter(|_| matches!(self, Self::Directed));
                let mut scope = Scope::new();
                let outcome = engine.run_ast_with_scope(&mut scope, directed.unwrap_or(&program.ast));
                Finished { scope, outcome }
            }
            Self::OnUpdate(mut scope) => {
                let options = CallFnOptions::new().eval_ast(false);
                let called: Result<Dynamic, _> =
                    engine.call_fn_with_options(options, &mut scope, &program.ast, ON_UPDATE, ());
                Finished { scope: *scope, outcome: called.map(drop) }
            }
            Self::Entered(mut scope) => {
                let outcome = session::run(engine, program, &mut scope);
                Finished { scope: *scope, outcome }
            }
        }
    }
}

impl FrontEnd for Rhai {
    fn check(&mut self, source: &ScriptSource) -> Result<(), ScriptError> {
        self.program(source).map(drop)
    }

    fn load(&mut self, script: u64, source: &ScriptSource, role: Role) -> Result<(), ScriptError> {
        let program = self.program(source)?;
        if program.has_body && !self.stacks.has_room() {
            return Err(self.no_stack(&program.name));
        }
        let modules = Rc::new(Modules::new(source.modules.clone()));
        self.scripts.insert(script, Script { program, role, modules, state: State::Fresh });
        Ok(())
    }

    fn resume(&mut self, script: u64, engine: &mut Box<Engine>) -> Result<Progress, ScriptError> {
        let Some(mut running) = self.scripts.remove(&script) else { return Ok(Progress::Ended) };
        self.shared.begin(script, running.role, &running.modules);
        self.shared.exchange(engine);
        let outcome = self.run(&mut running);
        self.shared.exchange(engine);
        // A script that spent a budget is over, whatever it made of the error.
        let outcome = match self.shared.take_trip() {
            Some((kind, message)) => {
                let failure = outcome.err().unwrap_or_else(|| ScriptError::bare(&running.program.name, kind, ""));
                Err(ScriptError { kind, message, ..failure })
            }
            None => outcome,
        };
        self.scripts.insert(script, running);
        outcome
    }

    fn enter(&mut self, script: u64, text: &str) -> Result<Entered, ScriptError> {
        session::enter(self, script, text)
    }

    fn unload(&mut self, script: u64) {
        if let Some(script) = self.scripts.remove(&script) {
            self.cancel(script);
        }
    }

    /// Scripts leave nothing behind: the engine itself never changes, and budgets begin anew with every run.
    fn restart(&mut self) -> Result<(), ScriptError> {
        Ok(())
    }
}

impl Drop for Rhai {
    fn drop(&mut self) {
        for (_, script) in std::mem::take(&mut self.scripts) {
            self.cancel(script);
        }
    }
}
