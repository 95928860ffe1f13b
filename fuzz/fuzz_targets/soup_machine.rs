//! Random valid programs: no panic, budgets hold, and a world saved at any update goes on as it would have.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use soup386::{
    Runtime, Scene,
    defs::{ActorDraft, FlagDef, FlagKind, SceneBuilder},
    script::Limits,
    update::Options,
};

#[path = "../../tests/it/random_program.rs"]
mod random_program;

use random_program::{Choices, FLAGS, program};

fn scene(bytes: &[u8]) -> Scene {
    let mut choices = Choices::new(bytes);
    let mut builder = SceneBuilder { item_system: Some(true), ..SceneBuilder::default() };
    for number in 0..FLAGS {
        builder.flags.push(FlagDef { name: format!("f{number}"), kind: FlagKind::Counter, value: 2 });
    }
    for name in ["A", "B"] {
        let mut actor = ActorDraft::new(name);
        actor.program = Some(Arc::new(program(name, &mut choices)));
        builder.actors.push(actor);
    }
    builder.build().expect("a valid scene")
}

fn runtime(scene: Scene) -> Runtime {
    let limits = Limits { statements: 500, ..Limits::default() };
    Runtime::with_options(scene, Options { limits, ..Options::default() }).expect("programs that decode")
}

fuzz_target!(|data: (u8, Vec<u8>)| {
    let (taken_at, bytes) = data;
    let scene = scene(&bytes);
    let mut first = runtime(scene.clone());
    for _ in 0..taken_at % 16 {
        first.update().expect("an update");
    }
    let mut second = runtime(scene);
    second.restore(first.snapshot().expect("no script runs")).expect("the same scene");
    for _ in 0..12 {
        first.update().expect("an update");
        second.update().expect("an update");
        assert!(first.world() == second.world());
    }
});
