//! What several test modules need.

use proptest::test_runner::{Config, RngSeed};
use soup386::{
    defs::{ModuleSource, Scene},
    update::Runtime,
    world::Actor,
};

/// The scene of a text without scripts.
pub(crate) fn scene(text: &str) -> Scene {
    Scene::from_toml("test.toml", text, &ModuleSource::Nowhere).unwrap_or_else(|error| panic!("{error}"))
}

/// A runtime of a scene text without scripts.
pub(crate) fn runtime(text: &str) -> Runtime {
    Runtime::new(scene(text)).unwrap_or_else(|error| panic!("{error}"))
}

/// The live actor of this name.
pub(crate) fn actor<'r>(runtime: &'r Runtime, name: &str) -> &'r Actor {
    let world = runtime.world();
    world.get(world.named(name).expect("an actor of this name")).expect("a live actor")
}

/// Calls a native on the actor of this name.
pub(crate) fn call(runtime: &mut Runtime, name: &str, function: &str, args: &[i32]) -> i32 {
    let key = runtime.world().named(name).expect("an actor of this name");
    runtime.call(key, function, args).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a property of the actor of this name.
pub(crate) fn property(runtime: &Runtime, name: &str, property: &str) -> i32 {
    let id = soup386::defs::properties().named(property).expect("a property of this name");
    actor(runtime, name).property(id)
}

/// Writes a property of the actor of this name.
pub(crate) fn set_property(runtime: &mut Runtime, name: &str, property: &str, value: i32) {
    let id = soup386::defs::properties().named(property).expect("a property of this name");
    let key = runtime.world().named(name).expect("an actor of this name");
    runtime.engine_mut().world.get_mut(key).expect("a live actor").set_property(id, value);
}

/// Bytes written as pairs of hexadecimal digits; blanks are ignored.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    let pairs = (0..digits.len()).step_by(2).map(|at| &digits[at..at + 2]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

/// Runs `n` updates.
pub(crate) fn updates(runtime: &mut Runtime, n: u32) {
    for _ in 0..n {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
    }
}

#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
/// A runtime of a scene text with scripts and modules given by file name.
pub(crate) fn scripted(scene: &str, scripts: &[(&str, &str)]) -> Runtime {
    let listed = scripts.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    let scene =
        Scene::from_toml("test.toml", scene, &ModuleSource::Listed(listed)).unwrap_or_else(|error| panic!("{error}"));
    Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"))
}

/// So many cases of a property, the same in every run; `PROPTEST_RNG_SEED` gives others.
pub(crate) fn random_cases(cases: u32) -> Config {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    match config.rng_seed {
        RngSeed::Random => Config { rng_seed: RngSeed::Fixed(386), ..config },
        RngSeed::Fixed(_) => config,
    }
}
