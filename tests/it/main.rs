//! Index of the integration tests, one line for each module.

mod support;

mod floors;
mod golden;
#[cfg(any(feature = "luau", feature = "lua54"))]
mod scenarios;
