//! The set a condition on one input allows, remembered for each condition.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_term::{InputId, Node, TermId, Terms};

use super::table::truth_table;
use super::{Intervals, Set, preimage};

/// A condition on one input: which one, and the values that satisfy it.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) input: InputId,
    pub(crate) set: Set,
}

/// Solutions of the conditions asked for so far.
#[derive(Default)]
pub(crate) struct Solutions {
    known: FxHashMap<TermId, Option<Rc<Solution>>>,
}

impl Solutions {
    /// The solution of `t` if it depends on one input only and its set can be written down.
    pub(crate) fn of(&mut self, terms: &Terms, t: TermId) -> Option<Rc<Solution>> {
        let &[input] = terms.inputs(t) else { return None };
        self.known
            .entry(t)
            .or_insert_with(|| {
                let width = width_of_only_input(terms, t);
                let set = if width <= 8 {
                    Set::Bytes(truth_table(terms, t, width)?)
                } else {
                    Set::Wide(preimage::preimage(terms, t, &Intervals::single(1, 1), width)?)
                };
                Some(Rc::new(Solution { input, set }))
            })
            .clone()
    }
}

fn width_of_only_input(terms: &Terms, t: TermId) -> u8 {
    let mut t = t;
    loop {
        match terms.node(t) {
            Node::Var { width, .. } => return width,
            node => {
                // `inputs` was asked of `t`, so some child has one.
                let Some(child) = node.children().find(|&child| !terms.inputs(child).is_empty()) else { return 64 };
                t = child;
            }
        }
    }
}
