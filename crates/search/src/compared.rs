//! What a run compares with what: the values on both sides of every comparison that an input has a say in. Fuzzers put the one in the place of
//! the other, which gets them past checks that no chance would.

use std::collections::HashSet;

use slowpath_program::input::InputValues;
use slowpath_term::{Node as Shape, TermId};

use crate::budget::Budget;
use crate::driver::{Choice, Driver, Step};
use crate::node::Node;
use crate::target::{SearchError, Target};

/// Pairs of values that are told, the first ones; and decisions that are looked at.
const MOST_PAIRS: usize = 256;
const MOST_DECISIONS: usize = 20_000;

/// Pairs of different values that the input led to be compared, as signed numbers, each once, in the order they were met. As far as the budget goes.
pub fn compared_values(
    target: &Target,
    n: i64,
    input: &InputValues,
    budget: &Budget,
) -> Result<Vec<(i64, i64)>, SearchError> {
    let mut driver = Driver::new(target, budget);
    driver.keeps_model = true;
    driver.asks_solver = false;
    let mut node = driver.root(n)?;
    node.model = driver.words(n).model(input);
    let (mut known, mut pairs) = (HashSet::new(), Vec::new());
    for _ in 0..MOST_DECISIONS {
        let Step::Decide(choice) = driver.advance(&mut node) else { break };
        if let Some(pair) = pair(&mut driver, &node, &choice).filter(|(a, b)| a != b)
            && known.insert(pair)
        {
            pairs.push(pair);
        }
        if pairs.len() >= MOST_PAIRS {
            break;
        }
        driver.take(&mut node, &choice, choice.current, None, false);
    }
    Ok(pairs)
}

/// The values that a decision compares, if it is a comparison.
fn pair(driver: &mut Driver<'_>, node: &Node, choice: &Choice) -> Option<(i64, i64)> {
    let (a, b) = match choice.sides.get(choice.current)?.terms() {
        [Some(a), Some(b)] => (a, b),
        [Some(condition), None] => operands(driver, condition)?,
        [None, _] => return None,
    };
    Some((signed(driver, node, a), signed(driver, node, b)))
}

/// Both sides of a comparison, or of the opposite of one.
fn operands(driver: &Driver<'_>, condition: TermId) -> Option<(TermId, TermId)> {
    match driver.terms.node(condition) {
        Shape::Cmp { a, b, .. } => Some((a, b)),
        Shape::Un { a, .. } => match driver.terms.node(a) {
            Shape::Cmp { a, b, .. } => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}

fn signed(driver: &mut Driver<'_>, node: &Node, term: TermId) -> i64 {
    let unused = 64 - u32::from(driver.terms.width(term));
    (driver.value(node, term) << unused).cast_signed() >> unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concrete::draw_input;
    use crate::evolve::test_target::target;

    #[test]
    fn both_sides_of_every_comparison_are_told() {
        // The first element against a constant, and the second against the first plus one.
        let target = target(
            r#"(module (memory (export "memory") 1)
            (func (export "f") (param $p i32) (param $n i32)
              (if (i32.eq (i32.load (local.get $p)) (i32.const 123456)) (then (nop)))
              (if (i32.lt_s (i32.load offset=4 (local.get $p)) (i32.add (i32.load (local.get $p)) (i32.const 1)))
                (then (nop)))))"#,
        );
        let mut input = draw_input(&target, 2, 0, &Budget::default()).unwrap().unwrap();
        input.0[0].bits = vec![7, u64::from((-3_i32).cast_unsigned())];
        let pairs = compared_values(&target, 2, &input, &Budget::default()).unwrap();
        let has = |a: i64, b: i64| pairs.contains(&(a, b)) || pairs.contains(&(b, a));
        assert!(has(7, 123_456) && has(-3, 8), "{pairs:?}");
    }
}
