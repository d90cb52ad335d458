//! A path prefix, the portable unit of work: what was answered on the way from the start, and an input that goes there.

use slowpath_machine::Answer;
use slowpath_term::Model;

use crate::driver::{Driver, Step};
use crate::node::{Decision, Node};
use crate::target::{SearchError, Target};

/// A place to go on from. The one with nothing in it is the start of every path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// Decisions, and between them bounds that the solver gave, where these were kept.
    pub answers: Vec<Decision>,
    /// Satisfies the path condition there, so that following it asks the solver nothing.
    pub model: Vec<u64>,
}

impl Prefix {
    /// The prefix that leads to a node.
    pub fn of(node: &Node) -> Prefix {
        Prefix { answers: node.trail.answers(), model: node.model.values().to_vec() }
    }

    /// Follows the prefix from the start. None where somebody outside wants an end. What was answered after the last decision is left
    /// in `driver.recorded`, for when the node goes on; that it did not fit shows in `driver.diverged`.
    pub fn resume(&self, driver: &mut Driver<'_>, n: i64) -> Result<Option<Node>, SearchError> {
        let mut node = driver.root(n)?;
        if self.answers.is_empty() && self.model.is_empty() {
            return Ok(Some(node));
        }
        if !self.model.is_empty() {
            node.model = Model::from_values(self.model.clone());
        }
        let start = node.path.clone();
        if !start.iter().all(|condition| driver.satisfies(&node, condition)) {
            return Err(diverged("its input is none of the call"));
        }
        driver.recorded = self.answers.iter().copied().collect();
        driver.diverged = false;
        let is_decision = |answered: &Decision| matches!(answered.answer, Answer::Bool(_) | Answer::Case(_));
        let mut left = self.answers.iter().filter(|answered| is_decision(answered)).count();
        while left > 0 {
            let choice = match driver.advance(&mut node) {
                Step::Decide(choice) => choice,
                Step::Stop(_) => {
                    driver.recorded.clear();
                    return Ok(None);
                }
                end => return Err(diverged(&format!("the path ended early: {end:?}"))),
            };
            let decision = driver.recorded.pop_front().filter(|_| !driver.diverged);
            let current = choice.sides.get(choice.current).map(|side| side.answer);
            let Some(decision) = decision.filter(|decision| Some(decision.answer) == current) else {
                return Err(diverged("the program asks something else, or the input answers otherwise"));
            };
            driver.take(&mut node, &choice, choice.current, None, decision.forced);
            left -= 1;
        }
        // Somebody else did that work before.
        driver.forget_work();
        Ok(Some(node))
    }

    /// Whether its places are those of the program.
    pub fn fits(&self, target: &Target) -> bool {
        let sites = target.program.sites.len();
        let exists = |site: usize| site < sites || site == slowpath_program::module::NO_SITE as usize;
        self.answers.iter().all(|answered| exists(answered.site.index()))
    }
}

fn diverged(what: &str) -> SearchError {
    SearchError::Diverged(format!("a prefix cannot be followed: {what}"))
}
