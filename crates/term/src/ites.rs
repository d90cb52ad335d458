//! Finding choices inside terms and deciding them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::Node;

/// A choice inside a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub cond: TermId,
    pub then: TermId,
    pub els: TermId,
}

impl Terms {
    /// Condition and site of an outermost choice inside `t` that a site of the program computed; choices made for
    /// other reasons (a load at a symbolic address) have no site and are not counted.
    pub fn first_ite(&self, t: TermId) -> Option<(TermId, u32)> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![t];
        while let Some(top) = stack.pop() {
            if !self.has_ite_of_site(top) || !seen.insert(top) {
                continue;
            }
            let node = self.node(top);
            if let Node::Ite { cond, site, .. } = node
                && site != 0
            {
                return Some((cond, site));
            }
            let at = stack.len();
            stack.extend(node.children());
            stack[at..].reverse();
        }
        None
    }

    /// `t` with every choice on `cond` (or on its negation) decided, simplified again.
    pub fn substitute(&mut self, t: TermId, cond: TermId, value: bool) -> TermId {
        let negated = self.not(cond);
        self.decide_ites(t, |_, ite| match ite {
            Choice { cond: c, .. } if c == cond => Some(value),
            Choice { cond: c, .. } if c == negated => Some(!value),
            _ => None,
        })
    }

    /// `t` with every choice decided that `decide` knows the answer to, simplified again.
    pub fn decide_ites(&mut self, t: TermId, mut decide: impl FnMut(&mut Terms, Choice) -> Option<bool>) -> TermId {
        if !self.has_ite(t) {
            return t;
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            if !self.has_ite(top) {
                done.insert(top, top);
                stack.pop();
                continue;
            }
            let node = self.node(top);
            let decided = match node {
                Node::Ite { cond, then, els, .. } => {
                    decide(self, Choice { cond, then, els }).map(|value| if value { then } else { els })
                }
                _ => None,
            };
            let waiting = stack.len();
            match decided {
                Some(side) if !done.contains_key(&side) => stack.push(side),
                Some(_) => {}
                None => stack.extend(node.children().filter(|child| !done.contains_key(child))),
            }
            if stack.len() == waiting {
                let result = match decided {
                    Some(side) => done[&side],
                    None => self.rebuild(node, |child| done[&child]),
                };
                done.insert(top, result);
                stack.pop();
            }
        }
        done[&t]
    }

    /// The term's operator over other children, simplified.
    pub(crate) fn rebuild(&mut self, node: Node, child: impl Fn(TermId) -> TermId) -> TermId {
        match node {
            Node::Const { .. } | Node::Var { .. } => self.intern(node),
            Node::Un { op, a, .. } => self.un(op, child(a)),
            Node::Bin { op, a, b, .. } => self.bin(op, child(a), child(b)),
            Node::Cmp { op, a, b } => self.cmp(op, child(a), child(b)),
            Node::Conv { op, width, a } => self.conv(op, width, child(a)),
            Node::Extract { width, lo, a } => self.extract(child(a), lo, width),
            Node::Concat { a, b } => self.concat(child(a), child(b)),
            Node::Ite { cond, then, els, site } => self.ite(child(cond), child(then), child(els), site),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::InputId;
    use crate::node::{BinOp, CmpOp};

    /// A hash that is looked up in a table again and again is a tower of such choices, and its address is looked at before every load.
    #[test]
    fn looking_for_a_choice_of_a_site_does_not_walk_a_tower_of_others() {
        let mut terms = Terms::new();
        let zero = terms.constant(32, 0);
        let first = terms.var(InputId(0), 32);
        let mut tower = first;
        for i in 1..20_000 {
            let element = terms.var(InputId(i), 32);
            let cond = terms.cmp(CmpOp::Eq, element, zero);
            let sum = terms.bin(BinOp::Add, tower, element);
            tower = terms.ite(cond, tower, sum, 0);
        }
        // Walked each time, this would take minutes.
        for _ in 0..200_000 {
            assert_eq!(terms.first_ite(tower), None);
        }
        let cond = terms.cmp(CmpOp::Eq, first, zero);
        let of_site = terms.ite(cond, tower, zero, 7);
        let above = terms.bin(BinOp::Add, of_site, first);
        assert_eq!(terms.first_ite(above), Some((cond, 7)));
    }
}
