//! The conditions of the path that relate two inputs, as edges to follow in either direction.

use super::atoms::{Atom, Atoms, Point};

/// One end of a condition as seen from the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Point,
    /// Half the size of the limits questions are computed with: there are many edges.
    pub(crate) limit: i64,
}

/// Conditions `x - y <= c`, newest last, so that they can be taken back.
#[derive(Default)]
pub(crate) struct Graph {
    /// By y: what must go down when y goes down.
    below: Vec<Vec<Edge>>,
    /// By x: what must go up when x goes up.
    above: Vec<Vec<Edge>>,
    order: Vec<(u32, u32)>,
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
        let size = plus.index().max(minus.index()) + 1;
        if self.below.len() < size {
            self.below.resize(size, Vec::new());
            self.above.resize(size, Vec::new());
        }
        self.below[minus.index()].push(Edge { to: plus, limit });
        self.above[plus.index()].push(Edge { to: minus, limit });
        self.order.push((plus.index() as u32, minus.index() as u32));
        true
    }

    /// Takes back the newest edges.
    pub(crate) fn pop(&mut self, edges: u32) {
        for _ in 0..edges {
            if let Some((plus, minus)) = self.order.pop() {
                self.below[minus as usize].pop();
                self.above[plus as usize].pop();
            }
        }
    }

    /// For every condition `x - y <= c` with this y: x and c.
    #[inline]
    pub(crate) fn below(&self, y: Point) -> &[Edge] {
        self.below.get(y.index()).map_or(&[], Vec::as_slice)
    }

    /// For every condition `x - y <= c` with this x: y and c.
    #[inline]
    pub(crate) fn above(&self, x: Point) -> &[Edge] {
        self.above.get(x.index()).map_or(&[], Vec::as_slice)
    }
}
