//! The drawn and the stowed transform.

use super::query;
use crate::{
    defs::{Defs, VertexPair},
    units::{Angle, Matrix, Q8, Vec3, bearing, distance_flat, quarter_turn, truncate},
    world::{Actor, Endpoints, Transform},
};

/// Where an item goes, and what the actor keeps of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position in map units and matrix, for whoever draws the item.
    pub transform: Transform,
    /// The tracked point in world space.
    pub hand_pos: Vec3<Q8>,
    /// Pitch, heading, roll of the item.
    pub hand_angle: Vec3<Angle>,
}

/// The pair's points in actor-oriented space, and the direction from the second to the first.
struct Tracked {
    p0: Vec3<Q8>,
    p1: Vec3<Q8>,
    matrix: Matrix,
    angle: Vec3<Angle>,
}

/// Rules A2 to A5: vertices plus the local offset, through the actor's matrix; no actor position is added here.
fn track(defs: &Defs, actor: &Actor, pair: VertexPair, offset: Vec3<Q8>, dummy_manager: bool) -> Tracked {
    let point = |vertex| {
        let local = query(defs, actor.pose, vertex, dummy_manager).zip(offset, Q8::plus);
        actor.matrix.transform(local)
    };
    let (p0, p1) = (point(pair.first), point(pair.second));
    let d = p0.zip(p1, Q8::minus);
    let flat = distance_flat(d.x.0, d.z.0);
    let pitch = bearing(flat, d.y.0).minus(quarter_turn());
    let heading = Angle(1024).minus(bearing(d.x.0, d.z.0));
    let roll = actor.angle.z;
    Tracked {
        p0,
        p1,
        matrix: Matrix::IDENTITY.turned(Vec3::new(quarter_turn().minus(pitch), heading.negated(), roll.negated())),
        angle: Vec3::new(pitch.plus(quarter_turn()), heading, roll.masked()),
    }
}

/// `p0 + floating × 256`, truncated without a store to single precision in between.
fn world_point(actor: &Actor, p0: Vec3<Q8>) -> Vec3<Q8> {
    p0.zip(actor.floating.into(), |Q8(p), floating: f32| Q8(truncate(f64::from(p) + f64::from(floating) * 256.0)))
}

/// The drawn transform: the midpoint of the grip pair, plus a local offset in Q8.
///
/// The actor's matrix, pose, floating position and roll are read; world space, Y down.
///
/// # Source
/// Rules A2 to A6; engine/attachment.md, "Attachment Transform".
#[must_use]
pub fn place_drawn(defs: &Defs, actor: &Actor, offset: Vec3<Q8>, dummy_manager: bool) -> Placement {
    let Tracked { p0, p1, matrix, angle } = track(defs, actor, actor.grip, offset, dummy_manager);
    let middle = p0.zip(p1, |a, b| a.plus(Q8(b.minus(a).0 >> 1)).whole());
    let position = middle.zip(actor.floating.into(), |m, floating: f32| (f64::from(m) + f64::from(floating)) as f32);
    Placement {
        transform: Transform { position: position.into(), matrix },
        hand_pos: world_point(actor, p0),
        hand_angle: angle,
    }
}

/// The stowed transform: the first vertex of the scabbard pair, plus a local offset in Q8.
///
/// # Source
/// Rules A2 to A5, A7; engine/attachment.md, "Attachment Transform".
#[must_use]
pub fn place_stowed(defs: &Defs, actor: &Actor, offset: Vec3<Q8>, dummy_manager: bool) -> Placement {
    let Tracked { p0, matrix, angle, .. } = track(defs, actor, actor.scabbard, offset, dummy_manager);
    let hand_pos = world_point(actor, p0);
    Placement {
        transform: Transform { position: hand_pos.map(|n| n.whole() as f32).into(), matrix },
        hand_pos,
        hand_angle: angle,
    }
}

/// The ends of a weapon of `length` map units that lies along the transform's −Y.
///
/// # Source
/// Rule E1; engine/SOUP.md, "Equipped-weapon combat endpoints".
#[must_use]
pub fn endpoints(transform: &Transform, length: i32) -> Endpoints {
    let position = Vec3::from(transform.position).map(f64::from);
    let along = transform.matrix.transform(Vec3::new(Q8(0), Q8(length.wrapping_shl(8).wrapping_neg()), Q8(0)));
    Endpoints { base: position.map(truncate), tip: along.zip(position, |t, at| truncate(f64::from(t.whole()) + at)) }
}
