//! C++ from source to verified findings.

use crate::common::{analyze, column, json, program, results, run, scratch, write};

#[test]
fn a_container_and_a_template_are_explored_and_verified() {
    let (file, call) = (program("ledger.cpp"), "ledger::settle(a: i32[n], n)");
    let found = analyze(&[&file, "--call", call, "--sizes", "1..4"]);
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24]);
    assert!(results(&found).iter().all(|r| r["verified"] == true && r["confidence"] == "exact"), "{found}");
    let worst = column(&found, "cost")[3];
    let falling = r#"{"a": [3, 2, 1, 0]}"#;
    let ran = json(&["run", &file, "--call", call, "--size", "4", "--input", falling]);
    let cost = ran["costs"]["instructions"].as_u64().expect("a cost");
    assert!(cost > column(&found, "cost")[2] && cost <= worst, "{ran}");
}

#[test]
fn functions_are_named_as_their_author_names_them() {
    for name in ["settle", "ledger::settle", "sorted_copy", "ledger::sorted_copy<int>", "sorted_copy<int>"] {
        let found = analyze(&[&program("ledger.cpp"), "--call", &format!("{name}(a: i32[n], n)"), "--sizes", "3"]);
        assert_eq!(column(&found, "paths"), [6], "{name}");
    }
    let ran = run(&["analyze", &program("ledger.cpp"), "--call", "setle(i32[n], n)", "--sizes", "1"]);
    assert!(ran.stderr.contains("did you mean ledger::settle?"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  int ledger::check(const int *amounts, int n)\n"), "{}", ran.stderr);
}

#[test]
fn an_exception_is_a_trap_with_an_input_that_throws_it() {
    let found = analyze(&[&program("ledger.cpp"), "--call", "check(a: i32[n], n)", "--sizes", "2"]);
    let traps = results(&found)[0]["traps"].as_array().expect("traps").clone();
    let thrown = traps.iter().find(|trap| trap["verified"] == true).expect("a trap that wasmtime confirms");
    assert!(thrown["trap"].as_str().expect("words").contains("an exception is thrown"), "{thrown}");
    assert!(thrown["inputs"][0]["a"].as_array().expect("an array").iter().any(|a| a.as_i64() > Some(1_000_000)));
    assert!(found["target"]["notes"].to_string().contains("libc++"), "{}", found["target"]);
}

#[test]
fn exceptions_are_caught_as_in_the_source() {
    // What the program gives where g++ compiles it.
    let expected = [(0, 1000), (1, 412), (2, 618), (3, 1016), (4, -1), (5, 1005)];
    for (x, result) in expected {
        let input = format!(r#"{{"arg0": {x}}}"#);
        let ran = json(&["run", &program("recovers.cpp"), "--call", "every(i32)", "--size", "1", "--input", &input]);
        assert_eq!(ran["result"], result, "{ran}");
    }
    let found = analyze(&[&program("recovers.cpp"), "--call", "parse(s: u8[n], n)", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [1, 3, 9]);
    let sure = |r: &serde_json::Value| {
        r["verified"] == true && r["confidence"] == "exact" && r["traps"].as_array().is_none_or(Vec::is_empty)
    };
    assert!(results(&found).iter().all(sure), "{found}");
}

#[test]
fn an_exception_that_no_handler_is_for_is_a_trap() {
    let found = analyze(&[&program("recovers.cpp"), "--call", "lets_through(i32)", "--sizes", "1"]);
    let traps = results(&found)[0]["traps"].as_array().expect("traps").clone();
    let names: Vec<&str> = traps.iter().filter_map(|trap| trap["trap"].as_str()).collect();
    assert_eq!(names.len(), 3, "{found}");
    assert!(names.iter().any(|name| name.ends_with("not caught here: Refused")), "{names:?}");
    assert!(traps.iter().all(|trap| trap["verified"] == true), "{found}");
}

const SCOPED: &str = "
#include <string>
#include <vector>
namespace text {
std::string collapse(const std::string &in) {
    std::string out;
    for (char c : in)
        if (c != ' ' || out.empty() || out.back() != ' ') out += c;
    return out;
}
inline int spaces(const std::string &s) {
    int found = 0;
    for (char c : s) found += c == ' ' ? 1 : 0;
    return found;
}
int above(int &limit, const std::vector<long long> &v) {
    int found = 0;
    for (long long x : v)
        if (x > limit) found++;
    return found;
}
}
";

#[test]
fn a_function_of_a_namespace_that_takes_containers_is_called_by_its_last_name() {
    let directory = scratch();
    let file = write(&directory, "scoped.cpp", SCOPED);
    for (call, paths) in [
        ("collapse", [2, 4]),
        ("collapse(in_: std::string[n])", [2, 4]),
        ("above", [2, 4]),
        // Nothing uses it, so that nothing but the generated function has it compiled.
        ("spaces(s: std::string[n])", [2, 4]),
    ] {
        let found = analyze(&[&file, "--call", call, "--sizes", "1..2"]);
        assert_eq!(column(&found, "paths"), paths, "{call}");
        assert!(results(&found).iter().all(|r| r["verified"] == true), "{call}: {found}");
    }
    let ran = run(&["analyze", &file, "--call", "collapse(n)", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("takes 1 argument, behind a place for its result"), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: --call 'collapse(in_: std::string[n])'"), "{}", ran.stderr);
}

#[test]
fn what_a_newer_standard_has_is_said_with_the_flag_for_it() {
    let directory = scratch();
    let text = "#include <span>\nint peak(std::span<const int> s) {\n    int m = 0;\n    for (int x : s)\n        if (x > m) m = x;\n    return m;\n}\n";
    let file = write(&directory, "peak.cpp", text);
    let ran = run(&["analyze", &file, "--call", "peak", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("--cflags -std=c++20"), "{}", ran.stderr);
    let found = analyze(&[&file, "--cflags", "-std=c++20", "--call", "peak", "--sizes", "2"]);
    assert_eq!(column(&found, "paths"), [4]);
}
