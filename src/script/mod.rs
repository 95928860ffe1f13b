//! Scripts: what a language front end must do, and the schedule of director and actor scripts.
//!
//! A front end converts values, keeps suspended scripts and reports errors; it holds no rule of the game.

mod error;
mod limits;
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
mod modules;
mod schedule;
pub mod soup;

#[cfg(any(feature = "luau", feature = "lua54"))]
mod lua;
#[cfg(feature = "rhai")]
mod rhai;

pub(crate) use error::panic_message;
pub use error::{ScriptError, ScriptErrorKind};
pub use limits::Limits;
pub use schedule::Scripts;

use std::sync::Arc;

use crate::{
    defs::{Language, ScriptSource},
    natives::{Engine, Natives},
    sync::Portable,
    world::ActorKey,
};

/// Whose program a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Of the whole scene.
    Director,
    /// Of one actor.
    Actor(ActorKey),
}

/// Where a script stands after it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits to be resumed in a later update, or its `on_update` to be called.
    Waiting,
    /// It is over.
    Ended,
}

/// What became of a text that was entered into a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// It is what the session runs next.
    Ready,
    /// It is not whole: more lines must follow.
    Unfinished,
}

/// The engine that lies in a front end's cell while the runtime has its own: of a scene without anything.
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
fn parked_engine() -> Box<Engine> {
    let nothing = crate::defs::SceneBuilder::default().build();
    Box::new(nothing.map(|scene| Engine::new(&scene)).unwrap_or_else(|_| unreachable!("an empty scene is valid")))
}

/// A line of a script for the log.
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
fn log(engine: &Engine, role: Role, level: &str, text: &str) {
    let actor = match role {
        Role::Director => "director",
        Role::Actor(key) => engine.world.name_of(key).unwrap_or("?"),
    };
    let update = engine.world.clock.tick;
    match level {
        "info" => tracing::info!(actor, update, "{text}"),
        "warn" => tracing::warn!(actor, update, "{text}"),
        _ => tracing::error!(actor, update, "{text}"),
    }
}

/// A scripting language.
///
/// The engine is lent for the time of a run: the front end moves it into a cell that its bindings share and moves it
/// back before it returns, whatever the script did.
pub trait FrontEnd: Portable {
    /// Checks the syntax of a script without running it.
    ///
    /// # Errors
    /// A [`ScriptError`] of kind `Syntax`.
    fn check(&mut self, source: &ScriptSource) -> Result<(), ScriptError>;

    /// Prepares a script under a number of its own; it does not run yet.
    ///
    /// # Errors
    /// A [`ScriptError`] of kind `Syntax`, or `Memory`.
    fn load(&mut self, script: u64, source: &ScriptSource, role: Role) -> Result<(), ScriptError>;

    /// Runs a script until it waits or ends. After an error the script must be unloaded.
    ///
    /// # Errors
    /// What ended the script: an error it raised, a spent budget, a panic in a native.
    fn resume(&mut self, script: u64, engine: &mut Box<Engine>) -> Result<Progress, ScriptError>;

    /// Puts a text into a session as what it runs next, with the variables and functions that earlier texts left; values
    /// that it gives are printed. A session is a director that was loaded with an empty text; an error in it ends the text
    /// alone. A text of it that still waits is given up.
    ///
    /// # Errors
    /// A [`ScriptError`] of kind `Syntax`, or `Memory`.
    fn enter(&mut self, script: u64, text: &str) -> Result<Entered, ScriptError>;

    /// Drops a script with everything it holds.
    fn unload(&mut self, script: u64);

    /// Makes the front end as good as new once all scripts are unloaded: nothing that a script can see or that its budgets
    /// depend on may tell that others ran. Compiled texts may stay.
    ///
    /// # Errors
    /// A [`ScriptError`] of kind `Memory` when the language cannot be made anew.
    fn restart(&mut self) -> Result<(), ScriptError>;
}

/// The front end of a language, if this build has it.
fn front_end(language: Language, limits: Limits, natives: &Arc<Natives>) -> Option<Box<dyn FrontEnd>> {
    match language {
        #[cfg(any(feature = "luau", feature = "lua54"))]
        Language::Lua => lua::Lua::new(limits, natives).map(|lua| Box::new(lua) as _).ok(),
        #[cfg(feature = "rhai")]
        Language::Rhai => Some(Box::new(rhai::Rhai::new(limits, natives))),
        #[allow(unreachable_patterns, reason = "a build may have every language")]
        _ => {
            let _ = (limits, natives);
            None
        }
    }
}
