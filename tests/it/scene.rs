//! The scene file: what it may hold, what every fault says, and files that mean harm.

use soup386::{
    defs::{ItemId, ItemType, ModuleSource, Scene, VertexIdx, VertexPair},
    import::ImportError,
    units::{Angle, Q8, Vec3},
};

use super::support::scene;

/// The faults of a text, one text each; empty when there are none.
fn faults(text: &str) -> Vec<String> {
    match Scene::from_toml("yard.toml", text, &ModuleSource::Nowhere) {
        Ok(_) => Vec::new(),
        Err(ImportError(faults)) => faults.iter().map(ToString::to_string).collect(),
    }
}

/// The text below a first line `soup386 = 1` has exactly this fault.
#[track_caller]
fn check(text: &str, fault: &str) {
    assert_eq!(faults(&format!("soup386 = 1\n{text}")), [format!("yard.toml:{fault}")]);
}

/// S2: defaults of everything that can be left out.
#[test]
fn defaults_of_a_scene() {
    let scene = scene("soup386 = 1\n[[actor]]\nname = \"A\"\n");
    assert_eq!((scene.seed, scene.item_system, scene.dummy_manager), (1, false, false));
    assert_eq!((&scene.clock.nominal[..], scene.clock.frame_scale), (&[1][..], 256));
    let [actor] = scene.defs.actors() else { panic!("one actor") };
    assert_eq!((actor.player, actor.position, actor.angles), (false, Vec3::default(), Vec3::default()));
    assert_eq!((actor.grip, actor.scabbard), (VertexPair::default(), VertexPair::default()));
    assert!(actor.attributes.iter().all(|&byte| byte == 0) && !actor.is_animated());
}

/// S2: the item system is open when there is an item, unless the scene says otherwise.
#[test]
fn the_item_system_follows_the_items() {
    for (keys, open) in [
        ("", false),
        ("item = [{ id = 1 }]", true),
        ("item_system = true", true),
        ("item_system = false\nitem = [{ id = 1 }]", false),
    ] {
        assert_eq!(scene(&format!("soup386 = 1\n{keys}")).item_system, open, "{keys}");
    }
}

/// S2: items: the four types, models and counts that may be left out, ids beyond a byte for what is no weapon.
#[test]
fn items_of_a_scene() {
    let scene = scene(
        "soup386 = 1\nitem = [{ id = 9 }, { id = 0, type = \"weapon\" }, { id = 255, type = \"weapon\", length = -5 }, \
         { id = 3, type = \"torch\", player_total = 4 }, { id = 2147483647, type = \"hand_object\", hand_model = \"X\" }]",
    );
    let item = |id| scene.defs.item(ItemId(id)).expect("an item");
    assert_eq!((item(9).item_type, item(9).player_total, item(9).length), (ItemType::General, 0, 0));
    assert_eq!(
        (&item(9).hand_model, &item(9).hilt_model, item(9).total, item(9).player_max),
        (&None, &None, None, None)
    );
    assert_eq!((item(255).item_type, item(255).length), (ItemType::Weapon, -5));
    assert_eq!((item(3).item_type, item(3).player_total), (ItemType::Torch, 4));
    let big = item(i32::MAX);
    assert_eq!((big.item_type, big.hand_model.as_deref()), (ItemType::HandObject, Some("X")), "it need not be a model");
    assert_eq!(scene.defs.first_item(), Some(ItemId(9)));
}

/// S2: actors: attributes by name without case or decimal index, the rotation mode as attribute 28, a radius that
/// nothing reads, negative vertices, angles and positions of any size.
#[test]
fn actors_of_a_scene() {
    let scene = scene(
        "soup386 = 1\n[[actor]]\nname = \"A\"\nplayer = true\nposition = [-2147483648, 0, 2147483647]\n\
         angles = [-1, 4096, 5]\ngrip = [-1, 32767]\nscabbard = [3, -32768]\nradius = 1.5\nrotation_mode = 2\n\
         attributes = { ATTR_weapon = 7, 14 = 1, \"255\" = 255 }\n",
    );
    let actor = &scene.defs.actors()[0];
    assert!(actor.player);
    assert_eq!(actor.position, Vec3::new(Q8(i32::MIN), Q8(0), Q8(i32::MAX)));
    assert_eq!(actor.angles, Vec3::new(Angle(-1), Angle(4096), Angle(5)));
    let pair = |first, second| VertexPair { first: VertexIdx(first), second: VertexIdx(second) };
    assert_eq!((actor.grip, actor.scabbard), (pair(-1, 32767), pair(3, -32768)));
    assert_eq!([14, 23, 28, 255].map(|index| actor.attributes[index]), [1, 7, 2, 255]);
}

/// S2: every unknown key is a fault with its path and a close name.
#[test]
fn unknown_keys_are_faults_with_a_suggestion() {
    check("sed = 1\n", "2:1: sed: unknown key; did you mean \"seed\"?");
    check("[clock]\nnomnal = [1]\n", "3:1: clock.nomnal: unknown key; did you mean \"nominal\"?");
    check("item = [{ id = 1, lenght = 3 }]\n", "2:19: item[0].lenght: unknown key; did you mean \"length\"?");
    check(
        "[[model]]\nname = \"M\"\nframe = []\nframes = []\n",
        "4:1: model[0].frame: unknown key; did you mean \"frames\"?",
    );
    check("[[actor]]\nname = \"A\"\n  skript = 1\n", "4:3: actor[0].skript: unknown key; did you mean \"script\"?");
    let group = "[[model]]\nname = \"M\"\nframes = []\n[[actor]]\nname = \"A\"\nframes = [{ model = \"M\", count = 1 }]\n\
                 [[actor.group]]\nindex = 0\ncommands = []\n";
    check(&format!("{group}sped = 2\n"), "11:1: actor[0].group[0].sped: unknown key; did you mean \"speed\"?");
    check("flag = [{ name = \"x\", valu = 1 }]\n", "2:23: flag[0].valu: unknown key; did you mean \"value\"?");
    check("quite_something_else = 1\n", "2:1: quite_something_else: unknown key");
    let count = "frames = [{ model = \"M\", count = 1, from = 2 }]";
    check(
        &format!("[[model]]\nname = \"M\"\nframes = []\n[[actor]]\nname = \"A\"\n{count}\n"),
        "7:37: actor[0].frames[0].from: unknown key",
    );
}

/// S2: numbers out of their range.
#[test]
fn numbers_out_of_range_are_faults() {
    let expected = |range: &str, found: &str| format!("expected a whole number in {range}, found {found}");
    let actor = "[[actor]]\nname = \"A\"\n";
    for (text, place, range, found) in [
        ("seed = -1".to_owned(), "2:8: seed", "0..=4294967295", "-1"),
        ("seed = 4294967296".to_owned(), "2:8: seed", "0..=4294967295", "4294967296"),
        ("seed = 99999999999999999999999".to_owned(), "2:8: seed", "0..=4294967295", "99999999999999999999999"),
        ("clock.nominal = [1, -1]".to_owned(), "2:21: clock.nominal[1]", "0..=2147483647", "-1"),
        ("clock.frame_scale = -1".to_owned(), "2:21: clock.frame_scale", "0..=2147483647", "-1"),
        ("item = [{ id = -1 }]".to_owned(), "2:16: item[0].id", "0..=2147483647", "-1"),
        (
            "item = [{ id = 1, length = 2147483648 }]".to_owned(),
            "2:28: item[0].length",
            "-2147483648..=2147483647",
            "2147483648",
        ),
        (format!("{actor}attributes = {{ 14 = 256 }}"), "4:21: actor[0].attributes.14", "0..=255", "256"),
        (format!("{actor}rotation_mode = -1"), "4:17: actor[0].rotation_mode", "0..=255", "-1"),
        (format!("{actor}grip = [0, 32768]"), "4:12: actor[0].grip[1]", "-32768..=32767", "32768"),
        (
            format!("{actor}position = [0, 0, 2147483648]"),
            "4:19: actor[0].position[2]",
            "-2147483648..=2147483647",
            "2147483648",
        ),
        (
            format!("{actor}frames = [{{ model = \"M\", count = -1 }}]"),
            "4:34: actor[0].frames[0].count",
            "0..=2147483647",
            "-1",
        ),
        (
            format!("{actor}group = [{{ index = 178, commands = [] }}]"),
            "4:20: actor[0].group[0].index",
            "0..=177",
            "178",
        ),
        (
            format!("{actor}group = [{{ index = 1, speed = 256, commands = [] }}]"),
            "4:31: actor[0].group[0].speed",
            "0..=255",
            "256",
        ),
    ] {
        check(&text, &format!("{place}: {}", expected(range, found)));
    }
    assert_eq!(faults("soup386 = 2\n"), ["yard.toml:1:11: soup386: expected a whole number in 1..=1, found 2"],);
}

/// S2: names and ids must be there and be unique; case does not make a difference.
#[test]
fn names_and_ids_are_unique() {
    let another = |kind: &str, name: &str| format!("another {kind} is already named \"{name}\" (case does not count)");
    check(
        "[[actor]]\nname = \"Guard\"\n[[actor]]\nname = \"GUARD\"\n",
        &format!("5:8: actor[1].name: {}", another("actor", "GUARD")),
    );
    let model = "[[model]]\nname = \"Body\"\nframes = []\n[[model]]\nname = \"bODY\"\nframes = []\n";
    check(model, &format!("6:8: model[1].name: {}", another("model", "bODY")));
    check("flag = [{ name = \"x\" }, { name = \"X\" }]\n", &format!("2:34: flag[1].name: {}", another("flag", "X")));
    check("item = [{ id = 4 }, { id = 4 }]\n", "2:28: item[1].id: another item already has the id 4");
    check("[[actor]]\nname = \"\"\n", "3:8: actor[0].name: the actor needs a name");
    let ranged = "2:16: item[0].id: a weapon's id must be 0..=255 (attribute 23 is a byte), found 256";
    check("item = [{ id = 256, type = \"weapon\" }]\n", ranged);
    check(
        "[[actor]]\nname = \"A\"\nplayer = true\n[[actor]]\nname = \"B\"\nplayer = true\n",
        "7:10: actor[1].player: actor[0] is already the player",
    );
}

/// S2: keys that must be there.
#[test]
fn missing_keys_are_faults() {
    assert_eq!(
        faults("seed = 1\n"),
        ["yard.toml:1:1: soup386: the format version is missing: the file must hold \"soup386 = 1\"",]
    );
    check("item = [{ length = 1 }]\n", "2:9: item[0]: the key \"id\" is missing");
    check("actor = [{ player = true }]\n", "2:10: actor[0]: the key \"name\" is missing");
    check("flag = [{ value = 1 }]\n", "2:9: flag[0]: the key \"name\" is missing");
    check(
        "model = [{ name = \"M\" }]\n",
        "2:10: model[0].frames: a model needs \"frames\", a \"file\", or the name of a \"parent\"",
    );
    let frames = |entry: &str| {
        format!("model = [{{ name = \"M\", frames = [] }}]\nactor = [{{ name = \"A\", frames = [{entry}] }}]\n")
    };
    check(&frames("{ count = 1 }"), "3:34: actor[0].frames[0]: the key \"model\" is missing");
    check(&frames("{ model = \"M\" }"), "3:34: actor[0].frames[0]: the key \"count\" is missing");
    check(
        "actor = [{ name = \"A\", group = [{ commands = [] }] }]\n",
        "2:33: actor[0].group[0]: the key \"index\" is missing",
    );
    let group = "2:33: actor[0].group[0].commands: a group needs \"commands\" or \"raw\"";
    check("actor = [{ name = \"A\", group = [{ index = 1 }] }]\n", group);
}

/// S2, F2: commands, groups, frame tables and models that do not fit.
#[test]
fn faults_of_models_and_groups() {
    let scene = |frames: &str, group: &str| {
        format!(
            "[[model]]\nname = \"BODY\"\nframes = [[[0, 0, 0]]]\n[[actor]]\nname = \"A\"\n\
             frames = [{frames}]\n[[actor.group]]\nindex = 1\n{group}\n"
        )
    };
    let body = "{ model = \"BODY\", count = 2 }";
    let at = "10:13: actor[0].group[0].commands[0]";
    for (command, fault) in [
        ("ShowFrmae 0", "unknown command \"ShowFrmae\"; did you mean \"ShowFrame\"?"),
        ("ShowFrame", "ShowFrame takes 1 operand(s), found 0"),
        ("PlaySound 1 2 3", "PlaySound takes 2 operand(s), found 3"),
        ("ShowFrame x", "operand reference: expected a decimal integer, found \"x\""),
        ("ShowFrame -1", "operand reference: -1 is outside 0..=1048575"),
        ("ShowFrame 2", "ShowFrame 2 is outside the frame table, whose entries are 0..=1"),
        ("SetRotationXYZ 0 32 0", "operand y: 32 is outside -32..=31"),
        ("", "unknown command \"\""),
    ] {
        check(&scene(body, &format!("commands = [\"{command}\"]")), &format!("{at}: {fault}"));
    }
    check(&scene(body, "raw = [0, 0]"), "10:7: actor[0].group[0].raw: commands have 3 bytes each, but there are 2");
    let both = "11:7: actor[0].group[0].raw: a group has either \"commands\" or \"raw\", not both";
    check(&scene(body, "commands = []\nraw = []"), both);
    let unknown = "7:21: actor[0].frames[0].model: no model is named \"BODI\"; did you mean \"BODY\"?";
    check(&scene("{ model = \"BODI\", count = 1 }", "commands = []"), unknown);
    let model = |frames: &str| format!("[[model]]\nname = \"M\"\n{frames}\n");
    check(
        &model("frames = [[[0, 0, 0]], []]"),
        "4:24: model[0].frames[1]: 0 vertices, but frame 0 has 1: all frames need the same number",
    );
    check(&model("frames = [[[0, 0]]]"), "4:12: model[0].frames[0][0]: expected a vertex of 3 numbers, found a list");
    check(
        &model("frames = [[[0, 0, 0]]]\nfaces = [[0, 0]]"),
        "5:10: model[0].faces[0]: expected three or more vertex numbers below 1, found [0, 0]",
    );
    check(
        &model("frames = [[[0, 0, 0]]]\nfaces = [[0, 0, 1]]"),
        "5:10: model[0].faces[0]: expected three or more vertex numbers below 1, found [0, 0, 1]",
    );
    check(
        &model("frames = [[[0, 0, 0]]]\nparent = \"N\"\n[[model]]\nname = \"N\"\nframes = []"),
        "5:10: model[0].parent: a model has either frames or a parent, not both",
    );
    check(
        "[[item]]\nid = 1\ntype = \"wepon\"\n",
        "4:8: item[0].type: unknown item type \"wepon\"; did you mean \"weapon\"?: expected one of general, weapon, hand_object, torch",
    );
    check(
        "flag = [{ name = \"x\", kind = \"boool\" }]\n",
        "2:30: flag[0].kind: unknown flag kind \"boool\"; did you mean \"bool\"?: expected one of number, bool, flipflop, counter",
    );
    check(
        "[[actor]]\nname = \"A\"\nattributes = { attr_wepon = 1 }\n",
        "4:16: actor[0].attributes.attr_wepon: unknown attribute; did you mean \"attr_weapon\"?",
    );
    check("[[actor]]\nname = \"A\"\nattributes = { 256 = 1 }\n", "4:16: actor[0].attributes.256: unknown attribute");
    check(
        "[[actor]]\nname = \"A\"\nattributes = { 28 = 1 }\nrotation_mode = 0\n",
        "5:17: actor[0].rotation_mode: attribute 28 is given twice",
    );
    check("clock.nominal = []\n", "2:17: clock.nominal: expected at least one number of ticks");
}

/// S2, V5: parents that do not exist or go in a circle name the chain.
#[test]
fn faults_of_parents() {
    let models = |pairs: &[(&str, &str)]| -> String {
        pairs.iter().map(|(name, parent)| format!("[[model]]\nname = \"{name}\"\nparent = \"{parent}\"\n")).collect()
    };
    check(&models(&[("AA", "BB")]), "4:10: model[0].parent: AA -> BB: no model is named \"BB\"");
    check(&models(&[("AA", "aa")]), "4:10: model[0].parent: AA: the parents go in a circle: AA -> AA");
    let circle = "4:10: model[0].parent: AA: the parents go in a circle: AA -> BB -> CC -> AA";
    check(&models(&[("AA", "BB"), ("BB", "CC"), ("CC", "AA")]), circle);
}

/// S2: scripts need an extension that is known and a text that is there.
#[test]
fn faults_of_scripts() {
    check(
        "director = \"duel.txt\"\n",
        "2:12: director: expected a script that ends in .lua or .rhai, found \"duel.txt\"",
    );
    let nowhere = "this scene was read without a folder, so it can name no script";
    check("director = \"duel.lua\"\n", &format!("2:12: director: duel.lua: {nowhere}"));
    check("[[actor]]\nname = \"A\"\nscript = \"a.rhai\"\n", &format!("4:10: actor[0].script: a.rhai: {nowhere}"));
}

/// S2: text that is no TOML says where.
#[test]
fn syntax_errors_have_a_place() {
    let faults = faults("soup386 = 1\nseed = = 2\n");
    assert!(!faults.is_empty() && faults[0].starts_with("yard.toml:2:8: "), "{faults:?}");
}

/// S2: all faults are found, and more than fifty are counted.
#[test]
fn many_faults_are_counted() {
    let keys = |n: usize| (0..n).map(|i| format!("key{i} = 0\n")).collect::<String>();
    assert_eq!(faults(&format!("soup386 = 1\n{}", keys(3))).len(), 3);
    let many = faults(&format!("soup386 = 1\n{}", keys(60)));
    assert_eq!((many.len(), many[50].as_str()), (51, "yard.toml: 10 more faults are not shown"));
}

/// S2: a value of the wrong type at any key is one fault with its path; nothing panics.
#[test]
fn wrong_types_are_faults_at_every_key() {
    const VALUES: [&str; 8] = ["\"x\"", "3", "1.5", "true", "[]", "{}", "1979-05-27", "[[\"x\"]]"];
    // Where a key stands: `@` is the value. Then which of the values are right there.
    let keys: [(&str, &str, &[&str]); 37] = [
        ("soup386", "soup386 = @", &[]),
        ("item_system", "item_system = @", &["true"]),
        ("dummy_manager", "dummy_manager = @", &["true"]),
        ("seed", "seed = @", &["3"]),
        ("director", "director = @", &[]),
        ("clock", "clock = @", &["{}"]),
        ("clock.nominal", "clock.nominal = @", &[]),
        ("clock.frame_scale", "clock.frame_scale = @", &["3"]),
        ("item", "item = @", &["[]"]),
        ("model", "model = @", &["[]"]),
        ("actor", "actor = @", &["[]"]),
        ("flag", "flag = @", &["[]"]),
        ("item[0].id", "item = [{ id = @ }]", &["3"]),
        ("item[0].name", "item = [{ id = 1, name = @ }]", &["\"x\""]),
        ("item[0].type", "item = [{ id = 1, type = @ }]", &[]),
        ("item[0].hand_model", "item = [{ id = 1, hand_model = @ }]", &["\"x\""]),
        ("item[0].length", "item = [{ id = 1, length = @ }]", &["3"]),
        ("item[0].total", "item = [{ id = 1, total = @ }]", &["3"]),
        ("item[0].add_item", "item = [{ id = 1, add_item = @ }]", &["[]"]),
        ("model[0].name", "model = [{ frames = [], name = @ }]", &["\"x\""]),
        ("model[0].frames", "model = [{ name = \"M\", frames = @ }]", &["[]"]),
        ("model[0].parent", "model = [{ name = \"M\", parent = @ }]", &[]),
        ("model[0].faces", "model = [{ name = \"M\", frames = [], faces = @ }]", &["[]"]),
        ("actor[0].name", "actor = [{ name = @ }]", &["\"x\""]),
        ("actor[0].player", "actor = [{ name = \"A\", player = @ }]", &["true"]),
        ("actor[0].position", "actor = [{ name = \"A\", position = @ }]", &[]),
        ("actor[0].angles", "actor = [{ name = \"A\", angles = @ }]", &[]),
        ("actor[0].frames", "actor = [{ name = \"A\", frames = @ }]", &["[]"]),
        ("actor[0].grip", "actor = [{ name = \"A\", grip = @ }]", &[]),
        ("actor[0].attributes", "actor = [{ name = \"A\", attributes = @ }]", &["{}"]),
        ("actor[0].radius", "actor = [{ name = \"A\", radius = @ }]", &["3", "1.5"]),
        ("actor[0].rotation_mode", "actor = [{ name = \"A\", rotation_mode = @ }]", &["3"]),
        ("actor[0].script", "actor = [{ name = \"A\", script = @ }]", &[]),
        ("actor[0].group", "actor = [{ name = \"A\", group = @ }]", &["[]"]),
        ("actor[0].group[0].commands", "actor = [{ name = \"A\", group = [{ index = 1, commands = @ }] }]", &["[]"]),
        ("actor[0].group[0].raw", "actor = [{ name = \"A\", group = [{ index = 1, raw = @ }] }]", &["[]"]),
        ("flag[0].value", "flag = [{ name = \"x\", value = @ }]", &["3", "true"]),
    ];
    for (path, text, right) in keys {
        for value in VALUES {
            let first = if path == "soup386" { "" } else { "soup386 = 1\n" };
            let faults = faults(&format!("{first}{}\n", text.replace('@', value)));
            if right.contains(&value) {
                assert_eq!(faults, [""; 0], "{path} = {value}");
                continue;
            }
            assert!(!faults.is_empty(), "{path} = {value} is a fault");
            for fault in faults {
                let place = format!("yard.toml:{}:", 1 + first.lines().count());
                assert!(fault.starts_with(&place) && fault.contains(&format!(": {path}")), "{path} = {value}: {fault}");
            }
        }
    }
}

/// S2: no number that is none gets into a model, however it is written.
#[test]
fn coordinates_are_finite() {
    for number in ["nan", "-nan", "inf", "-inf", "1e39", "-1e39", "1e999"] {
        let fault = format!("4:16: model[0].frames[0]: expected a finite single-precision number, found {number}");
        check(&format!("[[model]]\nname = \"M\"\nframes = [[[0, {number}, 0]]]\n"), &fault);
        check(
            &format!("[[actor]]\nname = \"A\"\nradius = {number}\n"),
            &format!("4:10: actor[0].radius: expected a finite single-precision number, found {number}"),
        );
    }
    let small = scene("soup386 = 1\n[[model]]\nname = \"M\"\nframes = [[[1e-999, -0.0, 3.4e38]]]\n");
    let vertex = small.defs.models()[0].shape.vertex(0, VertexIdx(0)).expect("a vertex");
    assert_eq!(vertex.map(f32::to_bits), [0.0, -0.0, 3.4e38_f32].map(f32::to_bits));
}

/// S2: counts without data behind them allocate nothing and are refused by name.
#[test]
fn huge_counts_are_refused() {
    let frames = |entries: &str| {
        format!("[[model]]\nname = \"M\"\nframes = []\n[[actor]]\nname = \"A\"\nframes = [{entries}]\n")
    };
    let limit = "at most 32768 of one model and 1048576 in all are allowed";
    for count in [32769, i32::MAX] {
        let fault = format!("7:34: actor[0].frames[0].count: {count} frames: {limit}");
        check(&frames(&format!("{{ model = \"M\", count = {count} }}")), &fault);
    }
    let entry = "{ model = \"M\", count = 32768 }, ";
    assert_eq!(faults(&format!("soup386 = 1\n{}", frames(&entry.repeat(32)))), [""; 0]);
    let found = faults(&format!("soup386 = 1\n{}", frames(&entry.repeat(33))));
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with(&format!(": actor[0].frames[32].count: 32768 frames: {limit}")), "{}", found[0]);
    let models = "[[model]]\nname = \"M\"\nframes = []\n".repeat(32768);
    let found = faults(&format!("soup386 = 1\n{models}"));
    assert_eq!(found, ["yard.toml:2:1: model: 32768 models, at most 32767 are allowed"]);
}

/// S2: nesting without end is a fault, not an overflow.
#[test]
fn deep_nesting_is_a_fault() {
    for (open, close) in [("[", "]"), ("{ a = ", " }")] {
        for closed in [true, false] {
            let depth = 100_000;
            let close = if closed { close.repeat(depth) } else { String::new() };
            let text = format!("soup386 = 1\nx = {}0{close}\n", open.repeat(depth));
            assert!(!faults(&text).is_empty());
        }
    }
    let dotted = format!("soup386 = 1\n{} = 1\n", vec!["a"; 20_000].join("."));
    assert!(!faults(&dotted).is_empty());
    let header = format!("soup386 = 1\n[{}]\n", vec!["a"; 20_000].join("."));
    assert!(!faults(&header).is_empty());
}

/// V5, S2: chains of parents as long as a scene allows end at their root, in either order; circles at their end are one
/// fault; many unknown parents with long names do not keep anyone waiting.
/// F2, C16: a packed command is named by its first byte.
#[test]
fn faults_of_packed_commands_have_their_place() {
    let text = "soup386 = 1\n[[model]]\nname = \"M\"\nframes = [[]]\n[[actor]]\nname = \"A\"\n\
        frames = [{ model = \"M\", count = 1 }]\n[[actor.group]]\nindex = 0\nraw = [0, 0, 0,\n  0x50, 0, 0]\n";
    assert_eq!(
        faults(text),
        ["yard.toml:11:3: actor[0].group[0].raw[3]: ShowFrame 5 is outside the frame table, whose entries are 0..=0"]
    );
}

#[test]
fn long_chains_of_parents_are_followed() {
    const N: usize = 32767;
    let chain = |last: &str| {
        let mut text = String::from("soup386 = 1\n");
        for i in 0..N - 1 {
            text += &format!("[[model]]\nname = \"M{i}\"\nparent = \"M{}\"\n", i + 1);
        }
        text + format!("[[model]]\nname = \"M{}\"\n{last}\n", N - 1).as_str()
    };
    let scene = scene(&chain("frames = [[[7, 8, 9]]]"));
    for handle in [1, 2, N as i16] {
        let shape = scene.defs.shape_of_handle(handle).expect("a shape");
        assert_eq!(shape.vertex(0, VertexIdx(0)), Some([7.0, 8.0, 9.0]));
    }
    let circle = faults(&chain("parent = \"M5\""));
    assert_eq!(
        circle,
        ["yard.toml:4:10: model[0].parent: M0: the parents go in a circle: \
                         M0 -> M1 -> M2 -> M3 -> M4 -> M5 -> M6 -> M7 -> M8 -> …"]
    );
    let long = "x".repeat(10_000);
    let unknown: String =
        (0..1000).map(|i| format!("[[model]]\nname = \"{long}{i}\"\nparent = \"{long}\"\n")).collect();
    assert_eq!(faults(&format!("soup386 = 1\n{unknown}")).len(), 51);
}
