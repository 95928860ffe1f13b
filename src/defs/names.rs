//! The names in force: what function, property and flag numbers of a program mean.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use super::{FlagDef, FunctionKind, NativeId, PropertyId, folded, functions, properties};

/// A function that programs may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRow {
    /// The name, as the definition spells it.
    pub name: String,
    /// Declared kind; decides how the text writes a call, not how it runs.
    pub kind: FunctionKind,
    /// Declared number of parameters.
    pub parameters: u8,
    /// The native that this is; none: nobody answers, unless a host adds a native of this name.
    pub native: Option<NativeId>,
}

/// A property that programs may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyRow {
    /// The name, as the definition spells it.
    pub name: String,
    /// The descriptor that this is; none: reads give 0 and writes do nothing.
    pub descriptor: Option<PropertyId>,
}

/// Functions, properties and flags by number, and the names of constants.
///
/// The rows come from a game's SOUP386.DEF, or from the crate's own tables and a scene's flags ([`Tables::built_in`]).
///
/// # Source
/// Rules Y12, Y94, Y102.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    functions: Vec<FunctionRow>,
    properties: Vec<PropertyRow>,
    flags: Vec<FlagDef>,
    constants: Vec<(String, i32)>,
    names: [BTreeMap<String, Use>; 4],
}

/// Places in the list of look-ups.
const FUNCTIONS: usize = 0;
const PROPERTIES: usize = 1;
const FLAGS: usize = 2;
const CONSTANTS: usize = 3;

/// Where a name is first declared, and whether once only.
#[derive(Clone, Copy, Debug)]
struct Use {
    index: u32,
    unique: bool,
}

impl Tables {
    /// Tables from lists in order of their numbers. Function 0 is NullFunction.
    #[must_use]
    pub fn new(
        functions: Vec<FunctionRow>,
        properties: Vec<PropertyRow>,
        flags: Vec<FlagDef>,
        constants: Vec<(String, i32)>,
    ) -> Self {
        let names = [
            index(functions.iter().map(|row| &row.name)),
            index(properties.iter().map(|row| &row.name)),
            index(flags.iter().map(|row| &row.name)),
            index(constants.iter().map(|(name, _)| name)),
        ];
        Self { functions, properties, flags, constants, names }
    }

    /// The crate's own functions and properties, with the flags of a scene.
    #[must_use]
    pub fn built_in(flags: &[FlagDef]) -> Arc<Self> {
        static BARE: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(registry_tables(Vec::new())));
        if flags.is_empty() { Arc::clone(&BARE) } else { Arc::new(registry_tables(flags.to_vec())) }
    }

    /// The same functions, properties and constants, with other flags.
    #[must_use]
    pub fn with_flags(self: &Arc<Self>, flags: &[FlagDef]) -> Arc<Self> {
        if self.flags == flags {
            return Arc::clone(self);
        }
        let mut tables = Self { flags: flags.to_vec(), ..Self::clone(self) };
        tables.names[FLAGS] = index(tables.flags.iter().map(|row| &row.name));
        Arc::new(tables)
    }

    /// The same with natives for the functions that the registry of the crate does not have.
    #[must_use]
    pub fn with_natives(self: &Arc<Self>, native_of: impl Fn(&str) -> Option<NativeId>) -> Arc<Self> {
        let open = self.functions.iter().enumerate().filter(|(_, row)| row.native.is_none());
        let found: Vec<_> = open.filter_map(|(at, row)| Some((at, native_of(&row.name)?))).collect();
        if found.is_empty() {
            return Arc::clone(self);
        }
        let mut tables = Self::clone(self);
        for (at, native) in found {
            tables.functions[at].native = Some(native);
        }
        Arc::new(tables)
    }

    /// All functions; a row's position is its number.
    #[must_use]
    pub fn functions(&self) -> &[FunctionRow] {
        &self.functions
    }

    /// All properties; a row's position is its number.
    #[must_use]
    pub fn properties(&self) -> &[PropertyRow] {
        &self.properties
    }

    /// All flags; a row's position is its number.
    #[must_use]
    pub fn flags(&self) -> &[FlagDef] {
        &self.flags
    }

    /// Named constants (equates) and their values.
    #[must_use]
    pub fn constants(&self) -> &[(String, i32)] {
        &self.constants
    }

    /// The number of the function of this name, without case; a name declared twice means the first.
    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<u16> {
        self.find(FUNCTIONS, name).map(|found| found.index as u16)
    }

    /// The number of the property of this name, without case.
    #[must_use]
    pub fn property_named(&self, name: &str) -> Option<u16> {
        self.find(PROPERTIES, name).map(|found| found.index as u16)
    }

    /// The number of the flag of this name, without case.
    #[must_use]
    pub fn flag_named(&self, name: &str) -> Option<u16> {
        self.find(FLAGS, name).map(|found| found.index as u16)
    }

    /// The value of the constant of this name, without case.
    #[must_use]
    pub fn constant_named(&self, name: &str) -> Option<i32> {
        self.find(CONSTANTS, name).map(|found| self.constants[found.index as usize].1)
    }

    /// Whether no other function has this one's name.
    pub(crate) fn is_unique_function(&self, index: u16) -> bool {
        self.functions.get(usize::from(index)).is_some_and(|row| self.is_unique(FUNCTIONS, &row.name))
    }

    /// Whether no other property has this one's name.
    pub(crate) fn is_unique_property(&self, index: u16) -> bool {
        self.properties.get(usize::from(index)).is_some_and(|row| self.is_unique(PROPERTIES, &row.name))
    }

    /// Whether no other flag has this one's name.
    pub(crate) fn is_unique_flag(&self, index: u16) -> bool {
        self.flags.get(usize::from(index)).is_some_and(|row| self.is_unique(FLAGS, &row.name))
    }

    fn is_unique(&self, table: usize, name: &str) -> bool {
        self.find(table, name).is_some_and(|found| found.unique)
    }

    fn find(&self, table: usize, name: &str) -> Option<Use> {
        self.names[table].get(&folded(name)).copied()
    }
}

fn index<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<String, Use> {
    let mut map = BTreeMap::new();
    for (at, name) in names.enumerate().take(usize::from(u16::MAX) + 1) {
        map.entry(folded(name))
            .and_modify(|seen: &mut Use| seen.unique = false)
            .or_insert(Use { index: at as u32, unique: true });
    }
    map
}

fn registry_tables(flags: Vec<FlagDef>) -> Tables {
    let functions = functions().rows().iter().map(|row| FunctionRow {
        name: row.name.to_owned(),
        kind: row.kind,
        parameters: row.parameters.len() as u8,
        native: Some(row.id),
    });
    let properties =
        properties().rows().iter().map(|row| PropertyRow { name: row.name.to_owned(), descriptor: Some(row.id) });
    Tables::new(functions.collect(), properties.collect(), flags, Vec::new())
}
