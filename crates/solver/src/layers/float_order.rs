//! Orders between floats: inputs and constants compared as they are, with no arithmetic in between.
//!
//! A comparison that holds says that neither side is NaN, so a cycle of such comparisons with a strict one in it refutes. One that
//! does not hold is its opposite, or there is a NaN: an input in no comparison that holds may be one, and then meets every other
//! condition on its order. Values are given in the order found; what else the path asks of them, evaluation decides.

use rustc_hash::FxHashMap;
use slowpath_term::{CmpOp, Evaluator, InputId, Model, Node, TermId, Terms, UnOp};

use super::Question;
use crate::answer::Verdict;

/// What is compared: an input, or a constant of the path.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Point {
    Input { input: InputId, width: u8 },
    Constant(f64),
}

/// `low` is below `high`, or not above it.
#[derive(Clone, Copy, Debug)]
struct Edge {
    low: usize,
    high: usize,
    strict: bool,
    /// It follows only if neither is NaN.
    unless_nan: bool,
}

#[derive(Default)]
struct Orders {
    points: Vec<Point>,
    index: FxHashMap<TermId, usize>,
    edges: Vec<Edge>,
    /// Points that are no NaN: constants, and what some comparison holds for.
    plain: Vec<bool>,
}

pub(super) fn decide(question: &Question<'_>, slice: &[TermId], evaluator: &mut Evaluator) -> Verdict {
    if !question.goals.iter().any(|goal| comparison(question.terms, *goal).is_some()) {
        return Verdict::Pass;
    }
    let mut orders = Orders::default();
    slice.iter().chain(question.goals).for_each(|t| orders.read(question.terms, *t));
    orders.order_constants();
    let everybody = vec![true; orders.points.len()];
    let plain = orders.plain.clone();
    for numbers in [everybody, plain] {
        let model = match orders.values(&numbers) {
            Some(values) => orders.model(question.model, &values),
            // Among those that are numbers for certain this is a contradiction.
            None if numbers == orders.plain => return Verdict::Unsat,
            None => continue,
        };
        let Some(model) = model else { continue };
        let mut all = slice.iter().chain([&question.extra]);
        if all.all(|t| evaluator.holds(question.terms, &model, *t)) {
            return Verdict::Sat(model);
        }
    }
    Verdict::Pass
}

/// A comparison of floats: its operator and sides, and whether it holds.
fn comparison(terms: &Terms, t: TermId) -> Option<(CmpOp, TermId, TermId, bool)> {
    let (t, holds) = match terms.node(t) {
        Node::Un { op: UnOp::Not, width: 1, a } => (a, false),
        _ => (t, true),
    };
    match terms.node(t) {
        Node::Cmp { op: op @ (CmpOp::FLt | CmpOp::FLe | CmpOp::FEq), a, b } => Some((op, a, b, holds)),
        _ => None,
    }
}

impl Orders {
    /// Takes in a condition, if it is an order.
    fn read(&mut self, terms: &Terms, t: TermId) {
        let Some((op, a, b, holds)) = comparison(terms, t) else { return };
        let (Some(a), Some(b)) = (self.point(terms, a), self.point(terms, b)) else { return };
        if holds {
            (self.plain[a], self.plain[b]) = (true, true);
        }
        let mut add = |low, high, strict| self.edges.push(Edge { low, high, strict, unless_nan: !holds });
        match (op, holds) {
            (CmpOp::FLt, true) => add(a, b, true),
            (CmpOp::FLt, false) => add(b, a, false),
            (CmpOp::FLe, true) => add(a, b, false),
            (CmpOp::FLe, false) => add(b, a, true),
            (_, true) => {
                add(a, b, false);
                add(b, a, false);
            }
            // Different values are given to different points anyway.
            (_, false) => {}
        }
    }

    fn point(&mut self, terms: &Terms, t: TermId) -> Option<usize> {
        if let Some(known) = self.index.get(&t) {
            return Some(*known);
        }
        let point = match terms.node(t) {
            Node::Var { input, width: width @ (32 | 64) } => Point::Input { input, width },
            Node::Const { width: 64, bits } => Point::Constant(f64::from_bits(bits)),
            Node::Const { width: 32, bits } => Point::Constant(f64::from(f32::from_bits(bits as u32))),
            _ => return None,
        };
        if matches!(point, Point::Constant(value) if value.is_nan()) {
            return None;
        }
        let known = self.points.iter().position(|other| matches!(point, Point::Constant(_)) && *other == point);
        let at = known.unwrap_or(self.points.len());
        if known.is_none() {
            self.points.push(point);
            self.plain.push(matches!(point, Point::Constant(_)));
        }
        self.index.insert(t, at);
        Some(at)
    }

    fn order_constants(&mut self) {
        let mut constants: Vec<(f64, usize)> = Vec::new();
        for (at, point) in self.points.iter().enumerate() {
            if let Point::Constant(value) = point {
                constants.push((*value, at));
            }
        }
        constants.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in constants.windows(2) {
            self.edges.push(Edge { low: pair[0].1, high: pair[1].1, strict: true, unless_nan: false });
        }
    }

    /// A value for every point that is to be a number, in a possible order; none where they contradict each other.
    fn values(&self, numbers: &[bool]) -> Option<Vec<Option<f64>>> {
        let counts = |edge: &&Edge| !edge.unless_nan || (numbers[edge.low] && numbers[edge.high]);
        let edges: Vec<&Edge> = self.edges.iter().filter(counts).collect();
        let groups = groups(self.points.len(), &edges);
        if edges.iter().any(|edge| edge.strict && groups[edge.low] == groups[edge.high]) {
            return None;
        }
        let count = groups.iter().max().map_or(0, |most| most + 1);
        let mut fixed: Vec<Option<f64>> = vec![None; count];
        for (at, point) in self.points.iter().enumerate() {
            if let Point::Constant(value) = point {
                fixed[groups[at]] = Some(*value);
            }
        }
        let spread = spread(&fixed);
        Some(groups.iter().zip(numbers).map(|(group, number)| number.then(|| spread[*group])).collect())
    }

    /// The model with these values; NaN where there is none. Nothing if one input is read at two widths.
    fn model(&self, model: &Model, values: &[Option<f64>]) -> Option<Model> {
        let mut changes: FxHashMap<InputId, u64> = FxHashMap::default();
        for (point, value) in self.points.iter().zip(values) {
            let Point::Input { input, width } = *point else { continue };
            let value = value.unwrap_or(f64::NAN);
            let bits = if width == 64 { value.to_bits() } else { u64::from((value as f32).to_bits()) };
            if changes.insert(input, bits).is_some_and(|other| other != bits) {
                return None;
            }
        }
        Some(model.with_all(changes))
    }
}

/// Points that are equal because each is at most the other have the same group; groups are numbered from the lowest on.
fn groups(points: usize, edges: &[&Edge]) -> Vec<usize> {
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); points];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); points];
    for edge in edges {
        above[edge.low].push(edge.high);
        below[edge.high].push(edge.low);
    }
    // Kosaraju's algorithm: components come out with the lowest first, since the first pass ends with the lowest last.
    let mut finished = Vec::with_capacity(points);
    let mut seen = vec![false; points];
    for start in (0..points).rev() {
        walk(start, &above, &mut seen, &mut |point| finished.push(point));
    }
    let mut group = vec![usize::MAX; points];
    let mut seen = vec![false; points];
    let mut count = 0;
    for start in finished.into_iter().rev() {
        let mut met = false;
        walk(start, &below, &mut seen, &mut |point| {
            group[point] = count;
            met = true;
        });
        count += usize::from(met);
    }
    group
}

/// Depth first without recursion; calls `leave` for every new point after all that it leads to.
fn walk(start: usize, next: &[Vec<usize>], seen: &mut [bool], leave: &mut dyn FnMut(usize)) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((point, done)) = stack.last_mut() {
        match next[*point].get(*done) {
            Some(to) => {
                *done += 1;
                if !std::mem::replace(&mut seen[*to], true) {
                    stack.push((*to, 0));
                }
            }
            None => {
                leave(*point);
                stack.pop();
            }
        }
    }
}

/// Rising values for a list of which some are given: whole numbers where nothing speaks against it.
fn spread(fixed: &[Option<f64>]) -> Vec<f64> {
    let known: Vec<(usize, f64)> = fixed.iter().enumerate().filter_map(|(i, v)| Some((i, (*v)?))).collect();
    let value = |i: usize| {
        let before = known.iter().rev().find(|(at, _)| *at <= i);
        let after = known.iter().find(|(at, _)| *at >= i);
        match (before, after) {
            (Some((at, v)), _) if *at == i => *v,
            (None, None) => i as f64,
            (Some((at, v)), None) => v.floor() + (i - at) as f64,
            (None, Some((at, v))) => v.ceil() - (at - i) as f64,
            (Some((low, v)), Some((high, w))) => {
                let whole = v.floor() + (i - low) as f64;
                if v.floor() + (high - low) as f64 <= *w {
                    whole
                } else {
                    v + (w - v) * (i - low) as f64 / (high - low) as f64
                }
            }
        }
    };
    (0..fixed.len()).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_values_stay_and_the_others_rise_between_them() {
        assert_eq!(spread(&[None, None, None]), [0.0, 1.0, 2.0]);
        assert_eq!(spread(&[None, Some(2.5), None]), [2.0, 2.5, 3.0]);
        assert_eq!(spread(&[Some(0.0), None, None, Some(3.0)]), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(spread(&[Some(0.0), None, None, None, Some(1.0)]), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn groups_rise_along_the_edges_and_join_what_is_equal() {
        let edge = |low, high| Edge { low, high, strict: false, unless_nan: false };
        let edges = [edge(3, 1), edge(1, 2), edge(2, 1), edge(2, 0)];
        let groups = groups(5, &edges.iter().collect::<Vec<_>>());
        assert_eq!(groups[1], groups[2]);
        assert!(groups[3] < groups[1] && groups[2] < groups[0]);
    }
}
