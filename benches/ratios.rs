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
    println!("hot state: {} bytes per actor; whole actor: {} bytes", size_of::<Actor>(), memory_per_actor());
    for n in [1, 1_000, 10_000, 100_000, 1_000_000] {
        report("idle, hidden", n, crowd(n, None, |actor| actor.hide = 1));
        report("idle, presented", n, crowd(n, None, |_| {}));
        report("in mid-draw", n, crowd(n, None, |actor| actor.extra_flag = 20));
        report("turning", n, crowd(n, None, |actor| actor.angle.y = Angle(5)).turning());
    }
    #[cfg(any(feature = "luau", feature = "lua54"))]
    lua::main();
}

/// Bytes that an actor takes apart from the names and look-ups of the world: measured over a crowd.
fn memory_per_actor() -> usize {
    size_of::<Actor>() + size_of::<soup386::world::Cold>() + 256 + size_of::<soup386::world::Placed>()
}

/// Makes every actor of a crowd turn at each presentation.
trait Turning {
    fn turning(self) -> Self;
}

impl Turning for Runtime {
    /// Rotation mode 2 rebuilds the matrix at each presentation, and with it the attachment's inputs are compared anew.
    fn turning(mut self) -> Self {
        let world = &mut self.engine_mut().world;
        for place in 0..world.n_places() {
            if let Some((actor, _)) = world.at_place(place) {
                actor.attributes[attr::ROTATION] = 2;
            }
        }
        self
    }
}

/// Scripts: what a call and a property cost beside a bare call of the same shape, and crowds with a script each.
#[cfg(any(feature = "luau", feature = "lua54"))]
mod lua {
    use std::{ffi::c_void, time::Instant};

    use mlua::{LightUserData, Lua, MultiValue, Value};
    use soup386::Runtime;

    use super::{ROUNDS, crowd, median, report, scene};

    /// Calls in one update of the measuring scripts.
    const CALLS: usize = 10_000;

    /// What is measured: a name, the loop's body for the runtime, and for the bare state.
    const SHAPES: [(&str, &str, &str); 3] = [
        ("native call", "a:isholdingweapon()", "a:isholdingweapon()"),
        ("property read", "local x = a.weapon_drawn", "local x = a.weapon_drawn"),
        ("property write", "a.weapon_drawn = 0", "a.weapon_drawn = 0"),
    ];

    pub(super) fn main() {
        for (name, ours, bare) in SHAPES {
            compare(name, ours, bare);
        }
        report("one waiting Lua script each", 10_000, crowd(10_000, Some("while true do wait(1000) end"), |_| {}));
        let busy = "while true do for i = 1, 10 do me.pos.vx = i end next_update() end";
        report("one busy Lua script each", 10_000, crowd(10_000, Some(busy), |_| {}));
    }

    /// The same loop in a runtime and in a state of mlua alone, in turn; the empty loop is taken off both.
    fn compare(name: &str, ours: &str, bare: &str) {
        let (mut with_body, mut empty) = (runtime(ours), runtime(""));
        // The states live as long as their loops are called.
        let ((_body, bare_body), (_empty, bare_empty)) = (bare_loop(bare), bare_loop(""));
        let (mut ours_ns, mut bare_ns) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let time = |runtime: &mut Runtime| timed(|| runtime.update().expect("an update"));
            ours_ns.push(time(&mut with_body) - time(&mut empty));
            bare_ns.push(
                timed(|| bare_body.call::<()>(()).expect("a loop"))
                    - timed(|| bare_empty.call::<()>(()).expect("a loop")),
            );
        }
        let (ours, bare) = (median(ours_ns), median(bare_ns));
        println!("{name:<28} bare {bare:>6.1} ns  here {ours:>6.1} ns  ratio {:>5.2}", ours / bare);
    }

    fn timed(run: impl FnOnce()) -> f64 {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64 / CALLS as f64
    }

    fn looped(body: &str) -> String {
        format!("for i = 1, {CALLS} do {body} end")
    }

    fn runtime(body: &str) -> Runtime {
        let mut runtime = Runtime::new(scene(None)).expect("a runtime");
        let text = format!("local a = actor(\"swordsman\")\nwhile true do {} next_update() end", looped(body));
        runtime.set_director("bench.lua", text).expect("a director");
        runtime.update().expect("an update");
        runtime
    }

    /// A light userdata whose metatable leads to Rust functions that do nothing, with an interrupt that counts, as any
    /// sandbox needs one.
    fn bare_loop(body: &str) -> (Lua, mlua::Function) {
        let lua = Lua::new();
        let steps = std::cell::Cell::new(0_u64);
        #[cfg(feature = "luau")]
        lua.set_interrupt(move |_| {
            steps.set(steps.get() + 1);
            Ok(mlua::VmState::Continue)
        });
        #[cfg(not(feature = "luau"))]
        let _ = &steps;
        let call = lua.create_function(|_, values: MultiValue| Ok(i32::from(values.is_empty()))).expect("a function");
        let read = lua.create_function(|_, (_, id): (LightUserData, u16)| Ok(i32::from(id))).expect("a function");
        let write = lua.create_function(|_, _: (LightUserData, u16, Value)| Ok(())).expect("a function");
        let metatable = lua
            .load(
                "local call, read, write = ...
                 local methods, ids = { isholdingweapon = call }, { weapon_drawn = 95 }
                 return {
                   __index = function(self, key)
                     local method = methods[key]
                     if method then return method end
                     return read(self, ids[key])
                   end,
                   __newindex = function(self, key, value) write(self, ids[key], value) end,
                 }",
            )
            .call((call, read, write))
            .expect("a metatable");
        lua.set_type_metatable::<LightUserData>(Some(metatable));
        lua.globals().set("a", LightUserData(std::ptr::without_provenance_mut::<c_void>(8))).expect("a global");
        let looped = lua.load(format!("local a = a return function() {} end", looped(body))).eval().expect("a loop");
        (lua, looped)
    }
}
