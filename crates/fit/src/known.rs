//! What is known of the worst costs: which are the worst for sure, which are only the worst found.

use crate::points::Point;

/// Costs known at sizes, all of verified inputs. A size may stand in several lists; the strongest of what they say counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The true worst costs: every path was explored.
    pub exact: Vec<(u64, u64)>,
    /// The costs of the best inputs known: the worst costs are these or more.
    pub found: Vec<(u64, u64)>,
    /// Runs that were cut at a limit: the worst costs are these or more.
    pub cut: Vec<(u64, u64)>,
    /// The sizes whose cost in `found` is believed to be the worst.
    pub believed: Vec<u64>,
}

/// How sure a cost is, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    Found,
    Believed,
    Exact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub point: Point,
    pub grade: Grade,
}

/// One cost a size, sorted by size, contradictions resolved: a cost called exact that was beaten is not exact.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub costs: Vec<Cost>,
    /// Lower bounds at sizes that have no cost, or a lower one.
    pub cut: Vec<Point>,
}

impl Evidence {
    pub fn new(known: &Known) -> Evidence {
        let graded = |list: &[(u64, u64)], grade: fn(u64, &Known) -> Grade| -> Vec<Cost> {
            // A counter that ran over is no cost.
            let costs = list.iter().filter(|(_, cost)| *cost != u64::MAX);
            costs.map(|&(size, cost)| Cost { point: Point { size, cost }, grade: grade(size, known) }).collect()
        };
        let mut costs = graded(&known.exact, |_, _| Grade::Exact);
        costs.extend(graded(
            &known.found,
            |size, known| {
                if known.believed.contains(&size) { Grade::Believed } else { Grade::Found }
            },
        ));
        costs.sort_by_key(|cost| (cost.point.size, std::cmp::Reverse((cost.point.cost, cost.grade))));
        costs.dedup_by_key(|cost| cost.point.size);
        let mut cut: Vec<Point> = known.cut.iter().map(|&(size, cost)| Point { size, cost }).collect();
        cut.sort_by_key(|point| (point.size, std::cmp::Reverse(point.cost)));
        cut.dedup_by_key(|point| point.size);
        let cost_at = |costs: &[Cost], size: u64| costs.iter().find(|cost| cost.point.size == size).copied();
        cut.retain(|limit| cost_at(&costs, limit.size).is_none_or(|cost| cost.point.cost < limit.cost));
        costs.retain(|cost| cut.iter().all(|limit| limit.size != cost.point.size));
        Evidence { costs, cut }
    }

    /// The costs that are the worst, or believed to be.
    pub fn sure(&self) -> Vec<Point> {
        self.costs.iter().filter(|cost| cost.grade >= Grade::Believed).map(|cost| cost.point).collect()
    }

    /// All costs, without those found that are below the cost of a smaller size: there the search failed.
    pub fn telling(&self) -> Vec<Point> {
        let mut most = 0;
        let mut out = Vec::new();
        for cost in &self.costs {
            if cost.grade >= Grade::Believed || cost.point.cost >= most {
                out.push(cost.point);
            }
            most = most.max(cost.point.cost);
        }
        out
    }

    /// The last of the exact sizes that follow each other closely: what holds up to it was seen, not foretold.
    pub fn end_of_dense_sizes(&self) -> u64 {
        let exact: Vec<u64> =
            self.costs.iter().filter(|cost| cost.grade == Grade::Exact).map(|cost| cost.point.size).collect();
        // Small sizes double from one to the next.
        let gap = exact.windows(2).find(|pair| pair[1] / 2 >= pair[0] && pair[1] > SMALL).map(|pair| pair[0]);
        gap.or(exact.last().copied()).unwrap_or(0)
    }

    pub fn largest(&self) -> Option<Cost> {
        self.costs.last().copied()
    }
}

/// Up to this size, sizes next to each other may differ by a factor of two or more.
const SMALL: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_cost_that_was_beaten_is_not_exact() {
        let known = Known { exact: vec![(1, 5), (2, 9)], found: vec![(2, 10)], ..Known::default() };
        let evidence = Evidence::new(&known);
        assert_eq!(evidence.sure(), [Point { size: 1, cost: 5 }]);
        assert_eq!(evidence.telling(), [Point { size: 1, cost: 5 }, Point { size: 2, cost: 10 }]);
    }

    #[test]
    fn a_run_that_was_cut_replaces_a_lower_cost() {
        let known = Known {
            exact: vec![(1, 5)],
            found: vec![(8, 90), (9, 200)],
            cut: vec![(8, 100), (9, 100)],
            ..Known::default()
        };
        let evidence = Evidence::new(&known);
        assert_eq!(evidence.cut, [Point { size: 8, cost: 100 }]);
        assert_eq!(evidence.telling(), [Point { size: 1, cost: 5 }, Point { size: 9, cost: 200 }]);
    }

    #[test]
    fn dense_sizes_end_at_the_first_gap() {
        let dense = |sizes: &[u64]| {
            let exact = sizes.iter().map(|&n| (n, n)).collect();
            Evidence::new(&Known { exact, ..Known::default() }).end_of_dense_sizes()
        };
        assert_eq!(dense(&[1, 2, 3, 4, 5, 6, 7, 8, 16, 32]), 8);
        assert_eq!(dense(&[1, 2, 4, 8, 16]), 4);
        assert_eq!(dense(&[1, 2, 3, 4, 5]), 5);
        assert_eq!(dense(&[]), 0);
    }
}
