//! What can be wrong with a dictionary of words.

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
