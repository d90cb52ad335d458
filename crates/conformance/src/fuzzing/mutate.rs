//! What a fuzzer does to an input: bits, bytes, pieces, words of a dictionary, pieces of another input.

use crate::rng::Rng;

/// Inputs stay shorter.
const LONGEST: usize = 64 << 10;

/// The words of a dictionary in AFL's format, `name="text"` or `"text"`.
pub fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| Some(line.split_once('"')?.1.rsplit_once('"')?.0.to_owned());
    dictionary.lines().filter(|line| !line.starts_with('#')).filter_map(quoted).map(|word| unescaped(&word)).collect()
}

fn unescaped(word: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = word.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            out.push(*first);
            continue;
        }
        let hex = after.strip_prefix(b"x").and_then(|hex| std::str::from_utf8(hex.get(..2)?).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = &after[3..];
            }
            None => {
                out.extend(after.first());
                rest = after.get(1..).unwrap_or_default();
            }
        }
    }
    out
}

/// One of the corpus, changed in a few places.
pub fn mutated(corpus: &[Vec<u8>], words: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let any = |rng: &mut Rng| corpus.get(rng.below(corpus.len().max(1) as u64) as usize).cloned().unwrap_or_default();
    let mut bytes = any(rng);
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        let length = (rng.below(16) as usize + 1).min(bytes.len() - at);
        match rng.below(11) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            2 if at < bytes.len() => bytes[at] = [0x00, 0x7f, 0x80, 0xff, b'"', b'9'][rng.below(6) as usize],
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let piece = bytes[at..at + length].to_vec();
                bytes.splice(at..at, piece);
            }
            5 => {
                let other = any(rng);
                let from = rng.below(other.len() as u64 + 1) as usize;
                bytes.truncate(at);
                bytes.extend(&other[from..]);
            }
            6 => {
                let count = 1 + rng.below(8) as usize;
                bytes.splice(at..at, rng.bytes(count));
            }
            7 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add([1, 255][rng.below(2) as usize]),
            8 => bytes.truncate(at),
            _ if !words.is_empty() => {
                let word = words[rng.below(words.len() as u64) as usize].clone();
                let over = if rng.below(2) == 0 { word.len().min(bytes.len() - at) } else { 0 };
                bytes.splice(at..at + over, word);
            }
            _ => {}
        }
    }
    bytes.truncate(LONGEST);
    bytes
}
