//! Calls and types: a name alone suffices, what contradicts the types is refused, and every kind of argument arrives.

use crate::common::{analyze, column, json, program, results, run, scratch, write};

/// The findings of a function that is called by its name alone.
fn by_name(file: &str, name: &str, call: &str) -> serde_json::Value {
    let found = analyze(&[&program(file), "--call", name, "--sizes", "1..4"]);
    assert_eq!(found["target"]["call"], call);
    assert!(found["target"]["notes"].to_string().contains("called as"), "{}", found["target"]);
    assert!(results(&found).iter().all(|result| result["confidence"] == "exact"), "{}", found["limits"]);
    found
}

#[test]
fn a_name_alone_is_called_by_its_types() {
    let found = by_name("everyday.c", "parse_pairs", "parse_pairs(s: cstr[n])");
    assert_eq!(column(&found, "paths"), [2, 4, 8, 16]);
    let worst = results(&found)[3]["input"]["s"].as_array().expect("characters");
    assert!(worst.iter().all(|c| *c == u32::from(b'=')), "{worst:?}");

    let found = by_name("everyday.c", "commas", "commas(text: u8[n], n)");
    assert_eq!(column(&found, "paths"), [2, 4, 8, 16]);
    let found = by_name("everyday.c", "insertion", "insertion(a: i32[n], n)");
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24]);
    by_name("everyday.c", "expand", "expand(dst: out u8[4*n + 64], src: cstr[n])");
}

#[test]
fn a_character_alone_is_an_input_and_no_size() {
    let directory = scratch();
    let file = write(&directory, "digit.c", "int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : -1; }\n");
    let found = analyze(&[&file, "--call", "digit", "--sizes", "1"]);
    assert_eq!((&found["target"]["call"], column(&found, "paths")), (&"digit(c: char)".into(), vec![3]), "{found}");
}

#[test]
fn structs_are_made_by_their_members() {
    let found = by_name("everyday.c", "repeats", "repeats(b: buffer { data: u8[n], len: u32 = n, flags: i32 })");
    // Which of the characters are equal: the Bell numbers.
    assert_eq!(column(&found, "paths"), [1, 2, 5, 15]);
    assert!(results(&found)[0]["input"]["b.flags"].is_i64(), "a member of one struct is a number: {found}");
    let found = by_name("everyday.c", "leftmost", "leftmost(points: point { x: i32, y: i32 }[n], n)");
    assert_eq!(column(&found, "paths"), [1, 2, 4, 8]);
    let call = r#"repeats(buffer { data: cstr[n] in "ab", flags: 9 })"#;
    let found = analyze(&[&program("everyday.c"), "--call", call, "--sizes", "1..4"]);
    assert_eq!(found["target"]["call"], r#"repeats(buffer { data: cstr[n] in "ab", len: u32 = n, flags: i32 = 9 })"#);
    assert_eq!(column(&found, "paths"), [1, 2, 4, 8]);
    let worst = &results(&found)[3]["input"]["arg0.data"];
    assert!(worst.as_array().expect("characters").iter().all(|c| *c == 97 || *c == 98), "{worst}");
}

#[test]
fn slices_and_text_of_rust_are_called_by_their_types() {
    let found = by_name("everyday.rs", "vowels", "vowels(s: str[n], n)");
    let text = results(&found)[3]["input"]["s"].as_array().expect("characters");
    assert!(text.iter().all(|c| c.as_u64().is_some_and(|c| c < 128)), "{text:?}");
    by_name("everyday.rs", "positive", "positive(values: i64[n], n)");
}

#[test]
fn strings_and_vectors_are_made_by_a_generated_function() {
    let of_rust = by_name("everyday.rs", "sort", "sort(values: u32[n], n)");
    assert!(of_rust["target"]["notes"].to_string().contains("called as sort(values: &mut Vec<u32>[n])"));
    let of_cpp = by_name("everyday.cpp", "squeeze", "squeeze(text: char[n], n)");
    assert!(of_cpp["target"]["notes"].to_string().contains("called as squeeze(text: std::string[n])"));
    assert_eq!(column(&of_cpp, "paths"), [2, 4, 8, 16]);
}

/// Runs `analyze`, which must refuse with all these words and write nothing.
fn refused(file: &str, call: &str, words: &[&str]) {
    let directory = scratch();
    let out = directory.path().join("out");
    let ran = run(&["analyze", file, "--call", call, "--sizes", "1", "--out", &out.to_string_lossy()]);
    assert_eq!(ran.code, 2, "{call}\n{}{}", ran.stdout, ran.stderr);
    assert!(!out.exists() && ran.stdout.is_empty(), "{call}");
    for word in words {
        assert!(ran.stderr.contains(word), "{call}: no '{word}' in\n{}", ran.stderr);
    }
}

#[test]
fn a_call_that_contradicts_the_types_is_refused_with_the_right_one() {
    let file = program("everyday.c");
    let caret = "\n  parse_pairs(n)\n              ^\n";
    refused(&file, "parse_pairs(n)", &["`const char *s`", "the number n", caret, "--call 'parse_pairs(s: cstr[n])'"]);
    refused(&file, "insertion(i64[n], n)", &["i64, where i32 is right", "--call 'insertion(a: i32[n], n)'"]);
    refused(&file, "insertion(f32[n], n)", &["f32, where i32 is right"]);
    refused(&file, "insertion(cstr[n], n)", &["a text of single bytes"]);
    refused(&file, "insertion(a: i32[n])", &["takes 2 arguments", "gives 1", "--call 'insertion(a: i32[n], n)'"]);
    refused(&file, "insertion(i32[n], i32[n])", &["argument 2", "`int n`", "a pointer"]);
    refused(&file, "insertion(x: i32, n)", &["argument 1", "a number of type i32"]);
    refused(&file, "repeats(buffer { dat: cstr[n] })", &["no member `dat`", "data, len, flags"]);
    refused(&file, "repeats(bufer)", &["no struct `bufer`", "did you mean buffer?"]);
    refused(&file, "repeats(buffer { data: n })", &["a pointer, not a number"]);
    refused(&file, "peek", &["`hidden *h`", "only the name is known", "peek(null)"]);
    refused(&file, "first_of", &["with a function of the program for NAME", "first_of(a: i32[n], n, &NAME)"]);
    refused(&file, "first_of(i32[n], n, &nobody)", &["`nobody`", "not in the program"]);
    let rust = program("everyday.rs");
    refused(&rust, "sort(u32[n])", &["values: &mut Vec<u32>", "--call 'sort(values: &mut Vec<u32>[n])'"]);
    refused(&rust, "positive(i64[n])", &["takes 2 arguments", "--call 'positive(values: i64[n], n)'"]);
    let directory = scratch();
    let bare = write(&directory, "bare.wat", r#"(module (func (export "f") (param i32)))"#);
    refused(&bare, "f", &["no debug information", "isort(i32[n], n)"]);
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    let file = program("everyday.c");
    refused(&file, "parse_pairs(cstr[n] in \"\")", &["column", "no value", "^"]);
    refused(&file, "parse_pairs(cstr[n] in @no/such/file)", &["cannot read no/such/file", "^"]);
    refused(&file, "parse_pairs(@no/such/file)", &["cannot read no/such/file"]);
    refused(&file, "parse_pairs(cstr)", &["say how many characters"]);
    refused(&file, "parse_pairs(cstr[n] in 0..=9)", &["cstr, which holds 1..=255"]);
    refused(&file, "expand(out cstr[n], cstr[n])", &["`cstr` is not a type"]);
    refused(&file, "parse_pairs(\"a", &["never closed"]);
    refused(&file, "parse_pairs(\"\\q\")", &["escape"]);
}

/// The result of one run.
fn result_of(call: &str, input: &str) -> serde_json::Value {
    json(&["run", &program("everyday.c"), "--call", call, "--size", "3", "--input", input])["result"].clone()
}

#[test]
fn data_that_is_given_arrives() {
    assert_eq!(result_of("parse_pairs(\"a=b=\\x3d\")", "{}"), 3);
    assert_eq!(result_of("sum([7, -3, 100000], 3)", "{}"), 100_004);
    assert_eq!(result_of("sum(null, 0)", "{}"), 0);
    assert_eq!(result_of("first_of([4, 9, 2], n, &falling)", "{}"), 9);
    assert_eq!(result_of("parse_pairs(s: cstr[n])", r#"{"s": "=x="}"#), 2);
    assert_eq!(result_of("parse_pairs(s: cstr[n])", r#"{"s": [61, 61, 61]}"#), 3);
    assert_eq!(result_of("repeats(b: buffer)", r#"{"b.data": "aaa", "b.flags": 0}"#), 3);
    let directory = scratch();
    let file = write(&directory, "data.txt", "k=v\nl=w\n");
    assert_eq!(result_of(&format!("parse_pairs(@{file})"), "{}"), 2);
    let refused = run(&[
        "run",
        &program("everyday.c"),
        "--call",
        "parse_pairs(s: cstr[n] in \"ab\")",
        "--size",
        "2",
        "--input",
        r#"{"s": "=a"}"#,
    ]);
    assert!(refused.code == 2 && refused.stderr.contains("s[0]"), "{}", refused.stderr);
}

#[test]
fn alphabets_hold_for_every_strategy() {
    let directory = scratch();
    let file = write(&directory, "alphabet.txt", "xz=\n");
    let call = format!("parse_pairs(s: cstr[n] in @{file})");
    for strategy in ["auto", "exhaustive", "wise", "evolve", "mutate", "random"] {
        let found = analyze(&[&program("everyday.c"), "--call", &call, "--sizes", "3,6", "--strategy", strategy]);
        assert_eq!(found["target"]["call"], "parse_pairs(s: cstr[n] in \"=xz\")");
        for result in results(&found) {
            let text = result["input"]["s"].as_array().expect("characters");
            let allowed = |c: &serde_json::Value| [61, 120, 122].iter().any(|allowed| *c == *allowed);
            assert!(text.iter().all(allowed), "{strategy}: {text:?}");
        }
    }
    let call = "parse_pairs(s: cstr[n] in \"xz\")";
    let found = analyze(&[&program("everyday.c"), "--call", call, "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [1, 1, 1], "without '=' there is one path");
}

#[test]
fn functions_are_passed_by_their_address_though_nothing_takes_it() {
    let call = "first_of(a: i32[n] in 0..=9, n, &falling)";
    let found = analyze(&[&program("everyday.c"), "--call", call, "--sizes", "1..4"]);
    assert_eq!(column(&found, "paths"), [1, 2, 4, 8]);
}

#[test]
fn worst_inputs_of_characters_are_shown_as_text() {
    let ran = run(&["analyze", &program("everyday.c"), "--call", "parse_pairs", "--sizes", "1..4"]);
    assert!(ran.stdout.contains("s = \"====\""), "{}", ran.stdout);
    let ran = run(&["analyze", &program("everyday.c"), "--call", "insertion", "--sizes", "1..3"]);
    assert!(ran.stdout.contains("a = ["), "{}", ran.stdout);
}

#[test]
fn exported_tests_call_with_text_buffers_and_functions() {
    let directory = scratch();
    for (name, call) in [
        ("text", "parse_pairs(s: cstr[n])"),
        ("out", "expand(dst: out u8[2*n + 1], src: cstr[n])"),
        ("function", "first_of(a: i32[n], n, &falling)"),
        ("data", "sum([1, 2, 3], 3)"),
        ("struct", "repeats"),
    ] {
        let (found, code) = (directory.path().join(name), directory.path().join(format!("{name}-code")));
        let (found, code) = (found.to_string_lossy().into_owned(), code.to_string_lossy().into_owned());
        analyze(&[&program("everyday.c"), "--call", call, "--sizes", "3", "--out", &found]);
        let replayed = run(&["replay", &found]);
        assert_eq!(replayed.code, 0, "{name}\n{}{}", replayed.stdout, replayed.stderr);
        let exported = run(&["export", &found, "--as", "c", "--out", &code]);
        assert_eq!(exported.code, 0, "{name}\n{}", exported.stderr);
        let mut sources: Vec<String> = std::fs::read_dir(&code)
            .expect("exported files")
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .filter(|file| file.ends_with(".c"))
            .collect();
        sources.sort();
        let compiled = std::process::Command::new("cc")
            .args(sources)
            .args(["-o", "test"])
            .current_dir(&code)
            .output()
            .expect("a C compiler");
        assert!(compiled.status.success(), "{name}\n{}", String::from_utf8_lossy(&compiled.stderr));
        let done = std::process::Command::new("./test").current_dir(&code).status().expect("the test runs");
        assert!(done.success(), "{name}");
    }
}
