//! Harnesses that were written for other tools.

use crate::common::{analyze, column, program, results, scratch, write};

#[test]
fn the_calls_of_klee_make_inputs_and_assumptions() {
    let file = program("klee_tree.c");
    let found = analyze(&[&file, "--harness", "klee_harness", "--sizes", "1..4"]);
    // Found at one of n places or not at all; what the assertion guards against never happens.
    assert_eq!(column(&found, "paths"), [2, 3, 4, 5]);
    let last = &results(&found)[3];
    assert!(last["traps"].as_array().is_some_and(Vec::is_empty), "{last}");
    let key = last["input"]["key"].as_i64().expect("a key");
    assert!((0..10).contains(&key), "{last}");
}

#[test]
fn the_calls_of_sv_comp_do_too_and_main_needs_no_size() {
    let found = analyze(&[&program("klee_tree.c"), "--harness", "main", "--sizes", "1"]);
    assert_eq!(column(&found, "paths"), [4]);
    assert_eq!(results(&found)[0]["confidence"], "exact");
}

/// One of KLEE's examples, whose code is like this: its main makes an input, and nothing is changed.
fn example(text: &str) -> serde_json::Value {
    let directory = scratch();
    let file = write(&directory, "example.c", text);
    let found = analyze(&[&file, "--harness", "main", "--sizes", "1"]);
    let only = results(&found)[0].clone();
    assert!(only["confidence"] == "exact" && only["verified"] == true, "{only}");
    only
}

#[test]
fn klees_get_sign_has_three_paths() {
    let found = example(
        "#include \"klee/klee.h\"\nint sign_of(int x) { return x == 0 ? 0 : x < 0 ? -1 : 1; }\n\
         int main(void) { int a; klee_make_symbolic(&a, sizeof(a), \"a\"); return sign_of(a); }\n",
    );
    assert_eq!(found["paths"], 3);
}

const SORTS: &str = r#"#include <klee/klee.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static void put(int *sorted, unsigned count, int item) {
    unsigned at = 0;
    while (at < count && sorted[at] <= item) at++;
    memmove(sorted + at + 1, sorted + at, sizeof(int) * (count - at));
    sorted[at] = item;
}
static void by_insertion(int *a, unsigned n) {
    int *sorted = malloc(sizeof(int) * n);
    for (unsigned i = 0; i < n; i++) put(sorted, i, a[i]);
    memcpy(a, sorted, sizeof(int) * n);
    free(sorted);
}
static void by_bubbles(int *a, unsigned n) {
    for (int again = 1; again;) {
        again = 0;
        for (unsigned i = 0; i + 1 < n; i++)
            if (a[i + 1] < a[i]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; again = 1; }
    }
}
int main(void) {
    int input[3], one[3], other[3];
    klee_make_symbolic(input, sizeof(input), "input");
    memcpy(one, input, sizeof(input));
    memcpy(other, input, sizeof(input));
    by_insertion(one, 3);
    by_bubbles(other, 3);
    for (int i = 0; i < 3; i++) assert(one[i] == other[i]);
    return 0;
}
"#;

#[test]
fn klees_sorts_agree_on_every_order() {
    let found = example(SORTS);
    // The orders of three numbers.
    assert_eq!(found["paths"], 6);
    assert!(found["traps"].as_array().is_some_and(Vec::is_empty), "{found}");
}

const REGEXP: &str = r#"#include "klee/klee.h"
static int here(char *re, char *text);
static int star(int c, char *re, char *text) {
    do {
        if (here(re, text)) return 1;
    } while (*text != 0 && (*text++ == c || c == '.'));
    return 0;
}
static int here(char *re, char *text) {
    if (re[0] == 0) return 0;
    if (re[1] == '*') return star(re[0], re + 2, text);
    if (re[0] == '$' && re[1] == 0) return *text == 0;
    if (*text != 0 && (re[0] == '.' || re[0] == *text)) return here(re + 1, text + 1);
    return 0;
}
int main(void) {
    char re[5];
    klee_make_symbolic(re, sizeof(re), "re");
    klee_assume(re[4] == 0);
    char *text = "hello";
    if (re[0] == '^') return here(re + 1, text);
    do {
        if (here(re, text)) return 1;
    } while (*text++ != 0);
    return 0;
}
"#;

#[test]
fn klees_regexp_is_slowest_on_two_stars() {
    let found = example(REGEXP);
    let re: Vec<u64> = found["input"]["re"].as_array().expect("bytes").iter().filter_map(|c| c.as_u64()).collect();
    assert_eq!(re, *b".*.*\0".map(u64::from).as_slice(), "{found}");
}
