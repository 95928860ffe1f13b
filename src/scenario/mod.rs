//! Scenarios: named tests in script files, each run in a fresh world with fresh scripts.
//!
//! A scenario file is a script whose top level declares scenarios. A [`Runner`] evaluates it once to learn what it
//! declares, and again for each scenario, whose function then is the director.
//!
//! ```
//! use soup386::{
//!     defs::ScriptSource,
//!     scenario::{Runner, Settings, Verdict},
//! };
//!
//! # #[cfg(any(feature = "luau", feature = "lua54"))]
//! # fn main() {
//! let file = ScriptSource::new(
//!     "draw.lua",
//!     r#"scenario("the sword is drawn", function()
//!         actor("CYRUS"):drawsword()
//!         wait_until(function() return actor("CYRUS").weapon_drawn == 1 end, 60)
//!         expect(actor("CYRUS").shown):equals("hilt")
//!     end)"#,
//! );
//! let mut runner = Runner::new(Settings::default());
//! let suite = runner.collect(&file).expect("a scenario file");
//! let outcome = runner.run(&suite, 0, &mut || None);
//! let Verdict::Failed(failure) = outcome.verdict else { panic!("the sword is in the hand") };
//! assert_eq!(failure.to_string(), "draw.lua:4: equals: expected \"hilt\", found \"hand\"");
//! # }
//! # #[cfg(not(any(feature = "luau", feature = "lua54")))]
//! # fn main() {}
//! ```
//!
//! Results depend on the files alone: not on the order of the runs, nor on how many run at once on threads of their own.

mod collect;
mod coverage;
mod failure;
mod find;
mod golden;
mod record;
mod run;

pub use collect::Suite;
pub use coverage::{Coverage, TRANSITIONS, WeaponState};
pub use failure::{ActorTrace, Failure, FailureKind, TraceLine};
pub use find::declares;
pub use golden::{Around, GoldenDifference, GoldenError, GoldenFile};
pub use run::{GoldenOutcome, GoldenState, Outcome, Runner, Settings, Verdict};
