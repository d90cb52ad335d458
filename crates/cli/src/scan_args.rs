//! The arguments of list, scan and init.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use slowpath::units::{parse_count, parse_duration};
use slowpath::{ProgramRequest, Shard, SourceOptions};

use crate::common_args::{OutputArgs, PublishArgs, TargetEngineArgs, parse_jobs};

/// What is looked at.
#[derive(ClapArgs, Debug)]
pub struct PlaceArgs {
    /// A program (.c, .cpp, .rs, .wat or .wasm), a folder of them, the folder of a cargo or C project, or a crate of the registry as NAME@VERSION.
    pub path: PathBuf,

    /// Flags for the compiler, such as '-I include -DSMALL'. Can be given several times.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Vec<String>,

    /// Look for headers in this folder. Can be given several times.
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<String>,

    /// Define a macro, as NAME or NAME=VALUE. Can be given several times.
    #[arg(short = 'D', value_name = "MACRO")]
    define: Vec<String>,

    /// A project's folder, or its compile_commands.json: flags come from there, and files that define what is missing.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// A header that the project generates, as in 'config.h=#define HAVE_STDINT_H 1'; may be empty.
    #[arg(long, value_name = "NAME=TEXT")]
    define_header: Vec<String>,

    /// Features of the crate, separated by commas.
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,

    /// Without the crate's default features.
    #[arg(long)]
    no_default_features: bool,

    /// Let the build scripts and procedural macros of a crate of the registry run on this machine.
    #[arg(long)]
    trust_build: bool,
}

impl PlaceArgs {
    /// The crate of the registry that is meant, where there is no such file.
    pub fn krate(&self) -> Option<String> {
        let text = self.path.to_str().filter(|text| text.contains('@') && !self.path.exists())?;
        slowpath::is_crate_name(text).then(|| text.to_owned())
    }

    /// As the library takes it.
    pub fn program(&self) -> ProgramRequest {
        let words = |text: &String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let include = self.include.iter().map(|folder| format!("-I{folder}"));
        let define = self.define.iter().map(|name| format!("-D{name}"));
        let project = self.project.as_ref().map(|folder| folder.to_string_lossy().into_owned());
        ProgramRequest {
            cflags: self.cflags.iter().flat_map(words).chain(include).chain(define).collect(),
            options: SourceOptions {
                project,
                headers: self.define_header.clone(),
                krate: self.krate(),
                features: self.features.clone(),
                no_default_features: self.no_default_features,
                ..SourceOptions::default()
            },
            cache: slowpath::default_cache(),
            trust_build: self.trust_build,
            ..ProgramRequest::new(&self.path)
        }
    }
}

#[derive(ClapArgs, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    pub place: PlaceArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// What a scan may use.
#[derive(ClapArgs, Debug)]
pub struct ScanLimits {
    /// Time for all functions together: 90s, 5m, 1h.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    pub budget: Duration,

    /// Steps of work for all functions together, instead of time: the same result on every machine.
    #[arg(long, value_name = "STEPS", value_parser = parse_count)]
    pub effort: Option<u64>,

    /// Threads to search with. Default: as many as the machine has.
    #[arg(long, value_name = "COUNT", value_parser = parse_jobs)]
    pub jobs: Option<u32>,

    #[command(flatten)]
    pub engine: TargetEngineArgs,

    /// Only this part of the functions, such as 2/5, the second of five: for several machines.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,

    /// Where random choices begin.
    #[arg(long, default_value = "0")]
    pub seed: u64,

    /// No progress on standard error.
    #[arg(long)]
    pub quiet: bool,
}

#[derive(ClapArgs, Debug)]
pub struct ScanArgs {
    #[command(flatten)]
    pub place: PlaceArgs,

    #[command(flatten)]
    pub limits: ScanLimits,

    /// Also write the findings document of each function to DIR/NAME.json, for slowpath report and compare.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub output: PublishArgs,
}

#[derive(ClapArgs, Debug)]
pub struct InitArgs {
    #[command(flatten)]
    pub place: PlaceArgs,

    #[command(flatten)]
    pub limits: ScanLimits,

    /// The file to write.
    #[arg(long, value_name = "FILE", default_value = slowpath::check::DEFAULT_CONFIG)]
    pub config: PathBuf,

    /// Replace the file if there is one.
    #[arg(long)]
    pub force: bool,
}
