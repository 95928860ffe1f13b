//! A point's frame in the engine: model space turned into engine space, then through the actor.

use std::sync::Arc;

use super::evaluate;
use crate::{
    attach::Seen,
    defs::{BoundPoint, Defs, Points, Pose, did_you_mean},
    units::{Matrix, Q8, Vec3, round_even},
    world::{Actor, Transform},
};

/// A point in the actor's own space: engine axes, X right, Y down, Z forward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalPoint {
    /// Its origin.
    pub position: Vec3<Q8>,
    /// From the axes of what is put there to the actor's, row-major.
    pub matrix: [f64; 9],
}

/// The components of model space that the engine's X, Y and Z are: `(−y, −z, x)`.
const AXES: [(f64, usize); 3] = [(-1.0, 1), (-1.0, 2), (1.0, 0)];

/// Where a point is on a model in a pose; none when the frame is outside the model.
///
/// Model space has X forward, Y left, Z up; `(x, y, z)` is the engine's `(−y, −z, x)`, times the length of a unit of
/// the model file in map units, to the nearest Q8. What is put at a point that is not turned stands as the model does,
/// so the blade of a weapon, which lies along −Y, lies along Z of the point.
///
/// # Source
/// Rule L15.
#[must_use]
pub fn local_point(defs: &Defs, pose: Pose, point: &BoundPoint) -> Option<LocalPoint> {
    let rig = defs.rig_of_handle(pose.handle).map(|(_, rig)| rig);
    let joints = rig.and_then(|rig| rig.frame(pose.frame)).unwrap_or_default();
    let frame = evaluate(point, joints)?;
    let scale = rig.map_or(1.0, crate::defs::Rig::scale);
    let position = AXES.map(|(sign, axis)| Q8(round_even(sign * frame.position[axis] * scale * 256.0)));
    let turn = frame.rotation.matrix();
    let mut matrix = [0.0; 9];
    for (row, (row_sign, from_row)) in AXES.into_iter().enumerate() {
        for (column, (column_sign, from_column)) in AXES.into_iter().enumerate() {
            matrix[3 * row + column] = row_sign * column_sign * turn[3 * from_row + from_column];
        }
    }
    Some(LocalPoint { position: position.into(), matrix })
}

/// The rotation from item to world: the actor's matrix times the point's, in double precision, stored in single.
#[must_use]
pub fn item_matrix(actor: &Matrix, point: &LocalPoint) -> Matrix {
    let (a, b) = (actor.0.map(f64::from), &point.matrix);
    let mut product = [0.0; 9];
    for row in 0..3 {
        for column in 0..3 {
            let sum = a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column];
            // No −0: it would be told from 0 in traces.
            product[3 * row + column] = (sum + 0.0) as f32;
        }
    }
    Matrix(product)
}

/// The point in the world: position in map units with fraction, rotation from item to world.
fn world_point(seen: &Seen, point: &LocalPoint) -> Transform {
    let turned = seen.matrix.transform(point.position);
    let position =
        turned.zip(seen.floating.into(), |q8, floating: f32| (f64::from(q8.0) / 256.0 + f64::from(floating)) as f32);
    Transform { position: position.into(), matrix: item_matrix(&seen.matrix, point) }
}

/// Why an actor has no point of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// Neither attachment nor joint has the name.
    #[error("{actor} has no attachment and no joint \"{name}\" on the model {model}{hint}")]
    Unknown {
        /// The actor's name.
        actor: String,
        /// The name asked for.
        name: String,
        /// The model's name.
        model: String,
        /// A close name, as the end of a sentence.
        hint: String,
    },
    /// The attachment is there, but the model has none of its joints.
    #[error("the attachment \"{name}\" of {actor} is on no joint of the model {model}: it has no {joints}")]
    Unresolved {
        /// The actor's name.
        actor: String,
        /// The attachment's name.
        name: String,
        /// The model's name.
        model: String,
        /// The joints that it names.
        joints: String,
    },
    /// No frame of a model is shown.
    #[error(
        "{actor} shows no frame of a model, so its attachment \"{name}\" is nowhere: a ShowFrame in a group gives it one"
    )]
    Unposed {
        /// The actor's name.
        actor: String,
        /// The attachment's name.
        name: String,
    },
    /// The model has no such frame.
    #[error("the attachment \"{name}\" of {actor} is nowhere: the model {model} has no frame {frame}")]
    NoFrame {
        /// The actor's name.
        actor: String,
        /// The attachment's name.
        name: String,
        /// The model's name.
        model: String,
        /// The frame.
        frame: i16,
    },
}

/// The named point of an actor, in the world: the attachment of this name, else the joint.
///
/// # Errors
/// [`PointError`].
///
/// # Source
/// Rules L10, L12, L15.
pub fn point_named(defs: &Defs, actor: &Actor, seen: &Seen, name: &str) -> Result<Transform, PointError> {
    let points = defs.actor(actor.def).points.as_deref();
    let rig = defs.rig_of_handle(seen.pose.handle);
    let joint;
    let bound = match points.and_then(|points| Some((points, points.index(name)?))) {
        Some((points, index)) => {
            let bound = points.on(rig.map(|(model, _)| model)).attachments.get(index).and_then(Option::as_ref);
            bound.ok_or_else(|| unresolved(defs, actor, seen, points, index))?
        }
        None => {
            let found = rig.and_then(|(_, rig)| Some((rig, rig.joint_named(name)?)));
            let (rig, index) = found.ok_or_else(|| unknown(defs, actor, seen, name))?;
            joint = BoundPoint::of_joint(rig.joints()[index as usize].name.clone(), index);
            &joint
        }
    };
    let local = local_point(defs, seen.pose, bound).ok_or_else(|| PointError::NoFrame {
        actor: actor.cold.name.to_string(),
        name: bound.name.to_string(),
        model: model_name(defs, seen),
        frame: seen.pose.frame,
    })?;
    Ok(world_point(seen, &local))
}

/// The attachments of an actor that have a place on its model, in list order.
pub fn points_of<'a>(
    defs: &'a Defs,
    actor: &Actor,
    seen: &Seen,
) -> impl Iterator<Item = (&'a Arc<str>, Transform)> + use<'a> {
    let seen = *seen;
    let model = defs.rig_of_handle(seen.pose.handle).map(|(model, _)| model);
    let points = defs.actor(actor.def).points.as_deref().map(|points| points.on(model));
    let bound = points.into_iter().flat_map(|points| &points.attachments).flatten();
    bound.filter_map(move |bound| Some((&bound.name, world_point(&seen, &local_point(defs, seen.pose, bound)?))))
}

/// The names that [`point_named`] knows on an actor: attachments in list order.
pub fn point_names<'d>(defs: &'d Defs, actor: &Actor) -> impl Iterator<Item = &'d str> + use<'d> {
    let points = defs.actor(actor.def).points.as_deref();
    points.into_iter().flat_map(|points| &points.list.attachments).map(|attachment| attachment.name.as_str())
}

fn model_name(defs: &Defs, seen: &Seen) -> String {
    defs.model_of_handle(seen.pose.handle).map_or_else(|| "none".to_owned(), |model| model.name.to_string())
}

fn unknown(defs: &Defs, actor: &Actor, seen: &Seen, name: &str) -> PointError {
    let rig = defs.rig_of_handle(seen.pose.handle);
    let joints = rig.into_iter().flat_map(|(_, rig)| rig.joints()).map(|joint| &*joint.name).take(1000);
    let known = point_names(defs, actor).take(1000).chain(joints);
    PointError::Unknown {
        actor: actor.cold.name.to_string(),
        hint: did_you_mean(name, known),
        name: name.to_owned(),
        model: model_name(defs, seen),
    }
}

fn unresolved(defs: &Defs, actor: &Actor, seen: &Seen, points: &Points, index: usize) -> PointError {
    let attachment = &points.list.attachments[index];
    let joints: Vec<_> = attachment.influences.iter().map(|influence| influence.joint.as_str()).collect();
    let joints = if joints.is_empty() { "influence".to_owned() } else { joints.join(", ") };
    let (actor, name) = (actor.cold.name.to_string(), attachment.name.clone());
    if defs.model_of_handle(seen.pose.handle).is_none() {
        return PointError::Unposed { actor, name };
    }
    PointError::Unresolved { actor, name, model: model_name(defs, seen), joints }
}
