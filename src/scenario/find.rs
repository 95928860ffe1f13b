//! Telling scenario files from other scripts, by their text.

use crate::defs::Language;

/// Whether a script calls `scenario` or `only` at all. Comments and texts do not count.
///
/// A script that declares scenarios only through a module cannot be told from others.
#[must_use]
pub fn declares(language: Language, text: &str) -> bool {
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if let Some(after) = after_comment_or_text(language, rest) {
            rest = after;
            continue;
        }
        if next.is_alphabetic() || next == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if matches!(word, "scenario" | "only") && after.trim_start().starts_with(['(', '"', '\'', '[']) {
                return true;
            }
            rest = after;
        } else {
            rest = &rest[next.len_utf8()..];
        }
    }
    false
}

/// What follows the comment or text that begins here, if one does.
fn after_comment_or_text(language: Language, rest: &str) -> Option<&str> {
    let past = |end: Option<usize>, length: usize| end.map_or("", |end| &rest[end + length..]);
    match language {
        Language::Lua => {
            let body = rest.strip_prefix("--");
            if let Some(close) = long_bracket(body.unwrap_or(rest)) {
                return Some(past(rest.find(&close), close.len()));
            }
            if body.is_some() {
                return Some(past(rest.find('\n'), 1));
            }
        }
        Language::Rhai => {
            if rest.starts_with("//") {
                return Some(past(rest.find('\n'), 1));
            }
            if let Some(body) = rest.strip_prefix("/*") {
                return Some(body.find("*/").map_or("", |end| &body[end + 2..]));
            }
        }
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(&rest[at + 1..]),
            // Texts of one line end with it: what looked like a quote was none.
            '\n' if quote != '`' => return Some(&rest[at..]),
            _ => {}
        }
    }
    Some("")
}

/// The closing form of a Lua long bracket that opens here: `]]` for `[[`, `]==]` for `[==[`.
fn long_bracket(text: &str) -> Option<String> {
    let inner = text.strip_prefix('[')?;
    let level = inner.len() - inner.trim_start_matches('=').len();
    inner[level..].starts_with('[').then(|| format!("]{}]", "=".repeat(level)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found() {
        let lua = |text| declares(Language::Lua, text);
        assert!(lua("scenario('a', f)") && lua("only \"a\"") && lua("local x = 1 scenario (name, f)"));
        assert!(!lua("-- scenario('a', f)\nprint('x')"));
        assert!(!lua("--[==[ scenario('a')\n ]] scenario('b') ]==] print('x')"));
        assert!(!lua("print(\"scenario('a')\") x.scenarios()") && !lua("my_scenario('a')"));
        assert!(lua("--[[ x ]] scenario('a')") && lua("print('it\\'s') scenario('a')"));
        let rhai = |text| declares(Language::Rhai, text);
        assert!(rhai("scenario(\"a\", || {});") && !rhai("// scenario(\"a\")") && !rhai("/* scenario(\"a\") */ f();"));
        assert!(!rhai("print(`scenario(\"a\")`);") && rhai("print(`x`); scenario(\"a\", || {});"));
    }

    #[test]
    fn unfinished_texts_end() {
        for text in ["--[[", "\"", "'\\", "`", "/*", "--[=", "é", "scenario"] {
            assert!(!declares(Language::Lua, text) && !declares(Language::Rhai, text), "{text}");
        }
    }
}
