//! Nodes kept along a path, so that what shares its beginning need not run from the start.

use std::rc::Rc;

use crate::node::Node;

/// Nodes kept of one path: what it takes to get near any decision, and little enough for a whole population.
const MOST: usize = 12;

/// Nodes of one path by the number of decisions before them, ascending.
#[derive(Clone, Default)]
pub(crate) struct Snapshots {
    kept: Vec<(usize, Rc<Node>)>,
    /// Decisions from one to the next; doubles when there are too many.
    gap: usize,
}

impl Snapshots {
    /// None yet; the first gap is `gap`.
    pub fn new(gap: usize) -> Snapshots {
        Snapshots { kept: Vec::new(), gap: gap.max(1) }
    }

    /// What a path keeps that leaves this one at decision `index`.
    pub fn up_to(&self, index: usize) -> Snapshots {
        let kept = self.kept.iter().take_while(|(at, _)| *at <= index).cloned().collect();
        Snapshots { kept, gap: self.gap.max(1) }
    }

    /// Whether the node before decision `index` is wanted.
    pub fn wants(&self, index: usize) -> bool {
        index >= self.kept.last().map_or(0, |last| last.0) + self.gap
    }

    /// Keeps a node. `node.path` must be the condition of its path and nothing else.
    pub fn keep(&mut self, index: usize, node: Node) {
        if self.kept.len() >= MOST {
            let mut odd = false;
            self.kept.retain(|_| {
                odd = !odd;
                !odd
            });
            self.gap *= 2;
        }
        self.kept.push((index, Rc::new(node)));
    }

    /// The last node at or before decision `index`.
    pub fn before(&self, index: usize) -> Option<&(usize, Rc<Node>)> {
        let end = self.kept.partition_point(|(at, _)| *at <= index);
        self.kept[..end].last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::driver::Driver;
    use crate::evolve::test_target::{ZEROS, target};

    #[test]
    fn few_nodes_are_kept_and_the_deepest_before_a_decision_is_found() {
        let target = target(ZEROS);
        let node = Driver::new(&target, &Budget::default()).root(1).unwrap();
        let mut snapshots = Snapshots::new(2);
        for index in 1..=1000 {
            if snapshots.wants(index) {
                snapshots.keep(index, node.clone());
            }
            assert!(snapshots.kept.len() <= MOST);
        }
        assert!(snapshots.kept.windows(2).all(|w| w[0].0 < w[1].0));
        assert!(snapshots.kept.last().unwrap().0 > 700 && snapshots.kept[0].0 < 300);
        for index in [0, 1, 499, 1000, 2000] {
            let expected = snapshots.kept.iter().map(|k| k.0).filter(|at| *at <= index).max();
            assert_eq!(snapshots.before(index).map(|k| k.0), expected);
            assert_eq!(snapshots.up_to(index).kept.last().map(|k| k.0), expected);
        }
    }
}
