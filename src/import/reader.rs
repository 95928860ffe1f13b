//! Walking a TOML document with key paths and places, collecting faults instead of stopping at the first.

use std::{collections::BTreeMap, ops::Range};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::Fault;
use crate::defs::did_you_mean;

/// Keys of the scene itself, which slip into a table when they stand below its head.
const OF_SCENES: [&str; 7] = ["item_system", "seed", "director", "def", "content_root", "torch_time", "dummy_manager"];
/// More faults than anyone reads; the rest are counted.
const MAX_FAULTS: usize = 50;

/// Faults and the places of key paths, while a document is walked.
pub(super) struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    places: BTreeMap<String, Range<usize>>,
    spelt: BTreeMap<String, String>,
    faults: Vec<Fault>,
    n_unreported: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, places: BTreeMap::new(), spelt: BTreeMap::new(), faults: Vec::new(), n_unreported: 0 }
    }

    /// Remembers where the value of a key path stands.
    pub(super) fn mark(&mut self, path: &str, span: Range<usize>) {
        self.places.insert(path.to_owned(), span);
    }

    /// A close name for a fault that will be shown.
    pub(super) fn hint(&self, word: &str, names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        if self.faults.len() < MAX_FAULTS { did_you_mean(word, names) } else { String::new() }
    }

    /// Remembers that the file spells a key path in another way.
    pub(super) fn spell(&mut self, path: String, spelt: String, span: Range<usize>) {
        self.mark(&spelt, span);
        self.spelt.insert(path, spelt);
    }

    /// A fault at a byte range.
    pub(super) fn fault(&mut self, path: &str, span: Range<usize>, reason: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault::at(self.file, self.text, span, path, reason));
        } else {
            self.n_unreported += 1;
        }
    }

    /// A fault of another file.
    pub(super) fn add(&mut self, fault: Fault) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        } else {
            self.n_unreported += 1;
        }
    }

    /// A fault at a key path that was walked, or at the nearest one around it.
    pub(super) fn fault_at_path(&mut self, path: &str, reason: &str) {
        let path = self.spelt.get(path).cloned().unwrap_or_else(|| path.to_owned());
        let path = path.as_str();
        let mut known = path;
        let span = loop {
            if let Some(span) = self.places.get(known) {
                break span.clone();
            }
            match known.rfind(['.', '[']) {
                Some(end) => known = &known[..end],
                None => break 0..0,
            }
        };
        self.fault(path, span, reason);
    }

    /// The value, or all faults.
    pub(super) fn finish<T>(mut self, value: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Vec<Fault>> {
        let value = if self.faults.is_empty() { value(&mut self) } else { None };
        match value {
            Some(value) if self.faults.is_empty() => Ok(value),
            _ => {
                if self.n_unreported > 0 {
                    let reason = format!("{} more faults are not shown", self.n_unreported);
                    self.faults.push(Fault::of_file(self.file, reason));
                }
                Err(self.faults)
            }
        }
    }

    /// A whole number within `i32`.
    pub(super) fn int(
        &mut self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let expected = format!("expected a whole number in {}..={}", range.start(), range.end());
        let DeValue::Integer(integer) = value.get_ref() else {
            self.fault(path, value.span(), format!("{expected}, found {}", described(value.get_ref())));
            return None;
        };
        let digits: String = integer.as_str().chars().filter(|&c| c != '_').collect();
        match i64::from_str_radix(&digits, integer.radix()) {
            Ok(number) if range.contains(&number) => Some(number),
            _ => {
                self.fault(path, value.span(), format!("{expected}, found {integer}"));
                None
            }
        }
    }

    /// A number in single precision: the nearest `f64`, then the nearest `f32` (rule V1).
    pub(super) fn single(&mut self, path: &str, value: &Spanned<DeValue<'_>>) -> Option<f32> {
        let text = match value.get_ref() {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            other => {
                self.fault(path, value.span(), format!("expected a number, found {}", described(other)));
                return None;
            }
        };
        let digits: String = text.chars().filter(|&c| c != '_').collect();
        let number = digits.parse::<f64>().ok().map(|number| number as f32).filter(|number| number.is_finite());
        if number.is_none() {
            self.fault(path, value.span(), format!("expected a finite single-precision number, found {text}"));
        }
        number
    }

    pub(super) fn text(&mut self, path: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.fault(path, value.span(), format!("expected a text, found {}", described(value.get_ref())));
        }
        text.map(str::to_owned)
    }

    pub(super) fn boolean(&mut self, path: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.fault(path, value.span(), format!("expected true or false, found {}", described(value.get_ref())));
        }
        boolean
    }

    pub(super) fn array<'v>(&mut self, path: &str, value: &'v Spanned<DeValue<'_>>) -> &'v [Spanned<DeValue<'v>>] {
        match value.get_ref().as_array() {
            Some(array) => array,
            None => {
                self.fault(path, value.span(), format!("expected a list, found {}", described(value.get_ref())));
                &[]
            }
        }
    }

    /// Exactly `N` whole numbers.
    pub(super) fn ints<const N: usize>(
        &mut self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<[i64; N]> {
        let array = self.array(path, value);
        if array.len() != N {
            if value.get_ref().as_array().is_some() {
                self.fault(path, value.span(), format!("expected {N} whole numbers, found {}", array.len()));
            }
            return None;
        }
        let mut numbers = [0; N];
        for (i, (number, value)) in numbers.iter_mut().zip(array).enumerate() {
            *number = self.int(&format!("{path}[{i}]"), value, range.clone())?;
        }
        Some(numbers)
    }
}

pub(super) fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() <= 40 => format!("the text {text:?}"),
        DeValue::Integer(integer) => format!("the number {integer}"),
        DeValue::Float(float) => format!("the number {}", float.as_str()),
        DeValue::Boolean(boolean) => boolean.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
        other => format!("a {}", other.type_str()),
    }
}

/// A table of the document whose keys are taken one by one; what is left over is a fault.
pub(super) struct Fields<'v> {
    path: String,
    table: Option<&'v DeTable<'v>>,
    span: Range<usize>,
    known: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    pub(super) fn new(reader: &mut Reader<'_>, path: &str, value: &'v Spanned<DeValue<'v>>) -> Self {
        let table = value.get_ref().as_table();
        if table.is_none() {
            reader.fault(path, value.span(), format!("expected a table, found {}", described(value.get_ref())));
        }
        reader.mark(path, value.span());
        Self { path: path.to_owned(), table, span: value.span(), known: Vec::new() }
    }

    pub(super) fn root(table: &'v Spanned<DeTable<'v>>) -> Self {
        Self { path: String::new(), table: Some(table.get_ref()), span: 0..0, known: Vec::new() }
    }

    /// The key path of a key of this table.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Takes a key: its value with its path, which is marked.
    pub(super) fn take(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
    ) -> Option<(String, &'v Spanned<DeValue<'v>>)> {
        self.known.push(key);
        let value = self.table?.get(key)?;
        let path = self.path_of(key);
        reader.mark(&path, value.span());
        Some((path, value))
    }

    /// Takes a key that must be there.
    pub(super) fn require(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
    ) -> Option<(String, &'v Spanned<DeValue<'v>>)> {
        let taken = self.take(reader, key);
        if taken.is_none() && self.table.is_some() {
            let path = self.path.clone();
            reader.fault(&path, self.span.clone(), format!("the key \"{key}\" is missing"));
        }
        taken
    }

    pub(super) fn int(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let (path, value) = self.take(reader, key)?;
        reader.int(&path, value, range)
    }

    pub(super) fn text(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<String> {
        let (path, value) = self.take(reader, key)?;
        reader.text(&path, value)
    }

    pub(super) fn boolean(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<bool> {
        let (path, value) = self.take(reader, key)?;
        reader.boolean(&path, value)
    }

    /// The tables of an array of tables, with their paths.
    pub(super) fn tables(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Vec<Fields<'v>> {
        let Some((path, value)) = self.take(reader, key) else { return Vec::new() };
        let array = reader.array(&path, value);
        array.iter().enumerate().map(|(i, value)| Fields::new(reader, &format!("{path}[{i}]"), value)).collect()
    }

    /// Faults every key that was not taken.
    pub(super) fn finish(self, reader: &mut Reader<'_>) {
        for (key, _) in self.table.into_iter().flatten() {
            let name: &str = key.get_ref();
            if !self.known.contains(&name) {
                let mut hint = reader.hint(name, &self.known);
                if hint.is_empty() && !self.path.is_empty() && OF_SCENES.contains(&name) {
                    hint = "; it is a key of the scene: those stand above the first table".to_owned();
                }
                reader.fault(&self.path_of(name), key.span(), format!("unknown key{hint}"));
            }
        }
    }
}
