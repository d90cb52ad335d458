//! What a question costs Z3 at least, before it is asked: some of what it does no limit of its own stops.

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

/// Counts the gates that terms are made of once they are taken apart into bits, each term once.
#[derive(Default)]
pub(super) struct Gates {
    /// By term: the question it was last counted for.
    counted: Vec<u32>,
    question: u32,
    open: Vec<TermId>,
}

impl Gates {
    /// The gates of some conditions together. More than `most` are not counted to their end.
    pub(super) fn of(&mut self, terms: &Terms, conditions: impl IntoIterator<Item = TermId>, most: u64) -> u64 {
        self.counted.resize(self.counted.len().max(terms.len()), 0);
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.counted.fill(0);
            self.question = 1;
        }
        let mut gates = 0;
        for condition in conditions {
            self.open.push(condition);
            while let Some(term) = self.open.pop() {
                if std::mem::replace(&mut self.counted[term.index()], self.question) == self.question {
                    continue;
                }
                let node = terms.node(term);
                gates += gates_of(terms, node);
                self.open.extend(node.children());
            }
            if gates > most {
                break;
            }
        }
        gates
    }
}

/// The gates of one operation, to the nearest power of two or so.
fn gates_of(terms: &Terms, node: Node) -> u64 {
    match node {
        Node::Bin { op, width, a, b } => {
            let width = u64::from(width);
            let ones = |t: TermId| terms.as_const(t).map(|bits| u64::from(bits.count_ones()));
            match op {
                // A row of adders for each bit that may be set.
                BinOp::Mul => width * ones(a).or_else(|| ones(b)).unwrap_or(width),
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => match ones(b) {
                    // By a power of two.
                    Some(1) => width,
                    _ => 2 * width * width,
                },
                BinOp::Shl | BinOp::LShr | BinOp::AShr if ones(b).is_some() => 0,
                BinOp::Shl | BinOp::LShr | BinOp::AShr => 6 * width,
                BinOp::RotL | BinOp::RotR => 12 * width,
                _ => width,
            }
        }
        Node::Un { op: UnOp::Popcnt | UnOp::Clz | UnOp::Ctz, width, .. } => 6 * u64::from(width),
        Node::Un { width, .. } => u64::from(width),
        Node::Ite { then, .. } => u64::from(terms.width(then)),
        Node::Cmp { a, .. } => u64::from(terms.width(a)),
        _ => 0,
    }
}
