//! Patterns that a given sequence is, or may be, an example of: its runs of repetitions, and its pieces as units.

use super::Pattern;

/// The longest unit that is looked for, and the longest fixed part that is kept of what is around it.
const LONGEST_UNIT: usize = 8;
const LONGEST_FIXED: usize = 12;
/// Sequences up to this length are taken apart in every way: their number grows with its square, or its fourth power.
const SHORT: usize = 12;
const VERY_SHORT: usize = 6;
/// Elements of a longer one whose pieces are taken as units.
const LOOKED_AT: usize = 48;
/// Runs looked at, the longest ones, and patterns given for one sequence.
const MOST_RUNS: usize = 32;
const MOST: usize = 600;

/// Patterns that the sequence is an example of, those of its longest repetitions first; then its pieces, repeated.
pub fn factorisations(values: &[i64]) -> Vec<Pattern> {
    let runs = runs(values);
    let mut all: Vec<Pattern> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        all.push(run.pattern(values));
        all.extend(runs[at + 1..].iter().take(4).filter_map(|other| run.beside(other, values)));
    }
    if values.len() <= SHORT {
        in_two_cuts(values, &mut all);
    }
    if values.len() <= VERY_SHORT {
        in_four_cuts(values, &mut all);
    }
    let looked_at = &values[..values.len().min(LOOKED_AT)];
    for width in 1..=LONGEST_UNIT.min(looked_at.len()) {
        all.extend(looked_at.windows(width).map(Pattern::repeated));
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|pattern| !pattern.unit.is_empty() && seen.insert(pattern.clone()));
    all.truncate(MOST);
    all
}

/// A stretch of a sequence that repeats its first elements.
struct Run {
    from: usize,
    to: usize,
    period: usize,
    step: i64,
}

impl Run {
    fn unit(&self, values: &[i64]) -> Vec<i64> {
        values[self.from..self.from + self.period].to_vec()
    }

    fn pattern(&self, values: &[i64]) -> Pattern {
        Pattern {
            prefix: last(&values[..self.from]),
            unit: self.unit(values),
            step: self.step,
            suffix: first(&values[self.to..]),
            ..Pattern::default()
        }
    }

    /// The pattern of two runs that do not overlap.
    fn beside(&self, other: &Run, values: &[i64]) -> Option<Pattern> {
        let (a, b) = if self.from < other.from { (self, other) } else { (other, self) };
        let middle = values.get(a.to..b.from).filter(|middle| middle.len() <= LONGEST_FIXED)?;
        Some(Pattern {
            prefix: last(&values[..a.from]),
            unit: a.unit(values),
            step: a.step,
            middle: middle.to_vec(),
            second: b.unit(values),
            suffix: first(&values[b.to..]),
            counter: None,
            filler: None,
            second_fills: false,
        })
    }
}

/// Every maximal stretch that repeats at least twice, by whatever step; the longest first, of equals that of the shortest period.
fn runs(values: &[i64]) -> Vec<Run> {
    let mut runs = Vec::new();
    for period in 1..=LONGEST_UNIT.min(values.len() / 2) {
        let step = |i: usize| values[i + period].wrapping_sub(values[i]);
        let mut from = 0;
        while from + period < values.len() {
            let by = step(from);
            let mut end = from + 1;
            while end + period < values.len() && step(end) == by {
                end += 1;
            }
            if end - from >= period.max(2) {
                runs.push(Run { from, to: end + period, period, step: by });
            }
            from = end;
        }
    }
    runs.sort_by_key(|run| (std::cmp::Reverse(run.to - run.from), run.period, run.from));
    runs.truncate(MOST_RUNS);
    runs
}

fn first(values: &[i64]) -> Vec<i64> {
    values[..values.len().min(LONGEST_FIXED)].to_vec()
}

fn last(values: &[i64]) -> Vec<i64> {
    values[values.len().saturating_sub(LONGEST_FIXED)..].to_vec()
}

/// Every prefix · unit · suffix.
fn in_two_cuts(values: &[i64], all: &mut Vec<Pattern>) {
    for from in 0..values.len() {
        for to in from + 1..=values.len() {
            let unit = values[from..to].to_vec();
            let (prefix, suffix) = (values[..from].to_vec(), values[to..].to_vec());
            all.push(Pattern { prefix, unit, suffix, ..Pattern::default() });
        }
    }
}

/// Every prefix · unit · middle · second · suffix.
fn in_four_cuts(values: &[i64], all: &mut Vec<Pattern>) {
    let n = values.len();
    for from in 0..n {
        for to in from + 1..n {
            for again in to..n {
                for end in again + 1..=n {
                    let part = |range: std::ops::Range<usize>| values[range].to_vec();
                    let (prefix, unit, middle) = (part(0..from), part(from..to), part(to..again));
                    let (second, suffix) = (part(again..end), part(end..n));
                    all.push(Pattern { prefix, unit, middle, second, suffix, ..Pattern::default() });
                }
            }
        }
    }
}
