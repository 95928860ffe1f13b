//! How much memory a map of the game takes while it is read: at most four times the bytes of its files.
//!
//! A test binary of its own, because the counter is the global allocator.

use soup386::{Scene, import::game::GameOptions};

#[path = "../benches/island/mod.rs"]
mod island;

#[test]
fn a_large_map_needs_four_times_its_files_at_most() {
    let folder = std::env::temp_dir().join(format!("soup386-memory-{}", std::process::id()));
    let size = island::write(&folder).expect("a game can be written");
    let mut scene = None;
    let used = allocation_counter::measure(|| {
        scene = Some(Scene::from_game(&GameOptions::new(&folder)).unwrap_or_else(|error| panic!("{error}")).scene);
    });
    let _ = std::fs::remove_dir_all(&folder);
    let scene = scene.expect("a scene");
    assert_eq!((scene.defs.actors().len(), scene.defs.models().len()), (2000, 300));
    assert!(used.bytes_max <= 4 * size, "{} bytes at most, for {size} bytes of files", used.bytes_max);
}
