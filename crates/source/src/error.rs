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

    #[error("{}: this is no ordinary file (a pipe, a device or a terminal); save it to a file first", path.display())]
    NoFile { path: PathBuf },

    #[error(
        "{}: this kind of file is not supported; slowpath reads .c, .cpp (.cc, .cxx), .rs, .wasm and .wat; {}",
        path.display(), kind_remedy(path)
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

    #[error("{purpose} failed for {}:\n{}\n{}", path.display(), stderr.trim_end(), compiler_remedy(path, stderr))]
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

    #[error("{purpose} failed for {}, with {rustc}:\n{}{}", path.display(), stderr.trim_end(), cargo_remedy(stderr))]
    Cargo {
        path: PathBuf,
        purpose: &'static str,
        /// Cargo's own words, unchanged.
        stderr: String,
        /// Which rustc, in its own words.
        rustc: String,
    },

    #[error("there is no cargo, which builds crates; it comes with Rust (https://rustup.rs)")]
    MissingCargo,

    #[error(
        "say which function is called, as in --call 'my_crate::parse(&str[n])' of a crate, or --call 'parse(cstr[n])' of C"
    )]
    NoCrateCall,

    #[error(
        "{}: no library called `{wanted}` here{}; a call begins with the name of the crate, as in --call '{}::parse(&str[n])'",
        path.display(),
        if names.is_empty() { ", and none at all".to_owned() } else { format!(", only {}", names.join(", ")) },
        names.first().map_or("my_crate", String::as_str)
    )]
    NoLibrary { path: PathBuf, wanted: String, names: Vec<String> },

    #[error("{}: no package here has a library, whose functions others could call; name a file of it instead, as in src/main.rs", path.display())]
    NoLibraries { path: PathBuf },

    #[error(
        "{}: whole programs of Rust are given compiled: cargo build --release --target wasm32-wasip1 (or rustc --target \
         wasm32-wasip1), then analyse the .wasm",
        path.display()
    )]
    RustMain { path: PathBuf },

    #[error(
        "the program needs {lacking}; {} of the project may define it, but does not compile: {why}\n{}",
        path.display(), broken_remedy(path, header.as_deref(), why)
    )]
    BrokenDefiner { lacking: String, path: PathBuf, header: Option<String>, why: String },

    #[error("{}: there is no fuzz target called `{name}`; name one with --fuzz-target=NAME{there}", path.display())]
    NoFuzzTarget {
        path: PathBuf,
        name: String,
        /// `: there are a and b`, or nothing.
        there: String,
    },

    #[error("{}: {message}", path.display())]
    Manifest { path: PathBuf, message: String },

    #[error("--crate {name}: this is no crate; give it as NAME@VERSION")]
    CrateName { name: String },
    #[error(
        "building this crate runs code on your machine: build scripts or procedural macros of {}\ngive --trust-build if you trust them",
        names.join(", ")
    )]
    Untrusted { names: Vec<String> },

    #[error("{}: no file here seems to define `{name}`", path.display())]
    NowhereDefined { path: PathBuf, name: String },

    #[error("cannot write {}: {source}", path.display())]
    Keep { path: PathBuf, source: io::Error },

    #[error("{purpose} took longer than {seconds} s for {} and was stopped; give it more with --compile-limit", path.display())]
    Timeout { path: PathBuf, purpose: &'static str, seconds: u64 },

    #[error("{}: compilers take a file whose name begins with @ for a list of flags; give it another name", path.display())]
    FlagsName { path: PathBuf },

    #[error("interrupted while {purpose} was at {}: there is nothing yet", path.display())]
    Interrupted { path: PathBuf, purpose: &'static str },

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

/// What to do about a file that is no program.
fn kind_remedy(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match extension.as_str() {
        "h" => format!("of a header, write a .c file beside it with the line #include \"{name}\", and give that"),
        "hpp" | "hh" | "hxx" => {
            format!("of a header, write a .cpp file beside it with the line #include \"{name}\", and give that")
        }
        "" if !path.exists() => {
            format!("there is no file `{name}`; a crate of the registry is given with its version, as in {name}@1.0.0")
        }
        _ => "compile anything else to .wasm".to_owned(),
    }
}

/// The header of the C library that has a type, and how projects that are configured ask for it.
const TYPES_OF_HEADERS: [(&str, &str); 6] = [
    ("int32_t", "HAVE_STDINT_H"),
    ("uint32_t", "HAVE_STDINT_H"),
    ("uint8_t", "HAVE_STDINT_H"),
    ("uint64_t", "HAVE_STDINT_H"),
    ("ssize_t", "HAVE_SYS_TYPES_H"),
    ("bool", "HAVE_STDBOOL_H"),
];

/// What to do about a type that a header has which only a configured project includes.
fn configured_remedy(stderr: &str) -> Option<String> {
    let is_missing = |ty: &str| stderr.contains(&format!("unknown type name '{ty}'"));
    let (ty, define) = TYPES_OF_HEADERS.iter().find(|(ty, _)| is_missing(ty))?;
    Some(format!("where a project includes the header of `{ty}` only once it is configured, give -D {define}=1"))
}

/// Names of the library and words of the language that C++17, which clang takes unless told otherwise, does not have.
const NEWER: [&str; 9] =
    ["span", "ranges", "format", "source_location", "jthread", "expected", "concept", "requires", "erase_if"];

/// What to do about C++ that is newer than what the compiler takes it for.
fn newer_remedy(path: &Path, stderr: &str) -> Option<String> {
    let is_newer = |name: &&&str| {
        stderr.contains(&format!("no member named '{name}' in namespace 'std"))
            || stderr.contains(&format!("unknown type name '{name}'"))
    };
    let name = NEWER.iter().find(is_newer)?;
    (Language::of(path) == Some(Language::Cpp))
        .then(|| format!("`{name}` is of a newer C++ than clang takes it for: give --cflags -std=c++20, or c++23"))
}

/// What to do about a source that the compiler refuses.
fn compiler_remedy(path: &Path, stderr: &str) -> String {
    let of_all = match Language::of(path) {
        Some(Language::Rust) => {
            "mend it, or give the flags that it needs with --cflags; a file of a cargo project is compiled with its folder: slowpath analyze DIR"
        }
        _ => "mend it, or give what it needs with -I, -D, --cflags or --project DIR; --keep DIR shows the commands",
    };
    let more = configured_remedy(stderr).or_else(|| newer_remedy(path, stderr));
    more.map_or_else(|| of_all.to_owned(), |more| format!("{of_all}\n{more}"))
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
        "{made}say where it is with -I FOLDER or --project DIR (which makes it, if its template `{header}.in` is there), or give its text with --define-header '{header}=…' (it may be empty)"
    )
}

/// What to do about a file of a project that is needed and does not compile.
fn broken_remedy(path: &Path, header: Option<&str>, why: &str) -> String {
    header.map_or_else(|| compiler_remedy(path, why), |header| missing_header_remedy(header, path))
}

/// What to do about a crate that does not build, where its words show it.
fn cargo_remedy(stderr: &str) -> String {
    let says = |words: &[&str]| words.iter().any(|word| stderr.contains(word));
    let remedy = if says(&["no matching package", "failed to select a version"]) {
        "\nthe registry has no such crate or version; `cargo search NAME` shows what there is"
    } else if says(&[
        "Could not resolve host",
        "network failure",
        "failed to download",
        "--offline",
        "Could not connect",
    ]) {
        "\nthe registry cannot be reached; what was downloaded before can be used offline (CARGO_NET_OFFLINE=true)"
    } else if says(&[
        "requires rustc",
        "is not supported by the following package",
        "newer version of Cargo",
        "edition2024",
    ]) {
        "\na newer rustc is needed that has the target: rustup target add wasm32-unknown-unknown"
    } else {
        "\nif it builds for this machine, see which crate does not build for wasm32-unknown-unknown; --features and --no-default-features choose its parts"
    };
    remedy.to_owned()
}
