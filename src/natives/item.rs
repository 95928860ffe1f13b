//! Items: counts, selection, use. They belong to the world, whatever the receiver.
//!
//! # Source
//! Rules X2 to X10; config/item-ini.md; engine/hud.md, "Inventory ownership", "Shared rules".

use std::collections::BTreeSet;

use super::{Call, Entry, Parts};
use crate::{
    defs::{Defs, ItemDef, ItemId, ItemType, attr},
    weapon,
    world::{Gate, World},
};

/// One call performs at most this many item operations; lists that ask for more are cut short with a diagnostic.
const MAX_OPERATIONS: u32 = 4096;
/// Lists nest at most this deep.
const MAX_DEPTH: usize = 128;

/// A change of the owned counts under way: follows the items' lists.
struct Change<'a> {
    defs: &'a Defs,
    world: &'a mut World,
    /// Ids being added, to find circles (rule X4).
    adding: Vec<ItemId>,
    stripping: Vec<ItemId>,
    left: u32,
    /// The first thing that went wrong.
    gate: Option<Gate>,
}

impl<'a> Change<'a> {
    fn new(defs: &'a Defs, world: &'a mut World) -> Self {
        Self { defs, world, adding: Vec::new(), stripping: Vec::new(), left: MAX_OPERATIONS, gate: None }
    }

    fn refuse(&mut self, gate: Gate) {
        self.gate.get_or_insert(gate);
    }

    /// Counts one operation on `id`; false for a circle or when the bounds are reached.
    fn enter(&mut self, id: ItemId, in_progress: bool, depth: usize) -> bool {
        let allowed = !in_progress && depth < MAX_DEPTH && self.left > 0;
        self.left = self.left.saturating_sub(1);
        if !allowed {
            self.refuse(Gate::ListCycle { item: id.0 });
        }
        allowed
    }

    /// Rule X4; config/item-ini.md, "Initialization and acquisition".
    fn add(&mut self, id: ItemId, count: i32) {
        let Some(item) = self.defs.item(id) else { return self.refuse(Gate::UnknownItem { item: id.0 }) };
        if !self.enter(id, self.adding.contains(&id), self.adding.len()) {
            return;
        }
        let owned = self.world.items.owned(id);
        let room = |cap: Option<i32>| cap.map_or(count, |cap| cap.wrapping_sub(owned));
        let k = count.min(room(item.total)).min(room(item.player_max));
        if k <= 0 {
            return self.refuse(Gate::AtLimit { item: id.0, owned, count });
        }
        if let Some(required) = self.missing_requirement(item) {
            return self.refuse(Gate::RequirementMissing { item: id.0, required: required.0 });
        }
        self.adding.push(id);
        for &other in &item.drop_add_item {
            self.drop(other, 1);
        }
        for &other in &item.add_item {
            self.add(other, 1);
        }
        self.adding.pop();
        select_fallback(self.defs, self.world);
        let owned = self.world.items.owned(id);
        self.world.items.owned.insert(id, owned.wrapping_add(k));
    }

    /// The first required item that is not owned, requirements of requirements included. An id in progress counts as
    /// met, with a diagnostic when nothing is missing (rule X4).
    fn missing_requirement(&mut self, item: &'a ItemDef) -> Option<ItemId> {
        let mut circle = None;
        let mut started = BTreeSet::from([item.id]);
        let mut met = BTreeSet::new();
        // Each item whose requirements are looked at, with those that remain.
        let mut open = vec![(item.id, item.required_item.iter())];
        while let Some((id, remaining)) = open.last_mut() {
            let Some(&required) = remaining.next() else {
                met.insert(*id);
                open.pop();
                continue;
            };
            if !started.insert(required) {
                circle = circle.or((!met.contains(&required)).then_some(required));
                continue;
            }
            if self.world.items.owned(required) == 0 {
                return Some(required);
            }
            // The counts hold known items only.
            open.extend(self.defs.item(required).map(|item| (required, item.required_item.iter())));
        }
        if let Some(ItemId(item)) = circle {
            self.refuse(Gate::ListCycle { item });
        }
        None
    }

    /// Rule X5; config/item-ini.md, "Removal during acquisition".
    fn drop(&mut self, id: ItemId, count: i32) {
        if count <= 0 {
            return self.refuse(Gate::NothingToDrop { item: id.0, count });
        }
        let Some(item) = self.defs.item(id) else { return self.refuse(Gate::UnknownItem { item: id.0 }) };
        let owned = self.world.items.owned(id);
        let empties = item.flags & 1 != 0;
        let left = if empties { 0 } else { owned.wrapping_sub(count.min(owned)) };
        self.world.items.owned.insert(id, left);
        self.strip(id);
    }

    /// Clears what goes with an item of which some are left.
    fn strip(&mut self, id: ItemId) {
        let Some(item) = self.defs.item(id).filter(|_| self.world.items.owned(id) != 0) else { return };
        if !self.enter(id, self.stripping.contains(&id), self.stripping.len()) {
            return;
        }
        self.stripping.push(id);
        for &other in &item.remove_drop_item {
            self.strip(other);
            if self.defs.item(other).is_some() {
                self.world.items.owned.insert(other, 0);
            }
        }
        self.stripping.pop();
    }
}

/// Rule X7; config/item-ini.md, "Empty-selection fallback".
fn select_fallback(defs: &Defs, world: &mut World) {
    if world.items.selected.is_some() {
        return;
    }
    let items = &world.items;
    let owned = |item: &&ItemDef| items.owned(item.id) != 0;
    let found = defs
        .item(ItemId(1))
        .or_else(|| defs.items().filter(owned).find(|item| item.item_type == ItemType::Weapon))
        .or_else(|| defs.items().find(owned))
        .map(|item| item.id);
    let Some(id) = found else { return };
    world.items.selected = Some(id);
    if let Some(player) = world.player().and_then(|key| world.get_mut(key)) {
        player.attributes[attr::WEAPON] = id.0 as u8;
    }
}

/// Drops up to `count` of an item (rule X5), as DropItem does.
pub(crate) fn drop_item(defs: &Defs, world: &mut World, id: ItemId, count: i32) {
    if world.items.open {
        Change::new(defs, world).drop(id, count);
    }
}

/// Runs a change of the counts when the item system is open.
fn change(call: &mut Call<'_>, act: impl FnOnce(&mut Change<'_>)) -> i32 {
    if !call.world.items.open {
        call.refuse(Gate::ItemSystemClosed {});
        return 0;
    }
    let mut change = Change::new(call.defs, call.world);
    act(&mut change);
    if let Some(gate) = change.gate {
        call.refuse(gate);
    }
    0
}

/// Rule X4. Adds up to `count` of an item, with its lists. Returns 0.
fn additem(call: &mut Call<'_>) -> i32 {
    let (id, count) = (ItemId(call.int(0)), call.int(1));
    change(call, |change| change.add(id, count))
}

/// Rule X5. Drops up to `count` of an item, with its list. Returns 0.
fn dropitem(call: &mut Call<'_>) -> i32 {
    let (id, count) = (ItemId(call.int(0)), call.int(1));
    change(call, |change| change.drop(id, count))
}

/// Rule X9; engine/SOUP.md, "DropAllItems". Returns 0.
fn dropallitems(call: &mut Call<'_>) -> i32 {
    change(call, |change| {
        let ids: Vec<ItemId> = change.defs.items().map(|item| item.id).collect();
        for id in ids {
            let owned = change.world.items.owned(id);
            if owned != 0 {
                change.left = MAX_OPERATIONS;
                change.drop(id, owned);
            }
        }
        change.world.items.selected = None;
    })
}

/// Rule X3: the owned count.
fn haveitem(call: &mut Call<'_>) -> i32 {
    let id = ItemId(call.int(0));
    if !call.world.items.open {
        call.refuse(Gate::ItemSystemClosed {});
        0
    } else if call.defs.item(id).is_none() {
        call.refuse(Gate::UnknownItem { item: id.0 });
        0
    } else {
        call.world.items.owned(id)
    }
}

/// Rule X6. Selects the item; its count and type do not matter. Returns 0.
fn selectitem(call: &mut Call<'_>) -> i32 {
    let id = ItemId(call.int(0));
    change(call, |change| select(change, id))
}

fn select(change: &mut Change<'_>, id: ItemId) {
    if change.defs.item(id).is_some() {
        change.world.items.selected = Some(id);
    } else {
        change.refuse(Gate::UnknownItem { item: id.0 });
    }
}

/// Rule X6: the selected item's id, or 0.
fn activeitem(call: &mut Call<'_>) -> i32 {
    let items = &call.world.items;
    items.selected.filter(|_| items.open).map_or(0, |id| id.0)
}

/// The two forms of the soul sword (rule X9; engine/SOUP.md, "chargeWeapon").
const CHARGED: ItemId = ItemId(75);
const UNCHARGED: ItemId = ItemId(1);

/// Rule X9. Exchanges items 1 and 75, and assigns the one that came. Returns 0.
fn chargeweapon(call: &mut Call<'_>) -> i32 {
    let (come, go) = if call.int(0) as i16 == 1 { (CHARGED, UNCHARGED) } else { (UNCHARGED, CHARGED) };
    change(call, |change| change.add(come, 1));
    call.actor_mut().attributes[attr::WEAPON] = come.0 as u8;
    change(call, |change| {
        if change.defs.item(go).is_some() {
            change.world.items.owned.insert(go, 0);
        }
        select(change, come);
    })
}

/// Rule X10; engine/hud.md, "Shared rules". Returns 0.
fn lockoutplayer(call: &mut Call<'_>) -> i32 {
    let lockout = call.int(0) as u16;
    call.world.items.lockout = lockout;
    let player = call.world.player();
    let (actors, _) = call.world.actors_and_events();
    for actor in actors {
        if lockout != 1 {
            actor.attributes[attr::NO_NODE_COMBAT] = 0;
        } else if Some(actor.key) == player {
            actor.attributes[attr::NO_NODE_COMBAT] = 1;
        }
    }
    0
}

/// Rule X8; config/item-ini.md, "Using an item". Returns 0.
fn useitem(call: &mut Call<'_>) -> i32 {
    let outcome = use_gates(call).and_then(|item_type| use_admitted(call, item_type));
    call.note(outcome);
    0
}

fn use_gates(call: &mut Call<'_>) -> Result<ItemType, Gate> {
    let id = ItemId(call.int(0));
    let conditions = call.conditions();
    let items = &mut call.world.items;
    if items.lockout == 1 {
        return Err(Gate::LockedOut { lockout: 1 });
    }
    let edge = call.world.player().and_then(|key| call.world.get(key)).filter(|player| weapon::is_on_edge(player));
    if let Some(player) = edge {
        return Err(Gate::OnEdge { extra_flag: player.extra_flag.into() });
    }
    if std::mem::replace(&mut call.world.items.use_latch, true) {
        return Err(Gate::UseLatch {});
    }
    if call.shell {
        return Err(Gate::ShellContext {});
    }
    if !call.world.items.open {
        return Err(Gate::ItemSystemClosed {});
    }
    if call.world.player() != Some(call.receiver) {
        return Err(Gate::NotThePlayer {});
    }
    let Some(item) = call.defs.item(id) else { return Err(Gate::UnknownItem { item: id.0 }) };
    if call.world.items.owned(id) == 0 {
        return Err(Gate::NotOwned { item: id.0 });
    }
    let actor = call.actor();
    if weapon::is_in_deep_water(actor) {
        return Err(Gate::DeepWater { under_surface: actor.under_surface.into() });
    }
    if weapon::is_holding_weapon(actor, conditions) {
        let attribute_110 = actor.attribute(attr::HOLDING_WEAPON).into();
        return Err(Gate::HoldingWeapon { weapon_drawn: actor.weapon_drawn.into(), attribute_110 });
    }
    weapon::torch_transition_gate(actor, conditions)?;
    Ok(item.item_type)
}

/// The use scripts of general items are the host's.
fn use_admitted(call: &mut Call<'_>, item_type: ItemType) -> Result<(), Gate> {
    let id = call.int(0);
    if call.actor().torch_timer != 0 {
        let Parts { def, actor, conditions, events, .. } = call.parts();
        return weapon::unlight_torch(def, actor, conditions, events);
    } else if id == 0 {
        call.world.items.compass = !call.world.items.compass;
    } else if item_type == ItemType::Weapon {
        call.actor_mut().attributes[attr::WEAPON] = id as u8;
        let Parts { def, actor, conditions, events, .. } = call.parts();
        return weapon::drawsword(def, actor, conditions, events);
    } else if item_type == ItemType::Torch {
        let Parts { def, actor, conditions, events, .. } = call.parts();
        let admitted = weapon::light_torch(def, actor, conditions, events);
        actor.hand_item = id as u8;
        return admitted;
    } else {
        call.ask_host();
    }
    Ok(())
}

pub(super) const NATIVES: &[Entry] = &[
    ("AddItem", additem),
    ("DropItem", dropitem),
    ("DropAllItems", dropallitems),
    ("HaveItem", haveitem),
    ("SelectItem", selectitem),
    ("ActiveItem", activeitem),
    ("UseItem", useitem),
    ("chargeWeapon", chargeweapon),
    ("lockoutPlayer", lockoutplayer),
];
