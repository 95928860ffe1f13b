//! Index of the integration tests, one line for each module.

mod stage;
mod support;

mod attachment;
mod commands;
mod floors;
mod golden;
mod loading;
mod numbers;
mod playback;
mod requests;
mod reverse;
#[cfg(any(feature = "luau", feature = "lua54"))]
mod scenarios;
