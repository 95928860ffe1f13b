//! Problem: my renderer runs on a thread of its own and must neither wait for the simulation nor hold it up.
//!
//! The simulation publishes a whole picture after each update. The render thread takes the last one by copying a
//! pointer, draws from it for as long as it likes, and takes the next.

use std::{
    io::{self, Write},
    sync::mpsc,
    thread,
};

use soup386::{Runtime, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut io::stdout())
}

/// The whole example, with its output where one wants it.
pub fn run(out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    const UPDATES: u64 = 200;
    let mut runtime = Runtime::new(Scene::demo())?;
    let reader = runtime.reader();
    let (done, finished) = mpsc::channel::<()>();
    let renderer = thread::spawn(move || {
        let mut last = None;
        // Ends when the simulation drops its side.
        while finished.try_recv() != Err(mpsc::TryRecvError::Disconnected) {
            let picture = reader.latest();
            assert!(picture.tick() >= last, "pictures never go back");
            last = picture.tick();
            // A real renderer would draw `picture.poses()` and `picture.attachments()` here.
            assert!(picture.attachments().iter().all(|held| !held.model.is_empty()));
            thread::yield_now();
        }
        reader.latest().tick()
    });
    for _ in 0..UPDATES {
        runtime.update()?;
    }
    drop(done);
    let last = renderer.join().map_err(|_| "the render thread stopped")?;
    writeln!(out, "simulated {UPDATES} updates; the renderer saw update {last:?} at the end")?;
    Ok(())
}
