//! Problem: my engine has characters, and I want one that draws and sheathes its sword as Redguard's do.
//!
//! Takes the built-in demo scene, calls two SOUP functions on the fencer from Rust, and prints what happens to the
//! sword. No script is involved.

use std::io::{self, Write};

use soup386::{Runtime, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut io::stdout())
}

/// The whole example, with its output where one wants it.
pub fn run(out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let mut runtime = Runtime::new(Scene::demo())?;
    let fencer = runtime.world().named("CYRUS").ok_or("the demo has a fencer")?;
    let mut shown = "";
    for tick in 0..80 {
        match tick {
            5 => runtime.call(fencer, "drawsword", &[])?,
            45 => runtime.call(fencer, "sheathsword", &[])?,
            _ => 0,
        };
        runtime.update()?;
        let publication = runtime.publication();
        let Some(held) = publication.attachments().iter().find(|held| held.actor == fencer) else { continue };
        if held.kind.name() != shown {
            shown = held.kind.name();
            writeln!(
                out,
                "update {tick}: {} shown as {shown} at {:?}, point at {:?}",
                held.model, held.position, held.tip
            )?;
        }
    }
    Ok(())
}
