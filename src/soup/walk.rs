//! Everything that one statement names, in written order.

use super::code::{CallIdx, Code, Conjunction, Object, Operator, Place, Statement, Value};

/// Whose locals and strings an operand belongs to (rule Y54).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The actor that runs the program.
    Own,
    /// The receiver of a routed call.
    Receiver,
}

/// One thing that a statement names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Flag(u16),
    Local(u8),
    Property(u16),
    Object(Object),
}

/// Calls `see` for every part of a statement.
pub(super) fn statement(code: &Code, statement: Statement, see: &mut impl FnMut(Part, Scope)) {
    match statement {
        Statement::Call { call: index, .. } | Statement::Routed { call: index, .. } => call(code, index, see),
        Statement::If { conditions, .. } => {
            for condition in code.conditions(conditions) {
                value(code, condition.left, Scope::Own, see);
                value(code, condition.right, Scope::Own, see);
                if condition.conjunction == Conjunction::End {
                    break;
                }
            }
        }
        Statement::SetFlag { flag, formula: first } => {
            see(Part::Flag(flag), Scope::Own);
            formula(code, first, see);
        }
        Statement::SetLocal { local, formula: first } => {
            see(Part::Local(local), Scope::Own);
            formula(code, first, see);
        }
        Statement::SetProperty { place: at, formula: first } => {
            place(at, Scope::Own, see);
            formula(code, first, see);
        }
        Statement::StepProperty { place: at, .. } => place(at, Scope::Own, see),
        _ => {}
    }
}

/// Calls `see` for every part of a call.
pub(super) fn call(code: &Code, index: CallIdx, see: &mut impl FnMut(Part, Scope)) {
    let called = code.call(index);
    if let Some(receiver) = called.receiver {
        see(Part::Object(receiver), Scope::Own);
    }
    let scope = if called.receiver.is_some() { Scope::Receiver } else { Scope::Own };
    for &parameter in code.parameters(called) {
        value(code, parameter, scope, see);
    }
}

fn formula(code: &Code, first: u32, see: &mut impl FnMut(Part, Scope)) {
    for term in code.formula(first) {
        value(code, term.value, Scope::Own, see);
        if term.operator == Operator::End {
            break;
        }
    }
}

fn value(code: &Code, value: Value, scope: Scope, see: &mut impl FnMut(Part, Scope)) {
    match value {
        Value::Number(_) | Value::NumberAlt(_) | Value::Text(_) => {}
        Value::Flag { flag, .. } => see(Part::Flag(flag), scope),
        Value::Local { local, .. } => see(Part::Local(local), scope),
        Value::Property(at) => place(at, scope, see),
        Value::Call(index) | Value::Routed(index) => call(code, index, see),
    }
}

fn place(place: Place, scope: Scope, see: &mut impl FnMut(Part, Scope)) {
    see(Part::Object(place.object), scope);
    see(Part::Property(place.property), scope);
}
