//! `slowpath export`: what it writes compiles and runs as written, and is written nowhere else.
//!
//! An export takes the program's source in by its path. So after exporting, the tests put another program in its place that
//! prints what it is called with: the exported code has to hand over exactly the input of the finding.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Ran, analyze, json, program, results, run, scratch, write};
use crate::export_languages::bench;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A program in a folder of its own, its findings, and what was exported.
pub(crate) struct Project {
    pub directory: TempDir,
    pub findings: Value,
}

impl Project {
    /// Analyses a program called `name` and saves the findings.
    pub fn of(name: &str, source: &str, entry: [&str; 2], sizes: &str) -> Project {
        let directory = scratch();
        let file = write(&directory, name, source);
        let out = directory.path().join("found").to_string_lossy().into_owned();
        let findings = analyze(&[&file, entry[0], entry[1], "--sizes", sizes, "--out", &out]);
        Project { directory, findings }
    }

    pub fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_string_lossy().into_owned()
    }

    pub fn export(&self, form: &str, more: &[&str]) -> PathBuf {
        let out = self.path(form);
        let ran = run(&[&["export", &self.path("found"), "--as", form, "--out", &out], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        PathBuf::from(out)
    }

    /// Puts another program in the place of the one analysed.
    pub fn replace(&self, name: &str, source: &str) {
        write(&self.directory, name, source);
    }

    pub fn last_input(&self) -> &Value {
        &results(&self.findings).last().expect("there is a size")["input"]
    }
}

/// Runs a line as a shell would, in a directory.
pub(crate) fn shell(directory: &Path, line: &str) -> Ran {
    let output = Command::new("sh").args(["-ec", line]).current_dir(directory).stdin(Stdio::null()).output();
    Ran::from(output.expect("there is a shell"))
}

/// The commands in the comment that opens a file: what a user would copy.
pub(crate) fn commands(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("the file was exported");
    let lines = text.lines().filter_map(|l| l.strip_prefix(" *     ").or_else(|| l.strip_prefix("//!     ")));
    lines.collect::<Vec<_>>().join("\n")
}

/// Builds and runs an exported file as its comment says; nothing may be complained about.
pub(crate) fn follow(folder: &Path, file: &str) -> String {
    let ran = shell(folder, &commands(&folder.join(file)));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{file}\n{}", ran.stdout);
    ran.stdout
}

/// A Rust test prints only what is asked for.
pub(crate) fn follow_rust(folder: &Path, file: &str) -> String {
    let ran = shell(folder, &(commands(&folder.join(file)) + " --nocapture"));
    assert_eq!(ran.code, 0, "{file}\n{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stderr, "", "{file}");
    assert!(ran.stdout.contains("1 passed"), "{}", ran.stdout);
    ran.stdout
}

/// The line that a replaced program printed.
pub(crate) fn printed(stdout: &str) -> Value {
    let line =
        stdout.split("INPUT ").nth(1).and_then(|rest| rest.lines().next()).expect("the program printed its input");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

const ISORT: &str = include_str!("../../../../tests/programs/isort.c");
pub(crate) const PRINT_ISORT: &str = r#"
#include <stdio.h>
void isort(int *a, int n) {
    printf("INPUT {\"a\": [");
    for (int i = 0; i < n; i++)
        printf("%s%d", i ? ", " : "", a[i]);
    printf("]}\n");
    fflush(stdout);
}
"#;

pub(crate) fn isort() -> Project {
    Project::of("isort.c", ISORT, ["--call", "isort(a: i32[n], n)"], "1..7")
}

#[test]
fn a_c_test_compiles_runs_and_hands_over_the_input() {
    let project = isort();
    let folder = project.export("c", &[]);
    assert!(follow(&folder, "worst_isort_7.c").contains("isort at size 7: it ended, after "));
    project.replace("isort.c", PRINT_ISORT);
    assert_eq!(printed(&follow(&folder, "worst_isort_7.c")), *project.last_input());
}

#[test]
fn a_c_test_makes_any_size_by_the_input_law() {
    let project = isort();
    assert!(!project.findings["input_law"].is_null());
    let folder = project.export("c", &["--size", "4"]);
    project.replace("isort.c", PRINT_ISORT);
    follow(&folder, "worst_isort_4.c");
    let ran = shell(&folder, "./worst_isort_4 9");
    assert_eq!(printed(&ran.stdout), json!({"a": [8, 7, 6, 5, 4, 3, 2, 1, 0]}));
}

/// Two texts, the first of them half as long: bad where each is a pattern of its own.
const PREFIXES: &str = "int prefixes(const unsigned char *p, int m, const unsigned char *t, int n) {
    int matched = 0;
    for (int i = 0; i + m <= n; i++) {
        int k = 0;
        while (k < m && p[k] == (k == m - 1 ? '!' : '(') && t[i + k] == (2 * i + 2 * k < n ? '(' : ')'))
            k++;
        for (int back = k; back > 0; back--)
            matched += t[back] == p[back];
    }
    return matched;
}
";
const PRINT_PREFIXES: &str = r#"
#include <stdio.h>
int prefixes(const unsigned char *p, int m, const unsigned char *t, int n) {
    printf("INPUT {\"p\": [");
    for (int i = 0; i < m; i++)
        printf("%s%d", i ? ", " : "", p[i]);
    printf("], \"t\": [");
    for (int i = 0; i < n; i++)
        printf("%s%d", i ? ", " : "", t[i]);
    printf("]}\n");
    fflush(stdout);
    return 0;
}
"#;

/// What a pattern of the document gives at a length.
fn pattern_values(formula: &Value, length: usize) -> Value {
    let part = |name: &str| -> Vec<i64> {
        formula["pattern"][name].as_array().into_iter().flatten().filter_map(Value::as_i64).collect()
    };
    let [prefix, unit, middle, second, suffix] = ["prefix", "unit", "middle", "second", "suffix"].map(part);
    let room = length - prefix.len() - middle.len() - suffix.len();
    let repetitions = room / (unit.len() + second.len());
    let first = unit.iter().cycle().take(room - repetitions * second.len());
    let again = second.iter().cycle().take(repetitions * second.len());
    prefix.iter().chain(first).chain(&middle).chain(again).chain(&suffix).copied().collect()
}

#[test]
fn tests_make_any_size_by_a_pattern() {
    let entry = ["--call", "prefixes(p: u8[n/2], n/2, t: u8[n], n)"];
    let directory = scratch();
    let file = write(&directory, "prefixes.c", PREFIXES);
    let out = directory.path().join("found").to_string_lossy().into_owned();
    let findings = analyze(&[
        &file,
        entry[0],
        entry[1],
        "--sizes",
        "20,60",
        "--strategy",
        "pump",
        "--effort",
        "2e8",
        "--out",
        &out,
    ]);
    let project = Project { directory, findings };
    let law = &project.findings["input_law"]["inputs"];
    assert!(law[0]["pattern"].is_object() && law[1]["pattern"].is_object(), "{law}");
    let (c, rust) = (project.export("c", &["--size", "20"]), project.export("rust", &["--size", "20"]));
    project.replace("prefixes.c", PRINT_PREFIXES);
    follow(&c, "worst_prefixes_20.c");
    for n in [21, 31, 45] {
        let ran = shell(&c, &format!("./worst_prefixes_20 {n}"));
        let expected = json!({"p": pattern_values(&law[0], n / 2), "t": pattern_values(&law[1], n)});
        assert_eq!(printed(&ran.stdout), expected, "{law}");
    }
    assert!(rust.join("worst_prefixes_20.rs").is_file());
}

#[test]
fn a_rust_test_compiles_with_rustc_and_hands_over_the_input() {
    let project = isort();
    let folder = project.export("rust", &[]);
    follow_rust(&folder, "worst_isort_7.rs");
    project.replace("isort.c", PRINT_ISORT);
    assert_eq!(printed(&follow_rust(&folder, "worst_isort_7.rs")), *project.last_input());
}

/// Bytes, a scalar between them and numbers made from n, by a function that keeps itself to itself.
const SEVERAL: &str = r#"
#include <stdint.h>
static int several(const char *s, unsigned long n, uint8_t x, double *d, int64_t y, float f) {
    int found = 0;
    for (unsigned long i = 0; i < n; i++)
        if ((uint8_t)s[i] == x)
            found++;
    if (d[0] > 1.5 && f < -2.5f && y < -5000000000)
        for (int i = 0; i < 9; i++)
            found += found;
    return found;
}
int entry(const char *s, unsigned long n, uint8_t x, double *d, int64_t y, float f) { return several(s, n, x, d, y, f); }
int main(void) { return 0; }
"#;
const PRINT_SEVERAL: &str = r#"
#include <stdint.h>
#include <stdio.h>
void entry(const unsigned char *s, long n, uint8_t x, double *d, int64_t y, float f) {
    printf("INPUT {\"s\": [");
    for (long i = 0; i < n - 1; i++)
        printf("%s%d", i ? ", " : "", s[i]);
    printf("], \"x\": %d, \"d\": [%.17g], \"y\": %lld, \"f\": %.9g}\n", x, d[0], (long long)y, f);
    fflush(stdout);
}
"#;

#[test]
fn several_inputs_of_several_types_are_handed_over() {
    let call = "entry(s: u8[n], n, x: u8, d: f64[1] in -9..=9, y: i64, f: f32 in -9..=9)";
    let project = Project::of("several.c", SEVERAL, ["--call", call], "3");
    let (c, rust) = (project.export("c", &[]), project.export("rust", &[]));
    follow(&c, "worst_entry_3.c");
    project.replace("several.c", &PRINT_SEVERAL.replace("n - 1", "n"));
    let numbers = |value: &Value| -> Vec<f64> {
        let all = value.as_object().expect("an object").values();
        let flat = all.flat_map(|v| v.as_array().cloned().unwrap_or_else(|| vec![v.clone()]));
        flat.map(|v| v.as_f64().expect("a number")).collect()
    };
    let expected = numbers(project.last_input());
    // The last is an f32, which C and JSON write with other digits.
    let same = |given: Vec<f64>| {
        let (f, last) = (*given.last().expect("there is f") as f32, *expected.last().expect("there is f") as f32);
        given.len() == expected.len() && given[..given.len() - 1] == expected[..expected.len() - 1] && f == last
    };
    let ran = follow(&c, "worst_entry_3.c");
    assert!(same(numbers(&printed(&ran))), "{ran} {expected:?}");
    let ran = follow_rust(&rust, "worst_entry_3.rs");
    assert!(same(numbers(&printed(&ran))), "{ran} {expected:?}");
}

#[test]
fn a_nan_keeps_its_bits() {
    let source = "int f(float *a, float x) { int k = 0; if (a[0] != a[0] && x != x) for (; k < 9; k++) {} return k; }";
    let project = Project::of("nan.c", source, ["--call", "f(a: f32[1], x: f32)"], "1");
    let bits = |value: &Value| match value.as_str() {
        Some("NaN") => 0x7fc0_0000,
        Some(text) => u32::from_str_radix(text.trim_start_matches("nan:0x"), 16).expect("a NaN"),
        None => panic!("{value} is no NaN"),
    };
    let expected = json!([bits(&project.last_input()["a"][0]), bits(&project.last_input()["x"])]);
    let (c, rust) = (project.export("c", &[]), project.export("rust", &[]));
    let print = "#include <stdio.h>\n#include <string.h>\nvoid f(float *a, float x) {\n    unsigned p, q;\n    \
                 memcpy(&p, a, 4), memcpy(&q, &x, 4);\n    printf(\"INPUT [%u, %u]\\n\", p, q);\n    fflush(stdout);\n}\n";
    project.replace("nan.c", print);
    assert_eq!(printed(&follow(&c, "worst_f_1.c")), expected);
    assert_eq!(printed(&follow_rust(&rust, "worst_f_1.rs")), expected);
}

/// Takes one name several times, and assumes something.
pub(crate) const HARNESS: &str = r#"
#include "slowpath.h"
int harness(long n) {
    static int32_t keys[64];
    slowpath_i32_array(keys, n, "keys");
    uint8_t x = slowpath_u8("x"), again = slowpath_range_u8(3, 9, "x");
    slowpath_begin();
    int found = 0;
    for (long i = 0; i < n; i++)
        if (keys[i] == x + again)
            found += 2;
    slowpath_end();
    return found;
}
"#;
pub(crate) const PRINT: &str = r#"
#include <stdio.h>
#include "slowpath.h"
int harness(long n) {
    static int32_t keys[64];
    slowpath_i32_array(keys, n, "keys");
    uint8_t x = slowpath_u8("x"), again = slowpath_range_u8(3, 9, "x");
    printf("INPUT {\"keys\": [");
    for (long i = 0; i < n; i++)
        printf("%s%d", i ? ", " : "", keys[i]);
    printf("], \"x\": %d, \"x.1\": %d}\n", x, again);
    fflush(stdout);
    return 0;
}
"#;

#[test]
fn a_harness_is_given_its_inputs_by_name() {
    let project = Project::of("harness.c", HARNESS, ["--harness", "harness"], "3");
    assert!(project.last_input()["x.1"].as_u64().is_some_and(|x| (3..=9).contains(&x)));
    let (c, rust, ktest) = (project.export("c", &[]), project.export("rust", &[]), project.export("ktest", &[]));
    follow(&c, "worst_harness_3.c");
    let bytes = std::fs::read(ktest.join("harness_3.ktest")).unwrap();
    assert!(bytes.ends_with(&[&[3][..], b"x.1", &[0, 0, 0, 1], &[bytes[bytes.len() - 1]]].concat()), "{bytes:?}");
    project.replace("harness.c", PRINT);
    assert_eq!(printed(&follow(&c, "worst_harness_3.c")), *project.last_input());
    assert_eq!(printed(&follow_rust(&rust, "worst_harness_3.rs")), *project.last_input());
}

const FUZZ: &str = r#"
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int open = 0;
    for (size_t i = 0; i < size; i++)
        if (data[i] == '(')
            for (int k = 0; k < 5; k++)
                open++;
    return 0;
}
"#;
const PRINT_FUZZ: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    printf("INPUT {\"data\": [");
    for (size_t i = 0; i < size; i++)
        printf("%s%d", i ? ", " : "", data[i]);
    printf("]}\n");
    fflush(stdout);
    return 0;
}
"#;

#[test]
fn a_fuzz_target_is_called_with_its_bytes_and_its_corpus_is_made_of_them() {
    let project = Project::of("fuzz.c", FUZZ, ["--call", "LLVMFuzzerTestOneInput(data: u8[n], n)"], "4");
    assert_eq!(project.last_input()["data"], json!([40, 40, 40, 40]));
    let (c, rust, corpus) = (project.export("c", &[]), project.export("rust", &[]), project.export("corpus", &[]));
    assert_eq!(std::fs::read(corpus.join("corpus/LLVMFuzzerTestOneInput_4")).unwrap(), b"((((");
    project.replace("fuzz.c", PRINT_FUZZ);
    assert_eq!(printed(&follow(&c, "worst_LLVMFuzzerTestOneInput_4.c")), *project.last_input());
    assert_eq!(printed(&follow_rust(&rust, "worst_LLVMFuzzerTestOneInput_4.rs")), *project.last_input());
}

#[test]
fn a_corpus_is_read_back_by_the_harness_beside_it() {
    let project = isort();
    let folder = project.export("corpus", &["--size", "5"]);
    project.replace("isort.c", PRINT_ISORT);
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let line = readme.lines().find(|line| line.starts_with("cc ")).expect("the README says how to run it");
    let ran = shell(&folder, line);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let worst = results(&project.findings).iter().find(|result| result["size"] == 5).unwrap();
    assert_eq!(printed(&ran.stdout), worst["input"]);
    assert!(ran.stdout.contains("corpus/isort_5: size 5"), "{}", ran.stdout);
}

#[test]
fn a_benchmark_compiles_and_runs_every_size_with_both_inputs() {
    let project = isort();
    let folder = project.export("criterion", &[]);
    let ran = bench(&folder);
    // The input law gives larger sizes than the document has.
    for line in ["worst/1", "random/1", "worst/7", "random/7", "worst/28", "random/28"] {
        assert!(ran.lines().any(|ran| ran == line), "{line} in {ran}");
    }
    project.replace("isort.c", PRINT_ISORT);
    let ran = bench(&folder);
    let largest = ran.split("worst/14\n").nth(1).expect("there is a size 14");
    assert_eq!(printed(largest)["a"][0], 13);
}

#[test]
fn a_benchmark_of_a_harness_compiles_and_runs() {
    let project = Project::of("harness.c", HARNESS, ["--harness", "harness"], "2..3");
    let folder = project.export("criterion", &[]);
    project.replace("harness.c", PRINT);
    let ran = bench(&folder);
    assert_eq!(printed(ran.split("worst/3\n").nth(1).expect("there is a size 3")), *project.last_input());
    assert!(ran.contains("random/3"), "{ran}");
}

#[test]
fn files_of_others_are_not_overwritten_and_nothing_is_written_elsewhere() {
    let project = isort();
    let folder = project.export("json", &[]);
    let file = folder.join("worst_isort.json");
    let first = std::fs::read(&file).unwrap();
    // The same once more is no loss.
    project.export("json", &[]);
    std::fs::write(&file, "mine").unwrap();
    let args = ["export", &project.path("found"), "--as", "json", "--out", &project.path("json")];
    let ran = run(&args);
    assert!(ran.code == 2 && ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    assert_eq!(run(&[&args[..], &["--force"]].concat()).code, 0);
    assert_eq!(std::fs::read(&file).unwrap(), first);
    let mut there: Vec<_> =
        std::fs::read_dir(project.directory.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    there.sort();
    assert_eq!(there, ["found", "isort.c", "json"]);
}

#[test]
fn hostile_names_in_a_document_become_plain_files_or_are_refused() {
    let mut project = isort();
    let evil = "../../x\"; system(\"true\"); //*/\n#error";
    project.findings["target"]["function"] = evil.into();
    project.findings["strategy"] = "*/ #error \u{202e}".into();
    project.findings["target"]["compilation"]["cflags"] = json!(["-DX='*/ #error'"]);
    project.findings["input_law"]["inputs"][0]["c"] = "system(\"true\")".into();
    project.findings["input_law"]["inputs"][0]["law"] = "*/\n#error".into();
    write(&project.directory, "found/findings.json", project.findings.to_string());
    let folder = project.export("c", &[]);
    let text = std::fs::read_to_string(folder.join("worst_isort_7.c")).unwrap();
    assert!(!text.contains("system") && text.matches("*/").count() == 1, "{text}");
    let ran = shell(&folder, "cc worst_isort_7.c isort_target.c -o test && ./test");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // The name of the function in the signature is the one that is called.
    project.findings["target"]["call"] = "\"a\\\"b(c); /* x\"(a: i32[n], n)".into();
    write(&project.directory, "found/findings.json", project.findings.to_string());
    let found = project.path("found");
    for form in ["c", "rust", "criterion"] {
        let ran = run(&["export", &found, "--as", form, "--out", &project.path("odd")]);
        assert!(ran.code == 2 && ran.stderr.contains("not a name that C has"), "{form}: {}", ran.stderr);
    }
    for form in ["json", "corpus", "ktest"] {
        let out = project.path(&format!("odd_{form}"));
        assert_eq!(run(&["export", &found, "--as", form, "--out", &out]).code, 0, "{form}");
    }
    assert!(!Path::new(&project.path("odd")).exists());
}

#[test]
fn odd_file_names_are_taken_in_or_refused() {
    let project = Project::of("a b$(exit 1)'.c", ISORT, ["--call", "isort(a: i32[n], n)"], "2");
    follow(&project.export("c", &[]), "worst_isort_2.c");
    let project = Project::of("a\"b.c", ISORT, ["--call", "isort(a: i32[n], n)"], "2");
    let ran = run(&["export", &project.path("found"), "--as", "c", "--out", &project.path("c")]);
    assert!(ran.code == 2 && ran.stderr.contains("#include"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_exported_is_said() {
    let project = isort();
    let found = project.path("found");
    let export = |more: &[&str]| run(&[&["export", &found], more, &["--out", &project.path("out")]].concat());
    let ran = export(&["--as", "c", "--size", "99"]);
    assert!(ran.code == 2 && ran.stderr.contains("it has sizes 1, 2, 3"), "{}", ran.stderr);
    let ran = export(&["--as", "c", "--program", &project.path("gone.c")]);
    assert!(ran.code == 2 && ran.stderr.contains("--program"), "{}", ran.stderr);
    assert_eq!(export(&["--as", "html"]).code, 2);
    assert!(!Path::new(&project.path("out")).exists());
}

#[test]
fn a_module_is_called_by_code_that_the_user_links() {
    let directory = scratch();
    let file = write(
        &directory,
        "module.wat",
        r#"(module (memory (export "memory") 1)
            (func (export "twice") (param i32 i32) (result i32) (i32.mul (local.get 0) (local.get 1))))"#,
    );
    let out = directory.path().join("found").to_string_lossy().into_owned();
    let findings = json(&["analyze", &file, "--call", "twice(i32, n)", "--sizes", "3", "--out", &out]);
    let folder = directory.path().join("c");
    let ran = run(&["export", &out, "--as", "c", "--out", &folder.to_string_lossy()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    write(
        &directory,
        "c/theirs.c",
        "#include <stdio.h>\nint twice(int x, int n) { printf(\"INPUT [%d, %d]\\n\", x, n); return 0; }",
    );
    let ran = shell(&folder, "cc -O2 worst_twice_3.c twice_target.c theirs.c -o test && ./test");
    assert_eq!(printed(&ran.stdout), json!([results(&findings)[0]["input"]["arg0"], 3]));
    assert_eq!(run(&["replay", &out, "--native"]).code, 2);
}

#[test]
fn native_replay_times_both_inputs_at_every_size() {
    let directory = scratch();
    let out = directory.path().to_string_lossy().into_owned();
    for (file, entry) in [("isort.c", ["--call", "isort(a: i32[n], n)"]), ("bst.c", ["--harness", "bst_search"])] {
        analyze(&[&program(file), entry[0], entry[1], "--sizes", "1..4", "--out", &out]);
        let native = json(&["replay", &out, "--native"]);
        let sizes = native["native"].as_array().expect("a list of sizes");
        assert!(sizes.len() >= 4, "{native}");
        for size in sizes.iter().take(4) {
            assert!(size["worst"]["samples"].as_u64().is_some_and(|samples| samples >= 3), "{size}");
            assert!(size["random"]["nanoseconds"].is_number(), "{size}");
        }
        let ran = run(&["replay", &out, "--native"]);
        assert!(ran.code == 0 && ran.stdout.contains("slowdown") && ran.stdout.contains("cc -O2"), "{}", ran.stdout);
    }
}

#[test]
fn a_native_run_that_hangs_or_crashes_is_reported() {
    // Long enough for a busy machine to compile in.
    let cases = [("for (;;) {}", "15s", "did not end in time (--timeout)"), ("__builtin_trap();", "60s", "signal")];
    for (body, timeout, words) in cases {
        let source =
            format!("int f(int x) {{\n#ifndef __wasm__\n    {body}\n#endif\n    return x > 3 ? x * x : x;\n}}\n");
        let project = Project::of("odd.c", &source, ["--call", "f(x: i32)"], "1");
        let ran = run(&["replay", &project.path("found"), "--native", "--timeout", timeout]);
        assert!(ran.code == 3 && ran.stdout.contains(words), "{body}: {} {}", ran.stdout, ran.stderr);
    }
}
