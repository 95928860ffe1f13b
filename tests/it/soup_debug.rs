//! The step debugger as a library.

use std::sync::{Arc, Mutex};

use soup386::{
    defs::{ActorDefIdx, functions},
    script::soup::{
        Thread,
        debug::{Breakpoints, Debugger, LastCall, Resume, Stop},
    },
    soup::text::statement_line,
};

use super::{
    program::{YIELD, actor_text, add, alone, call, end, function, number},
    support::{runtime, updates},
};

type Stops = Arc<Mutex<Vec<(String, Thread, u32, i32)>>>;

/// Runs a debugger that notes actor, thread, offset and local 0 of each stop, and answers in turn.
fn watch(runtime: &mut soup386::Runtime, answers: Vec<Resume>, breakpoints: &[(u32, u32)]) -> Stops {
    let stops: Stops = Arc::default();
    let seen = Arc::clone(&stops);
    let mut answers = answers.into_iter();
    let mut debugger = Debugger::new(
        if breakpoints.is_empty() { Resume::Step } else { Resume::Continue },
        move |engine: &soup386::natives::Engine, stop: Stop<'_>, _: &mut Breakpoints| {
            let actor = engine.world.get(stop.place.actor).expect("a live actor");
            let local = actor.script.as_ref().expect("a program").locals.first().copied().unwrap_or(-1);
            let row = (actor.cold.name.to_string(), stop.place.thread, stop.place.offset(), local);
            seen.lock().expect("stops").push(row);
            answers.next().unwrap_or(Resume::Step)
        },
    );
    for &(record, offset) in breakpoints {
        assert!(debugger.breakpoints.insert(ActorDefIdx(record), offset));
    }
    runtime.set_observer(Box::new(debugger));
    stops
}

/// Every statement stops, with cursor and locals as they are before it.
#[test]
fn stepping() {
    let mut runtime = alone(&[add(0, 1), end(0), add(0, 10), end(16)], "start = 16\nlocals = [5]");
    let stops = watch(&mut runtime, Vec::new(), &[]);
    updates(&mut runtime, 1);
    let expected = [(Thread::Entry, 0, 5), (Thread::Entry, 11, 6), (Thread::Main, 16, 6), (Thread::Main, 27, 16)];
    let expected = expected.map(|(thread, offset, local)| ("A".to_owned(), thread, offset, local));
    assert_eq!(*stops.lock().expect("stops"), expected);
    assert!(runtime.take_observer().is_some());
    updates(&mut runtime, 1);
    assert_eq!(stops.lock().expect("stops").len(), 4, "nobody looks any more");
}

/// Breakpoints stop where they are, in every update; following a thread passes others over.
#[test]
fn breakpoints_and_threads() {
    let two = || {
        let body = [add(0, 1), add(0, 1), end(0)];
        let actors = ["A", "B"].map(|name| actor_text(name, "", &body, "locals = [0]"));
        runtime(&format!("soup386 = 1\n{}", actors.concat()))
    };
    let mut runtime = two();
    let stops = watch(&mut runtime, vec![Resume::Continue; 9], &[(1, 11)]);
    updates(&mut runtime, 2);
    let at = |local| ("B".to_owned(), Thread::Main, 11, local);
    assert_eq!(*stops.lock().expect("stops"), [at(1), at(3)]);
    let mut runtime = two();
    let stops = watch(&mut runtime, vec![Resume::StepThread; 9], &[(1, 11)]);
    updates(&mut runtime, 2);
    let stops = stops.lock().expect("stops");
    assert!(stops.iter().all(|(name, ..)| name == "B"), "{stops:?}");
    assert_eq!(stops.len(), 5, "the rest of the first update, all of the second");
}

/// A debugged run is the run without debugger.
#[test]
fn watching_changes_nothing() {
    let make = || alone(&[add(0, 1), function(&call("Rnd", &[number(9)])), YIELD.to_owned(), end(0)], "locals = [0]");
    let (mut plain, mut watched) = (make(), make());
    watch(&mut watched, Vec::new(), &[]);
    updates(&mut plain, 5);
    updates(&mut watched, 5);
    assert_eq!(plain.world(), watched.world());
}

/// The last call is shown with arguments, value and the reason of a refusal.
#[test]
fn the_last_call() {
    let sound = function(&call("HandItem", &[number(7)]));
    let mut runtime = alone(&[sound, YIELD.to_owned(), end(0)], "");
    let last: Arc<Mutex<Option<LastCall>>> = Arc::default();
    let seen = Arc::clone(&last);
    let debugger =
        Debugger::new(Resume::Step, move |_: &soup386::natives::Engine, stop: Stop<'_>, _: &mut Breakpoints| {
            *seen.lock().expect("a call") = stop.last_call.cloned();
            assert!(!statement_line(stop.place.code, stop.place.statement).is_empty());
            Resume::Step
        });
    runtime.set_observer(Box::new(debugger));
    updates(&mut runtime, 1);
    let call = last.lock().expect("a call").clone().expect("a call");
    assert_eq!(functions().get(call.native).map(|decl| decl.name), Some("HandItem"));
    assert_eq!((call.args.int(0), call.value), (7, 0));
    let refusal = call.refusal.expect("a refusal").to_string();
    assert_eq!(refusal, "handitem refused: the item system is closed");
}
