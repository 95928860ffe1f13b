//! How much memory an update takes: nothing, once a scene has settled.
//!
//! A test binary of its own, because the counter is the global allocator.

use soup386::{Runtime, Scene, defs::ModuleSource};

/// Updates after which every list has reached its size.
const SETTLED: u32 = 200;

fn allocations_of_an_update(runtime: &mut Runtime) -> u64 {
    allocation_counter::measure(|| runtime.update().unwrap_or_else(|error| panic!("{error}"))).count_total
}

#[test]
fn a_settled_scene_allocates_nothing() {
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    // Idling, drawing, standing on guard, sheathing, idling again: events and animations of every kind.
    for tick in 0..2 * SETTLED {
        let fencer = runtime.world().named("CYRUS").expect("the demo has a fencer");
        let call = match tick % SETTLED {
            5 => Some("drawsword"),
            60 => Some("sheathsword"),
            _ => None,
        };
        if let Some(function) = call {
            runtime.call(fencer, function, &[]).unwrap_or_else(|error| panic!("{error}"));
        }
        let count = allocations_of_an_update(&mut runtime);
        assert!(tick < SETTLED || count == 0, "update {tick} allocated {count} times");
    }
}

#[test]
fn a_crowd_allocates_nothing() {
    let mut runtime = Runtime::new(Scene::demo()).unwrap_or_else(|error| panic!("{error}"));
    let engine = runtime.engine_mut();
    let guard = engine.defs.actor_named("GUARD").expect("the demo has a guard");
    for number in 0..1000 {
        engine.spawn(guard, &format!("guard {number}")).unwrap_or_else(|error| panic!("{error}"));
    }
    for tick in 0..2 * SETTLED {
        let count = allocations_of_an_update(&mut runtime);
        assert!(tick < SETTLED || count == 0, "update {tick} allocated {count} times");
    }
}

/// Programs that loop, call, wait, post texts and fail to find an actor, on actors that fight.
#[test]
fn programs_allocate_nothing() {
    let program = r#"
soup386 program 1

$0 = "GUARD"
$1 = "nobody"
$2 = "BODY"
var0 = 0
GUARD (Execution starts at #MAIN)
{
  #ENTRY:
  var0 = var0 + 1
  if var0 > 50 and Me.pos.vx++ != 0
  {
    var0 = 0
  }
  nobody.pos.vx = var0
  DisplayHandModel("BODY", 1, 2, 3)
  End #ENTRY

  #MAIN:
  @Wait(var0)
  GUARD.SetAttribute(60, var0)
  HandItem(77)
  Wait(5)
  Gosub #SUB
  Goto #MAIN

  #SUB:
  RotateByAxis(1, 100, 4)
  Return
}
"#;
    let mut scene = "soup386 = 1\nitem_system = true\n[[model]]\nname = \"BODY\"\nframes = [[[0, 0, 0]]]\n".to_owned();
    for number in 0..50 {
        scene += &format!(
            "[[actor]]\nname = \"A{number}\"\nnamespace = \"guard\"\nscript = \"x.soup\"\nattributes = {{ 14 = 1 }}\n\
             frames = [{{ model = \"BODY\", count = 1 }}]\n\
             group = [{{ index = 0, commands = [\"ShowFrame 0\", \"GoToPrevious 0\"] }}]\n"
        );
    }
    let files = ModuleSource::Listed([("x.soup".to_owned(), program.trim_start().to_owned())].into());
    let scene = Scene::from_toml("scene.toml", &scene, &files).unwrap_or_else(|error| panic!("{error}"));
    let mut runtime = Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"));
    for tick in 0..2 * SETTLED {
        let count = allocations_of_an_update(&mut runtime);
        assert!(runtime.drain_failures().is_empty());
        assert!(tick < SETTLED || count == 0, "update {tick} allocated {count} times");
    }
}
