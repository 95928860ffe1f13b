//! `soup386 inspect`.
use clap::Args;

use super::{Outcome, problem::Problem};

#[derive(Args)]
pub(crate) struct InspectArguments {}

pub(crate) fn run(_: &InspectArguments) -> Result<Outcome, Problem> {
    Ok(Outcome::Held)
}
