//! Inputs, short enough to read.

use serde_json::Value;
use slowpath_program::call::{CallSpec, Dictionary};

use crate::findings::TargetInfo;

/// Elements of an array, and inputs, that are shown before the rest is only counted.
const SHOWN: usize = 16;
/// The part of an input that has to be printable for it to be text: the worst input of a parser may have an odd byte in it.
const PRINTABLE: (usize, usize) = (9, 10);
/// Longer texts are cut.
const LONGEST: usize = 60;

/// Which inputs are shown as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// Names, and whether the input is text by its type; else it is shown so only if nearly all of it is printable.
    names: Vec<(String, bool)>,
    /// Inputs whose elements are numbers of words.
    words: Vec<(String, Dictionary)>,
    /// Whether all inputs are bytes, which may be text: what a whole program reads.
    all_bytes: bool,
}

impl Texts {
    /// Those of what was analysed; none of a harness.
    pub fn of(target: &TargetInfo) -> Texts {
        let all_bytes = target.call.is_none() && target.options.is_whole_program();
        Texts { all_bytes, ..Texts::of_call(target.call.as_deref()) }
    }

    /// As the call says.
    fn of_call(call: Option<&str>) -> Texts {
        let spec = call.and_then(|call| CallSpec::parse(call).ok());
        let of = |spec: CallSpec| Texts { names: spec.texts(), words: spec.dictionaries(), all_bytes: false };
        spec.map_or_else(Texts::default, of)
    }

    /// The bytes of an input that is made of words.
    pub fn joined(&self, name: &str, value: &Value) -> Option<Vec<u8>> {
        let (_, words) = self.words.iter().find(|(known, _)| known == name)?;
        let numbers: Vec<u64> = value.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
        Some(words.joined(&numbers))
    }

    /// The text of an input, quoted; None where it is shown as numbers.
    pub fn quoted(&self, name: &str, value: &Value) -> Option<String> {
        if let Some(bytes) = self.joined(name, value) {
            return Some(shown(&bytes));
        }
        let named = self.names.iter().find(|(known, _)| known == name).map(|(_, certain)| *certain);
        let certain = named.or(self.all_bytes.then_some(false))?;
        let elements = value.as_array().filter(|elements| !elements.is_empty())?;
        let byte = |element: &Value| element.as_i64().filter(|v| (-128..256).contains(v)).map(|v| v as u8);
        let bytes: Vec<u8> = elements.iter().map(byte).collect::<Option<_>>()?;
        let is_plain = |byte: &&u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
        if !certain && bytes.iter().filter(is_plain).count() * PRINTABLE.1 < bytes.len() * PRINTABLE.0 {
            return None;
        }
        Some(shown(&bytes))
    }
}

/// Bytes in quotes, cut to what can be read.
fn shown(bytes: &[u8]) -> String {
    let shown: String = bytes.iter().take(LONGEST).map(|byte| byte.escape_ascii().to_string()).collect();
    let shown = shown.replace("\\'", "'");
    if bytes.len() <= LONGEST { format!("\"{shown}\"") } else { format!("\"{shown}\" … {} in all", bytes.len()) }
}

/// An input object on one line: `a = [3, 2, 1], s = "aab"`.
pub fn shorten(input: &Value, texts: &Texts) -> String {
    let Some(members) = input.as_object() else { return scalar(input) };
    if members.is_empty() {
        return "(no inputs)".to_owned();
    }
    let show = |name: &str, value: &Value| texts.quoted(name, value).unwrap_or_else(|| shorten_value(value));
    let mut parts: Vec<String> =
        members.iter().take(SHOWN).map(|(name, value)| format!("{name} = {}", show(name, value))).collect();
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

    use super::{Texts, shorten};

    #[test]
    fn what_a_whole_program_reads_is_text_where_it_is_printable() {
        let texts = Texts { all_bytes: true, ..Texts::default() };
        let input = json!({"stdin": [97, 32, 10], "argument1": [1, 2, 255]});
        assert_eq!(shorten(&input, &texts), r#"stdin = "a \n", argument1 = [1, 2, 255]"#);
    }

    #[test]
    fn long_arrays_are_counted() {
        let shorten = |input| shorten(&input, &Texts::default());
        assert_eq!(shorten(json!({"a": [3, 2], "x": 1.5, "y": "NaN"})), "a = [3, 2], x = 1.5, y = NaN");
        let long: Vec<u32> = (0..40).collect();
        assert!(shorten(json!({"a": long})).ends_with("14, 15, … 40 in all]"));
        assert_eq!(shorten(json!({})), "(no inputs)");
    }

    #[test]
    fn words_are_shown_joined() {
        let texts = Texts::of_call(Some(r#"f(s: tokens[n] of ["if", "(", "\n"], len(s))"#));
        assert_eq!(shorten(&json!({"s": [0, 1, 1, 2]}), &texts), r#"s = "if((\n""#);
        assert_eq!(shorten(&json!({"s": []}), &texts), r#"s = """#);
    }

    #[test]
    fn characters_are_text_where_they_are_printable() {
        let texts = Texts::of_call(Some("f(s: cstr[n], a: u8[n], b: i32[n])"));
        let input = json!({"s": [97, 200, 34], "a": [98, 9], "b": [65, 66]});
        assert_eq!(shorten(&input, &texts), r#"s = "a\xc8\"", a = "b\t", b = [65, 66]"#);
        let unprintable = json!({"s": [1], "a": [98, 1]});
        assert_eq!(shorten(&unprintable, &texts), r#"s = "\x01", a = [98, 1]"#);
    }
}
