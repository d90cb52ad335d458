//! Hill climbing: one element of the best input gets another value, and what costs no less is kept. Elements whose change has only
//! ever cost something are left alone more and more, so that the few that are not in place yet are found.

use slowpath_program::input::InputValues;
use slowpath_search::Rng;

use crate::mutation::{Mutator, elements, exchange};

/// Elements drawn for one step: the one of them that lost least is changed.
const DRAWN: u64 = 3;
/// Steps without a gain after which the climber starts again from whatever is best by then.
const PATIENCE: u64 = 20_000;

/// Where a climber stands.
#[derive(Clone, Debug)]
pub struct Climber {
    input: InputValues,
    cost: u64,
    /// For every element how often changing it made the input cheaper.
    losses: Vec<u32>,
    /// The element that was changed last.
    changed: usize,
    vain: u64,
}

/// What to do to the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Any value of its range.
    Redraw,
    /// The value of another element, moved by the difference of two more.
    Relate,
    /// The place of another element of its input.
    Exchange,
}

impl Climber {
    /// A climber at an input.
    pub fn new(input: InputValues, cost: u64) -> Climber {
        let losses = vec![0; elements(&input)];
        Climber { input, cost, losses, changed: 0, vain: 0 }
    }

    /// Whether it has come to an end, or somebody else is higher up.
    pub fn is_overtaken(&self, best: u64) -> bool {
        best > self.cost || self.vain > PATIENCE
    }

    /// The next input to try.
    pub fn step(&mut self, step: Step, mutator: &Mutator<'_>, rng: &mut Rng) -> InputValues {
        let count = self.losses.len().max(1) as u64;
        let drawn = (0..DRAWN).map(|_| rng.below(count) as usize);
        self.changed = drawn.min_by_key(|at| self.losses.get(*at).copied().unwrap_or(0)).unwrap_or(0);
        let mut child = self.input.clone();
        match step {
            Step::Redraw => mutator.redraw(&mut child, self.changed, rng),
            Step::Relate => mutator.relate(&mut child, self.changed, rng),
            Step::Exchange => exchange(&mut child, self.changed, rng),
        }
        child
    }

    /// Takes what was tried, if it costs no less. Whether it costs more.
    pub fn tried(&mut self, child: &InputValues, cost: Option<u64>) -> bool {
        let gained = cost.is_some_and(|cost| cost > self.cost);
        self.vain = if gained { 0 } else { self.vain + 1 };
        match cost {
            Some(cost) if cost >= self.cost => {
                self.cost = cost;
                self.input.clone_from(child);
            }
            _ => {
                if let Some(losses) = self.losses.get_mut(self.changed) {
                    *losses += 1;
                }
            }
        }
        gained
    }
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;
    use crate::dictionary::Dictionary;
    use crate::domain::Domain;

    /// The longest list of a hash table with 64 lists.
    fn longest(input: &InputValues) -> u64 {
        let mut lists = [0u64; 64];
        for key in &input.0[0].bits {
            lists[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize] += 1;
        }
        lists.into_iter().max().unwrap_or(0)
    }

    #[test]
    fn keys_come_together_in_one_list_within_some_thousand_steps() {
        let keys = NamedInput { name: "keys".into(), ty: ElemType::U32, scalar: false, bits: (0..32).collect() };
        let template = InputValues(vec![keys]);
        let domain = Domain { template: template.clone(), ranges: vec![(0, u32::MAX.into())], declared: true };
        let dictionary = Dictionary::default();
        let mutator = Mutator { domain: &domain, dictionary: &dictionary };
        let (mut climber, mut rng) = (Climber::new(template.clone(), longest(&template)), Rng::new(0, 0));
        for _ in 0..12_000 {
            let child = climber.step(Step::Redraw, &mutator, &mut rng);
            climber.tried(&child, Some(longest(&child)));
        }
        assert_eq!(climber.cost, 32);
    }
}
