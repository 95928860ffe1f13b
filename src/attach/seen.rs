//! What a presentation shows of an actor: pose, rotation, place.

use crate::{
    defs::{Pose, attr},
    units::Matrix,
    world::{Actor, World},
};

/// What an actor's presentation shows, or would show if it came now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Model and frame.
    pub pose: Pose,
    /// Rotation from model to world.
    pub matrix: Matrix,
    /// World position in whole map units.
    pub floating: [f32; 3],
}

/// What the presentation of this update showed of an actor; before it, and for an actor that is not presented, what it
/// would show of the actor as it is.
///
/// # Source
/// Rule L16.
#[must_use]
pub fn seen(world: &World, actor: &Actor) -> Seen {
    match actor.presented {
        Some(pose) if !world.before_presentation => Seen { pose, matrix: actor.matrix, floating: actor.floating },
        _ => Seen {
            pose: actor.pose,
            matrix: refreshed_matrix(actor).unwrap_or(actor.matrix),
            floating: actor.pos.map(|component| component.whole() as f32).into(),
        },
    }
}

/// The incremental refresh of an unattached actor's matrix; none when it stays.
///
/// # Source
/// Rule M4; engine/player.md, "Incremental orientation refresh".
#[must_use]
pub fn refreshed_matrix(actor: &Actor) -> Option<Matrix> {
    match actor.attribute(attr::ROTATION) {
        _ if actor.player && actor.angle.z.0 != 0 => Some(Matrix::of_orientation(actor.angle)),
        0 if actor.angle != actor.last_angle => {
            let turn = actor.angle.zip(actor.last_angle, |now, last| now.minus(last).negated());
            Some(actor.matrix.turned(turn))
        }
        2 => Some(Matrix::of_orientation(actor.angle)),
        _ => None,
    }
}
