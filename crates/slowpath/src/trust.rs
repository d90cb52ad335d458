//! How far a validated policy is believed: not at all any more once something costlier than its path was found.
//!
//! Held-out sizes are few and small. A policy that counts to eight is right at sizes 16 and 17 of a program that counts to n/2.

use slowpath_report::{Confidence, Findings};
use slowpath_search::{Provenance, SizeFinding};

/// What was claimed on a policy's word, and whether it was caught out.
#[derive(Debug, Default)]
pub(crate) struct Trust {
    /// Positions in the results that are called validated on its word, and whether local search tried to beat them.
    claims: Vec<(usize, bool)>,
    beaten_at: Option<i64>,
}

impl Trust {
    /// Something costs more than what the policy found at this size.
    pub fn beaten(&mut self, size: i64) {
        self.beaten_at.get_or_insert(size);
    }

    /// Whether that never happened.
    pub fn is_whole(&self) -> bool {
        self.beaten_at.is_none()
    }

    /// What a policy found, without a claim that it has no right to any more.
    pub fn temper(&self, found: &mut SizeFinding) {
        if let Provenance::Guided { validated, .. } = &mut found.provenance {
            *validated &= self.is_whole();
        }
    }

    /// Takes note of the result that is entered next.
    pub fn note(&mut self, position: usize, found: &SizeFinding) {
        if let Provenance::Guided { validated: true, challenged } = found.provenance {
            self.claims.push((position, challenged));
        }
    }

    /// Takes back what was claimed before the policy was caught out, and says why.
    pub fn settle(&self, findings: &mut Findings) {
        let Some(size) = self.beaten_at else { return };
        let mut taken_back = Vec::new();
        for (position, challenged) in &self.claims {
            if let Some(result) = findings.results.get_mut(*position)
                && result.confidence == Confidence::Validated
            {
                result.confidence = if *challenged { Confidence::Challenged } else { Confidence::BestFound };
                taken_back.push(result.size.to_string());
            }
        }
        let less = if taken_back.is_empty() {
            String::new()
        } else {
            format!(", so what it found at size {} may not be the worst either", taken_back.join(", "))
        };
        findings
            .limits
            .push(format!("the policy held at every size it was validated on, but not at size {size}{less}"));
        if let Some(policy) = &mut findings.policy {
            let but = format!("; but at size {size} there is worse than what it finds");
            policy.why.push_str(&but);
            if let Some(first) = policy.explained.first_mut() {
                first.push_str(&but);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guided(validated: bool) -> SizeFinding {
        SizeFinding { provenance: Provenance::Guided { validated, challenged: false }, ..SizeFinding::default() }
    }

    #[test]
    fn a_policy_that_was_beaten_claims_nothing_any_more() {
        let mut trust = Trust::default();
        let mut found = guided(true);
        trust.temper(&mut found);
        assert_eq!(found.provenance, guided(true).provenance, "nothing was found that costs more");
        trust.beaten(20);
        trust.beaten(30);
        trust.temper(&mut found);
        assert_eq!((found.provenance, trust.is_whole(), trust.beaten_at), (guided(false).provenance, false, Some(20)));
    }
}
