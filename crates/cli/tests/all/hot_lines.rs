//! The lines that the worst input runs most often: counted right, named as the user names them.

use crate::common::{analyze, json, program, results, run, scratch, write};
use serde_json::Value;

const ISORT: &str = "isort(a: i32[n], n)";

fn line(findings: &Value, number: u64) -> &Value {
    let lines = results(findings).last().unwrap()["hot_lines"].as_array().expect("the largest size has its lines");
    lines.iter().find(|line| line["line"] == number).unwrap_or_else(|| panic!("line {number} ran: {lines:?}"))
}

#[test]
fn counts_of_lines_agree_with_their_cost_models() {
    let file = program("isort.c");
    let findings = analyze(&[&file, "--call", ISORT, "--sizes", "1..6"]);
    let with_lines: Vec<usize> = (0..6).filter(|i| results(&findings)[*i].get("hot_lines").is_some()).collect();
    assert_eq!(with_lines, [2, 5], "at size 6 and at half of it");
    let text = std::fs::read_to_string(&file).unwrap();
    let at = |wanted: &str| 1 + text.lines().position(|line| line.contains(wanted)).expect(wanted) as u64;
    for wanted in ["while (", "a[j] = a[j - 1]", "a[j] = x"] {
        let number = at(wanted);
        let input = results(&findings)[5]["input"].to_string();
        let site = format!("site:isort.c:{number}");
        let alone = json(&["run", &file, "--call", ISORT, "--size", "6", "--input", &input, "--cost", &site]);
        assert_eq!(line(&findings, number)["count"], alone["costs"][&site], "{wanted}");
        assert_eq!(line(&findings, number)["file"], file.as_str());
        assert!(line(&findings, number)["text"].as_str().unwrap().contains(wanted));
    }
    // Descending numbers: the condition holds fifteen times and fails five times, each time with two branches.
    let inner = line(&findings, at("while ("));
    assert_eq!(inner["branches"].as_u64(), Some(2 * (15 + 5)), "{inner}");
    assert_eq!(inner["taken"].as_u64().unwrap() + inner["not_taken"].as_u64().unwrap(), 40);
    let branches: u64 =
        results(&findings)[5]["hot_lines"].as_array().unwrap().iter().filter_map(|l| l["branches"].as_u64()).sum();
    assert_eq!(Some(branches), results(&findings)[5]["costs"]["branches"].as_u64());
}

#[test]
fn the_page_names_the_busiest_lines() {
    let ran = run(&["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "1..4"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines: Vec<&str> =
        ran.stdout.lines().skip_while(|line| !line.starts_with("responsible lines at size 4")).collect();
    assert!(lines[1].contains("isort.c:") && lines[1].contains("while ("), "{}", ran.stdout);
}

#[test]
fn code_without_debug_information_is_counted_by_function() {
    let directory = scratch();
    let text = r#"(module (memory 1) (func $count (export "f") (param $n i32) (local $i i32)
        (loop $again
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $i) (local.get $n))))))"#;
    let file = write(&directory, "f.wat", text);
    let findings = analyze(&[&file, "--call", "f(n)", "--sizes", "7"]);
    let lines = &results(&findings)[0]["hot_lines"];
    assert_eq!(lines[0]["line"], Value::Null);
    assert_eq!((&lines[0]["function"], &lines[0]["count"]), (&Value::from("count"), &Value::from(7)), "{lines}");
    assert_eq!((&lines[0]["taken"], &lines[0]["not_taken"]), (&Value::from(6), &Value::from(1)), "{lines}");
}

#[test]
fn a_line_of_the_user_answers_for_the_library_it_calls() {
    let directory = scratch();
    let out = directory.path().join("out").to_string_lossy().into_owned();
    let text = "#include <algorithm>\n#include <vector>\nextern \"C\" int f(int *a, int n) {\n  std::vector<int> v(a, a + n);\n  \
        std::make_heap(v.begin(), v.end());\n  return v[0];\n}\n";
    let file = write(&directory, "heap.cpp", text);
    let findings = json(&["analyze", &file, "--call", "f(a: i32[n], n)", "--sizes", "4", "--out", &out]);
    let heap = line(&findings, 5);
    assert_eq!(heap["own"], true);
    assert!(heap["inclusive"].as_f64() >= heap["charged"].as_f64() && heap["charged"].as_f64() > Some(0.05), "{heap}");
    assert!(heap["calls"][0]["function"].as_str().is_some_and(|name| name.starts_with("std::make_heap")), "{heap}");
    let lines = results(&findings)[0]["hot_lines"].as_array().unwrap();
    let own: f64 = lines.iter().filter(|l| l["own"] == true).filter_map(|l| l["charged"].as_f64()).sum();
    assert!((0.9..=1.000001).contains(&own), "own lines answer for all of it: {own}");
    // The same in the forms of other tools.
    let frames = findings["flame"]["frames"].as_array().unwrap();
    let all: u64 = frames.iter().filter_map(|frame| frame["own"].as_u64()).sum();
    assert!(frames.iter().all(|frame| !frame["function"].as_str().unwrap().starts_with("_Z")), "{frames:?}");
    for (form, file) in [("folded", "f_4.folded"), ("speedscope", "f_4.speedscope.json")] {
        assert_eq!(run(&["export", &out, "--as", form, "--out", &out]).code, 0);
        let text = std::fs::read_to_string(directory.path().join("out").join(file)).unwrap();
        let sum: u64 = if form == "folded" {
            text.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
        } else {
            let scope: Value = serde_json::from_str(&text).unwrap();
            scope["profiles"][0]["weights"].as_array().unwrap().iter().filter_map(Value::as_u64).sum()
        };
        assert_eq!(sum, all, "{form}");
    }
}

#[test]
fn the_lines_of_a_project_are_the_users_own() {
    let directory = scratch();
    let library = directory.path().join("library");
    std::fs::create_dir_all(directory.path().join("fuzz")).expect("a folder");
    std::fs::create_dir_all(&library).expect("a folder");
    let slow = "int slow(const int *a, int n) {\n    int c = 0;\n    for (int i = 0; i < n; i++)\n        for (int j = 0; j < i; j++)\n            c += a[i] < a[j];\n    return c;\n}\n";
    std::fs::write(library.join("slow.c"), slow).expect("a file");
    let main = "int slow(const int *a, int n);\nint entry(const int *a, int n) { return slow(a, n); }\n";
    let main = write(&directory, "fuzz/main.c", main);
    let project = library.to_string_lossy().into_owned();
    let call = ["--call", "entry(a: i32[n], n)", "--sizes", "2,4,8", "--effort", "1e7"];
    let found = analyze(&[&[main.as_str(), "--project", &project], &call[..]].concat());
    let line = &results(&found)[2]["hot_lines"][0];
    assert!(line["file"].as_str().is_some_and(|file| file.ends_with("slow.c")) && line["own"] == true, "{line}");
}
