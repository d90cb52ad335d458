//! How what was exported is compiled and linked, as lines for a shell inside the folder of the export.

use super::target;
use super::words::{comment, shell};
use super::{Export, NativeSource};

/// The files of C and of C++ that are compiled for any form: what knows the function, and what belongs to it.
pub fn sources(export: &Export) -> (Vec<String>, Vec<String>) {
    let replay = export.is_harness().then(|| "slowpath_replay.c".to_owned());
    let target = Some(target::name(export)).filter(|_| !is_rust(export));
    let all = target.into_iter().chain(replay).chain(export.more_files.iter().cloned());
    all.partition(|file| file.to_ascii_lowercase().ends_with(".c"))
}

/// A program with `NAME.c` as its main file.
pub fn program(export: &Export, name: &str) -> Vec<String> {
    let (c, cpp) = sources(export);
    if cpp.is_empty() && !is_rust(export) {
        let sources: Vec<String> = [format!("{name}.c")].into_iter().chain(c).collect();
        return vec![format!("{} {} -o {name} -lm && ./{name}", compiler("cc", export, true), words(&sources))];
    }
    let (mut lines, mut parts) = objects(export);
    parts.insert(0, format!("{name}.o"));
    lines.push(format!("{} -c {name}.c", compiler("cc", export, false)));
    let linker = if is_rust(export) { "cc" } else { "c++" };
    lines.push(format!("{linker} {} -o {name} {} && ./{name}", words(&parts), libraries(export)));
    lines
}

/// A program with `NAME.cpp` as its main file, linked with a library of C++.
pub fn cpp_program(export: &Export, name: &str, library: &str) -> Vec<String> {
    let (mut lines, parts) = objects(export);
    let (parts, libraries) = (words(&parts), libraries(export));
    lines.push(format!("c++ -O2 -std=c++17 {name}.cpp {parts} -o {name} {library} {libraries} && ./{name}"));
    lines
}

/// Where the Rust test of this name is.
pub fn rust_test_path(export: &Export, name: &str) -> String {
    match &export.source {
        NativeSource::Rust(_) => format!("{}/tests/{name}.rs", target::name(export)),
        _ => format!("{name}.rs"),
    }
}

/// A Rust test; of a program of Rust it is one of the package.
pub fn rust_test(export: &Export, name: &str) -> Vec<String> {
    if is_rust(export) {
        return vec![format!("{} --test {name}", cargo("test", export))];
    }
    let (mut lines, parts) = objects(export);
    let linked: Vec<String> = parts.iter().map(|part| format!("-Clink-arg={part}")).collect();
    // rustc leaves the default libraries out, whoever links.
    let library = if is_cpp(export) { " -C link-arg=-lstdc++" } else { "" };
    lines.push(format!("rustc --test {name}.rs {}{library} -C link-arg=-lm && ./{name}", words(&linked)));
    lines
}

/// A library for other languages, and where it is then.
pub fn shared_library(export: &Export) -> (Vec<String>, String) {
    let target = target::name(export);
    if is_rust(export) {
        return (vec![cargo("build", export)], format!("{target}/target/release/lib{target}.so"));
    }
    let library = format!("lib{}_target.so", export.stem());
    let (c, cpp) = sources(export);
    if cpp.is_empty() {
        let line = format!("{} -shared -fPIC {} -o {library} -lm", compiler("cc", export, true), words(&c));
        return (vec![line], library);
    }
    let (lines, parts) = objects(export);
    let position_independent = |line: String| line.replacen(" -O2", " -O2 -fPIC", 1);
    let mut lines: Vec<String> = lines.into_iter().map(position_independent).collect();
    lines.push(format!("c++ -shared {} -o {library} -lm", words(&parts)));
    (lines, library)
}

/// The fuzzer of `fuzz_STEM.c`, and a program of it that reads files. What cargo builds is not watched by libFuzzer: only read.
pub fn fuzzer(export: &Export, stem: &str) -> Vec<String> {
    let (c, cpp) = sources(export);
    let reader = format!("cc -O2 -DREAD_FILES -c fuzz_{stem}.c -o run_{stem}.o");
    let (mut lines, parts) = objects(export);
    let parts = words(&parts);
    if is_rust(export) {
        lines.push(reader);
        lines.push(format!("cc run_{stem}.o {parts} -o run_{stem} {} && ./run_{stem} corpus/*", libraries(export)));
        return lines;
    }
    let watched = " -g -O1 -fsanitize=fuzzer";
    let compiler = |name: &str, own: bool| compiler(name, export, own).replacen(" -O2", watched, 1);
    let run = format!("-o fuzz_{stem} -lm && ./fuzz_{stem} corpus");
    if cpp.is_empty() {
        let one = compiler_line(export, stem, &c);
        return vec![format!("{} fuzz_{stem}.c {} {run}", compiler("clang", true), words(&c)), one];
    }
    let both = words(&[vec![format!("fuzz_{stem}.c")], c.clone()].concat());
    let objects: Vec<String> = [format!("fuzz_{stem}.c")].iter().chain(&c).map(|file| object(file)).collect();
    let objects = words(&objects);
    let mut all = vec![
        format!("{} -c {both}", compiler("clang", false)),
        format!("{} {objects} {} {run}", compiler("clang++", true), words(&cpp)),
    ];
    all.extend(lines);
    all.push(reader);
    all.push(format!("c++ run_{stem}.o {parts} -o run_{stem} -lm && ./run_{stem} corpus/*"));
    all
}

fn compiler_line(export: &Export, stem: &str, c: &[String]) -> String {
    let compiler = compiler("cc", export, true);
    format!("{compiler} -DREAD_FILES fuzz_{stem}.c {} -o run_{stem} -lm && ./run_{stem} corpus/*", words(c))
}

/// Compiles everything but the main file; gives the lines, and what is to be linked.
pub fn objects(export: &Export) -> (Vec<String>, Vec<String>) {
    if is_rust(export) {
        let target = target::name(export);
        return (vec![cargo("build", export)], vec![format!("{target}/target/release/lib{target}.a")]);
    }
    let (c, cpp) = sources(export);
    let mut lines = Vec::new();
    for (compile, files, own) in [("cc", &c, !is_cpp(export)), ("c++", &cpp, true)] {
        if !files.is_empty() {
            lines.push(format!("{} -c {}", compiler(compile, export, own), words(files)));
        }
    }
    (lines, c.iter().chain(&cpp).map(|file| object(file)).collect())
}

/// What programs of the source's language are linked with.
pub fn libraries(export: &Export) -> &'static str {
    if is_rust(export) { "-lpthread -ldl -lm" } else { "-lm" }
}

/// A compiler; with the flags of the program where it compiles the program's `own` language.
pub fn compiler(name: &str, export: &Export, own: bool) -> String {
    let mut all = vec![name.to_owned(), "-O2".to_owned()];
    if export.is_harness() {
        all.push("-I.".to_owned());
    }
    if own && !is_rust(export) {
        all.extend(export.cflags.iter().cloned());
    }
    comment(&shell(&all))
}

/// A command of cargo for the package that knows the function.
fn cargo(command: &str, export: &Export) -> String {
    let package = target::name(export);
    let place = format!("--manifest-path {package}/Cargo.toml --target-dir {package}/target");
    format!("cargo {command} --quiet --release {place}")
}

pub fn is_rust(export: &Export) -> bool {
    matches!(export.source, NativeSource::Rust(_))
}

pub fn is_cpp(export: &Export) -> bool {
    matches!(export.source, NativeSource::Cpp(_))
}

/// Where a compiler puts the object of a file: here, wherever the file is.
fn object(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    format!("{}.o", name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

fn words(all: &[String]) -> String {
    comment(&shell(all))
}
