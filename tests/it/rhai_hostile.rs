//! Rhai scripts that mean harm: each is ended within its budget, with a reason, and nothing else suffers.

use std::time::{Duration, Instant};

use soup386::{
    Runtime, Scene,
    defs::{ModuleSource, ScriptSource},
    script::{Limits, ScriptError, ScriptErrorKind},
    update::Options,
};

use crate::stage::{actor_text, scene_text};

/// No attack may take longer, on a slow machine and unoptimised.
const PATIENCE: Duration = Duration::from_secs(60);

fn failure_of(text: &str, updates: u32, limits: Limits) -> Option<ScriptError> {
    let mut runtime = Runtime::with_options(Scene::demo(), Options { limits, ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"));
    match runtime.set_director("test.rhai", text) {
        Err(soup386::Error::Script(error)) => return Some(*error),
        other => other.unwrap_or_else(|error| panic!("{error}")),
    }
    for _ in 0..updates {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let mut failures = runtime.drain_failures();
        if let Some(failure) = failures.pop() {
            assert!(failures.is_empty());
            assert!(!runtime.is_running(), "the director goes on after {failure}");
            runtime.update().unwrap_or_else(|error| panic!("{error}"));
            return Some(failure);
        }
    }
    None
}

/// Runs an attack; it must end with this kind and a reason that contains `reason`.
#[track_caller]
fn check(text: &str, kind: ScriptErrorKind, reason: &str) {
    let start = Instant::now();
    let failure = failure_of(text, 3, Limits::default());
    let took = start.elapsed();
    let failure = failure.unwrap_or_else(|| panic!("nothing ended {text}"));
    println!("{took:?} {failure} <- {}", text.lines().next().unwrap_or_default());
    assert_eq!(failure.kind, kind, "{failure}: {text}");
    assert!(failure.message.contains(reason), "{failure}: {text}");
    assert!(took < PATIENCE, "{took:?}: {text}");
}

const STEPS: &str = "more than 1000000 steps";

#[test]
fn endless_loops_end() {
    for text in [
        "loop {}",
        "while true { let x = 1; }",
        "for i in 0..9223372036854775807 {}",
        "let x = 0; do { x += 1; } while true;",
        "loop { try { loop {} } catch { } }",
        "loop { try { [1].map(|x| { loop {} }) } catch { } }",
        "loop { try { [2, 1].sort(|a, b| { loop {} }) } catch { } }",
        "loop { try { #{a: 1}.filter(|k, v| { loop {} }) } catch { } }",
        "loop { try { wait_until(|| { loop {} }, 9) } catch { } }",
        "loop { try { (|| { loop {} }).call() } catch { } }",
        "fn f() { loop {} } loop { try { Fn(\"f\").call() } catch { } }",
        "fn on_update() { loop { try { loop {} } catch { } } }",
        "wait_until(|| { try { loop {} } catch { } false }, 100)",
        "switch 1 { 1 => loop { }, _ => () }",
    ] {
        check(text, ScriptErrorKind::Budget, STEPS);
    }
}

#[test]
fn deep_recursion_ends() {
    for text in [
        "fn f(n) { f(n + 1) } f(0)",
        "fn f(n) { 1 + f(n + 1) } f(0)",
        "fn f(n) { [1].map(|x| f(n + 1)) } f(0)",
        "fn f(n) { if true { while true { return [n, [n, [n, f(n + 1)]]]; } } } f(0)",
        "fn f(n) { try { f(n + 1) } catch { f(n + 1) } } f(0)",
        "let f = |g| { g.call(g) }; f.call(f)",
        "fn f(n) { wait_until(|| f(n + 1), 5) } f(0)",
        "fn on_update() { on_update() }",
    ] {
        check(text, ScriptErrorKind::Budget, "too deeply");
    }
    let nested = format!("let x = {}1{};", "(".repeat(5000), ")".repeat(5000));
    check(&nested, ScriptErrorKind::Syntax, "");
    let nested = format!("let x = {}1{};", "[".repeat(5000), "]".repeat(5000));
    check(&nested, ScriptErrorKind::Syntax, "");
    let nested = format!("{}{}", "if true {".repeat(5000), "}".repeat(5000));
    check(&nested, ScriptErrorKind::Syntax, "");
    let negated = format!("let x = {}1;", "-".repeat(5000));
    check(&negated, ScriptErrorKind::Syntax, "");
}

#[test]
fn growing_values_end() {
    for text in [
        "let s = \"x\"; loop { s += s; }",
        "let s = \"x\"; loop { s = s + s; }",
        "let s = \"\"; s.pad(1000000000, 'x');",
        "let s = \"x\"; loop { s = `${s}${s}`; }",
        "let a = [1]; loop { a += a; }",
        "let a = [1]; loop { a.append(a); }",
        "let a = [1]; loop { a = a + a; }",
        "let a = []; a.pad(1000000000, 0);",
        "let b = blob(1000000000, 0);",
        "let a = [1]; loop { a = [a, a]; }",
        "let s = \"x\"; loop { try { s += s; } catch { s = \"x\"; } }",
        "let a = [1, 2]; loop { a = a.map(|x| [x, x]); }",
    ] {
        check(text, ScriptErrorKind::Memory, "");
    }
    for text in
        ["let m = #{}; let i = 0; loop { m[\"k\" + i] = i; i += 1; }", "let a = []; loop { a.push(\"x\" + a.len()); }"]
    {
        check(text, ScriptErrorKind::Budget, STEPS);
    }
}

/// What a script holds is summed up: over the variables of a function, each of which has its part of the whole.
#[test]
fn many_values_are_summed_up() {
    let arrays: String = (0..20).map(|n| format!("let a{n} = []; a{n}.pad(16000, 0); ")).collect();
    let texts: String = (0..90).map(|n| format!("let s{n} = \"\"; s{n}.pad(60000, 'x'); ")).collect();
    let part = "the variables of one function hold more than 4194304 bytes";
    for text in [
        format!("{arrays} let n = 0; loop {{ n += 1; }}"),
        format!("{texts} let n = 0; loop {{ n += 1; }}"),
        format!("fn f(n) {{ {arrays} for i in 0..100 {{ n += 1; }} f(n) }} f(0)"),
    ] {
        check(&text, ScriptErrorKind::Memory, part);
    }
    let less: String = (0..7).map(|n| format!("let a{n} = []; a{n}.pad(16000, 0); ")).collect();
    let fits = format!("{less} let n = 0; for i in 0..1000 {{ n += 1; }} print(n);");
    assert!(failure_of(&fits, 1, Limits::default()).is_none());
}

/// Values that Rhai would walk by recursion are kept shallow; else walking or dropping them would use up the stack.
#[test]
fn deeply_nested_values_end() {
    for text in [
        "let a = []; loop { a = [a]; }",
        "let a = []; loop { a = [[[[[[[[[[a]]]]]]]]]]; }",
        "let a = #{}; loop { a = #{ a: a }; }",
        "let f = || 1; loop { let g = f; f = || g; }",
        "let a = []; loop { let b = a; a = [|| b]; }",
        "let f = || 1; loop { let g = f; f = || { g; g }; print(f); }",
        "let a = [1]; loop { let b = a; a = || [b, b]; }",
        "let m = #{}; loop { let n = m; m = #{ f: || n, g: || n }; to_string(m); }",
    ] {
        check(text, ScriptErrorKind::Memory, "");
    }
}

#[test]
fn slow_operations_are_paid_for() {
    for text in [
        "let s = \"x\"; s.pad(60000, 'x'); loop { s.contains(\"y\"); }",
        "let s = \"x\"; s.pad(60000, 'x'); loop { let t = s; t.replace(\"x\", \"y\"); }",
        "let s = \"x\"; s.pad(60000, 'x'); loop { s.index_of(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy\"); }",
        "let a = []; a.pad(16000, 1); loop { let b = a; }",
        "let a = []; a.pad(16000, 1); loop { a == a; }",
        "let a = []; a.pad(16000, 1); loop { a.sort(); }",
        "let a = []; a.pad(16000, 1); loop { a.len(); }",
        "let s = \"x\"; s.pad(60000, 'x'); loop { let t = s + \"y\"; }",
    ] {
        check(text, ScriptErrorKind::Budget, STEPS);
    }
}

#[test]
fn floods_of_printing_end() {
    check("loop { print(\"x\"); }", ScriptErrorKind::Budget, "");
    let flood = "let s = \"x\"; s.pad(30000, 'x'); loop { try { print(s); debug(s); print(s, s); } catch { } }";
    check(flood, ScriptErrorKind::Budget, "printed more than 1048576 bytes");
}

#[test]
fn nothing_outside_is_reachable() {
    check("eval(\"1\")", ScriptErrorKind::Syntax, "eval");
    check("import \"x\" as x;", ScriptErrorKind::Runtime, "no folder to find modules in");
    check("open_file(\"/etc/passwd\")", ScriptErrorKind::Runtime, "there is no function");
    check("timestamp()", ScriptErrorKind::Runtime, "there is no function");
    check("rand()", ScriptErrorKind::Runtime, "there is no function");
    check("parse_json(\"[1]\")", ScriptErrorKind::Runtime, "there is no function");
    check("sleep(1)", ScriptErrorKind::Runtime, "there is no function");
}

#[test]
fn imports_stay_in_the_scripts_folder() {
    let folder = std::env::temp_dir().join(format!("soup386-rhai-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inner")).expect("a folder");
    std::fs::write(folder.join("secret.rhai"), "fn f() { 1 }").expect("a file");
    std::fs::write(folder.join("inner/self.rhai"), "import \"self\" as s;").expect("a file");
    let deep = format!("let x = {}1{};", "(".repeat(5000), ")".repeat(5000));
    std::fs::write(folder.join("inner/deep.rhai"), deep).expect("a file");
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink(folder.join("secret.rhai"), folder.join("inner/link.rhai"));
    for (name, reason) in [
        ("../secret", "a module name has letters"),
        ("/etc/passwd", "a module name has letters"),
        ("missing", "no file missing.rhai beneath the script's folder"),
        ("link", "the file lies outside the script's folder"),
        ("self", "module self imports itself"),
        ("deep", "import: \"deep\""),
    ] {
        let modules = ModuleSource::Folder(folder.join("inner"));
        let text = format!("import \"{name}\" as m;");
        let source = ScriptSource { modules, ..ScriptSource::new("test.rhai", text) };
        let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
        runtime.set_director_source(&source).unwrap_or_else(|error| panic!("{error}"));
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let failure = runtime.drain_failures().pop().expect("a failure");
        if cfg!(unix) || name != "link" {
            assert!(failure.message.contains(reason), "{failure}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

/// A scene of `count` actors with the same script.
fn crowd(count: usize, script: &str) -> Scene {
    let mut rest = String::new();
    for index in 0..count {
        rest += &actor_text(&format!("a{index}"), "script = \"crowd\"", &[]);
    }
    let texts = [("crowd".to_owned(), script.to_owned())].into();
    let text = scene_text(&rest).replace("script = \"crowd\"", "script = \"crowd.rhai\"");
    let texts: std::collections::BTreeMap<String, String> = texts;
    let listed = texts.into_iter().map(|(name, text)| (format!("{name}.rhai"), text)).collect();
    Scene::from_toml("crowd.toml", &text, &ModuleSource::Listed(listed)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn scripts_beyond_the_stacks_are_told_to_define_on_update() {
    let mut runtime = Runtime::new(crowd(31_000, "loop { next_update(); }")).unwrap_or_else(|error| panic!("{error}"));
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    let failures = runtime.drain_failures();
    assert_eq!(failures.len(), 1000);
    assert_eq!(failures[0].kind, ScriptErrorKind::Memory);
    assert!(failures[0].message.contains("on_update()"), "{}", failures[0]);
    runtime.update().unwrap_or_else(|error| panic!("{error}"));
    assert!(runtime.drain_failures().is_empty());
}

#[test]
fn scripts_that_only_define_on_update_need_no_stacks() {
    let limits = Limits { stacks: 1, ..Limits::default() };
    let script = "fn on_update() { me.pos.vx += 1; }";
    let mut runtime = Runtime::with_options(crowd(500, script), Options { limits, ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..3 {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(runtime.drain_failures().is_empty());
    assert!(runtime.world().actors().all(|actor| actor.pos.x.0 == 3));
}

/// Stacks of removed actors are free for others, whatever their scripts make of being stopped.
#[test]
fn removed_actors_give_their_stacks_back() {
    let limits = Limits { stacks: 8, ..Limits::default() };
    let stubborn = "loop { try { next_update(); } catch { loop { next_update(); } } }";
    let mut runtime = Runtime::with_options(crowd(4, stubborn), Options { limits, ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"));
    let director =
        "for round in 0..50 { let b = spawn(\"a0\", `b${round}`); next_update(); b.remove(); next_update(); }";
    runtime.set_director("test.rhai", director).unwrap_or_else(|error| panic!("{error}"));
    let mut updates = 0;
    while runtime.is_running() {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        assert!(runtime.drain_failures().is_empty());
        updates += 1;
    }
    assert_eq!(updates, 101);
}
