//! Small sizes: every path of each, in order to report them, to learn policies, and to know how many paths the next ones have.

use slowpath_search::{Learned, SearchError, SizeFinding, follow_input, learn, learn_from_paths};

use crate::claim::FoundBy;
use crate::event::Event;
use crate::technique::Session;

/// The part of the budget that may go into exploring small sizes to learn from.
const SHARE: f64 = 0.18;
/// The part that exploring and judging what was learned may take together.
const LEARNING_SHARE: f64 = 0.25;

/// Where fewer sizes than this could be explored, the best inputs known teach as well, with less standing.
const FEW_EXPLORED: usize = 4;
/// Sizes that are learned from then, the smallest ones, and the fewest of them.
const MOST_GUESSED: usize = 6;
const FEWEST_GUESSED: usize = 3;
/// The part of the time left that following inputs, and judging what they teach, may take.
const GUESSING_SHARE: f64 = 0.05;

/// Learns policies from the best inputs known, where exploration taught none. Their paths are found by following the inputs.
pub fn learn_from_inputs(session: &mut Session<'_>) -> Result<(), SearchError> {
    let explored = session.knowledge.explored();
    let taught = session.knowledge.learned.as_ref().is_some_and(|learned| !learned.policies.candidates.is_empty());
    if taught || explored.len() >= FEW_EXPLORED {
        return Ok(());
    }
    let budget = session.budget.part(GUESSING_SHARE);
    let mut paths: Vec<SizeFinding> = Vec::new();
    for row in session.ledger.rows() {
        let Some(worst) = row.best.as_ref().and_then(|best| best.finding.worst.as_ref()) else { continue };
        if paths.len() >= MOST_GUESSED || budget.expired().is_some() {
            break;
        }
        if let Ok(Some(path)) = follow_input(session.target, row.size, &worst.input, &budget) {
            paths.push(SizeFinding { size: row.size, paths: 1, worst: Some(path), ..SizeFinding::default() });
        }
    }
    if paths.len() < FEWEST_GUESSED {
        return Ok(());
    }
    let settings = &session.settings;
    let guessed = learn_from_paths(session.target, settings.family, settings.history, paths, &budget)?;
    let learned = session.knowledge.learned.get_or_insert_default();
    learned.policies = guessed.policies;
    learned.guessed = true;
    Ok(())
}

/// Explores small sizes and learns from them, once.
pub fn explore(session: &mut Session<'_>) -> Result<(), SearchError> {
    if session.knowledge.learned.is_some() {
        return Ok(());
    }
    let seconds_left = session.budget.left().as_secs_f64();
    (session.events)(Event::Trying { size: 1, technique: FoundBy::SmallSizes, seconds_left });
    let settings = &session.settings;
    let (exploring, learning) = (session.budget.part(SHARE), session.budget.part(LEARNING_SHARE));
    let learned = learn(
        session.target,
        settings.family,
        settings.history,
        settings.largest_explored,
        settings.jobs,
        &learning,
        &exploring,
    );
    // What failed here may not fail elsewhere.
    session.knowledge.learned = Some(Learned::default());
    let learned = learned?;
    if !settings.compares_policies {
        for found in learned.explored.iter().chain(&learned.unfinished) {
            session.offer(FoundBy::SmallSizes, found.clone());
        }
    }
    session.knowledge.learned = Some(learned);
    (session.after)(&session.ledger);
    Ok(())
}
