//! The `--call` signature: which function is called, with which inputs, as arithmetic over the size n.
//!
//! `isort(a: i32[n], n)` calls `isort` with a pointer to n 32-bit inputs and with n itself. Text becomes a `CallSpec` (`parse`), which is
//! checked against the function's type (`check`) and, for one n and one memory, becomes addresses and arguments (`layout`).

mod check;
mod data;
mod dictionary;
mod elem;
mod error;
mod expr;
pub mod fuzz;
mod layout;
mod lex;
mod link;
mod parse;
mod place;
mod reserved;
pub mod utf8;

use std::fmt;

pub use data::{Among, FixedData, FunctionRef, Member, StructSpec, TextKind};
pub use dictionary::{Dictionary, DictionaryError, words_of_afl, words_of_lines};
pub use elem::{ElemType, MOST_ELEMENTS};
pub use error::{CallError, SyntaxError};
pub use expr::Expr;
pub use layout::{Arg, FixedBytes, InputSpec, Layout, LengthPlace, harness_args};
pub use link::Link;
pub use parse::bare_name;

/// What is run: a function with inputs we make, or a harness that makes its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    Call(CallSpec),
    /// Called with n as its only argument (i32 or i64), or with none.
    Harness {
        name: String,
    },
}

impl Entry {
    /// The function to call.
    pub fn function(&self) -> &str {
        match self {
            Entry::Call(spec) => &spec.function,
            Entry::Harness { name } => name,
        }
    }
}

/// A parsed signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSpec {
    pub function: String,
    pub params: Vec<Param>,
}

/// One argument of the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// As given, else `argK`, where K counts all parameters from 0.
    pub name: String,
    pub kind: ParamKind,
    /// Lowest and highest value of each element, both included.
    pub range: Option<(Expr, Expr)>,
    /// The values that each element is one of.
    pub among: Option<Among>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// One input, passed by value.
    Scalar(ElemType),
    /// So many inputs in memory, passed as a pointer.
    Array(ElemType, Expr),
    /// No input: a number that depends on n alone.
    Value(Expr),
    /// So many characters in memory, each an input, passed as a pointer.
    Text(TextKind, Expr),
    /// So many words of a dictionary in memory, one behind the other and then a NUL; the number of each is an input. Passed as a pointer.
    Tokens(Dictionary, Expr),
    /// No input of its own: how many bytes the tokens of this name come to; of a member, those of another member of its struct.
    LengthOf(String),
    /// No input of its own: a pointer to behind the last element of the input of this name.
    EndOf(String),
    /// No input: zeroed memory for so many elements, which the function writes to.
    Out(ElemType, Expr),
    /// No input: memory whose contents are given.
    Fixed(FixedData),
    /// A pointer to nothing.
    Null,
    /// A pointer to a function.
    Function(FunctionRef),
    /// A struct in memory, or so many of them, passed as a pointer.
    Struct(StructSpec, Option<Expr>),
    /// Of a member: a pointer to the struct beside this one in its array, which makes the array a list.
    Link(Link),
}

impl CallSpec {
    /// Reads a signature such as `f(a: i32[n*n] in 0..=99, n+1, u8)` that names no files.
    pub fn parse(text: &str) -> Result<CallSpec, CallError> {
        parse::parse(text, &|_| Err("files cannot be read here".to_owned()))
    }

    /// Reads a signature; `files` gives the contents of the files that it names, or says why not.
    pub fn parse_with(text: &str, files: &dyn Fn(&str) -> Result<Vec<u8>, String>) -> Result<CallSpec, CallError> {
        parse::parse(text, files)
    }

    /// As text; where that would be long, without the members of structs that have a name. They are made by their types all the same, as they are
    /// where the call was guessed.
    pub fn brief(&self) -> String {
        /// Longer calls are hard to read, and to copy.
        const LONG: usize = 160;
        let text = self.to_string();
        if text.chars().count() <= LONG {
            return text;
        }
        let mut brief = self.clone();
        for param in &mut brief.params {
            if let ParamKind::Struct(spec, _) = &mut param.kind
                && !spec.name.is_empty()
            {
                *spec = StructSpec { name: std::mem::take(&mut spec.name), ..StructSpec::default() };
            }
        }
        brief.to_string()
    }

    /// The functions whose addresses are passed.
    pub fn functions(&self) -> Vec<&str> {
        fn named<'p>(param: &'p Param, found: &mut Vec<&'p str>) {
            match &param.kind {
                ParamKind::Function(function) => found.push(&function.name),
                ParamKind::Struct(spec, _) => spec.members.iter().for_each(|member| named(&member.param, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.params.iter().for_each(|param| named(param, &mut found));
        found
    }

    /// The members of all structs, those inside of others too.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        fn collect<'p>(param: &'p Param, found: &mut Vec<&'p Member>) {
            if let ParamKind::Struct(spec, _) = &param.kind {
                for member in &spec.members {
                    found.push(member);
                    collect(&member.param, found);
                }
            }
        }
        let mut found = Vec::new();
        self.params.iter().for_each(|param| collect(param, &mut found));
        found.into_iter()
    }

    /// The names of all structs, those inside of others too.
    pub fn structs(&self) -> Vec<&str> {
        let inner = self.members().map(|member| &member.param);
        let mut names = Vec::new();
        for param in self.params.iter().chain(inner) {
            if let ParamKind::Struct(spec, _) = &param.kind
                && !spec.name.is_empty()
            {
                names.push(spec.name.as_str());
            }
        }
        names
    }

    /// The inputs that are text by their type, or bytes that may be; of each the name and whether it is text for sure.
    pub fn texts(&self) -> Vec<(String, bool)> {
        fn collect(param: &Param, name: String, found: &mut Vec<(String, bool)>) {
            match &param.kind {
                ParamKind::Text(..) => found.push((name, true)),
                ParamKind::Array(ElemType::Char | ElemType::U8, _) => found.push((name, false)),
                ParamKind::Struct(spec, _) => {
                    for member in &spec.members {
                        collect(&member.param, format!("{name}.{}", member.param.name), found);
                    }
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.params.iter().for_each(|param| collect(param, param.name.clone(), &mut found));
        found
    }

    /// The inputs whose elements are numbers of words, with the words.
    pub fn dictionaries(&self) -> Vec<(String, Dictionary)> {
        fn collect(param: &Param, name: String, found: &mut Vec<(String, Dictionary)>) {
            match &param.kind {
                ParamKind::Tokens(words, _) => found.push((name, words.clone())),
                ParamKind::Struct(spec, _) => {
                    for member in &spec.members {
                        collect(&member.param, format!("{name}.{}", member.param.name), found);
                    }
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.params.iter().for_each(|param| collect(param, param.name.clone(), &mut found));
        found
    }

    /// Whether any parameter lies in memory.
    pub fn has_arrays(&self) -> bool {
        self.params.iter().any(|param| param.kind.is_memory())
    }
}

impl ParamKind {
    /// Whether it lies in memory, so that its address is passed.
    pub fn is_memory(&self) -> bool {
        use ParamKind::{Function, LengthOf, Link, Null, Scalar, Value};
        !matches!(self, Scalar(_) | Value(_) | LengthOf(_) | Null | Function(_) | Link(_))
    }
}

impl Param {
    /// A parameter of any value.
    pub fn new(name: impl Into<String>, kind: ParamKind) -> Param {
        Param { name: name.into(), kind, range: None, among: None }
    }

    /// Writes it without its name.
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ParamKind::Scalar(ty) => write!(f, "{ty}")?,
            ParamKind::Array(ty, count) => write!(f, "{ty}[{count}]")?,
            ParamKind::Value(value) => write!(f, "{value}")?,
            ParamKind::Text(kind, count) => write!(f, "{}[{count}]", kind.name())?,
            ParamKind::Tokens(words, count) => write!(f, "tokens[{count}] of {words}")?,
            ParamKind::LengthOf(name) => write!(f, "len({name})")?,
            ParamKind::EndOf(name) => write!(f, "end({name})")?,
            ParamKind::Out(ty, count) => write!(f, "out {ty}[{count}]")?,
            ParamKind::Fixed(data) => write!(f, "{data}")?,
            ParamKind::Null => f.write_str("null")?,
            ParamKind::Function(function) => write!(f, "&{}", function.name)?,
            ParamKind::Link(link) => f.write_str(link.name())?,
            ParamKind::Struct(spec, None) => write!(f, "{spec}")?,
            ParamKind::Struct(spec, Some(count)) => write!(f, "{spec}[{count}]")?,
        }
        if let Some((low, high)) = &self.range {
            write!(f, " in {low}..={high}")?;
        }
        self.among.as_ref().map_or(Ok(()), |among| write!(f, " in {}", data::show_among(among)))
    }
}

impl fmt::Display for CallSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if parse::is_plain_function_name(&self.function) {
            f.write_str(&self.function)?;
        } else {
            f.write_str(&parse::quoted(&self.function))?;
        }
        f.write_str("(")?;
        for (position, param) in self.params.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            if param.name != default_name(position) {
                write!(f, "{}: ", param.name)?;
            }
            param.show(f)?;
        }
        f.write_str(")")
    }
}

/// What an unnamed parameter is called.
fn default_name(position: usize) -> String {
    format!("arg{position}")
}
