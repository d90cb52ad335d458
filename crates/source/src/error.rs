//! What can go wrong between a source file and a module, said so that the reader knows what to do next.

use std::io;
use std::path::PathBuf;

use crate::Language;

/// The line that installs everything C and C++ need, on Debian and Ubuntu.
pub const INSTALL: &str = "sudo apt install clang-19 llvm-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 \
                           libc++-19-dev-wasm32 libc++abi-19-dev-wasm32";

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error(
        "{}: this kind of file is not supported; slowpath reads .c, .cpp (.cc, .cxx), .rs, .wasm and .wat; compile \
         anything else to .wasm",
        path.display()
    )]
    UnsupportedKind { path: PathBuf },

    #[error("{message}")]
    Wat { message: String },

    #[error("compiling needs {needed} of one LLVM version, 14 or newer; {found}\non Debian or Ubuntu: {INSTALL}")]
    MissingTool { needed: String, found: String },

    #[error(
        "{} needs {} (for {lacking}), which was not found\non Debian or Ubuntu: {INSTALL}",
        path.display(),
        if *language == Language::Cpp { "the C++ library, libc++ for wasm32" } else { "a C library, wasi-libc" }
    )]
    MissingLibrary { path: PathBuf, lacking: String, language: Language },

    #[error(
        "compiling Rust needs a rustc with the standard library for wasm32-unknown-unknown; {}\nwith rustup: rustup target add \
         wasm32-unknown-unknown\non Debian or Ubuntu: sudo apt install rustc libstd-rust-dev-wasm32",
        if *found { "the one that is here has none" } else { "there is no rustc" }
    )]
    MissingRust { found: bool },

    #[error("{purpose} failed for {}:\n{}", path.display(), stderr.trim_end())]
    Compiler {
        path: PathBuf,
        purpose: &'static str,
        /// The compiler's own words, unchanged.
        stderr: String,
    },

    #[error("{purpose} took longer than {seconds} s for {} and was stopped", path.display())]
    Timeout { path: PathBuf, purpose: &'static str, seconds: u64 },

    #[error("cannot start {}: {source}", program.display())]
    Start { program: PathBuf, source: io::Error },

    #[error("cannot use a temporary directory for compiling: {0}")]
    Scratch(#[source] io::Error),

    #[error(
        "the compiler's output for {} is not a WebAssembly object: {message}",
        path.display()
    )]
    Object { path: PathBuf, message: String },
}
