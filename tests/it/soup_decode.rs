//! The decoder of programs: what it reads, what it refuses, and that nothing makes it panic.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value as Json;
use soup386::{
    defs::{FlagDef, FlagKind, FunctionKind, Program},
    soup::{
        Code, DecodeError, Tables, Warning,
        code::{Follower, Operator, RoutedOpcode, Selector, Statement, TaskAction, Update, Value},
        decode,
    },
};

use crate::support::{hex, random_cases};

fn one_flag() -> Arc<Tables> {
    Tables::built_in(&[FlagDef { name: "gate".to_owned(), kind: FlagKind::Number, value: 0 }])
}

fn program(bytes: Vec<u8>) -> Program {
    Program { name: "TEST".to_owned(), bytes, locals: vec![0], ..Program::default() }
}

fn try_decode(program: Program) -> Result<Code, DecodeError> {
    decode(&Arc::new(program), &one_flag())
}

fn decoded(text: &str) -> Code {
    try_decode(program(hex(text))).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(program: Program) -> String {
    try_decode(program).expect_err("a fault").to_string()
}

/// Y6, Y7, Y8, Y11, Y20, Y21, Y22, Y23: each fault with the offsets of its statement and its byte.
#[test]
fn faults_name_statement_and_byte() {
    let cases: Json = serde_json::from_str(include_str!("../data/decode_errors.json")).expect("cases");
    let cases = cases.as_array().expect("an array");
    assert!(cases.len() > 20);
    for case in cases {
        let start = case["start"].as_u64().unwrap_or(0) as u32;
        let bytes = hex(case["bytes"].as_str().expect("bytes"));
        let error = try_decode(Program { start, ..program(bytes) }).expect_err("a fault");
        assert_eq!(Json::from(error.statement), case["statement"], "{case}: {error}");
        assert_eq!(Json::from(error.offset), case["offset"], "{case}: {error}");
        let what = case["what"].as_str().expect("what");
        assert!(error.to_string().contains(what), "{case}: {error}");
    }
}

/// Y21: offsets are upper-case hexadecimal.
#[test]
fn an_error_reads_well() {
    let mut bytes = vec![0x18; 0xAB];
    bytes.extend([0x0A, 0x00, 0x05]);
    assert_eq!(error(program(bytes)), "TEST at 0xAB, byte 0xAD: opcode 0x05 is not a value");
}

/// Y1: length and number of locals are bounded; a program of no bytes has no statements.
#[test]
fn sizes_are_bounded() {
    assert!(try_decode(program(vec![0x18; 1 << 20])).is_ok());
    assert!(error(program(vec![0x18; (1 << 20) + 1])).contains("1048577 bytes, more than the 1048576"));
    assert!(error(Program { locals: vec![0; 257], ..program(vec![0x18]) }).contains("257 locals"));
    assert_eq!(decoded("").statements(), []);
    assert!(error(Program { start: 1, ..program(Vec::new()) }).contains("the start 0x01"));
}

/// Y4, Y20: every statement form at its offset.
#[test]
fn statements_of_all_kinds() {
    let code = decoded(
        "04 05000000 05 00000000 11 0A000000 0A 00 07 FEFFFFFF 00 06 0000 07 01000000 00 0F 0000 1200 10 0000 1200 \
         12 13 18 17 07 1B 00000000 1C 00000000 1D 00000000 02 0000",
    );
    use Statement::{Anchor, Call, End, Endint, Gosub, Goto, Return, SetFlag, SetLocal, StepProperty, Task, Yield};
    assert!(matches!(
        code.statements(),
        [
            Goto(1),
            End(0),
            Gosub(2),
            SetLocal { local: 0, .. },
            SetFlag { flag: 0, .. },
            StepProperty { update: Update::Increment, .. },
            StepProperty { update: Update::Decrement, .. },
            Return,
            Endint,
            Yield,
            Anchor(7),
            Task { action: TaskAction::Stop, label: 0 },
            Task { action: TaskAction::Pause, .. },
            Task { action: TaskAction::Resume, .. },
            Call { dispatch: FunctionKind::Function, .. },
        ]
    ));
    let offsets: Vec<u32> = (0..=15).map(|at| code.offset(at)).collect();
    assert_eq!(offsets, [0, 5, 10, 15, 23, 32, 37, 42, 43, 44, 45, 47, 52, 57, 62, 65]);
    assert!((0..65).all(|at| code.index_of(at).is_some() == offsets.contains(&at)));
    assert_eq!((code.index_of(65), code.index_of(66)), (Some(15), None));
}

/// Y5: function 0 has no count byte, in statements and in values.
#[test]
fn null_function_has_no_count() {
    let code = decoded("00 0000 0A 00 02 0000 00");
    assert_eq!(code.statements().len(), 2);
    assert!(code.calls().iter().all(|call| call.function == 0 && call.count == 0));
}

/// Y7, Y9, Y10: parameters are five bytes of which the ignored ones are kept.
#[test]
fn parameters_keep_what_is_ignored() {
    let code = decoded("02 0100 04 06 0000 BBAA 0A 00 CCDDEE 16 78563412 15 04030201");
    let Statement::Call { call, .. } = code.statements()[0] else { panic!("a call") };
    let call = code.call(call);
    assert_eq!(code.function(call).parameters, 4);
    assert_eq!(
        code.parameters(call),
        [
            Value::Flag { flag: 0, padding: 0xAABB },
            Value::Local { local: 0, padding: [0xCC, 0xDD, 0xEE] },
            Value::NumberAlt(0x1234_5678),
            Value::Text(0x0102_0304),
        ]
    );
}

/// Y4, Y11: routed calls keep opcode, receiver and where their operands begin.
#[test]
fn routed_calls() {
    let code = decoded("18 1A 0107 01 2701 00 0A 00 19 0A00 2701 00 00");
    let [_, Statement::Routed { dispatch: FunctionKind::Multitask, call }, Statement::SetLocal { formula, .. }] =
        *code.statements()
    else {
        panic!("{:?}", code.statements())
    };
    let call = code.call(call);
    let receiver = call.receiver.expect("a receiver");
    assert_eq!((receiver.selector, receiver.byte), (Selector::Player, 7));
    assert_eq!((call.opcode, call.operands), (RoutedOpcode::Function, 5));
    let Value::Routed(value) = code.formula(formula)[0].value else { panic!("a routed value") };
    assert_eq!(code.call(value).receiver.expect("a receiver").selector, Selector::Local);
}

/// Y12, Y13: a formula ends itself.
#[test]
fn formulas() {
    let bytes = "0A 00 14 0000 0500 01 07 02000000 09 0A 00 00 18";
    let code = decoded(bytes);
    let Statement::SetLocal { formula, .. } = code.statements()[0] else { panic!("an assignment") };
    let operators: Vec<_> = code.formula(formula).iter().map(|term| term.operator).collect();
    assert_eq!(operators, [Operator::Add, Operator::Xor, Operator::End]);
    assert!(matches!(code.formula(formula)[0].value, Value::Property(place) if place.property == 5));
}

/// Y4: the branch on the returned byte takes a return and three bytes with it, and nothing else.
#[test]
fn script_rv_followers() {
    let follower = |text: &str| {
        let code = decoded(text);
        let Statement::ScriptRv { expected: 5, follower, otherwise } = code.statements()[0] else { panic!("{text}") };
        assert_eq!(code.offset(otherwise), 7, "{text}");
        (follower, code.statements().len())
    };
    assert_eq!(follower("1E05 11 07000000 18"), (Follower::Gosub, 3));
    assert_eq!(follower("1E05 12 010203 18"), (Follower::Skip([1, 2, 3]), 2));
    assert_eq!(follower("1E05 04 07000000"), (Follower::Other, 2));
}

/// Y14: a hook is one call with its count byte, five bytes for each parameter and nothing behind it.
#[test]
fn hooks() {
    let with = |hook: &str| try_decode(Program { hook: Some(hex(hook)), ..program(vec![0x18]) });
    let fault = |hook: &str| with(hook).expect_err("a fault").to_string();
    let code = with("5400 01 0A 00000000").expect("a hook");
    let hook = code.hook().expect("a hook");
    assert_eq!(code.function(hook).name, "GetAttribute");
    assert_eq!(code.parameters(hook), [Value::Local { local: 0, padding: [0; 3] }]);
    assert!(with("0000 00").expect("NullFunction").hook().is_some());
    assert_eq!(fault("5400 01 14 0000 1200"), "TEST hook at 0x00, byte 0x03: opcode 0x14 is not a parameter");
    assert!(fault("5400 09").contains("9 hook parameters"));
    assert!(fault("5400 01 0A 01000000").contains("local 1 of 1"));
    assert!(fault("5400 01 07 00000000 FF").contains("1 bytes are left over"));
    assert!(fault("54").contains("2 bytes needed, 1 left"));
}

/// Y22: the end of the program is a target, the next byte is not.
#[test]
fn the_end_is_a_target() {
    let code = decoded("18 04 06000000");
    assert_eq!(code.statements()[1], Statement::Goto(2));
    assert!(error(program(hex("18 04 07000000"))).contains("0x07 is outside the program, whose length is 0x06"));
}

/// Y22: labels are those of task and multitask calls, statement or routed.
#[test]
fn labels_without_a_task() {
    let calls = "01 2701 00 02 2701 00 19 0000 00 2701 00";
    let code = decoded(&format!("{calls} 1B 00000000 1C 0B000000 1D 04000000 1B 08000000"));
    let unmatched: Vec<_> = code.warnings().iter().collect();
    let label = |statement, label| Warning::Label { statement, label };
    assert_eq!(unmatched, [&label(25, 4), &label(30, 8)]);
}

/// Y23: locals of routed parameters are the receiver's, those of selectors the own ones.
#[test]
fn whose_locals_are_checked() {
    assert_eq!(decoded("19 0000 02 5400 01 0A 09000000").statements().len(), 1);
    assert_eq!(decoded("19 0000 02 5400 01 14 0A09 1200").statements().len(), 1);
    assert!(error(program(hex("02 5400 01 0A 09000000"))).contains("local 9 of 1"));
    assert!(error(program(hex("19 0A09 02 2701 00"))).contains("local 9 of 1"));
    assert!(error(program(hex("02 5400 01 14 0000 E200"))).contains("property 226"));
    assert!(error(program(hex("19 0000 02 5400 01 06 0100 0000"))).contains("flag 1 of 1"));
}

/// Y102: numbers are those of the crate's tables.
#[test]
fn numbers_of_the_built_in_tables() {
    let tables = one_flag();
    assert_eq!(tables.functions()[0x3C].name, "Wait");
    assert_eq!(tables.function_named("WAIT"), Some(0x3C));
    assert_eq!(tables.property_named("pos.vx"), Some(0x12));
    assert_eq!(tables.flag_named("Gate"), Some(0));
}

/// Y20, Y21: short programs of all bytes.
#[test]
fn every_short_program_decodes_or_fails() {
    let tables = one_flag();
    let mut valid = 0;
    let mut check = |bytes: &[u8]| {
        if let Ok(code) = decode(&Arc::new(program(bytes.to_vec())), &tables) {
            valid += 1;
            assert_eq!(code.offset(code.statements().len() as u32) as usize, bytes.len());
        }
    };
    for first in 0..=u8::MAX {
        check(&[first]);
        for second in 0..=u8::MAX {
            check(&[first, second]);
            // A third byte matters only behind a statement that can begin so.
            if first <= 0x1E {
                (0..=u8::MAX).for_each(|third| check(&[first, second, third]));
            }
        }
    }
    assert!(valid > 1000, "{valid}");
}

proptest! {
    #![proptest_config(random_cases(256))]

    /// Y10, Y20: any bytes, with a bias to opcodes, decode or fail; work is bounded by their length.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(prop_oneof![0..0x1Fu8, any::<u8>()], 0..400)) {
        let length = bytes.len();
        if let Ok(code) = try_decode(program(bytes)) {
            prop_assert!(code.statements().len() <= length);
        }
    }
}
