//! Programs as people have them: several files, projects, fuzz targets, whole programs, modules with foreign imports.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{analyze, column, json, program, results, run, scratch, write};

/// Writes files into a folder of their own, making the folders on the way.
pub fn files(files: &[(&str, &str)]) -> TempDir {
    let directory = scratch();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }
    directory
}

/// The path of a file in a folder.
pub fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).to_string_lossy().into_owned()
}

/// What is worth knowing about how a module came to be.
fn notes(findings: &Value) -> String {
    findings["target"]["notes"].to_string()
}

const SUM: &str = "#include \"step.h\"
int falls(const int *a, int n);
int nowhere(int);
static int peak(const int *a, int n) {
    int most = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > most) most = a[i];
    return most;
}
int steps(const int *a, int n) {
    if (a[0] == 77) return nowhere(n);
    return falls(a, n) + STEP;
}
int unrelated(void) { return does_not_exist(peak(0, 0)) + fork(); }
";
const FALLS: &str = "int falls(const int *a, int n) {
    int count = 0;
    for (int i = 1; i < n; i++)
        if (a[i] < a[i - 1]) count++;
    return count;
}
";

#[test]
fn several_files_are_one_program_of_which_only_what_is_needed_is_linked() {
    let directory = files(&[("sum.c", SUM), ("falls.c", FALLS), ("include/step.h", "#define STEP WIDTH\n")]);
    let (sum, falls, include) = (path(&directory, "sum.c"), path(&directory, "falls.c"), path(&directory, "include"));
    let build = [sum.as_str(), &falls, "-I", &include, "-D", "WIDTH=3", "--sizes", "1..3"];
    let found = analyze(&[&build[..], &["--call", "steps(a: i32[n], n)"]].concat());
    assert_eq!(column(&found, "paths"), [2, 3, 5]);
    // What the function needs and nobody has is a trap with its name; what others need is nobody's business.
    let traps = results(&found)[2]["traps"].to_string();
    assert!(traps.contains("`nowhere` is called, which is not there"), "{traps}");
    assert!(notes(&found).contains("nowhere") && !notes(&found).contains("does_not_exist"), "{}", notes(&found));
    // A static function, of which nothing in its file is left but itself.
    let found = analyze(&[&build[..], &["--call", "peak(a: i32[n], n)"]].concat());
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    // A document says all that it takes to build the program again.
    let out = path(&directory, "out");
    let args = [&["analyze"], &build[..], &["--call", "steps(a: i32[n], n)", "--out", &out]].concat();
    assert_eq!(run(&args).code, 0);
    let again = run(&["replay", &out]);
    assert_eq!(again.code, 0, "{}", again.stderr);
}

#[test]
fn a_project_gives_flags_and_the_files_that_are_asked_for() {
    let commands = r#"[
        {"directory": "..", "file": "src/main.c", "command": "cc -O2 -Iinclude -DLIMIT=9 -c src/main.c -o main.o"},
        {"directory": "..", "file": "src/scan.c", "arguments": ["cc", "-Iinclude", "-DLIMIT=9", "-c", "src/scan.c"]},
        {"directory": "..", "file": "src/table.c", "command": "cc -Iinclude -c src/table.c"},
        {"directory": "..", "file": "src/other.c", "command": "cc -Iinclude -c src/other.c"},
        {"directory": "..", "file": "src/broken.c", "command": "cc -c src/broken.c"}]"#;
    let directory = files(&[
        ("build/compile_commands.json", commands),
        ("include/all.h", "int scan(const char *s, int n);\nextern const int weight[4];\n"),
        ("src/main.c", "#include <all.h>\nint count(const char *s, int n) { return scan(s, n) % LIMIT; }\n"),
        (
            "src/scan.c",
            "#include <all.h>\nint scan(const char *s, int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++)\n        \
             if (s[i] == 'x') sum += weight[i & 3] + LIMIT;\n    return sum;\n}\n",
        ),
        ("src/table.c", "#include <all.h>\nconst int weight[4] = {1, 2, 3, 4};\n"),
        ("src/other.c", "int other(void) { return scan_not(1); }\n"),
        ("src/broken.c", "int broken( {\n"),
    ]);
    let (main, project) = (path(&directory, "src/main.c"), directory.path().to_string_lossy().into_owned());
    let call = ["--call", "count(s: u8[n], n)", "--sizes", "1..3"];
    let found = analyze(&[&[main.as_str(), "--project", &project], &call[..]].concat());
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    assert!(notes(&found).contains("scan.c") && notes(&found).contains("table.c"), "{}", notes(&found));
    assert!(!notes(&found).contains("other.c"), "{}", notes(&found));
    // The folder alone will do: the file is the one that defines the function.
    let found = analyze(&[&[project.as_str()], &call[..]].concat());
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
}

#[test]
fn a_project_without_even_a_template_is_compiled_with_what_its_sources_ask_about() {
    let directory = files(&[
        ("configure.ac", "AC_INIT([lib], [1])\nAC_CONFIG_HEADERS([config.h])\n"),
        ("include/lib/string.h", "#include <string.h>\nint weight(const char *s, int n);\n"),
        ("CMakeLists.txt", "set(WORD_TYPE \"unsigned char\")\n"),
        ("include/lib/word.h.cmake", "typedef @WORD_TYPE@ word@BITS@_t;\n"),
        (
            "src/weight.c",
            "#include \"config.h\"\n#include <lib/string.h>\n#include <lib/word.h>\n#if !HAVE_STRNLEN || HAVE_FORK || SIZEOF_LONG != 4\n#error wrong\n#endif\n\
             int weight(const char *s, int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++)\n        if ((word_t)s[i] == PACKAGE_VERSION[0] + 200)\n            \
             sum++;\n    return sum;\n}\n",
        ),
    ]);
    let project = directory.path().to_string_lossy().into_owned();
    let file = path(&directory, "src/weight.c");
    let found = analyze(&[&file, "--project", &project, "--call", "weight(s: u8[n], n)", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    assert!(notes(&found).contains("not configured"), "{}", notes(&found));
}

#[test]
fn a_project_that_was_never_configured_is_compiled_with_headers_made_of_its_templates() {
    let directory = files(&[
        ("configure", "#!/bin/sh\nexit 1\n"),
        (
            "config.h.in",
            "#undef HAVE_STRING_H\n#undef HAVE_FORK\n#undef HAVE_STRNLEN\n#undef SIZEOF_LONG\n#undef VERSION\n#undef ENABLE_TURBO\n",
        ),
        (
            "include/lib/part.h.in",
            "#define PART_INLINE @part_inline@\n#cmakedefine01 HAVE_STRCHR\nint weight(const char *s, int n);\n",
        ),
        (
            "src/weight.c",
            "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n#include <lib/part.h>\n#ifdef HAVE_STRING_H\n#include <string.h>\n#endif\n\
             #if defined(HAVE_FORK) || defined(ENABLE_TURBO) || !HAVE_STRNLEN || !HAVE_STRCHR || SIZEOF_LONG != 4\n\
             #error wrong\n#endif\nstatic PART_INLINE int plain(int c) { return c == VERSION[0]; }\n\
             int weight(const char *s, int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++)\n        if (plain(s[i]))\n            sum++;\n    \
             return sum;\n}\n",
        ),
        ("src/late.c", "#include \"never.h\"\nint late(int n) { return n; }\n"),
        ("use.c", "int weight(const char *s, int n);\nint use(const char *s, int n) { return weight(s, n); }\n"),
        ("lean.c", "int late(int n);\nint lean(int n) { return late(n); }\n"),
    ]);
    let project = directory.path().to_string_lossy().into_owned();
    let found =
        analyze(&[&path(&directory, "use.c"), "--project", &project, "--call", "use(s: u8[n], n)", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    assert!(notes(&found).contains("not configured") && notes(&found).contains("config.h"), "{}", notes(&found));
    // What the program itself calls and does not compile is no trap to analyse.
    let told =
        run(&["analyze", &path(&directory, "lean.c"), "--project", &project, "--call", "lean(n)", "--sizes", "1"]);
    assert_eq!(told.code, 2, "{}", told.stdout);
    assert!(told.stderr.contains("late.c") && told.stderr.contains("never.h.in"), "{}", told.stderr);
}

#[test]
fn headers_of_what_webassembly_does_not_have_say_that_there_is_none() {
    let text = r#"
#include <config.h>
#include "lib/_stdint.h"
#include <dlfcn.h>
#include <grp.h>
#include <libintl.h>
#include <net/if.h>
#include <netdb.h>
#include <pwd.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#if !defined(HAVE_STRUCT_TIMEVAL) || !defined(HAVE_SOCKLEN_T) || !HAVE_NETDB_H || HAVE_GETADDRINFO
#error wrong
#endif
int known(const uint8_t *s, int n) {
    struct addrinfo *found;
    int known = getpwuid(0) || getgrgid(0) || dlopen("x", RTLD_NOW) || !getaddrinfo("host", "1", 0, &found) || if_nametoindex("lo");
    for (int i = 0; i < n; i++)
        if (s[i] == *gettext("x")) { syslog(LOG_INFO, "%d", i); known += 2; }
    return known;
}
"#;
    let template = "#undef HAVE_STRUCT_TIMEVAL\n#undef HAVE_SOCKLEN_T\n#undef HAVE_NETDB_H\n#undef HAVE_GETADDRINFO\n";
    let directory = files(&[("config.h.in", template), ("known.c", text)]);
    let (file, project) = (path(&directory, "known.c"), directory.path().to_string_lossy().into_owned());
    let found = analyze(&[&file, "--project", &project, "--call", "known(s: u8[n], n)", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    let call = ["--call", "known(s: u8[n], n)", "--size", "2", "--input", r#"{"s": "xx"}"#];
    let ran = json(&[&["run", &file, "--project", &project], &call[..]].concat());
    assert_eq!(ran["result"], 4, "{ran}");
}

#[test]
fn functions_that_a_macro_gives_their_names_are_found_in_the_project() {
    let directory = files(&[
        ("lib/lib.h", "#define compile lib_compile\nint compile(const char *s, int n);\n"),
        (
            "lib/parts.c",
            "#include \"lib.h\"\nint compile(const char *s, int n) {\n    if (s[0] == 'x') return n;\n    return 0;\n}\n",
        ),
        ("main.c", "#include <lib.h>\nint f(const char *s, int n) { return compile(s, n); }\n"),
    ]);
    let (main, project) = (path(&directory, "main.c"), path(&directory, "lib"));
    let found = analyze(&[&main, "--project", &project, "--call", "f(s: u8[n], n)", "--sizes", "1..2"]);
    assert_eq!(column(&found, "paths"), [2, 2]);
    assert!(notes(&found).contains("parts.c"), "{}", notes(&found));
}

#[test]
fn a_header_that_is_generated_is_given_or_asked_for() {
    let directory = files(&[("configure", ""), ("a.c", "#include \"config.h\"\nint f(int x) { return x > LIMIT; }\n")]);
    let file = path(&directory, "a.c");
    let ran = run(&["analyze", &file, "--call", "f(x: i32)", "--sizes", "1"]);
    assert_eq!(ran.code, 2);
    for word in ["'config.h' file not found", "./configure", "--define-header 'config.h="] {
        assert!(ran.stderr.contains(word), "no '{word}' in\n{}", ran.stderr);
    }
    let header = ["--define-header", "config.h=#define LIMIT 3"];
    analyze(&[&[file.as_str(), "--call", "f(x: i32)", "--sizes", "1"], &header[..]].concat());
}

const FUZZ_TARGET: &str = r#"#include <fuzzer/FuzzedDataProvider.h>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzedDataProvider provider(data, size);
    bool strict = provider.ConsumeBool();
    int depth = 0;
    for (char c : provider.ConsumeRemainingBytesAsString()) {
        if (c == '(') depth++;
        else if (strict && c != ')') return 0;
    }
    return depth;
}
"#;

#[test]
fn a_fuzz_target_is_run_as_it_is_from_its_corpus() {
    let directory = files(&[("target.cpp", FUZZ_TARGET), ("corpus/a", "((((")]);
    let (file, corpus) = (path(&directory, "target.cpp"), path(&directory, "corpus"));
    let found = analyze(&[&file, "--fuzz-target", "--sizes", "1..3", "--corpus", &corpus]);
    assert!(results(&found).iter().all(|result| result["confidence"] == "exact"), "{}", found["limits"]);
    assert_eq!(found["target"]["function"], "LLVMFuzzerTestOneInput");
    let ran = run(&["analyze", &file, "--fuzz-target", "--sizes", "1", "--corpus", &path(&directory, "nowhere")]);
    assert!(ran.code == 2 && ran.stderr.contains("nowhere"), "{}", ran.stderr);
}

const WORDS: &str = r#"#include <stdio.h>
int main(int argc, char **argv) {
    int c, words = 0, inside = 0;
    FILE *from = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (from == 0) return 2;
    while ((c = getc(from)) != EOF) {
        if (c == ' ') inside = 0;
        else if (!inside) { inside = 1; words++; }
    }
    return words > 100;
}
"#;

#[test]
fn a_whole_program_reads_unknown_bytes() {
    let directory = files(&[("words.c", WORDS)]);
    let file = path(&directory, "words.c");
    let found = analyze(&[&file, "--stdin", "n", "--sizes", "1..4"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8, 16]);
    let worst = results(&found)[3]["input"]["stdin"].as_array().expect("bytes").clone();
    assert_eq!(worst.len(), 4);
    assert!(worst.windows(2).any(|pair| (pair[0] == 32) != (pair[1] == 32)), "{worst:?}");
    // The same bytes in a file, whose name is an argument.
    let found = analyze(&[&file, "--file", "data.txt=n", "--arg", "=data.txt", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    // Nothing to read is said, and not taken for a result.
    for (args, words) in [
        (&["--arg", "=lost.txt", "--file", "data.txt=n"][..], "the file lost.txt, which is not there"),
        (&["--harness", "main"][..], "standard input, which is empty here; give it with --stdin n"),
    ] {
        let args = [&["analyze", &file, "--sizes", "1", "--format", "json"], args].concat();
        let ran = run(&args);
        // A main with parameters is no harness.
        if ran.code == 0 {
            assert!(ran.stdout.contains(words), "{}", ran.stdout);
        }
    }
    let out = path(&directory, "out");
    assert_eq!(run(&["analyze", &file, "--stdin", "n", "--sizes", "2..3", "--out", &out]).code, 0);
    let again = run(&["replay", &out]);
    assert_eq!(again.code, 0, "{}", again.stderr);
}

#[test]
fn a_program_that_reads_what_nobody_gives_is_told_so() {
    let reads = "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }\n";
    let directory = files(&[("reads.c", reads)]);
    let found = analyze(&[&path(&directory, "reads.c"), "--harness", "main", "--sizes", "1"]);
    assert!(found["limits"].to_string().contains("give it with --stdin n"), "{}", found["limits"]);
}

#[test]
fn a_file_that_a_program_looks_for_is_said_though_no_file_is_given() {
    let opens = "#include <stdio.h>\nint main(int argc, char **argv) { return fopen(\"settings.txt\", \"r\") == 0 && argv[1][0] == 'x'; }\n";
    let directory = files(&[("opens.c", opens)]);
    let found = analyze(&[&path(&directory, "opens.c"), "--arg", "n", "--sizes", "1"]);
    assert!(found["limits"].to_string().contains("give it with --file 'settings.txt=n'"), "{}", found["limits"]);
    assert_eq!(results(&found)[0]["verified"], true, "{found}");
    // What it reads is shown as text.
    let shown = run(&["analyze", &path(&directory, "opens.c"), "--arg", "n", "--sizes", "1"]).stdout;
    assert!(shown.contains("argument1 = \"x\""), "{shown}");
}

#[test]
fn a_whole_program_is_listed_with_the_way_to_run_it() {
    let directory = files(&[("words.c", WORDS)]);
    let file = path(&directory, "words.c");
    let listed = run(&["list", &file]);
    assert!(listed.stdout.contains("int main(int argc, char **argv)   (line 2)"), "{}", listed.stdout);
    assert!(listed.stdout.contains("the whole program: run it with --stdin n"), "{}", listed.stdout);
    let ran = run(&["analyze", &file]);
    assert!(ran.code == 2 && ran.stderr.contains("for example: --stdin n"), "{}", ran.stderr);
    // A scan analyses functions, and says what it left out.
    let scan = run(&["scan", &file, "--effort", "1e6"]);
    assert!(scan.stdout.contains("run it with --stdin n"), "{}{}", scan.stdout, scan.stderr);
}

#[test]
fn foreign_imports_are_answered_for() {
    let text = r#"(module (import "env" "now" (func $now (result i32))) (func (export "f") (param i32) (result i32)
        (if (result i32) (i32.gt_s (call $now) (local.get 0))
            (then (i32.mul (call $now) (i32.const 3))) (else (i32.const 1)))))"#;
    let directory = scratch();
    let file = write(&directory, "clock.wat", text);
    let with = |answer: &str| analyze(&[&file, "--call", "f(x: i32)", "--sizes", "1", "--import", answer]);
    assert_eq!(column(&with("env.now=0"), "paths"), [2]);
    let found = with("env.now=unknown");
    assert_eq!(column(&found, "paths"), [2]);
    assert!(results(&found)[0]["input"].get("now").is_some(), "{found}");
    let found = with("env.now=trap");
    assert!(results(&found)[0]["trap"].as_str().is_some_and(|trap| trap.contains("`now` is called")), "{found}");
    let ran = run(&["analyze", &file, "--call", "f(x: i32)", "--sizes", "1", "--import", "now=soon"]);
    assert!(ran.code == 2 && ran.stderr.contains("env.now=unknown"), "{}", ran.stderr);
}

#[test]
fn objects_are_kept_and_commands_can_be_seen() {
    let directory = files(&[("falls.c", FALLS)]);
    let (file, keep) = (path(&directory, "falls.c"), path(&directory, "kept"));
    let args = [file.as_str(), "--call", "falls(a: i32[n], n)", "--size", "3", "--input", r#"{"a": [3, 2, 1]}"#];
    let with = |cached: bool| {
        let more: &[&str] = if cached { &[] } else { &["--no-cache"] };
        let all = [&["run"], &args[..], &["--keep", &keep], more].concat();
        let ran = crate::common::slowpath(&all).env("XDG_CACHE_HOME", directory.path().join("cache")).output();
        assert!(ran.expect("the binary starts").status.success());
        let read = |name: &str| fs::read(directory.path().join("kept").join(name)).expect("it is kept");
        (String::from_utf8(read("commands.txt")).expect("text"), read("program.wasm"))
    };
    let (commands, wasm) = with(true);
    assert!(commands.contains("-disable-llvm-passes") && commands.contains("--export=falls"), "{commands}");
    let (commands, again) = with(true);
    assert!(!commands.contains("-disable-llvm-passes"), "the object was not kept:\n{commands}");
    assert_eq!(wasm, again);
    let (commands, afresh) = with(false);
    assert!(commands.contains("-disable-llvm-passes") && wasm == afresh, "{commands}");
}

#[test]
fn containers_of_cpp_are_made_for_the_call() {
    let text = "#include <stdexcept>\n#include <string>\n#include <vector>\nnamespace ns {
int words(const std::string &s) {
    int count = 0;
    for (char c : s)
        if (c == ' ') count++;
    return count;
}
int rises(std::vector<int> v) {
    int count = 0;
    for (unsigned i = 1; i < v.size(); i++)
        if (v[i] > v[i - 1]) count++;
    if (count > 1) throw std::runtime_error(\"too many\");
    return count;
}
}
";
    let directory = files(&[("lines.cpp", text)]);
    let file = path(&directory, "lines.cpp");
    let found = analyze(&[&file, "--call", "ns::words(s: const std::string &[n])", "--sizes", "1..4"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8, 16]);
    let found = analyze(&[&file, "--call", "ns::rises(v: std::vector<int>[n])", "--sizes", "3"]);
    assert!(found.to_string().contains("an exception is thrown and not caught here: std::runtime_error"), "{found}");
    let ran = run(&["analyze", &file, "--call", "ns::words(std::map<int, int>[n])"]);
    assert!(ran.code == 2 && ran.stderr.contains("std::vector<T>"), "{}", ran.stderr);
    let one =
        json(&["run", &file, "--call", "ns::words(s: std::string[n])", "--size", "2", "--input", r#"{"s": [32, 32]}"#]);
    assert!(one["costs"]["instructions"].as_u64() > Some(10), "{one}");
}

/// No headers, no prototypes, parameters declared behind their names, and what GNU C adds.
const OLD: &str = r"
static counts[16];
less(a, b) register unsigned a, b; { return a < b; }
note(k) { if (k > 15) return; counts[k]++; }
char *copy(v, n) char *v; { char *p = malloc(n); memcpy(p, v, n); return p; }
double half(x) float x; { return x / 2; }
static sort(v, n) unsigned *v; {
    register i, j;
    unsigned t;
    for (i = 1; i < n; i++)
        for (j = i; j > 0 && less(v[j], v[j - 1]); j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t; }
}
work(v, n) unsigned *v; {
    unsigned *w = copy(v, 4 * n);
    __auto_type most = n ?: 3;
    note(most);
    if (half(3.0) > ({ int two = 2; two; })) abort();
    switch (n) { case 8 ... 15: return 1; }
    sort(w, n);
    return w[0];
}
";

#[test]
fn c_as_it_was_written_compiles_in_every_dialect() {
    let directory = files(&[("old.c", OLD)]);
    let old = path(&directory, "old.c");
    let call = [old.as_str(), "--call", "work(v: u32[n], n)", "--sizes", "2..4"];
    for dialect in ["", "-std=gnu89", "-std=gnu11", "-std=c99"] {
        let flags: &[&str] = if dialect.is_empty() { &[] } else { &["--cflags", dialect] };
        let found = analyze(&[&call[..], flags].concat());
        assert_eq!(column(&found, "paths"), [2, 6, 24], "{dialect}");
    }
}

#[test]
fn operators_cost_what_a_table_says_on_both_engines() {
    let prices = "# prices\n* 2\ni32.mul 9\nlocal.get 1\nend 3\nreturn 4\ndrop 2\nblock 5\nloop 6\nelse 7\n";
    let directory = files(&[("prices", prices), ("free", "br_if 0\n")]);
    let (file, call, prices) = (program("isort.c"), "isort(a: i32[n], n)", path(&directory, "prices"));
    let usual = analyze(&[&file, "--call", call, "--sizes", "1..4"]);
    let found = analyze(&[&file, "--call", call, "--sizes", "1..4", "--cost-table", &prices]);
    assert!(results(&found).iter().all(|r| r["verified"] == true && r["confidence"] == "exact"), "{found}");
    assert!(column(&found, "cost").iter().zip(column(&usual, "cost")).all(|(priced, usual)| *priced > usual));
    let ran = run(&["analyze", &file, "--call", call, "--cost-table", &path(&directory, "free")]);
    assert!(ran.code == 2 && ran.stderr.contains("line 1: br, br_if"), "{}", ran.stderr);
}

#[test]
fn text_beyond_ascii_is_valid_utf8() {
    let text = "int tails(const unsigned char *s, int n) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (s[i] >= 0x80 && s[i] < 0xc0) k++;
    return k;
}
";
    let directory = files(&[("tails.c", text)]);
    let file = path(&directory, "tails.c");
    let found = analyze(&[&file, "--call", "tails(s: utf8[n], n)", "--sizes", "1..3"]);
    assert!(results(&found).iter().all(|r| r["verified"] == true && r["confidence"] == "exact"), "{found}");
    let input: Vec<u8> = serde_json::from_value(results(&found)[2]["input"]["s"].clone()).expect("bytes");
    assert!(std::str::from_utf8(&input).is_ok(), "{input:?}");
    let bad = r#"{"s": [65, 128]}"#;
    let ran = run(&["run", &file, "--call", "tails(s: utf8[n], n)", "--size", "2", "--input", bad]);
    assert!(ran.code == 2 && ran.stderr.contains("valid UTF-8"), "{}", ran.stderr);
}

#[test]
fn iterators_are_both_ends_of_a_vector() {
    let text = "#include <vector>\nint rises(std::vector<int>::iterator first, std::vector<int>::iterator last) {\n    int c = 0;\n    \
                for (auto it = first; it != last && it + 1 != last; ++it)\n        if (it[0] < it[1]) c++;\n    return c;\n}\n\
                template <class It> int twice(It first, It last) { return rises(first, last) + rises(first, last); }\n";
    let directory = files(&[("rises.cpp", text)]);
    let file = path(&directory, "rises.cpp");
    for call in ["rises", "rises(std::vector<int>::iterator[n])", "twice(std::vector<int>::iterator[n])"] {
        let found = analyze(&[&file, "--call", call, "--sizes", "1..3"]);
        assert_eq!(column(&found, "paths"), [1, 2, 4], "{call}");
        assert!(results(&found).iter().all(|result| result["verified"] == true), "{found}");
    }
}

#[test]
fn a_file_of_the_project_that_is_needed_and_does_not_compile_is_told() {
    let directory = files(&[
        ("a.c", "extern int limit;\nint f(int x) { return x > limit; }\n"),
        ("b.c", "#include \"made.h\"\nint limit = LIMIT;\n"),
    ]);
    let (file, folder) = (path(&directory, "a.c"), directory.path().to_string_lossy().into_owned());
    let call = ["--project", &folder, "--call", "f(x: i32)", "--sizes", "1"];
    let ran = run(&[&["analyze", &file], &call[..]].concat());
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    for word in
        ["needs limit", "b.c of the project may define it", "'made.h' file not found", "--define-header 'made.h="]
    {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
    let found = analyze(&[&[file.as_str(), "--define-header", "made.h=#define LIMIT 3"], &call[..]].concat());
    assert!(found["target"]["notes"].to_string().contains("b.c of the project"), "{found}");
}
