//! A C test: the worst input as arrays, one call, and how long it took.

use slowpath_program::input::NamedInput;

use super::header::{about, c_comment, laws};
use super::literal::{c_literal, c_type, has_nan, lines};
use super::params::{C_POWER, Kind, Passed, c_expr, params, terminated};
use super::target;
use super::words::{c_string, file_stem};
use super::{Case, Export, ExportError, ExportedFile, LawSource, build};

/// A test for each size, and the file that calls the function.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let mut files = target::files(export);
    for case in &export.cases {
        case.check_length()?;
        let name = format!("worst_{}_{}", export.stem(), case.size);
        files.push(ExportedFile::text(format!("{name}.c"), test(export, case, &name)));
    }
    Ok(files)
}

/// The inputs' names in the code, all different.
pub fn input_names(case: &Case) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (position, input) in case.input.0.iter().enumerate() {
        let mut name = format!("worst_{}", file_stem(&input.name));
        // Rust writes them in capitals.
        while names.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
            name = format!("{name}_{position}");
        }
        names.push(name);
    }
    names
}

fn test(export: &Export, case: &Case, name: &str) -> String {
    let names = input_names(case);
    let general = general(export, case);
    let mut lines = about(export, case);
    lines.extend(laws(export));
    lines.push(String::new());
    lines.extend(build::program(export, name).iter().map(|line| format!("    {line}")));
    if general.is_some() {
        lines.push("and, by the input law, any other size: give it as the argument.".to_owned());
    }
    let mut out = c_comment(&lines);
    // The clock and its types are no part of plain C.
    out += "#define _POSIX_C_SOURCE 200809L\n";
    for header in ["stdbool", "stdint", "stdio", "stdlib", "time"] {
        out += &format!("#include <{header}.h>\n");
    }
    out += &format!("\n{}", target::prototype(export));
    if export.is_harness() {
        out += HARNESS_DECLARATIONS;
    }
    out.push('\n');
    let terminated = terminated(export);
    for (k, (input, name)) in case.input.0.iter().zip(&names).enumerate() {
        out += &declaration(input, name, terminated.contains(&k));
    }
    if let Some((laws, _)) = &general {
        out += C_POWER;
        for (law, name) in laws.iter().zip(&names) {
            out += &law_function(law, name);
        }
    }
    out += &main(export, case, &names, general.as_ref());
    out
}

const HARNESS_DECLARATIONS: &str =
    "void slowpath_replay_input(const char *name, const void *bytes, unsigned long size);
void slowpath_replay_law(const char *name, int64_t (*law)(int64_t i, int64_t n), int64_t n);
void slowpath_replay_start(void);
double slowpath_replay_seconds(void);
";

/// An input as a variable. NaNs have bits that no literal has, so they are written as bits.
fn declaration(input: &NamedInput, name: &str, terminated: bool) -> String {
    let ty = c_type(input.ty);
    let length = if terminated { input.bits.len() + 1 } else { input.bits.len().max(1) };
    let values = if input.bits.is_empty() { "    0,\n".to_owned() } else { lines(input, c_literal) };
    if has_nan(input) {
        let bits = format!("uint{}_t", input.ty.bits());
        let values = lines(input, |_, bits| format!("{bits:#x}u"));
        return format!(
            "static union {{\n    {bits} bits[{length}];\n    {ty} values[{length}];\n}} {name}_bits = {{{{\n{values}}}}};\n\
             #define {name} {name}_bits.values\n\n"
        );
    }
    format!("static {ty} {name}[{length}] = {{\n{values}}};\n\n")
}

/// The law of an input as a function.
pub fn law_function(law: &LawSource, name: &str) -> String {
    format!(
        "\nstatic int64_t law_of_{name}(int64_t i, int64_t n) {{\n    (void)i, (void)n;\n    return {};\n}}\n",
        law.c
    )
}

/// What any size needs: laws, and each parameter as an expression.
fn general(export: &Export, case: &Case) -> Option<(Vec<LawSource>, Vec<String>)> {
    let laws = export.laws()?;
    let expression = |param: &Passed| match &param.kind {
        Kind::Array(_, length) => c_expr(length),
        Kind::Scalar(_) => Some(String::new()),
        Kind::Number(expr) => c_expr(expr),
    };
    let expressions = params(export).iter().map(expression).collect::<Option<Vec<_>>>()?;
    (case.input.0.len() == laws.len()).then_some((laws, expressions))
}

fn main(export: &Export, case: &Case, names: &[String], general: Option<&(Vec<LawSource>, Vec<String>)>) -> String {
    let size = case.size;
    let mut out = if general.is_some() {
        format!(
            "\nint main(int argc, char **argv) {{\n    int64_t n = argc > 1 ? atoll(argv[1]) : {size};\n    int recorded = n == {size};\n"
        )
    } else {
        format!("int main(void) {{\n    int64_t n = {size};\n")
    };
    if export.is_harness() {
        out += &harness_inputs(case, names, general.is_some());
        out += &format!(
            "    slowpath_replay_start();\n    {}(n);\n    double seconds = slowpath_replay_seconds();\n",
            target::symbol(export)
        );
    } else {
        out += &call(export, case, names, general);
    }
    let label = c_string(&format!("{} at size %lld: it ended, after %.9f s\n", file_stem(&export.function)));
    out + &format!("    printf({label}, (long long)n, seconds);\n    return 0;\n}}\n")
}

fn harness_inputs(case: &Case, names: &[String], general: bool) -> String {
    let mut out = String::new();
    for (input, name) in case.input.0.iter().zip(names) {
        let label = c_string(&input.name);
        let given = format!(
            "slowpath_replay_input({label}, {name}, {});",
            input.bits.len() as u64 * u64::from(input.ty.bytes())
        );
        out += &match general {
            false => format!("    {given}\n"),
            true => format!(
                "    if (recorded)\n        {given}\n    else\n        slowpath_replay_law({label}, law_of_{name}, n);\n"
            ),
        };
    }
    out
}

fn call(export: &Export, case: &Case, names: &[String], general: Option<&(Vec<LawSource>, Vec<String>)>) -> String {
    let params = params(export);
    let mut out = String::new();
    let mut passed = Vec::new();
    for (position, param) in params.iter().enumerate() {
        let variable = format!("p{position}");
        let ty = c_type(param.ty);
        let expression = general.map(|(_, expressions)| &expressions[position]);
        match (&param.kind, expression) {
            (Kind::Array(input, _), Some(length)) => {
                let name = &names[*input];
                out += &format!(
                    "    {ty} *{variable} = {name};\n    if (!recorded) {{\n        int64_t count = {length};\n        \
                     if (count < 0 || !({variable} = calloc((size_t)count + 1, sizeof *{variable})))\n            return 2;\n        \
                     for (int64_t i = 0; i < count; i++)\n            {variable}[i] = ({ty})law_of_{name}(i, n);\n    }}\n"
                );
                passed.push(variable);
            }
            (Kind::Array(input, _), None) => passed.push(names[*input].clone()),
            (Kind::Scalar(input), Some(_)) => {
                let name = &names[*input];
                passed.push(format!("recorded ? {name}[0] : ({ty})law_of_{name}(0, n)"));
            }
            (Kind::Scalar(input), None) => passed.push(format!("{}[0]", names[*input])),
            (Kind::Number(_), Some(expression)) => passed.push(expression.clone()),
            (Kind::Number(expr), None) => passed.push(number(expr, case.size)),
        }
    }
    out + &format!(
        "    struct timespec begun, ended;\n    clock_gettime(CLOCK_MONOTONIC, &begun);\n    {}({});\n    \
         clock_gettime(CLOCK_MONOTONIC, &ended);\n    \
         double seconds = (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) * 1e-9;\n",
        target::symbol(export),
        passed.join(", ")
    )
}

/// A number at one size; one that has none was refused before there was an input.
fn number(expr: &slowpath_program::call::Expr, n: i64) -> String {
    let value = expr.eval(n).ok().and_then(|value| i64::try_from(value).ok()).unwrap_or_default();
    if value == i64::MIN { "INT64_MIN".to_owned() } else { value.to_string() }
}
