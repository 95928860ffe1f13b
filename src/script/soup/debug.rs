//! A step debugger for programs: stops before a statement, and lets whoever asked look at everything.

use std::collections::BTreeSet;

use super::{Called, Observer, Place, Thread};
use crate::{
    defs::{ActorDefIdx, NativeId},
    natives::Engine,
    sync::Portable,
    world::{ActorKey, Args, Refusal},
};

/// Offsets at which programs stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints {
    offsets: BTreeSet<(u32, u32)>,
}

impl Breakpoints {
    /// Stops at an offset of a record's program. False when it did already.
    pub fn insert(&mut self, record: ActorDefIdx, offset: u32) -> bool {
        self.offsets.insert((record.0, offset))
    }

    /// Stops there no more. False when it did not.
    pub fn remove(&mut self, record: ActorDefIdx, offset: u32) -> bool {
        self.offsets.remove(&(record.0, offset))
    }

    /// Whether a program stops at an offset.
    #[must_use]
    pub fn contains(&self, record: ActorDefIdx, offset: u32) -> bool {
        self.offsets.contains(&(record.0, offset))
    }

    /// All of them, by record and offset.
    pub fn iter(&self) -> impl Iterator<Item = (ActorDefIdx, u32)> {
        self.offsets.iter().map(|&(record, offset)| (ActorDefIdx(record), offset))
    }
}

/// A call that a program made, kept to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastCall {
    /// Who called.
    pub caller: ActorKey,
    /// The actor called on.
    pub receiver: ActorKey,
    /// The function.
    pub native: NativeId,
    /// Its arguments.
    pub args: Args,
    /// The value; 0 for tasks.
    pub value: i32,
    /// Why it was refused, if it was.
    pub refusal: Option<Refusal>,
}

/// A program that stands still before a statement.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    /// Where it stands.
    pub place: Place<'a>,
    /// Whether a breakpoint stopped it, not a step.
    pub at_breakpoint: bool,
    /// The last call of any program.
    pub last_call: Option<&'a LastCall>,
}

/// How it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// To the next statement of any program.
    Step,
    /// To the next statement of the same thread of the same actor.
    StepThread,
    /// To the next breakpoint.
    Continue,
}

/// Stops programs at breakpoints and step by step, and asks how to go on.
///
/// Give it to [`Runtime::set_observer`](crate::Runtime::set_observer). At each stop `ask` is called with the engine as it
/// is, locals and cursor included, and with the breakpoints, which it may change.
///
/// ```
/// use soup386::{Runtime, Scene, defs::ModuleSource};
/// use soup386::script::soup::debug::{Debugger, Resume};
///
/// # fn main() -> soup386::Result<()> {
/// let text = r#"
/// soup386 = 1
/// [[actor]]
/// name = "A"
/// [actor.program]
/// bytes = "0A 00 0A00 01 07 01000000 00  05 00000000"    # var0 = var0 + 1, End #00
/// locals = [0]
/// "#;
/// let mut runtime = Runtime::new(Scene::from_toml("a.toml", text, &ModuleSource::Nowhere)?)?;
/// runtime.set_observer(Box::new(Debugger::new(Resume::Step, |_, stop, _| {
///     println!("+0x{:02X}", stop.place.offset());
///     Resume::Step
/// })));
/// runtime.update()?;
/// # Ok(())
/// # }
/// ```
pub struct Debugger<F> {
    /// Where programs stop.
    pub breakpoints: Breakpoints,
    resume: Resume,
    /// The thread that is followed.
    followed: Option<(ActorKey, Thread)>,
    last_call: Option<LastCall>,
    ask: F,
}

impl<F> Debugger<F>
where
    F: FnMut(&Engine, Stop<'_>, &mut Breakpoints) -> Resume,
{
    /// A debugger that begins in this way.
    #[must_use]
    pub fn new(resume: Resume, ask: F) -> Self {
        Self { breakpoints: Breakpoints::default(), resume, followed: None, last_call: None, ask }
    }

    fn stops(&self, place: &Place<'_>) -> bool {
        match self.resume {
            Resume::Step => true,
            Resume::StepThread => self.followed.is_none_or(|followed| followed == (place.actor, place.thread)),
            Resume::Continue => false,
        }
    }
}

impl<F> Observer for Debugger<F>
where
    F: FnMut(&Engine, Stop<'_>, &mut Breakpoints) -> Resume + Portable,
{
    fn statement(&mut self, engine: &Engine, place: Place<'_>) {
        let at_breakpoint = self.breakpoints.contains(place.record, place.offset());
        if !at_breakpoint && !self.stops(&place) {
            return;
        }
        let stop = Stop { place, at_breakpoint, last_call: self.last_call.as_ref() };
        self.resume = (self.ask)(engine, stop, &mut self.breakpoints);
        self.followed = Some((place.actor, place.thread));
    }

    fn called(&mut self, engine: &Engine, called: Called<'_>) {
        let Called { caller, receiver, native, args, value } = called;
        let refusal = engine.world.get(receiver).and_then(|actor| actor.cold.refusal.clone());
        self.last_call = Some(LastCall { caller, receiver, native, args: args.clone(), value, refusal });
    }
}
