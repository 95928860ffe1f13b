//! Attachments bound to the joints of models, once for all frames.

use std::{collections::BTreeMap, sync::Arc};

use super::{Attachment, AttachmentList, Influence, ModelIdx, Rig, folded};
use crate::units::Quat;

/// An influence whose joint was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundInfluence {
    /// The joint; none for the root.
    pub joint: Option<u32>,
    /// Offset in the joint's frame.
    pub offset: [f64; 3],
    /// Rotation in the joint's frame, of length 1.
    pub rotation: Quat,
    /// Its part; all parts of a point together are 1.
    pub weight: f64,
}

/// A named point whose influences are bound.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundPoint {
    /// The attachment's name.
    pub name: Arc<str>,
    /// At least one; those whose joint is missing are left out.
    pub influences: Vec<BoundInfluence>,
    /// Whether the orientation is the model's.
    pub ignore_rotation: bool,
}

impl BoundPoint {
    /// The point that a joint itself is.
    #[must_use]
    pub fn of_joint(name: Arc<str>, joint: u32) -> Self {
        let influence = BoundInfluence { joint: Some(joint), offset: [0.0; 3], rotation: Quat::IDENTITY, weight: 1.0 };
        Self { name, influences: vec![influence], ignore_rotation: false }
    }

    /// Finds the joints of an attachment; none when no influence has one.
    ///
    /// A single influence counts whole, whatever its weight; several count in proportion, equally when all weights
    /// are 0.
    ///
    /// # Source
    /// Rules L7, L11, L12.
    #[must_use]
    pub fn bind(attachment: &Attachment, rig: Option<&Rig>) -> Option<Self> {
        let found = |influence: &Influence| {
            let joint = if influence.root { None } else { Some(rig?.joint_named(&influence.joint)?) };
            let super::Angles { pitch, yaw, roll } = influence.rotation;
            let rotation = Quat::of_angles(pitch, yaw, roll);
            Some(BoundInfluence { joint, offset: influence.translation, rotation, weight: influence.weight })
        };
        let mut influences: Vec<_> = attachment.influences.iter().filter_map(found).collect();
        let sum: f64 = influences.iter().map(|influence| influence.weight).sum();
        let equal = 1.0 / influences.len() as f64;
        let usable = influences.len() > 1 && sum > 0.0 && sum.is_finite();
        for influence in &mut influences {
            influence.weight = if usable { influence.weight / sum } else { equal };
        }
        let name = attachment.name.as_str().into();
        (!influences.is_empty()).then_some(Self { name, influences, ignore_rotation: attachment.ignore_rotation })
    }
}

/// The points of an actor on one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPoints {
    /// One for each attachment of the list, in its order; none where no joint was found.
    pub attachments: Vec<Option<BoundPoint>>,
    /// Where the drawn item is held.
    pub grip: Option<BoundPoint>,
    /// Where the sheathed item is held.
    pub scabbard: Option<BoundPoint>,
}

/// The named points of an actor record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The attachments.
    pub list: AttachmentList,
    /// The name of the point that holds the drawn item.
    pub grip: Option<String>,
    /// The name of the point that holds the sheathed item.
    pub scabbard: Option<String>,
    by_name: BTreeMap<String, usize>,
    /// By model with frames of its own.
    by_model: BTreeMap<ModelIdx, ModelPoints>,
    /// On models without joints.
    jointless: ModelPoints,
}

impl Points {
    /// Binds a list to every model of an actor.
    #[must_use]
    pub fn new<'r>(
        list: AttachmentList,
        grip: Option<String>,
        scabbard: Option<String>,
        rigs: impl IntoIterator<Item = (ModelIdx, &'r Rig)>,
    ) -> Self {
        let mut points = Self { grip, scabbard, ..Self::default() };
        for (index, attachment) in list.attachments.iter().enumerate() {
            points.by_name.entry(folded(&attachment.name)).or_insert(index);
        }
        points.list = list;
        points.jointless = points.bind(None);
        points.by_model = rigs.into_iter().map(|(model, rig)| (model, points.bind(Some(rig)))).collect();
        points
    }

    fn bind(&self, rig: Option<&Rig>) -> ModelPoints {
        let attachments = self.list.attachments.iter().map(|attachment| BoundPoint::bind(attachment, rig)).collect();
        let mut bound = ModelPoints { attachments, grip: None, scabbard: None };
        let named = |name: &Option<String>| self.find(&bound, rig, name.as_deref()?);
        (bound.grip, bound.scabbard) = (named(&self.grip), named(&self.scabbard));
        bound
    }

    /// The attachment of a name, else the joint of that name (rule L10).
    fn find(&self, bound: &ModelPoints, rig: Option<&Rig>, name: &str) -> Option<BoundPoint> {
        if let Some(index) = self.index(name) {
            return bound.attachments.get(index)?.clone();
        }
        let rig = rig?;
        let joint = rig.joint_named(name)?;
        Some(BoundPoint::of_joint(rig.joints()[joint as usize].name.clone(), joint))
    }

    /// The number of the attachment of this name.
    #[must_use]
    pub fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(&folded(name)).copied()
    }

    /// The points on a model, or those of the root alone when it has no joints.
    #[must_use]
    pub fn on(&self, model: Option<ModelIdx>) -> &ModelPoints {
        model.and_then(|model| self.by_model.get(&model)).unwrap_or(&self.jointless)
    }
}
