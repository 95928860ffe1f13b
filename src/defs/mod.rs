//! Definitions: everything that never changes while a world runs.
//!
//! The *names* (functions, properties, attributes) come from the tables beside this file, or of functions and properties
//! from a SOUP386.DEF; the *things* (items,
//! models, actor records) come from a scene. A definition is shared by every actor made from it and never written.

mod actor;
mod attachment;
mod attributes;
mod command;
mod functions;
mod item;
mod model;
mod names;
mod points;
mod program;
mod properties;
mod rig;
mod scene;
mod script;
mod table;

pub use actor::{ActorDef, ActorDefIdx, Group, Groups, N_GROUPS, Pose};
pub use attachment::{Angles, Attachment, AttachmentList, Influence, ListReference};
pub use attributes::{attr, attribute_index, attribute_names};
pub use command::{Command, CommandError, Field, Opcode};
pub use functions::{FunctionDecl, FunctionKind, NativeId, functions};
use item::Items;
pub use item::{FlagDef, FlagKind, ItemDef, ItemId, ItemType};
pub use model::{Model, ModelIdx, Shape, VertexIdx, VertexPair};
pub use names::{FunctionRow, PropertyRow, Tables};
pub use points::{BoundInfluence, BoundPoint, ModelPoints, Points};
pub use program::{MAX_PROGRAM, Program};
pub use properties::{PropertyDecl, PropertyId, Tag, properties};
pub use rig::{Joint, JointPose, Rig, RigError};
pub use scene::{ActorDraft, Clock, ModelDraft, Scene, SceneBuilder, SceneError};
pub(crate) use scene::{did_you_mean, near_or_some};
pub use script::{Language, ModuleSource, ScriptSource};

use std::{collections::BTreeMap, sync::Arc};

/// Items, models, actor records and flags of one scene, with their look-ups.
///
/// All names compare without ASCII case, as the engine's do; the first spelling is kept.
#[derive(Clone, Debug, Default)]
pub struct Defs {
    items: Items,
    first_item: Option<ItemId>,
    models: Vec<Model>,
    model_by_name: BTreeMap<String, ModelIdx>,
    actors: Vec<ActorDef>,
    actor_by_name: BTreeMap<String, ActorDefIdx>,
    has_points: bool,
    flags: Vec<FlagDef>,
    flag_by_name: BTreeMap<String, usize>,
    tables: Arc<Tables>,
    jump: [u8; 2],
}

/// The form under which a name is looked up.
#[must_use]
pub fn folded(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// What stands under a name. Names are looked up in every update, so one of usual length takes no memory.
fn looked_up<T: Copy>(names: &BTreeMap<String, T>, name: &str) -> Option<T> {
    let mut short = [0; 64];
    let Some(short) = short.get_mut(..name.len()) else { return names.get(&folded(name)).copied() };
    short.copy_from_slice(name.as_bytes());
    short.make_ascii_lowercase();
    std::str::from_utf8(short).ok().and_then(|name| names.get(name).copied())
}

impl Defs {
    /// The same with actors that have neither script nor program.
    #[must_use]
    pub fn without_scripts(&self) -> Self {
        let mut defs = self.clone();
        for record in &mut defs.actors {
            record.script = None;
            record.program = None;
        }
        defs
    }

    /// The same with one more record: a copy of another that runs a program. The name still means the first.
    #[must_use]
    pub fn with_program(
        &self,
        record: ActorDefIdx,
        program: Arc<Program>,
        labels: Arc<[(String, u32)]>,
    ) -> (Self, ActorDefIdx) {
        let mut defs = self.clone();
        let mut copy = self.actor(record).clone();
        (copy.script, copy.program, copy.program_labels, copy.locals) = (None, Some(program), labels, None);
        // Actors are made of it by no scene.
        copy.template = true;
        let added = ActorDefIdx(defs.actors.len() as u32);
        defs.actors.push(copy);
        (defs, added)
    }

    /// The item with this id.
    #[must_use]
    pub fn item(&self, id: ItemId) -> Option<&ItemDef> {
        self.items.get(id)
    }

    /// All items, ids ascending.
    pub fn items(&self) -> impl Iterator<Item = &ItemDef> {
        self.items.iter()
    }

    /// The item that stands first in the scene: the one selected at load (rule X6).
    #[must_use]
    pub fn first_item(&self) -> Option<ItemId> {
        self.first_item
    }

    /// All models in scene order; a model's handle is its position plus one.
    #[must_use]
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The model of this name.
    #[must_use]
    pub fn model_named(&self, name: &str) -> Option<ModelIdx> {
        looked_up(&self.model_by_name, name)
    }

    /// The model behind a pose handle; none for 0, negative handles and handles beyond the list (rules V3, S1).
    #[must_use]
    pub fn model_of_handle(&self, handle: i16) -> Option<&Model> {
        let index = usize::try_from(handle).ok()?.checked_sub(1)?;
        self.models.get(index)
    }

    /// All actor records in scene order.
    #[must_use]
    pub fn actors(&self) -> &[ActorDef] {
        &self.actors
    }

    /// One actor record. Indices come from this value, so they are always in range.
    #[must_use]
    pub fn actor(&self, index: ActorDefIdx) -> &ActorDef {
        &self.actors[index.0 as usize]
    }

    /// The actor record of this name.
    #[must_use]
    pub fn actor_named(&self, name: &str) -> Option<ActorDefIdx> {
        self.actor_by_name.get(&folded(name)).copied()
    }

    /// Whether any actor record has named points.
    #[must_use]
    pub fn has_points(&self) -> bool {
        self.has_points
    }

    /// All flags in id order.
    #[must_use]
    pub fn flags(&self) -> &[FlagDef] {
        &self.flags
    }

    /// What function, property and flag numbers of programs mean (rule Y102).
    #[must_use]
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// What attributes 31 and 32 become at load where they have no value (rule F6).
    #[must_use]
    pub fn jump(&self) -> [u8; 2] {
        self.jump
    }

    /// The id of the flag of this name.
    #[must_use]
    pub fn flag_named(&self, name: &str) -> Option<usize> {
        self.flag_by_name.get(&folded(name)).copied()
    }
}
