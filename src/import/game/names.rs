//! What function, property and flag numbers of programs mean, as a SOUP386.DEF declares it.
//!
//! # Source
//! Rules Y12, Y102, I40.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use super::{Warnings, definition, definition::Definitions, read_file};
use crate::{
    defs::{FlagDef, FunctionKind, FunctionRow, NativeId, PropertyRow, Tables, functions, properties},
    import::Fault,
};

/// The names of a definition file.
///
/// # Errors
/// The file cannot be read, or is wrong.
pub fn tables_of_file(path: &Path, warnings: &mut Warnings) -> Result<Arc<Tables>, Fault> {
    tables_of_bytes(&path.display().to_string(), &read_file(path)?, warnings)
}

/// The names in the bytes of a definition file.
pub(in crate::import) fn tables_of_bytes(
    file: &str,
    bytes: &[u8],
    warnings: &mut Warnings,
) -> Result<Arc<Tables>, Fault> {
    Ok(tables(&definition::read(file, bytes, warnings)?))
}

/// The names that were declared.
pub(super) fn tables(definitions: &Definitions) -> Arc<Tables> {
    let null = FunctionRow {
        name: "NullFunction".to_owned(),
        kind: FunctionKind::Function,
        parameters: 0,
        native: Some(NativeId(0)),
    };
    let declared = definitions.functions.iter().map(|function| FunctionRow {
        name: function.name.clone(),
        kind: function.kind,
        parameters: function.n_parameters,
        native: functions().named(&function.name),
    });
    let properties = definitions
        .references
        .iter()
        .map(|name| PropertyRow { name: name.clone(), descriptor: properties().named(name) });
    Arc::new(Tables::new(
        std::iter::once(null).chain(declared).collect(),
        properties.collect(),
        distinct(&definitions.flags),
        definitions.equates.clone(),
    ))
}

/// Flags with names that a scene can have: of equal names all but the first are called by their number.
fn distinct(flags: &[FlagDef]) -> Vec<FlagDef> {
    let mut names: BTreeSet<String> = flags.iter().map(|flag| flag.name.to_ascii_lowercase()).collect();
    let mut met = BTreeSet::new();
    let mut renamed = |(id, flag): (usize, &FlagDef)| {
        let mut name = flag.name.clone();
        if !met.insert(name.to_ascii_lowercase()) {
            name = format!("flag_{id}");
            while !names.insert(name.clone()) {
                name.push('_');
            }
        }
        FlagDef { name, ..flag.clone() }
    };
    flags.iter().enumerate().map(&mut renamed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_flags_get_names_of_their_own() {
        let flags =
            ["a", "FLAG_2", "A", "flag_2_", "a"].map(|name| FlagDef { name: name.into(), ..FlagDef::default() });
        let names: Vec<_> = distinct(&flags).into_iter().map(|flag| flag.name).collect();
        assert_eq!(names, ["a", "FLAG_2", "flag_2__", "flag_2_", "flag_4"]);
    }
}
