//! A growth law is tried at larger sizes before it is stated: programs that change their ways at a size nobody asked for.

use crate::common::{json, scratch, write};

/// The verdict and class of the growth of a function of bytes, analysed at small sizes.
fn growth(text: &str) -> (String, String) {
    let folder = scratch();
    let file = write(&folder, "beyond.c", text);
    let call = ["--call", "f(a: u8[n], n)", "--sizes", "1..12", "--effort", "1e8"];
    let findings = json(&[&["analyze", &file], &call[..]].concat());
    let text = |name: &str| findings["fit"][name].as_str().unwrap_or_default().to_owned();
    (text("verdict"), text("class"))
}

#[test]
fn a_counter_that_has_not_come_to_its_constant_is_waited_for() {
    // Every seventh element counts, so that 40 is reached at 281.
    let text = "int f(const unsigned char *a, int n) { int c = 0, w = 0; for (int i = 0; i < n; i++) {\n\
        if (a[i] == 'x') w++; if (i % 7 == 0) c++; if (c > 40) for (int j = 0; j < n; j++) w += j; } return w; }\n";
    let (verdict, class) = growth(text);
    assert!(verdict != "exact" && verdict != "fitted", "{verdict} {class}");
}

#[test]
fn an_input_law_is_run_at_the_sizes_that_are_predicted() {
    // From 317 on; the constant is far beyond any size.
    let text = "int f(const unsigned char *a, int n) { int w = 0; for (int i = 0; i < n; i++) {\n\
        if (a[i] == 'x') w++; if (n * n > 100000) for (int j = 0; j < n; j++) w += j; } return w; }\n";
    let (verdict, class) = growth(text);
    assert!(verdict != "exact" && verdict != "fitted", "{verdict} {class}");
}

#[test]
fn what_stays_the_same_keeps_its_law() {
    let text = "int f(const unsigned char *a, int n) { int w = 0; for (int i = 0; i < n; i++) if (a[i] == 'x') w++;\n\
        return w; }\n";
    assert_eq!(growth(text), ("exact".to_owned(), "n".to_owned()));
}
