//! Measured points, made fit for fitting: sorted, one cost a size, none that ran into the end of the counter.

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub size: u64,
    pub cost: u64,
}

/// Sorted by size, sizes distinct. Of several costs of one size the largest counts, as worst costs are what is fitted.
/// A cost of `u64::MAX` is a counter that ran over, not a cost, and is left out.
pub fn clean(raw: &[(u64, u64)]) -> Vec<Point> {
    let mut points: Vec<Point> =
        raw.iter().filter(|(_, cost)| *cost != u64::MAX).map(|&(size, cost)| Point { size, cost }).collect();
    points.sort_by_key(|point| (point.size, std::cmp::Reverse(point.cost)));
    points.dedup_by_key(|point| point.size);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_sorted_and_the_worst_of_a_size_counts() {
        let points = clean(&[(3, 5), (1, 2), (3, 9), (2, u64::MAX), (1, 1)]);
        assert_eq!(points, [Point { size: 1, cost: 2 }, Point { size: 3, cost: 9 }]);
    }
}
