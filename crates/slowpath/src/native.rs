//! Worst and random inputs side by side on the host: the slowdown a user would feel.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use slowpath_program::input::NamedInput;
use slowpath_report::export::{Export, driver};
use slowpath_report::{Findings, SizeResult};
use slowpath_source::{NativeParts, NativeProgram, NativeRun};

use crate::error::Error;
use crate::export::{check_callable, describe};
use crate::host_source::{About, Program};
use crate::replay::{read_findings, rebuild};
use crate::trust::Trust;

/// Recorded sizes that are timed; the largest ones are the most telling.
const MOST_SIZES: usize = 12;
/// Larger sizes by the input law, each so many times the last, until a run takes this long.
const LARGER: usize = 8;
const TIMES: i64 = 4;
const LARGEST: i64 = 10_000_000;
const LONG: Duration = Duration::from_millis(500);

/// The worst and a random input of every size, timed on the host.
#[derive(Clone, Debug)]
pub struct NativeReplay {
    pub findings: Findings,
    pub compiler: String,
    pub sizes: Vec<NativeSize>,
    /// What makes the times less than the whole truth.
    pub notes: Vec<String>,
}

/// One size.
#[derive(Clone, Debug)]
pub struct NativeSize {
    pub size: i64,
    /// The input is made by the input law.
    pub by_law: bool,
    pub worst: Timing,
    pub random: Timing,
}

/// What timing an input came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Timing {
    /// The median, of so many samples.
    Took { nanoseconds: f64, samples: u64 },
    /// There is no time, and why.
    Failed(String),
}

impl Timing {
    /// The median.
    pub fn nanoseconds(&self) -> Option<f64> {
        match self {
            Timing::Took { nanoseconds, .. } => Some(*nanoseconds),
            Timing::Failed(_) => None,
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Timing::Took { nanoseconds, samples } => json!({"nanoseconds": nanoseconds, "samples": samples}),
            Timing::Failed(why) => json!({"failed": why}),
        }
    }
}

impl NativeSize {
    /// How many times as long the worst input takes; none where a time is missing or too short to tell.
    pub fn slowdown(&self) -> Option<f64> {
        let (worst, random) = (self.worst.nanoseconds()?, self.random.nanoseconds()?);
        (random >= 1.0).then_some(worst / random)
    }
}

impl NativeReplay {
    /// For other programs.
    pub fn to_json(&self) -> Value {
        let size = |s: &NativeSize| {
            json!({
                "size": s.size, "by_law": s.by_law, "worst": s.worst.to_json(), "random": s.random.to_json(),
                "slowdown": s.slowdown(),
            })
        };
        let sizes: Vec<Value> = self.sizes.iter().map(size).collect();
        json!({"target": self.findings.target, "compiler": self.compiler, "notes": self.notes, "native": sizes})
    }
}

/// Times the inputs of a document on the host. `timeout` is for the compilation, and again for all runs together.
///
/// The document chooses the function, which may be one of the C library, and its inputs, and there is no sandbox: it must be trusted.
pub fn replay_native(
    document: &Path,
    program: Option<PathBuf>,
    timeout: Duration,
    trust: Trust,
) -> Result<NativeReplay, Error> {
    let findings = read_findings(document)?;
    if !trust.document {
        let what = "--native runs its calls with its inputs on this machine, outside of the sandbox".to_owned();
        return Err(Error::Untrusted { file: document.to_owned(), what });
    }
    let file = program.clone().unwrap_or_else(|| PathBuf::from(&findings.target.file));
    check_callable(&findings, &file)?;
    if !Program::of(&file, &findings).is_source() {
        return Err(Error::NotNative { file });
    }
    // Only the program that was analysed is compiled for the host and run.
    let grows = rebuild(document, &findings, program.clone(), trust)?.depends_on_n();
    let results: Vec<&SizeResult> = findings.results.iter().filter(|r| r.input.is_some() && r.cost.is_some()).collect();
    let chosen = &results[results.len().saturating_sub(MOST_SIZES)..];
    let about = About { document, findings: &findings, program: program.clone(), trust };
    let source = about.source(&file, Path::new(""))?;
    let mut export = describe(document, &findings, chosen, program, source, trust)?;
    export.cflags.extend(about.more_flags(&file));
    let files = driver(&export)?;
    // Further files are compiled along with it.
    let more = findings.target.options.more_files.iter().filter_map(|file| Path::new(file).canonicalize().ok());
    let parts = NativeParts {
        files: files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())).collect(),
        more: more.collect(),
        flags: &export.cflags,
        package: export.package(),
    };
    let built = NativeProgram::build(&file, &parts, timeout)?;
    let mut notes = Vec::new();
    if built.warnings.contains("incompatible-pointer-types") {
        notes.push(
            "the compiler says that a pointer of the function is not of the signature's type here (C's long has another \
             width on wasm32): what was timed may not be the input that was found"
                .to_owned(),
        );
    }
    if findings.cost_model != "instructions" {
        notes.push(format!("the inputs were found to maximise {}, not time", findings.cost_model));
    }
    let mut timer = Timer { built, export: &export, grows, started: Instant::now(), timeout, notes };
    let sizes = timer.all()?;
    let notes = timer.notes;
    let compiler = match Program::of(&file, &findings) {
        Program::Cpp => format!("{} -O2", slowpath_source::host_cpp_compiler().display()),
        Program::Rust | Program::Crate => "cargo build --release".to_owned(),
        Program::C | Program::Module => format!("{} -O2", slowpath_source::host_compiler().display()),
    };
    Ok(NativeReplay { compiler, sizes, notes, findings })
}

struct Timer<'a> {
    built: NativeProgram<'a>,
    export: &'a Export,
    /// Other sizes are other calls.
    grows: bool,
    started: Instant,
    timeout: Duration,
    notes: Vec<String>,
}

impl Timer<'_> {
    fn all(&mut self) -> Result<Vec<NativeSize>, Error> {
        let mut sizes = Vec::new();
        for case in &self.export.cases {
            if self.is_over() {
                return Ok(sizes);
            }
            let input = self.built.file("input");
            let bytes = bytes(self.export, &case.input.0);
            std::fs::write(&input, bytes).map_err(|source| Error::File { file: input.clone(), source })?;
            let worst = self.time("worst", case.size, Some(input.into()))?;
            let random = self.time("random", case.size, None)?;
            sizes.push(NativeSize { size: case.size, by_law: false, worst, random });
        }
        let mut size = self.export.cases.last().map_or(0, |case| case.size);
        let mut long = sizes.last().is_none_or(takes_long);
        for _ in 0..LARGER {
            size = size.saturating_mul(TIMES);
            if !self.grows || !self.export.has_law() || long || size > LARGEST || self.is_over() {
                break;
            }
            let worst = self.time("law", size, None)?;
            let random = self.time("random", size, None)?;
            let next = NativeSize { size, by_law: true, worst, random };
            long = takes_long(&next);
            sizes.push(next);
        }
        Ok(sizes)
    }

    /// Whether the time is over; if so, that is noted.
    fn is_over(&mut self) -> bool {
        let over = self.started.elapsed() >= self.timeout;
        if over {
            let seconds = self.timeout.as_secs_f64();
            self.notes
                .push(format!("the time for runs was over ({seconds} s): larger sizes were not timed (--timeout)"));
        }
        over
    }

    fn time(&self, mode: &str, size: i64, input: Option<OsString>) -> Result<Timing, Error> {
        let result = self.built.file("result");
        let _ = std::fs::remove_file(&result);
        let mut arguments: Vec<OsString> = vec![result.clone().into(), mode.into(), size.to_string().into()];
        arguments.extend(input);
        let left = self.timeout.saturating_sub(self.started.elapsed()).max(Duration::from_millis(10));
        let ended = self.built.run(&arguments, left)?;
        let text = std::fs::read_to_string(&result).unwrap_or_default();
        Ok(match (read(&text), ended) {
            (Some(timing), NativeRun::Done) => timing,
            (_, NativeRun::TimedOut) => Timing::Failed("it did not end in time (--timeout)".to_owned()),
            (_, NativeRun::Failed(_)) if text.starts_with("error ") => {
                Timing::Failed(text.trim_start_matches("error ").trim().to_owned())
            }
            (_, NativeRun::Failed(how)) => Timing::Failed(how),
            (None, NativeRun::Done) => Timing::Failed("the program ended itself".to_owned()),
        })
    }
}

/// `NANOSECONDS SAMPLES`.
fn read(text: &str) -> Option<Timing> {
    let (nanoseconds, samples) = text.trim().split_once(' ')?;
    Some(Timing::Took { nanoseconds: nanoseconds.parse().ok()?, samples: samples.parse().ok()? })
}

fn takes_long(size: &NativeSize) -> bool {
    size.worst.nanoseconds().is_none_or(|nanoseconds| nanoseconds > LONG.as_nanos() as f64)
}

/// Inputs as the timing program reads them: the bytes of this machine; of a harness, with names.
fn bytes(export: &Export, inputs: &[NamedInput]) -> Vec<u8> {
    let mut out = Vec::new();
    for input in inputs {
        let width = input.ty.bytes();
        if export.is_harness() {
            out.extend(input.name.bytes().filter(|byte| *byte != 0));
            out.push(0);
            out.extend((input.bits.len() as u64 * u64::from(width)).to_ne_bytes());
        }
        for bits in &input.bits {
            match width {
                1 => out.push(*bits as u8),
                2 => out.extend((*bits as u16).to_ne_bytes()),
                4 => out.extend((*bits as u32).to_ne_bytes()),
                _ => out.extend(bits.to_ne_bytes()),
            }
        }
    }
    out
}
