//! Ranks: the smallest values with the same order.

/// Replaces every value by how many different smaller values there are.
pub fn ranks(values: &[i64]) -> Vec<i64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    // Every value is among the sorted ones, so the position is the rank.
    values.iter().map(|value| sorted.partition_point(|other| other < value) as i64).collect()
}

/// The samples with the values of each size replaced by their ranks.
pub fn rank_samples(samples: &[(u64, Vec<i64>)]) -> Vec<(u64, Vec<i64>)> {
    samples.iter().map(|(n, values)| (*n, ranks(values))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_keep_order_and_ties() {
        assert_eq!(ranks(&[i64::MAX, -5, 7, -5, i64::MIN]), [3, 1, 2, 1, 0]);
        assert_eq!(ranks(&[]), Vec::<i64>::new());
    }
}
