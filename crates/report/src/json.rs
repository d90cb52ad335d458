//! Documents as JSON text: indented, but a list of numbers stays on one line.

use std::fmt::Write;

use serde_json::Value;
use slowpath_fit::Verdict;

use crate::findings::{Findings, SCHEMA};
use crate::visible::is_active;

/// Why a text is not a Findings document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("not a findings document: it has no number called \"schema\"")]
    NoSchema,
    #[error("a findings document of schema {0}, but this slowpath reads schema {SCHEMA}; analyse the program again")]
    OtherSchema(u64),
    #[error("a damaged findings document: {0}")]
    Damaged(serde_json::Error),
}

/// The document as text, with a line end.
pub fn to_json(findings: &Findings) -> String {
    // Every key is a string and every float finite, so there is nothing to fail.
    value_to_json(&serde_json::to_value(findings).unwrap_or(Value::Null))
}

/// Any JSON value as text in the same form.
pub fn value_to_json(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0);
    out.push('\n');
    out
}

/// Reads a document.
pub fn from_json(text: &str) -> Result<Findings, DocumentError> {
    let mut value: Value = serde_json::from_str(text).map_err(DocumentError::NotJson)?;
    match value.get("schema").and_then(Value::as_u64) {
        None => Err(DocumentError::NoSchema),
        Some(schema) if schema != u64::from(SCHEMA) => Err(DocumentError::OtherSchema(schema)),
        Some(_) => {
            add_verdict(&mut value);
            serde_json::from_value(value).map_err(DocumentError::Damaged)
        }
    }
}

/// Documents from before there were verdicts only say whether a law is exact. What it was checked on then would not do now, so it
/// is no more than fitted.
fn add_verdict(document: &mut Value) {
    if let Some(law) = document.get_mut("fit").and_then(Value::as_object_mut) {
        let verdict = if law.get("class").is_some_and(Value::is_string) { Verdict::Fitted } else { Verdict::NotSure };
        law.entry("verdict").or_insert_with(|| Value::from(verdict.name()));
    }
}

fn write_value(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            write_items(out, depth, ('[', ']'), items, |out, item| write_value(out, item, depth + 1));
        }
        Value::Object(members) if !members.is_empty() => {
            write_items(out, depth, ('{', '}'), members, |out, (name, member)| {
                let _ = write!(out, "{}: ", text_of(&Value::from(name.as_str())));
                write_value(out, member, depth + 1);
            });
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(text_of).collect();
            let _ = write!(out, "[{}]", items.join(", "));
        }
        scalar => {
            out.push_str(&text_of(scalar));
        }
    }
}

/// A value on one line. What would act on a terminal is escaped, also where JSON does not ask for it.
fn text_of(value: &Value) -> String {
    let text = value.to_string();
    if !text.contains(is_active) {
        return text;
    }
    text.chars().map(|c| if is_active(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }).collect()
}

fn write_items<T>(
    out: &mut String,
    depth: usize,
    (open, close): (char, char),
    items: impl IntoIterator<Item = T>,
    mut write_item: impl FnMut(&mut String, T),
) {
    out.push(open);
    for (position, item) in items.into_iter().enumerate() {
        out.push_str(if position > 0 { ",\n" } else { "\n" });
        indent(out, depth + 1);
        write_item(out, item);
    }
    out.push('\n');
    indent(out, depth);
    out.push(close);
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{DocumentError, add_verdict, from_json, value_to_json};

    #[test]
    fn a_law_from_before_there_were_verdicts_is_fitted_at_most() {
        for (class, verdict) in [(Value::from("n^2"), "fitted"), (Value::Null, "not sure")] {
            let mut document = serde_json::json!({"fit": {"class": class, "exact": true}});
            add_verdict(&mut document);
            assert_eq!(document["fit"]["verdict"], verdict);
        }
        let mut none = serde_json::json!({"fit": null});
        add_verdict(&mut none);
        assert!(none["fit"].is_null());
    }

    #[test]
    fn a_list_of_numbers_stays_on_one_line() {
        let value = json!({"a": [1, 2.5, "inf"], "b": [], "c": {}, "d": [{"e": null}]});
        let text = value_to_json(&value);
        assert_eq!(
            text,
            "{\n  \"a\": [1, 2.5, \"inf\"],\n  \"b\": [],\n  \"c\": {},\n  \"d\": [\n    {\n      \"e\": null\n    }\n  ]\n}\n"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn other_documents_are_told_apart() {
        assert!(matches!(from_json("{"), Err(DocumentError::NotJson(_))));
        assert!(matches!(from_json("[1]"), Err(DocumentError::NoSchema)));
        assert!(matches!(from_json("{\"schema\": 2}"), Err(DocumentError::OtherSchema(2))));
        assert!(matches!(from_json("{\"schema\": 1}"), Err(DocumentError::Damaged(_))));
    }
}
