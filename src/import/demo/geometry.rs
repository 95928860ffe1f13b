//! Points, turns and four-sided tubes: all the geometry the built-in demo needs.
//!
//! Model units, X right, Y down, Z forward. Only `+ - * /` and `sqrt` are used, which every machine
//! rounds alike; the platform's `sin` is not among them.

pub(super) type Point = [f64; 3];

pub(super) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn scale(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

pub(super) fn subtract(a: Point, b: Point) -> Point {
    add(a, scale(b, -1.0))
}

pub(super) fn mix(from: Point, to: Point, share: f64) -> Point {
    add(from, scale(subtract(to, from), share))
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

pub(super) fn unit(a: Point) -> Point {
    scale(a, 1.0 / length(a))
}

/// Turns `point` by roll, then pitch, then heading, in degrees given as `[pitch, heading, roll]`:
/// positive values lean forward, turn to the right and lean to the right.
pub(super) fn turned(point: Point, turn: Point) -> Point {
    let [x, y, z] = point;
    let (sine, cosine) = sine_cosine(turn[2]);
    let (x, y) = (x * cosine - y * sine, y * cosine + x * sine);
    let (sine, cosine) = sine_cosine(turn[0]);
    let (y, z) = (y * cosine + z * sine, z * cosine - y * sine);
    let (sine, cosine) = sine_cosine(turn[1]);
    [x * cosine + z * sine, y, z * cosine - x * sine]
}

/// Power series; good to six digits within a third of a turn, which no pose exceeds.
fn sine_cosine(degrees: f64) -> (f64, f64) {
    let x = degrees * 0.017_453_292_519_943_295;
    let (mut sine, mut cosine, mut term) = (0.0, 0.0, 1.0);
    for power in 0..8 {
        let even = f64::from(2 * power);
        cosine += term;
        sine += term * x / (even + 1.0);
        term *= -x * x / ((even + 1.0) * (even + 2.0));
    }
    (sine, cosine)
}

/// A limb of two segments, found from where it starts and where it should end.
pub(super) struct Limb {
    pub(super) start: Point,
    pub(super) joint: Point,
    pub(super) end: Point,
}

/// Bends a limb towards `pole`; an end out of reach is moved to where the limb is all but straight.
pub(super) fn reach(start: Point, target: Point, segments: [f64; 2], pole: Point) -> Limb {
    let [first, second] = segments;
    let way = subtract(target, start);
    let distance = length(way).min((first + second) * 0.999);
    let along = unit(way);
    let to_foot = (first * first + distance * distance - second * second) / (2.0 * distance);
    let height = (first * first - to_foot * to_foot).max(0.0).sqrt();
    let outward = unit(subtract(pole, scale(along, dot(along, pole))));
    Limb {
        start,
        joint: add(start, add(scale(along, to_foot), scale(outward, height))),
        end: add(start, scale(along, distance)),
    }
}

/// One cross-section: its centre and its two half axes.
///
/// `side` × `up` has to point along the tube, so that faces come out anticlockwise seen from outside.
pub(super) struct Ring {
    pub(super) centre: Point,
    pub(super) side: Point,
    pub(super) up: Point,
}

/// Vertices with triangles over them.
#[derive(Default)]
pub(super) struct Mesh {
    pub(super) vertices: Vec<Point>,
    pub(super) faces: Vec<[usize; 3]>,
}

impl Mesh {
    /// Adds a closed tube: four vertices a ring, two triangles a side, two at either end.
    pub(super) fn tube(&mut self, rings: &[Ring]) {
        let first = self.vertices.len();
        for ring in rings {
            for [along_side, along_up] in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
                let offset = add(scale(ring.side, along_side), scale(ring.up, along_up));
                self.vertices.push(add(ring.centre, offset));
            }
        }
        let last = self.vertices.len() - 4;
        self.faces.push([first, first + 3, first + 2]);
        self.faces.push([first, first + 2, first + 1]);
        for ring in (first..last).step_by(4) {
            for corner in 0..4 {
                let (here, next) = (ring + corner, ring + (corner + 1) % 4);
                self.faces.push([here, next, next + 4]);
                self.faces.push([here, next + 4, here + 4]);
            }
        }
        self.faces.push([last, last + 1, last + 2]);
        self.faces.push([last, last + 2, last + 3]);
    }
}
