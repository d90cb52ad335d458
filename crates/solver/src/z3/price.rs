//! What a question with floats costs Z3, before it is asked.

use rustc_hash::FxHashSet;
use slowpath_term::{BinOp, Node, TermId, Terms, UnOp};

/// Float operations that the conditions are made of, each counted once, divisions and roots as several.
pub(super) fn float_operations(terms: &Terms, conditions: &[TermId], extra: TermId) -> usize {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open: Vec<TermId> = conditions.iter().copied().chain([extra]).collect();
    let mut price = 0;
    while let Some(term) = open.pop() {
        if !terms.has_float(term) || !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        price += match node {
            Node::Bin { op: BinOp::FDiv, .. } | Node::Un { op: UnOp::FSqrt, .. } => 4,
            Node::Bin { op: BinOp::FMul, .. } => 2,
            Node::Bin { op: BinOp::FAdd | BinOp::FSub, .. } => 1,
            _ => 0,
        };
        open.extend(node.children());
    }
    price
}
