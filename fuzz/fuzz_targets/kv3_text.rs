//! KV3 text of any kind, in generic form and in that of ModelDoc.

#![no_main]

mod attachments;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for format in ["generic", "modeldoc29"] {
        attachments::exercise(&format!(
            "<!-- kv3 encoding:text:version{{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d}} format:{format}:version{{0}} -->\n{text}"
        ));
    }
});
