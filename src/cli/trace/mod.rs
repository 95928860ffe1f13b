//! `soup386 trace`: compares traces, or shows or draws one.

mod diff;
pub(crate) mod fields;
mod plot;
mod read;
mod show;
mod which;

use clap::Subcommand;

use super::{Outcome, problem::Problem};

pub(crate) use read::{Line, Reader, Row, starts_like_a_trace};
pub(crate) use show::show_rows;

#[derive(Subcommand)]
pub(crate) enum TraceCommand {
    /// Finds the first difference of two traces: exit code 0 when there is none, 1 when there is one.
    Diff(diff::DiffArguments),
    /// Shows a trace as a table.
    Show(show::ShowArguments),
    /// Draws values of a trace over its updates, as an SVG file.
    Plot(plot::PlotArguments),
}

pub(crate) fn run(command: &TraceCommand) -> Result<Outcome, Problem> {
    match command {
        TraceCommand::Diff(arguments) => diff::run(arguments),
        TraceCommand::Show(arguments) => show::run(arguments),
        TraceCommand::Plot(arguments) => plot::run(arguments),
    }
}
