//! A Rust test: the worst input as statics, and a test that calls the function with it.

use slowpath_program::input::NamedInput;

use super::c::input_names;
use super::header::{about, laws, rust_comment};
use super::literal::{lines, rust_literal, rust_type};
use super::params::{Kind, Passed, params};
use super::target;
use super::words::rust_c_string;
use super::{Case, Export, ExportError, ExportedFile, LawSource, build, target_rust};

/// A test for each size, and what calls the function.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let mut files = target::files(export);
    for case in &export.cases {
        case.check_length()?;
        let name = format!("worst_{}_{}", export.stem(), case.size);
        files.push(ExportedFile::text(build::rust_test_path(export, &name), test(export, case, &name)));
    }
    Ok(files)
}

/// Names are those of the program.
pub const STYLE: &str = "#![allow(non_snake_case)]\n";

fn test(export: &Export, case: &Case, name: &str) -> String {
    let names = input_names(case);
    let mut about = about(export, case);
    about.extend(laws(export));
    about.push(String::new());
    about.extend(build::rust_test(export, name).iter().map(|line| format!("    {line}")));
    let mut out = rust_comment(&about);
    out += &format!("{STYLE}\n{}\n", externs(export));
    for (input, name) in case.input.0.iter().zip(&names) {
        out += &format!("{}\n", table(input, name));
    }
    if let Some(laws) = export.laws() {
        for ((law, input), name) in laws.iter().zip(&case.input.0).zip(&names) {
            out += &format!("{}\n", law_function(law, input, name));
        }
    }
    out += &format!("#[test]\nfn {name}_ends() {{\n");
    if export.is_harness() {
        out += &harness_call(export, case, &names);
    } else {
        out += &signature_call(export, case, &names);
    }
    out + "}\n"
}

/// Declarations of what the target offers.
pub fn externs(export: &Export) -> String {
    let types = params(export);
    let types: Vec<String> = types.iter().enumerate().map(|(k, p)| format!("p{k}: {}", p.rust_type())).collect();
    let linked = target_rust::linked(export);
    let mut out = format!("{linked}unsafe extern \"C\" {{\n    fn {}({});\n", target::symbol(export), types.join(", "));
    if export.is_harness() {
        out += "    fn slowpath_replay_input(name: *const u8, bytes: *const u8, size: std::ffi::c_ulong);\n    \
                fn slowpath_replay_start();\n";
    }
    out + "}\n"
}

/// An input as a static.
pub fn table(input: &NamedInput, name: &str) -> String {
    format!(
        "#[rustfmt::skip]\npub static {}: [{}; {}] = [\n{}];\n",
        name.to_uppercase(),
        rust_type(input.ty),
        input.bits.len(),
        lines(input, rust_literal)
    )
}

/// The input of any size, made by its law.
pub fn law_function(law: &LawSource, input: &NamedInput, name: &str) -> String {
    let ty = rust_type(input.ty);
    let value = if ty == "bool" { "value != 0".to_owned() } else { format!("value as {ty}") };
    format!(
        "/// The input of size n by its law.\n#[allow(dead_code, unused_parens, unused_variables, clippy::all)]\n\
         pub fn {name}_by_law(n: i64, count: usize) -> Vec<{ty}> {{\n    \
         let element = |i: i64| {{\n        let value: i64 = {};\n        {value}\n    }};\n    \
         (0..count as i64).map(element).collect()\n}}\n",
        law.rust
    )
}

fn signature_call(export: &Export, case: &Case, names: &[String]) -> String {
    let mut out = String::new();
    let mut passed = Vec::new();
    for (position, param) in params(export).iter().enumerate() {
        match &param.kind {
            Kind::Array(input, _) => {
                out += &format!("    let mut p{position} = {}.to_vec();\n", names[*input].to_uppercase());
                if param.terminated {
                    out += &format!("    p{position}.push(0);\n");
                }
                passed.push(format!("p{position}.as_mut_ptr()"));
            }
            Kind::Scalar(input) => passed.push(format!("{}[0]", names[*input].to_uppercase())),
            Kind::Number(_) => passed.push(number(param, case.size)),
        }
    }
    let call = format!("{}({})", target::symbol(export), passed.join(", "));
    out + &format!("    // SAFETY: the arrays have the lengths that the signature says.\n    unsafe {{ {call} }};\n")
}

/// A number at one size.
pub fn number(param: &Passed, n: i64) -> String {
    let Kind::Number(expr) = &param.kind else { return "0".to_owned() };
    expr.eval(n).ok().and_then(|value| i64::try_from(value).ok()).unwrap_or_default().to_string()
}

fn harness_call(export: &Export, case: &Case, names: &[String]) -> String {
    let mut out = "    // SAFETY: the statics outlive the call; the names end in zero.\n    unsafe {\n".to_owned();
    for (input, name) in case.input.0.iter().zip(names) {
        let name = name.to_uppercase();
        out += &format!(
            "        let bytes = std::mem::size_of_val(&{name}) as std::ffi::c_ulong;\n        \
             slowpath_replay_input({}.as_ptr(), {name}.as_ptr() as *const u8, bytes);\n",
            rust_c_string(&input.name)
        );
    }
    out + &format!("        slowpath_replay_start();\n        {}({});\n    }}\n", target::symbol(export), case.size)
}
