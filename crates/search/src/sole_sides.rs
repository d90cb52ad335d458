//! Decisions that need nobody: where a policy permits one side of a comparison alone, and the node's model goes there, the machine goes on without
//! asking (`Guide` of the machine).

use slowpath_machine::{Answer, Branching, Guide};
use slowpath_program::SiteId;
use slowpath_solver::PathCondition;
use slowpath_term::{Comparison, Condition, Evaluator, Model, Terms};

use crate::node::{Decision, Trail};

/// For each site the only side that is permitted, if there is one.
pub(crate) struct SoleSides {
    by_site: Vec<Option<bool>>,
}

impl FromIterator<(SiteId, bool)> for SoleSides {
    /// Of sites with the side that is permitted; one with both sides has no sole one.
    fn from_iter<I: IntoIterator<Item = (SiteId, bool)>>(permitted: I) -> SoleSides {
        let mut sides: Vec<[bool; 2]> = Vec::new();
        for (site, side) in permitted {
            let place = site.0 as usize;
            if sides.len() <= place {
                sides.resize(place + 1, [false; 2]);
            }
            sides[place][usize::from(side)] = true;
        }
        let sole = |sides: [bool; 2]| (sides[0] != sides[1]).then_some(sides[1]);
        SoleSides { by_site: sides.into_iter().map(sole).collect() }
    }
}

/// A node on its way along the sides that are permitted alone.
pub(crate) struct AlongSoleSides<'a> {
    pub(crate) sides: &'a SoleSides,
    pub(crate) model: &'a Model,
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) path: &'a mut PathCondition,
    pub(crate) trail: &'a mut Trail,
    /// Decisions that may still be made.
    pub(crate) left: u32,
    /// What the branches of those made cost.
    pub(crate) cost: u64,
}

impl Guide for AlongSoleSides<'_> {
    #[inline]
    fn compare(&mut self, terms: &Terms, branching: Branching, asked: Comparison) -> Option<bool> {
        let Branching { site, activation, cost } = branching;
        let side = self.sides.by_site.get(site.0 as usize).copied().flatten()?;
        if self.left == 0 || self.evaluator.compares(terms, self.model, asked) != side {
            return None;
        }
        self.left -= 1;
        self.cost += u64::from(cost);
        let taken = if side { asked } else { asked.opposite() };
        self.path.add(Condition::Compares(taken.straight()));
        self.trail.push(Decision { site, activation, answer: Answer::Bool(side), forced: false });
        Some(side)
    }
}
