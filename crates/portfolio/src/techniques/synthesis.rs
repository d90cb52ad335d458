//! Synthesis: the path condition of a size, put together from what those of small sizes have in common, and solved with one call.

use slowpath_search::{Budget, Learned, Provenance, SearchError, SizeFinding, Synthesis, Unmodelled, explore};

use crate::claim::FoundBy;
use crate::examples;
use crate::technique::{Session, Stage, Technique};
use crate::techniques::law::{self, CONFIRMED};

/// The part of the time left that may go into inferring path conditions where that is one technique of many, and where it is asked for.
const INFERENCE_SHARE: f64 = 0.1;
const STRICT_INFERENCE_SHARE: f64 = 0.4;
/// The part of a size's time that solving one may take.
const SHARE: f64 = 0.5;
/// The part of the budget that may go into what the smallest sizes alone teach.
const EARLY_SHARE: f64 = 0.1;
/// Paths of a size that is explored for that.
const EARLY_PATHS: [f64; 2] = [15_000.0, 50_000.0];

/// What a synthesised path condition that is believed leads to.
pub struct Synthesize;

impl Technique for Synthesize {
    fn name(&self) -> FoundBy {
        FoundBy::Synthesis
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let row = session.ledger.row(n)?;
        if !session.settings.synthesizes || row.is_settled() || row.tried.contains_key(&FoundBy::Synthesis) {
            return None;
        }
        let policy = session.knowledge.policy(&session.ledger);
        let confirmed = policy.is_some_and(|policy| policy.validated.len() >= CONFIRMED);
        // A law gives as much without solving anything.
        let by_law = n >= law::LAW_FROM && row.believed.iter().any(|(by, _)| *by == FoundBy::InputLaw);
        (!confirmed && !by_law).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        infer(session, INFERENCE_SHARE)?;
        let Some(model) = session.knowledge.model() else { return Ok(None) };
        let found = model.at(session.target, n, budget).ok();
        Ok(found.filter(is_validated))
    }
}

/// What is said of a size where synthesis was asked for by name and there is no model.
pub enum Strict {
    Found(Box<SizeFinding>),
    /// Why there is no path condition of this size.
    Unmodelled(Vec<Unmodelled>),
    /// The solver, or the size, did not allow it.
    Failed(String),
}

/// Synthesis as a strategy of its own: first from a few sizes explored completely, then from policies too.
pub fn strict(n: i64, session: &mut Session<'_>) -> Result<Strict, SearchError> {
    if let Some(found) = early(n, session)? {
        return Ok(Strict::Found(Box::new(found)));
    }
    super::small_sizes::explore(session)?;
    infer(session, STRICT_INFERENCE_SHARE)?;
    let exact = session.knowledge.explored().iter().find(|found| found.size == n).cloned();
    let found = match &session.knowledge.synthesis {
        Some(Ok(synthesis)) => synthesis.at(session.target, n, &session.budget).map_err(Strict::Failed),
        Some(Err(why)) => Err(Strict::Unmodelled(why.clone())),
        None => Err(Strict::Failed(String::new())),
    };
    Ok(match (found, exact) {
        (Ok(found), None) => Strict::Found(Box::new(found)),
        (Ok(found), Some(mut exact)) => {
            if found.cost() != exact.cost() {
                let cost = found.cost().unwrap_or(0);
                exact.limits.insert(format!("the synthesised input costs only {cost}"), 1);
            }
            Strict::Found(Box::new(exact))
        }
        (Err(_), Some(exact)) => Strict::Found(Box::new(exact)),
        (Err(why), None) => why,
    })
}

/// Infers how path conditions are made, for whoever can use the examples; a failure is left to whoever asks for a path condition.
pub fn prepare(session: &mut Session<'_>) {
    if infer(session, INFERENCE_SHARE).is_err() {
        session.knowledge.synthesis = Some(Err(Vec::new()));
    }
}

/// Infers how path conditions are made, when it is first asked for.
fn infer(session: &mut Session<'_>, share: f64) -> Result<(), SearchError> {
    if session.knowledge.synthesis.is_some() {
        return Ok(());
    }
    let budget = session.budget.part(share);
    let none = Learned::default();
    let learned = session.knowledge.learned.as_ref().unwrap_or(&none);
    let mut inferred = examples::infer(session.target, learned, &budget)?;
    // A law is inferred only where synthesis was asked for; elsewhere it comes by itself.
    if inferred.is_err() && share == STRICT_INFERENCE_SHARE && law::infer(session).is_some() {
        let learned = session.knowledge.learned.as_ref().unwrap_or(&none);
        if let Some(Some(law)) = &session.knowledge.law
            && let Some(model) = examples::infer_by_law(session.target, learned, law, &budget)?
        {
            inferred = Ok(model);
        }
    }
    session.knowledge.synthesis = Some(inferred);
    Ok(())
}

/// What path conditions from a few sizes explored completely lead to, without a policy, where it comes to the cost that these predict.
fn early(n: i64, session: &mut Session<'_>) -> Result<Option<SizeFinding>, SearchError> {
    if session.knowledge.learned.is_some() {
        return Ok(None);
    }
    if session.knowledge.early.is_none() {
        let budget = session.budget.part(EARLY_SHARE);
        for most in EARLY_PATHS {
            let (largest, jobs) = (session.settings.largest_explored, session.settings.jobs);
            let explored = explore(session.target, largest, most, jobs, &budget)?;
            let synthesis = examples::infer_explored(session.target, &explored, &budget)?;
            let done = synthesis.is_some();
            session.knowledge.early = Some((explored.explored, synthesis));
            if done {
                break;
            }
        }
    }
    let Some((explored, Some(synthesis))) = &session.knowledge.early else { return Ok(None) };
    let found = synthesis.at(session.target, n, &session.budget).ok();
    let validated = found.filter(is_validated);
    Ok(match explored.iter().find(|found| found.size == n) {
        // Sizes too small for the model need none.
        Some(exact) if validated.is_some() || (n as u64) < synthesis.from() => Some(exact.clone()),
        Some(_) => None,
        None => validated,
    })
}

fn is_validated(found: &SizeFinding) -> bool {
    found.provenance == Provenance::Synthesized { validated: true }
}

/// The model that path conditions were made with, early or late.
pub fn model<'k>(session: &'k Session<'_>) -> Option<&'k Synthesis> {
    let early = session.knowledge.early.as_ref().and_then(|(_, synthesis)| synthesis.as_ref());
    session.knowledge.model().or(early)
}
