//! Any bytes: they are definitions or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soup386::import::game::{Warnings, definition::read};

fuzz_target!(|data: &[u8]| {
    match read("fuzz.def", data, &mut Warnings::default()) {
        Ok(definitions) => assert!(definitions.functions.len() <= 65_535),
        Err(fault) => assert!(fault.to_string().starts_with("fuzz.def")),
    }
});
