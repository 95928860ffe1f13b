//! What Lua scripts can do: every row of the script API, with the exact words of its errors.

use std::fmt::Write as _;

use soup386::{
    defs::{FunctionKind, functions, properties},
    script::{ScriptError, ScriptErrorKind},
    update::Runtime,
};

use crate::support::{actor, property, scripted, updates};

/// An animated player with a sabre and a script, a companion, and a record to spawn from.
const SCENE: &str = r#"
soup386 = 1
director = "director.lua"
[[flag]]
name = "gate_open"
value = 3
[[flag]]
name = "visits"
[[item]]
id = 7
name = "sabre"
type = "weapon"
hand_model = "SABRE"
length = 24
player_total = 1
[[model]]
name = "BODY"
frames = [[[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]]
[[actor]]
name = "CYRUS"
player = true
position = [256, 512, -768]
frames = [{ model = "BODY", count = 4 }]
grip = [0, 0]
script = "cyrus.lua"
[[actor.group]]
index = 0
speed = 1
type = 1
commands = ["ShowFrame 0", "GoToPrevious 0"]
[[actor.group]]
index = 10
speed = 1
type = 1
commands = ["ShowFrame 1", "ShowFrame 2", "GoToFuture 4", "GoToPrevious 0", "ShowFrame 3", "EndAnimation"]
[[actor]]
name = "GUARD"
"#;

fn runtime(director: &str, cyrus: &str) -> Runtime {
    scripted(SCENE, &[("director.lua", director), ("cyrus.lua", cyrus)])
}

/// What a director prints in some updates. It must not fail.
fn directed(director: &str, n: u32) -> Vec<String> {
    let mut runtime = runtime(director, "");
    updates(&mut runtime, n);
    assert_eq!(runtime.drain_failures(), [], "{director}");
    runtime.drain_output()
}

/// What the script of CYRUS prints in some updates. It must not fail.
fn acted(script: &str, n: u32) -> Vec<String> {
    let mut runtime = runtime("", script);
    updates(&mut runtime, n);
    assert_eq!(runtime.drain_failures(), [], "{script}");
    runtime.drain_output()
}

/// The error that ends a director.
fn director_error(director: &str) -> ScriptError {
    let mut runtime = runtime(director, "");
    updates(&mut runtime, 8);
    let mut failures = runtime.drain_failures();
    assert_eq!(failures.len(), 1, "{director}\n{failures:?}");
    assert!(!runtime.is_running());
    failures.remove(0)
}

/// Asserts the message of a statement's error, which stands on line 2.
fn refuses(statement: &str, message: &str) {
    let failure = director_error(&format!("local a = actor('CYRUS')\n{statement}\nprint('not reached')"));
    assert_eq!(failure.message, message, "{statement}");
    let place = (failure.kind, &*failure.file, failure.line);
    assert_eq!(place, (ScriptErrorKind::Runtime, "director.lua", Some(2)), "{statement}\n{failure:?}");
}

#[test]
fn actors_are_found_by_name() {
    let output = directed(
        "print(actor('cyrus'), find('GUARD'), find('nobody'), actor('CYRUS') == find('Cyrus'), player.name)
         for i, a in ipairs(actors()) do print(i, a.name, a:valid()) end
         print(me, type(spawn('GUARD', 'SECOND')), actor('second').name, #actors())",
        1,
    );
    assert_eq!(
        output,
        ["actor CYRUS\tactor GUARD\tnil\ttrue\tCYRUS", "1\tCYRUS\ttrue", "2\tGUARD\ttrue", "nil\tuserdata\tSECOND\t3"]
    );
    assert_eq!(acted("print(me.name, me == player, me == actor('CYRUS'))", 1), ["CYRUS\ttrue\ttrue"]);
    refuses("actor('CYRSU')", "there is no actor \"CYRSU\"; did you mean \"CYRUS\"?");
    refuses("actor('zzzzzzzz')", "there is no actor \"zzzzzzzz\"");
    refuses("actor(1)", "actor argument 1 (name): expected a text, found 1");
    refuses("find(nil)", "find argument 1 (name): expected a text, found nil");
    refuses("spawn('GURAD', 'X')", "there is no actor \"GURAD\"; did you mean \"GUARD\"?");
    refuses("spawn('GUARD', 'Cyrus')", "spawn: an actor is already named \"Cyrus\"");
    refuses("spawn('GUARD', '')", "spawn: an actor needs a name");
    refuses("spawn('GUARD', {})", "spawn argument 2 (name): expected a text, found a table");
    refuses("local _ = a.drawsword()", "expected an actor before the colon: call it as actor:name(…)");
}

/// A spawned actor runs its record's script, and is last in update order.
#[test]
fn spawned_actors_run_their_scripts() {
    let output = directed_with(
        "next_update() spawn('CYRUS', 'TWIN') next_update() actor('TWIN'):remove()",
        "while true do print(me.name, tick()) next_update() end",
        4,
    );
    assert_eq!(output, ["CYRUS\t0", "CYRUS\t1", "TWIN\t1", "CYRUS\t2", "CYRUS\t3"]);
}

fn directed_with(director: &str, cyrus: &str, n: u32) -> Vec<String> {
    let mut runtime = runtime(director, cyrus);
    updates(&mut runtime, n);
    assert_eq!(runtime.drain_failures(), []);
    runtime.drain_output()
}

/// Every use of a stale handle but `valid` and `tostring` names the actor and the update.
#[test]
fn stale_handles_are_errors_everywhere() {
    let mut script = String::from("next_update()\nlocal a = actor('GUARD')\nlocal pos, many = a.pos, a:multitask()\n");
    script += "local task = many:wait(9)\na:remove()\nlocal uses = {\n";
    for row in properties().rows() {
        let _ = writeln!(script, "function() a:property('{0}') end,", row.name);
        // A property with the name of a function or method is read through `property`, and `name` is an extra.
        if functions().named(row.name).is_none() && !["name", "attribute"].contains(&row.name) {
            let _ = writeln!(script, "function() return a['{0}'] end, function() a['{0}'] = 1 end,", row.name);
        }
    }
    for decl in functions().rows() {
        let zeros = vec!["0"; decl.parameters.len()].join(", ");
        let _ = writeln!(script, "function() return a:{}({zeros}) end,", decl.script_name);
        if decl.kind == FunctionKind::Task {
            let _ = writeln!(script, "function() return many:{}({zeros}) end,", decl.script_name);
        }
    }
    for extra in ["name", "shown", "shown_model", "position", "base", "tip", "hand_type", "hand_length"] {
        let _ = writeln!(script, "function() return a.{extra} end,");
    }
    script += "function() a:remove() end, function() a:why() end, function() a:attribute(1) end,
        function() a:property('hide') end, function() a:multitask() end, function() return a.pos end,
        function() return pos.vx end, function() pos.vx = 1 end, function() task:stop() end,
        function() task:active() end }\n";
    script += "local wrong = 0
        for i, use in ipairs(uses) do
          local ok, why = pcall(use)
          if ok or not why:find('the actor GUARD was removed in update 1; test a handle with valid() before using it', 1, true) then
            wrong = wrong + 1
            if wrong < 5 then print(i, ok, why) end
          end
        end
        print(#uses > 800, wrong, a:valid(), a)";
    assert_eq!(directed(&script, 2), ["true\t0\tfalse\tremoved actor GUARD"]);
}

#[test]
fn directors_wait_for_updates() {
    let output = directed(
        "print(tick()) next_update() print(tick()) updates(3) print(tick()) updates(0) print(tick())
         wait_until(function() return tick() == 6 end, 10) print(tick())
         wait_until(function() return true end, 0) print(tick())",
        8,
    );
    assert_eq!(output, ["0", "1", "4", "4", "6", "6"]);
    refuses("wait_until(function() return false end, 2)", "wait_until: still not true after 2 updates");
    refuses("wait_until(5, 2)", "wait_until argument 1 (fn): expected a function, found number");
    refuses("wait_until(function() end)", "wait_until argument 2 (max): expected an integer, found nil");
    refuses("updates('x')", "updates argument 1 (n): expected an integer, found \"x\"");
    refuses("updates(1.5)", "updates argument 1 (n): expected an integer, found 1.5");
}

/// S5: from the update after the one in which the body ended.
#[test]
fn on_update_follows_the_body() {
    let script =
        "print('body', tick()) next_update() function on_update() print('on', tick()) end print('end', tick())";
    let expected = ["body\t0", "end\t1", "on\t2", "on\t3"];
    assert_eq!(directed(script, 4), expected);
    assert_eq!(acted(script, 4), expected);
    let waiting = "function on_update() local k = tick() next_update() print(k, tick()) end";
    assert_eq!(directed(waiting, 6), ["1\t2", "3\t4"]);
    let once = "function on_update() print(tick()) on_update = nil end";
    assert_eq!(directed(once, 5), ["1"]);
}

#[test]
fn a_director_that_ends_stops_the_run() {
    let mut runtime = runtime("next_update()", "while true do me.hide = 0 next_update() end");
    updates(&mut runtime, 1);
    assert!(runtime.is_running());
    updates(&mut runtime, 1);
    assert!(!runtime.is_running());
}

#[test]
fn natives_are_methods_and_functions_of_the_own_actor() {
    let script = "print(me:haveitem(7), haveitem(7), me:HaveItem(7), me['haveitem'](me, 7))
        setattribute(40, 9) print(getattribute(40), me:attribute(40), me:attribute('attr_stop_x_move'), me:getmyattr(40))
        print(myid(), truefunction(), me:valid())";
    assert_eq!(acted(script, 1), ["1\t1\t1\t1", "9\t9\t9\t9", "1\t1\ttrue"]);
    let failure = director_error("haveitem(7)");
    assert!(failure.message.contains("attempt to call a nil value"), "{failure:?}");
}

/// The exact words for values that are no arguments: function, parameter, what was given.
#[test]
fn values_are_checked() {
    let wrong = |given: &str, found: &str| {
        refuses(&format!("a:haveitem({given})"), &format!("haveitem argument 1 (item): expected {found}"));
        refuses(&format!("a.pos.vx = {given}"), &format!("pos.vx: expected {found}"));
        refuses(&format!("flags.visits = {given}"), &format!("flags.visits: expected {found}"));
    };
    wrong("1.5", "an integer, found 1.5");
    wrong("0/0", "an integer, found NaN");
    wrong("1/0", "an integer, found inf");
    wrong("-1/0", "an integer, found -inf");
    wrong("2147483648", "an integer in -2147483648..=2147483647, found 2147483648");
    wrong("-2147483649.0", "an integer in -2147483648..=2147483647, found -2147483649");
    wrong("1e300", &format!("an integer in -2147483648..=2147483647, found 1{}", "0".repeat(300)));
    wrong("'7'", "an integer, found \"7\"");
    wrong("true", "an integer, found true");
    wrong("nil", "an integer, found nil");
    wrong("{}", "an integer, found a table");
    wrong("print", "an integer, found a function");
    wrong("a", "an integer, found an actor");
    let long = format!("an integer, found \"{}\"…", "x".repeat(40));
    wrong("('x'):rep(100000)", &long);
    assert_eq!(
        directed("local a = player a.pos.vx = 7.0 print(a.pos.vx, a:haveitem(7.0), a:haveitem(-2147483648))", 1),
        ["7\t1\t0"]
    );
}

#[test]
fn arguments_are_counted() {
    refuses("a:haveitem()", "haveitem: expected 1 argument (item), found 0");
    refuses("a:haveitem(1, 2)", "haveitem: expected 1 argument (item), found 2");
    refuses("a:drawsword(1)", "drawsword: expected no arguments, found 1");
    refuses("a:playanimation(1)", "playanimation: expected 2 arguments (group, modifier), found 1");
    refuses("a:wait()", "wait: expected 1 argument (ticks), found 0");
    refuses("a:multitask():wait()", "wait: expected 1 argument (ticks), found 0");
    refuses("a:multitask():wiat(1)", "there is no function \"wiat\"; did you mean \"wait\"?");
    refuses("local _ = a.drawswrod", "an actor has no property or function \"drawswrod\"; did you mean \"drawsword\"?");
    refuses("a.hdie = 1", "an actor has no property or function \"hdie\"; did you mean \"hide\"?");
    refuses("local _ = a.pos.vw", "an actor has no property or function \"pos.vw\"; did you mean \"pos.vx\"?");
    refuses("local _ = a[{}]", "an actor has no property or function \"a table\"");
}

#[test]
fn properties_are_read_and_written() {
    let output = directed(
        "local a = actor('CYRUS')
         print(a.pos.vx, a['pos.vy'], a.POS.VZ, a['POS.vz'], a:property('pos.vx'), a:property('Light'))
         a.pos.vx = 5 a['pos.vy'] = 6 a.hide = 257 local pos = a.pos pos.vz = -7
         print(a.pos.vx, a.pos.vy, pos.vz, a.hide, a.anim.current, a.anim.pos.vx)
         a.grip[1] = 3 a['grip[0]'] = 2 print(a.grip[0], a.grip[1], a['grip[1]'], a.grip[1.0])
         a.move.vx = 9 print(a.move.vx, a['move.vx'])
         print((pcall(a.move, a)), select(2, pcall(function() a:move() end)))",
        1,
    );
    assert_eq!(output[0], "256\t512\t-768\t-768\t256\t0");
    assert_eq!(output[1], "5\t6\t-7\t1\t0\t0");
    assert_eq!(output[2], "2\t3\t3\t3");
    assert_eq!(output[3], "9\t9");
    assert!(
        output[4].starts_with("false\tdirector.lua:7: move: expected 4 arguments (a, b, c, d), found 0"),
        "{output:?}"
    );
    refuses("a:property('hdie')", "an actor has no property or function \"hdie\"; did you mean \"hide\"?");
    refuses("a.pos = 5", "pos cannot be written");
    refuses("a.drawsword = 5", "drawsword cannot be written");
}

#[test]
fn extras_can_only_be_read() {
    let output = directed(
        "local a = actor('CYRUS') print(a.name, a.shown, a.shown_model, a.position, a.base, a.tip, a.hand_type, a.hand_length)",
        1,
    );
    assert_eq!(output, ["CYRUS\tnone\tnil\tnil\tnil\tnil\t0\t0"]);
    for extra in ["name", "shown", "shown_model", "position", "base", "tip", "hand_type", "hand_length"] {
        refuses(&format!("a.{extra} = 1"), &format!("{extra} cannot be written"));
    }
}

#[test]
fn flags_attributes_and_items_have_names() {
    let output = directed(
        "print(flags.gate_open, flags[0], flags.GATE_OPEN, flags[1]) flags.visits = -5 flags[0] = 4
         print(flags[1], flags.gate_open, attr.attr_weapon, attr.weapon, item.sabre, item.SABRE)",
        1,
    );
    assert_eq!(output, ["3\t3\t3\t0", "-5\t4\t1\t1\t7\t7"].map(|line| line.replace("\t1\t1\t7", &weapon_indices())));
    refuses("local _ = flags.gate_opne", "the scene has no flag \"gate_opne\"; did you mean \"gate_open\"?");
    refuses("local _ = flags[2]", "the scene has no flag 2");
    refuses("flags[-1] = 1", "the scene has no flag -1");
    refuses("local _ = attr.attr_weapno", "there is no attribute attr_weapno; did you mean \"attr_weapon\"?");
    refuses("local _ = item.sabr", "the scene has no item \"sabr\"; did you mean \"sabre\"?");
    refuses("attr.x = 1", "attr.x cannot be changed: attr is shared by all scripts");
    refuses("item.sabre = 1", "item.sabre cannot be changed: item is shared by all scripts");
    refuses("a:attribute('attr_weapno')", "there is no attribute \"attr_weapno\"; did you mean \"attr_weapon\"?");
    refuses(
        "a:attribute(256)",
        "attribute argument 1 (attribute): expected an attribute name or an integer in 0..=255, found 256",
    );
}

fn weapon_indices() -> String {
    let index = soup386::defs::attribute_index("attr_weapon").expect("an attribute");
    format!("\t{index}\t{index}\t7")
}

#[test]
fn why_tells_the_last_refusal() {
    let output = directed(
        "local a, g = actor('CYRUS'), actor('GUARD') print(a:why() == '', g:drawsword(), g:why())
         print(g:truefunction(), g:why() == '')",
        1,
    );
    assert_eq!(output, ["true\t0\tdrawsword refused: the actor has no animation state", "1\ttrue"]);
}

#[test]
fn printing_joins_with_tabs() {
    let output = directed("print('a', 1, nil, true) print() log.info('x', 1) log.warn() log.error({})", 1);
    assert_eq!(output, ["a\t1\tnil\ttrue", ""]);
}

/// K5: 0 to 2 resume at the next update, n after n − 1.
#[test]
fn wait_holds_the_script() {
    let script = "print(tick()) me:wait(0) print(tick()) wait(1) print(tick()) me:wait(2) print(tick()) me:wait(5) print(tick())";
    assert_eq!(acted(script, 12), ["0", "1", "2", "3", "7"]);
    assert_eq!(acted("print(me:wait(3), tick())", 4), ["0\t2"]);
}

/// K6: two loops of group 10 after its start in update 1.
#[test]
fn pushanimation_holds_until_the_group_ends() {
    let script = "next_update() me:pushanimation(10, 2) print(tick(), me.anim.current)";
    assert_eq!(acted(script, 10), ["6\t0"]);
}

/// K7.
#[test]
fn waitanimframe_holds_until_the_frame() {
    let script = "next_update() playanimation(10, 0) me:waitanimframe(10, 2) print(tick(), me.anim.real_frame)
        me:waitanimframe(99, 1) print(tick())";
    assert_eq!(acted(script, 10), ["3\t2", "4"]);
}

/// K2: a call on another actor, and every call of a director, goes on at once; the receiver's body is held back.
#[test]
fn tasks_of_others_never_hold_the_caller() {
    let output = directed_with(
        "next_update() print('director', player:wait(4), tick()) while true do next_update() end",
        "while true do print('cyrus', tick()) next_update() end",
        6,
    );
    assert_eq!(output, ["cyrus\t0", "director\t0\t1", "cyrus\t3", "cyrus\t4", "cyrus\t5"]);
    assert_eq!(acted("print(actor('GUARD'):wait(9), tick())", 1), ["0\t0"]);
}

/// K4: one site owns at most one slot; a director's calls are always new ones.
#[test]
fn a_call_site_owns_one_slot() {
    let mut looping = runtime("", "for _ = 1, 4 do\nme:multitask():wait(99)\nmultitask.wait(99)\nend\nupdates(9)");
    updates(&mut looping, 1);
    assert_eq!(actor(&looping, "CYRUS").tasks.running().len(), 2);
    let mut directed = runtime("for _ = 1, 4 do player:multitask():wait(99) end updates(9)", "");
    updates(&mut directed, 1);
    assert_eq!(actor(&directed, "CYRUS").tasks.running().len(), 4);
    let mut again = runtime("", "while true do me:multitask():wait(3) print(tick()) next_update() end");
    updates(&mut again, 6);
    assert_eq!(again.drain_output(), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(actor(&again, "CYRUS").tasks.running().len(), 1);
}

/// K4 holds for tasks on others, too.
#[test]
fn two_lines_are_two_sites_on_another_actor() {
    let mut runtime = runtime("", "local g = actor('GUARD')\nfor _ = 1, 2 do\ng:wait(99)\ng:wait(99)\nend\nupdates(9)");
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "GUARD").tasks.running().len(), 2);
}

/// A tail call leaves no frame of its own.
#[test]
fn tasks_may_be_tail_calls() {
    let script = "local function hold() return me:wait(3) end
        local function many() return me:multitask():wait(9) end
        hold() print(tick(), many():active(), (function() return multitask.wait(9) end)():active())
        print((function() return wait(2) end)(), tick())";
    assert_eq!(acted(script, 5), ["2\ttrue\ttrue", "0\t3"]);
}

#[test]
fn six_slots_are_all() {
    let output = directed(
        "local tasks = {} for i = 1, 7 do tasks[i] = player:multitask():wait(99) end
         print(player:why())
         for i = 1, 7 do print(tasks[i]:active()) end
         tasks[2]:stop() print(player:multitask():wait(9):active(), tasks[2]:active(), tasks[7]:active())",
        1,
    );
    assert!(output[0].starts_with("wait refused: "), "{output:?}");
    assert_eq!(output[1..], ["true", "true", "true", "true", "true", "true", "false", "true\tfalse\tfalse"]);
}

#[test]
fn task_handles_pause_resume_and_stop() {
    let output = acted(
        "local t = multitask.wait(3) print(t, t:active(), t:pause(), t:active())
         updates(5) print(t:active()) print(t:resume()) updates(2) print(t:active())
         updates(1) print(t:active(), t:stop(), t:pause())
         local u = me:multitask():wait(100) print(u:stop(), u:active(), u:stop())",
        12,
    );
    assert_eq!(
        output,
        ["task\ttrue\ttrue\ttrue", "true", "true", "false", "false\tfalse\tfalse", "true\tfalse\tfalse"]
    );
}

#[test]
fn another_script_can_end_a_wait() {
    let output = directed_with("updates(3) player:killmytasks()", "me:wait(1000) print(tick())", 6);
    assert_eq!(output, ["3"]);
}

#[test]
fn protected_calls_may_wait() {
    let output = acted(
        "print(pcall(function() me:wait(3) next_update() return tick() end))
         print(select(2, xpcall(function() next_update() error('x', 0) end, function(e) return e .. '!' end)), tick())
         print(select(2, pcall(function() me:haveitem() end)))",
        8,
    );
    assert_eq!(output, ["true\t3", "x!\t4", "cyrus.lua:3: haveitem: expected 1 argument (item), found 0"]);
}

/// Waiting inside functions that Lua itself calls from C.
#[test]
fn where_waiting_is_not_allowed_the_error_says_so() {
    let rule = "cannot wait here; a script can wait in its body and in functions it calls, but not inside a metamethod, \
        or a function handed to table.sort or string.gsub";
    for (name, wait) in [("next_update", "next_update()"), ("wait", "me:wait(3)"), ("wait", "wait(3)")] {
        for around in [
            "table.sort({2, 1}, function() WAIT return true end)",
            "string.gsub('a', 'a', function() WAIT end)",
            "tostring(setmetatable({}, {__tostring = function() WAIT return '' end}))",
        ] {
            let mut runtime = runtime("", &around.replace("WAIT", wait));
            updates(&mut runtime, 2);
            let failures = runtime.drain_failures();
            assert_eq!(failures.len(), 1, "{around} {wait}");
            assert_eq!(failures[0].message, format!("{name}: {rule}"), "{around}");
            assert_eq!(actor(&runtime, "CYRUS").tasks.running().len(), 0, "{around} {wait}");
        }
    }
}

#[test]
fn coroutines_of_a_script_may_wait() {
    let output = acted(
        "local co = coroutine.create(function(a)
           next_update()
           local b = coroutine.yield(a + tick())
           me:wait(3)
           return b, tick()
         end)
         print(coroutine.resume(co, 10))
         print(coroutine.resume(co, 20))
         print(coroutine.resume(co))
         local each = coroutine.wrap(function() for i = 1, 2 do next_update() coroutine.yield(i) end end)
         print(each(), tick()) print(each(), tick())
         local inner = coroutine.wrap(function() coroutine.wrap(function() updates(2) end)() return tick() end)
         print(inner())
         print(coroutine.resume(coroutine.create(function() error('x', 0) end)))
         print(pcall(coroutine.wrap(function() me:haveitem() end)))",
        12,
    );
    assert_eq!(
        output,
        [
            "true\t11",
            "true\t20\t3",
            "false\tcannot resume dead coroutine",
            "1\t4",
            "2\t5",
            "7",
            "false\tx",
            "false\tcyrus.lua:15: haveitem: expected 1 argument (item), found 0"
        ]
    );
}

#[test]
fn modules_are_loaded_once_each() {
    let modules = [
        (
            "director.lua",
            "print(require('tools').n, require('tools') == require('tools'), require('lib/deep'), shared)",
        ),
        ("cyrus.lua", "print(require('tools').n, shared)"),
        ("tools.lua", "print('tools', me and me.name) shared = 5 return { n = 7 }"),
        ("lib/deep.lua", "next_update() return tick()"),
    ];
    let mut runtime = scripted(SCENE, &modules);
    updates(&mut runtime, 2);
    assert_eq!(runtime.drain_failures(), []);
    assert_eq!(runtime.drain_output(), ["tools\tnil", "tools\tCYRUS", "7\t5", "7\ttrue\t1\t5"]);
}

#[test]
fn modules_lie_beneath_the_script() {
    let rule = "a module name has letters, digits, _ and -, with / between folders";
    for (name, reason) in [
        ("../secret", rule),
        ("/etc/passwd", rule),
        ("a//b", rule),
        ("a.b", rule),
        ("", rule),
        ("missing", "no such module"),
    ] {
        refuses(&format!("require('{name}')"), &format!("require: {name:?}: {reason}"));
    }
    refuses("require(5)", "require argument 1 (name): expected a text, found 5");
}

#[test]
fn modules_do_not_require_themselves() {
    let mut cyclic = scripted(
        SCENE,
        &[
            ("director.lua", "\nrequire('a')"),
            ("cyrus.lua", ""),
            ("a.lua", "require('b')"),
            ("b.lua", "\n\nrequire('a')"),
        ],
    );
    updates(&mut cyclic, 1);
    let failures = cyclic.drain_failures();
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].message, "require: module a requires itself, or failed when it was first required");
    assert_eq!((&*failures[0].file, failures[0].line), ("b.lua", Some(3)));
    let chain = failures[0].chain.join("\n");
    assert!(chain.contains("b.lua:3") && chain.contains("a.lua:1") && chain.contains("director.lua:2"), "{chain}");
}

/// S6: the update is completed, and other scripts go on.
#[test]
fn an_error_ends_one_script() {
    let mut failing = runtime("next_update()\nlocal x = nil + 1", "while true do me.pos.vx = tick() next_update() end");
    updates(&mut failing, 4);
    let failures = failing.drain_failures();
    assert_eq!(failures.len(), 1);
    assert_eq!((failures[0].line, failures[0].tick, failures[0].actor.as_deref()), (Some(2), Some(1), None));
    assert_eq!(property(&failing, "CYRUS", "pos.vx"), 3);

    let mut failing = runtime(
        "while true do next_update() end",
        "next_update()\nlocal function inner()\n  error('broken')\nend\ninner()",
    );
    updates(&mut failing, 4);
    assert!(failing.is_running());
    let failures = failing.drain_failures();
    assert_eq!(failures.len(), 1);
    let failure = &failures[0];
    assert_eq!((&*failure.message, failure.line, failure.tick), ("broken", Some(3), Some(1)));
    assert_eq!(failure.to_string(), "cyrus.lua:3: broken (actor CYRUS, update 1)");
    assert!(failure.chain[0].starts_with("cyrus.lua:3") && failure.chain[1].starts_with("cyrus.lua:5"), "{failure:?}");
}

#[test]
fn syntax_errors_are_told_at_load() {
    let error = Runtime::new(scene_with("x = = 1")).map(drop).expect_err("a syntax error");
    assert!(error.to_string().contains("director.lua:2"), "{error}");
}

fn scene_with(line: &str) -> soup386::defs::Scene {
    let listed = [("director.lua", format!("\n{line}")), ("cyrus.lua", String::new())];
    let listed = listed.map(|(name, text)| (name.to_owned(), text)).into();
    soup386::defs::Scene::from_toml("test.toml", SCENE, &soup386::defs::ModuleSource::Listed(listed)).expect("a scene")
}

/// `pairs` goes in an order that is the same in every run.
#[test]
fn pairs_are_ordered() {
    let output = directed(
        "local t = {b = 1, a = 2, [3] = 3, [1] = 4, c = 5} local keys = {}
         for k in pairs(t) do keys[#keys + 1] = k end print(table.concat(keys, ' '))
         for k in pairs(t) do t[k] = nil end print(next(t))",
        1,
    );
    assert_eq!(output, ["1 3 a b c", "nil"]);
}

/// The string functions are our own where patterns are concerned.
#[test]
fn patterns_work_as_in_lua() {
    let output = directed(
        "print(('hello world'):find('wor'), ('hello'):find('l', 1, true), ('a.b'):find('.', 2, true), ('abc'):find('b', -1))
         print(('key = value'):match('^(%w+)%s*=%s*(%w+)$'), ('x'):match('()'), ('abc'):match('b', 3))
         for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do print(k, v) end
         for w in ('one two'):gmatch('%a+') do print(w) end
         print(('hello'):gsub('l', 'L'), ('hello'):gsub('l', 'L', 1), ('abc'):gsub('%w', '%0%0'), ('abc'):gsub('', '-'))
         print(('$name is $age'):gsub('%$(%w+)', {name = 'Cyrus'}), ('abc'):gsub('b', function(c) return c:upper() end))
         print(('x^y'):gsub('^x', 'z'), ('hello world'):gsub('o (w)', '%1-'))",
        1,
    );
    assert_eq!(output[0], "7\t3\t2\tnil");
    assert_eq!(output[1], "key\t1\tnil");
    assert_eq!(output[2..6], ["a\t1", "b\t2", "one", "two"]);
    assert_eq!(output[6], "heLLo\theLlo\taabbcc\t-a-b-c-\t4");
    assert_eq!(output[7], "Cyrus is $age\taBc\t1");
    assert_eq!(output[8], "z^y\thellw-orld\t1");
}
