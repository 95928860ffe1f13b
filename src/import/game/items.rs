//! ITEM.INI: the items.
//!
//! # Source
//! Rule I30; config/item-ini.md.

use std::collections::BTreeMap;

use super::{
    Warnings,
    bytes::shown,
    ini::{BadLine, Ini, Section, Value},
    paths::stem,
};
use crate::{
    defs::{ItemDef, ItemId, ItemType},
    import::Fault,
};

/// The items of a game and which one is selected at the start.
#[derive(Clone, Debug, Default)]
pub struct GameItems {
    /// Items with ascending ids. Hand and hilt models are names that may have no model yet; lengths are 0.
    pub items: Vec<ItemDef>,
    /// The item that is selected at the start; none is the first.
    pub selected: Option<ItemId>,
    /// How long a torch burns (rule X22).
    pub torch_time: i32,
}

/// Keys of `[items]` that belong to no item.
const GENERAL: [&str; 8] = [
    "bitmap_file",
    "bitmap_selected_file",
    "start_item_list",
    "start_item_select",
    "additional_length",
    "weapon_sphere_size",
    "default_weapon_item",
    "torch_time",
];

/// What the text of a field of an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Number,
    Switch,
    List,
    Text,
}

const FIELDS: [(&str, Form); 20] = [
    ("type", Form::Number),
    ("flags", Form::Number),
    ("hide", Form::Switch),
    ("total", Form::Number),
    ("player_max", Form::Number),
    ("player_total", Form::Number),
    ("name", Form::Text),
    ("description", Form::Text),
    ("use_script", Form::Text),
    ("script_instances", Form::Number),
    ("bitmap", Form::Number),
    ("inventory_object_file", Form::Text),
    ("game_object_file", Form::Text),
    ("add_item_list", Form::List),
    ("drop_add_item_list", Form::List),
    ("remove_drop_item_list", Form::List),
    ("required_item_list", Form::List),
    ("drop_use_item_list", Form::List),
    ("hand_object_file", Form::Text),
    ("hilt_object_file", Form::Text),
];

/// The fields of one item: keys as they are written, by field.
type Fields<'i> = BTreeMap<&'static str, &'i str>;

/// Reads ITEM.INI.
///
/// # Errors
/// The first [`Fault`].
pub fn read(file: &str, data: &[u8], warnings: &mut Warnings) -> Result<GameItems, Fault> {
    let ini = Ini::read(file, data, BadLine::Error, warnings)?;
    let section = ini.require("items")?;
    let mut fields: BTreeMap<u32, Fields<'_>> = BTreeMap::new();
    for (key, value) in section.iter() {
        sort_in(section, key, value, &mut fields, warnings)?;
    }
    let mut items = Vec::new();
    for (&number, fields) in &fields {
        match i32::try_from(number) {
            Ok(id) => items.push(item(section, id, fields)?),
            Err(_) => {
                let line = fields.values().filter_map(|key| section.value(key)).map(|value| value.line).min();
                let reason = "no script can name an item above 2147483647: it is left out";
                warnings.add(section.fault(&format!("item {number}"), line.unwrap_or(1), reason));
            }
        }
    }
    start_items(section, &mut items, warnings)?;
    let selected = section.natural("start_item_select")?.map(|id| known(section, "start_item_select", id, &items));
    let selected = selected.transpose()?.map(|place| items[place].id);
    Ok(GameItems { items, selected, torch_time: section.int("torch_time")?.unwrap_or(0).max(0) })
}

/// Puts a key where it belongs.
fn sort_in<'i>(
    section: Section<'i>,
    key: &'i str,
    value: &Value,
    fields: &mut BTreeMap<u32, Fields<'i>>,
    warnings: &mut Warnings,
) -> Result<(), Fault> {
    let (name, suffix) = key.split_once('[').map_or((key, None), |(name, suffix)| (name, Some(suffix)));
    let field = FIELDS.iter().find(|(field, _)| *field == name.trim_end());
    let (field, form) = match field {
        Some(&field) => field,
        None => {
            if !GENERAL.contains(&key) {
                warnings.add(section.fault(key, value.line, "unknown key"));
            }
            return Ok(());
        }
    };
    let number = suffix.and_then(|suffix| suffix.strip_suffix(']')).map(str::trim);
    let number = number.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) else {
        return Err(section.fault(key, value.line, format!("expected {field}[N] with an item number N")));
    };
    if value.text.is_empty() {
        return Ok(());
    }
    check_form(section, key, form)?;
    if let Some(other) = fields.entry(number).or_default().insert(field, key) {
        let reason = format!("the same field of the same item as {}", shown(other.as_bytes()));
        return Err(section.fault(key, value.line, reason));
    }
    Ok(())
}

fn check_form(section: Section<'_>, key: &str, form: Form) -> Result<(), Fault> {
    match form {
        Form::Number => section.int(key).map(drop),
        Form::Switch => section.switch(key).map(drop),
        Form::List => section.list(key).map(drop),
        Form::Text => Ok(()),
    }
}

fn item(section: Section<'_>, id: i32, fields: &Fields<'_>) -> Result<ItemDef, Fault> {
    let int = |field| match fields.get(field) {
        Some(key) => section.int(key),
        None => Ok(None),
    };
    let list = |field| match fields.get(field) {
        Some(key) => section.list(key).map(|ids| ids.into_iter().map(|id| ItemId(id as i32)).collect()),
        None => Ok(Vec::new()),
    };
    let value = |field| fields.get(field).and_then(|key| section.value(key));
    let model = |field| {
        let name = stem(&value(field)?.text.chars().map(|c| c as u8).collect::<Vec<_>>());
        (!name.is_empty()).then(|| name.into())
    };
    Ok(ItemDef {
        id: ItemId(id),
        name: value("name").map_or_else(|| format!("item {id}"), |value| value.text.clone()),
        item_type: item_type(section, id, fields)?,
        hand_model: model("hand_object_file"),
        hilt_model: model("hilt_object_file"),
        length: 0,
        player_total: int("player_total")?.unwrap_or(0),
        total: int("total")?,
        player_max: int("player_max")?,
        flags: int("flags")?.unwrap_or(0),
        required_item: list("required_item_list")?,
        add_item: list("add_item_list")?,
        drop_add_item: list("drop_add_item_list")?,
        remove_drop_item: list("remove_drop_item_list")?,
    })
}

fn item_type(section: Section<'_>, id: i32, fields: &Fields<'_>) -> Result<ItemType, Fault> {
    let Some(key) = fields.get("type") else { return Ok(ItemType::General) };
    let line = section.value(key).map_or(1, |value| value.line);
    match section.int(key)? {
        None | Some(0) => Ok(ItemType::General),
        Some(1) if id > 255 => {
            Err(section.fault(key, line, "a weapon's number must be 0..=255: attribute 23 is a byte"))
        }
        Some(1) => Ok(ItemType::Weapon),
        Some(2) => Ok(ItemType::HandObject),
        Some(3) => Ok(ItemType::Torch),
        Some(other) => Err(section.fault(key, line, format!("expected an item type 0, 1, 2 or 3, found {other}"))),
    }
}

/// Where an item stands that a general key names.
fn known(section: Section<'_>, key: &str, id: u32, items: &[ItemDef]) -> Result<usize, Fault> {
    let place = i32::try_from(id).ok().and_then(|id| items.binary_search_by_key(&id, |item| item.id.0).ok());
    let line = section.value(key).map_or(1, |value| value.line);
    place.ok_or_else(|| section.fault(key, line, format!("there is no item {id}")))
}

/// Adds one of each entry of the start list that both caps admit.
fn start_items(section: Section<'_>, items: &mut [ItemDef], warnings: &mut Warnings) -> Result<(), Fault> {
    const KEY: &str = "start_item_list";
    let line = section.value(KEY).map_or(1, |value| value.line);
    for id in section.list(KEY)? {
        let place = known(section, KEY, id, items)?;
        let item = &mut items[place];
        let admits = |cap: Option<i32>| cap.is_none_or(|cap| item.player_total < cap);
        if admits(item.total) && admits(item.player_max) {
            item.player_total += 1;
        }
        let lists = [&item.required_item, &item.add_item, &item.drop_add_item];
        if lists.iter().any(|list| !list.is_empty()) {
            warnings.add(section.fault(KEY, line, format!("the lists of item {id} are not followed at the start")));
        }
    }
    Ok(())
}
