//! The signature as tokens, each with its place.

use super::error::{Failure, fail};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(String),
    Int(u64),
    /// One of `( ) [ ] , : + - * / % ^ .. ..=`; `**` arrives as `^`.
    Symbol(&'static str),
    End,
}

impl Token {
    /// As it would be quoted in a message.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Longest first, so that `..=` is not read as `..`.
const SYMBOLS: [(&str, &str); 15] = [
    ("..=", "..="),
    ("..", ".."),
    ("**", "^"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    (",", ","),
    (":", ":"),
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
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push((at, Token::Int(integer(&rest[..length], at)?)));
            at += length;
        } else if c.is_ascii_alphabetic() || c == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push((at, Token::Word(rest[..length].to_owned())));
            at += length;
        } else if c == '\'' {
            let (value, length) = character(rest, at)?;
            found.push((at, Token::Int(value)));
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
