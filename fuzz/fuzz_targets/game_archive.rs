//! Any bytes: they are an archive or refused, and the data of its segments does not overlap.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soup386::import::game::{Warnings, rob::read};

fuzz_target!(|data: &[u8]| {
    let segments = match read("fuzz.rob", data, &mut Warnings::default()) {
        Ok(segments) => segments,
        Err(fault) => return assert!(fault.to_string().starts_with("fuzz.rob")),
    };
    let mut end = 0;
    for segment in segments {
        assert!(segment.offset >= end);
        end = segment.offset + segment.data.len();
    }
    assert!(end <= data.len());
});
