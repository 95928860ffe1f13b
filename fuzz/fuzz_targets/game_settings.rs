//! Any bytes: as each of the settings files they are read or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soup386::import::{
    Fault,
    game::{
        Warnings,
        items,
        settings::{SystemSettings, WorldSettings},
    },
};

fn refused<T>(result: Result<T, Fault>) -> Option<T> {
    result.map_err(|fault| assert!(fault.to_string().starts_with("fuzz.ini"))).ok()
}

fuzz_target!(|data: &[u8]| {
    let mut warnings = Warnings::default();
    refused(SystemSettings::read("fuzz.ini", data, &mut warnings));
    refused(WorldSettings::read("fuzz.ini", data, &mut warnings));
    if let Some(items) = refused(items::read("fuzz.ini", data, &mut warnings)) {
        assert!(items.items.is_sorted_by_key(|item| item.id));
    }
});
