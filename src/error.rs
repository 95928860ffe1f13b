//! The error of the library's front: one variant for each part that can fail.

use crate::{
    defs::SceneError, import::ImportError, natives::CallError, script::ScriptError, soup::DecodeError,
    world::WorldError,
};

/// What went wrong in making or driving a runtime.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A scene built in code is not valid; all faults found.
    #[error("the scene is not valid: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Scene(Vec<SceneError>),
    /// A scene text is not valid; all faults found, with their places.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A SOUP program cannot be decoded.
    #[error(transparent)]
    Program(#[from] DecodeError),
    /// A script cannot be loaded.
    #[error(transparent)]
    Script(Box<ScriptError>),
    /// A native was called wrongly.
    #[error(transparent)]
    Call(Box<CallError>),
    /// A snapshot cannot be taken while scripts run: what they keep is not part of the world.
    #[error(
        "a snapshot would lose the state of {scripts} running script(s); take one before scripts are set or after they end"
    )]
    ScriptsRunning {
        /// How many scripts run.
        scripts: usize,
    },
    /// A world does not belong to these definitions, or was damaged.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A panic ended an update; nothing was published.
    #[error("update {tick} stopped in the {stage} stage: {message}")]
    Update {
        /// Index of the update.
        tick: u64,
        /// The stage that did not end.
        stage: &'static str,
        /// What the panic said.
        message: String,
    },
}

impl From<ScriptError> for Error {
    fn from(error: ScriptError) -> Self {
        Self::Script(Box::new(error))
    }
}

impl From<CallError> for Error {
    fn from(error: CallError) -> Self {
        Self::Call(Box::new(error))
    }
}

/// A result with the library's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;
