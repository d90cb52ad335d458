//! Finding choices inside terms and deciding them.

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::Node;

impl Terms {
    /// Condition and site of the outermost, leftmost choice inside `t`.
    pub fn first_ite(&self, t: TermId) -> Option<(TermId, u32)> {
        let mut t = t;
        while self.has_ite(t) {
            if let Node::Ite { cond, site, .. } = self.node(t) {
                return Some((cond, site));
            }
            t = self.node(t).children().find(|&child| self.has_ite(child))?;
        }
        None
    }

    /// `t` with every choice on `cond` (or on its negation) decided, simplified again.
    pub fn substitute(&mut self, t: TermId, cond: TermId, value: bool) -> TermId {
        let negated = self.not(cond);
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
                Node::Ite { cond: c, then, els, .. } if c == cond => Some(if value { then } else { els }),
                Node::Ite { cond: c, then, els, .. } if c == negated => Some(if value { els } else { then }),
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

    /// The same operator over other children, simplified.
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
