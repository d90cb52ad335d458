//! Runs the programs of a suite and fills its table.

use std::sync::atomic::Ordering;
use std::time::Instant;

use slowpath::Strategy;

use crate::cells::{BenchReport, ProgramReport};
use crate::error::BenchError;
use crate::files::Suites;
use crate::request::{BenchProgress, BenchRequest};
use crate::suite::{Program, Suite};
use crate::trial::Trial;

/// Compares a suite, program by program.
pub fn bench(
    request: &BenchRequest,
    suites: &Suites,
    progress: &mut dyn FnMut(BenchProgress<'_>),
) -> Result<BenchReport, BenchError> {
    let begun = Instant::now();
    let suite = Suite::read(&request.suite, &suites.description(&request.suite)?)?;
    let programs = chosen(&suite, &request.programs)?;
    if let Some(strategy) = request.strategy
        && !matches!(strategy, Strategy::Auto | Strategy::Wise | Strategy::History)
        && !programs.iter().all(|program| program.published.tools.has_seconds())
    {
        return Err(BenchError::Strategy { suite: suite.name, strategy: strategy.name() });
    }
    let columns = suite.columns();
    let mut report = BenchReport {
        suite: suite.name.clone(),
        depth: request.depth,
        programs: Vec::new(),
        seconds: 0.0,
        interrupted: false,
    };
    for program in programs {
        progress(BenchProgress::Program(&program.name));
        let tried = Trial::new(request, &suite, program, &columns).and_then(|trial| compare(&trial, progress))?;
        // Half a program would count as missed what was only not waited for.
        if request.interrupt.load(Ordering::Relaxed) {
            report.interrupted = true;
            break;
        }
        progress(BenchProgress::Done(&tried));
        report.programs.push(tried);
    }
    report.seconds = begun.elapsed().as_secs_f64();
    Ok(report)
}

fn chosen<'s>(suite: &'s Suite, names: &[String]) -> Result<Vec<&'s Program>, BenchError> {
    if let Some(name) = names.iter().find(|name| !suite.programs.iter().any(|p| p.name == **name)) {
        let known: Vec<&str> = suite.programs.iter().map(|p| p.name.as_str()).collect();
        let (suite, name) = (suite.name.clone(), name.clone());
        return Err(BenchError::NoProgram { suite, name, known: known.join(", ") });
    }
    Ok(suite.programs.iter().filter(|p| names.is_empty() || names.contains(&p.name)).collect())
}

/// One program by the figures that its paper gives.
fn compare(trial: &Trial<'_>, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<ProgramReport, BenchError> {
    let tools = &trial.program.published.tools;
    let mut report = if tools.has_ratios() {
        trial.ratios(progress)?
    } else if tools.has_seconds() {
        trial.times(progress)?
    } else {
        trial.paths(progress)?
    };
    report.seconds = trial.begun.elapsed().as_secs_f64();
    Ok(report)
}
