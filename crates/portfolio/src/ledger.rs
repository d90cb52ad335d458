//! The ledger: every claim made of every size. It only ever grows, and knows the best claim of each size.

use std::collections::BTreeMap;

use slowpath_search::{Average, SizeFinding, TrapFinding};
use slowpath_solver::SolverStats;

use crate::claim::{Claim, Evidence, FoundBy};

/// What is known of one size.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub size: i64,
    /// The worst input known, with everything its finder says about it.
    pub best: Option<Claim>,
    /// What policies, laws and syntheses claimed, and at what cost.
    pub believed: Vec<(FoundBy, u64)>,
    /// What following a policy came to, the last time it was followed to the end.
    pub guided: Option<Guided>,
    /// Time each technique has had here, in seconds of the budget's clock.
    pub seconds: BTreeMap<FoundBy, f64>,
    /// Inputs and paths each technique has tried here.
    pub tried: BTreeMap<FoundBy, u64>,
    /// Local search around the best path found nothing costlier; at this cost.
    pub stands_at: Option<u64>,
    /// A concrete search that is no part of the strategy found this cost.
    pub refuted_at: Option<u64>,
    /// That search had all the time it is meant to have.
    pub refuting_was_enough: bool,
    /// What kept exploring every path from being complete.
    pub explored_until: Vec<String>,
    /// Random inputs of this size, to set beside the worst.
    pub average: Option<Average>,
    pub traps: Vec<TrapFinding>,
    pub stats: SolverStats,
    /// How often a technique failed here, and why.
    pub attempts_failed: u32,
    pub failures: Vec<String>,
    /// Claims that contradict an exact one: a bug in slowpath.
    pub contradictions: Vec<String>,
}

/// What following a policy at a size came to, whoever found the worst input in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guided {
    pub size: i64,
    /// Paths that the policy leaves open.
    pub paths: u64,
    /// All of them were followed.
    pub complete: bool,
    pub cost: Option<u64>,
    pub seconds: f64,
}

impl Row {
    /// The cost of the worst input known.
    pub fn cost(&self) -> Option<u64> {
        self.best.as_ref().and_then(Claim::cost)
    }

    /// Whether nothing can cost more.
    pub fn is_exact(&self) -> bool {
        self.evidence() == Some(Evidence::Exact)
    }

    /// The evidence of the best claim.
    pub fn evidence(&self) -> Option<Evidence> {
        self.best.as_ref().map(Claim::evidence)
    }

    /// Whether searching on makes no sense: every path is known, or a run was cut, at the limit or with half of what was left.
    pub fn is_settled(&self) -> bool {
        self.is_exact() || self.best.as_ref().is_some_and(Claim::is_at_least)
    }

    /// Time that all techniques together have had here.
    pub fn total_seconds(&self) -> f64 {
        self.seconds.values().sum()
    }

    /// Time that searches have had to beat what was found in other ways.
    pub fn seconds_of_search(&self) -> f64 {
        let search = [
            FoundBy::FirstInputs,
            FoundBy::Challenge,
            FoundBy::ConcreteEvolution,
            FoundBy::PathEvolution,
            FoundBy::PumpSearch,
            FoundBy::Pump,
            FoundBy::Insertion,
        ];
        search.iter().filter_map(|technique| self.seconds.get(technique)).sum()
    }

    fn enter(&mut self, claim: Claim) {
        let SizeFinding { seconds, paths, ref stats, ref traps, .. } = claim.finding;
        *self.seconds.entry(claim.found_by).or_default() += seconds;
        *self.tried.entry(claim.found_by).or_default() += paths;
        self.stats.add(stats);
        add_traps(&mut self.traps, traps);
        // Beside a result that is believed, plain exploration only tries to beat it.
        let beside = claim.found_by == FoundBy::Exhaustive && self.evidence() == Some(Evidence::Believed);
        if !beside && matches!(claim.found_by, FoundBy::SmallSizes | FoundBy::FewPaths | FoundBy::Exhaustive) {
            let stop = claim.finding.stop.map(|stop| stop.to_string());
            self.explored_until.extend(claim.finding.limits.keys().cloned().chain(stop));
        }
        let (complete, cost) = (claim.finding.complete, claim.cost());
        if claim.found_by == FoundBy::Policy && (complete || self.guided.is_none()) {
            self.guided = Some(Guided { size: self.size, paths, complete, cost, seconds });
        }
        if let (Evidence::Believed, Some(cost)) = (claim.evidence(), claim.cost()) {
            self.believed.push((claim.found_by, cost));
        }
        self.contradictions.extend(self.best.as_ref().and_then(|best| contradiction(best, &claim)));
        if self.best.as_ref().is_none_or(|best| claim.beats(best)) {
            self.best = Some(claim);
        }
    }
}

/// What is wrong where one of two claims says that nothing costs more, and the other has an input that does; whichever came first.
fn contradiction(one: &Claim, other: &Claim) -> Option<String> {
    let (exact, beyond) = if one.evidence() == Evidence::Exact { (one, other) } else { (other, one) };
    let (most, cost) = (exact.cost()?, beyond.cost()?);
    let (by, found_by) = (exact.found_by, beyond.found_by);
    let contradicts = exact.evidence() == Evidence::Exact && cost > most;
    contradicts.then(|| format!("every path costs at most {most} ({by}), but {found_by} found an input of cost {cost}"))
}

/// Adds traps that are not known yet; of a known one more paths may end in it.
fn add_traps(known: &mut Vec<TrapFinding>, more: &[TrapFinding]) {
    for trap in more {
        match known.iter_mut().find(|old| (&old.trap, old.site) == (&trap.trap, trap.site)) {
            Some(old) => old.paths = old.paths.max(trap.paths),
            None => known.push(trap.clone()),
        }
    }
}

/// All sizes.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    rows: BTreeMap<i64, Row>,
}

impl Ledger {
    /// Enters what a technique found. Whether it is the best of its size now.
    pub fn offer(&mut self, found_by: FoundBy, finding: SizeFinding) -> bool {
        let row = self.row_mut(finding.size);
        let before = row.cost();
        row.enter(Claim { found_by, finding });
        row.cost() > before
    }

    /// What is known of a size, made if nothing is.
    pub fn row_mut(&mut self, size: i64) -> &mut Row {
        self.rows.entry(size).or_insert_with(|| Row { size, ..Row::default() })
    }

    /// What is known of a size.
    pub fn row(&self, size: i64) -> Option<&Row> {
        self.rows.get(&size)
    }

    /// All sizes that something is known of, ascending.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.values()
    }

    /// The worst cost known of a size.
    pub fn cost(&self, size: i64) -> Option<u64> {
        self.row(size)?.cost()
    }

    /// Whether the worst input known of a size costs less than that of a smaller one.
    pub fn falls_short(&self, size: i64) -> bool {
        self.costliest_below(size).is_some_and(|row| row.cost() > self.cost(size))
    }

    /// The costliest of all smaller sizes; of several the largest.
    pub fn costliest_below(&self, size: i64) -> Option<&Row> {
        self.rows.range(..size).map(|(_, row)| row).filter(|row| row.cost().is_some()).max_by_key(|row| row.cost())
    }

    /// The smallest size at which something costs more than what this technique led to, on which it was believed.
    pub fn caught_out(&self, technique: FoundBy) -> Option<i64> {
        let caught = |row: &&Row| {
            row.believed.iter().any(|(by, cost)| *by == technique && row.cost().is_some_and(|best| best > *cost))
        };
        self.rows().find(caught).map(|row| row.size)
    }
}
