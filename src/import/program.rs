//! The programs of a scene file: bytes in the scene or texts beside it, laid out one behind the other.
//!
//! # Source
//! Rules Y1, Y2, Y100.

use std::{collections::BTreeMap, sync::Arc};

use toml::{Spanned, de::DeValue};

use super::{
    Fault,
    reader::{Fields, Reader},
};
use crate::{
    defs::{Program, Scene, near_or_some},
    soup::{
        Tables, decode,
        text::{Listing, TextError, read},
    },
};

type Value<'v> = Spanned<DeValue<'v>>;

const U32: std::ops::RangeInclusive<i64> = 0..=u32::MAX as i64;
const I32: std::ops::RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

/// Labels without their `#`, and their offsets.
pub(super) type Labels = Arc<[(String, u32)]>;

/// A program of a text, once it is placed.
type Placed = (Arc<Program>, Labels);

/// The programs of a scene so far: the addresses that are given out (rule Y2), and the texts that were read.
pub(super) struct Layout {
    next: u32,
    tables: Arc<Tables>,
    /// Listings by file; none of a file at fault.
    texts: BTreeMap<String, Option<Vec<Listing>>>,
    /// Programs of texts by file and position: actors that name the same one share it.
    shared: BTreeMap<(String, usize, Beside), Placed>,
}

/// What belongs to a program and is no part of its text: keys of the actor (rule Y100).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Beside {
    base: Option<u32>,
    hook: Option<Vec<u8>>,
}

impl Beside {
    /// The keys `base` and `hook` of an actor.
    pub(super) fn take(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Self {
        let base = fields.int(reader, "base", U32).map(|base| base as u32);
        let hook = fields.take(reader, "hook").and_then(|(path, value)| hex(reader, &path, value));
        Self { base, hook }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The key `locals` of an actor: first values in place of the program's own.
pub(super) fn locals(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<i32>> {
    let (path, value) = fields.take(reader, "locals")?;
    let array = reader.array(&path, value);
    let local = |(i, value)| reader.int(&format!("{path}[{i}]"), value, I32).map(|local| local as i32);
    Some(array.iter().enumerate().filter_map(local).collect())
}

/// Whether a script's name is that of a text with programs: `x.soup` or `x.soup#NAME`.
pub(super) fn is_program(name: &str) -> bool {
    parts(name).0.to_ascii_lowercase().ends_with(".soup")
}

fn parts(name: &str) -> (&str, Option<&str>) {
    name.split_once('#').map_or((name, None), |(file, program)| (file, Some(program)))
}

impl Layout {
    /// Nothing yet; the texts use these names.
    pub(super) fn new(tables: Arc<Tables>) -> Self {
        Self { next: 0, tables, texts: BTreeMap::new(), shared: BTreeMap::new() }
    }

    /// The program that `script = "x.soup#NAME"` means for an actor. `load` gives the name that errors show, and the text.
    pub(super) fn named(
        &mut self,
        reader: &mut Reader<'_>,
        (path, value): (&str, &Value<'_>),
        (name, actor): (&str, &str),
        beside: Beside,
        load: impl FnOnce(&str) -> Result<(String, String), String>,
    ) -> Option<Placed> {
        let (file, program) = parts(name);
        if !self.texts.contains_key(file) {
            let listings = match load(file) {
                Ok((shown, text)) => {
                    let read = read(&shown, &text, &self.tables);
                    read.map_err(|errors| errors.iter().for_each(|error| reader.add(fault(&text, error)))).ok()
                }
                Err(reason) => {
                    reader.fault(path, value.span(), format!("{file}: {reason}"));
                    None
                }
            };
            self.texts.insert(file.to_owned(), listings);
        }
        let listings = self.texts.get(file)?.as_ref()?;
        match choose(listings, program, actor) {
            Ok(index) => Some(self.share(file, index, beside)),
            Err(reason) => {
                reader.fault(path, value.span(), format!("{file}: {reason}"));
                None
            }
        }
    }

    fn share(&mut self, file: &str, index: usize, beside: Beside) -> Placed {
        let Beside { base, hook } = beside.clone();
        let key = (file.to_owned(), index, beside);
        if let Some(placed) = self.shared.get(&key) {
            return placed.clone();
        }
        let listing = self.texts.get(file).and_then(|listings| listings.as_ref()?.get(index)).cloned();
        let (program, labels) = listing.map(|listing| (listing.program, listing.labels)).unwrap_or_default();
        let placed = (self.place(Program { hook, ..program }, base), labels.into());
        self.shared.insert(key, placed.clone());
        placed
    }

    /// Puts a program behind the last one, or where it says itself.
    pub(super) fn place(&mut self, mut program: Program, base: Option<u32>) -> Arc<Program> {
        program.base = base.unwrap_or(self.next);
        self.next = program.base.wrapping_add(program.bytes.len() as u32);
        Arc::new(program)
    }
}

/// The position of the program that is meant: the one of this name, the only one, or the one named like the actor.
fn choose(listings: &[Listing], program: Option<&str>, actor: &str) -> Result<usize, String> {
    let names = || listings.iter().map(|listing| &listing.program.name);
    let named = |wanted: &str| names().position(|name| name.eq_ignore_ascii_case(wanted));
    match program {
        Some(wanted) => {
            let all = || names().collect::<Vec<_>>();
            let unknown = || format!("no program is named {wanted:?}{}", near_or_some(wanted, "there is", &all()));
            named(wanted).ok_or_else(unknown)
        }
        None if listings.len() == 1 => Ok(0),
        None => named(actor).ok_or_else(|| {
            let count = listings.len();
            format!("there are {count} programs and none is named {actor:?}: say which with #NAME")
        }),
    }
}

/// A fault of a text, at its line and column.
fn fault(text: &str, error: &TextError) -> Fault {
    let start: usize = text.split_inclusive('\n').take(error.line.saturating_sub(1) as usize).map(str::len).sum();
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let column = error.column.saturating_sub(1) as usize;
    let span = start + byte(column)..start + byte(column + error.caret.len());
    Fault {
        file: error.file.clone(),
        place: Some((error.line as usize, error.column as usize)),
        offset: None,
        span: Some(span),
        path: String::new(),
        reason: error.what.clone(),
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

const OTHER_TABLES: &str = "; a program of a game needs the game's names: def = \"SOUP386.DEF\" above the first table";

/// Decodes every program of a scene, so that what is wrong with one is a fault of the file.
pub(super) fn check(reader: &mut Reader<'_>, scene: &Scene) {
    let mut seen: Option<&Arc<Program>> = None;
    for (i, record) in scene.defs.actors().iter().enumerate() {
        let Some(program) = &record.program else { continue };
        if !seen.replace(program).is_some_and(|seen| Arc::ptr_eq(seen, program))
            && let Err(error) = decode(program, scene.defs.tables())
        {
            let hint = if error.may_need_other_tables(scene.defs.tables()) { OTHER_TABLES } else { "" };
            reader.fault_at_path(&format!("actor[{i}].program"), &format!("{error}{hint}"));
        }
    }
}
