//! What the sweep cannot see: where jumps lead, and whether numbers exist in the tables and the program.

use std::collections::BTreeSet;

use super::{
    Code, DecodeError, DecodeFault, Warning,
    code::{Selector, Statement, StatementIdx},
    walk::{self, Part, Scope},
};
use crate::defs::FunctionKind;

/// Checks a swept program and makes its jumps lead to statement numbers. All errors, targets first, then numbers.
pub(super) fn all(code: &mut Code) -> Vec<DecodeError> {
    let mut errors = targets(code);
    errors.extend(start(code));
    errors.extend(links(code));
    code.warnings = labels(code);
    errors
}

fn error(code: &Code, statement: u32, fault: DecodeFault) -> DecodeError {
    DecodeError { program: code.program.name.clone(), statement, offset: statement, in_hook: false, fault }
}

/// Rule Y22: the end of the program and the boundaries within it can be reached, nothing else.
fn targets(code: &mut Code) -> Vec<DecodeError> {
    let mut statements = std::mem::take(&mut code.statements);
    let mut errors = Vec::new();
    for (index, statement) in statements.iter_mut().enumerate() {
        let Some(target) = target_of(statement) else { continue };
        match resolved(code, *target) {
            Ok(found) => *target = found,
            Err(fault) => errors.push(error(code, code.offsets[index], fault)),
        }
    }
    code.statements = statements;
    errors
}

fn target_of(statement: &mut Statement) -> Option<&mut StatementIdx> {
    match statement {
        Statement::If { end: target, .. }
        | Statement::Goto(target)
        | Statement::End(target)
        | Statement::Gosub(target)
        | Statement::ScriptRv { otherwise: target, .. } => Some(target),
        _ => None,
    }
}

fn resolved(code: &Code, target: u32) -> Result<StatementIdx, DecodeFault> {
    let length = code.program.bytes.len() as u32;
    if target > length {
        return Err(DecodeFault::TargetOutside { target, length });
    }
    match code.offsets.binary_search(&target) {
        Ok(index) => Ok(index as u32),
        Err(after) => Err(DecodeFault::TargetInside { target, statement: code.offsets[after - 1] }),
    }
}

/// Rule Y22. An actor without a program starts nowhere.
fn start(code: &Code) -> Option<DecodeError> {
    let start = code.program.start;
    let boundaries = &code.offsets[..code.statements.len()];
    let is_boundary = boundaries.binary_search(&start).is_ok() || (boundaries.is_empty() && start == 0);
    (!is_boundary).then(|| error(code, start, DecodeFault::Start(start)))
}

/// Rule Y23.
fn links(code: &Code) -> Vec<DecodeError> {
    let mut errors = Vec::new();
    for (index, &statement) in code.statements.iter().enumerate() {
        walk::statement(code, statement, &mut |part, scope| {
            errors.extend(link(code, part, scope).map(|fault| error(code, code.offsets[index], fault)));
        });
    }
    if let Some(hook) = code.hook {
        walk::call(code, hook, &mut |part, scope| {
            let fault = link(code, part, scope);
            errors.extend(fault.map(|fault| DecodeError { in_hook: true, ..error(code, 0, fault) }));
        });
    }
    errors
}

fn link(code: &Code, part: Part, scope: Scope) -> Option<DecodeFault> {
    let flags = code.tables.flags().len();
    let locals = code.program.locals.len();
    match part {
        Part::Flag(index) if usize::from(index) >= flags => Some(DecodeFault::UnknownFlag { index, count: flags }),
        Part::Property(index) if usize::from(index) >= code.tables.properties().len() => {
            Some(DecodeFault::UnknownProperty(index))
        }
        Part::Local(index) => missing_local(index, locals, scope),
        Part::Object(object) if object.selector == Selector::Local => missing_local(object.byte, locals, scope),
        _ => None,
    }
}

/// Parameters of routed calls mean the receiver's locals, which are known only when it runs (rule Y55).
fn missing_local(index: u8, count: usize, scope: Scope) -> Option<DecodeFault> {
    (scope == Scope::Own && usize::from(index) >= count).then_some(DecodeFault::UnknownLocal { index, count })
}

/// Rule Y22: labels of task statements that no task call has.
fn labels(code: &Code) -> Vec<Warning> {
    let calls: BTreeSet<u32> = code.statements.iter().filter_map(|&statement| task_label(code, statement)).collect();
    let statements = code.statements.iter().zip(&code.offsets);
    statements
        .filter_map(|(statement, &offset)| match *statement {
            Statement::Task { label, .. } if !calls.contains(&label) => {
                Some(Warning::Label { statement: offset, label })
            }
            _ => None,
        })
        .collect()
}

/// The label of a task or multitask call (rule Y66).
pub(super) fn task_label(code: &Code, statement: Statement) -> Option<u32> {
    let (dispatch, call) = match statement {
        Statement::Call { dispatch, call } | Statement::Routed { dispatch, call } => (dispatch, call),
        _ => return None,
    };
    (dispatch != FunctionKind::Function).then(|| code.call(call).operands - 1)
}
