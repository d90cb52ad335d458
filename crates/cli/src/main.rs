//! The program `slowpath`: the command line, with an allocator of its own.

mod allocator;

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.iter().any(|argument| argument.to_string_lossy().starts_with("--max-search-memory")) {
        allocator::give_back_at_once();
    }
    slowpath::give_back_with(allocator::give_back);
    let again = std::env::current_exe().ok().map(|own| vec![own.into_os_string()]);
    slowpath_cli::run(arguments, again).into()
}
