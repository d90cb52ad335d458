//! The conditions of the path that relate two inputs, as edges to follow in either direction.
//!
//! All edges lie in one list in the order in which they came, each chained to the one before it at either of its ends. There are
//! as many as decisions on a long path: adding one touches the end of the list and its two points, and moves nothing.

use slowpath_term::InputId;

use super::atoms::{Atom, Atoms, Point};
use crate::block_vec::BlockVec;

/// One end of a condition as seen from the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Point,
    pub(crate) limit: i64,
}

/// A condition `plus - minus <= limit`.
#[derive(Clone, Copy)]
struct Entry {
    plus: u32,
    minus: u32,
    /// The limit's halves: whole, it would make each entry larger.
    limit: [u32; 2],
    /// The next older entries with this `minus` and with this `plus`, as positions from one.
    next: [u32; 2],
    /// The conjunct it stands for, from one; 0 if it is none, or has others beside it.
    conjunct: u32,
}

/// An end of edges, and its newest ones as positions from one, with their number.
#[derive(Clone, Copy)]
struct End {
    point: Point,
    newest: [u32; 2],
    count: [u32; 2],
    /// Those that are all there is to a conjunct.
    conjuncts: u32,
}

/// Edges by their `minus`: what must go down when it goes down.
const BELOW: usize = 0;
/// Edges by their `plus`: what must go up when it goes up.
const ABOVE: usize = 1;

/// Conditions `x - y <= c`, newest last, so that they can be taken back.
#[derive(Default)]
pub(crate) struct Graph {
    entries: BlockVec<Entry>,
    ends: Vec<End>,
}

impl Graph {
    /// Adds what must hold; returns the number of edges, to be given to `pop`.
    pub(crate) fn push(&mut self, atoms: &Atoms) -> u32 {
        match atoms {
            Atoms::One(atom) => u32::from(self.push_atom(atom)),
            Atoms::All(list) => list.iter().map(|atom| u32::from(self.push_atom(atom))).sum(),
            Atoms::None | Atoms::Either(..) => 0,
        }
    }

    /// Adds an atom over two inputs; those over one are the business of domains. One with a limit beyond 64 bits is left
    /// out, which loses nothing but precision: fewer conditions refute less, and models are checked anyway.
    pub(crate) fn push_atom(&mut self, atom: &Atom) -> bool {
        let (Some(plus), Some(minus)) = (atom.plus, atom.minus) else { return false };
        let Ok(limit) = i64::try_from(atom.limit) else { return false };
        self.push_edge(plus, minus, limit, 0);
        true
    }

    /// Adds the edge that is all there is to a conjunct, which is then found by its ends ([`Graph::conjuncts_of`]).
    #[inline]
    pub(crate) fn push_conjunct(&mut self, plus: Point, minus: Point, limit: i64, conjunct: u32) {
        self.push_edge(plus, minus, limit, conjunct + 1);
    }

    #[inline]
    fn push_edge(&mut self, plus: Point, minus: Point, limit: i64, conjunct: u32) {
        let size = plus.index().max(minus.index()) + 1;
        if self.ends.len() < size {
            self.ends.resize(size, End { point: plus, newest: [0; 2], count: [0; 2], conjuncts: 0 });
        }
        let newest = self.entries.len() as u32 + 1;
        let mut chain = |point: Point, side: usize| {
            let end = &mut self.ends[point.index()];
            end.point = point;
            end.count[side] += 1;
            end.conjuncts += u32::from(conjunct != 0);
            std::mem::replace(&mut end.newest[side], newest)
        };
        let next = [chain(minus, BELOW), chain(plus, ABOVE)];
        let limit = [limit as u32, (limit >> 32) as u32];
        self.entries.push(Entry { plus: plus.index() as u32, minus: minus.index() as u32, limit, next, conjunct });
    }

    /// Takes back the newest edges.
    pub(crate) fn pop(&mut self, edges: u32) {
        for _ in 0..edges {
            let Some(entry) = self.entries.pop() else { return };
            for (at, side) in [(entry.minus, BELOW), (entry.plus, ABOVE)] {
                let end = &mut self.ends[at as usize];
                end.newest[side] = entry.next[side];
                end.count[side] -= 1;
                end.conjuncts -= u32::from(entry.conjunct != 0);
            }
        }
    }

    /// The entries at one end, newest first.
    #[inline]
    fn entries(&self, at: usize, side: usize) -> impl Iterator<Item = &Entry> + '_ {
        let entry = |position: u32| self.entries.get((position as usize).wrapping_sub(1));
        let newest = self.ends.get(at).map_or(0, |end| end.newest[side]);
        std::iter::successors(entry(newest), move |e| entry(e.next[side]))
    }

    /// For every condition `x - y <= c` with this y: x and c, newest first.
    #[inline]
    pub(crate) fn below(&self, y: Point) -> impl Iterator<Item = Edge> + '_ {
        self.edges(y, BELOW)
    }

    /// For every condition `x - y <= c` with this x: y and c, newest first.
    #[inline]
    pub(crate) fn above(&self, x: Point) -> impl Iterator<Item = Edge> + '_ {
        self.edges(x, ABOVE)
    }

    #[inline]
    fn edges(&self, point: Point, side: usize) -> impl Iterator<Item = Edge> + '_ {
        self.entries(point.index(), side).map(move |entry| {
            let other = if side == BELOW { entry.plus } else { entry.minus };
            let limit = i64::from(entry.limit[1]) << 32 | i64::from(entry.limit[0]);
            Edge { to: self.ends[other as usize].point, limit }
        })
    }

    /// How many conditions hold a point from going down and from going up.
    pub(crate) fn degrees(&self, point: Point) -> (usize, usize) {
        let count = self.ends.get(point.index()).map_or([0; 2], |end| end.count);
        (count[BELOW] as usize, count[ABOVE] as usize)
    }

    /// Number of conjuncts that are one edge each, with this input at an end.
    pub(crate) fn count_of(&self, input: InputId) -> usize {
        let ends = [false, true].map(|signed| self.ends.get(Point { input, width: 0, signed }.index()));
        ends.into_iter().flatten().map(|end| end.conjuncts as usize).sum()
    }

    /// Its conjuncts, newest first by reading and end.
    pub(crate) fn conjuncts_of(&self, input: InputId) -> impl Iterator<Item = u32> + '_ {
        let ends = [false, true].map(|signed| Point { input, width: 0, signed }.index());
        let lists = ends.into_iter().flat_map(|end| [(end, BELOW), (end, ABOVE)]);
        lists.flat_map(|(end, side)| self.entries(end, side)).filter_map(|entry| entry.conjunct.checked_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(input: u32) -> Point {
        Point { input: InputId(input), width: 32, signed: true }
    }

    fn atom(plus: u32, minus: u32, limit: i128) -> Atom {
        Atom { plus: Some(point(plus)), minus: Some(point(minus)), limit }
    }

    #[test]
    fn edges_are_found_from_both_ends_and_taken_back_in_order() {
        let mut graph = Graph::default();
        let seen = |graph: &Graph| {
            let list = |edges: Vec<Edge>| edges.iter().map(|e| (e.to.input.0, e.limit)).collect::<Vec<_>>();
            (list(graph.below(point(1)).collect()), list(graph.above(point(0)).collect()), graph.degrees(point(1)))
        };
        graph.push_conjunct(point(0), point(1), -1, 7);
        let before = seen(&graph);
        assert_eq!(before, (vec![(0, -1)], vec![(1, -1)], (1, 0)));
        assert!(graph.push_atom(&atom(2, 1, i128::from(i64::MIN))) && graph.push_atom(&atom(1, 0, 1 << 40)));
        assert!(!graph.push_atom(&atom(2, 1, 1 << 64)), "beyond 64 bits");
        assert_eq!(seen(&graph).0, [(2, i64::MIN), (0, -1)]);
        assert_eq!(graph.below(point(0)).map(|e| e.limit).collect::<Vec<_>>(), [1 << 40]);
        assert_eq!(graph.conjuncts_of(InputId(1)).collect::<Vec<_>>(), [7]);
        graph.pop(2);
        assert_eq!(seen(&graph), before);
        graph.pop(1);
        assert_eq!(seen(&graph), (vec![], vec![], (0, 0)));
    }
}
