//! What is looked at to find inputs: terms as operations under a model, and what that takes.

use slowpath_term::{Evaluator, InputId, Model, Node, TermId, Terms};

use super::source::Source;
use crate::flat::Flat;
use crate::numbers::Numbers;
use crate::track::Track;

/// Operations that a term may have.
const MOST_OPERATIONS: usize = 4_000;

/// New values of some inputs.
pub(super) type Change = Vec<(InputId, u64)>;

/// What finding inputs takes.
pub(super) struct Tools<'a> {
    pub(super) terms: &'a Terms,
    pub(super) track: &'a Track,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) numbers: Numbers,
    /// Operations done so far.
    pub(super) done: u64,
}

/// A term as operations, and where its inputs take their values from.
pub(super) struct View {
    pub(super) flat: Flat,
    /// Where the terms are, and what they are to be; the one that is to change first.
    pub(super) wanted: Vec<(u32, u64)>,
    /// Those that fewest conditions hold first, then the newest.
    pub(super) sources: Vec<Source>,
}

impl View {
    /// The terms under a model. None where they have too many operations.
    pub(super) fn of(terms: &Terms, track: &Track, model: &Model, wanted: &[(TermId, u64)]) -> Option<View> {
        let roots: Vec<TermId> = wanted.iter().map(|(t, _)| *t).collect();
        let mut flat = Flat::of(terms, &roots, |_| false, MOST_OPERATIONS)?;
        let wanted = wanted.iter().map(|(t, value)| Some((flat.place(*t)?, *value))).collect::<Option<Vec<_>>>()?;
        let mut sources = Vec::new();
        for (leaf, place) in flat.leaves().to_vec() {
            let Node::Var { input, width } = terms.node(leaf) else { continue };
            flat.set(place, model.get(input) & slowpath_term::ops::mask(width));
            sources.push(Source::of(track, input, width, place));
        }
        flat.evaluate();
        sources.sort_by_key(|source| (track.count_of(source.input), std::cmp::Reverse(source.input)));
        Some(View { flat, wanted, sources })
    }

    /// The operations behind some leaves.
    pub(super) fn behind(&self, leaves: &[u32]) -> Vec<u32> {
        let roots: Vec<u32> = self.wanted.iter().map(|(place, _)| *place).collect();
        self.flat.behind(leaves, &roots)
    }

    /// Whether the terms are what they are to be.
    #[inline]
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.iter().all(|(place, value)| self.flat.value(*place) == *value)
    }
}
