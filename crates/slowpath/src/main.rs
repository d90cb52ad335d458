//! The command line. See `cli` for its parts; everything it does is in the library.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
