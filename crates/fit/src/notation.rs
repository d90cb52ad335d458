//! Numbers and powers as formulas show them.

use num_rational::BigRational;
use num_traits::{One, Signed};

/// `n²`, `n`, or nothing for the zeroth power.
pub fn power_of_n(k: u32) -> String {
    match k {
        0 => String::new(),
        1 => "n".to_owned(),
        _ => format!("n{}", raised(&k.to_string())),
    }
}

/// Digits and points as superscripts.
pub fn raised(digits: &str) -> String {
    let raise = |c: char| match c.to_digit(10) {
        Some(digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize).unwrap_or(c),
        None => '·',
    };
    digits.chars().map(raise).collect()
}

/// A sum of terms with rational coefficients, in the order given: `n²/2 + 3n/2 - 1`.
pub fn rational_sum(terms: &[(BigRational, String)]) -> String {
    let parts = terms.iter().map(|(coefficient, term)| (coefficient.is_negative(), rational_term(coefficient, term)));
    join(parts)
}

fn rational_term(coefficient: &BigRational, term: &str) -> String {
    let (over, under) = (coefficient.numer().abs(), coefficient.denom());
    let over = match (over.is_one(), term.is_empty()) {
        (_, true) => over.to_string(),
        (true, false) => term.to_owned(),
        (false, false) => scaled(&over.to_string(), term),
    };
    if under.is_one() { over } else { format!("{over}/{under}") }
}

/// A sum of terms with measured coefficients: `1.52·n log₂ n + 4`.
pub fn measured_sum(terms: &[(f64, String)]) -> String {
    join(terms.iter().map(|(coefficient, term)| {
        let size = digits(coefficient.abs());
        let text = match (size.as_str(), term.is_empty()) {
            (_, true) => size,
            ("1", false) => term.clone(),
            (_, false) => scaled(&size, term),
        };
        (*coefficient < 0.0, text)
    }))
}

/// A factor before a term, with a dot where the two would run into each other.
fn scaled(factor: &str, term: &str) -> String {
    let plain = term.starts_with(['n', '⌊', '⌈', '√']) && !term.contains('!') && !term.starts_with("n·");
    if plain { format!("{factor}{term}") } else { format!("{factor}·{term}") }
}

fn join(parts: impl Iterator<Item = (bool, String)>) -> String {
    let mut out = String::new();
    for (negative, text) in parts {
        out += match (out.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        out += &text;
    }
    if out.is_empty() { "0".to_owned() } else { out }
}

/// A number as people say it: whole below ten million, then in powers of ten: "about 5·10³¹". What is past the largest float is "beyond 10³⁰⁸".
pub fn big(value: f64) -> String {
    if value.abs() < 1e7 {
        return format!("{value:.0}");
    }
    if value >= f64::MAX {
        return format!("beyond 10{}", raised("308"));
    }
    let mut exponent = value.abs().log10().floor();
    let mut lead = (value / 10f64.powf(exponent) * 10.0).round() / 10.0;
    if lead.abs() >= 10.0 {
        (lead, exponent) = (lead / 10.0, exponent + 1.0);
    }
    format!("about {}·10{}", digits(lead), raised(&exponent.to_string()))
}

/// Three digits that count, without trailing zeros.
pub fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e7).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let places = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(over: i64, under: i64) -> BigRational {
        BigRational::new(over.into(), under.into())
    }

    #[test]
    fn sums_read_as_people_write_them() {
        let terms =
            [(rational(1, 2), "n²".to_owned()), (rational(3, 2), "n".to_owned()), (rational(-1, 1), String::new())];
        assert_eq!(rational_sum(&terms), "n²/2 + 3n/2 - 1");
        assert_eq!(rational_sum(&[(rational(-3, 1), "n".to_owned())]), "-3n");
        assert_eq!(rational_sum(&[(rational(3, 2), "2ⁿ".to_owned())]), "3·2ⁿ/2");
        assert_eq!(rational_sum(&[(rational(2, 1), "n!".to_owned())]), "2·n!");
        assert_eq!(rational_sum(&[]), "0");
    }

    #[test]
    fn large_numbers_are_powers_of_ten() {
        let shown = [0.0, 1234.4, 5.04e31, 9.99e24, 1.25e7, f64::MAX].map(big);
        assert_eq!(shown, ["0", "1234", "about 5·10³¹", "about 1·10²⁵", "about 1.3·10⁷", "beyond 10³⁰⁸"]);
    }

    #[test]
    fn measured_numbers_keep_three_digits() {
        let shown = [1.0, 2.5, 0.012345, 123.456, 98765.4, 1e9, 1e-5].map(digits);
        assert_eq!(shown, ["1", "2.5", "0.0123", "123", "98765", "1.00e9", "1.00e-5"]);
    }
}
