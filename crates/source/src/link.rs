//! Object files to a module, with or without libraries.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::libraries::builtins;
use crate::run::{Finished, Workshop};
use crate::{SourceError, Toolchain};

const PURPOSE: &str = "linking (wasm-ld)";

/// The stack C code gets. It lies below the data, so that overflowing it traps instead of overwriting globals.
const STACK_BYTES: u32 = 1 << 20;

/// What a module is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// What is linked, in order: objects, then archives.
    pub inputs: Vec<PathBuf>,
    /// Functions to export. What they do not need is left out.
    pub exports: Vec<String>,
    /// Functions that may be missing; they become imports.
    pub missing: Vec<String>,
}

/// Links; an unsuccessful `Finished` is for the caller to judge (a missing symbol may be the C library's).
pub(crate) fn link(
    workshop: &Workshop<'_>,
    tools: &Toolchain,
    parts: &Parts,
    output: &Path,
) -> Result<Finished, SourceError> {
    let plain = ["--no-entry", "--stack-first", "--no-demangle", "--error-limit=0", "-z"];
    let mut arguments: Vec<OsString> = plain.map(OsString::from).into();
    arguments.push(format!("stack-size={STACK_BYTES}").into());
    arguments.extend(parts.exports.iter().map(|name| format!("--export={name}").into()));
    if !parts.missing.is_empty() {
        let list = workshop.file("missing");
        fs::write(&list, parts.missing.join("\n")).map_err(SourceError::Scratch)?;
        let mut allow = OsString::from("--allow-undefined-file=");
        allow.push(list);
        arguments.push(allow);
    }
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
pub(crate) fn undefined_symbols(stderr: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in stderr.lines() {
        if let Some((_, name)) = line.split_once("undefined symbol: ")
            && !names.iter().any(|known| known == name.trim())
        {
            names.push(name.trim().to_owned());
        }
    }
    names
}
