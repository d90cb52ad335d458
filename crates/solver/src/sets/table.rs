//! Truth tables: a condition on one small input, evaluated for each of its values.

use rustc_hash::FxHashMap;
use slowpath_term::{Node, TermId, Terms, ops};

use super::ByteSet;

/// Conditions of more operators than this are left to other layers.
const MOST_NODES: usize = 512;

/// The values of the only input for which `t` holds.
pub(super) fn truth_table(terms: &Terms, t: TermId, width: u8) -> Option<ByteSet> {
    let order = post_order(terms, t)?;
    let place: FxHashMap<TermId, usize> = order.iter().enumerate().map(|(i, &t)| (t, i)).collect();
    let mut values = vec![0u64; order.len()];
    let mut set = ByteSet::empty(width);
    for v in 0..=ops::mask(width) {
        for (i, &t) in order.iter().enumerate() {
            let of = |t: TermId| values[place[&t]];
            values[i] = match terms.node(t) {
                Node::Const { bits, .. } => bits,
                Node::Var { .. } => v,
                Node::Un { op, width, a } => ops::un(op, width, of(a)),
                Node::Bin { op, width, a, b } => ops::bin(op, width, of(a), of(b)),
                Node::Cmp { op, a, b } => u64::from(ops::cmp(op, terms.width(a), of(a), of(b))),
                Node::Conv { op, width, a } => ops::conv(op, terms.width(a), width, of(a)),
                Node::Extract { width, lo, a } => of(a) >> lo & ops::mask(width),
                Node::Concat { a, b } => of(a) << terms.width(b) | of(b),
                Node::Ite { cond, then, els, .. } => of(if of(cond) == 1 { then } else { els }),
            };
        }
        if values[order.len() - 1] == 1 {
            set.insert(v);
        }
    }
    Some(set)
}

fn post_order(terms: &Terms, root: TermId) -> Option<Vec<TermId>> {
    let (mut order, mut stack) = (Vec::new(), vec![(root, false)]);
    let mut seen: FxHashMap<TermId, ()> = FxHashMap::default();
    while let Some((t, expanded)) = stack.pop() {
        if expanded {
            order.push(t);
        } else if seen.insert(t, ()).is_none() {
            if seen.len() > MOST_NODES {
                return None;
            }
            stack.push((t, true));
            stack.extend(terms.node(t).children().map(|child| (child, false)));
        }
    }
    Some(order)
}
