//! The evolution (Algorithm 1): sample, then select, cross, survive, and now and then climb.

use std::rc::Rc;

use super::crossover::crossover;
use super::individual::Individual;
use super::lab::Lab;
use super::local_search::{Memory, local_search};
use super::params::EvolveParams;
use super::plan::{Plan, Run};
use super::population::Population;
use super::select::selection;
use super::tail::{Bias, Guide, Tail};
use crate::budget::{Budget, Stop};
use crate::findings::{Provenance, SizeFinding};
use crate::node::Decision;
use crate::rng::Rng;
use crate::target::{SearchError, Target};

/// Generations in a row without a new path after which there is nothing left to find.
const FRUITLESS: u64 = 20;

/// Evaluations of a local search for each of the generations before it.
const CLIMB_SHARE: u64 = 3;

/// Evolves paths at size `n`. `seeds` are paths to begin with, besides the random ones.
pub fn evolve(
    target: &Target,
    n: i64,
    params: &EvolveParams,
    seeds: &[Vec<Decision>],
    budget: &Budget,
) -> Result<SizeFinding, SearchError> {
    let begun = budget.now();
    let mut lab = Lab::new(target, n, params.known_optimum, budget)?;
    lab.patience = params.patience;
    let mut evolution = Evolution {
        lab,
        params,
        population: Population::default(),
        memory: Memory::new(),
        rng: Rng::new(target.seed, 0xE501 ^ (params.stream << 32)),
        generations: 0,
        climbed: 0,
        fruitless: 0,
    };
    let stop = match evolution.all(seeds) {
        Ok(never) => match never {},
        Err(stop) => stop,
    };
    let Evolution { lab, generations, .. } = evolution;
    let provenance = Provenance::Evolved { generations, evaluations: lab.evaluations, duplicates: lab.duplicates };
    Ok(lab.finding(provenance, stop, begun))
}

struct Evolution<'t, 'p> {
    lab: Lab<'t>,
    params: &'p EvolveParams,
    population: Population,
    memory: Memory,
    rng: Rng,
    generations: u64,
    /// Evaluations at the end of the last local search.
    climbed: u64,
    /// Generations since the last new path.
    fruitless: u64,
}

impl Evolution<'_, '_> {
    /// Goes on until something stops it.
    fn all(&mut self, seeds: &[Vec<Decision>]) -> Result<std::convert::Infallible, Stop> {
        self.sample(seeds)?;
        if self.params.ls_period > 0 {
            self.climb()?;
        }
        loop {
            if self.params.generations.is_some_and(|most| self.generations >= most) {
                return Err(Stop::Generations);
            }
            let paths = self.lab.tally.paths;
            self.generation()?;
            self.generations += 1;
            if self.params.ls_period > 0 && self.generations.is_multiple_of(self.params.ls_period) {
                self.climb()?;
            }
            self.lab.refresh(&mut self.population.0)?;
            self.fruitless = if self.lab.tally.paths > paths { 0 } else { self.fruitless + 1 };
            if self.fruitless >= FRUITLESS {
                return Err(Stop::NothingNew);
            }
        }
    }

    fn size(&self) -> usize {
        self.params.population.max(2)
    }

    /// RANDOMPATHSAMPLING, and half as many again of regular paths: each site has a favourite side.
    fn sample(&mut self, seeds: &[Vec<Decision>]) -> Result<(), Stop> {
        for seed in seeds {
            if let Run::Path(individual, _) = self.lab.follow(seed, &mut self.rng)? {
                self.population.add(individual);
            }
        }
        for i in 0..self.size() + self.size() / 2 {
            let tail = if i < self.size() { Tail::random() } else { Tail::by(Guide::Bias(Bias::default())) };
            if let Run::Path(individual, _) = self.lab.run(Plan::free(tail), &mut self.rng)? {
                self.population.add(individual);
            }
        }
        self.population.survive(self.size(), self.params.elite.max(1), &mut self.rng);
        Ok(())
    }

    fn generation(&mut self) -> Result<(), Stop> {
        if let Some(stop) = self.lab.spent() {
            return Err(stop);
        }
        let mut offspring: Vec<Rc<Individual>> = Vec::new();
        for (a, b) in selection(&self.population.costs(), &mut self.rng) {
            let (a, b) = (Rc::clone(&self.population.0[a]), Rc::clone(&self.population.0[b]));
            let children = crossover(&a, &b, self.params.mutation, &mut self.rng);
            for (parent, pre) in [&a, &b].into_iter().zip(children) {
                let plan = Plan {
                    parent: Some((parent, pre.shared)),
                    model: None,
                    invert: false,
                    conditions: pre.rest,
                    tail: Tail::random(),
                };
                if let Run::Path(child, _) = self.lab.run(plan, &mut self.rng)? {
                    offspring.push(child);
                }
            }
        }
        for child in offspring {
            self.population.add(child);
        }
        self.population.survive(self.size(), self.params.elite, &mut self.rng);
        Ok(())
    }

    /// Local search, first of all from the fittest of the sample, and every other time from another of the elite. It takes several times the
    /// evaluations that the generations before it did, since it finds more with them.
    fn climb(&mut self) -> Result<(), Stop> {
        let Some(worst) = self.population.worst() else { return Ok(()) };
        let round = self.generations / self.params.ls_period.max(1);
        let among = self.params.elite.clamp(1, self.population.0.len()) as u64;
        let from = if round % 2 == 1 { self.rng.below(among) as usize } else { worst };
        let least = CLIMB_SHARE * (self.lab.evaluations - self.climbed);
        let start = Rc::clone(&self.population.0[from]);
        let attempts = self.params.ls_attempts;
        let climbed = local_search(&mut self.lab, &start, attempts, least, &mut self.memory, &mut self.rng);
        let found = climbed.map_err(|(stop, _)| stop)?;
        self.climbed = self.lab.evaluations;
        if self.population.0.iter().all(|known| known.key() != found.key()) {
            self.population.0[from] = found;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::test_target::{ZEROS, target};
    use crate::exhaustive::depth_first;

    fn params(generations: u64) -> EvolveParams {
        EvolveParams { generations: Some(generations), ..EvolveParams::default() }
    }

    #[test]
    fn evolution_reaches_the_exhaustive_worst_and_claims_nothing_more() {
        let target = target(ZEROS);
        let found = evolve(&target, 10, &params(30), &[], &Budget::default()).unwrap();
        let exact = depth_first(&target, 10, &Budget::default()).unwrap();
        assert_eq!(found.worst.unwrap().cost, exact.worst.unwrap().cost);
        assert!(found.paths <= exact.paths && !found.complete);
        assert!(
            matches!(found.provenance, Provenance::Evolved { generations: 1.., evaluations, .. } if evaluations >= found.paths)
        );
    }

    #[test]
    fn a_seed_decides_everything() {
        let mut target = target(ZEROS);
        let run = |target: &Target| {
            let f = evolve(target, 14, &params(5), &[], &Budget::default()).unwrap();
            (f.paths, f.provenance, f.worst.map(|w| (w.cost, w.input)))
        };
        let (first, again) = (run(&target), run(&target));
        assert_eq!(first, again);
        target.seed = 1;
        assert_ne!(first.0, run(&target).0);
    }

    #[test]
    fn a_known_optimum_ends_the_search_and_so_does_the_end_of_novelty() {
        let target = target(ZEROS);
        let exact = depth_first(&target, 8, &Budget::default()).unwrap().worst.unwrap().cost;
        let told = EvolveParams { known_optimum: Some(exact), ..EvolveParams::default() };
        let found = evolve(&target, 8, &told, &[], &Budget::default()).unwrap();
        assert_eq!(found.stop, Some(Stop::KnownOptimum));
        let small = evolve(&target, 2, &EvolveParams::default(), &[], &Budget::default()).unwrap();
        assert_eq!((small.stop, small.paths), (Some(Stop::NothingNew), 4));
    }

    #[test]
    fn an_evolution_without_success_for_as_long_again_ends() {
        let patient = EvolveParams { patience: Some(100), ..EvolveParams::default() };
        let found = evolve(&target(ZEROS), 30, &patient, &[], &Budget::default()).unwrap();
        assert_eq!(found.stop, Some(Stop::NothingCostlier));
        let Provenance::Evolved { evaluations, .. } = found.provenance else { panic!("it was evolved") };
        assert!(evaluations > 100);
    }

    #[test]
    fn a_seeded_path_is_part_of_the_population() {
        let target = target(ZEROS);
        let exact = depth_first(&target, 10, &Budget::default()).unwrap().worst.unwrap();
        let none = EvolveParams { population: 2, generations: Some(0), ..EvolveParams::default() };
        let found = evolve(&target, 10, &none, &[exact.decisions], &Budget::default()).unwrap();
        assert_eq!(found.worst.unwrap().cost, exact.cost);
    }

    #[test]
    fn a_small_arena_is_renewed() {
        let target = target(ZEROS);
        let budget = Budget { terms: 300, ..Budget::default() };
        let found = evolve(&target, 40, &params(25), &[], &budget).unwrap();
        assert!(found.worst.is_some());
        assert!(matches!(found.stop, Some(Stop::Generations | Stop::Memory)), "{:?}", found.stop);
    }
}
