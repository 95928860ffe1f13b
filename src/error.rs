//! The error of the library's front: one variant for each part that can fail.

use crate::{defs::SceneError, natives::CallError, script::ScriptError};

/// What went wrong in making or driving a runtime.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A scene built in code is not valid; all faults found.
    #[error("the scene is not valid: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Scene(Vec<SceneError>),
    /// A scene text is not valid; all faults found, with their places.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Import(Vec<crate::import::Fault>),
    /// A script cannot be loaded.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A native was called wrongly.
    #[error(transparent)]
    Call(#[from] CallError),
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

/// A result with the library's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;
