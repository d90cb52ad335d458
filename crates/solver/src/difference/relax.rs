//! One more condition: the potential is repaired around it, or a negative cycle shows that it cannot hold.
//!
//! Let `u - v <= c` fail by δ. In the graph of slacks (how much each condition leaves free) no edge is negative, so Dijkstra's
//! search applies. Lowering u by δ drags down every x within distance d < δ of u, by δ - d; if v is among them there is a
//! negative cycle. Where a dragged input would fall below its least value, u is lowered as far as that allows and v is raised
//! by the rest, dragging others up; if that meets u, or the greatest value of some input, there is a negative cycle as well.
//! Where fewer conditions hold v than u, it is the other way round.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use slowpath_term::{InputId, Model};

use super::atoms::{Atom, Point};
use super::graph::{Edge, Graph};
use crate::sets::integer;

/// Outcome of asking for one more condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relaxed {
    /// The potential satisfies it now.
    Holds,
    /// It contradicts the others.
    Cycle,
    /// The potential did not satisfy what it should have: nothing may be concluded.
    Broken,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    /// Search in which `distance` was written.
    search: u64,
    distance: i128,
    /// Question in which `value` was written.
    question: u64,
    value: i128,
}

/// A potential that starts as a model and is changed locally. Kept between questions for its tables only.
#[derive(Default)]
pub(crate) struct Relaxation {
    cells: Vec<Cell>,
    searches: u64,
    questions: u64,
    changed: Vec<Point>,
    heap: BinaryHeap<Reverse<(i128, Point)>>,
    reached: Vec<Point>,
    /// Bounds that the question puts on inputs, on top of their domains.
    tightened: Vec<(Point, i128, i128)>,
    /// Edges looked at since this was last asked.
    visits: u64,
}

/// Down from u, or up from v.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

/// How a search ended.
enum Found {
    /// The end of the new condition was met: a negative cycle.
    Cycle,
    /// The least distance at which some input meets the end of its range; the reach if none does.
    Free(i128),
    Broken,
}

/// What a relaxation works on: the graph, the model it starts from, the range of each input.
pub(crate) struct World<'a, F> {
    pub(crate) graph: &'a Graph,
    pub(crate) model: &'a Model,
    pub(crate) bounds: F,
}

impl Relaxation {
    /// Starts from the model again.
    pub(crate) fn begin(&mut self) {
        self.questions += 1;
        self.changed.clear();
        self.tightened.clear();
    }

    /// Edges looked at since this was last asked.
    pub(crate) fn take_visits(&mut self) -> u64 {
        std::mem::take(&mut self.visits)
    }

    /// Inputs that differ from the model, with their values as bits.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (InputId, u64)> + '_ {
        self.changed.iter().map(|point| {
            let value = self.cells[point.index()].value as u64;
            (point.input, value & slowpath_term::ops::mask(point.width))
        })
    }

    /// Points that moved.
    pub(crate) fn changed(&self) -> &[Point] {
        &self.changed
    }

    /// How many bounds the question has put so far; to be given to `loosen`.
    pub(crate) fn tightness(&self) -> usize {
        self.tightened.len()
    }

    /// Takes back bounds put since.
    pub(crate) fn loosen(&mut self, tightness: usize) {
        self.tightened.truncate(tightness);
    }

    fn cell(&mut self, point: Point) -> &mut Cell {
        if self.cells.len() <= point.index() {
            self.cells.resize(point.index() + 1, Cell::default());
        }
        &mut self.cells[point.index()]
    }

    /// The value of a point in the potential.
    pub(crate) fn value(&mut self, model: &Model, point: Point) -> i128 {
        let question = self.questions;
        let cell = self.cell(point);
        if cell.question == question {
            return cell.value;
        }
        integer(model.get(point.input) & slowpath_term::ops::mask(point.width), point.width, point.signed)
    }

    fn set(&mut self, point: Point, value: i128) {
        let question = self.questions;
        let cell = self.cell(point);
        if cell.question != question {
            cell.question = question;
            self.changed.push(point);
        }
        self.cell(point).value = value;
    }

    fn range<F: Fn(InputId, u8, bool) -> (i128, i128)>(&self, world: &World<'_, F>, point: Point) -> (i128, i128) {
        let whole = (world.bounds)(point.input, point.width, point.signed);
        self.tightened.iter().filter(|(p, ..)| *p == point).fold(whole, |(lo, hi), &(_, l, h)| (lo.max(l), hi.min(h)))
    }

    /// Makes the potential satisfy one more atom. The caller adds its edge to the graph afterwards, to keep it satisfied;
    /// bounds on one input are remembered here.
    pub(crate) fn require<F: Fn(InputId, u8, bool) -> (i128, i128)>(
        &mut self,
        world: &World<'_, F>,
        atom: &Atom,
    ) -> Relaxed {
        let up = atom.plus.map_or(0, |p| self.value(world.model, p));
        let down = atom.minus.map_or(0, |p| self.value(world.model, p));
        let excess = up - down - atom.limit;
        let relaxed = if excess <= 0 { Relaxed::Holds } else { self.relax(world, atom.plus, atom.minus, excess) };
        match (atom.plus, atom.minus) {
            (Some(p), None) => self.tightened.push((p, i128::MIN, atom.limit)),
            (None, Some(p)) => self.tightened.push((p, -atom.limit, i128::MAX)),
            _ => {}
        }
        relaxed
    }

    fn relax<F: Fn(InputId, u8, bool) -> (i128, i128)>(
        &mut self,
        world: &World<'_, F>,
        plus: Option<Point>,
        minus: Option<Point>,
        excess: i128,
    ) -> Relaxed {
        let mut rest = excess;
        let down = plus.map_or(usize::MAX, |u| world.graph.degrees(u).0);
        let up = minus.map_or(usize::MAX, |v| world.graph.degrees(v).1);
        // Whatever fewer conditions hold goes first: less is dragged along.
        let ways = if up < down { [Direction::Up, Direction::Down] } else { [Direction::Down, Direction::Up] };
        for direction in ways {
            let (start, end) = if direction == Direction::Down { (plus, minus) } else { (minus, plus) };
            let Some(start) = start else { continue };
            match self.search(world, direction, start, end, rest) {
                Found::Cycle => return Relaxed::Cycle,
                Found::Broken => return Relaxed::Broken,
                Found::Free(free) => {
                    self.shift(world, direction, free);
                    rest -= free;
                }
            }
            if rest == 0 {
                return Relaxed::Holds;
            }
        }
        Relaxed::Cycle
    }

    /// Dijkstra's search from `start` over slacks, no further than `reach`.
    fn search<F: Fn(InputId, u8, bool) -> (i128, i128)>(
        &mut self,
        world: &World<'_, F>,
        direction: Direction,
        start: Point,
        end: Option<Point>,
        reach: i128,
    ) -> Found {
        self.searches += 1;
        let search = self.searches;
        self.reached.clear();
        self.heap.clear();
        let mut free = reach;
        let cell = self.cell(start);
        (cell.search, cell.distance) = (search, 0);
        self.heap.push(Reverse((0, start)));
        while let Some(Reverse((distance, point))) = self.heap.pop() {
            if distance >= reach {
                break;
            }
            if self.cell(point).distance != distance {
                continue;
            }
            // Past the point where an input meets its end nothing is moved; the search goes on only to look for a cycle,
            // and there is none to be found that the other way would not find.
            if distance >= free {
                break;
            }
            if Some(point) == end {
                return Found::Cycle;
            }
            self.reached.push(point);
            let value = self.value(world.model, point);
            let (lo, hi) = self.range(world, point);
            let room = if direction == Direction::Down { value - lo } else { hi - value };
            if room < 0 {
                return Found::Broken;
            }
            free = free.min(distance + room);
            let mut visit = |edge: Edge| {
                self.visits += 1;
                let other = self.value(world.model, edge.to);
                let limit = i128::from(edge.limit);
                let slack = if direction == Direction::Down { value + limit - other } else { other + limit - value };
                if slack < 0 {
                    return false;
                }
                let next = distance + slack;
                let cell = self.cell(edge.to);
                if next < reach && (cell.search != search || next < cell.distance) {
                    (cell.search, cell.distance) = (search, next);
                    self.heap.push(Reverse((next, edge.to)));
                }
                true
            };
            let sound = match direction {
                Direction::Down => world.graph.below(point).all(&mut visit),
                Direction::Up => world.graph.above(point).all(&mut visit),
            };
            if !sound {
                return Found::Broken;
            }
        }
        Found::Free(free)
    }

    /// Moves everything reached within `by`, each as far as it is dragged.
    fn shift<F>(&mut self, world: &World<'_, F>, direction: Direction, by: i128) {
        for i in 0..self.reached.len() {
            let point = self.reached[i];
            let distance = self.cell(point).distance;
            if distance < by {
                let value = self.value(world.model, point);
                self.set(
                    point,
                    if direction == Direction::Down { value - (by - distance) } else { value + (by - distance) },
                );
            }
        }
    }
}
