//! Actors that come and go leave nothing behind. A binary of its own, because the counter is the global allocator.
#![cfg(any(feature = "luau", feature = "lua54"))]

use soup386::{
    defs::{ModuleSource, Scene},
    update::Runtime,
};

const SCENE: &str = r#"
soup386 = 1
director = "director.lua"
[[actor]]
name = "TEMPLATE"
script = "actor.lua"
"#;

/// Fifty at a time, in every state that a script can be in when its actor goes.
const DIRECTOR: &str = "while true do
  local made = {}
  for i = 1, 50 do made[i] = spawn('TEMPLATE', 'copy' .. i) end
  next_update()
  for _, copy in ipairs(made) do copy:remove() end
  next_update()
end";

const ACTOR: &str = "
  function on_update() end
  local held = {} for i = 1, 20 do held[i] = me.name .. i end
  local number = (myid() + tick()) % 5
  if number == 0 then me:wait(100) end
  if number == 1 then me:multitask():wait(100) error('broken') end
  if number == 2 then coroutine.wrap(function() updates(100) end)() end
  if number == 3 then while true do next_update() held[1] = held[1] .. 'x' end end
";

const CYCLES_PER_UPDATE: u32 = 25;

/// What is held beside the start, Lua's memory included, while updates go by.
struct Held {
    runtime: Runtime,
    bytes: i64,
}

impl Held {
    /// The least that is held in some updates: what the collector has not got to yet is not counted.
    fn least(&mut self, updates: u32) -> i64 {
        let held = (0..updates).map(|_| {
            let runtime = &mut self.runtime;
            let change = allocation_counter::measure(|| {
                runtime.update().expect("an update");
                runtime.drain_failures();
            });
            self.bytes += change.bytes_current;
            self.bytes
        });
        held.min().unwrap_or(0)
    }
}

/// Growth in bytes over so many actors that were made and removed.
fn growth(cycles: u32) -> i64 {
    let listed = [("director.lua", DIRECTOR), ("actor.lua", ACTOR)];
    let listed = listed.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let scene = Scene::from_toml("test.toml", SCENE, &ModuleSource::Listed(listed)).expect("a scene");
    let mut held = Held { runtime: Runtime::new(scene).expect("a runtime"), bytes: 0 };
    // The names of the last 4096 removed actors are remembered, so that many come first.
    held.least(5000 / CYCLES_PER_UPDATE);
    let before = held.least(1000 / CYCLES_PER_UPDATE);
    held.least(cycles / CYCLES_PER_UPDATE);
    let after = held.least(1000 / CYCLES_PER_UPDATE);
    assert!(held.runtime.is_running());
    assert!(held.runtime.world().len() <= 51);
    after - before
}

/// The least that an actor can leave behind: an entry of a table takes more bytes.
const LEAST_LEAK: i64 = 25;

/// `SOUP386_CYCLES` sets another number than 40,000, and the growth is printed: `cargo test --test lua_growth -- --nocapture`.
#[test]
fn actors_that_come_and_go_leave_nothing_behind() {
    let cycles = std::env::var("SOUP386_CYCLES").ok().and_then(|cycles| cycles.parse().ok()).unwrap_or(40_000);
    let grown = growth(cycles);
    println!("{cycles} actors made and removed: {grown} bytes more are held");
    // Lua holds whole pages and collects at its own pace, by the clock too: a quarter of a megabyte of play either way,
    // whatever the number. So the number is large enough for the smallest leak to be four times that.
    assert!(grown < LEAST_LEAK * i64::from(cycles), "{grown} bytes after {cycles} actors");
}
