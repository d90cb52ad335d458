//! The compilation of one Rust file: rustc to an archive with its standard library, wasm-ld to a module.
//!
//! Branch-faithful as far as rustc lets one: none of LLVM's passes but those that put locals in registers, so that every
//! branch that rustc writes stays one. rustc's own code generation takes the place of `llc`, since the bitcode of its LLVM is not
//! read by another.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::language::crate_name;
use crate::link::Parts;
use crate::object::Symbols;
use crate::run::Workshop;
use crate::toolchain::Toolchain;
use crate::{Compiled, Language, Mode, Options, SourceError, Wanted, link};

const COMPILING: &str = "compiling (rustc)";
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// Files beside the source that its copy can have beside it.
const MOST_NEIGHBOURS: usize = 1_000;
const EDITION: &str = "--edition=2021";

/// Compiles a crate that is one file.
pub(crate) fn compile(workshop: &Workshop<'_>, options: &Options) -> Result<Compiled, SourceError> {
    let path = workshop.source;
    if matches!(options.wanted, Wanted::Main) {
        return Err(SourceError::RustMain { path: path.to_path_buf() });
    }
    let places = options.tool_path.clone().or_else(|| env::var_os("PATH")).unwrap_or_default();
    let rustc = Rustc::find(&places)?;
    let tools = Toolchain::find_in(&places)?;
    let name = crate_name(path);
    let (object, archive) = (workshop.file(&format!("{name}.o")), workshop.file(&format!("lib{name}.a")));

    let mut arguments: Vec<OsString> =
        [EDITION, "--crate-type=staticlib", "--target", TARGET, "-g"].map(Into::into).into();
    // One unit, so that all functions of the crate are in one object; all of them, also those that nothing calls.
    arguments.extend(["-Ccodegen-units=1", "-Clink-dead-code", "-Cpanic=abort"].map(OsString::from));
    arguments.extend(passes(options.optimize.as_deref()).into_iter().map(OsString::from));
    arguments.push(format!("--crate-name={name}").into());
    // The directory is also where rustc puts what it makes on the way.
    arguments.extend(["--emit=obj,link".into(), "--out-dir".into(), workshop.directory().into()]);
    // Line tables name the file as the user did, wherever that was.
    if let Ok(here) = env::current_dir() {
        let mut map = OsString::from("--remap-path-prefix=");
        map.push(here);
        map.push("=.");
        arguments.push(map);
    }
    arguments.extend(options.extra_flags.iter().map(OsString::from));
    let source = with_shim(workshop, options, &mut arguments)?;
    arguments.extend(["--".into(), source.into()]);
    workshop.must(COMPILING, &rustc.path, arguments)?;

    let wasm = workshop.file("program.wasm");
    let symbols = Symbols::read(&fs::read(&object).map_err(SourceError::Scratch)?)
        .map_err(|error| SourceError::Object { path: path.to_path_buf(), message: error.to_string() })?;
    let exports: Vec<String> = match &options.shim {
        Some(shim) => vec![shim.function.clone()],
        None => symbols.functions.into_iter().filter(|f| !f.local && is_own(&f.name, &name)).map(|f| f.name).collect(),
    };
    let parts = Parts { inputs: vec![archive], exports, missing: Vec::new() };
    let linked = link::link(workshop, &tools, &parts, &wasm)?;
    if !linked.success {
        return Err(link::failure(workshop, linked));
    }
    let wasm = fs::read(wasm).map_err(SourceError::Scratch)?;
    let (mode, notes) = match &options.optimize {
        None => (Mode::BranchFaithful, Vec::new()),
        Some(flags) => (Mode::Optimized, vec![Mode::note(flags, Language::Rust)]),
    };
    Ok(Compiled { wasm, mode, libc: false, notes, missing: Vec::new() })
}

/// The file to compile: the user's, or a copy with the shim at its end, whose lines are said to be the user's.
fn with_shim(
    workshop: &Workshop<'_>,
    options: &Options,
    arguments: &mut Vec<OsString>,
) -> Result<PathBuf, SourceError> {
    let path = workshop.source;
    let shim = match &options.shim {
        Some(shim) => shim.text.clone(),
        None if options.tell_panics => crate::shim::panic_hook(),
        None => return Ok(path.to_path_buf()),
    };
    let text = fs::read_to_string(path).map_err(|source| SourceError::Read { path: path.to_path_buf(), source })?;
    let folder = with_neighbours(workshop, &text)?;
    let copy = folder.join("with_shim.rs");
    fs::write(&copy, text + &shim).map_err(SourceError::Scratch)?;
    // The later of two counts.
    let own = path.parent().unwrap_or(Path::new(""));
    for (from, to) in [(&folder, own), (&copy, path)] {
        let mut map = OsString::from("--remap-path-prefix=");
        map.push(from);
        map.push("=");
        map.push(to);
        arguments.push(map);
    }
    Ok(copy)
}

/// A folder for a copy of the file, in which it finds what stands beside it: its modules, and what it includes.
fn with_neighbours(workshop: &Workshop<'_>, text: &str) -> Result<PathBuf, SourceError> {
    let folder = workshop.file("beside");
    fs::create_dir_all(&folder).map_err(SourceError::Scratch)?;
    let is_other_file = |line: &str| line.trim_end().ends_with(';') && line.split_whitespace().any(|w| w == "mod");
    if !text.contains("include") && !text.lines().any(is_other_file) {
        return Ok(folder);
    }
    let Ok(path) = std::path::absolute(workshop.source) else { return Ok(folder) };
    let entries = path.parent().and_then(|own| fs::read_dir(own).ok()).into_iter().flatten();
    for entry in entries.flatten().take(MOST_NEIGHBOURS).filter(|entry| entry.path() != path) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name())).map_err(SourceError::Scratch)?;
        #[cfg(not(unix))]
        let _ = entry;
    }
    Ok(folder)
}

/// A rustc that has the standard library of the target.
#[derive(Clone, Debug)]
pub(crate) struct Rustc {
    path: PathBuf,
    /// In its own words, with where it is.
    pub version: String,
    /// The 80 of 1.80.
    minor: u32,
}

/// A newer cargo gives this rustc options that it does not know yet, and that change nothing.
const WRAPPER: &str = r#"#!/bin/sh
left=$#
while [ $left -gt 0 ]; do
    word=$1; shift; left=$((left - 1))
    case $word in
        --check-cfg) shift; left=$((left - 1)) ;;
        --check-cfg=* | --print=split-debuginfo) ;;
        *) set -- "$@" "$word" ;;
    esac
done
exec RUSTC "$@"
"#;

impl Rustc {
    /// The first one on the path that has the standard library of the target: not every one that is installed does.
    pub fn find(places: &OsString) -> Result<Rustc, SourceError> {
        let there = |folder: PathBuf| std::path::absolute(folder.join("rustc")).ok().filter(|tool| tool.is_file());
        let candidates = env::split_paths(places).filter_map(there);
        let mut seen = 0;
        for path in candidates {
            seen += 1;
            let path = behind_proxy(&path).unwrap_or(path);
            let Some(library) = ask(&path, &["--print", "target-libdir", "--target", TARGET]) else { continue };
            if Path::new(&library).is_dir() {
                let words = ask(&path, &["--version"]).unwrap_or_default();
                let minor = words.split('.').nth(1).and_then(|minor| minor.parse().ok()).unwrap_or(u32::MAX);
                return Ok(Rustc { version: format!("{words} ({})", path.display()), path, minor });
            }
        }
        Err(SourceError::MissingRust { found: seen > 0 })
    }

    /// The cargo beside it, or else the first on the path.
    pub fn cargo(&self, places: &OsString) -> Option<PathBuf> {
        let beside = self.path.parent().map(|folder| folder.join("cargo"));
        let others = env::split_paths(places).map(|folder| folder.join("cargo"));
        beside.into_iter().chain(others).find(|tool| tool.is_file())
    }

    /// What cargo is to start: this rustc, or a wrapper in `folder` that keeps newer options from it.
    pub fn for_cargo(&self, folder: &Path) -> PathBuf {
        /// The first that knows every option that a cargo of today gives.
        const KNOWS_ALL: u32 = 80;
        if self.minor >= KNOWS_ALL {
            return self.path.clone();
        }
        let wrapper = folder.join("rustc");
        let text = WRAPPER.replace("RUSTC", &self.path.to_string_lossy());
        if fs::read_to_string(&wrapper).ok().as_deref() != Some(&text) {
            // Under another name first: a second slowpath may be starting it.
            let written = fs::create_dir_all(folder).and_then(|()| {
                let mut file = tempfile::NamedTempFile::new_in(folder)?;
                file.write_all(text.as_bytes())?;
                #[cfg(unix)]
                {
                    use std::os::unix::fs::PermissionsExt;
                    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
                }
                // Closed before it is there to be run.
                Ok(file.into_temp_path().persist(&wrapper)?)
            });
            // Cargo will say that it is not there.
            let _ = written;
        }
        wrapper
    }
}

/// What a rustc answers to a question, asked where no folder of the program's has a say.
fn ask(rustc: &Path, question: &[&str]) -> Option<String> {
    let root = env::temp_dir().ancestors().last().map(Path::to_path_buf).filter(|root| root.is_dir())?;
    let answer = Command::new(rustc).args(question).current_dir(root).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

/// The compiler that a proxy would start by default. The proxy itself asks the `rust-toolchain.toml` of the folder it is started in which compiler to
/// start, and one that came with a program may name any program there is.
fn behind_proxy(rustc: &Path) -> Option<PathBuf> {
    let own = Path::new(&ask(rustc, &["--print", "sysroot"])?).join("bin").join(rustc.file_name()?);
    own.is_file().then_some(own)
}

/// The flags that decide how branches come out.
pub(crate) fn passes(optimize: Option<&[String]>) -> Vec<String> {
    let Some(flags) = optimize else {
        let faithful = ["-Copt-level=1", "-Cno-prepopulate-passes", "-Cpasses=sroa early-cse", "-Coverflow-checks=off"];
        return faithful.map(str::to_owned).into();
    };
    // What clang calls -O2 is an option of another name here.
    let level = |flag: &String| match flag.strip_prefix("-O") {
        Some(level @ ("0" | "1" | "2" | "3" | "s" | "z")) => format!("-Copt-level={level}"),
        _ => flag.clone(),
    };
    flags.iter().map(level).collect()
}

/// Whether a symbol is a function of the crate itself: not mangled, or one of its own paths.
fn is_own(symbol: &str, name: &str) -> bool {
    is_own_path(symbol, name) || rustc_demangle::try_demangle(symbol).is_err() && !symbol.starts_with("__")
}

/// Whether a symbol is a path that begins with the name of a crate.
pub(crate) fn is_own_path(symbol: &str, name: &str) -> bool {
    let path = rustc_demangle::try_demangle(symbol).map(|path| format!("{path:#}"));
    path.is_ok_and(|path| path.strip_prefix(name).is_some_and(|rest| rest.starts_with("::")))
}

#[cfg(test)]
mod tests {
    use super::{is_own, passes};

    #[test]
    fn own_functions_are_told_from_the_librarys() {
        assert!(is_own("_ZN4demo5isort17h0123456789abcdefE", "demo") && is_own("sort_it", "demo"));
        assert!(!is_own("_ZN4core3mem4swap17h0123456789abcdefE", "demo"));
        assert!(!is_own("_ZN5demos5isort17h0123456789abcdefE", "demo") && !is_own("__rust_alloc", "demo"));
    }

    #[test]
    fn levels_of_optimisation_are_translated() {
        assert_eq!(passes(Some(&["-O3".into(), "-Clto".into()])), ["-Copt-level=3", "-Clto"]);
        assert!(passes(None).contains(&"-Cno-prepopulate-passes".to_owned()));
    }
}
