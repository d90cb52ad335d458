//! What a check goes by: only what another engine ran as well.

use slowpath_report::Findings;

use crate::growth;

/// The document without the sizes that are not verified, and the growth law of the others.
pub(crate) fn verified(findings: &Findings) -> Findings {
    let mut sure = findings.clone();
    sure.results.retain(|result| result.verified && result.cost.is_some());
    if sure.results.len() < findings.results.len() {
        sure.fit = growth::law(&sure);
    }
    sure
}
