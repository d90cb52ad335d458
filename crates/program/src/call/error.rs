//! What can be wrong with a signature, in words a user can act on.

use std::fmt;

use super::elem::MOST_ELEMENTS;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CallError {
    #[error(transparent)]
    Syntax(#[from] Box<SyntaxError>),
    #[error("`{expr}` divides by zero for n = {n}")]
    DivisionByZero { expr: String, n: i64 },
    #[error("`{expr}` is too large to compute for n = {n}")]
    Overflow { expr: String, n: i64 },
    #[error("`{expr}` has a negative exponent for n = {n}")]
    NegativeExponent { expr: String, n: i64 },
    #[error("the size n must not be negative, but it is {0}")]
    NegativeSize(i64),
    #[error("`{name}` would have {count} elements for n = {n}; write a length that is never negative")]
    NegativeLength { name: String, count: i128, n: i64 },
    #[error(
        "the inputs would have {count} elements for n = {n}, more than the {MOST_ELEMENTS} allowed; use a smaller size"
    )]
    TooManyElements { count: i128, n: i64 },
    #[error("the inputs do not fit behind the {memory_bytes} bytes of memory the program has: addresses end at 4 GiB")]
    NoRoom { memory_bytes: u64 },
    #[error("argument {position} (`{expr}`) is {value} for n = {n}, which does not fit into 64 bits")]
    ValueTooLarge { position: usize, expr: String, value: i128, n: i64 },
    #[error("argument {position} (`{name}`) is {value}, which does not fit the function's {ty} parameter")]
    ValueDoesNotFit { position: usize, name: String, value: i64, ty: String },
    #[error("the range of `{name}` is empty for n = {n}: {low}..={high}")]
    EmptyRange { name: String, low: i128, high: i128, n: i64 },
    #[error("the range {range} of `{name}` goes beyond {ty}, which holds {holds}{hint}")]
    RangeOutsideType { name: String, ty: &'static str, range: String, holds: String, hint: &'static str },
    #[error(
        "`{name}` is neither a type nor a struct that the program's debug information describes; types are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 bool char cstr[n] str[n], and the size is called n"
    )]
    UnknownStruct { name: String },
    #[error("`{name}` is {value} for n = {n} (`{expr}`), which does not fit {ty}")]
    MemberDoesNotFit { name: String, expr: String, value: i128, ty: &'static str, n: i64 },
    #[error("the function `{name}`, whose address is to be passed, {why}")]
    NoSuchPointer { name: String, why: String },
    #[error(
        "there are no tokens `{0}` whose length could be passed; len(NAME) takes the name of an argument tokens[n] of @FILE"
    )]
    NoTokens(String),
    #[error(
        "`{0}` is of many structs; tokens are written where there is one, since nobody could tell apart whose words they are"
    )]
    TokensOfMany(String),
    #[error(
        "there is no argument `{0}` that has an end; name one that has elements, as in f(first: i32[n], end(first))"
    )]
    NoEnd(String),
    /// A call that contradicts the function's types, in whole sentences.
    #[error("{0}")]
    Contradiction(String),
    #[error("`{function}` takes {takes}, but --call gives {given}")]
    WrongArity { function: String, takes: String, given: usize },
    #[error("argument {position} of `{function}` is {actual} in the module, but --call gives {given}; {remedy}")]
    WrongType { function: String, position: usize, actual: String, given: String, remedy: String },
    #[error(
        "the harness `{function}` takes {takes}; a harness takes n (i32 or i64) or nothing. To pass inputs, use --call"
    )]
    NotAHarness { function: String, takes: String },
}

/// A place in the signature that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The signature as given.
    pub text: String,
    /// Byte offset into it.
    pub at: usize,
    pub message: String,
    pub help: String,
}

impl SyntaxError {
    /// The column in characters, from 1.
    pub fn column(&self) -> usize {
        self.text.char_indices().take_while(|(offset, _)| *offset < self.at).count() + 1
    }
}

impl std::error::Error for SyntaxError {}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column();
        // Only a window of a very long text is shown, so that the caret stays in sight.
        const WINDOW: usize = 100;
        let skipped = if column > WINDOW { column - WINDOW / 2 } else { 0 };
        let shown: String =
            self.text.chars().skip(skipped).take(WINDOW).map(|c| if c.is_control() { ' ' } else { c }).collect();
        writeln!(f, "cannot read the call at column {column}: {}", self.message)?;
        writeln!(f, "  {shown}")?;
        writeln!(f, "  {:>width$}", "^", width = column - skipped)?;
        write!(f, "  help: {}", self.help)
    }
}

/// A syntax error before it is joined with the text.
#[derive(Debug)]
pub(super) struct Failure {
    pub at: usize,
    pub message: String,
    pub help: String,
}

pub(super) fn fail<T>(at: usize, message: impl Into<String>, help: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { at, message: message.into(), help: help.into() })
}
