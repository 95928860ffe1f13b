//! With the feature `send` a runtime moves between threads, its suspended scripts with it.

use std::thread;

use soup386::{Runtime, Scene};

fn is_send<T: Send>() {}

#[test]
fn a_runtime_moves_in_the_middle_of_a_script() {
    is_send::<Runtime>();
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    let script = "for k = 1, 6 do print(k, tick()) next_update() end";
    runtime.set_director("moves.lua", script).unwrap_or_else(|error| panic!("{error}"));
    // One update on each of six threads, each begun while the script waits.
    for _ in 0..6 {
        let updated = thread::spawn(move || {
            runtime.update().unwrap_or_else(|error| panic!("{error}"));
            runtime
        });
        runtime = updated.join().expect("the thread ends");
    }
    assert!(runtime.drain_failures().is_empty());
    assert_eq!(runtime.drain_output(), ["1\t0", "2\t1", "3\t2", "4\t3", "5\t4", "6\t5"]);
}
