//! One run of one strategy at one size.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use slowpath::{AnalyzeRequest, Progress, Purpose, Strategy, Subject, analyze_subject};

use crate::error::BenchError;
use crate::trial::Trial;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub strategy: Strategy,
    pub n: i64,
    pub seed: u64,
    pub budget: Duration,
    /// Reaching it ends an evolution.
    pub known: Option<u64>,
    pub jobs: usize,
}

/// What it came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attained {
    /// The cost of the worst input found, if another engine agrees on it.
    pub cost: Option<u64>,
    /// Until there was that input, verified; learning included, compilation not. By effort, the time that the steps stand for.
    pub seconds: f64,
    /// Processor time until then, of all threads: what else the machine does matters little.
    pub processor_seconds: f64,
    /// Why the search ended early.
    pub stopped: Option<String>,
}

/// Seconds that this process has had of the processors.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

impl Trial<'_> {
    /// Runs it.
    pub fn attempt(&self, subject: &Subject, attempt: &Attempt) -> Result<Attained, BenchError> {
        let mut request = AnalyzeRequest {
            sizes: Some(vec![attempt.n]),
            strategy: attempt.strategy,
            seed: attempt.seed,
            budget: attempt.budget,
            jobs: attempt.jobs,
            random_paths: u64::MAX,
            ..self.analysis.clone()
        };
        request.evolve.known_optimum = attempt.known;
        let (mut clock, begun) = (None, processor_time());
        let (mut seconds, mut processor_seconds) = (0.0, 0.0);
        let done = &mut |event: Progress<'_>| match event {
            Progress::Begun { clock: of_search, .. } => clock = Some(of_search),
            Progress::Done(_) => {
                seconds = clock.as_ref().map_or(0.0, |clock| clock.now().as_secs_f64());
                processor_seconds = processor_time() - begun;
            }
            _ => {}
        };
        let analysis =
            analyze_subject(&request, subject.clone(), Purpose::Inputs, done).map_err(|source| self.failed(source))?;
        let result = analysis.findings.results.into_iter().next();
        let (cost, stopped) = match result {
            Some(result) if result.verified => (result.cost, result.stopped),
            Some(result) => (None, result.stopped.or(Some("the input is not verified".to_owned()))),
            None => (None, analysis.findings.limits.into_iter().next()),
        };
        Ok(Attained { cost, seconds, processor_seconds, stopped })
    }

    /// Runs all of them, as many at once as there are jobs; in their order.
    pub fn attempts(&self, subject: &Subject, all: &[Attempt]) -> Result<Vec<Attained>, BenchError> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.request.jobs.clamp(1, all.len().max(1)) {
                scope.spawn(|| {
                    while let Some((at, attempt)) = all.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
                        let attained = self.attempt(subject, attempt);
                        done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((at, attained));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, attained)| attained).collect()
    }
}
