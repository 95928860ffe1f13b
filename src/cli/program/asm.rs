//! `soup386 asm`.

use std::path::PathBuf;

use clap::Args;

use super::load::{Loaded, Source};
use crate::cli::{
    Outcome,
    output::{count, plain, to_file_or_stdout, to_stdout},
    problem::Problem,
};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 asm guard.soup -o guard.bin\n  soup386 asm guards.soup GUARDX --scene yard.toml -o guard.bin"
)]
pub(crate) struct AsmArguments {
    #[command(flatten)]
    source: Source,
    /// The file to write the program's bytes to, whole or not at all; - is stdout.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn run(arguments: &AsmArguments) -> Result<Outcome, Problem> {
    let loaded = arguments.source.load()?;
    let [program] = &*loaded.programs else {
        let names: Vec<_> = loaded.programs.iter().map(Loaded::name).collect();
        let what = match names.len() {
            0 => "it has no program".to_owned(),
            _ => format!("it has several programs, name one of {}", names.join(", ")),
        };
        return Err(Problem::Other(format!("{}: {what}", arguments.source.file.display())));
    };
    let bytes = &program.code.program().bytes;
    let path = &arguments.output;
    let file = Some(&**path).filter(|path| path.as_os_str() != "-");
    to_file_or_stdout(file, bytes)?;
    if let Some(file) = file {
        to_stdout(|out| writeln!(out, "{}: {}", plain(&file.display().to_string()), summary(program)))?;
    }
    Ok(Outcome::Held)
}

/// What is in the bytes, and what is not: start, strings and locals are kept elsewhere.
fn summary(loaded: &Loaded) -> String {
    let program = loaded.code.program();
    format!(
        "{}, {}, {}, start 0x{:02X}, {}, {}",
        plain(&program.name),
        count(program.bytes.len() as u64, "byte"),
        count(loaded.code.statements().len() as u64, "statement"),
        program.start,
        count(program.strings.len() as u64, "string"),
        count(program.locals.len() as u64, "local"),
    )
}
