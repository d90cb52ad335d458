//! The parameters of the function as the exported code passes them: pointers, values, numbers made from n.

use slowpath_program::call::{ElemType, Expr, Param, ParamKind};

use super::literal::{c_type, rust_type};
use super::{Calling, Export};

/// What raises to a power in exported code.
pub const POWER: &str = "slowpath_power";

/// One parameter.
#[derive(Clone, Debug)]
pub struct Passed {
    pub kind: Kind,
    pub ty: ElemType,
    /// Lowest and highest, both included.
    pub range: Option<(Expr, Expr)>,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// The input of this number, of this length.
    Array(usize, Expr),
    Scalar(usize),
    /// A number, passed with 64 bits; C converts it to what the function takes.
    Number(Expr),
}

/// All parameters; of a harness, the size.
pub fn params(export: &Export) -> Vec<Passed> {
    let number = |expr| Passed { kind: Kind::Number(expr), ty: ElemType::I64, range: None };
    let spec = match &export.calling {
        Calling::Harness { .. } => return vec![number(Expr::size())],
        Calling::Signature(spec) => spec,
    };
    let mut inputs = 0..;
    let mut passed = |param: &Param| {
        let mut input = || inputs.next().unwrap_or_default();
        let (kind, ty) = match &param.kind {
            ParamKind::Scalar(ty) => (Kind::Scalar(input()), *ty),
            ParamKind::Array(ty, length) => (Kind::Array(input(), length.clone()), *ty),
            ParamKind::Value(expr) => return number(expr.clone()),
        };
        Passed { kind, ty, range: param.range.clone() }
    };
    spec.params.iter().map(&mut passed).collect()
}

impl Passed {
    pub fn c_type(&self) -> String {
        match &self.kind {
            Kind::Array(..) => format!("{} *", c_type(self.ty)),
            _ => c_type(self.ty).to_owned(),
        }
    }

    pub fn rust_type(&self) -> String {
        match &self.kind {
            Kind::Array(..) => format!("*mut {}", rust_type(self.ty)),
            _ => rust_type(self.ty).to_owned(),
        }
    }
}

/// The expression in C over `n`.
pub fn c_expr(expr: &Expr) -> Option<String> {
    expr.source("LL", POWER)
}

/// The expression in Rust over `n`.
pub fn rust_expr(expr: &Expr) -> Option<String> {
    expr.source("i64", POWER)
}

/// `slowpath_power` in C; it is not used by most signatures.
pub const C_POWER: &str = "__attribute__((unused)) static int64_t slowpath_power(int64_t base, int64_t exponent) {
    int64_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}
";

/// `slowpath_power` in Rust.
pub const RUST_POWER: &str = "#[allow(dead_code)]
fn slowpath_power(base: i64, exponent: i64) -> i64 {
    (0..exponent).fold(1i64, |result, _| result.wrapping_mul(base))
}
";
