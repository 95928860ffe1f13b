//! Settings and definitions of a game: SYSTEM.INI, WORLD.INI, ITEM.INI, SOUP386.DEF.

use soup386::{
    defs::{FlagKind, FunctionKind, ItemDef, ItemId, ItemType},
    import::game::{
        Warnings, definition,
        ini::{BadLine, Ini},
        items,
        settings::{SystemSettings, WorldSettings},
    },
};

use crate::game_support::{GameFolder, assert_warns, body, map};

fn ini(text: &[u8]) -> Result<(Ini, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let ini = Ini::read("X.INI", text, BadLine::Error, &mut warnings).map_err(|fault| fault.to_string())?;
    Ok((ini, warnings.into_list().iter().map(ToString::to_string).collect()))
}

#[test]
fn settings_files_are_sections_of_records() {
    // I25.
    let text = b"\xEF\xBB\xBF# a comment\r\n[ A ]\r\n\tKey = value ; more\r\n[b]\nn=7\n[a]\nkey=second\nempty=\n\x1A";
    let (ini, warnings) = ini(text).expect("a settings file");
    assert_eq!(warnings, ["X.INI:7:1: [a] key: the key is there again; line 3 counts"]);
    let a = ini.section("a").expect("a section");
    assert_eq!(a.value("key").map(|value| value.text.as_str()), Some("value"));
    assert_eq!(a.value("empty"), None);
    assert_eq!(ini.section("b").expect("a section").int("n"), Ok(Some(7)));
    assert!(ini.require("c").expect_err("none").to_string().contains("the section [c] is missing"));
}

#[test]
fn what_is_no_record_is_told_with_its_line() {
    // I25.
    let cases: [(&[u8], &str); 5] = [
        (b"[a]\nword\n", "X.INI:2:1: expected [section] or key=value, found \"word\""),
        (b"key=1\n", "X.INI:1:1: the key \"key\" stands before any section"),
        (b"[a]\nkey=\x07\n", "X.INI:2:1: control character 07h: this is no text"),
        (b"[a\n", "X.INI:1:1: expected [section] or key=value, found \"[a\""),
        (b"[a]\r\rx=1", "X.INI:1:1: control character 0Dh: this is no text"),
    ];
    for (text, fault) in cases {
        assert_eq!(ini(text).expect_err("refused"), fault);
    }
    let (ini, _) = ini(b"[a]\nx=12a\nlist=1,,2\nbig=4294967296\n").expect("a settings file");
    let a = ini.section("a").expect("a section");
    for result in [a.int("x").map(drop), a.list("list").map(drop), a.natural("big").map(drop)] {
        assert!(result.expect_err("no number").to_string().contains("expected a decimal number of 32 bits"));
    }
}

#[test]
fn the_worlds_file_may_have_bad_lines() {
    // I25.
    let mut warnings = Warnings::default();
    let text = b"[world]\norld ambient\nstart_world=1\nstart_marker=4\nworld_map[1]=MAPS\\A.rgm\nworld_map[2]=x\n";
    let worlds = WorldSettings::read("WORLD.INI", text, &mut warnings).expect("settings");
    let expected = WorldSettings { start_world: Some(1), start_marker: 4, start_map: Some("MAPS\\A.rgm".to_owned()) };
    assert_eq!(worlds, expected);
    assert_eq!(warnings.into_list().len(), 1);
}

#[test]
fn system_settings_have_defaults() {
    let read = |text: &str| SystemSettings::read("SYSTEM.INI", text.as_bytes(), &mut Warnings::default());
    assert_eq!(read("[system]\n").expect("settings"), SystemSettings::default());
    let text = "[system]\nworld_ini=W\nitem_ini=I\njump_time=257\njump_height=-3\n[debug]\ndisable_family=yes\n[3dmanager]\ndummy_manager=2\n";
    let expected = SystemSettings {
        world_ini: "W".to_owned(),
        item_ini: Some("I".to_owned()),
        jump_time: 1,
        disable_family: true,
        ..SystemSettings::default()
    };
    assert_eq!(read(text).expect("settings"), expected);
    assert!(read("[debug]\n").is_err());
}

fn read_items(text: &str) -> Result<(items::GameItems, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let read = items::read("ITEM.INI", text.as_bytes(), &mut warnings).map_err(|fault| fault.to_string())?;
    Ok((read, warnings.into_list().iter().map(ToString::to_string).collect()))
}

#[test]
fn items_are_read_by_number() {
    // I30.
    let text = "[items]\ntorch_time=60\nstart_item_list=7, 7,7\nstart_item_select=7\nname[7]=?xsw\ntype[7]=1\nflags[7]=3\ntotal[7]=5\n\
                player_max[7]=2\nplayer_total[7]=1\nhand_object_file[7]=3DART\\Sabre.3D\nhilt_object_file[7]=SABREH\n\
                required_item_list[7]=1\nadd_item_list[7]=2,3\ndrop_add_item_list[7]=4\nremove_drop_item_list[7]=5\n\
                type[3]=3\nname[3]=\nhide[3]=yes\ncolour[3]=1\n";
    let (read, warnings) = read_items(text).expect("items");
    let [torch, sabre] = &read.items[..] else { panic!("{:?}", read.items) };
    assert_eq!((torch.id, torch.item_type, torch.name.as_str()), (ItemId(3), ItemType::Torch, "item 3"));
    let expected = ItemDef {
        id: ItemId(7),
        name: "?xsw".to_owned(),
        item_type: ItemType::Weapon,
        hand_model: Some("SABRE".into()),
        hilt_model: Some("SABREH".into()),
        length: 0,
        player_total: 2,
        total: Some(5),
        player_max: Some(2),
        flags: 3,
        required_item: vec![ItemId(1)],
        add_item: vec![ItemId(2), ItemId(3)],
        drop_add_item: vec![ItemId(4)],
        remove_drop_item: vec![ItemId(5)],
    };
    assert_eq!(format!("{sabre:?}"), format!("{expected:?}"));
    assert_eq!((read.selected, read.torch_time), (Some(ItemId(7)), 60));
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("colour[3]: unknown key"), "{warnings:?}");
    assert!(warnings[1].contains("the lists of item 7 are not followed"), "{warnings:?}");
}

#[test]
fn wrong_items_are_told_with_their_keys() {
    // I30.
    let cases = [
        ("type[1]=4", "[items] type[1]: expected an item type 0, 1, 2 or 3, found 4"),
        ("type[1]=0\ntype[01]=1", "[items] type[1]: the same field of the same item as type[01]"),
        ("type=1", "expected type[N] with an item number N"),
        ("type[x]=1", "expected type[N] with an item number N"),
        ("type[4294967296]=1", "expected type[N] with an item number N"),
        ("type[256]=1", "a weapon's number must be 0..=255"),
        ("total[1]=many", "[items] total[1]: expected a decimal number of 32 bits, found \"many\""),
        ("start_item_list=9", "[items] start_item_list: there is no item 9"),
        ("start_item_select=9", "[items] start_item_select: there is no item 9"),
    ];
    for (line, words) in cases {
        let fault = read_items(&format!("[items]\n{line}\n")).expect_err("refused");
        assert!(fault.contains(words), "{line}: {fault}");
    }
    assert!(read_items("[things]\n").expect_err("refused").contains("the section [items] is missing"));
    let (read, warnings) = read_items("[items]\ntype[4000000000]=2\n").expect("items");
    assert!(read.items.is_empty() && warnings[0].contains("no script can name"), "{warnings:?}");
}

#[test]
fn the_item_system_is_open_when_there_is_an_item_file() {
    // I31 I30: the height of the hand model's segment is the length; a model that is not there is none.
    let folder = GameFolder::with_map("items", &map(vec![body("A")], vec![]));
    assert!(!folder.load().scene.item_system);
    folder.write("ITEM.INI", "[items]\n");
    assert!(folder.load().scene.item_system);
    folder.write(
        "ITEM.INI",
        "[items]\ntype[1]=1\nhand_object_file[1]=BOX.3D\nhilt_object_file[1]=GONE.3D\ntype[0]=0\nstart_item_select=1\n",
    );
    let imported = folder.load();
    assert_warns(&imported, "there is no model GONE");
    let sabre = imported.scene.defs.item(ItemId(1)).expect("an item");
    assert_eq!(sabre.length, 24);
    // A9.
    assert_eq!((sabre.hand_model.as_deref(), sabre.hilt_model.as_deref()), (Some("BOX"), None));
    assert_eq!(imported.scene.defs.first_item(), Some(ItemId(1)));
    folder.write("SYSTEM.INI", "[system]\nitem_ini=system\\THINGS.INI\n");
    assert!(folder.fault().contains("the file is missing; item_ini names it"), "{}", folder.fault());
}

fn definitions(text: &str) -> Result<(definition::Definitions, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let read = definition::read("S.DEF", text.as_bytes(), &mut warnings).map_err(|fault| fault.to_string())?;
    Ok((read, warnings.into_list().iter().map(ToString::to_string).collect()))
}

#[test]
fn definitions_declare_functions_properties_numbers_and_flags() {
    // I40.
    let text = "[flags]\nBOOL Door true;first\nNUMBER door 7\nFLIPFLOP c false\nCOUNTER d -1\n[functions]\ntask sRotate parms 4\n\
                FUNCTION Unheard PARMS 255\ntask Rotate parms 9\n[refs]\nweapon_drawn\nnot.there\n[equates]\nbase 10\nnone\n\
                auto\nfirst\nsecond = 5\nthird\nfourth base\nfifth\nendauto\nauto\nagain\nendauto\n";
    let (read, warnings) = definitions(text).expect("definitions");
    let functions: Vec<_> = read.functions.iter().map(|f| (f.name.as_str(), f.kind, f.n_parameters)).collect();
    let (task, function) = (FunctionKind::Task, FunctionKind::Function);
    assert_eq!(functions, [("sRotate", task, 4), ("Unheard", function, 255), ("Rotate", task, 9)]);
    assert_eq!(read.references, ["weapon_drawn", "not.there"]);
    let equates: Vec<_> = read.equates.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let expected = [
        ("base", 10),
        ("none", 0),
        ("first", 0),
        ("second", 5),
        ("third", 6),
        ("fourth", 10),
        ("fifth", 11),
        ("again", 0),
    ];
    assert_eq!(equates, expected);
    let flags: Vec<_> = read.flags.iter().map(|flag| (flag.name.as_str(), flag.kind, flag.value)).collect();
    let expected = [
        ("Door", FlagKind::Bool, 1),
        ("door", FlagKind::Number, 7),
        ("c", FlagKind::Flipflop, 0),
        ("d", FlagKind::Counter, -1),
    ];
    assert_eq!(flags, expected);
    for words in [
        "\"door\" is declared twice",
        "\"Unheard\" is not known",
        "has 9 parameters here",
        "\"not.there\" is not known",
    ] {
        assert!(warnings.iter().any(|warning| warning.contains(words)), "{words}: {warnings:?}");
    }
    assert_eq!(warnings.len(), 4, "{warnings:?}");
}

#[test]
fn wrong_definitions_are_told_with_their_lines() {
    // I40.
    let cases = [
        ("[things]\n", "S.DEF:1:1: unknown section [things]"),
        ("x\n", "S.DEF:1:1: this line stands before any section"),
        ("[functions]\nthread x parms 1\n", "S.DEF:2:1: unknown kind \"thread\""),
        ("[functions]\ntask x params 1\n", "expected the word parms"),
        ("[functions]\ntask x parms 256\n", "expected a number of parameters 0..=255"),
        ("[functions]\ntask x parms\n", "expected \"kind name parms count\""),
        ("[flags]\nBYTE x 1\n", "unknown flag type \"BYTE\""),
        ("[flags]\nBOOL x maybe\n", "expected a number, true or false"),
        ("[flags]\nBOOL x\n", "expected \"type name value\""),
        ("[equates]\nx 1\nX 2\n", "S.DEF:3:1: the equate \"X\" is defined twice"),
        ("[equates]\nx y\n", "\"y\" is no number and no earlier equate"),
        ("[equates]\nauto\nx\n", "auto in line 2 has no endauto"),
        ("[equates]\nauto\n[flags]\n", "S.DEF:3:1: auto in line 2 has no endauto"),
        ("[equates]\nauto\nauto\n", "S.DEF:3:1: auto inside auto"),
        ("[equates]\nauto\nendauto\nendauto\n", "S.DEF:4:1: endauto without auto"),
        ("[equates]\nx 1 2\n", "expected \"name value\""),
    ];
    for (text, words) in cases {
        let fault = definitions(text).expect_err("refused");
        assert!(fault.contains(words), "{text:?}: {fault}");
    }
    let many = format!("[functions]\n{}", "task x parms 0\n".repeat(65_536));
    assert!(definitions(&many).expect_err("refused").contains("more than 65535 functions"));
    let many = format!("[flags]\n{}", "BOOL x 0\n".repeat(65_536));
    assert!(definitions(&many).expect_err("refused").contains("more than 65535 flags"));
    let long = format!("[refs]\n{}", "x".repeat(1 << 20));
    assert!(definitions(&long).expect_err("refused").contains("1048583 bytes of text, at most 1048576 are read"));
}

#[test]
fn flags_of_the_definitions_are_the_scene_s() {
    // I40: of equal names the first is meant; the others are called by their number.
    let folder = GameFolder::with_map("flags", &map(vec![body("A")], vec![]));
    folder.write("SOUP386/SOUP386.DEF", "[flags]\nBOOL a 1\nNUMBER A 5\n");
    let imported = folder.load();
    let flags: Vec<_> = imported.scene.defs.flags().iter().map(|flag| (flag.name.as_str(), flag.value)).collect();
    assert_eq!(flags, [("a", 1), ("flag_1", 5)]);
    std::fs::remove_dir_all(folder.path("SOUP386")).expect("removed");
    assert_warns(&folder.load(), "the built-in tables are in force");
}
