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
    /// A value that the program compared is put in the place of the one it was compared with.
    Compared,
}

/// All of them.
const OPERATORS: [Operator; 5] =
    [Operator::Havoc, Operator::Cross, Operator::Redraw, Operator::Relate, Operator::Compared];
/// Of so many draws, one goes to any operator, however bad: what pays changes as a search goes on.
const EVEN: u64 = 3;
/// Draws after which counts are halved, so that what happened long ago is forgotten.
const MEMORY: u64 = 4_096;

/// How often each operator was used, and how often its child was costlier than its parent.
#[derive(Clone, Debug, Default)]
pub struct Credit {
    counts: [(u64, u64); OPERATORS.len()],
}

impl Credit {
    /// The next operator.
    pub fn draw(&self, rng: &mut Rng) -> Operator {
        if rng.below(EVEN) == 0 {
            return OPERATORS[rng.below(OPERATORS.len() as u64) as usize];
        }
        // Successes in a million uses; one success for nothing in the beginning, so that nobody is left out.
        let worth = self.counts.map(|(used, won)| 1 + (won + 1) * 1_000_000 / (used + 16));
        let mut at = rng.below(worth.iter().sum());
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
        let Some(place) = OPERATORS.iter().position(|one| *one == operator) else { return };
        self.counts[place].0 += 1;
        self.counts[place].1 += u64::from(won);
        if self.counts[place].0 >= MEMORY {
            self.counts[place] = (self.counts[place].0 / 2, self.counts[place].1 / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wins_is_drawn_most_and_nobody_is_left_out() {
        let (mut rng, mut credit) = (Rng::new(0, 0), Credit::default());
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
