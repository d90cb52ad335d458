//! Which values conditions on one input allow, for whoever compares conditions by their meaning.

use std::rc::Rc;

use slowpath_term::{TermId, Terms};

use crate::sets::Solutions;

/// Values of an input, as intervals, ascending and apart, both ends included.
pub type Intervals = Rc<[(u64, u64)]>;

/// Finds the values that a condition on one input allows, and remembers them.
#[derive(Default)]
pub struct Allowed {
    solutions: Solutions,
}

impl Allowed {
    /// The values for which the condition holds, which is about one input; None if that is not easily said.
    pub fn values(&mut self, terms: &Terms, condition: TermId) -> Option<Intervals> {
        let solution = self.solutions.of(terms, condition)?;
        let ordered = solution.set.ordered(false);
        Some(ordered.into_iter().map(|(low, high)| (low as u64, high as u64)).collect())
    }
}

#[cfg(test)]
mod tests {
    use slowpath_term::{CmpOp, InputId, Terms};

    use super::Allowed;

    #[test]
    fn what_a_comparison_leaves_of_a_byte() {
        let mut terms = Terms::new();
        let x = terms.var(InputId(0), 8);
        let five = terms.constant(8, 5);
        let is_five = terms.cmp(CmpOp::Eq, x, five);
        let other = terms.not(is_five);
        let values = Allowed::default().values(&terms, other).expect("one input");
        assert_eq!(values[..], [(0, 4), (6, 255)]);
    }
}
