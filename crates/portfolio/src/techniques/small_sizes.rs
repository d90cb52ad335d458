//! Small sizes: every path of each, in order to report them, to learn policies, and to know how many paths the next ones have.

use slowpath_search::{Learned, SearchError, learn};

use crate::claim::FoundBy;
use crate::event::Event;
use crate::technique::Session;

/// The part of the budget that may go into exploring small sizes to learn from.
const SHARE: f64 = 0.25;

/// Explores small sizes and learns from them, once.
pub fn explore(session: &mut Session<'_>) -> Result<(), SearchError> {
    if session.knowledge.learned.is_some() {
        return Ok(());
    }
    let seconds_left = session.budget.left().as_secs_f64();
    (session.events)(Event::Trying { size: 1, technique: FoundBy::SmallSizes, seconds_left });
    let settings = &session.settings;
    let exploring = session.budget.part(SHARE);
    let learned = learn(
        session.target,
        settings.family,
        settings.history,
        settings.largest_explored,
        settings.jobs,
        &session.budget,
        &exploring,
    );
    // What failed here may not fail elsewhere.
    session.knowledge.learned = Some(Learned::default());
    let learned = learned?;
    if !settings.compares_policies {
        for found in learned.explored.iter().chain(&learned.unfinished) {
            session.ledger.offer(FoundBy::SmallSizes, found.clone());
        }
    }
    session.knowledge.learned = Some(learned);
    Ok(())
}
