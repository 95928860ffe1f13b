//! What a crowd of Rhai scripts costs: time of an update in which each script is resumed once, and memory of each.
//!
//! `cargo run --release --no-default-features --features rhai --example rhai_crowd [COUNT]`

use std::{collections::BTreeMap, fmt::Write, time::Instant};

use soup386::{Runtime, Scene, defs::ModuleSource};

/// Updates over which times are averaged.
const UPDATES: u32 = 50;

fn scene(count: usize, script: Option<&str>) -> Result<Scene, soup386::Error> {
    let mut text = "soup386 = 1\n[[model]]\nname = \"M\"\nframes = [[[0.0, 0.0, 0.0]]]\n".to_owned();
    for index in 0..count {
        let _ = write!(text, "[[actor]]\nname = \"a{index}\"\nframes = [{{ model = \"M\", count = 1 }}]\n");
        if script.is_some() {
            text.push_str("script = \"crowd.rhai\"\n");
        }
    }
    let texts: BTreeMap<_, _> = script.map(|script| ("crowd.rhai".to_owned(), script.to_owned())).into_iter().collect();
    Ok(Scene::from_toml("crowd.toml", &text, &ModuleSource::Listed(texts))?)
}

/// Bytes of this process in memory; 0 where the system does not say.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// Microseconds of one update, and bytes that the first one took.
fn measure(count: usize, script: Option<&str>) -> Result<(f64, usize), soup386::Error> {
    let mut runtime = Runtime::new(scene(count, script)?)?;
    let before = resident();
    runtime.update()?;
    runtime.update()?;
    let grown = resident().saturating_sub(before);
    let start = Instant::now();
    for _ in 0..UPDATES {
        runtime.update()?;
    }
    let each = start.elapsed().as_secs_f64() * 1e6 / f64::from(UPDATES);
    assert!(runtime.drain_failures().is_empty());
    Ok((each, grown))
}

fn main() -> Result<(), soup386::Error> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let (idle, idle_memory) = measure(count, None)?;
    println!("{count} actors without scripts: {idle:.0} µs per update");
    for (what, script) in [
        ("wait in a loop", "loop { next_update(); }"),
        ("wait and write a property", "loop { me.pos.vx += 1; next_update(); }"),
        ("define on_update", "fn on_update() { me.pos.vx += 1; }"),
    ] {
        let (each, memory) = measure(count, Some(script))?;
        let (time, bytes) = ((each - idle) / count as f64, memory.saturating_sub(idle_memory) / count);
        println!("{count} scripts that {what}: {time:.2} µs and {bytes} bytes each");
    }
    let mut runtime = Runtime::new(Scene::demo())?;
    let start = Instant::now();
    runtime.set_director("empty.rhai", "()")?;
    let took = start.elapsed().as_secs_f64();
    println!("a Rhai engine: {:.1} ms to make", took * 1e3);
    Ok(())
}
