//! Many conditions at once: a path condition that was not found step by step, so that no model came along with it.
//!
//! A potential of all orders between inputs is computed in one go. What it does not satisfy (sums, disequalities, sets) is then
//! asked for one condition at a time, under those that hold.

use std::collections::VecDeque;

use slowpath_term::ops::mask;
use slowpath_term::{Evaluator, Model, TermId, Terms};

use crate::answer::Answer;
use crate::difference::{Atoms, Point};
use crate::path::PathCondition;
use crate::sets::integer;
use crate::solver::Solver;

/// Rounds over the inputs before a potential is given up: each needs one in a good order, and few where orders form cycles.
const MOST_ROUNDS: usize = 64;

impl Solver {
    /// A model of all the conditions. `hint` is where to begin: a model of most of them is worth much.
    /// `go_on` is asked now and then; false ends the search.
    pub fn solve(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        hint: &Model,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let mut evaluator = Evaluator::new();
        let mut model = hint.clone();
        let mut holding = |model: &Model| conditions.iter().filter(|&&t| evaluator.holds(terms, model, t)).count();
        let mut most = holding(hint);
        if most < conditions.len() {
            for ordered in potentials(terms, conditions, hint) {
                let count = holding(&ordered);
                if count > most {
                    (most, model) = (count, ordered);
                }
            }
        }
        let mut path = PathCondition::new();
        let mut open = VecDeque::new();
        for &condition in conditions {
            if evaluator.holds(terms, &model, condition) {
                path.add(condition);
            } else {
                open.push_back(condition);
            }
        }
        while let Some(condition) = open.pop_front() {
            if !evaluator.holds(terms, &model, condition) {
                if !go_on() {
                    return Answer::Unknown("there was no time left".to_owned());
                }
                match self.check(terms, &path, &model, condition) {
                    Answer::Sat(better) => model = better,
                    other => return other,
                }
            }
            path.add(condition);
        }
        Answer::Sat(model)
    }
}

/// `to <= from + limit`, whenever `from` goes down.
struct Edge {
    to: usize,
    limit: i64,
}

/// Values that satisfy the orders between inputs, as far as these can be read: none below 0, and the greatest below the hint's
/// values. Nothing where there is no order among the conditions, or they go round in circles.
fn potentials(terms: &Terms, conditions: &[TermId], hint: &Model) -> Vec<Model> {
    let whole = |_, width: u8, signed: bool| {
        if signed { (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1) } else { (0, (1i128 << width) - 1) }
    };
    let mut points: Vec<Option<Point>> = Vec::new();
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    let mut enter = |point: Point, edges: &mut Vec<Vec<Edge>>| {
        let index = point.index();
        if points.len() <= index {
            points.resize(index + 1, None);
            edges.resize_with(index + 1, Vec::new);
        }
        points[index] = Some(point);
        index
    };
    for &condition in conditions {
        let atoms = match Atoms::of(terms, condition, whole) {
            Atoms::One(atom) => vec![atom],
            // Of the two readings of an equality the first.
            Atoms::All(mut list) => {
                list.truncate(2);
                list
            }
            Atoms::None | Atoms::Either(..) => continue,
        };
        for atom in atoms {
            if let (Some(plus), Some(minus), Ok(limit)) = (atom.plus, atom.minus, i64::try_from(atom.limit)) {
                let (to, from) = (enter(plus, &mut edges), enter(minus, &mut edges));
                edges[from].push(Edge { to, limit });
            }
        }
    }
    let read = |point: &Point| integer(hint.get(point.input) & mask(point.width), point.width, point.signed);
    let mut values: Vec<i128> = points.iter().map(|p| p.as_ref().map_or(0, read)).collect();
    if edges.is_empty() || lower(&edges, &mut values).is_none() {
        return Vec::new();
    }
    let raised = -values.iter().copied().min().unwrap_or(0).min(0);
    let raised_by = |by: i128| {
        hint.with_all(points.iter().zip(&values).filter_map(|(point, value)| {
            let point = (*point)?;
            let value = value + by;
            (read(&point) != value).then_some((point.input, value as u64 & mask(point.width)))
        }))
    };
    [raised, 0].map(raised_by).into()
}

/// Lowers values until every edge holds. `None`: that does not come to an end.
fn lower(edges: &[Vec<Edge>], values: &mut [i128]) -> Option<()> {
    let order = sorted(edges);
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for &from in &order {
            for edge in &edges[from] {
                let most = values[from] + i128::from(edge.limit);
                if values[edge.to] > most {
                    values[edge.to] = most;
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(());
        }
    }
    None
}

/// The nodes in an order in which edges go forward, as far as there is one: then one round is enough.
fn sorted(edges: &[Vec<Edge>]) -> Vec<usize> {
    let mut into = vec![0usize; edges.len()];
    for edge in edges.iter().flatten() {
        into[edge.to] += 1;
    }
    let mut order: Vec<usize> = (0..edges.len()).filter(|node| into[*node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for edge in &edges[node] {
            into[edge.to] -= 1;
            if into[edge.to] == 0 {
                order.push(edge.to);
            }
        }
    }
    order.extend((0..edges.len()).filter(|node| into[*node] > 0));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SolverConfig;
    use slowpath_term::{BinOp, CmpOp, InputId};

    fn solve(terms: &mut Terms, conditions: &[TermId]) -> Answer {
        Solver::new(SolverConfig::default()).solve(terms, conditions, &Model::new(), &mut || true)
    }

    fn check(terms: &Terms, conditions: &[TermId], answer: &Answer) {
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let mut evaluator = Evaluator::new();
        assert!(conditions.iter().all(|t| evaluator.holds(terms, model, *t)));
    }

    #[test]
    fn a_chain_of_orders_is_solved_without_a_question_in_either_direction() {
        for falling in [true, false] {
            let mut terms = Terms::new();
            let vars: Vec<TermId> = (0..300).map(|i| terms.var(InputId(i), 32)).collect();
            let mut conditions = Vec::new();
            for i in 0..vars.len() {
                for j in 0..i {
                    let (low, high) = if falling { (vars[i], vars[j]) } else { (vars[j], vars[i]) };
                    conditions.push(terms.cmp(CmpOp::Slt, low, high));
                }
            }
            let mut solver = Solver::new(SolverConfig::default());
            let answer = solver.solve(&mut terms, &conditions, &Model::new(), &mut || true);
            check(&terms, &conditions, &answer);
            assert_eq!(solver.stats().queries, 0);
        }
    }

    #[test]
    fn orders_mixed_with_sums_and_constants_are_solved() {
        let mut terms = Terms::new();
        let [x, y, z] = [0, 1, 2].map(|i| terms.var(InputId(i), 32));
        let (zero, ten) = (terms.constant(32, 0), terms.constant(32, 10));
        let sum = terms.bin(BinOp::Add, x, y);
        let conditions = vec![
            terms.cmp(CmpOp::Slt, x, y),
            terms.cmp(CmpOp::Slt, y, z),
            terms.cmp(CmpOp::Eq, sum, ten),
            terms.cmp(CmpOp::Slt, zero, x),
        ];
        let answer = solve(&mut terms, &conditions);
        check(&terms, &conditions, &answer);
    }

    #[test]
    fn what_contradicts_itself_has_no_model() {
        let mut terms = Terms::new();
        let [x, y, z] = [0, 1, 2].map(|i| terms.var(InputId(i), 32));
        let circle = [(x, y), (y, z), (z, x)].map(|(a, b)| terms.cmp(CmpOp::Slt, a, b));
        assert!(solve(&mut terms, &circle).is_unsat());
        let answer = Solver::new(SolverConfig::default()).solve(&mut terms, &circle, &Model::new(), &mut || false);
        assert!(matches!(answer, Answer::Unknown(_)));
    }
}
