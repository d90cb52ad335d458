//! Which sizes to analyse: the user's list, or growing from 1 for as long as it pays.

/// Larger sizes are taken for a slip.
pub const LARGEST_SIZE: i64 = 1_000_000_000;
/// More sizes at once are taken for a slip.
const MOST_SIZES: i64 = 100_000;
/// Where growing ends even if everything is fast.
pub(crate) const MOST_GROWN: i64 = 64;
/// Sizes for strategies that could go on for ever at each.
const SAMPLED: [i64; 4] = [10, 20, 50, 100];

/// What is wrong with a list of sizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizesError {
    #[error("'{0}' is not a size or a range; write sizes as in 1..10,20,50")]
    Syntax(String),
    #[error("a size must be at least 1, but one is {0}")]
    TooSmall(i64),
    #[error("a size of {0} is too large; at most {LARGEST_SIZE} is allowed")]
    TooLarge(String),
    #[error("the range {0} is empty: it goes down")]
    Empty(String),
    #[error("the step in {0} must be at least 1")]
    Step(String),
    #[error("these are more than {MOST_SIZES} sizes; give the range a step, as in 1000..100000:1000")]
    TooMany,
}

/// One size.
pub fn parse_size(text: &str) -> Result<i64, SizesError> {
    let text = text.trim();
    let digits = text.replace('_', "");
    let size: i64 = match digits.parse() {
        Ok(size) => size,
        Err(_) => {
            let number = digits.strip_prefix('-').unwrap_or(&digits);
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            return Err(if is_number { SizesError::TooLarge(text.into()) } else { SizesError::Syntax(text.into()) });
        }
    };
    match size {
        ..=0 => Err(SizesError::TooSmall(size)),
        1..=LARGEST_SIZE => Ok(size),
        _ => Err(SizesError::TooLarge(text.to_owned())),
    }
}

/// `1..10,20,50`: ranges include both ends, `10..100:10` goes in steps. The result ascends, each size once.
pub fn parse_sizes(text: &str) -> Result<Vec<i64>, SizesError> {
    let mut sizes = Vec::new();
    for part in text.split(',') {
        let (low, high, step) = parse_part(part.trim())?;
        if (high - low) / step + sizes.len() as i64 >= MOST_SIZES {
            return Err(SizesError::TooMany);
        }
        sizes.extend((low..=high).step_by(usize::try_from(step).unwrap_or(usize::MAX)));
    }
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}

fn parse_part(part: &str) -> Result<(i64, i64, i64), SizesError> {
    let Some((low, rest)) = part.split_once("..") else {
        let size = parse_size(part)?;
        return Ok((size, size, 1));
    };
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    let (high, step) = match rest.split_once(':') {
        None => (rest, 1),
        Some((high, step)) => {
            let step = step.trim().parse::<i64>().map_err(|_| SizesError::Syntax(part.to_owned()))?;
            (high, step)
        }
    };
    let (low, high) = (parse_size(low)?, parse_size(high)?);
    if step < 1 {
        return Err(SizesError::Step(part.to_owned()));
    }
    if low > high {
        return Err(SizesError::Empty(part.to_owned()));
    }
    Ok((low, high, step))
}

/// The sizes of one analysis, decided as it goes.
pub(crate) enum Plan {
    Given(std::vec::IntoIter<i64>),
    Growing { next: i64, seconds: Vec<f64> },
}

impl Plan {
    /// Grows where the user gave no sizes. A call that does not depend on n has only one.
    pub fn new(sizes: Option<Vec<i64>>, depends_on_n: bool) -> Plan {
        match sizes {
            Some(sizes) => Plan::Given(sizes.into_iter()),
            None if depends_on_n => Plan::Growing { next: 1, seconds: Vec::new() },
            None => Plan::Given(vec![1].into_iter()),
        }
    }

    /// A few sizes, each with a part of the time, where the user gave none.
    pub fn sampled(sizes: Option<Vec<i64>>, depends_on_n: bool) -> Plan {
        Plan::new(sizes.or_else(|| depends_on_n.then(|| SAMPLED.to_vec())), depends_on_n)
    }

    /// The size to analyse now.
    pub fn next(&mut self) -> Option<i64> {
        match self {
            Plan::Given(sizes) => sizes.next(),
            Plan::Growing { next, .. } if *next > MOST_GROWN => None,
            Plan::Growing { next, .. } => {
                *next += 1;
                Some(*next - 1)
            }
        }
    }

    /// Books how a size went; why growing ends here, if it does.
    pub fn done(&mut self, complete: bool, seconds: f64, left: f64) -> Option<String> {
        let Plan::Growing { next, seconds: past } = self else { return None };
        past.push(seconds);
        let size = *next - 1;
        if !complete {
            return Some(format!("size {size} could not be completed, so larger sizes were not tried (give --sizes)"));
        }
        let before = past.len().checked_sub(2).map_or(seconds, |i| past[i]);
        // Short times say nothing about growth.
        let growth = if seconds > 0.05 && before > 0.0 { (seconds / before).max(1.0) } else { 1.0 };
        let predicted = seconds * growth;
        (predicted > 2.0 * left).then(|| {
            format!(
                "size {next} would take about {predicted:.0} s, more than the {left:.0} s left of the budget (give --sizes, or more --budget)"
            )
        })
    }

    /// The sizes that were asked for and not reached.
    pub fn rest(&self) -> &[i64] {
        match self {
            Plan::Given(sizes) => sizes.as_slice(),
            Plan::Growing { .. } => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, SizesError, parse_sizes};

    #[test]
    fn ranges_lists_and_steps_combine() {
        assert_eq!(parse_sizes("1..3,20,5..=6").unwrap(), [1, 2, 3, 5, 6, 20]);
        assert_eq!(parse_sizes("10..40:15, 2").unwrap(), [2, 10, 25, 40]);
        assert_eq!(parse_sizes("3,3,3").unwrap(), [3]);
    }

    #[test]
    fn slips_are_refused() {
        assert_eq!(parse_sizes("0"), Err(SizesError::TooSmall(0)));
        assert_eq!(parse_sizes("-3"), Err(SizesError::TooSmall(-3)));
        assert_eq!(parse_sizes("-3..4"), Err(SizesError::TooSmall(-3)));
        assert_eq!(parse_sizes("5..2"), Err(SizesError::Empty("5..2".into())));
        assert_eq!(parse_sizes("1..5:0"), Err(SizesError::Step("1..5:0".into())));
        assert_eq!(parse_sizes("1..1000000"), Err(SizesError::TooMany));
        assert!(matches!(parse_sizes("1000000001"), Err(SizesError::TooLarge(_))));
        assert!(matches!(parse_sizes("99999999999999999999999"), Err(SizesError::TooLarge(_))));
        for bad in ["", ",", "x", "1..", "..4", "1..2..3", "1:2", "1.5", "--1", "1..9:x", "1..9:-"] {
            assert!(matches!(parse_sizes(bad), Err(SizesError::Syntax(_))), "{bad}");
        }
    }

    #[test]
    fn growing_ends_when_the_next_size_clearly_does_not_fit() {
        let mut plan = Plan::new(None, true);
        assert_eq!(plan.next(), Some(1));
        assert_eq!(plan.done(true, 0.1, 60.0), None);
        assert_eq!(plan.next(), Some(2));
        assert_eq!(plan.done(true, 1.0, 59.0), None);
        assert_eq!(plan.next(), Some(3));
        assert!(plan.done(true, 10.0, 49.0).is_some_and(|why| why.contains("size 4 would take about 100 s")));
    }

    #[test]
    fn a_call_without_n_has_one_size() {
        let mut plan = Plan::new(None, false);
        assert_eq!((plan.next(), plan.next()), (Some(1), None));
    }
}
