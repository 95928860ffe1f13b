//! Q8 lengths and three-component vectors.

use serde::{Deserialize, Serialize};

/// A length or coordinate with eight fractional bits: 256 is one map unit. World space has Y down (rule Z4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Q8(pub i32);

impl Q8 {
    /// The sum, wrapping (rule Z1).
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The difference, wrapping (rule Z1).
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    /// Whole map units, rounded down (an arithmetic shift, rule Z1).
    #[must_use]
    pub const fn whole(self) -> i32 {
        self.0 >> 8
    }
}

/// Three components in the order X, Y, Z; for angles pitch, heading, roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[T; 3]", into = "[T; 3]", bound(serialize = "T: Clone + Serialize"))]
pub struct Vec3<T> {
    /// X, or pitch.
    pub x: T,
    /// Y (down), or heading.
    pub y: T,
    /// Z, or roll.
    pub z: T,
}

impl<T> Vec3<T> {
    /// A vector from its components.
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }

    /// Each component through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Vec3<U> {
        Vec3 { x: f(self.x), y: f(self.y), z: f(self.z) }
    }

    /// Components of two vectors, pairwise through `f`.
    pub fn zip<U, V>(self, other: Vec3<U>, mut f: impl FnMut(T, U) -> V) -> Vec3<V> {
        Vec3 { x: f(self.x, other.x), y: f(self.y, other.y), z: f(self.z, other.z) }
    }

    /// The component of `axis`: 0 X, 1 Y, 2 Z; none beyond.
    pub fn axis_mut(&mut self, axis: usize) -> Option<&mut T> {
        match axis {
            0 => Some(&mut self.x),
            1 => Some(&mut self.y),
            2 => Some(&mut self.z),
            _ => None,
        }
    }
}

impl<T> From<[T; 3]> for Vec3<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<T> From<Vec3<T>> for [T; 3] {
    fn from(v: Vec3<T>) -> Self {
        [v.x, v.y, v.z]
    }
}
