//! Inputs, short enough to read.

use serde_json::Value;

/// Elements of an array, and inputs, that are shown before the rest is only counted.
const SHOWN: usize = 16;
/// Longer texts are cut.
const LONGEST: usize = 60;

/// An input object on one line: `a = [3, 2, 1], n = 3`.
pub fn shorten(input: &Value) -> String {
    let Some(members) = input.as_object() else { return scalar(input) };
    if members.is_empty() {
        return "(no inputs)".to_owned();
    }
    let mut parts: Vec<String> =
        members.iter().take(SHOWN).map(|(name, value)| format!("{name} = {}", shorten_value(value))).collect();
    if members.len() > SHOWN {
        parts.push(format!("… and {} more", members.len() - SHOWN));
    }
    parts.join(", ")
}

fn shorten_value(value: &Value) -> String {
    let Value::Array(elements) = value else { return scalar(value) };
    let shown: Vec<String> = elements.iter().take(SHOWN).map(scalar).collect();
    if elements.len() <= SHOWN {
        format!("[{}]", shown.join(", "))
    } else {
        format!("[{}, … {} in all]", shown.join(", "), elements.len())
    }
}

fn scalar(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::shorten;

    #[test]
    fn long_arrays_are_counted() {
        assert_eq!(shorten(&json!({"a": [3, 2], "x": 1.5, "y": "NaN"})), "a = [3, 2], x = 1.5, y = NaN");
        let long: Vec<u32> = (0..40).collect();
        assert!(shorten(&json!({"a": long})).ends_with("14, 15, … 40 in all]"));
        assert_eq!(shorten(&json!({})), "(no inputs)");
    }
}
