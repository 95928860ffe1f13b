//! The command `soup386`.

use std::process::ExitCode;

fn main() -> ExitCode {
    soup386::cli::main()
}
