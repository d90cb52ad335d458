//! A cargo package with a criterion benchmark: the worst and a random input at every size.

use super::c::input_names;
use super::header::{about, laws, rust_comment};
use super::literal::rust_type;
use super::params::{Kind, Passed, RUST_POWER, params, rust_expr};
use super::rust::{STYLE, externs, law_function, table};
use super::words::rust_c_string;
use super::{Case, Export, ExportError, ExportedFile, MOST_ELEMENTS, NativeSource, build, target};

/// The package.
pub fn files(export: &Export) -> Result<Vec<ExportedFile>, ExportError> {
    let cases = small_enough(&export.cases);
    let Some(last) = cases.last() else {
        export.cases[0].check_length()?;
        return Err(ExportError::NoInput);
    };
    let mut files = target::files(export);
    files.push(ExportedFile::text("Cargo.toml", manifest(export, "cargo bench", CRITERION)));
    files.extend(build_script(export).map(|script| ExportedFile::text("build.rs", script)));
    files.push(ExportedFile::text("src/lib.rs", library(export, cases, last)?));
    files.push(ExportedFile::text("benches/worst.rs", benchmark(export)));
    Ok(files)
}

/// The first sizes, as far as all their elements go into one file.
pub fn small_enough(cases: &[Case]) -> &[Case] {
    let mut room = MOST_ELEMENTS;
    let fits = |case: &&Case| {
        let elements = case.elements();
        let fits = elements <= room;
        room = room.saturating_sub(elements);
        fits
    };
    &cases[..cases.iter().take_while(fits).count()]
}

pub fn package(export: &Export) -> String {
    format!("worst_{}", export.stem().to_lowercase())
}

const CRITERION: &str = "[dev-dependencies]\ncriterion = \"0.8\"\n\n[[bench]]\nname = \"worst\"\nharness = false\n";

/// The manifest of a package that has the inputs as a library; `more` is what its tests or benchmarks need.
pub fn manifest(export: &Export, command: &str, more: &str) -> String {
    let target = target::name(export);
    // What knows the function is a package by itself, too.
    let apart = match &export.source {
        NativeSource::Rust(_) => format!("exclude = [\"{target}\", \"{}_program\"]\n", export.stem().to_lowercase()),
        _ => String::new(),
    };
    let needed = match &export.source {
        NativeSource::Rust(_) => format!("[dependencies]\n{target} = {{ path = \"{target}\" }}"),
        _ => "[build-dependencies]\ncc = \"1\"".to_owned(),
    };
    format!(
        "# The worst inputs that slowpath found, beside random ones: {command}\n[package]\nname = \"{}\"\nversion = \"0.0.0\"\n\
         edition = \"2021\"\npublish = false\n\n{needed}\n\n{more}\n\
         # Not part of a workspace that happens to be around it.\n[workspace]\n{apart}",
        package(export)
    )
}

/// What compiles a program of C or C++; cargo itself compiles those of Rust.
pub fn build_script(export: &Export) -> Option<String> {
    let watched = match &export.source {
        NativeSource::Include(path) => vec![path],
        NativeSource::Cpp(source) => vec![&source.include],
        NativeSource::Linked => Vec::new(),
        NativeSource::Rust(_) => return None,
    };
    let watch = |path: &&String| format!("    println!(\"cargo:rerun-if-changed={{}}\", {path:?});\n");
    let watched: String = watched.iter().map(watch).collect();
    let (c, cpp) = build::sources(export);
    let is_cpp = matches!(export.source, NativeSource::Cpp(_));
    let part = |files: &[String], cpp: bool| {
        // Beside C++, what is in C is ours, and takes none of its flags.
        let flags = if cpp == is_cpp { export.cflags.as_slice() } else { &[] };
        if files.is_empty() { String::new() } else { compile(export, files, flags, cpp) }
    };
    let parts = part(&c, false) + &part(&cpp, true);
    Some(format!("//! Compiles the program for this machine.\n\nfn main() {{\n{watched}{parts}}}\n"))
}

fn compile(export: &Export, files: &[String], flags: &[String], cpp: bool) -> String {
    let (mark, name) = if cpp { (".cpp(true)", "_cpp") } else { ("", "") };
    format!(
        "    let mut build = cc::Build::new();\n    for file in {files:?} {{\n        println!(\"cargo:rerun-if-changed={{file}}\");\n        \
         build.file(file);\n    }}\n    let flags: [&str; {}] = {flags:?};\n    for flag in flags {{\n        build.flag(flag);\n    }}\n    \
         build{mark}.include(\".\").opt_level(2).warnings(false).compile(\"{}_target{name}\");\n",
        flags.len(),
        package(export)
    )
}

/// The inputs as a library: `SIZES`, `worst`, `random` and `call`.
pub fn library(export: &Export, cases: &[Case], last: &Case) -> Result<String, ExportError> {
    let laws_of = export.laws();
    let mut about = about(export, last);
    about[0] = format!("{} Smaller sizes are here too.", about[0]);
    about.extend(laws(export));
    let mut sizes: Vec<i64> = cases.iter().map(|case| case.size).collect();
    if laws_of.is_some() && !export.is_harness() {
        sizes.extend([2, 4].iter().filter_map(|times| last.size.checked_mul(*times)));
    }
    let mut out = rust_comment(&about) + STYLE;
    out +=
        &format!("\n/// The sizes of the benchmark.\npub const SIZES: &[i64] = &{sizes:?};\n\n{}\n", externs(export));
    if export.is_harness() {
        out = out.replace("    fn slowpath_replay_start();\n", HARNESS_EXTERNS);
    }
    for case in cases {
        for (input, name) in case.input.0.iter().zip(input_names(case)) {
            out += &format!("{}\n", table(input, &format!("{name}_{}", case.size)));
        }
    }
    let names = input_names(last);
    for ((law, input), name) in laws_of.iter().flatten().zip(&last.input.0).zip(&names) {
        out += &format!("{}\n", law_function(law, input, name));
    }
    let calling = if export.is_harness() { harness(export, cases) } else { signature(export, cases, &names)? };
    Ok(out + &calling)
}

/// `Input`, `worst`, `random` and `call` of a function with a signature.
fn signature(export: &Export, cases: &[Case], names: &[String]) -> Result<String, ExportError> {
    let params = params(export);
    let too_large = || ExportError::TooLarge(export.call.clone());
    let has_laws = export.laws().is_some();
    let (mut fields, mut by_law, mut random, mut passed) = (String::new(), String::new(), String::new(), Vec::new());
    for (position, param) in params.iter().enumerate() {
        let ty = rust_type(param.ty);
        let draw = draw(param).ok_or_else(too_large)?;
        match &param.kind {
            Kind::Array(input, length) => {
                let length = rust_expr(length).ok_or_else(too_large)?;
                fields += &format!("    pub p{position}: Vec<{ty}>,\n");
                let end = if param.terminated { ".chain([0])" } else { "" };
                let law = format!("{}_by_law(n, ({length}) as usize)", names[*input]);
                let law = if end.is_empty() { law } else { format!("{law}.into_iter(){end}.collect()") };
                by_law += &format!("        p{position}: {law},\n");
                random += &format!("        p{position}: (0..{length}).map(|_| {draw}){end}.collect(),\n");
                passed.push(format!("input.p{position}.as_mut_ptr()"));
            }
            Kind::Scalar(input) => {
                fields += &format!("    pub p{position}: {ty},\n");
                by_law += &format!("        p{position}: {}_by_law(n, 1)[0],\n", names[*input]);
                random += &format!("        p{position}: {draw},\n");
                passed.push(format!("input.p{position}"));
            }
            Kind::Number(expr) => passed.push(rust_expr(expr).ok_or_else(too_large)?),
        }
    }
    let mut arms = String::new();
    for case in cases {
        let field = |(position, param): (usize, &Passed)| match &param.kind {
            Kind::Array(input, _) => {
                let table = format!("{}_{}", names[*input].to_uppercase(), case.size);
                match param.terminated {
                    true => format!("p{position}: [&{table}[..], &[0]].concat(), "),
                    false => format!("p{position}: {table}.to_vec(), "),
                }
            }
            Kind::Scalar(input) => format!("p{position}: {}_{}[0], ", names[*input].to_uppercase(), case.size),
            Kind::Number(_) => String::new(),
        };
        let fields: String = params.iter().enumerate().map(field).collect();
        arms += &format!("        {} => Some(Input {{ {fields}}}),\n", case.size);
    }
    let other = if has_laws { format!("Some(Input {{\n{by_law}        }})") } else { "None".to_owned() };
    Ok(format!(
        "/// The inputs of one call.\n#[derive(Clone, Debug)]\npub struct Input {{\n{fields}}}\n\n\
         /// The worst input of a size.\npub fn worst(n: i64) -> Option<Input> {{\n    match n {{\n{arms}        _ => {other},\n    }}\n}}\n\n\
         /// A random input.\n#[allow(unused_variables, unused_parens)]\npub fn random(n: i64, seed: &mut u64) -> Input {{\n    Input {{\n{random}    }}\n}}\n\n\
         /// Calls the function.\n#[allow(unused_variables, unused_parens)]\npub fn call(n: i64, input: &mut Input) {{\n    \
         // SAFETY: the arrays have the lengths that the signature says.\n    unsafe {{ {}({}) }}\n}}\n\n{RUST_POWER}\n{DRAW}",
        target::symbol(export),
        passed.join(", "),
    ))
}

/// One random element of a parameter.
fn draw(param: &Passed) -> Option<String> {
    let ty = rust_type(param.ty);
    let range = match &param.range {
        Some((low, high)) => Some((rust_expr(low)?, rust_expr(high)?)),
        None => None,
    };
    Some(match (ty, range) {
        ("bool", _) => "whole(seed, 0, 1) != 0".to_owned(),
        ("f32" | "f64", None) => format!("float(seed, -1e6, 1e6) as {ty}"),
        ("f32" | "f64", Some((low, high))) => format!("float(seed, ({low}) as f64, ({high}) as f64) as {ty}"),
        (_, None) => format!("whole(seed, {ty}::MIN as i128, {ty}::MAX as i128) as {ty}"),
        (_, Some((low, high))) => format!("whole(seed, ({low}) as i128, ({high}) as i128) as {ty}"),
    })
}

const DRAW: &str = "/// SplitMix64.
fn draw(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[allow(dead_code)]
fn whole(seed: &mut u64, low: i128, high: i128) -> i128 {
    let span = (high - low + 1).max(1) as u128;
    low + ((u128::from(draw(seed)) * span) >> 64) as i128
}

#[allow(dead_code)]
fn float(seed: &mut u64, low: f64, high: f64) -> f64 {
    low + (high - low) * ((draw(seed) >> 11) as f64 / (1u64 << 53) as f64)
}
";

const HARNESS_EXTERNS: &str = "    fn slowpath_replay_clear();
    fn slowpath_replay_random(seed: u64);
    fn slowpath_replay_run(harness: unsafe extern \"C\" fn(i64), n: i64) -> std::ffi::c_int;
";

/// The benchmark of a harness, which makes its own inputs from what it is given.
fn harness(export: &Export, cases: &[Case]) -> String {
    let mut arms = String::new();
    for case in cases {
        let give = |(input, name): (&slowpath_program::input::NamedInput, String)| {
            let table = format!("{}_{}", name.to_uppercase(), case.size);
            format!("({}, as_bytes(&{table})), ", rust_c_string(&input.name))
        };
        let given: String = case.input.0.iter().zip(input_names(case)).map(give).collect();
        arms += &format!("        {} => &[{given}],\n", case.size);
    }
    HARNESS.replace("ARMS", &arms).replace("SYMBOL", &target::symbol(export))
}

const HARNESS: &str = "type Named = (&'static [u8], Vec<u8>);

/// What a harness is given.
#[derive(Clone, Debug)]
pub struct Input {
    given: Vec<Named>,
    random: Option<u64>,
}

/// The worst input of a size.
#[allow(unreachable_patterns)]
pub fn worst(n: i64) -> Option<Input> {
    let given: &[(&'static [u8], &[u8])] = match n {
ARMS        _ => return None,
    };
    let given = given.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect();
    Some(Input { given, random: None })
}

/// A random input.
pub fn random(_n: i64, seed: &mut u64) -> Input {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    Input { given: Vec::new(), random: Some(*seed) }
}

/// Runs the harness, all of it; draws that it does not allow end early.
pub fn call(n: i64, input: &mut Input) {
    // SAFETY: the names end in zero, and what is given lives until the call is over.
    unsafe {
        slowpath_replay_clear();
        for (name, bytes) in &input.given {
            slowpath_replay_input(name.as_ptr(), bytes.as_ptr(), bytes.len() as std::ffi::c_ulong);
        }
        if let Some(seed) = input.random {
            slowpath_replay_random(seed);
        }
        slowpath_replay_run(SYMBOL, n);
        slowpath_replay_clear();
    }
}

#[allow(dead_code)]
fn as_bytes<T: Copy, const N: usize>(values: &'static [T; N]) -> &'static [u8] {
    // SAFETY: numbers have no padding, and every byte of them can be read.
    unsafe { std::slice::from_raw_parts(values.as_ptr() as *const u8, std::mem::size_of_val(values)) }
}
";

fn benchmark(export: &Export) -> String {
    BENCHMARK.replace("PACKAGE", &package(export)).replace("NAME", &export.stem())
}

const BENCHMARK: &str = "//! Worst and random inputs side by side, size by size.

use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion};
use PACKAGE::{call, random, worst, SIZES};

fn sizes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(\"NAME\");
    for n in SIZES.iter().copied() {
        let Some(input) = worst(n) else { continue };
        group.bench_with_input(BenchmarkId::new(\"worst\", n), &input, |bencher, input| {
            bencher.iter_batched_ref(|| input.clone(), |input| call(n, input), BatchSize::SmallInput)
        });
        let mut seed = 1;
        group.bench_function(BenchmarkId::new(\"random\", n), |bencher| {
            bencher.iter_batched_ref(|| random(n, &mut seed), |input| call(n, input), BatchSize::SmallInput)
        });
    }
    group.finish();
}

criterion_group!(benches, sizes);
criterion_main!(benches);
";
