//! A dictionary for fuzzers in AFL's format: the parts that worst inputs are made of.

use std::collections::BTreeSet;

use slowpath_program::call::ElemType;
use slowpath_program::input::NamedInput;

use super::words::comment;
use super::{Export, ExportedFile};

/// Longer words help no fuzzer (AFL++ takes up to 128 bytes, and mutates with short ones).
const LONGEST: usize = 32;
/// AFL++ uses so many words on every input, and more only sometimes.
const MOST_WORDS: usize = 200;
/// Lengths of the pieces that are looked for in bytes that follow no pattern.
const PIECES: std::ops::RangeInclusive<usize> = 2..=8;

/// The dictionary.
pub fn files(export: &Export) -> Vec<ExportedFile> {
    vec![ExportedFile::text(name(export), text(export))]
}

pub fn name(export: &Export) -> String {
    format!("{}.dict", export.stem())
}

pub fn text(export: &Export) -> String {
    let about = comment(&format!("What the worst inputs of {} are made of, found by slowpath.", export.call));
    let mut out = format!("# {about}\n# For AFL++ (-x FILE) and libFuzzer (-dict=FILE).\n");
    for (number, word) in words(export).into_iter().take(MOST_WORDS).enumerate() {
        out += &format!("worst_{number}=\"{}\"\n", escaped(&word));
    }
    out
}

/// The words, the most telling first.
pub fn words(export: &Export) -> Vec<Vec<u8>> {
    let Some(case) = export.cases.last() else { return Vec::new() };
    let mut seen = BTreeSet::new();
    let mut words = Vec::new();
    for input in &case.input.0 {
        for word in words_of(export, input) {
            if !word.is_empty() && word.len() <= LONGEST && seen.insert(word.clone()) {
                words.push(word);
            }
        }
    }
    words
}

fn words_of(export: &Export, input: &NamedInput) -> Vec<Vec<u8>> {
    let formula = export.input_law.iter().flat_map(|law| &law.inputs).find(|formula| formula.name == input.name);
    if let Some(pattern) = formula.and_then(|formula| formula.pattern.as_ref()) {
        let parts = [&pattern.unit, &pattern.prefix, &pattern.middle, &pattern.second, &pattern.suffix];
        let twice = [pattern.unit.as_slice(), pattern.unit.as_slice()].concat();
        return parts.into_iter().chain([&twice]).map(|values| bytes_of(input.ty, values)).collect();
    }
    if input.ty.bytes() > 1 {
        // Numbers: each of them once.
        let distinct: BTreeSet<u64> = input.bits.iter().copied().collect();
        return distinct.into_iter().map(|bits| low_bytes(input.ty, bits)).collect();
    }
    let bytes: Vec<u8> = input.bits.iter().map(|bits| *bits as u8).collect();
    let mut words = repeated(&bytes);
    let distinct: BTreeSet<u8> = bytes.iter().copied().collect();
    words.extend(distinct.into_iter().map(|byte| vec![byte]));
    words
}

/// Pieces that come more than once, those that cover most first.
fn repeated(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut counts = std::collections::BTreeMap::<&[u8], usize>::new();
    for length in PIECES {
        for piece in bytes.windows(length) {
            *counts.entry(piece).or_default() += 1;
        }
    }
    let mut found: Vec<(usize, &[u8])> =
        counts.into_iter().filter(|(_, count)| *count > 1).map(|(piece, count)| (piece.len() * count, piece)).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    found.into_iter().take(16).map(|(_, piece)| piece.to_vec()).collect()
}

fn bytes_of(ty: ElemType, values: &[i64]) -> Vec<u8> {
    values.iter().take(LONGEST + 1).flat_map(|value| low_bytes(ty, *value as u64)).collect()
}

/// An element as it lies in memory, little-endian.
fn low_bytes(ty: ElemType, bits: u64) -> Vec<u8> {
    bits.to_le_bytes().into_iter().take(ty.bytes() as usize).collect()
}

/// Bytes between quotes.
fn escaped(word: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    word.iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, repeated};

    #[test]
    fn what_repeats_comes_first_and_quotes_hold() {
        let words = repeated(b"(a)(a)(a)");
        assert!(words.iter().any(|word| word == b"(a)"), "{words:?}");
        assert_eq!(escaped(b"a\"\\\n\xff"), r#"a\"\\\x0a\xff"#);
        assert!(repeated(b"abc").is_empty());
    }
}
