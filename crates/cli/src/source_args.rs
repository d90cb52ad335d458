//! The arguments about a program besides its file: what it is compiled with, and what it finds around it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use slowpath::SourceOptions;
use slowpath::units::parse_duration;

#[derive(ClapArgs, Debug)]
pub struct SourceArgs {
    /// Further .c and .cpp files of the program.
    #[arg(value_name = "MORE")]
    more_files: Vec<PathBuf>,

    /// Look for headers in this folder. Can be given several times.
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Program")]
    include: Vec<String>,

    /// Define a macro, as NAME or NAME=VALUE. Can be given several times.
    #[arg(short = 'D', value_name = "MACRO", help_heading = "Program")]
    define: Vec<String>,

    /// A project's folder, or its compile_commands.json: flags come from there, and files that define what is missing.
    #[arg(long, value_name = "DIR", help_heading = "Program")]
    project: Option<PathBuf>,

    /// A header that the project generates, as in 'config.h=#define HAVE_STDINT_H 1'; may be empty.
    #[arg(long, value_name = "NAME=TEXT", help_heading = "Program")]
    define_header: Vec<String>,

    /// Run the fuzz target of the program: LLVMFuzzerTestOneInput of C and C++ on n bytes; of a cargo-fuzz project the one that is
    /// named here.
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["call", "harness"],
        help_heading = "Program"
    )]
    fuzz_target: Option<String>,

    /// A crate of the registry instead of a file.
    #[arg(long = "crate", value_name = "NAME@VERSION", conflicts_with = "file", help_heading = "Program")]
    krate: Option<String>,

    /// Features of the crate, separated by commas.
    #[arg(long, value_name = "FEATURES", value_delimiter = ',', help_heading = "Program")]
    features: Vec<String>,

    /// Without the crate's default features.
    #[arg(long, help_heading = "Program")]
    no_default_features: bool,

    /// Let the build scripts and procedural macros of --crate and what it depends on run on this machine.
    #[arg(long, help_heading = "Program")]
    trust_build: bool,

    /// Run the whole program, with so many unknown bytes on its standard input (n, 2*n …), or those of @FILE.
    #[arg(long, value_name = "LENGTH", conflicts_with_all = ["call", "harness"], help_heading = "Whole programs")]
    stdin: Option<String>,

    /// A file the program can read: 'data.txt=n' with so many unknown bytes, or 'data.txt=@FILE'.
    #[arg(
        long = "file",
        value_name = "NAME=LENGTH",
        conflicts_with_all = ["call", "harness"],
        help_heading = "Whole programs"
    )]
    files: Vec<String>,

    /// An argument of the program: '=text', or so many unknown bytes.
    #[arg(long, value_name = "LENGTH", conflicts_with_all = ["call", "harness"], help_heading = "Whole programs")]
    arg: Vec<String>,

    /// A variable of the program's environment.
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Whole programs")]
    env: Vec<String>,

    /// Answer for a function that the module imports: 'env.now=0', '=unknown' (another input each time) or '=trap'.
    #[arg(long, value_name = "MODULE.NAME=ANSWER", help_heading = "Program")]
    import: Vec<String>,

    /// What operators cost, instead of one each: a file with a line for each, as in 'i32.mul 3'. --cost instructions counts by it.
    #[arg(long, value_name = "FILE", value_parser = read_table, help_heading = "Program")]
    cost_table: Option<String>,

    /// Time for compiling: 500ms, 60s, 5m, 2h. Default: 2 minutes, or as much as --budget gives, but no less than 30 s; 15 minutes for crates.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    compile_limit: Option<Duration>,

    /// Compile everything afresh, and keep nothing for the next time.
    #[arg(long, help_heading = "Program")]
    no_cache: bool,

    /// Leave the compiler's commands and the module in this folder.
    #[arg(long, value_name = "DIR", help_heading = "Program")]
    keep: Option<PathBuf>,
}

impl SourceArgs {
    /// What is recorded in a document.
    pub fn options(&self) -> SourceOptions {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        SourceOptions {
            more_files: self.more_files.iter().map(text).collect(),
            project: self.project.as_ref().map(text),
            headers: self.define_header.clone(),
            call: None,
            krate: self.krate.clone(),
            features: self.features.clone(),
            no_default_features: self.no_default_features,
            fuzz_target: self.fuzz_target.clone(),
            stdin: self.stdin.clone(),
            files: self.files.clone(),
            arguments: self.arg.clone(),
            environment: self.env.clone(),
            imports: self.import.clone(),
            cost_table: self.cost_table.clone(),
        }
    }

    /// Flags for the compiler.
    pub fn flags(&self) -> impl Iterator<Item = String> {
        let include = self.include.iter().map(|folder| format!("-I{folder}"));
        include.chain(self.define.iter().map(|name| format!("-D{name}")))
    }

    /// The crate, where there is no file.
    pub fn krate(&self) -> Option<PathBuf> {
        self.krate.as_ref().map(PathBuf::from)
    }

    pub fn cache(&self) -> Option<PathBuf> {
        if self.no_cache { None } else { slowpath::default_cache() }
    }

    pub fn keep(&self) -> Option<PathBuf> {
        self.keep.clone()
    }

    pub fn compile_limit(&self) -> Option<Duration> {
        self.compile_limit
    }

    pub fn trusts_build(&self) -> bool {
        self.trust_build
    }
}

/// The text of a table of costs, which is understood where the program is loaded.
fn read_table(path: &str) -> Result<String, String> {
    /// A line for each operator and many comments.
    const MOST_BYTES: u64 = 1 << 16;
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err(format!("it has {size} bytes, more than the {MOST_BYTES} of any table"));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}
