//! Object file to module, with or without wasi-libc.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::object;
use crate::run::{Finished, Workshop};
use crate::{SourceError, Toolchain};

const PURPOSE: &str = "linking (wasm-ld)";

/// The stack C code gets. It lies below the data, so that overflowing it traps instead of overwriting globals.
const STACK_BYTES: u32 = 1 << 20;

/// Where wasi-libc lives.
#[derive(Clone, Debug)]
pub(crate) struct Libc {
    libraries: PathBuf,
    pub headers: Option<PathBuf>,
}

impl Libc {
    /// Asks clang, which knows its distribution's layout (and the user's `--sysroot`, among `flags`).
    pub fn find(workshop: &Workshop, tools: &Toolchain, flags: &[String]) -> Result<Option<Libc>, SourceError> {
        let Some(archive) = ask_for_file(workshop, tools, flags, "-print-file-name=libc.a")? else {
            return Ok(None);
        };
        let Some(libraries) = archive.parent().map(Path::to_path_buf) else {
            return Ok(None);
        };
        let headers = libraries.join("../../include/wasm32-wasi");
        Ok(Some(Libc { headers: fs::canonicalize(headers).ok(), libraries }))
    }
}

/// The library of compiler helpers (128-bit arithmetic and the like). It is no libc: freestanding code may need it too.
fn builtins(workshop: &Workshop, tools: &Toolchain) -> Result<Option<PathBuf>, SourceError> {
    ask_for_file(workshop, tools, &[], "-print-libgcc-file-name")
}

fn ask_for_file(
    workshop: &Workshop,
    tools: &Toolchain,
    flags: &[String],
    question: &str,
) -> Result<Option<PathBuf>, SourceError> {
    let mut arguments = vec!["--target=wasm32-wasi".to_owned()];
    arguments.extend_from_slice(flags);
    arguments.push(question.to_owned());
    let answer = workshop.run("looking for libraries (clang)", &tools.clang, arguments)?;
    let path = PathBuf::from(answer.stdout.trim_end());
    // clang repeats the bare name when it finds nothing.
    Ok((answer.success && path.is_absolute() && path.is_file()).then_some(path))
}

/// Links; an unsuccessful `Finished` is for the caller to judge (a missing symbol may be the C library's).
pub(crate) fn link(
    workshop: &Workshop,
    tools: &Toolchain,
    object: &Path,
    libc: Option<&Libc>,
    output: &Path,
) -> Result<Finished, SourceError> {
    let bytes = fs::read(object).map_err(SourceError::Scratch)?;
    let functions = object::defined_functions(&bytes)
        .map_err(|error| SourceError::Object { path: workshop.source.to_path_buf(), message: error.to_string() })?;
    let mut arguments: Vec<OsString> = ["--no-entry", "--stack-first", "-z"].map(OsString::from).into();
    arguments.push(format!("stack-size={STACK_BYTES}").into());
    arguments.extend(functions.iter().map(|name| format!("--export={name}").into()));
    arguments.push(object.into());
    if let Some(libc) = libc {
        // A reactor: no main needed, and `_initialize` runs the constructors.
        arguments.push(libc.libraries.join("crt1-reactor.o").into());
        arguments.push(libc.libraries.join("libc.a").into());
    }
    arguments.extend(builtins(workshop, tools)?.map(OsString::from));
    arguments.push("-o".into());
    arguments.push(output.into());
    workshop.run(PURPOSE, &tools.wasm_ld, arguments)
}

/// What a failed link means for the user.
pub(crate) fn failure(workshop: &Workshop, finished: Finished) -> SourceError {
    workshop.failure(PURPOSE, finished)
}

/// The symbols a failed link asked for, each once.
pub(crate) fn undefined_symbols(stderr: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in stderr.lines() {
        if let Some((_, name)) = line.split_once("undefined symbol: ")
            && !names.contains(&name.trim())
        {
            names.push(name.trim());
        }
    }
    names
}
