//! Prints how much an update costs beside the least it could cost: `cargo bench --bench ratios`.
//!
//! The floor is a pass that reads and writes as many bytes for each actor as the update's hot state has. Every figure is
//! the median of several rounds taken in turn with the floor, so that a ratio holds when the machine's speed drifts.

use std::{hint::black_box, time::Instant};

use soup386::{
    Runtime, Scene,
    defs::{
        ActorDraft, Command, Group, ItemDef, ItemId, ItemType, ModelDraft, SceneBuilder, VertexIdx, VertexPair, attr,
    },
    units::Angle,
    world::Actor,
};

/// Rounds per figure.
const ROUNDS: usize = 9;

fn group(speed: u8, commands: &[&str]) -> Group {
    let commands = commands.iter().map(|text| text.parse::<Command>().expect("a command")).collect();
    Group { speed, group_type: 1, commands }
}

/// A swordsman of 16 vertices and 12 frames, as one record from which a crowd is spawned.
fn scene(script: Option<&str>) -> Scene {
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
    actor.frames.push(("BODY".to_owned(), 12));
    actor.attributes[usize::from(attr::COMBAT)] = 1;
    actor.attributes[usize::from(attr::WEAPON)] = 1;
    actor.attributes[usize::from(attr::DRAW_FRAME)] = 255;
    actor.grip = VertexPair { first: VertexIdx(1), second: VertexIdx(2) };
    actor.scabbard = VertexPair { first: VertexIdx(3), second: VertexIdx(4) };
    actor.groups = vec![
        (0, group(255, &["ShowFrame 0", "GoToPrevious 0"])),
        (8, group(4, &["ShowFrame 1", "ShowFrame 2", "GoToPrevious 0"])),
        (91, group(1, &["ShowFrame 3", "ShowFrame 4", "ShowFrame 5", "ShowFrame 6", "GoToPrevious 0"])),
    ];
    actor.script = script.map(|text| soup386::defs::ScriptSource::new("bench.lua", text));
    builder.actors.push(actor);
    builder.build().expect("a valid scene")
}

/// `n` actors of the scene, each changed by `prepare`.
fn crowd(n: usize, script: Option<&str>, prepare: impl Fn(&mut Actor)) -> Runtime {
    let mut runtime = Runtime::new(scene(script)).expect("a runtime");
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
struct Floor(Vec<[u64; HOT_WORDS]>);

const HOT_WORDS: usize = size_of::<Actor>() / 8;

impl Floor {
    fn new(n: usize) -> Self {
        Self(vec![[1; HOT_WORDS]; n])
    }

    fn pass(&mut self) {
        for actor in &mut self.0 {
            for word in actor.iter_mut() {
                *word = word.wrapping_mul(3) + 1;
            }
        }
        black_box(&mut self.0);
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Nanoseconds per actor of the floor and of an update, taken in turn.
fn measure(n: usize, runtime: &mut Runtime) -> (f64, f64) {
    let mut floor = Floor::new(n);
    let repeats = (200_000 / n).clamp(1, 1000);
    let (mut floors, mut updates) = (Vec::new(), Vec::new());
    let per_actor = |start: Instant| start.elapsed().as_nanos() as f64 / (n * repeats) as f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        (0..repeats).for_each(|_| floor.pass());
        floors.push(per_actor(start));
        let start = Instant::now();
        (0..repeats).for_each(|_| runtime.update().expect("an update"));
        updates.push(per_actor(start));
    }
    (median(floors), median(updates))
}

fn report(name: &str, n: usize, mut runtime: Runtime) {
    let (floor, update) = measure(n, &mut runtime);
    println!("{name:<28} {n:>9} actors  floor {floor:>7.1} ns  update {update:>8.1} ns  ratio {:>6.2}", update / floor);
}

fn main() {
    println!("hot state: {} bytes per actor", size_of::<Actor>());
    for n in [1, 1_000, 10_000, 100_000, 1_000_000] {
        report("idle, hidden", n, crowd(n, None, |actor| actor.hide = 1));
        report("idle, presented", n, crowd(n, None, |_| {}));
        report("in mid-draw", n, crowd(n, None, |actor| actor.extra_flag = 20));
        report(
            "turning",
            n,
            crowd(n, None, |actor| {
                // The angle differs from its snapshot at every presentation only if something keeps turning it: mode 2
                // rebuilds the matrix each time.
                actor.attributes[attr::ROTATION] = 2;
                actor.angle.y = Angle(5);
            }),
        );
    }
}
