//! Problem: my server runs many matches at once, and each must come out the same whatever thread it lands on.
//!
//! Makes a runtime in each thread, since worlds share nothing but their definitions, and compares the traces of matches
//! that ought to be alike.

use std::{
    io::{self, Write},
    thread,
};

use soup386::{Runtime, Scene, trace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut io::stdout())
}

/// One match: the fencer draws in the update of the match's number.
fn play(scene: Scene, draws_at: u64) -> soup386::Result<Vec<u8>> {
    let mut runtime = Runtime::new(scene)?;
    let mut lines = Vec::new();
    for tick in 0..60 {
        if let (true, Some(fencer)) = (tick == draws_at, runtime.world().named("CYRUS")) {
            runtime.call(fencer, "drawsword", &[])?;
        }
        runtime.update()?;
        lines.extend(trace::lines(&runtime.engine().defs, runtime.world(), true));
    }
    Ok(lines)
}

/// The whole example, with its output where one wants it.
pub fn run(out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::demo();
    let matches: Vec<_> = (0..8_u64)
        .map(|number| {
            let scene = scene.clone();
            thread::spawn(move || play(scene, number % 4))
        })
        .collect();
    let mut traces = Vec::new();
    for played in matches {
        traces.push(played.join().map_err(|_| "a match stopped")??);
    }
    let alike = (0..4).all(|number| traces[number] == traces[number + 4]);
    writeln!(out, "8 matches on 8 threads; those that were set up alike came out alike: {alike}")?;
    Ok(())
}
