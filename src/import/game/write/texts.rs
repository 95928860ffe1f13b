//! Settings and definitions.

use std::fmt::Write;

use crate::defs::{FlagDef, FlagKind, ItemDef, Scene, attribute_names};

/// SYSTEM.INI of a scene.
pub(super) fn system(scene: &Scene) -> String {
    let [jump_time, jump_height] = scene.defs.jump();
    let items = if scene.item_system { "item_ini=ITEM.INI\r\n" } else { "" };
    format!(
        "[system]\r\nworld_ini=WORLD.INI\r\n{items}jump_time={jump_time}\r\njump_height={jump_height}\r\n\
         [3dmanager]\r\ndummy_manager={}\r\n",
        u8::from(scene.dummy_manager)
    )
}

/// WORLD.INI with one world.
pub(super) fn world(map: &str) -> String {
    format!("[world]\r\nstart_world=0\r\nstart_marker=0\r\nworld_map[0]=MAPS\\{map}.RGM\r\n")
}

/// ITEM.INI of a scene's items.
pub(super) fn items(scene: &Scene) -> String {
    let mut text = format!("[items]\r\ntorch_time={}\r\n", scene.torch_time);
    if let Some(first) = scene.defs.first_item() {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "start_item_select={}\r\n", first.0);
    }
    scene.defs.items().for_each(|record| item(&mut text, record));
    text
}

fn item(text: &mut String, item: &ItemDef) {
    let id = item.id.0;
    let mut number = |key: &str, value: Option<i32>| {
        if let Some(value) = value {
            let _ = write!(text, "{key}[{id}]={value}\r\n");
        }
    };
    number("type", Some(item.item_type.code()));
    number("flags", Some(item.flags).filter(|&flags| flags != 0));
    number("total", item.total);
    number("player_max", item.player_max);
    number("player_total", Some(item.player_total));
    let _ = write!(text, "name[{id}]={}\r\n", item.name);
    for (key, model) in [("hand_object_file", &item.hand_model), ("hilt_object_file", &item.hilt_model)] {
        if let Some(model) = model {
            let _ = write!(text, "{key}[{id}]=3DART\\{model}.3D\r\n");
        }
    }
    let lists = [
        ("required_item_list", &item.required_item),
        ("add_item_list", &item.add_item),
        ("drop_add_item_list", &item.drop_add_item),
        ("remove_drop_item_list", &item.remove_drop_item),
    ];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        let ids: Vec<_> = list.iter().map(|id| id.0.to_string()).collect();
        let _ = write!(text, "{key}[{id}]={}\r\n", ids.join(","));
    }
}

/// SOUP386.DEF with a scene's functions, properties, constants and flags; without constants the attribute names.
pub(super) fn definitions(scene: &Scene) -> String {
    let mut text = String::from("[functions]\r\n");
    for row in scene.defs.tables().functions().iter().skip(1) {
        let _ = write!(text, "{} {} parms {}\r\n", row.kind, row.name, row.parameters);
    }
    text.push_str("[refs]\r\n");
    for row in scene.defs.tables().properties() {
        let _ = write!(text, "{}\r\n", row.name);
    }
    text.push_str("[equates]\r\nauto\r\n");
    for (name, index) in constants(scene) {
        let _ = write!(text, "{name} = {index}\r\n");
    }
    text.push_str("endauto\r\n[flags]\r\n");
    scene.defs.flags().iter().for_each(|record| flag(&mut text, record));
    text
}

fn constants(scene: &Scene) -> Vec<(&str, i32)> {
    let constants = scene.defs.tables().constants();
    if !constants.is_empty() {
        return constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    }
    let mut names: Vec<_> = attribute_names().map(|(name, index)| (name, i32::from(index))).collect();
    names.sort_by_key(|&(_, index)| index);
    names
}

fn flag(text: &mut String, flag: &FlagDef) {
    let kind = match flag.kind {
        FlagKind::Bool => "BOOL",
        FlagKind::Number => "NUMBER",
        FlagKind::Flipflop => "FLIPFLOP",
        FlagKind::Counter => "COUNTER",
    };
    let _ = write!(text, "{kind} {} {}\r\n", flag.name, flag.value);
}
