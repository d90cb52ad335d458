//! The program `slowpath`: the command line, with an allocator of its own.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A search makes and drops many small things, and long paths need much memory at once: both cost less than with the
/// allocator of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let again = std::env::current_exe().ok().map(|own| vec![own.into_os_string()]);
    slowpath_cli::run(std::env::args_os().collect(), again).into()
}
