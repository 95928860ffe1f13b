//! What happened: events for hosts and traces, and why a call was refused.

use std::{borrow::Cow, fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{ActorKey, Transform};
use crate::defs::NativeId;

/// Something that happened to an actor in an update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The actor, which may be gone by the time the event is read.
    pub actor: ActorKey,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A PlaySound command (rule P14): effect number, rate offset in 64 Hz.
    Sound {
        /// Effect.
        effect: i32,
        /// Rate offset.
        rate: i32,
    },
    /// The remembered sound of an ended group is to stop (rule P9).
    SoundStopped {
        /// The remembered slot.
        slot: u8,
    },
    /// All sounds of a killed actor are to stop (rule X14).
    SoundsStopped,
    /// A Rumble command (rule P15).
    ActorEvent {
        /// Effect bits.
        mask: i32,
    },
    /// The weapon came into the hand.
    Drawn,
    /// The weapon left the hand.
    Sheathed,
    /// HandItem was accepted.
    ItemHeld {
        /// The item.
        item: u8,
    },
    /// A call was refused.
    Refused(Refusal),
    /// Another group is current.
    GroupChanged {
        /// Before; −1 none.
        from: i16,
        /// Now; −1 none.
        to: i16,
    },
    /// The actor came into the world.
    Spawned,
    /// The actor left the world.
    Removed {
        /// Its name.
        name: Arc<str>,
    },
    /// Something comes out of a named point; what that looks like is the host's concern.
    Emitted {
        /// The attachment or joint, as the script spelt it.
        point: String,
        /// What comes out.
        effect: String,
        /// Where the point is in this update; none when the model shown has no such point.
        place: Option<Transform>,
    },
    /// Its script came to its end.
    ScriptEnded,
    /// Its script failed.
    ScriptFailed {
        /// The error.
        message: String,
    },
}

/// Why a call was refused: the function and the gate that closed, with the values that decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The function called.
    pub native: NativeId,
    /// Its name as scripts write it.
    pub function: Cow<'static, str>,
    /// The gate.
    #[serde(flatten)]
    pub gate: Gate,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} refused: {}", self.function, self.gate)
    }
}

macro_rules! gates {
    ($( $(#[$doc:meta])* $name:ident { $($value:ident),* } = $text:literal, )*) => {
        /// A condition that can close a call, with the values that decided. Each native names its gates in order.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "gate", rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Gate {
            $( $(#[$doc])* $name { $(
                #[doc = concat!("The value of `", stringify!($value), "`.")]
                $value: i32
            ),* }, )*
        }

        impl Gate {
            /// Every gate's name.
            pub const NAMES: &[&str] = &[$( stringify!($name), )*];

            /// The gate's name.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$name { .. } => stringify!($name), )*
                }
            }
        }

        impl fmt::Display for Gate {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $( Self::$name { $($value),* } => {
                        f.write_str($text)?;
                        let values: &[(&str, &i32)] = &[$((stringify!($value), $value)),*];
                        for (i, (name, value)) in values.iter().enumerate() {
                            write!(f, "{}{name} = {value}", if i == 0 { " (" } else { ", " })?;
                        }
                        if values.is_empty() { Ok(()) } else { f.write_str(")") }
                    } )*
                }
            }
        }
    };
}

gates! {
    /// The scene has no open item system.
    ItemSystemClosed {} = "the item system is closed",
    /// The actor has no frame table.
    NoAnimationState {} = "the actor has no animation state",
    /// The call came from a shell script.
    ShellContext {} = "not allowed in shell context",
    /// The actor hangs on a rope.
    OnRope { rope } = "the actor hangs on a rope",
    /// A motion state forbids it.
    MotionState { extra_flag } = "the motion state forbids it",
    /// IsDrawingSword holds (rule W1).
    DrawingSword { extra_flag, current } = "the sword is being drawn",
    /// IsSheathingSword holds (rule W2).
    SheathingSword { extra_flag, current } = "the sword is being put away",
    /// IsHoldingWeapon holds (rule W5).
    HoldingWeapon { weapon_drawn, attribute_110 } = "a weapon is already in the hand",
    /// IsHoldingWeapon does not hold (rule W5).
    NotHoldingWeapon { weapon_drawn, attribute_23 } = "no weapon is in the hand",
    /// Falling.
    Falling { fall_flag } = "the actor is falling",
    /// A motion is queued.
    QueuedMotion { jump_flag } = "a motion is queued",
    /// The player's type forbids it.
    PlayerType { attribute_105 } = "the player's type forbids it",
    /// The hand is taken.
    HandOccupied { hand_item } = "the hand holds another item",
    /// No weapon is assigned.
    NoWeapon { attribute_23 } = "no weapon is assigned",
    /// On an edge (rule W7).
    OnEdge { extra_flag } = "the actor is on an edge",
    /// In deep water (rule W7).
    DeepWater { under_surface } = "the actor is in deep water",
    /// In the air (rule W7).
    InAir { fall_flag, slide_flag, jump_flag, extra_flag } = "the actor is in the air",
    /// No combat record (rule F7).
    NoCombatRecord { attribute_14 } = "the actor has no combat record",
    /// The cooldown has not run out.
    Cooldown { cooldown } = "the combat cooldown has not run out",
    /// No item has this id.
    UnknownItem { item } = "no item has this id",
    /// The item is not of type weapon (rule W17).
    NotAWeapon { item } = "the item is not a weapon",
    /// The item has no model for this display.
    NoModelName { item } = "the item has no model to show",
    /// No model has this name or index.
    UnknownModel { index } = "no such model",
    /// The item is not owned.
    NotOwned { item } = "the item is not owned",
    /// Nothing more can be added.
    AtLimit { item, owned, count } = "no more of the item can be added",
    /// A requirement is not met.
    RequirementMissing { item, required } = "a required item is missing",
    /// Item lists run in a circle; the entry was skipped (rules X4, X5).
    ListCycle { item } = "the item lists run in a circle",
    /// Nothing to drop.
    NothingToDrop { item, count } = "the count is not positive",
    /// The player is locked out.
    LockedOut { lockout } = "the player is locked out",
    /// The use latch is set.
    UseLatch {} = "an item was already used in this update",
    /// The receiver is not the player.
    NotThePlayer {} = "the receiver is not the player",
    /// The scene has no player.
    NoPlayer {} = "there is no player",
    /// A torch is being lit or put out.
    TorchTransition { extra_flag, current } = "a torch is being lit or put out",
    /// The actor does not have the group.
    NoGroup { group } = "the actor does not have the animation group",
    /// In water (rule X21).
    InWater { under_surface } = "the actor is in water",
    /// A torch burns already.
    TorchBurns { torch_timer } = "the torch burns",
    /// A division by zero, or one whose quotient is out of range (rule X25).
    NoQuotient { dividend, divisor } = "the duration divides by zero or beyond 32 bits; the task is done",
    /// Excluded from object updates.
    ObjectExcluded {} = "the actor is excluded from object updates",
    /// All six task slots are occupied (rule K2).
    SlotsFull {} = "all six task slots are occupied; the call ran once",
    /// No flag has this id.
    UnknownFlag { flag } = "no flag has this id",
    /// The flag's latch is set.
    FlagLatched { flag } = "the flag is latched",
    /// The counter is at zero.
    CounterAtZero { flag } = "the counter is at zero",
    /// SetAction takes masks 1 and 2.
    ActionMask { mask } = "the mask is neither 1 nor 2",
    /// The action is already in a word.
    ActionTaken { mask, action, action_flag } = "the action is already pending or accepted",
    /// A jump group is current or a motion is under way: the low bits were cleared.
    ActionCleared { current, jump_flag, fall_flag } = "a jump or fall is under way; the action words were cleared",
    /// The script jump is not part of this runtime.
    ScriptJump { current, exit } = "the call would start a script jump, which this runtime does not perform",
    /// The attribute index is outside 0..=255.
    AttributeIndex { index } = "there is no such attribute",
    /// The actor is neither killed nor dead.
    NotDead { dead, ai_type } = "the actor is neither killed nor dead",
    /// The native is left to the host.
    Delegated {} = "this runtime has no handler for the function; the host was asked",
}
