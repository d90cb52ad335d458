//! LOCALSEARCH: hill climbing from one path by inverting one of its decisions.
//!
//! Inversions that were never tried come first. How the path goes on after one is drawn among several ways; those that
//! paid are drawn more often.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use slowpath_machine::Answer;
use slowpath_term::TermId;

use super::individual::{Gene, Individual, extend_key};
use super::lab::Lab;
use super::plan::{Plan, Run};
use super::tail::{Aligned, Guide, Habit, LONGEST_HABIT, Regular, Sequence, Tail};
use crate::budget::Stop;
use crate::rng::Rng;

/// Inversions remembered; with more, remembering starts afresh.
const MOST_EXPLORED: usize = 1 << 20;
/// Draws before decisions are gone through for one whose inversion was never tried.
const DRAWS: usize = 8;

/// How a path goes on after the inversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continuation {
    /// The parent's later conditions, and random sides elsewhere: the paper's local search.
    Conditions,
    /// The parent's later conditions, and elsewhere as the input found for them goes.
    ConditionsThenModel,
    /// As the input goes that the solver found for the inversion.
    Model,
    /// The parent's answers, by site, activation and occurrence.
    Aligned,
    /// The parent's answers, in their order.
    Sequence,
    /// The parent's habits.
    Habit,
    /// From here on always the inverted side of the site, in this activation or in all; else the parent's answers.
    Regular,
    /// From here on always the inverted side of the site; else the parent's habits.
    RegularHabit,
    Random,
    /// No inversion: the path of an input near the parent's.
    Nearby,
    /// No inversion by the solver: the two values that the decision compares change places.
    Exchanged,
}

const CONTINUATIONS: [Continuation; 11] = [
    Continuation::Conditions,
    Continuation::ConditionsThenModel,
    Continuation::Model,
    Continuation::Aligned,
    Continuation::Sequence,
    Continuation::Habit,
    Continuation::Regular,
    Continuation::RegularHabit,
    Continuation::Random,
    Continuation::Nearby,
    Continuation::Exchanged,
];

/// What local searches remember from one to the next.
pub(crate) struct Memory {
    /// Inversions that were tried, by the path before them and the decision.
    explored: FxHashSet<u64>,
    /// Those that no input takes.
    infeasible: FxHashSet<u64>,
    /// How well each has paid of late.
    credit: [f64; CONTINUATIONS.len()],
}

impl Memory {
    const LEAST_CREDIT: f64 = 0.5;
    const MOST_CREDIT: f64 = 16.0;

    /// Nothing was tried yet.
    pub fn new() -> Memory {
        Memory { explored: FxHashSet::default(), infeasible: FxHashSet::default(), credit: [2.0; CONTINUATIONS.len()] }
    }

    fn draw_continuation(&self, rng: &mut Rng) -> usize {
        let total: f64 = self.credit.iter().sum();
        let mut at = (rng.next() >> 11) as f64 / (1u64 << 53) as f64 * total;
        for (i, credit) in self.credit.iter().enumerate() {
            if at < *credit {
                return i;
            }
            at -= credit;
        }
        CONTINUATIONS.len() - 1
    }

    fn paid(&mut self, next: usize, improved: bool) {
        let credit = &mut self.credit[next];
        *credit = if improved { *credit * 1.5 + 1.0 } else { *credit * 0.97 };
        *credit = credit.clamp(Memory::LEAST_CREDIT, Memory::MOST_CREDIT);
    }

    fn inversion(individual: &Individual, index: usize) -> u64 {
        let gene = individual.genes[index];
        // No decision has this answer, so that the key is no path's.
        extend_key(individual.key_before(index), gene.site, Answer::Value(0))
    }

    /// A decision to invert: one never tried if there is any, else any that is not known to be impossible.
    fn draw_decision(&mut self, individual: &Individual, rng: &mut Rng) -> Option<usize> {
        let length = individual.genes.len();
        if length == 0 {
            return None;
        }
        if self.explored.len() + self.infeasible.len() >= MOST_EXPLORED {
            self.explored.clear();
            self.infeasible.clear();
        }
        let mut draw = || rng.below(length as u64) as usize;
        let start = draw();
        let open = |set: &FxHashSet<u64>, i: &usize| !set.contains(&Memory::inversion(individual, *i));
        let unexplored = |i: &usize| open(&self.explored, i) && open(&self.infeasible, i);
        let mut candidates: Vec<usize> = vec![start];
        candidates.extend((1..DRAWS).map(|_| draw()));
        if let Some(found) = candidates.into_iter().find(unexplored) {
            return Some(found);
        }
        let around = || (start..length).chain(0..start);
        around().find(unexplored).or_else(|| around().find(|i| open(&self.infeasible, i)))
    }
}

/// The whole path, or a part of it: what is regular in one part may not be so in another.
fn part<'a>(parent: &'a Individual, rng: &mut Rng) -> &'a [Gene] {
    let length = parent.genes.len() as u64;
    if rng.below(2) == 0 || length < 8 {
        return &parent.genes;
    }
    let size = length / 8 + rng.below(length / 2);
    let start = rng.below(length - size + 1);
    &parent.genes[start as usize..(start + size) as usize]
}

/// A plan that inverts one decision of a path.
fn inversion<'a>(parent: &'a Individual, index: usize, next: Continuation, rng: &mut Rng) -> Plan<'a> {
    let after = &parent.genes[index + 1..];
    let gene = parent.genes[index];
    let conditions = || -> Vec<TermId> { after.iter().map(|gene| gene.cond).collect() };
    let sequence = || Guide::Sequence(Sequence::of(after.iter().map(|g| (g.site, g.answer))));
    let habit = |rng: &mut Rng| {
        let length = rng.below(LONGEST_HABIT as u64 + 1) as usize;
        let strict = rng.below(2) == 0;
        Guide::Habit(Habit::of(part(parent, rng), &parent.genes[..index], length, strict))
    };
    let mut tail = Tail::random();
    let mut assumed = Vec::new();
    match next {
        Continuation::Conditions => assumed = conditions(),
        Continuation::ConditionsThenModel => assumed = conditions(),
        Continuation::Model | Continuation::Random | Continuation::Nearby | Continuation::Exchanged => {}
        Continuation::Aligned => tail.guide = Guide::Aligned(Aligned::to(after)),
        Continuation::Sequence => tail.guide = sequence(),
        Continuation::Habit | Continuation::RegularHabit => tail.guide = habit(rng),
        Continuation::Regular => {
            tail.guide = if rng.below(2) == 0 { Guide::Aligned(Aligned::to(after)) } else { sequence() };
        }
    }
    tail.keep_model = match next {
        Continuation::Conditions | Continuation::Random => false,
        Continuation::ConditionsThenModel | Continuation::Model => true,
        _ => rng.below(2) == 0,
    };
    if matches!(next, Continuation::Regular | Continuation::RegularHabit)
        && let Answer::Bool(b) = gene.answer
    {
        let activation = (rng.below(2) == 0).then_some(gene.activation);
        tail.regular = Some(Regular { site: gene.site, activation, answer: Answer::Bool(!b) });
    }
    Plan { parent: Some((parent, index)), model: None, invert: true, conditions: assumed, tail }
}

/// Climbs from `start` until `failures` attempts in a row bring nothing, though not before `least` attempts. Paths of the
/// same cost are walked to as well, since the way up may lead along a plateau.
pub(crate) fn local_search(
    lab: &mut Lab<'_>,
    start: &Rc<Individual>,
    failures: u64,
    least: u64,
    memory: &mut Memory,
    rng: &mut Rng,
) -> Result<Rc<Individual>, (Stop, Rc<Individual>)> {
    let mut current = Rc::clone(start);
    let (mut failed, mut attempts) = (0, 0);
    while failed < failures || attempts < least {
        attempts += 1;
        let Some(index) = memory.draw_decision(&current, rng) else { break };
        let next = memory.draw_continuation(rng);
        let inverts = !matches!(CONTINUATIONS[next], Continuation::Nearby | Continuation::Exchanged);
        let run = match CONTINUATIONS[next] {
            Continuation::Nearby => lab.run_nearby(&current, rng),
            Continuation::Exchanged => {
                let any = rng.below(current.genes.len() as u64) as usize;
                lab.run_exchanged(&current, any, rng)
            }
            next => lab.run(inversion(&current, index, next, rng), rng),
        };
        let key = Memory::inversion(&current, index);
        if inverts && matches!(run, Ok(Run::Nothing | Run::Path(..))) {
            memory.explored.insert(key);
        }
        match run {
            Err(stop) => return Err((stop, current)),
            Ok(Run::Infeasible) => {
                memory.infeasible.insert(key);
                // Costs next to nothing, and is not tried again.
                continue;
            }
            Ok(Run::Nothing) => memory.paid(next, false),
            Ok(Run::Path(found, new)) => {
                let improved = found.cost > current.cost;
                memory.paid(next, improved);
                if improved || (new && found.cost == current.cost) {
                    current = found;
                }
                if improved {
                    failed = 0;
                    continue;
                }
            }
        }
        failed += 1;
    }
    Ok(current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::evolve::test_target::{DESCENTS, ZEROS, target};

    #[test]
    fn climbing_alone_reaches_the_worst_of_independent_decisions() {
        let target = target(ZEROS);
        let mut lab = Lab::new(&target, 12, None, &Budget::default()).unwrap();
        let mut rng = Rng::new(1, 1);
        let Ok(Run::Path(start, true)) = lab.run(Plan::free(Tail::random()), &mut rng) else { panic!("a path") };
        let mut memory = Memory::new();
        let Ok(found) = local_search(&mut lab, &start, 40, 0, &mut memory, &mut rng) else { panic!("no limit") };
        assert!(found.cost > start.cost);
        assert!(found.genes.iter().all(|gene| gene.answer == found.genes[0].answer), "all elements are zero");
        assert_eq!(Some(found.cost), lab.best_cost());
    }

    #[test]
    fn values_that_are_compared_change_places_and_the_decision_with_them() {
        let target = target(DESCENTS);
        let mut lab = Lab::new(&target, 8, None, &Budget::default()).unwrap();
        let mut rng = Rng::new(3, 1);
        let Ok(Run::Path(path, _)) = lab.run(Plan::free(Tail::random()), &mut rng) else { panic!("a path") };
        let mut exchanged = 0;
        for index in 0..path.genes.len() {
            // Equal values have nothing to exchange.
            let Ok(Run::Path(other, _)) = lab.run_exchanged(&path, index, &mut rng) else { continue };
            assert_ne!(other.genes[index].answer, path.genes[index].answer);
            let differ = |i: &usize| other.genes[*i].answer != path.genes[*i].answer;
            let beside = (0..path.genes.len()).filter(differ).all(|i| i.abs_diff(index) <= 1);
            assert!(beside && other.genes.len() == path.genes.len(), "decisions about other elements stay");
            exchanged += 1;
        }
        assert!(exchanged > 0);
    }

    #[test]
    fn inversions_never_tried_come_first() {
        let target = target(ZEROS);
        let mut lab = Lab::new(&target, 6, None, &Budget::default()).unwrap();
        let mut rng = Rng::new(1, 1);
        let Ok(Run::Path(path, _)) = lab.run(Plan::free(Tail::random()), &mut rng) else { panic!("a path") };
        let mut memory = Memory::new();
        let mut drawn: Vec<usize> = (0..path.genes.len())
            .map(|_| {
                let index = memory.draw_decision(&path, &mut rng).unwrap();
                memory.explored.insert(Memory::inversion(&path, index));
                index
            })
            .collect();
        drawn.sort_unstable();
        assert_eq!(drawn, (0..path.genes.len()).collect::<Vec<_>>());
        assert!(memory.draw_decision(&path, &mut rng).is_some());
        for i in 0..path.genes.len() {
            memory.infeasible.insert(Memory::inversion(&path, i));
        }
        assert_eq!(memory.draw_decision(&path, &mut rng), None);
    }
}
