//! Words of a dictionary as an argument, and the lengths they come to.

use super::{Failure, Parser, fail};
use crate::call::dictionary::MOST_WORDS;
use crate::call::lex::Token;
use crate::call::{Dictionary, Param, ParamKind, words_of_lines};

const HELP: &str =
    "write tokens[n] of @FILE, with a word a line or as AFL has them, or tokens[n] of [\"if\", \"else\"]";

impl Parser<'_> {
    /// Tokens, or the length or the end of an argument, if they come.
    pub(super) fn words(&mut self) -> Result<Option<ParamKind>, Failure> {
        let at = self.at();
        let opens =
            |symbol| matches!(self.tokens.get(self.next + 1), Some((_, Token::Symbol(next))) if *next == symbol);
        let is_end = self.is_word("end") && opens("(") && self.structs == 0;
        if is_end || self.is_word("len") && opens("(") {
            self.next += 2;
            let Token::Word(name) = self.take() else {
                return fail(
                    at,
                    "there is no name between the brackets",
                    "write the name of an argument, as in len(s)",
                );
            };
            self.expect(")", "close the bracket after the name")?;
            return Ok(Some(if is_end { ParamKind::EndOf(name) } else { ParamKind::LengthOf(name) }));
        }
        if !self.take_word("tokens") {
            return Ok(None);
        }
        self.expect("[", HELP)?;
        let length = self.length()?;
        if !self.take_word("of") {
            return fail(self.at(), format!("expected `of`, found {}", self.peek().describe()), HELP);
        }
        let at = self.at();
        let words = self.dictionary()?;
        let count = words.len();
        match Dictionary::new(words) {
            Some(words) => Ok(Some(ParamKind::Tokens(words, length))),
            None if count == 0 => fail(at, "there is no word in this", HELP),
            None => fail(at, format!("there are {count} words"), format!("give at most {MOST_WORDS}")),
        }
    }

    /// The words, each once.
    fn dictionary(&mut self) -> Result<Vec<Vec<u8>>, Failure> {
        let at = self.at();
        let mut words = match self.take() {
            Token::File(path) => {
                let read =
                    (self.files)(&path).and_then(|bytes| words_of_lines(&bytes).map_err(|wrong| wrong.to_string()));
                match read {
                    Ok(words) => words,
                    Err(why) => return fail(at, format!("cannot read {path}: {why}"), HELP),
                }
            }
            Token::Symbol("[") => self.list_of_words()?,
            other => return fail(at, format!("expected words, found {}", other.describe()), HELP),
        };
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert(word.clone()));
        Ok(words)
    }

    fn list_of_words(&mut self) -> Result<Vec<Vec<u8>>, Failure> {
        let mut words = Vec::new();
        while !self.take_if("]") {
            if !words.is_empty() {
                self.expect(",", "separate words with commas and close the list with a square bracket")?;
            }
            let at = self.at();
            match self.take() {
                Token::Text(word) => words.push(word),
                other => return fail(at, format!("expected a word in quotes, found {}", other.describe()), HELP),
            }
        }
        Ok(words)
    }
}

/// Lengths of what is no tokens are arithmetic over n, and there are none, and no ends, of what is not there. Members have the lengths of others of
/// their own struct.
pub(super) fn lengths(mut params: Vec<Param>) -> Result<Vec<Param>, Failure> {
    for at in 0..params.len() {
        if let ParamKind::Struct(spec, _) = &mut params[at].kind {
            let inner: Vec<Param> = spec.members.iter().map(|member| member.param.clone()).collect();
            for (member, param) in spec.members.iter_mut().zip(lengths(inner)?) {
                member.param = param;
            }
        }
        if let ParamKind::EndOf(name) = &params[at].kind {
            let has_end = |param: &Param| {
                use ParamKind::{Array, Out, Struct, Text};
                param.name == *name && matches!(param.kind, Array(..) | Text(..) | Out(..) | Struct(_, Some(_)))
            };
            if !params.iter().any(has_end) {
                let message = format!("there is no argument `{name}` that has an end");
                return fail(0, message, "name one that has elements, as in f(first: i32[n], end(first))");
            }
        }
        let ParamKind::LengthOf(name) = &params[at].kind else { continue };
        let of = params.iter().find(|param| param.name == *name).map(|param| &param.kind);
        let known = match of {
            Some(ParamKind::Tokens(..)) => continue,
            Some(ParamKind::Array(_, length) | ParamKind::Text(_, length) | ParamKind::Out(_, length)) => {
                length.clone()
            }
            _ => {
                let message = format!("there is no argument `{name}` that has a length");
                return fail(0, message, "name the other argument, as in f(s: tokens[n] of @FILE, len(s))");
            }
        };
        params[at].kind = ParamKind::Value(known);
    }
    Ok(params)
}
