//! `slowpath export`

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use slowpath::{ExportRequest, Trust, parse_size};
use slowpath_report::export::{ExportFormat, ExportedFile};

use crate::exit::{Exit, Failure};
use crate::output;

#[derive(ClapArgs, Debug)]
pub struct ExportArgs {
    /// A findings.json, or the directory it is in.
    pub findings: PathBuf,

    /// What to make of the worst inputs.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Form,

    /// The size. Default: the largest for rust and c, all of them for the others.
    #[arg(long, value_name = "N")]
    size: Option<String>,

    /// The directory to write to. Default: slowpath_FUNCTION in the current one.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Overwrite files that are already there.
    #[arg(long)]
    force: bool,

    /// Where the program is now, if it is no longer where it was.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    /// Use whatever the document names: any flags, files anywhere, build scripts.
    #[arg(long)]
    trust: bool,

    /// Let the build scripts and macros of the registry's crates run.
    #[arg(long)]
    trust_build: bool,
}

/// A form of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A Rust test.
    Rust,
    /// A C program that calls the function with the input.
    C,
    /// Inputs, costs and the input law.
    Json,
    /// Raw files for AFL++ and libFuzzer.
    Corpus,
    /// Files for KLEE.
    Ktest,
    /// A cargo package with a criterion benchmark over sizes.
    Criterion,
    /// A benchmark over sizes for Google Benchmark.
    GoogleBenchmark,
    /// A cargo package of property tests that begin with the worst inputs.
    Proptest,
    /// A test in Python that calls the compiled function; begins with the worst input.
    Hypothesis,
    /// A fuzz target with the worst inputs as its corpus, and a dictionary; for Rust a project of cargo-fuzz.
    Libfuzzer,
    /// What the worst inputs are made of, as a dictionary for AFL++ and libFuzzer.
    #[value(alias = "afl")]
    Dictionary,
    /// Collapsed stacks of the largest worst input, for flame graphs.
    Folded,
    /// Stacks of the largest worst input, for speedscope.
    Speedscope,
}

impl From<Form> for ExportFormat {
    fn from(form: Form) -> ExportFormat {
        match form {
            Form::Rust => ExportFormat::Rust,
            Form::C => ExportFormat::C,
            Form::Json => ExportFormat::Json,
            Form::Corpus => ExportFormat::Corpus,
            Form::Ktest => ExportFormat::KTest,
            Form::Criterion => ExportFormat::Criterion,
            Form::GoogleBenchmark => ExportFormat::GoogleBenchmark,
            Form::Proptest => ExportFormat::Proptest,
            Form::Hypothesis => ExportFormat::Hypothesis,
            Form::Libfuzzer => ExportFormat::LibFuzzer,
            Form::Dictionary => ExportFormat::Dictionary,
            Form::Folded => ExportFormat::Folded,
            Form::Speedscope => ExportFormat::Speedscope,
        }
    }
}

pub fn main(args: ExportArgs) -> Result<Exit, Failure> {
    if let Some(out) = &args.out {
        output::check_directory(out)?;
    }
    let size = args.size.as_deref().map(parse_size).transpose();
    let request = ExportRequest {
        document: args.findings,
        format: args.form.into(),
        size: size.map_err(|error| Failure::bad_input(format!("--size: {error}")))?,
        program: args.program,
        out: args.out,
        trust: Trust { document: args.trust, build: args.trust_build },
    };
    let exported = slowpath::export(&request)?;
    output::check_directory(&exported.folder)?;
    if !args.force {
        check_free(&exported.folder, &exported.files)?;
    }
    for file in &exported.files {
        let path = exported.folder.join(&file.path);
        output::save_bytes(&path, &file.bytes)?;
        output::print(&format!("wrote {}\n", path.display()))?;
    }
    Ok(Exit::Done)
}

/// Files that would be lost. What is there with the same content is not.
fn check_free(folder: &Path, files: &[ExportedFile]) -> Result<(), Failure> {
    for file in files {
        let path = folder.join(&file.path);
        let differs = path.symlink_metadata().is_ok() && std::fs::read(&path).ok().as_ref() != Some(&file.bytes);
        if differs {
            let path = path.display();
            return Err(Failure::bad_input(format!("{path} is already there; choose another --out, or give --force")));
        }
    }
    Ok(())
}
