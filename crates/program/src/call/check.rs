//! A signature checked against the function's own type.

use super::{CallError, CallSpec, Param, ParamKind};
use crate::val_type::ValType;

impl CallSpec {
    /// Whether the function, whose parameters are given, can be called this way.
    pub fn check(&self, params: &[ValType]) -> Result<(), CallError> {
        if params.len() != self.params.len() {
            let takes = describe(params);
            return Err(CallError::WrongArity { function: self.function.clone(), takes, given: self.params.len() });
        }
        for (position, (param, actual)) in self.params.iter().zip(params).enumerate() {
            if !fits(param, *actual) {
                return Err(CallError::WrongType {
                    function: self.function.clone(),
                    position: position + 1,
                    actual: actual.to_string(),
                    given: given(param),
                    remedy: remedy(param, *actual),
                });
            }
        }
        Ok(())
    }
}

/// Whether a function with these parameters can be called as a harness.
pub(super) fn check_harness(function: &str, params: &[ValType]) -> Result<(), CallError> {
    match params {
        [] | [ValType::I32] | [ValType::I64] => Ok(()),
        _ => Err(CallError::NotAHarness { function: function.to_owned(), takes: describe(params) }),
    }
}

fn fits(param: &Param, actual: ValType) -> bool {
    match param.kind {
        ParamKind::Scalar(ty) => ty.val_type() == actual,
        ParamKind::Value(_) | ParamKind::LengthOf(_) => matches!(actual, ValType::I32 | ValType::I64),
        _ => actual == ValType::I32,
    }
}

fn given(param: &Param) -> String {
    match &param.kind {
        ParamKind::Scalar(ty) => format!("{} {ty}", if ty.name().starts_with('i') { "an" } else { "a" }),
        ParamKind::Array(ty, count) => format!("the array {ty}[{count}], which is passed as an i32 pointer"),
        ParamKind::Value(value) => format!("the number {value}"),
        ParamKind::LengthOf(name) => format!("the length of {name}"),
        ParamKind::Text(kind, count) => format!("the text {}[{count}], which is passed as an i32 pointer", kind.name()),
        _ => "a pointer, which is passed as an i32".to_owned(),
    }
}

fn remedy(param: &Param, actual: ValType) -> String {
    match (actual, &param.kind) {
        (ValType::I64, ParamKind::Array(..)) => "write i64 or u64 for an input, or a number".to_owned(),
        (ValType::I64, _) => "write i64 or u64".to_owned(),
        (ValType::I32, _) => {
            "write i32, u32 or a narrower type (C's long has 32 bits here), or TYPE[LENGTH] for a pointer".to_owned()
        }
        (ValType::F32 | ValType::F64, _) => format!("write {actual}"),
        (ValType::V128Low | ValType::V128High, _) => "functions that take vectors cannot be called".to_owned(),
        (ValType::FuncRef | ValType::ExternRef, _) => "functions that take references cannot be called".to_owned(),
    }
}

fn describe(params: &[ValType]) -> String {
    let types: Vec<String> = params.iter().map(ValType::to_string).collect();
    match params.len() {
        0 => "no parameters".to_owned(),
        1 => format!("1 parameter ({})", types[0]),
        many => format!("{many} parameters ({})", types.join(", ")),
    }
}
