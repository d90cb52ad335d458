//! A part of the work, for one of several machines: `2/5` is every fifth target, beginning with the second.

use std::str::FromStr;

/// Which part of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: usize,
    of: usize,
}

impl Shard {
    /// Whether the target at this place of the list, counted from 0, belongs to the part.
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err(format!("`{text}` is no part: give it as in 2/5, the second of five")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_belongs_to_one_part() {
        let parts: Vec<Shard> = (1..=4).map(|k| format!("{k}/4").parse().expect("a part")).collect();
        for place in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(place)).count(), 1);
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
