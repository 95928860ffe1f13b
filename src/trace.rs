//! The trace: one line of JSON for each actor and update.
//!
//! # Source
//! Rules S3 and S4.

pub mod compare;
pub mod fields;
mod scripts;

pub use scripts::{FlagsRow, ScriptRow};

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    defs::{Defs, Scene},
    units::{Angle, Matrix, Q8, Vec3},
    world::{Actor, Display, Event, EventKind, Shown, World},
};

/// The first line of a trace.
#[derive(Clone, Debug, Serialize)]
pub struct Header {
    /// Format version.
    pub soup386_trace: u32,
    /// Names of the scene's actors in update order.
    pub actors: Vec<String>,
    /// Number of updates that follow.
    pub updates: u64,
    /// Start state of the random numbers.
    pub seed: u32,
}

impl Header {
    /// The header of a scene's trace, of no updates yet.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let actors =
            scene.defs.actors().iter().filter(|record| !record.template).map(|record| record.name.clone()).collect();
        Self { soup386_trace: 1, actors, updates: 0, seed: scene.seed }
    }
}

/// One actor after one update. The fields are written in this order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    tick: u64,
    actor: Arc<str>,
    group: i16,
    pending: i16,
    cursor: i16,
    real_frame: u8,
    speed_count: u8,
    #[serde(rename = "loop")]
    loop_count: u8,
    exit: bool,
    model: Option<Arc<str>>,
    frame: i16,
    state: u8,
    weapon_drawn: u8,
    hand_item: u8,
    shown: &'static str,
    shown_model: Option<Arc<str>>,
    position: Option<[f32; 3]>,
    matrix: Option<Matrix>,
    hand_pos: Vec3<Q8>,
    hand_angle: Vec3<Angle>,
    base: Option<Vec3<i32>>,
    tip: Option<Vec3<i32>>,
    displays: Vec<DisplayRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct DisplayRow {
    kind: &'static str,
    model: Arc<str>,
    position: [f32; 3],
    matrix: Matrix,
}

impl Row {
    /// The line of one actor. `shown`, `position` and `matrix` are those of the update's presentation (rule X12).
    #[must_use]
    pub fn new(defs: &Defs, actor: &Actor, tick: u64) -> Self {
        let playback = &actor.playback;
        let has_pose = actor.has_pose();
        Self {
            tick,
            actor: Arc::clone(&actor.cold.name),
            group: playback.current,
            pending: playback.pending,
            cursor: playback.cursor,
            real_frame: playback.real_frame,
            speed_count: playback.speed_count,
            loop_count: playback.loop_count,
            exit: playback.exit != 0,
            model: defs.model_of_handle(actor.pose.handle).map(|model| Arc::clone(&model.name)),
            frame: if has_pose { actor.pose.frame } else { -1 },
            state: actor.extra_flag,
            weapon_drawn: actor.weapon_drawn,
            hand_item: actor.hand_item,
            shown: actor.attachment.map_or("none", |attachment| attachment.shown.name()),
            shown_model: actor.attachment.and_then(|attachment| attachment.model(defs)).map(Arc::clone),
            position: actor.attachment.map(|attachment| attachment.transform.position),
            matrix: actor.attachment.map(|attachment| attachment.transform.matrix),
            hand_pos: actor.hand_pos,
            hand_angle: actor.hand_angle,
            base: actor.endpoints.map(|ends| ends.base),
            tip: actor.endpoints.map(|ends| ends.tip),
            displays: actor.displays.iter().map(display_row).collect(),
        }
    }

    /// Index of the update.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The actor's name.
    #[must_use]
    pub fn actor(&self) -> &Arc<str> {
        &self.actor
    }

    /// The line's values by key.
    #[must_use]
    pub fn values(&self) -> Map<String, Value> {
        // Single-precision numbers have to pass through their text: as double precision they would not be the same.
        let mut line = Vec::new();
        push_line(&mut line, self);
        serde_json::from_slice(&line).unwrap_or_default()
    }
}

fn display_row(display: &Display) -> DisplayRow {
    DisplayRow {
        kind: display.kind.name(),
        model: Arc::clone(&display.model),
        position: display.transform.position,
        matrix: display.transform.matrix,
    }
}

impl Shown {
    /// The word of traces and scripts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hand => "hand",
            Self::Hilt => "hilt",
            Self::HiltGrip => "hilt_grip",
        }
    }
}

/// The lines of one update: its events if wanted, then its actors in update order.
#[must_use]
pub fn lines(defs: &Defs, world: &World, with_events: bool) -> Vec<u8> {
    lines_with(defs, world, Extras { events: with_events, scripts: false })
}

/// What a trace holds beside the keys of every line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The events of each update, as lines of their own.
    pub events: bool,
    /// Where programs stand, the task slots and the flags (rule Y103).
    pub scripts: bool,
}

/// The lines of one update with what is wanted besides.
#[must_use]
pub fn lines_with(defs: &Defs, world: &World, extras: Extras) -> Vec<u8> {
    let tick = world.clock.tick;
    let mut out = Vec::new();
    if extras.events {
        for event in &world.events {
            push_line(&mut out, &event_line(world, event, tick));
        }
    }
    for actor in world.actors() {
        if extras.scripts {
            push_line(&mut out, &ScriptRow::new(defs, actor, tick));
        } else {
            push_line(&mut out, &Row::new(defs, actor, tick));
        }
    }
    if extras.scripts
        && let Some(flags) = FlagsRow::new(world)
    {
        push_line(&mut out, &flags);
    }
    out
}

/// Appends `value` as a line of JSON.
pub fn push_line(out: &mut Vec<u8>, value: &impl Serialize) {
    // Writing to memory cannot fail, and no value here has keys that are not strings.
    if serde_json::to_writer(&mut *out, value).is_ok() {
        out.push(b'\n');
    }
}

#[derive(Serialize)]
struct EventLine<'a> {
    tick: u64,
    event: Value,
    actor: &'a str,
    #[serde(flatten)]
    values: Map<String, Value>,
}

fn event_line<'a>(world: &'a World, event: &Event, tick: u64) -> EventLine<'a> {
    let mut values = match serde_json::to_value(&event.kind) {
        Ok(Value::Object(values)) => values,
        _ => Map::new(),
    };
    if let EventKind::Refused(refusal) = &event.kind {
        values.remove("native");
        values.insert("why".to_owned(), refusal.to_string().into());
    }
    values.remove("name");
    EventLine {
        tick,
        event: values.remove("event").unwrap_or_default(),
        actor: world.name_of(event.actor).unwrap_or_default(),
        values,
    }
}
