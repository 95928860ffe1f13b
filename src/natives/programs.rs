//! The decoded programs of a scene's records, and the values of call parameters.
//!
//! Parameters of a running task are evaluated again at every pass, so whoever runs tasks needs them, not the machine
//! alone.
//!
//! # Source
//! Rules Y53 to Y60, Y65; engine/SOUP.md, "Operand Encoding", "Function Dispatch".

use std::{collections::BTreeSet, sync::Arc};

use super::{Engine, Natives, value::takes_text};
use crate::{
    defs::{ActorDefIdx, Defs, NativeId, Program, PropertyId, folded, functions},
    soup::{
        Code, DecodeError, Quick, Tables,
        code::{Call, CallIdx, Object, Place, Selector, Value},
        decode,
    },
    world::{Actor, ActorKey, Args, CallSite, OperandSource, World, WorldError},
};

/// All programs, by record.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    loaded: Vec<Option<Arc<LoadedProgram>>>,
}

/// A decoded program with its strings as texts.
#[derive(Debug)]
pub struct LoadedProgram {
    /// The decoded form.
    pub code: Code,
    /// Its statements that need no world.
    pub quick: Quick,
    /// The arguments of calls that have numbers only, by call.
    fixed: Vec<Option<Box<Args>>>,
    strings: Vec<Arc<str>>,
    /// The strings as names of actors; none where a string cannot be one.
    names: Vec<Option<String>>,
}

impl LoadedProgram {
    fn new(code: Code) -> Self {
        let strings = &code.program().strings;
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into();
        let name = |bytes: &Vec<u8>| std::str::from_utf8(bytes).ok().map(folded);
        Self {
            quick: Quick::new(&code),
            fixed: code.calls().iter().map(|call| fixed_arguments(&code, call)).collect(),
            strings: strings.iter().map(text).collect(),
            names: strings.iter().map(name).collect(),
            code,
        }
    }

    /// The arguments of a call whose parameters are the same for whoever evaluates them.
    pub(crate) fn fixed_arguments(&self, call: CallIdx) -> Option<&Args> {
        self.fixed.get(call as usize)?.as_deref()
    }

    /// Bytes of memory that everything made of the program takes, apart from the program itself and its strings.
    #[must_use]
    pub fn size(&self) -> usize {
        let fixed = self.fixed.iter().flatten().count() * size_of::<Args>();
        self.code.decoded_size() + self.quick.size() + size_of_val(&self.fixed[..]) + fixed
    }

    /// The address of an offset (rule Y2).
    #[must_use]
    pub fn address(&self, offset: u32) -> u32 {
        self.code.program().base.wrapping_add(offset)
    }

    fn name(&self, index: i32) -> Option<&str> {
        self.names.get(usize::try_from(index).ok()?)?.as_deref()
    }
}

impl Programs {
    /// Decodes the programs of all records; records that share one share its decoded form.
    ///
    /// # Errors
    /// The first fault of the first faulty program.
    pub fn decode(defs: &Defs, natives: &Natives) -> Result<Self, DecodeError> {
        let tables = tables(defs, natives);
        let mut loaded: Vec<Option<Arc<LoadedProgram>>> = Vec::new();
        for record in defs.actors() {
            let Some(program) = &record.program else {
                loaded.push(None);
                continue;
            };
            let is_it = |other: &&Arc<LoadedProgram>| Arc::ptr_eq(other.code.program(), program);
            let shared = loaded.iter().rev().flatten().find(is_it).cloned();
            loaded.push(Some(match shared {
                Some(shared) => shared,
                None => Arc::new(LoadedProgram::new(decode(program, &tables)?)),
            }));
        }
        Ok(Self { loaded })
    }

    /// The same with the program of one more record.
    ///
    /// # Errors
    /// The first fault of the program.
    pub fn with(&self, program: &Arc<Program>, defs: &Defs, natives: &Natives) -> Result<Self, DecodeError> {
        let mut loaded = self.loaded.clone();
        loaded.push(Some(Arc::new(LoadedProgram::new(decode(program, &tables(defs, natives))?))));
        Ok(Self { loaded })
    }

    /// The first address behind all programs (rule Y2).
    #[must_use]
    pub fn next_address(&self) -> u32 {
        let end = |loaded: &Arc<LoadedProgram>| loaded.address(loaded.code.program().bytes.len() as u32);
        self.loaded.iter().flatten().map(end).max().unwrap_or(0)
    }

    /// The program of a record.
    #[must_use]
    pub fn get(&self, record: ActorDefIdx) -> Option<&Arc<LoadedProgram>> {
        self.loaded.get(record.0 as usize)?.as_ref()
    }

    /// Checks cursors and slots of a world that came from outside.
    ///
    /// # Errors
    /// [`WorldError::Damaged`].
    pub fn check(&self, world: &World) -> Result<(), WorldError> {
        let damaged = |what| Err(WorldError::Damaged { what });
        for actor in world.actors() {
            if !self.cursors_fit(actor) {
                return damaged("a cursor is not at a statement of its program");
            }
            let known = |source: OperandSource| self.operands(source).is_some();
            if !actor.tasks.running().iter().filter_map(|task| task.operands).all(known) {
                return damaged("a task's operands are not in its program");
            }
        }
        Ok(())
    }

    fn cursors_fit(&self, actor: &Actor) -> bool {
        let (Some(state), Some(program)) = (&actor.script, self.get(actor.def)) else { return true };
        let cursors = [Some(state.main), state.entry, state.ret];
        cursors.into_iter().flatten().all(|cursor| program.code.index_of(cursor).is_some())
    }

    /// The call whose operands stand at a place.
    fn operands(&self, source: OperandSource) -> Option<(&Arc<LoadedProgram>, &Call)> {
        let program = self.get(source.record)?;
        let hooks = usize::from(program.code.hook().is_some());
        let calls = program.code.calls();
        let calls = &calls[..calls.len() - hooks];
        let at = calls.binary_search_by_key(&source.offset, |call| call.operands).ok()?;
        Some((program, &calls[at]))
    }
}

/// The names in force, with the natives that the host added (rules Y81, Y102).
fn tables(defs: &Defs, natives: &Natives) -> Arc<Tables> {
    defs.tables().with_natives(|name| natives.named(name))
}

/// Something missing, which is said once for each program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Notice {
    Player,
    Camera,
    Actor(i32),
    Local(u8),
    Native(u16),
}

/// What was said, by record.
#[derive(Debug, Default)]
pub(super) struct Notices(BTreeSet<(u32, Notice)>);

impl Engine {
    /// The running number by which natives without handler are reported once for each program (rule Y81).
    pub(crate) fn program_number(record: ActorDefIdx) -> u64 {
        1 << 63 | u64::from(record.0)
    }

    fn notice(&mut self, record: ActorDefIdx, notice: Notice) {
        if self.notices.0.contains(&(record.0, notice.clone())) {
            return;
        }
        let program = self.programs.get(record);
        let name = program.map_or("?", |program| &*program.code.program().name);
        let update = self.world.clock.tick;
        let text = match &notice {
            Notice::Player => "there is no player".to_owned(),
            Notice::Camera => "there is no camera".to_owned(),
            Notice::Actor(index) => match program.and_then(|program| program.name(*index)) {
                Some(name) => format!("there is no actor \"{name}\""),
                None => format!("string {index} names no actor"),
            },
            Notice::Local(local) => format!("local {local} is outside the locals of the actor called on; it reads 0"),
            Notice::Native(function) => {
                let row = program.and_then(|program| program.code.tables().functions().get(usize::from(*function)));
                let name = row.map_or("?", |row| &*row.name);
                format!("function {function} ({name}) is known to no one here and returned 0")
            }
        };
        tracing::warn!(program = name, update, "{text}");
        self.notices.0.insert((record.0, notice));
    }

    /// Says once that a program calls a function which is not in the registry.
    pub(crate) fn notice_unknown_function(&mut self, record: ActorDefIdx, function: u16) {
        self.notice(record, Notice::Native(function));
    }

    /// The actor that an object means (rules Y11, Y56, Y58), seen from `me`, whose record is given; none is said once.
    pub(crate) fn object(
        &mut self,
        me: ActorKey,
        record: ActorDefIdx,
        object: Object,
        local: impl FnOnce(&Self) -> i32,
    ) -> Option<ActorKey> {
        let (found, notice) = match object.selector {
            Selector::Me => return Some(me),
            Selector::Player => (self.world.player(), Notice::Player),
            Selector::Camera => (self.world.camera(), Notice::Camera),
            Selector::Text => self.named(record, object.byte.into()),
            Selector::Local => {
                let index = local(self);
                self.named(record, index)
            }
        };
        if found.is_none() {
            self.notice(record, notice);
        }
        found
    }

    fn named(&self, record: ActorDefIdx, index: i32) -> (Option<ActorKey>, Notice) {
        let name = self.programs.get(record).and_then(|program| program.name(index));
        (name.and_then(|name| self.world.in_namespace(name)), Notice::Actor(index))
    }

    /// The arguments of a call, seen from the evaluation actor (rules Y53, Y54). `texts` is the record whose strings
    /// text parameters mean.
    pub(crate) fn program_arguments(
        &mut self,
        program: &LoadedProgram,
        call: &Call,
        me: ActorKey,
        texts: ActorDefIdx,
    ) -> Args {
        let mut args = Args::default();
        let parameters = program.code.parameters(call);
        if parameters.is_empty() {
            return args;
        }
        let Some(record) = self.world.get(me).map(|actor| actor.def) else { return args };
        let mut values = [0; crate::world::MAX_ARGS];
        let count = parameters.len().min(values.len());
        for (place, &parameter) in values.iter_mut().zip(parameters).rev() {
            *place = self.parameter(parameter, me, record, descriptor(program, parameter));
        }
        for (index, &value) in values[..count].iter().enumerate() {
            match parameters[index] {
                Value::Text(text) if index == 0 && call.native.is_some_and(takes_a_model) => {
                    args.push_text(self.text(texts, text as u8));
                }
                _ => _ = args.push(value),
            }
        }
        args
    }

    fn parameter(
        &mut self,
        parameter: Value,
        me: ActorKey,
        record: ActorDefIdx,
        descriptor: Option<PropertyId>,
    ) -> i32 {
        match parameter {
            Value::Number(number) => number,
            Value::NumberAlt(number) => i32::from(number as u16),
            Value::Text(index) => i32::from(index as u8),
            Value::Flag { flag, .. } => self.world.flags.get(usize::from(flag)).map_or(0, |flag| flag.value),
            Value::Local { local, .. } => self.local_of(me, record, local),
            Value::Property(Place { object, .. }) => {
                let found = match object.selector {
                    Selector::Local => {
                        let index = self.local_of(me, record, object.byte);
                        self.object(me, record, object, |_| index)
                    }
                    _ => self.object(me, record, object, |_| 0),
                };
                let actor = found.and_then(|key| self.world.get(key));
                actor.zip(descriptor).map_or(0, |(actor, id)| actor.property(id))
            }
            // No decoded parameter is a call (rule Y10).
            Value::Call(_) | Value::Routed(_) => 0,
        }
    }

    /// Rule Y55.
    fn local_of(&mut self, me: ActorKey, record: ActorDefIdx, local: u8) -> i32 {
        let state = self.world.get(me).and_then(|actor| actor.script.as_ref());
        let value = state.and_then(|state| state.locals.get(usize::from(local))).copied();
        value.unwrap_or_else(|| {
            self.notice(record, Notice::Local(local));
            0
        })
    }

    /// A text parameter; outside the table it is no name of anything (rule Y57).
    fn text(&self, texts: ActorDefIdx, index: u8) -> Arc<str> {
        let strings = self.programs.get(texts).map_or(&[][..], |program| &program.strings);
        strings.get(usize::from(index)).cloned().unwrap_or_default()
    }

    /// The arguments of a running task at a pass (rule Y65).
    pub(super) fn task_arguments(&mut self, source: OperandSource, owner: ActorKey) -> Option<Args> {
        let programs = Arc::clone(&self.programs);
        let (program, call) = programs.operands(source)?;
        let texts = self.world.get(owner)?.def;
        Some(self.program_arguments(program, call, owner, texts))
    }
}

/// The arguments of a call that has numbers only.
fn fixed_arguments(code: &Code, call: &Call) -> Option<Box<Args>> {
    let mut args = Args::default();
    for &parameter in code.parameters(call) {
        let value = match parameter {
            Value::Number(number) => number,
            Value::NumberAlt(number) => i32::from(number as u16),
            _ => return None,
        };
        args.push(value);
    }
    Some(Box::new(args))
}

/// The descriptor that a property parameter reads.
fn descriptor(program: &LoadedProgram, parameter: Value) -> Option<PropertyId> {
    match parameter {
        Value::Property(place) => program.code.descriptor(place.property),
        _ => None,
    }
}

/// Whether the first parameter of a native may be text (rule Y80).
fn takes_a_model(native: NativeId) -> bool {
    functions().get(native).is_some_and(|decl| takes_text(decl, 0))
}

/// The site of a program's task call (rule Y62).
pub(crate) fn site(program: &LoadedProgram, call: &Call) -> CallSite {
    CallSite::Program { address: program.address(call.operands) }
}
