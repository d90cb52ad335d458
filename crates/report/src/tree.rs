//! Every path of a small size: together they are a tree of decisions.

use serde::{Deserialize, Serialize};

/// The paths in canonical order, so that those with the same first decisions are neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    pub size: i64,
    /// The places where something was decided; paths name them by their position.
    pub sites: Vec<TreeSite>,
    pub paths: Vec<TreePath>,
}

/// A place where a decision is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSite {
    /// `file:line`, or the function where there is no debug information.
    pub place: String,
    /// The condition or the line itself, where the source is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One path: its decisions that could have gone another way, and what it came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreePath {
    pub cost: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trap: Option<String>,
    pub sites: Vec<usize>,
    /// As many as `sites`: `true` and `false` of the condition quoted, `taken` and `not taken` of a compiled branch, `case 3`.
    pub sides: Vec<String>,
}
