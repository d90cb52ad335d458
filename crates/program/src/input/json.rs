//! Inputs as JSON: an object from name to number or array of numbers.
//!
//! Floats that JSON has no number for are strings: "NaN" (the canonical one), "inf", "-inf", "nan:0x…" (any other NaN, all its bits).

use serde_json::{Map, Number, Value};

use super::{
    InputError, InputValues, NamedInput, Place, check_element, check_text, narrow_f64, place, spec_shape, unknown,
    widen_f32,
};
use crate::call::{Dictionary, ElemType, InputSpec, Layout};

const NAN32: u64 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

impl InputValues {
    /// The object that `from_json` reads back to the same values.
    pub fn to_json(&self) -> Value {
        let member = |input: &NamedInput| {
            let mut elements = input.bits.iter().map(|bits| element(input.ty, *bits));
            let value = if input.scalar { elements.next().unwrap_or(Value::Null) } else { elements.collect() };
            (input.name.clone(), value)
        };
        Value::Object(self.0.iter().map(member).collect())
    }

    /// Reads the inputs of a call, and checks number, type and range of each.
    pub fn from_json(json: &Value, layout: &Layout) -> Result<InputValues, InputError> {
        let object = json.as_object().ok_or(InputError::NotAnObject)?;
        if let Some(name) = object.keys().find(|name| !layout.inputs.iter().any(|spec| spec.name == **name)) {
            return Err(unknown(name, layout));
        }
        layout.inputs.iter().map(|spec| input(object, spec)).collect::<Result<_, _>>().map(InputValues)
    }

    /// Reads inputs for a harness, which says only while it runs which types it wants: each value gets a wide type that holds it,
    /// and is converted when it is asked for (`NamedInput::bits_as`).
    pub fn from_json_untyped(json: &Value) -> Result<InputValues, InputError> {
        let object = json.as_object().ok_or(InputError::NotAnObject)?;
        object.iter().map(|(name, value)| untyped(name, value)).collect::<Result<_, _>>().map(InputValues)
    }
}

fn input(object: &Map<String, Value>, spec: &InputSpec) -> Result<NamedInput, InputError> {
    let value = object.get(&spec.name).ok_or_else(|| InputError::Missing(spec.name.clone()))?;
    let elements: Vec<Value> = match value {
        Value::Array(elements) if !spec.scalar => elements.clone(),
        Value::String(text)
            if !spec.scalar && spec.words.is_none() && spec.ty.bits() == 8 && spec.ty != ElemType::Bool =>
        {
            text.bytes().map(Value::from).collect()
        }
        value if spec.scalar && !value.is_array() => vec![value.clone()],
        other => return Err(wrong_shape(spec, describe(other))),
    };
    if elements.len() != spec.count as usize {
        return Err(wrong_shape(spec, format!("an array of {}", elements.len())));
    }
    let mut bits = Vec::with_capacity(elements.len());
    for (index, value) in elements.iter().enumerate() {
        let value = &word_number(spec, value);
        let element = bits_of(spec.ty, value).map_err(|expected| InputError::BadElement {
            place: place(spec, index),
            given: describe(value),
            expected,
        })?;
        check_element(spec, index, element)?;
        bits.push(element);
    }
    check_text(spec, &bits)?;
    Ok(NamedInput { name: spec.name.clone(), ty: spec.ty, scalar: spec.scalar, bits })
}

/// A word given as text, as its number; everything else as it is.
fn word_number(spec: &InputSpec, value: &Value) -> Value {
    let number = |words: &Dictionary| {
        let text = value.as_str()?;
        words.words().iter().position(|word| word == text.as_bytes()).map(Value::from)
    };
    spec.words.as_ref().and_then(number).unwrap_or_else(|| value.clone())
}

fn wrong_shape(spec: &InputSpec, given: String) -> InputError {
    InputError::WrongShape { name: spec.name.clone(), given, expected: spec_shape(spec) }
}

/// One element as JSON.
pub(super) fn element(ty: ElemType, bits: u64) -> Value {
    match ty {
        ElemType::F32 => float32(bits),
        ElemType::F64 => float64(bits),
        ElemType::U64 => Value::from(bits),
        _ => Value::from(ty.integer(bits) as i64),
    }
}

fn float32(bits: u64) -> Value {
    let value = f32::from_bits(bits as u32);
    if value.is_nan() {
        return Value::from(if bits == NAN32 { "NaN".to_owned() } else { format!("nan:{bits:#010x}") });
    }
    // 0.1 rather than 0.10000000149011612, as long as reading it back by way of an f64 gives the same bits.
    let short = value.to_string().parse::<f64>().ok().filter(|short| (*short as f32).to_bits() == value.to_bits());
    finite_or_word(short.unwrap_or(f64::from(value)))
}

fn float64(bits: u64) -> Value {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        return Value::from(if bits == NAN64 { "NaN".to_owned() } else { format!("nan:{bits:#018x}") });
    }
    finite_or_word(value)
}

fn finite_or_word(value: f64) -> Value {
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None => Value::from(if value > 0.0 { "inf" } else { "-inf" }),
    }
}

/// The bits of an element given as JSON, or what would have been right.
fn bits_of(ty: ElemType, value: &Value) -> Result<u64, String> {
    if ty.is_float() {
        return float_bits(ty, value);
    }
    let (least, mut greatest) = ty.bounds();
    if ty == ElemType::Char {
        // Both readings of a byte are unambiguous.
        greatest = 255;
    }
    let number = match value {
        Value::Bool(truth) if ty == ElemType::Bool => i128::from(*truth),
        Value::String(text) if ty == ElemType::Char && text.len() == 1 => i128::from(text.as_bytes()[0]),
        value => integer(value).ok_or_else(|| format!("it must be a whole number in {least}..={greatest}"))?,
    };
    if number < least || number > greatest {
        return Err(format!("{} holds {least}..={greatest}", ty.name()));
    }
    Ok(number as u64 & ty.mask())
}

/// A whole number, also if written as `3.0` or `1e3`.
fn integer(value: &Value) -> Option<i128> {
    if let Some(number) = value.as_i64() {
        return Some(i128::from(number));
    }
    if let Some(number) = value.as_u64() {
        return Some(i128::from(number));
    }
    let number = value.as_f64()?;
    const EXACT: f64 = (1u64 << 53) as f64;
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i128)
}

fn float_bits(ty: ElemType, value: &Value) -> Result<u64, String> {
    if let Some(text) = value.as_str() {
        return float_word(ty, text)
            .ok_or_else(|| "it must be a number, \"NaN\", \"inf\", \"-inf\" or \"nan:0x…\" with all bits".to_owned());
    }
    let number = value.as_f64().ok_or_else(|| "it must be a number, \"NaN\", \"inf\" or \"-inf\"".to_owned())?;
    if ty == ElemType::F64 {
        return Ok(number.to_bits());
    }
    let narrow = number as f32;
    if narrow.is_infinite() {
        return Err("it is too large for an f32; write \"inf\" if that is meant".to_owned());
    }
    Ok(u64::from(narrow.to_bits()))
}

fn float_word(ty: ElemType, text: &str) -> Option<u64> {
    let wide = match text {
        "NaN" => NAN64,
        "inf" => f64::INFINITY.to_bits(),
        "-inf" => f64::NEG_INFINITY.to_bits(),
        _ => {
            let bits = u64::from_str_radix(text.strip_prefix("nan:0x")?, 16).ok()?;
            let is_nan = match ty {
                ElemType::F32 => u32::try_from(bits).is_ok_and(|bits| f32::from_bits(bits).is_nan()),
                _ => f64::from_bits(bits).is_nan(),
            };
            return is_nan.then_some(bits);
        }
    };
    Some(if ty == ElemType::F32 { narrow_f64(wide) } else { wide })
}

fn untyped(name: &str, value: &Value) -> Result<NamedInput, InputError> {
    let single = std::slice::from_ref(value);
    let (elements, scalar) = match value {
        Value::Array(elements) => (elements.as_slice(), false),
        Value::String(text) if !is_float_word(text) => {
            let bits = text.bytes().map(u64::from).collect();
            return Ok(NamedInput { name: name.to_owned(), ty: ElemType::Char, scalar: false, bits });
        }
        _ => (single, true),
    };
    let ty = widest(elements);
    let bits = elements.iter().enumerate().map(|(index, value)| {
        untyped_bits(ty, value).map_err(|expected| InputError::BadElement {
            place: Place { name: name.to_owned(), index: (!scalar).then_some(index) },
            given: describe(value),
            expected,
        })
    });
    Ok(NamedInput { name: name.to_owned(), ty, scalar, bits: bits.collect::<Result<_, _>>()? })
}

/// A type that holds all these values.
fn widest(elements: &[Value]) -> ElemType {
    let is_integer = |value: &Value| value.is_boolean() || value.is_i64() || value.is_u64();
    if !elements.iter().all(is_integer) {
        ElemType::F64
    } else if elements.iter().any(|value| value.as_u64().is_some_and(|number| number > i64::MAX as u64)) {
        ElemType::U64
    } else {
        ElemType::I64
    }
}

fn untyped_bits(ty: ElemType, value: &Value) -> Result<u64, String> {
    match value {
        Value::Bool(truth) => Ok(if ty.is_float() { f64::from(u8::from(*truth)).to_bits() } else { u64::from(*truth) }),
        // Eight digits are the bits of an f32.
        Value::String(text) if text.len() <= "nan:0x".len() + 8 && text.starts_with("nan:") => {
            float_word(ElemType::F32, text).map(widen_f32).ok_or_else(|| "it is not a NaN".to_owned())
        }
        value => bits_of(ty, value),
    }
}

fn is_float_word(text: &str) -> bool {
    matches!(text, "NaN" | "inf" | "-inf") || text.starts_with("nan:0x")
}

/// The value as it would be quoted in a message, cut to a readable length.
fn describe(value: &Value) -> String {
    match value {
        Value::Array(elements) => format!("an array of {}", elements.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => format!("a text of {} bytes", text.len()),
        other => other.to_string(),
    }
}
