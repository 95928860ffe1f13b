//! Names of the 256 attribute bytes that every actor carries.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{folded, table};

static NAMES: LazyLock<BTreeMap<&'static str, u8>> = LazyLock::new(|| {
    let index = |row: &[&str]| row[0].parse().expect("attributes.csv: index");
    table::rows(include_str!("attributes.csv")).map(|row| (row[1], index(&row))).collect()
});

/// The index of an attribute given by name (without case) or as a decimal number.
#[must_use]
pub fn attribute_index(name: &str) -> Option<u8> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        return name.parse().ok();
    }
    NAMES.get(folded(name).as_str()).copied()
}

/// All named attributes, by name.
pub fn attribute_names() -> impl Iterator<Item = (&'static str, u8)> {
    NAMES.iter().map(|(&name, &index)| (name, index))
}
