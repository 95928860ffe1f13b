//! Any bytes: they are a map or refused, and what is read can be asked for everything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soup386::import::game::{Warnings, rgm::Map};

fuzz_target!(|data: &[u8]| {
    let mut warnings = Warnings::default();
    let map = match Map::read("fuzz.rgm", data, &mut warnings) {
        Ok(map) => map,
        Err(fault) => return assert!(fault.to_string().starts_with("fuzz.rgm")),
    };
    for definition in &map.definitions {
        assert_eq!(definition.attributes.len(), 256);
        assert_eq!(definition.texts().count(), definition.n_texts());
        assert_eq!(definition.locals(0).map(|locals| locals.len()), Some(definition.n_locals()));
        let _ = definition.locals(usize::MAX);
    }
    assert!(map.marker(u32::MAX).is_none());
    assert!((0..map.n_markers()).all(|index| map.marker(index as u32).is_some()));
});
