//! Lists of numbers in few bytes: most of what states hold are small numbers.

/// Bits of a number that a byte has; the highest says that there are more.
const BITS: u32 = 7;

/// The list in bytes, equal exactly where lists are.
pub fn pack(words: &[u64], out: &mut Vec<u8>) {
    for word in words {
        let mut rest = *word;
        while rest >> BITS != 0 {
            out.push(rest as u8 | 1 << BITS);
            rest >>= BITS;
        }
        out.push(rest as u8);
    }
}

/// The first number, and the bytes after it.
pub fn unpack(bytes: &[u8]) -> (u64, &[u8]) {
    let mut word = 0;
    for (i, byte) in bytes.iter().enumerate() {
        word |= u64::from(byte & !(1 << BITS)) << (BITS * i as u32);
        if byte >> BITS == 0 {
            return (word, &bytes[i + 1..]);
        }
    }
    (word, &[])
}

/// The list again.
pub fn unpack_all(mut bytes: &[u8]) -> Vec<u64> {
    let mut words = Vec::new();
    while !bytes.is_empty() {
        let (word, rest) = unpack(bytes);
        words.push(word);
        bytes = rest;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack_all};

    #[test]
    fn what_is_packed_is_unpacked() {
        let words = [0, 1, 127, 128, 300, 1 << 32, u64::MAX, 0, u64::MAX - 1, 1 << 63];
        let mut bytes = Vec::new();
        pack(&words, &mut bytes);
        assert_eq!(unpack_all(&bytes), words);
    }
}
