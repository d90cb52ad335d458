//! Selection in proportion to fitness: of parents, and of survivors.

use crate::rng::Rng;

/// Draws an index in proportion to its weight; weights that are all zero count as equal.
pub(crate) fn proportional(weights: &[u64], rng: &mut Rng) -> Option<usize> {
    let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
    if total == 0 {
        return (!weights.is_empty()).then(|| rng.below(weights.len() as u64) as usize);
    }
    // 64 random bits scaled to the total; totals beyond 64 bits would need 2^64 individuals' worth of cost.
    let mut at = (u128::from(rng.next()) * total) >> 64;
    for (i, weight) in weights.iter().enumerate() {
        let weight = u128::from(*weight);
        if at < weight {
            return Some(i);
        }
        at -= weight;
    }
    weights.len().checked_sub(1)
}

/// SELECTION: half as many pairs as there are individuals, each of two different ones.
pub(crate) fn selection(costs: &[u64], rng: &mut Rng) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if costs.len() < 2 {
        return pairs;
    }
    let mut others = costs.to_vec();
    for _ in 0..costs.len() / 2 {
        let Some(first) = proportional(costs, rng) else { break };
        // The first one with no weight; where nobody else has any, its successor.
        others[first] = 0;
        let second = proportional(&others, rng).unwrap_or(first);
        others[first] = costs[first];
        pairs.push((first, if second == first { (first + 1) % costs.len() } else { second }));
    }
    pairs
}

/// SURVIVALSELECTION: so many different individuals.
pub(crate) fn survival_selection(costs: &[u64], amount: usize, rng: &mut Rng) -> Vec<usize> {
    let mut left: Vec<usize> = (0..costs.len()).collect();
    let mut weights = costs.to_vec();
    let mut survivors = Vec::new();
    while survivors.len() < amount {
        let Some(i) = proportional(&weights, rng) else { break };
        survivors.push(left.remove(i));
        weights.remove(i);
    }
    survivors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costlier_is_drawn_in_proportion() {
        let mut rng = Rng::new(1, 0);
        let mut drawn = [0u32; 3];
        for _ in 0..6000 {
            drawn[proportional(&[1, 2, 3], &mut rng).unwrap()] += 1;
        }
        for (i, count) in drawn.iter().enumerate() {
            let expected = 1000 * (i as u32 + 1);
            assert!(count.abs_diff(expected) < 200, "{drawn:?}");
        }
    }

    #[test]
    fn parents_are_two_and_survivors_are_distinct() {
        let mut rng = Rng::new(2, 0);
        for costs in [vec![5, 0], vec![0, 0, 0], vec![u64::MAX, u64::MAX, 1], vec![3, 3, 3, 3, 3]] {
            let pairs = selection(&costs, &mut rng);
            assert_eq!(pairs.len(), costs.len() / 2);
            assert!(pairs.iter().all(|(a, b)| a != b), "{costs:?} {pairs:?}");
            let mut survivors = survival_selection(&costs, costs.len() - 1, &mut rng);
            survivors.sort_unstable();
            survivors.dedup();
            assert_eq!(survivors.len(), costs.len() - 1);
        }
        assert!(selection(&[7], &mut rng).is_empty());
        assert_eq!(survival_selection(&[7], 3, &mut rng), [0]);
    }
}
