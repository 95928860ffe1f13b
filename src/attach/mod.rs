//! Attachment geometry: two tracked vertices give an item its position, matrix and angles.

mod transform;
mod vertex;

pub use transform::{Placement, endpoints, place_drawn, place_stowed};
pub use vertex::query;
