//! What a crate has that can be called: its library as a module whose every function is exported, and which paths other crates may use.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{BUILDING, Dependency, Job, LIBRARIES, Library, home, is_kind, write_if_changed};
use crate::generics::{GenericFunction, generic_functions};
use crate::link::{self, Parts};
use crate::object::Symbols;
use crate::run::Workshop;
use crate::rust::{self, Rustc};
use crate::shim::Shim;
use crate::toolchain::Toolchain;
use crate::{CARGO_TIMEOUT, Options, SourceError};

/// Rounds in which paths are tried: the compiler tells of private ones first, and of others once those are gone.
const ROUNDS: usize = 4;

/// A library of a project, as a module.
pub struct LibraryModule {
    /// As paths begin with it.
    pub name: String,
    pub wasm: Vec<u8>,
    /// What is compiled only where somebody chooses types for it.
    pub generics: Vec<GenericFunction>,
}

/// The libraries of a project, or of a crate of the registry, each with all functions that are compiled for it: neither generic ones nor those that are
/// made where they are called.
pub fn library_modules(path: &Path, options: &Options) -> Result<Vec<LibraryModule>, SourceError> {
    with_job(path, options, |job| {
        let tools = Toolchain::find_in(&env::var_os("PATH").unwrap_or_default())?;
        let libraries = job.libraries()?;
        if libraries.is_empty() {
            return Err(SourceError::NoLibraries { path: job.workshop.source.to_path_buf() });
        }
        libraries.into_iter().map(|library| module(job, &tools, library)).collect()
    })
}

/// The path by which other crates may use each of these functions, such as `my_crate::parse`: its own, or the one that a private module's
/// function is exported under again. Where there is none, in the compiler's words why its own is none.
pub fn usable_paths(
    path: &Path,
    options: &Options,
    paths: &[String],
) -> Result<Vec<Result<String, String>>, SourceError> {
    with_job(path, options, |job| {
        let ways: Vec<(usize, String)> = paths
            .iter()
            .enumerate()
            .flat_map(|(k, own)| {
                // What another function is called by means that other one.
                let others = shorter(own).into_iter().filter(|way| !paths.contains(way));
                [own.clone()].into_iter().chain(others).map(move |way| (k, way))
            })
            .collect();
        let mut answers: Vec<Result<(), String>> = vec![Ok(()); ways.len()];
        let libraries = job.libraries()?;
        for _ in 0..ROUNDS {
            // A line for each, so that a message tells which.
            let line = |(at, (_, way)): (usize, &(usize, String))| match &answers[at] {
                Ok(()) => format!("pub fn try_{at}() {{ let _ = ::{way}; }}\n"),
                Err(_) => "\n".to_owned(),
            };
            let text: String = ways.iter().enumerate().map(line).collect();
            let folder = job.write_crate(&dependencies(&libraries), &text)?;
            let built = job.run_build(&folder)?;
            if built.success {
                break;
            }
            let told = complaints(&built.stderr);
            let mut any = false;
            for (line, why) in told {
                // The first line is for all.
                if let Some(answer) = line.checked_sub(2).and_then(|at| answers.get_mut(at)) {
                    *answer = Err(why);
                    any = true;
                }
            }
            if !any {
                return Err(job.failure(BUILDING, built));
            }
        }
        let of = |k: usize| ways.iter().zip(&answers).filter(move |((function, _), _)| *function == k);
        let first = |k: usize| {
            let usable = of(k).find(|(_, answer)| answer.is_ok()).map(|((_, way), _)| way.clone());
            let why = || of(k).find_map(|(_, answer)| answer.clone().err()).unwrap_or_default();
            usable.ok_or_else(why)
        };
        Ok((0..paths.len()).map(first).collect())
    })
}

/// The paths that a function of a module may be exported under again: those without some of its modules, the shortest first.
fn shorter(path: &str) -> Vec<String> {
    /// Deeper functions have more paths than are worth trying.
    const MOST_MODULES: usize = 3;
    let parts: Vec<&str> = path.split("::").collect();
    let is_module = |part: &&&str| part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let [library, inner @ .., _] = parts.as_slice() else { return Vec::new() };
    let modules = inner.iter().take_while(is_module).count();
    if path.contains(['<', '{', ' ']) || modules == 0 || modules > MOST_MODULES {
        return Vec::new();
    }
    (0..(1usize << modules) - 1)
        .map(|which| {
            let modules_kept = (0..modules).filter(|k| which >> k & 1 == 1).map(|k| parts[1 + k]);
            let words = [*library].into_iter().chain(modules_kept).chain(parts[1 + modules..].iter().copied());
            words.collect::<Vec<_>>().join("::")
        })
        .collect()
}

fn with_job<T>(
    path: &Path,
    options: &Options,
    work: impl FnOnce(&Job<'_>) -> Result<T, SourceError>,
) -> Result<T, SourceError> {
    let workshop = Workshop::of(path, options, CARGO_TIMEOUT)?;
    let places = options.tool_path.clone().or_else(|| env::var_os("PATH")).unwrap_or_default();
    let rustc = Rustc::find(&places)?;
    let cargo = rustc.cargo(&places).ok_or(SourceError::MissingCargo)?;
    let (call, function, text) = (String::new(), String::new(), String::new());
    let shim = Shim { call, function, text, flags: Vec::new() };
    let home = home(&workshop, options)?;
    work(&Job { workshop: &workshop, options, cargo, rustc, shim: &shim, home })
}

fn dependencies(libraries: &[Library]) -> String {
    let line = |library: &Library| match &library.dependency.place {
        super::Place::Version(_) => library.dependency.line(""),
        super::Place::Folder(folder) => library.dependency.line(&folder.to_string_lossy()),
    };
    format!("[dependencies]\n{}", libraries.iter().map(line).collect::<String>())
}

fn module(job: &Job<'_>, tools: &Toolchain, library: Library) -> Result<LibraryModule, SourceError> {
    let name = library.name.clone();
    let folder =
        job.write_crate(&dependencies(std::slice::from_ref(&library)), &format!("pub extern crate {name};\n"))?;
    if job.options.cargo.krate.is_some() && !job.options.cargo.trust_build {
        job.check_trust(&folder)?;
    }
    let archive = job.build(&folder)?;
    let exports = exported(&archive, &name)?;
    let wasm = job.workshop.file(&format!("{name}.wasm"));
    let linked =
        link::link(job.workshop, tools, &Parts { inputs: vec![archive], exports, missing: Vec::new() }, &wasm)?;
    if !linked.success {
        return Err(link::failure(job.workshop, linked));
    }
    let root = job.root_of(&folder, &name)?;
    let generics = root.map_or_else(Vec::new, |root| generic_functions(&root, &name));
    Ok(LibraryModule { name, wasm: fs::read(wasm).map_err(SourceError::Scratch)?, generics })
}

/// The functions of a library among the objects of an archive.
fn exported(archive: &PathBuf, library: &str) -> Result<Vec<String>, SourceError> {
    let bytes = fs::read(archive).map_err(SourceError::Scratch)?;
    let mut names = Vec::new();
    for object in members(&bytes).into_iter().filter(|member| member.starts_with(b"\0asm")) {
        let symbols = Symbols::read(object)
            .map_err(|error| SourceError::Object { path: archive.clone(), message: error.to_string() })?;
        let own = |f: &crate::object::Function| !f.local && rust::is_own_path(&f.name, library);
        names.extend(symbols.functions.into_iter().filter(own).map(|function| function.name));
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// The files in an archive of `ar`: each has a header of 60 bytes with its length, and begins at an even place.
fn members(archive: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = archive.strip_prefix(b"!<arch>\n").unwrap_or_default();
    while let Some((header, after)) = rest.split_at_checked(60) {
        let length = std::str::from_utf8(&header[48..58]).ok().and_then(|text| text.trim().parse::<usize>().ok());
        let Some((member, next)) = length.and_then(|length| after.split_at_checked(length)) else { break };
        found.push(member);
        rest = if member.len() % 2 == 1 { next.get(1..).unwrap_or_default() } else { next };
    }
    found
}

/// The lines of our own file that rustc complains about, each with the first line of its message.
fn complaints(stderr: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut message = String::new();
    for line in stderr.lines() {
        if let Some(text) = line.strip_prefix("error") {
            message = text.split_once(": ").map_or(text, |(_, text)| text).to_owned();
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            let number = place.split_once("lib.rs:").and_then(|(_, rest)| rest.split(':').next()?.parse().ok());
            if let (Some(number), false) = (number, message.is_empty()) {
                found.push((number, std::mem::take(&mut message)));
            }
        }
    }
    found
}

impl Job<'_> {
    /// All libraries that the project has, or the one of the registry.
    fn libraries(&self) -> Result<Vec<Library>, SourceError> {
        if self.options.cargo.krate.is_none() {
            return self.own_libraries();
        }
        let dependency: Dependency = self.dependency()?;
        let mut library = Library { name: dependency.name.replace('-', "_"), dependency };
        // A crate may call its library otherwise: `Inflector` has `inflector`.
        let folder = self.write_crate(&dependencies(std::slice::from_ref(&library)), "")?;
        let packages = self.all_packages(&folder)?;
        let own = packages.iter().find(|package| package["name"] == *library.dependency.name);
        let targets = own.and_then(|package| package["targets"].as_array()).into_iter().flatten();
        let named = targets.filter(|target| is_kind(target, &LIBRARIES)).find_map(|target| target["name"].as_str());
        if let Some(name) = named {
            library.name = name.replace('-', "_");
        }
        Ok(vec![library])
    }

    /// Writes a crate with this text; gives its folder.
    fn write_crate(&self, dependencies: &str, text: &str) -> Result<PathBuf, SourceError> {
        let folder = self.crate_folder(dependencies, text)?;
        write_if_changed(&folder.join("lib.rs"), &format!("#![allow(warnings)]\n{text}"))?;
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::{complaints, members, shorter};

    #[test]
    fn the_members_of_an_archive_begin_at_even_places() {
        let header = |length: usize| format!("{:<48}{length:<10}`\n", "name/");
        let archive = format!("!<arch>\n{}abc\n{}de", header(3), header(2));
        assert_eq!(members(archive.as_bytes()), [&b"abc"[..], b"de"]);
        assert!(members(b"no archive").is_empty());
        assert_eq!(members(format!("!<arch>\n{}a", header(9)).as_bytes()).len(), 0);
    }

    #[test]
    fn a_function_may_be_exported_without_its_modules() {
        assert_eq!(shorter("time::parse::duration"), ["time::duration"]);
        assert_eq!(shorter("a::b::c::T::f"), ["a::T::f", "a::b::T::f", "a::c::T::f"]);
        assert!(shorter("time::duration").is_empty() && shorter("a::T::f").is_empty());
        assert!(shorter("<a::b::T as a::U>::f").is_empty());
    }

    #[test]
    fn complaints_are_told_with_their_line() {
        let said = "error[E0603]: function `g` is private\n --> /c/shims/1/lib.rs:3:38\n  |\nnote: defined here\n --> src/lib.rs:9:1\n\
                    error: aborting due to 1 previous error\n";
        assert_eq!(complaints(said), [(3, "function `g` is private".to_owned())]);
    }
}
