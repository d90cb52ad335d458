//! The parameters of the function as the exported code passes them: pointers, values, numbers made from n.

use slowpath_program::call::{ElemType, Expr, Param, ParamKind, TextKind};

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
    /// Whether a NUL follows the last element.
    pub terminated: bool,
    /// Its place among all arguments of the function.
    pub position: usize,
}

/// What the file that knows the function gives it besides the parameters.
#[derive(Clone, Debug)]
pub enum Given {
    /// Memory to write to, for as many elements of a type as the parameter at its place says.
    Out(ElemType),
    /// Constants of a type.
    Data(ElemType, Vec<i64>),
    /// An expression of C.
    Text(String),
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
    let number = |position, expr| Passed {
        kind: Kind::Number(expr),
        ty: ElemType::I64,
        range: None,
        terminated: false,
        position,
    };
    let spec = match &export.calling {
        Calling::Harness { .. } => return vec![number(0, Expr::size())],
        Calling::Signature(spec) => spec,
    };
    let mut inputs = 0..;
    let mut passed = |(position, param): (usize, &Param)| {
        let mut input = || inputs.next().unwrap_or_default();
        let mut range = param.range.clone().or_else(|| {
            let among = param.among.as_ref()?;
            let bound = |value: &i64| u64::try_from(*value).ok().map(Expr::int);
            Some((bound(among.first()?)?, bound(among.last()?)?))
        });
        let (kind, ty) = match &param.kind {
            ParamKind::Scalar(ty) => (Kind::Scalar(input()), *ty),
            ParamKind::Array(ty, length) => (Kind::Array(input(), length.clone()), *ty),
            ParamKind::Text(text, length) => {
                let bound = |value: i128| Expr::int(u64::try_from(value).unwrap_or_default());
                range.get_or_insert_with(|| (bound(text.bounds().0), bound(text.bounds().1)));
                (Kind::Array(input(), length.clone()), ElemType::U8)
            }
            ParamKind::Value(expr) | ParamKind::Out(_, expr) => return Some(number(position, expr.clone())),
            // Tokens became text before, or are refused with structs.
            ParamKind::Tokens(words, length) => (Kind::Array(input(), length.clone()), words.index_type()),
            ParamKind::Fixed(_)
            | ParamKind::Null
            | ParamKind::Function(_)
            | ParamKind::LengthOf(_)
            | ParamKind::Struct(..) => return None,
        };
        let terminated = matches!(param.kind, ParamKind::Text(TextKind::CStr, _));
        Some(Passed { kind, ty, range, terminated, position })
    };
    spec.params.iter().enumerate().filter_map(&mut passed).collect()
}

/// For each argument of the function that is no parameter, or not as it is, what is passed.
pub fn given(export: &Export) -> Vec<(usize, Given)> {
    let Calling::Signature(spec) = &export.calling else { return Vec::new() };
    let given = |(position, param): (usize, &Param)| {
        let given = match &param.kind {
            ParamKind::Out(ty, _) => Given::Out(*ty),
            ParamKind::Null => Given::Text("0".to_owned()),
            ParamKind::Function(function) => Given::Text(function.name.clone()),
            ParamKind::Fixed(data) => {
                let end = data.is_text.then_some(0);
                Given::Data(data.elem(), data.values.iter().copied().chain(end).collect())
            }
            _ => return None,
        };
        Some((position, given))
    };
    spec.params.iter().enumerate().filter_map(given).collect()
}

/// The inputs that a NUL follows.
pub fn terminated(export: &Export) -> Vec<usize> {
    let of = |passed: &Passed| match passed.kind {
        Kind::Array(input, _) if passed.terminated => Some(input),
        _ => None,
    };
    params(export).iter().filter_map(of).collect()
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
