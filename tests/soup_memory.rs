//! How much memory programs take: a small multiple of their length, whatever their bytes are.
//!
//! A test binary of its own, because the counter is the global allocator.

use std::sync::Arc;

use allocation_counter::measure;
use soup386::{
    defs::Program,
    soup::{Tables, decode, text},
};

const LENGTH: usize = 1 << 20;

fn program(bytes: Vec<u8>) -> Arc<Program> {
    Arc::new(Program { bytes, locals: vec![0; 256], ..Program::default() })
}

/// As many repetitions of a statement as fit.
fn repeated(statement: &[u8]) -> Vec<u8> {
    statement.repeat(LENGTH / statement.len())
}

/// A number sequence without a pattern that the decoder could know.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let step =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(seed), step).map(|state| (state >> 33) as u8)
}

/// Y20: the largest programs of each dense kind of element.
#[test]
fn decoding_takes_a_small_multiple() {
    let tables = Tables::built_in(&[]);
    let mut formula = vec![0x0A, 0];
    while formula.len() + 5 < LENGTH {
        formula.extend([0x0A, 0, 1]);
    }
    formula.extend([0x0A, 0, 0]);
    let mut branch = vec![3];
    while branch.len() + 20 < LENGTH {
        branch.extend([0x0A, 0, 0, 0, 0x0A, 0, 0, 1]);
    }
    branch.extend([0x0A, 0, 0, 0, 0x0A, 0, 0, 0, 0, 0, 0, 0]);
    for bytes in [repeated(&[0x18]), repeated(&[2, 0, 0]), repeated(&[0x0A, 0, 2, 0, 0, 0]), formula, branch] {
        let length = bytes.len() as u64;
        let program = program(bytes);
        let mut size = 0;
        let taken = measure(|| size = decode(&program, &tables).map_or(0, |code| code.decoded_size()) as u64);
        assert!(size > 0 && size <= 17 * length, "{size} bytes for {length}");
        assert!(taken.bytes_max <= 40 * length, "{} bytes for {length}", taken.bytes_max);
    }
}

/// Y20, Y21: megabytes without meaning, some of them with the bytes of statements only.
#[test]
fn noise_takes_no_more() {
    let tables = Tables::built_in(&[]);
    for seed in 0..40 {
        let limit = [256, 0x1F, 0x1B, 3][seed as usize % 4];
        let bytes: Vec<u8> = noise(seed).map(|byte| (u32::from(byte) % limit) as u8).take(LENGTH).collect();
        let program = program(bytes);
        let taken = measure(|| {
            let _ = decode(&program, &tables);
        });
        assert!(taken.bytes_max <= 40 * LENGTH as u64, "{} bytes", taken.bytes_max);
    }
}

/// Y97: a text of one character over and over.
#[test]
fn reading_takes_a_bounded_multiple() {
    let tables = Tables::built_in(&[]);
    for body in ["}", "(", "\n", "x", "#", "\"", "1 ", "var0=", "\0\n"] {
        let text = format!("soup386 program 1\nvar0 = 0\nP\n{{\n{}", body.repeat(LENGTH / body.len()));
        let taken = measure(|| {
            let _ = text::read("hostile.soup", &text, &tables);
        });
        assert!(taken.bytes_max <= 400 * LENGTH as u64, "{body:?}: {} bytes", taken.bytes_max);
    }
}
