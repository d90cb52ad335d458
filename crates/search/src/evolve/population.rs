//! The population: its elite, who survives, and the fittest of all.

use std::rc::Rc;

use super::individual::Individual;
use super::select::survival_selection;
use crate::rng::Rng;

/// The individuals of a generation, each path once.
#[derive(Default)]
pub(crate) struct Population(pub Vec<Rc<Individual>>);

impl Population {
    /// Takes an individual in, unless its path is there already.
    pub fn add(&mut self, individual: Rc<Individual>) -> bool {
        let new = self.0.iter().all(|known| known.key() != individual.key());
        if new {
            self.0.push(individual);
        }
        new
    }

    /// The fitness of everybody.
    pub fn costs(&self) -> Vec<u64> {
        self.0.iter().map(|i| i.cost).collect()
    }

    /// WORSTINDIVIDUAL: the position of the costliest; the earliest of equals.
    pub fn worst(&self) -> Option<usize> {
        (0..self.0.len()).max_by_key(|i| (self.0[*i].cost, std::cmp::Reverse(*i)))
    }

    /// The next generation: the elite, and of the others a selection in proportion to fitness.
    pub fn survive(&mut self, size: usize, elite: usize, rng: &mut Rng) {
        // Stable, so that equals keep their order.
        self.0.sort_by_key(|i| std::cmp::Reverse(i.cost));
        let elite = elite.min(size).min(self.0.len());
        let others = self.0.split_off(elite);
        let costs: Vec<u64> = others.iter().map(|i| i.cost).collect();
        for i in survival_selection(&costs, size - elite, rng) {
            self.0.push(Rc::clone(&others[i]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::individual::{Gene, extend_key};
    use crate::evolve::snapshots::Snapshots;
    use slowpath_machine::Answer;
    use slowpath_program::SiteId;
    use slowpath_term::{Model, Terms};

    fn individual(site: u32, cost: u64) -> Rc<Individual> {
        let answer = Answer::Bool(true);
        let key = extend_key(0, SiteId(site), answer);
        let genes = vec![Gene { site: SiteId(site), activation: 0, answer, cond: Terms::new().tt(), key }];
        Rc::new(Individual {
            genes,
            cost,
            model: Model::new(),
            masks: Default::default(),
            snapshots: Snapshots::new(1),
        })
    }

    #[test]
    fn a_path_is_taken_in_once() {
        let mut population = Population::default();
        assert!(population.add(individual(1, 5)));
        assert!(!population.add(individual(1, 5)));
        assert!(population.add(individual(2, 5)));
        assert_eq!(population.worst(), Some(0));
    }

    #[test]
    fn the_elite_survives_and_the_size_is_kept() {
        for stream in 0..50 {
            let mut population = Population((0..40).map(|i| individual(i, u64::from(i))).collect());
            population.survive(10, 3, &mut Rng::new(0, stream));
            let costs = population.costs();
            assert_eq!(costs.len(), 10);
            assert_eq!(costs[..3], [39, 38, 37]);
        }
        let mut few = Population(vec![individual(1, 1)]);
        few.survive(10, 3, &mut Rng::new(0, 0));
        assert_eq!(few.costs(), [1]);
    }
}
