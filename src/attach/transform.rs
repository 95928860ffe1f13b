//! The drawn and the stowed transform.

use super::{
    list::{item_matrix, local_point},
    query,
};
use crate::{
    defs::{BoundPoint, Defs, ModelPoints, Points, VertexPair},
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

/// What holds an item.
#[derive(Clone, Copy)]
enum Holder<'d> {
    Vertices(VertexPair),
    Point(&'d BoundPoint),
}

/// The named point if the record names one, else the vertices; none when the point is nowhere on the model shown.
fn holder<'d>(
    defs: &'d Defs,
    actor: &Actor,
    pair: VertexPair,
    name: impl Fn(&Points) -> Option<&String>,
    bound: impl Fn(&ModelPoints) -> Option<&BoundPoint>,
) -> Option<Holder<'d>> {
    let points = defs.actor(actor.def).points.as_deref();
    let Some(points) = points.filter(|points| name(points).is_some()) else { return Some(Holder::Vertices(pair)) };
    let model = defs.rig_of_handle(actor.pose.handle).map(|(model, _)| model);
    bound(points.on(model)).map(Holder::Point)
}

fn grip<'d>(defs: &'d Defs, actor: &Actor) -> Option<Holder<'d>> {
    holder(defs, actor, actor.grip, |points| points.grip.as_ref(), |bound| bound.grip.as_ref())
}

fn scabbard<'d>(defs: &'d Defs, actor: &Actor) -> Option<Holder<'d>> {
    holder(defs, actor, actor.scabbard, |points| points.scabbard.as_ref(), |bound| bound.scabbard.as_ref())
}

fn track(defs: &Defs, actor: &Actor, holder: Holder<'_>, offset: Vec3<Q8>, dummy_manager: bool) -> Option<Tracked> {
    match holder {
        Holder::Vertices(pair) => Some(track_vertices(defs, actor, pair, offset, dummy_manager)),
        Holder::Point(point) => track_point(defs, actor, point, offset),
    }
}

/// A named point has both vertices in one place, and the item lies along its −Y as it does along theirs.
///
/// # Source
/// Rule L16.
fn track_point(defs: &Defs, actor: &Actor, point: &BoundPoint, offset: Vec3<Q8>) -> Option<Tracked> {
    let local = local_point(defs, actor.pose, point)?;
    let p0 = actor.matrix.transform(local.position.zip(offset, Q8::plus));
    let matrix = item_matrix(&actor.matrix, &local);
    let [_, x, _, _, y, _, _, z, _] = matrix.0.map(|component| truncate(-f64::from(component) * LONG));
    Some(Tracked { p0, p1: p0, matrix, angle: item_angle(Vec3::new(x, y, z), actor).1 })
}

/// Long enough for a direction in whole numbers to tell every step of an angle.
const LONG: f64 = 65536.0;

/// Pitch and heading of a direction, and the angles of an item that lies along it.
fn item_angle(d: Vec3<i32>, actor: &Actor) -> ((Angle, Angle), Vec3<Angle>) {
    let flat = distance_flat(d.x, d.z);
    let pitch = bearing(flat, d.y).minus(quarter_turn());
    let heading = Angle(1024).minus(bearing(d.x, d.z));
    ((pitch, heading), Vec3::new(pitch.plus(quarter_turn()), heading, actor.angle.z.masked()))
}

/// Rules A2 to A5: vertices plus the local offset, through the actor's matrix; no actor position is added here.
fn track_vertices(defs: &Defs, actor: &Actor, pair: VertexPair, offset: Vec3<Q8>, dummy_manager: bool) -> Tracked {
    let point = |vertex| {
        let local = query(defs, actor.pose, vertex, dummy_manager).zip(offset, Q8::plus);
        actor.matrix.transform(local)
    };
    let (p0, p1) = (point(pair.first), point(pair.second));
    let ((pitch, heading), angle) = item_angle(p0.zip(p1, |a, b| a.minus(b).0), actor);
    let roll = actor.angle.z;
    Tracked {
        p0,
        p1,
        matrix: Matrix::IDENTITY.turned(Vec3::new(quarter_turn().minus(pitch), heading.negated(), roll.negated())),
        angle,
    }
}

/// `p0 + floating × 256`, truncated without a store to single precision in between.
fn world_point(actor: &Actor, p0: Vec3<Q8>) -> Vec3<Q8> {
    p0.zip(actor.floating.into(), |Q8(p), floating: f32| Q8(truncate(f64::from(p) + f64::from(floating) * 256.0)))
}

/// The drawn transform: the midpoint of the grip pair, or the named grip, plus a local offset in Q8.
///
/// The actor's matrix, pose, floating position and roll are read; world space, Y down. None when a named grip is
/// nowhere on the model shown.
///
/// # Source
/// Rules A2 to A6, L16; engine/attachment.md, "Attachment Transform".
#[must_use]
pub fn place_drawn(defs: &Defs, actor: &Actor, offset: Vec3<Q8>, dummy_manager: bool) -> Option<Placement> {
    let Tracked { p0, p1, matrix, angle } = track(defs, actor, grip(defs, actor)?, offset, dummy_manager)?;
    let middle = p0.zip(p1, |a, b| a.plus(Q8(b.minus(a).0 >> 1)).whole());
    let position = middle.zip(actor.floating.into(), |m, floating: f32| (f64::from(m) + f64::from(floating)) as f32);
    Some(Placement {
        transform: Transform { position: position.into(), matrix },
        hand_pos: world_point(actor, p0),
        hand_angle: angle,
    })
}

/// The stowed transform: the first vertex of the scabbard pair, or the named scabbard, plus a local offset in Q8; none
/// as for [`place_drawn`].
///
/// # Source
/// Rules A2 to A5, A7, L16; engine/attachment.md, "Attachment Transform".
#[must_use]
pub fn place_stowed(defs: &Defs, actor: &Actor, offset: Vec3<Q8>, dummy_manager: bool) -> Option<Placement> {
    let Tracked { p0, matrix, angle, .. } = track(defs, actor, scabbard(defs, actor)?, offset, dummy_manager)?;
    let hand_pos = world_point(actor, p0);
    Some(Placement {
        transform: Transform { position: hand_pos.map(|n| n.whole() as f32).into(), matrix },
        hand_pos,
        hand_angle: angle,
    })
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
