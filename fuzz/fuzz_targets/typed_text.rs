//! Typed text of any kind: it is read or refused, and what was read can be changed.

#![no_main]

mod attachments;

use libfuzzer_sys::fuzz_target;

const HEADER: &str =
    "<!-- schema text {7e125a45-3d83-4043-b292-9e24f8ef27b4} generic {198980d8-3a93-4919-b4c6-dd1fb07a3a4b} -->\n";

fuzz_target!(|text: &str| {
    attachments::exercise(text);
    attachments::exercise(&format!("{HEADER}{text}"));
});
