//! Ways to make a child of an input, each drawn as often as it has been worth it: what breaks hash tables is not what breaks parsers.

use slowpath_search::Rng;

/// A way to make a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// A few changes of any kind.
    Havoc,
    /// Two parents, then a few changes.
    Cross,
    /// One element of the best input gets any value. This is how keys come together in one bucket of a hash table: one in so many values does.
    Redraw,
    /// One element of the best input gets the value of another one moved by the difference of two more. Where the difference of two keys keeps their
    /// bucket, so it does for the next one.
    Relate,
    /// Two elements of the best input change places. What sorts, and what orders keys otherwise, is often one exchange away from costing more: all else
    /// stays as it was.
    Exchange,
    /// A few changes, then one parameter is made equal to another of its kind.
    Equate,
}

/// All of them; the last only where parameters of one kind are there.
const OPERATORS: [Operator; 6] =
    [Operator::Havoc, Operator::Cross, Operator::Redraw, Operator::Relate, Operator::Exchange, Operator::Equate];
/// Of so many draws, one goes to any operator, however bad: what pays changes as a search goes on.
const EVEN: u64 = 3;
/// Draws after which counts are halved, so that what happened long ago is forgotten.
const MEMORY: u64 = 4_096;

/// How often each operator was used, and how often its child was costlier than its parent.
#[derive(Clone, Debug)]
pub struct Credit {
    counts: Vec<(u64, u64)>,
}

impl Credit {
    /// Nothing used yet, of all operators or of those that need no parameters of one kind.
    pub fn new(has_twins: bool) -> Credit {
        let count = if has_twins { OPERATORS.len() } else { OPERATORS.len() - 1 };
        Credit { counts: vec![(0, 0); count] }
    }

    /// The next operator.
    pub fn draw(&self, rng: &mut Rng) -> Operator {
        if rng.below(EVEN) == 0 {
            return OPERATORS[rng.below(self.counts.len() as u64) as usize];
        }
        // Successes in a million uses; one success for nothing in the beginning, so that nobody is left out.
        let worth = self.counts.iter().map(|(used, won)| 1 + (won + 1) * 1_000_000 / (used + 16));
        let mut at = rng.below(worth.clone().sum());
        for (operator, worth) in OPERATORS.iter().zip(worth) {
            if at < worth {
                return *operator;
            }
            at -= worth;
        }
        Operator::Havoc
    }

    /// Takes note of what a use brought.
    pub fn note(&mut self, operator: Operator, won: bool) {
        let place = OPERATORS.iter().position(|one| *one == operator);
        let Some(count) = place.and_then(|place| self.counts.get_mut(place)) else { return };
        count.0 += 1;
        count.1 += u64::from(won);
        if count.0 >= MEMORY {
            *count = (count.0 / 2, count.1 / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wins_is_drawn_most_and_nobody_is_left_out() {
        let (mut rng, mut credit) = (Rng::new(0, 0), Credit::new(true));
        let mut drawn = [0u64; OPERATORS.len()];
        for _ in 0..20_000 {
            let operator = credit.draw(&mut rng);
            drawn[OPERATORS.iter().position(|one| *one == operator).unwrap()] += 1;
            let won = operator == Operator::Redraw && rng.below(50) == 0;
            credit.note(operator, won);
        }
        assert!(drawn[2] > 10_000, "{drawn:?}");
        assert!(drawn.iter().all(|drawn| *drawn > 1_000), "{drawn:?}");
    }
}
