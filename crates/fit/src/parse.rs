//! Growth classes as people write them.

use std::str::FromStr;

use crate::class::Class;

/// Text that is not a growth class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a growth class; write one of 1, log n, sqrt n, n, n log n, n log^2 n, n^2, n^2 log n, n^3, n^1.5 (any power), \
     2^n (any base above 1), n!, or constant, logarithmic, linear, linearithmic, quadratic, cubic, polynomial, \
     exponential, factorial"
)]
pub struct ParseClassError {
    text: String,
}

impl Class {
    /// Reads a class: `n log n`, `O(n^2)`, `n²`, `n*log(n)`, `2^n`, `quadratic`.
    pub fn parse(text: &str) -> Result<Class, ParseClassError> {
        let plain = plain(text);
        let inner = ["o(", "θ(", "Θ("]
            .iter()
            .find_map(|open| plain.strip_prefix(open)?.strip_suffix(')'))
            .unwrap_or(plain.as_str());
        named(inner)
            .or_else(|| exponential(inner))
            .or_else(|| product(inner))
            .ok_or_else(|| ParseClassError { text: text.trim().to_owned() })
    }
}

impl FromStr for Class {
    type Err = ParseClassError;

    fn from_str(text: &str) -> Result<Class, ParseClassError> {
        Class::parse(text)
    }
}

/// Lower case, without blanks and multiplication signs, raised digits after a `^`.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut raised = false;
    for c in text.to_lowercase().replace("**", "^").chars() {
        let digit = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|superscript| superscript == c);
        if (digit.is_some() || c == 'ⁿ') && !raised {
            out.push('^');
        }
        raised = digit.is_some();
        match digit.and_then(|value| char::from_digit(value as u32, 10)) {
            Some(digit) => out.push(digit),
            None if c == 'ⁿ' => out.push('n'),
            None if c.is_whitespace() || "*·×".contains(c) => {}
            None => out.push(c),
        }
    }
    out.replace("log₂", "log").replace("log_2", "log").replace("log2", "log").replace("lg", "log").replace("ln", "log")
}

fn named(text: &str) -> Option<Class> {
    Some(match text {
        "1" | "constant" => Class::CONSTANT,
        "logarithmic" => Class::LOG,
        "linear" => Class::LINEAR,
        "linearithmic" | "loglinear" | "quasilinear" => Class::N_LOG_N,
        "quadratic" => Class::QUADRATIC,
        "cubic" => Class::CUBIC,
        "polynomial" | "n^k" => Class::ANY_POWER,
        "exponential" | "k^n" => Class::ANY_EXPONENTIAL,
        "factorial" | "n!" => Class::Factorial,
        _ => return None,
    })
}

fn exponential(text: &str) -> Option<Class> {
    let base = number(text.strip_suffix("^n")?)?;
    (base > 1.0).then(|| Class::exponential(base))
}

/// A power of n, a logarithm, or both, in either order.
fn product(text: &str) -> Option<Class> {
    let (mut rest, mut hundredths, mut logs) = (text, None, None);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("log") {
            let (exponent, after) = power(after)?;
            let after = after.strip_prefix("(n)").or_else(|| after.strip_prefix('n'))?;
            let whole = exponent >= 1.0 && exponent.fract() == 0.0 && exponent <= 100.0;
            if !whole || logs.replace(exponent as u8).is_some() {
                return None;
            }
            rest = after;
        } else {
            let (class, after) = power_of_n(rest)?;
            if hundredths.replace(class).is_some() {
                return None;
            }
            rest = after;
        }
    }
    if hundredths.is_none() && logs.is_none() {
        return None;
    }
    Some(Class::Polynomial { hundredths: hundredths.unwrap_or(0), logs: logs.unwrap_or(0) })
}

fn power_of_n(text: &str) -> Option<(u32, &str)> {
    for root in ["sqrt(n)", "sqrtn", "√n", "√(n)"] {
        if let Some(after) = text.strip_prefix(root) {
            return Some((50, after));
        }
    }
    let (exponent, after) = power(text.strip_prefix('n')?)?;
    Some(((exponent * 100.0).round() as u32, after))
}

/// `^3` or nothing, and what follows it. Powers past a million are taken for slips.
fn power(text: &str) -> Option<(f64, &str)> {
    let Some(after) = text.strip_prefix('^') else { return Some((1.0, text)) };
    let end = after.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(after.len());
    let exponent = number(&after[..end])?;
    (exponent <= 1e6).then_some((exponent, &after[end..]))
}

fn number(text: &str) -> Option<f64> {
    let digits = text.chars().all(|c| c.is_ascii_digit() || c == '.') && text.chars().any(|c| c.is_ascii_digit());
    text.parse().ok().filter(|value: &f64| digits && value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_are_read() {
        let same = [
            ("1", Class::CONSTANT),
            ("O(1)", Class::CONSTANT),
            ("constant", Class::CONSTANT),
            ("log n", Class::LOG),
            ("log2(n)", Class::LOG),
            ("log₂ n", Class::LOG),
            ("Logarithmic", Class::LOG),
            ("sqrt n", Class::SQRT),
            ("√n", Class::SQRT),
            ("n^0.5", Class::SQRT),
            ("n", Class::LINEAR),
            ("linear", Class::LINEAR),
            ("n log n", Class::N_LOG_N),
            ("n*log(n)", Class::N_LOG_N),
            ("n·log₂ n", Class::N_LOG_N),
            ("log n * n", Class::N_LOG_N),
            ("O(n^2)", Class::QUADRATIC),
            ("n²", Class::QUADRATIC),
            ("n**2", Class::QUADRATIC),
            ("quadratic", Class::QUADRATIC),
            ("n² log n", Class::N2_LOG_N),
            ("Θ(n^3)", Class::CUBIC),
            ("cubic", Class::CUBIC),
            ("n¹²", Class::power(12)),
            ("n^1.5", Class::real_power(1.5)),
            ("n^2.5", Class::real_power(2.5)),
            ("n log^2 n", Class::N_LOG2_N),
            ("n log² n", Class::N_LOG2_N),
            ("n*log^2(n)", Class::N_LOG2_N),
            ("2^n", Class::exponential(2.0)),
            ("O(2ⁿ)", Class::exponential(2.0)),
            ("1.62^n", Class::exponential(1.62)),
            ("exponential", Class::ANY_EXPONENTIAL),
            ("polynomial", Class::ANY_POWER),
            ("n!", Class::Factorial),
            ("factorial", Class::Factorial),
        ];
        for (text, class) in same {
            assert_eq!(Class::parse(text), Ok(class), "{text}");
        }
    }

    #[test]
    fn what_is_printed_can_be_read_again() {
        let fixed =
            [Class::CONSTANT, Class::LOG, Class::SQRT, Class::Factorial, Class::ANY_POWER, Class::ANY_EXPONENTIAL];
        let powers = (1..700).flat_map(|hundredths| {
            [0, 1, 2]
                .map(|logs| Class::Polynomial { hundredths, logs })
                .into_iter()
                .chain([Class::Exponential { hundredths: 100 + hundredths }])
        });
        for class in fixed.into_iter().chain(powers) {
            assert_eq!(Class::parse(&class.to_string()), Ok(class));
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_is_accepted() {
        for text in [
            "",
            "fast",
            "n n",
            "log",
            "1^n",
            "0.5^n",
            "n^",
            "n^x",
            "2^m",
            "log n log n",
            "n^1e9",
            "n^99999999",
            "O(",
            "-n",
        ] {
            let error = Class::parse(text).expect_err(text).to_string();
            assert!(error.contains("n log n") && error.contains("quadratic"), "{error}");
        }
    }
}
