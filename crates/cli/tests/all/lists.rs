//! Lists, ranges and pointers to pointers: called by a name alone, or written out.

use crate::common::{analyze, column, json, program, results, run, scratch, write};

fn by_name(name: &str, call: &str) -> serde_json::Value {
    let found = analyze(&[&program("lists.c"), "--call", name, "--sizes", "1..4"]);
    assert_eq!(found["target"]["call"], call);
    for result in results(&found) {
        assert_eq!((&result["confidence"], &result["verified"]), (&"exact".into(), &true.into()), "{name}: {result}");
    }
    found
}

#[test]
fn structs_that_lead_to_their_own_kind_are_lists_of_n() {
    let found = by_name("duplicates", "duplicates(list: node { key: i32, next: following }[n])");
    // Which of the keys are equal: the Bell numbers.
    assert_eq!(column(&found, "paths"), [1, 2, 5, 15]);
    let found = by_name("place", "place(head: { p: node { key: i32, next: following }[n] }, key: i32)");
    assert_eq!(column(&found, "paths"), [2, 3, 4, 5]);
    let call = "there_and_back(at_: ring { prev: preceding, next: following, weight at 14: i16 }[n])";
    let found = by_name("there_and_back", call);
    assert_eq!(column(&found, "paths"), [1, 2, 4, 8]);
    let notes = found["target"]["notes"].to_string();
    assert!(notes.contains("stay zero: ring.mark, ring.owner") && notes.contains("--harness"), "{notes}");
}

#[test]
fn structs_with_children_have_n_of_them() {
    let call = "repeated(item: item { child at 8: item { next: following, prev: preceding, value at 12: i32 }[n], value: i32 })";
    let found = by_name("repeated", call);
    assert_eq!(column(&found, "paths"), [1, 2, 5, 15]);
}

#[test]
fn a_list_may_be_written_out() {
    let result = |call: &str, input: &str| {
        json(&["run", &program("lists.c"), "--call", call, "--size", "4", "--input", input])["result"].clone()
    };
    let keys = r#"{"l.key": [5, 7, 5, 5]}"#;
    assert_eq!(result("duplicates(l: node[n])", keys), 3);
    assert_eq!(result("duplicates(l: node { next: null }[n])", keys), 0);
    assert_eq!(result("duplicates(l: node { next: following }[n])", keys), 3);
    assert_eq!(result("duplicates(l: { key: i32, next: following }[n])", keys), 3);
    assert_eq!(result("duplicates(l: { key: i32, next: preceding }[n])", keys), 0, "the first has none before it");
    let ran = run(&["analyze", &program("lists.c"), "--call", "above(first: i32[n], end(nobody))"]);
    assert!(ran.code == 2 && ran.stderr.contains("no argument `nobody` that has an end"), "{}", ran.stderr);
}

#[test]
fn ranges_and_pointers_to_pointers_are_called_by_their_types() {
    assert_eq!(column(&by_name("above", "above(first: i32[n], end(first))"), "paths"), [2, 4, 8, 16]);
    assert_eq!(column(&by_name("blanks", "blanks(at_: { p: cstr[n] })"), "paths"), [2, 3, 4, 5]);
    assert_eq!(column(&by_name("number", "number(s: cstr[n], endp: out u8[8])"), "paths"), [3, 5, 7, 9]);
}

#[test]
fn a_member_may_point_to_n_pointers() {
    let count = |entry: &str| {
        let call = format!("count_in(t: table {{ max: n, cur: n, entry: {entry} }}, 5)");
        run(&[
            "run",
            &program("lists.c"),
            "--call",
            &call,
            "--size",
            "3",
            "--input",
            r#"{"t.entry.p.0.key": [5], "t.entry.p.1.key": [7], "t.entry.p.2.key": [5]}"#,
            "--format",
            "json",
        ])
    };
    let found = count("{ p: node { next: null } }[n]");
    assert!(found.stdout.contains("\"result\": 2"), "{}{}", found.stdout, found.stderr);
    for (entry, why) in [("{ p: i32 }[n]", "one of many pointers"), ("{ p: node, q: node }[n]", "points to pointers")] {
        let refused = count(entry);
        assert!(refused.code == 2 && refused.stderr.contains(why), "{}", refused.stderr);
    }
}

#[test]
fn options_behind_a_struct_are_no_counts() {
    by_name("with_options", "with_options(options: options { width: i32 }, more: u8, strict: i32)");
}

#[test]
fn what_is_only_handed_through_is_null() {
    let directory = scratch();
    let text = "int parse(const char *s, void *user_data) { int k = user_data != 0; while (*s++) k++; return k; }\n";
    let file = write(&directory, "parser.c", text);
    let found = analyze(&[&file, "--call", "parse", "--sizes", "1"]);
    assert_eq!(found["target"]["call"], "parse(s: cstr[n], null)");
}

#[test]
fn headers_and_projects_that_are_not_configured_are_told_what_to_do() {
    let directory = scratch();
    let header = write(&directory, "one.hpp", "int f(int);\n");
    let ran = run(&["list", &header]);
    assert!(
        ran.code == 2 && ran.stderr.contains("write a .cpp file beside it with the line #include \"one.hpp\""),
        "{}",
        ran.stderr
    );
    let file = write(
        &directory,
        "guarded.c",
        "#ifdef HAVE_STDINT_H\n#include <stdint.h>\n#endif\nint f(int32_t k) { return k; }\n",
    );
    let ran = run(&["list", &file]);
    assert!(ran.code == 2 && ran.stderr.contains("-D HAVE_STDINT_H=1"), "{}", ran.stderr);
    assert_eq!(run(&["list", &file, "-D", "HAVE_STDINT_H=1"]).code, 0);
}

#[test]
fn long_calls_are_listed_by_the_names_of_their_structs() {
    let directory = scratch();
    let members: String = (0..30).map(|k| format!("int member_{k};")).collect();
    let file = write(
        &directory,
        "wide.c",
        format!("struct wide {{ {members} }};\nint f(struct wide *w, const char *s) {{ return w->member_3 + *s; }}\n"),
    );
    let listed = run(&["list", &file]);
    assert!(listed.stdout.contains("--call 'f(w: wide, s: cstr[n])'"), "{}", listed.stdout);
    let short = analyze(&[&file, "--call", "f(w: wide, s: cstr[n])", "--sizes", "1"]);
    let by_name = analyze(&[&file, "--call", "f", "--sizes", "1"]);
    assert_eq!(short["target"]["call"], by_name["target"]["call"]);
}

#[test]
fn a_function_that_sets_up_what_another_takes_is_named() {
    let directory = scratch();
    let text = "typedef struct { unsigned pos; int depth; } parser;\nvoid parser_open(parser *p) {\n    p->pos = 0;\n    p->depth = -1;\n}\n\
                int parse(parser *p, const char *s, unsigned len) {\n    for (; p->pos < len; p->pos++)\n        if (s[p->pos] == '[') p->depth++;\n    return p->depth;\n}\n\
                int depth(const parser *p) { return p->depth; }\n";
    let file = write(&directory, "parser.c", text);
    let notes = |name: &str| analyze(&[&file, "--call", name, "--sizes", "1..2"])["target"]["notes"].to_string();
    assert!(notes("parse").contains("`parser_open` sets parser up"), "{}", notes("parse"));
    // What only reads it takes it as it is.
    assert!(!notes("depth").contains("sets parser up"), "{}", notes("depth"));
    // And where nobody asked for one function.
    let said = |text: &str| text.matches("`parser_open` sets parser up, which is in any state here").count();
    let listed = run(&["list", &file]);
    assert_eq!(said(&listed.stdout), 1, "{}", listed.stdout);
    let scanned = run(&["scan", &file, "--effort", "3e6"]);
    assert_eq!(said(&scanned.stdout), 1, "{}", scanned.stdout);
}

#[test]
fn what_begins_a_struct_is_called_before_what_takes_it() {
    let directory = scratch();
    let text = "enum mode { STRICT, LOOSE };\ntypedef struct { unsigned pos; int state; void *(*hook)(void *); } parser;\n\
                void parser_reset(parser *p) { p->pos = 0; }\nvoid parser_init(parser *p, enum mode m) {\n    p->pos = 0;\n    p->state = 7 + m;\n}\n\
                int parse(parser *p, const char *s) {\n    if (p->state < 7) return -1;\n    for (; s[p->pos]; p->pos++)\n\
                        for (unsigned i = 0; p->state == 8 && i < p->pos; i++)\n            if (s[i] == s[p->pos]) p->state = 8;\n    return p->state;\n}\n";
    let file = write(&directory, "parser.c", text);
    let call = "parse(p: out u8[12], s: cstr[n]) after parser_init(p, m: u32 in 0..=1)";
    let listed = run(&["list", &file]);
    assert!(listed.stdout.contains(&format!("--call '{call}'")), "{}", listed.stdout);
    let by_name = analyze(&[&file, "--call", "parse", "--sizes", "1..6,40", "--effort", "3e7"]);
    assert!(by_name["target"]["notes"].to_string().contains(call), "{}", by_name["target"]);
    // Only what came after it is counted, and the second of its two modes is quadratic.
    assert_eq!(by_name["fit"]["class"], "n^2", "{}", by_name["fit"]);
    assert!(results(&by_name).iter().all(|result| result["verified"] == true && result["input"]["m"] == 1));
    // And again from the document.
    let document = write(&directory, "found.json", by_name.to_string());
    assert_eq!(run(&["replay", &document, "--program", &file]).code, 0);
    let refused = run(&["analyze", &file, "--call", "parse(p: out u8[12], s: cstr[n]) after parser_init(p); abort()"]);
    assert_eq!((refused.code, refused.stderr.contains("panicked")), (2, false), "{}", refused.stderr);
}

#[test]
fn a_container_is_not_emptied_by_what_begins_it() {
    let directory = scratch();
    let text = "typedef struct { const int *items; unsigned count; } bag;\nvoid bag_init(bag *b) {\n    b->items = 0;\n    b->count = 0;\n}\n\
                int bag_find(bag *b, int key) {\n    for (unsigned i = 0; i < b->count; i++)\n        if (b->items[i] == key) return 1;\n    return 0;\n}\n";
    let file = write(&directory, "bag.c", text);
    let found = analyze(&[&file, "--call", "bag_find", "--sizes", "1..8", "--effort", "1e7"]);
    assert!(!found["target"]["call"].to_string().contains("after"), "{}", found["target"]);
    assert_eq!(found["fit"]["class"], "n", "{}", found["fit"]);
}

#[test]
fn what_is_looked_for_is_shorter_than_the_text() {
    let directory = scratch();
    let text = "int find(const char *text, const char *pattern) {\n    for (int i = 0; text[i]; i++) {\n        int j = 0;\n\
                        while (pattern[j] && text[i + j] == pattern[j]) j++;\n        if (!pattern[j]) return i;\n    }\n    return -1;\n}\n";
    let file = write(&directory, "find.c", text);
    let listed = run(&["list", &file]);
    assert!(listed.stdout.contains("--call 'find(text: cstr[n], pattern: cstr[n/2])'"), "{}", listed.stdout);
    let found = analyze(&[&file, "--call", "find", "--effort", "2e8"]);
    assert_eq!(found["fit"]["class"], "n^2", "{}", found["fit"]);
}

#[test]
fn what_is_looked_for_is_shorter_also_with_a_length_of_its_own() {
    let directory = scratch();
    let text = "typedef unsigned long size_t;\nchar text[9];\n\
                void *mem(const void *hay, size_t hay_len, const void *needle, size_t needle_len) { return needle_len > hay_len ? 0 : text; }\n\
                int at(const unsigned char *t, int n, const unsigned char *p, int m) { return m > n || t[n - 1] == p[0]; }\n\
                char *within(const char *s, const char *find, size_t slen) { return slen && *s == *find ? text : 0; }\n\
                int merge(const int *a, int n, const int *b, int m) { return a[n - 1] < b[m - 1]; }\n";
    let listed = run(&["list", &write(&directory, "search.c", text)]).stdout;
    for call in [
        "mem(hay: u8[n], n, needle: u8[n/2], n/2)",
        "at(t: u8[n], n, p: u8[n/2], n/2)",
        // The one length is that of the text.
        "within(s: u8[n], find: u8[n], n)",
        "merge(a: i32[n], n, b: i32[n], n)",
    ] {
        assert!(listed.contains(call), "{call} in {listed}");
    }
}
