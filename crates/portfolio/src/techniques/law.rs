//! Input law: the input that the formula of the worst inputs gives at a size, without a search.

use slowpath_search::{Budget, Provenance, SearchError, SizeFinding};

use crate::claim::{Evidence, FoundBy};
use crate::input_law::{self, InputLaw};
use crate::technique::{Session, Stage, Technique};
use crate::techniques::challenge;

/// From this size on the law, where there is one, comes before a search.
pub const LAW_FROM: i64 = 2_001;
/// The part of the time left that may go into finding it.
const INFERENCE_SHARE: f64 = 0.1;
/// The part of a size's time that its one run may take.
const SHARE: f64 = 0.8;
/// Held-out sizes that confirm a policy well enough for no law to be tried beside it.
pub const CONFIRMED: usize = 3;

pub struct FollowLaw;

impl Technique for FollowLaw {
    fn name(&self) -> FoundBy {
        FoundBy::InputLaw
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let row = session.ledger.row(n)?;
        if row.is_settled() || row.tried.contains_key(&FoundBy::InputLaw) {
            return None;
        }
        // What small sizes taught is doubtful where few sizes confirm it, or where it was beaten.
        let policy = session.knowledge.policy(&session.ledger);
        let confirmed = policy.is_some_and(|policy| policy.validated.len() >= CONFIRMED);
        let unsure = session.settings.synthesizes && (!confirmed || row.evidence() != Some(Evidence::Believed));
        (n >= LAW_FROM || unsure).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        infer(session);
        let Some(Some(law)) = &session.knowledge.law else { return Ok(None) };
        Ok(law.finding(session.target, n, budget))
    }
}

/// The law of the worst inputs, inferred when it is first asked for.
pub fn infer<'k>(session: &'k mut Session<'_>) -> Option<&'k InputLaw> {
    if session.knowledge.law.is_none() {
        let law = infer_law(session);
        session.knowledge.law = Some(law);
    }
    session.knowledge.law.as_ref().and_then(Option::as_ref)
}

fn infer_law(session: &Session<'_>) -> Option<InputLaw> {
    let learned = session.knowledge.learned.as_ref()?;
    let budget = session.budget.part(INFERENCE_SHARE);
    let known = learned.explored.last().map_or(0, |found| found.size);
    let caught_out = session.ledger.caught_out(FoundBy::Policy).is_some();
    let target = session.target;
    let at = |n: i64| {
        target.check_size(n).ok()?;
        let model = session.knowledge.model();
        let synthesized = model.and_then(|model| model.at(target, n, &budget).ok());
        let synthesized = synthesized.filter(|found| found.provenance == Provenance::Synthesized { validated: true });
        let Some((mut found, _)) = learned.policies.run(target, n, &budget).ok()? else { return synthesized };
        if caught_out || !learned.is_exact() {
            found.provenance = Provenance::Guided { validated: false };
        }
        let validated = found.provenance == Provenance::Guided { validated: true };
        if let Some(other) = synthesized.filter(|other| !validated || other.cost() > found.cost()) {
            return Some(other);
        }
        // What local search beats, or an input that is known, is no example of the worst.
        let beaten = session.ledger.cost(n) > found.cost();
        let stands = n <= known || challenge::stands(target, &found, validated, &budget);
        (stands && !beaten).then_some(found)
    };
    input_law::find(target, &learned.explored, &at, session.settings.largest, &budget)
}
