//! Counts of paths, costs and times, size by size: the tables of the WISE and SPF-WCA papers.

use std::collections::BTreeMap;

use serde_json::Value;
use slowpath::{Event, Guided, Progress, Purpose, analyze_subject};
use slowpath_report::{Findings, SizeResult};
use slowpath_search::{SizeFinding, exhaustive};

use crate::cells::{ProgramReport, Skipped, Statistic};
use crate::depth::Depth;
use crate::error::BenchError;
use crate::formula::evaluate;
use crate::judge::{Facts, judge};
use crate::request::BenchProgress;
use crate::trial::Trial;

/// What was found at all sizes.
struct Found {
    findings: Findings,
    exact: BTreeMap<i64, SizeFinding>,
    guided: BTreeMap<i64, Guided>,
    known: BTreeMap<i64, u64>,
}

impl Trial<'_> {
    /// Counts of paths, costs and times, size by size.
    pub fn paths(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<ProgramReport, BenchError> {
        let found = self.find(progress)?;
        let mut report = self.open_report();
        report.policy = found.findings.policy.as_ref().and_then(|policy| policy.explained.first().cloned());
        for statistic in Statistic::ALL {
            for n in &self.sizes {
                self.cell(statistic, *n, &found, &mut report)?;
            }
        }
        Ok(report)
    }

    fn find(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<Found, BenchError> {
        let name = self.program.name.as_str();
        let analysis = &self.analysis;
        let (subject, target, known) = self.load()?;
        let compared = analyze_subject(analysis, subject, Purpose::ComparePolicies, &mut |event| {
            if let Progress::Search(Event::Trying { size, .. }) = event {
                progress(BenchProgress::Size { program: name, size });
            }
        })
        .map_err(|source| self.failed(source))?;
        let mut exact: BTreeMap<i64, SizeFinding> = compared.exact.into_iter().map(|f| (f.size, f)).collect();
        // What learning had no use for: published counts of larger sizes, smallest first, and no more once one fails.
        for (size, count) in &self.program.published.exhaustive_paths {
            let wanted = self.sizes.contains(size) && *count <= self.request.depth.paths();
            if !wanted || exact.contains_key(size) {
                continue;
            }
            if self.request.depth != Depth::Full && !self.is_affordable(*count, exact.values()) {
                break;
            }
            progress(BenchProgress::Size { program: name, size: *size });
            let budget = self.exploring();
            let Ok(finding) = exhaustive(&target, *size, analysis.jobs, &budget) else { break };
            let complete = finding.complete;
            exact.insert(*size, finding);
            if !complete {
                break;
            }
        }
        let guided = compared.guided.into_iter().map(|guided| (guided.size, guided)).collect();
        Ok(Found { findings: compared.findings, exact, guided, known })
    }

    /// Whether so many paths fit the budget, at the pace of the largest size explored.
    fn is_affordable<'f>(&self, paths: f64, explored: impl Iterator<Item = &'f SizeFinding>) -> bool {
        let largest = explored.filter(|finding| finding.complete).max_by_key(|finding| finding.paths);
        let pace = largest.map_or(0.0, |finding| finding.seconds / finding.paths.max(1) as f64);
        paths * pace < self.exploring().left().as_secs_f64()
    }

    /// Judges one cell, if there is anything to judge.
    fn cell(&self, statistic: Statistic, n: i64, found: &Found, report: &mut ProgramReport) -> Result<(), BenchError> {
        let row = self.program.published.row(statistic);
        if row.is_empty() && statistic != Statistic::Worst {
            return Ok(());
        }
        let result = found.findings.results.iter().find(|result| result.size == n);
        let exact = found.exact.get(&n);
        let known = found.known.get(&n).copied();
        let tried = match statistic {
            Statistic::ExhaustivePaths | Statistic::ExhaustiveSeconds => exact.is_some(),
            _ => self.analysis.sizes.iter().flatten().any(|size| *size == n),
        };
        let published = if statistic == Statistic::Worst { known.map(|k| k as f64) } else { row.get(&n).copied() };
        if !tried {
            if published.is_some() {
                report.skipped.push(Skipped { statistic, size: n, published });
            }
            return Ok(());
        }
        let branches = result.filter(|r| r.verified).and_then(branches);
        // A search may have found worse than the policy did.
        let guided = found.guided.get(&n);
        let reached = guided.filter(|guided| guided.cost >= result.and_then(|r| r.cost));
        let ours = match statistic {
            Statistic::ExhaustivePaths => exact.filter(|f| f.complete).map(|f| f.paths as f64),
            Statistic::ExhaustiveSeconds => exact.filter(|f| f.complete).map(|f| f.seconds),
            Statistic::GuidedPaths => result.filter(|r| r.verified).map(|r| guided.map_or(r.paths, |g| g.paths) as f64),
            Statistic::Seconds => result.filter(|r| r.verified).map(|r| reached.map_or(r.seconds, |g| g.seconds)),
            Statistic::Worst => branches.map(|b| b as f64).filter(|_| known.is_some()),
            Statistic::Longest => branches.map(|b| self.longest(b, n)).transpose()?,
            Statistic::EvolveRatio | Statistic::AutoRatio | Statistic::MakeSeconds => None,
        };
        if published.is_none() && ours.is_none() {
            return Ok(());
        }
        let is_explored = matches!(statistic, Statistic::ExhaustivePaths | Statistic::ExhaustiveSeconds);
        let is_known = known.is_none_or(|known| branches.is_some_and(|b| b >= known));
        let sound = is_explored
            || match statistic {
                // Where the worst cost is known, the policy has to reach it.
                Statistic::GuidedPaths => {
                    let judged = if known.is_some() { reached } else { guided };
                    is_known && judged.map_or(guided.is_none(), |guided| guided.complete)
                }
                _ => is_known && (known.is_some() || result.is_some_and(|r| r.complete)),
            };
        let stated = self.program.stated.at(statistic, n);
        // What the policy by itself falls short of is said of its paths; of everything else, what all techniques do.
        let found_cost = match guided.and_then(|guided| guided.cost) {
            Some(cost) if statistic == Statistic::GuidedPaths => branches.map(|branches| branches.min(cost)),
            _ => branches,
        };
        let short = known.zip(found_cost).filter(|(known, cost)| cost < known);
        let short_as_stated = !is_explored
            && short
                .is_some_and(|(_, cost)| self.program.stated.at(Statistic::Worst, n).is_some_and(|s| s <= cost as f64));
        let illegible = self.program.published.is_illegible(statistic, n);
        let facts =
            Facts { statistic, size: n, published, illegible, ours, sound, stated, floor: None, short_as_stated };
        report.cells.push(judge(facts, || why(facts, result, short)));
        Ok(())
    }

    /// The longest path as the paper counts it.
    fn longest(&self, branches: u64, n: i64) -> Result<f64, BenchError> {
        let Some(formula) = &self.program.published_longest else { return Ok(branches as f64) };
        let branches = i64::try_from(branches).unwrap_or(i64::MAX);
        let bad = |what| self.suite.bad_field(self.program, "published_longest", what);
        evaluate(formula, &[("branches", branches), ("n", n)]).map(|value| value as f64).map_err(bad)
    }
}

fn branches(result: &SizeResult) -> Option<u64> {
    result.costs.get("branches").and_then(Value::as_u64)
}

/// Why a cell was missed; `short` is the known cost and the lower one that was found.
fn why(facts: Facts, result: Option<&SizeResult>, short: Option<(u64, u64)>) -> String {
    let Some(ours) = facts.ours else {
        return match result {
            Some(result) if !result.verified => "the input is not verified".to_owned(),
            _ => "not reached in the budget (--budget)".to_owned(),
        };
    };
    let published = facts.published.unwrap_or_default();
    let stopped = result.and_then(|r| r.stopped.as_ref());
    let stopped = stopped.map_or_else(String::new, |why| format!("; {why}"));
    match (facts.statistic, short) {
        (Statistic::Worst, _) => format!("{ours} of the known {published}{stopped}"),
        (Statistic::Seconds, Some((known, cost))) => {
            format!("{ours:.3} s, published {published} s, but it costs {cost} of the known {known}{stopped}")
        }
        (Statistic::GuidedPaths, Some((known, cost))) => {
            format!("{ours}, published {published}, but they cost {cost} of the known {known}{stopped}")
        }
        (Statistic::Seconds | Statistic::ExhaustiveSeconds, _) => {
            format!("{ours:.1} s, published {published} s{stopped}")
        }
        _ => format!("{ours}, published {published}{stopped}"),
    }
}
