//! Both decoders say the same of every statement, and stop at the same one.
//!
//! Differences, with the reason:
//! - What execution ignores (padding, high parts of strings and numbers of parameters) is kept here and dropped there.
//! - Here all bytes are decoded, there what can be reached; so only the decoding of one statement is compared.
//! - Here the end of the program is a target, which faults when execution gets there; there it is refused when it can be
//!   reached.
//! - Here locals, flags and properties must exist; there nothing is asked about them.

use std::sync::Arc;

use rgpre::import::{
    rgm::script_program::{
        Call, CallKind, Condition, Formula, Object, Operation, Place, Value, decode_script_program, decode_script_step,
    },
    soup_def::{SoupDef, SoupFunction, SoupFunctionKind},
};
use soup386::{
    defs::{FunctionKind, Program},
    soup::{
        Code, DecodeError, DecodeFault, Tables,
        code::{self as own, Conjunction, Follower, Operator, Selector, Statement, TaskAction, Update},
        decode,
    },
};

#[path = "../../tests/it/soup_made.rs"]
mod soup_made;

fn definition(tables: &Tables) -> SoupDef {
    let functions = tables.functions().iter().map(|row| SoupFunction {
        name: row.name.clone(),
        param_count: row.parameters,
        kind: match row.kind {
            FunctionKind::Task => SoupFunctionKind::Task,
            FunctionKind::Multitask => SoupFunctionKind::Multitask,
            FunctionKind::Function => SoupFunctionKind::Function,
        },
    });
    SoupDef {
        functions: functions.collect(),
        flags: Vec::new(),
        references: Vec::new(),
        attributes: Vec::new(),
        anim_groups: Vec::new(),
    }
}

/// Our statement in the words of the other decoder.
fn operation(code: &Code, at: u32) -> Operation {
    let offset = |index: u32| code.offset(index);
    match code.statements()[at as usize] {
        Statement::Call { dispatch, call: index } => Operation::Call { call: call(code, index, kind(dispatch)) },
        Statement::Routed { dispatch, call: index } => {
            Operation::ObjectCall { call: call(code, index, kind(dispatch)) }
        }
        Statement::If { conditions, end } => {
            Operation::If { conditions: self::conditions(code, conditions), target: offset(end) }
        }
        Statement::Goto(target) => Operation::Goto { target: offset(target) },
        Statement::End(target) => Operation::End { target: offset(target) },
        Statement::Gosub(target) => Operation::Gosub { target: offset(target) },
        Statement::SetFlag { flag, formula: first } => {
            Operation::Assign { destination: Place::Flag { index: flag }, formula: formula(code, first) }
        }
        Statement::SetLocal { local, formula: first } => {
            Operation::Assign { destination: Place::Local { index: local }, formula: formula(code, first) }
        }
        Statement::SetProperty { place, formula: first } => {
            Operation::Assign { destination: property(place), formula: formula(code, first) }
        }
        Statement::StepProperty { place, update } => Operation::Increment {
            destination: property(place),
            delta: if update == Update::Increment { 1 } else { -1 },
        },
        Statement::Return => Operation::Return,
        Statement::Endint => Operation::Endint,
        Statement::Yield => Operation::Yield,
        Statement::Anchor(value) => Operation::Anchor { value },
        Statement::Task { action: TaskAction::Stop, label } => Operation::TaskStop { label },
        Statement::Task { action: TaskAction::Pause, label } => Operation::TaskPause { label },
        Statement::Task { action: TaskAction::Resume, label } => Operation::TaskResume { label },
        Statement::ScriptRv { expected, follower, otherwise } => {
            Operation::ScriptRv { expected, target: offset(otherwise), save_return: follower == Follower::Gosub }
        }
    }
}

fn kind(dispatch: FunctionKind) -> CallKind {
    match dispatch {
        FunctionKind::Task => CallKind::Task,
        FunctionKind::Multitask => CallKind::Multitask,
        FunctionKind::Function => CallKind::Function,
    }
}

fn call(code: &Code, index: u32, kind: CallKind) -> Call {
    let call = code.call(index);
    Call {
        function_id: call.function,
        kind,
        target: call.receiver.map_or(Object::Me, object),
        function: code.function(call).name.clone(),
        arguments: code.parameters(call).iter().map(|&value| parameter(code, value)).collect(),
    }
}

fn conditions(code: &Code, first: u32) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for condition in code.conditions(first) {
        conditions.push(Condition {
            lhs: updated(code, condition.left, condition.left_update),
            comparison: condition.comparison as u8,
            rhs: updated(code, condition.right, condition.right_update),
            conjunction: condition.conjunction as u8,
        });
        if condition.conjunction == Conjunction::End {
            break;
        }
    }
    conditions
}

fn updated(code: &Code, value: own::Value, update: Update) -> Value {
    let delta = match update {
        Update::Read => return self::value(code, value),
        Update::Increment => 1,
        Update::Decrement => -1,
    };
    match self::value(code, value) {
        Value::Read { place } => Value::Update { place, delta },
        other => panic!("{other:?} is updated"),
    }
}

fn formula(code: &Code, first: u32) -> Formula {
    let terms = code.formula(first);
    let mut formula = Formula { first: value(code, terms[0].value), rest: Vec::new() };
    for (before, term) in terms.iter().zip(&terms[1..]) {
        if before.operator == Operator::End {
            break;
        }
        formula.rest.push((before.operator as u8, value(code, term.value)));
    }
    formula
}

/// The other decoder applies the narrowing of parameters at once.
fn parameter(code: &Code, value: own::Value) -> Value {
    match value {
        own::Value::NumberAlt(number) => Value::Integer { value: i32::from(number as u16) },
        own::Value::Text(index) => Value::String { index: u32::from(index as u8) },
        other => self::value(code, other),
    }
}

fn value(code: &Code, value: own::Value) -> Value {
    match value {
        own::Value::Number(value) => Value::Integer { value },
        own::Value::NumberAlt(number) => Value::Integer { value: number as i32 },
        own::Value::Text(index) => Value::String { index },
        own::Value::Flag { flag, .. } => Value::Read { place: Place::Flag { index: flag } },
        own::Value::Local { local, .. } => Value::Read { place: Place::Local { index: local } },
        own::Value::Property(place) => Value::Read { place: property(place) },
        own::Value::Call(index) => Value::Call { call: Box::new(call(code, index, CallKind::Function)) },
        own::Value::Routed(index) => Value::ObjectCall { call: Box::new(call(code, index, CallKind::Function)) },
    }
}

fn property(place: own::Place) -> Place {
    Place::Property { object: object(place.object), reference: place.property }
}

fn object(object: own::Object) -> Object {
    match object.selector {
        Selector::Me => Object::Me,
        Selector::Player => Object::Player,
        Selector::Camera => Object::Camera,
        Selector::Text => Object::Named { string: object.byte.into() },
        Selector::Local => Object::Local { index: object.byte },
    }
}

/// Numbers without a pattern.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let step =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)), step).map(|state| (state >> 33) as u8)
}

#[test]
fn statements_of_valid_programs() {
    let tables = soup_made::tables();
    let definition = definition(&tables);
    let mut compared = 0;
    for seed in 0..2000 {
        let entropy: Vec<u8> = noise(seed).take(40 + seed as usize).collect();
        let program = Arc::new(soup_made::made(&entropy, &tables));
        let code = decode(&program, &tables).unwrap_or_else(|error| panic!("{error}"));
        for at in 0..code.statements().len() as u32 {
            let step = decode_script_step(&program.bytes, code.offset(at) as usize, &definition);
            let step = step.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(step.next, code.offset(at + 1));
            assert_eq!(step.operation, operation(&code, at));
            compared += 1;
        }
        follow(&code, &definition);
    }
    assert!(compared > 50_000, "{compared}");
}

/// The other decoder's way through the program ends well, or at the end of the program.
fn follow(code: &Code, definition: &SoupDef) {
    let program = code.program();
    match decode_script_program(&program.bytes, program.start, definition) {
        Ok(steps) => assert!(steps.keys().all(|&offset| code.index_of(offset).is_some())),
        Err(error) => {
            let end = format!("script instruction {}: target outside script", program.bytes.len());
            assert_eq!(error, end, "{:02X?}", program.bytes);
        }
    }
}

#[test]
fn both_stop_at_the_same_statement() {
    let tables = soup_made::tables();
    let definition = definition(&tables);
    let mut faults = 0;
    for seed in 0..200_000 {
        let limit = [256, 0x1F, 0x1B, 8][seed as usize % 4];
        let bytes: Vec<u8> = noise(seed).map(|byte| (u32::from(byte) % limit) as u8).take(24).collect();
        let program = Arc::new(Program { bytes, locals: vec![0; 256], ..Program::default() });
        let stopped = stop_of_the_other(&program.bytes, &definition);
        match decode(&program, &tables) {
            Ok(_) => assert_eq!(stopped, None, "{:02X?}", program.bytes),
            Err(error) if is_of_the_whole(&error) => assert_eq!(stopped, None, "{error}: {:02X?}", program.bytes),
            Err(error) => {
                faults += 1;
                assert_eq!(stopped, Some(error.statement), "{error}: {:02X?}", program.bytes);
            }
        }
    }
    assert!(faults > 50_000, "{faults}");
}

fn stop_of_the_other(bytes: &[u8], definition: &SoupDef) -> Option<u32> {
    let mut at = 0;
    while at < bytes.len() {
        match decode_script_step(bytes, at, definition) {
            Ok(step) => at = step.next as usize,
            Err(_) => return Some(at as u32),
        }
    }
    None
}

/// Faults that only a look at the whole program shows; the other decoder does not look for them here.
fn is_of_the_whole(error: &DecodeError) -> bool {
    matches!(
        error.fault,
        DecodeFault::TargetOutside { .. }
            | DecodeFault::TargetInside { .. }
            | DecodeFault::UnknownFlag { .. }
            | DecodeFault::UnknownLocal { .. }
            | DecodeFault::UnknownProperty(_)
    )
}
