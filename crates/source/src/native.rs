//! Programs for the machine slowpath itself runs on: compiled with the host's compilers, run with a deadline.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::run::Workshop;
use crate::{HEADER, Language, SourceError};

const COMPILING: &str = "compiling for this machine (cc)";
const BUILDING: &str = "building for this machine (cargo)";
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

/// The host's compiler of C++: what `CXX` names, or `c++`.
pub fn host_cpp_compiler() -> PathBuf {
    std::env::var_os("CXX").filter(|name| !name.is_empty()).unwrap_or_else(|| "c++".into()).into()
}

/// What a program for the host is made of.
#[derive(Clone, Debug, Default)]
pub struct NativeParts<'f> {
    /// Files to write, by relative names. Those of C and C++ among them are compiled.
    pub files: Vec<(&'f str, &'f [u8])>,
    /// Files of the user's to compile with them.
    pub more: Vec<PathBuf>,
    /// Flags for the files of the program's own language.
    pub flags: &'f [String],
    /// The cargo package among the files whose library is linked: its folder, which is also its name.
    pub package: Option<String>,
}

impl<'a> NativeProgram<'a> {
    /// Writes the files and compiles them with `-O2`. `source` is for messages.
    ///
    /// A program of C is compiled at once, with its flags. Beside C++ and Rust the files of C are ours, and compiled by themselves.
    pub fn build(
        source: &'a Path,
        parts: &NativeParts<'_>,
        timeout: Duration,
    ) -> Result<NativeProgram<'a>, SourceError> {
        let workshop = Workshop::open(source, timeout)?;
        let header = ("slowpath.h", HEADER.as_bytes());
        for (name, bytes) in parts.files.iter().chain([&header]) {
            let file = workshop.file(name);
            let written = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, bytes));
            written.map_err(SourceError::Scratch)?;
        }
        let executable = workshop.file("program");
        let own = parts.files.iter().map(|(name, _)| workshop.file(name));
        let (c, others): (Vec<PathBuf>, Vec<PathBuf>) = own.chain(parts.more.iter().cloned()).partition(|f| is_c(f));
        let cpp: Vec<PathBuf> = others.into_iter().filter(|file| Language::of(file) == Some(Language::Cpp)).collect();
        let start = || -> Vec<OsString> { vec!["-O2".into(), "-I".into(), workshop.directory().into()] };
        let mut arguments = start();
        if cpp.is_empty() && parts.package.is_none() {
            arguments.extend(parts.flags.iter().map(OsString::from));
        }
        let archive = parts.package.as_ref().map(|package| build_package(&workshop, package)).transpose()?;
        let compiler = if cpp.is_empty() {
            arguments.extend(c.into_iter().map(OsString::from));
            arguments.extend(archive.into_iter().map(OsString::from));
            host_compiler()
        } else {
            for (number, file) in c.into_iter().enumerate() {
                let object = workshop.file(&format!("part{number}.o"));
                let mut alone = start();
                alone.extend(["-c".into(), file.into(), "-o".into(), object.clone().into()]);
                workshop.must(COMPILING, &host_compiler(), alone)?;
                arguments.push(object.into());
            }
            arguments.extend(parts.flags.iter().map(OsString::from));
            arguments.extend(cpp.into_iter().map(OsString::from));
            host_cpp_compiler()
        };
        arguments.extend(["-o".into(), executable.clone().into()]);
        // The program may use the mathematical functions; the library of Rust uses the others.
        arguments.extend(["-lm", "-lpthread", "-ldl"].map(OsString::from));
        let compiled = workshop.run(COMPILING, &compiler, arguments)?;
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

fn is_c(file: &Path) -> bool {
    Language::of(file) == Some(Language::C)
}

/// Builds the library of a package that was written; gives its archive.
fn build_package(workshop: &Workshop<'_>, package: &str) -> Result<PathBuf, SourceError> {
    let target = workshop.file("cargo");
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--lib", "--quiet", "--manifest-path"]);
    command.arg(workshop.file(package).join("Cargo.toml")).arg("--target-dir").arg(&target);
    for other in ["RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(other);
    }
    let built = workshop.execute(BUILDING, command)?;
    if !built.success {
        return Err(workshop.failure(BUILDING, built));
    }
    Ok(target.join("release").join(format!("lib{package}.a")))
}
