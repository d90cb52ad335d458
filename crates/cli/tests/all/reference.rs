//! The pages of `docs/reference` that are made: of the arguments that are parsed, and of the JSON Schema.
//!
//! `UPDATE_DOCUMENTS=1` writes them anew.

use std::fmt::Write;
use std::fs;

use serde_json::Value;

use crate::documents::{read, root};

/// The page must have this text, or gets it.
fn holds(page: &str, made: &str) {
    let file = root().join("docs/reference").join(page);
    if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
        fs::write(&file, made).unwrap();
    }
    assert!(read(&file) == made, "docs/reference/{page} is not what is made now; UPDATE_DOCUMENTS=1 writes it anew");
}

#[test]
fn the_page_of_options_is_what_is_parsed() {
    holds("options.md", &crate::common::run(&["man", "--markdown"]).stdout);
}

const OPENING: &str = "\
# The JSON document

`--format json` prints it, and `--out DIR` saves it as `DIR/findings.json`. This page is made from its
[JSON Schema](../findings.schema.json), and a test compares them; another test holds real documents to the schema.
[The guide](../guide.md#the-json-document) says more about single members.

`schema` is 1. New members may be added to it, and readers ignore what they do not know. Members that are not there *always* are left out where there is nothing to say.
";

#[test]
fn the_page_of_the_document_is_its_schema() {
    let schema: Value = serde_json::from_str(&read(&root().join("docs/findings.schema.json"))).unwrap();
    let mut page = OPENING.to_owned();
    object(&mut page, "The whole", &schema);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        object(&mut page, name, definition);
    }
    holds("json.md", &page);
}

/// A table of an object's members.
fn object(page: &mut String, name: &str, schema: &Value) {
    writeln!(page, "\n## {name}\n").unwrap();
    if let Some(description) = schema["description"].as_str().filter(|_| schema["$defs"].is_null()) {
        writeln!(page, "{description}\n").unwrap();
    }
    let Some(members) = schema["properties"].as_object() else {
        writeln!(page, "{}.", kind(schema)).unwrap();
        return;
    };
    writeln!(page, "| member | is | always | |\n|---|---|---|---|").unwrap();
    let required = schema["required"].as_array();
    for (member, schema) in members {
        let always = required.is_some_and(|required| required.iter().any(|name| name == member));
        let (always, description) =
            (if always { "yes" } else { "" }, schema["description"].as_str().unwrap_or_default());
        writeln!(page, "| `{member}` | {} | {always} | {description} |", kind(schema)).unwrap();
    }
}

/// What a value is, in words.
fn kind(schema: &Value) -> String {
    let joined = |kinds: &Value| {
        let kinds: Vec<String> = kinds.as_array().unwrap().iter().map(kind).collect();
        kinds.join(" or ")
    };
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        return format!("[{name}](#{name})");
    }
    if let Some(word) = schema.as_str() {
        return word.to_owned();
    }
    if schema.get("const").is_some() {
        return format!("`{}`", schema["const"]);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    }
    if let Some(choice) = ["anyOf", "oneOf"].iter().find(|choice| schema[**choice].is_array()) {
        return joined(&schema[*choice]);
    }
    match &schema["type"] {
        kinds @ Value::Array(_) => joined(kinds),
        Value::String(kind_of_list) if kind_of_list == "array" && schema["items"].is_object() => {
            format!("array of {}", kind(&schema["items"]))
        }
        Value::String(word) => match schema["properties"].as_object() {
            Some(members) => {
                let members: Vec<String> =
                    members.iter().map(|(name, of)| format!("`{name}` ({})", kind(of))).collect();
                format!("{word} of {}", members.join(", "))
            }
            None => word.clone(),
        },
        _ => "anything".to_owned(),
    }
}
