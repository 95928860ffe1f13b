//! soup386
pub mod anim;
pub mod attach;
#[cfg(feature = "cli")]
pub mod cli;
pub mod defs;
pub mod error;
pub mod import;
pub mod natives;
pub mod publish;
pub mod script;
pub mod trace;
pub mod units;
pub mod update;
pub mod weapon;
pub mod world;

pub use defs::Scene;
pub use error::{Error, Result};
pub use update::Runtime;
