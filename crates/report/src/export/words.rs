//! Names and sentences of a document, made harmless: as identifiers, file names, comments.

/// Longer names are cut.
const LONGEST: usize = 40;
/// Longer lines of a comment are cut.
const LONGEST_LINE: usize = 400;

/// Whether it is a name in C and in Rust (keywords aside).
pub fn is_identifier(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && name.len() <= 256 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A name as part of identifiers and file names: letters, digits and `_` only, and not too long.
pub fn file_stem(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let stem: String = name.chars().take(LONGEST).map(plain).collect();
    if stem.chars().all(|c| c == '_') { "function".to_owned() } else { stem }
}

/// One line of a comment in any of the languages: no control characters, no end of a comment, no direction marks.
pub fn comment(text: &str) -> String {
    let harmless = |c: char| if c.is_control() || is_invisible(c) { ' ' } else { c };
    let line: String = text.chars().take(LONGEST_LINE).map(harmless).collect();
    // A backslash at the end would continue a `//` line; `??/` is one to some compilers.
    line.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /").trim_end_matches(['\\', ' ']).to_owned()
}

/// Marks that turn the direction of text, or hide.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A string of C with exactly these bytes.
pub fn c_string(text: &str) -> String {
    let byte = |byte: u8| match byte {
        // `?` could begin a trigraph.
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        b'\n' => "\\n".to_owned(),
        // Three digits: what follows can be no fourth.
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

/// A byte string of Rust with exactly these bytes and the zero that ends a string in C.
pub fn rust_c_string(text: &str) -> String {
    format!("b\"{}\\0\"", text.as_bytes().escape_ascii())
}

/// Words as a shell takes them.
pub fn shell(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+,:@%".contains(c);
    let word = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{c_string, comment, file_stem, is_identifier, rust_c_string, shell};

    #[test]
    fn hostile_names_become_plain_ones() {
        assert_eq!(file_stem("../../etc/passwd"), "______etc_passwd");
        assert_eq!(file_stem("…"), "function");
        assert_eq!(file_stem(&"x".repeat(1000)).len(), 40);
        assert!(is_identifier("isort") && is_identifier("_x1"));
        for name in ["", "1x", "a b", "f();system", "é", "a\n"] {
            assert!(!is_identifier(name), "{name:?}");
        }
    }

    #[test]
    fn a_comment_stays_one() {
        assert_eq!(comment("a */ int x; /* b\nc \\"), "a * / int x; / * b c");
        assert!(!comment("\u{202e}abc").contains('\u{202e}'));
        assert_eq!(comment(&"y".repeat(1000)).len(), 400);
    }

    #[test]
    fn quotes_hold() {
        assert_eq!(c_string("a\"\n7?é"), r#""a\"\n7\?\303\251""#);
        assert_eq!(rust_c_string("a\"é"), r#"b"a\"\xc3\xa9\0""#);
        assert_eq!(shell(&["-DX=1".into(), "a b'c".into()]), "-DX=1 'a b'\\''c'");
    }
}
