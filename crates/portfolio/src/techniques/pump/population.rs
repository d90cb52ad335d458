//! The patterns that survive: those whose cost grows fastest, the costliest, and holders of records for how often a branch is reached.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use slowpath_search::Rng;

use super::growth::{Growth, Lab, SCREEN};
use crate::patterns::JointPattern;

/// Patterns that survive by growth, by cost, and by a record.
const ELITE: usize = 32;
const COSTLY: usize = 16;
const MOST_HOLDERS: usize = 96;
/// Costs whose ratio is less than this are about the same: a longer pattern has to win more than it makes harder to read.
const SAME_COST: f64 = 1.02;
/// Patterns that compete to become a parent.
const TOURNAMENT: usize = 3;

/// A pattern that survived.
#[derive(Clone, Debug)]
pub struct Individual {
    pub pattern: JointPattern,
    pub growth: Growth,
    /// What it costs where it was screened.
    screened: u64,
    /// Of how many sites it holds the record.
    records: u32,
}

impl Individual {
    /// What decides between patterns: growth first, then cost; of those that cost about the same the one with less to read.
    fn rank(&self) -> (usize, u32, u32, Reverse<usize>, u64, u64) {
        let (cut, class, cost, total) = self.growth.rank();
        let about = ((cost.max(1) as f64).ln() / SAME_COST.ln()) as u32;
        (cut, class, about, Reverse(self.pattern.weight()), cost, total)
    }

    /// What it costs at the largest size, where that is known.
    fn cost(&self) -> (usize, u64) {
        (self.growth.cut, self.growth.cost)
    }
}

/// All of them.
#[derive(Default)]
pub struct Population {
    pub individuals: Vec<Individual>,
    /// For every branch site the most hits where patterns are screened, and which individual has them.
    records: Vec<(u32, usize)>,
    /// Patterns that were run, and what runs looked like: of those that do the same only the first survives.
    seen: HashSet<u64>,
    /// The fastest growth that was seen above the ladder too.
    confirmed: u32,
    pub evaluated: u64,
    pub refused: u64,
    /// Evaluations since the best growth or cost was last beaten.
    pub since: u64,
}

impl Population {
    /// Runs a pattern at growing sizes and keeps it if it is worth that. Whether it did anything that none did before.
    pub fn evaluate(&mut self, pattern: JointPattern, lab: &mut Lab<'_, '_>) -> bool {
        if !self.seen.insert(hash(&pattern)) {
            // Thinking of it took some time too.
            lab.budget.charge(STEPS_PER_DUPLICATE);
            return false;
        }
        self.evaluated += 1;
        self.since += 1;
        let ladder = lab.ladder;
        let (mut costs, mut screened, mut hits, mut new) = (Vec::new(), 0, Vec::new(), true);
        for (at, rung) in ladder.rungs.iter().enumerate() {
            let Some(ran) = lab.run(rung, &pattern) else {
                self.refused += 1;
                return false;
            };
            if at == SCREEN || (ran.at_least && at < SCREEN) {
                screened = ran.cost;
                hits = lab.runner.hits().to_vec();
                new = self.seen.insert(hash(&(&costs, ran.cost, &hits)));
            }
            if ran.at_least {
                break;
            }
            costs.push(ran.cost);
            if at == SCREEN && !(new && self.is_promising(&hits, &costs)) {
                return new;
            }
        }
        if let Some(mut growth) = lab.growth_from(&pattern, costs) {
            if growth.cut == 0 && growth.class() > self.confirmed {
                growth = lab.confirmed(&pattern, growth);
                self.confirmed = self.confirmed.max(growth.class());
            }
            self.keep(Individual { pattern, growth, screened, records: 0 }, &hits);
        }
        new
    }

    /// Whether a pattern may be worth running at larger sizes: it sets a record, or costs or grows as much as some that survived.
    fn is_promising(&self, hits: &[u32], costs: &[u64]) -> bool {
        let has_record = hits.iter().enumerate().any(|(site, hits)| self.records.get(site).is_none_or(|r| *hits > r.0));
        if has_record || self.individuals.len() < ELITE {
            return true;
        }
        let early = Growth::of(costs, 0);
        let least_cost = self.individuals.iter().map(|one| one.screened).min().unwrap_or(0);
        let least_growth = self.individuals.iter().map(|one| one.growth.exponent).fold(f64::MAX, f64::min);
        early.cost > least_cost || early.exponent > least_growth
    }

    fn keep(&mut self, mut new: Individual, hits: &[u32]) {
        let best = self.best().map(|best| best.rank());
        let costliest = self.individuals.iter().map(Individual::cost).max();
        if best.is_none_or(|best| new.rank() > best) || costliest.is_none_or(|most| new.cost() > most) {
            self.since = 0;
        }
        let position = self.individuals.len();
        self.records.resize(self.records.len().max(hits.len()), (0, usize::MAX));
        for (record, hits) in self.records.iter_mut().zip(hits).filter(|(record, hits)| **hits > record.0) {
            if let Some(old) = self.individuals.get_mut(record.1) {
                old.records -= 1;
            }
            *record = (*hits, position);
            new.records += 1;
        }
        self.individuals.push(new);
        if self.individuals.len() > 2 * (ELITE + COSTLY + MOST_HOLDERS) {
            self.cull();
        }
    }

    /// Branch sites that some pattern reached that was worth running at larger sizes.
    pub fn reached(&self) -> usize {
        self.records.iter().filter(|record| record.0 > 0).count()
    }

    /// Measures all of them anew, as the lab does it now.
    pub fn measure_again(&mut self, lab: &mut Lab<'_, '_>) {
        for one in &mut self.individuals {
            if let Some(growth) = lab.growth(&one.pattern) {
                one.growth = growth;
            }
        }
    }

    /// The one whose cost grows fastest.
    pub fn best(&self) -> Option<&Individual> {
        self.individuals.iter().reduce(|a, b| if b.rank() > a.rank() { b } else { a })
    }

    /// The best, the fastest growing and the costliest ones, so many of each, in turn.
    pub fn leaders(&self, most: usize) -> Vec<&Individual> {
        let (mut best, mut fastest, mut costliest) =
            ([(); 3].map(|()| self.individuals.iter().collect::<Vec<_>>())).into();
        best.sort_by_key(|one| Reverse(one.rank()));
        fastest.sort_by(|a, b| b.growth.exponent.total_cmp(&a.growth.exponent));
        costliest.sort_by_key(|one| Reverse((one.cost(), one.rank())));
        let mut leaders: Vec<&Individual> = Vec::new();
        for place in 0..most {
            for order in [&best, &costliest, &fastest] {
                // What costs exactly the same everywhere is the same.
                let one = order.get(place).filter(|one| !leaders.iter().any(|leader| leader.growth == one.growth));
                leaders.extend(one);
            }
        }
        leaders
    }

    /// One to change: among the best, or anybody.
    pub fn parent(&self, rng: &mut Rng) -> Option<&Individual> {
        let mut draw = || self.individuals.get(rng.below(self.individuals.len() as u64) as usize);
        let drawn: Vec<&Individual> = (0..TOURNAMENT).filter_map(|_| draw()).collect();
        let anybody = rng.below(4) == 0;
        if anybody {
            return drawn.first().copied();
        }
        drawn.into_iter().max_by_key(|one| one.rank())
    }

    fn cull(&mut self) {
        let mut order: Vec<usize> = (0..self.individuals.len()).collect();
        let mut keep = vec![false; order.len()];
        order.sort_by_key(|i| Reverse(self.individuals[*i].cost()));
        order.iter().take(COSTLY).for_each(|i| keep[*i] = true);
        order.sort_by_key(|i| Reverse(self.individuals[*i].rank()));
        order.iter().take(ELITE).for_each(|i| keep[*i] = true);
        order.iter().filter(|i| self.individuals[**i].records > 0).take(MOST_HOLDERS).for_each(|i| keep[*i] = true);
        let mut moved = vec![usize::MAX; keep.len()];
        for (new, old) in (0..keep.len()).filter(|i| keep[*i]).enumerate() {
            moved[old] = new;
        }
        let mut at = 0;
        self.individuals.retain(|_| {
            at += 1;
            keep[at - 1]
        });
        for record in &mut self.records {
            record.1 = moved.get(record.1).copied().unwrap_or(usize::MAX);
        }
    }
}

/// Steps that making a pattern takes which turns out to be known.
const STEPS_PER_DUPLICATE: u64 = 100;

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
