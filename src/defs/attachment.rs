//! Attachment lists: named points on the joints of a model.

use serde::{Deserialize, Serialize};

/// A rotation in degrees: pitch about Y, yaw about Z, roll about X, in a space with X forward, Y left and Z up.
///
/// # Source
/// Rule L7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Angles {
    /// About Y; positive is nose down.
    pub pitch: f64,
    /// About Z.
    pub yaw: f64,
    /// About X.
    pub roll: f64,
}

/// What an attachment hangs on: a joint or the model's root, with an offset and a rotation in that frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Influence {
    /// The joint's name; what it holds while `root` is set means nothing.
    pub joint: String,
    /// Offset in the joint's frame, in model units.
    pub translation: [f64; 3],
    /// Rotation in the joint's frame.
    pub rotation: Angles,
    /// Its part among several influences.
    pub weight: f64,
    /// Hangs on the model's root instead of a joint.
    pub root: bool,
}

impl Influence {
    /// An influence without offset and with weight 1: of the joint, or of the root when the name is empty.
    #[must_use]
    pub fn new(joint: impl Into<String>) -> Self {
        let joint = joint.into();
        let root = joint.is_empty();
        Self { joint, translation: [0.0; 3], rotation: Angles::default(), weight: 1.0, root }
    }

    /// Whether every number and text is the same to the bit: unlike `==`, this tells −0 from 0.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let bits = |influence: &Self| {
            let Angles { pitch, yaw, roll } = influence.rotation;
            let [x, y, z] = influence.translation;
            [x, y, z, pitch, yaw, roll, influence.weight].map(f64::to_bits)
        };
        self.joint == other.joint && self.root == other.root && bits(self) == bits(other)
    }
}

/// A named point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// The name, as spelt. Names compare without ASCII case.
    pub name: String,
    /// What it hangs on; one or more, in file order.
    pub influences: Vec<Influence>,
    /// The point keeps the orientation of the model.
    pub ignore_rotation: bool,
}

/// Named points, in file order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttachmentList {
    /// The list's own name, which is empty as a rule.
    pub name: String,
    /// The attachments. No two names are equal without ASCII case.
    pub attachments: Vec<Attachment>,
}

impl AttachmentList {
    /// The attachment of this name (rule L10).
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Attachment> {
        self.attachments.iter().find(|attachment| attachment.name.eq_ignore_ascii_case(name))
    }
}

/// Where a model finds a list.
#[derive(Clone, Debug, PartialEq)]
pub enum ListReference {
    /// In the same file.
    Internal(AttachmentList),
    /// In another file.
    External {
        /// Relative to the game's content root, with `/` between the folders.
        path: String,
    },
    /// Nowhere: neither list nor file is given.
    Empty,
}
