//! A fuzz target that begins with the worst inputs: for libFuzzer in C, for cargo-fuzz where the program is Rust.

use super::literal::{bytes, rust_type};
use super::params::{Kind, RUST_POWER, params, rust_expr};
use super::words::comment;
use super::{Case, Export, ExportError, ExportedFile, build, corpus, dictionary, target};

/// The target, its corpus and its dictionary.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let mut files = if build::is_rust(export) { cargo_fuzz(export)? } else { corpus::files(export) };
    files.push(ExportedFile::text(dictionary::name(export), dictionary::text(export)));
    Ok(files)
}

/// A project of cargo-fuzz, beside the package that knows the function.
fn cargo_fuzz(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let (target, stem) = (target::name(export), export.stem());
    let name = format!("fuzz_{}", stem.to_lowercase());
    let mut files = target::files(export);
    let file = |case: &Case| ExportedFile {
        path: format!("fuzz/corpus/{name}/{stem}_{}", case.size),
        bytes: case.input.0.iter().flat_map(bytes).collect(),
    };
    files.extend(export.cases.iter().map(file));
    let manifest = format!(
        "# The worst inputs that slowpath found, as a corpus: cargo +nightly fuzz run {name}\n[package]\nname = \"{target}-fuzz\"\n\
         version = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\n[package.metadata]\ncargo-fuzz = true\n\n[dependencies]\n\
         libfuzzer-sys = \"0.4\"\n{target} = {{ path = \"../{target}\" }}\n\n[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n\
         test = false\ndoc = false\nbench = false\n\n[workspace]\n"
    );
    files.push(ExportedFile::text("fuzz/Cargo.toml", manifest));
    files.push(ExportedFile::text(format!("fuzz/fuzz_targets/{name}.rs"), rust_target(export)?));
    let about = comment(&export.call).replace('`', "'");
    let readme = format!(
        "# Worst inputs of {about}\n\nFound by slowpath, for cargo-fuzz. `fuzz/corpus/{name}/{stem}_N` is the worst input of size N.\n\n\
         ```sh\ncargo +nightly fuzz run {name} -- -dict={} -timeout=10 -report_slow_units=1\n```\n\n\
         `-report_slow_units` is the number of seconds from which an input is kept as slow.\n",
        dictionary::name(export)
    );
    files.push(ExportedFile::text("README.md", readme));
    Ok(files)
}

fn rust_target(export: &Export) -> Result<String, ExportError> {
    let too_large = || ExportError::TooLarge(export.call.clone());
    let (mut needed, mut taken, mut passed) = (String::new(), String::new(), Vec::new());
    for (position, param) in params(export).iter().enumerate() {
        let ty = rust_type(param.ty);
        let count = match &param.kind {
            Kind::Array(_, length) => rust_expr(length).ok_or_else(too_large)?,
            Kind::Scalar(_) => "1i64".to_owned(),
            Kind::Number(expr) => {
                passed.push(rust_expr(expr).ok_or_else(too_large)?);
                continue;
            }
        };
        let width = param.ty.bytes();
        let element = match ty {
            "bool" => "bytes[0] & 1 == 1".to_owned(),
            _ => format!("{ty}::from_le_bytes(bytes.try_into().unwrap())"),
        };
        // Text of Rust is ASCII here; other bytes would be no str at all.
        let keeps = match &param.range {
            Some((low, high)) if !param.ty.is_float() && ty != "bool" => {
                let (low, high) = (rust_expr(low).ok_or_else(too_large)?, rust_expr(high).ok_or_else(too_large)?);
                format!(
                    "    if p{position}.iter().any(|x| (*x as i64) < ({low}) || (*x as i64) > ({high})) {{\n        return;\n    }}\n"
                )
            }
            _ => String::new(),
        };
        needed += &format!(" + ({count}) * {width}");
        taken += &format!(
            "    let count = (({count}) * {width}).max(0) as usize;\n    \
             let mut p{position}: Vec<{ty}> = data[..count].chunks_exact({width}).map(|bytes| {element}).collect();\n    \
             let data = &data[count..];\n{keeps}"
        );
        passed.push(match (&param.kind, param.terminated) {
            (Kind::Array(..), true) => {
                taken += &format!("    p{position}.push(0);\n");
                format!("p{position}.as_mut_ptr()")
            }
            (Kind::Array(..), false) => format!("p{position}.as_mut_ptr()"),
            _ => format!("p{position}[0]"),
        });
    }
    let about = comment(&format!("Reads a file of the corpus as the inputs of {}.", export.call));
    Ok(format!(
        "//! {about}\n#![no_main]\n#![allow(unused)]\nuse libfuzzer_sys::fuzz_target;\n\n{}\n\
         /// The size whose inputs have this many bytes.\nfn size_of(bytes: i64) -> Option<i64> {{\n    \
         (1..=16 * bytes + 16).find(|&n| 0i64{needed} == bytes)\n}}\n\n\
         fn run(data: &[u8]) {{\n    let Some(n) = size_of(data.len() as i64) else {{ return }};\n{taken}    \
         // SAFETY: the arrays have the lengths that the signature says.\n    unsafe {{ {}({}) }};\n}}\n\n\
         fuzz_target!(|data: &[u8]| run(data));\n\n{RUST_POWER}",
        super::rust::externs(export),
        target::symbol(export),
        passed.join(", "),
    ))
}
