//! The `--call` signature: which function is called, with which inputs, as arithmetic over the size n.
//!
//! `isort(a: i32[n], n)` calls `isort` with a pointer to n 32-bit inputs and with n itself. Text becomes a `CallSpec` (`parse`), which is
//! checked against the function's type (`check`) and, for one n and one memory, becomes addresses and arguments (`layout`).

mod check;
mod elem;
mod error;
mod expr;
pub mod fuzz;
mod layout;
mod lex;
mod parse;

use std::fmt;

pub use elem::{ElemType, MOST_ELEMENTS};
pub use error::{CallError, SyntaxError};
pub use expr::Expr;
pub use layout::{Arg, InputSpec, Layout, harness_args};

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
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// One input, passed by value.
    Scalar(ElemType),
    /// So many inputs in memory, passed as a pointer.
    Array(ElemType, Expr),
    /// No input: a number that depends on n alone.
    Value(Expr),
}

impl CallSpec {
    /// Reads a signature such as `f(a: i32[n*n] in 0..=99, n+1, u8)`.
    pub fn parse(text: &str) -> Result<CallSpec, CallError> {
        parse::parse(text)
    }

    /// Whether any parameter lies in memory.
    pub fn has_arrays(&self) -> bool {
        self.params.iter().any(|param| matches!(param.kind, ParamKind::Array(..)))
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
            match &param.kind {
                ParamKind::Scalar(ty) => write!(f, "{ty}")?,
                ParamKind::Array(ty, count) => write!(f, "{ty}[{count}]")?,
                ParamKind::Value(value) => write!(f, "{value}")?,
            }
            if let Some((low, high)) = &param.range {
                write!(f, " in {low}..={high}")?;
            }
        }
        f.write_str(")")
    }
}

/// What an unnamed parameter is called.
fn default_name(position: usize) -> String {
    format!("arg{position}")
}
