//! Exports of C++ and Rust, and the forms that need tools which are not here: these are stood in for by the files in `stubs`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{analyze, json, results, run, write};
use crate::export::{HARNESS, PRINT, PRINT_ISORT, Project, commands, follow, isort, printed, shell};
use crate::sources::files;
use serde_json::{Value, json};

/// Puts stand-ins for crates beside a package, and has its manifest name them.
fn stand_in(folder: &Path, crates: &[(&str, &str, &str)]) {
    let manifest = folder.join("Cargo.toml");
    let mut text = std::fs::read_to_string(&manifest).expect("a manifest was exported");
    for (name, version, source) in crates {
        let place = folder.join("stubs").join(name);
        std::fs::create_dir_all(&place).expect("a folder");
        let own = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n"
        );
        std::fs::write(place.join("Cargo.toml"), own).expect("a file");
        std::fs::write(place.join("lib.rs"), source).expect("a file");
        let wanted = format!("{name} = \"{version}\"\n");
        // Once it has been named, it stays.
        text = text.replace(&wanted, &format!("{name} = {{ path = \"stubs/{name}\" }}\n"));
    }
    std::fs::write(&manifest, text).expect("a file");
}

/// Runs cargo in the folder of a package.
fn cargo(folder: &Path, arguments: &str) -> String {
    // Before what is for the tests themselves.
    let (command, rest) =
        arguments.split_once(" -- ").map_or((arguments, String::new()), |(a, b)| (a, format!(" -- {b}")));
    let ran = shell(folder, &format!("cargo {command} --offline --quiet --target-dir built{rest}"));
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    ran.stdout
}

/// Runs an exported benchmark once.
pub(crate) fn bench(folder: &Path) -> String {
    stand_in(
        folder,
        &[("criterion", "0.8", include_str!("stubs/criterion.rs")), ("cc", "1", include_str!("stubs/cc.rs"))],
    );
    cargo(folder, "bench")
}

fn property_tests(folder: &Path) -> String {
    stand_in(folder, &[("proptest", "1", include_str!("stubs/proptest.rs")), ("cc", "1", include_str!("stubs/cc.rs"))]);
    cargo(folder, "test --release --test worst -- --nocapture --test-threads=1").replace("\n.", "\n")
}

fn google_benchmark(folder: &Path, file: &str) -> String {
    std::fs::create_dir_all(folder.join("stubs/benchmark")).expect("a folder");
    std::fs::write(folder.join("stubs/benchmark/benchmark.h"), include_str!("stubs/benchmark.h")).expect("a file");
    let lines = commands(&folder.join(file))
        .replace(" -lbenchmark", "")
        .replace(" -std=c++17", " -std=c++17 -Wall -Werror -Istubs");
    let ran = shell(folder, &lines);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout
}

/// Whether the real one is here.
pub(crate) fn google_benchmark_is_installed() -> bool {
    let include = "#include <benchmark/benchmark.h>";
    let line = format!("echo '{include}' | c++ -std=c++17 -x c++ -fsyntax-only -");
    Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Builds the library as the comment says, and runs the test without pytest.
fn hypothesis(folder: &Path, file: &str) -> String {
    std::fs::write(folder.join("hypothesis.py"), include_str!("stubs/hypothesis.py")).expect("a file");
    let text = std::fs::read_to_string(folder.join(file)).expect("the test was exported");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#     ")).collect();
    let (test, build) = lines.split_last().expect("the comment says how to run it");
    assert_eq!(*test, format!("python3 -m pytest {file}"));
    let function = text.lines().find_map(|line| line.strip_prefix("def test_")).expect("there is a test");
    let function = function.split('(').next().unwrap_or_default();
    let module = file.trim_end_matches(".py");
    let ran = shell(folder, &format!("{}\npython3 -c 'import {module}; {module}.test_{function}()'", build.join("\n")));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What follows the last line that is this one.
fn after<'a>(stdout: &'a str, line: &str) -> &'a str {
    stdout.split(&format!("{line}\n")).last().expect("there is the line")
}

#[test]
fn c_goes_to_google_benchmark_proptest_and_hypothesis() {
    let project = isort();
    let forms = ["google-benchmark", "proptest", "hypothesis"].map(|form| project.export(form, &[]));
    project.replace("isort.c", PRINT_ISORT);
    let ran = google_benchmark(&forms[0], "bench_isort.cpp");
    assert_eq!(printed(after(&ran, "worst_input/7")), *project.last_input());
    // The input law gives larger sizes than the document has.
    assert_eq!(printed(after(&ran, "worst_input/14"))["a"][0], 13);
    assert!(ran.contains("random_input/28"), "{ran}");
    let ran = property_tests(&forms[1]);
    assert!(
        ran.contains("2 passed") && ran.contains(&project.last_input()["a"].to_string().replace(',', ", ")),
        "{ran}"
    );
    if has_python() {
        assert_eq!(printed(&hypothesis(&forms[2], "test_worst_isort.py")), *project.last_input());
    }
}

#[test]
fn a_harness_goes_there_too() {
    let project = Project::of("harness.c", HARNESS, ["--harness", "harness"], "3");
    let forms = ["google-benchmark", "proptest", "hypothesis"].map(|form| project.export(form, &[]));
    project.replace("harness.c", PRINT);
    let ran = google_benchmark(&forms[0], "bench_harness.cpp");
    assert_eq!(printed(after(&ran, "worst_input/3")), *project.last_input());
    assert!(property_tests(&forms[1]).contains("2 passed"));
    if has_python() {
        assert_eq!(printed(&hypothesis(&forms[2], "test_worst_harness.py")), *project.last_input());
    }
}

/// A container by reference in a namespace, beside a number; overloaded, so that a name alone does not tell.
const CPP: &str = r#"
#include <string>
#include <vector>
namespace shop {
int most(const std::string &name) { return (int)name.size(); }
long most(std::vector<long> &keys, int limit) {
    long moved = 0;
    for (std::size_t i = 1; i < keys.size(); i++)
        for (std::size_t k = i; k > 0 && keys[k - 1] > keys[k]; k--) {
            std::swap(keys[k - 1], keys[k]);
            moved += limit;
        }
    return moved;
}
}
int main() { return 1; }
"#;
const PRINT_CPP: &str = r#"
#include <cstdio>
#include <vector>
namespace shop {
int most(const char *) { return 0; }
long most(std::vector<long> &keys, int limit) {
    std::printf("INPUT {\"keys\": [");
    for (std::size_t i = 0; i < keys.size(); i++)
        std::printf("%s%ld", i ? ", " : "", keys[i]);
    std::printf("], \"limit\": %d}\n", limit);
    std::fflush(stdout);
    return 0;
}
}
int main() { return 1; }
"#;

#[test]
fn a_container_of_cpp_is_handed_over_by_every_form() {
    let call = "shop::most(keys: std::vector<long> &[n], limit: int in 0..=9)";
    let project = Project::of("shop.cpp", CPP, ["--call", call], "1..4");
    let native = json(&["replay", &project.path("found"), "--native"]);
    assert!(native["native"][3]["worst"]["nanoseconds"].is_number(), "{native}");
    let forms = ["c", "rust", "criterion", "proptest", "google-benchmark", "hypothesis", "libfuzzer"];
    let [c, rust, criterion, proptest, google, python, fuzz] = forms.map(|form| project.export(form, &[]));
    let name = "shop__most";
    follow(&c, &format!("worst_{name}_4.c"));
    project.replace("shop.cpp", PRINT_CPP);
    let expected = project.last_input();
    assert_eq!(printed(&follow(&c, &format!("worst_{name}_4.c"))), *expected);
    let ran = shell(&rust, &(commands(&rust.join(format!("worst_{name}_4.rs"))) + " --nocapture"));
    assert_eq!(printed(&ran.stdout), *expected, "{}", ran.stderr);
    assert_eq!(printed(after(&bench(&criterion), "worst/4")), *expected);
    let ran = property_tests(&proptest);
    assert!(ran.contains("2 passed"), "{ran}");
    assert_eq!(printed(after(&google_benchmark(&google, &format!("bench_{name}.cpp")), "worst_input/4")), *expected);
    if has_python() {
        assert_eq!(printed(&hypothesis(&python, &format!("test_worst_{name}.py"))), *expected);
    }
    let readme = std::fs::read_to_string(fuzz.join("README.md")).expect("there is a README");
    let reader: Vec<&str> = readme.lines().filter(|line| line.starts_with("cc ") || line.starts_with("c++ ")).collect();
    let ran = shell(&fuzz, &reader.join("\n"));
    assert_eq!(printed(after(&ran.stdout, "corpus/shop__most_3: size 3")), *expected, "{}{}", readme, ran.stderr);
    assert!(fuzz.join(format!("{name}.dict")).is_file());
}

/// A plain call by half its name, of a function that takes characters.
#[test]
fn a_plain_function_of_cpp_is_found_in_its_namespace() {
    let source = "namespace text { int stars(const char *s, int n) { int k = 0; for (int i = 0; i < n; i++) if (s[i] == '*') k += i; return k; } }";
    let project = Project::of("text.cpp", source, ["--call", "stars(s: u8[n], n)"], "3");
    let c = project.export("c", &[]);
    project.replace(
        "text.cpp",
        "#include <cstdio>\nnamespace text { int stars(const char *s, int n) { std::printf(\"INPUT {\\\"s\\\": [%d, %d, %d]}\\n\", s[0], s[1], s[n - 1]); return 0; } }",
    );
    assert_eq!(printed(&follow(&c, "worst_stars_3.c")), *project.last_input());
}

const RUST: &str = "//! Words, with what Rust puts at the top of a file.
#![allow(dead_code)]

mod parts {
    pub fn is_vowel(byte: u8) -> bool {
        b\"aeiou\".contains(&byte)
    }
}

pub fn sort(keys: &mut [u16], by: usize) -> usize {
    let mut moved = 0;
    for i in 1..keys.len() {
        let mut k = i;
        while k > 0 && keys[k - 1] > keys[k] {
            keys.swap(k - 1, k);
            k -= 1;
            moved += by;
        }
    }
    moved
}

fn vowels(text: &str) -> usize {
    text.bytes().filter(|byte| crate::parts::is_vowel(*byte)).count()
}

fn main() {}
";
const PRINT_RUST: &str = "//! Prints what it is called with.
#![allow(dead_code)]
pub fn sort(keys: &mut [u16], by: usize) {
    println!(\"INPUT {{\\\"keys\\\": {keys:?}, \\\"by\\\": {by}}}\");
}
";

#[test]
fn a_function_of_rust_is_handed_its_input_by_every_form() {
    let call = "sort(keys: &mut [u16][n], by: usize in 0..=9)";
    let project = Project::of("words.rs", RUST, ["--call", call], "1..4");
    let native = json(&["replay", &project.path("found"), "--native"]);
    assert!(native["native"][3]["worst"]["nanoseconds"].is_number(), "{native}");
    let forms = ["c", "rust", "criterion", "proptest", "google-benchmark", "hypothesis", "libfuzzer"];
    let [c, rust, criterion, proptest, google, python, fuzz] = forms.map(|form| project.export(form, &[]));
    assert!(follow(&c, "worst_sort_4.c").contains("sort at size 4: it ended"));
    project.replace("words.rs", PRINT_RUST);
    let expected = project.last_input();
    assert_eq!(printed(&follow(&c, "worst_sort_4.c")), *expected);
    let test = rust.join("sort_target/tests/worst_sort_4.rs");
    let ran = shell(&rust, &(commands(&test) + " -- --nocapture"));
    assert_eq!(printed(&ran.stdout), *expected, "{}", ran.stderr);
    assert_eq!(printed(after(&bench(&criterion), "worst/4")), *expected);
    let ran = property_tests(&proptest);
    assert!(ran.contains("2 passed"), "{ran}");
    assert_eq!(printed(after(&google_benchmark(&google, "bench_sort.cpp"), "worst_input/4")), *expected);
    if has_python() {
        assert_eq!(printed(&hypothesis(&python, "test_worst_sort.py")), *expected);
    }
    stand_in(&fuzz.join("fuzz"), &[("libfuzzer-sys", "0.4", include_str!("stubs/libfuzzer_sys.rs"))]);
    let ran = shell(
        &fuzz,
        "cd fuzz && cargo build --offline --quiet --target-dir built && ./built/debug/fuzz_sort corpus/fuzz_sort/sort_4",
    );
    assert_eq!(printed(&ran.stdout), *expected, "{}", ran.stderr);
}

#[test]
fn a_private_function_of_rust_is_copied_and_a_plain_call_knows_its_types() {
    let project = Project::of("words.rs", RUST, ["--call", "vowels(text: u8[n] in 97..=122, n)"], "2");
    let c = project.export("c", &[]);
    follow(&c, "worst_vowels_2.c");
    let copy = std::fs::read_to_string(c.join("vowels_target/lib.rs")).expect("a package was exported");
    assert!(copy.contains("crate::vowels(v0)") && copy.starts_with("//! Words"), "{copy}");
}

#[test]
fn a_function_of_a_crate_is_called_as_its_users_would() {
    let manifest = "[package]\nname = \"line-splitter\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let source = |body: &str| format!("pub fn fields(line: &str, most: usize) -> usize {{\n    {body}\n}}\n");
    let counting = "line.bytes().filter(|byte| *byte == b',').count().min(most)";
    let directory = files(&[("Cargo.toml", manifest), ("src/lib.rs", &source(counting))]);
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let call = "line_splitter::fields(line: &str[n] in 32..=126, most: usize in 0..=3)";
    let found = analyze(&[&path(""), "--call", call, "--sizes", "1..3", "--out", &path("found")]);
    let forms = ["rust", "c", "criterion", "proptest", "google-benchmark", "hypothesis", "libfuzzer"];
    for form in forms {
        let ran = run(&["export", &path("found"), "--as", form, "--out", &path(form)]);
        assert_eq!(ran.code, 0, "{form}: {}", ran.stderr);
    }
    let printing = "println!(\"INPUT {{\\\"line\\\": {:?}, \\\"most\\\": {most}}}\", line.as_bytes()); 0";
    std::fs::write(path("src/lib.rs"), source(printing)).expect("a file");
    let (name, expected) = ("line_splitter__fields", &results(&found)[2]["input"]);
    let [rust, c, criterion, proptest, google, python, fuzz] = forms.map(|form| directory.path().join(form));
    let test = rust.join(format!("{name}_target/tests/worst_{name}_3.rs"));
    let ran = shell(&rust, &(commands(&test) + " -- --nocapture"));
    assert_eq!(printed(&ran.stdout), *expected, "{}", ran.stderr);
    assert_eq!(printed(&follow(&c, &format!("worst_{name}_3.c"))), *expected);
    assert_eq!(printed(after(&bench(&criterion), "worst/3")), *expected);
    assert!(property_tests(&proptest).contains("2 passed"));
    assert_eq!(printed(after(&google_benchmark(&google, &format!("bench_{name}.cpp")), "worst_input/3")), *expected);
    if has_python() {
        assert_eq!(printed(&hypothesis(&python, &format!("test_worst_{name}.py"))), *expected);
    }
    stand_in(&fuzz.join("fuzz"), &[("libfuzzer-sys", "0.4", include_str!("stubs/libfuzzer_sys.rs"))]);
    let target = format!("./built/debug/fuzz_{name} corpus/fuzz_{name}/{name}_3");
    let ran = shell(&fuzz, &format!("cd fuzz && cargo build --offline --quiet --target-dir built && {target}"));
    assert_eq!(printed(&ran.stdout), *expected, "{}", ran.stderr);
}

#[test]
fn a_dictionary_has_what_the_worst_inputs_are_made_of() {
    let source = "int nested(const unsigned char *s, int n) { int open = 0; for (int i = 0; i < n; i++) if (s[i] == '(') for (int k = 0; k < 5; k++) open++; return open; }";
    let project = Project::of("nested.c", source, ["--call", "nested(s: u8[n], n)"], "4");
    let folder = project.export("dictionary", &[]);
    let text = std::fs::read_to_string(folder.join("nested.dict")).expect("a dictionary was exported");
    assert!(text.contains("=\"((\"\n") || text.contains("=\"(\"\n"), "{text}");
    // It is one that slowpath reads, too.
    let out = analyze(&[
        &project.path("nested.c"),
        "--call",
        "nested(s: u8[n], n)",
        "--sizes",
        "2",
        "--dictionary",
        &folder.join("nested.dict").to_string_lossy(),
    ]);
    assert_eq!(out["results"][0]["input"], json!({"s": [40, 40]}));
}

#[test]
fn names_and_types_of_a_document_bring_no_code_with_them() {
    let project = Project::of("words.rs", RUST, ["--call", "sort(keys: &mut [u16][n], by: usize in 0..=9)"], "2");
    let mut findings = project.findings.clone();
    let refuse = |findings: &Value, words: &str| {
        write(&project.directory, "found/findings.json", findings.to_string());
        let ran = run(&["export", &project.path("found"), "--as", "c", "--out", &project.path("odd")]);
        assert!(ran.code == 2 && ran.stderr.contains(words), "{}", ran.stderr);
        assert!(!Path::new(&project.path("odd")).exists());
    };
    findings["target"]["function"] = "sort(); std::process::exit(1); //".into();
    refuse(&findings, "no name of a function");
    findings = project.findings.clone();
    findings["target"]["options"]["call"] = "sort(keys: &mut [u16; { loop {} }], by: usize)".into();
    refuse(&findings, "cannot be made here");
}

#[test]
fn native_times_of_cpp_are_those_of_the_function_though_nobody_wants_its_result() {
    let text = "#include <vector>\nint equal(const std::vector<int> &v) {\n    int found = 0;\n    for (std::size_t i = 0; i < v.size(); i++)\n        \
                for (std::size_t k = 0; k < i; k++)\n            if (v[i] == v[k]) found++;\n    return found;\n}\n";
    let directory = files(&[("equal.cpp", text)]);
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let call = "equal(v: std::vector<int>[n])";
    analyze(&[&path("equal.cpp"), "--call", call, "--sizes", "2000", "--effort", "1e8", "--out", &path("found")]);
    let native = json(&["replay", &path("found"), "--native"]);
    // Two million comparisons take longer than this on any machine; where the optimiser leaves them out, it is the vector that is timed.
    assert!(native["native"][0]["worst"]["nanoseconds"].as_f64() > Some(20_000.0), "{native}");
}
