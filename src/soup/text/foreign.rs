//! What the mod manager writes otherwise (rule Y98).

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    cursor::Cursor,
    error::Slip,
    lex::{Kind, Token},
};
use crate::defs::folded;

/// Names in angle brackets that stand for numbers: items and maps.
#[derive(Clone, Debug, Default)]
pub struct Numbered(BTreeMap<String, i32>);

impl Numbered {
    /// Names and their numbers; case does not count, and a name given twice means the first.
    #[must_use]
    pub fn new<'n>(names: impl IntoIterator<Item = (&'n str, i32)>) -> Self {
        let mut map = BTreeMap::new();
        for (name, number) in names {
            map.entry(folded(name)).or_insert(number);
        }
        Self(map)
    }

    fn get(&self, name: &str) -> Option<i32> {
        self.0.get(&folded(name)).copied()
    }
}

/// The dialect that a text is written in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dialect<'n> {
    /// Rules Y90 to Y97.
    Own,
    /// The mod manager's, with the names of items and maps.
    ModManager(&'n Numbered),
}

impl Dialect<'_> {
    pub(super) fn is_foreign(self) -> bool {
        matches!(self, Self::ModManager(_))
    }
}

/// Lines at the top of a file of the mod manager, which name the map.
pub(super) const HEADER_LINES: u32 = 3;

/// Functions whose number is written with opcode 16.
pub(super) fn takes_flag_number(function: &str) -> bool {
    ["TestGlobalFlag", "SetGlobalFlag", "ResetGlobalFlag"].iter().any(|name| name.eq_ignore_ascii_case(function))
}

/// The line with `<name>` in place of a number, where such a name is known: its tokens would not be those of a name.
pub(super) fn with_numbers<'l>(line: &'l str, dialect: Dialect<'_>) -> Cow<'l, str> {
    let Dialect::ModManager(names) = dialect else { return Cow::Borrowed(line) };
    let mut replaced = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('<') {
        let inner = &rest[start + 1..];
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && !" ()'".contains(c));
        let known =
            end.filter(|&end| inner[end..].starts_with('>')).and_then(|end| Some((end, names.get(&inner[..end])?)));
        let (kept, next) = match known {
            Some((end, number)) => {
                replaced.push_str(&rest[..start]);
                // As wide as the name if it can be, so that columns stay what they are.
                let width = end + 2;
                replaced += &format!("{number:<width$}");
                ("", end + 2)
            }
            None => (&rest[..=start], 1),
        };
        replaced.push_str(kept);
        rest = &rest[start + next..];
    }
    if replaced.is_empty() {
        return Cow::Borrowed(line);
    }
    replaced.push_str(rest);
    Cow::Owned(replaced)
}

/// An attribute above a program: a name and a number.
pub(super) fn attribute(cursor: &mut Cursor<'_>) -> Result<(String, i32), Slip> {
    let name = cursor.word("the name of an attribute")?.to_owned();
    cursor.sign("=")?;
    Ok((name, cursor.int("a number")? as i32))
}

/// What is wrong with an object that is a number: the tool writes the value of a local in its place.
pub(super) fn numbered_object(token: &Token<'_>) -> Option<Slip> {
    let Kind::Number(digits) = token.kind else { return None };
    let what = format!(
        "\"{digits}\" is no object: the mod manager writes the value of a local where its number belongs; write var and \
         the local's number"
    );
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| Slip::new(token.span.clone(), what))
}
