//! `soup386 disasm`.

use std::path::PathBuf;

use clap::Args;

use super::load::Source;
use crate::{
    cli::{Outcome, output::to_file_or_stdout, problem::Problem},
    soup::text::write,
};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 disasm guard.bin --start 5 > guard.soup\n  soup386 disasm yard.toml GUARD -o guard.soup"
)]
pub(crate) struct DisasmArguments {
    #[command(flatten)]
    source: Source,
    /// Write to a file, whole or not at all, instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &DisasmArguments) -> Result<Outcome, Problem> {
    let loaded = arguments.source.load()?;
    let text = write(loaded.programs.iter().map(|program| &program.code));
    to_file_or_stdout(arguments.output.as_deref(), text.as_bytes())?;
    Ok(Outcome::Held)
}
