//! Concrete evolution: a genetic search over inputs with what fuzzers know. An input survives that is among the costliest, or that sets
//! a record for how often any one branch site is reached (as PerfFuzz does it).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, Provenance, Rng, SearchError, SizeFinding, Stop};

use crate::claim::FoundBy;
use crate::climb::{Climber, Step};
use crate::compared;
use crate::dictionary::Dictionary;
use crate::domain::Domain;
use crate::mutation::{Mutator, cross};
use crate::operators::{Credit, Operator};
use crate::runs::{Best, Runs};
use crate::shapes::shaped;
use crate::technique::{Session, Stage, Technique};
use crate::twins::Twins;

/// The costliest inputs that survive.
const ELITE: usize = 48;
/// Record holders of single sites that survive besides.
const MOST_HOLDERS: usize = 160;
/// Individuals that compete to become a parent.
const TOURNAMENT: u64 = 3;
/// Runs that stand for a generation where generations are limited.
const GENERATION: u64 = 50;
/// The part of the runs so far that may bring nothing before a result that is believed counts as challenged; and the fewest runs.
const PATIENCE: u64 = 3_000;
/// The share of a size's time: of what is believed, and of what is not.
const SHARES: [f64; 2] = [0.05, 0.5];
/// The part of its share that is left to it where only our own machine counts the cost, and counts no sites: decisions, for one. Paths are
/// followed nearly as fast there, and know more (merge sort by decisions at 30: 1.1 s with all of the share, 0.9 with half).
const SLOW: f64 = 0.5;

/// The part of the time that looking at what the best input has compared may take.
const COMPARING_SHARE: f64 = 0.01;
/// Of so many changes by chance one puts what was compared in each other's place.
const COMPARED: u64 = 6;
/// The part of the time that looking for inputs that collide may take, and how many looks in vain end it.
const COLLIDING_SHARE: f64 = 0.1;
/// The part that it may take where collisions are known to be worse.
const KNOWN_TO_COLLIDE: f64 = 0.5;
const COLLIDING_VAIN: u32 = 3;
/// Runs between two such looks: a path takes as long to follow as many of them.
const LOOK_EVERY: u64 = 5_000;

/// One input that survived.
struct Individual {
    input: InputValues,
    cost: u64,
    /// Of how many sites it holds the record.
    records: u32,
}

/// The inputs of one size.
struct Population {
    domain: Domain,
    individuals: Vec<Individual>,
    /// For every site the most hits, and which individual has them.
    records: Vec<(u32, usize)>,
    /// What was seen: cost and hits, so that of those that do the same only one survives.
    seen: HashSet<u64>,
    rng: Rng,
    runs: u64,
    /// What which change has been worth.
    credit: Credit,
    /// Parameters that are made equal to each other.
    twins: Twins,
    /// Who climbs from the best of them, one element at a time.
    climber: Option<Climber>,
    /// What the last input cost, if it could be run.
    last_cost: Option<u64>,
    /// The values that the best input led to be compared, and what that input cost.
    compared: (u64, Vec<(i64, i64)>),
    collisions: Collisions,
}

/// What is known of tables whose places collide.
#[derive(Default)]
struct Collisions {
    /// What the input cost that was looked at last.
    looked_at: u64,
    /// Looks that brought nothing costlier.
    vain: u32,
    /// All looks.
    looks: u64,
    /// Whether inputs that collide were the costliest, at this size or another.
    pay: bool,
}

/// The search, which goes on where it was at each size.
#[derive(Default)]
pub struct ConcreteEvolution {
    populations: BTreeMap<i64, Population>,
    dictionary: Option<Dictionary>,
    /// Whether it is all there is: then it takes all the time, and ends by its parameters.
    alone: bool,
    /// Whether inputs that collide were the costliest of any size.
    collisions_pay: bool,
}

impl ConcreteEvolution {
    /// The whole search.
    pub fn alone() -> ConcreteEvolution {
        ConcreteEvolution { alone: true, ..ConcreteEvolution::default() }
    }
}

impl Technique for ConcreteEvolution {
    fn name(&self) -> FoundBy {
        FoundBy::ConcreteEvolution
    }

    fn stage(&self) -> Stage {
        Stage::Search
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        if self.alone {
            return Some(1.0);
        }
        let row = session.ledger.row(n)?;
        let believed = row.evidence() == Some(crate::claim::Evidence::Believed);
        let speed = if session.runner.is_fast() { 1.0 } else { SLOW };
        (!row.is_settled()).then_some(SHARES[usize::from(!believed)] * speed)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        let population = match self.populations.entry(n) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let Some(domain) = Domain::of(session.target, n, budget) else { return Ok(None) };
                new.insert(Population::new(domain, Rng::new(session.target.seed, 0x3A7E ^ n as u64)))
            }
        };
        let dictionary = self
            .dictionary
            .get_or_insert_with(|| Dictionary::of(&session.target.program, &session.settings.dictionary));
        let seed = session.ledger.row(n).and_then(|row| row.best.as_ref()).and_then(|best| best.finding.worst.as_ref());
        let seed = seed.map(|worst| worst.input.clone());
        let params = &session.settings.evolve;
        let ends = Ends {
            runs: session.budget.paths,
            generations: params.generations.filter(|_| self.alone),
            known: params.known_optimum.filter(|_| self.alone),
            patience: (!self.alone).then_some(PATIENCE),
        };
        let mut runs = Runs::new(session.target, n, &mut *session.runner, budget);
        population.collisions.pay |= self.collisions_pay;
        let stop = population.evolve(seed, dictionary, &ends, &mut runs);
        self.collisions_pay |= population.collisions.pay;
        let generations = population.runs / GENERATION;
        let Best { worst, tried, refused } = runs.best();
        let mut limits = BTreeMap::new();
        if refused > 0 {
            limits.insert("an input could not be run or was outside what the harness assumes".to_owned(), refused);
        }
        Ok(Some(SizeFinding {
            size: n,
            provenance: Provenance::Mutated { generations },
            paths: tried,
            worst_paths: u64::from(worst.is_some()),
            worst,
            stop: Some(stop),
            limits,
            seconds: budget.seconds_since(begun),
            ..SizeFinding::default()
        }))
    }
}

/// What ends an evolution besides its budget.
struct Ends {
    runs: u64,
    generations: Option<u64>,
    known: Option<u64>,
    patience: Option<u64>,
}

impl Population {
    /// Nobody yet.
    fn new(domain: Domain, rng: Rng) -> Population {
        let (individuals, records, seen) = (Vec::new(), Vec::new(), HashSet::new());
        let twins = Twins::of(&domain);
        Population {
            domain,
            individuals,
            records,
            seen,
            rng,
            runs: 0,
            credit: Credit::new(!twins.is_empty()),
            twins,
            climber: None,
            last_cost: None,
            compared: (0, Vec::new()),
            collisions: Collisions::default(),
        }
    }

    /// Follows the best input, if it is another one than the last time, to the tables that it goes into, and runs others that go to one place. Why
    /// the evolution has to end, if it has.
    fn collide(&mut self, ends: &Ends, runs: &mut Runs<'_, '_>) -> Option<Stop> {
        let Collisions { looked_at, vain, looks, pay } = self.collisions;
        let best = self.best().filter(|best| best.cost > looked_at && vain < COLLIDING_VAIN)?;
        let before = best.cost;
        let found = runs.colliding(&best.input, looks, if pay { KNOWN_TO_COLLIDE } else { COLLIDING_SHARE });
        self.collisions.looks += 1;
        let ended = found.is_none();
        for input in found.into_iter().flatten() {
            if let Some(stop) = self.evaluate(input, ends, runs) {
                return Some(stop);
            }
        }
        let gained = self.best_cost().is_some_and(|cost| cost > before);
        self.collisions.pay |= gained;
        // What there was no time for is looked at again where there is more.
        self.collisions.looked_at = if ended { looked_at } else { before };
        self.collisions.vain = if gained { 0 } else { vain + u32::from(!ended) };
        None
    }

    /// Follows the best input, if it is another one than the last time, for what the program compares on the way.
    fn look_at_comparisons(&mut self, runs: &Runs<'_, '_>) {
        if let Some(best) = self.best().filter(|best| best.cost > self.compared.0) {
            self.compared = (best.cost, runs.compared(&best.input, COMPARING_SHARE));
        }
    }

    fn evolve(
        &mut self,
        seed: Option<InputValues>,
        dictionary: &Dictionary,
        ends: &Ends,
        runs: &mut Runs<'_, '_>,
    ) -> Stop {
        let fresh = self.individuals.is_empty();
        let domain = self.domain.clone();
        let first = shaped(&domain).take(if fresh { usize::MAX } else { 0 });
        for input in seed.into_iter().chain(first) {
            if let Some(stop) = self.evaluate(input, ends, runs) {
                return stop;
            }
        }
        let (mut last_record, mut since) = (self.best_cost(), 0);
        let mut next_look = self.runs;
        loop {
            if self.individuals.is_empty() {
                return Stop::NothingNew;
            }
            if self.runs >= next_look {
                self.look_at_comparisons(runs);
                next_look = self.runs + LOOK_EVERY;
                if let Some(stop) = self.collide(ends, runs) {
                    return stop;
                }
            }
            let mutator = Mutator { domain: &domain, dictionary };
            if let Some(stop) = self.step(&mutator, ends, runs) {
                return stop;
            }
            since += 1;
            if self.best_cost() > last_record {
                (last_record, since) = (self.best_cost(), 0);
            }
            if ends.patience.is_some_and(|patience| since > patience + self.runs / 2) {
                return Stop::NothingCostlier;
            }
        }
    }

    /// Makes one child in one of the ways there are, and runs it. Why the evolution has to end, if it has.
    fn step(&mut self, mutator: &Mutator<'_>, ends: &Ends, runs: &mut Runs<'_, '_>) -> Option<Stop> {
        let operator = self.credit.draw(&mut self.rng);
        let won = match operator {
            Operator::Redraw | Operator::Relate | Operator::Exchange => {
                let how = match operator {
                    Operator::Redraw => Step::Redraw,
                    Operator::Relate => Step::Relate,
                    _ => Step::Exchange,
                };
                let mut climber = self
                    .climber
                    .take()
                    .or_else(|| self.best().map(|best| Climber::new(best.input.clone(), best.cost)))?;
                let child = climber.step(how, mutator, &mut self.rng);
                let stop = self.evaluate(child.clone(), ends, runs);
                let won = climber.tried(&child, self.last_cost);
                self.climber = Some(climber).filter(|climber| !climber.is_overtaken(self.best_cost().unwrap_or(0)));
                if stop.is_some() {
                    return stop;
                }
                won
            }
            Operator::Havoc | Operator::Cross | Operator::Equate => {
                let a = self.parent();
                let (cost, mut child) = (self.individuals[a].cost, self.individuals[a].input.clone());
                if operator == Operator::Cross {
                    let b = self.parent();
                    child = cross(&child, &self.individuals[b].input, &mut self.rng);
                }
                // Now and then what the program compared, instead of chance.
                let compares =
                    operator != Operator::Cross && !self.compared.1.is_empty() && self.rng.below(COMPARED) == 0;
                if compares {
                    compared::put(&mut child, &self.compared.1, mutator.domain, &mut self.rng);
                } else {
                    mutator.change(&mut child, &mut self.rng);
                }
                if operator == Operator::Equate {
                    self.twins.equate(&mut child, &mut self.rng);
                }
                if let Some(stop) = self.evaluate(child, ends, runs) {
                    return Some(stop);
                }
                self.last_cost.is_some_and(|last| last > cost)
            }
        };
        self.credit.note(operator, won);
        None
    }

    fn best(&self) -> Option<&Individual> {
        self.individuals.iter().max_by_key(|one| one.cost)
    }

    fn best_cost(&self) -> Option<u64> {
        self.best().map(|best| best.cost)
    }

    /// Among the costliest, among the holders of records, or anybody.
    fn parent(&mut self) -> usize {
        let count = self.individuals.len() as u64;
        let mut draw = || self.rng.below(count) as usize;
        let mut best = draw();
        for _ in 1..TOURNAMENT {
            let rival = draw();
            if self.individuals[rival].cost > self.individuals[best].cost {
                best = rival;
            }
        }
        let other = draw();
        if self.rng.below(4) == 0 { other } else { best }
    }

    /// Runs an input and keeps it if it is worth that. Why the evolution has to end, if it has.
    fn evaluate(&mut self, input: InputValues, ends: &Ends, runs: &mut Runs<'_, '_>) -> Option<Stop> {
        self.last_cost = None;
        if let Some(stop) = runs.expired() {
            return Some(stop);
        }
        if self.runs >= ends.runs {
            return Some(Stop::Paths);
        }
        if ends.generations.is_some_and(|most| self.runs >= most * GENERATION) {
            return Some(Stop::Generations);
        }
        self.runs += 1;
        let ran = runs.run(&input);
        self.last_cost = ran.map(|ran| ran.cost);
        let ran = ran?;
        self.domain.accept(&input);
        let hits = runs.hits();
        let mut hasher = DefaultHasher::new();
        (ran.cost, hits).hash(&mut hasher);
        let new = self.seen.insert(hasher.finish());
        self.records.resize(self.records.len().max(hits.len()), (0, usize::MAX));
        let records = self.records.iter().zip(hits).filter(|((record, _), hits)| *hits > record).count();
        let least =
            if self.individuals.len() < ELITE { None } else { self.individuals.iter().map(|one| one.cost).min() };
        if new && (records > 0 || least.is_none_or(|least| ran.cost > least)) {
            let position = self.individuals.len();
            for (record, hits) in self.records.iter_mut().zip(hits).filter(|(record, hits)| **hits > record.0) {
                if let Some(old) = self.individuals.get_mut(record.1) {
                    old.records -= 1;
                }
                *record = (*hits, position);
            }
            self.individuals.push(Individual { input, cost: ran.cost, records: records as u32 });
            if self.individuals.len() > 2 * (ELITE + MOST_HOLDERS) {
                self.cull();
            }
        }
        if ran.at_least {
            // Nothing can be seen to cost more.
            return Some(Stop::NothingCostlier);
        }
        ends.known.filter(|known| ran.cost >= *known).map(|_| Stop::KnownOptimum)
    }

    /// Keeps the costliest, and the costliest of the holders of records.
    fn cull(&mut self) {
        let mut order: Vec<usize> = (0..self.individuals.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(self.individuals[*i].cost));
        let mut keep = vec![false; order.len()];
        let mut holders = 0;
        for (place, i) in order.into_iter().enumerate() {
            let holds = self.individuals[i].records > 0;
            holders += usize::from(holds && place >= ELITE);
            keep[i] = place < ELITE || (holds && holders <= MOST_HOLDERS);
        }
        let kept = keep.iter().enumerate().filter(|(_, kept)| **kept).map(|(old, _)| old);
        let mut moved = vec![usize::MAX; keep.len()];
        for (new, old) in kept.enumerate() {
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
