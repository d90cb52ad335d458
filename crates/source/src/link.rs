//! Object file to module, with or without libraries.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::libraries::{Libraries, builtins};
use crate::object;
use crate::run::{Finished, Workshop};
use crate::{Language, SourceError, Toolchain};

const PURPOSE: &str = "linking (wasm-ld)";

/// The stack C code gets. It lies below the data, so that overflowing it traps instead of overwriting globals.
const STACK_BYTES: u32 = 1 << 20;

/// Links; an unsuccessful `Finished` is for the caller to judge (a missing symbol may be the C library's).
pub(crate) fn link(
    workshop: &Workshop,
    tools: &Toolchain,
    language: Language,
    object: &Path,
    runtime: Option<&Path>,
    libraries: Option<&Libraries>,
    output: &Path,
) -> Result<Finished, SourceError> {
    let bytes = fs::read(object).map_err(SourceError::Scratch)?;
    // The weak functions of C++ are instances of the library's templates, hundreds of them; those that are used stay.
    let functions = object::defined_functions(&bytes, language == Language::C)
        .map_err(|error| SourceError::Object { path: workshop.source.to_path_buf(), message: error.to_string() })?;
    let mut arguments: Vec<OsString> = ["--no-entry", "--stack-first", "-z"].map(OsString::from).into();
    arguments.push(format!("stack-size={STACK_BYTES}").into());
    arguments.extend(functions.iter().map(|name| format!("--export={name}").into()));
    arguments.push(object.into());
    arguments.extend(runtime.map(OsString::from));
    if let Some(libraries) = libraries {
        arguments.extend(libraries.archives(language).map(OsString::from));
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
