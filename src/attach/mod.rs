//! Attachment geometry: two tracked vertices, or a named point, give an item its position, matrix and angles.

pub mod list;
mod seen;
mod transform;
mod vertex;

pub use seen::{Seen, refreshed_matrix, seen};
pub use transform::{Placement, endpoints, place_drawn, place_stowed};
pub use vertex::query;
