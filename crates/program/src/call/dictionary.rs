//! Words that inputs are made of, and the files that list them: AFL's format (`name="value"` or `"value"` on a line, with `\\xNN`, `\\\\` and `\\"`
//! inside; `#` begins a comment), or one word a line.

use std::fmt;
use std::sync::Arc;

use super::ElemType;
use super::lex::quote;

/// More words than this are a list of names rather than a dictionary; each is a way that a search could go at every place.
pub(super) const MOST_WORDS: usize = 4096;

/// What is wrong with a line of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DictionaryError {
    #[error("line {0}: a word is written in double quotes, as in \"value\" or name=\"value\"")]
    NotQuoted(usize),
    #[error("line {0}: the word is empty")]
    Empty(usize),
    #[error("line {0}: `\\{1}` is no escape; there are \\xNN, \\\\ and \\\"")]
    Escape(usize, String),
    #[error("line {0}: a double quote inside a word is written \\\"")]
    InnerQuote(usize),
}

/// The words that an input is made of, numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dictionary(Arc<[Vec<u8>]>);

impl Dictionary {
    /// Of at least one word.
    pub(super) fn new(words: Vec<Vec<u8>>) -> Option<Dictionary> {
        (1..=MOST_WORDS).contains(&words.len()).then(|| Dictionary(words.into()))
    }

    /// The words in order.
    pub fn words(&self) -> &[Vec<u8>] {
        &self.0
    }

    /// The type of a word's number.
    pub fn index_type(&self) -> ElemType {
        if self.0.len() <= 256 { ElemType::U8 } else { ElemType::U16 }
    }

    /// The longest word.
    pub fn longest(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// A word by its number; nothing where there is none of that number.
    pub fn word(&self, number: u64) -> &[u8] {
        usize::try_from(number).ok().and_then(|number| self.0.get(number)).map_or(&[], Vec::as_slice)
    }

    /// The words of these numbers, one behind the other.
    pub fn joined(&self, numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| self.word(*number)).copied().collect()
    }
}

impl fmt::Display for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|word| quote(word.iter().copied())).collect();
        write!(f, "[{}]", words.join(", "))
    }
}

/// The words of a file: in AFL's format if its first line but for comments is, else every line that is not empty.
pub fn words_of_lines(bytes: &[u8]) -> Result<Vec<Vec<u8>>, DictionaryError> {
    let lines = || bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let first = lines().map(<[u8]>::trim_ascii).find(|line| !line.is_empty() && line[0] != b'#');
    if first.is_some_and(|line| quoted_part(line).is_some()) {
        return words_of_afl(bytes);
    }
    Ok(lines().filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect())
}

/// The words of a dictionary in AFL's format, in order. Bytes inside a word may be anything, as AFL has it.
pub fn words_of_afl(bytes: &[u8]) -> Result<Vec<Vec<u8>>, DictionaryError> {
    let mut words = Vec::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if !line.is_empty() && line[0] != b'#' {
            words.push(word(line, at + 1)?);
        }
    }
    Ok(words)
}

/// What stands between the first quote and the last, where the line is a word of AFL's.
fn quoted_part(line: &[u8]) -> Option<&[u8]> {
    let open = line.iter().position(|byte| *byte == b'"')?;
    let name = line[..open].trim_ascii();
    // A name, and perhaps the level that a fuzzer uses the word from.
    (name.is_empty() || name.ends_with(b"=")).then(|| line[open + 1..].strip_suffix(b"\"")).flatten()
}

fn word(line: &[u8], number: usize) -> Result<Vec<u8>, DictionaryError> {
    let mut word = Vec::new();
    let mut rest = quoted_part(line).ok_or(DictionaryError::NotQuoted(number))?;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'"', _) => return Err(DictionaryError::InnerQuote(number)),
            (b'\\', [quoted @ (b'\\' | b'"'), after @ ..]) => {
                word.push(*quoted);
                rest = after;
            }
            (b'\\', [b'x' | b'X', high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
                word.push(16 * digit(*high) + digit(*low));
                rest = after;
            }
            (b'\\', after) => {
                let shown = String::from_utf8_lossy(&after[..after.len().min(3)]).into_owned();
                return Err(DictionaryError::Escape(number, shown));
            }
            (byte, _) => word.push(*byte),
        }
    }
    if word.is_empty() { Err(DictionaryError::Empty(number)) } else { Ok(word) }
}

#[cfg(test)]
mod tests {
    use super::{DictionaryError, words_of_afl, words_of_lines};

    #[test]
    fn names_levels_escapes_and_comments_are_read() {
        let text =
            b"# Markdown\n\nlink=\"![](\"\nend@2 = \"\\x5D\\\\\\\"\"\r\n  \"bare word\"\n\"a=\\\"b\\\"\"\n\"\xff\"";
        let expected: [&[u8]; 5] = [b"![](", b"]\\\"", b"bare word", b"a=\"b\"", b"\xff"];
        assert_eq!(words_of_afl(text).unwrap(), expected);
        assert_eq!(words_of_lines(text).unwrap(), expected);
    }

    #[test]
    fn a_file_that_does_not_begin_as_afls_has_a_word_a_line() {
        let expected: [&[u8]; 4] = [b"#include", b"if (", b"say \"x\"", b" else"];
        assert_eq!(words_of_lines(b"#include\r\nif (\n\nsay \"x\"\n else\n").unwrap(), expected);
    }

    #[test]
    fn an_error_names_its_line() {
        let error = |text: &str| words_of_afl(text.as_bytes()).unwrap_err();
        assert_eq!(error("\"a\"\nb"), DictionaryError::NotQuoted(2));
        assert_eq!(error("\"a\"\n\n\"b"), DictionaryError::NotQuoted(3));
        assert_eq!(error("name \"b\""), DictionaryError::NotQuoted(1));
        assert_eq!(error("x=\"\""), DictionaryError::Empty(1));
        assert_eq!(error("# c\n\"\\q\""), DictionaryError::Escape(2, "q".into()));
        assert_eq!(error("\"\\x4\""), DictionaryError::Escape(1, "x4".into()));
        assert_eq!(error("\"a\"b\""), DictionaryError::InnerQuote(1));
    }
}
