//! What techniques have taught each other beside inputs: policies, a model of path conditions, the law of the inputs.

use slowpath_search::{Candidate, Learned, SizeFinding, Synthesis, Unmodelled};

use crate::claim::FoundBy;
use crate::input_law::InputLaw;
use crate::ledger::Ledger;
use crate::patterns::Patterns;
use crate::recipes::Recipes;

/// Everything that was inferred so far.
#[derive(Default)]
pub struct Knowledge {
    /// What the small sizes taught, once somebody asked for it.
    pub learned: Option<Learned>,
    /// How path conditions are made, or why they cannot be, once it was tried.
    pub synthesis: Option<Result<Synthesis, Vec<Unmodelled>>>,
    /// A few sizes explored completely, and what they alone taught about path conditions.
    pub early: Option<(Vec<SizeFinding>, Option<Synthesis>)>,
    /// The law of the worst inputs, once it was looked for.
    pub law: Option<Option<InputLaw>>,
    /// Patterns whose inputs are costly, the most promising first.
    pub patterns: Patterns,
    /// Recipes whose inputs are costly, the best first.
    pub recipes: Recipes,
    /// Sizes for which a path condition was asked for and not found: the places that have no model, or another reason.
    pub unmodelled: Vec<(i64, Vec<Unmodelled>, String)>,
    /// The largest size that the policy was tried at on the way to another.
    pub probed: i64,
}

impl Knowledge {
    /// Sizes that were explored to the end for learning.
    pub fn explored(&self) -> &[SizeFinding] {
        self.learned.as_ref().map_or(&[], |learned| &learned.explored)
    }

    /// The best policy, if it was validated, follows one path, and was never caught out.
    pub fn policy(&self, ledger: &Ledger) -> Option<&Candidate> {
        let learned = self.learned.as_ref()?;
        let best = learned.policies.candidates.first()?;
        let trusted = best.is_validated() && best.deterministic && learned.is_exact();
        (trusted && ledger.caught_out(FoundBy::Policy).is_none()).then_some(best)
    }

    /// The size that a policy was validated on, where none was on as many as are enough.
    pub fn held_out_only_at(&self, enough: usize) -> Option<i64> {
        let candidates = &self.learned.as_ref()?.policies.candidates;
        let most = candidates.iter().filter(|one| one.is_validated()).max_by_key(|one| one.validated.len())?;
        if most.validated.len() < enough { most.validated.first().copied() } else { None }
    }

    /// Notes why there is no path condition of a size.
    pub fn note_unmodelled(&mut self, n: i64, places: Vec<Unmodelled>, other: String) {
        self.unmodelled.push((n, places, other));
    }

    /// The model of path conditions, if there is one.
    pub fn model(&self) -> Option<&Synthesis> {
        self.synthesis.as_ref().and_then(|inferred| inferred.as_ref().ok())
    }
}
