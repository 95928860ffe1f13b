//! Whole draws and sheaths: calls at every moment, many cycles, an actor that goes in the middle of one.

use soup386::{
    defs::Scene,
    natives::CallError,
    trace::Row,
    update::Runtime,
    world::{EventKind, World},
};

use super::{
    support::{actor, call, updates},
    yard::{admits, refusal, shown, yard},
};

/// Frames of groups 91 and 129 in the yard; each lasts one update.
const DRAW_UPDATES: u32 = 4;
const SHEATH_UPDATES: u32 = 3;

/// CYRUS with the sword in his hand and no cooldown.
fn drawn() -> Runtime {
    let mut runtime = yard();
    admits(&mut runtime, "CYRUS", "DrawSword", &[]);
    updates(&mut runtime, 10);
    assert_eq!(shown(&runtime, "CYRUS"), "hand");
    runtime
}

/// W1, W2, W10, W12, W14: a draw is refused for as long as the sheath lasts and says why; the sheath goes on; a draw
/// after it works. No motion state of the two stays longer than its group and two updates.
#[test]
fn a_draw_during_a_sheath_is_refused_and_a_later_one_works() {
    for called_at in 0..=SHEATH_UPDATES + 2 {
        let mut runtime = drawn();
        admits(&mut runtime, "CYRUS", "SheathSword", &[]);
        let (mut in_20, mut in_21) = (0, 0);
        let mut count = |runtime: &mut Runtime, n: u32| {
            for _ in 0..n {
                updates(runtime, 1);
                match actor(runtime, "CYRUS").extra_flag {
                    20 => in_20 += 1,
                    21 => in_21 += 1,
                    _ => {}
                }
            }
        };
        count(&mut runtime, called_at);
        let sheathing = call(&mut runtime, "CYRUS", "IsSheathingSword", &[]);
        assert_eq!(sheathing, i32::from(called_at < SHEATH_UPDATES), "update {called_at}");
        call(&mut runtime, "CYRUS", "DrawSword", &[]);
        if sheathing == 1 {
            let why = refusal(&runtime, "CYRUS");
            assert!(why.starts_with("drawsword refused: the sword is being put away (extra_flag = 21"), "{why}");
            count(&mut runtime, 20);
            assert_eq!((shown(&runtime, "CYRUS"), actor(&runtime, "CYRUS").weapon_drawn), ("hilt", 0));
            admits(&mut runtime, "CYRUS", "DrawSword", &[]);
        } else {
            assert_eq!(refusal(&runtime, "CYRUS"), "", "update {called_at}");
        }
        count(&mut runtime, 20);
        assert_eq!((shown(&runtime, "CYRUS"), actor(&runtime, "CYRUS").weapon_drawn), ("hand", 1));
        assert!(in_20 <= DRAW_UPDATES + 2 && in_21 <= SHEATH_UPDATES + 2, "20: {in_20}, 21: {in_21}");
        assert_eq!((in_20, in_21), (2, 2), "the thresholds are 2");
    }
}

/// The trace of an actor without its update index.
fn timeless(runtime: &Runtime, name: &str) -> serde_json::Value {
    let row = Row::new(&runtime.engine().defs, actor(runtime, name), 0);
    serde_json::to_value(row).expect("a row is JSON")
}

/// One cycle: draw, 30 updates, sheathe, 90 updates, which is time for any cooldown.
fn cycle(runtime: &mut Runtime, name: &str) -> Vec<serde_json::Value> {
    let mut rows = Vec::new();
    for (function, n) in [("DrawSword", 30), ("SheathSword", 90)] {
        admits(runtime, name, function, &[]);
        for _ in 0..n {
            updates(runtime, 1);
            assert!(["hilt", "hilt_grip", "hand"].contains(&shown(runtime, name)));
            rows.push(timeless(runtime, name));
        }
    }
    rows
}

/// W10, W12, W14: fifty draws and sheaths are all alike; something is shown in every update.
#[test]
fn fifty_cycles_repeat() {
    let demo = Runtime::new(Scene::demo()).expect("the demo is valid");
    for (mut runtime, name) in [(yard(), "CYRUS"), (yard(), "GUARD"), (demo, "CYRUS")] {
        let first = cycle(&mut runtime, name);
        let shown = |state: &str| first.iter().filter(|row| row["shown"] == state).count();
        assert!(shown("hand") > 0 && shown("hilt_grip") > 0 && shown("hilt") > 0);
        for k in 2..=50 {
            assert!(cycle(&mut runtime, name) == first, "{name}: cycle {k} differs from the first");
        }
    }
}

/// U10, X16: an actor removed in the middle of its draw leaves nothing: neither state nor tasks pass to a new one of
/// its name, and the old key says when it was removed.
#[test]
fn an_actor_removed_in_mid_draw_leaves_nothing() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "DrawSword", &[]);
    call(&mut runtime, "GUARD", "Wait", &[100]);
    updates(&mut runtime, 2);
    let old = runtime.world().named("GUARD").expect("GUARD");
    assert_eq!((actor(&runtime, "GUARD").extra_flag, shown(&runtime, "GUARD")), (20, "hilt"));
    assert!(runtime.engine_mut().world.remove(old));
    let removed = runtime.call(old, "DrawSword", &[]).expect_err("the actor is gone");
    let text = "the actor GUARD was removed in update 1; test a handle with valid() before using it";
    assert_eq!(removed.to_string(), text);
    let def = runtime.engine().defs.actor_named("GUARD").expect("the record stays");
    let new = runtime.engine_mut().spawn(def, "GUARD").expect("the name is free");
    assert_ne!(old, new);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((guard.extra_flag, guard.weapon_drawn, guard.attachment), (0, 0, None));
    assert!(guard.tasks.is_empty());
    assert_eq!((guard.playback.current, guard.playback.real_frame, guard.cold.id), (0, 0, 38));
    updates(&mut runtime, 20);
    assert_eq!((shown(&runtime, "GUARD"), actor(&runtime, "GUARD").weapon_drawn), ("hilt", 0), "nobody drew it");
    assert_eq!(runtime.call(old, "DrawSword", &[]).expect_err("still gone").to_string(), text);
    assert!(matches!(runtime.engine().stale(old), CallError::ActorRemoved { tick: 1, .. }));
    let order: Vec<_> = runtime.world().actors().map(|actor| actor.cold.name.to_string()).collect();
    assert_eq!(order, ["CYRUS", "STONE", "GUARD"], "a new actor is last");
    admits(&mut runtime, "GUARD", "DrawSword", &[]);
    updates(&mut runtime, 5);
    assert_eq!(shown(&runtime, "GUARD"), "hand");
    let about_old = |event: &soup386::world::Event| event.actor == old && event.kind != EventKind::Spawned;
    assert!(!runtime.world().events.iter().any(about_old), "no event of the old actor");
}

fn copy(world: &World) -> World {
    let text = serde_json::to_string(world).expect("a world is JSON");
    serde_json::from_str(&text).expect("a world comes back")
}

/// W12, K3, S4: a world in mid draw, with tasks, displays and removed actors, comes back equal from JSON and from a
/// clone, and continues identically.
#[test]
fn a_world_comes_back_from_json_and_continues_identically() {
    let mut original = yard();
    admits(&mut original, "CYRUS", "DrawSword", &[]);
    admits(&mut original, "GUARD", "beginCombat", &[]);
    for (function, args) in [("Wait", &[40][..]), ("PushAnimation", &[8, 2]), ("WaitAnimFrame", &[8, 30])] {
        call(&mut original, "GUARD", function, args);
    }
    let stone = original.world().named("STONE").expect("STONE");
    assert!(original.engine_mut().world.remove(stone));
    updates(&mut original, 2);
    admits(&mut original, "CYRUS", "DisplayHandModel", &[1, 7, 8, 9]);
    call(&mut original, "CYRUS", "Rnd", &[6]);
    call(&mut original, "CYRUS", "SheathSword", &[]);
    let mut restored = Runtime::new(Scene::demo()).expect("the demo is valid");
    *restored.engine_mut() = soup386::natives::Engine::new(&super::support::scene(&super::yard::scene("")));
    restored.engine_mut().world = copy(original.world());
    assert_eq!(restored.world(), original.world());
    let mut cloned = original.world().clone();
    assert_eq!(cloned, *original.world());
    cloned.random.draw();
    assert_ne!(cloned, *original.world(), "comparison sees the random state");
    let lines = |runtime: &Runtime| soup386::trace::lines(&runtime.engine().defs, runtime.world(), true);
    for _ in 0..60 {
        updates(&mut original, 1);
        updates(&mut restored, 1);
        assert_eq!(lines(&restored), lines(&original));
        assert_eq!(restored.world(), original.world());
    }
    assert_eq!(actor(&restored, "CYRUS").weapon_drawn, 1, "the draw went on");
    let old = restored.engine().stale(stone);
    assert_eq!(old, original.engine().stale(stone), "the removal is remembered");
}
