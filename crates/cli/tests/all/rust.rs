//! Rust from source to verified findings.

use crate::common::{analyze, column, json, program, results, run, scratch, write};

#[test]
fn a_slice_is_an_array_and_its_length() {
    let file = program("queue.rs");
    let found = analyze(&[&file, "--call", "sorted_insert(keys: i32[n], n)", "--sizes", "1..5"]);
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24, 120]);
    assert!(results(&found).iter().all(|r| r["confidence"] == "exact"), "{}", found["limits"]);
    let found = analyze(&[&file, "--call", "queue::distinct(keys: i32[n], n)", "--sizes", "1..4"]);
    // Orders of n keys, some of them equal: the ordered Bell numbers.
    assert_eq!(column(&found, "paths"), [1, 3, 13, 75]);
}

#[test]
fn every_branch_of_a_sort_is_kept_and_the_policy_found() {
    let file = program("queue.rs");
    let found = analyze(&[&file, "--call", "bubble(keys: i32[n], n)", "--sizes", "1..6,30"]);
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24, 120, 720, 1]);
    let worst = results(&found)[6]["input"]["keys"].as_array().expect("an array").clone();
    assert!(worst.windows(2).all(|pair| pair[0].as_i64() > pair[1].as_i64()), "{worst:?}");
    assert!(found["fit"].to_string().contains("n^2"), "{}", found["fit"]);
    assert!(found["policy"]["explained"].to_string().contains("queue.rs:23"), "{}", found["policy"]["explained"]);
}

#[test]
fn an_iterator_that_is_returned_is_run_through_and_anything_else_left_alone() {
    let directory = scratch();
    let text = "pub fn seen(s: &str) -> impl Iterator<Item = usize> + '_ {\n    s.bytes().enumerate().map(move |(at, c)| {\n        \
                s.as_bytes()[..at].iter().filter(|d| **d == c).count()\n    })\n}\n\
                pub fn place(s: &str) -> std::ops::Range<usize> {\n    0..s.len() * 1000\n}\n\
                pub fn lazy(s: &str) -> Option<std::str::Bytes<'_>> {\n    Some(s.bytes())\n}\n";
    let file = write(&directory, "lazy.rs", text);
    let of = |call: &str| {
        let found = analyze(&[&file, "--call", call, "--sizes", "1..8", "--effort", "1e8"]);
        assert!(results(&found).iter().all(|r| r["verified"] == true), "{}", found["limits"]);
        (column(&found, "cost"), found["fit"]["class"].clone())
    };
    let (costs, class) = of("seen(s: &str[n])");
    assert!(class == "n^2" && costs[7] > 4 * costs[1], "{costs:?} {class}");
    for call in ["place(s: &str[n])", "lazy(s: &str[n])"] {
        let (costs, class) = of(call);
        assert!(class == "1" && costs[7] < 200, "{call}: {costs:?} {class}");
    }
}

#[test]
fn a_panic_is_a_trap_with_an_input_that_causes_it() {
    let found = analyze(&[&program("queue.rs"), "--call", "indirect(keys: i32[n], n)", "--sizes", "2"]);
    let traps = results(&found)[0]["traps"].as_array().expect("traps").clone();
    assert!(traps.iter().any(|trap| trap["trap"] == "unreachable" && trap["verified"] == true), "{traps:?}");
}

#[test]
fn a_panic_of_a_plain_call_says_what_its_message_says_and_costs_nothing_more() {
    let directory = scratch();
    let text = "pub fn nth(values: &[u8], at: u32) -> u8 {\n    if at > 200 {\n        panic!(\"{} is too far\", at);\n    }\n    values[at as usize]\n}\n";
    let file = write(&directory, "nth.rs", text);
    let call = "nth(values: u8[n], n, at: u32 in 0..=255)";
    let ran = run(&["analyze", &file, "--call", call, "--sizes", "2"]);
    for words in ["nth.rs:3: ", " is too far", "nth.rs:5: index out of bounds: the len is 2 but the index is "] {
        assert!(ran.stdout.contains(words), "no '{words}' in\n{}", ran.stdout);
    }
    let ran = json(&["run", &file, "--call", call, "--size", "2", "--input", r#"{"values":[1,2],"at":7}"#]);
    assert_eq!(ran["trap"], "unreachable");
    let message = ran["message"].as_str().expect("a message");
    assert!(message.ends_with("nth.rs:5: index out of bounds: the len is 2 but the index is 7"), "{message}");
}

#[test]
fn mistakes_are_answered_in_rustcs_own_words() {
    let directory = scratch();
    let file = write(&directory, "broken.rs", "pub fn f() -> i32 {\n    \"text\"\n}\n");
    let ran = run(&["analyze", &file, "--call", "f()", "--sizes", "1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("mismatched types") && ran.stderr.contains("broken.rs:2:5"), "{}", ran.stderr);
}

const PARTS: &str = "
pub fn chosen(k: Option<u32>, t: (u8, u8), a: [i32; 3]) -> u32 {
    let mut s = k.unwrap_or(0) % 7;
    if t.0 > t.1 {
        s += 1;
    }
    if a[0] > a[2] {
        s += 2;
    }
    s
}

pub fn boxed(b: Box<[u8]>) -> usize {
    let mut spaces = 0;
    for x in b.iter() {
        if *x == b' ' {
            spaces += 1;
        }
    }
    spaces
}

pub fn sum<T: Copy + Into<u64>>(v: &[T]) -> u64 {
    let mut s = 0;
    for x in v {
        s += (*x).into();
    }
    s
}

pub fn words(lines: &[&str]) -> usize {
    lines.len()
}
";

#[test]
fn what_rustc_passes_in_parts_is_called_by_its_name_alone() {
    let directory = scratch();
    let file = write(&directory, "parts.rs", PARTS);
    let found = analyze(&[&file, "--call", "chosen", "--sizes", "1"]);
    assert_eq!(column(&found, "paths"), [4]);
    assert_eq!(found["target"]["options"]["call"], "chosen(k: Option<u32>, t: (u8, u8), a: [i32; 3])");
    let found = analyze(&[&file, "--call", "boxed", "--sizes", "1..3"]);
    assert_eq!(column(&found, "paths"), [2, 4, 8]);
    assert!(results(&found).iter().all(|result| result["verified"] == true), "{found}");
}

#[test]
fn what_no_generated_function_makes_is_not_offered_as_a_ready_call() {
    let directory = scratch();
    let file = write(&directory, "parts.rs", PARTS);
    let listed = json(&["list", &file]);
    let functions = listed["files"][0]["functions"].as_array().expect("functions");
    let of = |name: &str| functions.iter().find(|f| f["name"] == name).expect("it is listed");
    assert!(of("parts::words")["call"].is_null() && of("parts::words")["why"].to_string().contains("&[&str]"));
    assert_eq!(of("parts::boxed")["call"], "parts::boxed(b: Box<[u8]>[n])");
    let ran = run(&["analyze", &file, "--call", "sum", "--sizes", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("--call 'sum::<u32>(v: &[u32][n])'"), "{}", ran.stderr);
}
