//! Lists of sizes as the user writes them.

/// Larger sizes are taken for a slip.
pub const LARGEST_SIZE: i64 = 1_000_000_000;
/// More sizes at once are taken for a slip.
const MOST_SIZES: i64 = 100_000;
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

#[cfg(test)]
mod tests {
    use super::{SizesError, parse_sizes};

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
}
