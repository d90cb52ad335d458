//! The way from exported code to the program's source: included as its own build would have it, in C, C++ and Rust.

use std::fs;
use std::path::{Path, PathBuf};

use slowpath_program::names::short_name;
use slowpath_program::signature::Signature;
use slowpath_program::types::Types;
use slowpath_program::{Export, ExternKind};
use slowpath_report::Findings;
use slowpath_report::export::{CppSource, NativeSource, RustSource, file_stem};
use slowpath_source::{CargoOptions, HostCall, Language, Place, ShimError, crate_name};

use crate::error::Error;
use crate::relative_path::relative_path;
use crate::replay::rebuild;
use crate::trust::Trust;

/// What a program is written in, as far as the host can compile it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    C,
    Cpp,
    /// A file of Rust.
    Rust,
    /// A crate.
    Crate,
    /// Something that arrived compiled.
    Module,
}

impl Program {
    pub fn of(file: &Path, findings: &Findings) -> Program {
        if findings.target.options.krate.is_some() || slowpath_source::is_cargo_project(file) {
            return Program::Crate;
        }
        match Language::of(file) {
            Some(Language::C) => Program::C,
            Some(Language::Cpp) => Program::Cpp,
            Some(Language::Rust) => Program::Rust,
            None => Program::Module,
        }
    }

    pub fn is_source(self) -> bool {
        self != Program::Module
    }
}

/// A document, and what the user says about it.
pub(crate) struct About<'a> {
    pub document: &'a Path,
    pub findings: &'a Findings,
    pub program: Option<PathBuf>,
    pub trust: Trust,
}

impl About<'_> {
    /// How code in a folder comes to the function of the program in `file`. An empty folder means that paths are to be absolute.
    pub fn source(&self, file: &Path, folder: &Path) -> Result<NativeSource, Error> {
        Ok(match Program::of(file, self.findings) {
            Program::Module => NativeSource::Linked,
            Program::C => NativeSource::Include(path_from(folder, file)?),
            Program::Cpp => NativeSource::Cpp(self.cpp(file, folder)?),
            Program::Rust => NativeSource::Rust(self.rust_file(file, folder)?),
            Program::Crate => NativeSource::Rust(self.rust_crate(file, folder)?),
        })
    }

    /// Flags that the call needs besides those of the program.
    pub fn more_flags(&self, file: &Path) -> Vec<String> {
        let given = self.findings.target.options.call.as_deref().filter(|_| Language::of(file) == Some(Language::Cpp));
        given.and_then(|call| HostCall::cpp(call, None).ok()).map(|call| call.flags).unwrap_or_default()
    }

    fn cpp(&self, file: &Path, folder: &Path) -> Result<CppSource, Error> {
        let target = &self.findings.target;
        let include = path_from(folder, file)?;
        if let Some(call) = &target.options.call {
            let body = HostCall::cpp(call, None)?.body;
            return Ok(CppSource { include, function: target.function.clone(), body: Some(body) });
        }
        // The user may have left out the namespaces.
        let function = self.declared()?.0;
        HostCall::cpp(&format!("{function}()"), None)?;
        Ok(CppSource { include, function, body: None })
    }

    fn rust_file(&self, file: &Path, folder: &Path) -> Result<RustSource, Error> {
        let target = &self.findings.target;
        let (name, types) = match &target.options.call {
            Some(_) => (target.function.clone(), None),
            None => self.declared()?,
        };
        let own = crate_name(file);
        let function = name.strip_prefix(&format!("{own}::")).unwrap_or(&name);
        let text = fs::read_to_string(file).map_err(|source| Error::File { file: file.to_owned(), source })?;
        let is_public = is_public(&text, function);
        let path = if is_public { format!("::{own}::{function}") } else { format!("crate::{function}") };
        let body = self.rust_call(types.as_deref(), path.trim_start_matches("::"))?;
        let mut source = RustSource { dependency: String::new(), package: None, copy: String::new(), body, lock: None };
        if is_public {
            let inside = inside(folder, &format!("{}_program", file_stem(&target.function).to_lowercase()));
            source.package = Some((own, path_from(&inside, file)?));
        } else {
            source.copy = text;
        }
        Ok(source)
    }

    fn rust_crate(&self, file: &Path, folder: &Path) -> Result<RustSource, Error> {
        let target = &self.findings.target;
        let options = &target.options;
        let cargo = CargoOptions {
            krate: options.krate.clone(),
            features: options.features.clone(),
            no_default_features: options.no_default_features,
            trust_build: self.trust.build,
            fuzz_target: None,
        };
        let dependency = slowpath_source::cargo_dependency(file, &cargo, &target.function)?;
        let inside = inside(folder, &format!("{}_target", file_stem(&target.function).to_lowercase()));
        let (line, lock) = match &dependency.place {
            Place::Version(_) => (dependency.line(""), None),
            Place::Folder(place) => {
                let lock = place.ancestors().map(|above| above.join("Cargo.lock")).find(|lock| lock.is_file());
                (dependency.line(&path_from(&inside, place)?), lock)
            }
        };
        let lock = lock.and_then(|lock| fs::read_to_string(lock).ok());
        let body = self.rust_call(None, &target.function)?;
        Ok(RustSource { dependency: line, package: None, copy: String::new(), body, lock })
    }

    fn rust_call(&self, types: Option<&[String]>, path: &str) -> Result<String, ShimError> {
        let call = match (&self.findings.target.options.call, types) {
            (Some(call), _) => HostCall::rust(call, path)?,
            (None, types) => HostCall::rust_declared(types.unwrap_or_default(), path)?,
        };
        Ok(call.body)
    }

    /// The name of the function with all that belongs to it, and in Rust the types of its parameters. Only the program knows them.
    fn declared(&self) -> Result<(String, Option<Vec<String>>), Error> {
        let subject = rebuild(self.document, self.findings, self.program.clone(), self.trust)?;
        let (program, function) = (&subject.program, subject.function);
        let types = Types::from_wasm(&subject.compiled.wasm);
        // A memory may have the same number.
        let is_it = |export: &&Export| export.kind == ExternKind::Func && export.index == function.0;
        let exported = program.exports.iter().find(is_it).map(|export| export.name.as_str());
        let symbol = exported.or_else(|| program.names.get(function.0));
        let name = symbol.map_or_else(|| self.findings.target.function.clone(), short_name);
        let signature = Signature::of(program, &types, function, &name);
        Ok((name, signature.rust_types()))
    }
}

/// A folder inside another; inside none, none.
fn inside(folder: &Path, name: &str) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::new() } else { folder.join(name) }
}

fn path_from(folder: &Path, file: &Path) -> Result<String, Error> {
    if folder.as_os_str().is_empty() {
        let absolute = file.canonicalize().map_err(|source| Error::File { file: file.to_owned(), source })?;
        return Ok(absolute.to_string_lossy().into_owned());
    }
    Ok(relative_path(folder, file))
}

/// Whether other crates can call a function of a file, as far as its text tells: every module on the way and the function are `pub`.
fn is_public(text: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split("::").collect();
    let declares = |line: &str, what: &str, name: &str| {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else { return false };
        let words: Vec<&str> = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        words.windows(2).any(|pair| pair == [what, name])
    };
    let is_declared = |what: &str, name: &str| text.lines().any(|line| declares(line, what, name));
    let Some((function, modules)) = parts.split_last() else { return false };
    let of_modules = |name: &&str| is_declared("mod", name) || is_declared("struct", name) || is_declared("enum", name);
    is_declared("fn", function) && modules.iter().all(of_modules)
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn what_is_public_is_told_by_its_text() {
        let text = "pub fn a() {}\nfn b() {}\npub(crate) fn c() {}\npub mod m {\n    pub unsafe extern \"C\" fn d(x: i32) {}\n}\nmod p { pub fn e() {} }";
        assert!(is_public(text, "a") && is_public(text, "m::d"));
        assert!(!is_public(text, "b") && !is_public(text, "c") && !is_public(text, "p::e") && !is_public(text, "f"));
    }
}
