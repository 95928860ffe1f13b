//! Times of updates and of calls from Lua, each with what it is measured against: `cargo bench --bench times`. For
//! ratios taken in turn see `ratios.rs`.

mod crowd;
mod shapes;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

use crowd::{Floor, STATES, crowd, crowd_on};
use shapes::{CALLS, SHAPES, bare_loop, runtime};

fn update(criterion: &mut Criterion) {
    for n in [1, 1_000, 10_000, 100_000, 1_000_000] {
        let mut group = criterion.benchmark_group(format!("update of {n}"));
        group.throughput(Throughput::Elements(n as u64)).sample_size(20).sampling_mode(SamplingMode::Flat);
        let mut floor = Floor::new(n);
        group.bench_function("floor", |bencher| bencher.iter(|| floor.pass()));
        for (name, prepare) in STATES {
            for threads in [1, 2] {
                let mut runtime = crowd_on(threads, n, None, prepare);
                let id = BenchmarkId::new(name, format!("{threads} threads"));
                group.bench_function(id, |bencher| bencher.iter(|| runtime.update().expect("an update")));
            }
        }
        group.finish();
    }
}

fn scripts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("update of 10000 with a script each");
    group.throughput(Throughput::Elements(10_000)).sample_size(20).sampling_mode(SamplingMode::Flat);
    let texts = [
        ("waiting", "while true do wait(1000) end"),
        ("busy", "while true do for i = 1, 10 do me.pos.vx = i end next_update() end"),
    ];
    for (name, text) in texts {
        let mut runtime = crowd(10_000, Some(text), |_| {});
        group.bench_function(name, |bencher| bencher.iter(|| runtime.update().expect("an update")));
    }
    group.finish();
}

fn calls(criterion: &mut Criterion) {
    for (name, ours, bare) in SHAPES {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(CALLS as u64));
        let mut runtime = runtime(ours);
        group.bench_function("here", |bencher| bencher.iter(|| runtime.update().expect("an update")));
        let (_lua, looped) = bare_loop(bare);
        group.bench_function("bare", |bencher| bencher.iter(|| looped.call::<()>(()).expect("a loop")));
        group.finish();
    }
}

criterion_group!(benches, update, scripts, calls);
criterion_main!(benches);
