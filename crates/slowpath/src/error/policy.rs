//! What can be wrong with a file of policies, and the limits it has to keep.

/// Version of the format. How sites are numbered is part of it.
pub(crate) const SCHEMA: u64 = 1;
/// Larger files are no policies of ours.
pub(crate) const MOST_BYTES: u64 = 64 << 20;
/// Decisions in the histories of one file, so that it stays below that.
pub(crate) const MOST_STEPS: usize = 500_000;
/// Alternatives in one file; learning keeps about ten.
pub(crate) const MOST_POLICIES: usize = 64;

/// What is wrong with a file of policies, or with asking for one.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("it is no policy file: {0}; --save-policy writes one")]
    NotAPolicy(serde_json::Error),
    #[error("it is no policy file: it has more than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    #[error("it has format {0}, but this slowpath reads {SCHEMA}; save it again with --save-policy")]
    OtherSchema(u64),
    #[error("it was learned on another program: {then}, but this is {now}; learn again with --save-policy")]
    OtherProgram { then: String, now: String },
    #[error("it was learned on the function `{then}`, not on `{now}`")]
    OtherFunction { then: String, now: String },
    #[error("it was learned for the cost model {then}, not for {now}; give --cost {then}, or learn again")]
    OtherCost { then: String, now: String },
    #[error("policy {policy}, rule {rule}: {what}")]
    Rule { policy: usize, rule: usize, what: String },
    #[error("policy {0}: a history policy needs `history_length`, a number or \"unlimited\"")]
    NoLength(usize),
    #[error("there are no policies in it")]
    Empty,
    #[error("it has {0} policies, more than the {MOST_POLICIES} that are tried")]
    TooMany(usize),
    #[error("its histories have more than {MOST_STEPS} decisions, which is more than --save-policy writes")]
    TooManySteps,
    #[error("it has only policies of the other kind; use --strategy {0} or auto")]
    OtherKind(&'static str),
    #[error("say with --sizes which sizes to use it at; a policy is for those too large to explore")]
    NoSizes,
    #[error("the strategy {0} has no use for a policy; use auto, wise or history")]
    NoUse(&'static str),
    #[error("the strategy {0} learns no policy that could be saved; use auto, wise or history")]
    LearnsNothing(&'static str),
    #[error("no policy was learned, so there is none to save; the budget may be too short to explore small sizes")]
    NothingLearned,
    #[error("the histories of the learned policies are too long to be saved; bound them, as with --history 48")]
    TooLong,
}
