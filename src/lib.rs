//! A runtime for the actors, animation, held weapons and SOUP functions of *The Elder Scrolls Adventures: Redguard*.
//!
//! Characters of that engine have no bones: packed commands pick a vertex frame ([`anim`]), two tracked vertices of the
//! frame say where a held item is ([`attach`]), and a state machine decides between hand and scabbard ([`weapon`]).
//! Scripts drive it through 367 functions ([`natives`]). Everything follows numbered rules, `docs/rules.md` of the
//! repository, each with its source.
//!
//! ```
//! use soup386::{Runtime, Scene};
//!
//! # fn main() -> soup386::Result<()> {
//! let mut runtime = Runtime::new(Scene::demo())?;
//! let fencer = runtime.world().named("CYRUS").expect("the demo has a fencer");
//! runtime.call(fencer, "drawsword", &[])?;
//! let mut drawn_in = None;
//! while drawn_in.is_none() {
//!     runtime.update()?;
//!     let publication = runtime.publication();
//!     drawn_in = publication.attachments().iter().find(|held| &*held.model == "SABRE").and(publication.tick());
//! }
//! assert_eq!(drawn_in, Some(6));
//! # Ok(())
//! # }
//! ```
//!
//! Read the modules in this order: what never changes ([`units`], [`defs`], [`import`]), live state ([`world`]), the
//! rules, the functions, the languages ([`script`]), the main loop ([`update`]), what comes out ([`publish`], [`trace`]),
//! and tests in scripts ([`expect`], [`scenario`]).
//!
//! Positions are Q8 ([`units::Q8`]: 256 to the map unit) with Y down; angles have 2048 steps to the turn.

pub mod units;

#[cfg_attr(feature = "send", path = "sync_send.rs")]
pub mod sync;

#[cfg(all(feature = "send", feature = "rhai"))]
compile_error!("the stack of a Rhai script stays on its thread: the features send and rhai exclude each other");

pub mod defs;

pub mod soup;

pub mod import;

pub mod world;

pub mod anim;

pub mod attach;

pub mod weapon;

pub mod expect;

pub mod natives;

pub mod script;

pub mod update;

pub mod publish;

pub mod trace;

pub mod error;

pub mod torture;

pub mod scenario;

#[cfg(feature = "cli")]
pub mod cli;

pub use defs::Scene;
pub use error::{Error, Result};
pub use update::Runtime;

/// The README's Rust is compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;

/// So is that of the guide to attachment lists.
#[cfg(doctest)]
#[doc = include_str!("../docs/attachments.md")]
struct AttachmentGuide;
