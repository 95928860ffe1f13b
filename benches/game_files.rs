//! Prints how fast a game's map becomes a scene beside a plain reading of the same bytes: `cargo bench --bench game_files`.
//!
//! Every figure is the best of several rounds.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use soup386::{Scene, import::game::GameOptions};

mod island;

const ROUNDS: usize = 9;

fn best(mut round: impl FnMut()) -> Duration {
    let timed = |()| {
        let start = Instant::now();
        round();
        start.elapsed()
    };
    std::iter::repeat_n((), ROUNDS).map(timed).min().unwrap_or_default()
}

/// Reads every file below a folder.
fn read_all(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| if path.is_dir() { read_all(&path) } else { fs::read(path).expect("a file").len() as u64 }).sum()
}

fn main() {
    let folder = std::env::temp_dir().join(format!("soup386-bench-{}", std::process::id()));
    let size = island::write(&folder).expect("a game can be written");
    let megabytes = size as f64 / 1e6;
    let mut n_actors = 0;
    let scene = best(|| {
        let imported = Scene::from_game(&GameOptions::new(&folder)).unwrap_or_else(|error| panic!("{error}"));
        n_actors = imported.scene.defs.actors().len();
    });
    let plain = best(|| assert_eq!(read_all(&folder), size));
    let rate = |time: Duration| megabytes / time.as_secs_f64();
    println!("{megabytes:.1} MB, {n_actors} actors");
    println!("as a scene  {:>7.1} ms  {:>6.0} MB/s", scene.as_secs_f64() * 1e3, rate(scene));
    println!("read plainly{:>7.1} ms  {:>6.0} MB/s", plain.as_secs_f64() * 1e3, rate(plain));
    let _ = fs::remove_dir_all(&folder);
}
