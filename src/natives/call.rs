//! What a handler is given, and the host that answers for functions without one.

use std::{fmt, sync::Arc};

use crate::{
    defs::{ActorDef, Defs, NativeId},
    sync::Portable,
    weapon::Conditions,
    world::{Actor, ActorKey, Args, Event, Gate, Scratch, World},
};

/// One run of a native: its receiver, arguments and task state.
///
/// A handler returns the value of a function; a task's handler returns 1 while it is active and 0 when it is done.
pub struct Call<'a> {
    /// The definitions.
    pub defs: &'a Defs,
    /// The world.
    pub world: &'a mut World,
    /// The actor called on; it lives when the handler starts.
    pub receiver: ActorKey,
    /// The function.
    pub native: NativeId,
    /// The arguments, as many as the function declares.
    pub args: &'a Args,
    /// Elapsed time of the task; 0 on the first run (rule K3).
    pub elapsed: i32,
    /// What the task keeps between runs; zeroes on the first run (rule K10).
    pub scratch: &'a mut Scratch,
    /// Whether a shell script calls.
    pub shell: bool,
    /// Taken while the host answers, so that it cannot be asked from within itself.
    pub(super) host: Option<&'a mut dyn Host>,
    pub(super) refusal: Option<Gate>,
    pub(super) unhandled: bool,
}

/// The receiver with everything that the rules about one actor read and write.
pub struct Parts<'a> {
    /// The definitions.
    pub defs: &'a Defs,
    /// The receiver's record.
    pub def: &'a ActorDef,
    /// The receiver.
    pub actor: &'a mut Actor,
    /// Item system, shell, ticks.
    pub conditions: Conditions,
    /// Where events go.
    pub events: &'a mut Vec<Event>,
}

impl Call<'_> {
    /// The receiver and what belongs to it.
    ///
    /// # Panics
    /// When the handler itself removed the receiver. The runtime ends the calling script then.
    pub fn parts(&mut self) -> Parts<'_> {
        let conditions = self.conditions();
        let (actor, events) = self.world.actor_and_events(self.receiver).expect("the handler removed its receiver");
        Parts { defs: self.defs, def: self.defs.actor(actor.def), actor, conditions, events }
    }

    /// The receiver.
    ///
    /// # Panics
    /// As [`Self::parts`].
    #[must_use]
    pub fn actor(&self) -> &Actor {
        self.world.get(self.receiver).expect("the handler removed its receiver")
    }

    /// The receiver, to change it.
    ///
    /// # Panics
    /// As [`Self::parts`].
    pub fn actor_mut(&mut self) -> &mut Actor {
        self.world.get_mut(self.receiver).expect("the handler removed its receiver")
    }

    /// What holds for this call.
    #[must_use]
    pub fn conditions(&self) -> Conditions {
        Conditions { shell: self.shell, ..Conditions::ordinary(self.world) }
    }

    /// The integer argument at `index`.
    #[must_use]
    pub fn int(&self, index: usize) -> i32 {
        self.args.int(index)
    }

    /// Records why the call is refused. A second reason of the same call does not replace the first.
    pub fn refuse(&mut self, gate: Gate) {
        self.refusal.get_or_insert(gate);
    }

    /// Records the reason of an `Err`.
    pub fn note(&mut self, outcome: Result<(), Gate>) {
        if let Err(gate) = outcome {
            self.refuse(gate);
        }
    }

    /// Lets the host answer; 0 when it does not know the function.
    pub fn ask_host(&mut self) -> i32 {
        let host = self.host.take();
        let answer = host.and_then(|host| {
            let answer = host.call(self);
            self.host = Some(host);
            answer
        });
        answer.unwrap_or_else(|| {
            self.unhandled = true;
            self.refuse(Gate::Delegated {});
            0
        })
    }
}

/// Whoever embeds the runtime: takes over natives that it has no handler for.
pub trait Host: Portable {
    /// Answers a call, or says with `None` that it does not know the function, which then returns 0 and is reported
    /// once for each script. A task's answer is 1 while it is active and 0 when it is done.
    fn call(&mut self, call: &mut Call<'_>) -> Option<i32> {
        let _ = call;
        None
    }
}

/// A host that takes nothing over.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}

/// The code of a native.
#[derive(Clone)]
pub enum Handler {
    /// Part of this runtime.
    BuiltIn(fn(&mut Call<'_>) -> i32),
    /// Brought by the host.
    Host(Arc<dyn Fn(&mut Call<'_>) -> i32 + Send + Sync>),
}

impl Handler {
    pub(super) fn run(&self, call: &mut Call<'_>) -> i32 {
        match self {
            Self::BuiltIn(handler) => handler(call),
            Self::Host(handler) => handler(call),
        }
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BuiltIn(_) => "BuiltIn",
            Self::Host(_) => "Host",
        })
    }
}
