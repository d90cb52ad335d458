//! Dictionaries of words in AFL's format: `name="value"` or `"value"` on a line, with `\xNN`, `\\` and `\"` inside; `#` begins a comment.

use std::path::Path;

use crate::error::Error;
use crate::error::dictionary::DictionaryError;

/// The words of a file.
pub(crate) fn load(file: &Path) -> Result<Vec<Vec<u8>>, Error> {
    let bytes = std::fs::read(file).map_err(|source| Error::File { file: file.to_owned(), source })?;
    parse(&bytes).map_err(|source| Error::Dictionary { file: file.to_owned(), source })
}

/// The words, in order. Bytes inside a word may be anything, as AFL has it.
fn parse(bytes: &[u8]) -> Result<Vec<Vec<u8>>, DictionaryError> {
    let mut words = Vec::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if !line.is_empty() && line[0] != b'#' {
            words.push(word(line, at + 1)?);
        }
    }
    Ok(words)
}

fn word(line: &[u8], number: usize) -> Result<Vec<u8>, DictionaryError> {
    let open = line.iter().position(|byte| *byte == b'"').ok_or(DictionaryError::NotQuoted(number))?;
    let name = line[..open].trim_ascii();
    let quoted = line[open + 1..].strip_suffix(b"\"").ok_or(DictionaryError::NotQuoted(number))?;
    // A name, and perhaps the level that a fuzzer uses the word from.
    if !(name.is_empty() || name.ends_with(b"=")) {
        return Err(DictionaryError::NotQuoted(number));
    }
    let mut word = Vec::new();
    let mut rest = quoted;
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
    use super::parse;
    use crate::error::dictionary::DictionaryError;

    #[test]
    fn names_levels_escapes_and_comments_are_read() {
        let text =
            b"# Markdown\n\nlink=\"![](\"\nend@2 = \"\\x5D\\\\\\\"\"\r\n  \"bare word\"\n\"a=\\\"b\\\"\"\n\"\xff\"";
        let words = parse(text).unwrap();
        let expected: [&[u8]; 5] = [b"![](", b"]\\\"", b"bare word", b"a=\"b\"", b"\xff"];
        assert_eq!(words, expected);
    }

    #[test]
    fn an_error_names_its_line() {
        let error = |text: &str| parse(text.as_bytes()).unwrap_err();
        assert_eq!(error("\"a\"\nb"), DictionaryError::NotQuoted(2));
        assert_eq!(error("\"a\"\n\n\"b"), DictionaryError::NotQuoted(3));
        assert_eq!(error("name \"b\""), DictionaryError::NotQuoted(1));
        assert_eq!(error("x=\"\""), DictionaryError::Empty(1));
        assert_eq!(error("# c\n\"\\q\""), DictionaryError::Escape(2, "q".into()));
        assert_eq!(error("\"\\x4\""), DictionaryError::Escape(1, "x4".into()));
        assert_eq!(error("\"a\"b\""), DictionaryError::InnerQuote(1));
    }
}
