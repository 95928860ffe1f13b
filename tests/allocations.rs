//! How much memory an update takes: nothing, once a scene has settled.
//!
//! A test binary of its own, because the counter is the global allocator.

use soup386::{Runtime, Scene};

/// Updates after which every list has reached its size.
const SETTLED: u32 = 200;

fn allocations_of_an_update(runtime: &mut Runtime) -> u64 {
    allocation_counter::measure(|| runtime.update().unwrap_or_else(|error| panic!("{error}"))).count_total
}

#[test]
fn a_settled_scene_allocates_nothing() {
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    // Idling, drawing, standing on guard, sheathing, idling again: events and animations of every kind.
    for tick in 0..2 * SETTLED {
        let fencer = runtime.world().named("CYRUS").expect("the demo has a fencer");
        let call = match tick % SETTLED {
            5 => Some("drawsword"),
            60 => Some("sheathsword"),
            _ => None,
        };
        if let Some(function) = call {
            runtime.call(fencer, function, &[]).unwrap_or_else(|error| panic!("{error}"));
        }
        let count = allocations_of_an_update(&mut runtime);
        assert!(tick < SETTLED || count == 0, "update {tick} allocated {count} times");
    }
}

#[test]
fn a_crowd_allocates_nothing() {
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    let engine = runtime.engine_mut();
    let guard = engine.defs.actor_named("GUARD").expect("the demo has a guard");
    for number in 0..1000 {
        engine.spawn(guard, &format!("guard {number}")).unwrap_or_else(|error| panic!("{error}"));
    }
    for tick in 0..2 * SETTLED {
        let count = allocations_of_an_update(&mut runtime);
        assert!(tick < SETTLED || count == 0, "update {tick} allocated {count} times");
    }
}
