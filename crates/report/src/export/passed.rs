//! What one parameter of exported code is, in C and in Rust.

use slowpath_program::call::{ElemType, Expr, Param, ParamKind, TextKind};

use super::literal::{c_type, rust_type};

/// The lowest and the highest value, both included.
pub type Range = (Expr, Expr);

/// One parameter.
#[derive(Clone, Debug)]
pub struct Passed {
    pub kind: Kind,
    pub ty: ElemType,
    /// Lowest and highest, both included.
    pub range: Option<Range>,
    /// Whether a NUL follows the last element.
    pub terminated: bool,
    /// Its place among all arguments of the function.
    pub position: usize,
}

/// What a parameter carries.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The input of this number, of this length.
    Array(usize, Expr),
    Scalar(usize),
    /// A number, passed with 64 bits; C converts it to what the function takes.
    Number(Expr),
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

/// The type of an input that is passed as it is, its range, and whether a NUL follows it; None for what is no such input.
pub fn leaf(param: &Param) -> Option<(ElemType, Option<Range>, bool)> {
    let mut range = param.range.clone().or_else(|| {
        let among = param.among.as_ref()?;
        let bound = |value: &i64| u64::try_from(*value).ok().map(Expr::int);
        Some((bound(among.first()?)?, bound(among.last()?)?))
    });
    let ty = match &param.kind {
        ParamKind::Scalar(ty) | ParamKind::Array(ty, _) => *ty,
        ParamKind::Text(text, _) => {
            let bound = |value: i128| Expr::int(u64::try_from(value).unwrap_or_default());
            range.get_or_insert_with(|| (bound(text.bounds().0), bound(text.bounds().1)));
            ElemType::U8
        }
        // Tokens became text before, or are refused with structs.
        ParamKind::Tokens(words, _) => words.index_type(),
        _ => return None,
    };
    Some((ty, range, matches!(param.kind, ParamKind::Text(TextKind::CStr, _))))
}
