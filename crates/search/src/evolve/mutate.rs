//! MUTATERANDOM: drops some conditions of a precondition.

use slowpath_term::TermId;

use super::chance;
use crate::rng::Rng;

/// Removes one condition at least and a tenth of them at most, with even odds of going on after each.
pub(crate) fn mutate_random(pre: &mut Vec<TermId>, rng: &mut Rng) {
    let most = (pre.len() / 10).max(1);
    for _ in 0..most.min(pre.len()) {
        pre.remove(rng.below(pre.len() as u64) as usize);
        if chance(rng, 0.5) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slowpath_term::{InputId, Terms};

    #[test]
    fn at_least_one_and_at_most_a_tenth_is_dropped() {
        let mut terms = Terms::new();
        let all: Vec<TermId> = (0..40).map(|i| terms.var(InputId(i), 1)).collect();
        let mut most = 0;
        for stream in 0..200 {
            let mut pre = all.clone();
            mutate_random(&mut pre, &mut Rng::new(0, stream));
            let dropped = all.len() - pre.len();
            assert!((1..=4).contains(&dropped));
            assert!(pre.windows(2).all(|w| w[0] < w[1]), "the order stays");
            most = most.max(dropped);
        }
        assert!(most > 1);
        let mut short = vec![all[0]];
        mutate_random(&mut short, &mut Rng::new(0, 0));
        assert!(short.is_empty());
        mutate_random(&mut short, &mut Rng::new(0, 0));
    }
}
