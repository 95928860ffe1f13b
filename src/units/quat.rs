//! Rotations of modern models: unit quaternions in double precision.
//!
//! Sines and arcs come from `libm`, which is the same code on every platform.

use serde::{Deserialize, Serialize};

/// A rotation; points are columns. The product `a · b` turns by `b` first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quat {
    /// X of the axis, times the sine of half the angle.
    pub x: f64,
    /// Y of the axis, likewise.
    pub y: f64,
    /// Z of the axis, likewise.
    pub z: f64,
    /// The cosine of half the angle.
    pub w: f64,
}

/// Below this length the direction of forward on the ground does not tell yaw from roll.
const UPRIGHT: f64 = 1e-6;

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(0.0, 0.0, 0.0, 1.0);

    /// A quaternion from its components, of which the real one is last.
    #[must_use]
    pub const fn new(x: f64, y: f64, z: f64, w: f64) -> Self {
        Self { x, y, z, w }
    }

    /// `qz(yaw) · qy(pitch) · qx(roll)`, angles in degrees.
    ///
    /// # Source
    /// Rule L7.
    #[must_use]
    pub fn of_angles(pitch: f64, yaw: f64, roll: f64) -> Self {
        let [(sp, cp), (sy, cy), (sr, cr)] = [pitch, yaw, roll].map(|degrees| libm::sincos(degrees.to_radians() * 0.5));
        Self {
            x: sr * cp * cy - cr * sp * sy,
            y: cr * sp * cy + sr * cp * sy,
            z: cr * cp * sy - sr * sp * cy,
            w: cr * cp * cy + sr * sp * sy,
        }
    }

    /// Pitch, yaw and roll in degrees. Straight up and down the yaw takes all, and the roll is 0.
    ///
    /// # Source
    /// Rule L7.
    #[must_use]
    pub fn to_angles(self) -> [f64; 3] {
        let [fx, fy, fz] = self.rotate([1.0, 0.0, 0.0]);
        let [lx, ly, lz] = self.rotate([0.0, 1.0, 0.0]);
        let [_, _, uz] = self.rotate([0.0, 0.0, 1.0]);
        let flat = (fx * fx + fy * fy).sqrt();
        let pitch = libm::atan2(-fz, flat);
        let (yaw, roll) =
            if flat > UPRIGHT { (libm::atan2(fy, fx), libm::atan2(lz, uz)) } else { (libm::atan2(-lx, ly), 0.0) };
        [pitch, yaw, roll].map(f64::to_degrees)
    }

    /// The product: `other` first, then this.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }

    /// The vector after the rotation: `v + 2w (q × v) + 2 q × (q × v)`.
    #[must_use]
    pub fn rotate(self, v: [f64; 3]) -> [f64; 3] {
        let q = [self.x, self.y, self.z];
        let once = cross(q, v);
        let twice = cross(q, once);
        [0, 1, 2].map(|i| v[i] + 2.0 * (self.w * once[i] + twice[i]))
    }

    /// The sum of the products of the components.
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    /// Every component times `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor, self.w * factor)
    }

    /// The sum of the components, pairwise.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z, self.w + other.w)
    }

    /// The quaternion of length 1 in the same direction; none when the length is below a millionth or not finite.
    #[must_use]
    pub fn normalised(self) -> Option<Self> {
        let length = self.dot(self).sqrt();
        (length >= 1e-6 && length.is_finite()).then(|| Self {
            x: self.x / length,
            y: self.y / length,
            z: self.z / length,
            w: self.w / length,
        })
    }

    /// The same rotation with the sign that is closer to `other`.
    #[must_use]
    pub fn towards(self, other: Self) -> Self {
        if self.dot(other) < 0.0 { self.scaled(-1.0) } else { self }
    }

    /// Between this (`t` = 0) and `other` (`t` = 1) by the short way, at even speed.
    #[must_use]
    pub fn slerp(self, other: Self, t: f64) -> Self {
        let other = other.towards(self);
        let cos = self.dot(other).min(1.0);
        // So close together a straight line is as good, and the sine is no divisor.
        let (a, b) = if cos > 0.9995 {
            (1.0 - t, t)
        } else {
            let angle = libm::acos(cos);
            let sin = libm::sin(angle);
            (libm::sin((1.0 - t) * angle) / sin, libm::sin(t * angle) / sin)
        };
        self.scaled(a).plus(other.scaled(b)).normalised().unwrap_or(self)
    }

    /// The row-major matrix.
    #[must_use]
    pub fn matrix(self) -> [f64; 9] {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| self.rotate(axis));
        let [a, b, c] = columns;
        [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]]
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
