//! Completion: what can stand where the cursor is.

use rustyline::{Context, Helper, completion::Completer, highlight::Highlighter, hint::Hinter, validate::Validator};

use super::{Console, commands::COMMANDS};
use crate::{
    defs::{attribute_names, properties},
    natives::access::EXTRAS,
};

/// Functions and names that scripts of both languages have beside natives.
const GLOBALS: [&str; 17] = [
    "actor",
    "actors",
    "attr",
    "expect",
    "find",
    "flags",
    "item",
    "log",
    "multitask",
    "next_update",
    "player",
    "print",
    "require",
    "spawn",
    "tick",
    "updates",
    "wait_until",
];
/// Methods of actors beside natives.
const METHODS: [&str; 9] =
    ["attachment", "attachments", "attribute", "emit", "multitask", "property", "remove", "valid", "why"];

/// The names that can be completed.
pub(super) struct Words {
    actors: Vec<String>,
    items: Vec<String>,
    flags: Vec<String>,
    /// Natives, properties and methods.
    members: Vec<String>,
}

impl Words {
    pub(super) fn of(console: &Console) -> Self {
        let engine = console.runtime.engine();
        let natives = engine.natives.rows().iter().map(|native| native.decl.script_name.as_str());
        let members = natives.chain(properties().rows().iter().map(|row| row.name)).chain(EXTRAS).chain(METHODS);
        Self {
            actors: engine.world.actors().map(|actor| actor.cold.name.to_string()).collect(),
            items: engine.defs.items().map(|item| item.name.to_ascii_lowercase()).collect(),
            flags: engine.defs.flags().iter().map(|flag| flag.name.clone()).collect(),
            members: members.map(str::to_owned).collect(),
        }
    }

    /// Where the word at the end of `line` begins, and what it can become, in order.
    fn candidates(&self, line: &str) -> (usize, Vec<String>) {
        if let Some(rest) = line.strip_prefix(':') {
            return match rest.rsplit_once(' ') {
                None => (1, matching(rest, COMMANDS.iter().map(|command| command.name))),
                Some((_, word)) => (line.len() - word.len(), matching(word, self.actors.iter().map(String::as_str))),
            };
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let start = line.trim_end_matches(is_part).len();
        let (before, word) = line.split_at(start);
        let members = || self.members.iter().map(String::as_str);
        let names = match before.chars().next_back() {
            Some('"' | '\'') => matching(word, self.actors.iter().map(String::as_str)),
            Some('.' | ':') => {
                // Properties such as `pos.vx` have points in their names.
                let stem = before[..before.len() - 1].trim_end_matches(is_part).len();
                match &before[stem..before.len() - 1] {
                    "attr" => matching(word, attribute_names().map(|(name, _)| name)),
                    "item" => matching(word, self.items.iter().map(String::as_str)),
                    "flags" => matching(word, self.flags.iter().map(String::as_str)),
                    group => {
                        let prefix = format!("{group}.");
                        let in_group = members().filter_map(|name| name.strip_prefix(&prefix)).collect::<Vec<_>>();
                        if in_group.is_empty() { matching(word, members()) } else { matching(word, in_group) }
                    }
                }
            }
            _ => matching(word, GLOBALS),
        };
        (start, names)
    }
}

/// The words that begin like this one, without case.
fn matching<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Vec<String> {
    let begins = |name: &&str| name.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let mut found: Vec<String> = words.into_iter().filter(begins).map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line.get(..pos).unwrap_or_default()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(all(test, any(feature = "luau", feature = "lua54", feature = "rhai")))]
mod tests {
    use super::*;
    use crate::Scene;

    fn completed(line: &str) -> (usize, Vec<String>) {
        let console = Console::new(
            Scene::demo(),
            if cfg!(any(feature = "luau", feature = "lua54")) { "a.lua" } else { "a.rhai" },
        );
        Words::of(&console.expect("the demo runs")).candidates(line)
    }

    fn names(line: &str) -> Vec<String> {
        completed(line).1
    }

    #[test]
    fn what_is_offered_fits_the_place() {
        assert_eq!(completed(":st"), (1, vec!["step".to_owned()]));
        assert_eq!(completed(":trace CY"), (7, vec!["CYRUS".to_owned()]));
        assert_eq!(completed("x = actor(\"cy"), (11, vec!["CYRUS".to_owned()]));
        assert_eq!(names("wait_"), ["wait_until"]);
        assert_eq!(names("actor(\"CYRUS\"):drawsw"), ["drawsword"]);
        assert_eq!(names("c.weapon_d"), ["weapon_drawn"]);
        assert_eq!(names("c.pos.v"), ["vx", "vy", "vz"]);
        assert_eq!(names("item.sabr"), ["sabre"]);
        assert!(names("attr.attr_draw").contains(&"attr_draw_frame".to_owned()));
        assert!(names("zzz").is_empty() && names("é").is_empty());
    }
}
