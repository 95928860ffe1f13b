//! Problem: my game has functions of its own that scripts should call, and wants to answer some of the original ones.
//!
//! Adds the function `Cheer` to the registry, so that every script language reaches it as `cheer`, and takes over
//! `PlayerHealth`, which the runtime leaves to its host.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
};

use soup386::{
    Runtime, Scene,
    defs::{FunctionKind, functions},
    natives::{Call, Handler, Host, Natives},
    update::Options,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut io::stdout())
}

/// Answers for functions that the runtime has no handler for.
struct Game;

impl Host for Game {
    fn call(&mut self, call: &mut Call<'_>) -> Option<i32> {
        let name = functions().get(call.native)?.name;
        // `None` says that the game does not know the function either: it returns 0 and is reported once.
        (name == "PlayerHealth").then_some(77)
    }
}

/// The whole example, with its output where one wants it.
pub fn run(out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let loudness = Arc::new(AtomicI32::new(0));
    let mut natives = Natives::default();
    let total = Arc::clone(&loudness);
    natives.add(
        "Cheer",
        FunctionKind::Function,
        &["volume"],
        "Cheers, and returns how loud it has been so far",
        Handler::Host(Arc::new(move |call| total.fetch_add(call.int(0), Ordering::Relaxed) + call.int(0))),
    )?;
    let options = Options { natives: Arc::new(natives), host: Box::new(Game), ..Options::default() };
    let mut runtime = Runtime::with_options(Scene::demo(), options)?;
    let fencer = runtime.world().named("CYRUS").ok_or("the demo has a fencer")?;
    runtime.call(fencer, "cheer", &[3])?;
    writeln!(out, "cheer returned {}", runtime.call(fencer, "cheer", &[4])?)?;
    writeln!(out, "playerhealth returned {}", runtime.call(fencer, "playerhealth", &[])?)?;
    let refused = runtime.call(fencer, "cheer", &[]).map_err(|error| error.to_string());
    writeln!(out, "cheer without an argument: {}", refused.err().unwrap_or_default())?;
    Ok(())
}
