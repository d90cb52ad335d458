//! C for the machine slowpath itself runs on: compiled with the host's compiler, run with a deadline.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::run::Workshop;
use crate::{HEADER, SourceError};

const COMPILING: &str = "compiling for this machine (cc)";
const RUNNING: &str = "the native run";

/// A program for the host, in a directory that goes with it.
pub struct NativeProgram<'a> {
    workshop: Workshop<'a>,
    executable: PathBuf,
    /// What the compiler had to say.
    pub warnings: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeRun {
    /// By itself, with success.
    Done,
    /// By itself or by a signal, in words.
    Failed(String),
    /// The time was over.
    TimedOut,
}

/// The host's compiler: what `CC` names, or `cc`.
pub fn host_compiler() -> PathBuf {
    std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into()).into()
}

impl<'a> NativeProgram<'a> {
    /// Writes these files (plain names) and compiles the C files among them with `-O2` and `flags`. `source` is for messages.
    pub fn build(
        source: &'a Path,
        files: &[(&str, &[u8])],
        flags: &[String],
        timeout: Duration,
    ) -> Result<NativeProgram<'a>, SourceError> {
        let workshop = Workshop::open(source, timeout)?;
        let header = ("slowpath.h", HEADER.as_bytes());
        for (name, bytes) in files.iter().chain([&header]) {
            fs::write(workshop.file(name), bytes).map_err(SourceError::Scratch)?;
        }
        let executable = workshop.file("program");
        let mut arguments: Vec<OsString> = vec!["-O2".into(), "-I".into(), workshop.directory().into()];
        arguments.extend(flags.iter().map(OsString::from));
        let is_c = |name: &str| Path::new(name).extension() == Some(OsStr::new("c"));
        arguments.extend(files.iter().filter(|(name, _)| is_c(name)).map(|(name, _)| workshop.file(name).into()));
        arguments.extend(["-o".into(), executable.clone().into()]);
        // The program may use the mathematical functions.
        arguments.push("-lm".into());
        let compiled = workshop.run(COMPILING, &host_compiler(), arguments)?;
        if !compiled.success {
            return Err(workshop.failure(COMPILING, compiled));
        }
        Ok(NativeProgram { warnings: compiled.stderr, workshop, executable })
    }

    /// A file in its directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.workshop.file(name)
    }

    /// Runs it.
    pub fn run(&self, arguments: &[OsString], timeout: Duration) -> Result<NativeRun, SourceError> {
        // Nothing of what it prints is wanted; the directory holds its results.
        let workshop = Workshop::open(self.workshop.source, timeout)?;
        match workshop.run(RUNNING, &self.executable, arguments) {
            Ok(finished) if finished.success => Ok(NativeRun::Done),
            Ok(finished) => Ok(NativeRun::Failed(finished.status)),
            Err(SourceError::Timeout { .. }) => Ok(NativeRun::TimedOut),
            Err(other) => Err(other),
        }
    }
}
