//! The patterns that survive: those whose cost grows fastest, the costliest, holders of records for how often a branch is reached, and the best
//! of every niche. A niche is the branch that is reached more and more often: what is slow in different places does not compete, so that many
//! patterns that only seem to grow do not crowd out the one that does.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use slowpath_search::Rng;

use super::growth::{Growth, LINEAR, Lab, SCREEN};
use crate::patterns::{JointPattern, KnownPattern};

/// Patterns that survive by growth, by cost, and by a record.
const ELITE: usize = 32;
const COSTLY: usize = 16;
const MOST_HOLDERS: usize = 96;
const OF_NICHE: usize = 3;
/// Niches whose best is run at larger sizes.
const MOST_CHAMPIONS: usize = 24;
/// How much costlier the best of a niche has to get for that to count as progress.
const PROGRESS: f64 = 1.1;
/// Costs whose ratio is less than this are about the same: a longer pattern has to win more than it makes harder to read.
const SAME_COST: f64 = 1.02;
/// The power of n from which on a pattern is said to rise at the first sizes.
const RISING: f64 = 1.2;
/// Patterns that compete to become a parent.
const TOURNAMENT: usize = 3;

/// A pattern that survived.
#[derive(Clone, Debug)]
pub struct Individual {
    pub pattern: JointPattern,
    pub growth: Growth,
    /// What it costs where it was screened.
    screened: u64,
    /// The branch site whose hits grow most beyond the size, if any do.
    niche: Option<usize>,
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
        let mut niche = None;
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
            if at + 1 == ladder.rungs.len() {
                niche = steepest(&hits, lab.runner.hits(), 1 << (at - SCREEN));
            }
            if at == SCREEN && !(new && self.is_promising(&hits, &costs)) {
                return new;
            }
        }
        if let Some(mut growth) = lab.growth_from(&pattern, costs) {
            let one = Individual { pattern, growth, screened, niche, records: 0 };
            // Whoever is to lead has to grow above the ladder too: a limit on nesting ends what looked like a square.
            let leads = growth.cut == 0 && growth.class() > LINEAR && self.leads(&one);
            if leads {
                growth = lab.confirmed(&one.pattern, growth);
            }
            self.keep(Individual { growth, ..one }, &hits);
        }
        new
    }

    /// Whether a pattern may be worth running at larger sizes, which take most of the time: it sets a record, rises, or costs as much as those that
    /// survive by cost. Of the others one in four: small sizes do not tell everything.
    fn is_promising(&self, hits: &[u32], costs: &[u64]) -> bool {
        let has_record = hits.iter().enumerate().any(|(site, hits)| self.records.get(site).is_none_or(|r| *hits > r.0));
        if has_record || self.individuals.len() < ELITE || self.evaluated.is_multiple_of(4) {
            return true;
        }
        let early = Growth::of(costs, 0);
        let costlier = self.individuals.iter().filter(|one| one.screened >= early.cost).count();
        early.exponent >= RISING || costlier < ELITE
    }

    /// Whether it would be the best of all, or of its niche.
    fn leads(&self, new: &Individual) -> bool {
        let rank = new.rank();
        let beats = |best: Option<&Individual>| best.is_none_or(|best| rank > best.rank());
        beats(self.best()) || new.niche.is_some_and(|niche| beats(self.champion(niche)))
    }

    /// The best of a niche.
    fn champion(&self, niche: usize) -> Option<&Individual> {
        best_of(self.individuals.iter().filter(|one| one.niche == Some(niche)))
    }

    /// Whether it is better than all that were there: the best, the costliest, or by far the best of its niche.
    fn is_progress(&self, new: &Individual) -> bool {
        let best = self.best().map(Individual::rank);
        let costliest = self.individuals.iter().map(Individual::cost).max();
        let better = |champion: &Individual| {
            let (now, then) = (&new.growth, &champion.growth);
            now.class() > then.class() || now.class() == then.class() && now.cost as f64 > PROGRESS * then.cost as f64
        };
        let leads_niche = new.niche.filter(|_| new.growth.class() > LINEAR);
        best.is_none_or(|best| new.rank() > best)
            || costliest.is_none_or(|most| new.cost() > most)
            || leads_niche.is_some_and(|niche| self.champion(niche).is_none_or(better))
    }

    fn keep(&mut self, mut new: Individual, hits: &[u32]) {
        if self.is_progress(&new) {
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

    /// Takes in what a race at larger sizes showed: who stopped growing there grows no faster than that.
    pub fn learn(&mut self, raced: &[KnownPattern]) {
        for one in &mut self.individuals {
            let stopped = raced.iter().find(|known| known.pattern == one.pattern && known.has_stopped());
            one.growth.exponent = stopped.map_or(one.growth.exponent, |known| one.growth.exponent.min(known.exponent));
        }
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
        best_of(self.individuals.iter())
    }

    /// The best of every niche, the best of all first.
    fn champions(&self) -> Vec<&Individual> {
        let niches: BTreeSet<usize> = self.individuals.iter().filter_map(|one| one.niche).collect();
        let mut champions: Vec<&Individual> = niches.into_iter().filter_map(|niche| self.champion(niche)).collect();
        champions.sort_by_key(|one| Reverse(one.rank()));
        champions
    }

    /// The best, the best of each niche, the fastest growing and the costliest ones, so many of each, in turn.
    pub fn leaders(&self, most: usize) -> Vec<&Individual> {
        let (mut best, mut fastest, mut costliest) =
            ([(); 3].map(|()| self.individuals.iter().collect::<Vec<_>>())).into();
        best.sort_by_key(|one| Reverse(one.rank()));
        fastest.sort_by(|a, b| b.growth.exponent.total_cmp(&a.growth.exponent));
        costliest.sort_by_key(|one| Reverse((one.cost(), one.rank())));
        let champions = self.champions();
        let mut leaders: Vec<&Individual> = Vec::new();
        // Where it is slow shows before how fast that grows: every niche gets its chance at larger sizes.
        for place in 0..most.max(champions.len().min(MOST_CHAMPIONS)) {
            for order in [&best, &champions, &costliest, &fastest] {
                // What costs exactly the same everywhere is the same.
                let one = order.get(place).filter(|_| place < most || std::ptr::eq(order, &champions));
                let one = one.filter(|one| !leaders.iter().any(|leader| leader.growth == one.growth));
                leaders.extend(one);
            }
        }
        leaders
    }

    /// One to change: among the best, the best of some niche, or anybody.
    pub fn parent(&self, rng: &mut Rng) -> Option<&Individual> {
        if rng.below(4) == 0 {
            let drawn = self.individuals.get(rng.below(self.individuals.len() as u64) as usize)?;
            return drawn.niche.and_then(|niche| self.champion(niche)).or(Some(drawn));
        }
        let mut draw = || self.individuals.get(rng.below(self.individuals.len() as u64) as usize);
        let drawn: Vec<&Individual> = (0..TOURNAMENT).filter_map(|_| draw()).collect();
        let anybody = rng.below(4) == 0;
        if anybody {
            return drawn.first().copied();
        }
        drawn.into_iter().max_by_key(|one| one.rank())
    }

    /// An element that some survivor has in its unit: what survives is made of what matters to the program.
    pub fn element(&self, input: usize, rng: &mut Rng) -> Option<i64> {
        let drawn = self.individuals.get(rng.below(self.individuals.len() as u64) as usize)?;
        let unit = &drawn.pattern.0.get(input)?.unit;
        unit.get(rng.below(unit.len() as u64) as usize).copied()
    }

    fn cull(&mut self) {
        let mut order: Vec<usize> = (0..self.individuals.len()).collect();
        let mut keep = vec![false; order.len()];
        order.sort_by_key(|i| Reverse(self.individuals[*i].cost()));
        order.iter().take(COSTLY).for_each(|i| keep[*i] = true);
        order.sort_by_key(|i| Reverse(self.individuals[*i].rank()));
        order.iter().take(ELITE).for_each(|i| keep[*i] = true);
        order.iter().filter(|i| self.individuals[**i].records > 0).take(MOST_HOLDERS).for_each(|i| keep[*i] = true);
        let mut of_niche: BTreeMap<usize, usize> = BTreeMap::new();
        for i in &order {
            let Some(niche) = self.individuals[*i].niche else { continue };
            let members = of_niche.entry(niche).or_default();
            *members += 1;
            keep[*i] |= *members <= OF_NICHE;
        }
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

fn best_of<'i>(all: impl Iterator<Item = &'i Individual>) -> Option<&'i Individual> {
    all.reduce(|a, b| if b.rank() > a.rank() { b } else { a })
}

/// The site whose hits grow most beyond what the size alone makes of them, from hits at one size to those at one so many times larger.
fn steepest(small: &[u32], large: &[u32], times: u64) -> Option<usize> {
    let beyond = |(site, (small, large)): (usize, (&u32, &u32))| {
        let excess = u64::from(*large).saturating_sub(2 * times * u64::from(*small).max(1));
        (excess > 0).then_some((excess, Reverse(site)))
    };
    let steepest = small.iter().zip(large).enumerate().filter_map(beyond).max();
    steepest.map(|(_, Reverse(site))| site)
}

/// Steps that making a pattern takes which turns out to be known.
const STEPS_PER_DUPLICATE: u64 = 100;

/// What stands for something that need only be known again.
pub fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
