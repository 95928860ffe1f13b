//! SOUP386.DEF: the names of functions, properties, flags, and numbers with names.
//!
//! # Source
//! Rule I40; engine/SOUPDEF.md.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Warnings,
    bytes::{latin1, shown},
    ini::Lines,
};
use crate::{
    defs::{FlagDef, FlagKind, FunctionKind, functions, properties},
    import::Fault,
};

/// Numbers of functions, properties and flags have 16 bits, function 0 is NullFunction.
const MAX_NAMES: usize = 65_535;

/// A function as the file declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredFunction {
    /// Its name.
    pub name: String,
    /// How it is called unless the call says otherwise.
    pub kind: FunctionKind,
    /// Number of its parameters.
    pub n_parameters: u8,
}

/// What the file declares.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Functions; the first has number 1.
    pub functions: Vec<DeclaredFunction>,
    /// Properties, from 0.
    pub references: Vec<String>,
    /// Numbers with names, in the order of the file.
    pub equates: Vec<(String, i32)>,
    /// Flags, from 0.
    pub flags: Vec<FlagDef>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Functions,
    References,
    Equates,
    Flags,
}

/// Reads SOUP386.DEF.
///
/// # Errors
/// The first [`Fault`].
pub fn read(file: &str, data: &[u8], warnings: &mut Warnings) -> Result<Definitions, Fault> {
    if data.is_empty() {
        return Err(Fault::of_file(file, "the file is empty"));
    }
    let mut reading = Reading {
        file,
        warnings,
        definitions: Definitions::default(),
        names: BTreeSet::new(),
        equates: BTreeMap::new(),
        auto: None,
    };
    let mut part = None;
    for (line, record) in Lines::new(file, data)?.records() {
        if record.starts_with(b"[") {
            reading.close_auto(line)?;
            part = Some(section(record).map_err(|reason| reading.fault(line, reason))?);
            continue;
        }
        let text = latin1(record);
        match part {
            Some(part) => reading.line(part, line, &text)?,
            None => return Err(reading.fault(line, "this line stands before any section")),
        }
    }
    reading.close_auto(data.iter().filter(|&&byte| byte == b'\n').count() + 1)?;
    Ok(reading.definitions)
}

fn section(record: &[u8]) -> Result<Part, String> {
    Ok(match record.to_ascii_lowercase().as_slice() {
        b"[functions]" => Part::Functions,
        b"[refs]" => Part::References,
        b"[equates]" => Part::Equates,
        b"[flags]" => Part::Flags,
        _ => return Err(format!("unknown section {}: expected functions, refs, equates or flags", shown(record))),
    })
}

struct Reading<'r> {
    file: &'r str,
    warnings: &'r mut Warnings,
    definitions: Definitions,
    /// Names of functions, properties and flags that were met, each with a letter for its list.
    names: BTreeSet<(char, String)>,
    equates: BTreeMap<String, i32>,
    /// Inside `auto` … `endauto`: the next number.
    auto: Option<(i32, usize)>,
}

impl Reading<'_> {
    fn fault(&self, line: usize, reason: impl Into<String>) -> Fault {
        Fault::at_line(self.file, line, "", reason)
    }

    fn warn(&mut self, line: usize, reason: impl Into<String>) {
        let fault = self.fault(line, reason);
        self.warnings.add(fault);
    }

    fn line(&mut self, part: Part, line: usize, text: &str) -> Result<(), Fault> {
        let Definitions { functions, references, equates, flags } = &self.definitions;
        let (count, what) = match part {
            Part::Functions => (functions.len(), "functions"),
            Part::References => (references.len(), "references"),
            Part::Equates => (equates.len(), "equates"),
            Part::Flags => (flags.len(), "flags"),
        };
        if count == MAX_NAMES {
            return Err(self.fault(line, format!("more than {MAX_NAMES} {what}")));
        }
        match part {
            Part::Functions => self.function(line, text),
            Part::References => {
                self.reference(line, text);
                Ok(())
            }
            Part::Equates => self.equate(line, text),
            Part::Flags => self.flag(line, text),
        }
    }

    /// Notes a name; the first of equal ones is meant by it.
    fn name(&mut self, list: char, line: usize, name: &str) {
        if !self.names.insert((list, name.to_ascii_lowercase())) {
            self.warn(line, format!("\"{}\" is declared twice: the name means the first", shown(name.as_bytes())));
        }
    }

    fn function(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        let words: Vec<_> = text.split_whitespace().collect();
        let [kind, name, parms, count] = words[..] else {
            return Err(self.fault(line, format!("expected \"kind name parms count\", found \"{}\"", plain(text))));
        };
        if !parms.eq_ignore_ascii_case("parms") {
            return Err(self.fault(line, format!("expected the word parms, found \"{}\"", plain(parms))));
        }
        let Ok(kind) = kind.to_ascii_lowercase().parse::<FunctionKind>() else {
            let reason = format!("unknown kind \"{}\": expected task, multitask or function", plain(kind));
            return Err(self.fault(line, reason));
        };
        let Ok(n_parameters) = count.parse::<u8>() else {
            return Err(
                self.fault(line, format!("expected a number of parameters 0..=255, found \"{}\"", plain(count)))
            );
        };
        self.name('f', line, name);
        match functions().named(name).and_then(|id| functions().get(id)) {
            None => self.warn(line, format!("the function \"{}\" is not known", plain(name))),
            Some(known) if known.parameters.len() != usize::from(n_parameters) => {
                let reason =
                    format!("{} has {n_parameters} parameters here, {} elsewhere", known.name, known.parameters.len());
                self.warn(line, reason);
            }
            Some(_) => {}
        }
        self.definitions.functions.push(DeclaredFunction { name: name.to_owned(), kind, n_parameters });
        Ok(())
    }

    fn reference(&mut self, line: usize, text: &str) {
        self.name('r', line, text);
        if properties().named(text).is_none() {
            self.warn(line, format!("the property \"{}\" is not known", plain(text)));
        }
        self.definitions.references.push(text.to_owned());
    }

    fn equate(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        if text.eq_ignore_ascii_case("auto") {
            if self.auto.replace((0, line)).is_some() {
                return Err(self.fault(line, "auto inside auto"));
            }
            return Ok(());
        }
        if text.eq_ignore_ascii_case("endauto") {
            return match self.auto.take() {
                Some(_) => Ok(()),
                None => Err(self.fault(line, "endauto without auto")),
            };
        }
        let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let rest = rest.trim_start();
        let rest = rest.strip_prefix('=').unwrap_or(rest).trim();
        if name.is_empty() || rest.contains(|c: char| c.is_whitespace() || c == '=') {
            return Err(self.fault(line, format!("expected \"name value\", found \"{}\"", plain(text))));
        }
        let value = if rest.is_empty() { self.auto.map_or(0, |(next, _)| next) } else { self.value(line, rest)? };
        if self.equates.insert(name.to_ascii_lowercase(), value).is_some() {
            return Err(self.fault(line, format!("the equate \"{}\" is defined twice", plain(name))));
        }
        self.definitions.equates.push((name.to_owned(), value));
        if let Some((next, _)) = &mut self.auto {
            *next = value.wrapping_add(1);
        }
        Ok(())
    }

    /// A number, or the value of an earlier equate.
    fn value(&self, line: usize, word: &str) -> Result<i32, Fault> {
        match word.parse::<i32>().ok().or_else(|| self.equates.get(&word.to_ascii_lowercase()).copied()) {
            Some(value) => Ok(value),
            None => Err(self.fault(line, format!("\"{}\" is no number and no earlier equate", plain(word)))),
        }
    }

    fn close_auto(&mut self, line: usize) -> Result<(), Fault> {
        match self.auto {
            Some((_, opened)) => Err(self.fault(line, format!("auto in line {opened} has no endauto"))),
            None => Ok(()),
        }
    }

    fn flag(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        let words: Vec<_> = text.split_whitespace().collect();
        let [kind, name, value] = words[..] else {
            return Err(self.fault(line, format!("expected \"type name value\", found \"{}\"", plain(text))));
        };
        let kind = match kind.to_ascii_lowercase().as_str() {
            "bool" => FlagKind::Bool,
            "number" => FlagKind::Number,
            "flipflop" => FlagKind::Flipflop,
            "counter" => FlagKind::Counter,
            _ => {
                let reason =
                    format!("unknown flag type \"{}\": expected BOOL, NUMBER, FLIPFLOP or COUNTER", plain(kind));
                return Err(self.fault(line, reason));
            }
        };
        let value = match value.to_ascii_lowercase().as_str() {
            "true" => 1,
            "false" => 0,
            number => number.parse().map_err(|_| {
                self.fault(line, format!("expected a number, true or false, found \"{}\"", plain(value)))
            })?,
        };
        self.name('b', line, name);
        self.definitions.flags.push(FlagDef { name: name.to_owned(), kind, value });
        Ok(())
    }
}

/// A text of the file as messages show it.
fn plain(text: &str) -> String {
    shown(text.chars().map(|c| c as u8).collect::<Vec<_>>().as_slice())
}
