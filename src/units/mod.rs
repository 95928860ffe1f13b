//! Numbers of the engine: Q8 lengths, 2048-step angles, vectors, matrices, and the only conversions between them.
//!
//! Everything here is integer or single-precision arithmetic with the rounding that the rules Z1 to Z4, M1, M2, M5,
//! B1 and B2 of `docs/rules.md` fix; the rotations of modern models ([`Quat`]) are in double precision. No function reads a clock, a platform's `sin`, or fuses a multiplication.

mod angle;
mod matrix;
mod number;
mod quat;
mod vector;

pub use angle::{Angle, bearing, heading_of, quarter_turn};
pub use matrix::Matrix;
pub use number::{distance, distance_flat, round_even, truncate};
pub use quat::Quat;
pub use vector::{Q8, Vec3};
