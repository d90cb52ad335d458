//! Rust as people have it: cargo projects with dependencies, fuzz targets, functions of strings and vectors.

use serde_json::Value;

use crate::common::{analyze, column, json, program, results, run};
use crate::sources::{files, path};

const SPLITTER: &str = "
/// How many fields a line has, commas in quotes not counted.
pub fn fields(line: &str) -> usize {
    let (mut count, mut quoted) = (numbers::ONE, false);
    for byte in line.bytes() {
        if byte == b'\"' {
            quoted = !quoted;
        } else if byte == b',' && !quoted {
            count += limits::step();
        }
    }
    count
}

pub fn insert(keys: &mut Vec<i32>, key: i32) {
    let mut at = 0;
    while at < keys.len() && keys[at] < key {
        at += 1;
    }
    keys.insert(at, key);
}

pub fn third(keys: Vec<u16>) -> u16 {
    if keys[0] > 7 {
        panic!(\"the first is too large\");
    }
    keys[2]
}

mod inner {
    pub(crate) fn hidden(keys: &[u32]) -> u32 {
        keys[0]
    }
}

pub fn shown(keys: &[u32]) -> u32 {
    inner::hidden(keys)
}
";

fn project() -> tempfile::TempDir {
    let member = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n{more}")
    };
    files(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"line-splitter\", \"limits\", \"numbers\"]\n"),
        (
            "line-splitter/Cargo.toml",
            &member("line-splitter", "limits = { path = \"../limits\" }\nnumbers = { path = \"../numbers\" }\n"),
        ),
        ("line-splitter/src/lib.rs", SPLITTER),
        ("limits/Cargo.toml", &member("limits", "numbers = { path = \"../numbers\" }\n")),
        ("limits/src/lib.rs", "pub fn step() -> usize {\n    numbers::ONE\n}\n"),
        ("numbers/Cargo.toml", &member("numbers", "")),
        ("numbers/src/lib.rs", "pub const ONE: usize = 1;\n"),
        (
            "fuzz/Cargo.toml",
            &(member("fuzz", "libfuzzer-sys = \"0.4\"\nline-splitter = { path = \"../line-splitter\" }\n") + FUZZ_BIN),
        ),
        ("fuzz/fuzz_targets/fields.rs", FUZZ_TARGET),
    ])
}

const FUZZ_BIN: &str = "[[bin]]\nname = \"fields\"\npath = \"fuzz_targets/fields.rs\"\n[workspace]\n";
const FUZZ_TARGET: &str = "#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        line_splitter::fields(text);
    }
});
";

#[test]
fn a_function_of_a_cargo_project_is_called_with_its_own_types() {
    let directory = project();
    let folder = directory.path().to_string_lossy().into_owned();
    let found = analyze(&[&folder, "--call", "line_splitter::fields(line: &str[n])", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [3, 9, 27]);
    assert!(found["target"]["notes"].to_string().contains("compiled by rustc"), "{}", found["target"]);
    let found =
        analyze(&[&folder, "--call", "line_splitter::insert(keys: &mut Vec<i32>[n], key: i32)", "--sizes", "1..4"]);
    assert_eq!(column(&found, "paths"), [2, 3, 4, 5]);
    let found = analyze(&[&folder, "--call", "line_splitter::insert(&mut Vec<i32>[n], i32)", "--sizes", "1..2"]);
    assert_eq!(column(&found, "paths"), [2, 3], "arguments without names");
    let found = analyze(&[&folder, "--call", "line_splitter::third(Vec<u16>[n])", "--sizes", "2"]);
    let traps = found["results"].to_string();
    assert!(traps.contains("the first is too large") && traps.contains("line-splitter/src/lib.rs:"), "{traps}");
}

#[test]
fn a_feature_goes_to_the_member_of_a_workspace_that_has_it() {
    let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let text = "pub fn count(s: &[u8]) -> u32 {\n    let mut c = 0;\n    for x in s {\n        if *x == 44 || (cfg!(feature = \"wide\") && *x == 59) {\n            c += 1;\n        }\n    }\n    c\n}\n";
    let directory = files(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"marks\", \"other\"]\n"),
        ("marks/Cargo.toml", &(package("marks") + "[features]\nwide = []\n")),
        ("marks/src/lib.rs", text),
        ("other/Cargo.toml", &package("other")),
        ("other/src/lib.rs", "pub fn one(x: u32) -> u32 {\n    x\n}\n"),
    ]);
    let folder = directory.path().to_string_lossy().into_owned();
    for (features, paths) in [(&[][..], 2), (&["--features", "wide"][..], 3)] {
        let found = analyze(&[&[folder.as_str(), "--call", "count", "--sizes", "1"], features].concat());
        assert_eq!(column(&found, "paths"), [paths], "{features:?}");
    }
    let ran = run(&["analyze", &folder, "--call", "count", "--sizes", "1", "--features", "narrow"]);
    assert!(ran.code == 2 && ran.stderr.contains("narrow"), "{}", ran.stderr);
}

#[test]
fn a_target_of_cargo_fuzz_is_run_as_it_is() {
    let directory = project();
    let folder = directory.path().to_string_lossy().into_owned();
    let found = analyze(&[&folder, "--fuzz-target=fields", "--sizes", "1..2"]);
    assert!(results(&found).iter().all(|result| result["verified"] == true), "{found}");
    let ran = run(&["analyze", &folder, "--fuzz-target=lines", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("no fuzz target called `lines`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("there is fields"), "{}", ran.stderr);
}

#[test]
fn mistakes_of_a_project_are_told_with_their_remedy() {
    let directory = project();
    let folder = directory.path().to_string_lossy().into_owned();
    for (call, words) in [
        ("splitter::fields(&str[n])", ["no library called `splitter`", "line_splitter"]),
        ("line_splitter::lines(&str[n])", ["cannot find function `lines`", "building (cargo)"]),
        ("line_splitter::fields(&[u8][n])", ["mismatched types", "rustc"]),
        ("line_splitter::fields(&str)", ["needs a length", "&str[n]"]),
    ] {
        let ran = run(&["analyze", &folder, "--call", call, "--sizes", "1"]);
        assert_eq!(ran.code, 2, "{call}\n{}", ran.stderr);
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{call}\n{}", ran.stderr);
    }
    std::fs::write(path(&directory, "limits/src/lib.rs"), "pub fn step( {\n").expect("a file");
    let ran = run(&["analyze", &folder, "--call", "line_splitter::fields(&str[n])", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("limits/src/lib.rs:1"), "{}", ran.stderr);
}

#[test]
fn a_file_of_rust_takes_slices_and_vectors_by_their_types() {
    let file = program("queue.rs");
    let found = analyze(&[&file, "--call", "sorted_insert(keys: &[i32][n])", "--sizes", "1..4"]);
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24]);
    let found = analyze(&[&file, "--call", "queue::sorted_insert(keys: &[i32][n])", "--sizes", "2"]);
    assert_eq!(column(&found, "paths"), [2]);
}

#[test]
fn a_panic_says_what_its_message_says_though_it_is_put_together() {
    let text = "pub fn nth(values: &[u8], at: usize) -> u8 {\n    if at > 200 {\n        panic!(\"{} is too far\", values.len() + 40);\n    }\n    values[at]\n}\n";
    let directory = files(&[("nth.rs", text)]);
    let file = path(&directory, "nth.rs");
    let found = analyze(&[&file, "--call", "nth(values: &[u8][n], at: usize in 0..=255)", "--sizes", "2"]);
    let traps = results(&found)[0]["traps"].to_string();
    assert!(traps.contains("nth.rs:3: 42 is too far"), "{traps}");
    assert!(traps.contains("nth.rs:5: index out of bounds: the len is 2 but the index is …"), "{traps}");
    assert!(
        results(&found)[0]["traps"].as_array().is_some_and(|traps| traps.iter().all(|trap| trap["place"].is_null()))
    );
}

#[test]
fn a_file_of_rust_finds_the_modules_beside_it_whatever_it_is_called_with() {
    let text = "mod util;\npub fn sum(values: &[i32]) -> usize {\n    values.iter().filter(|v| util::large(**v)).count() + include_str!(\"limit.txt\").len()\n}\n";
    let util = "pub fn large(value: i32) -> bool {\n    if value > 3 {\n        return true;\n    }\n    false\n}\n";
    let directory = files(&[("main.rs", text), ("util.rs", util), ("limit.txt", "3")]);
    let file = path(&directory, "main.rs");
    for call in ["sum", "sum(values: &[i32][n])"] {
        let found = analyze(&[&file, "--call", call, "--sizes", "1..3"]);
        assert_eq!(column(&found, "paths"), [2, 4, 8], "{call}");
        assert!(found["results"].to_string().contains("util.rs"), "{call}: {found}");
    }
}

#[test]
fn tuples_are_made_of_their_places() {
    let text = "pub fn ahead(pairs: &[(u8, bool)], than: (i32, u8)) -> usize {\n    let mut c = 0;\n    for (x, on) in pairs {\n        \
                if *on && *x > than.1 {\n            c += 1;\n        }\n    }\n    c\n}\n";
    let directory = files(&[("pairs.rs", text)]);
    let file = path(&directory, "pairs.rs");
    let found = analyze(&[&file, "--call", "ahead(pairs: &[(u8, bool)][n], than: (i32, u8))", "--sizes", "1..3"]);
    // Off, on and ahead, on and not: of each.
    assert_eq!(column(&found, "paths"), [3, 9, 27]);
    assert!(results(&found).iter().all(|result| result["verified"] == true), "{found}");
}

#[test]
fn a_cargo_project_is_listed_scanned_and_called_by_name() {
    let directory = project();
    let folder = directory.path().to_string_lossy().into_owned();
    let listed = json(&["list", &folder]);
    let functions: Vec<&Value> = listed["files"]
        .as_array()
        .expect("libraries")
        .iter()
        .flat_map(|l| l["functions"].as_array())
        .flatten()
        .collect();
    let call = |name: &str| functions.iter().find(|f| f["name"] == name).map(|f| f["call"].clone());
    assert_eq!(call("line_splitter::fields"), Some("line_splitter::fields(line: &str[n])".into()), "{listed}");
    assert_eq!(
        call("line_splitter::insert"),
        Some("line_splitter::insert(keys: &mut Vec<i32>[n], key: i32)".into()),
        "{listed}"
    );
    assert_eq!(call("limits::step"), Some("limits::step()".into()), "{listed}");
    // What only the crate itself can see has no call, and the compiler's word for why.
    let hidden = functions.iter().find(|f| f["name"] == "line_splitter::inner::hidden");
    assert!(hidden.is_none_or(|f| f["call"].is_null() && f["why"].to_string().contains("private")), "{listed}");
    let found = analyze(&[&folder, "--call", "fields", "--sizes", "1..2"]);
    assert_eq!(column(&found, "paths"), [3, 9]);
    assert!(found["target"]["notes"].to_string().contains("called as line_splitter::fields(line: &str[n])"), "{found}");
    let config = path(&directory, "slowpath.toml");
    let made = run(&["init", &folder, "--effort", "3e8", "--config", &config]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let text = std::fs::read_to_string(&config).expect("a configuration");
    assert!(text.contains("file = \".\"") && text.contains("line_splitter::fields(line: &str[n])"), "{text}");
    let ran = run(&["analyze", &folder, "--call", "felds", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("no function `felds`"), "{}", ran.stderr);
}

#[test]
fn a_target_of_cargo_fuzz_takes_values_that_arbitrary_makes() {
    let typed = FUZZ_TARGET.replace("data: &[u8]", "data: Vec<(bool, u8)>").replace(
        "if let Ok(text) = std::str::from_utf8(data) {\n        line_splitter::fields(text);\n    }",
        "line_splitter::shown(&data.iter().map(|(on, x)| if *on { 1 } else { *x as u32 }).collect::<Vec<_>>());",
    );
    let directory = project();
    std::fs::write(path(&directory, "fuzz/fuzz_targets/fields.rs"), typed).expect("a file");
    let folder = directory.path().to_string_lossy().into_owned();
    let ran = run(&["analyze", &folder, "--fuzz-target=fields", "--sizes", "1..3", "--format", "json"]);
    // The crate comes from the registry, which is not everywhere.
    if ran.code == 2 && ran.stderr.contains("the registry cannot be reached") {
        return;
    }
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("a document");
    assert!(results(&found).iter().all(|result| result["verified"] == true), "{found}");
    // Nothing is made of too few bytes, and `shown` looks at the first of none.
    let traps = results(&found)[0]["traps"].to_string();
    assert!(traps.contains("panicked at") && traps.contains("line-splitter/src/lib.rs:"), "{traps}");
}

/// A library of a type with methods, made by functions of its own.
const MATCHER: &str = "
mod text;
pub use text::Scanner;

/// Made of a pattern, if that is one.
pub struct Glob {
    parts: Vec<u8>,
}

impl Glob {
    pub fn new(pattern: &str) -> Result<Glob, String> {
        if pattern.contains(\"**\") { Err(pattern.to_string()) } else { Ok(Glob { parts: pattern.bytes().collect() }) }
    }

    #[inline]
    pub fn hits(&self, text: &str) -> usize {
        text.bytes().filter(|c| self.parts.contains(c)).count()
    }

    pub fn longer(&self, other: &Glob) -> bool {
        self.parts.len() > other.parts.len()
    }
}

#[inline]
pub fn commas(text: &str) -> usize {
    text.bytes().filter(|c| *c == b',').count()
}
";
const SCANNER: &str = "
pub struct Scanner<'a> {
    rest: std::vec::Vec<&'a str>,
}

impl<'a> Scanner<'a> {
    pub fn of(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text.split(',').collect() }
    }

    pub fn last(&mut self) -> Option<&'a str> {
        self.rest.pop()
    }
}
";

#[test]
fn methods_are_called_on_what_other_functions_of_their_type_give() {
    let directory = files(&[
        ("Cargo.toml", "[package]\nname = \"globber\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/lib.rs", MATCHER),
        ("src/text.rs", SCANNER),
    ]);
    let folder = directory.path().to_string_lossy().into_owned();
    let listed = json(&["list", &folder]);
    let functions = listed["files"][0]["functions"].as_array().expect("functions");
    let call = |name: &str| functions.iter().find(|f| f["name"] == name).map(|f| f["call"].clone());
    let hits = "globber::Glob::new(pattern: &str[n])?.hits(text: &str[n])";
    assert_eq!(call("globber::Glob::hits"), Some(hits.into()), "{listed}");
    assert_eq!(call("globber::Scanner::last"), Some("globber::Scanner::of(text: &str[n]).last()".into()), "{listed}");
    assert_eq!(call("globber::Glob::longer"), Some(Value::Null), "{listed}");
    // What is only compiled where it is called is there too.
    assert_eq!(call("globber::commas"), Some("globber::commas(text: &str[n])".into()), "{listed}");

    let out = path(&directory, "out");
    let found = analyze(&[&folder, "--call", "Glob::hits", "--sizes", "1..2", "--effort", "1e8", "--out", &out]);
    assert_eq!(found["target"]["function"], "globber::Glob::new?.hits", "{found}");
    let again = run(&["replay", &out, "--trust"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    // A message that is not known whole is no difference.
    let call = "globber::Glob::new(&str[n]).unwrap().hits(&str[n])";
    analyze(&[&folder, "--call", call, "--sizes", "2", "--effort", "1e8", "--out", &path(&directory, "panics")]);
    let again = run(&["replay", &path(&directory, "panics"), "--trust"]);
    assert_eq!(again.code, 0, "{}", again.stdout);
    let found = analyze(&[&folder, "--call", "globber::Scanner::of(&str[n] in \",a\").last()", "--sizes", "1..3"]);
    assert!(results(&found).iter().all(|result| result["verified"] == true), "{found}");
    let ran = run(&["analyze", &folder, "--call", "globber::Scanner::of(&str[n]).last", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("is no call"), "{}", ran.stderr);
    let ran = run(&["analyze", &program("isort.c"), "--call", "isort(a: i32[n], n).last()", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("that is for Rust"), "{}", ran.stderr);
}

/// A library whose functions are in private modules and exported again, as most are.
fn exporting() -> tempfile::TempDir {
    files(&[
        ("Cargo.toml", "[package]\nname = \"roads\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "mod length;\npub use length::{miles, Road};\n\npub fn doubled(k: i32) -> Option<String> {\n    (k > 3).then(|| k.to_string())\n}\n",
        ),
        (
            "src/length.rs",
            "pub struct Road;\nimpl Road {\n    pub fn turns(text: &str) -> usize {\n        text.bytes().filter(|b| *b == b'<').count()\n    }\n}\npub fn miles(text: &str) -> usize {\n    \
             let mut found = 0;\n    for byte in text.bytes() {\n        if byte == b'm' {\n            found += 1;\n        }\n    }\n    found\n}\n",
        ),
    ])
}

#[test]
fn functions_of_private_modules_are_called_by_the_path_they_are_exported_under() {
    let directory = exporting();
    let folder = directory.path().to_string_lossy().into_owned();
    let listed = json(&["list", &folder]);
    let functions = listed["files"][0]["functions"].as_array().expect("functions");
    let call = |name: &str| functions.iter().find(|f| f["name"] == name).map(|f| f["call"].clone());
    assert_eq!(call("roads::miles"), Some("roads::miles(text: &str[n])".into()), "{listed}");
    assert_eq!(call("roads::Road::turns"), Some("roads::Road::turns(text: &str[n])".into()), "{listed}");
    // What is returned in memory is no argument of the call.
    assert_eq!(call("roads::doubled"), Some("roads::doubled(k: i32)".into()), "{listed}");
    assert!(functions.iter().all(|f| !f["call"].to_string().contains("length::")), "{listed}");
    let found = analyze(&[&folder, "--call", "miles", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
}

#[test]
fn a_crate_of_the_registry_is_analysed_by_its_name_and_version() {
    let call = ["--call", "from", "--sizes", "1..2", "--format", "json"];
    let ran = run(&[&["analyze", "--crate", "roman@0.1.6"], &call[..]].concat());
    if ran.code == 2 && ran.stderr.contains("the registry cannot be reached") {
        // Written past the harness, which keeps what is printed of tests that pass.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"SKIPPED a_crate_of_the_registry_is_analysed_by_its_name_and_version: the registry cannot be reached\n",
        );
        return;
    }
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("a document");
    // Seven letters, and all that are none; then the same again of those that go on.
    assert_eq!(column(&found, "paths"), [8, 57]);
    assert!(results(&found).iter().all(|result| result["verified"] == true && result["confidence"] == "exact"));
    // A library that is not called as its crate is.
    let listed = run(&["list", "Inflector@0.11.4", "--no-default-features"]);
    assert!(
        listed.stdout.contains("inflector::cases::camelcase::to_camel_case("),
        "{}{}",
        listed.stdout,
        listed.stderr
    );
    for (krate, words) in [("roman@0.1.666", "no such crate or version"), ("ro man@1", "NAME@VERSION")] {
        let ran = run(&[&["analyze", "--crate", krate], &call[..]].concat());
        assert!(ran.code == 2 && ran.stderr.contains(words), "{krate}: {}", ran.stderr);
    }
}
