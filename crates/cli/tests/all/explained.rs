//! Policies speak of flags, cases and signs as the source does.

use crate::common::{analyze, scratch, write};

/// The policy of a function, rule by rule.
fn explained(source: &str, call: &str) -> String {
    let directory = scratch();
    let file = write(&directory, "p.c", source);
    let found = analyze(&[&file, "--call", call, "--sizes", "1..6,12"]);
    let lines = found["policy"]["explained"].as_array().expect("a policy was learned").clone();
    lines.iter().filter_map(|line| line.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_flag_is_one_and_not_taken_or_not_taken() {
    let source = "int count(const _Bool *g, int n) {
    int c = 0;
    for (int i = 0; i < n; i++)
        if (g[i]) c += i * 3;
    return c;
}
";
    let policy = explained(source, "count(g: bool[n], n)");
    assert!(policy.contains("p.c:4 'if (g[i]) c += i * 3;': always 1"), "{policy}");
    assert!(!policy.contains("taken"), "{policy}");
}

#[test]
fn half_the_range_is_told_from_a_test_of_the_sign() {
    let source = "int wide(const unsigned char *s, int n) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] < 0x80) continue;
        c += s[i] * 3;
    }
    return c;
}
";
    let policy = explained(source, "wide(s: u8[n], n)");
    assert!(policy.contains("p.c:4 's[i] < 0x80': always false"), "{policy}");
}
