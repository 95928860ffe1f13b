//! `string.find`, `match`, `gmatch` and `gsub`, which pay in steps for what their patterns compare.

use std::ops::Range;

use crate::sync::{Cell, Shared as Ref};

use mlua::{Function, Lua, LuaString, MultiValue, Result, Table, Value};

use super::{
    bindings::kind_of,
    pattern::{Caught, Fault, Matcher},
    shared::Shared,
};

/// Comparisons that one step pays for.
const WORK_PER_STEP: u64 = 16;

/// The four functions.
pub(super) fn functions(lua: &Lua, shared: &Ref<Shared>) -> Result<Table> {
    let functions = lua.create_table()?;
    let of = Ref::clone(shared);
    functions.raw_set(
        "find",
        lua.create_function(move |lua, (text, pattern, init, plain): (Value, Value, Option<i64>, Option<bool>)| {
            let search = Search::new(lua, &of, "string.find", &text, &pattern)?;
            search.find(lua, &of, init, plain.unwrap_or(false))
        })?,
    )?;
    let of = Ref::clone(shared);
    functions.raw_set(
        "match",
        lua.create_function(move |lua, (text, pattern, init): (Value, Value, Option<i64>)| {
            Search::new(lua, &of, "string.match", &text, &pattern)?.first(lua, &of, init)
        })?,
    )?;
    let of = Ref::clone(shared);
    functions.raw_set(
        "gmatch",
        lua.create_function(move |lua, (text, pattern, init): (Value, Value, Option<i64>)| {
            Search::new(lua, &of, "string.gmatch", &text, &pattern)?.iterator(lua, &of, init)
        })?,
    )?;
    let of = Ref::clone(shared);
    functions.raw_set(
        "gsub",
        lua.create_function(move |lua, (text, pattern, by, most): (Value, Value, Value, Option<i64>)| {
            Search::new(lua, &of, "string.gsub", &text, &pattern)?.replace(lua, &of, &by, most)
        })?,
    )?;
    Ok(functions)
}

/// A text and a pattern.
struct Search {
    function: &'static str,
    text: LuaString,
    pattern: LuaString,
}

impl Search {
    fn new(lua: &Lua, shared: &Shared, function: &'static str, text: &Value, pattern: &Value) -> Result<Self> {
        let taken = |position: usize, parameter: &str, value: &Value| match lua.coerce_string(value.clone())? {
            Some(text) => Ok(text),
            None => {
                let found = kind_of(value);
                let reason = format!("{function} argument {position} ({parameter}): expected a text, found {found}");
                Err(shared.failure(lua, 0, reason))
            }
        };
        let (text, pattern) = (taken(1, "s", text)?, taken(2, "pattern", pattern)?);
        let limit = shared.limits.string;
        for size in [text.as_bytes().len(), pattern.as_bytes().len()] {
            if size > limit {
                let reason = format!("{function}: the text has {size} bytes; string functions take at most {limit}");
                return Err(shared.failure(lua, 0, reason));
            }
        }
        Ok(Self { function, text, pattern })
    }

    /// Lets a matcher work and pays for what it did.
    fn work<R>(
        &self,
        lua: &Lua,
        shared: &Shared,
        pattern: &[u8],
        act: impl FnOnce(&mut Matcher<'_>) -> std::result::Result<R, Fault>,
    ) -> Result<R> {
        let text = self.text.as_bytes();
        let allowed = shared.steps_left().saturating_add(1).saturating_mul(WORK_PER_STEP);
        let mut matcher = Matcher::new(&text, pattern, allowed);
        let outcome = act(&mut matcher);
        let done = allowed - matcher.work();
        match outcome {
            Ok(result) => shared.charge(lua, done / WORK_PER_STEP).map(|()| result),
            Err(Fault::Spent) => Err(match shared.charge(lua, shared.steps_left() + 1) {
                Err(spent) => spent,
                Ok(()) => shared.failure(lua, 0, "the pattern took too long"),
            }),
            Err(Fault::Malformed(reason)) => {
                Err(shared.failure(lua, done / WORK_PER_STEP, format!("{}: {reason}", self.function)))
            }
        }
    }

    /// Where a search starts that begins at `init`, counted from 1 or from the end; none beyond the end.
    fn start(&self, init: Option<i64>) -> Option<usize> {
        let size = self.text.as_bytes().len() as i64;
        let from = match init.unwrap_or(1) {
            0 => 1,
            init if init < 0 => (size + init + 1).max(1),
            init => init,
        };
        (from <= size + 1).then_some((from - 1) as usize)
    }

    fn find(&self, lua: &Lua, shared: &Shared, init: Option<i64>, plain: bool) -> Result<MultiValue> {
        let nothing = || Ok(MultiValue::from_iter([Value::Nil]));
        let Some(start) = self.start(init) else { return nothing() };
        let pattern = self.pattern.as_bytes();
        if plain || !pattern.iter().any(|byte| b"^$*+?.([%-".contains(byte)) {
            let found = self.plain(lua, shared, start)?;
            return Ok(match found {
                Some(found) => span(&found).into_iter().collect(),
                None => MultiValue::from_iter([Value::Nil]),
            });
        }
        let (pattern, anchored) = unanchored(&pattern);
        let found = self.work(lua, shared, pattern, |matcher| {
            let Some(found) = matcher.first_from(start, anchored)? else { return Ok(None) };
            Ok(Some((found, matcher.caught(None)?)))
        })?;
        let Some((found, caught)) = found else { return nothing() };
        let pieces = caught.iter().map(|caught| self.value(lua, caught));
        span(&found).into_iter().map(Ok).chain(pieces).collect()
    }

    /// The first occurrence of the pattern as plain text.
    fn plain(&self, lua: &Lua, shared: &Shared, start: usize) -> Result<Option<Range<usize>>> {
        let (text, wanted) = (self.text.as_bytes(), self.pattern.as_bytes());
        let Some(&first) = wanted.first() else { return Ok(Some(start..start)) };
        let mut at = start;
        while let Some(skipped) = text[at..].iter().position(|&byte| byte == first) {
            at += skipped;
            let same = text[at..].iter().zip(wanted.iter()).take_while(|(a, b)| a == b).count();
            shared.charge(lua, (skipped + same) as u64 / WORK_PER_STEP)?;
            if same == wanted.len() {
                return Ok(Some(at..at + same));
            }
            at += 1;
        }
        shared.charge(lua, (text.len() - start) as u64 / WORK_PER_STEP)?;
        Ok(None)
    }

    fn first(&self, lua: &Lua, shared: &Shared, init: Option<i64>) -> Result<MultiValue> {
        let nothing = || Ok(MultiValue::from_iter([Value::Nil]));
        let Some(start) = self.start(init) else { return nothing() };
        let pattern = self.pattern.as_bytes();
        let (pattern, anchored) = unanchored(&pattern);
        let found = self.work(lua, shared, pattern, |matcher| {
            let Some(found) = matcher.first_from(start, anchored)? else { return Ok(None) };
            matcher.caught(Some(&found)).map(Some)
        })?;
        let Some(caught) = found else { return nothing() };
        caught.iter().map(|caught| self.value(lua, caught)).collect()
    }

    fn iterator(self, lua: &Lua, shared: &Ref<Shared>, init: Option<i64>) -> Result<Function> {
        let shared = Ref::clone(shared);
        let (next, last_end) = (Cell::new(self.start(init)), Cell::new(None));
        lua.create_function(move |lua, _: MultiValue| {
            let Some(start) = next.get() else { return Ok(MultiValue::from_iter([Value::Nil])) };
            let pattern = self.pattern.as_bytes();
            let found = self.work(lua, &shared, &pattern, |matcher| {
                let found = next_match(matcher, start, last_end.get(), self.text.as_bytes().len())?;
                let Some(found) = found else { return Ok(None) };
                Ok(Some((found.clone(), matcher.caught(Some(&found))?)))
            })?;
            let Some((found, caught)) = found else {
                next.set(None);
                return Ok(MultiValue::from_iter([Value::Nil]));
            };
            next.set(Some(found.end));
            last_end.set(Some(found.end));
            caught.iter().map(|caught| self.value(lua, caught)).collect()
        })
    }

    fn replace(&self, lua: &Lua, shared: &Shared, by: &Value, most: Option<i64>) -> Result<(LuaString, i64)> {
        let replacement = Replacement::new(lua, by).ok_or_else(|| {
            let found = kind_of(by);
            let expected = "a text, a table or a function";
            shared.failure(lua, 0, format!("string.gsub argument 3 (repl): expected {expected}, found {found}"))
        })?;
        let text = self.text.as_bytes();
        let pattern = self.pattern.as_bytes();
        let (pattern, anchored) = unanchored(&pattern);
        let mut made = Vec::new();
        let (mut at, mut last_end, mut count) = (0, None, 0);
        while most.is_none_or(|most| count < most) {
            let found = self.work(lua, shared, pattern, |matcher| {
                let found = if anchored {
                    matcher.first_from(at, true)?
                } else {
                    next_match(matcher, at, last_end, text.len())?
                };
                let Some(found) = found else { return Ok(None) };
                Ok(Some((found.clone(), matcher.caught(Some(&found))?)))
            })?;
            let Some((found, caught)) = found else { break };
            made.extend_from_slice(&text[at..found.start]);
            self.substitute(lua, shared, &replacement, &found, &caught, &mut made)?;
            (at, last_end, count) = (found.end, Some(found.end), count + 1);
            self.check_size(lua, shared, made.len())?;
            if anchored {
                break;
            }
        }
        made.extend_from_slice(&text[at..]);
        self.check_size(lua, shared, made.len())?;
        Ok((lua.create_string(&made)?, count))
    }

    fn check_size(&self, lua: &Lua, shared: &Shared, size: usize) -> Result<()> {
        let limit = shared.limits.string;
        if size > limit {
            let function = self.function;
            return Err(shared.failure(lua, 0, format!("{function}: the result would have more than {limit} bytes")));
        }
        Ok(())
    }

    /// Appends what stands for one match.
    fn substitute(
        &self,
        lua: &Lua,
        shared: &Shared,
        replacement: &Replacement,
        found: &Range<usize>,
        caught: &[Caught],
        made: &mut Vec<u8>,
    ) -> Result<()> {
        let value = match replacement {
            Replacement::Text(by) => return self.expand(lua, shared, &by.as_bytes(), found, caught, made),
            Replacement::Table(table) => table.get::<Value>(self.first_value(lua, caught)?)?,
            Replacement::Function(function) => {
                let args: MultiValue = caught.iter().map(|caught| self.value(lua, caught)).collect::<Result<_>>()?;
                function.call::<Value>(args)?
            }
        };
        match &value {
            Value::Nil | Value::Boolean(false) => made.extend_from_slice(&self.text.as_bytes()[found.clone()]),
            Value::String(_) | Value::Integer(_) | Value::Number(_) => {
                let piece = lua.coerce_string(value)?;
                made.extend_from_slice(&piece.map(|piece| piece.as_bytes().to_vec()).unwrap_or_default());
            }
            other => {
                let reason = format!("string.gsub: expected a text or number as replacement, found {}", kind_of(other));
                return Err(shared.failure(lua, 0, reason));
            }
        }
        Ok(())
    }

    /// Appends a replacement text, in which `%0` to `%9` stand for the match and its captures.
    fn expand(
        &self,
        lua: &Lua,
        shared: &Shared,
        by: &[u8],
        found: &Range<usize>,
        caught: &[Caught],
        made: &mut Vec<u8>,
    ) -> Result<()> {
        let text = self.text.as_bytes();
        shared.charge(lua, by.len() as u64 / WORK_PER_STEP)?;
        let mut bytes = by.iter().copied();
        while let Some(byte) = bytes.next() {
            let code = if byte == b'%' { bytes.next() } else { Some(0) };
            match (byte, code) {
                (b'%', Some(b'%')) => made.push(b'%'),
                (b'%', Some(b'0')) => made.extend_from_slice(&text[found.clone()]),
                (b'%', Some(digit @ b'1'..=b'9')) => match caught.get(usize::from(digit - b'1')) {
                    Some(Caught::Piece(piece)) => made.extend_from_slice(&text[piece.clone()]),
                    Some(Caught::Position(at)) => made.extend_from_slice(at.to_string().as_bytes()),
                    None => return Err(shared.failure(lua, 0, "string.gsub: invalid capture index in replacement")),
                },
                (b'%', _) => return Err(shared.failure(lua, 0, "string.gsub: invalid use of '%' in replacement")),
                _ => made.push(byte),
            }
            // A short text can stand for a long match many times.
            if made.len() > shared.limits.string {
                return self.check_size(lua, shared, made.len());
            }
        }
        Ok(())
    }

    fn first_value(&self, lua: &Lua, caught: &[Caught]) -> Result<Value> {
        caught.first().map_or(Ok(Value::Nil), |caught| self.value(lua, caught))
    }

    fn value(&self, lua: &Lua, caught: &Caught) -> Result<Value> {
        match caught {
            Caught::Position(at) => Ok(number(*at)),
            Caught::Piece(piece) => lua.create_string(&self.text.as_bytes()[piece.clone()]).map(Value::String),
        }
    }
}

/// What `gsub` puts in place of a match.
enum Replacement {
    Text(LuaString),
    Table(Table),
    Function(Function),
}

impl Replacement {
    fn new(lua: &Lua, by: &Value) -> Option<Self> {
        match by {
            Value::Table(table) => Some(Self::Table(table.clone())),
            Value::Function(function) => Some(Self::Function(function.clone())),
            Value::String(_) | Value::Integer(_) | Value::Number(_) => {
                lua.coerce_string(by.clone()).ok().flatten().map(Self::Text)
            }
            _ => None,
        }
    }
}

/// The next match of a walk over a text: an empty one is not found again where the last match ended.
fn next_match(
    matcher: &mut Matcher<'_>,
    start: usize,
    last_end: Option<usize>,
    size: usize,
) -> std::result::Result<Option<Range<usize>>, Fault> {
    for at in start..=size {
        if let Some(end) = matcher.matches_at(at)?.filter(|&end| Some(end) != last_end) {
            return Ok(Some(at..end));
        }
    }
    Ok(None)
}

fn unanchored(pattern: &[u8]) -> (&[u8], bool) {
    match pattern.strip_prefix(b"^") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    }
}

/// A span as scripts count: from 1, the last included.
fn span(found: &Range<usize>) -> [Value; 2] {
    [number(found.start + 1), number(found.end)]
}

fn number(value: usize) -> Value {
    Value::Integer(value as i64 as _)
}
