//! A benchmark for Google Benchmark: the worst and a random input at every size.

use slowpath_program::input::NamedInput;

use super::c::{input_names, law_function};
use super::criterion::small_enough;
use super::header::{about, c_comment, laws};
use super::literal::{c_literal, c_type, has_nan, lines};
use super::params::{C_POWER, Kind, Passed, c_expr, params};
use super::words::c_string;
use super::{Case, Export, ExportError, ExportedFile, build, target};

/// The benchmark, and what knows the function.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let cases = small_enough(&export.cases);
    let Some(last) = cases.last() else {
        export.cases[0].check_length()?;
        return Err(ExportError::NoInput);
    };
    let mut files = target::files(export);
    let name = format!("bench_{}", export.stem());
    files.push(ExportedFile::text(format!("{name}.cpp"), benchmark(export, cases, last, &name)?));
    Ok(files)
}

fn benchmark(export: &Export, cases: &[Case], last: &Case, name: &str) -> Result<String, ExportError> {
    let mut about = about(export, last);
    about[0] = format!("{} Smaller sizes are here too, and random inputs beside them.", about[0]);
    about.extend(laws(export));
    about.push(String::new());
    let commands = build::cpp_program(export, name, "-lbenchmark -lpthread");
    about.extend(commands.iter().map(|line| format!("    {line}")));
    let mut sizes: Vec<i64> = cases.iter().map(|case| case.size).collect();
    if export.has_law() && !export.is_harness() {
        sizes.extend([2, 4].iter().filter_map(|times| last.size.checked_mul(*times)));
    }
    let mut out = c_comment(&about);
    out += "#include <benchmark/benchmark.h>\n#include <cstdint>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n\n";
    let harness = if export.is_harness() { HARNESS_EXTERNS } else { "" };
    out += &format!("extern \"C\" {{\n{}{harness}}}\n\n{HELPERS}", target::prototype(export));
    for case in cases {
        for (input, name) in case.input.0.iter().zip(input_names(case)) {
            out += &table(input, &format!("{name}_{}", case.size));
        }
    }
    out += &if export.is_harness() { harness_calls(export, cases) } else { signature_calls(export, cases, last)? };
    let arguments: String = sizes.iter().map(|size| format!("->Arg({size})")).collect();
    out += MEASURED;
    out += &format!("BENCHMARK(worst_input){arguments};\nBENCHMARK(random_input){arguments};\nBENCHMARK_MAIN();\n");
    Ok(out)
}

/// What a vector is made of: that of bool is none of bools.
fn element_type(ty: slowpath_program::call::ElemType) -> &'static str {
    match c_type(ty) {
        "bool" => "uint8_t",
        other => other,
    }
}

fn table(input: &NamedInput, name: &str) -> String {
    let (ty, literals) = (
        element_type(input.ty),
        match has_nan(input) {
            true => lines(input, |ty, bits| format!("from_bits<{}>({bits:#x}u)", c_type(ty))),
            false => lines(input, c_literal),
        },
    );
    format!("static const std::vector<{ty}> {name} = {{\n{literals}}};\n\n")
}

fn signature_calls(export: &Export, cases: &[Case], last: &Case) -> Result<String, ExportError> {
    let params = params(export);
    let too_large = || ExportError::TooLarge(export.call.clone());
    let names = input_names(last);
    let mut out = C_POWER.to_owned();
    let laws = export.laws();
    for (law, name) in laws.iter().flatten().zip(&names) {
        out += &law_function(law, name);
    }
    let (mut fields, mut by_law, mut random, mut passed) = (String::new(), String::new(), String::new(), Vec::new());
    for (position, param) in params.iter().enumerate() {
        let ty = element_type(param.ty);
        let draw = draw(param).ok_or_else(too_large)?;
        let (input, count) = match &param.kind {
            Kind::Array(input, length) => (*input, c_expr(length).ok_or_else(too_large)?),
            Kind::Scalar(input) => (*input, "1".to_owned()),
            Kind::Number(expr) => {
                passed.push(c_expr(expr).ok_or_else(too_large)?);
                continue;
            }
        };
        fields += &format!("    std::vector<{ty}> p{position};\n");
        for (text, value) in [(&mut by_law, format!("law_of_{}(i, n)", names[input])), (&mut random, draw)] {
            *text += &format!(
                "    for (int64_t i = 0; i < {count}; i++)\n        input.p{position}.push_back(({ty})({value}));\n"
            );
            if param.terminated {
                *text += &format!("    input.p{position}.push_back(0);\n");
            }
        }
        passed.push(match &param.kind {
            Kind::Array(..) => format!("({} *)input.p{position}.data()", c_type(param.ty)),
            _ => format!("({})input.p{position}[0]", c_type(param.ty)),
        });
    }
    let mut arms = String::new();
    for case in cases {
        arms += &format!("    case {}:\n", case.size);
        for (position, param) in params.iter().enumerate() {
            let (Kind::Array(input, _) | Kind::Scalar(input)) = &param.kind else { continue };
            arms += &format!("        input.p{position} = {}_{};\n", names[*input], case.size);
            if param.terminated {
                arms += &format!("        input.p{position}.push_back(0);\n");
            }
        }
        arms += "        return input;\n";
    }
    let other = if laws.is_some() { by_law } else { "    std::abort();\n".to_owned() };
    Ok(out
        + &format!(
            "\nstruct Input {{\n{fields}}};\n\nstatic Input worst(int64_t n) {{\n    Input input;\n    switch (n) {{\n{arms}    default:\n        break;\n    }}\n\
             {other}    return input;\n}}\n\n\
             static Input random_one(int64_t n, uint64_t *seed) {{\n    Input input;\n    (void)n, (void)seed;\n{random}    return input;\n}}\n\n\
             static void call(int64_t n, Input &input) {{\n    (void)n, (void)input;\n    {}({});\n}}\n",
            target::symbol(export),
            passed.join(", ")
        ))
}

fn draw(param: &Passed) -> Option<String> {
    let range = match &param.range {
        Some((low, high)) => Some((c_expr(low)?, c_expr(high)?)),
        None => None,
    };
    Some(match (param.ty.is_float(), range) {
        (true, None) => "real(seed, -1e6, 1e6)".to_owned(),
        (true, Some((low, high))) => format!("real(seed, (double)({low}), (double)({high}))"),
        (false, None) if c_type(param.ty) == "bool" => "draw(seed) & 1".to_owned(),
        (false, None) => "draw(seed)".to_owned(),
        (false, Some((low, high))) => format!("whole(seed, {low}, {high})"),
    })
}

fn harness_calls(export: &Export, cases: &[Case]) -> String {
    let mut arms = String::new();
    for case in cases {
        arms += &format!("    case {}:\n", case.size);
        for (input, name) in case.input.0.iter().zip(input_names(case)) {
            let name = format!("{name}_{}", case.size);
            arms += &format!(
                "        slowpath_replay_input({}, {name}.data(), (unsigned long)({name}.size() * sizeof {name}[0]));\n",
                c_string(&input.name)
            );
        }
        arms += "        break;\n";
    }
    HARNESS.replace("SYMBOL", &target::symbol(export)).replace("ARMS", &arms)
}

const HARNESS_EXTERNS: &str = "void slowpath_replay_input(const char *name, const void *bytes, unsigned long size);
void slowpath_replay_clear(void);
void slowpath_replay_random(uint64_t seed);
int slowpath_replay_run(void (*harness)(int64_t n), int64_t n);
";

const HARNESS: &str = "struct Input {
    bool is_random;
    uint64_t seed;
};

static Input worst(int64_t) { return {false, 0}; }

static Input random_one(int64_t, uint64_t *seed) { return {true, draw(seed)}; }

/* Runs the harness, all of it; draws that it does not allow end early. */
static void call(int64_t n, Input &input) {
    slowpath_replay_clear();
    if (input.is_random)
        slowpath_replay_random(input.seed);
    else
        switch (n) {
ARMS    default:
        std::abort();
    }
    slowpath_replay_run(SYMBOL, n);
    slowpath_replay_clear();
}
";

const HELPERS: &str = "/* SplitMix64. */
[[maybe_unused]] static uint64_t draw(uint64_t *seed) {
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

[[maybe_unused]] static int64_t whole(uint64_t *seed, int64_t low, int64_t high) {
    uint64_t span = (uint64_t)high - (uint64_t)low + 1, z = draw(seed);
    return (int64_t)(span == 0 ? z : (uint64_t)low + z % span);
}

[[maybe_unused]] static double real(uint64_t *seed, double low, double high) {
    return low + (high - low) * ((double)(draw(seed) >> 11) / 9007199254740992.0);
}

/* NaNs have bits that no literal has. */
template <typename T> [[maybe_unused]] static T from_bits(uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

";

const MEASURED: &str = "
/* The function may change its input, so every call has a copy of its own, which is not timed. */
static void worst_input(benchmark::State &state) {
    const Input fresh = worst(state.range(0));
    for (auto _ : state) {
        state.PauseTiming();
        Input input = fresh;
        state.ResumeTiming();
        call(state.range(0), input);
    }
}

static void random_input(benchmark::State &state) {
    uint64_t seed = 1;
    for (auto _ : state) {
        state.PauseTiming();
        Input input = random_one(state.range(0), &seed);
        state.ResumeTiming();
        call(state.range(0), input);
    }
}

";
