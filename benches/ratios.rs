//! Prints how much an update costs beside the least it could cost: `cargo bench --bench ratios`.
//!
//! The floor is a pass that reads and writes as many bytes for each actor as the update's hot state has. Every figure is
//! the median of several rounds taken in turn with the floor, so that a ratio holds when the machine's speed drifts.

mod crowd;
#[cfg(any(feature = "luau", feature = "lua54"))]
mod shapes;

use std::time::Instant;

use soup386::{Runtime, world::Actor};

use crowd::{Floor, STATES, crowd, crowd_on};

/// Rounds per figure.
const ROUNDS: usize = 9;

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
        for (name, prepare) in STATES {
            report(name, n, crowd(n, None, prepare));
        }
    }
    for n in [10_000, 100_000, 1_000_000] {
        for (name, prepare) in STATES {
            report(&format!("{name}, 2 threads"), n, crowd_on(2, n, None, prepare));
        }
    }
    #[cfg(any(feature = "luau", feature = "lua54"))]
    lua::main();
}

/// Bytes that an actor takes apart from the names and look-ups of the world: measured over a crowd.
fn memory_per_actor() -> usize {
    size_of::<Actor>() + size_of::<soup386::world::Cold>() + 256 + size_of::<soup386::world::Placed>()
}

/// Scripts: what a call and a property cost beside a bare call of the same shape, and crowds with a script each.
#[cfg(any(feature = "luau", feature = "lua54"))]
mod lua {
    use std::time::Instant;

    use soup386::Runtime;

    use super::{
        ROUNDS, crowd, median, report,
        shapes::{CALLS, SHAPES, bare_loop, runtime},
    };

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
}
