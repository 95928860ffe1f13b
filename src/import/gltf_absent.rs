//! Builds without the feature `gltf`: model files are refused.

use std::path::Path;

use super::{
    Fault, ImportError,
    model_file::{ModelClip, ModelFrames},
};

/// Refuses: this build cannot read model files.
///
/// # Errors
/// Always.
pub fn model_from_file(path: impl AsRef<Path>, _clip: &ModelClip) -> Result<ModelFrames, ImportError> {
    model_from_bytes(&path.as_ref().display().to_string(), &[], _clip)
}

/// Refuses, likewise.
///
/// # Errors
/// Always.
pub fn model_from_bytes(name: &str, _bytes: &[u8], _clip: &ModelClip) -> Result<ModelFrames, ImportError> {
    let reason = "model files are not read by this build: it was made without the feature gltf";
    Err(ImportError(vec![Fault::of_file(name, reason)]))
}
