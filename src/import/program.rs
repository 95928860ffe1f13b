//! The programs of a scene file: bytes in the scene, laid out one behind the other.
//!
//! # Source
//! Rules Y1, Y2, Y100.

use std::sync::Arc;

use toml::{Spanned, de::DeValue};

use super::reader::{Fields, Reader};
use crate::{
    defs::{Program, Scene},
    soup::{Tables, decode},
};

type Value<'v> = Spanned<DeValue<'v>>;

const U32: std::ops::RangeInclusive<i64> = 0..=u32::MAX as i64;
const I32: std::ops::RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

/// The addresses that are given out so far (rule Y2).
#[derive(Debug, Default)]
pub(super) struct Layout {
    next: u32,
}

impl Layout {
    /// Puts a program behind the last one, or where it says itself.
    pub(super) fn place(&mut self, mut program: Program, base: Option<u32>) -> Arc<Program> {
        program.base = base.unwrap_or(self.next);
        self.next = program.base.wrapping_add(program.bytes.len() as u32);
        Arc::new(program)
    }
}

/// The table `program` of an actor.
pub(super) fn table(reader: &mut Reader<'_>, mut fields: Fields<'_>, name: &str, layout: &mut Layout) -> Arc<Program> {
    let bytes = fields.require(reader, "bytes").and_then(|(path, value)| hex(reader, &path, value));
    let start = fields.int(reader, "start", U32).unwrap_or(0) as u32;
    let strings = list(reader, &mut fields, "strings", |reader, path, value| reader.text(path, value));
    let locals = list(reader, &mut fields, "locals", |reader, path, value| reader.int(path, value, I32));
    let base = fields.int(reader, "base", U32).map(|base| base as u32);
    let hook = fields.take(reader, "hook").and_then(|(path, value)| hex(reader, &path, value));
    fields.finish(reader);
    let program = Program {
        name: name.to_owned(),
        bytes: bytes.unwrap_or_default(),
        start,
        strings: strings.into_iter().map(String::into_bytes).collect(),
        locals: locals.into_iter().map(|local| local as i32).collect(),
        base: 0,
        hook,
    };
    layout.place(program, base)
}

fn list<T>(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &'static str,
    mut entry: impl FnMut(&mut Reader<'_>, &str, &Value<'_>) -> Option<T>,
) -> Vec<T> {
    let Some((path, value)) = fields.take(reader, key) else { return Vec::new() };
    let array = reader.array(&path, value);
    array.iter().enumerate().filter_map(|(i, value)| entry(reader, &format!("{path}[{i}]"), value)).collect()
}

/// Bytes as pairs of hexadecimal digits; blanks between digits do not count.
fn hex(reader: &mut Reader<'_>, path: &str, value: &Value<'_>) -> Option<Vec<u8>> {
    let text = reader.text(path, value)?;
    let mut digits = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        match c.to_digit(16) {
            Some(digit) => digits.push(digit as u8),
            None => {
                let reason = format!("expected hexadecimal digits and blanks, found {c:?} at character {}", at + 1);
                reader.fault(path, value.span(), reason);
                return None;
            }
        }
    }
    if !digits.len().is_multiple_of(2) {
        reader.fault(path, value.span(), format!("{} hexadecimal digits are no whole bytes", digits.len()));
        return None;
    }
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Decodes every program of a scene, so that what is wrong with one is a fault of the file.
pub(super) fn check(reader: &mut Reader<'_>, scene: &Scene) {
    let tables = Tables::built_in(scene.defs.flags());
    let mut seen: Option<&Arc<Program>> = None;
    for (i, record) in scene.defs.actors().iter().enumerate() {
        let Some(program) = &record.program else { continue };
        if !seen.replace(program).is_some_and(|seen| Arc::ptr_eq(seen, program))
            && let Err(error) = decode(program, &tables)
        {
            reader.fault_at_path(&format!("actor[{i}].program"), &error.to_string());
        }
    }
}
