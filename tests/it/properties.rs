//! The 226 properties: what each reads and stores, and what a write leaves alone.

use sha2::{Digest, Sha256};
use soup386::{
    defs::{PropertyDecl, PropertyId, Tag, properties},
    units::{Angle, Matrix},
    update::Runtime,
    world::Actor,
};

use super::{
    support::{actor, call, property, set_property, updates},
    yard::{edit, yard},
};

/// S1: the table is that of SOUPPROPS.md: the hash is of its rows as `name,offset,width` lines.
#[test]
fn the_property_table_is_the_documented_one() {
    let rows = properties().rows();
    assert_eq!(rows.len(), 226);
    let line = |row: &PropertyDecl| format!("{},{:#x},{}\n", row.name, row.offset, row.width);
    let text: String = rows.iter().map(line).collect();
    let hash: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "b0b3a4c87b44a191ce24dffe7e88d01d84fa2da442bfcce6d0caa7759e213059");
    for (tag, count) in [(Tag::Byte, 52), (Tag::Word, 20), (Tag::Long, 80)] {
        assert_eq!(rows.iter().filter(|row| row.tag == tag).count(), count, "{tag:?}");
    }
    let widths = |tag, width| rows.iter().filter(|row| row.tag == tag).all(|row| row.width == width);
    assert!(widths(Tag::Byte, 1) && widths(Tag::Word, 2) && widths(Tag::Long, 4));
}

/// S1: names compare without case.
#[test]
fn property_names_compare_without_case() {
    for row in properties().rows() {
        assert_eq!(properties().named(row.name), Some(row.id));
        assert_eq!(properties().named(&row.name.to_ascii_uppercase()), Some(row.id));
    }
    assert_eq!(properties().named("hand_pos"), None);
    assert_eq!(properties().named(" hide"), None);
}

/// What a property does with writes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Byte,
    Word,
    Long,
    /// Reads as it is, ignores writes.
    View,
}

/// Fields of the animation record that the rules name, with their width. The others read 0.
fn anim_kind(name: &str) -> Kind {
    match name {
        "current" | "next" | "frame" | "pos.vx" | "pos.vy" | "pos.vz" | "angle.vx" | "angle.vy" | "angle.vz" => {
            Kind::Word
        }
        "next_speed" | "speed" | "speed_count" | "stop_flag" | "halt_flag" | "hold_flag" | "rep_count"
        | "rewind_flag" | "loop_count" | "sound_handle" | "real_frame" => Kind::Byte,
        "address" | "max_group" | "last_angle.vx" | "last_angle.vy" | "last_angle.vz" => Kind::View,
        other => panic!("anim.{other} has no rule"),
    }
}

/// What S1 says of a row: views of the task slots, pointers and bodies, the rope, the animation record, plain fields.
fn kind(row: &PropertyDecl) -> Kind {
    if let Some(field) = row.name.strip_prefix("anim.") {
        return anim_kind(field);
    }
    match row.tag {
        _ if row.name.starts_with("task") => Kind::View,
        Tag::Byte => Kind::Byte,
        Tag::Word => Kind::Word,
        Tag::Long => Kind::Long,
        _ if row.name == "rope" => Kind::Long,
        _ => Kind::View,
    }
}

fn values(actor: &Actor) -> Vec<i32> {
    properties().rows().iter().map(|row| actor.property(row.id)).collect()
}

/// GUARD of the yard, with one blocking task of counter 1.
fn guard() -> Runtime {
    let mut runtime = yard();
    call(&mut runtime, "GUARD", "Wait", &[9]);
    runtime
}

/// S1: `b` is unsigned, `w` and `d` are signed; writes are truncated and change no other property; views, pointers and
/// bodies ignore them.
#[test]
fn a_write_is_truncated_and_changes_its_property_only() {
    // Low byte 0xb3 = 179, low word 0xa2b3 = −23885; 0x17d = 125 in the low byte; −1.
    for (written, byte, word) in [
        (0x8091_a2b3_u32 as i32, 179, -23885),
        (0x0001_017d, 125, 381),
        (-1, 255, -1),
        (0x7fff_8000, 0, -32768),
        (1, 1, 1),
    ] {
        let runtime = guard();
        for row in properties().rows() {
            let mut guard = actor(&runtime, "GUARD").clone();
            let mut expected = values(&guard);
            match kind(row) {
                Kind::Byte => expected[usize::from(row.id.0)] = byte,
                Kind::Word => expected[usize::from(row.id.0)] = word,
                Kind::Long => expected[usize::from(row.id.0)] = written,
                Kind::View => {}
            }
            if row.name == "runtime_locals" || row.name == "static_data" {
                // Both stand at 0xc1.
                expected[11] = byte;
                expected[14] = byte;
            }
            guard.set_property(row.id, written);
            assert_eq!(values(&guard), expected, "{} := {written}", row.name);
        }
    }
}

/// S1: the two raw properties that the documents place at 0xc1 are one byte.
#[test]
fn properties_at_the_same_offset_are_the_same_byte() {
    let mut runtime = yard();
    let place = |name: &str| properties().named(name).and_then(|id| properties().get(id)).map(|row| row.offset);
    assert_eq!((place("runtime_locals"), place("static_data")), (Some(0xc1), Some(0xc1)));
    set_property(&mut runtime, "GUARD", "runtime_locals", 0x141);
    assert_eq!(property(&runtime, "GUARD", "static_data"), 0x41);
    set_property(&mut runtime, "GUARD", "static_data", 7);
    assert_eq!(property(&runtime, "GUARD", "runtime_locals"), 7);
    assert_eq!(property(&runtime, "GUARD", "loaded_matrix"), 0, "its neighbour is another byte");
    assert_eq!(property(&runtime, "CYRUS", "static_data"), 0, "each actor has its own");
}

/// S1: pointers read 1 for what is there and 0 for what is not; only the rope can be written, as a whole number.
#[test]
fn pointers_read_presence() {
    let mut runtime = yard();
    for (name, combat, anim) in [("GUARD", 1, 1), ("STONE", 0, 0)] {
        let read = |runtime: &Runtime, property_name| property(runtime, name, property_name);
        assert_eq!((read(&runtime, "combat"), read(&runtime, "anim"), read(&runtime, "rope")), (combat, anim, 0));
        for pointer in ["combat", "anim", "light", "flat", "name", "attribute"] {
            let before = read(&runtime, pointer);
            set_property(&mut runtime, name, pointer, 1 - before);
            assert_eq!(read(&runtime, pointer), before, "{pointer} ignores writes");
        }
        set_property(&mut runtime, name, "rope", -70000);
        assert_eq!(read(&runtime, "rope"), -70000);
    }
}

/// S1: without animation state `anim.*` reads 0 and ignores writes, and the state that is not there stays as it was.
#[test]
fn anim_properties_need_an_animation_state() {
    let mut runtime = yard();
    let before = actor(&runtime, "STONE").clone();
    let anim = |row: &&PropertyDecl| row.name.starts_with("anim.");
    let ids: Vec<PropertyId> = properties().rows().iter().filter(anim).map(|row| row.id).collect();
    assert_eq!(ids.len(), 25);
    for id in ids {
        edit(&mut runtime, "STONE", |actor| actor.set_property(id, 77));
        assert_eq!(actor(&runtime, "STONE").property(id), 0);
    }
    assert_eq!(*actor(&runtime, "STONE"), before);
    assert_eq!(property(&runtime, "GUARD", "anim.next"), -1, "with one it is read, sign and all");
}

/// S1: the slots are seen through read-only views: occupied, blocking, paused, counter.
#[test]
fn task_properties_are_views_of_the_slots() {
    let mut runtime = guard();
    call(&mut runtime, "GUARD", "AmbientSound", &[1, 2, 3]);
    updates(&mut runtime, 1);
    call(&mut runtime, "GUARD", "FxLightSize", &[1, 2]);
    edit(&mut runtime, "GUARD", |actor| {
        let serial = actor.tasks.running()[0].serial;
        let task = actor.tasks.get_mut(serial).expect("it runs");
        (task.paused, task.counter) = (true, 40000);
    });
    let read = |name: &str| property(&runtime, "GUARD", name);
    // The first multitask was done after one pass, so the second took slot 1 again.
    let slot = |i: u8| ["task", "task_status", "task_pause", "task_timer"].map(|name| read(&format!("{name}[{i}]")));
    assert_eq!(slot(0), [1, 1, 1, 40000 - 65536]);
    assert_eq!(slot(1), [1, 0, 0, 1]);
    assert_eq!(slot(2), [0, 0, 0, 0]);
}

/// S1: a write has no side effect: no matrix, floating position, request or event follows, and values are not masked.
#[test]
fn writes_have_no_side_effects() {
    let mut runtime = yard();
    for (name, value) in [("pos.vx", 512), ("angle.vy", 5000), ("anim.next", 91), ("frame", 4), ("extra_flag", 20)] {
        set_property(&mut runtime, "GUARD", name, value);
        assert_eq!(property(&runtime, "GUARD", name), value, "{name} is stored as it is");
    }
    let guard = actor(&runtime, "GUARD");
    assert_eq!((guard.matrix, guard.floating, guard.angle.y), (Matrix::IDENTITY, [0.0; 3], Angle(5000)));
    assert_eq!((guard.playback.current, guard.last_pos.x.0, guard.last_angle.y), (0, 0, Angle(0)));
    assert_eq!(
        runtime.world().events.iter().filter(|event| event.actor == guard.key).count(),
        2,
        "spawned, first group"
    );
}

/// S1: handle and frame are the pose; a handle beyond the models has no vertices and no model name.
#[test]
fn handle_and_frame_are_the_pose() {
    let mut runtime = yard();
    assert_eq!((property(&runtime, "GUARD", "handle"), property(&runtime, "GUARD", "frame")), (3, 0), "BODY is third");
    for handle in [4, 32767] {
        set_property(&mut runtime, "GUARD", "handle", handle);
        set_property(&mut runtime, "GUARD", "frame", 7);
        edit(&mut runtime, "GUARD", |actor| actor.animation_excluded = false);
        let guard = actor(&runtime, "GUARD");
        assert_eq!((i32::from(guard.pose.handle), guard.pose.frame), (handle, 7));
        let row = soup386::trace::Row::new(&runtime.engine().defs, guard, 0);
        let row = serde_json::to_value(row).expect("a row is JSON");
        assert_eq!((&row["model"], &row["frame"]), (&serde_json::Value::Null, &7.into()));
        updates(&mut runtime, 1);
        let attachment = actor(&runtime, "GUARD").attachment.expect("still shown");
        assert_eq!(attachment.transform.position, [0.0; 3], "all vertices are the zero vector");
        assert_eq!(property(&runtime, "GUARD", "handle"), 3, "the animation shows its frame again");
    }
}

/// S1: properties that rules read act through them: the grip pair is read by the next pass, negative numbers too.
#[test]
fn grip_and_scabbard_are_signed_words() {
    let mut runtime = yard();
    for name in ["grip[0]", "grip[1]", "scabbard[0]", "scabbard[1]"] {
        set_property(&mut runtime, "GUARD", name, 0x1_fffe);
        assert_eq!(property(&runtime, "GUARD", name), -2);
    }
    set_property(&mut runtime, "GUARD", "scabbard[0]", 1);
    updates(&mut runtime, 1);
    let attachment = actor(&runtime, "GUARD").attachment.expect("the hilt");
    assert_eq!(attachment.transform.position, [0.0, 0.0, 10.0], "vertex 1 of frame 0");
}
