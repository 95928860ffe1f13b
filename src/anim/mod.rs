//! Animation: requests for groups, and the advance that plays them.
//!
//! A step is a function from an actor record and an actor to a changed actor; what it raises is appended to a list of
//! events. Nothing here knows of weapons, scripts or other actors.

mod play;
mod request;

pub use play::{BUDGET, advance};
pub use request::{change_default, force, request, start};
