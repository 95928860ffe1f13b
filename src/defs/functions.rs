//! The 367 SOUP functions: id, name, kind, parameters, documentation. One list for every language.

use std::{collections::BTreeMap, fmt, str::FromStr, sync::LazyLock};

use serde::{Deserialize, Serialize};

use super::{folded, table};

/// The position of a function in definition order, as encoded calls hold it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NativeId(pub u16);

/// How a function is declared; a call may still choose another dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FunctionKind {
    /// Takes a task slot and holds the calling script until it is done.
    Task,
    /// Takes a task slot; the caller goes on.
    Multitask,
    /// Runs once and returns a value.
    Function,
}

impl FromStr for FunctionKind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word {
            "task" => Ok(Self::Task),
            "multitask" => Ok(Self::Multitask),
            "function" => Ok(Self::Function),
            _ => Err(()),
        }
    }
}

impl fmt::Display for FunctionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Task => "task",
            Self::Multitask => "multitask",
            Self::Function => "function",
        })
    }
}

/// One row of the function table.
#[derive(Clone, Debug, Serialize)]
pub struct FunctionDecl {
    /// Position in definition order.
    pub id: NativeId,
    /// The name as the definition file spells it.
    pub name: &'static str,
    /// The name as scripts write it: lower case.
    pub script_name: String,
    /// Declared kind.
    pub kind: FunctionKind,
    /// Parameter names, in order; their number is the declared arity.
    pub parameters: Vec<&'static str>,
    /// Document and heading that describe the function, or `undocumented`.
    pub source: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
}

/// The table of all functions.
pub struct FunctionTable {
    rows: Vec<FunctionDecl>,
    by_name: BTreeMap<String, NativeId>,
}

/// The one function table, in definition order.
///
/// # Source
/// The names are those of the game's SOUP386.DEF; engine/SOUP.md has a heading for each documented one.
#[must_use]
pub fn functions() -> &'static FunctionTable {
    static TABLE: LazyLock<FunctionTable> = LazyLock::new(|| {
        let rows: Vec<FunctionDecl> = table::rows(include_str!("functions.csv")).map(|row| declaration(&row)).collect();
        let by_name = rows.iter().map(|row| (row.script_name.clone(), row.id)).collect();
        FunctionTable { rows, by_name }
    });
    &TABLE
}

/// The table is part of the crate, so a malformed row is a defect of the crate, caught by `tables_are_well_formed`.
fn declaration(row: &[&'static str]) -> FunctionDecl {
    let [index, name, kind, arity, parameters, source, doc] = *row else {
        panic!("functions.csv: {} fields in a row, expected 7: {row:?}", row.len())
    };
    let parameters: Vec<_> = parameters.split_whitespace().collect();
    assert_eq!(Ok(parameters.len()), arity.parse(), "functions.csv: arity of {name}");
    FunctionDecl {
        id: NativeId(index.parse().expect("functions.csv: index")),
        name,
        script_name: folded(name),
        kind: kind.parse().expect("functions.csv: kind"),
        parameters,
        source,
        doc,
    }
}

impl FunctionTable {
    /// All rows; a row's position is its id.
    #[must_use]
    pub fn rows(&self) -> &[FunctionDecl] {
        &self.rows
    }

    /// The row of an id; none beyond the table.
    #[must_use]
    pub fn get(&self, id: NativeId) -> Option<&FunctionDecl> {
        self.rows.get(usize::from(id.0))
    }

    /// The id of a name, without case.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<NativeId> {
        self.by_name.get(&folded(name)).copied()
    }
}
