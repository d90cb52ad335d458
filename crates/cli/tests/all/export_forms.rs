//! Every form of export for every language: the forms that hold data have the input of the finding, and those that are built by others' tools build.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::run;
use crate::export::{Project, commands, printed, shell};
use crate::export_languages::google_benchmark_is_installed;

/// A function of each language that takes the same: n numbers of 16 bits, and a number that is given.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (
        "falls.c",
        "falls(keys: u16[n], n)",
        "int falls(const unsigned short *keys, int n) {\n    int c = 0;\n    for (int i = 1; i < n; i++)\n        if (keys[i] < keys[i - 1]) c += 2;\n    return c;\n}\n",
    ),
    (
        "falls.cpp",
        "shop::falls(keys: const std::vector<unsigned short> &[n])",
        "#include <vector>\nnamespace shop {\nint falls(const std::vector<unsigned short> &keys) {\n    int c = 0;\n    for (std::size_t i = 1; i < keys.size(); i++)\n        if (keys[i] < keys[i - 1]) c += 2;\n    return c;\n}\n}\n",
    ),
    (
        "falls.rs",
        "falls(keys: &[u16][n])",
        "pub fn falls(keys: &[u16]) -> usize {\n    let mut c = 0;\n    for i in 1..keys.len() {\n        if keys[i] < keys[i - 1] {\n            c += 2;\n        }\n    }\n    c\n}\n",
    ),
];

/// The only file in a folder whose name ends so.
fn only(folder: &Path, end: &str) -> Vec<u8> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let fitting: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    assert_eq!(fitting.len(), 1, "{fitting:?}");
    std::fs::read(&fitting[0]).unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn forms_that_hold_data_have_the_input_whatever_the_language() {
    for (name, call, source) in PROGRAMS {
        let project = Project::of(name, source, ["--call", call], "4");
        let keys: Vec<u16> = serde_json::from_value(project.last_input()["keys"].clone()).expect("keys");
        assert!(keys.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {keys:?}");
        let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        let data: Value = serde_json::from_slice(&only(&project.export("json", &[]), ".json")).expect("JSON");
        assert!(data.to_string().contains(&json!(keys).to_string()), "{name}: {data}");
        assert_eq!(only(&project.export("corpus", &[]).join("corpus"), "_4"), bytes, "{name}");
        assert!(only(&project.export("ktest", &[]), ".ktest").ends_with(&bytes), "{name}");
        assert!(text(only(&project.export("dictionary", &[]), ".dict")).contains("=\""), "{name}");
        let all = project.findings["flame"]["frames"].as_array().expect("frames").iter();
        let all: u64 = all.filter_map(|frame| frame["own"].as_u64()).sum();
        let folded = text(only(&project.export("folded", &[]), ".folded"));
        assert_eq!(folded.lines().map(|l| l.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum::<u64>(), all);
        assert!(folded.contains("falls") && !folded.contains("_Z"), "{name}: {folded}");
        let scope: Value =
            serde_json::from_slice(&only(&project.export("speedscope", &[]), ".speedscope.json")).expect("JSON");
        let weights = scope["profiles"][0]["weights"].as_array().expect("weights").iter();
        assert_eq!(weights.filter_map(Value::as_u64).sum::<u64>(), all, "{name}");
    }
}

/// The page of each language, from its document.
#[test]
fn every_language_has_a_page() {
    for (name, call, source) in PROGRAMS {
        let project = Project::of(name, source, ["--call", call], "2..4");
        assert_eq!(run(&["report", &project.path("found")]).code, 0, "{name}");
        let page = std::fs::read_to_string(project.path("found/report.html")).expect("a page");
        assert!(page.contains("falls") && page.contains("worst"), "{name}");
    }
}

/// What libFuzzer's own driver would do with the target of a plain C function.
#[test]
fn a_fuzz_target_of_c_reads_its_corpus() {
    let (name, call, source) = PROGRAMS[0];
    let project = Project::of(name, source, ["--call", call], "3");
    let folder = project.export("libfuzzer", &[]);
    project.replace(
        name,
        &source.replace("int c = 0;", PRINTS_KEYS).replace("int falls", "#include <stdio.h>\nint falls"),
    );
    let readme = std::fs::read_to_string(folder.join("README.md")).expect("there is a README");
    let line = readme.lines().find(|line| line.starts_with("cc ")).expect("the README says how to run it");
    let ran = shell(&folder, line);
    assert_eq!(printed(&ran.stdout), *project.last_input(), "{}{}", ran.stdout, ran.stderr);
    assert!(folder.join("falls.dict").is_file());
}

const PRINTS_KEYS: &str = r#"int c = 0;
    printf("INPUT {\"keys\": [");
    for (int i = 0; i < n; i++) printf("%s%d", i ? ", " : "", keys[i]);
    printf("]}\n");
    fflush(stdout);"#;

/// Elsewhere a stand-in takes the place of Google Benchmark; where it is installed, it is what runs them.
#[test]
fn google_benchmark_itself_builds_and_runs_what_is_exported() {
    if !google_benchmark_is_installed() {
        // Written past the harness, which keeps what is printed of tests that pass.
        let words = b"SKIPPED google_benchmark_itself_builds_and_runs_what_is_exported: it is not installed\n";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), words);
        return;
    }
    for (name, call, source) in PROGRAMS {
        let project = Project::of(name, source, ["--call", call], "2,4");
        let folder = project.export("google-benchmark", &[]);
        let stem = if name.ends_with(".cpp") { "shop__falls" } else { "falls" };
        let lines = commands(&folder.join(format!("bench_{stem}.cpp")));
        let ran = shell(&folder, &format!("{lines} --benchmark_min_time=0.001"));
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.stdout, ran.stderr);
        for line in ["worst_input/2", "worst_input/4", "random_input/4"] {
            assert!(ran.stdout.contains(line), "{name}: {}", ran.stdout);
        }
    }
}
