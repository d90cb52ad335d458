//! Terms as a straight list of operations, for evaluating them at thousands of values: no model is copied, nothing is looked up.

use rustc_hash::FxHashMap;
use slowpath_term::ops::{self, mask};
use slowpath_term::{Node, TermId, Terms};

/// Some terms over leaves, with the values of the last evaluation.
pub(crate) struct Flat {
    /// What each place holds: an operation on places before it, or a leaf.
    nodes: Vec<Op>,
    values: Vec<u64>,
    places: FxHashMap<TermId, u32>,
    leaves: Vec<(TermId, u32)>,
}

/// An operation whose operands are places.
#[derive(Clone, Copy)]
enum Op {
    Leaf,
    Node { node: Node, widths: [u8; 2], args: [u32; 3] },
}

impl Flat {
    /// The terms over their inputs, and over whatever else counts as a leaf. None if they are more than `most` operations.
    pub(crate) fn of(terms: &Terms, roots: &[TermId], is_leaf: impl Fn(TermId) -> bool, most: usize) -> Option<Flat> {
        let mut flat = Flat { nodes: Vec::new(), values: Vec::new(), places: FxHashMap::default(), leaves: Vec::new() };
        let mut waiting: Vec<TermId> = roots.to_vec();
        while let Some(&t) = waiting.last() {
            if flat.places.contains_key(&t) {
                waiting.pop();
                continue;
            }
            if flat.nodes.len() + waiting.len() > most {
                return None;
            }
            let node = terms.node(t);
            let is_leaf = matches!(node, Node::Var { .. }) || is_leaf(t);
            let mut args = [0; 3];
            if !is_leaf {
                let before = waiting.len();
                for (i, child) in node.children().enumerate() {
                    match flat.places.get(&child) {
                        Some(place) => args[i] = *place,
                        None => waiting.push(child),
                    }
                }
                if waiting.len() > before {
                    continue;
                }
            }
            waiting.pop();
            let place = flat.nodes.len() as u32;
            flat.places.insert(t, place);
            flat.values.push(0);
            if is_leaf {
                flat.leaves.push((t, place));
                flat.nodes.push(Op::Leaf);
                continue;
            }
            let mut widths = node.children().map(|child| terms.width(child));
            let widths = [widths.next().unwrap_or(0), widths.next().unwrap_or(0)];
            flat.nodes.push(Op::Node { node, widths, args });
        }
        Some(flat)
    }

    /// The leaves that were met, with their places.
    pub(crate) fn leaves(&self) -> &[(TermId, u32)] {
        &self.leaves
    }

    /// Where a term is.
    pub(crate) fn place(&self, t: TermId) -> Option<u32> {
        self.places.get(&t).copied()
    }

    /// The value at a place by the last evaluation.
    #[inline]
    pub(crate) fn value(&self, place: u32) -> u64 {
        self.values[place as usize]
    }

    /// Gives a leaf a value.
    #[inline]
    pub(crate) fn set(&mut self, leaf: u32, value: u64) {
        self.values[leaf as usize] = value;
    }

    /// Evaluates everything.
    pub(crate) fn evaluate(&mut self) {
        for place in 0..self.nodes.len() {
            self.step(place);
        }
    }

    /// The operations that change when these leaves do, as far as `until` depends on them, in order.
    pub(crate) fn behind(&self, leaves: &[u32], until: &[u32]) -> Vec<u32> {
        let mut changes = vec![false; self.nodes.len()];
        leaves.iter().for_each(|leaf| changes[*leaf as usize] = true);
        for (place, op) in self.nodes.iter().enumerate() {
            if let Op::Node { node, args, .. } = op {
                changes[place] |= args.iter().take(node.children().count()).any(|arg| changes[*arg as usize]);
            }
        }
        let mut needed = vec![false; self.nodes.len()];
        until.iter().for_each(|place| needed[*place as usize] = true);
        for (place, op) in self.nodes.iter().enumerate().rev() {
            if let (true, Op::Node { node, args, .. }) = (needed[place], op) {
                args.iter().take(node.children().count()).for_each(|arg| needed[*arg as usize] = true);
            }
        }
        let is_op = |place: usize| matches!(self.nodes[place], Op::Node { .. });
        (0..self.nodes.len()).filter(|&p| changes[p] && needed[p] && is_op(p)).map(|p| p as u32).collect()
    }

    /// Evaluates these operations.
    #[inline]
    pub(crate) fn evaluate_only(&mut self, places: &[u32]) {
        for &place in places {
            self.step(place as usize);
        }
    }

    #[inline]
    fn step(&mut self, place: usize) {
        let Op::Node { node, widths: [first, second], args: [a, b, c] } = self.nodes[place] else { return };
        let value = |place: u32| self.values[place as usize];
        self.values[place] = match node {
            Node::Const { bits, .. } => bits,
            Node::Var { .. } => return,
            Node::Un { op, width, .. } => ops::un(op, width, value(a)),
            Node::Bin { op, width, .. } => ops::bin(op, width, value(a), value(b)),
            Node::Cmp { op, .. } => u64::from(ops::cmp(op, first, value(a), value(b))),
            Node::Conv { op, width, .. } => ops::conv(op, first, width, value(a)),
            Node::Extract { width, lo, .. } => value(a) >> lo & mask(width),
            Node::Concat { .. } => value(a) << second | value(b),
            Node::Ite { .. } => value(if value(a) == 1 { b } else { c }),
        };
    }
}

#[cfg(test)]
mod tests {
    use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model};

    use super::*;

    #[test]
    fn a_list_of_operations_has_the_values_of_its_terms() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 8));
        let wide = terms.conv(ConvOp::SExt, 32, y);
        let sum = terms.bin(BinOp::Add, x, wide);
        let low = terms.extract(sum, 3, 7);
        let joined = terms.concat(low, y);
        let less = terms.cmp(CmpOp::Slt, x, wide);
        let (yes, no) = (terms.conv(ConvOp::ZExt, 32, joined), terms.bin(BinOp::Mul, sum, x));
        let root = terms.ite(less, yes, no, 0);
        let mut flat = Flat::of(&terms, &[root], |_| false, 100).expect("few");
        assert!(Flat::of(&terms, &[root], |_| false, 4).is_none(), "too many");
        let place = flat.place(root).expect("it is there");
        let leaves: Vec<(TermId, u32)> = flat.leaves().to_vec();
        let only_x: Vec<u32> = leaves.iter().filter(|leaf| leaf.0 == x).map(|leaf| leaf.1).collect();
        let behind = flat.behind(&only_x, &[place]);
        let mut evaluator = Evaluator::new();
        for (i, values) in [[0, 0], [7, 200], [7, 3], [0xffff_ffff, 127], [0x8000_0000, 128]].into_iter().enumerate() {
            for (leaf, at) in &leaves {
                flat.set(*at, if *leaf == x { values[0] } else { values[1] });
            }
            flat.evaluate();
            assert_eq!(flat.value(place), evaluator.eval(&terms, &Model::from_values(values.to_vec()), root));
            flat.set(only_x[0], i as u64);
            flat.evaluate_only(&behind);
            let changed = Model::from_values(vec![i as u64, values[1]]);
            assert_eq!(flat.value(place), evaluator.eval(&terms, &changed, root));
        }
        // A sum as a leaf of its own.
        let flat = Flat::of(&terms, &[low], |t| t == sum, 100).expect("few");
        assert_eq!(flat.leaves().len(), 1);
    }
}
