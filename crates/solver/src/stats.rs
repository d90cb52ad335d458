//! Where questions were answered and where the time went.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::answer::Verdict;

/// What one layer did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStats {
    pub name: &'static str,
    /// Questions that reached the layer.
    pub seen: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Questions handed over to the next layer.
    pub passed: u64,
    /// Time spent, sampled for the fast layers: the clock would cost more than they do.
    pub nanos: u64,
}

impl LayerStats {
    pub(crate) fn named(name: &'static str) -> LayerStats {
        LayerStats { name, ..LayerStats::default() }
    }

    /// One question in `1 << SAMPLE` is timed, and counted that many times over.
    const SAMPLE: u32 = 6;

    /// Runs a layer on one question and books the result; the time of few questions stands for all.
    #[inline]
    pub(crate) fn sampled(&mut self, layer: impl FnOnce() -> Verdict) -> Verdict {
        let timed = self.seen & ((1 << LayerStats::SAMPLE) - 1) == 0;
        let start = timed.then(Instant::now);
        let verdict = layer();
        self.book(&verdict, start.map_or(Duration::ZERO, |start| start.elapsed() * (1 << LayerStats::SAMPLE)));
        verdict
    }

    /// Counts a question that was refuted before, too fast to be timed.
    pub(crate) fn unsat_again(&mut self) {
        self.seen += 1;
        self.unsat += 1;
    }

    /// Runs a layer on one question and books the result and its time.
    pub(crate) fn timed(&mut self, layer: impl FnOnce() -> Verdict) -> Verdict {
        let start = Instant::now();
        let verdict = layer();
        self.book(&verdict, start.elapsed());
        verdict
    }

    fn book(&mut self, verdict: &Verdict, time: Duration) {
        self.seen += 1;
        match verdict {
            Verdict::Sat(_) => self.sat += 1,
            Verdict::Unsat => self.unsat += 1,
            Verdict::Pass => self.passed += 1,
        }
        self.nanos += time.as_nanos() as u64;
    }
}

/// What the solver did since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolverStats {
    /// Questions asked of the solver.
    pub queries: u64,
    /// Questions that reached Z3.
    pub smt_queries: u64,
    /// Questions nobody could answer.
    pub unknown: u64,
    /// Models that a layer offered and evaluation refused. Always 0, or there is a bug to report.
    pub rejected_models: u64,
    /// Every layer, in the order they are asked.
    pub layers: Vec<LayerStats>,
    /// Questions that reached Z3, by where they were asked and what they are like, as far as whoever asked said so.
    pub hard: BTreeMap<String, Hard>,
}

/// Questions of one kind that reached Z3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hard {
    pub asked: u64,
    /// Of these, how many had no answer.
    pub unknown: u64,
    /// Time in Z3.
    pub nanos: u64,
}

impl Hard {
    /// Adds others of the kind.
    pub fn add(&mut self, more: Hard) {
        self.asked += more.asked;
        self.unknown += more.unknown;
        self.nanos += more.nanos;
    }
}

impl SolverStats {
    /// Time spent in Z3.
    pub fn smt_nanos(&self) -> u64 {
        self.layers.iter().filter(|layer| layer.name == "z3").map(|layer| layer.nanos).sum()
    }

    /// Adds what another solver did.
    pub fn add(&mut self, more: &SolverStats) {
        self.queries += more.queries;
        self.smt_queries += more.smt_queries;
        self.unknown += more.unknown;
        self.rejected_models += more.rejected_models;
        for (what, hard) in &more.hard {
            self.hard.entry(what.clone()).or_default().add(*hard);
        }
        for layer in &more.layers {
            match self.layers.iter_mut().find(|mine| mine.name == layer.name) {
                Some(mine) => {
                    mine.seen += layer.seen;
                    mine.sat += layer.sat;
                    mine.unsat += layer.unsat;
                    mine.passed += layer.passed;
                    mine.nanos += layer.nanos;
                }
                None => self.layers.push(*layer),
            }
        }
    }
}
