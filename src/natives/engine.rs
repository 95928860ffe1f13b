//! Everything a call needs, in one value that a script can be lent.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use super::{Call, CallError, Handler, Host, Natives, NoHost, Programs, programs::Notices};
use crate::{
    anim,
    defs::{ActorDefIdx, Defs, FunctionKind, NativeId, Scene, did_you_mean, functions},
    expect::Sheet,
    world::{ActorKey, Args, CallSite, Event, EventKind, Gate, NewTask, OperandSource, Refusal, Scratch, World},
};

/// Definitions, world, registry and host: what runs without any script.
///
/// Scripts are lent this value for the time they run and give it back.
pub struct Engine {
    /// The definitions.
    pub defs: Arc<Defs>,
    /// The live state.
    pub world: World,
    /// The registry.
    pub natives: Arc<Natives>,
    /// The decoded programs of the scene's records.
    pub programs: Arc<Programs>,
    /// Answers for natives without handler.
    pub host: Box<dyn Host>,
    /// The number of the running script; 0 is the host or the director.
    pub running_script: u64,
    /// What scripts printed and nobody has taken yet, one line each.
    pub printed: Vec<String>,
    /// Where scripts enter what they declare and expect, while a scenario file runs.
    pub sheet: Option<Box<Sheet>>,
    /// Which scripts were already told of a native that nobody handles.
    reported: BTreeSet<(u64, NativeId)>,
    pub(super) notices: Notices,
}

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// As the function is declared.
    Declared,
    /// As a task that holds back the receiver's main body.
    Task,
    /// As a task that does not.
    Multitask,
    /// Once, for its value.
    Function,
}

/// One call.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// The actor called on.
    pub receiver: ActorKey,
    /// The function.
    pub native: NativeId,
    /// Its arguments, already checked by [`super::arguments`].
    pub args: Args,
    /// How it is made.
    pub dispatch: Dispatch,
    /// Where it is made.
    pub site: CallSite,
}

/// What a call gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Called {
    /// The function's value; 0 for tasks.
    pub value: i32,
    /// The allocation number of the task slot, for tasks that got one.
    pub task: Option<u64>,
}

impl Engine {
    /// A scene's world at load, with the built-in natives and no host (rules F5 to F7, M3).
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let mut engine = Self {
            defs: Arc::clone(&scene.defs),
            world: World::empty(scene),
            natives: Natives::shared(),
            programs: Arc::default(),
            host: Box::new(NoHost),
            running_script: 0,
            printed: Vec::new(),
            sheet: None,
            reported: BTreeSet::new(),
            notices: Notices::default(),
        };
        let defs = Arc::clone(&engine.defs);
        for (index, record) in defs.actors().iter().enumerate().filter(|(_, record)| !record.template) {
            // A built scene has neither duplicate names nor too many actors.
            let spawned = engine.spawn(ActorDefIdx(index as u32), &record.name);
            debug_assert!(spawned.is_ok(), "{spawned:?}");
        }
        engine
    }

    /// Makes an actor from a scene's record, last in update order, and starts its animation (rule F5).
    ///
    /// # Errors
    /// [`CallError::Spawn`] when the name is empty or taken, or the world is full.
    pub fn spawn(&mut self, def: ActorDefIdx, name: &str) -> Result<ActorKey, CallError> {
        let key = self.world.insert(&self.defs, def, name)?;
        let ticks = self.world.clock.ticks;
        if let Some((actor, events)) = self.world.actor_and_events(key) {
            anim::start(self.defs.actor(def), actor, ticks, events);
        }
        Ok(key)
    }

    /// The error of a key that names no live actor.
    #[must_use]
    pub fn stale(&self, key: ActorKey) -> CallError {
        match self.world.removal(key) {
            Some(removal) => CallError::ActorRemoved { name: removal.name.to_string(), tick: removal.tick },
            None => CallError::ActorForgotten,
        }
    }

    /// The live actor of a name.
    ///
    /// # Errors
    /// [`CallError::UnknownActor`], with a close name if there is one.
    pub fn actor_named(&self, name: &str) -> Result<ActorKey, CallError> {
        self.world.named(name).ok_or_else(|| {
            let names = self.world.actors().map(|actor| &*actor.cold.name).take(1000);
            CallError::UnknownActor { name: name.to_owned(), hint: did_you_mean(name, names) }
        })
    }

    /// The id of a function's name.
    ///
    /// # Errors
    /// [`CallError::UnknownFunction`], with a close name if there is one.
    pub fn function_named(&self, name: &str) -> Result<NativeId, CallError> {
        self.natives.named(name).ok_or_else(|| {
            let names = self.natives.rows().iter().map(|native| native.decl.script_name.as_str());
            CallError::UnknownFunction { name: name.to_owned(), hint: did_you_mean(name, names) }
        })
    }

    /// Makes a call.
    ///
    /// A task's handler runs once with elapsed 0, then the lowest free slot is allocated whatever it returned; a site
    /// that already owns a slot on the receiver is not executed again (rules K1, K2, K4).
    ///
    /// # Errors
    /// [`CallError::ActorRemoved`] when the receiver is gone. A refused call is not an error: see
    /// [`crate::world::Cold::refusal`].
    pub fn call(&mut self, request: CallRequest) -> Result<Called, CallError> {
        self.call_of(request, None)
    }

    /// Runs a function of this runtime's own on a live actor, as [`Self::call`] with [`Dispatch::Function`]; none when
    /// somebody else has to answer.
    pub(crate) fn call_built_in(&mut self, receiver: ActorKey, native: NativeId, args: &Args) -> Option<i32> {
        let is_built_in = matches!(self.natives.get(native)?.handler, Some(Handler::BuiltIn(_)));
        self.world.get(receiver).filter(|_| is_built_in)?;
        self.run_function(receiver, native, args)
    }

    /// Calls a function once for its value, as [`Self::call`] does with [`Dispatch::Function`].
    ///
    /// # Errors
    /// As [`Self::call`].
    pub fn call_function(&mut self, receiver: ActorKey, native: NativeId, args: &Args) -> Result<i32, CallError> {
        self.touch(receiver);
        self.run_function(receiver, native, args).ok_or_else(|| self.stale(receiver))
    }

    /// The value of a function on a live actor.
    fn run_function(&mut self, receiver: ActorKey, native: NativeId, args: &Args) -> Option<i32> {
        self.world.get_mut(receiver)?.cold.refusal = None;
        let mut refusal = None;
        let value = self.run(receiver, native, args, 0, &mut Scratch::default(), &mut refusal);
        self.keep(receiver, refusal);
        Some(value)
    }

    /// The same for a call whose operands stand in a program, if any do.
    pub(crate) fn call_of(
        &mut self,
        request: CallRequest,
        operands: Option<OperandSource>,
    ) -> Result<Called, CallError> {
        let CallRequest { receiver, native, args, dispatch, site } = request;
        let kind = match dispatch {
            Dispatch::Declared => self.natives.get(native).map_or(FunctionKind::Function, |native| native.decl.kind),
            Dispatch::Task => FunctionKind::Task,
            Dispatch::Multitask => FunctionKind::Multitask,
            Dispatch::Function => FunctionKind::Function,
        };
        if kind == FunctionKind::Function {
            let value = self.call_function(receiver, native, &args)?;
            return Ok(Called { value, task: None });
        }
        self.touch(receiver);
        let Some(actor) = self.world.get_mut(receiver) else { return Err(self.stale(receiver)) };
        if let Some(task) = actor.tasks.at_site(site) {
            return Ok(Called { value: 0, task: Some(task.serial) });
        }
        actor.cold.refusal = None;
        let (mut scratch, mut refusal) = (Scratch::default(), None);
        self.run(receiver, native, &args, 0, &mut scratch, &mut refusal);
        self.keep(receiver, refusal);
        let blocking = kind == FunctionKind::Task;
        let full = self.refusal(native, Gate::SlotsFull {});
        let task = self.world.get_mut(receiver).and_then(|actor| {
            let task = actor.tasks.allocate(NewTask { native, args, operands, scratch, blocking, site });
            if task.is_none() {
                actor.cold.refusal = Some(full.clone());
            }
            task
        });
        Ok(Called { value: 0, task })
    }

    fn refusal(&self, native: NativeId, gate: Gate) -> Refusal {
        let built_in = functions().get(native).map(|decl| Cow::Borrowed(decl.script_name.as_str()));
        let added = || self.natives.get(native).map(|native| Cow::Owned(native.decl.script_name.clone()));
        Refusal { native, function: built_in.or_else(added).unwrap_or_default(), gate }
    }

    /// Keeps the reason of a refused call for whoever asks. A later run of a task is not a call and leaves it standing.
    fn keep(&mut self, receiver: ActorKey, refusal: Option<Refusal>) {
        if let Some(refusal) = refusal
            && let Some(actor) = self.world.get_mut(receiver)
        {
            actor.cold.refusal = Some(refusal);
        }
    }

    /// Runs a handler once, or asks the host. Why it refused is noted in `refused`.
    fn run(
        &mut self,
        receiver: ActorKey,
        native: NativeId,
        args: &Args,
        elapsed: i32,
        scratch: &mut Scratch,
        refused: &mut Option<Refusal>,
    ) -> i32 {
        let mut call = Call {
            defs: &self.defs,
            world: &mut self.world,
            receiver,
            native,
            args,
            elapsed,
            scratch,
            shell: false,
            host: Some(&mut *self.host),
            refusal: None,
            unhandled: false,
        };
        let row = self.natives.get(native);
        let value = match row.and_then(|native| native.handler.as_ref()) {
            Some(handler) => handler.run(&mut call),
            None => call.ask_host(),
        };
        let unhandled = call.unhandled;
        if let Some(gate) = call.refusal.take() {
            let refusal = self.refusal(native, gate);
            self.world.events.push(Event { actor: receiver, kind: EventKind::Refused(refusal.clone()) });
            *refused = Some(refusal);
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.called(native, refused.as_ref());
        }
        if unhandled && self.reported.insert((self.running_script, native)) {
            let name = row.map_or("?", |native| native.decl.name);
            let actor = self.world.name_of(receiver).unwrap_or("?");
            tracing::warn!(actor, update = self.world.clock.tick, "{name} has no handler here and returned 0");
        }
        value
    }

    /// Forgets what was reported to a script that is gone.
    pub fn forget_script(&mut self, script: u64) {
        self.reported.retain(|&(reported, _)| reported != script);
    }

    /// Runs the tasks of one actor, oldest first; those that are done free their slots.
    ///
    /// # Source
    /// Rule K3; engine/SOUP.md, "TaskStop, TaskPause, and TaskResume".
    pub fn run_tasks(&mut self, receiver: ActorKey) {
        let Some(actor) = self.world.get(receiver) else { return };
        if actor.tasks.is_empty() {
            return;
        }
        // Six at most: tasks that start during the pass wait for the next one.
        let mut snapshot = [None; crate::world::N_SLOTS];
        for (place, task) in snapshot.iter_mut().zip(actor.tasks.running()) {
            *place = Some(task.serial);
        }
        for serial in snapshot.into_iter().flatten() {
            self.run_task(receiver, serial);
        }
    }

    fn run_task(&mut self, receiver: ActorKey, serial: u64) {
        let scale = self.world.clock.clock.frame_scale;
        let Some(task) = self.world.get_mut(receiver).and_then(|actor| actor.tasks.get_mut(serial)) else { return };
        if task.paused {
            return;
        }
        let elapsed = (u32::from(task.counter).wrapping_mul(scale) >> 8) as i32;
        task.counter = task.counter.wrapping_add(1);
        let (native, mut args, mut scratch) = (task.native, std::mem::take(&mut task.args), task.scratch);
        if let Some(source) = task.operands {
            self.running_script = Self::program_number(source.record);
            args = self.task_arguments(source, receiver).unwrap_or(args);
        }
        let is_active = self.run(receiver, native, &args, elapsed, &mut scratch, &mut None) != 0;
        self.running_script = 0;
        let Some(actor) = self.world.get_mut(receiver) else { return };
        if let Some(task) = actor.tasks.get_mut(serial) {
            task.args = args;
            task.scratch = scratch;
        }
        if !is_active {
            actor.tasks.stop(serial);
        }
    }
}
