//! Text to `CallSpec`: recursive descent over tokens, with errors that point at the column and say what to write instead.
//!
//! ```text
//! call   := NAME '(' [param (',' param)*] ')'
//! param  := [WORD ':'] what
//! what   := 'out' TYPE '[' sum ']' | 'null' | '&' NAME | fixed | data [values] | tokens | ('len' | 'end') '(' WORD ')' | sum
//! tokens := 'tokens' '[' sum ']' 'of' ('@' FILE | '[' '"' text '"' (',' '"' text '"')* ']')
//! data   := TYPE ['[' sum ']'] | ('cstr' | 'str' | 'utf8') '[' sum ']' | struct ['[' sum ']']
//! fixed  := '"' text '"' | '@' FILE | '[' [INT (',' INT)*] ']' ['as' TYPE]
//! values := 'in' (sum ('..=' | '..') sum | fixed)
//! struct := ['struct'] WORD ['{' members '}'] | '{' members '}'
//! member := WORD ['at' INT] ':' ['inline'] (TYPE '=' sum | 'following' | 'preceding' | what)        a last '..' INT is the size of the struct
//! sum   := product (('+' | '-') product)*        product := unary (('*' | '/' | '%') unary)*
//! unary := '-' unary | power                      power   := atom [('^' | '**') unary]
//! atom  := INT | 'n' | '(' sum ')'
//! ```

mod arithmetic;
mod structs;
mod words;

use super::data::{Among, FixedData, FunctionRef, TextKind};
use super::error::{CallError, Failure, SyntaxError, fail};
use super::expr::{Expr, Node, Op};
use super::lex::{Token, tokens};
use super::reserved::{KEYWORDS, type_help};
use super::{CallSpec, ElemType, Param, ParamKind, default_name};

/// More parameters than this are refused; WebAssembly itself allows 1,000.
const MOST_PARAMS: usize = 1000;

/// More bytes of fixed data than this belong into the program.
const MOST_FIXED: usize = 1 << 16;

const TYPES: &str = "types are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 bool char, and cstr[n], str[n], utf8[n] and tokens[n] of @FILE for text";

/// The contents of a file, or why there are none.
type Files<'f> = &'f dyn Fn(&str) -> Result<Vec<u8>, String>;

pub(super) fn parse(text: &str, files: Files<'_>) -> Result<CallSpec, CallError> {
    parse_call(text, files).map_err(|Failure { at, message, help }| {
        CallError::from(Box::new(SyntaxError { text: text.to_owned(), at, message, help }))
    })
}

/// The function, where the text is its name alone and leaves its inputs to be guessed.
pub fn bare_name(text: &str) -> Option<String> {
    let text = text.trim();
    if text.starts_with('"') {
        return quoted_name(text, 0).ok().filter(|(_, after)| *after == text.len()).map(|(name, _)| name);
    }
    is_plain_function_name(text).then(|| text.to_owned())
}

fn parse_call(text: &str, files: Files<'_>) -> Result<CallSpec, Failure> {
    let (function, after) = function_name(text)?;
    let mut parser = Parser { tokens: tokens(text, after)?, next: 0, depth: 0, structs: 0, nodes: 0, files };
    let params = words::lengths(parser.params()?)?;
    Ok(CallSpec { function, params })
}

/// The name, and where the parameter list begins. Everything up to the bracket is the name, so that `ns::f` and
/// `Vec<T>::push` need no quotes; names with brackets of their own take double quotes.
fn function_name(text: &str) -> Result<(String, usize), Failure> {
    let start = text.len() - text.trim_start().len();
    if text[start..].starts_with('"') {
        return quoted_name(text, start);
    }
    let Some(bracket) = text.find('(') else {
        return fail(
            text.trim_end().len(),
            "there is no parameter list",
            "write the function with its inputs in brackets, as in isort(i32[n], n)",
        );
    };
    let name = text[start..bracket.max(start)].trim_end();
    if name.is_empty() {
        return fail(bracket, "there is no function name", "write it before the bracket, as in isort(i32[n], n)");
    }
    if let Some(bad) = name.find(|c: char| !is_name_char(c)) {
        return fail(
            start + bad,
            "a function name cannot contain this",
            "put an unusual name into double quotes, as in \"operator new\"(u32)",
        );
    }
    Ok((name.to_owned(), bracket))
}

fn quoted_name(text: &str, start: usize) -> Result<(String, usize), Failure> {
    let mut name = String::new();
    let mut chars = text[start + 1..].char_indices();
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' if name.is_empty() => return fail(start, "there is no function name", "write it between the quotes"),
            '"' => return Ok((name, start + 1 + offset + 1)),
            '\\' => match chars.next() {
                Some((_, escaped)) => name.push(escaped),
                None => break,
            },
            _ => name.push(c),
        }
    }
    fail(start, "this quote is never closed", "close it with another double quote")
}

/// Whether the name can stand in a signature without quotes.
pub(super) fn is_plain_function_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_char)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || "_$.:<>@~&*-".contains(c)
}

/// The name in quotes.
pub(super) fn quoted(name: &str) -> String {
    let escaped: String =
        name.chars().flat_map(|c| (c == '"' || c == '\\').then_some('\\').into_iter().chain([c])).collect();
    format!("\"{escaped}\"")
}

/// Whether a parameter has values that results show by its name.
fn is_input(kind: &ParamKind) -> bool {
    use ParamKind::{EndOf, Fixed, Function, LengthOf, Null, Value};
    !matches!(kind, Value(_) | LengthOf(_) | EndOf(_) | Fixed(_) | Null | Function(_))
}

struct Parser<'f> {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
    /// How many structs are open.
    structs: usize,
    /// Nodes of the expression being read.
    nodes: usize,
    files: Files<'f>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    /// Takes the next token; the end stays.
    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    fn take_if(&mut self, symbol: &'static str) -> bool {
        let found = *self.peek() == Token::Symbol(symbol);
        if found {
            self.next += 1;
        }
        found
    }

    fn expect(&mut self, symbol: &'static str, help: &str) -> Result<(), Failure> {
        if self.take_if(symbol) {
            return Ok(());
        }
        fail(self.at(), format!("expected `{symbol}`, found {}", self.peek().describe()), help)
    }

    fn params(&mut self) -> Result<Vec<Param>, Failure> {
        self.expect("(", "write the inputs in brackets after the function, as in isort(i32[n], n)")?;
        let mut params: Vec<Param> = Vec::new();
        let (mut names, mut unnamed, mut places) = (std::collections::HashSet::new(), Vec::new(), Vec::new());
        if !self.take_if(")") {
            loop {
                let at = self.at();
                places.push(at);
                let name = self.param_name()?;
                if let Some(name) = name.as_ref().filter(|name| !names.insert((*name).clone())) {
                    return fail(at, format!("a second parameter is called `{name}`"), "give each its own name");
                }
                if name.is_none() {
                    unnamed.push(params.len());
                }
                let name = name.unwrap_or_else(|| default_name(params.len()));
                params.push(self.what(name)?);
                if params.len() > MOST_PARAMS {
                    return fail(at, "too many parameters", format!("a function has at most {MOST_PARAMS}"));
                }
                if !self.take_if(",") {
                    break;
                }
            }
            self.expect(")", "separate parameters with commas and close the list with a bracket")?;
        }
        // Another one may be called as an unnamed one would be by its place; what is no input makes way.
        for position in unnamed {
            let own = &params[position].name;
            let Some(other) = (0..params.len()).find(|at| *at != position && params[*at].name == *own) else {
                continue;
            };
            if is_input(&params[position].kind) {
                let at = places[position.max(other)];
                return fail(at, format!("a second parameter is called `{own}`"), "give each its own name");
            }
            let free = (params.len()..).map(default_name).find(|name| params.iter().all(|param| param.name != *name));
            params[position].name = free.unwrap_or_default();
        }
        match self.peek() {
            Token::End => Ok(params),
            _ => fail(self.at(), "there is something after the closing bracket", "end the call at the bracket"),
        }
    }

    /// An argument after its name.
    fn what(&mut self, name: String) -> Result<Param, Failure> {
        if self.take_word("out") {
            return self.output(name);
        }
        if self.take_word("null") {
            return Ok(Param::new(name, ParamKind::Null));
        }
        if let Token::Function(function) = self.peek() {
            let kind = ParamKind::Function(FunctionRef { name: function.clone(), index: None });
            self.next += 1;
            return Ok(Param::new(name, kind));
        }
        if let Some(data) = self.fixed()? {
            return Ok(Param::new(name, ParamKind::Fixed(data)));
        }
        if let Some(kind) = self.text_kind() {
            self.expect("[", "say how many characters there are, as in cstr[n]")?;
            let length = self.length()?;
            return self.with_values(name, ParamKind::Text(kind, length));
        }
        if let Some(kind) = self.words()? {
            return Ok(Param::new(name, kind));
        }
        if let Some(spec) = self.structure()? {
            let count = if self.take_if("[") { Some(self.length()?) } else { None };
            return Ok(Param::new(name, ParamKind::Struct(spec, count)));
        }
        let Some(ty) = self.elem_type()? else {
            let kind = ParamKind::Value(self.expr()?);
            if self.is_word("in") {
                return fail(
                    self.at(),
                    "a number computed from n has no range",
                    format!("write a type for an input, as in u32 in 0..=9; {TYPES}"),
                );
            }
            return Ok(Param::new(name, kind));
        };
        let kind = if self.take_if("[") { ParamKind::Array(ty, self.length()?) } else { ParamKind::Scalar(ty) };
        self.with_values(name, kind)
    }

    fn output(&mut self, name: String) -> Result<Param, Failure> {
        let help = "write the type and number of its elements, as in out u8[2*n]";
        let at = self.at();
        let Some(ty) = self.elem_type()? else { return fail(at, "an output buffer has a type", help) };
        self.expect("[", help)?;
        let length = self.length()?;
        if self.is_word("in") {
            return fail(self.at(), "an output buffer is no input, so it has no values", "leave this out");
        }
        Ok(Param::new(name, ParamKind::Out(ty, length)))
    }

    /// A length up to its bracket, of which the first was taken.
    fn length(&mut self) -> Result<Expr, Failure> {
        let length = self.expr()?;
        self.expect("]", "close the length with a square bracket, as in i32[n]")?;
        if *self.peek() == Token::Symbol("[") {
            return fail(self.at(), "arrays have one length", "multiply the lengths, as in i32[n*n]");
        }
        Ok(length)
    }

    fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(), Token::Word(word) if word == wanted)
    }

    fn take_word(&mut self, wanted: &str) -> bool {
        let found = self.is_word(wanted);
        self.next += usize::from(found);
        found
    }

    fn text_kind(&mut self) -> Option<TextKind> {
        if self.take_word("cstr") {
            return Some(TextKind::CStr);
        }
        if self.take_word("utf8") {
            return Some(TextKind::Utf8);
        }
        self.take_word("str").then_some(TextKind::Str)
    }

    /// Data that is given: a text, a list of numbers, a file.
    fn fixed(&mut self) -> Result<Option<FixedData>, Failure> {
        let at = self.at();
        let text =
            |bytes: Vec<u8>| FixedData { ty: None, is_text: true, values: bytes.into_iter().map(i64::from).collect() };
        let data = match self.peek().clone() {
            Token::Text(bytes) => {
                self.next += 1;
                text(bytes)
            }
            Token::File(path) => {
                self.next += 1;
                match (self.files)(&path) {
                    Ok(bytes) => text(bytes),
                    Err(why) => {
                        return fail(at, format!("cannot read {path}: {why}"), "give the path of a file that is there");
                    }
                }
            }
            Token::Symbol("[") => {
                self.next += 1;
                self.list()?
            }
            _ => return Ok(None),
        };
        if data.values.len() > MOST_FIXED {
            return fail(at, "this is too much data for a signature", format!("give at most {MOST_FIXED} elements"));
        }
        Ok(Some(data))
    }

    fn list(&mut self) -> Result<FixedData, Failure> {
        let mut values = Vec::new();
        while !self.take_if("]") {
            if !values.is_empty() {
                self.expect(",", "separate numbers with commas and close the list with a square bracket")?;
            }
            let at = self.at();
            let negative = self.take_if("-");
            let value = match self.take() {
                Token::Int(value) if negative => 0i64.checked_sub_unsigned(value),
                Token::Int(value) => i64::try_from(value).ok(),
                other => {
                    return fail(
                        at,
                        format!("expected a number, found {}", other.describe()),
                        "a list has plain numbers, as in [1, 2, 3]",
                    );
                }
            };
            match value {
                Some(value) => values.push(value),
                None => return fail(at, "this number does not fit into 64 bits", "use a smaller number"),
            }
            if values.len() > MOST_FIXED {
                return fail(at, "this list is too long", format!("give at most {MOST_FIXED} elements"));
            }
        }
        let mut ty = None;
        if self.take_word("as") {
            let at = self.at();
            ty = self.elem_type()?;
            if ty.is_none_or(ElemType::is_float) {
                return fail(at, "a list of numbers has an integer type", "write it as in [1, 2, 3] as u8");
            }
        }
        Ok(FixedData { ty, is_text: false, values })
    }

    /// An input with the values it may have.
    fn with_values(&mut self, name: String, kind: ParamKind) -> Result<Param, Failure> {
        if !self.take_word("in") {
            return Ok(Param::new(name, kind));
        }
        let at = self.at();
        if matches!(kind, ParamKind::Text(TextKind::Utf8, _)) {
            return fail(
                at,
                "the bytes of utf8 depend on each other",
                "leave this out, or choose among ASCII with str[n]",
            );
        }
        let Some(data) = self.fixed()? else {
            return Ok(Param { range: Some(self.range()?), ..Param::new(name, kind) });
        };
        let (ty, (least, greatest)) = match &kind {
            ParamKind::Text(kind, _) => (ElemType::U8, kind.bounds()),
            ParamKind::Scalar(ty) | ParamKind::Array(ty, _) => (*ty, ty.bounds()),
            _ => return fail(at, "this has no values to choose", "leave this out"),
        };
        if ty.is_float() {
            return fail(at, "floats have no alphabet", "give a range, as in f64 in 0..=1");
        }
        // A byte of text is the signed char with the same bits.
        let signed = data.is_text && ty.bits() == 8 && ty.is_signed();
        let mut values: Vec<i64> =
            data.values.iter().map(|value| if signed { i64::from(*value as u8 as i8) } else { *value }).collect();
        // The last line of a file has an end that nobody means.
        if data.is_text && matches!(self.tokens.get(self.next - 1), Some((_, Token::File(_)))) {
            values.retain(|value| *value != i64::from(b'\n') && *value != i64::from(b'\r'));
        }
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            return fail(at, "there is no value in this", "name at least one, as in \"abc\"");
        }
        if let Some(bad) = values.iter().find(|value| !(least..=greatest).contains(&i128::from(**value))) {
            return fail(at, format!("{bad} is outside {least}..={greatest}"), "leave it out, or use another type");
        }
        let among: Among = values.into();
        Ok(Param { among: Some(among), ..Param::new(name, kind) })
    }

    fn param_name(&mut self) -> Result<Option<String>, Failure> {
        let Token::Word(word) = self.peek() else { return Ok(None) };
        if self.tokens.get(self.next + 1).map(|(_, token)| token) != Some(&Token::Symbol(":")) {
            return Ok(None);
        }
        let name = word.clone();
        if KEYWORDS.contains(&name.as_str()) || name.parse::<ElemType>().is_ok() {
            return fail(
                self.at(),
                format!("`{name}` cannot be the name of an input"),
                "the name comes first, as in a: i32[n]",
            );
        }
        self.next += 2;
        Ok(Some(name))
    }

    /// A type, if one comes; a word that is neither a type nor n is an error.
    fn elem_type(&mut self) -> Result<Option<ElemType>, Failure> {
        let Token::Word(word) = self.peek() else { return Ok(None) };
        if word == "n" {
            return Ok(None);
        }
        match word.parse() {
            Ok(ty) => {
                self.next += 1;
                Ok(Some(ty))
            }
            Err(_) => {
                let help = type_help(word).map_or_else(
                    || format!("the size is called n; {TYPES}"),
                    |instead| format!("write {instead}; {TYPES}"),
                );
                fail(self.at(), format!("`{word}` is not a type"), help)
            }
        }
    }

    fn range(&mut self) -> Result<(Expr, Expr), Failure> {
        let low = self.expr()?;
        let at = self.at();
        match self.take() {
            Token::Symbol("..=") => Ok((low, self.expr()?)),
            Token::Symbol("..") => {
                let Expr(end) = self.expr()?;
                Ok((low, Expr(Node::Bin(Op::Sub, Box::new(end), Box::new(Node::Int(1))))))
            }
            other => fail(at, format!("expected `..=`, found {}", other.describe()), "write both bounds, as in 0..=99"),
        }
    }
}
