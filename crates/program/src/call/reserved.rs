//! Words of a signature that mean something by themselves, so that nothing else can be called by them.

use super::ElemType;
use super::link::Link;

/// Words with a meaning of their own, which no input can be called.
pub(super) const KEYWORDS: [&str; 9] = ["in", "out", "null", "cstr", "str", "utf8", "tokens", "struct", "inline"];

/// Whether a word by itself is no struct's name: a type, or a slip for one.
pub(super) fn means_a_type(word: &str) -> bool {
    let digits = word.trim_start_matches(['i', 'u', 'f']);
    let like_one = digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit());
    word == "n" || word.parse::<ElemType>().is_ok() || like_one || type_help(word).is_some()
}

/// Whether a struct of this name is only understood with the word `struct` before it.
pub(super) fn needs_the_word(name: &str) -> bool {
    KEYWORDS.contains(&name) || means_a_type(name) || Link::named(name).is_some()
}

/// What somebody who wrote this word as a type probably wants.
pub(super) fn type_help(word: &str) -> Option<&'static str> {
    Some(match word {
        "int" | "long" | "isize" | "ptrdiff_t" | "int32_t" => "i32",
        "unsigned" | "uint" | "usize" | "size_t" | "uint32_t" => "u32",
        "short" | "int16_t" => "i16",
        "int8_t" => "i8",
        "uint16_t" => "u16",
        "uint8_t" | "byte" | "uchar" => "u8",
        "int64_t" => "i64",
        "uint64_t" => "u64",
        "float" => "f32",
        "double" => "f64",
        "_Bool" | "boolean" => "bool",
        "string" | "String" => "cstr[n] or str[n]",
        _ => return None,
    })
}
