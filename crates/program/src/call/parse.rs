//! Text to `CallSpec`: recursive descent over tokens, with errors that point at the column and say what to write instead.
//!
//! ```text
//! call  := NAME '(' [param (',' param)*] ')'
//! param := [WORD ':'] (TYPE ['[' sum ']'] ['in' sum ('..=' | '..') sum] | sum)
//! sum   := product (('+' | '-') product)*        product := unary (('*' | '/' | '%') unary)*
//! unary := '-' unary | power                      power   := atom [('^' | '**') unary]
//! atom  := INT | 'n' | '(' sum ')'
//! ```

use super::error::{CallError, Failure, SyntaxError, fail};
use super::expr::{Expr, MOST_NODES, Node, Op};
use super::lex::{Token, tokens};
use super::{CallSpec, ElemType, Param, ParamKind, default_name};

/// How deep brackets and signs may nest.
const DEEPEST: usize = 50;
/// More parameters than this are refused; WebAssembly itself allows 1,000.
const MOST_PARAMS: usize = 1000;

const TYPES: &str = "types are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 bool char";

pub(super) fn parse(text: &str) -> Result<CallSpec, CallError> {
    parse_call(text).map_err(|Failure { at, message, help }| {
        CallError::from(Box::new(SyntaxError { text: text.to_owned(), at, message, help }))
    })
}

fn parse_call(text: &str) -> Result<CallSpec, Failure> {
    let (function, after) = function_name(text)?;
    let mut parser = Parser { tokens: tokens(text, after)?, next: 0, depth: 0, nodes: 0 };
    let params = parser.params()?;
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

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
    /// Nodes of the expression being read.
    nodes: usize,
}

impl Parser {
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
        let mut names = std::collections::HashSet::new();
        if !self.take_if(")") {
            loop {
                let at = self.at();
                let param = self.param(params.len())?;
                if !names.insert(param.name.clone()) {
                    return fail(
                        at,
                        format!("a second parameter is called `{}`", param.name),
                        "give each its own name",
                    );
                }
                params.push(param);
                if params.len() > MOST_PARAMS {
                    return fail(at, "too many parameters", format!("a function has at most {MOST_PARAMS}"));
                }
                if !self.take_if(",") {
                    break;
                }
            }
            self.expect(")", "separate parameters with commas and close the list with a bracket")?;
        }
        match self.peek() {
            Token::End => Ok(params),
            _ => fail(self.at(), "there is something after the closing bracket", "end the call at the bracket"),
        }
    }

    fn param(&mut self, position: usize) -> Result<Param, Failure> {
        let name = self.param_name()?.unwrap_or_else(|| default_name(position));
        let Some(ty) = self.elem_type()? else {
            let kind = ParamKind::Value(self.expr()?);
            if matches!(self.peek(), Token::Word(word) if word == "in") {
                return fail(
                    self.at(),
                    "a number computed from n has no range",
                    format!("write a type for an input, as in u32 in 0..=9; {TYPES}"),
                );
            }
            return Ok(Param { name, kind, range: None });
        };
        let kind = if self.take_if("[") {
            let length = self.expr()?;
            self.expect("]", "close the length with a square bracket, as in i32[n]")?;
            if *self.peek() == Token::Symbol("[") {
                return fail(self.at(), "arrays have one length", "multiply the lengths, as in i32[n*n]");
            }
            ParamKind::Array(ty, length)
        } else {
            ParamKind::Scalar(ty)
        };
        Ok(Param { name, kind, range: self.range()? })
    }

    fn param_name(&mut self) -> Result<Option<String>, Failure> {
        let Token::Word(word) = self.peek() else { return Ok(None) };
        if self.tokens.get(self.next + 1).map(|(_, token)| token) != Some(&Token::Symbol(":")) {
            return Ok(None);
        }
        let name = word.clone();
        if name == "in" || name.parse::<ElemType>().is_ok() {
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
            Err(_) => fail(self.at(), format!("`{word}` is not a type"), type_help(word)),
        }
    }

    fn range(&mut self) -> Result<Option<(Expr, Expr)>, Failure> {
        if !matches!(self.peek(), Token::Word(word) if word == "in") {
            return Ok(None);
        }
        self.next += 1;
        let low = self.expr()?;
        let at = self.at();
        match self.take() {
            Token::Symbol("..=") => Ok(Some((low, self.expr()?))),
            Token::Symbol("..") => {
                let Expr(end) = self.expr()?;
                Ok(Some((low, Expr(Node::Bin(Op::Sub, Box::new(end), Box::new(Node::Int(1)))))))
            }
            other => fail(at, format!("expected `..=`, found {}", other.describe()), "write both bounds, as in 0..=99"),
        }
    }

    fn expr(&mut self) -> Result<Expr, Failure> {
        self.nodes = 0;
        self.sum().map(Expr)
    }

    /// Counts a node of the expression being read, so that none grows too large to be walked recursively.
    fn node(&mut self, node: Node) -> Result<Node, Failure> {
        self.nodes += 1;
        // One is kept free for the `- 1` of an exclusive bound.
        if self.nodes >= MOST_NODES {
            return fail(self.at(), "this expression is too long", "simplify it");
        }
        Ok(node)
    }

    fn sum(&mut self) -> Result<Node, Failure> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Token::Symbol("+") => Op::Add,
                Token::Symbol("-") => Op::Sub,
                _ => return Ok(left),
            };
            self.next += 1;
            let right = self.product()?;
            left = self.node(Node::Bin(op, Box::new(left), Box::new(right)))?;
        }
    }

    fn product(&mut self) -> Result<Node, Failure> {
        let mut left = self.unary()?;
        loop {
            let op = match self.peek() {
                Token::Symbol("*") => Op::Mul,
                Token::Symbol("/") => Op::Div,
                Token::Symbol("%") => Op::Rem,
                _ => return Ok(left),
            };
            self.next += 1;
            let right = self.unary()?;
            left = self.node(Node::Bin(op, Box::new(left), Box::new(right)))?;
        }
    }

    /// Every way into deeper nesting passes here.
    fn unary(&mut self) -> Result<Node, Failure> {
        if self.depth >= DEEPEST {
            return fail(self.at(), "this is nested too deeply", "simplify the expression");
        }
        self.depth += 1;
        let node = if self.take_if("-") {
            let operand = self.unary()?;
            self.node(Node::Neg(Box::new(operand)))
        } else {
            self.power()
        };
        self.depth -= 1;
        node
    }

    fn power(&mut self) -> Result<Node, Failure> {
        let base = self.atom()?;
        if !self.take_if("^") {
            return Ok(base);
        }
        let exponent = self.unary()?;
        self.node(Node::Bin(Op::Pow, Box::new(base), Box::new(exponent)))
    }

    fn atom(&mut self) -> Result<Node, Failure> {
        let at = self.at();
        match self.take() {
            Token::Int(value) => self.node(Node::Int(value)),
            Token::Word(word) if word == "n" => self.node(Node::Size),
            Token::Symbol("(") => {
                let inner = self.sum()?;
                self.expect(")", "close the bracket")?;
                Ok(inner)
            }
            Token::Word(word) if word.parse::<ElemType>().is_ok() => fail(
                at,
                format!("the type `{word}` cannot stand in arithmetic"),
                "a type stands alone, as in u8 or u8[n]",
            ),
            Token::Word(word) => {
                fail(at, format!("`{word}` is not known here"), "the only name in arithmetic is n, the size")
            }
            other => fail(
                at,
                format!("expected a type or arithmetic over n, found {}", other.describe()),
                format!("write something like i32[n], u8 or 2*n + 1; {TYPES}"),
            ),
        }
    }
}

/// What somebody who wrote this word as a type probably wants.
fn type_help(word: &str) -> String {
    let instead = match word {
        "int" | "long" | "isize" | "ptrdiff_t" | "int32_t" => "i32",
        "unsigned" | "uint" | "usize" | "size_t" | "uint32_t" => "u32",
        "short" | "int16_t" => "i16",
        "int8_t" => "i8",
        "uint16_t" => "u16",
        "uint8_t" | "byte" | "uchar" => "u8",
        "int64_t" => "i64",
        "uint64_t" => "u64",
        "float" => "f32",
        "double" => "f64",
        "_Bool" | "boolean" => "bool",
        _ => return format!("the size is called n; {TYPES}"),
    };
    format!("write {instead}; {TYPES}")
}
