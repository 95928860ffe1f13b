//! The trace: keys and their order, nulls, floating-point text, equal bytes of equal runs.

use serde_json::Value;
use soup386::{
    defs::Scene,
    trace::{Header, Row, lines, push_line},
    units::Matrix,
    update::Runtime,
    world::{Actor, Attachment, Transform},
};

use super::{
    support::{actor, call, updates},
    yard::{admits, edit, yard},
};

fn row_text(runtime: &Runtime, name: &str) -> String {
    let mut out = Vec::new();
    push_line(&mut out, &Row::new(&runtime.engine().defs, actor(runtime, name), runtime.world().clock.tick));
    String::from_utf8(out).expect("a trace is text")
}

fn row(runtime: &Runtime, name: &str) -> Value {
    serde_json::from_str(&row_text(runtime, name)).expect("a row is JSON")
}

/// S3: all keys in their order; an actor without animation state has −1 groups, zeros and nulls.
#[test]
fn the_row_of_an_actor_without_animation_state() {
    let mut runtime = yard();
    updates(&mut runtime, 3);
    let expected = concat!(
        r#"{"tick":2,"actor":"STONE","group":-1,"pending":-1,"cursor":0,"real_frame":0,"speed_count":0,"loop":0,"#,
        r#""exit":false,"model":null,"frame":-1,"state":0,"weapon_drawn":0,"hand_item":0,"shown":"none","#,
        r#""shown_model":null,"position":null,"matrix":null,"hand_pos":[0,0,0],"hand_angle":[0,0,0],"base":null,"#,
        r#""tip":null,"displays":[]}"#,
        "\n"
    );
    assert_eq!(row_text(&runtime, "STONE"), expected);
}

/// S3: the same keys in the same order with everything present, and each value where it belongs.
#[test]
fn the_row_of_an_armed_actor() {
    let mut runtime = yard();
    edit(&mut runtime, "GUARD", |actor| actor.weapon_drawn = 1);
    updates(&mut runtime, 1);
    edit(&mut runtime, "GUARD", |actor| {
        (actor.extra_flag, actor.hand_item) = (20, 2);
        let playback = &mut actor.playback;
        (playback.current, playback.pending, playback.cursor, playback.real_frame) = (-2, 129, -7, 200);
        (playback.speed_count, playback.loop_count, playback.exit) = (250, 9, 2);
    });
    admits(&mut runtime, "GUARD", "DisplayHiltItem", &[1, 0, 0, 0]);
    let text = row_text(&runtime, "GUARD");
    let keys = [
        "tick",
        "actor",
        "group",
        "pending",
        "cursor",
        "real_frame",
        "speed_count",
        "loop",
        "exit",
        "model",
        "frame",
        "state",
        "weapon_drawn",
        "hand_item",
        "shown",
        "shown_model",
        "position",
        "matrix",
        "hand_pos",
        "hand_angle",
        "base",
        "tip",
        "displays",
        "kind",
        "model",
        "position",
        "matrix",
    ];
    let mut rest = text.as_str();
    for key in keys {
        let quoted = format!("\"{key}\":");
        let at = rest.find(&quoted).unwrap_or_else(|| panic!("{key} is missing or out of order: {text}"));
        rest = &rest[at + quoted.len()..];
    }
    assert_eq!(text.matches("\":").count(), keys.len(), "no other key");
    let row: Value = serde_json::from_str(&text).expect("a row is JSON");
    // Default group 8 started in this update and shows frame 1. The weapon was placed before that, in frame 0.
    for (key, expected) in [
        ("tick", Value::from(0)),
        ("actor", "GUARD".into()),
        ("group", (-2).into()),
        ("pending", 129.into()),
        ("cursor", (-7).into()),
        ("real_frame", 200.into()),
        ("speed_count", 250.into()),
        ("loop", 9.into()),
        ("exit", true.into()),
        ("model", "BODY".into()),
        ("frame", 1.into()),
        ("state", 20.into()),
        ("weapon_drawn", 1.into()),
        ("hand_item", 2.into()),
        ("shown", "hand".into()),
        ("shown_model", "SABRE".into()),
        ("position", serde_json::json!([0.0, 0.0, 5.0])),
        ("hand_pos", serde_json::json!([0, 256, 0])),
        ("hand_angle", serde_json::json!([512, 0, 0])),
        ("base", serde_json::json!([0, 0, 5])),
        ("tip", serde_json::json!([0, 0, -19])),
    ] {
        assert_eq!(row[key], expected, "{key}");
    }
    assert_eq!(row["matrix"].as_array().map(Vec::len), Some(9));
    let [display] = &row["displays"].as_array().expect("a list")[..] else { panic!("one display") };
    assert_eq!((&display["kind"], &display["model"]), (&"hilt".into(), &"SABREH".into()));
    assert_eq!(display["position"], serde_json::json!([0.0, 1.0, 0.0]));
}

/// S3: the words of `shown`.
#[test]
fn the_words_of_shown() {
    let mut runtime = yard();
    let mut seen = vec![row(&runtime, "GUARD")["shown"].clone()];
    edit(&mut runtime, "GUARD", |actor| actor.weapon_drawn = 1);
    updates(&mut runtime, 1);
    seen.push(row(&runtime, "GUARD")["shown"].clone());
    edit(&mut runtime, "GUARD", |actor| (actor.weapon_drawn, actor.playback.current) = (0, 129));
    updates(&mut runtime, 1);
    seen.push(row(&runtime, "GUARD")["shown"].clone());
    edit(&mut runtime, "GUARD", |actor| actor.playback.current = 0);
    updates(&mut runtime, 1);
    seen.push(row(&runtime, "GUARD")["shown"].clone());
    assert_eq!(seen, ["none", "hand", "hilt_grip", "hilt"]);
}

/// S3: model null and frame −1 before any pose, whatever the frame word holds.
#[test]
fn there_is_no_frame_before_a_pose() {
    let mut runtime = yard();
    for handle in [0, -5] {
        edit(&mut runtime, "STONE", |actor| (actor.pose.handle, actor.pose.frame) = (handle, 4));
        assert_eq!((&row(&runtime, "STONE")["model"], &row(&runtime, "STONE")["frame"]), (&Value::Null, &(-1).into()));
    }
    edit(&mut runtime, "STONE", |actor| actor.pose.handle = 1);
    assert_eq!((&row(&runtime, "STONE")["model"], &row(&runtime, "STONE")["frame"]), (&"SABRE".into(), &4.into()));
}

/// S4: every f32 is printed so that it comes back bit for bit, −0.0 as `-0.0`.
#[test]
fn floats_come_back_bit_for_bit() {
    let mut bits = 1_u32;
    let mut numbers = vec![-0.0, 0.0, f32::MIN_POSITIVE, f32::MAX, f32::MIN, 1e-45, 16_777_216.0, 0.1, 5.358_979_4e-8];
    while numbers.len() < 600 {
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        numbers.extend(Some(f32::from_bits(bits)).filter(|number| number.is_finite()));
    }
    let mut runtime = yard();
    updates(&mut runtime, 1);
    let comes_back = |value: &Value, number: f32| {
        let read = value.as_f64().expect("a number") as f32;
        assert_eq!(read.to_bits(), number.to_bits(), "{number:e} became {value}");
    };
    for chunk in numbers.chunks_exact(12) {
        edit(&mut runtime, "GUARD", |actor: &mut Actor| {
            let attachment: &mut Attachment = actor.attachment.as_mut().expect("the hilt");
            let matrix = Matrix(chunk[3..].try_into().expect("nine numbers"));
            attachment.transform = Transform { position: [chunk[0], chunk[1], chunk[2]], matrix };
        });
        let row = row(&runtime, "GUARD");
        let printed = row["position"].as_array().into_iter().chain(row["matrix"].as_array()).flatten();
        printed.zip(chunk).for_each(|(value, &number)| comes_back(value, number));
    }
    edit(&mut runtime, "GUARD", |actor| {
        actor.attachment.as_mut().expect("the hilt").transform.position = [-0.0, 0.0, -1.5];
    });
    assert!(row_text(&runtime, "GUARD").contains(r#""position":[-0.0,0.0,-1.5]"#));
}

/// S4: the header line.
#[test]
fn the_header_names_version_actors_updates_and_seed() {
    let mut out = Vec::new();
    push_line(
        &mut out,
        &Header { soup386_trace: 1, actors: vec!["CYRUS".to_owned(), "A \"b\"".to_owned()], updates: 40, seed: 7 },
    );
    let expected = "{\"soup386_trace\":1,\"actors\":[\"CYRUS\",\"A \\\"b\\\"\"],\"updates\":40,\"seed\":7}\n";
    assert_eq!(String::from_utf8(out).as_deref(), Ok(expected));
}

/// S3: events are lines of their own before the rows of their update, only when wanted.
#[test]
fn events_are_lines_of_their_own() {
    let mut runtime = yard();
    updates(&mut runtime, 1);
    edit(&mut runtime, "GUARD", |actor| actor.fall_flag = 1);
    call(&mut runtime, "GUARD", "DrawSword", &[]);
    admits(&mut runtime, "CYRUS", "HandItem", &[2]);
    let text = |events| String::from_utf8(lines(&runtime.engine().defs, runtime.world(), events)).expect("text");
    let (with, without) = (text(true), text(false));
    assert_eq!(without.lines().count(), 3);
    let events = with.strip_suffix(&without).expect("the rows come last");
    let refused = r#"{"tick":0,"event":"refused","actor":"GUARD","fall_flag":1,"function":"drawsword","gate":"falling","why":"drawsword refused: the actor is falling (fall_flag = 1)"}"#;
    let held = r#"{"tick":0,"event":"item_held","actor":"CYRUS","item":2}"#;
    let events: Vec<_> = events.lines().collect();
    assert_eq!(events[events.len() - 2..], [refused, held]);
}

fn run_of_the_demo() -> Vec<u8> {
    let mut runtime = Runtime::new(Scene::demo()).expect("the demo is valid");
    let mut out = Vec::new();
    for k in 0..200 {
        let (name, function) = [("CYRUS", "DrawSword"), ("GUARD", "beginCombat"), ("CYRUS", "SheathSword")][k % 3];
        if k % 40 < 3 {
            call(&mut runtime, name, function, &[]);
        }
        call(&mut runtime, "GUARD", "Rnd", &[100]);
        updates(&mut runtime, 1);
        out.extend(lines(&runtime.engine().defs, runtime.world(), true));
    }
    out
}

/// S3, S4: two runs of the same give the same bytes.
#[test]
fn two_runs_give_the_same_bytes() {
    let first = run_of_the_demo();
    assert!(first.len() > 100_000);
    assert!(first == run_of_the_demo(), "the second run differs");
}
