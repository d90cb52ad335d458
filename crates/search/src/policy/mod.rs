//! Policies: which sides of decisions lead to the worst case, learned on small sizes.

mod branch;
mod favourites;
mod frequency;
mod history;
mod size_summary;
mod wise;

pub use branch::{BranchPolicy, Level};
pub use favourites::Favourites;
pub use frequency::{Balance, Frequencies};
pub use history::{Choices, Context, HistoryPolicy};
pub use size_summary::SizeSummary;
pub use wise::{find_good_generator, naive_generator};

use slowpath_machine::Answer;
use slowpath_program::SiteId;
use smallvec::SmallVec;

use crate::driver::{Choice, Side};
use crate::node::Decision;

/// A learned policy of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// WISE: per side of a site, whether it is forbidden, taken only if forced, or permitted.
    Branch(BranchPolicy),
    /// SPF-WCA: per site and recent decisions of the same activation, which sides to take.
    History(HistoryPolicy),
}

impl Policy {
    /// What the policy says of each side of a decision.
    pub fn levels(&self, choice: &Choice, context: &Context) -> SmallVec<[Level; 2]> {
        match self {
            Policy::Branch(p) => {
                let level = |side: &Side| p.level(choice.site, side_number(side.answer));
                // Collecting takes several times as long, and nearly every decision has two sides.
                match choice.sides.as_slice() {
                    [first, second] => SmallVec::from_buf([level(first), level(second)]),
                    sides => sides.iter().map(level).collect(),
                }
            }
            Policy::History(p) => p.levels(choice, context),
        }
    }

    /// Whether it may leave several sides of a decision open.
    pub fn leaves_choices(&self) -> bool {
        match self {
            Policy::Branch(p) => p.leaves_choices(),
            Policy::History(_) => true,
        }
    }

    /// How many recent decisions of an activation the policy looks at.
    pub fn memory(&self) -> usize {
        match self {
            Policy::Branch(_) => 0,
            Policy::History(p) => p.height(),
        }
    }
}

/// A side as a number: false 0, true 1, cases by their own.
pub(crate) fn side_number(answer: Answer) -> u32 {
    match answer {
        Answer::Bool(b) => u32::from(b),
        Answer::Case(i) => i,
        Answer::Value(_) | Answer::Range(..) => 0,
    }
}

/// The decisions of a path that a policy can be about: those between sides, not the pinned values.
pub(crate) fn sides_of(decisions: &[Decision]) -> impl Iterator<Item = (SiteId, u32, &Decision)> {
    decisions
        .iter()
        .filter(|d| matches!(d.answer, Answer::Bool(_) | Answer::Case(_)))
        .map(|d| (d.site, side_number(d.answer), d))
}
