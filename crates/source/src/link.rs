//! Object file to module, with or without libraries.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::libraries::{Libraries, builtins};
use crate::object;
use crate::run::{Finished, Workshop};
use crate::{Language, SourceError, Toolchain};

const PURPOSE: &str = "linking (wasm-ld)";

/// The stack C code gets. It lies below the data, so that overflowing it traps instead of overwriting globals.
const STACK_BYTES: u32 = 1 << 20;

/// What a module is made of.
pub(crate) struct Parts<'a> {
    /// Has the user's functions.
    object: &'a Path,
    /// What is linked, in order.
    inputs: Vec<PathBuf>,
    /// Which of the object's functions are exported.
    exported: &'a dyn Fn(&str) -> bool,
    /// Whether that goes for weak ones too.
    weak: bool,
}

impl<'a> Parts<'a> {
    pub fn of_c(object: &'a Path, extra: &[PathBuf], libraries: Option<&Libraries>, language: Language) -> Parts<'a> {
        let archives = libraries.into_iter().flat_map(|libraries| libraries.archives(language));
        let inputs = [object.to_path_buf()].into_iter().chain(extra.iter().cloned()).chain(archives).collect();
        // The weak functions of C++ are instances of the library's templates, hundreds of them; those that are used stay.
        Parts { object, inputs, exported: &|_| true, weak: language == Language::C }
    }

    pub fn of_rust(object: &'a Path, archive: &Path, exported: &'a dyn Fn(&str) -> bool) -> Parts<'a> {
        Parts { object, inputs: vec![archive.to_path_buf()], exported, weak: true }
    }
}

/// Links; an unsuccessful `Finished` is for the caller to judge (a missing symbol may be the C library's).
pub(crate) fn link(
    workshop: &Workshop<'_>,
    tools: &Toolchain,
    parts: &Parts<'_>,
    output: &Path,
) -> Result<Finished, SourceError> {
    let bytes = fs::read(parts.object).map_err(SourceError::Scratch)?;
    let functions = object::defined_functions(&bytes, parts.weak)
        .map_err(|error| SourceError::Object { path: workshop.source.to_path_buf(), message: error.to_string() })?;
    let mut arguments: Vec<OsString> = ["--no-entry", "--stack-first", "-z"].map(OsString::from).into();
    arguments.push(format!("stack-size={STACK_BYTES}").into());
    let exported = functions.iter().filter(|name| (parts.exported)(name));
    arguments.extend(exported.map(|name| format!("--export={name}").into()));
    arguments.extend(parts.inputs.iter().map(OsString::from));
    arguments.extend(builtins(workshop, tools)?.map(OsString::from));
    arguments.push("-o".into());
    arguments.push(output.into());
    workshop.run(PURPOSE, &tools.wasm_ld, arguments)
}

/// What a failed link means for the user.
pub(crate) fn failure(workshop: &Workshop<'_>, finished: Finished) -> SourceError {
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
