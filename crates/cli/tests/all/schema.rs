//! docs/findings.schema.json describes real documents to the last member, and documents of the past can still be read.

use std::path::{Path, PathBuf};

use crate::common::{json, program, run, scratch, write};
use serde_json::Value;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn schema() -> Value {
    let text = std::fs::read_to_string(here("../../docs/findings.schema.json")).expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

/// What is wrong with a value: the part of JSON Schema that ours uses, and no member that it does not name.
fn problems(whole: &Value, schema: &Value, value: &Value, place: &str, out: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').expect("references are local");
        let target = whole.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        return problems(whole, target, value, place, out);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let tries = choices.iter().map(|choice| {
            let mut found = Vec::new();
            problems(whole, choice, value, place, &mut found);
            found
        });
        let best = tries.min_by_key(Vec::len).expect("there are choices");
        return out.extend(best);
    }
    let mut wrong = |what: String| out.push(format!("{place}: {what}"));
    if schema.get("const").is_some_and(|only| only != value) {
        wrong(format!("{value} is not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        wrong(format!("{value} is none of {}", schema["enum"]));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    if !types.is_empty() && !types.iter().any(|name| is(name, value)) {
        wrong(format!("{value} is no {types:?}"));
    }
    let number = value.as_f64();
    if matches!((number, schema["minimum"].as_f64()), (Some(number), Some(least)) if number < least)
        || matches!((number, schema["maximum"].as_f64()), (Some(number), Some(most)) if number > most)
    {
        wrong(format!("{value} is out of range"));
    }
    if let Some(items) = value.as_array() {
        for (i, item) in items.iter().enumerate() {
            problems(whole, &schema["items"], item, &format!("{place}[{i}]"), out);
        }
    }
    if let Some(members) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                out.push(format!("{place}: {name} is missing"));
            }
        }
        for (name, member) in members {
            let place = format!("{place}.{name}");
            match (schema["properties"].get(name), schema.get("additionalProperties")) {
                (Some(known), _) => problems(whole, known, member, &place, out),
                (None, Some(Value::Bool(true))) => {}
                (None, Some(any)) => problems(whole, any, member, &place, out),
                (None, None) => out.push(format!("{place} is not in the schema")),
            }
        }
    }
}

fn is(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the schema has an unknown type {other}"),
    }
}

fn check(document: &Value, what: &str) {
    let schema = schema();
    let mut found = Vec::new();
    problems(&schema, &schema, document, "", &mut found);
    assert!(found.is_empty(), "{what}: {found:#?}");
}

#[test]
fn documents_of_every_strategy_follow_the_schema() {
    let isort = program("isort.c");
    for strategy in ["auto", "exhaustive", "memo", "wise", "history", "evolve", "dfs", "random", "mutate", "synthesize"]
    {
        // What can be explored completely need not be synthesised.
        let sizes = if strategy == "synthesize" { "2..6,12" } else { "2..6" };
        let call = ["analyze", &isort, "--call", "isort(a: i32[n], n)", "--sizes", sizes, "--strategy", strategy];
        let document = json(&[&call[..], &["--generations", "2", "--average", "3", "--stats"]].concat());
        check(&document, strategy);
    }
}

#[test]
fn documents_with_traps_cuts_and_harnesses_follow_the_schema() {
    let directory = scratch();
    let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (loop $forever (br_if $forever (i32.eq (local.get 0) (i32.const 7))))
        (i32.div_s (i32.const 9) (local.get 0))))"#;
    let file = write(&directory, "f.wat", text);
    let document = json(&["analyze", &file, "--call", "f(x: i32)", "--max-instructions", "1000"]);
    assert!(document["results"][0].get("cut").is_some() && document["results"][0]["traps"][0].is_object());
    check(&document, "traps and cuts");
    let bst = program("bst.c");
    check(&json(&["analyze", &bst, "--harness", "bst_search", "--sizes", "1..4"]), "a harness");
}

#[test]
fn a_wrong_document_does_not_follow_the_schema() {
    let mut document = old("count.json");
    document["results"][0]["confidence"] = "certain".into();
    document["results"][1]["cost"] = "many".into();
    document["surprise"] = 1.into();
    document.as_object_mut().unwrap().remove("limits");
    let (schema, mut found) = (schema(), Vec::new());
    problems(&schema, &schema, &document, "", &mut found);
    assert_eq!(found.len(), 4, "{found:#?}");
}

fn old(name: &str) -> Value {
    let text = std::fs::read_to_string(here("tests/old_documents").join(name)).expect("the document is there");
    serde_json::from_str(&text).expect("the document is JSON")
}

#[test]
fn documents_from_before_newer_members_can_still_be_used() {
    let file = |name: &str| here("tests/old_documents").join(name).to_string_lossy().into_owned();
    let directory = scratch();
    for name in ["count.json", "isort.json"] {
        check(&old(name), name);
        let page = directory.path().join("page.html").to_string_lossy().into_owned();
        let ran = run(&["report", &file(name), "--out", &page]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        let ran = run(&["compare", &file(name), &file(name)]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert!(ran.stdout.ends_with("no worse\n"), "{}", ran.stdout);
    }
    let ran = run(&["replay", &file("count.json"), "--program", &file("count.wat")]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(" runs agree"), "{}", ran.stdout);
}
