//! What a worst path did most often at a site: which of several permitted sides to follow first.

use rustc_hash::FxHashMap;
use slowpath_program::SiteId;

use super::history::Context;
use super::sides_of;
use crate::driver::Choice;
use crate::node::Decision;
use crate::policy::side_number;

/// A decision.
type Step = (SiteId, u32);

/// How often each side was taken, after the decision before it in the same activation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Favourites {
    after: FxHashMap<(Option<Step>, Step), u32>,
    anywhere: FxHashMap<Step, u32>,
}

impl Favourites {
    /// How many recent decisions of an activation they look at.
    pub const MEMORY: usize = 1;

    /// Those of one path.
    pub fn of_path(decisions: &[Decision]) -> Favourites {
        let mut out = Favourites::default();
        let mut last: FxHashMap<u32, Step> = FxHashMap::default();
        for (site, side, decision) in sides_of(decisions) {
            let before = last.insert(decision.activation, (site, side));
            if !decision.forced {
                *out.after.entry((before, (site, side))).or_insert(0) += 1;
                *out.anywhere.entry((site, side)).or_insert(0) += 1;
            }
        }
        out
    }

    /// How much a side is to be preferred here.
    pub fn weight(&self, choice: &Choice, side: usize, context: &Context) -> (u32, u32) {
        let step = (choice.site, side_number(choice.sides[side].answer));
        let before = context.latest(choice.activation);
        let count = |counts: Option<&u32>| counts.copied().unwrap_or(0);
        (count(self.after.get(&(before, step))), count(self.anywhere.get(&step)))
    }
}
