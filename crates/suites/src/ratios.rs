//! Costs found by several techniques in a given time, as parts of the known worst cost: the table of the ESE paper.

use std::time::Duration;

use slowpath::Strategy;

use crate::attempt::{Attained, Attempt};
use crate::cells::{OtherRow, ProgramReport, Skipped, Statistic};
use crate::depth::Depth;
use crate::error::BenchError;
use crate::figure::{BySize, Figure};
use crate::judge::{Facts, judge};
use crate::request::BenchProgress;
use crate::trial::Trial;

/// Our baselines, each below the published one of its kind, and the part of the time they get: they level off early.
const BASELINES: [(Strategy, &str, &str); 3] = [
    (Strategy::Random, "RAND", "  random"),
    (Strategy::DepthFirst, "DFS", "  dfs"),
    (Strategy::Mutate, "EvoSuite", "  mutate"),
];
const BASELINE_SHARE: u32 = 12;

impl Trial<'_> {
    /// Runs every technique at every size.
    pub fn ratios(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<ProgramReport, BenchError> {
        let (subject, _, known) = self.load()?;
        let mut report = self.open_report();
        let mut rows = Rows::default();
        let seeds = self.request.seeds.unwrap_or(self.request.depth.seeds()).max(1);
        for (n, known) in known {
            progress(BenchProgress::Size { program: &self.program.name, size: n });
            let attempt = |strategy, seed, budget: Duration, jobs| Attempt {
                strategy,
                n,
                seed: self.request.seed.wrapping_add(seed),
                budget,
                known: Some(known),
                jobs,
            };
            let budget = self.analysis.budget;
            let mut all: Vec<Attempt> = (0..seeds).map(|seed| attempt(Strategy::Evolve, seed, budget, 1)).collect();
            if self.request.depth != Depth::Quick {
                all.extend(BASELINES.map(|(strategy, ..)| attempt(strategy, 0, budget / BASELINE_SHARE, 1)));
            }
            let attained = self.attempts(&subject, &all)?;
            let auto = self.attempt(&subject, &attempt(Strategy::Auto, 0, budget, self.request.jobs))?;
            let part = |run: &Attained| run.cost.unwrap_or(0) as f64 / known.max(1) as f64;
            let (evolved, baselines) = attained.split_at(seeds as usize);
            let parts: Vec<f64> = evolved.iter().map(part).collect();
            let mean = parts.iter().sum::<f64>() / seeds as f64;
            let why = |least: f64| format!("{mean:.4} of the known {known}, the least {least:.4}");
            let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
            self.judge_ratio(Statistic::EvolveRatio, n, mean, why(least), &mut report);
            let ratio = part(&auto);
            let stopped = auto.stopped.as_ref().map_or_else(String::new, |why| format!("; {why}"));
            self.judge_ratio(
                Statistic::AutoRatio,
                n,
                ratio,
                format!("{ratio:.4} of the known {known}{stopped}"),
                &mut report,
            );
            rows.least.insert(n, Figure::Number(least));
            let spent = evolved.iter().map(|run| run.seconds).sum::<f64>() / seeds as f64;
            rows.evolve_seconds.insert(n, Figure::Number(spent));
            rows.auto_seconds.insert(n, Figure::Number(auto.seconds));
            for (run, row) in baselines.iter().zip(&mut rows.baselines) {
                row.insert(n, Figure::Number(part(run)));
            }
        }
        self.skip(&mut report);
        report.others = self.others(rows, seeds);
        Ok(report)
    }

    fn judge_ratio(&self, statistic: Statistic, n: i64, ours: f64, why: String, report: &mut ProgramReport) {
        let facts = Facts {
            statistic,
            size: n,
            published: self.program.published.row(statistic).get(&n).copied(),
            illegible: false,
            ours: Some(ours),
            sound: true,
            stated: self.program.stated.at(statistic, n),
            floor: self.program.floor.get(&n).copied(),
            short_as_stated: false,
        };
        report.cells.push(judge(facts, || why));
    }

    /// Published figures at sizes that were not tried.
    pub fn skip(&self, report: &mut ProgramReport) {
        for statistic in Statistic::ALL {
            for (size, published) in self.program.published.row(statistic) {
                let wanted = self.request.sizes.is_none() && !self.analysis.sizes.iter().flatten().any(|n| *n == size);
                if wanted {
                    report.skipped.push(Skipped { statistic, size, published: Some(published) });
                }
            }
        }
    }

    fn others(&self, rows: Rows, seeds: u64) -> Vec<OtherRow> {
        let row = |title: &str, ratios, figures| OtherRow { title: title.to_owned(), ratios, figures };
        let mut out = vec![
            row(&format!("  evolve, least of {seeds}"), true, rows.least),
            row("  evolve, s", false, rows.evolve_seconds),
            row("  auto, s", false, rows.auto_seconds),
        ];
        for published in self.program.published.tools.other_ratios() {
            let ours = BASELINES.iter().zip(&rows.baselines).find(|((_, theirs, _), _)| *theirs == published.title);
            out.push(published);
            out.extend(
                ours.filter(|(_, figures)| !figures.is_empty()).map(|((.., title), f)| row(title, true, f.clone())),
            );
        }
        out
    }
}

/// What stands beside the judged cells.
#[derive(Default)]
struct Rows {
    least: BySize<Figure>,
    evolve_seconds: BySize<Figure>,
    auto_seconds: BySize<Figure>,
    baselines: [BySize<Figure>; BASELINES.len()],
}
