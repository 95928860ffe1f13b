//! Reading a trace line by line: no more than one line is in memory.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use serde_json::{Map, Value};

use super::fields;
use crate::cli::problem::Problem;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 16 << 20;

/// One line of a trace below its header.
#[derive(Debug)]
pub(crate) enum Line {
    /// An actor after an update.
    Row(Row),
    /// Something that happened, or the flags after an update.
    Event(Map<String, Value>),
}

/// One actor after one update. All keys of rule S3 are there with what they should hold.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The update.
    pub(crate) tick: u64,
    /// The actor.
    pub(crate) actor: String,
    /// All values by key.
    pub(crate) values: Map<String, Value>,
}

/// A trace that is being read.
pub(crate) struct Reader {
    /// The name that messages show.
    pub(crate) name: String,
    /// The number of the line read last, from 1.
    pub(crate) line: u64,
    /// The first line.
    pub(crate) header: Map<String, Value>,
    source: Box<dyn BufRead>,
    buffer: Vec<u8>,
}

impl Reader {
    /// Opens a trace, `-` being stdin, and reads its header.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let (name, source): (_, Box<dyn BufRead>) = if path == Path::new("-") {
            ("stdin".to_owned(), Box::new(BufReader::new(io::stdin())))
        } else {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| Problem::io(format!("cannot read {name}"), error))?;
            (name, Box::new(BufReader::with_capacity(1 << 16, file)))
        };
        let mut reader = Self { name, line: 0, header: Map::new(), source, buffer: Vec::new() };
        if !reader.advance()? {
            return Err(Problem::Other(format!("{}: the file is empty; a trace starts with a header", reader.name)));
        }
        reader.header = reader.object()?;
        check_header(&reader.header).map_err(|reason| reader.wrong(&reason))?;
        Ok(reader)
    }

    /// The next line; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Line>, Problem> {
        if !self.advance()? {
            return Ok(None);
        }
        let values = self.object()?;
        let checked = match () {
            () if values.contains_key("event") => check_event(&values),
            () if values.contains_key("flags") => check_flags(&values),
            () => fields::check(&values),
        };
        checked.map_err(|reason| self.wrong(&reason))?;
        Ok(Some(line(values)))
    }

    /// Reads a line into the buffer; false at the end.
    fn advance(&mut self) -> Result<bool, Problem> {
        self.buffer.clear();
        let read = (&mut self.source).take(MAX_LINE + 1).read_until(b'\n', &mut self.buffer);
        let n = read.map_err(|error| Problem::io(format!("cannot read {}", self.name), error))?;
        self.line += u64::from(n > 0);
        if self.buffer.len() as u64 > MAX_LINE {
            return Err(self.wrong(&format!("the line has more than {MAX_LINE} bytes")));
        }
        Ok(n > 0)
    }

    fn object(&self) -> Result<Map<String, Value>, Problem> {
        match serde_json::from_slice(&self.buffer) {
            Ok(Value::Object(values)) => Ok(values),
            Ok(_) => Err(self.wrong("expected a JSON object")),
            Err(error) => Err(self.wrong(&json_reason(&error))),
        }
    }

    /// A problem with the line read last.
    fn wrong(&self, reason: &str) -> Problem {
        Problem::Other(format!("{}:{}: {reason}", self.name, self.line))
    }
}

/// The parser's words, with the column but without its line, which is always 1.
fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
    format!("not JSON: {words} at column {}", error.column())
}

fn line(values: Map<String, Value>) -> Line {
    let actor = values.get("actor").and_then(Value::as_str);
    match (values.get("tick").and_then(Value::as_u64), actor) {
        (Some(tick), Some(actor)) if !values.contains_key("event") => {
            Line::Row(Row { tick, actor: actor.to_owned(), values })
        }
        _ => Line::Event(values),
    }
}

fn check_header(header: &Map<String, Value>) -> Result<(), String> {
    let Some(version) = header.get("soup386_trace") else {
        return Err("the header is missing: the first line must hold \"soup386_trace\"".to_owned());
    };
    if version.as_u64() != Some(1) {
        return Err(format!("version {version} of the trace format is not read, only version 1"));
    }
    let is_names = |value: &Value| value.as_array().is_some_and(|names| names.iter().all(Value::is_string));
    check_header_key(header, "actors", is_names, "an array of names")?;
    check_header_key(header, "updates", Value::is_u64, "a whole number from 0")?;
    check_header_key(header, "seed", Value::is_u64, "a whole number from 0")
}

fn check_header_key(
    header: &Map<String, Value>,
    key: &str,
    fits: fn(&Value) -> bool,
    expected: &str,
) -> Result<(), String> {
    match header.get(key) {
        None => Err(format!("the header's key \"{key}\" is missing")),
        Some(value) if !fits(value) => Err(format!("the header's \"{key}\": expected {expected}")),
        Some(_) => Ok(()),
    }
}

fn check_event(event: &Map<String, Value>) -> Result<(), String> {
    let has = |key: &str, fits: fn(&Value) -> bool| event.get(key).is_some_and(fits);
    if !has("tick", Value::is_u64) {
        return Err("an event needs \"tick\", a whole number from 0".to_owned());
    }
    if !has("event", Value::is_string) || !has("actor", Value::is_string) {
        return Err("an event needs the texts \"event\" and \"actor\"".to_owned());
    }
    Ok(())
}

fn check_flags(flags: &Map<String, Value>) -> Result<(), String> {
    let list = |key: &str| flags.get(key).and_then(Value::as_array).filter(|list| list.iter().all(Value::is_i64));
    let (values, latches) = (list("flags"), list("latches"));
    match values.zip(latches) {
        Some((values, latches)) if values.len() == latches.len() && flags.get("tick").is_some_and(Value::is_u64) => {
            Ok(())
        }
        _ => {
            Err("a line of flags needs \"tick\", and \"flags\" and \"latches\", arrays of as many integers".to_owned())
        }
    }
}

/// Whether a file's first bytes are those of a trace.
pub(crate) fn starts_like_a_trace(head: &[u8]) -> bool {
    let first_line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let key = b"\"soup386_trace\"";
    first_line.trim_ascii_start().starts_with(b"{") && first_line.windows(key.len()).any(|window| window == key)
}
