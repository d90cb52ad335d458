//! Runs the programs of a suite and fills its table.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Instant;

use slowpath::Strategy;
use slowpath::work::{Outcome, Workers};

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
    let mut report = BenchReport {
        suite: suite.name.clone(),
        depth: request.depth,
        programs: Vec::new(),
        seconds: 0.0,
        interrupted: false,
    };
    let mut workers = Workers::of(request.engine.as_ref());
    let add = |workers: &mut Workers| programs.iter().map(|p| workers.add(p.name.clone().into_bytes())).collect();
    let mut tickets: VecDeque<u64> = workers.as_mut().map(add).unwrap_or_default();
    for program in programs {
        progress(BenchProgress::Program(&program.name));
        let tried = match &mut workers {
            None => one(request, &suite, program, progress)?,
            Some(workers) => {
                let ticket = tickets.pop_front().unwrap_or_default();
                let Some(outcome) = workers.result(ticket, &request.interrupt) else {
                    report.interrupted = true;
                    break;
                };
                answered(request, &suite, program, outcome)?
            }
        };
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

/// Compares one program of a suite for another process.
pub fn compare_program(request: &BenchRequest, suites: &Suites, name: &[u8]) -> Result<Vec<u8>, String> {
    let words = |error: BenchError| error.to_string();
    let suite =
        suites.description(&request.suite).and_then(|text| Suite::read(&request.suite, &text)).map_err(words)?;
    let program = suite.programs.iter().find(|program| program.name.as_bytes() == name);
    let program = program.ok_or_else(|| "there is no such program".to_owned())?;
    // A program that cannot be compared is no fault of the worker's.
    let tried = one(request, &suite, program, &mut |_| {}).map_err(words);
    serde_json::to_vec(&tried).map_err(|error| error.to_string())
}

fn one(
    request: &BenchRequest,
    suite: &Suite,
    program: &Program,
    progress: &mut dyn FnMut(BenchProgress<'_>),
) -> Result<ProgramReport, BenchError> {
    Trial::new(request, suite, program, &suite.columns()).and_then(|trial| compare(&trial, progress))
}

/// What a worker says of a program; one that ended its workers has a report that says so.
fn answered(
    request: &BenchRequest,
    suite: &Suite,
    program: &Program,
    outcome: Outcome,
) -> Result<ProgramReport, BenchError> {
    match outcome {
        Ok(bytes) => {
            let read: Result<Result<ProgramReport, String>, _> = serde_json::from_slice(&bytes);
            let failed = |what: String| BenchError::Worker { program: program.name.clone(), what };
            read.map_err(|error| failed(error.to_string()))?.map_err(failed)
        }
        Err(why) => {
            let report = Trial::new(request, suite, program, &suite.columns())?.open_report();
            Ok(ProgramReport { given_up: Some(why), ..report })
        }
    }
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
