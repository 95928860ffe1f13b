//! `soup386 disasm`.

use std::path::PathBuf;

use clap::Args;

use super::load::Source;
use crate::{
    cli::{Outcome, output::to_stdout, problem::Problem, run::write_whole},
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
    match &arguments.output {
        Some(path) => write_whole(path, &mut text.as_bytes())
            .map_err(|error| Problem::io(format!("cannot write {}", path.display()), error))?,
        None => to_stdout(|out| out.write_all(text.as_bytes()))?,
    }
    Ok(Outcome::Held)
}
