//! The 3×3 rotation matrix, its axis steps and its integer transform.

use serde::{Deserialize, Serialize};

use super::{Angle, Q8, Vec3, round_even};

/// A row-major 3×3 matrix in single precision. Points are columns: `(X, Y, Z) = m · (x, y, z)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Matrix(pub [f32; 9]);

impl Default for Matrix {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Matrix {
    /// No rotation.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);

    /// The matrix of an orientation (pitch, heading, roll): yaw, pitch, roll by the negated angles, from identity.
    ///
    /// # Source
    /// Rule M3; engine/player.md, "Upright actor orientation".
    #[must_use]
    pub fn of_orientation(angle: Vec3<Angle>) -> Self {
        Self::IDENTITY.turned(angle.map(Angle::negated))
    }

    /// This matrix after a yaw by `angle.y`, a pitch by `angle.x` and a roll by `angle.z`, in that order (rule M2).
    #[must_use]
    pub fn turned(self, angle: Vec3<Angle>) -> Self {
        self.yaw(angle.y).pitch(angle.x).roll(angle.z)
    }

    /// Rotates x and z of every row.
    ///
    /// # Source
    /// Rule M2; engine/SOUP.md, "Matrix axis updates".
    #[must_use]
    pub fn yaw(self, angle: Angle) -> Self {
        self.step(angle, |[x, y, z], s, c| [store(x * c - z * s), y, store(z * c + x * s)])
    }

    /// Rotates y and z of every row (rule M2).
    #[must_use]
    pub fn pitch(self, angle: Angle) -> Self {
        self.step(angle, |[x, y, z], s, c| [x, store(y * c + z * s), store(z * c - y * s)])
    }

    /// Rotates x and y of every row (rule M2).
    #[must_use]
    pub fn roll(self, angle: Angle) -> Self {
        self.step(angle, |[x, y, z], s, c| [store(x * c + y * s), store(y * c - x * s), z])
    }

    fn step(self, angle: Angle, rotate: impl Fn([f64; 3], f64, f64) -> [f64; 3]) -> Self {
        let (sin, cos) = angle.sin_cos();
        let mut rows = self.0;
        for row in rows.chunks_exact_mut(3) {
            let old = [f64::from(row[0]), f64::from(row[1]), f64::from(row[2])];
            let new = rotate(old, f64::from(sin), f64::from(cos));
            // Components were rounded by `store` (or not touched), so this narrowing is exact.
            row.copy_from_slice(&new.map(|component| component as f32));
        }
        Self(rows)
    }

    /// Transforms an integer point: inputs to `f32`, sums in the documented order, nearest-even back to integers.
    ///
    /// # Source
    /// Rule M5; engine/SOUP.md, "Integer matrix arithmetic".
    #[must_use]
    pub fn transform(&self, point: Vec3<Q8>) -> Vec3<Q8> {
        let m = self.0.map(f64::from);
        let Vec3 { x, y, z } = point.map(|Q8(component)| f64::from(component as f32));
        Vec3 {
            x: Q8(round_even(store((y * m[1] + x * m[0]) + z * m[2]))),
            y: Q8(round_even(store((x * m[3] + y * m[4]) + z * m[5]))),
            z: Q8(round_even(store((x * m[6] + y * m[7]) + z * m[8]))),
        }
    }
}

/// A store to single precision (rule Z3).
fn store(value: f64) -> f64 {
    f64::from(value as f32)
}
