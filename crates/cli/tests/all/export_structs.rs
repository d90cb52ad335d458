//! Structs in exported code and native runs: made member by member, as the host lays them out.

use serde_json::{Value, json};

use crate::common::{json, results, run};
use crate::export::{Project, follow, follow_rust, printed};

/// A struct with what structs have: numbers, text, an array of its own, another struct inside and one it points to; and an array of structs.
const TYPES: &str = "
#include <stdio.h>
struct limits { short low; long high; };
typedef struct { char tag[3]; double scale; } label;
struct doc { const char *text; unsigned len; struct limits range; label name; const struct limits *more; int (*apply)(int); };
struct word { char *s; int weight; struct word *next; };
static int twice(int k) { return 2 * k; }
int use_it(void) { return twice(1); }
";
const COUNT: &str = "
int count(struct doc *d, struct word *words, const int *from, const int *end) {
    int found = 0;
    for (unsigned i = 0; i < d->len; i++)
        if (d->text[i] == d->name.tag[1] && d->range.low < d->more->high)
            found++;
    for (; words; words = words->next)
        if (words->s[0] == 'x' && words->weight > 3)
            found++;
    for (; from != end; from++)
        if (*from == d->apply(4))
            found++;
    return found;
}
";
const PRINT: &str = r#"
int count(struct doc *d, struct word *words, const int *from, const int *end) {
    printf("INPUT {\"d.len\": %u, \"d.text\": [", d->len);
    for (unsigned i = 0; i < d->len; i++)
        printf("%s%d", i ? ", " : "", (unsigned char)d->text[i]);
    printf("], \"d.range\": [%d, %ld], \"d.name\": [%d, %d, %d], \"d.more\": [%d, %ld], \"twice\": %d, \"words\": [", d->range.low,
           d->range.high, d->name.tag[0], d->name.tag[1], d->name.tag[2], d->more->low, d->more->high, d->apply(4));
    for (struct word *w = words; w; w = w->next)
        printf("%s[%d, %d, %d, %d]", w == words ? "" : ", ", (unsigned char)w->s[0], (unsigned char)w->s[1], w->s[2], w->weight);
    printf("], \"from\": [");
    for (const int *at = from; at != end; at++)
        printf("%s%d", at == from ? "" : ", ", *at);
    printf("]}\n");
    fflush(stdout);
    return 0;
}
"#;

/// What the replaced program must have printed.
fn expected(input: &Value, n: usize) -> Value {
    let list = |name: &str| input[name].as_array().cloned().unwrap_or_else(|| panic!("{name} in {input}"));
    let (texts, weights) = (list("words.s"), list("words.weight"));
    let words: Vec<Value> = (0..n).map(|k| json!([texts[2 * k], texts[2 * k + 1], 0, weights[k]])).collect();
    json!({
        "d.len": n, "d.text": input["d.text"], "d.range": [input["d.range.low"], input["d.range.high"]],
        "d.name": input["d.name.tag"], "d.more": [input["d.more.low"], input["d.more.high"]], "twice": 8,
        "words": words, "from": input["from"],
    })
}

const CALL: &str = "count(d: doc { text: cstr[n], len: n, apply: &twice }, \
                    words: word { s: cstr[2], next: following }[n], from: i32[n], end(from))";

#[test]
fn structs_are_made_on_the_host_with_the_same_contents() {
    let source = format!("{TYPES}{COUNT}");
    let project = Project::of("doc.c", &source, ["--call", CALL], "1..3");
    let native = json(&["replay", &project.path("found"), "--native"]);
    assert!(native["native"][2]["worst"]["nanoseconds"].is_number(), "{native}");
    let (c, rust) = (project.export("c", &[]), project.export("rust", &[]));
    follow(&c, "worst_count_3.c");
    project.replace("doc.c", &format!("{TYPES}{PRINT}"));
    let expected = expected(project.last_input(), 3);
    assert_eq!(printed(&follow(&c, "worst_count_3.c")), expected);
    assert_eq!(printed(&follow_rust(&rust, "worst_count_3.rs")), expected);
}

#[test]
fn structs_of_cpp_are_made_too() {
    let source = format!("{TYPES}{COUNT}").replace("<stdio.h>", "<cstdio>");
    let project = Project::of("doc.cpp", &source, ["--call", CALL], "1..3");
    let c = project.export("c", &[]);
    project.replace("doc.cpp", &format!("{TYPES}{PRINT}"));
    assert_eq!(printed(&follow(&c, "worst_count_3.c")), expected(project.last_input(), 3));
}

#[test]
fn structs_that_cannot_be_made_are_refused() {
    let source = "struct in { int k; };\nstruct out { struct in *in; };\n\
        int f(struct out *o, int n) { int c = 0; for (int i = 0; i < n; i++) if (o[i].in->k > 0) c++; return c; }\n";
    let project = Project::of("deep.c", source, ["--call", "f"], "1..3");
    assert!(results(&project.findings).iter().all(|result| result["verified"] == true));
    for arguments in [vec!["replay", "--native"], vec!["export", "--as", "c", "--out", "nowhere"]] {
        let found = project.path("found");
        let ran = run(&[&arguments[..1], &[&found], &arguments[1..]].concat());
        assert!(ran.code == 2 && ran.stderr.contains("structs that many others point to"), "{}", ran.stderr);
    }
}
