//! What a technique is: somebody who bids on a size by what is known, and is run for an effort.

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, EvolveParams, Family, HistoryLength, SearchError, SizeFinding, Target};

use crate::claim::FoundBy;
use crate::event::Event;
use crate::knowledge::Knowledge;
use crate::ledger::Ledger;
use crate::runner::Runner;

/// What a user may set.
#[derive(Clone, Debug)]
pub struct Settings {
    pub jobs: usize,
    /// Which kinds of policy are learned.
    pub family: Family,
    pub history: HistoryLength,
    pub evolve: EvolveParams,
    /// Random paths that the technique of that name follows.
    pub random_paths: u64,
    /// The largest size that will be asked for.
    pub largest: i64,
    /// The largest size that may be explored to learn from it.
    pub largest_explored: i64,
    /// Whether what policies find is to be compared with what is known, at sizes whose every path is known too.
    pub compares_policies: bool,
    /// Whether a law is looked for at all sizes, or only where a search would take too long.
    pub synthesizes: bool,
    /// Inputs that the user has, of any size: they are tried first, stretched where a size is another.
    pub corpus: Vec<InputValues>,
    /// Words that inputs may be made of, beside those that the program names itself.
    pub dictionary: Vec<Vec<u8>>,
    /// Techniques of the strategy that have no turn.
    pub left_out: Vec<FoundBy>,
}

/// Everything the techniques share.
pub struct Session<'s> {
    pub target: &'s Target,
    pub settings: Settings,
    pub ledger: Ledger,
    pub knowledge: Knowledge,
    pub runner: &'s mut dyn Runner,
    /// Of the whole analysis.
    pub budget: Budget,
    /// Sizes that have to share the time that is left.
    pub sizes_left: usize,
    pub events: &'s mut dyn FnMut(Event),
    /// Shown the ledger after every attempt.
    pub after: &'s mut dyn FnMut(&Ledger),
}

impl Session<'_> {
    /// The budget of one size where each would go on for as long as there is time.
    pub fn share(&self) -> Budget {
        self.budget.part(1.0 / self.sizes_left.max(1) as f64)
    }

    /// Enters what a technique found into the ledger, and tells whoever listens.
    pub fn offer(&mut self, technique: FoundBy, found: SizeFinding) {
        let (size, tried) = (found.size, found.paths);
        (self.events)(Event::Tried { size, technique, tried });
        if self.ledger.offer(technique, found)
            && let Some(cost) = self.ledger.cost(size)
        {
            (self.events)(Event::Worse { size, technique, cost });
        }
    }
}

/// When in an analysis a technique has its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before anything else: every size is to have an input.
    First,
    /// Leads straight to an input of the size.
    Lead,
    /// Goes on for as long as it may, from what is known.
    Search,
}

/// A way to find costly inputs. Whatever it does, what is in the ledger stays there.
pub trait Technique {
    fn name(&self) -> FoundBy;

    fn stage(&self) -> Stage;

    /// The share of the size's time that it wants, going by what is known. None: it has nothing to offer here.
    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64>;

    /// Tries to find something costly at a size. None: nothing was found, and nothing is to be said of it.
    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError>;
}
