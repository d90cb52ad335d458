//! Durations, amounts of memory and large counts, as people write them.

use std::time::Duration;

/// `500ms`, `60s`, `5m`, `2h`, `1.5h`; a bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(format!("unknown unit '{unit}': write 500ms, 60s, 5m or 2h")),
    };
    let number: f64 = number.parse().map_err(|_| "write a number and a unit: 500ms, 60s, 5m or 2h".to_owned())?;
    if number <= 0.0 {
        return Err("it must be more than 0".to_owned());
    }
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|duration| duration.as_secs() <= 1000 * 365 * 86_400)
        .ok_or_else(|| "that is too long".to_owned())
}

/// `65536`, `64KiB`, `512M`, `1GiB`; units are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return Err(format!("unknown unit '{unit}': write KiB, MiB or GiB")),
    };
    let number: f64 = number.parse().map_err(|_| "write a number and a unit, as in 64MiB".to_owned())?;
    let bytes = number * f64::from(1u32 << shift);
    if !(1.0..=9e15).contains(&bytes) {
        return Err("it must be at least 1 byte and at most a few petabytes".to_owned());
    }
    Ok(bytes as u64)
}

/// A whole number of at least 1: `1000000`, `1_000_000`, `1e9`, `2.5e9`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let number = match plain.split_once(['e', 'E']) {
        None => plain.parse::<u64>().ok(),
        Some((digits, exponent)) => with_exponent(digits, exponent),
    };
    match number {
        Some(0) => Err("it must be at least 1".to_owned()),
        Some(number) => Ok(number),
        None => Err("write a whole number, as in 1000000, 1_000_000 or 1e6".to_owned()),
    }
}

/// `2.5` and `9`: as many places are taken from the exponent as stand behind the point.
fn with_exponent(digits: &str, exponent: &str) -> Option<u64> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<u32>().ok()?.checked_sub(u32::try_from(part.len()).ok()?)?;
    format!("{whole}{part}").parse::<u64>().ok()?.checked_mul(10u64.checked_pow(exponent)?)
}

/// As `parse_count`, but small.
pub fn parse_small_count(text: &str) -> Result<u32, String> {
    parse_count(text)?.try_into().map_err(|_| format!("it must be at most {}", u32::MAX))
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    (text[..end].trim_end(), &text[end..])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{parse_bytes, parse_count, parse_duration};

    #[test]
    fn durations_have_units() {
        for (text, millis) in [("500ms", 500), ("60s", 60_000), ("5m", 300_000), ("0.5h", 1_800_000), ("2", 2000)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for bad in ["", "s", "-1s", "0s", "5 parsecs", "1e300h", "nan"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn memory_is_in_powers_of_two() {
        for (text, bytes) in [("65536", 65_536), ("64KiB", 65_536), ("1.5k", 1536), ("2 GiB", 2 << 30)] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for bad in ["", "MiB", "0", "-1", "1TiB", "1e99"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_may_be_written_short() {
        for (text, number) in [("7", 7), ("1_000", 1000), ("2e9", 2_000_000_000), ("1.25e3", 1250)] {
            assert_eq!(parse_count(text), Ok(number), "{text}");
        }
        for bad in ["", "0", "-1", "1.5", "1.55e1", "1e30", "e9", ".e9", "many"] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }
}
