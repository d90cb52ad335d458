//! What the solver says, and what one layer says to the next.

use slowpath_term::Model;

/// The answer to one question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable, by this model; it was checked by evaluation.
    Sat(Model),
    /// No model exists.
    Unsat,
    /// Neither could be shown; the text says which limit was reached.
    Unknown(String),
}

impl Answer {
    /// Whether a model was found.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether it was shown that there is none.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

/// The answer of one layer. A layer is exact or silent: what it cannot decide it hands over.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Sat(Model),
    Unsat,
    /// The next layer is to decide.
    Pass,
}
