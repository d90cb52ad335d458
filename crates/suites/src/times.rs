//! Seconds of the processor until there is a worst input, learning included, size by size: the table of the XSTRESSOR paper.

use crate::attempt::{Attained, Attempt};
use crate::cells::{ProgramReport, Statistic};
use crate::error::BenchError;
use crate::judge::{Facts, judge};
use crate::request::BenchProgress;
use crate::trial::Trial;

impl Trial<'_> {
    /// Makes an input of every size, each time from nothing.
    pub fn times(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<ProgramReport, BenchError> {
        let (subject, _, known) = self.load()?;
        let mut report = self.open_report();
        let mut failed: Option<i64> = None;
        for (n, known) in known {
            progress(BenchProgress::Size { program: &self.program.name, size: n });
            let attempt = Attempt {
                strategy: self.analysis.strategy,
                n,
                seed: self.request.seed,
                budget: self.analysis.budget,
                known: Some(known),
                jobs: self.request.jobs,
            };
            // Where a size takes more than there is, larger ones would too.
            let attained = match failed {
                None => self.attempt(&subject, &attempt)?,
                Some(size) => Attained { stopped: Some(format!("size {size} was not reached")), ..Attained::default() },
            };
            failed = failed.or(attained.cost.is_none().then_some(n));
            self.judge_time(n, known, &attained, &mut report);
        }
        self.skip(&mut report);
        report.others = self.program.published.tools.other_seconds(&self.sizes);
        Ok(report)
    }

    fn judge_time(&self, n: i64, known: u64, attained: &Attained, report: &mut ProgramReport) {
        let stopped = attained.stopped.as_ref().map_or_else(String::new, |why| format!("; {why}"));
        let found = attained.cost.map_or_else(|| "nothing".to_owned(), |cost| cost.to_string());
        let facts = Facts {
            statistic: Statistic::Worst,
            size: n,
            published: Some(known as f64),
            illegible: false,
            ours: attained.cost.map(|cost| cost as f64),
            sound: attained.cost.is_some_and(|cost| cost >= known),
            stated: self.program.stated.at(Statistic::Worst, n),
            floor: self.program.floor.get(&n).copied(),
            short_as_stated: false,
        };
        report.cells.push(judge(facts, || format!("{found} of the known {known}{stopped}")));
        let published = self.program.published.row(Statistic::MakeSeconds).get(&n).copied();
        let facts = Facts {
            statistic: Statistic::MakeSeconds,
            published,
            ours: attained.cost.map(|_| attained.processor_seconds),
            stated: None,
            ..facts
        };
        let seconds = attained.processor_seconds;
        let wanted = match facts.floor {
            Some(times) => format!(" and {times} times faster is asked for"),
            None => String::new(),
        };
        let published = published.unwrap_or_default();
        let why = || match facts.sound {
            true => format!("{seconds:.2} s, published {published} s{wanted}"),
            false => format!("it costs {found} of the known {known}{stopped}"),
        };
        report.cells.push(judge(facts, why));
    }
}
