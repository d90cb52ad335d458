//! A test in Python for Hypothesis, which calls the compiled function: no input, the worst one among them, may take too long.

use slowpath_program::call::ElemType;
use slowpath_program::input::NamedInput;

use super::header::{about, laws};
use super::literal::has_nan;
use super::params::{Kind, Passed, params};
use super::{Case, Export, ExportError, ExportedFile, build, target};

/// Elements on one line.
const PER_LINE: usize = 16;

/// The test, and what knows the function.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let Some(case) = export.cases.iter().rev().find(|case| case.check_length().is_ok()) else {
        export.cases[0].check_length()?;
        return Err(ExportError::NoInput);
    };
    let mut files = target::files(export);
    let name = format!("test_worst_{}.py", export.stem());
    files.push(ExportedFile::text(name.clone(), test(export, case, &name)?));
    Ok(files)
}

fn test(export: &Export, case: &Case, name: &str) -> Result<String, ExportError> {
    let (commands, library) = build::shared_library(export);
    let mut lines = about(export, case);
    lines.extend(laws(export));
    lines.push(String::new());
    lines.extend(commands.iter().map(|line| format!("    {line}")));
    lines.push(format!("    python3 -m pytest {name}"));
    let comment: String = lines.iter().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    let (call, strategies, worst) = match export.is_harness() {
        true => harness(export, case),
        false => signature(export, case)?,
    };
    // The words of others come last: nothing in them is replaced.
    Ok(TEST
        .replace("@LIBRARY@", &library)
        .replace("@CALL@", &call)
        .replace("@STRATEGY@", &strategies)
        .replace("@WORST@", &worst)
        .replace("@FUNCTION@", &export.stem())
        .replace("@LARGEST@", &case.size.max(1).to_string())
        .replace("@ABOUT@", comment.trim_end()))
}

/// The function that calls, the strategy of inputs, and the worst one.
fn signature(export: &Export, case: &Case) -> Result<(String, String, String), ExportError> {
    let too_large = || ExportError::TooLarge(export.call.clone());
    let params = params(export);
    let (mut body, mut passed, mut drawn, mut worst) = (String::new(), Vec::new(), String::new(), String::new());
    for (position, param) in params.iter().enumerate() {
        let ty = ctype(param.ty);
        let element = element(param).ok_or_else(too_large)?;
        match &param.kind {
            Kind::Array(input, length) => {
                let length = python(length.source("", "pow").ok_or_else(too_large)?);
                let end = if param.terminated { " + [0]" } else { "" };
                body += &format!(
                    "    p{position} = given[\"p{position}\"]{end}\n    p{position} = ({ty} * max(1, len(p{position})))(*p{position})\n"
                );
                drawn += &format!("        \"p{position}\": draw(elements({element}, {length})),\n");
                worst += &format!("    \"p{position}\": [{}],\n", values(&case.input.0[*input]));
                passed.push(format!("p{position}"));
            }
            Kind::Scalar(input) => {
                drawn += &format!("        \"p{position}\": draw({element}),\n");
                worst += &format!("    \"p{position}\": {},\n", values(&case.input.0[*input]).trim_end_matches(','));
                passed.push(format!("{ty}(given[\"p{position}\"])"));
            }
            Kind::Number(expr) => {
                passed.push(format!("c_int64({})", python(expr.source("", "pow").ok_or_else(too_large)?)));
            }
        }
    }
    let call = format!(
        "def call(given):\n    n = given[\"n\"]\n{body}    library.{}({})",
        target::symbol(export),
        passed.join(", ")
    );
    let strategy = format!("    n = draw(st.integers(1, @LARGEST@))\n    return {{\n        \"n\": n,\n{drawn}    }}");
    Ok((call, strategy, format!("{{\n    \"n\": {},\n{worst}}}", case.size)))
}

/// A harness is given bytes by name, or draws of a seed.
fn harness(export: &Export, case: &Case) -> (String, String, String) {
    let mut worst = String::new();
    for input in &case.input.0 {
        let name: String = input.name.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
        let bytes = super::literal::bytes(input);
        let bytes: Vec<String> = bytes.iter().map(ToString::to_string).collect();
        worst += &format!("        (b\"{name}\", bytes([{}])),\n", bytes.join(", "));
    }
    let call = HARNESS_CALL.replace("SYMBOL", &target::symbol(export));
    let strategy =
        "    return {\"n\": draw(st.integers(1, @LARGEST@)), \"seed\": draw(st.integers(0, 2**64 - 1)), \"given\": []}";
    (
        call,
        strategy.to_owned(),
        format!("{{\n    \"n\": {},\n    \"seed\": None,\n    \"given\": [\n{worst}    ],\n}}", case.size),
    )
}

const HARNESS_CALL: &str = "def call(given):
    library.slowpath_replay_clear()
    for name, data in given[\"given\"]:
        library.slowpath_replay_input(c_char_p(name), c_char_p(data), c_ulong(len(data)))
    if given[\"seed\"] is not None:
        library.slowpath_replay_random(c_uint64(given[\"seed\"]))
    library.slowpath_replay_run(library.SYMBOL, c_int64(given[\"n\"]))";

/// An expression of a signature, whose divisions are of whole numbers.
fn python(expression: String) -> String {
    expression.replace('/', "//")
}

fn ctype(ty: ElemType) -> &'static str {
    match ty {
        ElemType::I8 | ElemType::Char => "c_int8",
        ElemType::U8 => "c_uint8",
        ElemType::I16 => "c_int16",
        ElemType::U16 => "c_uint16",
        ElemType::I32 => "c_int32",
        ElemType::U32 => "c_uint32",
        ElemType::I64 => "c_int64",
        ElemType::U64 => "c_uint64",
        ElemType::F32 => "c_float",
        ElemType::F64 => "c_double",
        ElemType::Bool => "c_bool",
    }
}

fn element(param: &Passed) -> Option<String> {
    let range = match &param.range {
        Some((low, high)) => Some((python(low.source("", "pow")?), python(high.source("", "pow")?))),
        None => None,
    };
    let (least, greatest) = param.ty.bounds();
    Some(match (param.ty, range) {
        (ElemType::Bool, _) => "st.booleans()".to_owned(),
        (ty, None) if ty.is_float() => "st.floats(-1e6, 1e6, width=32)".to_owned(),
        (ty, Some((low, high))) if ty.is_float() => format!("st.floats({low}, {high})"),
        (_, Some((low, high))) => format!("st.integers({low}, {high})"),
        (_, None) => format!("st.integers({least}, {greatest})"),
    })
}

/// The elements, a few to a line; what Python's numbers do not have is read from its bits.
fn values(input: &NamedInput) -> String {
    let one = |bits: &u64| match input.ty {
        ElemType::F32 if has_nan(input) || !f32::from_bits(*bits as u32).is_finite() => {
            format!("struct.unpack(\"<f\", bytes.fromhex(\"{:08x}\"))[0]", (*bits as u32).swap_bytes())
        }
        ElemType::F64 if has_nan(input) || !f64::from_bits(*bits).is_finite() => {
            format!("struct.unpack(\"<d\", bytes.fromhex(\"{:016x}\"))[0]", bits.swap_bytes())
        }
        ElemType::F32 => format!("{:?}", f32::from_bits(*bits as u32)),
        ElemType::F64 => format!("{:?}", f64::from_bits(*bits)),
        ElemType::Bool => if bits & 1 == 1 { "True" } else { "False" }.to_owned(),
        ty => ty.integer(*bits).to_string(),
    };
    let all: Vec<String> = input.bits.iter().map(one).collect();
    all.chunks(PER_LINE).map(|line| line.join(", ")).collect::<Vec<_>>().join(",\n        ")
}

const TEST: &str = "@ABOUT@
import struct
from ctypes import *
from datetime import timedelta
from pathlib import Path

from hypothesis import example, given, settings, strategies as st

library = CDLL(str(Path(__file__).resolve().parent / \"@LIBRARY@\"))

# The longest that a call may take; change it to what you promise.
MOST = timedelta(seconds=1)

worst = @WORST@


@CALL@


def elements(strategy, count):
    return st.lists(strategy, min_size=max(0, count), max_size=max(0, count))


@st.composite
def inputs(draw):
@STRATEGY@


@settings(deadline=MOST)
@example(worst)
@given(inputs())
def test_@FUNCTION@_ends_in_time(input):
    call(input)
";
