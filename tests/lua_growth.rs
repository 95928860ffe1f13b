//! Actors that come and go leave nothing behind. A binary of its own, for it counts all memory of the process.
#![cfg(any(feature = "luau", feature = "lua54"))]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
};

use soup386::{
    defs::{ModuleSource, Scene},
    update::Runtime,
};

/// The system's allocator, with the bytes that are held. Lua's memory goes through it, too.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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

const CYCLES: usize = 10_000;
const CYCLES_PER_UPDATE: usize = 25;

/// The least that is held in some updates: what the collector has not got to yet is not counted.
fn least_held(runtime: &mut Runtime, updates: usize) -> usize {
    (0..updates)
        .map(|_| {
            runtime.update().expect("an update");
            runtime.drain_failures();
            HELD.load(Ordering::Relaxed)
        })
        .min()
        .unwrap_or(0)
}

#[test]
fn ten_thousand_actors_leave_nothing_behind() {
    let listed = [("director.lua", DIRECTOR), ("actor.lua", ACTOR)];
    let listed = listed.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let scene = Scene::from_toml("test.toml", SCENE, &ModuleSource::Listed(listed)).expect("a scene");
    let mut runtime = Runtime::new(scene).expect("a runtime");
    // The names of the last 4096 removed actors are remembered, so that many come first.
    least_held(&mut runtime, 5000 / CYCLES_PER_UPDATE);
    let before = least_held(&mut runtime, 1000 / CYCLES_PER_UPDATE);
    least_held(&mut runtime, CYCLES / CYCLES_PER_UPDATE);
    let after = least_held(&mut runtime, 1000 / CYCLES_PER_UPDATE);
    assert!(runtime.is_running());
    assert!(runtime.world().len() <= 51);
    assert!(after < before + before / 10, "{before} bytes before, {after} after");
}
