//! What `auto` does where the word of a validated policy is not to be taken.

use crate::common::{analyze, column, json, results, scratch, write};

/// The worst case is all but one character of the pattern at every place: a policy would have to count to n/2.
const NAIVE_SEARCH: &str = "int find(const char *t, int n, const char *p, int m) {
    for (int i = 0; i + m <= n; i++) {
        int j = 0;
        while (j < m && t[i + j] == p[j]) j++;
        if (j == m) return i;
    }
    return -1;
}
";

#[test]
fn where_no_history_is_long_enough_the_path_is_synthesised() {
    let directory = scratch();
    let file = write(&directory, "find.c", NAIVE_SEARCH);
    let call = ["--call", "find(t: char[n], n, p: char[n/2], n/2)"];
    let found = analyze(&[&[file.as_str()], &call[..], &["--sizes", "6,10,20,30,40"]].concat());
    let pattern: Vec<u8> = (0..20).map(|i| u8::from(i == 19)).collect();
    let input = format!("{{\"t\": {:?}, \"p\": {pattern:?}}}", vec![0; 40]);
    let known = json(&[&["run", &file], &call[..], &["--size", "40", "--input", &input]].concat());
    assert_eq!(column(&found, "cost")[4], known["costs"]["instructions"], "{:?}", found["limits"]);
    assert_eq!(results(&found)[4]["confidence"], "validated");
    assert_eq!(found["fit"]["class"], "n^2");
}

#[test]
fn a_policy_that_was_beaten_is_not_called_good() {
    let directory = scratch();
    let file = write(&directory, "find.c", NAIVE_SEARCH);
    let call = "find(t: char[n], n, p: char[n/2], n/2)";
    let found = analyze(&[&file, "--call", call, "--sizes", "10,40"]);
    let policy = found["policy"]["why"].as_str().expect("a policy was learned");
    assert!(policy.contains("but at size 40 there is worse than what it finds"), "{policy}");
    let law = found["input_law"]["inputs"][1]["law"].as_str();
    assert!(law.is_none_or(|law| law.contains("n/2")), "{law:?}");
}

#[test]
fn sorting_floats_is_as_easy_as_sorting_integers() {
    let sort = |ty: &str| {
        format!(
            "void sort({ty} *a, int n) {{
                for (int i = 1; i < n; i++) {{
                    {ty} v = a[i];
                    int j = i;
                    while (j > 0 && a[j - 1] > v) {{ a[j] = a[j - 1]; j--; }}
                    a[j] = v;
                }}
            }}"
        )
    };
    let directory = scratch();
    let costs = |ty: &str, name: &str| {
        let file = write(&directory, &format!("{ty}.c"), sort(ty));
        let found = analyze(&[&file, "--call", &format!("sort(a: {name}[n], n)"), "--sizes", "5,20,40"]);
        assert!(results(&found)[1..].iter().all(|result| result["confidence"] == "validated"), "{found}");
        assert_eq!(column(&found, "smt_queries"), [0, 0, 0], "{ty}");
        column(&found, "cost")
    };
    let wanted = costs("long long", "i64");
    assert_eq!(costs("double", "f64"), wanted);
    assert_eq!(costs("float", "f32"), wanted);
}

#[test]
fn a_challenge_that_falls_short_of_the_policy_does_not_beat_it() {
    // Keys of one bucket: what follows from remainders only Z3 can tell, and local search does not ask it.
    let source = "#include <stdlib.h>
struct node { unsigned key; struct node *next; };
static struct node *bucket[8];
static void put(unsigned key) {
    unsigned h = (key * 31u) & 7u;
    for (struct node *p = bucket[h]; p; p = p->next)
        if (p->key == key) return;
    struct node *p = malloc(sizeof *p);
    p->key = key;
    p->next = bucket[h];
    bucket[h] = p;
}
void fill(unsigned *keys, int n) {
    for (int i = 0; i < n; i++) put(keys[i]);
}
";
    let directory = scratch();
    let file = write(&directory, "chains.c", source);
    let call = ["--call", "fill(keys: u32[n], n)"];
    let found = analyze(&[&[file.as_str()], &call[..], &["--sizes", "8"]].concat());
    let keys: Vec<u32> = (0..8).map(|i| 8 * i).collect();
    let input = format!("{{\"keys\": {keys:?}}}");
    let known = json(&[&["run", &file], &call[..], &["--size", "8", "--input", &input]].concat());
    assert_eq!(column(&found, "cost")[0], known["costs"]["instructions"], "{:?}", found["limits"]);
}

#[test]
fn a_policy_is_validated_on_sizes_on_the_way_where_paths_are_few() {
    let directory = scratch();
    let text = "int place(const int *a, int n, int key) {
        int low = 0, high = n;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (a[middle] < key) low = middle + 1; else high = middle;
        }
        return low;
    }";
    let file = write(&directory, "place.c", text);
    let call = "place(a: i32[n], n, key: i32)";
    let found = analyze(&[&file, "--call", call, "--sizes", "30000", "--effort", "8e8"]);
    let why = found["policy"]["why"].as_str().expect("a policy was learned");
    let (result, beaten) = (&results(&found)[0], why.contains("but at size"));
    // Where it was right on the way, it may be believed; else not.
    assert_eq!(beaten, result["confidence"] != "validated", "{why}\n{}", found["limits"]);
    assert!(beaten, "learned below size 30, it does not know that halves of odd sizes differ: {why}");
}
