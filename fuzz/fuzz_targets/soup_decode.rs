//! Any bytes: they decode or fail; what decodes survives the way into text and back.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use soup386::{
    defs::{FlagDef, FlagKind, Program},
    soup::{
        Tables, decode,
        text::{read, write},
    },
};

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let flag = |name: &str| FlagDef { name: name.to_owned(), kind: FlagKind::Number, value: 0 };
    Tables::built_in(&["Door", "if", "Twice", "twice", "a b"].map(flag))
});

fuzz_target!(|input: &[u8]| {
    let [start, locals, bytes @ ..] = input else { return };
    let program = Arc::new(Program {
        name: "FUZZ".to_owned(),
        bytes: bytes.to_vec(),
        start: (*start).into(),
        strings: [&b"cyrus"[..], b"twice", b"twice", b"me", b"\"\\\x00\xFF"].map(<[u8]>::to_vec).into(),
        locals: vec![-1; (*locals).into()],
        ..Program::default()
    });
    let Ok(code) = decode(&program, &TABLES) else { return };
    let text = write([&code]);
    let listings = read("fuzz.soup", &text, &TABLES).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    assert_eq!(listings[0].program, *program, "{text}");
});
