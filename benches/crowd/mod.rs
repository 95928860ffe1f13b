//! A crowd to measure updates with, and the floor that it is measured against.

use std::{hint::black_box, num::NonZeroUsize};

use soup386::{
    Runtime, Scene,
    defs::{
        ActorDraft, Command, Group, ItemDef, ItemId, ItemType, ModelDraft, SceneBuilder, VertexIdx, VertexPair, attr,
    },
    units::Angle,
    update::Options,
    world::Actor,
};

fn group(speed: u8, commands: &[&str]) -> Group {
    let commands = commands.iter().map(|text| text.parse::<Command>().expect("a command")).collect();
    Group { speed, group_type: 1, commands }
}

/// A swordsman of 16 vertices and 12 frames, as one record from which a crowd is spawned.
pub(crate) fn scene(script: Option<&str>) -> Scene {
    let frame = |k: usize| (0..16).map(|v| [v as f32 * 1.5, k as f32, (v * k) as f32 * 0.25]).collect();
    let mut builder = SceneBuilder::default();
    builder.items.push(ItemDef {
        id: ItemId(1),
        name: "sabre".to_owned(),
        item_type: ItemType::Weapon,
        hand_model: Some("SABRE".into()),
        hilt_model: Some("SABREH".into()),
        length: 24,
        player_total: 1,
        ..ItemDef::default()
    });
    builder.models.push(ModelDraft {
        name: "BODY".to_owned(),
        frames: (0..12).map(frame).collect(),
        ..ModelDraft::default()
    });
    let mut actor = ActorDraft::new("swordsman");
    actor.frames = [("BODY".to_owned(), 12)].into();
    actor.attributes[usize::from(attr::COMBAT)] = 1;
    actor.attributes[usize::from(attr::WEAPON)] = 1;
    actor.attributes[usize::from(attr::DRAW_FRAME)] = 255;
    actor.grip = VertexPair { first: VertexIdx(1), second: VertexIdx(2) };
    actor.scabbard = VertexPair { first: VertexIdx(3), second: VertexIdx(4) };
    actor.groups = vec![
        (0, group(255, &["ShowFrame 0", "GoToPrevious 0"])),
        (8, group(4, &["ShowFrame 1", "ShowFrame 2", "GoToPrevious 0"])),
        (91, group(1, &["ShowFrame 3", "ShowFrame 4", "ShowFrame 5", "ShowFrame 6", "GoToPrevious 0"])),
    ]
    .into();
    actor.script = script.map(|text| soup386::defs::ScriptSource::new("bench.lua", text));
    builder.actors.push(actor);
    builder.build().expect("a valid scene")
}

/// `n` actors of the scene, each changed by `prepare`.
pub(crate) fn crowd(n: usize, script: Option<&str>, prepare: impl Fn(&mut Actor)) -> Runtime {
    crowd_on(1, n, script, prepare)
}

/// The same on several threads.
pub(crate) fn crowd_on(threads: usize, n: usize, script: Option<&str>, prepare: impl Fn(&mut Actor)) -> Runtime {
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let options = Options { threads, ..Options::default() };
    let mut runtime = Runtime::with_options(scene(script), options).expect("a runtime");
    let engine = runtime.engine_mut();
    let record = engine.defs.actor_named("swordsman").expect("a record");
    for k in 1..n {
        engine.spawn(record, &format!("swordsman {k}")).expect("room for one more");
    }
    for place in 0..engine.world.n_places() {
        let key = engine.world.key_at(place).expect("a live actor");
        prepare(engine.world.get_mut(key).expect("a live actor"));
    }
    for _ in 0..3 {
        runtime.update().expect("an update");
    }
    runtime
}

/// The floor: hot bytes of `n` actors, read and written.
pub(crate) struct Floor(Vec<[u64; HOT_WORDS]>);

const HOT_WORDS: usize = size_of::<Actor>() / 8;

impl Floor {
    pub(crate) fn new(n: usize) -> Self {
        Self(vec![[1; HOT_WORDS]; n])
    }

    pub(crate) fn pass(&mut self) {
        for actor in &mut self.0 {
            for word in actor.iter_mut() {
                *word = word.wrapping_mul(3) + 1;
            }
        }
        black_box(&mut self.0);
    }
}

/// A name, and what puts an actor into this state for ever.
type State = (&'static str, fn(&mut Actor));

/// The states that are measured.
pub(crate) const STATES: [State; 4] = [
    ("idle, hidden", |actor| actor.hide = 1),
    ("idle, presented", |_| {}),
    ("in mid-draw", |actor| actor.extra_flag = 20),
    // Rotation mode 2 rebuilds the matrix at each presentation, and the inputs of the placement are compared anew.
    ("turning", |actor| {
        actor.angle.y = Angle(5);
        actor.attributes[attr::ROTATION] = 2;
    }),
];
