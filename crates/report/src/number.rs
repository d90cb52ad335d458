//! Numbers as people read them.

use slowpath_fit::notation;

/// A number of more than three digits as `about 1.07·10³⁰¹`.
pub fn about(digits: &str) -> String {
    let exponent: String = (digits.len() - 1).to_string().chars().filter_map(raised).collect();
    format!("about {}.{}·10{exponent}", &digits[..1], &digits[1..3])
}

/// A digit as an exponent.
pub fn raised(digit: char) -> Option<char> {
    digit.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize))
}

/// `1234567` as `1,234,567`. The largest number stands for all that are larger.
pub fn count(number: u64) -> String {
    if number == u64::MAX {
        return "more than 1.8·10¹⁹".to_owned();
    }
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A predicted cost, as exact as a float is; beyond that in powers of ten.
pub fn amount(value: f64) -> String {
    if value >= 9e15 {
        return notation::big(value);
    }
    let sign = if value <= -0.5 { "−" } else { "" };
    format!("{sign}{}", count(value.abs().round() as u64))
}

/// Seconds in the unit that suits them.
pub fn duration(seconds: f64) -> String {
    if seconds < 0.01 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0)
    }
}

/// A number of bytes in the largest unit that divides it.
pub fn bytes(number: u64) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if number >= 1 << shift && number.is_multiple_of(1 << shift) {
            return format!("{} {unit}", number >> shift);
        }
    }
    format!("{} bytes", count(number))
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, duration};

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn units_suit_the_number() {
        assert_eq!([0.0004, 0.0123, 1.25, 125.0].map(duration), ["0.4 ms", "12 ms", "1.2 s", "2 min 5 s"]);
        assert_eq!([100, 65_536, 1 << 30].map(bytes), ["100 bytes", "64 KiB", "1 GiB"]);
    }
}
