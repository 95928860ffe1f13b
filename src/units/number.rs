//! Conversions between floating point and `i32`, and the integer distance.

/// What an x86 conversion stores for a value that does not fit (rule Z2).
const INTEGER_INDEFINITE: i32 = i32::MIN;

/// Converts toward zero; NaN and values outside `i32` give `i32::MIN`.
///
/// Rust's `as` saturates instead, which is why every conversion of the engine goes through here.
///
/// # Source
/// Rule Z2; engine/attachment.md, "Attachment Transform" (stowed case).
#[must_use]
pub fn truncate(value: f64) -> i32 {
    in_range(value.trunc())
}

/// Converts to the nearest integer, ties to even; NaN and values outside `i32` give `i32::MIN`.
///
/// # Source
/// Rule Z2; engine/attachment.md, "Actor model-point conversion".
#[must_use]
pub fn round_even(value: f64) -> i32 {
    in_range(value.round_ties_even())
}

fn in_range(whole: f64) -> i32 {
    if whole >= f64::from(i32::MIN) && whole <= f64::from(i32::MAX) { whole as i32 } else { INTEGER_INDEFINITE }
}

/// The length of an integer vector, rounded to the nearest integer.
///
/// Components are rounded to `f32`, squared and summed in the order x, y, z; the root is rounded once to `f32`.
///
/// # Source
/// Rule B1; engine/SOUP.md, "Multiple-attacker spacing".
#[must_use]
pub fn distance(dx: i32, dy: i32, dz: i32) -> i32 {
    let square = |d: i32| {
        let single = f64::from(d as f32);
        single * single
    };
    round_even(f64::from(root_once(square(dx) + square(dy) + square(dz))))
}

/// [`distance`] in the horizontal plane: the middle term is zero (rule B1).
#[must_use]
pub fn distance_flat(dx: i32, dz: i32) -> i32 {
    distance(dx, 0, dz)
}

/// The square root of `q`, rounded once to `f32`.
///
/// An `f64` root that is rounded again goes wrong at midpoints of two `f32` values, so the midpoints next to the
/// candidate are squared (exactly: they have 25 bits) and compared with `q`.
fn root_once(q: f64) -> f32 {
    let candidate = q.sqrt() as f32;
    let low = f64::midpoint(f64::from(candidate.next_down()), f64::from(candidate));
    let high = f64::midpoint(f64::from(candidate), f64::from(candidate.next_up()));
    if q > high * high {
        candidate.next_up()
    } else if candidate > 0.0 && q < low * low {
        candidate.next_down()
    } else {
        candidate
    }
}
