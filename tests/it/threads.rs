//! An update does the same on any number of threads: world, events and publication, to the bit.

use std::num::NonZeroUsize;

use soup386::{
    Runtime,
    update::Options,
    world::{ActorKey, EventKind, Random},
};

use super::{
    support::{call, scene},
    yard,
};

/// Enough for three parts.
const N_ACTORS: usize = 6_200;
const UPDATES: u64 = 24;

/// The yard with a crowd of guards, for this many threads.
fn crowd(threads: usize) -> Runtime {
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let options = Options { threads, ..Options::default() };
    let mut runtime = Runtime::with_options(scene(&yard::scene("")), options).expect("a runtime");
    let engine = runtime.engine_mut();
    let guard = engine.defs.actor_named("GUARD").expect("a record");
    for number in engine.world.len()..N_ACTORS {
        engine.spawn(guard, &format!("guard {number}")).expect("room for one more");
    }
    runtime
}

/// Draws, turns, drowns, hides, kills and removes actors here and there, the player among them.
fn disturb(runtime: &mut Runtime, random: &mut Random) {
    let player = runtime.world().player();
    let world = &mut runtime.engine_mut().world;
    let keys: Vec<ActorKey> = world.actors().map(|actor| actor.key).collect();
    let mut draw = |bound| random.below(bound) as usize;
    for _ in 0..200 {
        let Some(actor) = world.get_mut(keys[draw(keys.len() as i32)]) else { continue };
        match draw(6) {
            0 => actor.extra_flag = 20,
            1 => actor.extra_flag = 21,
            2 => actor.angle.y.0 = draw(2048) as i32,
            3 => actor.under_surface = draw(5) as u8,
            4 => actor.hide = draw(2) as u8,
            _ => actor.dead = draw(2) as u8,
        }
    }
    for _ in 0..20 {
        let key = keys[draw(keys.len() as i32)];
        if Some(key) != player {
            world.remove(key);
        }
    }
    world.sweep();
    if let Some(player) = player.and_then(|key| world.get_mut(key)) {
        player.under_surface = if draw(4) == 0 { 2 } else { 0 };
    }
}

/// Everything that can be seen of a run; `interfere` acts before each update.
fn run(threads: usize, interfere: impl Fn(&mut Runtime, u64)) -> Vec<(soup386::world::World, Vec<String>)> {
    let mut runtime = crowd(threads);
    let mut random = Random(7);
    let mut seen = Vec::new();
    for tick in 0..UPDATES {
        disturb(&mut runtime, &mut random);
        interfere(&mut runtime, tick);
        runtime.update().expect("an update");
        let publication = runtime.publication();
        let lines = vec![
            format!("{:?}", publication.poses()),
            format!("{:?}", publication.attachments()),
            format!("{:?}", publication.events()),
        ];
        seen.push((runtime.world().clone(), lines));
    }
    seen
}

#[track_caller]
fn agrees_on_any_number(interfere: impl Fn(&mut Runtime, u64)) {
    let one = run(1, &interfere);
    for threads in [2, 3, 8] {
        for (tick, (one, several)) in one.iter().zip(run(threads, &interfere)).enumerate() {
            assert!(*one == several, "update {tick} differs on {threads} threads");
        }
    }
    let kinds = [EventKind::Drawn, EventKind::Sheathed];
    for kind in kinds {
        let is_seen = one.iter().any(|(world, _)| world.events.iter().any(|event| event.kind == kind));
        assert!(is_seen, "{kind:?} happens, or the test shows little");
    }
}

/// Rules U4, U6, U7: no actor has a script stage, so whole updates are shared out.
#[test]
fn a_crowd_without_scripts() {
    agrees_on_any_number(|_, _| {});
}

/// Tasks of one actor in the middle look at and change others: only the presentation is shared out.
#[test]
fn a_crowd_with_a_task_in_the_middle() {
    agrees_on_any_number(|runtime, tick| {
        let key = runtime.world().key_at(3_000).expect("a live actor");
        let name = runtime.world().name_of(key).expect("a name").to_owned();
        if tick % 5 == 0 {
            call(runtime, &name, "wait", &[3]);
        }
    });
}

/// Stages that follow each other for each actor alone raise their events in the order of the stages all the same: the
/// presentations of all actors, the player's check, the ordinary updates.
#[test]
fn events_stand_in_the_order_of_the_stages() {
    let order = |with_task: bool| {
        let mut runtime = yard::yard();
        runtime.update().expect("an update");
        for name in ["CYRUS", "GUARD"] {
            yard::edit(&mut runtime, name, |actor| actor.extra_flag = 20);
        }
        if with_task {
            // A task on the first actor makes every stage go over all actors before the next one begins.
            call(&mut runtime, "CYRUS", "wait", &[100]);
        }
        let mut seen = Vec::new();
        for tick in 0..12 {
            if tick == 6 {
                yard::set_attribute(&mut runtime, "CYRUS", 23, 0);
            }
            runtime.update().expect("an update");
            let events = runtime.drain_events();
            seen.push(events.into_iter().map(|event| format!("{event:?}")).collect::<Vec<_>>());
        }
        seen
    };
    assert_eq!(order(false), order(true));
}
