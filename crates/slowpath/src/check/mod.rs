//! `slowpath check`: the targets of a `slowpath.toml`, each analysed and validated on its bounds.

mod baseline;
mod config;
mod judge;
pub(crate) mod verified;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use slowpath_report::{CHECK_SCHEMA, CheckReport, CheckedTarget, Findings, Trouble};

use crate::analyze::analyze;
use crate::error::Error;
pub use crate::error::baseline::BaselineError;
pub use crate::error::config::ConfigError;
use crate::progress::Progress;
use crate::shard::Shard;
use crate::trust::Trust;
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
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
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
    for (_, target) in of_shard {
        if options.interrupt.load(Ordering::SeqCst) {
            notes.push("interrupted: the targets after this were not checked".to_owned());
            break;
        }
        let baseline = old.as_ref().filter(|_| !options.update_baseline);
        let (checked, found) = one(target, options, baseline, &mut |event| progress(&target.name, event));
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

fn one(
    target: &TargetConfig,
    options: &CheckOptions,
    baseline: Option<&Baseline>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> (CheckedTarget, Option<Findings>) {
    let mut request = target.request.clone();
    request.interrupt = Arc::clone(&options.interrupt);
    request.program.interrupt = Some(Arc::clone(&options.interrupt));
    request.jobs = options.jobs.unwrap_or(request.jobs);
    request.effort = options.effort.or(request.effort);
    let started = Instant::now();
    let found = analyze(&request, progress);
    let mut checked = CheckedTarget {
        name: target.name.clone(),
        file: request.program.file.display().to_string(),
        config_line: target.line,
        cost_model: request.cost.to_string(),
        seconds: started.elapsed().as_secs_f64(),
        verdict: None,
        class: None,
        formula: None,
        costs: Vec::new(),
        bounds: Vec::new(),
        error: None,
    };
    let findings = match found {
        Ok(findings) => findings,
        Err(error) => {
            let trouble = if error.is_interrupted() { Trouble::Stopped } else { Trouble::BadInput };
            checked.error = Some(trouble(error.to_string()));
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
