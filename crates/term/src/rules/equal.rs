//! Equality of bit-vectors.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, CmpOp, ConvOp, Node, UnOp};
use crate::ops::{self, mask};

impl Terms {
    pub(super) fn rewrite_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.oriented(a, b);
        let ((alo, ahi), (blo, bhi)) = (self.bounds(a), self.bounds(b));
        if ahi < blo || bhi < alo || self.low_bits_differ(a, b) || self.are_opposite(a, b) {
            return self.ff();
        }
        match self.as_const(b) {
            Some(c) => self.equal_const(a, b, c),
            None => self.equal_terms(a, b),
        }
    }

    fn low_bits_differ(&self, a: TermId, b: TermId) -> bool {
        let ((ka, va), (kb, vb)) = (self.known_low_bits(a), self.known_low_bits(b));
        let both = ka.min(kb);
        both > 0 && (va ^ vb) & mask(both) != 0
    }

    /// `c` is the value of `b`, and within the bounds of `a`.
    fn equal_const(&mut self, a: TermId, b: TermId, c: u64) -> TermId {
        let width = self.width(a);
        match self.node(a) {
            Node::Bin { op, a: x, b: y, .. } => match (op, self.as_const(x), self.as_const(y)) {
                (BinOp::Add, _, Some(c1)) => self.equal_to(x, c.wrapping_sub(c1)),
                (BinOp::Sub, Some(c1), _) => self.equal_to(y, c1.wrapping_sub(c)),
                (BinOp::Xor, _, Some(c1)) => self.equal_to(x, c ^ c1),
                (BinOp::And, _, Some(highs)) if c == highs || c == 0 => match self.word_without_zeros(x, highs, c) {
                    Some(word) => self.no_byte_is_zero(word),
                    None => self.raw_equal(a, b),
                },
                (BinOp::Sub, None, None) if c != 0 => match (self.as_flag(x), self.as_flag(y)) {
                    // The difference of two flags: which of them is up.
                    (Some((p, _)), Some((q, _))) if c == 1 => self.up_and_down(p, q),
                    (Some((p, _)), Some((q, _))) if c == mask(width) => self.up_and_down(q, p),
                    (Some(_), Some(_)) => self.ff(),
                    _ => self.raw_equal(a, b),
                },
                (BinOp::Sub | BinOp::Xor, ..) if c == 0 => self.cmp(CmpOp::Eq, x, y),
                (BinOp::Mul, _, Some(c1)) if c1 & 1 == 1 => self.equal_to(x, c.wrapping_mul(inverse(c1))),
                (BinOp::Shl, _, Some(by)) => {
                    // The low bits of `c` are zero, or the known low bits had differed.
                    let rest = self.extract(x, 0, width - by as u8);
                    self.equal_to(rest, c >> by)
                }
                (BinOp::RotL, _, Some(by)) => self.equal_to(x, ops::bin(BinOp::RotR, width, c, by)),
                _ => self.raw_equal(a, b),
            },
            Node::Un { op: UnOp::Not, a: x, .. } => self.equal_to(x, !c),
            // So many zeros at one end, and then a one. `c` is at most the width.
            Node::Un { op: UnOp::Ctz | UnOp::Clz, a: x, .. } if c == u64::from(width) => self.is_zero(x),
            Node::Un { op: op @ (UnOp::Ctz | UnOp::Clz), a: x, .. } => {
                let zeros = c as u8;
                let (first, next) = if op == UnOp::Ctz { (0, zeros) } else { (width - zeros, width - 1 - zeros) };
                let one = self.extract(x, next, 1);
                if zeros == 0 {
                    return one;
                }
                let zeros = self.extract(x, first, zeros);
                let zeros = self.is_zero(zeros);
                self.bin(BinOp::And, zeros, one)
            }
            Node::Conv { op: ConvOp::ZExt, a: x, .. } => self.equal_to(x, c),
            Node::Conv { op: ConvOp::SExt, a: x, .. } => {
                let from = self.width(x);
                if ops::conv(ConvOp::SExt, from, width, c & mask(from)) == c { self.equal_to(x, c) } else { self.ff() }
            }
            Node::Concat { a: high, b: low } => {
                let split = self.width(low);
                let (high, low) = (self.equal_to(high, c >> split), self.equal_to(low, c));
                self.bin(BinOp::And, high, low)
            }
            Node::Ite { cond, then, els, .. } => {
                // A side that cannot be this constant leaves the condition and the other side.
                let (t, e) = (self.as_const(then), self.as_const(els));
                match (t, e) {
                    (Some(t), None) if t != c => {
                        let (otherwise, rest) = (self.not(cond), self.cmp(CmpOp::Eq, els, b));
                        self.bin(BinOp::And, otherwise, rest)
                    }
                    (None, Some(e)) if e != c => {
                        let rest = self.cmp(CmpOp::Eq, then, b);
                        self.bin(BinOp::And, cond, rest)
                    }
                    _ => self.raw_equal(a, b),
                }
            }
            _ => self.raw_equal(a, b),
        }
    }

    /// One condition holds and the other one does not. Of `x < y` and `y < x` the first says it all.
    fn up_and_down(&mut self, up: TermId, down: TermId) -> TermId {
        if self.turned_order(up, down).is_some() {
            return up;
        }
        let down = self.not(down);
        self.bin(BinOp::And, up, down)
    }

    /// The two sides of conditions that are `x < y` and `y < x`.
    pub(super) fn turned_order(&self, p: TermId, q: TermId) -> Option<(TermId, TermId)> {
        match (self.node(p), self.node(q)) {
            (Node::Cmp { op: op @ (CmpOp::Slt | CmpOp::Ult), a, b }, Node::Cmp { op: other, a: c, b: d })
                if op == other && a == d && b == c =>
            {
                Some((a, b))
            }
            _ => None,
        }
    }

    /// The word of which `masked & highs`, being `c`, says that none of its bytes is zero. C libraries ask so a word at a time, as `(x - ones) & ~x & highs`,
    /// which is 0 then, and compilers make of it `((ones - 1 - x) | x) & highs`, which is `highs`.
    fn word_without_zeros(&self, masked: TermId, highs: u64, c: u64) -> Option<TermId> {
        let width = self.width(masked);
        let ones = 0x0101_0101_0101_0101 & mask(width);
        if !matches!(width, 32 | 64) || highs != ones << 7 {
            return None;
        }
        let Node::Bin { op, a, b, .. } = self.node(masked) else { return None };
        for (x, other) in [(a, b), (b, a)] {
            match (op, self.node(other)) {
                (BinOp::Or, Node::Bin { op: BinOp::Sub, a: from, b: y, .. })
                    if c == highs && y == x && self.as_const(from) == Some(ones - 1) =>
                {
                    return Some(x);
                }
                (BinOp::And, Node::Bin { op: BinOp::Add, a: y, b: less, .. })
                    if c == 0 && self.as_const(less) == Some(ones.wrapping_neg() & mask(width)) =>
                {
                    return matches!(self.node(x), Node::Un { op: UnOp::Not, a, .. } if a == y).then_some(y);
                }
                _ => {}
            }
        }
        None
    }

    fn no_byte_is_zero(&mut self, word: TermId) -> TermId {
        let bytes: Vec<TermId> = (0..self.width(word) / 8).map(|i| self.extract(word, 8 * i, 8)).collect();
        let conditions: Vec<TermId> = bytes
            .into_iter()
            .map(|byte| {
                let zero = self.is_zero(byte);
                self.not(zero)
            })
            .collect();
        self.and_all(&conditions)
    }

    pub(super) fn is_zero(&mut self, a: TermId) -> TermId {
        self.equal_to(a, 0)
    }

    fn equal_to(&mut self, a: TermId, c: u64) -> TermId {
        let c = self.constant(self.width(a), c);
        self.cmp(CmpOp::Eq, a, c)
    }

    fn equal_terms(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some((x, y)) = self.same_extension(a, b) {
            return self.cmp(CmpOp::Eq, x, y);
        }
        if let (Some((p, _)), Some((q, _))) = (self.as_flag(a), self.as_flag(b)) {
            if let Some((x, y)) = self.turned_order(p, q) {
                return self.cmp(CmpOp::Eq, x, y);
            }
            return self.cmp(CmpOp::Eq, p, q);
        }
        match (self.node(a), self.node(b)) {
            (Node::Concat { a: h1, b: l1 }, Node::Concat { a: h2, b: l2 }) if self.width(l1) == self.width(l2) => {
                let (high, low) = (self.cmp(CmpOp::Eq, h1, h2), self.cmp(CmpOp::Eq, l1, l2));
                return self.bin(BinOp::And, high, low);
            }
            (Node::Bin { op: op1, a: x1, b: y1, .. }, Node::Bin { op: op2, a: x2, b: y2, .. })
                if op1 == op2 && matches!(op1, BinOp::Add | BinOp::Sub | BinOp::Xor) =>
            {
                // What is on both sides cancels, wrapping or not.
                if y1 == y2 {
                    return self.cmp(CmpOp::Eq, x1, x2);
                }
                if x1 == x2 {
                    return self.cmp(CmpOp::Eq, y1, y2);
                }
            }
            (Node::Un { op: UnOp::Not, a: x, .. }, Node::Un { op: UnOp::Not, a: y, .. }) => {
                return self.cmp(CmpOp::Eq, x, y);
            }
            _ => {}
        }
        self.raw_equal(a, b)
    }

    fn raw_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.oriented(a, b);
        self.intern(Node::Cmp { op: CmpOp::Eq, a, b })
    }
}

/// The inverse of an odd number modulo 2^64: each step doubles the number of right bits, and 3 are right at first.
fn inverse(c: u64) -> u64 {
    (0..5).fold(c, |x, _| x.wrapping_mul(2u64.wrapping_sub(c.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::ids::InputId;
    use crate::model::Model;

    #[test]
    fn a_word_without_zeros_is_bytes_that_are_not_zero() {
        for width in [32, 64] {
            let ones = 0x0101_0101_0101_0101 & mask(width);
            for by_compiler in [false, true] {
                let mut terms = Terms::new();
                let bytes: Vec<TermId> = (0..u32::from(width) / 8).map(|i| terms.var(InputId(i), 8)).collect();
                let word = bytes.iter().copied().reduce(|low, high| terms.concat(high, low)).unwrap();
                let highs = terms.constant(width, ones << 7);
                let (marks, wanted) = if by_compiler {
                    let from = terms.constant(width, ones - 1);
                    let less = terms.bin(BinOp::Sub, from, word);
                    (terms.bin(BinOp::Or, less, word), highs)
                } else {
                    let ones = terms.constant(width, ones);
                    let (less, not) = (terms.bin(BinOp::Sub, word, ones), terms.un(UnOp::Not, word));
                    (terms.bin(BinOp::And, less, not), terms.constant(width, 0))
                };
                let masked = terms.bin(BinOp::And, marks, highs);
                let condition = terms.cmp(CmpOp::Eq, masked, wanted);
                assert!(matches!(terms.node(condition), Node::Bin { op: BinOp::And, width: 1, .. }), "{width}");
                let mut evaluator = Evaluator::new();
                let mut state = 1u64;
                for _ in 0..500 {
                    let values: Vec<u64> = bytes
                        .iter()
                        .map(|_| {
                            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                            [0, 1, 0x7f, 0x80, 0x81, 0xff, state >> 40 & 0xff, 2][(state >> 60) as usize % 8]
                        })
                        .collect();
                    let expected = !values.contains(&0);
                    assert_eq!(evaluator.holds(&terms, &Model::from_values(values), condition), expected);
                }
            }
        }
    }

    #[test]
    fn which_of_two_is_smaller_is_an_order_of_the_two() {
        for order in [CmpOp::Slt, CmpOp::Ult] {
            for op in [CmpOp::Eq, CmpOp::Slt, CmpOp::Sle] {
                for c in [u64::from(u32::MAX), 0, 1, 2] {
                    let mut terms = Terms::new();
                    let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
                    let (more, less) = (terms.cmp(order, y, x), terms.cmp(order, x, y));
                    let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
                    let (more, less) = (terms.ite(more, one, zero, 3), terms.ite(less, one, zero, 4));
                    let sign = terms.bin(BinOp::Sub, more, less);
                    let c_term = terms.constant(32, c);
                    for turned in [false, true] {
                        let condition = if turned { terms.cmp(op, c_term, sign) } else { terms.cmp(op, sign, c_term) };
                        let inner = match terms.node(condition) {
                            Node::Un { op: UnOp::Not, a, .. } => a,
                            _ => condition,
                        };
                        let is_order =
                            matches!(terms.node(inner), Node::Cmp { a, b, .. } if [a, b] == [x, y] || [a, b] == [y, x]);
                        let is_three_way = c == 0 || op == CmpOp::Eq;
                        assert!(is_order || terms.as_const(inner).is_some() || !is_three_way, "{op:?} {c}");
                        let mut evaluator = Evaluator::new();
                        for values in [[1, 2], [2, 1], [2, 2], [u64::from(u32::MAX), 0], [0, 1 << 31]] {
                            let sign = u64::from(ops::cmp(order, 32, values[1], values[0]))
                                .wrapping_sub(ops::cmp(order, 32, values[0], values[1]).into())
                                & mask(32);
                            let (a, b) = if turned { (c, sign) } else { (sign, c) };
                            let model = Model::from_values(values.to_vec());
                            assert_eq!(evaluator.holds(&terms, &model, condition), ops::cmp(op, 32, a, b));
                        }
                    }
                }
            }
        }
    }
}
