//! The command line: arguments, messages, exit codes.
//!
//! Results go to stdout, messages to stderr. Exit code 0: all held; 1: a script failed or traces differ; 2: it could
//! not run.

mod attach;
mod census;
mod demo;
mod game;
mod import;
mod inspect;
mod natives;
mod output;
mod problem;
mod program;
mod repl;
mod run;
mod step;
mod test;
mod torture;
mod trace;

use std::{io, process::ExitCode};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use problem::Problem;

/// Runs scenes of The Elder Scrolls Adventures: Redguard's actors and scripts, headless.
#[derive(Parser)]
#[command(
    name = "soup386",
    version,
    max_term_width = 100,
    after_help = "Examples:\n  soup386 run scripts/draw_and_sheathe.lua\n  soup386 demo duel"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a scene with a director script until it ends.
    Run(run::RunArguments),
    /// Runs lines of script against a live world.
    Repl(repl::ReplArguments),
    /// Runs the scenarios of script files.
    Test(test::TestArguments),
    /// Compares traces, or shows or draws one.
    #[command(
        subcommand,
        after_help = "Examples:\n  soup386 trace diff before.jsonl after.jsonl\n  soup386 trace show yard.jsonl --actor CYRUS"
    )]
    Trace(trace::TraceCommand),
    /// Lists the SOUP functions: implemented, delegated, undocumented.
    Natives(natives::NativesArguments),
    /// Writes the built-in demo as files to start from.
    Demo(demo::DemoArguments),
    /// Disturbs draws and sheaths at every update, and checks what becomes of the actors.
    Torture(torture::TortureArguments),
    /// Reads and changes the attachment lists of model files.
    #[command(
        subcommand,
        after_help = "Examples:\n  soup386 attach list hero.vmdl\n  soup386 attach add hero.attach hand_r --joint wrist_r --offset 4,0,-1.5"
    )]
    Attach(attach::AttachCommand),
    /// Shows what is in a scene, a trace, a program, a file of the game, or one with attachment lists.
    Inspect(inspect::InspectArguments),
    /// Writes a map of a game as a scene to edit.
    Import(import::ImportArguments),
    /// Counts the statements and functions that the programs of a game use.
    Census(census::CensusArguments),
    /// Writes SOUP programs as text.
    Disasm(program::disasm::DisasmArguments),
    /// Makes the bytes of a SOUP program from its text.
    Asm(program::asm::AsmArguments),
    /// Looks for probable mistakes in SOUP programs.
    Lint(program::lint::LintArguments),
}

/// How a command ended.
pub(crate) enum Outcome {
    /// All held.
    Held,
    /// A script failed, or traces differ.
    Failed,
}

/// The whole program.
#[must_use]
pub fn main() -> ExitCode {
    let matches = match Arguments::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version are no failures. A closed pipe is nobody's concern.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(2);
        }
    };
    start_logging();
    match dispatch(arguments.command) {
        Ok(Outcome::Held) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(problem) if problem.is_closed_pipe() => ExitCode::SUCCESS,
        Err(problem) => {
            problem.print();
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: Command) -> Result<Outcome, Problem> {
    match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Repl(arguments) => repl::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Trace(command) => trace::run(&command),
        Command::Natives(arguments) => natives::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Torture(arguments) => torture::run(&arguments),
        Command::Attach(command) => attach::run(&command),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Census(arguments) => census::run(&arguments),
        Command::Disasm(arguments) => program::disasm::run(&arguments),
        Command::Asm(arguments) => program::asm::run(&arguments),
        Command::Lint(arguments) => program::lint::run(&arguments),
    }
}

/// `SOUP386_LOG` takes filters like `info` or `soup386=debug`; warnings are shown without it.
fn start_logging() {
    let filter = EnvFilter::try_from_env("SOUP386_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(problem::colours())
        .with_target(false)
        .without_time()
        .init();
}
