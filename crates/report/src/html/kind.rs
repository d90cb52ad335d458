//! How an input is best drawn: from its type in the signature, or, where there is none, from its values.

use serde_json::Value;
use slowpath_program::call::{CallSpec, ElemType, ParamKind};

/// A kind of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A bar for each element.
    Bars,
    /// Hexadecimal, and text.
    Bytes,
    /// So many rows of as many columns.
    Matrix(usize),
    /// One number needs no drawing.
    Nothing,
}

/// The kind of the input `name`, a value found at size `size`.
pub fn kind(call: Option<&str>, name: &str, value: &Value, size: i64) -> Kind {
    let Some(elements) = value.as_array() else { return Kind::Nothing };
    if elements.len() < 2 {
        return Kind::Nothing;
    }
    let side = usize::try_from(size).ok().filter(|n| n.checked_mul(*n) == Some(elements.len()));
    match call.and_then(|call| array_type(call, name)) {
        Some((ty, _)) if ty.bytes() == 1 && ty != ElemType::Bool && all_bytes(elements) => Kind::Bytes,
        Some((_, length)) if ["n*n", "n^2"].contains(&length.as_str()) => side.map_or(Kind::Bars, Kind::Matrix),
        Some(_) => Kind::Bars,
        // A harness does not say. At size 2 a square is as likely a list of 2n.
        None if size > 2 && side.is_some() => side.map_or(Kind::Bars, Kind::Matrix),
        None if all_text(elements) => Kind::Bytes,
        None => Kind::Bars,
    }
}

fn all_bytes(elements: &[Value]) -> bool {
    elements.iter().all(|element| element.as_i64().is_some_and(|number| (-128..=255).contains(&number)))
}

/// Whether the values are those of printable characters, letters among them.
fn all_text(elements: &[Value]) -> bool {
    let byte = |element: &Value| element.as_u64().and_then(|number| u8::try_from(number).ok());
    let printable = |byte: u8| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~');
    elements.iter().all(|element| byte(element).is_some_and(printable))
        && elements.iter().any(|element| byte(element).is_some_and(|byte| byte.is_ascii_alphabetic()))
}

/// Element type and length, without spaces, of an array argument of a signature.
fn array_type(call: &str, name: &str) -> Option<(ElemType, String)> {
    let spec = CallSpec::parse(call).ok()?;
    if spec.texts().iter().any(|(text, certain)| *certain && text == name) {
        return Some((ElemType::U8, String::new()));
    }
    let param = spec.params.iter().find(|param| param.name == name)?;
    let ParamKind::Array(ty, length) = &param.kind else { return None };
    Some((*ty, length.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Kind, kind};

    #[test]
    fn a_signature_says_how_its_inputs_are_drawn() {
        let call = Some("f(a: i32[n], s: char[n], m: i32[n * n] in 0..=9, u8[(n+1)], n)");
        let four = json!([1, 2, 3, 4]);
        assert_eq!(kind(call, "a", &four, 2), Kind::Bars);
        assert_eq!(kind(call, "s", &four, 4), Kind::Bytes);
        assert_eq!(kind(call, "m", &four, 2), Kind::Matrix(2));
        assert_eq!(kind(call, "arg3", &four, 3), Kind::Bytes);
        assert_eq!(kind(call, "s", &json!([300, 1]), 2), Kind::Bars);
        assert_eq!(kind(call, "a", &json!(7), 2), Kind::Nothing);
        assert_eq!(kind(Some("\"f(int)\"(s: u8[n])"), "s", &four, 4), Kind::Bytes);
    }

    #[test]
    fn without_a_signature_the_values_say() {
        assert_eq!(kind(None, "x", &json!([97, 98, 0]), 3), Kind::Bytes);
        assert_eq!(kind(None, "x", &json!([9, 1000, 0]), 3), Kind::Bars);
        assert_eq!(kind(None, "x", &json!([1, 2, 3, 4, 5, 6, 7, 8, 9]), 3), Kind::Matrix(3));
        assert_eq!(kind(Some(")("), "x", &json!([1, 2]), 3), Kind::Bars);
    }
}
