//! JSON with a rule on each line: what is nested at most two deep is not broken up.

use serde_json::Value;

/// How deep a value on one line may be nested.
const FLAT: usize = 2;

/// The value as text.
pub(super) fn lines(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out.push('\n');
    out
}

fn write(out: &mut String, value: &Value, indent: usize) {
    match value {
        _ if nesting(value, FLAT + 1) <= FLAT => flat(out, value),
        Value::Array(items) => {
            block(out, ('[', ']'), indent, items.iter().map(|item| (None, item)));
        }
        Value::Object(members) => {
            block(out, ('{', '}'), indent, members.iter().map(|(name, member)| (Some(name), member)));
        }
        scalar => flat(out, scalar),
    }
}

fn block<'v>(
    out: &mut String,
    (open, close): (char, char),
    indent: usize,
    items: impl Iterator<Item = (Option<&'v String>, &'v Value)>,
) {
    out.push(open);
    for (position, (name, item)) in items.enumerate() {
        out.push_str(if position > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(indent + 1));
        key(out, name);
        write(out, item, indent + 1);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(indent));
    out.push(close);
}

fn flat(out: &mut String, value: &Value) {
    let mut items = |(open, close): (char, char), items: &mut dyn Iterator<Item = (Option<&String>, &Value)>| {
        out.push(open);
        for (position, (name, item)) in items.enumerate() {
            out.push_str(if position > 0 { ", " } else { "" });
            key(out, name);
            flat(out, item);
        }
        out.push(close);
    };
    match value {
        Value::Array(array) => items(('[', ']'), &mut array.iter().map(|item| (None, item))),
        Value::Object(object) => items(('{', '}'), &mut object.iter().map(|(name, item)| (Some(name), item))),
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn key(out: &mut String, name: Option<&String>) {
    if let Some(name) = name {
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push_str(": ");
    }
}

/// Levels of arrays and objects, no more than `most`.
fn nesting(value: &Value, most: usize) -> usize {
    if most == 0 {
        return 0;
    }
    let inner =
        |items: &mut dyn Iterator<Item = &Value>| 1 + items.map(|item| nesting(item, most - 1)).max().unwrap_or(0);
    match value {
        Value::Array(items) => inner(&mut items.iter()),
        Value::Object(members) => inner(&mut members.values()),
        _ => 0,
    }
}
