//! The parameters of the function as the exported code passes them: pointers, values, numbers made from n.

use slowpath_program::call::{CallSpec, ElemType, Expr, Param, ParamKind};

use super::literal::c_type;
use super::passed::leaf;
pub use super::passed::{Kind, Passed};
use super::structs::{self, Made};
use super::{Calling, Export};

/// What raises to a power in exported code.
pub const POWER: &str = "slowpath_power";

/// What the file that knows the function gives it besides the parameters.
#[derive(Clone, Debug)]
pub enum Given {
    /// Memory to write to, for as many elements of a type as the parameter at its place says.
    Out(ElemType),
    /// Constants of a type.
    Data(ElemType, Vec<i64>),
    /// An expression of C.
    Text(String),
    /// The end of the argument at this place, behind so many elements of a type as the parameter at its own place says.
    End(usize, ElemType),
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
    let mut numbers = 0..;
    let mut input = || numbers.next().unwrap_or_default();
    let mut all: Vec<Passed> = Vec::new();
    for (position, param) in spec.params.iter().enumerate() {
        match &param.kind {
            ParamKind::Value(expr) | ParamKind::Out(_, expr) => all.push(number(position, expr.clone())),
            ParamKind::EndOf(name) => {
                let Some((_, _, length)) = elements(spec, name) else { continue };
                all.push(number(position, length.clone()));
            }
            ParamKind::Struct(spec, count) => {
                let made = structs::made(export, (spec, count.as_ref()), position, all.len(), &mut input);
                all.extend(made.unwrap_or_default().passed);
            }
            _ => {
                let Some((ty, range, terminated)) = leaf(param) else { continue };
                let kind = match &param.kind {
                    ParamKind::Array(_, length) | ParamKind::Text(_, length) | ParamKind::Tokens(_, length) => {
                        Kind::Array(input(), length.clone())
                    }
                    _ => Kind::Scalar(input()),
                };
                all.push(Passed { kind, ty, range, terminated, position });
            }
        }
    }
    all
}

/// The arguments that are structs, by their place.
pub fn structs(export: &Export) -> Vec<(usize, Option<Made>)> {
    let Calling::Signature(spec) = &export.calling else { return Vec::new() };
    let all = params(export);
    let mut made = Vec::new();
    for (position, param) in spec.params.iter().enumerate() {
        let ParamKind::Struct(spec, count) = &param.kind else { continue };
        let first = all.iter().take_while(|passed| passed.position < position).count();
        made.push((position, structs::made(export, (spec, count.as_ref()), position, first, &mut || 0)));
    }
    made
}

/// For each argument of the function that is no parameter, or not as it is, what is passed.
pub fn given(export: &Export) -> Vec<(usize, Given)> {
    let Calling::Signature(spec) = &export.calling else { return Vec::new() };
    let given = |(position, param): (usize, &Param)| {
        let given = match &param.kind {
            ParamKind::Out(ty, _) => Given::Out(*ty),
            ParamKind::EndOf(name) => {
                let (of, ty, _) = elements(spec, name)?;
                Given::End(of, ty)
            }
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

/// The argument of this name that has elements: its place, their type and how many there are.
fn elements<'a>(spec: &'a CallSpec, name: &str) -> Option<(usize, ElemType, &'a Expr)> {
    let of = spec.params.iter().position(|param| param.name == name)?;
    match &spec.params[of].kind {
        ParamKind::Array(ty, length) | ParamKind::Out(ty, length) => Some((of, *ty, length)),
        ParamKind::Text(_, length) => Some((of, ElemType::U8, length)),
        _ => None,
    }
}

/// Whether the argument of this name has elements that exported code has too.
pub fn has_elements(spec: &CallSpec, name: &str) -> bool {
    elements(spec, name).is_some()
}

/// The end of an argument as C has it: so many elements behind where it begins.
pub fn end_of(export: &Export, of: usize, ty: ElemType, count: &str) -> String {
    let begin =
        params(export).iter().position(|passed| passed.position == of && matches!(passed.kind, Kind::Array(..)));
    let begin = begin.map_or_else(|| format!("out{of}"), |number| format!("p{number}"));
    export.as_any_pointer(&format!("((char *){begin} + {count} * (int64_t)sizeof({}))", c_type(ty)))
}

/// The inputs that a NUL follows.
pub fn terminated(export: &Export) -> Vec<usize> {
    let of = |passed: &Passed| match passed.kind {
        Kind::Array(input, _) if passed.terminated => Some(input),
        _ => None,
    };
    params(export).iter().filter_map(of).collect()
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
