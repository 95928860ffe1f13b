//! Settings files: sections of `key=value` records.
//!
//! # Source
//! Rule I25; config/item-ini.md, config/world-ini.md, config/system-ini.md.

use std::collections::BTreeMap;

use super::{
    Warnings,
    bytes::{latin1, shown},
};
use crate::import::Fault;

/// Lines of a text file in Latin-1, without comments' end and white space around.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    data: &'a [u8],
}

/// The longest text that is read: every line of it becomes something.
const MAX_TEXT: usize = 1 << 20;

impl<'a> Lines<'a> {
    /// The lines of a file. A byte order mark and one final 1Ah, which old editors leave, are passed over.
    ///
    /// # Errors
    /// A control character, at its line; more than 1 MiB.
    pub(super) fn new(file: &str, data: &'a [u8]) -> Result<Self, Fault> {
        if data.len() > MAX_TEXT {
            let reason = format!("{} bytes of text, at most {MAX_TEXT} are read", data.len());
            return Err(Fault::of_file(file, reason));
        }
        let data = data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data);
        let data = data.strip_suffix(b"\x1A").unwrap_or(data);
        let lines = Self { data };
        for (number, line) in lines.raw() {
            if let Some(&byte) = line.iter().find(|byte| byte.is_ascii_control() && **byte != b'\t') {
                let reason = format!("control character {byte:02X}h: this is no text");
                return Err(Fault::at_line(file, number, "", reason));
            }
        }
        Ok(lines)
    }

    fn raw(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let lines = self.data.split(|&byte| byte == b'\n');
        lines.enumerate().map(|(index, line)| (index + 1, line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// What stands in each line before a `;`, with the line's number, unless that is nothing.
    pub(super) fn records(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let content = |line: &'a [u8]| line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        self.raw().map(move |(number, line)| (number, content(line))).filter(|(_, line)| !line.is_empty())
    }
}

/// What a line that is no record means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLine {
    /// The end of the reading.
    Error,
    /// A warning: the shipped file has some.
    Warning,
}

/// A value and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The text, without white space around.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// A settings file: values by section and key, both in lower case.
#[derive(Clone, Debug)]
pub struct Ini {
    file: String,
    sections: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Ini {
    /// Reads a settings file. Of equal keys the first counts.
    ///
    /// # Errors
    /// A control character, a key before any section, or with [`BadLine::Error`] a line that is no record.
    ///
    /// # Source
    /// Rule I25.
    pub fn read(file: &str, data: &[u8], bad_line: BadLine, warnings: &mut Warnings) -> Result<Self, Fault> {
        let mut ini = Self { file: file.to_owned(), sections: BTreeMap::new() };
        let mut section = None;
        for (line, record) in Lines::new(file, data)?.records() {
            if record.starts_with(b"#") {
                continue;
            }
            match parse(record) {
                Some(Parsed::Section(name)) => {
                    ini.sections.entry(name.clone()).or_default();
                    section = Some(name);
                }
                Some(Parsed::Value(key, text)) => {
                    let Some(section) = &section else {
                        let reason = format!("the key \"{}\" stands before any section", shown(key.as_bytes()));
                        return Err(Fault::at_line(file, line, "", reason));
                    };
                    ini.enter(section, key, Value { text, line }, warnings);
                }
                None => {
                    let reason = format!("expected [section] or key=value, found \"{}\"", shown(record));
                    let fault = Fault::at_line(file, line, "", reason);
                    match bad_line {
                        BadLine::Error => return Err(fault),
                        BadLine::Warning => warnings.add(fault),
                    }
                }
            }
        }
        Ok(ini)
    }

    fn enter(&mut self, section: &str, key: String, value: Value, warnings: &mut Warnings) {
        let values = self.sections.entry(section.to_owned()).or_default();
        match values.get(&key) {
            Some(first) => {
                let reason = format!("the key is there again; line {} counts", first.line);
                let path = key_path(section, &key);
                warnings.add(Fault::at_line(&self.file, value.line, &path, reason));
            }
            None => drop(values.insert(key, value)),
        }
    }

    /// A section that must be there.
    ///
    /// # Errors
    /// It is not there.
    pub fn require(&self, name: &'static str) -> Result<Section<'_>, Fault> {
        let section = self.section(name);
        section.ok_or_else(|| Fault::of_file(&self.file, format!("the section [{name}] is missing")))
    }

    /// A section.
    #[must_use]
    pub fn section(&self, name: &'static str) -> Option<Section<'_>> {
        Some(Section { file: &self.file, name, values: self.sections.get(name)? })
    }

    /// Names of all sections, ascending.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, Value>)> {
        self.sections.iter().map(|(name, values)| (name.as_str(), values))
    }
}

enum Parsed {
    Section(String),
    Value(String, String),
}

fn parse(record: &[u8]) -> Option<Parsed> {
    if let Some(name) = record.strip_prefix(b"[") {
        let name = name.strip_suffix(b"]")?.trim_ascii();
        return (!name.is_empty()).then(|| Parsed::Section(latin1(name).to_ascii_lowercase()));
    }
    let equals = record.iter().position(|&byte| byte == b'=')?;
    let (key, value) = (record[..equals].trim_ascii(), record[equals + 1..].trim_ascii());
    (!key.is_empty()).then(|| Parsed::Value(latin1(key).to_ascii_lowercase(), latin1(value)))
}

fn key_path(section: &str, key: &str) -> String {
    format!("[{}] {}", shown(section.as_bytes()), shown(key.as_bytes()))
}

/// One section of a settings file.
#[derive(Clone, Copy, Debug)]
pub struct Section<'i> {
    file: &'i str,
    name: &'static str,
    values: &'i BTreeMap<String, Value>,
}

impl<'i> Section<'i> {
    /// All keys with their values, ascending.
    pub fn iter(self) -> impl Iterator<Item = (&'i str, &'i Value)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The value of a key; an empty one is none.
    #[must_use]
    pub fn value(self, key: &str) -> Option<&'i Value> {
        self.values.get(key).filter(|value| !value.text.is_empty())
    }

    /// A fault at a key of this section.
    #[must_use]
    pub fn fault(self, key: &str, line: usize, reason: impl Into<String>) -> Fault {
        Fault::at_line(self.file, line, &key_path(self.name, key), reason)
    }

    /// A number, if the key has a value.
    ///
    /// # Errors
    /// The value is no decimal number of 32 bits.
    pub fn int(self, key: &str) -> Result<Option<i32>, Fault> {
        self.value(key).map(|value| self.number(key, value)).transpose()
    }

    fn number<T: std::str::FromStr>(self, key: &str, value: &Value) -> Result<T, Fault> {
        value.text.parse().map_err(|_| {
            let found = shown(value.text.as_bytes());
            self.fault(key, value.line, format!("expected a decimal number of 32 bits, found \"{found}\""))
        })
    }

    /// A number that cannot be negative, if the key has a value.
    ///
    /// # Errors
    /// The value is no such number of 32 bits.
    pub fn natural(self, key: &str) -> Result<Option<u32>, Fault> {
        self.value(key).map(|value| self.number(key, value)).transpose()
    }

    /// A switch or a number, as the engine reads them: `true`, `yes`, `on` are 1, `false`, `no`, `off` 0.
    ///
    /// # Errors
    /// The value is neither.
    pub fn switch(self, key: &str) -> Result<Option<i32>, Fault> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Ok(Some(1)),
            "false" | "no" | "off" => Ok(Some(0)),
            _ => self.number(key, value).map(Some),
        }
    }

    /// Numbers between commas; none without the key.
    ///
    /// # Errors
    /// One of them is no number of 32 bits.
    pub fn list(self, key: &str) -> Result<Vec<u32>, Fault> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let number = |text: &str| self.number(key, &Value { text: text.trim().to_owned(), line: value.line });
        value.text.split(',').map(number).collect()
    }
}
