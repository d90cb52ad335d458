//! A source file to the bytes of a WebAssembly module. The only crate that starts other programs.
//!
//! C, C++ and Rust are compiled *branch-faithfully* by default: locals live in registers, yet every branch of the source is still a branch
//! of the module, because slowpath learns which way each one should go. See `stages` for how.

mod error;
mod language;
mod libraries;
mod link;
mod native;
mod object;
mod run;
mod rust;
mod stages;
mod toolchain;
mod unselect;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

pub use error::{INSTALL, SourceError};
pub use language::Language;
pub use native::{NativeProgram, NativeRun, host_compiler};
pub use toolchain::Toolchain;

/// The header that harnesses include; it is also put on the include path of every compilation.
pub const HEADER: &str = include_str!("../include/slowpath.h");

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// The user's own optimisation flags, such as `-O2`. Default `None`: compile branch-faithfully.
    pub optimize: Option<Vec<String>>,
    /// Flags handed to the compiler in either mode, such as `-I` and `-D`. Default none.
    pub extra_flags: Vec<String>,
    /// Time for the whole compilation; what still runs then is stopped. Default 120 s.
    pub timeout: Duration,
    /// Where to look for the tools, in the form of `PATH`. Default `None`: the process's own `PATH`.
    pub tool_path: Option<OsString>,
}

impl Default for Options {
    fn default() -> Self {
        Options { optimize: None, extra_flags: Vec::new(), timeout: Duration::from_secs(120), tool_path: None }
    }
}

/// How far the module's branches can be trusted to be the source's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every source branch is a branch.
    BranchFaithful,
    /// Compiled with the user's flags: branches may have been merged, loops unrolled.
    Optimized,
    /// The module arrived compiled (`.wasm`, `.wat`); how, nobody here knows.
    AsGiven,
}

impl Mode {
    /// What to know about a module that was optimised.
    fn note(flags: &[String], language: Language) -> String {
        let compiler = if language == Language::Rust { "rustc" } else { "clang" };
        let flags = if flags.is_empty() { format!("{compiler}'s default flags") } else { flags.join(" ") };
        format!("compiled with {flags}: the compiler may have merged branches and unrolled loops")
    }
}

/// A module, and what is worth saying about how it came to be.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub wasm: Vec<u8>,
    pub mode: Mode,
    /// Whether wasi-libc is linked in (and libc++, for C++); then `_initialize` is exported and to be called first.
    pub libc: bool,
    /// Sentences for the report: why libc came in, that branches may be merged.
    pub notes: Vec<String>,
}

/// Reads a program of any supported kind, told apart by the file's extension.
pub fn load(path: &Path, options: &Options) -> Result<Compiled, SourceError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    if let Some(language) = Language::of(path) {
        return compile(path, language, options);
    }
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("wasm") => Ok(as_given(read(path)?)),
        Some("wat") => Ok(as_given(assemble(path)?)),
        _ => Err(SourceError::UnsupportedKind { path: path.to_path_buf() }),
    }
}

fn compile(path: &Path, language: Language, options: &Options) -> Result<Compiled, SourceError> {
    read(path)?; // the compiler would say it too, but only after the tools are found
    match language {
        Language::C | Language::Cpp => stages::compile(path, language, options),
        Language::Rust => rust::compile(path, options),
    }
}

fn as_given(wasm: Vec<u8>) -> Compiled {
    Compiled { wasm, mode: Mode::AsGiven, libc: false, notes: Vec::new() }
}

fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    fs::read(path).map_err(|source| SourceError::Read { path: path.to_path_buf(), source })
}

fn assemble(path: &Path) -> Result<Vec<u8>, SourceError> {
    let text = read(path)?;
    // `wat` passes binaries through unchanged, so a misnamed .wasm still works.
    wat::parse_bytes(&text).map(|wasm| wasm.into_owned()).map_err(|mut error| {
        error.set_path(path);
        SourceError::Wat { message: error.to_string() }
    })
}
