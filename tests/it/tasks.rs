//! Task slots and the natives that live in them.

use std::sync::{Arc, Mutex};

use soup386::{
    defs::{NativeId, functions},
    natives::{Call, CallRequest, Called, Dispatch, Handler},
    update::Runtime,
    world::{Actor, Args, CallSite, NewTask, Task},
};

use super::{
    support::{actor, call, property, runtime, updates},
    yard::{admits, edit, refusal, refuses, scene, yard},
};

fn native(name: &str) -> NativeId {
    functions().named(name).expect("a function of this name")
}

fn call_at(
    runtime: &mut Runtime,
    name: &str,
    function: &str,
    args: &[i32],
    dispatch: Dispatch,
    site: CallSite,
) -> Called {
    let receiver = runtime.world().named(name).expect("an actor of this name");
    let request = CallRequest { receiver, native: native(function), args: Args::ints(args), dispatch, site };
    runtime.engine_mut().call(request).expect("the receiver lives")
}

fn task(runtime: &mut Runtime, function: &str, args: &[i32]) -> Option<u64> {
    call_at(runtime, "GUARD", function, args, Dispatch::Task, CallSite::Host).task
}

fn multitask(runtime: &mut Runtime, function: &str, args: &[i32]) -> Option<u64> {
    call_at(runtime, "GUARD", function, args, Dispatch::Multitask, CallSite::Host).task
}

/// What one run of a task's handler returns: 1 is active, 0 is done.
fn as_function(runtime: &mut Runtime, name: &str, function: &str, args: &[i32]) -> i32 {
    call_at(runtime, name, function, args, Dispatch::Function, CallSite::Host).value
}

fn tasks(runtime: &Runtime) -> &[Task] {
    actor(runtime, "GUARD").tasks.running()
}

fn slots(runtime: &Runtime) -> Vec<u8> {
    tasks(runtime).iter().map(|task| task.slot).collect()
}

/// Gives `function` this handler.
fn bind(runtime: &mut Runtime, function: &str, handler: impl Fn(&mut Call<'_>) -> i32 + Send + Sync + 'static) {
    let engine = runtime.engine_mut();
    let mut natives = (*engine.natives).clone();
    assert!(natives.bind(function, Handler::Host(Arc::new(handler))).is_ok());
    engine.natives = Arc::new(natives);
}

/// First argument and elapsed time of each run.
type Runs = Arc<Mutex<Vec<(i32, i32)>>>;

/// Binds Guard to a handler that notes its runs and stays active while its second argument is not 0.
fn noting(runtime: &mut Runtime) -> Runs {
    let runs = Runs::default();
    let noted = Arc::clone(&runs);
    bind(runtime, "Guard", move |call| {
        noted.lock().expect("no test panicked").push((call.int(0), call.elapsed));
        (call.int(1) != 0).into()
    });
    runs
}

fn taken(runs: &Runs) -> Vec<(i32, i32)> {
    std::mem::take(&mut runs.lock().expect("no test panicked"))
}

/// K1: the handler runs once with elapsed 0, then the slot is taken with counter 1, whatever it returned.
#[test]
fn a_task_call_runs_once_and_takes_a_slot() {
    for (dispatch, blocking) in [(Dispatch::Task, true), (Dispatch::Multitask, false), (Dispatch::Declared, true)] {
        for active in [0, 1] {
            let mut runtime = yard();
            let runs = noting(&mut runtime);
            let called = call_at(&mut runtime, "GUARD", "Guard", &[7, active, 0], dispatch, CallSite::Host);
            assert_eq!(called.value, 0);
            assert_eq!(taken(&runs), [(7, 0)]);
            let [task] = tasks(&runtime) else { panic!("one task") };
            assert_eq!((task.slot, task.counter, task.blocking, task.paused), (0, 1, blocking, false));
            updates(&mut runtime, 1);
            assert_eq!(tasks(&runtime).len(), active as usize, "a done task leaves in the next pass");
        }
    }
}

/// K1: the lowest free slot of six is taken.
#[test]
fn the_lowest_free_slot_is_taken() {
    let mut runtime = yard();
    let serials: Vec<_> = (0..4).map(|_| task(&mut runtime, "Wait", &[9]).expect("a slot")).collect();
    edit(&mut runtime, "GUARD", |actor| {
        assert!(actor.tasks.stop(serials[1]) && actor.tasks.stop(serials[2]));
    });
    for _ in 0..3 {
        task(&mut runtime, "Wait", &[9]);
    }
    assert_eq!(slots(&runtime), [0, 3, 1, 2, 4]);
}

/// K2: a call on another actor takes a slot of the receiver; with all six taken the handler runs once, there is no slot
/// and a diagnostic.
#[test]
fn a_seventh_task_runs_once_without_a_slot() {
    let mut runtime = yard();
    let runs = noting(&mut runtime);
    for _ in 0..6 {
        assert!(task(&mut runtime, "Wait", &[9]).is_some());
    }
    assert!(actor(&runtime, "CYRUS").tasks.is_empty(), "the receiver owns them");
    assert_eq!(task(&mut runtime, "Guard", &[5, 1, 0]), None);
    assert_eq!(taken(&runs), [(5, 0)]);
    assert_eq!(refusal(&runtime, "GUARD"), "guard refused: all six task slots are occupied; the call ran once");
    updates(&mut runtime, 1);
    assert_eq!(taken(&runs), []);
    assert_eq!(slots(&runtime), [0, 1, 2, 3, 4, 5]);
}

/// K3: each pass runs every task once, oldest allocation first; paused ones are skipped and do not count.
#[test]
fn a_pass_runs_the_oldest_task_first_and_skips_paused_ones() {
    let mut runtime = yard();
    let runs = noting(&mut runtime);
    let first = task(&mut runtime, "Guard", &[1, 1, 0]).expect("a slot");
    task(&mut runtime, "Guard", &[2, 1, 0]);
    let third = multitask(&mut runtime, "Guard", &[3, 1, 0]).expect("a slot");
    edit(&mut runtime, "GUARD", |actor| assert!(actor.tasks.stop(first)));
    task(&mut runtime, "Guard", &[4, 1, 0]);
    assert_eq!(slots(&runtime), [1, 2, 0]);
    taken(&runs);
    updates(&mut runtime, 1);
    assert_eq!(taken(&runs), [(2, 1), (3, 1), (4, 1)], "not in slot order");
    edit(&mut runtime, "GUARD", |actor| actor.tasks.get_mut(third).expect("it runs").paused = true);
    updates(&mut runtime, 2);
    assert_eq!(taken(&runs), [(2, 2), (4, 2), (2, 3), (4, 3)]);
    edit(&mut runtime, "GUARD", |actor| actor.tasks.get_mut(third).expect("it runs").paused = false);
    updates(&mut runtime, 1);
    assert_eq!(taken(&runs), [(2, 4), (3, 2), (4, 4)], "a paused task's time stands still");
}

/// K3: a task that starts during a pass waits for the next one; one that is stopped during a pass no longer runs.
#[test]
fn a_pass_runs_the_tasks_that_it_found() {
    let mut runtime = yard();
    let runs = noting(&mut runtime);
    bind(&mut runtime, "Animal", |call| {
        if call.elapsed == 1 {
            let site = CallSite::Host;
            let args = Args::ints(&[9, 1]);
            let native = functions().named("Guard").expect("a function");
            let task = NewTask { native, args, operands: None, scratch: [0; 4], blocking: true, site };
            let tasks = &mut call.actor_mut().tasks;
            assert!(tasks.allocate(task).is_some() && tasks.stop(1));
        }
        1
    });
    task(&mut runtime, "Animal", &[0, 0]);
    task(&mut runtime, "Guard", &[5, 1, 0]);
    taken(&runs);
    updates(&mut runtime, 1);
    assert_eq!(taken(&runs), []);
    updates(&mut runtime, 1);
    assert_eq!(taken(&runs), [(9, 1)]);
}

/// Elapsed times of successive passes, from a counter.
fn elapsed_times(frame_scale: u32, counter: u16, n: u32) -> Vec<i32> {
    let mut runtime =
        runtime(&scene("").replace("soup386 = 1", &format!("soup386 = 1\nclock.frame_scale = {frame_scale}")));
    let runs = noting(&mut runtime);
    let serial = task(&mut runtime, "Guard", &[0, 1, 0]).expect("a slot");
    edit(&mut runtime, "GUARD", |actor| actor.tasks.get_mut(serial).expect("it runs").counter = counter);
    taken(&runs);
    updates(&mut runtime, n);
    taken(&runs).into_iter().map(|(_, elapsed)| elapsed).collect()
}

/// U1, K3: elapsed = (counter × scale mod 2^32) >> 8, unsigned; the counter is a wrapping word.
#[test]
fn elapsed_time_is_counter_times_scale() {
    assert_eq!(elapsed_times(256, 1, 4), [1, 2, 3, 4]);
    // 384 is one and a half updates: 1.5, 3, 4.5, 6.
    assert_eq!(elapsed_times(384, 1, 4), [1, 3, 4, 6]);
    assert_eq!(elapsed_times(100, 1, 6), [0, 0, 1, 1, 1, 2]);
    assert_eq!(elapsed_times(256, 65534, 4), [65534, 65535, 0, 1]);
    // 2 × (2^31 − 1) = 2^32 − 2, whose upper 24 bits are 2^24 − 1: a signed shift would give −1.
    // 3 × (2^31 − 1) = 2^32 + 2^31 − 3, which wraps to 2^31 − 3.
    assert_eq!(elapsed_times(2_147_483_647, 1, 3), [8_388_607, 16_777_215, 8_388_607]);
}

/// K3: a run in a pass is not a call: the reason of the last call stays, even where elapsed time still rounds to 0.
#[test]
fn a_pass_leaves_the_reason_of_the_last_call() {
    let mut runtime = runtime(&scene("").replace("soup386 = 1", "soup386 = 1\nclock.frame_scale = 100"));
    call(&mut runtime, "STONE", "PushAnimation", &[1, 1]);
    assert_eq!(refusal(&runtime, "STONE"), "pushanimation refused: the actor has no animation state");
    let text = "handitem refused: no item has this id (item = 99)";
    refuses(&mut runtime, "STONE", "HandItem", &[99], text);
    updates(&mut runtime, 1);
    assert!(actor(&runtime, "STONE").tasks.is_empty(), "the pass refused again and was done");
    assert_eq!(refusal(&runtime, "STONE"), text);
}

/// K4: a site that owns a slot on the receiver is not executed again; another receiver, another site and the host are.
#[test]
fn a_site_is_not_executed_while_it_owns_a_slot() {
    let mut runtime = yard();
    let runs = noting(&mut runtime);
    let site = |line| CallSite::Line { script: 1, line, native: native("Guard") };
    let at = |runtime: &mut Runtime, name: &str, site| {
        let called = call_at(runtime, name, "Guard", &[1, 0, 0], Dispatch::Task, site);
        (called.task, taken(&runs).len())
    };
    assert_eq!(at(&mut runtime, "GUARD", site(3)), (Some(0), 1));
    edit(&mut runtime, "GUARD", |actor| actor.tasks.get_mut(0).expect("it runs").paused = true);
    assert_eq!(at(&mut runtime, "GUARD", site(3)), (Some(0), 0), "paused or not");
    assert_eq!(at(&mut runtime, "CYRUS", site(3)), (Some(0), 1), "another receiver");
    assert_eq!(at(&mut runtime, "GUARD", site(4)), (Some(1), 1), "another line");
    assert_eq!(at(&mut runtime, "GUARD", CallSite::Host), (Some(2), 1));
    assert_eq!(at(&mut runtime, "GUARD", CallSite::Host), (Some(3), 1), "the host's calls are always new");
    edit(&mut runtime, "GUARD", |actor| assert!(actor.tasks.stop(0)));
    assert_eq!(at(&mut runtime, "GUARD", site(3)), (Some(4), 1), "a freed site is executed again");
}

/// Updates until a lone task of GUARD is gone, up to 20.
fn lasts(function: &str, args: &[i32]) -> Option<u32> {
    let mut runtime = yard();
    task(&mut runtime, function, args);
    (1..=20).find(|_| {
        updates(&mut runtime, 1);
        tasks(&runtime).is_empty()
    })
}

/// K5: Wait(n) is active while elapsed < n − 1, signed and wrapping.
#[test]
fn wait_lasts_n_minus_1_updates() {
    for (n, updates) in [(0, 1), (1, 1), (2, 1), (3, 2), (5, 4), (10, 9), (-7, 1)] {
        assert_eq!(lasts("Wait", &[n]), Some(updates), "Wait({n})");
    }
    assert_eq!(lasts("Wait", &[i32::MIN]), None, "−2147483648 − 1 wraps to 2147483647");
}

/// Slots after each of `n` updates.
fn occupied(runtime: &mut Runtime, n: u32) -> Vec<Vec<u8>> {
    let slots = |_| {
        updates(runtime, 1);
        slots(runtime)
    };
    (0..n).map(slots).collect()
}

/// K5: WaitOnTasks is active while more than one unpaused slot is occupied, its own included.
#[test]
fn waitontasks_waits_until_it_is_alone() {
    // Wait(3) goes in the second pass; a wait after it sees that at once, one before it a pass later.
    let mut runtime = yard();
    multitask(&mut runtime, "Wait", &[3]);
    task(&mut runtime, "WaitOnTasks", &[]);
    assert_eq!(occupied(&mut runtime, 2), [vec![0, 1], vec![]]);
    let mut runtime = yard();
    task(&mut runtime, "WaitOnTasks", &[]);
    task(&mut runtime, "Wait", &[3]);
    assert_eq!(occupied(&mut runtime, 3), [vec![0, 1], vec![0], vec![]]);
    let mut runtime = yard();
    let paused = task(&mut runtime, "Wait", &[3]).expect("a slot");
    edit(&mut runtime, "GUARD", |actor| actor.tasks.get_mut(paused).expect("it runs").paused = true);
    task(&mut runtime, "WaitOnTasks", &[]);
    assert_eq!(occupied(&mut runtime, 1), [vec![0]], "a paused task is not waited for");
}

/// K5: WaitNonMulti counts blocking slots only.
#[test]
fn waitnonmulti_does_not_wait_for_multitasks() {
    let mut runtime = yard();
    multitask(&mut runtime, "Wait", &[9]);
    task(&mut runtime, "WaitNonMulti", &[]);
    assert_eq!(occupied(&mut runtime, 1), [vec![0]]);
    let mut runtime = yard();
    task(&mut runtime, "Wait", &[3]);
    task(&mut runtime, "WaitNonMulti", &[]);
    assert_eq!(occupied(&mut runtime, 2), [vec![0, 1], vec![]]);
}

fn loop_count(runtime: &Runtime) -> i32 {
    property(runtime, "GUARD", "anim.loop_count")
}

/// K6: the run that asks for the group does not set the loop countdown, even if the group starts at once; the next one
/// does; the task is done when the group is over. Derivation: group 18 shows one frame and loops; the countdown of 3,
/// set in the first update, is taken down by the loop command in each of the next three.
#[test]
fn pushanimation_plays_a_group_a_number_of_times() {
    let mut runtime = yard();
    task(&mut runtime, "PushAnimation", &[18, 3]);
    assert_eq!((property(&runtime, "GUARD", "anim.current"), loop_count(&runtime)), (18, 0));
    let mut counts = Vec::new();
    for _ in 0..3 {
        updates(&mut runtime, 1);
        assert_eq!(slots(&runtime), [0]);
        counts.push(loop_count(&runtime));
    }
    assert_eq!(counts, [3, 2, 1]);
    updates(&mut runtime, 1);
    assert_eq!((property(&runtime, "GUARD", "anim.current"), slots(&runtime)), (0, vec![]));
}

/// K6: a first run that finds its group current sets the countdown at once; only the low byte is stored.
#[test]
fn pushanimation_of_the_current_group_sets_the_countdown_at_once() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "PlayAnimation", &[18, 0]);
    task(&mut runtime, "PushAnimation", &[18, 0x105]);
    assert_eq!(loop_count(&runtime), 5);
}

/// K6: a missing group never becomes current: the task asks again in each pass, which restarts the default.
#[test]
fn pushanimation_of_a_missing_group_asks_forever() {
    // The second number is group 18 to whoever narrows it to 16 bits.
    for group in [60, 65536 + 18] {
        let mut runtime = yard();
        task(&mut runtime, "PushAnimation", &[group, 3]);
        for _ in 0..10 {
            updates(&mut runtime, 1);
            assert_eq!(slots(&runtime), [0]);
            let read = |name: &str| property(&runtime, "GUARD", name);
            assert_eq!((read("anim.current"), read("anim.real_frame"), loop_count(&runtime)), (0, 0, 0));
        }
    }
    let mut idle = yard();
    updates(&mut idle, 10);
    assert!(property(&idle, "GUARD", "anim.real_frame") > 0, "undisturbed the default goes on");
}

/// K6: without animation state the task is done, with a diagnostic.
#[test]
fn pushanimation_without_animation_state_is_done() {
    let mut runtime = yard();
    assert_eq!(as_function(&mut runtime, "STONE", "PushAnimation", &[0, 1]), 0);
    assert_eq!(refusal(&runtime, "STONE"), "pushanimation refused: the actor has no animation state");
}

/// WaitAnimFrame's answer on GUARD: 1 waits, 0 is done.
fn waits(group: i32, frame: i32, set: impl FnOnce(&mut Actor)) -> i32 {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", set);
    as_function(&mut runtime, "GUARD", "WaitAnimFrame", &[group, frame])
}

/// K7: done when neither group matches; active while only the pending one does; on the current one done from the frame
/// on. Nothing is narrowed.
#[test]
fn waitanimframe_waits_for_a_frame_of_its_group() {
    let playing = |real_frame| {
        move |actor: &mut Actor| {
            (actor.playback.current, actor.playback.pending, actor.playback.real_frame) = (91, 8, real_frame);
        }
    };
    for (group, frame, real_frame, expected) in [
        (91, 2, 1, 1),
        (91, 2, 2, 0),
        (91, 2, 200, 0),
        (91, 300, 255, 1),
        (91, -1, 0, 0),
        (8, 0, 9, 1),
        (18, 9, 0, 0),
        (65536 + 91, 9, 0, 0),
        (65536 + 8, 9, 0, 0),
    ] {
        let answer = waits(group, frame, playing(real_frame));
        assert_eq!(answer, expected, "WaitAnimFrame({group}, {frame}) at {real_frame}");
    }
    let both = |actor: &mut Actor| {
        (actor.playback.current, actor.playback.pending, actor.playback.real_frame) = (91, 91, 5);
    };
    assert_eq!(waits(91, 5, both), 0, "the current group is tested first");
    let unanimated = |actor: &mut Actor| {
        playing(0)(actor);
        actor.animated = false;
    };
    assert_eq!(waits(91, 2, unanimated), 0);
}

/// K7: WaitPlayerAnimFrame tests the player whatever the receiver; it takes two arguments, or none, read as 0 and 0.
#[test]
fn waitplayeranimframe_tests_the_player() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| (actor.playback.current, actor.playback.real_frame) = (91, 1));
    let ask = |runtime: &mut Runtime, args: &[i32]| as_function(runtime, "GUARD", "WaitPlayerAnimFrame", args);
    assert_eq!((ask(&mut runtime, &[91, 2]), ask(&mut runtime, &[91, 1])), (1, 0));
    assert_eq!(ask(&mut runtime, &[]), 0, "neither group is 0");
    edit(&mut runtime, "CYRUS", |actor| actor.playback.pending = 0);
    assert_eq!(ask(&mut runtime, &[]), 1, "group 0 is pending");
    let player = runtime.world().player().expect("a player");
    let guard = runtime.world().named("GUARD").expect("GUARD");
    for args in [&[][..], &[91, 2]] {
        assert_eq!(runtime.call(guard, "WaitPlayerAnimFrame", args).ok(), Some(0), "{args:?}");
    }
    for args in [&[91][..], &[91, 2, 3]] {
        let error = runtime.call(guard, "WaitPlayerAnimFrame", args).expect_err("a wrong number of arguments");
        assert!(error.to_string().starts_with("waitplayeranimframe: expected no arguments, found"), "{error}");
    }
    assert!(runtime.engine_mut().world.remove(player));
    assert_eq!(ask(&mut runtime, &[91, 2]), 0, "no player");
}

/// K8: an ordinary request with the low byte of the modifier; it returns 0 and takes no slot.
#[test]
fn playanimation_is_an_ordinary_request() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "PlayAnimation", &[18, 0x102]);
    let read = |runtime: &Runtime, name: &str| property(runtime, "GUARD", name);
    assert_eq!((read(&runtime, "anim.current"), read(&runtime, "anim.speed")), (18, 3), "speed 1 and modifier 2");
    admits(&mut runtime, "GUARD", "PlayAnimation", &[70, -2]);
    admits(&mut runtime, "GUARD", "PlayAnimation", &[30, 0]);
    assert_eq!(
        (read(&runtime, "anim.current"), read(&runtime, "anim.next")),
        (18, 70),
        "a lower number does not replace"
    );
    assert_eq!(read(&runtime, "anim.next_speed"), 255);
    assert!(tasks(&runtime).is_empty());
}

/// K8: nothing for actors without animation state or excluded from object updates.
#[test]
fn playanimation_names_its_gates() {
    let mut runtime = yard();
    let text = "playanimation refused: the actor has no animation state";
    refuses(&mut runtime, "STONE", "PlayAnimation", &[18, 0], text);
    edit(&mut runtime, "GUARD", |actor| actor.object_excluded = true);
    let text = "playanimation refused: the actor is excluded from object updates";
    refuses(&mut runtime, "GUARD", "PlayAnimation", &[18, 0], text);
}

/// K9: KillMyTasks frees all six slots at once, paused ones too; no handler runs, the animation stays.
#[test]
fn killmytasks_frees_all_slots_without_running_them() {
    let mut runtime = yard();
    let runs = noting(&mut runtime);
    task(&mut runtime, "PushAnimation", &[18, 3]);
    for i in 1..6 {
        let serial = task(&mut runtime, "Guard", &[i, 1, 0]).expect("a slot");
        edit(&mut runtime, "GUARD", |actor| actor.tasks.get_mut(serial).expect("it runs").paused = i > 3);
    }
    taken(&runs);
    let playback = actor(&runtime, "GUARD").playback;
    assert_eq!(call(&mut runtime, "GUARD", "KillMyTasks", &[]), 0);
    assert!(tasks(&runtime).is_empty());
    assert_eq!((taken(&runs), actor(&runtime, "GUARD").playback), (vec![], playback));
    task(&mut runtime, "Wait", &[9]);
    assert_eq!(slots(&runtime), [0], "a later task finds a free slot");
}

/// K9: stopping one task leaves the others and the animation that it asked for.
#[test]
fn a_stopped_task_leaves_its_animation() {
    let mut runtime = yard();
    let pushed = task(&mut runtime, "PushAnimation", &[18, 200]).expect("a slot");
    task(&mut runtime, "Wait", &[9]);
    updates(&mut runtime, 2);
    let playback = actor(&runtime, "GUARD").playback;
    edit(&mut runtime, "GUARD", |actor| assert!(actor.tasks.stop(pushed)));
    assert_eq!((slots(&runtime), actor(&runtime, "GUARD").playback), (vec![1], playback));
    updates(&mut runtime, 3);
    assert_eq!(property(&runtime, "GUARD", "anim.current"), 18);
}

/// K10: two tasks keep their phases apart and share the animation: the second sets the countdown when it finds the
/// group, the first does not set it again.
#[test]
fn scratch_belongs_to_the_slot_and_the_animation_to_the_actor() {
    let mut runtime = yard();
    task(&mut runtime, "PushAnimation", &[18, 100]);
    updates(&mut runtime, 2);
    assert_eq!(loop_count(&runtime), 99, "started at 100 and taken down once");
    task(&mut runtime, "PushAnimation", &[18, 200]);
    assert_eq!(loop_count(&runtime), 200, "the second call finds the group current");
    updates(&mut runtime, 1);
    assert_eq!(loop_count(&runtime), 199, "neither sets it again");
    edit(&mut runtime, "GUARD", |actor| actor.playback.loop_count = 1);
    updates(&mut runtime, 1);
    assert!(tasks(&runtime).is_empty(), "both saw the group end");
}

/// K11: the action words and their timer stand still: no update counts, accepts or clears them.
#[test]
fn action_words_stand_still_between_calls() {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| {
        (actor.cold.action, actor.cold.action_flag, actor.cold.action_time) = (3, 4, 30);
    });
    updates(&mut runtime, 20);
    let cold = &actor(&runtime, "GUARD").cold;
    assert_eq!((cold.action, cold.action_flag, cold.action_time), (3, 4, 30));
}
