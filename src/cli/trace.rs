//! `soup386 trace`.
use clap::Subcommand;

use super::{Outcome, problem::Problem};

#[derive(Subcommand)]
pub(crate) enum TraceCommand {
    /// x
    Diff,
}

pub(crate) fn run(_: &TraceCommand) -> Result<Outcome, Problem> {
    Ok(Outcome::Held)
}
