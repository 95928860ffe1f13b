//! Index of the integration tests, one line for each module.

mod support;

mod golden;
