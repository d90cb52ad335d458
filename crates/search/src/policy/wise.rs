//! FindGoodGenerator (WISE, Algorithm 4): a branch policy that generates a worst path at every learned size and few others.

use super::branch::BranchPolicy;
use super::size_summary::SizeSummary;

/// The greedy search of the paper, from the largest size down to the smallest.
pub fn find_good_generator(summaries: &[SizeSummary]) -> Option<BranchPolicy> {
    let largest = summaries.iter().max_by_key(|l| l.size)?;
    let mut order: Vec<&SizeSummary> = summaries.iter().collect();
    order.sort_by_key(|l| std::cmp::Reverse(l.size));
    let mut generator = BranchPolicy::default();
    for summary in order {
        let best = summary
            .worst_policies
            .iter()
            .map(|policy| generator.join(policy))
            .min_by_key(|joined| (generated(largest, joined), joined.clone()));
        if let Some(best) = best {
            generator = best;
        }
    }
    Some(generator)
}

/// How many paths of a size a policy generates.
fn generated(summary: &SizeSummary, policy: &BranchPolicy) -> u64 {
    summary.counts.iter().filter(|(least, _)| least.is_below(policy)).map(|(_, count)| count).sum()
}

/// The exact selection by enumeration of all joins of worst policies, one for each size: the oracle of the greedy one.
/// Gives the least number of paths at the largest size, and a policy that has it.
pub fn naive_generator(summaries: &[SizeSummary]) -> Option<(u64, BranchPolicy)> {
    let largest = summaries.iter().max_by_key(|l| l.size)?;
    let mut joins = vec![BranchPolicy::default()];
    for summary in summaries {
        joins = joins.iter().flat_map(|g| summary.worst_policies.iter().map(move |p| g.join(p))).collect();
        joins.sort();
        joins.dedup();
    }
    joins.into_iter().map(|g| (generated(largest, &g), g)).min()
}

#[cfg(test)]
mod tests {
    use slowpath_machine::Answer;
    use slowpath_program::SiteId;

    use super::*;
    use crate::node::Decision;
    use crate::rng::Rng;

    fn random_lesson(rng: &mut Rng, size: i64) -> SizeSummary {
        let mut summary = SizeSummary { size, ..SizeSummary::default() };
        for _ in 0..20 {
            let decisions = (0..4)
                .map(|_| Decision {
                    site: SiteId(rng.below(3) as u32),
                    activation: 0,
                    answer: Answer::Bool(rng.below(2) == 0),
                    forced: rng.below(3) == 0,
                })
                .collect();
            summary.path(rng.below(4), decisions);
        }
        summary
    }

    #[test]
    fn the_greedy_generator_covers_every_size_and_is_never_better_than_the_exact_one() {
        let mut equal = 0;
        for seed in 0..300 {
            let mut rng = Rng::new(seed, 0);
            let summaries: Vec<SizeSummary> = (1..=3).map(|n| random_lesson(&mut rng, n)).collect();
            let greedy = find_good_generator(&summaries).expect("summaries");
            let (least, _) = naive_generator(&summaries).expect("summaries");
            for summary in &summaries {
                assert!(summary.worst_policies.iter().any(|p| p.is_below(&greedy)), "seed {seed}");
            }
            let count = generated(&summaries[2], &greedy);
            assert!(count >= least, "seed {seed}");
            equal += u32::from(count == least);
        }
        assert!(equal > 150, "the greedy search is usually as good: {equal} of 300");
    }
}
