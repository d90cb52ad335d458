//! `slowpath check`: the targets of a `slowpath.toml`, each analysed and validated on its bounds.

mod baseline;
mod config;
mod judge;
pub(crate) mod verified;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use slowpath_report::{CHECK_SCHEMA, CheckReport, CheckedTarget, Findings, Trouble};

use crate::analyze::analyze;
use crate::error::Error;
pub use crate::error::baseline::BaselineError;
pub use crate::error::config::ConfigError;
use crate::keep::SharedEngine;
use crate::progress::Progress;
use crate::request::AnalyzeRequest;
use crate::shard::Shard;
use crate::trust::Trust;
use crate::work::Workers;
pub use baseline::Baseline;
pub use config::{Config, TargetConfig};

/// What a check came to, with the documents it rests on.
#[derive(Clone, Debug)]
pub struct Check {
    pub report: CheckReport,
    /// The findings of each target that has any, by its name.
    pub findings: Vec<(String, Findings)>,
    /// The baseline as it would be written now.
    pub baseline: Baseline,
}

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Only these targets; all if there are none.
    pub targets: Vec<String>,
    /// Only this part of the targets, for one of several machines.
    pub shard: Option<Shard>,
    /// Threads, instead of what the configuration says.
    pub jobs: Option<usize>,
    /// Steps of work for each target, instead of what the configuration says.
    pub effort: Option<u64>,
    /// Bounds that cannot be judged do not fail the check, whatever the configuration says.
    pub lenient: bool,
    /// The costs found become the baseline, so nothing is compared with it.
    pub update_baseline: bool,
    /// Workers that do [`analyze_target`], as many targets at a time as there are. Default: one after the other, here.
    pub engine: Option<SharedEngine>,
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
}

const INTERRUPTED: &str = "interrupted: the targets after this were not checked";

/// What the analysis of a target came to.
#[derive(Serialize, Deserialize)]
struct Analysed {
    seconds: f64,
    found: Result<Findings, Trouble>,
}

/// Analyses the targets and judges them. A target that cannot be analysed does not keep the others from it.
pub fn check(
    config: &Config,
    options: &CheckOptions,
    progress: &mut dyn FnMut(&str, Progress<'_>),
) -> Result<Check, Error> {
    config.check_names(&options.targets)?;
    let chosen = |target: &&TargetConfig| options.targets.is_empty() || options.targets.contains(&target.name);
    let old = config.baseline.as_deref().map(Baseline::read).transpose()?.flatten();
    let mut notes = notes(config, old.as_ref(), options);
    let (mut targets, mut findings) = (Vec::new(), Vec::new());
    let mine = |place: &usize| options.shard.is_none_or(|shard| shard.has(*place));
    let of_shard = config.targets.iter().filter(chosen).enumerate().filter(|(place, _)| mine(place));
    let mine: Vec<&TargetConfig> = of_shard.map(|(_, target)| target).collect();
    let mut elsewhere = Elsewhere::begin(&mine, options);
    for target in mine {
        if options.interrupt.load(Ordering::SeqCst) {
            notes.push(INTERRUPTED.to_owned());
            break;
        }
        let baseline = old.as_ref().filter(|_| !options.update_baseline);
        let analysed = match &mut elsewhere {
            None => Some(analysed(target, options, &mut |event| progress(&target.name, event))),
            Some(elsewhere) => elsewhere.next(options),
        };
        let Some(analysed) = analysed else {
            notes.push(INTERRUPTED.to_owned());
            break;
        };
        let (checked, found) = judged(target, options, baseline, analysed);
        targets.push(checked);
        findings.extend(found.map(|found| (target.name.clone(), found)));
    }
    let keep_others = !options.targets.is_empty() || options.shard.is_some();
    let baseline = Baseline::updated(old.filter(|_| keep_others), &findings);
    let report = CheckReport {
        schema: CHECK_SCHEMA,
        slowpath: env!("CARGO_PKG_VERSION").to_owned(),
        config: config.file.display().to_string(),
        targets,
        notes,
    };
    Ok(Check { report, findings, baseline })
}

fn notes(config: &Config, old: Option<&Baseline>, options: &CheckOptions) -> Vec<String> {
    match (&config.baseline, old) {
        (Some(file), None) if !options.update_baseline => {
            vec![format!("there is no baseline {} yet; --update-baseline writes it", file.display())]
        }
        _ => Vec::new(),
    }
}

/// Targets that workers analyse.
struct Elsewhere {
    workers: Workers,
    /// Of the targets, in their order.
    tickets: VecDeque<u64>,
}

impl Elsewhere {
    fn begin(targets: &[&TargetConfig], options: &CheckOptions) -> Option<Elsewhere> {
        let mut workers = Workers::of(options.engine.as_ref())?;
        let tickets = targets.iter().map(|target| workers.add(target.name.clone().into_bytes())).collect();
        Some(Elsewhere { workers, tickets })
    }

    /// What the next target came to; None where somebody interrupts.
    fn next(&mut self, options: &CheckOptions) -> Option<Analysed> {
        let outcome = self.workers.result(self.tickets.pop_front()?, &options.interrupt)?;
        let read = outcome.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
        Some(read.unwrap_or_else(|why| {
            let message = format!("it was given up: {why}");
            Analysed { seconds: 0.0, found: Err(Trouble::Stopped(message)) }
        }))
    }
}

/// Analyses the target of this name for another process.
pub fn analyze_target(config: &Config, options: &CheckOptions, name: &[u8]) -> Result<Vec<u8>, String> {
    let target = config.targets.iter().find(|target| target.name.as_bytes() == name);
    let target = target.ok_or_else(|| "there is no such target".to_owned())?;
    serde_json::to_vec(&analysed(target, options, &mut |_| {})).map_err(|error| error.to_string())
}

fn requested(target: &TargetConfig, options: &CheckOptions) -> AnalyzeRequest {
    let mut request = target.request.clone();
    request.interrupt = Arc::clone(&options.interrupt);
    request.program.interrupt = Some(Arc::clone(&options.interrupt));
    request.jobs = options.jobs.unwrap_or(request.jobs);
    request.effort = options.effort.or(request.effort);
    request
}

fn analysed(target: &TargetConfig, options: &CheckOptions, progress: &mut dyn FnMut(Progress<'_>)) -> Analysed {
    let started = Instant::now();
    let found = analyze(&requested(target, options), progress).map_err(|error| {
        let trouble = if error.is_interrupted() { Trouble::Stopped } else { Trouble::BadInput };
        trouble(error.to_string())
    });
    Analysed { seconds: started.elapsed().as_secs_f64(), found }
}

fn judged(
    target: &TargetConfig,
    options: &CheckOptions,
    baseline: Option<&Baseline>,
    analysed: Analysed,
) -> (CheckedTarget, Option<Findings>) {
    let mut checked = CheckedTarget {
        name: target.name.clone(),
        file: target.request.program.file.display().to_string(),
        config_line: target.line,
        cost_model: target.request.cost.to_string(),
        seconds: analysed.seconds,
        verdict: None,
        class: None,
        formula: None,
        costs: Vec::new(),
        bounds: Vec::new(),
        error: None,
    };
    let findings = match analysed.found {
        Ok(findings) => findings,
        Err(trouble) => {
            checked.error = Some(trouble);
            return (checked, None);
        }
    };
    let sure = verified::verified(&findings);
    if let Some(law) = &sure.fit {
        checked.verdict = Some(law.verdict);
        checked.class = law.class;
        checked.formula = Some(law.formula.clone()).filter(|formula| !formula.is_empty());
    }
    checked.costs = sure.results.iter().filter_map(|result| Some((result.size, result.cost?))).collect();
    if checked.costs.is_empty() {
        let why = findings.limits.join("\n  ");
        checked.error = Some(Trouble::Stopped(format!("no size has a verified result\n  {why}")));
    } else {
        checked.bounds = judge::judge(target, &sure, baseline, target.strict && !options.lenient);
    }
    (checked, Some(findings))
}

/// The file that is read where none is named.
pub const DEFAULT_CONFIG: &str = "slowpath.toml";

/// Reads a configuration. One that is not trusted may not ask for everything.
pub fn read_config(file: &Path, trust: Trust) -> Result<Config, Error> {
    let config = Config::read(file)?;
    if !trust.document {
        config.check_trust()?;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::work::{Engine, Failure, Report};

    /// Does targets itself, but for one that ends whoever does it.
    struct Deadly {
        config: Config,
        reports: Vec<Report>,
    }

    impl Engine for Deadly {
        fn slots(&self) -> usize {
            2
        }

        fn submit(&mut self, ticket: u64, task: Vec<u8>) {
            let result = match task.as_slice() {
                b"bad" => Err(Failure::Died("its process ended".into())),
                name => analyze_target(&self.config, &CheckOptions::default(), name).map_err(Failure::Refused),
            };
            self.reports.push(Report { ticket, result });
        }

        fn next(&mut self, _: Duration) -> Option<Report> {
            self.reports.pop()
        }
    }

    #[test]
    fn a_target_that_ends_its_workers_is_given_up_and_the_others_are_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("one.c"), "int one(int x) { return x > 3; }\n").expect("a file");
        let target = |name: &str| {
            format!(
                "[[target]]\nname = \"{name}\"\nfile = \"one.c\"\ncall = \"one(x: i32)\"\nsizes = \"1\"\neffort = \"1e6\"\nmax = {{ 1 = 1000 }}\n"
            )
        };
        let file = folder.path().join("slowpath.toml");
        std::fs::write(&file, ["good", "bad", "fine"].map(target).concat()).expect("a file");
        let config = read_config(&file, Trust { document: true, build: false }).expect("a configuration");
        let engine = SharedEngine::new(Box::new(Deadly { config: config.clone(), reports: Vec::new() }));
        let options = CheckOptions { engine: Some(engine), ..CheckOptions::default() };
        let done = check(&config, &options, &mut |_, _| {}).expect("a report");
        let [good, bad, fine] = done.report.targets.as_slice() else { panic!("{:#?}", done.report) };
        let said = bad.error.as_ref().map(Trouble::message).unwrap_or_default();
        assert!(said.contains("given up") && said.contains("3 workers ended with it"), "{said}");
        assert!(good.error.is_none() && fine.error.is_none() && good.costs == fine.costs, "{:#?}", done.report);
    }
}
