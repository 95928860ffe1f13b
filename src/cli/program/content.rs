//! What is in a program, as data.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use serde_json::{Value, json};

use super::load::{Loaded, bare_program, load_bytes, load_text, undecodable};
use crate::{
    cli::problem::Problem,
    defs::MAX_PROGRAM,
    soup::{Code, Tables},
};

/// The programs of a text as data.
pub(crate) fn of_text(file: &Path, tables: &Arc<Tables>) -> Result<Value, Problem> {
    Ok(content(&load_text(file, tables)?))
}

/// The program that a file's bytes are, as data.
pub(crate) fn of_bytes(file: &Path, tables: &Arc<Tables>) -> Result<Value, Problem> {
    Ok(content(&[load_bytes(file, bare_program(file)?, None, tables)?]))
}

/// Why a file's bytes are no program, if they are none.
pub(crate) fn as_bytes(file: &Path, tables: &Arc<Tables>) -> Result<(), String> {
    match bare_program(file) {
        Ok(program) if program.bytes.is_empty() => Err("the file is empty".to_owned()),
        Ok(program) => undecodable(program, tables).map_or(Ok(()), Err),
        Err(_) => Err(format!("more than {MAX_PROGRAM} bytes")),
    }
}

fn content(programs: &[Loaded]) -> Value {
    match programs {
        [program] => {
            let mut content = of_program(&program.code);
            content["kind"] = "program".into();
            content
        }
        programs => json!({
            "kind": "programs",
            "programs": programs.iter().map(|program| of_program(&program.code)).collect::<Vec<_>>(),
        }),
    }
}

fn of_program(code: &Code) -> Value {
    let program = code.program();
    json!({
        "name": program.name,
        "bytes": program.bytes.len(),
        "statements": code.statements().len(),
        "entry_points": entry_points(code),
        "locals": program.locals,
        "strings": program.strings.iter().map(|string| String::from_utf8_lossy(string)).collect::<Vec<_>>(),
        "natives": natives(code),
        "warnings": code.warnings().iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// Where main starts, and where entry does if it exists (rule Y3).
fn entry_points(code: &Code) -> Value {
    let start = code.program().start;
    match (code.statements().is_empty(), start) {
        (true, _) => json!({}),
        (false, 0) => json!({ "main": offset(0) }),
        (false, start) => json!({ "entry": offset(0), "main": offset(start) }),
    }
}

fn offset(offset: u32) -> String {
    format!("0x{offset:02X}")
}

/// The functions called, with the number of calls of each, in the order of their numbers.
fn natives(code: &Code) -> Vec<Value> {
    let mut counts: BTreeMap<u16, u32> = BTreeMap::new();
    for call in code.calls() {
        *counts.entry(call.function).or_default() += 1;
    }
    let row = |(function, calls): (u16, u32)| {
        let row = &code.tables().functions()[usize::from(function)];
        json!({ "name": row.name, "calls": calls, "function": row.kind })
    };
    counts.into_iter().map(row).collect()
}
