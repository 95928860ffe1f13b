//! Random valid programs: nothing panics, budgets hold, a world saved at any update goes on as it would have, and so does
//! one that is watched.

use std::sync::Arc;

use proptest::prelude::*;
use soup386::{
    Runtime, Scene,
    defs::{ActorDraft, FlagDef, FlagKind, ModelDraft, SceneBuilder},
    natives::Engine,
    script::{
        Limits,
        soup::{Called, Observer, Place},
    },
    trace::{Extras, lines_with},
    update::Options,
    world::{Fault, World},
};

use super::random_program::{Choices, FLAGS, program};

use crate::support::random_cases;

/// Statements of an invocation: few, so that endless loops end soon.
const BUDGET: u32 = 500;

/// Two actors with a program each, one of them animated.
fn scene(bytes: &[u8]) -> Scene {
    let mut choices = Choices::new(bytes);
    let mut builder = SceneBuilder { item_system: Some(true), ..SceneBuilder::default() };
    builder.models.push(ModelDraft { name: "M".to_owned(), frames: vec![vec![[0.0; 3]]], ..ModelDraft::default() });
    for number in 0..FLAGS {
        let kind = if number == 0 { FlagKind::Bool } else { FlagKind::Counter };
        builder.flags.push(FlagDef { name: format!("f{number}"), kind, value: 2 });
    }
    for name in ["A", "B"] {
        let mut actor = ActorDraft::new(name);
        actor.program = Some(Arc::new(program(name, &mut choices)));
        actor.attributes[29] = 1;
        if name == "B" {
            actor.player = choices.below(2) == 0;
            actor.frames = [("M".to_owned(), 1)].into();
        }
        builder.actors.push(actor);
    }
    builder.build().expect("a valid scene")
}

fn runtime(bytes: &[u8]) -> Runtime {
    let limits = Limits { statements: BUDGET, ..Limits::default() };
    Runtime::with_options(scene(bytes), Options { limits, ..Options::default() }).expect("programs that decode")
}

fn run(runtime: &mut Runtime, n: u32) -> String {
    let mut out = Vec::new();
    for _ in 0..n {
        runtime.update().expect("an update");
        out.extend(lines_with(&runtime.engine().defs, runtime.world(), Extras { events: true, scripts: true }));
    }
    String::from_utf8(out).expect("a trace")
}

/// Watches and does nothing.
struct Nothing;

impl Observer for Nothing {
    fn statement(&mut self, _: &Engine, _: Place<'_>) {}

    fn called(&mut self, _: &Engine, _: Called<'_>) {}
}

proptest! {
    #![proptest_config(random_cases(300))]

    /// Y41, Y42, Y82.
    #[test]
    fn programs_run_and_can_be_saved(bytes in proptest::collection::vec(any::<u8>(), 0..700), taken_at in 0..12u32) {
        let mut first = runtime(&bytes);
        run(&mut first, taken_at);
        let saved = serde_json::to_string(&first.snapshot().expect("no script runs")).expect("JSON");
        let expected = run(&mut first, 12);
        let mut second = runtime(&bytes);
        let world: World = serde_json::from_str(&saved).expect("a world");
        second.restore(world).expect("the same scene");
        prop_assert_eq!(&run(&mut second, 12), &expected);
        // Whoever watches sees every statement executed in its general form.
        let mut watched = runtime(&bytes);
        watched.set_observer(Box::new(Nothing));
        run(&mut watched, taken_at);
        prop_assert_eq!(run(&mut watched, 12), expected);
        for failure in first.drain_failures() {
            prop_assert!(failure.to_string().contains(" program +0x"), "{}", failure);
        }
        let faults = first.world().actors().filter_map(|actor| actor.script.as_ref()?.fault);
        for fault in faults {
            prop_assert!(fault != Fault::Panic);
        }
    }
}
