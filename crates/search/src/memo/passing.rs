//! Decisions in the middle of a chain of tests of one input, once its value is known well enough: a bisection that comes back to a
//! letter goes one way only. Nothing is looked up there and nothing remembered: states that come together do so before the
//! chain or after it.

use rustc_hash::FxHashSet;
use slowpath_program::SiteId;
use slowpath_term::{InputId, TermId, Terms};

use crate::driver::Choice;

/// Decisions passed in a row before one is looked up again: a loop may go on for long without any other.
const MOST_IN_A_ROW: usize = 16;

/// A chain of tests of one input in one activation of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    activation: u32,
    input: InputId,
}

/// The chain that a decision belongs to, and its condition; None if it asks about more than one input.
pub fn chain(terms: &Terms, choice: &Choice) -> Option<(Chain, TermId)> {
    let [Some(condition), None] = choice.sides.first()?.terms() else { return None };
    let same = choice.sides.len() == 2 && choice.sides.iter().all(|side| side.terms() == [Some(condition), None]);
    match terms.inputs(condition)[..] {
        [input] if same && terms.width(condition) == 1 => {
            Some((Chain { activation: choice.activation, input }, condition))
        }
        _ => None,
    }
}

impl Chain {
    /// The input that is tested.
    pub fn input(self) -> InputId {
        self.input
    }
}

/// Which decisions may be passed.
#[derive(Default)]
pub struct Passing {
    /// Sites whose futures had names, and had none. Names are found decision by decision.
    named: FxHashSet<SiteId>,
    plain: FxHashSet<SiteId>,
}

impl Passing {
    /// A future of a site is known.
    pub fn learn(&mut self, site: SiteId, has_names: bool) {
        if has_names {
            self.named.insert(site)
        } else {
            self.plain.insert(site)
        };
    }

    /// Whether a decision may be passed after so many, if it can go one way only.
    pub fn allows(&self, site: SiteId, passed: usize) -> bool {
        passed < MOST_IN_A_ROW && self.plain.contains(&site) && !self.named.contains(&site)
    }
}
