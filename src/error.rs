//! The error of the library's front: one variant for each part that can fail.

use crate::{defs::SceneError, import::ImportError, natives::CallError, script::ScriptError};

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
    /// A script cannot be loaded.
    #[error(transparent)]
    Script(Box<ScriptError>),
    /// A native was called wrongly.
    #[error(transparent)]
    Call(Box<CallError>),
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
