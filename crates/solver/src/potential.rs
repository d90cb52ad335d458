//! A potential for many conditions at once: values of inputs, and of sums of inputs, that keep every difference between them.
//!
//! A sum of something and an input that occurs nowhere else can have any value that the input's range allows. So it is a
//! node of its own, as an input is, and the input follows from it: weights of a graph, of which each is added to one distance only,
//! so become differences between distances. Nothing here is proven: whoever asks evaluates the model.

use rustc_hash::FxHashMap;
use slowpath_term::ops::mask;
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Model, Node, TermId, Terms};

use crate::sets::integer;

/// Sweeps over all edges, there and back, before a potential is given up.
const MOST_SWEEPS: usize = 2_000;
/// Edges looked at before it is given up.
const MOST_WORK: usize = 4_000_000_000;
/// The node that stands for 0.
const ORIGIN: usize = 0;

/// `value(to) <= value(from) + limit`
struct Edge {
    from: u32,
    to: u32,
    limit: i64,
}

/// `plus - minus + offset`, where a missing side is 0.
#[derive(Clone, Copy, Default)]
struct Linear {
    plus: Option<usize>,
    minus: Option<usize>,
    offset: i128,
}

/// What a node stands for.
#[derive(Clone, Copy)]
enum Stands {
    Origin,
    Input(InputId, u8),
    /// A sum that the input was added in: the sum less what it was added to.
    Sum {
        free: InputId,
        width: u8,
        rest: Linear,
    },
}

struct System<'t> {
    terms: &'t Terms,
    /// By term and reading (signed or not).
    nodes: FxHashMap<(TermId, bool), usize>,
    stands: Vec<Stands>,
    edges: Vec<Edge>,
    /// Inputs that occur in one sum and else only beside constants: that sum, and what the input is added to there.
    free: FxHashMap<TermId, (TermId, TermId)>,
}

/// Models that satisfy the differences between inputs and sums, as far as these can be read: with no value below 0, and the greatest
/// below the hint's values. Nothing where there is no difference among the conditions, or they go round in circles.
pub(crate) fn potentials(
    terms: &Terms,
    conditions: &[TermId],
    hint: &Model,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Model> {
    let mut system = System {
        terms,
        nodes: FxHashMap::default(),
        stands: vec![Stands::Origin],
        edges: Vec::new(),
        free: free_inputs(terms, conditions),
    };
    for &condition in conditions {
        system.read(condition);
    }
    if system.edges.is_empty() {
        return Vec::new();
    }
    let mut values: Vec<i128> = system
        .stands
        .iter()
        .map(|stands| match *stands {
            // One input has two readings; small values have one.
            Stands::Input(input, width) => integer(hint.get(input) & mask(width), width, true),
            Stands::Origin | Stands::Sum { .. } => 0,
        })
        .collect();
    if lower(&mut system, &mut values, go_on).is_none() {
        return Vec::new();
    }
    let origin = values[ORIGIN];
    values.iter_mut().for_each(|value| *value -= origin);
    let raised = -values.iter().copied().min().unwrap_or(0).min(0);
    [raised, 0].map(|by| system.model(hint, &values, by)).into()
}

/// The inputs that occur in one sum only, and else only in comparisons with constants.
fn free_inputs(terms: &Terms, conditions: &[TermId]) -> FxHashMap<TermId, (TermId, TermId)> {
    let mut seen = vec![false; terms.len()];
    let mut stack: Vec<TermId> = conditions.to_vec();
    let mut free: FxHashMap<TermId, (TermId, TermId)> = FxHashMap::default();
    let mut bound: Vec<TermId> = Vec::new();
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut seen[t.index()], true) {
            continue;
        }
        let node = terms.node(t);
        stack.extend(node.children());
        let is_var = |t: &TermId| matches!(terms.node(*t), Node::Var { .. });
        match node {
            Node::Bin { op: BinOp::Add, a, b, .. } if terms.as_const(b).is_none() && a != b => {
                for (x, rest) in [(a, b), (b, a)] {
                    if is_var(&x) && free.insert(x, (t, rest)).is_some() {
                        bound.push(x);
                    }
                }
            }
            Node::Cmp { a, b, .. } if terms.as_const(a).is_some() || terms.as_const(b).is_some() => {}
            node => bound.extend(node.children().filter(is_var)),
        }
    }
    for x in bound {
        free.remove(&x);
    }
    // Of two free inputs of one sum the second stays what it is.
    let both: Vec<TermId> = free
        .iter()
        .filter(|(x, (sum, rest))| free.get(rest).is_some_and(|o| o.0 == *sum) && rest < *x)
        .map(|f| *f.0)
        .collect();
    for x in both {
        free.remove(&x);
    }
    free
}

impl System<'_> {
    fn node(&mut self, t: TermId, signed: bool, stands: Stands) -> usize {
        let next = self.stands.len();
        let node = *self.nodes.entry((t, signed)).or_insert(next);
        if node == next {
            self.stands.push(stands);
        }
        node
    }

    /// Enters a condition, if it is a difference.
    fn read(&mut self, condition: TermId) {
        let Node::Cmp { op, a, b } = self.terms.node(condition) else { return };
        let (signed, limit) = match op {
            CmpOp::Slt => (true, -1),
            CmpOp::Sle => (true, 0),
            CmpOp::Ult => (false, -1),
            CmpOp::Ule => (false, 0),
            CmpOp::Eq => (true, 0),
            CmpOp::FEq | CmpOp::FLt | CmpOp::FLe => return,
        };
        // Below a small constant unsigned: between 0 and it, signed as well.
        let small = |bits: u64| bits < 1 << (self.terms.width(b) - 1);
        let below = !signed && self.terms.as_const(b).is_some_and(small);
        for signed in if below { [true, false] } else { [signed, signed] } {
            let (Some(x), Some(y)) = (self.linear(a, signed), self.linear(b, signed)) else { continue };
            self.at_most(x, y, limit);
            if op == CmpOp::Eq {
                self.at_most(y, x, 0);
            }
            if below {
                self.at_most(Linear::default(), x, 0);
            } else {
                break;
            }
        }
    }

    /// `x - y <= limit`
    fn at_most(&mut self, x: Linear, y: Linear, limit: i128) {
        let (mut plus, mut minus): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        plus.extend(x.plus.iter().chain(&y.minus));
        minus.extend(x.minus.iter().chain(&y.plus));
        plus.retain(|node| match minus.iter().position(|other| other == node) {
            Some(at) => {
                minus.swap_remove(at);
                false
            }
            None => true,
        });
        let (to, from) = match (&plus[..], &minus[..]) {
            ([to], [from]) => (*to, *from),
            ([to], []) => (*to, ORIGIN),
            ([], [from]) => (ORIGIN, *from),
            _ => return,
        };
        if let Ok(limit) = i64::try_from(limit + y.offset - x.offset) {
            self.edges.push(Edge { from: from as u32, to: to as u32, limit });
        }
    }

    /// A term as a difference of nodes. Sums are taken apart on a stack of their own: they are as deep as loops are long.
    fn linear(&mut self, t: TermId, signed: bool) -> Option<Linear> {
        let terms = self.terms;
        let mut sums = Vec::new();
        let mut at = t;
        let mut inner = loop {
            match terms.node(at) {
                Node::Bin { op: BinOp::Add, width, a, b } if !self.nodes.contains_key(&(at, signed)) => {
                    if let Some(bits) = terms.as_const(b) {
                        sums.push((at, None, integer(bits, width, true)));
                        at = a;
                    } else {
                        let free = |x: TermId| self.free.get(&x).is_some_and(|(sum, _)| *sum == at);
                        let (x, rest) = if free(b) {
                            (b, a)
                        } else if free(a) {
                            (a, b)
                        } else {
                            return None;
                        };
                        sums.push((at, Some(x), 0));
                        at = rest;
                    }
                }
                _ => break self.leaf(at, signed)?,
            }
        };
        for (sum, free, addend) in sums.into_iter().rev() {
            inner = match free {
                None => Linear { offset: inner.offset + addend, ..inner },
                Some(x) => {
                    let Node::Var { input, width } = terms.node(x) else { return None };
                    let node = self.node(sum, signed, Stands::Sum { free: input, width, rest: inner });
                    Linear { plus: Some(node), ..Linear::default() }
                }
            };
        }
        Some(inner)
    }

    fn leaf(&mut self, t: TermId, signed: bool) -> Option<Linear> {
        let terms = self.terms;
        if let Some(node) = self.nodes.get(&(t, signed)) {
            return Some(Linear { plus: Some(*node), ..Linear::default() });
        }
        match terms.node(t) {
            Node::Const { width, bits } => Some(Linear { offset: integer(bits, width, signed), ..Linear::default() }),
            Node::Var { input, width } => {
                if let Some(&(sum, rest)) = self.free.get(&t) {
                    let (sum, rest) = (self.linear(sum, signed)?, self.linear(rest, signed)?);
                    // Only where the rest is a single node is the input a difference of two.
                    if rest.minus.is_some() {
                        return None;
                    }
                    return Some(Linear { plus: sum.plus, minus: rest.plus, offset: sum.offset - rest.offset });
                }
                let node = self.node(t, signed, Stands::Input(input, width));
                Some(Linear { plus: Some(node), ..Linear::default() })
            }
            Node::Conv { op: ConvOp::ZExt, a, .. } if matches!(terms.node(a), Node::Var { .. }) => self.leaf(a, false),
            Node::Conv { op: ConvOp::SExt, a, .. } if signed && matches!(terms.node(a), Node::Var { .. }) => {
                self.leaf(a, true)
            }
            _ => None,
        }
    }

    /// The model of these values, raised by so much.
    fn model(&self, hint: &Model, values: &[i128], by: i128) -> Model {
        let value = |linear: Linear| {
            let of = |node: Option<usize>| node.map_or(0, |node| values[node] + by);
            of(linear.plus) - of(linear.minus) + linear.offset
        };
        hint.with_all(self.stands.iter().zip(values).filter_map(|(stands, own)| match *stands {
            Stands::Origin => None,
            Stands::Input(input, width) => Some((input, (own + by) as u64 & mask(width))),
            Stands::Sum { free, width, rest } => Some((free, (own + by - value(rest)) as u64 & mask(width))),
        }))
    }
}

/// Lowers values until every edge holds. `None`: that does not come to an end.
fn lower(system: &mut System<'_>, values: &mut [i128], go_on: &mut dyn FnMut() -> bool) -> Option<()> {
    let place = places(&system.edges, values.len());
    system.edges.sort_by_key(|edge| (place[edge.from as usize], place[edge.to as usize]));
    let edges = &system.edges;
    let mut relax = |edge: &Edge| {
        let most = values[edge.from as usize] + i128::from(edge.limit);
        let lowered = values[edge.to as usize] > most;
        if lowered {
            values[edge.to as usize] = most;
        }
        lowered
    };
    for sweep in 0..MOST_SWEEPS.min(1 + MOST_WORK / edges.len()) {
        let mut changed = false;
        if sweep % 2 == 0 {
            edges.iter().for_each(|edge| changed |= relax(edge));
        } else {
            edges.iter().rev().for_each(|edge| changed |= relax(edge));
        }
        if !changed {
            return Some(());
        }
        if !go_on() {
            return None;
        }
    }
    None
}

/// Where nodes go so that edges lead forward, as far as there is such an order: then one sweep is enough.
fn places(edges: &[Edge], nodes: usize) -> Vec<usize> {
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    let mut into = vec![0usize; nodes];
    // Bounds lead to 0 and back: through it everything would be a circle.
    for edge in edges.iter().filter(|edge| edge.from != ORIGIN as u32 && edge.to != ORIGIN as u32) {
        from[edge.from as usize].push(edge.to);
        into[edge.to as usize] += 1;
    }
    let mut order: Vec<usize> = (0..nodes).filter(|node| into[*node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &to in &from[node] {
            into[to as usize] -= 1;
            if into[to as usize] == 0 {
                order.push(to as usize);
            }
        }
    }
    let mut place = vec![usize::MAX; nodes];
    for (at, node) in order.into_iter().enumerate() {
        place[node] = at;
    }
    for (node, place) in place.iter_mut().enumerate() {
        if *place == usize::MAX {
            *place = nodes + node;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use slowpath_term::Evaluator;

    #[test]
    fn sums_with_inputs_of_their_own_are_nodes() {
        // Distances along a chain: each round brings all later nodes nearer, weights from 0 to 100.
        let mut terms = Terms::new();
        let n = 12u32;
        let weight: Vec<TermId> = (0..n * n).map(|i| terms.var(InputId(i), 32)).collect();
        let (zero, most) = (terms.constant(32, 0), terms.constant(32, 100));
        let mut conditions = Vec::new();
        for w in &weight {
            conditions.push(terms.cmp(CmpOp::Sle, zero, *w));
            conditions.push(terms.cmp(CmpOp::Sle, *w, most));
        }
        let mut distance: Vec<TermId> = (0..n).map(|c| weight[c as usize]).collect();
        for row in 1..n {
            let best = distance[row as usize];
            for c in row + 1..n {
                let nearer = terms.bin(BinOp::Add, best, weight[(row * n + c) as usize]);
                conditions.push(terms.cmp(CmpOp::Slt, nearer, distance[c as usize]));
                distance[c as usize] = nearer;
            }
        }
        let models = potentials(&terms, &conditions, &Model::new(), &mut || true);
        let mut evaluator = Evaluator::new();
        let holds = |model: &Model| conditions.iter().all(|t| evaluator.holds(&terms, model, *t));
        assert!(models.iter().any(holds));
    }

    #[test]
    fn circles_have_no_potential() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
        let circle = [terms.cmp(CmpOp::Slt, x, y), terms.cmp(CmpOp::Slt, y, x)];
        assert!(potentials(&terms, &circle, &Model::new(), &mut || true).is_empty());
    }
}
