//! What synthesised inputs should cost: a function of the size, or what half the size costs and a function more.

use std::collections::BTreeMap;

use slowpath_sequence::Parameter;

/// Small sizes that may follow no rule.
const MOST_SKIPPED: usize = 3;

/// The cost of every size.
#[derive(Clone, Debug)]
pub(super) enum CostRule {
    Formula(Parameter),
    /// `more` than the size rounded down to its half; loops that halve come to such sums.
    Halving {
        known: BTreeMap<u64, i128>,
        more: Parameter,
    },
}

impl CostRule {
    /// The rule of costs by size, ascending.
    pub fn infer(costs: &[(u64, i128)]) -> Option<CostRule> {
        let by_formula = |skipped: usize| Parameter::fit(costs.get(skipped..)?);
        if let Some(formula) = (0..=MOST_SKIPPED).find_map(by_formula) {
            return Some(CostRule::Formula(formula));
        }
        let known: BTreeMap<u64, i128> = costs.iter().copied().collect();
        let more = |(n, cost): &(u64, i128)| Some((*n, cost - known.get(&(n / 2))?));
        let more: Vec<(u64, i128)> = costs.iter().filter_map(more).collect();
        let more = (0..=MOST_SKIPPED).find_map(|skipped| Parameter::fit(more.get(skipped..)?))?;
        Some(CostRule::Halving { known, more })
    }

    /// What size n should cost.
    pub fn at(&self, n: u64) -> Option<u64> {
        let cost = match self {
            CostRule::Formula(formula) => formula.value(n)?,
            CostRule::Halving { known, more } => {
                let (mut total, mut size) = (0i128, n);
                loop {
                    if let Some(cost) = known.get(&size) {
                        break total.checked_add(*cost)?;
                    }
                    if size == 0 {
                        return None;
                    }
                    total = total.checked_add(more.value(size)?)?;
                    size /= 2;
                }
            }
        };
        u64::try_from(cost).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_that_halve_have_a_rule() {
        let cost =
            |n: u64| std::iter::successors(Some(n), |w| (*w > 1).then_some(w / 2)).map(|w| 29 * w + 7).sum::<u64>();
        let costs: Vec<(u64, i128)> = (1..=17).map(|n| (n, i128::from(cost(n)))).collect();
        let rule = CostRule::infer(&costs).expect("a rule");
        for n in [1, 17, 50, 200, 1_000_000] {
            assert_eq!(rule.at(n), Some(cost(n)));
        }
    }

    #[test]
    fn costs_without_a_rule_predict_nothing() {
        let costs: Vec<(u64, i128)> = (1..=12).map(|n| (n, i128::from(n * 7919 % 101))).collect();
        assert!(CostRule::infer(&costs).is_none());
    }
}
