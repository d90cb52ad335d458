//! How far a growth law can be relied on.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// A closed form that every exact cost obeys, and that costs found well beyond the exact sizes reach to the last unit.
    #[serde(rename = "exact")]
    Exact,
    /// A law fits all costs that are known, and none of them exceeds it.
    #[serde(rename = "fitted")]
    Fitted,
    /// The costs found force at least this growth; it may be faster.
    #[serde(rename = "at least")]
    AtLeast,
    /// The costs do not say.
    #[serde(rename = "not sure")]
    NotSure,
}

impl Verdict {
    /// As documents have it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::Fitted => "fitted",
            Verdict::AtLeast => "at least",
            Verdict::NotSure => "not sure",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
