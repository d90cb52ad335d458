//! FindGoodGenerator (WISE, Algorithm 4): a branch policy that generates a worst path at every learned size and few others.

use super::branch::BranchPolicy;
use super::lesson::Lesson;

/// The greedy search of the paper, from the largest size down to the smallest.
pub fn find_good_generator(lessons: &[Lesson]) -> Option<BranchPolicy> {
    let largest = lessons.iter().max_by_key(|l| l.size)?;
    let mut order: Vec<&Lesson> = lessons.iter().collect();
    order.sort_by_key(|l| std::cmp::Reverse(l.size));
    let mut generator = BranchPolicy::default();
    for lesson in order {
        let best = lesson
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
fn generated(lesson: &Lesson, policy: &BranchPolicy) -> u64 {
    lesson.counts.iter().filter(|(least, _)| least.is_below(policy)).map(|(_, count)| count).sum()
}

/// The exact selection by enumeration of all joins of worst policies, one for each size: the oracle of the greedy one.
/// Gives the least number of paths at the largest size, and a policy that has it.
pub fn naive_generator(lessons: &[Lesson]) -> Option<(u64, BranchPolicy)> {
    let largest = lessons.iter().max_by_key(|l| l.size)?;
    let mut joins = vec![BranchPolicy::default()];
    for lesson in lessons {
        joins = joins.iter().flat_map(|g| lesson.worst_policies.iter().map(move |p| g.join(p))).collect();
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

    fn random_lesson(rng: &mut Rng, size: i64) -> Lesson {
        let mut lesson = Lesson { size, ..Lesson::default() };
        for _ in 0..20 {
            let decisions = (0..4)
                .map(|_| Decision {
                    site: SiteId(rng.below(3) as u32),
                    activation: 0,
                    answer: Answer::Bool(rng.below(2) == 0),
                    forced: rng.below(3) == 0,
                })
                .collect();
            lesson.path(rng.below(4), decisions);
        }
        lesson
    }

    #[test]
    fn the_greedy_generator_covers_every_size_and_is_never_better_than_the_exact_one() {
        let mut equal = 0;
        for seed in 0..300 {
            let mut rng = Rng::new(seed, 0);
            let lessons: Vec<Lesson> = (1..=3).map(|n| random_lesson(&mut rng, n)).collect();
            let greedy = find_good_generator(&lessons).expect("lessons");
            let (least, _) = naive_generator(&lessons).expect("lessons");
            for lesson in &lessons {
                assert!(lesson.worst_policies.iter().any(|p| p.is_below(&greedy)), "seed {seed}");
            }
            let count = generated(&lessons[2], &greedy);
            assert!(count >= least, "seed {seed}");
            equal += u32::from(count == least);
        }
        assert!(equal > 150, "the greedy search is usually as good: {equal} of 300");
    }
}
