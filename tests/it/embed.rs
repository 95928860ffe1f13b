//! What a host that embeds the library relies on.

use std::{
    sync::{Arc, LazyLock, mpsc},
    thread,
};

use proptest::prelude::*;
use soup386::{
    Error, Runtime, Scene,
    defs::{FunctionKind, functions},
    natives::{Call, Handler, Host, NativeError, Natives},
    publish::AttachmentSource,
    trace,
    update::Options,
    world::{EventKind, World},
};

use super::support::{call, updates};

use crate::support::random_cases;

/// A runtime of the demo, which is read once.
fn demo() -> Runtime {
    static SCENE: LazyLock<Scene> = LazyLock::new(Scene::demo);
    Runtime::new(SCENE.clone()).unwrap_or_else(|error| panic!("{error}"))
}

/// The trace of the last update, events included.
fn lines(runtime: &Runtime) -> Vec<u8> {
    trace::lines(&runtime.engine().defs, runtime.world(), true)
}

/// Draws in update 3, sheathes in update 40; a task runs all the while.
fn step(runtime: &mut Runtime, tick: u64) {
    match tick {
        2 => call(runtime, "CYRUS", "pushanimation", &[91, 1]),
        3 => call(runtime, "CYRUS", "drawsword", &[]),
        20 => call(runtime, "GUARD", "wait", &[30]),
        40 => call(runtime, "CYRUS", "sheathsword", &[]),
        _ => 0,
    };
    updates(runtime, 1);
}

/// A world restored at any update of a draw and a sheath goes on as the one it was taken from (U1 to U8).
#[test]
fn a_restored_world_goes_on_alike() {
    const END: u64 = 70;
    let mut original = demo();
    for taken_at in 0..END {
        let saved = original.snapshot().expect("no script runs");
        let text = serde_json::to_string(&saved).expect("a world is data");
        let read: World = serde_json::from_str(&text).expect("a world reads back");
        assert_eq!(read, saved, "update {taken_at}");
        let mut restored = demo();
        restored.restore(read).unwrap_or_else(|error| panic!("{error}"));
        let mut reference = demo();
        reference.restore(saved).unwrap_or_else(|error| panic!("{error}"));
        for tick in taken_at..(taken_at + 12).min(END) {
            step(&mut restored, tick);
            step(&mut reference, tick);
            assert_eq!(lines(&restored), lines(&reference), "taken at {taken_at}, update {tick}");
        }
        assert_eq!(restored.world(), reference.world());
        step(&mut original, taken_at);
    }
}

#[test]
fn a_world_of_another_scene_is_not_restored() {
    let mut runtime = super::support::runtime("soup386 = 1\n[[actor]]\nname = \"ALONE\"\n");
    let before = runtime.world().clone();
    let foreign = demo().snapshot().expect("no script runs");
    assert!(matches!(runtime.restore(foreign), Err(Error::World(_))));
    assert_eq!(*runtime.world(), before);
}

/// Fields of a saved world changed one by one: an error or a world that runs, never a panic.
#[test]
fn a_damaged_world_is_refused() {
    let saved = serde_json::to_value(demo().snapshot().expect("no script runs")).expect("a world is data");
    for key in saved.as_object().expect("an object").keys() {
        for wrong in [serde_json::json!(null), serde_json::json!([]), serde_json::json!(7), serde_json::json!({})] {
            let mut damaged = saved.clone();
            damaged[key.as_str()] = wrong;
            let Ok(world) = serde_json::from_value::<World>(damaged) else { continue };
            let mut runtime = demo();
            if runtime.restore(world).is_ok() {
                updates(&mut runtime, 3);
            }
        }
    }
}

/// U4: model, frame, place and weapon of a publication belong to one presentation.
#[test]
fn a_publication_is_of_one_presentation() {
    let mut runtime = demo();
    for tick in 0..70 {
        let before = runtime.world().actors().map(|actor| actor.pose).collect::<Vec<_>>();
        step(&mut runtime, tick);
        let publication = runtime.publication();
        assert_eq!(publication.tick(), Some(tick));
        assert_eq!(publication.poses().len(), 2);
        // The guard is left alone, so what is presented is what its last update left.
        assert_eq!(publication.poses()[1].pose, before[1], "update {tick}");
        for held in publication.attachments() {
            let actor = runtime.world().get(held.actor).expect("a live actor");
            let attachment = actor.attachment.expect("an attachment");
            assert_eq!((held.position, held.matrix), (attachment.transform.position, attachment.transform.matrix));
            assert_eq!(held.source, AttachmentSource::Equipped);
            assert_eq!(held.base, actor.endpoints.map(|ends| ends.base));
        }
    }
}

#[test]
fn hidden_actors_are_not_published() {
    let mut runtime = demo();
    call(&mut runtime, "GUARD", "hideme", &[]);
    updates(&mut runtime, 2);
    assert_eq!(runtime.publication().poses().len(), 1);
    assert_eq!(runtime.publication().attachments().len(), 1);
}

/// A reader that holds a picture for long keeps it whole and stops nobody; the next look gives the newest.
#[test]
fn a_slow_reader_stops_nobody() {
    let mut runtime = demo();
    updates(&mut runtime, 1);
    let reader = runtime.reader();
    let (holding, held) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let slow = thread::spawn(move || {
        let picture = reader.latest();
        let copy = (*picture).clone();
        holding.send(()).expect("the test waits");
        may_go_on.recv().expect("the test goes on");
        assert_eq!(*picture, copy, "a picture never changes");
        (picture.tick(), reader.latest().tick())
    });
    held.recv().expect("the reader holds its picture");
    // All of these happen while the picture is held.
    updates(&mut runtime, 50);
    go_on.send(()).expect("the reader waits");
    assert_eq!(slow.join().expect("the reader ends"), (Some(0), Some(50)));
}

#[test]
fn events_can_be_drained() {
    let mut runtime = demo();
    call(&mut runtime, "CYRUS", "drawsword", &[]);
    let mut seen = Vec::new();
    for _ in 0..30 {
        updates(&mut runtime, 1);
        let published = runtime.publication().events().to_vec();
        let drained = runtime.drain_events();
        assert_eq!(published, drained);
        seen.extend(drained.into_iter().map(|event| event.kind));
        assert!(runtime.drain_events().is_empty());
    }
    assert!(seen.contains(&EventKind::Drawn));
    assert!(seen.iter().any(|kind| matches!(kind, EventKind::Sound { effect: 40, .. })));
    assert!(seen.iter().any(|kind| matches!(kind, EventKind::GroupChanged { to: 91, .. })));
}

struct Answers(i32);

impl Host for Answers {
    fn call(&mut self, call: &mut Call<'_>) -> Option<i32> {
        let name = functions().get(call.native)?.script_name.as_str();
        (name == "playerhealth").then(|| {
            self.0 += 1;
            self.0
        })
    }
}

#[test]
fn a_host_answers_for_functions_without_handler() {
    let options = Options { host: Box::new(Answers(40)), ..Options::default() };
    let mut runtime = Runtime::with_options(Scene::demo(), options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(call(&mut runtime, "CYRUS", "playerhealth", &[]), 41);
    assert_eq!(call(&mut runtime, "CYRUS", "playerhealth", &[]), 42);
    assert_eq!(call(&mut runtime, "CYRUS", "playerarmed", &[]), 0, "nobody knows this one");
    let why = super::support::actor(&runtime, "CYRUS").cold.refusal.as_ref().map(ToString::to_string);
    assert!(why.is_some_and(|why| why.contains("playerarmed refused: this runtime has no handler")));
}

#[test]
fn natives_are_added_and_replaced() {
    let mut natives = Natives::default();
    let twice = Handler::Host(Arc::new(|call: &mut Call<'_>| call.int(0).wrapping_mul(2)));
    let id = natives.add("Twice", FunctionKind::Function, &["value"], "Doubles", twice.clone()).expect("a new name");
    assert_eq!(usize::from(id.0), functions().rows().len());
    let again = natives.add("TWICE", FunctionKind::Function, &[], "", twice.clone());
    assert_eq!(again, Err(NativeError::NameTaken { name: "TWICE".to_owned() }));
    let named_badly = natives.add("2 times", FunctionKind::Function, &[], "", twice.clone());
    assert!(matches!(named_badly, Err(NativeError::BadName { .. })));
    assert!(
        matches!(natives.bind("Twise", twice.clone()), Err(NativeError::Unknown { hint, .. }) if hint.contains("twice"))
    );
    natives.bind("MyId", twice).expect("a declared function");
    let options = Options { natives: Arc::new(natives), ..Options::default() };
    let mut runtime = Runtime::with_options(Scene::demo(), options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(call(&mut runtime, "CYRUS", "twice", &[21]), 42);
    assert_eq!(call(&mut runtime, "CYRUS", "myid", &[]), 0);
    let fencer = runtime.world().named("CYRUS").expect("a fencer");
    assert_eq!(runtime.call_by_id(fencer, id, &[4]).unwrap_or_else(|error| panic!("{error}")), 8);
    let wrong = runtime.call(fencer, "twice", &[]).expect_err("an argument is missing");
    assert_eq!(wrong.to_string(), "twice: expected 1 argument (value), found 0");
}

/// A task of the host that panics stops its actor's tasks; the update goes on and says so.
#[test]
fn a_panic_in_a_task_ends_that_task() {
    let mut natives = Natives::default();
    let fails = Handler::Host(Arc::new(|call: &mut Call<'_>| if call.elapsed == 0 { 1 } else { panic!("planned") }));
    natives.add("Fails", FunctionKind::Task, &[], "Panics in its second run", fails).expect("a new name");
    let options = Options { natives: Arc::new(natives), ..Options::default() };
    let mut runtime = Runtime::with_options(Scene::demo(), options).unwrap_or_else(|error| panic!("{error}"));
    call(&mut runtime, "CYRUS", "fails", &[]);
    call(&mut runtime, "GUARD", "wait", &[100]);
    updates(&mut runtime, 1);
    let failures = runtime.drain_failures();
    assert_eq!(failures.len(), 1);
    assert!(failures[0].to_string().contains("a native panicked: planned"), "{}", failures[0]);
    assert!(super::support::actor(&runtime, "CYRUS").tasks.is_empty());
    assert_eq!(super::support::actor(&runtime, "GUARD").tasks.n_blocking(), 1);
}

proptest! {
    #![proptest_config(random_cases(48))]

    /// A1 to A9: a placement that is taken over from the last update is, bit for bit, the one that would be computed.
    #[test]
    fn placements_taken_over_equal_computed_ones(
        actions in prop::collection::vec((0_usize..9, -3000_i32..3000, any::<bool>()), 1..60),
    ) {
        let (mut keeps, mut forgets) = (demo(), demo());
        for (what, value, guard) in actions {
            let name = if guard { "GUARD" } else { "CYRUS" };
            for runtime in [&mut keeps, &mut forgets] {
                act(runtime, name, what, value);
            }
            forgets.engine_mut().world.forget_placements();
            updates(&mut keeps, 1);
            updates(&mut forgets, 1);
            prop_assert_eq!(lines(&keeps), lines(&forgets));
            prop_assert_eq!(keeps.publication(), forgets.publication());
        }
    }
}

/// One of the things that can change a placement's inputs.
fn act(runtime: &mut Runtime, name: &str, what: usize, value: i32) {
    let write = super::support::set_property;
    match what {
        0 => drop(call(runtime, name, "drawsword", &[])),
        1 => drop(call(runtime, name, "sheathsword", &[])),
        2 => write(runtime, name, "pos.vx", value),
        3 => write(runtime, name, "angle.vy", value),
        4 => write(runtime, name, "angle.vz", value),
        5 => write(runtime, name, "grip[0]", value % 110),
        6 => write(runtime, name, "hand_pos.vx", value),
        7 => drop(call(runtime, name, if value < 0 { "hideme" } else { "showme" }, &[])),
        _ => write(runtime, name, "weapon_drawn", value & 1),
    }
}
