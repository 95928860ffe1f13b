//! Which names a text can use, and what stands for those it cannot (rule Y94).

use std::borrow::Cow;

use crate::soup::Tables;

/// Words that are never names, without case.
const RESERVED: [&str; 16] = [
    "if", "and", "or", "else", "task", "function", "alt", "goto", "gosub", "end", "return", "endint", "yield", "me",
    "player", "camera",
];

/// What stands before the number of something without a usable name.
pub(super) const FUNCTION: &str = "func_";
pub(super) const FLAG: &str = "flag_";
pub(super) const PROPERTY: &str = "ref_";
pub(super) const LOCAL: &str = "var";

/// Whether a word has the form of a name.
pub(super) fn is_identifier(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Identifiers joined by dots, with indices: `anim.pos.vx`, `grip[0]`.
fn is_property_name(word: &str) -> bool {
    word.split('.').all(|part| {
        let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        is_identifier(name) && indices.split_inclusive(']').all(is_index)
    })
}

fn is_index(text: &str) -> bool {
    let digits = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    digits.is_some_and(|digits| {
        let is_plain = digits == "0" || !digits.starts_with('0');
        !digits.is_empty() && is_plain && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a word means something by itself.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
        || word.eq_ignore_ascii_case("skip")
        || [LOCAL, FUNCTION, FLAG, PROPERTY].iter().any(|prefix| numbered(word, prefix).is_some())
}

/// The digits of `prefixN`.
fn numbered<'w>(word: &'w str, prefix: &str) -> Option<&'w str> {
    let (head, digits) = word.split_at_checked(prefix.len())?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (head.eq_ignore_ascii_case(prefix) && is_number).then_some(digits)
}

/// The number of `prefixN`; too large a number is the greatest.
pub(super) fn number_of(word: &str, prefix: &str) -> Option<u32> {
    numbered(word, prefix).map(|digits| digits.parse().unwrap_or(u32::MAX))
}

/// How the text writes a function.
pub(super) fn function(tables: &Tables, index: u16) -> Cow<'_, str> {
    match tables.functions().get(usize::from(index)) {
        Some(row) if usable(&row.name, is_identifier) && tables.is_unique_function(index) => Cow::Borrowed(&row.name),
        _ => Cow::Owned(format!("{FUNCTION}{index}")),
    }
}

/// How the text writes a property.
pub(super) fn property(tables: &Tables, index: u16) -> Cow<'_, str> {
    match tables.properties().get(usize::from(index)) {
        Some(row) if usable(&row.name, is_property_name) && tables.is_unique_property(index) => {
            Cow::Borrowed(&row.name)
        }
        _ => Cow::Owned(format!("{PROPERTY}{index}")),
    }
}

/// The name of a flag that the text can use.
pub(super) fn flag_name(tables: &Tables, index: u32) -> Option<&str> {
    let index = u16::try_from(index).ok()?;
    let row = tables.flags().get(usize::from(index))?;
    (usable(&row.name, is_identifier) && tables.is_unique_flag(index)).then_some(&row.name)
}

/// How the text writes a flag.
pub(super) fn flag(tables: &Tables, index: u16) -> Cow<'_, str> {
    flag_name(tables, index.into()).map_or_else(|| Cow::Owned(format!("{FLAG}{index}")), Cow::Borrowed)
}

fn usable(name: &str, has_form: fn(&str) -> bool) -> bool {
    name.len() <= super::LONGEST_WORD && has_form(name) && !is_reserved(name)
}

/// The functions whose first parameter is written as a key of four letters (rule Y96).
pub(super) fn takes_key(function: &str) -> bool {
    const KEYED: [&str; 9] =
        ["ACTIVATE", "AddLog", "AmbientRtx", "menuAddItem", "RTX", "rtxAnim", "RTXp", "RTXpAnim", "TorchActivate"];
    KEYED.iter().any(|keyed| keyed.eq_ignore_ascii_case(function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_names() {
        assert!(["pos", "pos.vx", "grip[0]", "anim.list[12].x", "a[1][2]"].iter().all(|name| is_property_name(name)));
        assert!(
            !["", ".", "pos.", "grip[]", "grip[01]", "grip[x]", "grip[0", "9", "a b"]
                .iter()
                .any(|name| is_property_name(name))
        );
    }

    #[test]
    fn reserved_words() {
        assert!(["IF", "skip", "var0", "VAR12", "func_3", "flag_0", "Ref_9", "Camera"].iter().all(|w| is_reserved(w)));
        assert!(!["var", "var_1", "variable", "func_", "func_x", "iffy", "мвм"].iter().any(|w| is_reserved(w)));
    }
}
