//! Items: fields, counts, lists, selection, use, lockout.

use soup386::{defs::ItemId, update::Runtime};

use super::{
    support::{actor, call, runtime, updates},
    yard::{Closer, admits, call_from_shell, edit, refusal, refuses, reports_the_earlier_gate, set_attribute, yard},
};

/// A scene with these items, a player HERO and an actor OTHER.
fn stock(items: &[&str]) -> Runtime {
    let items: Vec<String> = items.iter().map(|item| format!("{{ {item} }}")).collect();
    let actors = "[[actor]]\nname = \"HERO\"\nplayer = true\n[[actor]]\nname = \"OTHER\"\n";
    runtime(&format!("soup386 = 1\nitem = [{}]\n{actors}", items.join(", ")))
}

fn owned(runtime: &Runtime, id: i32) -> i32 {
    runtime.world().items.owned(ItemId(id))
}

fn own(runtime: &mut Runtime, id: i32, count: i32) {
    runtime.engine_mut().world.items.owned.insert(ItemId(id), count);
}

fn selected(runtime: &Runtime) -> Option<i32> {
    runtime.world().items.selected.map(|ItemId(id)| id)
}

/// Calls on HERO; the result is 0.
fn act(runtime: &mut Runtime, function: &str, args: &[i32]) {
    assert_eq!(call(runtime, "HERO", function, args), 0, "{function} returns 0");
}

/// X2: an item without caps, flags and lists can be added without end and dropped by the piece.
#[test]
fn item_fields_default_to_nothing() {
    let mut runtime = stock(&["id = 7"]);
    act(&mut runtime, "AddItem", &[7, 2_000_000_000]);
    assert_eq!(owned(&runtime, 7), 2_000_000_000);
    act(&mut runtime, "DropItem", &[7, 1]);
    assert_eq!(owned(&runtime, 7), 1_999_999_999);
}

/// X2: counts and selection are the world's, whoever is called on.
#[test]
fn counts_belong_to_the_world() {
    let mut runtime = stock(&["id = 7", "id = 8"]);
    call(&mut runtime, "OTHER", "AddItem", &[7, 2]);
    call(&mut runtime, "OTHER", "SelectItem", &[8]);
    assert_eq!(call(&mut runtime, "HERO", "HaveItem", &[7]), 2);
    assert_eq!(call(&mut runtime, "HERO", "ActiveItem", &[]), 8);
}

/// X3: the count itself; 0 for a closed system and for an unknown id, which is an error.
#[test]
fn haveitem_returns_the_count() {
    let mut runtime = stock(&["id = 7, player_total = 5"]);
    assert_eq!(call(&mut runtime, "HERO", "HaveItem", &[7]), 5);
    refuses(&mut runtime, "HERO", "HaveItem", &[8], "haveitem refused: no item has this id (item = 8)");
    runtime.engine_mut().world.items.open = false;
    refuses(&mut runtime, "HERO", "HaveItem", &[7], "haveitem refused: the item system is closed");
}

/// X4: the count is clamped to what is left of both caps.
#[test]
fn additem_is_clamped_by_both_caps() {
    for (fields, n, expected) in [
        ("id = 7, total = 5, player_max = 9, player_total = 2", 10, 5),
        ("id = 7, total = 9, player_max = 4, player_total = 2", 10, 4),
        ("id = 7, total = 9, player_max = 9, player_total = 2", 3, 5),
        ("id = 7, player_max = 3, player_total = 2", 3, 3),
        ("id = 7, total = 0", 3, 0),
    ] {
        let mut runtime = stock(&[fields]);
        act(&mut runtime, "AddItem", &[7, n]);
        assert_eq!(owned(&runtime, 7), expected, "{fields}");
    }
}

/// X4: nothing to add, unknown ids and a closed system change nothing, the lists included.
#[test]
fn additem_names_its_gates() {
    let items = ["id = 7, total = 2, player_total = 2, add_item = [8]", "id = 8"];
    let mut runtime = stock(&items);
    let text = "additem refused: no more of the item can be added (item = 7, owned = 2, count = 1)";
    refuses(&mut runtime, "HERO", "AddItem", &[7, 1], text);
    let text = "additem refused: no more of the item can be added (item = 8, owned = 0, count = -3)";
    refuses(&mut runtime, "HERO", "AddItem", &[8, -3], text);
    refuses(&mut runtime, "HERO", "AddItem", &[9, 1], "additem refused: no item has this id (item = 9)");
    runtime.engine_mut().world.items.open = false;
    refuses(&mut runtime, "HERO", "AddItem", &[8, 1], "additem refused: the item system is closed");
}

/// X4: requirements and theirs in turn must be owned; one of an unknown item never is.
#[test]
fn additem_needs_its_requirements_and_theirs() {
    let items =
        ["id = 1, required_item = [2, 3], add_item = [5]", "id = 2, required_item = [4]", "id = 3", "id = 4", "id = 5"];
    let mut runtime = stock(&items);
    let missing = |id| format!("additem refused: a required item is missing (item = 1, required = {id})");
    for id in [2, 4, 3] {
        refuses(&mut runtime, "HERO", "AddItem", &[1, 1], &missing(id));
        own(&mut runtime, id, 1);
    }
    admits(&mut runtime, "HERO", "AddItem", &[1, 1]);
    assert_eq!((owned(&runtime, 1), owned(&runtime, 5)), (1, 1));
    let mut runtime = stock(&["id = 1, required_item = [99]"]);
    refuses(&mut runtime, "HERO", "AddItem", &[1, 1], &missing(99));
}

/// X4: requirements in a circle: the id in progress counts as met, with a diagnostic; a requirement that two items
/// share is no circle.
#[test]
fn additem_takes_a_circle_of_requirements_as_met() {
    let mut runtime = stock(&["id = 1, required_item = [2]", "id = 2, required_item = [1], player_total = 1"]);
    act(&mut runtime, "AddItem", &[1, 1]);
    assert_eq!(owned(&runtime, 1), 1);
    assert_eq!(refusal(&runtime, "HERO"), "additem refused: the item lists run in a circle (item = 1)");
    let shared = [
        "id = 1, required_item = [2, 3]",
        "id = 2, required_item = [4], player_total = 1",
        "id = 3, required_item = [4], player_total = 1",
        "id = 4, player_total = 1",
    ];
    let mut runtime = stock(&shared);
    admits(&mut runtime, "HERO", "AddItem", &[1, 1]);
    assert_eq!(owned(&runtime, 1), 1);
}

/// X4: the lists run once for a call, in order: drops, then additions, one piece for each entry.
#[test]
fn additem_runs_its_lists_once() {
    let mut runtime = stock(&[
        "id = 1, drop_add_item = [2, 2, 4], add_item = [3, 3, 4]",
        "id = 2, player_total = 5",
        "id = 3, add_item = [5]",
        // Full at the start: only a drop before makes room.
        "id = 4, player_total = 1, player_max = 1",
        "id = 5",
    ]);
    admits(&mut runtime, "HERO", "AddItem", &[1, 6]);
    assert_eq!([1, 2, 3, 4, 5].map(|id| owned(&runtime, id)), [6, 3, 2, 1, 2]);
}

/// X4: what the lists do to the item itself does not change how many are added.
#[test]
fn additem_does_not_count_again_after_its_lists() {
    let mut runtime = stock(&["id = 1, total = 3, player_total = 2, drop_add_item = [1]"]);
    act(&mut runtime, "AddItem", &[1, 5]);
    assert_eq!(owned(&runtime, 1), 2, "one was left to add; 2 − 1 + 1");
}

/// X4: a list that leads back to an item in progress skips it, with a diagnostic.
#[test]
fn additem_skips_a_circle_of_additions() {
    let mut runtime = stock(&["id = 1, add_item = [2]", "id = 2, add_item = [1, 3]", "id = 3"]);
    act(&mut runtime, "AddItem", &[1, 1]);
    assert_eq!([1, 2, 3].map(|id| owned(&runtime, id)), [1, 1, 1]);
    assert_eq!(refusal(&runtime, "HERO"), "additem refused: the item lists run in a circle (item = 1)");
}

/// X4, X7: the fallback runs before the count rises, so the first piece of an item is not found by it.
#[test]
fn the_fallback_runs_before_the_count_rises() {
    let mut runtime = stock(&["id = 5, type = \"weapon\""]);
    runtime.engine_mut().world.items.selected = None;
    act(&mut runtime, "AddItem", &[5, 1]);
    assert_eq!((selected(&runtime), owned(&runtime, 5)), (None, 1));
    act(&mut runtime, "AddItem", &[5, 1]);
    assert_eq!((selected(&runtime), actor(&runtime, "HERO").attribute(23)), (Some(5), 5));
}

/// X5: at most the owned count goes; flag bit 1 empties, other bits do not.
#[test]
fn dropitem_takes_what_there_is() {
    for (flags, n, left) in [(0, 1, 4), (0, 5, 0), (0, 9, 0), (1, 1, 0), (3, 1, 0), (2, 1, 4), (4, 1, 4)] {
        let mut runtime = stock(&[&format!("id = 7, player_total = 5, flags = {flags}")]);
        admits(&mut runtime, "HERO", "DropItem", &[7, n]);
        assert_eq!(owned(&runtime, 7), left, "flags {flags}, {n} dropped");
    }
}

/// X5: counts that are not positive and a closed system change nothing, not even with flag bit 1.
#[test]
fn dropitem_names_its_gates() {
    let mut runtime = stock(&["id = 7, player_total = 5, flags = 1"]);
    for n in [0, -1, i32::MIN] {
        let text = format!("dropitem refused: the count is not positive (item = 7, count = {n})");
        refuses(&mut runtime, "HERO", "DropItem", &[7, n], &text);
    }
    refuses(&mut runtime, "HERO", "DropItem", &[8, 1], "dropitem refused: no item has this id (item = 8)");
    runtime.engine_mut().world.items.open = false;
    refuses(&mut runtime, "HERO", "DropItem", &[7, 1], "dropitem refused: the item system is closed");
}

/// X5: what goes with an item is cleared, and what goes with that, while some of the item are left.
#[test]
fn dropitem_clears_what_goes_with_an_item() {
    let items = |first: i32, second: i32| {
        let first = format!("id = 1, player_total = {first}, remove_drop_item = [2]");
        let second = format!("id = 2, player_total = {second}, remove_drop_item = [3]");
        let mut runtime = stock(&[&first, &second, "id = 3, player_total = 9"]);
        admits(&mut runtime, "HERO", "DropItem", &[1, 1]);
        [1, 2, 3].map(|id| owned(&runtime, id))
    };
    assert_eq!(items(3, 4), [2, 0, 0]);
    assert_eq!(items(1, 4), [0, 4, 9], "none left: the list is not walked");
    assert_eq!(items(3, 0), [2, 0, 9], "the second is not owned: its list is not walked");
    assert_eq!(items(0, 4), [0, 4, 9]);
}

/// X5: a circle of lists is skipped with a diagnostic.
#[test]
fn dropitem_skips_a_circle() {
    let mut runtime = stock(&[
        "id = 1, player_total = 5, remove_drop_item = [2]",
        "id = 2, player_total = 5, remove_drop_item = [1]",
    ]);
    act(&mut runtime, "DropItem", &[1, 1]);
    assert_eq!(owned(&runtime, 2), 0);
    assert_eq!(refusal(&runtime, "HERO"), "dropitem refused: the item lists run in a circle (item = 1)");
}

/// X5: attribute 23, the held item and the selection stay when their item is dropped.
#[test]
fn dropitem_leaves_hand_assignment_and_selection() {
    let mut runtime = yard();
    edit(&mut runtime, "CYRUS", |actor| actor.hand_item = 1);
    admits(&mut runtime, "CYRUS", "DropItem", &[1, 1]);
    let cyrus = actor(&runtime, "CYRUS");
    assert_eq!((cyrus.attribute(23), cyrus.hand_item, selected(&runtime)), (1, 1, Some(1)));
}

/// X6: the first item of the scene is selected at load; any known item can be selected; attribute 23 is not written.
#[test]
fn selectitem_selects_any_known_item() {
    let mut runtime = stock(&["id = 9", "id = 3"]);
    let active = |runtime: &mut Runtime| call(runtime, "HERO", "ActiveItem", &[]);
    assert_eq!(active(&mut runtime), 9, "the first, not the lowest");
    admits(&mut runtime, "HERO", "SelectItem", &[3]);
    assert_eq!(active(&mut runtime), 3);
    assert_eq!(actor(&runtime, "HERO").attribute(23), 0);
    refuses(&mut runtime, "HERO", "SelectItem", &[4], "selectitem refused: no item has this id (item = 4)");
    updates(&mut runtime, 2);
    assert_eq!(active(&mut runtime), 3, "an item that is not owned stays selected");
    runtime.engine_mut().world.items.open = false;
    assert_eq!(active(&mut runtime), 0);
    runtime.engine_mut().world.items.open = true;
    runtime.engine_mut().world.items.selected = None;
    assert_eq!(active(&mut runtime), 0);
}

/// X7: item 1 if there is one; else the lowest owned weapon; else the lowest owned item; else nothing.
#[test]
fn the_fallback_selects_item_1_a_weapon_or_anything() {
    // Item 900 is what is added; it is not owned yet when the fallback looks.
    let found = |items: &[&str]| {
        let mut runtime = stock(&[items, &["id = 900"]].concat());
        runtime.engine_mut().world.items.selected = None;
        act(&mut runtime, "AddItem", &[900, 1]);
        (selected(&runtime), actor(&runtime, "HERO").attribute(23))
    };
    let weapon = "id = 6, type = \"weapon\", player_total = 1";
    let later_weapon = "id = 8, type = \"weapon\", player_total = 1";
    let not_owned = "id = 5, type = \"weapon\"";
    assert_eq!(found(&[weapon, "id = 1"]), (Some(1), 1), "owned or not, of any type");
    assert_eq!(found(&[later_weapon, weapon, not_owned, "id = 2, player_total = 1"]), (Some(6), 6));
    // 260 is 256 + 4.
    assert_eq!(found(&["id = 300, player_total = 1", "id = 260, player_total = 2", not_owned]), (Some(260), 4));
    assert_eq!(found(&[not_owned]), (None, 0));
    let mut runtime = stock(&["id = 3", "id = 1"]);
    act(&mut runtime, "AddItem", &[3, 1]);
    assert_eq!((selected(&runtime), actor(&runtime, "HERO").attribute(23)), (Some(3), 0), "something is selected");
}

/// The gates of UseItem(1) on CYRUS, in the order of X8, but for the receiver and the unknown id.
const USE_GATES: [Closer; 9] = [
    ("the player is locked out", |r| r.engine_mut().world.items.lockout = 1),
    ("the actor is on an edge", |r| edit(r, "CYRUS", |a| a.extra_flag = 10)),
    ("an item was already used in this update", |r| r.engine_mut().world.items.use_latch = true),
    ("not allowed in shell context", |r| call_from_shell(r, "UseItem")),
    ("the item system is closed", |r| r.engine_mut().world.items.open = false),
    ("the item is not owned", |r| own(r, 1, 0)),
    ("the actor is in deep water", |r| edit(r, "CYRUS", |a| a.under_surface = 2)),
    ("a weapon is already in the hand", |r| set_attribute(r, "CYRUS", 110, 1)),
    ("a torch is being lit or put out", |r| edit(r, "CYRUS", |a| a.playback.current = 149)),
];

/// X8: of two closed gates the earlier one is reported.
#[test]
fn useitem_reports_the_earlier_gate() {
    reports_the_earlier_gate(&USE_GATES, yard, "CYRUS", "UseItem", &[1]);
    let reported = |name: &str, item: i32, (reason, close): Closer| {
        let mut runtime = yard();
        close(&mut runtime);
        call(&mut runtime, name, "UseItem", &[item]);
        let said = refusal(&runtime, name);
        assert!(said.starts_with(&format!("useitem refused: {reason}")), "{reason}: {said}");
    };
    // The receiver is looked at after the system, before the item; the item before the player's state.
    for gate in &USE_GATES[..5] {
        reported("GUARD", 99, *gate);
        reported("CYRUS", 99, *gate);
    }
    for (_, close) in &USE_GATES[5..] {
        reported("GUARD", 99, ("the receiver is not the player", *close));
        reported("GUARD", 1, ("the receiver is not the player", *close));
        reported("CYRUS", 99, ("no item has this id", *close));
    }
}

/// UseItem is refused with this text; only the latch may have changed, to `latched`.
#[track_caller]
fn use_is_refused(name: &str, item: i32, text: &str, latched: bool, set: impl FnOnce(&mut Runtime)) {
    let mut runtime = yard();
    set(&mut runtime);
    let mut expected = runtime.world().clone();
    expected.items.use_latch = latched;
    assert_eq!(call(&mut runtime, name, "UseItem", &[item]), 0);
    assert_eq!(refusal(&runtime, name), format!("useitem refused: {text}"));
    edit(&mut runtime, name, |actor| actor.cold.refusal = None);
    runtime.engine_mut().world.events.clone_from(&expected.events);
    assert_eq!(*runtime.world(), expected, "{text}");
}

/// X8: each gate says which it is; the first three leave the latch as it was, the others set it; nothing else changes.
#[test]
fn each_use_gate_names_itself() {
    use_is_refused("CYRUS", 1, "the player is locked out (lockout = 1)", false, USE_GATES[0].1);
    use_is_refused("CYRUS", 1, "the actor is on an edge (extra_flag = 10)", false, USE_GATES[1].1);
    use_is_refused("GUARD", 1, "the actor is on an edge (extra_flag = 19)", false, |r| {
        edit(r, "CYRUS", |actor| actor.extra_flag = 19);
    });
    use_is_refused("CYRUS", 1, "an item was already used in this update", true, USE_GATES[2].1);
    use_is_refused("CYRUS", 1, "not allowed in shell context", true, USE_GATES[3].1);
    use_is_refused("CYRUS", 1, "the item system is closed", true, USE_GATES[4].1);
    use_is_refused("GUARD", 1, "the receiver is not the player", true, |_| {});
    use_is_refused("CYRUS", 99, "no item has this id (item = 99)", true, |_| {});
    use_is_refused("CYRUS", 4, "the item is not owned (item = 4)", true, |_| {});
    use_is_refused("CYRUS", 1, "the actor is in deep water (under_surface = 2)", true, USE_GATES[6].1);
    let held = "a weapon is already in the hand (weapon_drawn = 0, attribute_110 = 1)";
    use_is_refused("CYRUS", 1, held, true, USE_GATES[7].1);
    for (state, group) in [(33, 0), (34, 0), (0, 149), (0, 150)] {
        let text = format!("a torch is being lit or put out (extra_flag = {state}, current = {group})");
        use_is_refused("CYRUS", 1, &text, true, |r| {
            edit(r, "CYRUS", |actor| (actor.extra_flag, actor.playback.current) = (state, group));
        });
    }
}

/// X8: a weapon is assigned and drawn; a refused draw says why and still assigns.
#[test]
fn useitem_of_a_weapon_assigns_and_draws_it() {
    let mut runtime = yard();
    own(&mut runtime, 4, 1);
    admits(&mut runtime, "CYRUS", "UseItem", &[4]);
    let cyrus = actor(&runtime, "CYRUS");
    assert_eq!((cyrus.attribute(23), cyrus.extra_flag, runtime.world().items.use_latch), (4, 20, true));
    let mut runtime = yard();
    own(&mut runtime, 4, 1);
    edit(&mut runtime, "CYRUS", |actor| actor.fall_flag = 1);
    act_on_cyrus(&mut runtime, 4);
    assert_eq!(refusal(&runtime, "CYRUS"), "useitem refused: the actor is falling (fall_flag = 1)");
    assert_eq!((actor(&runtime, "CYRUS").attribute(23), actor(&runtime, "CYRUS").extra_flag), (4, 0));
    assert_eq!(selected(&runtime), Some(1), "use does not select");
}

fn act_on_cyrus(runtime: &mut Runtime, item: i32) {
    assert_eq!(call(runtime, "CYRUS", "UseItem", &[item]), 0);
}

/// X8: one use in each update.
#[test]
fn the_use_latch_lasts_one_update() {
    let mut runtime = yard();
    for _ in 0..2 {
        act_on_cyrus(&mut runtime, 2);
        assert!(refusal(&runtime, "CYRUS").contains("the host was asked"));
        act_on_cyrus(&mut runtime, 2);
        assert_eq!(refusal(&runtime, "CYRUS"), "useitem refused: an item was already used in this update");
        updates(&mut runtime, 1);
    }
}

/// X8: item 0 toggles the compass; general items are the host's; a torch is lit and held; while a torch burns nothing but
/// its dousing happens.
#[test]
fn useitem_of_other_items() {
    let mut runtime =
        stock(&["id = 0, player_total = 1", "id = 2, player_total = 1", "id = 3, player_total = 1, type = \"torch\""]);
    for compass in [true, false] {
        admits(&mut runtime, "HERO", "UseItem", &[0]);
        assert_eq!(runtime.world().items.compass, compass);
        updates(&mut runtime, 1);
    }
    let asked = "useitem refused: this runtime has no handler for the function; the host was asked";
    // HERO has no animation, so its torch cannot be lit.
    let no_state = "useitem refused: the actor has no animation state";
    for (item, held, said) in [(2, 0, asked), (3, 3, no_state)] {
        act(&mut runtime, "UseItem", &[item]);
        assert_eq!((&*refusal(&runtime, "HERO"), actor(&runtime, "HERO").hand_item), (said, held));
        updates(&mut runtime, 1);
    }
    edit(&mut runtime, "HERO", |actor| (actor.torch_timer, actor.hand_item) = (1, 0));
    for item in [0, 3] {
        act(&mut runtime, "UseItem", &[item]);
        assert_eq!(refusal(&runtime, "HERO"), no_state);
        assert_eq!((runtime.world().items.compass, actor(&runtime, "HERO").hand_item), (false, 0));
        updates(&mut runtime, 1);
    }
}

/// X9: chargeWeapon exchanges items 1 and 75, assigns to the receiver and selects; the argument is a signed word.
#[test]
fn chargeweapon_exchanges_the_two_swords() {
    let items = ["id = 1, player_total = 2", "id = 75, player_max = 1", "id = 5"];
    let state = |runtime: &Runtime| {
        (owned(runtime, 1), owned(runtime, 75), selected(runtime), actor(runtime, "OTHER").attribute(23))
    };
    let mut runtime = stock(&items);
    admits(&mut runtime, "OTHER", "chargeWeapon", &[0x1_0001]);
    assert_eq!(state(&runtime), (0, 1, Some(75), 75));
    assert_eq!(actor(&runtime, "HERO").attribute(23), 0, "the receiver's, not the player's");
    for argument in [0, 2, -1] {
        let mut runtime = stock(&items);
        own(&mut runtime, 75, 1);
        admits(&mut runtime, "OTHER", "chargeWeapon", &[argument]);
        assert_eq!(state(&runtime), (3, 0, Some(1), 1), "{argument}");
    }
    let mut runtime = stock(&items);
    own(&mut runtime, 75, 1);
    call(&mut runtime, "OTHER", "chargeWeapon", &[1]);
    assert_eq!(state(&runtime), (0, 1, Some(75), 75), "a full count does not stop the other steps");
    let mut runtime = stock(&items);
    runtime.engine_mut().world.items.open = false;
    call(&mut runtime, "OTHER", "chargeWeapon", &[1]);
    assert_eq!(state(&runtime), (2, 0, Some(1), 75), "a closed system stops all but the assignment");
}

/// X9: DropAllItems drops every count, ids ascending, and nothing is selected.
#[test]
fn dropallitems_empties_all_counts() {
    let mut runtime =
        stock(&["id = 9, player_total = 4", "id = 3, player_total = 1, remove_drop_item = [9]", "id = 5"]);
    admits(&mut runtime, "OTHER", "DropAllItems", &[]);
    assert_eq!([3, 5, 9].map(|id| owned(&runtime, id)), [0, 0, 0]);
    assert_eq!(selected(&runtime), None);
    let mut runtime = stock(&["id = 9, player_total = 4"]);
    runtime.engine_mut().world.items.open = false;
    refuses(&mut runtime, "OTHER", "DropAllItems", &[], "dropallitems refused: the item system is closed");
}

/// X10: the low word is the lockout; exactly 1 sets attribute 116 of the player, anything else clears it everywhere.
#[test]
fn lockoutplayer_sets_and_clears_attribute_116() {
    for (value, lockout, hero, other) in
        [(1, 1, 1, 7), (0x1_0001, 1, 1, 7), (0, 0, 0, 0), (2, 2, 0, 0), (-1, 65535, 0, 0), (0x1_0000, 0, 0, 0)]
    {
        let mut runtime = stock(&["id = 1"]);
        set_attribute(&mut runtime, "HERO", 116, 9);
        set_attribute(&mut runtime, "OTHER", 116, 7);
        admits(&mut runtime, "OTHER", "lockoutPlayer", &[value]);
        let attribute = |name| actor(&runtime, name).attribute(116);
        assert_eq!(
            (runtime.world().items.lockout, attribute("HERO"), attribute("OTHER")),
            (lockout, hero, other),
            "{value}"
        );
    }
}
