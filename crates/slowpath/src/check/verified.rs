//! What a check goes by: only what another engine ran as well.

use slowpath_report::Findings;

/// The document without the sizes that are not verified. Its growth law rests on the others already.
pub(crate) fn verified(findings: &Findings) -> Findings {
    let mut sure = findings.clone();
    sure.results.retain(|result| result.verified && result.cost.is_some());
    sure
}
