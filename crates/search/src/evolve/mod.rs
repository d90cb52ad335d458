//! Evolutionary symbolic execution (the ESE paper): a population of path conditions, recombined, mutated and improved by
//! local search, with the cost of the path as fitness.
//!
//! What the paper does not have: an offspring runs from the deepest snapshot it shares with its parent; conditions that
//! contradict earlier ones are dropped instead of losing the offspring; local search remembers which inversions were
//! explored, and can go on after an inversion in several ways (`tail`), of which those that pay are used more often.

mod challenge;
mod crossover;
mod generations;
mod individual;
mod lab;
mod local_search;
mod mutate;
mod nearby;
mod params;
mod plan;
mod population;
mod select;
mod snapshots;
mod tail;
#[cfg(test)]
pub(crate) mod test_target;
mod under_precondition;

pub use challenge::{Challenge, challenge};
pub use generations::evolve;
pub use params::EvolveParams;

use crate::rng::Rng;

/// True with probability `p`.
fn chance(rng: &mut Rng, p: f64) -> bool {
    ((rng.next() >> 11) as f64) < p * (1u64 << 53) as f64
}
