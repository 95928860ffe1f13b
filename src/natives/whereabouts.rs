//! Where the player is, seen from an actor.
//!
//! # Source
//! Rule X31; engine/SOUP.md, "PlayerDistance and PlayerFacing"; engine/player.md, "Direction recovered from displacement".

use super::{Call, Entry, rotate::apart};
use crate::{
    units::{Angle, Q8, Vec3, distance, heading_of},
    world::{Actor, Gate},
};

fn player<'a>(call: &'a Call<'_>) -> Option<&'a Actor> {
    call.world.player().and_then(|key| call.world.get(key))
}

/// From the receiver to the player, in Q8; without player to the origin of the world.
fn displacement(call: &Call<'_>) -> Vec3<i32> {
    let there = player(call).map_or_else(Vec3::default, |player| player.pos);
    there.zip(call.actor().pos, |to, from| Q8::minus(to, from).0)
}

/// The sum of the coordinates' differences.
fn playerdistance(call: &mut Call<'_>) -> i32 {
    let Vec3 { x, y, z } = displacement(call).map(i32::wrapping_abs);
    x.wrapping_add(y).wrapping_add(z)
}

/// The length of the straight line.
fn acurateplayerdistance(call: &mut Call<'_>) -> i32 {
    let Vec3 { x, y, z } = displacement(call);
    distance(x, y, z)
}

/// Whether the player's heading is the receiver's plus an offset, within a tolerance. Returns 1 or 0.
fn playerfacing(call: &mut Call<'_>) -> i32 {
    let wanted = call.actor().angle.y.0.wrapping_add(call.int(0));
    heads(call, wanted, call.int(1))
}

/// Whether the player looks towards the receiver, within a tolerance. Returns 1 or 0.
fn playerlooking(call: &mut Call<'_>) -> i32 {
    let Vec3 { x, z, .. } = displacement(call);
    let Angle(away) = heading_of(x, z);
    heads(call, away.wrapping_add(1024), call.int(0))
}

fn heads(call: &mut Call<'_>, wanted: i32, tolerance: i32) -> i32 {
    let Some(player) = player(call) else {
        call.refuse(Gate::NoPlayer {});
        return 0;
    };
    (apart(wanted, player.angle.y.0) <= tolerance).into()
}

pub(super) const NATIVES: &[Entry] = &[
    ("PlayerDistance", playerdistance),
    ("AcuratePlayerDistance", acurateplayerdistance),
    ("PlayerFacing", playerfacing),
    ("PlayerLooking", playerlooking),
];
