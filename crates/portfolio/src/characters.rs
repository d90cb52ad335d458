//! Characters beyond ASCII that programs treat differently: what whoever decodes UTF-8 is tried with, since two to four bytes that have to fit
//! together are seldom met by chance.

/// In the order in which they are tried.
const CHARACTERS: [&str; 14] = [
    // Marks that combine with the letter before them, of three classes: in normal forms they are sorted by these.
    "\u{0300}",
    "\u{0316}",
    "\u{0345}",
    // Letters: precomposed, that become two letters in the other case, with two marks, of a syllable.
    "é",
    "ß",
    "İ",
    "ǖ",
    "각",
    "中",
    // A ligature that is eighteen letters when it is taken apart.
    "\u{fdfa}",
    // What joins, and what changes the direction of writing.
    "\u{200d}",
    "\u{202e}",
    // Outside of the first plane, which UTF-16 writes in two halves.
    "😀",
    "\u{1d160}",
];

/// Each as the values of its bytes, in a range of bytes with a sign or without one; none where the range has no room for them.
pub fn characters((low, high): (i64, i64)) -> Vec<Vec<i64>> {
    let value = |byte: &u8| if high > i64::from(i8::MAX) { i64::from(*byte) } else { i64::from(*byte as i8) };
    let fits = |word: &Vec<i64>| word.iter().all(|value| (low..=high).contains(value));
    let words = CHARACTERS.iter().map(|character| character.as_bytes().iter().map(value).collect());
    words.filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_sign_of_their_range() {
        assert_eq!(characters((0, 255))[0], [0xcc, 0x80]);
        assert_eq!(characters((-128, 127))[0], [0xcc - 256, 0x80 - 256]);
        assert!(characters((0, 127)).is_empty());
    }
}
