//! What can go wrong between a source file and a module, said so that the reader knows what to do next.

use std::io;
use std::path::{Path, PathBuf};

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

    #[error(
        "compiling (clang) failed for {}:\n{}\n{}",
        path.display(),
        stderr.trim_end(),
        missing_header_remedy(header, path)
    )]
    MissingHeader {
        path: PathBuf,
        header: String,
        /// The compiler's own words, unchanged.
        stderr: String,
    },

    #[error("{}: {message}; --project takes a compile_commands.json, as cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes it", path.display())]
    Commands { path: PathBuf, message: String },

    #[error("{}: several files can only be given of C and C++", path.display())]
    SeveralFiles { path: PathBuf },

    #[error("--define-header: `{name}` is no name of a header; it is relative, as in config.h or project/config.h")]
    HeaderName { name: String },

    #[error("{}: files that define what others ask for keep asking for more; name the files that are needed instead", path.display())]
    Endless { path: PathBuf },

    #[error("cannot write {}: {source}", path.display())]
    Keep { path: PathBuf, source: io::Error },

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

/// What to do about a header that is nowhere.
fn missing_header_remedy(header: &str, path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let generator = [
        ("configure", "./configure"),
        ("configure.ac", "autoreconf -i && ./configure"),
        ("CMakeLists.txt", "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"),
        ("meson.build", "meson setup build"),
    ]
    .into_iter()
    .find(|(file, _)| folder.ancestors().take(4).any(|above| above.join(file).is_file()));
    let made = match generator {
        Some((_, command)) => format!("if the project generates `{header}`, run `{command}` first; "),
        None => String::new(),
    };
    format!(
        "{made}say where it is with -I FOLDER or --project DIR, or give its text with --define-header '{header}=…' (it may be empty)"
    )
}
