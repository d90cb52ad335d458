//! The compilation of one Rust file: rustc to an archive with its standard library, wasm-ld to a module.
//!
//! Branch-faithful as far as rustc lets one: none of LLVM's passes but those that put locals in registers, so that every
//! branch that rustc writes stays one. rustc's own code generation takes the place of `llc`, since the bitcode of its LLVM is not
//! read by another.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::link::Parts;
use crate::object::Symbols;
use crate::run::Workshop;
use crate::toolchain::Toolchain;
use crate::{Compiled, Language, Mode, Options, SourceError, link};

const COMPILING: &str = "compiling (rustc)";
const TARGET: &str = "wasm32-unknown-unknown";
const EDITION: &str = "--edition=2021";

/// Compiles a crate that is one file.
pub(crate) fn compile(workshop: &Workshop<'_>, options: &Options) -> Result<Compiled, SourceError> {
    let path = workshop.source;
    let places = options.tool_path.clone().or_else(|| env::var_os("PATH")).unwrap_or_default();
    let rustc = find(&places)?;
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
    arguments.extend(["--".into(), path.into()]);
    workshop.must(COMPILING, &rustc, arguments)?;

    let wasm = workshop.file("program.wasm");
    let symbols = Symbols::read(&fs::read(&object).map_err(SourceError::Scratch)?)
        .map_err(|error| SourceError::Object { path: path.to_path_buf(), message: error.to_string() })?;
    let own = symbols.functions.into_iter().filter(|f| !f.local && is_own(&f.name, &name)).map(|f| f.name);
    let parts = Parts { inputs: vec![archive], exports: own.collect(), missing: Vec::new() };
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

/// The first rustc that has the standard library of the target: not every one that is installed does.
fn find(places: &OsString) -> Result<PathBuf, SourceError> {
    let candidates = env::split_paths(places).map(|directory| directory.join("rustc")).filter(|tool| tool.is_file());
    let mut seen = 0;
    for rustc in candidates {
        seen += 1;
        let asked = Command::new(&rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
        let Ok(answer) = asked else { continue };
        let library = PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim_end());
        if answer.status.success() && library.is_dir() {
            return Ok(rustc);
        }
    }
    Err(SourceError::MissingRust { found: seen > 0 })
}

/// The flags that decide how branches come out.
fn passes(optimize: Option<&[String]>) -> Vec<String> {
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

/// The file's name as the name of a crate.
fn crate_name(path: &Path) -> String {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("program_{name}"),
    }
}

/// Whether a symbol is a function of the crate itself: not mangled, or one of its own paths.
fn is_own(symbol: &str, name: &str) -> bool {
    match rustc_demangle::try_demangle(symbol) {
        Ok(path) => format!("{path:#}").strip_prefix(name).is_some_and(|rest| rest.starts_with("::")),
        Err(_) => !symbol.starts_with("__"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{crate_name, is_own, passes};

    #[test]
    fn crates_are_named_after_their_file() {
        assert_eq!(crate_name(Path::new("a/my-sort.rs")), "my_sort");
        assert_eq!(crate_name(Path::new("7.rs")), "program_7");
        assert_eq!(crate_name(Path::new("größe.rs")), "gr__e");
    }

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
