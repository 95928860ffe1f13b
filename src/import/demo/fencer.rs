//! The demo's only body: a stylised fencer, 64 units tall.
//!
//! Arms and legs are solved from their ends, because a hand that draws a sword has to meet the hilt exactly.

use super::geometry::{Limb, Mesh, Point, Ring, add, cross, mix, reach, scale, subtract, turned, unit};
use super::poses::{Pose, poses};

/// The body's vertices come first, so that the markers are the last four.
pub(super) const GRIP: [usize; 2] = [100, 101];
pub(super) const SCABBARD: [usize; 2] = [102, 103];

const PELVIS: Point = [0.0, -34.0, 0.0];
const WAIST: Point = [0.0, -4.0, 0.0];
const NECK: Point = [0.0, -16.0, 0.5];
const UPPER_ARM: f64 = 11.5;
const FOREARM: f64 = 10.0;
const FIST: f64 = 2.2;
const LEG: [f64; 2] = [14.9, 14.7];
/// Half the distance between the two markers of a pair.
const HALF_GRIP: f64 = 2.0;
/// The middle of the sheathed handle, from the pelvis.
const HILT: Point = [-6.8, -2.0, 4.0];
/// The way the sheathed blade points: down and backward, a little away from the leg.
const SHEATHED: Point = [-0.12, 0.62, -0.78];

/// The faces are those of every frame; each frame is the body's vertices and then the markers.
pub(super) fn fencer() -> (Vec<Vec<Point>>, Vec<[usize; 3]>) {
    let meshes: Vec<Mesh> = poses().iter().map(body).collect();
    let faces = meshes[0].faces.clone();
    (meshes.into_iter().map(|mesh| mesh.vertices).collect(), faces)
}

/// The trunk of one pose: from the pelvis' or the chest's own space to the actor's.
struct Trunk<'a> {
    pose: &'a Pose,
    pelvis: Point,
}

impl Trunk<'_> {
    fn hip_direction(&self, direction: Point) -> Point {
        turned(direction, self.pose.hips)
    }

    fn hip_point(&self, point: Point) -> Point {
        add(self.pelvis, self.hip_direction(point))
    }

    fn chest_direction(&self, direction: Point) -> Point {
        self.hip_direction(turned(direction, self.pose.chest))
    }

    fn chest_point(&self, point: Point) -> Point {
        add(self.hip_point(WAIST), self.chest_direction(point))
    }
}

fn body(pose: &Pose) -> Mesh {
    let trunk = Trunk { pose, pelvis: add(PELVIS, pose.pelvis) };
    let hilt = trunk.hip_point(HILT);
    let sheathed = unit(trunk.hip_direction(SHEATHED));
    let drawn_hilt = subtract(hilt, scale(sheathed, pose.pulled));
    let right_hand = mix(pose.right_hand, drawn_hilt, pose.on_hilt);
    let mut mesh = Mesh::default();
    torso(&mut mesh, &trunk);
    head(&mut mesh, &trunk);
    let right_fist = arm(&mut mesh, &trunk, 1.0, right_hand);
    arm(&mut mesh, &trunk, -1.0, pose.left_hand);
    leg(&mut mesh, &trunk, 1.0, pose.right_foot, pose.right_sole);
    leg(&mut mesh, &trunk, -1.0, pose.left_foot, pose.left_sole);
    let blade = unit(mix(unit(pose.blade), sheathed, pose.on_hilt));
    let grip = if pose.grip_stays > 0.5 { (hilt, sheathed) } else { (right_fist, blade) };
    markers(&mut mesh, grip, (hilt, sheathed));
    grounded(&mut mesh, pose.fall);
    mesh
}

/// Rules A3 to A5 and E1 turn the weapon so that its own -Y runs from the second vertex of a pair to the
/// first: a blade of length 24 has its point 24 that way. Held weapons sit at the middle of the grip pair,
/// sheathed ones at the first scabbard vertex, so both models have the middle of the handle as origin.
fn markers(mesh: &mut Mesh, grip: (Point, Point), scabbard: (Point, Point)) {
    let (middle, way) = grip;
    mesh.vertices.push(add(middle, scale(way, HALF_GRIP)));
    mesh.vertices.push(subtract(middle, scale(way, HALF_GRIP)));
    let (first, way) = scabbard;
    mesh.vertices.push(first);
    mesh.vertices.push(subtract(first, scale(way, 2.0 * HALF_GRIP)));
}

/// Turns the whole body about its feet, then sets its lowest vertex on the floor.
fn grounded(mesh: &mut Mesh, fall: Point) {
    for vertex in &mut mesh.vertices {
        *vertex = turned(*vertex, fall);
    }
    let body = &mesh.vertices[..GRIP[0]];
    let lowest = body.iter().fold(f64::MIN, |lowest, vertex| lowest.max(vertex[1]));
    for vertex in &mut mesh.vertices {
        vertex[1] -= lowest;
    }
}

fn torso(mesh: &mut Mesh, trunk: &Trunk) {
    let hips = |height: f64, half: [f64; 2]| Ring {
        centre: trunk.hip_point([0.0, height, 0.0]),
        side: trunk.hip_direction([half[0], 0.0, 0.0]),
        up: trunk.hip_direction([0.0, 0.0, half[1]]),
    };
    let chest = |height: f64, half: [f64; 2]| Ring {
        centre: trunk.chest_point([0.0, height, 0.0]),
        side: trunk.chest_direction([half[0], 0.0, 0.0]),
        up: trunk.chest_direction([0.0, 0.0, half[1]]),
    };
    mesh.tube(&[hips(4.0, [5.6, 3.8]), hips(-4.5, [4.6, 3.1]), chest(-10.0, [6.6, 4.2]), chest(-15.5, [5.2, 2.8])]);
}

fn head(mesh: &mut Mesh, trunk: &Trunk) {
    let neck = trunk.chest_point(NECK);
    let turn = trunk.pose.head;
    let ring = |centre: Point, half: [f64; 2]| Ring {
        centre: add(neck, turned(centre, turn)),
        side: turned([half[0], 0.0, 0.0], turn),
        up: turned([0.0, 0.0, half[1]], turn),
    };
    mesh.tube(&[
        ring([0.0, 0.6, 0.6], [2.0, 2.2]),
        ring([0.0, -5.0, 0.6], [3.2, 3.7]),
        ring([0.0, -10.0, -0.2], [2.3, 2.5]),
    ]);
}

/// `side` is 1 for the right arm, -1 for the left; gives the middle of the fist.
fn arm(mesh: &mut Mesh, trunk: &Trunk, side: f64, hand: Point) -> Point {
    let shoulder = trunk.chest_point([side * 7.4, -13.6, 0.0]);
    let elbow_to = trunk.chest_direction([side * 0.5, 0.7, -0.7]);
    let arm = reach(shoulder, hand, [UPPER_ARM, FOREARM + FIST], elbow_to);
    let lower = unit(subtract(arm.end, arm.joint));
    let wrist = add(arm.joint, scale(lower, FOREARM));
    let knuckles = add(arm.end, scale(lower, FIST));
    let normal = bend_normal(&arm, elbow_to);
    mesh.tube(&[
        section(arm.start, unit(subtract(arm.joint, arm.start)), normal, 2.4),
        section(arm.joint, unit(subtract(wrist, arm.start)), normal, 1.9),
        section(wrist, lower, normal, 1.4),
        section(knuckles, lower, normal, 1.6),
    ]);
    arm.end
}

fn leg(mesh: &mut Mesh, trunk: &Trunk, side: f64, ankle: Point, sole: Point) {
    let hip = trunk.hip_point([side * 3.4, 1.5, 0.0]);
    let knee_to = turned([0.0, -0.1, 1.0], [0.0, sole[1], 0.0]);
    let leg = reach(hip, ankle, LEG, knee_to);
    let normal = bend_normal(&leg, knee_to);
    let lower = unit(subtract(leg.end, leg.joint));
    mesh.tube(&[
        section(leg.start, unit(subtract(leg.joint, leg.start)), normal, 3.0),
        section(leg.joint, unit(subtract(leg.end, leg.start)), normal, 2.3),
        section(leg.end, lower, normal, 1.6),
    ]);
    let ring = |centre: Point, half_height: f64| Ring {
        centre: add(leg.end, turned(centre, sole)),
        side: turned([1.8, 0.0, 0.0], sole),
        up: turned([0.0, half_height, 0.0], sole),
    };
    mesh.tube(&[ring([0.0, 1.0, -2.4], 2.0), ring([0.0, 2.0, 6.4], 1.0)]);
}

fn bend_normal(limb: &Limb, bend_to: Point) -> Point {
    unit(cross(subtract(limb.end, limb.start), bend_to))
}

fn section(centre: Point, along: Point, normal: Point, half: f64) -> Ring {
    let up = unit(cross(along, normal));
    Ring { centre, side: scale(normal, half), up: scale(up, half) }
}
