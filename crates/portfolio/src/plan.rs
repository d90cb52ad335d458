//! Which sizes to analyse: the user's list, growing from 1 for as long as it pays, or small ones and then doublings.

/// Where growing ends even if everything is fast.
pub const MOST_GROWN: i64 = 64;
/// Sizes for strategies that could go on for ever at each.
const SAMPLED: [i64; 4] = [10, 20, 50, 100];

/// The sizes of one analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// These, ascending.
    Given(Vec<i64>),
    /// One after the other, until one would take too long.
    Growing,
    /// Those that can be explored completely, then each double the one before, until a run takes long.
    Doubling,
}

impl Plan {
    /// Grows where the user gave no sizes. A call that does not depend on n has only one.
    pub fn new(sizes: Option<Vec<i64>>, depends_on_n: bool, otherwise: Plan) -> Plan {
        match sizes {
            Some(sizes) => Plan::Given(sizes),
            None if depends_on_n => otherwise,
            None => Plan::Given(vec![1]),
        }
    }

    /// A few sizes, each with a part of the time.
    pub fn sampled() -> Plan {
        Plan::Given(SAMPLED.to_vec())
    }

    /// The sizes asked for, as far as they are known beforehand.
    pub fn sizes(&self) -> &[i64] {
        match self {
            Plan::Given(sizes) => sizes,
            Plan::Growing | Plan::Doubling => &[],
        }
    }
}

/// How long the sizes of a growing plan take, to tell when the next would take too long.
#[derive(Debug, Default)]
pub struct Pace {
    seconds: Vec<f64>,
}

impl Pace {
    /// Books how a size went; why growing ends after it, if it does.
    pub fn done(&mut self, size: i64, complete: bool, seconds: f64, left: f64) -> Option<String> {
        if !complete {
            return Some(format!("size {size} could not be completed, so larger sizes were not tried (give --sizes)"));
        }
        let before = self.seconds.last().copied().unwrap_or(seconds);
        self.seconds.push(seconds);
        // Short times say nothing about growth.
        let growth = if seconds > 0.05 && before > 0.0 { (seconds / before).max(1.0) } else { 1.0 };
        let (next, predicted) = (size + 1, seconds * growth);
        (predicted > 2.0 * left).then(|| {
            format!(
                "size {next} would take about {predicted:.0} s, more than the {left:.0} s left of the budget (give --sizes, or more --budget)"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_ends_when_the_next_size_clearly_does_not_fit() {
        let mut pace = Pace::default();
        assert_eq!(pace.done(1, true, 0.1, 60.0), None);
        assert_eq!(pace.done(2, true, 1.0, 59.0), None);
        assert!(pace.done(3, true, 10.0, 49.0).is_some_and(|why| why.contains("size 4 would take about 100 s")));
    }

    #[test]
    fn a_call_without_n_has_one_size() {
        assert_eq!(Plan::new(None, false, Plan::Growing), Plan::Given(vec![1]));
    }
}
