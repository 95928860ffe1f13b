//! Programs run: what the golden programs under tests/scenarios/programs leave open.

use std::sync::{Arc, Mutex};

use soup386::{
    defs::{ModuleSource, Scene},
    natives::{CallRequest, Dispatch, Handler, Natives},
    script::{Limits, ScriptErrorKind},
    trace::{Extras, lines_with},
    update::{Options, Runtime},
    world::{Args, CallSite, Fault, World},
};

use super::{
    program::{
        CAMERA, ENDINT, ME, PLAYER, RETURN, YIELD, actor_text, add, alone, call, end, function, gosub, goto, local,
        local_parameter, locals, multitask, named, number, property, routed, set, set_property, slots, state, task,
        text,
    },
    support::{self, actor, runtime, updates},
    yard::edit,
};

fn run(statements: &[String], program_keys: &str, n: u32) -> Runtime {
    let mut runtime = alone(statements, program_keys);
    updates(&mut runtime, n);
    assert!(runtime.drain_failures().is_empty());
    runtime
}

fn scene_of(actors: &[String]) -> String {
    format!("soup386 = 1\n{}", actors.concat())
}

fn load_fault(text: &str) -> String {
    match Scene::from_toml("test.toml", text, &ModuleSource::Nowhere) {
        Ok(_) => "the scene is valid".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Y1, Y3, Y100: a program begins with its start, its own locals, no continuation; without bytes there is none.
#[test]
fn programs_begin() {
    let runtime = alone(&[YIELD.to_owned(), YIELD.to_owned()], "start = 1\nlocals = [7, -8]");
    let begun = state(&runtime, "A");
    assert_eq!((begun.main, begun.entry, begun.ret, begun.fault), (1, Some(0), None, None));
    assert_eq!(begun.locals, [7, -8]);
    assert_eq!(state(&alone(&[YIELD.to_owned()], ""), "A").entry, None, "a program that starts at 0 has no entry");
    assert!(actor(&alone(&[], ""), "A").script.is_none());
}

/// Y2: addresses follow scene order; a base of its own moves a program and those behind it.
#[test]
fn programs_lie_behind_each_other() {
    let wait = |name: &str, keys: &str| actor_text(name, "", &[multitask(&call("Wait", &[number(99)])), end(0)], keys);
    let mut runtime =
        runtime(&scene_of(&[wait("A", ""), wait("B", ""), wait("C", "base = 4294967290"), wait("D", "")]));
    updates(&mut runtime, 1);
    let site = |name: &str| actor(&runtime, name).tasks.running()[0].site;
    let address = |address| CallSite::Program { address };
    // Each program has 14 bytes; operands stand at offset 1.
    assert_eq!(site("A"), address(1));
    assert_eq!(site("B"), address(15));
    assert_eq!(site("C"), address(u32::MAX - 4));
    assert_eq!(site("D"), address(9), "the base wraps");
}

/// Y31: slots of a host have no address: they block main and never hold entry back.
#[test]
fn host_slots_hold_back_main_alone() {
    let mut runtime = alone(&[add(0, 1), end(0), add(1, 1), end(16)], "start = 16\nlocals = [0, 0]");
    let receiver = runtime.world().named("A").expect("A");
    let native = runtime.engine().function_named("Wait").expect("Wait");
    let (args, dispatch, site) = (Args::ints(&[4]), Dispatch::Task, CallSite::Host);
    runtime.engine_mut().call(CallRequest { receiver, native, args, dispatch, site }).expect("A lives");
    updates(&mut runtime, 2);
    assert_eq!(locals(&runtime, "A"), [2, 0]);
    updates(&mut runtime, 2);
    assert_eq!(locals(&runtime, "A"), [4, 2]);
}

/// Y31: a paused or a multitask slot below the entry cursor does not hold entry back.
#[test]
fn only_unpaused_blocking_slots_hold_back_entry() {
    // 00 Wait(50) of entry, then it counts; the main body does nothing.
    let body = [task(&call("Wait", &[number(50)])), add(0, 1), end(9), YIELD.to_owned(), end(25)];
    let mut runtime = alone(&body, "start = 25\nlocals = [0]");
    updates(&mut runtime, 3);
    assert_eq!((locals(&runtime, "A")[0], state(&runtime, "A").entry), (0, Some(9)), "1 <= 9 holds");
    edit(&mut runtime, "A", |actor| actor.tasks.set_paused(0, true));
    updates(&mut runtime, 2);
    assert_eq!(locals(&runtime, "A")[0], 2);
}

/// Y34, Y35, Y39: Goto goes on in the same invocation; End and Yield leave their cursor and end it.
#[test]
fn jumps_and_ends() {
    let goes = run(&[goto(6), YIELD.to_owned(), add(0, 1), end(5)], "locals = [0]", 1);
    assert_eq!((locals(&goes, "A")[0], state(&goes, "A").main), (1, 5));
    let yields = run(&[YIELD.to_owned(), add(0, 1), YIELD.to_owned(), end(0)], "locals = [0]", 3);
    assert_eq!((locals(&yields, "A")[0], state(&yields, "A").main), (1, 0));
}

/// Y35: End takes back what was posted to channels.
#[test]
fn end_leaves_the_channels() {
    let sync = multitask(&call("SyncWithGroup", &[number(5)]));
    let keys = "attributes = { 29 = 3, 43 = 0 }";
    let posted = |last: String| {
        let actors = [actor_text("A", keys, &[sync.clone(), last], ""), format!("[[actor]]\nname = \"B\"\n{keys}\n")];
        let mut runtime = runtime(&scene_of(&actors));
        updates(&mut runtime, 1);
        actor(&runtime, "A").cold.group_channel.posted
    };
    assert_eq!(posted(YIELD.to_owned()), 133);
    assert_eq!(posted(end(0)), 0);
}

/// Y37: a second Gosub overwrites the continuation.
#[test]
fn one_continuation() {
    // 00 Gosub 0B; 05 Goto 05; 0A Yield; 0B Gosub 11; 10 Yield; 11 Return.
    let body = [gosub(11), goto(5), YIELD.to_owned(), gosub(17), YIELD.to_owned(), RETURN.to_owned()];
    let runtime = run(&body, "", 1);
    assert_eq!((state(&runtime, "A").ret, state(&runtime, "A").main), (Some(16), 17));
}

/// Y41: a fault is reported with actor, program, offset and update; nothing of the program runs again until a reset.
#[test]
fn faults_are_reported_and_can_be_reset() {
    let mut runtime = alone(&[add(0, 1), format!("0a00{}04{}00", local(0), number(0))], "locals = [5]");
    updates(&mut runtime, 1);
    let failure = runtime.drain_failures().pop().expect("a failure");
    assert_eq!(failure.kind, ScriptErrorKind::Fault);
    let text = "A program +0x0B: division by zero; the program is stopped (actor A, update 0)";
    assert_eq!(failure.to_string(), text);
    updates(&mut runtime, 2);
    assert!(runtime.drain_failures().is_empty(), "it is said once");
    assert_eq!((locals(&runtime, "A")[0], state(&runtime, "A").fault), (6, Some(Fault::Divide)));
    let key = runtime.world().named("A").expect("A");
    runtime.reset_program(key).expect("A has a program");
    assert_eq!((locals(&runtime, "A")[0], state(&runtime, "A").fault, state(&runtime, "A").main), (5, None, 0));
    updates(&mut runtime, 1);
    assert_eq!(runtime.drain_failures().len(), 1);
}

/// Y41: an actor without a program cannot be reset.
#[test]
fn nothing_to_reset() {
    let mut runtime = runtime("soup386 = 1\n[[actor]]\nname = \"A\"\n");
    let key = runtime.world().named("A").expect("A");
    assert_eq!(runtime.reset_program(key).expect_err("no program").to_string(), "the actor A has no program");
}

/// Y41: a program that faults leaves those of other actors alone.
#[test]
fn faults_stop_one_program() {
    let actors = [
        actor_text("A", "", &[goto(0)], ""),
        actor_text("B", "", &[add(0, 1), end(0)], "locals = [0]"),
        actor_text("C", "", &[YIELD.to_owned()], ""),
    ];
    let mut runtime = runtime(&scene_of(&actors));
    updates(&mut runtime, 3);
    assert_eq!(locals(&runtime, "B"), [3]);
    let faults = ["A", "B", "C"].map(|name| state(&runtime, name).fault);
    assert_eq!(faults, [Some(Fault::Budget), None, Some(Fault::End)], "C ran off its end");
}

fn with_options(text: &str, options: Options) -> Runtime {
    Runtime::with_options(support::scene(text), options).unwrap_or_else(|error| panic!("{error}"))
}

/// Y42: the budget can be set; the statement that would exceed it is not executed.
#[test]
fn the_budget_is_settable() {
    let limits = Limits { statements: 5, ..Limits::default() };
    let text = scene_of(&[actor_text("A", "", &[add(0, 1), goto(0)], "locals = [0]")]);
    let mut runtime = with_options(&text, Options { limits, ..Options::default() });
    updates(&mut runtime, 1);
    let stopped = state(&runtime, "A");
    assert_eq!((stopped.locals[0], stopped.main, stopped.fault), (3, 11, Some(Fault::Budget)));
}

/// Y41: a panic in a native of the host is the program's fault; the world stays whole.
#[test]
fn panics_stop_the_program() {
    let mut natives = Natives::default();
    let handler = |_: &mut soup386::natives::Call<'_>| panic!("on purpose");
    natives.bind("Sound", Handler::Host(Arc::new(handler))).expect("a function");
    let sound = call("Sound", &[number(1), number(2), number(3)]);
    let text = scene_of(&[actor_text("A", "", &[add(0, 1), set(1, &function(&sound))], "locals = [4, 9]")]);
    let mut runtime = with_options(&text, Options { natives: Arc::new(natives), ..Options::default() });
    updates(&mut runtime, 2);
    let failures = runtime.drain_failures();
    assert_eq!(failures.len(), 1);
    assert!(failures[0].to_string().starts_with("A program +0x0B: a native panicked: on purpose"), "{}", failures[0]);
    let stopped = state(&runtime, "A");
    assert_eq!((&stopped.locals[..], stopped.main, stopped.fault), (&[5, 9][..], 11, Some(Fault::Panic)));
}

/// Y52: statements step a property and narrow it.
#[test]
fn properties_step_and_narrow() {
    let down = set_property(ME, "torch_timer", &number(0)).replacen("14", "10", 1);
    let down = down[..down.len() - 12].to_owned();
    let runtime = run(&[down, set(0, &property(ME, "torch_timer")), YIELD.to_owned()], "locals = [0]", 1);
    assert_eq!(locals(&runtime, "A"), [255]);
}

/// Y53, Y80: parameters arrive in written order; a NumericAlt is its low half.
#[test]
fn parameters_in_written_order() {
    let attribute = call("SetAttribute", &["16c8000100".to_owned(), number(77)]);
    let runtime = run(&[function(&attribute), YIELD.to_owned()], "", 1);
    assert_eq!(actor(&runtime, "A").attribute(200), 77);
}

/// Y54, Y55: a routed call's parameters are the receiver's; a local that it does not have reads 0.
#[test]
fn locals_of_the_receiver() {
    let get = call("GetAttribute", &[local_parameter(1)]);
    let body = [set(0, &format!("19{}{get}", named(0))), YIELD.to_owned()];
    let with = |locals: &str| {
        let receiver = actor_text("B", "attributes = { 0 = 5, 9 = 6 }", &[YIELD.to_owned()], locals);
        let actors = [actor_text("A", "", &body, "strings = [\"b\"]\nlocals = [-1, 9]"), receiver];
        let mut runtime = runtime(&scene_of(&actors));
        updates(&mut runtime, 1);
        locals_of(&runtime)
    };
    assert_eq!(with("locals = [0, 9]"), 6);
    assert_eq!(with("locals = [9]"), 5, "attribute 0");
}

fn locals_of(runtime: &Runtime) -> i32 {
    locals(runtime, "A")[0]
}

/// Y56: a local that holds no string's index names nobody.
#[test]
fn locals_that_name_nobody() {
    for index in [-1, 2, i32::MAX] {
        let body = [set(0, &property("0a01", "pos.vx")), YIELD.to_owned()];
        let runtime = run(&body, &format!("strings = [\"A\", \"nobody\"]\nlocals = [5, {index}]"), 1);
        assert_eq!(locals_of(&runtime), 0);
    }
}

/// Two models, shown in the hand of an actor.
const MODELS: &str = "item_system = true\n[[model]]\nname = \"M\"\nframes = [[[0, 0, 0]]]\n[[model]]\nname = \"N\"\n\
                      frames = [[[0, 0, 0]]]\n";
const BODY: &str = "frames = [{ model = \"M\", count = 1 }]";

fn displayed(runtime: &Runtime, name: &str) -> Vec<String> {
    actor(runtime, name).displays.iter().map(|display| display.model.to_string()).collect()
}

/// Y57, Y65, Y80: a text is looked up in the strings of the program that runs; a slot's in those of its owner.
#[test]
fn texts_and_their_source() {
    let show = |index| call("DisplayHandModel", &[text(index), number(0), number(0), number(0)]);
    let a = actor_text(
        "A",
        BODY,
        &[routed(&named(1), 1, &show(0)), YIELD.to_owned(), YIELD.to_owned()],
        "strings = [\"M\", \"B\"]",
    );
    let b = actor_text("B", BODY, &[YIELD.to_owned(), YIELD.to_owned()], "strings = [\"n\"]");
    let mut runtime = runtime(&format!("soup386 = 1\n{MODELS}{a}{b}"));
    updates(&mut runtime, 1);
    // A's call shows M; the slot's pass on B looks into B's strings.
    assert_eq!(displayed(&runtime, "B"), ["M", "N"]);
}

/// Y57: a text beyond the table is an unknown name; natives that take no text get the index.
#[test]
fn texts_beyond_the_table() {
    let show = call("DisplayHandModel", &[text(7), number(0), number(0), number(0)]);
    let body = [function(&show), set(0, &function(&call("QuickRnd", &[text(0x1_ff)]))), YIELD.to_owned()];
    let a = actor_text("A", BODY, &body, "locals = [0]");
    let mut runtime = runtime(&format!("soup386 = 1\n{MODELS}{a}"));
    updates(&mut runtime, 1);
    assert!(displayed(&runtime, "A").is_empty());
    assert_eq!(locals_of(&runtime), 16838 & 255, "the low byte of the index is the mask");
}

/// Y57: the hook looks into its own actor's strings whatever ran before.
#[test]
fn the_hook_has_its_own_texts() {
    let hook = format!("hook = \"{} 04 15 00000000 07 00000000 07 00000000 07 00000000\"", "2a01");
    let a = actor_text("A", BODY, &[YIELD.to_owned(), end(0)], "strings = [\"M\"]");
    let b = actor_text("B", BODY, &[YIELD.to_owned(), end(0)], &format!("strings = [\"N\"]\n{hook}"));
    let mut runtime = runtime(&format!("soup386 = 1\n{MODELS}{a}{b}"));
    updates(&mut runtime, 1);
    assert_eq!(displayed(&runtime, "B"), ["N"]);
}

/// Y58: the player comes before others of the same namespace, these in scene order; names fold A to Z.
#[test]
fn named_objects() {
    let read = |object: &str| [set(0, &property(object, "pos.vx")), YIELD.to_owned()];
    let scene = |object: &str, player: &str| {
        let a = actor_text("A", "", &read(object), "strings = [\"gUaRd\", \"B\"]\nlocals = [0]");
        let mut text = scene_of(&[a]);
        for (name, keys) in [
            ("B", "position = [1, 0, 0]\nnamespace = \"Guard\""),
            ("GUARD", "position = [2, 0, 0]"),
            ("C", "position = [3, 0, 0]\nnamespace = \"camera\""),
        ] {
            let player = if name == player { "player = true" } else { "" };
            text += &format!("[[actor]]\nname = \"{name}\"\n{keys}\n{player}\n");
        }
        let mut runtime = runtime(&text);
        updates(&mut runtime, 1);
        locals_of(&runtime)
    };
    assert_eq!(scene(&named(0), ""), 1, "B comes first");
    assert_eq!(scene(&named(0), "GUARD"), 2, "the player before B");
    assert_eq!(scene(&named(1), ""), 0, "the namespace stands in place of the name");
    assert_eq!(scene(CAMERA, ""), 3);
    assert_eq!(scene(PLAYER, "C"), 3);
    assert_eq!(scene(PLAYER, ""), 0);
}

/// Y59: on nobody nothing is written, nothing is called and no parameter is evaluated.
#[test]
fn nobody_is_called() {
    let counted = Arc::new(Mutex::new(0));
    let mut natives = Natives::default();
    let seen = Arc::clone(&counted);
    let handler = move |_: &mut soup386::natives::Call<'_>| {
        *seen.lock().expect("a count") += 1;
        7
    };
    natives.bind("TrueFunction", Handler::Host(Arc::new(handler))).expect("a function");
    let true_ = call("TrueFunction", &[]);
    let body = [
        routed(&named(0), 0, &true_),
        routed(&named(0), 2, &true_),
        set(0, &format!("19{}{true_}", named(0))),
        set_property(&named(0), "pos.vx", &number(5)),
        // if nobody.pos.vx++ = 1 then local 1 := 1
        format!("0314{}{}0a 00 {} 00 {}", named(0), "1200", number(1), "4d000000").replace(' ', ""),
        set(1, &number(1)),
        YIELD.to_owned(),
    ];
    let lengths: usize = body[..5].iter().map(|statement| statement.len() / 2).sum();
    let body = body.map(|statement| statement.replace("4d000000", &format!("{:02x}000000", lengths + 8)));
    let text = scene_of(&[actor_text("A", "", &body, "strings = [\"nobody\"]\nlocals = [9, 0]")]);
    let mut runtime = with_options(&text, Options { natives: Arc::new(natives), ..Options::default() });
    updates(&mut runtime, 1);
    assert!(runtime.drain_failures().is_empty());
    assert_eq!(locals(&runtime, "A"), [0, 1], "the update of a missing place compares 1");
    assert_eq!(*counted.lock().expect("a count"), 0);
}

/// Y60: what programs and slots look like as properties.
#[test]
fn views_of_the_program() {
    let read = |runtime: &Runtime| {
        [
            "script_pc",
            "script_int",
            "script_return",
            "anchor",
            "script_rv",
            "task[0]",
            "task_status[0]",
            "task_timer[0]",
        ]
        .map(|name| support::property(runtime, "A", name))
    };
    assert_eq!(read(&runtime("soup386 = 1\n[[actor]]\nname = \"A\"\n")), [0; 8]);
    let body = [YIELD.to_owned(), "1707".to_owned(), gosub(8), task(&call("Wait", &[number(9)])), RETURN.to_owned()];
    let mut runtime = alone(&body, "start = 1");
    assert_eq!(read(&runtime), [1, 1, 0, 0, 0, 0, 0, 0]);
    support::set_property(&mut runtime, "A", "script_rv", 300);
    updates(&mut runtime, 1);
    assert_eq!(read(&runtime), [1, 1, 1, 7, 44, 1, 1, 1]);
    support::set_property(&mut runtime, "A", "script_pc", 0);
    assert_eq!(support::property(&runtime, "A", "script_pc"), 1, "a view");
}

/// Y61: a task's handler called as a function gives 1 while it is active, with elapsed 0 and no slot.
#[test]
fn tasks_as_functions() {
    let wait = |n| function(&call("Wait", &[number(n)]));
    let runtime = run(&[set(0, &wait(1)), set(1, &wait(2)), wait(9), YIELD.to_owned()], "locals = [5, 5]", 1);
    assert_eq!(locals(&runtime, "A"), [0, 1]);
    assert!(actor(&runtime, "A").tasks.is_empty());
}

/// Y62: a call site that owns a slot evaluates nothing and calls nothing, even while it is paused.
#[test]
fn call_sites_own_their_slots() {
    let rnd = |dispatch: fn(&str) -> String| {
        let runtime = run(&[dispatch(&call("Rnd", &[number(0)])), end(0)], "", 3);
        runtime.world().random
    };
    // Rnd draws at the call; its slot runs once more and is done, then the site is free again.
    assert_ne!(rnd(multitask), rnd(function));
    let mut paused = alone(&[multitask(&call("Wait", &[number(0)])), end(0)], "");
    updates(&mut paused, 1);
    edit(&mut paused, "A", |actor| actor.tasks.set_paused(0, true));
    updates(&mut paused, 3);
    assert_eq!(slots(actor(&paused, "A")), [(0, 1, false, true)]);
}

/// Y63: a self task ends the invocation also when no slot is free.
#[test]
fn a_task_ends_the_invocation() {
    let mut body: Vec<String> = (0..6).map(|_| multitask(&call("Wait", &[number(90)]))).collect();
    body.extend([task(&call("Wait", &[number(90)])), add(0, 1), end(63)]);
    let mut runtime = alone(&body, "locals = [0]");
    updates(&mut runtime, 1);
    assert_eq!((locals_of(&runtime), state(&runtime, "A").main, slots(actor(&runtime, "A")).len()), (0, 63, 6));
    updates(&mut runtime, 1);
    assert_eq!(locals_of(&runtime), 1);
}

/// Y64: a slot of a native that is no task runs once more, and is done when that returns 0.
#[test]
fn slots_of_functions() {
    let mut runtime = alone(&[multitask(&call("QuickRnd", &[number(1)])), YIELD.to_owned(), YIELD.to_owned()], "");
    updates(&mut runtime, 1);
    // 16838 & 1 at the call.
    assert_eq!(slots(actor(&runtime, "A")), [(0, 1, false, false)]);
    updates(&mut runtime, 1);
    assert_eq!(slots(actor(&runtime, "A")), [], "5758 & 1 = 0");
}

/// Y65: operands of a running task are evaluated again at each pass.
#[test]
fn operands_are_evaluated_again() {
    let mut runtime =
        alone(&[multitask(&call("Wait", &[local_parameter(0)])), YIELD.to_owned(), end(9)], "locals = [50]");
    updates(&mut runtime, 4);
    assert_eq!(slots(actor(&runtime, "A")).len(), 1);
    edit(&mut runtime, "A", |actor| actor.script.as_mut().expect("a program").locals[0] = 4);
    updates(&mut runtime, 1);
    assert_eq!(slots(actor(&runtime, "A")), []);
}

/// Y67: WaitOnTasks and WaitNonMulti count the receiver's slots.
#[test]
fn waits_on_tasks() {
    let wait = |name: &str| {
        let body = [multitask(&call("Wait", &[number(4)])), task(&call(name, &[])), add(0, 1), end(13)];
        let mut runtime = alone(&body, "locals = [0]");
        let mut count = Vec::new();
        for _ in 0..6 {
            updates(&mut runtime, 1);
            count.push(locals_of(&runtime));
        }
        count
    };
    assert_eq!(wait("WaitNonMulti"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(wait("WaitOnTasks"), [0, 0, 0, 1, 2, 3]);
}

/// Y70: statements read and write a flag's value and leave its latch alone.
#[test]
fn flags_as_places() {
    let double = format!("060000060000{}{}00", "03", number(2));
    let text = scene_of(&[actor_text("A", "", &[double, end(0)], "")])
        + "[[flag]]\nname = \"f\"\nkind = \"bool\"\nvalue = 3\n";
    let mut runtime = runtime(&text);
    updates(&mut runtime, 2);
    let flag = runtime.world().flags[0];
    assert_eq!((flag.value, flag.latch), (12, false));
}

/// Y71: an id outside the flags gives 0.
#[test]
fn flags_outside_the_table() {
    let runtime = run(&[set(0, &function(&call("TestGlobalFlag", &[number(4)]))), YIELD.to_owned()], "locals = [9]", 1);
    assert_eq!(locals_of(&runtime), 0);
}

/// Y81: a native without handler goes to the host; as a task it is done at the next pass.
#[test]
fn natives_of_the_host() {
    let sound = call("Sound", &[number(1), number(2), number(3)]);
    let mut runtime =
        alone(&[multitask(&sound), set(0, &function(&sound)), YIELD.to_owned(), YIELD.to_owned()], "locals = [9]");
    updates(&mut runtime, 1);
    assert_eq!((locals_of(&runtime), slots(actor(&runtime, "A")).len()), (0, 1));
    updates(&mut runtime, 1);
    assert_eq!(slots(actor(&runtime, "A")), []);
}

/// Two programs that use everything that a snapshot holds.
fn busy() -> String {
    let show = call("RotateByAxis", &[number(1), local_parameter(0), number(9)]);
    let a =
        [add(0, 3), multitask(&show), routed(&named(0), 1, &call("Wait", &[local_parameter(0)])), gosub(70), end(0)];
    let length: usize = a.iter().map(|statement| statement.len() / 2).sum();
    let mut a = a.map(|statement| statement.replace(&gosub(70), &gosub(length as i32))).to_vec();
    a.extend([set(1, &function(&call("Rnd", &[number(100)]))), RETURN.to_owned()]);
    let b = [task(&call("Wait", &[number(5)])), add(0, 1), end(0)];
    let actors =
        [actor_text("A", "", &a, "strings = [\"B\"]\nlocals = [1, 2]"), actor_text("B", "", &b, "locals = [2]")];
    scene_of(&actors) + "[[flag]]\nname = \"f\"\n"
}

fn rest(runtime: &mut Runtime, n: u32) -> String {
    let mut out = Vec::new();
    for _ in 0..n {
        updates(runtime, 1);
        out.extend(lines_with(&runtime.engine().defs, runtime.world(), Extras { events: true, scripts: true }));
    }
    String::from_utf8(out).expect("a trace")
}

/// Y82: a world that was saved while programs ran goes on as it would have.
#[test]
fn snapshots_hold_programs() {
    for taken_at in 0..12 {
        let mut runtime = runtime(&busy());
        updates(&mut runtime, taken_at);
        let saved = serde_json::to_string(&runtime.snapshot().expect("no script runs")).expect("JSON");
        let expected = rest(&mut runtime, 20);
        let mut other = support::runtime(&busy());
        let world: World = serde_json::from_str(&saved).expect("a world");
        other.restore(world).expect("the same scene");
        assert_eq!(rest(&mut other, 20), expected, "taken after {taken_at} updates");
    }
}

/// Y82: a world of other programs is refused, and so is one whose cursors lead nowhere.
#[test]
fn foreign_worlds_are_refused() {
    let mut source = runtime(&busy());
    updates(&mut source, 2);
    let world = source.snapshot().expect("a world");
    let mut other = runtime(&busy().replace("0a000a000107", "0a000a000207"));
    let error = other.restore(world.clone()).expect_err("another program").to_string();
    assert_eq!(error, "the program of A is not the one that the world was saved with");
    let mut damaged = world.clone();
    let key = damaged.named("A").expect("A");
    damaged.get_mut(key).and_then(|actor| actor.script.as_mut()).expect("a program").main = 3;
    let error = source.restore(damaged).expect_err("no statement begins at 3").to_string();
    assert!(error.contains("a cursor is not at a statement of its program"), "{error}");
    let mut fewer = world;
    fewer.get_mut(key).and_then(|actor| actor.script.as_mut()).expect("a program").locals.pop();
    assert!(source.restore(fewer).is_err());
}

/// Y100: a script and a program exclude each other; bytes are pairs of digits; a fault names its key.
#[test]
fn programs_in_scenes() {
    let program = |keys: &str| format!("soup386 = 1\n[[actor]]\nname = \"A\"\n[actor.program]\n{keys}\n");
    for (keys, reason) in [
        ("bytes = \"18 1\"", "actor[0].program.bytes: 3 hexadecimal digits are no whole bytes"),
        ("bytes = \"18 x1\"", "expected hexadecimal digits and blanks, found 'x' at character 4"),
        ("start = 0", "actor[0].program: the key \"bytes\" is missing"),
        ("bytes = \"FF\"", "actor[0].program: A at 0x00: unknown opcode 0xFF"),
        ("bytes = \"18\"\nstart = 4", "actor[0].program"),
        ("bytes = \"18\"\nbase = -1", "actor[0].program.base"),
        ("bytes = \"18\"\nstrt = 1", "unknown key; did you mean \"start\"?"),
        ("bytes = \"18\"\nlocals = [2147483648]", "actor[0].program.locals[0]"),
        ("bytes = \"0A 00 07 00000000 00\"", "local 0 of 0"),
    ] {
        let said = load_fault(&program(keys));
        assert!(said.contains(reason), "{keys}: {said}");
    }
    assert_eq!(load_fault(&program("bytes = \"\"")), "the scene is valid");
    assert_eq!(load_fault(&program("bytes = \" 1 8 \"")), "the scene is valid");
}

/// Y101: flags are numbered in their order; `value` may be a truth value; kinds are words.
#[test]
fn flags_in_scenes() {
    let text = "soup386 = 1\n[[flag]]\nname = \"a\"\nvalue = true\nkind = \"bool\"\n[[flag]]\nname = \"b\"\n";
    let runtime = runtime(text);
    let values: Vec<_> = runtime.world().flags.iter().map(|flag| (flag.value, flag.latch)).collect();
    assert_eq!(values, [(1, false), (0, false)]);
    assert!(load_fault(&format!("{text}[[flag]]\nname = \"A\"\n")).contains("another flag is already named"));
    assert!(load_fault(&text.replace("\"bool\"", "\"boolean\"")).contains("unknown flag kind"));
}

/// Y103, Y104: the keys that a trace of programs adds, in their order; the rest is as without them.
#[test]
fn traces_of_programs() {
    let text = scene_of(&[
        actor_text(
            "A",
            "",
            &[YIELD.to_owned(), task(&call("Wait", &[number(9)])), ENDINT.to_owned()],
            "start = 1\nlocals = [4]",
        ),
        "[[actor]]\nname = \"B\"\n".to_owned(),
    ]);
    let mut runtime = runtime(&(text + "[[flag]]\nname = \"f\"\nvalue = 7\n"));
    updates(&mut runtime, 1);
    let lines = |scripts| {
        let extras = Extras { events: false, scripts };
        String::from_utf8(lines_with(&runtime.engine().defs, runtime.world(), extras)).expect("a trace")
    };
    let (plain, with): (Vec<String>, Vec<String>) =
        (lines(false).lines().map(str::to_owned).collect(), lines(true).lines().map(str::to_owned).collect());
    assert_eq!((plain.len(), with.len()), (2, 3));
    let wait = "{\"native\":\"Wait\",\"counter\":1,\"blocking\":true,\"paused\":false}";
    let a = format!(
        "{},\"pc\":10,\"entry_pc\":1,\"return_pc\":null,\"locals\":[4],\"tasks\":[{wait},null,null,null,null,null],\
         \"fault\":null}}",
        plain[0].trim_end_matches('}')
    );
    assert_eq!(with[0], a);
    let b = format!(
        "{},\"pc\":null,\"entry_pc\":null,\"return_pc\":null,\"locals\":[],\"tasks\":[null,null,null,null,null,null],\
         \"fault\":null}}",
        plain[1].trim_end_matches('}')
    );
    assert_eq!(with[1], b);
    assert_eq!(with[2], "{\"tick\":0,\"flags\":[7],\"latches\":[0]}");
}
