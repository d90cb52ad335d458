//! CROSSOVER: the beginning of one path condition with the end of another.

use slowpath_term::TermId;

use super::chance;
use super::individual::Individual;
use super::mutate::mutate_random;
use crate::rng::Rng;

/// A precondition: as many conditions of a parent as lead its path, and what is wanted after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Precondition {
    /// Decisions of the first parent to follow.
    pub shared: usize,
    /// Conditions on top of them.
    pub rest: Vec<TermId>,
}

/// The preconditions of both children. The first follows `a` up to its cut, the second `b`.
pub(crate) fn crossover(a: &Individual, b: &Individual, mutation: f64, rng: &mut Rng) -> [Precondition; 2] {
    let cut_a = cut(a.genes.len(), rng);
    let cut_b = cut(b.genes.len(), rng);
    [joined(a, cut_a, b, cut_b, mutation, rng), joined(b, cut_b, a, cut_a, mutation, rng)]
}

/// A random cut between 1 and the length.
fn cut(length: usize, rng: &mut Rng) -> usize {
    if length == 0 { 0 } else { 1 + rng.below(length as u64) as usize }
}

fn joined(head: &Individual, cut: usize, tail: &Individual, from: usize, mutation: f64, rng: &mut Rng) -> Precondition {
    let conditions = |i: &Individual, range: std::ops::Range<usize>| -> Vec<TermId> {
        i.genes[range].iter().map(|gene| gene.cond).collect()
    };
    let mut pre = conditions(head, 0..cut);
    pre.extend(conditions(tail, from..tail.genes.len()));
    if chance(rng, mutation) {
        mutate_random(&mut pre, rng);
    }
    // A child leaves its parent where the first condition is missing, or at the cut.
    let shared = head.genes[..cut].iter().zip(&pre).take_while(|(gene, cond)| gene.cond == **cond).count();
    Precondition { shared, rest: pre.split_off(shared) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::individual::Gene;
    use crate::evolve::snapshots::Snapshots;
    use slowpath_machine::Answer;
    use slowpath_program::SiteId;
    use slowpath_term::{InputId, Model, Terms};

    fn individual(conditions: &[TermId]) -> Individual {
        let gene = |(i, cond): (usize, &TermId)| Gene {
            site: SiteId(0),
            activation: 0,
            answer: Answer::Bool(true),
            cond: *cond,
            key: i as u64,
        };
        let genes = conditions.iter().enumerate().map(gene).collect();
        Individual { genes, cost: 1, model: Model::new(), masks: Default::default(), snapshots: Snapshots::new(1) }
    }

    #[test]
    fn children_are_a_beginning_and_an_end() {
        let mut terms = Terms::new();
        let all: Vec<TermId> = (0..30).map(|i| terms.var(InputId(i), 1)).collect();
        let (a, b) = (individual(&all[..10]), individual(&all[10..]));
        for stream in 0..100 {
            let [first, second] = crossover(&a, &b, 0.0, &mut Rng::new(3, stream));
            assert!((1..=10).contains(&first.shared) && (1..=20).contains(&second.shared));
            assert_eq!(first.rest, all[10 + second.shared..]);
            assert_eq!(second.rest, all[first.shared..10]);
        }
    }

    #[test]
    fn a_mutated_child_shares_less_of_its_parent() {
        let mut terms = Terms::new();
        let all: Vec<TermId> = (0..30).map(|i| terms.var(InputId(i), 1)).collect();
        let (a, b) = (individual(&all[..10]), individual(&all[10..]));
        for stream in 0..100 {
            let [first, _] = crossover(&a, &b, 1.0, &mut Rng::new(4, stream));
            let kept: Vec<TermId> = all[..first.shared].iter().chain(&first.rest).copied().collect();
            assert!(kept.windows(2).all(|w| w[0] < w[1]), "the order stays");
            assert!(!first.rest.contains(&all[first.shared]) || first.shared == 10);
        }
    }

    #[test]
    fn a_path_without_decisions_can_be_crossed() {
        let (a, b) = (individual(&[]), individual(&[]));
        let [first, second] = crossover(&a, &b, 1.0, &mut Rng::new(0, 0));
        assert_eq!((first.shared, second.shared), (0, 0));
        assert!(first.rest.is_empty() && second.rest.is_empty());
    }
}
