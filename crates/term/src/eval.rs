//! Evaluation of terms under a model, remembering every subterm's value as long as the model stays the same.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::model::Model;
use crate::node::{Comparison, Condition, Node};
use crate::ops::{self, mask};

/// How deep evaluation recurses natively before it changes to a stack of its own.
const NATIVE_DEPTH: u32 = 128;

/// Evaluates terms of one arena.
#[derive(Default)]
pub struct Evaluator {
    /// Round and value of every term evaluated.
    memo: Vec<(u64, u64)>,
    round: u64,
    model: Option<u64>,
    stack: Vec<TermId>,
    /// Terms evaluated so far, but for those whose value is at hand.
    computed: u64,
    /// Of these, how many somebody has taken note of.
    taken: u64,
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// The value of `t` when the inputs have the model's values.
    pub fn eval(&mut self, terms: &Terms, model: &Model, t: TermId) -> u64 {
        if let Some(value) = at_once(terms, model, t) {
            return value;
        }
        if self.model != Some(model.id()) {
            self.model = Some(model.id());
            self.round += 1;
        }
        if self.memo.len() < terms.len() {
            self.memo.resize(terms.len().next_power_of_two(), (0, 0));
        }
        self.shallow(terms, model, t, NATIVE_DEPTH)
    }

    /// Whether a boolean term holds under the model.
    #[inline]
    pub fn holds(&mut self, terms: &Terms, model: &Model, t: TermId) -> bool {
        self.eval(terms, model, t) == 1
    }

    /// Whether a comparison holds under the model.
    #[inline]
    pub fn compares(&mut self, terms: &Terms, model: &Model, c: Comparison) -> bool {
        let (x, y) = match (leaf(terms, model, c.a), leaf(terms, model, c.b)) {
            (Some(x), Some(y)) => (x, y),
            _ => (self.eval(terms, model, c.a), self.eval(terms, model, c.b)),
        };
        ops::cmp(c.op, terms.width(c.a), x, y) != c.negated
    }

    /// Whether a condition holds under the model.
    #[inline]
    pub fn satisfies(&mut self, terms: &Terms, model: &Model, condition: Condition) -> bool {
        match condition {
            Condition::Term(term) => self.holds(terms, model, term),
            Condition::Compares(comparison) => self.compares(terms, model, comparison),
        }
    }

    fn shallow(&mut self, terms: &Terms, model: &Model, t: TermId, depth: u32) -> u64 {
        let (round, value) = self.memo[t.index()];
        if round == self.round {
            return value;
        }
        if depth == 0 {
            return self.deep(terms, model, t);
        }
        let value = match terms.node(t) {
            Node::Const { bits, .. } => return bits,
            Node::Ite { cond, then, els, .. } => {
                let side = if self.shallow(terms, model, cond, depth - 1) == 1 { then } else { els };
                self.shallow(terms, model, side, depth - 1)
            }
            node => apply(terms, model, node, |child| self.shallow(terms, model, child, depth - 1)),
        };
        self.memo[t.index()] = (self.round, value);
        self.computed += 1;
        value
    }

    /// Terms evaluated so far, but for those whose value is at hand: what it has cost to evaluate.
    pub fn computed(&self) -> u64 {
        self.computed
    }

    /// Terms evaluated since this was last asked.
    pub fn take_computed(&mut self) -> u64 {
        let new = self.computed - self.taken;
        self.taken = self.computed;
        new
    }

    /// Evaluates on an explicit stack, for terms as deep as a loop ran long.
    fn deep(&mut self, terms: &Terms, model: &Model, root: TermId) -> u64 {
        let base = self.stack.len();
        self.stack.push(root);
        while self.stack.len() > base {
            let t = self.stack[self.stack.len() - 1];
            let node = terms.node(t);
            let waiting = self.stack.len();
            let round = self.round;
            if self.memo[t.index()].0 != round {
                for child in node.children() {
                    if self.memo[child.index()].0 != round {
                        self.stack.push(child);
                    }
                }
                if self.stack.len() > waiting {
                    continue;
                }
                let value = apply(terms, model, node, |child| self.memo[child.index()].1);
                self.memo[t.index()] = (round, value);
                self.computed += 1;
            }
            self.stack.pop();
        }
        self.memo[root.index()].1
    }
}

/// The value of an input, or of a comparison of inputs and constants: cheaper to work out than to remember.
#[inline(always)]
fn at_once(terms: &Terms, model: &Model, t: TermId) -> Option<u64> {
    let value = |t| leaf(terms, model, t);
    match terms.node(t) {
        Node::Cmp { op, a, b } => Some(u64::from(ops::cmp(op, terms.width(a), value(a)?, value(b)?))),
        _ => value(t),
    }
}

/// The value of an input or a constant.
#[inline(always)]
fn leaf(terms: &Terms, model: &Model, t: TermId) -> Option<u64> {
    match terms.node(t) {
        Node::Const { bits, .. } => Some(bits),
        Node::Var { input, width } => Some(model.get(input) & mask(width)),
        _ => None,
    }
}

/// One operator applied to its children's values.
#[inline(always)]
fn apply(terms: &Terms, model: &Model, node: Node, mut value: impl FnMut(TermId) -> u64) -> u64 {
    match node {
        Node::Const { bits, .. } => bits,
        Node::Var { input, width } => model.get(input) & mask(width),
        Node::Un { op, width, a } => ops::un(op, width, value(a)),
        Node::Bin { op, width, a, b } => {
            let x = value(a);
            ops::bin(op, width, x, value(b))
        }
        Node::Cmp { op, a, b } => {
            let x = value(a);
            u64::from(ops::cmp(op, terms.width(a), x, value(b)))
        }
        Node::Conv { op, width, a } => ops::conv(op, terms.width(a), width, value(a)),
        Node::Extract { width, lo, a } => value(a) >> lo & mask(width),
        Node::Concat { a, b } => {
            let high = value(a) << terms.width(b);
            high | value(b)
        }
        Node::Ite { cond, then, els, .. } => {
            if value(cond) == 1 {
                value(then)
            } else {
                value(els)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::InputId;
    use crate::node::{BinOp, CmpOp};

    #[test]
    fn chains_of_a_hundred_thousand_operators_evaluate() {
        let mut terms = Terms::new();
        let x = terms.var(InputId(0), 32);
        let y = terms.var(InputId(1), 32);
        let mut t = x;
        let mut expected = 7u64;
        for _ in 0..100_000 {
            t = terms.bin(BinOp::Mul, t, y);
            t = terms.bin(BinOp::Xor, t, x);
            expected = ((expected * 3) & 0xffff_ffff) ^ 7;
        }
        let model = Model::from_values(vec![7, 3]);
        let mut evaluator = Evaluator::new();
        assert_eq!(evaluator.eval(&terms, &model, t), expected);
        assert_eq!(terms.inputs(t), [InputId(0), InputId(1)]);
        let zero = terms.constant(32, 0);
        let c = terms.cmp(CmpOp::Eq, t, zero);
        assert_eq!(terms.substitute(t, c, true), t);
    }

    #[test]
    fn a_new_model_forgets_the_old_values() {
        let mut terms = Terms::new();
        let x = terms.var(InputId(0), 8);
        let t = terms.bin(BinOp::Add, x, x);
        let mut evaluator = Evaluator::new();
        let model = Model::new();
        assert_eq!(evaluator.eval(&terms, &model, t), 0);
        assert_eq!(evaluator.eval(&terms, &model.with(InputId(0), 200), t), 144);
        assert_eq!(evaluator.eval(&terms, &model, t), 0);
    }
}
