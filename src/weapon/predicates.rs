//! Questions about one actor's weapon and surroundings.

use crate::{
    defs::attr,
    world::{Actor, Gate, World},
};

/// What holds for a call or pass apart from the actor itself.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Whether the item system is open.
    pub item_system_open: bool,
    /// Whether a shell script runs. Directors and actor scripts run outside shell context.
    pub shell: bool,
    /// Tick input of this update.
    pub ticks: i32,
    /// Whether vertex queries are switched off (rule V6).
    pub dummy_manager: bool,
}

impl Conditions {
    /// The conditions of ordinary execution in this update.
    #[must_use]
    pub fn ordinary(world: &World) -> Self {
        Self {
            item_system_open: world.items.open,
            shell: false,
            ticks: world.clock.ticks,
            dummy_manager: world.dummy_manager,
        }
    }
}

/// The gates "IAS" of section 8: item system, animation state, no shell.
pub(crate) fn item_system_gate(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    if !conditions.item_system_open {
        return Err(Gate::ItemSystemClosed {});
    }
    if !actor.animated {
        return Err(Gate::NoAnimationState {});
    }
    if conditions.shell {
        return Err(Gate::ShellContext {});
    }
    Ok(())
}

fn ias(actor: &Actor, conditions: Conditions) -> bool {
    item_system_gate(actor, conditions).is_ok()
}

/// Whether the sword is being drawn: motion state 20 or group 91.
///
/// # Source
/// Rule W1; engine/animation.md, "Living actor default selection".
#[must_use]
pub fn is_drawing_sword(actor: &Actor, conditions: Conditions) -> bool {
    ias(actor, conditions) && (actor.extra_flag == 20 || actor.playback.current == 91)
}

/// Whether the sword is being put away: motion state 21 or group 129 (rule W2).
#[must_use]
pub fn is_sheathing_sword(actor: &Actor, conditions: Conditions) -> bool {
    ias(actor, conditions) && (actor.extra_flag == 21 || actor.playback.current == 129)
}

/// Either of the two (rule W3).
#[must_use]
pub fn is_drawing_or_sheathing(actor: &Actor, conditions: Conditions) -> bool {
    is_drawing_sword(actor, conditions) || is_sheathing_sword(actor, conditions)
}

/// Attribute 110, or a weapon assigned (rule W4; engine/hud.md, "Activation").
#[must_use]
pub fn is_combat_capable(actor: &Actor, conditions: Conditions) -> bool {
    actor.attribute(attr::HOLDING_WEAPON) != 0 || is_carrying_weapon(actor, conditions)
}

/// Attribute 110 before all gates; else the assigned weapon is drawn and not being put away.
///
/// # Source
/// Rule W5; engine/animation.md, "Living actor default selection".
#[must_use]
pub fn is_holding_weapon(actor: &Actor, conditions: Conditions) -> bool {
    actor.attribute(attr::HOLDING_WEAPON) != 0
        || (is_carrying_weapon(actor, conditions) && actor.weapon_drawn != 0 && !is_sheathing_sword(actor, conditions))
}

/// Whether a weapon is assigned; the item need not exist (rule W6).
#[must_use]
pub fn is_carrying_weapon(actor: &Actor, conditions: Conditions) -> bool {
    ias(actor, conditions) && actor.assigned_weapon().is_some()
}

/// Falling, sliding, queued motion, or motion states 27 to 29 (rule W7).
///
/// # Source
/// engine/attachment.md, "Held-item assignment".
#[must_use]
pub fn is_in_air(actor: &Actor) -> bool {
    actor.fall_flag != 0 || actor.slide_flag != 0 || actor.jump_flag != 0 || (27..=29).contains(&actor.extra_flag)
}

/// Stored surface 2 or 4 (rules W7, X18).
#[must_use]
pub fn is_in_deep_water(actor: &Actor) -> bool {
    matches!(actor.under_surface, 2 | 4)
}

/// Stored surface 1 to 4 (rule X18).
#[must_use]
pub fn is_in_water(actor: &Actor) -> bool {
    (1..=4).contains(&actor.under_surface)
}

/// Stored surface 5 (rule X18).
#[must_use]
pub fn is_in_lava(actor: &Actor) -> bool {
    actor.under_surface == 5
}

/// Motion states 10 to 19 (rules W7, X18).
#[must_use]
pub fn is_on_edge(actor: &Actor) -> bool {
    (10..=19).contains(&actor.extra_flag)
}

// The gates below close when the predicate of the same name holds (or, for `holding`, does not).

pub(super) fn drawing_gate(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    if is_drawing_sword(actor, conditions) {
        let (extra_flag, current) = (actor.extra_flag.into(), actor.playback.current.into());
        return Err(Gate::DrawingSword { extra_flag, current });
    }
    Ok(())
}

pub(super) fn sheathing_gate(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    if is_sheathing_sword(actor, conditions) {
        let (extra_flag, current) = (actor.extra_flag.into(), actor.playback.current.into());
        return Err(Gate::SheathingSword { extra_flag, current });
    }
    Ok(())
}

pub(super) fn not_holding_gate(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    if is_holding_weapon(actor, conditions) {
        let attribute_110 = actor.attribute(attr::HOLDING_WEAPON).into();
        return Err(Gate::HoldingWeapon { weapon_drawn: actor.weapon_drawn.into(), attribute_110 });
    }
    Ok(())
}

pub(super) fn holding_gate(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    if !is_holding_weapon(actor, conditions) {
        let attribute_23 = actor.attribute(attr::WEAPON).into();
        return Err(Gate::NotHoldingWeapon { weapon_drawn: actor.weapon_drawn.into(), attribute_23 });
    }
    Ok(())
}

pub(super) fn edge_gate(actor: &Actor) -> Result<(), Gate> {
    if is_on_edge(actor) { Err(Gate::OnEdge { extra_flag: actor.extra_flag.into() }) } else { Ok(()) }
}

pub(super) fn deep_water_gate(actor: &Actor) -> Result<(), Gate> {
    if is_in_deep_water(actor) { Err(Gate::DeepWater { under_surface: actor.under_surface.into() }) } else { Ok(()) }
}

pub(super) fn air_gate(actor: &Actor) -> Result<(), Gate> {
    if !is_in_air(actor) {
        return Ok(());
    }
    Err(Gate::InAir {
        fall_flag: actor.fall_flag.into(),
        slide_flag: actor.slide_flag.into(),
        jump_flag: actor.jump_flag.into(),
        extra_flag: actor.extra_flag.into(),
    })
}

/// Falling or queued motion, which keep a torch from being lit (rule X21).
pub(super) fn air_gate_of_torch(actor: &Actor) -> Result<(), Gate> {
    if actor.fall_flag != 0 {
        return Err(Gate::Falling { fall_flag: actor.fall_flag.into() });
    }
    if actor.jump_flag != 0 {
        return Err(Gate::QueuedMotion { jump_flag: actor.jump_flag.into() });
    }
    Ok(())
}

/// Whether a torch is being lit: motion state 33 or group 149 (rule X20).
#[must_use]
pub fn is_lighting_torch(actor: &Actor, conditions: Conditions) -> bool {
    ias(actor, conditions) && (actor.extra_flag == 33 || actor.playback.current == 149)
}

/// Whether a torch is being put out: motion state 34 or group 150 (rule X20).
#[must_use]
pub fn is_unlighting_torch(actor: &Actor, conditions: Conditions) -> bool {
    ias(actor, conditions) && (actor.extra_flag == 34 || actor.playback.current == 150)
}

/// Closes while a torch is being lit or put out (rules X8, X21).
pub(crate) fn torch_transition_gate(actor: &Actor, conditions: Conditions) -> Result<(), Gate> {
    if is_lighting_torch(actor, conditions) || is_unlighting_torch(actor, conditions) {
        let (extra_flag, current) = (actor.extra_flag.into(), actor.playback.current.into());
        return Err(Gate::TorchTransition { extra_flag, current });
    }
    Ok(())
}
