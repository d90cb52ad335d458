//! `slowpath.toml`: read, and checked to the last value before any work is done.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use slowpath_fit::Class;
use slowpath_program::call::{CallError, CallSpec, bare_name};
use slowpath_source::Shim;
use toml::{Spanned, Value};

use crate::entry::read;
use crate::error::config::ConfigError;
use crate::request::{AnalyzeRequest, EntryRequest, Strategy};
use crate::sizes::{parse_size, parse_sizes};
use crate::trust::{Fence, refuse_request};
use crate::units::{parse_count, parse_duration};

/// A configuration.
#[derive(Clone, Debug)]
pub struct Config {
    pub file: PathBuf,
    pub baseline: Option<PathBuf>,
    pub targets: Vec<TargetConfig>,
}

/// What to analyse, and what is expected of it.
#[derive(Clone, Debug)]
pub struct TargetConfig {
    pub name: String,
    /// Where it stands in the configuration.
    pub line: u32,
    pub request: AnalyzeRequest,
    pub expect: Option<Class>,
    /// The greatest cost allowed, by size.
    pub max: BTreeMap<i64, u64>,
    /// Whether a bound that cannot be judged fails the check; it does unless told otherwise.
    pub strict: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    baseline: Option<Spanned<String>>,
    #[serde(default = "yes")]
    strict: bool,
    #[serde(default)]
    defaults: Defaults,
    #[serde(default)]
    target: Vec<Spanned<Table>>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Defaults {
    sizes: Option<Spanned<Value>>,
    cost: Option<Spanned<String>>,
    strategy: Option<Spanned<String>>,
    budget: Option<Spanned<String>>,
    effort: Option<Spanned<Value>>,
    jobs: Option<Spanned<u32>>,
    seed: Option<u64>,
    cflags: Option<String>,
    optimize: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: Spanned<String>,
    file: Spanned<String>,
    call: Option<Spanned<String>>,
    harness: Option<Spanned<String>>,
    expect: Option<Spanned<String>>,
    #[serde(default)]
    max: BTreeMap<Spanned<String>, u64>,
    strict: Option<bool>,
    sizes: Option<Spanned<Value>>,
    cost: Option<Spanned<String>>,
    strategy: Option<Spanned<String>>,
    budget: Option<Spanned<String>>,
    effort: Option<Spanned<Value>>,
    jobs: Option<Spanned<u32>>,
    seed: Option<u64>,
    cflags: Option<String>,
    optimize: Option<String>,
    #[serde(default)]
    more_files: Vec<String>,
    project: Option<String>,
}

impl Config {
    /// Reads a file and checks everything it says. Paths in it are relative to its folder.
    pub fn read(file: &Path) -> Result<Config, ConfigError> {
        let shown = file.display().to_string();
        let text =
            std::fs::read_to_string(file).map_err(|error| ConfigError::Unreadable(shown.clone(), error.to_string()))?;
        Config::parse(file, &text)
    }

    /// Checks everything a text says, as that of a file of this name.
    pub fn parse(file: &Path, text: &str) -> Result<Config, ConfigError> {
        let reader = Reader { file, text, folder: file.parent().unwrap_or(Path::new("")) };
        let document: Document =
            toml::from_str(text).map_err(|error| reader.wrong(error.span(), error.message().trim_end()))?;
        let baseline = document.baseline.as_ref().map(|name| reader.folder.join(name.get_ref()));
        let mut targets = Vec::new();
        let mut names = BTreeSet::new();
        for table in &document.target {
            let target = reader.target(table, &document)?;
            if !names.insert(target.name.clone()) {
                let message = format!("there are two targets called '{}'", target.name);
                return Err(reader.wrong(Some(table.get_ref().name.span()), message));
            }
            targets.push(target);
        }
        if targets.is_empty() {
            return Err(reader.wrong(None, "there is no [[target]], so there is nothing to check"));
        }
        Ok(Config { file: file.to_owned(), baseline, targets })
    }

    /// Refuses to read files outside of its folder and the current one, to compile with flags that are not on the list, and to keep a
    /// baseline anywhere but below its folder.
    pub(crate) fn check_trust(&self) -> Result<(), ConfigError> {
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let wrong = |line: u32, message: String| ConfigError::Wrong {
            file: self.file.display().to_string(),
            line,
            message: format!("{message}; that is only done with --trust, for configurations of your own"),
        };
        if let Some(outside) = self.baseline.as_deref().filter(|baseline| !Fence::only(folder).holds(baseline)) {
            return Err(wrong(1, format!("the baseline {} leaves the folder of the configuration", outside.display())));
        }
        let refused = |target: &TargetConfig| {
            let what = refuse_request(folder, &target.request.program)?;
            Some(wrong(target.line, format!("target '{}': {what}", target.name)))
        };
        self.targets.iter().find_map(refused).map_or(Ok(()), Err)
    }

    /// Refuses names that no target has.
    pub(crate) fn check_names(&self, names: &[String]) -> Result<(), ConfigError> {
        match names.iter().find(|name| self.targets.iter().all(|target| target.name != **name)) {
            None => Ok(()),
            Some(name) => Err(ConfigError::NoTarget {
                name: name.clone(),
                file: self.file.display().to_string(),
                known: self.targets.iter().map(|target| target.name.as_str()).collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

struct Reader<'a> {
    file: &'a Path,
    folder: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn wrong(&self, span: Option<Range<usize>>, message: impl Display) -> ConfigError {
        let line = self.line(span.map_or(0, |span| span.start));
        ConfigError::Wrong { file: self.file.display().to_string(), line, message: message.to_string() }
    }

    fn line(&self, offset: usize) -> u32 {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count() as u32
    }

    /// A value that has to be parsed, or what is wrong with it.
    fn parsed<T, U, E: Display>(
        &self,
        key: &str,
        value: Option<&Spanned<T>>,
        parse: impl FnOnce(&T) -> Result<U, E>,
    ) -> Result<Option<U>, ConfigError> {
        let wrong = |value: &Spanned<T>, error: E| self.wrong(Some(value.span()), format!("{key}: {error}"));
        value.map(|value| parse(value.get_ref()).map_err(|error| wrong(value, error))).transpose()
    }

    fn target(&self, table: &Spanned<Table>, document: &Document) -> Result<TargetConfig, ConfigError> {
        let (span, table) = (table.span(), table.get_ref());
        let name = self.parsed("name", Some(&table.name), |name| check_name(name))?.unwrap_or_default();
        let wrong = |message: &str| self.wrong(Some(span.clone()), format!("target '{name}': {message}"));
        let file = self.folder.join(table.file.get_ref());
        if !file.exists() {
            let message = format!("file: there is no file {}", file.display());
            return Err(self.wrong(Some(table.file.span()), message));
        }
        // A call with types of the source's language is read when it is compiled.
        let typed =
            |call: &str| slowpath_source::is_cargo_project(&file) || !matches!(Shim::for_file(call, &file), Ok(None));
        let plain = table.call.as_ref().filter(|call| !typed(call.get_ref()));
        self.parsed("call", plain, |call| check_call(call))?;
        let entry = match (&table.call, &table.harness) {
            (Some(call), None) => EntryRequest::Call(call.get_ref().clone()),
            (None, Some(harness)) => EntryRequest::Harness(harness.get_ref().clone()),
            (None, None) => return Err(wrong("say what to run, with call or harness")),
            (Some(_), Some(_)) => return Err(wrong("it has both call and harness; one of them is enough")),
        };
        let mut request = self.request(AnalyzeRequest::new(file, entry), table, &document.defaults)?;
        let text = |name: &String| self.folder.join(name).to_string_lossy().into_owned();
        request.program.options.more_files = table.more_files.iter().map(text).collect();
        request.program.options.project = table.project.as_ref().map(text);
        request.program.cache = slowpath_source::default_cache();
        let expect = self.parsed("expect", table.expect.as_ref(), |class| Class::parse(class))?;
        let mut max = BTreeMap::new();
        for (size, cost) in &table.max {
            let size = self.parsed("max", Some(size), |size| parse_size(size))?.unwrap_or_default();
            max.insert(size, *cost);
        }
        if expect.is_none() && max.is_empty() && document.baseline.is_none() {
            return Err(wrong("it has nothing to be compared with; give expect, max or a baseline"));
        }
        let mut target = TargetConfig {
            name: name.clone(),
            line: self.line(span.start),
            request,
            expect,
            max,
            strict: table.strict.unwrap_or(document.strict),
        };
        match &mut target.request.sizes {
            None if !target.max.is_empty() => return Err(wrong("max needs sizes, so that its sizes are among them")),
            None => {}
            Some(sizes) => {
                sizes.extend(target.max.keys());
                sizes.sort_unstable();
                sizes.dedup();
            }
        }
        Ok(target)
    }

    fn request(&self, new: AnalyzeRequest, table: &Table, defaults: &Defaults) -> Result<AnalyzeRequest, ConfigError> {
        let mut request = new;
        request.sizes = self.parsed("sizes", table.sizes.as_ref().or(defaults.sizes.as_ref()), sizes)?;
        if let Some(cost) = self.parsed("cost", table.cost.as_ref().or(defaults.cost.as_ref()), |cost| cost.parse())? {
            request.cost = cost;
        }
        let strategy = table.strategy.as_ref().or(defaults.strategy.as_ref());
        if let Some(strategy) = self.parsed("strategy", strategy, |strategy| strategy.parse::<Strategy>())? {
            request.strategy = strategy;
        }
        let budget = table.budget.as_ref().or(defaults.budget.as_ref());
        if let Some(budget) = self.parsed("budget", budget, |budget| parse_duration(budget))? {
            request.budget = budget;
        }
        // What a target says outweighs a default of either kind.
        let of_default = defaults.effort.as_ref().filter(|_| table.budget.is_none());
        request.effort = self.parsed("effort", table.effort.as_ref().or(of_default), effort)?;
        if let (Some(effort), Some(_)) = (&table.effort, &table.budget) {
            return Err(self.wrong(Some(effort.span()), "effort: there is a budget too; one of them is enough"));
        }
        if let Some(jobs) =
            self.parsed("jobs", table.jobs.as_ref().or(defaults.jobs.as_ref()), |jobs| jobs_of(*jobs))?
        {
            request.jobs = jobs;
        }
        request.seed = table.seed.or(defaults.seed).unwrap_or(request.seed);
        let words = |text: &String| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        request.program.cflags = table.cflags.as_ref().or(defaults.cflags.as_ref()).map(words).unwrap_or_default();
        request.program.optimize = table.optimize.as_ref().or(defaults.optimize.as_ref()).map(words);
        Ok(request)
    }
}

/// Whether a call can be read; a name alone leaves its inputs to the types.
fn check_call(call: &str) -> Result<(), CallError> {
    match bare_name(call) {
        Some(_) => Ok(()),
        None => CallSpec::parse_with(call, &read).map(drop),
    }
}

fn yes() -> bool {
    true
}

/// Names are also the names of files.
fn check_name(name: &str) -> Result<String, &'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 100 || name.starts_with('.') || !name.chars().all(plain) {
        return Err("a name is made of up to 100 letters, digits, '-', '_' and '.', and does not begin with a '.'");
    }
    Ok(name.to_owned())
}

fn jobs_of(jobs: u32) -> Result<usize, &'static str> {
    if (1..=1024).contains(&jobs) { Ok(jobs as usize) } else { Err("it must be from 1 to 1024") }
}

/// `"1e8"`, or a number.
fn effort(value: &Value) -> Result<u64, String> {
    match value {
        Value::String(text) => parse_count(text),
        Value::Integer(steps) => parse_count(&steps.to_string()),
        _ => Err("write a number of steps, as in 100_000_000 or \"1e8\"".to_owned()),
    }
}

/// `"1..10,20"`, a number, or a list of numbers.
fn sizes(value: &Value) -> Result<Vec<i64>, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(size) => size.to_string(),
        Value::Array(items) if items.iter().all(Value::is_integer) => {
            items.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
        }
        _ => return Err("write sizes as \"1..10,20\" or [1, 2, 3]".to_owned()),
    };
    parse_sizes(&text).map_err(|error| error.to_string())
}
