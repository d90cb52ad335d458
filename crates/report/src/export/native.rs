//! The program that times worst and random inputs on the host.

use super::c::law_function;
use super::literal::c_type;
use super::params::{C_POWER, Kind, c_expr, params};
use super::words::c_string;
use super::{Export, ExportError, ExportedFile, target};

/// The file with `main`.
pub const DRIVER: &str = "slowpath_driver.c";

const COMMON: &str = include_str!("driver_common.c");
const CALL: &str = include_str!("driver_call.c");
const HARNESS: &str = include_str!("driver_harness.c");

/// All files of the timing program, the one with `main` first.
///
/// It is run as `driver RESULT MODE N [INPUT|SEED]`, where MODE is `worst` (the file INPUT has the bytes of all inputs),
/// `random` or `law`, and writes `NANOSECONDS SAMPLES` to RESULT.
pub fn driver(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    export.check_callable()?;
    let Some(case) = export.cases.last() else { return Err(ExportError::NoInput) };
    let mut text = format!("{COMMON}\n{}\n{C_POWER}", target::prototype(export));
    let names: Vec<String> = (0..case.input.0.len()).map(|k| format!("input{k}")).collect();
    let laws = export.laws();
    for (law, name) in laws.iter().flatten().zip(&names) {
        text += &law_function(law, name);
    }
    text += &if export.is_harness() { harness(export, laws.is_some()) } else { call(export, laws.is_some())? };
    let files = [ExportedFile::text(DRIVER, text)].into_iter().chain(target::files(export));
    Ok(files.collect())
}

fn harness(export: &Export, has_laws: bool) -> String {
    let case = export.cases.last();
    let mut by_law = String::new();
    for (k, input) in case.iter().flat_map(|case| &case.input.0).enumerate() {
        let name = c_string(&input.name);
        by_law += &format!("    slowpath_replay_law({name}, law_of_input{k}, n);\n");
    }
    if !has_laws {
        by_law = "    fail(\"there is no input law\");\n".to_owned();
    }
    HARNESS.replace("BY_LAW;", &by_law).replace("TARGET", &target::symbol(export))
}

fn call(export: &Export, has_laws: bool) -> Result<String, ExportError> {
    let too_large = || ExportError::TooLarge(export.call.clone());
    let (mut set_up, mut passed) = (String::new(), Vec::new());
    for param in params(export) {
        let ty = c_type(param.ty);
        let (input, count) = match &param.kind {
            Kind::Array(input, length) => (*input, c_expr(length).ok_or_else(too_large)?),
            Kind::Scalar(input) => (*input, "1".to_owned()),
            Kind::Number(expr) => {
                passed.push(c_expr(expr).ok_or_else(too_large)?);
                continue;
            }
        };
        let (low, high) = match &param.range {
            Some((low, high)) => (c_expr(low).ok_or_else(too_large)?, c_expr(high).ok_or_else(too_large)?),
            None if param.ty.is_float() => ("-1000000".to_owned(), "1000000".to_owned()),
            None => bounds(param.ty),
        };
        let (kind, law) = (
            if param.ty.is_float() { "FLOAT" } else { "WHOLE" },
            if has_laws { format!("law_of_input{input}") } else { "0".to_owned() },
        );
        set_up += &format!("    add_input({count}, sizeof({ty}), {kind}, (int64_t){low}, (int64_t){high}, {law});\n");
        passed.push(match &param.kind {
            Kind::Array(..) => format!("({ty} *)at(copy, {input})"),
            _ => format!("*({ty} *)at(copy, {input})"),
        });
    }
    let calling = format!("    {}({});\n", target::symbol(export), passed.join(", "));
    Ok(CALL.replace("SET_UP;", &set_up).replace("CALL;", &calling))
}

/// The least and the greatest value as the bits of 64-bit numbers; of u64 they are read unsigned.
fn bounds(ty: slowpath_program::call::ElemType) -> (String, String) {
    let (least, greatest) = ty.bounds();
    let text = |value: i128| match i64::try_from(value) {
        Ok(i64::MIN) => "INT64_MIN".to_owned(),
        Ok(value) => format!("{value}LL"),
        Err(_) => "UINT64_MAX".to_owned(),
    };
    (text(least), text(greatest))
}
