//! Scripts that mean harm: each ends with a clear error, while the other scripts and the world go on.
//!
//! Nothing here looks at a clock. An attack that is not charged for what it does shows as a test that takes minutes.

use std::sync::Arc;

use soup386::{
    defs::{ModuleSource, Scene},
    natives::Handler,
    script::{Limits, ScriptError, ScriptErrorKind},
    update::{Options, Runtime},
};

use crate::support::{property, scripted, updates};

/// An innocent before and one after the attacker, and a record to spawn from.
const SCENE: &str = r#"
soup386 = 1
[[actor]]
name = "FIRST"
script = "good.lua"
[[actor]]
name = "BAD"
script = "bad.lua"
[[actor]]
name = "LAST"
script = "good.lua"
[[actor]]
name = "PLAIN"
"#;

/// Works, makes some garbage, and leaves a mark in every update.
const GOOD: &str = r"
while true do
  local words = {}
  for i = 1, 200 do words[i] = tostring(i) .. ' of ' .. tick() end
  assert(string.rep('x', 3) == 'xxx' and ('abc'):upper() == 'ABC' and #table.concat(words) > 200)
  assert(stolen == nil and string.stolen == nil and string[1] == nil)
  me.pos.vx = tick() + 100
  next_update()
end
";

const N_UPDATES: i32 = 4;

/// Runs an attack for some updates and asserts that the innocents ran in each; what failed, and what was printed.
fn run(bad: &str) -> (Vec<ScriptError>, Vec<String>) {
    let mut runtime = scripted(SCENE, &[("good.lua", GOOD), ("bad.lua", bad)]);
    let failures = run_on(&mut runtime, bad);
    (failures, runtime.drain_output())
}

fn run_on(runtime: &mut Runtime, bad: &str) -> Vec<ScriptError> {
    let mut failures = Vec::new();
    for tick in 0..N_UPDATES {
        updates(runtime, 1);
        failures.extend(runtime.drain_failures());
        for name in ["FIRST", "LAST"] {
            assert_eq!(property(runtime, name, "pos.vx"), tick + 100, "{name} in update {tick} of {bad}: {failures:?}");
        }
    }
    failures
}

/// The one error of an attack, which names actor, file and line.
fn ended(bad: &str) -> ScriptError {
    let (mut failures, _) = run(bad);
    assert_eq!(failures.len(), 1, "{bad}\n{failures:?}");
    let failure = failures.remove(0);
    assert_eq!(failure.actor.as_deref(), Some("BAD"), "{bad}");
    assert_eq!(failure.file, "bad.lua", "{bad}");
    assert!(failure.tick.is_some(), "{bad}\n{failure:?}");
    // Luau has no call chain left to look at when memory ran out and nothing caught it.
    assert!(failure.line.is_some() || failure.kind == ScriptErrorKind::Memory, "{bad}\n{failure:?}");
    failure
}

/// Asserts that every attack spends the step budget, or another of the given words.
fn all_end_with(kind: ScriptErrorKind, words: &str, attacks: &[&str]) {
    for attack in attacks {
        let failure = ended(attack);
        assert_eq!(failure.kind, kind, "{attack}\n{failure:?}");
        assert!(failure.message.contains(words), "{attack}\n{failure:?}");
    }
}

fn all_spend_steps(attacks: &[&str]) {
    all_end_with(ScriptErrorKind::Budget, "took more than 1000000 steps in one update", attacks);
}

/// What a script that does no harm prints.
fn printed(script: &str) -> Vec<String> {
    let (failures, output) = run(script);
    assert_eq!(failures, [], "{script}");
    output
}

#[test]
fn no_catch_outlives_the_budget() {
    all_spend_steps(&[
        "while true do end",
        "repeat until false",
        "for i = 1, 1e15 do end",
        "while true do pcall(function() while true do end end) end",
        "coroutine.wrap(function() while true do pcall(function() while true do end end) end end)()",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do pcall(pcall, pcall, function() while true do pcall(function() while true do end end) end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "while true do xpcall(function() error('x') end, function(e) error(e) end) end",
        "function on_update() while true do pcall(function() while true do end end) end end",
    ]);
}

#[test]
fn callbacks_and_metamethods_count() {
    all_spend_steps(&[
        "local t = {} for i = 1, 100 do t[i] = i end
         while true do pcall(table.sort, t, function() while true do end end) end",
        "while true do pcall(string.gsub, 'aaaa', 'a', function() while true do end end) end",
        "local t = setmetatable({}, {__index = function() while true do end end})
         while true do pcall(function() return t.x end) end",
        "local t = setmetatable({}, {__newindex = function() while true do end end})
         while true do pcall(function() t.x = 1 end) end",
        "local t = setmetatable({}, {__tostring = function() while true do end end})
         while true do pcall(tostring, t) pcall(print, t) pcall(string.format, '%s', t) end",
        "local t = setmetatable({}, {__call = function() while true do end end}) while true do pcall(t) end",
        "error(setmetatable({}, {__tostring = function() while true do end end}))",
    ]);
}

/// Luau has no to-be-closed variables, and in Lua 5.4 they could outlive a budget.
#[cfg(feature = "lua54")]
#[test]
fn to_be_closed_variables_are_refused() {
    for text in ["local x <close> = nil", "local x < close > = nil", "local mt = {}\nmt.__close = print"] {
        let scene = Scene::from_toml("test.toml", "soup386 = 1", &ModuleSource::Nowhere).expect("a scene");
        let mut runtime = Runtime::new(scene).expect("a runtime");
        let refused = runtime.set_director("bad.lua", text).expect_err("a refusal").to_string();
        let line = text.lines().count();
        assert_eq!(refused, format!("bad.lua:{line}: to-be-closed variables (<close>, __close) are not available"));
    }
    let failure = ended("setmetatable({}, {['__' .. 'close'] = print})");
    assert!(failure.message.contains("__close are not available"), "{failure:?}");
}

/// A handler that is smuggled in by a built name runs within the budget where a coroutine can be suspended.
#[cfg(feature = "lua54")]
#[test]
fn smuggled_handlers_spend_steps() {
    all_spend_steps(&[
        "local mt = {} local o = setmetatable({}, mt) mt['__' .. 'close'] = function() while true do end end
         for _ in next, {}, nil, o do end",
        "local mt = {} local o = setmetatable({}, mt) mt['__' .. 'close'] = function() while true do end end
         while true do pcall(function() for _ in next, {1}, nil, o do while true do end end end) end",
    ]);
}

#[test]
fn recursion_ends() {
    let deep = ended("local function f(n) return 1 + f(n + 1) end f(1)");
    // Lua 5.4 allows so deep a stack that the steps end first.
    let overflow = deep.kind == ScriptErrorKind::Runtime && deep.message.contains("stack overflow");
    assert!(overflow || deep.kind == ScriptErrorKind::Budget, "{deep:?}");
    assert!(deep.message.len() < 1000, "{deep:?}");
    assert!(deep.chain.len() <= 20, "{deep:?}");
    all_spend_steps(&[
        "local f, g
         function f() pcall(g) end
         function g() pcall(f) end
         while true do pcall(f) end",
        "local function f() pcall(f) pcall(f) end f()",
        "local function f() error('x') end
         local function h() xpcall(f, h) xpcall(f, h) end
         while true do xpcall(f, h) end",
    ]);
}

#[test]
fn patterns_are_paid_for() {
    all_spend_steps(&[
        "local s = ('a'):rep(40) while true do pcall(string.find, s, ('a?'):rep(40) .. ('a'):rep(41)) end",
        "local s = ('a'):rep(100000) while true do pcall(string.find, s, '.-.-.-.-b') end",
        "local s = ('('):rep(1000000) while true do pcall(string.find, s, '%b()') end",
        "local s = ('a'):rep(300000) while true do pcall(string.match, s, '(a*)%1b') end",
        "local s = ('a'):rep(1000000) while true do s:find('^a*') end",
        "local s = ('a'):rep(1000000) local p = ('a'):rep(500000) .. 'b'
         while true do pcall(string.find, s, p, 1, true) end",
        "local s, p = ('a'):rep(1000), '[' .. ('b'):rep(100000) .. ']' while true do pcall(string.find, s, p) end",
        "local s = ('a'):rep(1000) while true do pcall(string.gsub, s, 'a+', ('%0'):rep(100000)) end",
        "local s = ('a'):rep(1000) while true do for x in s:gmatch('.-.-.-b') do end end",
    ]);
}

#[test]
fn library_work_is_paid_for() {
    all_spend_steps(&[
        "table.move({1}, 1, 1e9, 2)",
        "local t = {} for i = 1, 100000 do t[i] = i end while true do table.insert(t, 1, 0) end",
        "local t = {} for i = 1, 100000 do t[i] = i end while true do table.remove(t, 1) end",
        "local t = {} for i = 1, 100000 do t[i] = i * 7919 % 100003 end while true do table.sort(t) end",
        "local t = {} while true do pcall(table.unpack, t, 1, 50000) end",
        "local t = {} for i = 1, 40000 do t[i] = i end
         while true do
           pcall(function() return select('#', table.unpack(t)) end)
           pcall(print, table.unpack(t))
           pcall(string.format, 'x', table.unpack(t))
         end",
        "local s = ('x'):rep(1000000) while true do pcall(string.byte, s, 1, -1) end",
        "local s = ('x'):rep(1000000) while true do utf8.len(s) end",
        "local s = ('1'):rep(1000000) while true do tonumber(s) end",
        "while true do pcall(string.rep, 'x', '200000000') end",
        "local n, t = 0, setmetatable({}, {__index = function(_, k)
           n = n + 1
           return ('x'):rep(n % 2 == 1 and 1 or 1000000)
         end})
         while true do pcall(table.concat, t, '', 1, 150) end",
        "local t = {} for i = 1, 20000 do t['k' .. i] = i end while true do for k in pairs(t) do break end end",
        "local t = {} for i = 1, 2^17 do t[i] = i end for i = 1, 2^17 do t[i] = nil end while true do next(t) end",
        "local a, b = ('x'):rep(1000000) .. 'a', ('x'):rep(1000000) .. 'b' while true do local _ = a < b end",
    ]);
}

#[test]
fn use_of_the_world_is_paid_for() {
    all_spend_steps(&[
        "while true do pcall(function() return me.xyzzyqwerty end) end",
        "local s = ('x'):rep(1000000) while true do pcall(actor, s) pcall(find, s) end",
        "local s = ('x'):rep(1000000) while true do pcall(function() return me[s] end) end",
        "local s = ('x'):rep(1000000) while true do pcall(function() return flags[s] end) pcall(spawn, 'PLAIN', s) end",
        "while true do spawn('PLAIN', 'n'):remove() end",
        "while true do actors() end",
        "while true do pcall(function() me:wait('x') end) end",
        "while true do me:multitask():wait(100) end",
        "while true do me:drawsword() end",
        "while true do pcall(require, 'nothing') end",
    ]);
}

#[test]
fn sizes_are_limited() {
    for (attack, message) in [
        ("local s = ('x'):rep(1e9) .. ''", "string.rep: the result would have more than 1048576 bytes"),
        ("local s = string.rep('x', '1e9')", "string.rep: the result would have more than 1048576 bytes"),
        (
            "local t = {} for i = 1, 2000 do t[i] = ('x'):rep(1000) end table.concat(t)",
            "table.concat: the result would have more than 1048576 bytes",
        ),
        (
            "local s = ('a'):rep(1000):gsub('a+', ('%0'):rep(2000))",
            "string.gsub: the result would have more than 1048576 bytes",
        ),
        (
            "local s = ('x'):rep(1000000) s = (s .. s):upper()",
            "string.upper: the text has 2000000 bytes; string functions take at most 1048576",
        ),
        (
            "local s = ('x'):rep(1000000) s = (s .. s):find('y')",
            "string.find: the text has 2000000 bytes; string functions take at most 1048576",
        ),
    ] {
        let failure = ended(attack);
        assert_eq!((failure.kind, &*failure.message), (ScriptErrorKind::Runtime, message), "{attack}");
    }
    let width = ended("string.format('%99999d', 1)");
    assert_eq!((width.kind, width.line), (ScriptErrorKind::Runtime, Some(1)), "{width:?}");
    assert!(!width.message.contains("soup386"), "{width:?}");
}

#[test]
fn printing_and_logging_are_limited() {
    let words = "the script printed more than 1048576 bytes in one update";
    all_end_with(
        ScriptErrorKind::Budget,
        words,
        &[
            "while true do print(('x'):rep(1000)) end",
            "while true do pcall(print, ('x'):rep(1000)) end",
            "local s = ('x'):rep(100000) while true do log.info(s) end",
        ],
    );
}

#[test]
fn memory_that_ran_out_is_not_caught() {
    all_end_with(
        ScriptErrorKind::Memory,
        "not enough memory: all scripts together may use at most 268435456 bytes",
        &[
            "local s = 'x' while true do s = s .. s end",
            "local s = 'x' while true do pcall(function() s = s .. s end) end",
            "pcall(function() local s = 'x' while true do s = s .. s end end) while true do next_update() end",
            "coroutine.resume(coroutine.create(function() local s = 'x' while true do s = s .. s end end))",
            "xpcall(function() local s = 'x' while true do s = s .. s end end, print)",
        ],
    );
}

/// Growth costs steps, so that most hogs meet that budget first.
#[test]
fn hogs_end_in_the_update_in_which_they_grow() {
    all_spend_steps(&[
        "local t = {} while true do t[#t + 1] = {} end",
        "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(100000) .. #t end) end",
        "local s = ('x'):rep(1000000) s = s .. s .. s .. s while true do local x = s .. 'y' end",
        "local t = {} while true do t[#t + 1] = coroutine.create(print) end",
    ]);
}

/// Hogs that stay below every other budget are ended before what they hold keeps the innocents from working.
#[test]
fn slow_hogs_end_and_the_innocents_go_on() {
    const HOG: &str = "local held = {}
        while true do
          pcall(function() for _ = 1, 10 do held[#held + 1] = ('x'):rep(10000) .. #held end end)
          next_update()
        end";
    let mut scene = String::from(SCENE);
    for i in 0..6 {
        scene += &format!("[[actor]]\nname = \"HOG{i}\"\nscript = \"hog.lua\"\n");
    }
    let files = [("good.lua", GOOD), ("bad.lua", "while true do next_update() end"), ("hog.lua", HOG)];
    let listed = files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let scene = Scene::from_toml("test.toml", &scene, &ModuleSource::Listed(listed)).expect("a scene");
    let limits = Limits { memory: 16 << 20, memory_share: 4 << 20, ..Limits::default() };
    let mut runtime = Runtime::with_options(scene, Options { limits, ..Options::default() }).expect("a runtime");
    let mut failures = Vec::new();
    for tick in 0..120 {
        updates(&mut runtime, 1);
        failures.extend(runtime.drain_failures());
        for name in ["FIRST", "LAST"] {
            assert_eq!(property(&runtime, name, "pos.vx"), tick + 100, "{name} in {tick}: {failures:?}");
        }
    }
    assert!(!failures.is_empty());
    for failure in &failures {
        assert_eq!(failure.kind, ScriptErrorKind::Memory, "{failure:?}");
        assert!(failure.actor.as_deref().is_some_and(|name| name.starts_with("HOG")), "{failure:?}");
        assert!(failure.message.contains("while memory is short"), "{failure:?}");
    }
}

#[test]
fn scripts_fill_the_world_only_so_far() {
    let scene = Scene::from_toml(
        "test.toml",
        SCENE,
        &ModuleSource::Listed(
            [("good.lua", GOOD), ("bad.lua", "local i = 0 while true do i = i + 1 spawn('LAST', 'n' .. i) end")]
                .map(|(name, text)| (name.to_owned(), text.to_owned()))
                .into(),
        ),
    );
    let limits = Limits { actors: 200, ..Limits::default() };
    let mut runtime =
        Runtime::with_options(scene.expect("a scene"), Options { limits, ..Options::default() }).expect("a runtime");
    let failures = run_on(&mut runtime, "spawn");
    let expected = "spawn: the world already holds 200 actors, the most that scripts may fill it to";
    assert_eq!(failures.iter().map(|failure| &*failure.message).collect::<Vec<_>>(), [expected]);
    assert_eq!(runtime.world().len(), 200);
}

#[test]
fn any_value_can_be_an_error() {
    for (attack, message) in [
        ("error({ code = 1 })", "the error value is a table"),
        ("error(nil)", "the error value is nil"),
        ("error(print)", "the error value is a function"),
        ("error(me)", "actor BAD"),
        ("error(setmetatable({}, { __tostring = function() return 'my text' end }))", "my text"),
        ("error('plain', 0)", "plain"),
    ] {
        let failure = ended(attack);
        assert_eq!((failure.kind, &*failure.message), (ScriptErrorKind::Runtime, message), "{attack}");
    }
    let huge = ended("error(('x'):rep(1000000))");
    assert!(huge.message.len() < 5000 && huge.message.ends_with('…'), "{}", huge.message.len());
}

#[test]
fn the_body_is_no_coroutine_of_the_script() {
    let failure = ended("\ncoroutine.yield(1, {})");
    assert_eq!(
        failure.message,
        "coroutine.yield: this is the script's own body, not a coroutine it made; wait with next_update()"
    );
    assert_eq!(failure.line, Some(2));
    let output = printed(
        "local main = coroutine.running()
         print((coroutine.resume(main)), (pcall(coroutine.close, main)))
         coroutine.wrap(function()
           print(coroutine.status(main), (coroutine.resume(main)), (pcall(coroutine.close, main)))
         end)()
         local co = coroutine.wrap(function() coroutine.yield(5) end)
         print(co())
         next_update()
         print(tick())",
    );
    assert_eq!(output, ["false\tfalse", "normal\tfalse\tfalse", "5", "1"]);
}

#[test]
fn nothing_outside_is_reachable() {
    let output = printed(
        "for _, name in ipairs({'io', 'os', 'debug', 'package', 'load', 'loadstring', 'dofile', 'loadfile', 'getfenv',
             'setfenv', 'newproxy', 'collectgarbage', 'gcinfo', 'buffer', 'vector', 'warn', 'module', 'host'}) do
           if _G[name] ~= nil then print(name) end
         end
         print(string.dump, math.randomseed == math.random, rawget(_G, 'string'))",
    );
    assert_eq!(output, ["nil\ttrue\tnil"]);
    let failure = ended("math.random()");
    assert!(failure.message.contains("rnd(n) and quickrnd(m) draw from the scene's seed"), "{failure:?}");
    assert_eq!(ended("setmetatable({}, {__gc = print})").message, "setmetatable: __gc and __close are not available");
    assert_eq!(
        printed("print({}, print, coroutine.create(print), ('%s'):format({}))"),
        ["table\tfunction\tthread\ttable"]
    );
}

/// The innocents assert that nothing of this reached them.
#[test]
fn what_all_scripts_share_cannot_be_changed() {
    let output = printed(
        "stolen = 1
         _G.stolen = 2
         local shared = { string, table, math, coroutine, log, attr, item, flags }
         for i, t in ipairs(shared) do
           for _, attempt in ipairs({
             function() t.stolen = 1 end,
             function() t[1] = 1 end,
             function() rawset(t, 'stolen', 1) end,
             function() rawset(t, 1, 1) end,
             function() table.insert(t, 1) end,
             function() table.insert(t, 1, 1) end,
             function() table.move({1, 2}, 1, 2, 1, t) end,
             function() table.sort(t, function() return true end) table.insert(t, 1) end,
             function() setmetatable(t, {}) end,
             function() table.freeze(t) end,
             function() getmetatable(t).__index.stolen = 1 end,
           }) do
             if pcall(attempt) then print(i, _) end
           end
         end
         print(pcall(function() string.rep = nil end))
         print(getmetatable(''), getmetatable(me), getmetatable(string), getmetatable(flags), getmetatable(me.pos),
           getmetatable(_G), getmetatable(me:multitask():wait(1)))
         print((pcall(function() getmetatable('').__index = nil end)), (pcall(setmetatable, me, {})))",
    );
    assert_eq!(
        output,
        [
            "false\tbad.lua:21: string.rep cannot be changed: string is shared by all scripts",
            "false\tfalse\tfalse\tfalse\tfalse\tfalse\tfalse",
            "false\tfalse"
        ]
    );
}

/// A handle is a value that no script can make: numbers, texts and tables are not taken for one.
#[test]
fn handles_cannot_be_forged() {
    let output = printed(
        "for _, forged in ipairs({1, 4294967297, 'BAD', {1}, setmetatable({}, {__index = me})}) do
           print((pcall(me.haveitem, forged, 1)), (pcall(me.valid, forged)), (pcall(me.remove, forged)))
         end
         local pos = me.pos
         for key in pairs(pos) do rawset(pos, key, 5) end
         print((pcall(function() return pos.vx end)), (pcall(function() pos.vx = 1 end)))
         local task = me:multitask():wait(100)
         rawset(task, 2, -1)
         print((pcall(task.stop, task)))
         rawset(task, 1, 'BAD')
         print((pcall(task.stop, task)), (pcall(task.active, 5)), (pcall(task.active)))",
    );
    assert_eq!(
        output,
        [
            "false\tfalse\tfalse",
            "false\tfalse\tfalse",
            "false\tfalse\tfalse",
            "false\tfalse\tfalse",
            "false\tfalse\tfalse",
            "false\tfalse",
            "false",
            "false\tfalse\tfalse"
        ]
    );
}

#[test]
fn on_update_must_be_a_function() {
    let (failures, _) = run("on_update = 5");
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].message, "on_update: expected a function, found a number");
    let (failures, _) = run("function on_update() if tick() == 2 then on_update = {} end end");
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].message, "on_update: expected a function, found a table");
    assert_eq!((failures[0].tick, failures[0].actor.as_deref()), (Some(2), Some("BAD")));
}

#[test]
fn a_script_can_remove_its_own_actor() {
    let failure = ended("me:remove()\nassert(not me:valid() and tostring(me) == 'removed actor BAD')\nme:drawsword()");
    assert_eq!(failure.line, Some(3));
    assert_eq!(failure.message, "the actor BAD was removed in update 0; test a handle with valid() before using it");
    for quiet in
        ["me:remove() next_update() print('never')", "me:multitask():wait(3) me:remove() updates(2) print('never')"]
    {
        assert_eq!(printed(quiet), [""; 0], "{quiet}");
    }
}

#[test]
fn removed_actors_never_run_again() {
    const WAITING: &str = "next_update() me:wait(2) print('never')";
    let scene = "soup386 = 1\n[[actor]]\nname = \"A\"\nscript = \"a.lua\"\n[[actor]]\nname = \"B\"\nscript = \"b.lua\"";
    let kill =
        "next_update() actor('A'):remove() print(find('A')) for _, other in ipairs(actors()) do print(other.name) end";
    let mut runtime = scripted(scene, &[("a.lua", WAITING), ("b.lua", kill)]);
    updates(&mut runtime, 6);
    assert_eq!(runtime.drain_failures(), []);
    assert_eq!(runtime.drain_output(), ["nil", "B"]);
    assert_eq!(runtime.world().len(), 1);
}

/// An attacker that kills everybody cannot make the update fail.
#[test]
fn everybody_can_be_removed() {
    let mut runtime = scripted(
        SCENE,
        &[
            ("good.lua", GOOD),
            ("bad.lua", "for _, other in ipairs(actors()) do other:remove() end next_update() print(1)"),
        ],
    );
    updates(&mut runtime, 3);
    assert_eq!(runtime.drain_failures(), []);
    assert!(runtime.world().is_empty());
    assert_eq!(runtime.drain_output(), [""; 0]);
}

#[test]
fn a_panic_of_a_host_native_ends_the_script_alone() {
    for bad in [
        "me:hideme()",
        "pcall(me.hideme, me) while true do end",
        "pcall(me.hideme, me) me.pos.vx = 1",
        "while true do pcall(function() me:hideme() end) end",
        "coroutine.wrap(function() pcall(me.hideme, me) end)() next_update()",
        "xpcall(me.hideme, function() while true do end end, me)",
    ] {
        let mut runtime = scripted(SCENE, &[("good.lua", GOOD), ("bad.lua", bad)]);
        let natives = Arc::make_mut(&mut runtime.engine_mut().natives);
        assert!(natives.bind("HideMe", Handler::Host(Arc::new(|_| panic!("out of order")))).is_ok());
        let failures = run_on(&mut runtime, bad);
        assert_eq!(failures.len(), 1, "{bad}\n{failures:?}");
        assert_eq!(failures[0].kind, ScriptErrorKind::Panic, "{bad}\n{failures:?}");
        assert_eq!(failures[0].message, "a native panicked: out of order", "{bad}");
        assert_eq!(failures[0].actor.as_deref(), Some("BAD"), "{bad}");
        assert_eq!(failures[0].line, Some(1), "{bad}\n{failures:?}");
        assert_eq!(property(&runtime, "BAD", "pos.vx"), 0, "{bad}");
    }
}

/// A task's later runs happen outside any script.
#[test]
fn a_panic_of_a_task_stops_the_tasks_of_its_actor() {
    let mut runtime = scripted(SCENE, &[("good.lua", GOOD), ("bad.lua", "me:wait(5) print('resumed', tick())")]);
    let natives = Arc::make_mut(&mut runtime.engine_mut().natives);
    natives
        .bind("Wait", Handler::Host(Arc::new(|call| if call.elapsed == 0 { 1 } else { panic!("out of order") })))
        .expect("a declared function");
    let failures = run_on(&mut runtime, "task");
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!((failures[0].kind, failures[0].actor.as_deref()), (ScriptErrorKind::Panic, Some("BAD")));
    assert_eq!(runtime.drain_output(), ["resumed\t1"]);
}

/// An attack as director: the update is completed and every actor script ran.
#[test]
fn directors_are_bounded_too() {
    let mut runtime = scripted(SCENE, &[("good.lua", GOOD), ("bad.lua", "")]);
    runtime.set_director("duel.lua", "while true do pcall(function() while true do end end) end").expect("a director");
    updates(&mut runtime, 1);
    let failures = runtime.drain_failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(
        (failures[0].kind, &*failures[0].file, failures[0].line),
        (ScriptErrorKind::Budget, "duel.lua", Some(1))
    );
    assert_eq!(failures[0].actor, None);
    assert!(!runtime.is_running());
    assert_eq!(property(&runtime, "LAST", "pos.vx"), 100);
}
