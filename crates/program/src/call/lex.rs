//! The signature as tokens, each with its place.

use super::error::{Failure, fail};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(String),
    Int(u64),
    /// What stands between double quotes, as bytes.
    Text(Vec<u8>),
    /// `@` and the path of a file.
    File(String),
    /// `&` and the name of a function.
    Function(String),
    /// One of `( ) [ ] { } , : = + - * / % ^ .. ..=`; `**` arrives as `^`.
    Symbol(&'static str),
    End,
}

impl Token {
    /// As it would be quoted in a message.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Text(_) => "a text".to_owned(),
            Token::File(path) => format!("`@{path}`"),
            Token::Function(name) => format!("`&{name}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Longest first, so that `..=` is not read as `..`.
const SYMBOLS: [(&str, &str); 18] = [
    ("..=", "..="),
    ("..", ".."),
    ("**", "^"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (":", ":"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("^", "^"),
];

/// Splits `text` from byte `start` on into tokens with their byte offsets; the last one is `End`.
pub(super) fn tokens(text: &str, start: usize) -> Result<Vec<(usize, Token)>, Failure> {
    let mut found = Vec::new();
    let mut at = start;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let word = |from: usize, ends: fn(char) -> bool| rest[from..].find(ends).map_or(rest.len(), |end| from + end);
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c.is_ascii_digit() {
            let length = word(0, |c| !c.is_ascii_alphanumeric() && c != '_');
            found.push((at, Token::Int(integer(&rest[..length], at)?)));
            at += length;
        } else if c.is_ascii_alphabetic() || c == '_' {
            let length = word(0, |c| !c.is_ascii_alphanumeric() && c != '_');
            found.push((at, Token::Word(rest[..length].to_owned())));
            at += length;
        } else if c == '\'' {
            let (value, length) = character(rest, at)?;
            found.push((at, Token::Int(value)));
            at += length;
        } else if c == '"' {
            let (bytes, length) = quoted(rest, at)?;
            found.push((at, Token::Text(bytes)));
            at += length;
        } else if c == '@' {
            let length = word(1, |c| c.is_whitespace() || ",)]}".contains(c));
            if length == 1 {
                return fail(at, "there is no file name after the `@`", "write the path of a file, as in @words.txt");
            }
            found.push((at, Token::File(rest[1..length].to_owned())));
            at += length;
        } else if c == '&' {
            let length = word(1, |c| !c.is_ascii_alphanumeric() && !"_$.:<>".contains(c));
            if length == 1 {
                return fail(at, "there is no function name after the `&`", "write a function's name, as in &compare");
            }
            found.push((at, Token::Function(rest[1..length].to_owned())));
            at += length;
        } else if let Some((spelling, symbol)) = SYMBOLS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
            found.push((at, Token::Symbol(symbol)));
            at += spelling.len();
        } else {
            return fail(
                at,
                format!("`{}` means nothing here", c.escape_debug()),
                "write TYPE, TYPE[LENGTH] or arithmetic over n, separated by commas",
            );
        }
    }
    found.push((text.len(), Token::End));
    Ok(found)
}

/// Decimal or `0x…`, with `_` anywhere after the first digit.
fn integer(text: &str, at: usize) -> Result<u64, Failure> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    match value {
        Ok(value) => Ok(value),
        Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => {
            fail(at, format!("{text} does not fit into 64 bits"), "use a smaller number")
        }
        Err(_) if digits.ends_with('n') => {
            fail(at, format!("`{text}` is not a number"), "write the multiplication out, as in 2*n")
        }
        Err(_) => fail(at, format!("`{text}` is not a number"), "write digits, or 0x and hexadecimal digits"),
    }
}

/// `'a'` as its code; only ASCII, since a char is one byte.
fn character(text: &str, at: usize) -> Result<(u64, usize), Failure> {
    let mut chars = text[1..].chars();
    match (chars.next(), chars.next()) {
        (Some(c), Some('\'')) if c.is_ascii() && c != '\'' && c != '\\' => Ok((u64::from(c as u32), 3)),
        _ => fail(
            at,
            "this is not a character".to_owned(),
            "write one ASCII character in quotes, as in 'a', or its code",
        ),
    }
}

/// A text in double quotes with the escapes `\n \t \r \0 \\ \" \xNN`, and its length with the quotes.
fn quoted(text: &str, at: usize) -> Result<(Vec<u8>, usize), Failure> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut next = 1;
    while let Some(byte) = bytes.get(next) {
        match byte {
            b'"' => return Ok((found, next + 1)),
            b'\\' => {
                let (byte, length) = escape(&bytes[next + 1..]).map_or_else(
                    || {
                        fail(
                            at + next,
                            "this escape means nothing",
                            "escapes are \\n \\t \\r \\0 \\\\ \\\" and \\x with two hexadecimal digits",
                        )
                    },
                    Ok,
                )?;
                found.push(byte);
                next += 1 + length;
            }
            byte => {
                found.push(*byte);
                next += 1;
            }
        }
    }
    fail(at, "this quote is never closed", "close it with another double quote")
}

/// What follows a backslash, and how long it is.
fn escape(bytes: &[u8]) -> Option<(u8, usize)> {
    Some(match bytes.first()? {
        b'n' => (b'\n', 1),
        b't' => (b'\t', 1),
        b'r' => (b'\r', 1),
        b'0' => (0, 1),
        b'\\' => (b'\\', 1),
        b'"' => (b'"', 1),
        b'x' => {
            let digits = std::str::from_utf8(bytes.get(1..3)?).ok()?;
            (u8::from_str_radix(digits, 16).ok()?, 3)
        }
        _ => return None,
    })
}

/// The text that `quoted` reads to these bytes.
pub(super) fn quote(bytes: impl IntoIterator<Item = u8>) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b'\n' => out += "\\n",
            b'\t' => out += "\\t",
            b'\r' => out += "\\r",
            b'\\' => out += "\\\\",
            b'"' => out += "\\\"",
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out += &format!("\\x{byte:02x}"),
        }
    }
    out + "\""
}
