//! The codec and arithmetic vectors under tests/data.

use serde_json::Value;
use soup386::{
    defs::Command,
    units::{bearing, distance_flat, round_even, truncate},
};

fn vectors(text: &str) -> Vec<Value> {
    let vectors: Vec<Value> = serde_json::from_str(text).expect("vectors are JSON");
    assert!(!vectors.is_empty());
    vectors
}

/// C0 to C17: bytes decode to the named command and encode back, unless bits above the operands are set (C16).
#[test]
fn codec_vectors() {
    for vector in vectors(include_str!("../data/codec.json")) {
        let hex = vector["bytes"].as_str().expect("bytes");
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
        let bytes = [byte(0), byte(2), byte(4)];
        let command = Command::decode(bytes);
        assert_eq!(command.opcode.name(), vector["name"], "{hex}");
        let expected: Vec<i64> =
            vector["operands"].as_array().expect("operands").iter().filter_map(Value::as_i64).collect();
        let operands: Vec<i64> = command.operands[..expected.len()].iter().map(|&operand| operand.into()).collect();
        assert_eq!(operands, expected, "{hex}");
        let encodes = vector["encode"].as_bool().unwrap_or(true);
        assert_eq!(command.encode() == Ok(bytes), encodes, "{hex}");
    }
}

/// Z1, Z2, B1, B2.
#[test]
fn arithmetic_vectors() {
    for vector in vectors(include_str!("../data/arithmetic.json")) {
        let args = vector["args"].as_array().expect("args");
        let int = |i: usize| args[i].as_i64().expect("integer argument");
        let float = |i: usize| args[i].as_f64().expect("number argument");
        let result = match vector["fn"].as_str().expect("fn") {
            "bearing" => i64::from(bearing(int(0) as i32, int(1) as i32).0),
            "distance" => distance_flat(int(0) as i32, int(1) as i32).into(),
            "rne" => round_even(float(0)).into(),
            "trunc" => truncate(float(0)).into(),
            "i32" => i64::from(int(0) as i32),
            "i16" => i64::from(int(0) as i16),
            other => panic!("unknown function {other}"),
        };
        assert_eq!(result, vector["result"].as_i64().expect("result"), "{vector}");
    }
}
