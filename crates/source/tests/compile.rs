//! Compiles real programs with the real tools and looks at what came out.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slowpath_source::{Compiled, Mode, Options, SourceError, Toolchain, load};
use wasmparser::{Operator, Parser, Payload};

/// What the tests want to know of a module.
struct Shape {
    exports: Vec<String>,
    imports: Vec<(String, String)>,
    custom_sections: Vec<String>,
    /// How often each instruction of interest occurs, by function (imports not counted).
    instructions: Vec<BTreeMap<&'static str, usize>>,
    bytes: Vec<u8>,
}

impl Shape {
    fn of(compiled: &Compiled) -> Shape {
        wasmparser::validate(&compiled.wasm).expect("the module is valid");
        let mut shape = Shape {
            exports: Vec::new(),
            imports: Vec::new(),
            custom_sections: Vec::new(),
            instructions: Vec::new(),
            bytes: compiled.wasm.clone(),
        };
        for payload in Parser::new(0).parse_all(&compiled.wasm) {
            match payload.expect("the module parses") {
                Payload::ExportSection(exports) => {
                    shape.exports.extend(exports.into_iter().map(|e| e.expect("an export").name.to_owned()))
                }
                Payload::ImportSection(imports) => shape.imports.extend(imports.into_imports().map(|i| {
                    let import = i.expect("an import");
                    (import.module.to_owned(), import.name.to_owned())
                })),
                Payload::CustomSection(section) => shape.custom_sections.push(section.name().to_owned()),
                Payload::CodeSectionEntry(body) => {
                    let mut counts = BTreeMap::new();
                    for operator in body.get_operators_reader().expect("a body") {
                        let name = match operator.expect("an instruction") {
                            Operator::Select | Operator::TypedSelect { .. } => "select",
                            Operator::BrIf { .. } | Operator::If { .. } => "branch",
                            Operator::BrTable { .. } => "br_table",
                            _ => continue,
                        };
                        *counts.entry(name).or_insert(0) += 1;
                    }
                    shape.instructions.push(counts);
                }
                _ => {}
            }
        }
        shape
    }

    fn count(&self, instruction: &str) -> usize {
        self.instructions.iter().filter_map(|f| f.get(instruction)).sum()
    }

    fn mentions(&self, text: &str) -> bool {
        self.bytes.windows(text.len()).any(|w| w == text.as_bytes())
    }
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(name)
}

fn faithful(name: &str) -> (Compiled, Shape) {
    let compiled = load(&program(name), &Options::default()).expect(name);
    let shape = Shape::of(&compiled);
    (compiled, shape)
}

fn optimized(name: &str) -> (Compiled, Shape) {
    let options = Options { optimize: Some(vec!["-O2".to_owned()]), ..Options::default() };
    let compiled = load(&program(name), &options).expect(name);
    let shape = Shape::of(&compiled);
    (compiled, shape)
}

/// A file in a directory of its own, which lives as long as the first part does.
fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    fs::write(&path, text).expect("the file is written");
    (directory, path)
}

#[test]
fn isort_keeps_its_branches_and_its_debug_info() {
    let (compiled, shape) = faithful("isort.c");
    assert_eq!(compiled.mode, Mode::BranchFaithful);
    assert!(!compiled.libc);
    assert!(compiled.notes.is_empty(), "{:?}", compiled.notes);
    assert_eq!(shape.count("select"), 0);
    assert!(shape.count("branch") >= 3);
    assert!(shape.exports.contains(&"isort".to_owned()));
    assert!(shape.imports.is_empty());
    for section in [".debug_line", ".debug_info", "name"] {
        assert!(shape.custom_sections.iter().any(|s| s == section), "{section}");
    }
}

#[test]
fn every_program_without_libc_is_free_of_selects() {
    let mut seen = 0;
    for entry in fs::read_dir(program("")).expect("the programs") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a plain name");
        if name.ends_with(".c") && !["everyday.c", "libc_user.c", "libraries.c", "unknown_amounts.c"].contains(&name) {
            let (compiled, shape) = faithful(name);
            assert!(!compiled.libc, "{name}: {:?}", compiled.notes);
            assert_eq!(shape.count("select"), 0, "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 15, "only {seen} programs found");
}

#[test]
fn merge_sort_loses_its_branch_to_selects_only_when_optimized() {
    let (_, shape) = faithful("merge_bottom_up.c");
    assert_eq!(shape.count("select"), 0);
    let (compiled, shape) = optimized("merge_bottom_up.c");
    assert_eq!(compiled.mode, Mode::Optimized);
    assert!(shape.count("select") > 0);
    assert!(compiled.notes.iter().any(|n| n.contains("-O2")), "{:?}", compiled.notes);
    assert!(shape.custom_sections.iter().any(|s| s == ".debug_line"));
}

#[test]
fn a_choice_between_constants_is_a_branch_too() {
    let text = "int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }\n\
                double half(int c) { double d = c ? 0.5 : 1.5; return c > 7 ? d : -d; }\n\
                static int f(int x) { return x; } static int g(int x) { return -x; }\n\
                int pick(int c, int x) { int (*h)(int) = c ? f : g; return h(x); }\n\
                int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] < 9 ? 3 : 4; return s; }\n";
    let (_directory, path) = written("choices.c", text);
    let shape = Shape::of(&load(&path, &Options::default()).expect("it compiles"));
    assert_eq!(shape.count("select"), 0);
    assert!(shape.count("branch") >= 6);
}

#[test]
fn undoing_selects_keeps_the_meaning() {
    // Several selects in one block, in the entry block, in a loop that is its own successor, and feeding phis.
    let text = "int two(int a, int b) { int x = a > b ? 10 : 20; int y = a > 5 ? 1 : 2; return x + y; }\n\
                int loop(int n) { int s = 0; do { s += n & 1 ? 3 : 5; n--; } while (n > 0); return s; }\n\
                int phi(int a, int b) { int r = a ? (b > 3 ? 7 : 9) : 4; return r * (b < 0 ? -1 : 1); }\n";
    let (_directory, path) = written("choices.c", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    assert_eq!(Shape::of(&compiled).count("select"), 0);
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, &compiled.wasm).expect("a module");
    let mut store = wasmi::Store::new(&engine, ());
    let instance = wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("an instance");
    let two = |a: i32, b: i32| (if a > b { 10 } else { 20 }) + if a > 5 { 1 } else { 2 };
    let phi = |a: i32, b: i32| {
        let r = match (a != 0, b > 3) {
            (true, true) => 7,
            (true, false) => 9,
            (false, _) => 4,
        };
        if b < 0 { -r } else { r }
    };
    let function = |store: &_, name| instance.get_typed_func::<(i32, i32), i32>(store, name);
    let (compiled_two, compiled_phi) = (function(&store, "two").expect("two"), function(&store, "phi").expect("phi"));
    for a in -1..8 {
        for b in -1..8 {
            assert_eq!(compiled_two.call(&mut store, (a, b)).expect("two"), two(a, b));
            assert_eq!(compiled_phi.call(&mut store, (a, b)).expect("phi"), phi(a, b));
        }
    }
    let looping = instance.get_typed_func::<i32, i32>(&store, "loop").expect("loop");
    assert_eq!(looping.call(&mut store, 7).expect("loop"), 4 * 3 + 3 * 5);
}

#[test]
fn locals_live_in_registers() {
    // A stack frame would begin by reading the stack pointer.
    let (compiled, _) = faithful("isort.c");
    for payload in Parser::new(0).parse_all(&compiled.wasm) {
        if let Payload::CodeSectionEntry(body) = payload.expect("the module parses") {
            let mut operators = body.get_operators_reader().expect("a body").into_iter();
            assert!(!operators.any(|o| matches!(o, Ok(Operator::GlobalGet { .. }))));
        }
    }
}

#[test]
fn a_libc_user_gets_wasi_libc_and_is_told_so() {
    let (compiled, shape) = faithful("libc_user.c");
    assert!(compiled.libc);
    assert!(compiled.notes.iter().any(|n| n.contains("stdio.h")), "{:?}", compiled.notes);
    assert!(shape.exports.contains(&"_initialize".to_owned()));
    assert!(shape.exports.contains(&"count_negative".to_owned()));
    // The library itself stays inside.
    assert!(shape.exports.len() <= 4, "{:?}", shape.exports);
    assert!(shape.imports.iter().all(|(module, _)| module == "wasi_snapshot_preview1"));
}

#[test]
fn a_struct_copy_brings_in_memcpy_and_only_that() {
    let text = "struct big { int a[64]; }; void copy(struct big *to, const struct big *from) { *to = *from; }\n";
    let (_directory, path) = written("copy.c", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    assert!(compiled.libc);
    assert!(compiled.notes.iter().any(|n| n.contains("memcpy")), "{:?}", compiled.notes);
    assert!(Shape::of(&compiled).imports.is_empty());
}

#[test]
fn plain_cpp_needs_no_library_and_keeps_its_branches() {
    let text = "namespace area { struct Box { int w, h; int larger() const { return w > h ? w : h; } };\n\
                int largest(const Box *b, int n) { int m = 0; for (int i = 0; i < n; i++) if (b[i].larger() > m) m = b[i].larger();\n\
                return m; } }\n";
    let (_directory, path) = written("boxes.cpp", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    let shape = Shape::of(&compiled);
    assert_eq!((compiled.mode, compiled.libc), (Mode::BranchFaithful, false));
    assert_eq!((shape.count("select"), shape.count("branch")), (0, 3));
    assert!(shape.exports.contains(&"_ZN4area7largestEPKNS_3BoxEi".to_owned()), "{:?}", shape.exports);
}

#[test]
fn cpp_with_templates_gets_its_library_and_exports_only_its_own_functions() {
    let text = "#include <algorithm>\n#include <vector>\nint least(const int *a, int n) {\n\
                std::vector<int> v(a, a + n); std::sort(v.begin(), v.end()); return v.at(0); }\n";
    let (_directory, path) = written("sorted.cc", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    assert!(compiled.libc && compiled.notes.iter().any(|n| n.contains("libc++")), "{:?}", compiled.notes);
    let shape = Shape::of(&compiled);
    assert!(shape.exports.contains(&"_Z5leastPKii".to_owned()) && shape.exports.len() <= 4, "{:?}", shape.exports);
}

#[test]
fn constructors_of_static_objects_run_before_anything_else() {
    let text = "static int next; struct Counter { int value; Counter() : value(++next) {} };\n\
                static Counter counter; int first() { return counter.value; }\n";
    let (_directory, path) = written("static.cpp", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    assert!(compiled.notes.iter().any(|n| n.contains("constructors")), "{:?}", compiled.notes);
    assert!(Shape::of(&compiled).exports.contains(&"_initialize".to_owned()));
}

#[test]
fn rust_exports_its_own_functions_and_keeps_its_branches() {
    let text = "pub fn least(a: &[i32]) -> i32 { let mut m = a[0]; for &x in a { if x < m { m = x; } } m }\n\
                #[no_mangle] pub extern \"C\" fn larger(a: i32, b: i32) -> i32 { if a > b { a } else { b } }\n\
                fn unused() -> i32 { 7 }\n";
    let (_directory, path) = written("least.rs", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    assert_eq!(compiled.mode, Mode::BranchFaithful);
    let shape = Shape::of(&compiled);
    assert!(shape.imports.is_empty() && shape.exports.contains(&"larger".to_owned()), "{:?}", shape.exports);
    assert!(shape.exports.iter().any(|name| name.contains("least") && name.starts_with("_")), "{:?}", shape.exports);
    assert!(shape.exports.len() <= 5, "nothing of the standard library: {:?}", shape.exports);

    let options = Options { optimize: Some(vec!["-O2".to_owned()]), ..Options::default() };
    let optimized = load(&path, &options).expect("it compiles");
    assert_eq!(optimized.mode, Mode::Optimized);
    assert!(optimized.wasm != compiled.wasm && optimized.notes[0].contains("-O2"), "{:?}", optimized.notes);
}

#[test]
fn a_rustc_without_the_target_is_answered_with_what_adds_it() {
    let empty = tempfile::tempdir().expect("a temporary directory");
    let (_directory, path) = written("f.rs", "pub fn f() {}\n");
    let options = Options { tool_path: Some(OsString::from(empty.path())), ..Options::default() };
    let error = load(&path, &options).expect_err("there is no rustc");
    assert!(matches!(error, SourceError::MissingRust { found: false }));
    assert!(error.to_string().contains("rustup target add wasm32-unknown-unknown"), "{error}");
    // One whose folder of libraries has nothing for WebAssembly.
    let rustc = empty.path().join("rustc");
    fs::write(&rustc, format!("#!/bin/sh\necho {}/none\n", empty.path().display())).expect("a script");
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).expect("it may be run");
    let error = load(&path, &options).expect_err("it has no target");
    assert!(matches!(error, SourceError::MissingRust { found: true }), "{error}");
    assert!(error.to_string().contains("rustup target add wasm32-unknown-unknown"), "{error}");
}

#[test]
fn wide_arithmetic_needs_no_libc() {
    let text = "unsigned long long mulh(unsigned long long a, unsigned long long b)\n\
                { return (unsigned __int128)a * b >> 64; }\n";
    let (_directory, path) = written("wide.c", text);
    let compiled = load(&path, &Options::default()).expect("it compiles");
    assert!(!compiled.libc, "{:?}", compiled.notes);
}

#[test]
fn a_harness_imports_from_the_slowpath_module() {
    let (compiled, shape) = faithful("bst.c");
    assert!(!compiled.libc);
    let imported: Vec<&str> = shape.imports.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(imported, ["i32_array", "begin", "end"]);
    assert!(shape.imports.iter().all(|(module, _)| module == "slowpath"));
    assert!(shape.exports.contains(&"bst_search".to_owned()));
    assert!(shape.exports.contains(&"make".to_owned()), "static functions can be called too");
}

#[test]
fn the_header_works_for_c_and_cxx_on_wasm_and_on_the_host() {
    let tools = Toolchain::find().expect("the tools");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let (_directory, path) = written("empty.c", "#include <slowpath.h>\n");
    for flags in [&["-x", "c"][..], &["-x", "c++"], &["-x", "c", "--target=wasm32"], &["-x", "c++", "--target=wasm32"]]
    {
        let status = std::process::Command::new(&tools.clang)
            .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-ffreestanding"])
            .args(flags)
            .arg("-I")
            .arg(&include)
            .arg(&path)
            .status()
            .expect("clang runs");
        assert!(status.success(), "{flags:?}");
    }
}

#[test]
fn compiling_twice_gives_the_same_bytes_and_names_no_temporary_place() {
    let (first, shape) = faithful("cost_begin_end.c");
    let (second, _) = faithful("cost_begin_end.c");
    assert_eq!(first.wasm, second.wasm);
    let scratch = std::env::temp_dir();
    assert!(!shape.mentions(scratch.join("slowpath-").to_str().expect("a plain name")));
    assert!(shape.mentions("cost_begin_end.c"));
}

#[test]
fn defines_and_include_paths_reach_the_compiler() {
    let (directory, path) = written("uses.c", "#include <limit.h>\nint limit(void) { return LIMIT + EXTRA; }\n");
    let include = directory.path().join("include");
    fs::create_dir(&include).expect("a directory");
    fs::write(include.join("limit.h"), "#define LIMIT 7\n").expect("a header");
    let options =
        Options { extra_flags: vec!["-DEXTRA=1".to_owned(), format!("-I{}", include.display())], ..Options::default() };
    assert!(!load(&path, &options).expect("it compiles").libc);
}

#[test]
fn a_syntax_error_names_the_file_and_the_line() {
    let (_directory, path) = written("broken.c", "int fine;\nint broken( {\n");
    let error = load(&path, &Options::default()).expect_err("it is broken").to_string();
    assert!(error.contains(&format!("{}:2:", path.display())), "{error}");
    assert!(error.contains("compiling"), "{error}");
}

#[test]
fn a_function_that_exists_nowhere_is_named() {
    let (_directory, path) = written("lost.c", "int nowhere(int);\nint f(int x) { return nowhere(x); }\n");
    let compiled = load(&path, &Options::default()).expect("it links");
    assert_eq!(compiled.missing, ["nowhere"]);
    // A variable has no address to be a trap at.
    let (_directory, path) = written("lost.c", "extern int nowhere;\nint f(void) { return nowhere; }\n");
    let error = load(&path, &Options::default()).expect_err("it cannot link").to_string();
    assert!(error.contains("undefined symbol: nowhere"), "{error}");
}

#[test]
fn a_header_that_exists_nowhere_is_named() {
    let (_directory, path) = written("lost.c", "#include \"nowhere.h\"\n");
    let error = load(&path, &Options::default()).expect_err("it cannot compile").to_string();
    assert!(error.contains("'nowhere.h' file not found"), "{error}");
}

#[test]
fn missing_tools_are_answered_with_the_line_that_installs_them() {
    let empty = tempfile::tempdir().expect("a temporary directory");
    let options = Options { tool_path: Some(OsString::from(empty.path())), ..Options::default() };
    let error = load(&program("isort.c"), &options).expect_err("there are no tools");
    assert!(matches!(error, SourceError::MissingTool { .. }));
    assert!(error.to_string().contains("apt install clang-19 llvm-19 lld-19"), "{error}");
}

#[cfg(unix)]
#[test]
fn tools_of_different_versions_are_not_mixed() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let touch = |names: &[&str]| {
        for name in names {
            fs::write(directory.path().join(name), "").expect("a file");
        }
    };
    touch(&["clang-19", "opt-14", "llc-14", "wasm-ld-19"]);
    let error = Toolchain::find_in(directory.path().as_os_str()).expect_err("nothing is complete");
    assert!(error.to_string().contains("opt is here in version 14"), "{error}");
    touch(&["clang-14", "wasm-ld-14"]);
    let tools = Toolchain::find_in(directory.path().as_os_str()).expect("version 14 is complete");
    assert_eq!(tools.version, 14);
    touch(&["opt-19", "llc-19"]);
    let tools = Toolchain::find_in(directory.path().as_os_str()).expect("version 19 is complete");
    assert_eq!(tools.version, 19);
}

#[test]
fn a_compilation_that_takes_too_long_is_stopped() {
    let options = Options { timeout: Some(Duration::ZERO), ..Options::default() };
    let error = load(&program("isort.c"), &options).expect_err("there is no time");
    assert!(matches!(error, SourceError::Timeout { .. }), "{error}");
}

#[test]
fn an_unknown_kind_of_file_is_told_what_is_supported() {
    for name in ["program.py", "program.zig", "program"] {
        let error = load(Path::new(name), &Options::default()).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains(".cxx), .rs, .wasm and .wat"), "{error}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = load(Path::new("absent.c"), &Options::default()).expect_err("absent").to_string();
    assert!(error.contains("cannot read absent.c"), "{error}");
}

#[test]
fn text_modules_are_assembled_and_binaries_left_untouched() {
    let text = "(module (func (export \"f\") (result i32) i32.const 7))";
    let (_directory, path) = written("module.wat", text);
    let compiled = load(&path, &Options::default()).expect("it assembles");
    assert_eq!(compiled.mode, Mode::AsGiven);
    assert_eq!(Shape::of(&compiled).exports, ["f"]);

    let (directory, path) = written("broken.wat", "(module\n  (func i32.nonsense))");
    let error = load(&path, &Options::default()).expect_err("it is broken").to_string();
    assert!(error.contains("broken.wat:2:"), "{error}");

    // Even what is no module at all: judging it is the next crate's work.
    let binary = directory.path().join("odd.wasm");
    fs::write(&binary, b"not wasm").expect("a file");
    assert_eq!(load(&binary, &Options::default()).expect("it is read").wasm, b"not wasm");
}

#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["device.c", "device.wasm", "device.rs"] {
        let path = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/null", &path).unwrap();
        let error = load(&path, &Options::default()).unwrap_err();
        assert!(matches!(error, SourceError::NoFile { .. }), "{error}");
    }
}
