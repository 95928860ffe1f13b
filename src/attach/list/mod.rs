//! Named points: attachments on the joints of a posed model, in model space and in the world.

mod evaluate;
mod place;

pub use evaluate::{ModelFrame, evaluate};
pub use place::{LocalPoint, PointError, item_matrix, local_point, point_named, point_names, points_of};
