//! `soup386 trace plot`: values of a trace over its updates, as a picture.

mod picture;

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use self::picture::picture;
use super::{
    fields::{Kind, kind},
    read::{Line, Reader, Row},
    which::{Wanted, Which},
};
use crate::{
    cli::{
        Outcome,
        output::{count, to_file_or_stdout},
        problem::Problem,
    },
    defs::did_you_mean,
};

/// Lines of one panel: more cannot be told apart.
const MOST_LINES: usize = 64;
/// Changes of values that are drawn, of all lines together.
const MOST_CHANGES: usize = 1_000_000;
/// Different texts of one panel, each of which is a height of its own.
const MOST_TEXTS: usize = 32;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 trace plot yard.jsonl -o yard.svg\n  soup386 trace plot yard.jsonl --actor CYRUS --fields group,shown,hand_pos[1] --to 60 -o draw.svg"
)]
pub(crate) struct PlotArguments {
    /// The trace; - is stdin.
    file: PathBuf,
    /// The SVG file to write, whole or not at all; - is stdout.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    which: Which,
    /// What to draw, one panel for each: keys of the trace, or one value of a list such as hand_pos[1]; drawn is short for
    /// weapon_drawn.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "group,frame,shown,hand_pos")]
    fields: Vec<String>,
}

pub(crate) fn run(arguments: &PlotArguments) -> Result<Outcome, Problem> {
    let mut panels: Vec<Panel> = arguments.fields.iter().map(|field| Panel::named(field)).collect::<Result<_, _>>()?;
    let mut reader = Reader::open(&arguments.file)?;
    let mut wanted = Wanted::new(&arguments.which, reader.header.get("actors"));
    let mut keys: Vec<String> = Vec::new();
    let mut updates: Option<(u64, u64)> = None;
    while let Some(line) = reader.next()? {
        let Line::Row(row) = line else { continue };
        if wanted.is_beyond(&row) {
            break;
        }
        if !wanted.is(&row) {
            continue;
        }
        if keys.is_empty() {
            keys = row.values.keys().cloned().collect();
        }
        updates = Some(updates.map_or((row.tick, row.tick), |(first, last)| (first.min(row.tick), last.max(row.tick))));
        for panel in &mut panels {
            panel.add(&row).map_err(|reason| Problem::Other(format!("{}:{}: {reason}", reader.name, reader.line)))?;
        }
        if panels.iter().map(Panel::n_changes).sum::<usize>() > MOST_CHANGES {
            let what = format!("the values change more than {MOST_CHANGES} times");
            return Err(Problem::Other(format!("{}: {what}: choose with --from, --to and --actor", reader.name)));
        }
    }
    wanted.finish()?;
    let Some(updates) = updates else {
        return Err(Problem::Other(format!("{}: the trace has no line of these updates", reader.name)));
    };
    if let Some(panel) = panels.iter().find(|panel| !panel.is_known) {
        let hint = did_you_mean(&panel.key, &keys);
        return Err(Problem::Other(format!("the trace has no field \"{}\"{hint}", panel.title())));
    }
    let file = Some(&*arguments.output).filter(|path| path.as_os_str() != "-");
    to_file_or_stdout(file, picture(&panels, updates).as_bytes())?;
    Ok(Outcome::Held)
}

/// One field of all actors.
struct Panel {
    key: String,
    /// One value of a list.
    index: Option<usize>,
    /// Texts in the order in which they were met: their numbers are drawn.
    texts: Vec<String>,
    lines: Vec<Series>,
    /// Some line of the trace has the field.
    is_known: bool,
}

/// One line of the picture: a value of an actor.
struct Series {
    actor: String,
    /// The place in a list.
    index: Option<usize>,
    /// From which update on it has which value.
    changes: Vec<(u64, Option<f64>)>,
    /// The last update with a value or null.
    last: u64,
}

impl Panel {
    fn named(field: &str) -> Result<Self, Problem> {
        let field = field.trim();
        let (key, rest) = field.split_at(field.find('[').unwrap_or(field.len()));
        let digits = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let index = digits.and_then(|digits| digits.parse::<usize>().ok());
        if key.is_empty() || (index.is_none() && !rest.is_empty()) {
            let expected = "expected a key of the trace, or one value of a list such as hand_pos[1]";
            return Err(Problem::Other(format!("{expected}, found {field:?}")));
        }
        let key = if key == "drawn" { "weapon_drawn" } else { key }.to_owned();
        Ok(Self { key, index, texts: Vec::new(), lines: Vec::new(), is_known: false })
    }

    fn title(&self) -> String {
        self.index.map_or_else(|| self.key.clone(), |index| format!("{}[{index}]", self.key))
    }

    /// Whether the key holds lists, as far as the schema of the trace knows.
    fn is_list(&self) -> bool {
        matches!(kind(&self.key), Some(Kind::Ints | Kind::IntsOrNull | Kind::Singles(_) | Kind::Displays))
    }

    fn n_changes(&self) -> usize {
        self.lines.iter().map(|line| line.changes.len()).sum()
    }

    fn add(&mut self, row: &Row) -> Result<(), String> {
        let Some(value) = row.values.get(&self.key) else { return Ok(()) };
        self.is_known = true;
        match (value, self.index) {
            (Value::Array(values), Some(index)) => match values.get(index) {
                Some(value) => self.point(row, None, value),
                None => Ok(()),
            },
            (Value::Array(values), None) => {
                values.iter().enumerate().try_for_each(|(index, value)| self.point(row, Some(index), value))
            }
            // A list that is not there now has a gap.
            (Value::Null, index) if index.is_some() || self.is_list() => Ok(()),
            (_, Some(_)) => Err(format!("{} is no list", self.key)),
            (value, None) => self.point(row, None, value),
        }
    }

    fn point(&mut self, row: &Row, index: Option<usize>, value: &Value) -> Result<(), String> {
        let number = self.number(value)?;
        let is_it = |line: &Series| line.actor == row.actor && line.index == index;
        let at = match self.lines.iter().position(is_it) {
            Some(at) => at,
            None if self.lines.len() == MOST_LINES => {
                let title = self.title();
                return Err(format!("{title} has more than {}: choose with --actor", count(MOST_LINES as u64, "line")));
            }
            None => {
                self.lines.push(Series { actor: row.actor.clone(), index, changes: Vec::new(), last: row.tick });
                self.lines.len() - 1
            }
        };
        self.lines[at].push(row.tick, number);
        Ok(())
    }

    fn number(&mut self, value: &Value) -> Result<Option<f64>, String> {
        match value {
            Value::Null => Ok(None),
            Value::Bool(is) => Ok(Some(f64::from(u8::from(*is)))),
            Value::Number(number) => Ok(number.as_f64()),
            Value::String(text) => self.number_of(text).map(Some),
            Value::Array(_) | Value::Object(_) => {
                Err(format!("{} holds no numbers, truth values or texts, so it cannot be drawn", self.title()))
            }
        }
    }

    fn number_of(&mut self, text: &str) -> Result<f64, String> {
        let at = self.texts.iter().position(|known| known == text);
        if at.is_none() && self.texts.len() == MOST_TEXTS {
            return Err(format!("{} has more than {MOST_TEXTS} different texts", self.title()));
        }
        Ok(at.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        }) as f64)
    }
}

impl Series {
    fn push(&mut self, tick: u64, value: Option<f64>) {
        // An actor that was gone for a while has a gap.
        if !self.changes.is_empty() && tick > self.last.saturating_add(1) {
            self.changes.push((self.last + 1, None));
        }
        if self.changes.last().is_none_or(|&(_, last)| last != value) {
            self.changes.push((tick, value));
        }
        self.last = tick;
    }

    fn label(&self) -> String {
        self.index.map_or_else(|| self.actor.clone(), |index| format!("{} [{index}]", self.actor))
    }
}
