//! What a document or a configuration from elsewhere may ask for without the user's word (`--trust`).
//!
//! Both name files to read and flags to compile with, and so does the `compile_commands.json` of a project that they name; whoever wrote them may
//! not be the user. So flags are those of a list, paths stay below folders that the user named, and nothing runs outside of the sandbox: no build
//! script, no native code.

mod fence;
mod flags;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use slowpath_report::{Findings, SourceOptions};

use crate::error::Error;
use crate::request::ProgramRequest;

pub(crate) use fence::{Fence, settled};

/// What the user vouches for. Default: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The document: whatever it asks for is done.
    pub document: bool,
    /// Build scripts and procedural macros of a crate of the registry.
    pub build: bool,
}

/// Refuses a document that asks for more than it may. `program` is the program's place in the user's own words.
pub(crate) fn check_document(document: &Path, findings: &Findings, program: Option<&Path>) -> Result<(), Error> {
    let own = if document.is_dir() { Some(document) } else { document.parent() };
    let beside = program.map(|file| if file.is_dir() { Some(file) } else { file.parent() });
    let fence = Fence::around([own, beside.flatten()].into_iter().flatten());
    let target = &findings.target;
    let compilation = &target.compilation;
    let flags: Vec<&String> = compilation.cflags.iter().chain(compilation.optimize.iter().flatten()).collect();
    let named = program.is_none().then(|| PathBuf::from(&target.file));
    refusal(&fence, named.as_deref(), &flags, &target.options)
        .or_else(|| refuse_project(&fence, program.or(named.as_deref())?, &target.options))
        .map_or(Ok(()), |what| Err(Error::Untrusted { file: document.to_owned(), what }))
}

/// What is wrong with what a configuration in `folder` asks for, if something is.
pub(crate) fn refuse_request(folder: &Path, request: &ProgramRequest) -> Option<String> {
    let flags: Vec<&String> = request.cflags.iter().chain(request.optimize.iter().flatten()).collect();
    let fence = Fence::around([folder]);
    refusal(&fence, Some(&request.file), &flags, &request.options)
        .or_else(|| refuse_project(&fence, &request.file, &request.options))
}

fn refusal(fence: &Fence, file: Option<&Path>, flags: &[&String], options: &SourceOptions) -> Option<String> {
    let allowed = match flags::check(flags) {
        Ok(paths) => paths,
        Err(flag) => return Some(not_harmless("it", &flag)),
    };
    let mut paths: Vec<PathBuf> = file.map(Path::to_owned).into_iter().collect();
    paths.extend(allowed.into_iter().map(PathBuf::from));
    paths.extend(options.more_files.iter().chain(&options.project).map(PathBuf::from));
    paths.extend(given_files(options).map(PathBuf::from));
    if let Some(outside) = paths.iter().find(|path| !fence.holds(path)) {
        return Some(format!("it wants to read {}, which is not below {fence}", outside.display()));
    }
    // Of a crate of the registry there is no fuzz target; of both, the file would be taken for a manifest, whatever it is called.
    let both = options.krate.is_some() && options.fuzz_target.is_some();
    let cargo = both || file.is_some_and(slowpath_source::is_cargo_project);
    cargo.then(|| "it names a cargo project, whose build scripts and macros would run on this machine".to_owned())
}

/// What is wrong with the project that files are compiled as part of: its list of commands came with it, and brings flags and files of its own.
fn refuse_project(fence: &Fence, file: &Path, options: &SourceOptions) -> Option<String> {
    let project = options.project.as_ref().map(PathBuf::from).or_else(|| file.is_dir().then(|| file.to_owned()))?;
    // What cannot be read is not compiled either, and whoever compiles says why.
    let files = slowpath_source::project_files(&project).ok()?;
    let who = format!("the project {}", project.display());
    let mut paths = BTreeSet::new();
    for file in files {
        let of_flags = match flags::check(&file.flags.iter().collect::<Vec<_>>()) {
            Ok(paths) => paths,
            Err(flag) => return Some(not_harmless(&who, &flag)),
        };
        paths.extend(of_flags.into_iter().map(PathBuf::from));
        paths.insert(file.path);
    }
    let outside = paths.iter().find(|path| !fence.holds(path))?;
    Some(format!("{who} wants to read {}, which is not below {fence}", outside.display()))
}

fn not_harmless(who: &str, flag: &str) -> String {
    format!("{who} wants to compile with `{flag}`, which is not on the list of harmless flags")
}

/// Files whose bytes a program gets.
fn given_files(options: &SourceOptions) -> impl Iterator<Item = &str> {
    let whole = options.stdin.iter().chain(&options.arguments).map(String::as_str);
    let named = options.files.iter().filter_map(|text| Some(text.split_once('=')?.1));
    whole.chain(named).filter_map(|text| text.strip_prefix('@'))
}
