//! What makes a condition hard, in a few words: for whoever could bound an input, and for whoever writes the next layer.

use rustc_hash::FxHashSet;
use slowpath_term::{BinOp, Node, TermId, Terms};

/// Terms looked at.
const MOST_TERMS: usize = 4_000;

/// The operations of a condition that layers find hard, and over how many inputs it is, such as `products of inputs and remainders, over 8 inputs`.
pub fn describe(terms: &Terms, condition: TermId) -> String {
    let has_inputs = |t: TermId| !terms.inputs(t).is_empty();
    let names = [
        "floats",
        "products of inputs",
        "quotients by inputs",
        "products",
        "quotients",
        "remainders",
        "shifts by inputs",
        "bits",
        "choices",
    ];
    let mut has = [false; 9];
    let (mut waiting, mut seen) = (vec![condition], FxHashSet::default());
    while let Some(t) = waiting.pop() {
        if !seen.insert(t) || seen.len() > MOST_TERMS {
            continue;
        }
        let node = terms.node(t);
        match node {
            Node::Bin { op, a, b, .. } => {
                let both = has_inputs(a) && has_inputs(b);
                match op {
                    BinOp::Mul => has[if both { 1 } else { 3 }] = true,
                    BinOp::UDiv | BinOp::SDiv => has[if has_inputs(b) { 2 } else { 4 }] = true,
                    BinOp::URem | BinOp::SRem => has[if has_inputs(b) { 2 } else { 5 }] = true,
                    BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::RotL | BinOp::RotR if has_inputs(b) => {
                        has[6] = true
                    }
                    BinOp::Xor | BinOp::And | BinOp::Or if terms.width(t) > 1 => has[7] = true,
                    BinOp::RotL | BinOp::RotR => has[7] = true,
                    _ => {}
                }
            }
            Node::Ite { .. } => has[8] = true,
            _ => {}
        }
        waiting.extend(node.children());
    }
    has[0] = terms.has_float(condition);
    let found: Vec<&str> = names.iter().zip(has).filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    let of = match found.as_slice() {
        [] => "sums and orders".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    match terms.inputs(condition).len() {
        1 => format!("{of}, over 1 input"),
        many => format!("{of}, over {many} inputs"),
    }
}

#[cfg(test)]
mod tests {
    use slowpath_term::{CmpOp, InputId};

    use super::*;

    #[test]
    fn a_condition_is_described_by_what_makes_it_hard() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
        let (five, product) = (terms.constant(32, 5), terms.bin(BinOp::Mul, x, y));
        let rest = terms.bin(BinOp::URem, product, five);
        let equal = terms.cmp(CmpOp::Eq, rest, five);
        let hard = terms.cmp(CmpOp::Ult, rest, y);
        assert_eq!(describe(&terms, hard), "products of inputs and remainders, over 2 inputs");
        assert_eq!(terms.as_const(equal), Some(0), "a remainder by 5 is never 5");
        let less = terms.cmp(CmpOp::Slt, x, y);
        assert_eq!(describe(&terms, less), "sums and orders, over 2 inputs");
    }
}
