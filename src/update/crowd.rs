//! The stages over all actors, in one pass where they can be, and on several threads.
//!
//! Presentation, what follows from it, and the ordinary update go over the whole world one after the other (rules U4,
//! U6, U7). An actor without script and tasks touches only itself in them, so for it they may follow each other at
//! once. What each stage raised is kept apart and joined in the order of the rules, so no order of work can be seen.

use std::{panic, thread};

use super::phases;
use crate::{
    defs::{Defs, ItemId},
    natives::drop_item,
    weapon::{self, Conditions},
    world::{Actor, Event, World},
};

/// Fewest actors that are worth another thread: starting one costs about as much as updating some hundred.
const PART: usize = 2048;

/// What the stages of one part of the world raised, and what is left to do for it.
#[derive(Default)]
pub(super) struct Raised {
    presentation: Vec<Event>,
    used_up: Vec<ItemId>,
    ordinary: Vec<Event>,
    /// How many ordinary events come before those of the player, whose update waits for the weapon check.
    before_player: Option<usize>,
}

/// What actors without script stage are updated with.
#[derive(Clone, Copy)]
struct Stages<'a> {
    defs: &'a Defs,
    conditions: Conditions,
    /// The update's index and the time that a torch burns.
    torch: (u64, i32),
}

/// Brings every actor through presentation and check, and those before the first one with a script stage through the
/// ordinary update too. Returns the place of that first one.
pub(super) fn run(defs: &Defs, world: &mut World, n_threads: usize, raised: &mut Vec<Raised>) -> usize {
    let torch = (world.clock.tick, world.torch_time);
    let stages = Stages { defs, conditions: Conditions::ordinary(world), torch };
    let n_parts = n_threads.min(world.n_places() / PART).max(1);
    raised.resize_with(n_parts.max(raised.len()), Raised::default);
    let actors = world.actors_and_events().0;
    let is_alone = |actor: &Actor| !phases::has_script_stage(defs.actor(actor.def), actor);
    let n_done = if n_parts == 1 {
        stages.all(actors, &mut raised[0])
    } else if actors.iter().all(is_alone) {
        in_parts(actors, &mut raised[..n_parts], |part, raised| {
            stages.all(part, raised);
        });
        actors.len()
    } else {
        0
    };
    in_parts(&mut actors[n_done..], &mut raised[..n_parts], |part, raised| {
        part.iter_mut().for_each(|actor| stages.present(actor, raised));
    });
    stages.join(world, raised);
    n_done
}

/// Runs `work` on equal parts, the first on this thread. A panic in any of them is passed on once all have ended.
fn in_parts(actors: &mut [Actor], raised: &mut [Raised], work: impl Fn(&mut [Actor], &mut Raised) + Sync) {
    let length = actors.len().div_ceil(raised.len()).max(1);
    let mut parts = actors.chunks_mut(length).zip(raised);
    let Some((first, its_raised)) = parts.next() else { return };
    // A scope of threads takes memory even when it starts none.
    if parts.len() == 0 {
        return work(first, its_raised);
    }
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = parts.map(|(part, raised)| scope.spawn(move || work(part, raised))).collect();
        work(first, its_raised);
        for other in others {
            if let Err(payload) = other.join() {
                panic::resume_unwind(payload);
            }
        }
    });
}

impl Stages<'_> {
    /// Presentation and ordinary update up to the first actor with a script stage, whose place is returned.
    fn all(self, actors: &mut [Actor], raised: &mut Raised) -> usize {
        let n_actors = actors.len();
        for (place, actor) in actors.iter_mut().enumerate() {
            if phases::has_script_stage(self.defs.actor(actor.def), actor) {
                return place;
            }
            self.present(actor, raised);
            if actor.player {
                raised.before_player = Some(raised.ordinary.len());
            } else {
                self.update(actor, &mut raised.ordinary);
            }
        }
        n_actors
    }

    fn present(self, actor: &mut Actor, raised: &mut Raised) {
        let events = &mut raised.presentation;
        let used_up = phases::present(self.defs, actor, self.conditions, self.torch, events);
        raised.used_up.extend(used_up);
    }

    fn update(self, actor: &mut Actor, events: &mut Vec<Event>) {
        if phases::is_updated(actor) {
            phases::animate(self.defs.actor(actor.def), actor, self.conditions, events);
            weapon::maintain_combat(actor, self.conditions);
            phases::lock_axes(actor);
        }
    }

    /// What the parts raised, stage by stage, and in each stage in update order.
    fn join(self, world: &mut World, raised: &mut [Raised]) {
        raised.iter_mut().for_each(|raised| world.events.append(&mut raised.presentation));
        for torch in raised.iter_mut().flat_map(|raised| raised.used_up.drain(..)) {
            drop_item(self.defs, world, torch, 1);
        }
        self.check_player_weapon(world);
        for Raised { ordinary, before_player, .. } in raised {
            if let Some(before) = before_player.take() {
                world.events.extend(ordinary.drain(..before));
                let player = world.player().and_then(|player| world.actor_and_events(player));
                if let Some((player, events)) = player {
                    self.update(player, events);
                }
            }
            world.events.append(ordinary);
        }
    }

    /// Rule U6.
    fn check_player_weapon(self, world: &mut World) {
        let Some(player) = world.player() else { return };
        if let Some((player, items, events)) = world.actor_items_and_events(player) {
            // What it finds is not a refused call, so nobody is told.
            let _ = weapon::check_player_weapon(self.defs, items, player, self.conditions, events);
        }
    }
}
