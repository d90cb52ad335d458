//! Values of inputs as literals of C and Rust, exact to the bit.

use slowpath_program::call::ElemType;
use slowpath_program::input::NamedInput;

/// Elements on one line.
const PER_LINE: usize = 16;

/// A type of C.
pub fn c_type(ty: ElemType) -> &'static str {
    match ty {
        ElemType::I8 => "int8_t",
        ElemType::U8 => "uint8_t",
        ElemType::I16 => "int16_t",
        ElemType::U16 => "uint16_t",
        ElemType::I32 => "int32_t",
        ElemType::U32 => "uint32_t",
        ElemType::I64 => "int64_t",
        ElemType::U64 => "uint64_t",
        ElemType::F32 => "float",
        ElemType::F64 => "double",
        ElemType::Bool => "bool",
        // A plain char is unsigned on some machines; on wasm32 it is signed.
        ElemType::Char => "char",
    }
}

/// A type of Rust with the same values.
pub fn rust_type(ty: ElemType) -> &'static str {
    match ty {
        ElemType::Char => "i8",
        other => other.name(),
    }
}

/// An element in C.
pub fn c_literal(ty: ElemType, bits: u64) -> String {
    match ty {
        ElemType::F32 => finite32(bits).map_or_else(|| special("f", bits as u32 >> 31 == 1), |text| text + "f"),
        ElemType::F64 => finite64(bits).unwrap_or_else(|| special("", bits >> 63 == 1)),
        ElemType::U64 => format!("{bits}u"),
        ElemType::I64 if ty.integer(bits) == i128::from(i64::MIN) => "INT64_MIN".to_owned(),
        ElemType::I32 if ty.integer(bits) == i128::from(i32::MIN) => "INT32_MIN".to_owned(),
        _ => ty.integer(bits).to_string(),
    }
}

/// An element in Rust.
pub fn rust_literal(ty: ElemType, bits: u64) -> String {
    match ty {
        ElemType::F32 => finite32(bits).unwrap_or_else(|| format!("f32::from_bits({bits:#x})")),
        ElemType::F64 => finite64(bits).unwrap_or_else(|| format!("f64::from_bits({bits:#x})")),
        ElemType::Bool => (bits & 1 == 1).to_string(),
        _ => ty.integer(bits).to_string(),
    }
}

/// The elements, a few to a line, indented.
pub fn lines(input: &NamedInput, literal: impl Fn(ElemType, u64) -> String) -> String {
    let line = |chunk: &[u64]| {
        let elements: Vec<String> = chunk.iter().map(|bits| literal(input.ty, *bits)).collect();
        format!("    {},\n", elements.join(", "))
    };
    input.bits.chunks(PER_LINE).map(line).collect()
}

/// Whether a literal of C loses nothing: NaNs have bits that no literal has.
pub fn has_nan(input: &NamedInput) -> bool {
    input.bits.iter().any(|bits| match input.ty {
        ElemType::F32 => f32::from_bits(*bits as u32).is_nan(),
        ElemType::F64 => f64::from_bits(*bits).is_nan(),
        _ => false,
    })
}

/// The element's bytes as they lie in memory, little-endian.
pub fn bytes(input: &NamedInput) -> Vec<u8> {
    let width = input.ty.bytes() as usize;
    input.bits.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(width)).collect()
}

fn special(suffix: &str, negative: bool) -> String {
    format!("{}__builtin_inf{suffix}()", if negative { "-" } else { "" })
}

/// The shortest digits that are read back to the same bits.
fn finite32(bits: u64) -> Option<String> {
    let value = f32::from_bits(bits as u32);
    value.is_finite().then(|| format!("{value:?}"))
}

fn finite64(bits: u64) -> Option<String> {
    let value = f64::from_bits(bits);
    value.is_finite().then(|| format!("{value:?}"))
}
