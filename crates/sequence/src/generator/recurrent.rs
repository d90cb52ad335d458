//! Sequences made of the sequence of a smaller size and a part of their own: `f(n) = f(n - 1) ++ part(n)` and its kin.
//!
//! This is what nested loops make whose inner loops depend on the outer one in ways the grammar has no word for: the walk from
//! each leaf of a heap to its root, or a pass over what is left at every halving.

use super::Shape;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Elements of the smallest sequences, which are kept as they are.
const MAX_BASE: usize = 256;
/// Smaller sizes that the sequence of a size may be made of, where it has fewer elements.
const ROOM: usize = 4096;

/// The size that a sequence goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Before {
    Less(u64),
    Half,
}

impl Before {
    fn size(self, n: u64) -> u64 {
        match self {
            Before::Less(by) => n.saturating_sub(by),
            Before::Half => n / 2,
        }
    }
}

/// What all sizes have in common but for their own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Rule {
    before: Before,
    /// Added to the numbers of the smaller size.
    plus: i64,
    /// Whether the own part comes first.
    first: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recurrent {
    rule: Rule,
    /// The sequences that go back to none, by size.
    base: Vec<(u64, Vec<i64>)>,
    part: Shape,
}

impl Recurrent {
    pub(super) fn make(&self, n: u64, max_len: usize) -> Option<Vec<i128>> {
        let mut parts: Vec<Vec<i128>> = Vec::new();
        let (mut size, mut plus, mut room) = (n, 0i128, max_len);
        loop {
            let base = self.base.iter().find(|(at, _)| *at == size);
            let own = match base {
                Some((_, values)) => values.iter().copied().map(i128::from).collect(),
                None => self.part.make(size, room)?,
            };
            room = room.checked_sub(own.len())?;
            parts.push(own.into_iter().map(|value| value.checked_add(plus)).collect::<Option<_>>()?);
            if base.is_some() {
                break;
            }
            let next = self.rule.before.size(size);
            if next == size || parts.len() > max_len.max(ROOM) {
                return None;
            }
            (size, plus) = (next, plus.checked_add(i128::from(self.rule.plus))?);
        }
        if !self.rule.first {
            parts.reverse();
        }
        Some(parts.concat())
    }
}

impl fmt::Display for Recurrent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut smaller = match self.rule.before {
            Before::Less(by) => format!("f(n - {by})"),
            Before::Half => "f(⌊n/2⌋)".to_owned(),
        };
        match self.rule.plus {
            0 => {}
            plus if plus > 0 => smaller = format!("({smaller} + {plus})"),
            plus => smaller = format!("({smaller} - {})", plus.unsigned_abs()),
        }
        let part = &self.part;
        if self.rule.first { write!(f, "f(n) = {part} ++ {smaller}") } else { write!(f, "f(n) = {smaller} ++ {part}") }
    }
}

/// Samples taken apart by a rule.
pub(super) struct Split {
    rule: Rule,
    base: Vec<(u64, Vec<i64>)>,
    /// What every other size adds.
    pub parts: Vec<(u64, Vec<i128>)>,
}

impl Split {
    /// Every way in which the samples contain each other.
    pub fn all(samples: &[(u64, Vec<i128>)]) -> Vec<Split> {
        let step = samples.windows(2).map(|pair| pair[1].0 - pair[0].0).min().unwrap_or(0);
        let steady = step > 0 && samples.windows(2).all(|pair| pair[1].0 - pair[0].0 == step);
        let less = steady.then_some(Before::Less(step));
        let ways = less.into_iter().chain([Before::Half]).flat_map(|before| [(before, false), (before, true)]);
        ways.filter_map(|(before, first)| Split::by(samples, before, first)).collect()
    }

    fn by(samples: &[(u64, Vec<i128>)], before: Before, first: bool) -> Option<Split> {
        let smaller = |n: u64| samples.iter().find(|(size, _)| *size == before.size(n) && *size < n).map(|(_, v)| v);
        let ends = |values: &[i128]| if first { values.last().copied() } else { values.first().copied() };
        let (largest, values) = samples.last()?;
        let plus = ends(values)?.checked_sub(ends(smaller(*largest)?)?)?;
        let rule = Rule { before, plus: i64::try_from(plus).ok()?, first };
        let (mut base, mut parts) = (Vec::new(), Vec::new());
        for (n, values) in samples {
            let Some(inner) = smaller(*n) else {
                base.push((*n, values.iter().map(|v| i64::try_from(*v).ok()).collect::<Option<Vec<i64>>>()?));
                continue;
            };
            let more = values.len().checked_sub(inner.len())?;
            let (own, rest) = if first {
                values.split_at(more)
            } else {
                let (rest, own) = values.split_at(inner.len());
                (own, rest)
            };
            if !rest.iter().zip(inner).all(|(value, before)| before.checked_add(plus) == Some(*value)) {
                return None;
            }
            parts.push((*n, own.to_vec()));
        }
        // What is kept as it is explains nothing.
        let telling = parts.len() >= 2 * base.len() + 2;
        let short = base.iter().map(|(_, values)| values.len()).sum::<usize>() <= MAX_BASE;
        (telling && short).then_some(Split { rule, base, parts })
    }

    pub fn with(self, part: Shape) -> Recurrent {
        Recurrent { rule: self.rule, base: self.base, part }
    }
}
