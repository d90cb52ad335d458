//! The command line. See `cli` for its parts; everything it does is in the library.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A search makes and drops many small things, and long paths need much memory at once: both cost less than with the
/// allocator of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
