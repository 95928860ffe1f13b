//! Natives: the SOUP functions that this runtime implements, and the one registry through which every language calls.
//!
//! A handler takes the call context and never learns which language called. A function without handler goes to the
//! [`Host`]; it is never silently ignored.

mod action;
mod animation;
mod attribute;
mod call;
mod combat;
mod display;
mod engine;
mod flag;
mod hand;
mod item;
mod lifecycle;
mod random;
mod surroundings;
mod value;
mod wait;
mod weapon;

pub use call::{Call, Handler, Host, NoHost, Parts};
pub use engine::{CallRequest, Called, Dispatch, Engine};
pub use value::{CallError, Given, arguments, integer};

use crate::defs::{FunctionDecl, NativeId, functions};

/// What becomes of a call of a native.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NativeState {
    /// It has a handler.
    Implemented,
    /// Documented, but left to the host.
    Delegated,
    /// No document says what it does; left to the host.
    Undocumented,
}

/// The registry: a handler, or none, for each declared function.
#[derive(Clone)]
pub struct Natives {
    handlers: Vec<Option<Handler>>,
}

/// A declared name with its handler.
type Entry = (&'static str, fn(&mut Call<'_>) -> i32);

/// All handlers of this runtime, by declared name.
fn built_in() -> impl Iterator<Item = Entry> {
    let families: [&[Entry]; 13] = [
        weapon::NATIVES,
        hand::NATIVES,
        display::NATIVES,
        combat::NATIVES,
        animation::NATIVES,
        wait::NATIVES,
        attribute::NATIVES,
        flag::NATIVES,
        item::NATIVES,
        action::NATIVES,
        lifecycle::NATIVES,
        surroundings::NATIVES,
        random::NATIVES,
    ];
    families.into_iter().flatten().copied()
}

impl Default for Natives {
    fn default() -> Self {
        let mut natives = Self { handlers: vec![None; functions().rows().len()] };
        for (name, handler) in built_in() {
            let bound = natives.bind(name, Handler::BuiltIn(handler));
            debug_assert!(bound, "no function is declared as {name}");
        }
        natives
    }
}

impl Natives {
    /// Gives the declared function `name` a handler, in place of the one it had. False when no function has this name.
    pub fn bind(&mut self, name: &str, handler: Handler) -> bool {
        let Some(id) = functions().named(name) else { return false };
        self.handlers[usize::from(id.0)] = Some(handler);
        true
    }

    /// The handler of a function.
    #[must_use]
    pub fn handler(&self, id: NativeId) -> Option<&Handler> {
        self.handlers.get(usize::from(id.0))?.as_ref()
    }

    /// What becomes of a call of this function.
    #[must_use]
    pub fn state(&self, decl: &FunctionDecl) -> NativeState {
        if self.handler(decl.id).is_some() {
            NativeState::Implemented
        } else if decl.source == "undocumented" {
            NativeState::Undocumented
        } else {
            NativeState::Delegated
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_handler_is_declared_once() {
        let mut seen = BTreeSet::new();
        for (name, _) in built_in() {
            assert!(functions().named(name).is_some(), "{name} is not declared");
            assert!(seen.insert(name), "{name} has two handlers");
        }
    }
}
