//! The weapon state machine: predicates, draw admission, the equipped-weapon pass, cleanup, combat entry.
//!
//! Each refusal is a [`Gate`](crate::world::Gate); the gates of a rule are tested in the rule's order.

mod admission;
mod combat;
mod default_group;
mod pass;
mod predicates;
mod torch;

pub use admission::{check_player_weapon, cleanup, drawsword, handitem, sheathsword};
pub use combat::{begin_combat, end_combat, maintain_combat};
pub use default_group::default_group;
pub use pass::equip;
pub use predicates::{
    Conditions, is_carrying_weapon, is_combat_capable, is_drawing_or_sheathing, is_drawing_sword, is_holding_weapon,
    is_in_air, is_in_deep_water, is_in_lava, is_in_water, is_lighting_torch, is_on_edge, is_sheathing_sword,
    is_unlighting_torch,
};
pub(crate) use predicates::{item_system_gate, torch_transition_gate};
pub use torch::{light_torch, tend_torch, unlight_torch};
