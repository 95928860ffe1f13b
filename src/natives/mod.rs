//! Natives: the SOUP functions that this runtime implements, and the one registry through which every language calls.
//!
//! A handler takes the call context and never learns which language called. A function without handler goes to the
//! [`Host`]; it is never silently ignored.

pub mod access;
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
mod points;
mod programs;
mod random;
mod rotate;
mod scenario;
mod surroundings;
mod sync;
mod torch;
mod travel;
mod value;
mod wait;
mod weapon;
mod whereabouts;

pub use call::{Call, Handler, Host, NoHost, Parts};
pub use engine::{CallRequest, Called, Dispatch, Engine};
pub(crate) use item::drop_item;
pub(crate) use programs::site as program_site;
pub use programs::{LoadedProgram, Programs};
pub use value::{CallError, Given, arguments, integer};

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use crate::{
    defs::{FunctionDecl, FunctionKind, NativeId, did_you_mean, folded, functions},
    world::MAX_ARGS,
};

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

/// The registry: every declared function with its handler, or none.
#[derive(Clone)]
pub struct Natives {
    rows: Vec<Native>,
    by_name: BTreeMap<String, NativeId>,
}

/// One row of the registry.
#[derive(Clone, Debug)]
pub struct Native {
    /// Name, kind, parameters.
    pub decl: FunctionDecl,
    /// Its code; none is left to the host.
    pub handler: Option<Handler>,
}

/// Why a native could not be added or given a handler.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NativeError {
    /// The name is taken.
    #[error("there is already a function \"{name}\": give it a handler with bind")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// No function has this name.
    #[error("there is no function \"{name}\"{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// A suggestion, or empty.
        hint: String,
    },
    /// Scripts could not write the name.
    #[error("\"{name}\" is no name for a function: expected a letter, then letters, digits and _")]
    BadName {
        /// The name.
        name: String,
    },
    /// More parameters than a call can carry.
    #[error("{name} has {found} parameters; at most {MAX_ARGS} are possible")]
    TooManyParameters {
        /// The name.
        name: String,
        /// How many it has.
        found: usize,
    },
    /// The function numbers are used up.
    #[error("there are 65536 functions already")]
    Full,
}

/// A declared name with its handler.
type Entry = (&'static str, fn(&mut Call<'_>) -> i32);

/// All handlers of this runtime, by declared name.
fn built_in() -> impl Iterator<Item = Entry> {
    let families: [&[Entry]; 18] = [
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
        torch::NATIVES,
        rotate::NATIVES,
        travel::NATIVES,
        whereabouts::NATIVES,
        sync::NATIVES,
    ];
    families.into_iter().flatten().copied()
}

impl Default for Natives {
    fn default() -> Self {
        let rows = functions().rows().iter().map(|decl| Native { decl: decl.clone(), handler: None }).collect();
        let by_name = functions().rows().iter().map(|decl| (decl.script_name.clone(), decl.id)).collect();
        let mut natives = Self { rows, by_name };
        for (name, handler) in built_in() {
            let bound = natives.bind(name, Handler::BuiltIn(handler));
            debug_assert!(bound.is_ok(), "{bound:?}");
        }
        natives
    }
}

impl Natives {
    /// The built-in registry, shared.
    #[must_use]
    pub fn shared() -> Arc<Self> {
        static SHARED: LazyLock<Arc<Natives>> = LazyLock::new(Arc::default);
        Arc::clone(&SHARED)
    }

    /// Gives the function `name` (without case) a handler, in place of the one it had.
    ///
    /// # Errors
    /// [`NativeError::Unknown`] when no function has this name.
    pub fn bind(&mut self, name: &str, handler: Handler) -> Result<(), NativeError> {
        let Some(id) = self.named(name) else {
            let hint = did_you_mean(name, self.by_name.keys());
            return Err(NativeError::Unknown { name: name.to_owned(), hint });
        };
        self.rows[usize::from(id.0)].handler = Some(handler);
        Ok(())
    }

    /// Adds a function of the host's own, which every language reaches by its name in lower case.
    ///
    /// # Errors
    /// [`NativeError`] when the name is taken or cannot be written, or there are too many parameters or functions.
    pub fn add(
        &mut self,
        name: &'static str,
        kind: FunctionKind,
        parameters: &[&'static str],
        doc: &'static str,
        handler: Handler,
    ) -> Result<NativeId, NativeError> {
        let mut letters = name.bytes();
        let begins_well = letters.next().is_some_and(|first| first.is_ascii_alphabetic());
        if !begins_well || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_') {
            return Err(NativeError::BadName { name: name.to_owned() });
        }
        if self.named(name).is_some() {
            return Err(NativeError::NameTaken { name: name.to_owned() });
        }
        if parameters.len() > MAX_ARGS {
            return Err(NativeError::TooManyParameters { name: name.to_owned(), found: parameters.len() });
        }
        let id = NativeId(u16::try_from(self.rows.len()).map_err(|_| NativeError::Full)?);
        let script_name = folded(name);
        self.by_name.insert(script_name.clone(), id);
        let decl = FunctionDecl { id, name, script_name, kind, parameters: parameters.to_vec(), source: "host", doc };
        self.rows.push(Native { decl, handler: Some(handler) });
        Ok(id)
    }

    /// All rows; a row's position is its function's id.
    #[must_use]
    pub fn rows(&self) -> &[Native] {
        &self.rows
    }

    /// The row of a function; none beyond the registry.
    #[must_use]
    pub fn get(&self, id: NativeId) -> Option<&Native> {
        self.rows.get(usize::from(id.0))
    }

    /// The id of a name, without case.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<NativeId> {
        self.by_name.get(&folded(name)).copied()
    }

    /// What becomes of a call of this function.
    #[must_use]
    pub fn state(&self, decl: &FunctionDecl) -> NativeState {
        let handler = self.get(decl.id).and_then(|native| native.handler.as_ref());
        match handler {
            Some(_) => NativeState::Implemented,
            None if decl.source == "undocumented" => NativeState::Undocumented,
            None => NativeState::Delegated,
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
