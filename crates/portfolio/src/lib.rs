//! The portfolio: many techniques, one ledger. It touches no file and prints nothing.
//!
//! A *claim* is an input at a size with its cost, who found it and on what evidence. The *ledger* only grows, and knows the best claim of
//! every size. A *technique* bids on a size by what the ledger knows and is run for an effort; whatever it returns only adds to the
//! ledger. The *schedule* decides who is next and for how much. The *judge* says how sure it all is, once the ledger is final.

mod alphabets;
mod characters;
mod claim;
mod climb;
mod compared;
mod dictionary;
mod domain;
mod event;
mod examples;
mod input_law;
mod judge;
mod knowledge;
mod ledger;
mod mutation;
mod operators;
mod patterns;
mod plan;
mod recipes;
mod rounds;
mod runner;
mod runs;
mod schedule;
mod series;
mod shapes;
mod simplify_inputs;
mod strategy;
mod stretch;
mod technique;
mod techniques;
mod thresholds;
mod twins;

pub use claim::{Claim, Evidence, FoundBy};
pub use event::Event;
pub use input_law::{InputLaw, LawInWords, NamedLaw};
pub use judge::{Judgement, Standing, judge};
pub use knowledge::Knowledge;
pub use ledger::{Guided, Ledger, Row};
pub use plan::{MOST_GROWN, Plan};
pub use rounds::{Interest, Rounds};
pub use runner::{OnMachine, Ran, Runner};
pub use schedule::{PREDICTED, Schedule, Z3Share, input_law, run};
pub use strategy::Strategy;
pub use technique::{Session, Settings};
pub use techniques::synthesis::model as synthesis_model;
