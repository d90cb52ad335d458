//! Whatever is wrong with what is given: one message that says what to do, exit code 2, nothing written, no panic.

use crate::common::{program, run, scratch, write};

/// Runs `analyze`, which must refuse with a message that has all these words.
fn refused(args: &[&str], words: &[&str]) {
    let ran = run(&[&["analyze"], args].concat());
    assert_eq!(ran.code, 2, "{args:?}\n{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, "", "{args:?}");
    assert!(ran.stderr.starts_with("error: "), "{args:?}\n{}", ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "{args:?}: no '{word}' in\n{}", ran.stderr);
    }
}

const ISORT: [&str; 2] = ["--call", "isort(a: i32[n], n)"];

#[test]
fn files_that_cannot_be_read() {
    let directory = scratch();
    refused(&["does/not/exist.c", ISORT[0], ISORT[1]], &["does/not/exist.c", "No such file"]);
    refused(&[&write(&directory, "sort.py", "pass"), ISORT[0], ISORT[1]], &["sort.py", ".wasm"]);
    let folder = directory.path().join("folder.c");
    std::fs::create_dir(&folder).unwrap();
    refused(&[&folder.to_string_lossy(), ISORT[0], ISORT[1]], &["folder.c"]);
    refused(&[&write(&directory, "bad.c", "int f( {"), "--call", "f(i32)"], &["bad.c", "error:"]);
    refused(&[&write(&directory, "bad.wat", "(module (func $f"), "--call", "f(i32)"], &["bad.wat"]);
}

#[test]
fn modules_that_are_malformed_or_cut_off() {
    let directory = scratch();
    let text = r#"(module (memory 1) (data (i32.const 0) "abc") (table 2 funcref) (elem (i32.const 0) $f)
        (global (mut i32) (i32.const 7))
        (func $f (export "f") (param i32) (result i32)
            (if (result i32) (i32.gt_s (local.get 0) (i32.const 5)) (then (i32.const 1)) (else (local.get 0)))))"#;
    let whole = wat::parse_str(text).unwrap();
    let mut still_modules = 0;
    for length in 0..whole.len() {
        let file = write(&directory, "cut.wasm", &whole[..length]);
        let ran = run(&["analyze", &file, "--call", "f(i32)", "--sizes", "1"]);
        if ran.code == 0 {
            still_modules += 1;
            continue;
        }
        assert_eq!(ran.code, 2, "{length} bytes\n{}", ran.stderr);
        assert!(ran.stderr.contains("cut.wasm"), "{length} bytes\n{}", ran.stderr);
    }
    // Without its data or its names it is a module all the same.
    assert_eq!(still_modules, 2);
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0xff;
        let file = write(&directory, "changed.wasm", &changed);
        let ran = run(&["analyze", &file, "--call", "f(i32)", "--sizes", "1", "--effort", "1e8"]);
        assert!([0, 2, 3].contains(&ran.code), "byte {at}: {}", ran.code);
        assert!(!ran.stderr.contains("BUG"), "byte {at}\n{}", ran.stderr);
    }
    refused(
        &[&write(&directory, "text.wasm", "int main() {}"), "--call", "f()"],
        &["text.wasm", "not a WebAssembly module"],
    );
    refused(&[&write(&directory, "empty.wasm", ""), "--call", "f()"], &["empty.wasm"]);
}

#[test]
fn features_that_are_not_supported_are_named() {
    let directory = scratch();
    for (module, name) in [
        (r#"(module (func (export "f") (drop (i32x4.relaxed_trunc_f32x4_s (v128.const i64x2 0 0)))))"#, "relaxed SIMD"),
        (r#"(module (memory 1 1 shared) (func (export "f") (drop (i32.atomic.load (i32.const 0)))))"#, "threads"),
        (r#"(module (memory i64 1) (func (export "f")))"#, "memory64"),
        (r#"(module (tag) (func (export "f") (throw 0)))"#, "exceptions"),
        (r#"(module (type (struct)) (func (export "f") (drop (struct.new 0))))"#, "GC"),
    ] {
        refused(&[&write(&directory, "feature.wat", module), "--call", "f()"], &["feature.wat", name]);
    }
    let component = write(&directory, "component.wasm", b"\0asm\x0d\0\x01\0");
    refused(&[&component, "--call", "f()"], &["component"]);
}

#[test]
fn imports_that_nobody_provides_are_named() {
    let directory = scratch();
    for (import, words) in [
        (r#"(import "env" "launch_rocket" (func (param i32)))"#, ["env", "launch_rocket"]),
        (r#"(import "env" "memory" (memory 1))"#, ["env", "memory"]),
        (r#"(import "host" "limit" (global i32))"#, ["host", "limit"]),
        (r#"(import "slowpath" "begin" (func (param i64)))"#, ["slowpath", "begin"]),
    ] {
        let file = write(&directory, "import.wat", format!(r#"(module {import} (func (export "f") (param i32)))"#));
        refused(&[&file, "--call", "f(i32)"], &words);
    }
    let file = write(&directory, "own.wat", r#"(module (import "slowpath" "begin" (func $b)) (func (export "f")))"#);
    refused(&[&file, "--call", "b()"], &["imports", "f()"]);
}

#[test]
fn functions_that_are_not_there_have_their_neighbours_suggested() {
    let file = program("isort.c");
    refused(&[&file, "--call", "isrot(i32[n], n)"], &["isrot", "did you mean isort?", "isort(int *a, int n)"]);
    refused(&[&file, "--harness", "main"], &["main", "isort"]);
    // Nothing said is answered with what there is.
    refused(&[&file], &["--call", "--harness", "isort(int *a, int n)", "--call 'isort(a: i32[n], n)'"]);
    refused(&[&program("bst.c")], &["int bst_search(int n)"]);
}

#[test]
fn signatures_that_do_not_fit() {
    let file = program("isort.c");
    for (call, word) in [
        ("isort(i32[n])", "2 arguments"),
        ("isort(i32[n], n, n)", "2 arguments"),
        ("isort(i32[n], f64)", "f64"),
        ("isort(i64, n)", "argument 1"),
        ("isort(i32[n], n", "column"),
        ("", "column"),
        ("isort(i33[n], n)", "i33"),
        ("isort(i32[n/0], n)", "zero"),
        ("isort(i32[0-n], n)", "negative"),
        ("isort(u8[n] in 0..=256, n)", "u8"),
        ("isort(i32[n] in 9..=1, n)", "empty"),
        ("isort(i32[n], 99999999999)", "fit"),
    ] {
        refused(&[&file, "--call", call, "--sizes", "2"], &[word]);
    }
    refused(&[&file, "--harness", "isort"], &["harness"]);
    refused(&[&file, "--harness", "isort", ISORT[0], ISORT[1]], &["--harness"]);
}

#[test]
fn sizes_that_make_no_sense() {
    let file = program("isort.c");
    for (sizes, word) in [
        ("0", "at least 1"),
        ("-1", "at least 1"),
        ("-5..3", "at least 1"),
        ("1000000001", "too large"),
        ("99999999999999999999", "too large"),
        ("500000000", "elements"),
        ("5..1", "empty"),
        ("1..1000000", "more than"),
        ("ten", "not a size"),
        ("", "not a size"),
    ] {
        refused(&[&file, ISORT[0], ISORT[1], "--sizes", sizes], &[word]);
    }
    let ran = run(&["run", &file, ISORT[0], ISORT[1], "--size", "-2"]);
    assert!(ran.code == 2 && ran.stderr.contains("at least 1"), "{}", ran.stderr);
}

#[test]
fn options_that_make_no_sense() {
    let file = program("isort.c");
    for (option, value, word) in [
        ("--cost", "beauty", "instructions"),
        ("--cost", "site:isort.c", "site:FILE:LINE"),
        ("--cost", "site:isort.c:1000", "no code at isort.c:1000"),
        ("--cost", "site:other.c:1", "isort.c"),
        ("--budget", "soon", "60s"),
        ("--budget", "0s", "more than 0"),
        ("--max-memory", "much", "MiB"),
        ("--max-paths", "0", "at least 1"),
        ("--jobs", "0", "at least 1"),
        ("--jobs", "1000000", "1024"),
        ("--strategy", "luck", "exhaustive"),
        ("--without", "memo,luck", "path-evolution"),
        ("--solver", "oracle", "layered"),
        ("--format", "yaml", "json"),
        ("--seed", "-1", "--seed"),
        ("--out", &file, "not a directory"),
    ] {
        refused(&[&file, ISORT[0], ISORT[1], option, value], &[word]);
    }
    let directory = scratch();
    let bare = write(&directory, "bare.wat", r#"(module (func (export "f") (param i32)))"#);
    refused(&[&bare, "--call", "f(i32)", "--cost", "site:f.c:1"], &["-g"]);
}

#[test]
fn modules_that_fail_to_start() {
    let directory = scratch();
    for (module, words) in [
        (r#"(module (func $s unreachable) (start $s) (func (export "f")))"#, ["start", "unreachable"]),
        (r#"(module (memory 1) (data (i32.const 65536) "x") (func (export "f")))"#, ["traps", "out of bounds"]),
        (r#"(module (memory 65536) (func (export "f")))"#, ["65536 pages", "--max-memory"]),
        (r#"(module (func $s (loop $l (br $l))) (start $s) (func (export "f")))"#, ["start", "instructions"]),
    ] {
        let file = write(&directory, "start.wat", module);
        refused(&[&file, "--call", "f()", "--max-instructions", "1e6"], &words);
    }
    let file = write(&directory, "bare.wat", r#"(module (func (export "f") (param i32)))"#);
    refused(&[&file, "--call", "f(u8[n])", "--sizes", "2"], &["no memory"]);
}

#[test]
fn nothing_is_written_for_bad_input() {
    let directory = scratch();
    let out = directory.path().join("out");
    let file = program("isort.c");
    run(&["analyze", &file, "--call", "nothing(n)", "--out", &out.to_string_lossy()]);
    assert!(!out.exists());
}

/// One mistake of each kind: the compiler's words, ours with what to do, and no trace of it.
#[test]
fn a_mistake_in_a_source_is_told_with_its_remedy_and_leaves_nothing() {
    let directory = scratch();
    let (out, corpus) = (directory.path().join("out"), directory.path().join("none").to_string_lossy().into_owned());
    let out_text = out.to_string_lossy().into_owned();
    let syntax = write(&directory, "syntax.c", "int f(int *a, int n) { return a[0] +; }\n");
    let header = write(&directory, "header.c", "#include \"lost.h\"\nint f(int *a, int n) { return a[0]; }\n");
    let cpp = write(&directory, "syntax.cpp", "#include <string>\nint f(const std::string &s) { return s.siz(); }\n");
    let rust = write(&directory, "syntax.rs", "pub fn f(a: &[i32]) -> i32 { a[0] + }\n");
    let good = write(&directory, "good.c", "int f(unsigned char *a, int n) { return a[0]; }\n");
    let empty = directory.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let empty = empty.to_string_lossy().into_owned();
    for (args, words) in [
        (&[syntax.as_str(), "--call", "f"][..], &["syntax.c:1:37: error", "mend it"][..]),
        (&[&header, "--call", "f"], &["'lost.h' file not found", "--define-header 'lost.h="]),
        (&[&cpp, "--call", "f"], &["no member named 'siz'", "mend it"]),
        (&[&rust, "--call", "f"], &["expected expression", "mend it"]),
        (&[&good, "--call", "g"], &["no function `g`", "--call 'f("]),
        (&[&good, "--call", "f(n, n)"], &["the number n", "help: --call 'f(a: u8[n], n)'"]),
        (&[&good, "--call", "f", "--corpus", &corpus], &["--corpus: cannot read", "one input a file"]),
        (&[&good, "--call", "f", "--corpus", &empty], &["no file in it"]),
        (&[&good, "--call", "f", "--project", &corpus], &["none"]),
        (&["--crate", "not a crate", "--call", "x::f(&str[n])"], &["not a crate"]),
    ] {
        refused(&[args, &["--out", &out_text, "--sizes", "1"]].concat(), words);
        assert!(!out.exists(), "{args:?}");
    }
}
