//! One actor: pose, playback, motion and weapon state, and what is looked at less often.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ActorKey, Attributes, Display, Membership, Refusal, ScriptState, Tasks};
use crate::{
    defs::{ActorDefIdx, Defs, ItemId, Pose, VertexPair, attr},
    units::{Angle, Matrix, Q8, Vec3},
};

/// One game object.
///
/// Field names are the property names of the engine where it has one. What every update reads for every actor stands
/// here, contiguous in update order; the rest is behind [`Cold`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Actor {
    /// Its own key.
    pub key: ActorKey,
    /// The record it was made from.
    pub def: ActorDefIdx,
    /// Whether it has an animation state (rule F4).
    pub animated: bool,
    /// Whether it is the selected player actor.
    pub player: bool,
    /// Left out of ordinary updates and of presentation (rule U7). No script reaches this.
    pub object_excluded: bool,
    /// Left out of animation and of presentation (rule U7). No script reaches this.
    pub animation_excluded: bool,

    /// Model and frame shown.
    pub pose: Pose,
    /// What the last presentation showed; none while the actor is not presented. The ordinary update that follows a
    /// presentation moves `pose` on.
    pub presented: Option<Pose>,
    /// Position in the current animation group.
    pub playback: Playback,

    /// Position in world space.
    pub pos: Vec3<Q8>,
    /// Position at the start of the last ordinary update.
    pub last_pos: Vec3<Q8>,
    /// Pitch, heading, roll.
    pub angle: Vec3<Angle>,
    /// Angles at the start of the last ordinary update.
    pub last_angle: Vec3<Angle>,
    /// Rotation from model to world. Presentation writes it; a host that does so too sets `placement.moved`.
    pub matrix: Matrix,
    /// World position in whole map units, as of the last presentation (rule A1), written as `matrix` is.
    pub floating: [f32; 3],

    /// The motion state: 20 drawing, 21 sheathing, 10..=19 on an edge, 27..=29 in the air.
    pub extra_flag: u8,
    /// The motion state's companion byte.
    pub extra_time: u8,
    /// Sliding.
    pub slide_flag: u8,
    /// Falling.
    pub fall_flag: u8,
    /// Queued motion.
    pub jump_flag: u8,
    /// Stored surface: 1..=4 water, of which 2 and 4 deep, 5 lava.
    pub under_surface: u8,
    /// Ticks the torch still burns.
    pub torch_timer: u8,
    /// Set while the weapon is in the hand.
    pub weapon_drawn: u8,
    /// The held item that is not a weapon; 0 is none.
    pub hand_item: u8,
    /// The lifecycle selector: 8 dead, 6 combat.
    pub ai_type: u8,
    /// Not presented.
    pub hide: u8,
    /// Killed: left out of ordinary updates.
    pub dead: u8,
    /// The script-control byte: 1 script off, 2 hook off, 4 main only, 8 no ordinary update.
    pub disable_script: u8,
    /// The rope it hangs on; 0 is none.
    pub rope: i32,
    /// Where the tracked point of the item is.
    pub hand_pos: Vec3<Q8>,
    /// Pitch, heading, roll of the item.
    pub hand_angle: Vec3<Angle>,
    /// Vertices that hold the drawn item.
    pub grip: VertexPair,
    /// Vertices that hold the sheathed item.
    pub scabbard: VertexPair,
    /// The 256 attribute bytes.
    pub attributes: Attributes,
    /// The combat record (rule F7).
    pub combat: Option<CombatRecord>,
    /// Where the equipped weapon is in this update (rule W12).
    pub attachment: Option<Attachment>,
    /// The item that the last pass showed (rule W22).
    pub shown_item: Option<ItemId>,
    /// The weapon's ends, retained while nothing is attached (rule E2).
    pub endpoints: Option<Endpoints>,
    /// The last placement, so that one with the same inputs is not computed again.
    #[serde(skip)]
    pub placement: PlacementCache,
    /// The animation commands that were interpreted so far, for whoever asks what a run reached.
    #[serde(skip)]
    pub interpreted: Interpreted,
    /// The task slots.
    pub tasks: Tasks,
    /// Where its program stands; none without a program.
    pub script: Option<Box<ScriptState>>,
    /// What the Display natives showed in this update (rule W19).
    pub displays: Vec<Display>,
    /// Everything else.
    pub cold: Box<Cold>,
}

/// What is not touched by every update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cold {
    /// The name.
    pub name: Arc<str>,
    /// The name that programs know it by (rule Y58).
    pub namespace: Arc<str>,
    /// The runtime identifier (rule X16), seen as a signed word through the property `id`.
    pub id: u16,
    /// Position at load.
    pub start_pos: Vec3<Q8>,
    /// Angles at load.
    pub start_angle: Vec3<Angle>,
    /// Pending action word (rule X24).
    pub action: u32,
    /// Accepted action word.
    pub action_flag: u32,
    /// Timer of the action words.
    pub action_time: u8,
    /// Bits 4 and 5 are the step field (rule X24).
    pub move_counter: u8,
    /// The lifecycle's mode.
    pub ai_mode: u8,
    /// The player's health-candle timer in ticks (rules W10, W13, W14).
    pub candle_timer: u8,
    /// The player's camera slot (rule W14).
    pub camera_slot: u8,
    /// What the Anchor statement set last.
    pub anchor: u8,
    /// The byte that a subroutine returned (rule Y40).
    pub script_rv: u8,
    /// Its saved copy (rules Y38, Y40).
    pub script_ret_rv: u8,
    /// Ticks that were left when the torch was put out (rule X22).
    pub saved_torch: u8,
    /// The entry in a group channel (rule X32).
    pub group_channel: Membership,
    /// The entry in a user channel (rule X32).
    pub user_channel: Membership,
    /// Why the last call on this actor was refused.
    pub refusal: Option<Refusal>,
    /// Bytes of the actor record that no rule names, by property offset; empty until one is written (rule S1).
    pub record: Vec<u8>,
}

/// The animation record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playback {
    /// Current group; −1 none.
    pub current: i16,
    /// Group that waits; −1 none.
    pub pending: i16,
    /// Default group (not a property).
    pub default: i16,
    /// Command cursor.
    pub cursor: i16,
    /// Countdown byte of the pending group.
    pub next_speed: u8,
    /// Countdown reload.
    pub speed: u8,
    /// Countdown.
    pub speed_count: u8,
    /// Wrapping frame progress.
    pub real_frame: u8,
    /// Exit marker.
    pub exit: u8,
    /// Movement suppression.
    pub still: u8,
    /// DelayCounter; 255 waits for ever.
    pub hold: u8,
    /// ConditionalDelay.
    pub cond: u8,
    /// LoopControl.
    pub rep: u8,
    /// 1 plays backward.
    pub reverse: u8,
    /// Finite loop countdown.
    pub loop_count: u8,
    /// Remembered sound slot.
    pub sound: u8,
    /// Retained translation deltas.
    pub delta_pos: Vec3<i16>,
    /// Retained rotation deltas.
    pub delta_angle: Vec3<i16>,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            current: -1,
            pending: -1,
            default: 0,
            cursor: 0,
            next_speed: 0,
            speed: 0,
            speed_count: 0,
            real_frame: 0,
            exit: 0,
            still: 0,
            hold: 0,
            cond: 0,
            rep: 0,
            reverse: 0,
            loop_count: 0,
            sound: 0,
            delta_pos: Vec3::new(0, 0, 0),
            delta_angle: Vec3::new(0, 0, 0),
        }
    }
}

/// What an actor that can fight carries (rule F7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatRecord {
    /// Allocation number; kept when the record is set up anew.
    pub index: u32,
    /// Ticks until the weapon may be put away.
    pub cooldown: i32,
    /// Action selector; −1 none.
    pub action: i32,
    /// Bit 4: weapon out or coming out.
    pub flags: u8,
    /// Default group of the dead.
    pub death_default: i16,
}

/// The combat flag that draw and combat entry set (rules W10, W20).
pub const COMBAT_ARMED: u8 = 4;

impl CombatRecord {
    /// A fresh record (rule F7).
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self { index, cooldown: 0, action: -1, flags: 0, death_default: 0 }
    }
}

/// How the equipped weapon is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Hand model in the grip.
    Hand,
    /// Hilt model at the scabbard.
    Hilt,
    /// Hilt model in the grip.
    HiltGrip,
}

/// Where an item is: position in map units, row-major matrix.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// World position in map units.
    pub position: [f32; 3],
    /// Rotation from item to world.
    pub matrix: Matrix,
}

/// The equipped weapon's place in this update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// How it is shown.
    pub shown: Shown,
    /// The weapon.
    pub item: ItemId,
    /// Its place.
    pub transform: Transform,
}

/// What a placement of the equipped weapon is computed from, beside the actor's matrix and floating position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementInputs {
    /// How it is shown, which selects pair and transform.
    pub shown: Shown,
    /// The weapon.
    pub item: ItemId,
    /// Whether there is a combat record, for the ends.
    pub fights: bool,
    /// Whether vertex queries are switched off.
    pub dummy_manager: bool,
    /// Model and frame.
    pub pose: Pose,
    /// The tracked vertices.
    pub pair: VertexPair,
    /// The actor's roll.
    pub roll: Angle,
}

/// What a placement gave, with its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// What it was computed from.
    pub inputs: PlacementInputs,
    /// Where the item is.
    pub transform: Transform,
    /// The tracked point.
    pub hand_pos: Vec3<Q8>,
    /// The item's angles.
    pub hand_angle: Vec3<Angle>,
    /// Its ends, if the actor fights.
    pub endpoints: Option<Endpoints>,
}

/// The last placement of an actor's weapon. It follows from the rest of the actor, so it is neither compared nor saved.
#[derive(Clone, Debug, Default)]
pub struct PlacementCache {
    /// The last placement, if there was one.
    pub placed: Option<Box<Placed>>,
    /// Whether matrix or floating position changed since.
    pub moved: bool,
}

impl PartialEq for PlacementCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A bit for each opcode. No state of the game: it is neither kept nor compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreted(pub u16);

impl PartialEq for Interpreted {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The two ends of a weapon, in whole map units (rule E1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoints {
    /// Where it is held.
    pub base: Vec3<i32>,
    /// Its point.
    pub tip: Vec3<i32>,
}

impl Attachment {
    /// The name of the model shown: the item's hand or hilt model.
    #[must_use]
    pub fn model<'d>(&self, defs: &'d Defs) -> Option<&'d Arc<str>> {
        let item = defs.item(self.item)?;
        if self.shown == Shown::Hand { item.hand_model.as_ref() } else { item.hilt_model.as_ref() }
    }
}

impl Actor {
    /// One attribute byte.
    #[inline]
    #[must_use]
    pub fn attribute(&self, index: u8) -> u8 {
        self.attributes[index]
    }

    /// Sets the matrix, and notes when that changes what a placement is computed from.
    pub fn set_matrix(&mut self, matrix: Matrix) {
        self.placement.moved |= matrix.0.map(f32::to_bits) != self.matrix.0.map(f32::to_bits);
        self.matrix = matrix;
    }

    /// Makes the matrix anew from the angles (rule M3).
    pub fn orient(&mut self) {
        self.set_matrix(Matrix::of_orientation(self.angle));
    }

    /// Stores the floating position (rule A1).
    pub fn float(&mut self) {
        let floating: [f32; 3] = self.pos.map(|component| component.whole() as f32).into();
        self.placement.moved |= floating.map(f32::to_bits) != self.floating.map(f32::to_bits);
        self.floating = floating;
    }

    /// Whether a pose was ever shown (rule V3).
    #[must_use]
    pub fn has_pose(&self) -> bool {
        self.pose.handle > 0
    }

    /// The weapon attribute's item; none when nothing is assigned (rule W6).
    #[must_use]
    pub fn assigned_weapon(&self) -> Option<ItemId> {
        let weapon = self.attribute(attr::WEAPON);
        (weapon != 0).then(|| ItemId(weapon.into()))
    }

    /// Whether the rules see it as dead (rule W31).
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.ai_type == super::DEAD
    }
}
