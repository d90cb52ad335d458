//! A cargo package of property tests: no input, the worst ones among them, may take longer than it should.

use super::criterion::{build_script, library, manifest, package, small_enough};
use super::literal::rust_type;
use super::params::{Kind, Passed, params, rust_expr};
use super::{Export, ExportError, ExportedFile, target};

/// The package.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let cases = small_enough(&export.cases);
    let Some(last) = cases.last() else {
        export.cases[0].check_length()?;
        return Err(ExportError::NoInput);
    };
    let mut files = target::files(export);
    let dependencies = "[dev-dependencies]\nproptest = \"1\"\n";
    files.push(ExportedFile::text("Cargo.toml", manifest(export, "cargo test --release", dependencies)));
    files.extend(build_script(export).map(|script| ExportedFile::text("build.rs", script)));
    files.push(ExportedFile::text("src/lib.rs", library(export, cases, last)?));
    files.push(ExportedFile::text("tests/worst.rs", tests(export, last.size)?));
    Ok(files)
}

fn tests(export: &Export, largest: i64) -> Result<String, ExportError> {
    let strategy = if export.is_harness() { HARNESS.to_owned() } else { strategy(export)? };
    let (first, uses) = match export.is_harness() {
        true => ("call, random, worst, Input, SIZES", "use proptest::prelude::*;\n"),
        false => ("call, worst, Input, SIZES", "use proptest::collection::vec;\nuse proptest::prelude::*;\n"),
    };
    let largest = largest.max(1).to_string();
    Ok(TESTS
        .replace("@STRATEGY@", &strategy)
        .replace("@LARGEST@", &largest)
        .replace("@NAMES@", first)
        .replace("@PACKAGE@", &package(export))
        .replace("@USES@", uses))
}

/// Inputs of any size up to the largest, by the types and ranges of the signature.
fn strategy(export: &Export) -> Result<String, ExportError> {
    let too_large = || ExportError::TooLarge(export.call.clone());
    let (mut parts, mut names, mut made) = (Vec::new(), Vec::new(), String::new());
    for (position, param) in params(export).iter().enumerate() {
        let element = element(param).ok_or_else(too_large)?;
        let part = match &param.kind {
            Kind::Array(_, length) => {
                format!("vec({element}, ({}).max(0) as usize)", rust_expr(length).ok_or_else(too_large)?)
            }
            Kind::Scalar(_) => element,
            Kind::Number(_) => continue,
        };
        parts.push(format!("            {part},\n"));
        names.push(format!("p{position}"));
        let value = match param.terminated {
            true => format!("p{position}: p{position}.into_iter().chain([0]).collect(), "),
            false => format!("p{position}, "),
        };
        made += &value;
    }
    Ok(format!(
        "/// An input of any size.\n#[allow(unused_parens, unused_variables)]\nfn inputs() -> impl Strategy<Value = (i64, Input)> {{\n    \
         (1..=LARGEST_SIZE).prop_flat_map(|n: i64| {{\n        (\n{}        )\n            \
         .prop_map(move |({},)| (n, Input {{ {made}}}))\n    }})\n}}\n",
        parts.concat(),
        names.join(", ")
    ))
}

fn element(param: &Passed) -> Option<String> {
    let ty = rust_type(param.ty);
    let range = match &param.range {
        Some((low, high)) => Some((rust_expr(low)?, rust_expr(high)?)),
        None => None,
    };
    Some(match (ty, range) {
        ("bool", _) => "any::<bool>()".to_owned(),
        ("f32" | "f64", None) => format!("-1e6{ty}..=1e6{ty}"),
        (_, Some((low, high))) => format!("(({low}) as {ty})..=(({high}) as {ty})"),
        (_, None) => format!("any::<{ty}>()"),
    })
}

const HARNESS: &str = "/// What a harness is given is drawn while it runs.
fn inputs() -> impl Strategy<Value = (i64, Input)> {
    (1..=LARGEST_SIZE, any::<u64>()).prop_map(|(n, mut seed)| (n, random(n, &mut seed)))
}
";

const TESTS: &str =
    "//! No input may take too long. The worst ones that slowpath found are tried first; proptest looks for others.

@USES@use std::time::{Duration, Instant};
use @PACKAGE@::{@NAMES@};

/// The longest that a call may take; change it to what you promise.
const MOST: Duration = Duration::from_secs(1);
const LARGEST_SIZE: i64 = @LARGEST@;

@STRATEGY@
fn took(n: i64, mut input: Input) -> Duration {
    let begun = Instant::now();
    call(n, &mut input);
    begun.elapsed()
}

#[test]
fn the_worst_inputs_end_in_time() {
    for n in SIZES.iter().copied() {
        let Some(input) = worst(n) else { continue };
        let took = took(n, input);
        assert!(took <= MOST, \"the worst input of size {n} took {took:?}\");
    }
}

proptest! {
    #[test]
    fn any_input_ends_in_time((n, input) in inputs()) {
        let took = took(n, input);
        prop_assert!(took <= MOST, \"an input of size {n} took {took:?}\");
    }
}
";
