//! Prints what programs cost beside Lua and Rhai doing the same work: `cargo bench --bench programs`.
//!
//! Every figure is the median of several rounds in which the languages take turns, so that a ratio holds when the
//! machine's speed drifts.

use std::{fmt::Write, time::Instant};

use soup386::{
    Runtime, Scene,
    defs::{ActorDefIdx, ModuleSource},
};

const ROUNDS: usize = 15;

/// Rounds of the loops in one update. A program's invocation may execute 65,536 statements.
const LOOPS: usize = 10_000;

/// The same work in each form, done once in every update.
struct Work {
    name: &'static str,
    lua: &'static str,
    rhai: &'static str,
    soup: &'static str,
}

const WORK: [Work; 2] = [
    Work {
        name: "counting with formulas and ifs",
        lua: "while true do\n local i, sum = 0, 0\n while i < 10000 do\n  i = i + 1\n  sum = sum + i * 3\n  \
              if sum > 100000 and i ~= 7 then sum = sum - 100000 end\n end\n next_update()\nend",
        rhai: "loop {\n let i = 0; let sum = 0;\n while i < 10000 {\n  i = i + 1;\n  sum = sum + i * 3;\n  \
               if sum > 100000 && i != 7 { sum = sum - 100000; }\n }\n next_update();\n}",
        soup: "var0 = 0\nvar1 = 0\nWORK\n{\n  #TOP:\n  var0 = 0\n  var1 = 0\n\n  #LOOP:\n  var0 = var0 + 1\n  \
               var1 = var0 * 3 + var1\n  if var1 > 100000 and var0 != 7\n  {\n    var1 = var1 - 100000\n  }\n  \
               if var0 < 10000 else #DONE\n  Goto #LOOP\n\n  #DONE:\n  End #TOP\n}\n",
    },
    Work {
        name: "calling a native",
        lua: "while true do\n local i, n = 0, 0\n while i < 10000 do\n  i = i + 1\n  n = me:getattribute(7)\n end\n \
              next_update()\nend",
        rhai: "loop {\n let i = 0; let n = 0;\n while i < 10000 {\n  i = i + 1;\n  n = me.getattribute(7);\n }\n \
               next_update();\n}",
        soup: "var0 = 0\nvar1 = 0\nWORK\n{\n  #TOP:\n  var0 = 0\n\n  #LOOP:\n  var0 = var0 + 1\n  \
               var1 = GetAttribute(7)\n  if var0 < 10000 else #DONE\n  Goto #LOOP\n\n  #DONE:\n  End #TOP\n}\n",
    },
];

/// A short program for each of many actors.
const CROWD: Work = Work {
    name: "10000 actors, a short program each",
    lua: "local n = 0\nwhile true do\n n = n + 1\n if n > 100 then n = 0 end\n me.pos.vx = n * 4\n next_update()\nend",
    rhai: "let n = 0;\nloop {\n n = n + 1;\n if n > 100 { n = 0; }\n me.pos.vx = n * 4;\n next_update();\n}",
    soup: "var0 = 0\nWORK\n{\n  #TOP:\n  var0 = var0 + 1\n  if var0 > 100\n  {\n    var0 = 0\n  }\n  \
           Me.pos.vx = var0 * 4\n  End #TOP\n}\n",
};

const ACTORS: usize = 10_000;

/// A runtime of `n` actors with a script in this form; none without.
fn runtime(n: usize, form: &str, script: &str) -> Runtime {
    let mut scene = String::from("soup386 = 1\n[[model]]\nname = \"M\"\nframes = [[[0, 0, 0]]]\n");
    for k in 0..n {
        let _ = write!(
            scene,
            "[[actor]]\nname = \"A{k}\"\nframes = [{{ model = \"M\", count = 1 }}]\n\
             group = [{{ index = 0, speed = 255, commands = [\"ShowFrame 0\", \"GoToPrevious 0\"] }}]\n"
        );
        if !form.is_empty() {
            let _ = writeln!(scene, "script = \"work.{form}\"");
        }
    }
    let text = if form == "soup" { format!("soup386 program 1\n\n{script}") } else { script.to_owned() };
    let files = ModuleSource::Listed([(format!("work.{form}"), text)].into());
    let scene = Scene::from_toml("bench.toml", &scene, &files).unwrap_or_else(|error| panic!("{error}"));
    let mut runtime = Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..3 {
        runtime.update().expect("an update");
    }
    let failures = runtime.drain_failures();
    assert!(failures.is_empty(), "{form}: {}", failures[0]);
    runtime
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Nanoseconds for one of `parts` parts of an update of each runtime, which take turns.
fn measure(runtimes: &mut [(&'static str, Runtime)], repeats: usize, parts: usize) -> Vec<f64> {
    let mut samples = vec![Vec::new(); runtimes.len()];
    for _ in 0..ROUNDS {
        for ((_, runtime), samples) in runtimes.iter_mut().zip(&mut samples) {
            let start = Instant::now();
            (0..repeats).for_each(|_| runtime.update().expect("an update"));
            samples.push(start.elapsed().as_nanos() as f64 / (repeats * parts) as f64);
        }
    }
    samples.into_iter().map(median).collect()
}

/// The forms that this build has.
fn forms(work: &Work, n: usize) -> Vec<(&'static str, Runtime)> {
    let mut forms = vec![("program", runtime(n, "soup", work.soup))];
    if cfg!(any(feature = "luau", feature = "lua54")) {
        forms.push(("Lua", runtime(n, "lua", work.lua)));
    }
    if cfg!(feature = "rhai") {
        forms.push(("Rhai", runtime(n, "rhai", work.rhai)));
    }
    forms
}

fn report(name: &str, runtimes: &[(&'static str, Runtime)], times: &[f64], base: usize) {
    print!("{name:<36}");
    for ((form, _), time) in runtimes.iter().zip(times) {
        print!("  {form} {time:>8.1} ns ({:.2})", time / times[base]);
    }
    println!();
}

/// Bytes of a program and of its decoded form.
fn sizes(work: &Work) {
    let runtime = runtime(1, "soup", work.soup);
    let programs = &runtime.engine().programs;
    let program = programs.get(ActorDefIdx(0)).expect("a program");
    let (encoded, decoded) = (program.code.program().bytes.len(), program.size());
    println!(
        "{:<36}  {encoded} bytes, decoded {decoded}: {:.1} for each byte",
        work.name,
        decoded as f64 / encoded as f64
    );
}

fn main() {
    for work in &WORK {
        let mut runtimes = forms(work, 1);
        let times = measure(&mut runtimes, 4, LOOPS);
        // Lua comes second where it is built.
        report(work.name, &runtimes, &times, 1.min(times.len() - 1));
    }
    let mut runtimes = vec![("none", runtime(ACTORS, "", ""))];
    runtimes.extend(forms(&CROWD, ACTORS));
    let times = measure(&mut runtimes, 2, ACTORS);
    report(CROWD.name, &runtimes, &times, 0);
    WORK.iter().chain([&CROWD]).for_each(sizes);
}
