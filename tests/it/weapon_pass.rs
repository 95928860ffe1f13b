//! The equipped-weapon pass and the Display natives.

use soup386::{
    defs::{ItemType, functions},
    natives::{CallRequest, Dispatch, Given, arguments},
    units::{Angle, Q8, Vec3},
    update::Runtime,
    weapon,
    world::{Actor, CallSite, Shown},
};

use super::{
    support::{actor, call, runtime, updates},
    yard::{admits, call_from_shell, edit, refuses, scene, set_attribute, shown, step, yard},
};

/// Shown, its position, motion state, drawn flag, current group and real frame.
type Row = (&'static str, [f32; 3], u8, u8, i16, u8);

fn row(runtime: &Runtime, name: &str) -> Row {
    let state = actor(runtime, name);
    let position = state.attachment.expect("something shown").transform.position;
    let playback = state.playback;
    (shown(runtime, name), position, state.extra_flag, state.weapon_drawn, playback.current, playback.real_frame)
}

fn rows(runtime: &mut Runtime, name: &str, n: usize) -> Vec<Row> {
    let row = |_| {
        updates(runtime, 1);
        row(runtime, name)
    };
    (0..n).map(row).collect()
}

/// W12: the draw shows the hilt at the scabbard below attribute 35, from the pass at the threshold on the hand.
/// The pass uses the pose that its own request made: frame 2 already in the first update.
#[test]
fn a_draw_shows_the_hilt_up_to_its_threshold() {
    for name in ["CYRUS", "GUARD"] {
        let mut runtime = yard();
        admits(&mut runtime, name, "DrawSword", &[]);
        let expected: [Row; 5] = [
            ("hilt", [0.0, 2.0, 0.0], 20, 0, 91, 1),
            ("hilt", [0.0, 3.0, 0.0], 20, 0, 91, 2),
            ("hand", [4.0, 0.0, 5.0], 0, 1, 91, 3),
            ("hand", [5.0, 0.0, 5.0], 0, 1, 8, 0),
            ("hand", [1.0, 0.0, 5.0], 0, 1, 8, 1),
        ];
        assert_eq!(rows(&mut runtime, name, 5), expected);
    }
}

/// W12: the sheath shows the hand below attribute 34, then the hilt model in the grip while group 129 is current, then
/// the hilt at the scabbard.
#[test]
fn a_sheath_shows_the_hand_up_to_its_threshold() {
    let mut runtime = yard();
    admits(&mut runtime, "GUARD", "DrawSword", &[]);
    updates(&mut runtime, 5);
    admits(&mut runtime, "GUARD", "SheathSword", &[]);
    let expected: [Row; 4] = [
        ("hand", [6.0, 0.0, 5.0], 21, 1, 129, 1),
        ("hand", [7.0, 0.0, 5.0], 21, 1, 129, 2),
        ("hilt_grip", [8.0, 0.0, 5.0], 0, 0, 0, 0),
        ("hilt", [0.0, 0.0, 0.0], 0, 0, 0, 1),
    ];
    assert_eq!(rows(&mut runtime, "GUARD", 4), expected);
}

/// CYRUS after one pass from this state, outside an update.
fn passed(set: impl FnOnce(&mut Actor)) -> Actor {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", set);
    step(&mut runtime, "CYRUS", weapon::equip);
    actor(&runtime, "CYRUS").clone()
}

fn shown_by(actor: &Actor) -> Option<Shown> {
    actor.attachment.map(|attachment| attachment.shown)
}

/// W12: thresholds are reached at equality and compare as unsigned bytes.
#[test]
fn thresholds_are_unsigned_bytes() {
    for (threshold, real_frame, reached) in [
        (2, 1, false),
        (2, 2, true),
        (0, 0, true),
        (200, 199, false),
        (200, 200, true),
        (128, 127, false),
        (127, 255, true),
    ] {
        let draw = passed(|actor| {
            (actor.extra_flag, actor.extra_time) = (20, 9);
            (actor.playback.current, actor.playback.real_frame) = (91, real_frame);
            actor.attributes[35] = threshold;
        });
        let expected = if reached { (Shown::Hand, 1, 0) } else { (Shown::Hilt, 0, 20) };
        let case = format!("{real_frame} of {threshold}");
        assert_eq!(
            (shown_by(&draw), draw.weapon_drawn, draw.extra_flag),
            (Some(expected.0), expected.1, expected.2),
            "{case}"
        );
        assert_eq!(draw.extra_time, 9, "the companion byte stays");
        let sheath = passed(|actor| {
            (actor.extra_flag, actor.extra_time, actor.weapon_drawn) = (21, 9, 1);
            (actor.playback.current, actor.playback.real_frame) = (129, real_frame);
            actor.attributes[34] = threshold;
        });
        let expected = if reached { (Shown::HiltGrip, 0, 0) } else { (Shown::Hand, 1, 21) };
        assert_eq!(
            (shown_by(&sheath), sheath.weapon_drawn, sheath.extra_flag),
            (Some(expected.0), expected.1, expected.2),
            "{case}"
        );
        assert_eq!(sheath.extra_time, 9, "the companion byte stays");
    }
}

/// W12: motion state 20 asks for group 91 at every pass, even while 91 is current.
#[test]
fn the_draw_asks_for_its_group_at_every_pass() {
    let actor = passed(|actor| {
        actor.extra_flag = 20;
        (actor.playback.current, actor.playback.pending, actor.playback.next_speed) = (91, 8, 77);
    });
    assert_eq!((actor.playback.pending, actor.playback.next_speed), (91, 1));
}

/// W12: without group 91 the default restarts, the hilt is shown and the draw stays pending.
#[test]
fn a_draw_without_its_group_never_ends() {
    let mut runtime = runtime(&scene("").replace("index = 91", "index = 90"));
    admits(&mut runtime, "CYRUS", "DrawSword", &[]);
    for _ in 0..20 {
        updates(&mut runtime, 1);
        let (shown, _, state, drawn, current, _) = row(&runtime, "CYRUS");
        assert_eq!((shown, state, drawn, current), ("hilt", 20, 0, 8));
    }
}

/// W12: the pass that asks for group 129 shows the hand and does not test the threshold, even if the group starts at
/// once and the threshold is 0.
#[test]
fn the_pass_that_starts_the_sheath_does_not_test_the_threshold() {
    let actor = passed(|actor| {
        (actor.extra_flag, actor.weapon_drawn) = (21, 1);
        actor.attributes[34] = 0;
    });
    assert_eq!(actor.playback.current, 129, "the request started it");
    assert_eq!((shown_by(&actor), actor.weapon_drawn, actor.extra_flag), (Some(Shown::Hand), 1, 21));
}

/// W12: a completed sheath cancels a pending group 129, and no other.
#[test]
fn a_completed_sheath_cancels_its_own_group_only() {
    for (pending, left) in [(129, -1), (8, 8), (0, 0), (-1, -1)] {
        let actor = passed(|actor| {
            actor.extra_flag = 21;
            (actor.playback.current, actor.playback.real_frame, actor.playback.pending) = (129, 2, pending);
        });
        assert_eq!(actor.playback.pending, left, "pending {pending}");
    }
    let below = passed(|actor| {
        actor.extra_flag = 21;
        (actor.playback.current, actor.playback.real_frame, actor.playback.pending) = (129, 1, 129);
    });
    assert_eq!(below.playback.pending, 129, "below the threshold");
}

/// W12: without combat record the drawn flag is cleared before the motion state is looked at, and no ends are written.
#[test]
fn no_combat_record_clears_the_drawn_flag_first() {
    let resting = passed(|actor| (actor.combat, actor.weapon_drawn) = (None, 1));
    assert_eq!((shown_by(&resting), resting.weapon_drawn, resting.endpoints), (Some(Shown::Hilt), 0, None));
    let drawing = passed(|actor| {
        (actor.combat, actor.extra_flag) = (None, 20);
        (actor.playback.current, actor.playback.real_frame) = (91, 2);
    });
    assert_eq!((shown_by(&drawing), drawing.weapon_drawn), (Some(Shown::Hand), 1), "the same pass may set it again");
}

/// W12: outside states 20 and 21 the drawn flag decides, and group 129 keeps the hilt in the grip.
#[test]
fn at_rest_the_drawn_flag_and_group_129_decide() {
    for state in [0, 15, 19, 22, 27] {
        for (drawn, current, expected) in [
            (1, 0, Shown::Hand),
            (255, 129, Shown::Hand),
            (0, 129, Shown::HiltGrip),
            (0, 91, Shown::Hilt),
            (0, 0, Shown::Hilt),
        ] {
            let actor = passed(|actor| {
                (actor.extra_flag, actor.weapon_drawn, actor.playback.current) = (state, drawn, current);
            });
            assert_eq!(shown_by(&actor), Some(expected), "state {state}, drawn {drawn}, group {current}");
            assert_eq!((actor.extra_flag, actor.weapon_drawn), (state, drawn));
        }
    }
}

/// W12: hand and hilt model, grip and scabbard, drawn and stowed transform, tracked point, angles, ends.
/// Derivation: both pairs point from z 10 to z 0, so pitch and heading are 0 and the stored pitch 512; the item's −Y lies
/// along −z, and 24 map units of blade reach 24 below the position's z.
#[test]
fn each_form_has_its_model_transform_and_ends() {
    let at = |set: fn(&mut Actor)| {
        let actor = passed(|actor| {
            actor.pose.frame = 3;
            set(actor);
        });
        let attachment = actor.attachment.expect("something shown");
        let ends = actor.endpoints.expect("an actor with combat record");
        assert_eq!(actor.hand_angle, Vec3::new(Angle(512), Angle(0), Angle(0)));
        let base: [i32; 3] = ends.base.into();
        let tip: [i32; 3] = ends.tip.into();
        let point: [i32; 3] = actor.hand_pos.map(|Q8(component)| component).into();
        let model = attachment.model(&yard().engine().defs).map(|name| name.to_string());
        (model, attachment.transform.position, point, base, tip)
    };
    let name = |name: &str| Some(name.to_owned());
    let drawn = ([3.0, 0.0, 5.0], [768, 0, 0], [3, 0, 5], [3, 0, -19]);
    assert_eq!(at(|actor| actor.weapon_drawn = 1), (name("SABRE"), drawn.0, drawn.1, drawn.2, drawn.3));
    let in_grip = at(|actor| actor.playback.current = 129);
    assert_eq!(in_grip, (name("SABREH"), drawn.0, drawn.1, drawn.2, drawn.3));
    let stowed = (name("SABREH"), [0.0, 3.0, 0.0], [0, 768, 0], [0, 3, 0], [0, 3, -24]);
    assert_eq!(at(|_| {}), stowed);
}

/// W12: what the pass needs. Where it is missing nothing is shown and nothing else happens: no request, no transition,
/// no cleared flag; tracked point and ends stay.
#[test]
fn without_its_needs_the_pass_does_nothing() {
    let needs: [fn(&mut Runtime); 5] = [
        |r| r.engine_mut().world.items.open = false,
        |r| edit(r, "CYRUS", |actor| actor.animated = false),
        |r| set_attribute(r, "CYRUS", 23, 0),
        |r| set_attribute(r, "CYRUS", 23, 99),
        |r| set_attribute(r, "CYRUS", 23, 2),
    ];
    for (i, lose) in needs.into_iter().enumerate() {
        let mut runtime = yard();
        updates(&mut runtime, 1);
        assert_eq!(shown(&runtime, "CYRUS"), "hilt");
        edit(&mut runtime, "CYRUS", |actor| (actor.extra_flag, actor.weapon_drawn, actor.combat) = (20, 1, None));
        lose(&mut runtime);
        let mut expected = actor(&runtime, "CYRUS").clone();
        expected.attachment = None;
        step(&mut runtime, "CYRUS", weapon::equip);
        assert_eq!(*actor(&runtime, "CYRUS"), expected, "case {i}");
        assert!(expected.endpoints.is_some(), "the ends of the last pass stay");
    }
    let mut runtime = yard();
    step(&mut runtime, "CYRUS", |defs, actor, mut conditions, events| {
        conditions.shell = true;
        weapon::equip(defs, actor, conditions, events);
    });
    assert_eq!(shown(&runtime, "CYRUS"), "none", "shell context");
}

/// W12, A9: an item without the model to be shown is not attached and tracks nothing, but the states go on.
#[test]
fn a_missing_model_name_stops_the_attachment_not_the_draw() {
    let mut runtime = yard();
    set_attribute(&mut runtime, "GUARD", 23, 4);
    edit(&mut runtime, "GUARD", |actor| actor.hand_pos = Vec3::new(Q8(1), Q8(2), Q8(3)));
    admits(&mut runtime, "GUARD", "DrawSword", &[]);
    updates(&mut runtime, 2);
    let guard = actor(&runtime, "GUARD");
    assert_eq!((shown(&runtime, "GUARD"), guard.extra_flag), ("none", 20), "item 4 has no hilt model");
    assert_eq!((guard.hand_pos, guard.endpoints), (Vec3::new(Q8(1), Q8(2), Q8(3)), None));
    updates(&mut runtime, 1);
    assert_eq!((shown(&runtime, "GUARD"), actor(&runtime, "GUARD").weapon_drawn), ("hand", 1));
}

/// W22: type and length come from the item of the last pass that showed something; before there is none.
#[test]
fn the_last_shown_item_is_remembered() {
    let mut runtime = yard();
    let extras = |runtime: &Runtime| {
        let item = actor(runtime, "GUARD").shown_item.and_then(|id| runtime.engine().defs.item(id))?;
        Some((item.item_type.code(), item.length))
    };
    assert_eq!(extras(&runtime), None);
    updates(&mut runtime, 1);
    assert_eq!(extras(&runtime), Some((1, 24)));
    set_attribute(&mut runtime, "GUARD", 23, 4);
    updates(&mut runtime, 1);
    assert_eq!(extras(&runtime), Some((1, 24)), "item 4 has no hilt model, so nothing was shown");
    edit(&mut runtime, "GUARD", |actor| actor.weapon_drawn = 1);
    updates(&mut runtime, 1);
    assert_eq!(extras(&runtime), Some((1, 30)));
    set_attribute(&mut runtime, "GUARD", 23, 0);
    updates(&mut runtime, 1);
    assert_eq!(extras(&runtime), Some((1, 30)));
    let codes = [ItemType::General, ItemType::Weapon, ItemType::HandObject, ItemType::Torch].map(ItemType::code);
    assert_eq!(codes, [0, 1, 2, 3]);
}

/// Calls a Display native with a model name.
fn display_named(runtime: &mut Runtime, function: &str, model: &str) {
    let native = functions().named(function).expect("a function of this name");
    let decl = functions().get(native).expect("a declaration");
    let given = [Given::Text(model), Given::Int(0), Given::Int(0), Given::Int(0)];
    let args = arguments(decl, given.into_iter()).expect("a model may be named");
    let receiver = runtime.world().named("CYRUS").expect("CYRUS");
    let request = CallRequest { receiver, native, args, dispatch: Dispatch::Declared, site: CallSite::Host };
    runtime.engine_mut().call(request).expect("CYRUS lives");
}

/// W19: Hand natives use grip and drawn transform, Hilt natives scabbard and stowed transform, each with the offset
/// added to the vertices; tracked point and angles follow, and nothing else changes.
#[test]
fn display_natives_place_a_model_for_this_update() {
    // Pose frame 3: the grip is (3, 0, 0) to (3, 0, 10), the scabbard (0, 3, 0) to (0, 3, 10). The offset is (1, 2, 3).
    let hand = (Shown::Hand, [4.0, 2.0, 8.0], [1024, 512, 768]);
    let hilt = (Shown::Hilt, [1.0, 5.0, 3.0], [256, 1280, 768]);
    for (function, first, (kind, position, point), model) in [
        ("DisplayHandModel", 2, hand, "SABREH"),
        ("DisplayHandItem", 1, hand, "SABRE"),
        ("DisplayHiltModel", 1, hilt, "SABRE"),
        ("DisplayHiltItem", 1, hilt, "SABREH"),
    ] {
        let mut runtime = yard();
        edit(&mut runtime, "CYRUS", |actor| (actor.pose.frame, actor.extra_flag) = (3, 20));
        let mut expected = actor(&runtime, "CYRUS").clone();
        admits(&mut runtime, "CYRUS", function, &[first, 256, 512, 768]);
        let shown = actor(&runtime, "CYRUS").displays.clone();
        assert_eq!(shown.len(), 1, "{function}");
        assert_eq!(
            (shown[0].kind, shown[0].transform.position, &*shown[0].model),
            (kind, position, model),
            "{function}"
        );
        expected.displays = shown;
        expected.hand_pos = Vec3::from(point).map(Q8);
        expected.hand_angle = Vec3::new(Angle(512), Angle(0), Angle(0));
        assert_eq!(*actor(&runtime, "CYRUS"), expected, "{function}");
    }
}

/// W19: displays add up, models can be named without case, and the next update starts without any.
#[test]
fn displays_add_up_and_last_one_update() {
    let mut runtime = yard();
    display_named(&mut runtime, "DisplayHandModel", "sabre");
    display_named(&mut runtime, "DisplayHiltModel", "BODY");
    let names: Vec<_> = actor(&runtime, "CYRUS").displays.iter().map(|display| display.model.to_string()).collect();
    assert_eq!(names, ["SABRE", "BODY"]);
    updates(&mut runtime, 1);
    assert_eq!(actor(&runtime, "CYRUS").displays, []);
    display_named(&mut runtime, "DisplayHandModel", "SABRE2");
    assert_eq!(actor(&runtime, "CYRUS").displays, []);
    assert!(actor(&runtime, "CYRUS").cold.refusal.is_some(), "no model has this name");
}

/// W19: the gates, and models and items that do not exist or have nothing to show.
#[test]
fn display_natives_name_their_gates() {
    let refused = |function: &str, first: i32, text: &str, set: fn(&mut Runtime)| {
        let mut runtime = yard();
        set(&mut runtime);
        let text = format!("{} refused: {text}", function.to_ascii_lowercase());
        refuses(&mut runtime, "CYRUS", function, &[first, 0, 0, 0], &text);
    };
    for function in ["DisplayHandModel", "DisplayHandItem", "DisplayHiltModel", "DisplayHiltItem"] {
        refused(function, 1, "the item system is closed", |r| r.engine_mut().world.items.open = false);
        refused(function, 1, "the actor has no animation state", |r| edit(r, "CYRUS", |a| a.animated = false));
        let mut runtime = yard();
        call_from_shell(&mut runtime, function);
        let text = format!("{} refused: not allowed in shell context", function.to_ascii_lowercase());
        refuses(&mut runtime, "CYRUS", function, &[1, 0, 0, 0], &text);
    }
    for index in [0, 4, -1, 65537] {
        refused("DisplayHandModel", index, &format!("no such model (index = {index})"), |_| {});
    }
    refused("DisplayHandItem", 99, "no item has this id (item = 99)", |_| {});
    refused("DisplayHandItem", 2, "the item has no model to show (item = 2)", |_| {});
    refused("DisplayHiltItem", 4, "the item has no model to show (item = 4)", |_| {});
    let mut runtime = yard();
    assert_eq!(call(&mut runtime, "CYRUS", "DisplayHandItem", &[4, 0, 0, 0]), 0);
    assert_eq!(actor(&runtime, "CYRUS").displays.len(), 1, "its hand model it has");
}
