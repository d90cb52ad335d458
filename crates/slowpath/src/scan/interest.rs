//! What findings of a function leave to be learned about it.

use slowpath_fit::{Class, Verdict};
use slowpath_portfolio::Interest;
use slowpath_report::{Findings, Scanned};

use super::next_sizes::{is_explored, rising};

/// How much more there is to learn of a function.
pub(super) fn interest(scanned: &Scanned, findings: &Findings) -> Interest {
    let verdict = findings.fit.as_ref().map(|fit| fit.verdict);
    let all_is_known = !depends_on_n(&scanned.call) && findings.results.iter().all(|result| result.complete);
    match (scanned.class, verdict) {
        (_, Some(Verdict::Exact)) => Interest::None,
        _ if all_is_known => Interest::None,
        (Some(class), _) if class > Class::LINEAR => Interest::Fast,
        _ if rising(findings).is_some() => Interest::Rising,
        (Some(_), Some(Verdict::Fitted | Verdict::AtLeast)) if is_explored(findings) => Interest::Slow,
        _ => Interest::Unsure,
    }
}

/// Whether the size makes any difference to a call: its word for it stands among the arguments.
pub(super) fn depends_on_n(call: &str) -> bool {
    let arguments = call.split_once('(').map_or("", |(_, arguments)| arguments);
    arguments.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == "n")
}
