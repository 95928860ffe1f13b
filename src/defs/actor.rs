//! Actor records: frame table, groups, tracked vertices, attributes, script.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Command, Opcode, Points, Program, ScriptSource, VertexPair};
use crate::units::{Angle, Q8, Vec3};

/// Group numbers run from 0 to 177 (rule F3).
pub const N_GROUPS: usize = 178;

/// The position of an actor record in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActorDefIdx(pub u32);

/// A model and one of its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pose {
    /// 1-based model index; 0 and negative values are no pose.
    pub handle: i16,
    /// Frame of the model.
    pub frame: i16,
}

/// A numbered list of animation commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The countdown byte that frames reload.
    pub speed: u8,
    /// 0, 1 or 2 decide how pending groups interrupt (rules P7, P11).
    pub group_type: u8,
    /// The commands in order.
    pub commands: Arc<[Command]>,
}

/// The groups of an actor record, by number.
#[derive(Clone, Debug)]
pub struct Groups {
    groups: Vec<Group>,
    /// Position in `groups` plus one; 0 is none.
    slots: [u8; N_GROUPS],
    /// The greatest ShowFrame reference that was ever in a group.
    greatest_reference: Option<u32>,
}

impl Default for Groups {
    fn default() -> Self {
        Self { groups: Vec::new(), slots: [0; N_GROUPS], greatest_reference: None }
    }
}

impl Groups {
    /// Defines group `index`, replacing an earlier one (rule F3). False when `index` is 178 or more.
    pub fn insert(&mut self, index: usize, group: Group) -> bool {
        let Some(slot) = self.slots.get_mut(index) else { return false };
        let shown = group.commands.iter().filter(|command| command.opcode == Opcode::ShowFrame);
        let greatest = shown.map(|command| command.operands[0] as u32).max();
        self.greatest_reference = self.greatest_reference.max(greatest);
        if *slot == 0 {
            self.groups.push(group);
            *slot = self.groups.len() as u8;
        } else {
            self.groups[usize::from(*slot) - 1] = group;
        }
        true
    }

    /// The group of this number, as the engine's signed comparisons see it.
    #[must_use]
    pub fn get(&self, index: i32) -> Option<&Group> {
        let slot = *self.slots.get(usize::try_from(index).ok()?)?;
        self.groups.get(usize::from(slot).checked_sub(1)?)
    }

    /// No ShowFrame reference in these groups is greater.
    pub(super) fn greatest_reference(&self) -> Option<u32> {
        self.greatest_reference
    }

    /// All groups with their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Group)> {
        self.slots.iter().enumerate().filter_map(|(index, &slot)| {
            let group = self.groups.get(usize::from(slot).checked_sub(1)?)?;
            Some((index, group))
        })
    }
}

/// Everything a scene says about one actor.
#[derive(Clone, Debug)]
pub struct ActorDef {
    /// The name.
    pub name: String,
    /// Whether this is the selected player actor.
    pub player: bool,
    /// Whether no actor is made of it at load.
    pub template: bool,
    /// Start position.
    pub position: Vec3<Q8>,
    /// Start orientation: pitch, heading, roll.
    pub angles: Vec3<Angle>,
    /// ShowFrame references index this table (rule F1). Empty: no animation state (rule F4).
    pub frame_table: Arc<[Pose]>,
    /// Vertices that hold the drawn item.
    pub grip: VertexPair,
    /// Vertices that hold the sheathed item.
    pub scabbard: VertexPair,
    /// The 256 attribute bytes before the adjustments of rule F6.
    pub attributes: Box<[u8; 256]>,
    /// Animation groups.
    pub groups: Arc<Groups>,
    /// Its named points, if it has any.
    pub points: Option<Arc<Points>>,
    /// Its program in a scripting language.
    pub script: Option<ScriptSource>,
    /// Its SOUP program; it has no script then. Records may share one.
    pub program: Option<Arc<Program>>,
    /// First values of the program's locals, in place of the program's own.
    pub locals: Option<Box<[i32]>>,
    /// Labels of the program's text without their `#`, and their offsets.
    pub program_labels: Arc<[(String, u32)]>,
    /// The name that programs know it by, in place of its own (rule Y58).
    pub namespace: Option<String>,
}

impl ActorDef {
    /// Whether actors of this record have an animation state (rule F4).
    #[must_use]
    pub fn is_animated(&self) -> bool {
        !self.frame_table.is_empty()
    }
}
