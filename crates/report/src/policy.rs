//! The member `policy`: what the small sizes taught, by source line, and how far it was validated.

use serde::{Deserialize, Serialize};

/// The best policy, and what else was learned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyReport {
    #[serde(flatten)]
    pub best: LearnedPolicy,
    /// How it was chosen, in words.
    pub why: String,
    /// All of it in words, a line each.
    pub explained: Vec<String>,
    /// What it does at each site; older documents have it only in words.
    #[serde(default)]
    pub rules: Vec<PolicyRule>,
    /// The other policies kept, best first.
    pub alternatives: Vec<LearnedPolicy>,
}

/// What kind of policy it is, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedPolicy {
    /// `wise` or `history`.
    pub kind: String,
    /// The length of histories; none for branch policies and unlimited ones.
    pub history: Option<usize>,
    /// The smallest and the largest size it was learned at.
    pub learned_at: (i64, i64),
    /// The held-out sizes whose exact worst case it finds.
    pub validated_at: Vec<i64>,
    /// Whether it leaves one path only.
    pub deterministic: bool,
}

/// What a policy does at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRule {
    /// `file:line`
    pub place: String,
    /// The condition, or the whole line.
    #[serde(default)]
    pub quoted: Option<String>,
    /// `always true when possible`
    pub rule: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::PolicyReport;

    #[test]
    fn a_policy_is_written_as_it_is_read() {
        let document = json!({
            "kind": "history", "history": 2, "learned_at": [1, 6], "validated_at": [7, 8], "deterministic": true,
            "why": "learned at sizes 1 to 6", "explained": ["history policy", "a.c:3 'x > y': always true"],
            "rules": [{"place": "a.c:3", "quoted": "x > y", "rule": "always true"}],
            "alternatives": [{"kind": "wise", "history": null, "learned_at": [1, 5], "validated_at": [], "deterministic": false}],
        });
        let policy: PolicyReport = serde_json::from_value(document.clone()).unwrap();
        assert_eq!(serde_json::to_value(&policy).unwrap(), document);
    }
}
