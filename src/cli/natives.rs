//! `soup386 natives`.
use clap::Args;

use super::{Outcome, problem::Problem};

#[derive(Args)]
pub(crate) struct NativesArguments {}

pub(crate) fn run(_: &NativesArguments) -> Result<Outcome, Problem> {
    Ok(Outcome::Held)
}
