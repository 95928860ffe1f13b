//! Angles of 2048 steps to the turn: the sine table and the bearing of a displacement.

use serde::{Deserialize, Serialize};

/// `f32(sin(n × 6.2831852 / 2048))` for n = 0..=2560, little-endian (rule M1). Embedded, so that no platform's `sin`
/// is ever asked at run time.
static ROTATION: &[u8; 2561 * 4] = include_bytes!("rotation.bin");
/// `trunc(atan(i / 512) × 65536 / 3.141592654) >> 6` for i = 0..512 (rule B2).
static OCTANT: &[u8; 512] = include_bytes!("octant.bin");

const STEPS: i32 = 2048;

/// An angle in steps of 1/2048 turn. Stored values need not be within one turn: scripts may write any `i32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Angle(pub i32);

impl Angle {
    /// The same direction within one turn, 0..=2047.
    #[must_use]
    pub const fn masked(self) -> Self {
        Self(self.0 & (STEPS - 1))
    }

    /// The masked sum, wrapping.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0)).masked()
    }

    /// The masked difference `self − other`, wrapping.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0)).masked()
    }

    /// The masked negation.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(0).minus(self)
    }

    /// Sine and cosine from the embedded table; quarter turns keep its small residues (rule M1).
    #[must_use]
    pub fn sin_cos(self) -> (f32, f32) {
        let step = self.masked().0 as usize;
        (rotation(step), rotation(step + 512))
    }
}

/// A quarter of a turn: 512 steps.
#[must_use]
pub const fn quarter_turn() -> Angle {
    Angle(STEPS / 4)
}

fn rotation(step: usize) -> f32 {
    let at = step * 4;
    f32::from_le_bytes([ROTATION[at], ROTATION[at + 1], ROTATION[at + 2], ROTATION[at + 3]])
}

/// The direction of `(p, q)`: 512 along +p, 0 along +q; (0, 0) gives 0. The result is masked.
///
/// # Source
/// Rules B2 and B3; engine/player.md, "Direction recovered from displacement".
#[must_use]
pub fn bearing(p: i32, q: i32) -> Angle {
    let quadrant = first_quadrant(p.wrapping_abs(), q.wrapping_abs());
    let turned = match (p >= 0, q >= 0) {
        (true, true) => quadrant,
        (true, false) => STEPS / 2 - quadrant,
        (false, false) => STEPS / 2 + quadrant,
        (false, true) => STEPS - quadrant,
    };
    Angle(turned).masked()
}

/// `a` and `b` are wrapping absolute values: the one value that stays negative, `i32::MIN`, counts as smallest (B3).
fn first_quadrant(mut a: i32, mut b: i32) -> i32 {
    while a > 511 || b > 511 {
        a >>= 1;
        b >>= 1;
    }
    if a == 0 {
        return 0;
    }
    if b == 0 {
        return 512;
    }
    if a == b {
        return 256;
    }
    let ratio = a.min(b).wrapping_mul(512) / a.max(b);
    let step = i32::from(OCTANT[ratio.clamp(0, 511) as usize]);
    if b > a { step } else { 512 - step }
}

/// The actor heading of a horizontal displacement: +X 1536, −X 512, +Z 0, −Z 1024.
///
/// # Source
/// Rule B4; engine/SOUP.md, "Combat maintenance".
#[must_use]
pub fn heading_of(dx: i32, dz: i32) -> Angle {
    bearing(dx, dz).negated()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    fn sha256(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// M1: the embedded table is the documented one.
    #[test]
    fn rotation_table_has_its_hash() {
        assert_eq!(sha256(super::ROTATION), "ee77db24ec7303c7bc1ae9bffb62954b2aa1b114e187e68cf5d285a7517d6035");
        assert_eq!(super::rotation(1).to_bits(), 0x3b49_0fc6);
        assert_eq!(super::rotation(512), 1.0);
        assert_eq!(super::rotation(1024), 5.358_979_4e-8);
        assert_eq!(super::rotation(2048), -1.071_795_9e-7);
    }

    /// B2: the embedded octant is the documented one.
    #[test]
    fn octant_table_has_its_hash() {
        assert_eq!(sha256(super::OCTANT), "d46fea464118b3c17a030aef5ee6946ab0afa75ca86decb096fe9a0d8d3306a9");
        assert_eq!(super::OCTANT.iter().map(|&step| u32::from(step)).sum::<u32>(), 72_856);
    }
}
