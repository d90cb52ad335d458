//! A source file to the bytes of a WebAssembly module. The only crate that starts other programs.
//!
//! C, C++ and Rust are compiled *branch-faithfully* by default: locals live in registers, yet every branch of the source is still a branch
//! of the module, because slowpath learns which way each one should go. See `stages` for how.

mod build;
mod cache;
mod cargo;
mod configure;
mod error;
mod exceptions;
mod forward;
mod generics;
mod headers;
mod ir;
mod language;
mod libraries;
mod link;
mod native;
mod object;
mod project;
mod run;
mod rust;
mod scratch;
mod shim;
mod stages;
mod toolchain;
mod unselect;
mod wanted;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use run::Workshop;
use stages::Unit;

pub use cargo::{
    CargoOptions, Dependency, LibraryModule, Place, dependency as cargo_dependency, is_crate_name,
    is_project as is_cargo_project, library_modules, usable_paths,
};
pub use error::{INSTALL, SourceError};
pub use generics::{GenericFunction, generic_functions};
pub use language::{Language, crate_name};
pub use native::{NativeParts, NativeProgram, NativeRun, host_compiler, host_cpp_compiler};
pub use project::{ProjectFile, listed_files, project_files};
pub use scratch::sweep_abandoned;
pub use shim::{HostCall, Shim, ShimError};
pub use toolchain::Toolchain;
pub use wanted::{Name, Wanted};

/// The header that harnesses include; it is also put on the include path of every compilation.
pub const HEADER: &str = include_str!("../include/slowpath.h");

/// A library of 20,000 lines takes a quarter of a minute.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Crates that many others depend on take minutes the first time.
const CARGO_TIMEOUT: Duration = Duration::from_secs(900);

/// The user's folder for what programs keep to be faster the next time; none where nobody says where that is.
pub fn default_cache() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = of("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| Some(of("HOME")?.join(".cache")))?;
    Some(folder.join("slowpath"))
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// The user's own optimisation flags, such as `-O2`. Default `None`: compile branch-faithfully.
    pub optimize: Option<Vec<String>>,
    /// Flags handed to the compiler in either mode, such as `-I` and `-D`. Default none.
    pub extra_flags: Vec<String>,
    /// Further files of the program, of C or C++. Default none.
    pub more_files: Vec<PathBuf>,
    /// Which functions are exported; what they do not need is not linked. Default: all.
    pub wanted: Wanted,
    /// The folder or the `compile_commands.json` that says how files are compiled, and has those that the program turns out to need.
    pub project: Option<PathBuf>,
    /// Headers by name and text, before all others. Default none.
    pub headers: Vec<(String, String)>,
    /// What is asked of cargo, where the program is a crate.
    pub cargo: CargoOptions,
    /// A generated function that calls the one that is asked for. Default none.
    pub shim: Option<Shim>,
    /// Whether the panics of a file of Rust say what happened, which they take some work for. Functions that are generated say it always. Default no.
    pub tell_panics: bool,
    /// Where objects are kept for the next time. Default `None`: nowhere.
    pub cache: Option<PathBuf>,
    /// Where the commands that were run and the module are left to be looked at. Default `None`: nowhere.
    pub keep: Option<PathBuf>,
    /// Time for the whole compilation; what still runs then is stopped. Default `None`: 2 minutes, and 15 for cargo.
    pub timeout: Option<Duration>,
    /// Set from outside to stop what is being compiled. Default `None`: nobody does.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Where to look for the tools, in the form of `PATH`. Default `None`: the process's own `PATH`.
    pub tool_path: Option<OsString>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            optimize: None,
            extra_flags: Vec::new(),
            more_files: Vec::new(),
            wanted: Wanted::All,
            project: None,
            headers: Vec::new(),
            cargo: CargoOptions::default(),
            shim: None,
            tell_panics: false,
            cache: None,
            keep: None,
            timeout: None,
            interrupt: None,
            tool_path: None,
        }
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
    /// Symbols of functions that are nowhere defined; the module imports them from `env`.
    pub missing: Vec<String>,
}

/// Reads a program of any supported kind, told apart by the file's extension.
pub fn load(path: &Path, options: &Options) -> Result<Compiled, SourceError> {
    if options.cargo.krate.is_some() || cargo::is_project(path) {
        let workshop = Workshop::of(path, options, CARGO_TIMEOUT)?;
        return kept(&workshop, options, cargo::compile(&workshop, options)?);
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    if let Some(language) = Language::of(path) {
        return compile(path, language, options);
    }
    if path.is_dir() {
        return compile_project(path, options);
    }
    if !options.more_files.is_empty() {
        return Err(SourceError::SeveralFiles { path: path.to_path_buf() });
    }
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("wasm") => Ok(as_given(read(path)?)),
        Some("wat") => Ok(as_given(assemble(path)?)),
        _ => Err(SourceError::UnsupportedKind { path: path.to_path_buf() }),
    }
}

fn compile(path: &Path, language: Language, options: &Options) -> Result<Compiled, SourceError> {
    read(path)?; // the compiler would say it too, but only after the tools are found
    let workshop = Workshop::of(path, options, TIMEOUT)?;
    let compiled = match language {
        Language::C | Language::Cpp => {
            let mut units = units(path, language, options)?;
            shim_first(&workshop, &mut units, options)?;
            build::compile(&workshop, &units, options)?
        }
        Language::Rust if options.more_files.is_empty() => rust::compile(&workshop, options)?,
        Language::Rust => return Err(SourceError::SeveralFiles { path: path.to_path_buf() }),
    };
    kept(&workshop, options, compiled)
}

/// Compiles the file of a folder that defines what is asked for, with the others that it needs.
fn compile_project(folder: &Path, options: &Options) -> Result<Compiled, SourceError> {
    let options =
        Options { project: options.project.clone().or_else(|| Some(folder.to_path_buf())), ..options.clone() };
    let project = project::Project::open(options.project.as_deref().unwrap_or(folder))?;
    let name = match &options.wanted {
        Wanted::Named(name) => name.identifier().to_owned(),
        Wanted::Main => "main".to_owned(),
        Wanted::All => return Err(SourceError::NoCrateCall),
    };
    let units = project.mentioning(std::slice::from_ref(&name));
    let Some(first) = units.first() else {
        return Err(SourceError::NowhereDefined { path: folder.to_path_buf(), name });
    };
    let workshop = Workshop::of(&first.path, &options, TIMEOUT)?;
    let compiled = build::compile(&workshop, std::slice::from_ref(first), &options)?;
    kept(&workshop, &options, compiled)
}

/// In place of the file with the function, a file that includes it and has the shim besides.
fn shim_first(workshop: &Workshop<'_>, units: &mut [Unit], options: &Options) -> Result<(), SourceError> {
    let (Some(shim), Some(first)) = (&options.shim, units.first_mut()) else { return Ok(()) };
    let source = std::path::absolute(&first.path).map_err(SourceError::Scratch)?;
    let generated = workshop.file(if Language::of(&first.path) == Some(Language::C) { "shim.c" } else { "shim.cpp" });
    fs::write(&generated, format!("#include {source:?}\n{}", shim.text)).map_err(SourceError::Scratch)?;
    let here = std::env::current_dir().map_err(SourceError::Scratch)?;
    first.flags.extend(shim.flags.iter().cloned());
    if let Some(project) = &options.project {
        first.flags.extend(project::Project::open(project)?.flags(&first.path));
    }
    first.flags.push(format!("-ffile-prefix-map={}/=", here.display()));
    first.path = generated;
    Ok(())
}

fn kept(workshop: &Workshop<'_>, options: &Options, compiled: Compiled) -> Result<Compiled, SourceError> {
    if let Some(folder) = &options.keep {
        keep(folder, workshop, &compiled)?;
    }
    Ok(compiled)
}

/// The files of a C or C++ program.
fn units(path: &Path, language: Language, options: &Options) -> Result<Vec<Unit>, SourceError> {
    let mut units = vec![Unit { path: path.to_path_buf(), language, flags: Vec::new() }];
    for more in &options.more_files {
        read(more)?;
        match Language::of(more) {
            Some(language @ (Language::C | Language::Cpp)) => {
                units.push(Unit { path: more.clone(), language, flags: Vec::new() });
            }
            _ => return Err(SourceError::SeveralFiles { path: more.clone() }),
        }
    }
    Ok(units)
}

/// Leaves what was run and what came of it where the user wants to see it.
fn keep(folder: &Path, workshop: &Workshop<'_>, compiled: &Compiled) -> Result<(), SourceError> {
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|source| SourceError::Keep { path, source })
    };
    fs::create_dir_all(folder).map_err(|source| SourceError::Keep { path: folder.to_path_buf(), source })?;
    write("commands.txt", (workshop.commands().join("\n") + "\n").as_bytes())?;
    write("program.wasm", &compiled.wasm)
}

fn as_given(wasm: Vec<u8>) -> Compiled {
    Compiled { wasm, mode: Mode::AsGiven, libc: false, notes: Vec::new(), missing: Vec::new() }
}

fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    if project::is_taken_for_flags(path) {
        return Err(SourceError::FlagsName { path: path.to_path_buf() });
    }
    // A pipe or a terminal would be waited for without end, and the compiler reads it a second time.
    if fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir()) {
        return Err(SourceError::NoFile { path: path.to_path_buf() });
    }
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
