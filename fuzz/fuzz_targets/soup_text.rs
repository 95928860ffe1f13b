//! Any text: it is read or refused; what is read is written so that it gives the same programs.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use soup386::{
    defs::{FlagDef, FlagKind},
    soup::{
        Tables, decode, lint,
        text::{Numbered, read, read_mod_manager, write},
    },
};

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    let flag = |name: &str| FlagDef { name: name.to_owned(), kind: FlagKind::Number, value: 0 };
    Tables::built_in(&["Door", "Lever", "Locks", "Level", "Sum"].map(flag))
});

fuzz_target!(|text: &str| {
    let tables = &*TABLES;
    let names = Numbered::new([("Iron Sabre", 1), ("ISLAND", 2)]);
    let _ = read_mod_manager("fuzz.txt", text, tables, &names);
    let listings = match read("fuzz.soup", text, tables) {
        Ok(listings) => listings,
        Err(errors) => {
            assert!(!errors.is_empty() && errors.iter().all(|error| !error.to_string().is_empty()));
            return;
        }
    };
    let codes: Vec<_> = listings
        .iter()
        .map(|listing| decode(&Arc::new(listing.program.clone()), tables).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    codes.iter().for_each(|code| drop(lint(code, None)));
    let written = write(&codes);
    let again = read("again.soup", &written, tables).unwrap_or_else(|errors| panic!("{}\n{written}", errors[0]));
    assert!(listings.iter().map(|listing| &listing.program).eq(again.iter().map(|listing| &listing.program)));
});
