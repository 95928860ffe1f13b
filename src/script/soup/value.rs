//! Values of formulas and comparisons.
//!
//! # Source
//! Rules Y50 to Y59; engine/SOUP.md, "Arithmetic Operators", "Value Modes".

use super::{Observer, invocation::Invocation, statement::stepped};
use crate::{
    defs::FunctionKind,
    soup::code::{Object, Operator, Selector, Update, Value},
    world::{ActorKey, Fault},
};

impl Invocation<'_> {
    /// The value of a formula, strictly left to right (rule Y50).
    #[inline]
    pub(super) fn formula<O: Observer + ?Sized>(&mut self, first: u32, observer: &mut O) -> Result<i32, Fault> {
        let program = self.program;
        let mut terms = program.code.formula(first).iter();
        // A decoded formula has at least one term, and its last one says so.
        let Some(head) = terms.next() else { return Ok(0) };
        let mut result = self.value(head.value, observer);
        let mut operator = head.operator;
        while operator != Operator::End {
            let Some(term) = terms.next() else { break };
            let value = self.value(term.value, observer);
            result = operator.apply(result, value).ok_or(Fault::Divide)?;
            operator = term.operator;
        }
        Ok(result)
    }

    /// A value outside of parameters (rule Y7).
    #[inline]
    fn value<O: Observer + ?Sized>(&mut self, value: Value, observer: &mut O) -> i32 {
        match value {
            Value::Number(number) => number,
            Value::Local { local, .. } => self.local(local),
            Value::NumberAlt(number) | Value::Text(number) => number as i32,
            Value::Flag { flag, .. } => self.flag(flag),
            Value::Property(place) => self.read(place),
            Value::Call(call) => self.call(self.actor, FunctionKind::Function, call, observer),
            Value::Routed(call) => self.routed(FunctionKind::Function, call, observer),
        }
    }

    /// One side of a comparison: what is compared is not narrowed, what is stored is (rule Y51).
    #[inline]
    pub(super) fn operand<O: Observer + ?Sized>(&mut self, value: Value, update: Update, observer: &mut O) -> i32 {
        let read = self.value(value, observer);
        if update == Update::Read {
            return read;
        }
        let written = stepped(read, update);
        match value {
            Value::Flag { flag, .. } => self.set_flag(flag, written),
            Value::Local { local, .. } => self.set_local(local, written),
            Value::Property(place) => self.write(place, written),
            // Numbers, texts and calls have no update byte (rule Y8).
            _ => {}
        }
        written
    }

    /// A local of the own program, which the decoder has checked to be there (rule Y23).
    #[inline]
    fn local(&self, local: u8) -> i32 {
        self.locals.get(usize::from(local)).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn set_local(&mut self, local: u8, value: i32) {
        if let Some(place) = self.locals.get_mut(usize::from(local)) {
            *place = value;
        }
    }

    #[inline]
    fn flag(&self, flag: u16) -> i32 {
        self.engine.world.flags.get(usize::from(flag)).map_or(0, |flag| flag.value)
    }

    #[inline]
    pub(super) fn set_flag(&mut self, flag: u16, value: i32) {
        if let Some(flag) = self.engine.world.flags.get_mut(usize::from(flag)) {
            flag.value = value;
        }
    }

    /// The actor that an object of the own program means.
    pub(super) fn object(&mut self, object: Object) -> Option<ActorKey> {
        if object.selector == Selector::Me {
            return Some(self.actor);
        }
        let index = self.local(object.byte);
        self.engine.object(self.actor, self.record, object, |_| index)
    }
}
