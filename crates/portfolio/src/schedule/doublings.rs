//! Sizes that nobody asked for: those explored completely, then doublings for as long as they tell something.

use slowpath_fit::fit;
use slowpath_program::call::InputSpec;

use super::attempts::Turns;
use crate::technique::{Session, Stage};
use crate::techniques::pump::reads_text;

/// Sizes without `--sizes`: as many at least, and where a run of the worst input costs this much, no larger ones: on our own machine it
/// takes a tenth of a second.
const FEWEST_SIZES: usize = 8;
const LONG_RUN: u64 = 10_000_000;
/// Doublings that a growth law must have been the same for, and the most there are.
const STABLE: usize = 3;
const MOST_DOUBLINGS: usize = 16;
/// The power of n from which on growth is called an explosion.
const EXPLODES: f64 = 6.0;
/// Elements of inputs that nobody asked for, at most: making them takes longer than many a run.
const MOST_ELEMENTS: u64 = 1 << 18;
/// Elements of a text below which a law says little, however stable it is: the constructs of a language have to fit in many times.
const SHORT_TEXT: u64 = 512;
/// The part of what is left that one doubling takes.
const DOUBLING_SHARE: f64 = 0.12;

impl Turns {
    /// Sizes without a list: those explored completely, then doublings.
    pub(super) fn doublings(&mut self, session: &mut Session<'_>) -> Vec<i64> {
        let complete = session.knowledge.explored().iter().filter(|found| found.complete).map(|found| found.size);
        let mut sizes: Vec<i64> = complete.collect();
        let unfinished = session.ledger.rows().map(|row| row.size).max().unwrap_or(0);
        let first = sizes.last().copied().unwrap_or(0).max(unfinished).max(1);
        if !sizes.contains(&first) {
            sizes.push(first);
            self.double_to(first, session);
        }
        for _ in 0..MOST_DOUBLINGS {
            let long = sizes.iter().position(|n| takes_long(*n, session));
            let enough = sizes.len() >= FEWEST_SIZES;
            let is_stable = || is_stable(&sizes, session) && !is_short_text(&sizes, session);
            if session.budget.expired().is_some() || (enough && (long.is_some() || is_stable())) {
                break;
            }
            let between = if explodes(&sizes, session) { widest_gap(&sizes) } else { None };
            let n = match long {
                // The next doubling would only go past the limit.
                None if between.is_some() => between.unwrap_or(1),
                None => 2 * sizes.last().copied().unwrap_or(1),
                // What lies below the first that went past the limit still has something to say.
                Some(0) => break,
                Some(at) => sizes[at - 1] + (sizes[at] - sizes[at - 1] + 1) / 2,
            };
            let is_large = |n: i64| session.target.inputs(n).is_some_and(|inputs| elements(&inputs) > MOST_ELEMENTS);
            if sizes.contains(&n) || session.target.check_size(n).is_err() || enough && is_large(n) {
                break;
            }
            session.settings.largest = session.settings.largest.max(n);
            self.double_to(n, session);
            // Where nothing comes to an input, nothing will at twice the size.
            if session.ledger.cost(n).is_none() {
                break;
            }
            sizes.push(n);
            sizes.sort_unstable();
        }
        sizes
    }

    fn double_to(&mut self, n: i64, session: &mut Session<'_>) {
        let whole = session.budget.clone();
        session.budget = whole.part(DOUBLING_SHARE);
        session.sizes_left = 2;
        self.stage(Stage::First, n, session);
        self.lead(n, session);
        self.patterns_first(n, session, &whole);
        self.search(n, 1.0, session);
        session.budget = whole;
    }
}

/// Elements of all inputs together.
fn elements(inputs: &[InputSpec]) -> u64 {
    inputs.iter().map(|input| u64::from(input.count)).sum()
}

/// Whether a run of the worst input known went past the limit, or takes too long to go on from.
fn takes_long(n: i64, session: &Session<'_>) -> bool {
    let Some(row) = session.ledger.row(n) else { return false };
    row.best.as_ref().is_some_and(|best| best.is_at_least()) || row.cost().is_some_and(|cost| cost > LONG_RUN)
}

/// Whether the worst cost known grows faster, from the last size but one to the last, than any polynomial anybody would write.
fn explodes(sizes: &[i64], session: &Session<'_>) -> bool {
    let [.., small, large] = sizes else { return false };
    let (Some(less), Some(more)) = (session.ledger.cost(*small), session.ledger.cost(*large)) else { return false };
    let power = (more as f64 / less.max(1) as f64).ln() / (*large as f64 / *small as f64).ln();
    large > small && power >= EXPLODES
}

/// The middle of the widest gap between sizes, by their ratio.
fn widest_gap(sizes: &[i64]) -> Option<i64> {
    let gaps = sizes.windows(2).filter(|pair| pair[1] - pair[0] > 1);
    let widest = gaps.max_by(|a, b| (a[1] * b[0]).cmp(&(b[1] * a[0])))?;
    Some(i64::midpoint(widest[0], widest[1]))
}

/// Whether inputs are text, and even the longest are short for that.
fn is_short_text(sizes: &[i64], session: &Session<'_>) -> bool {
    let inputs = sizes.last().and_then(|n| session.target.inputs(*n));
    reads_text(session) && inputs.is_some_and(|inputs| (1..SHORT_TEXT).contains(&elements(&inputs)))
}

/// Whether the class of growth has been the same for some doublings.
fn is_stable(sizes: &[i64], session: &Session<'_>) -> bool {
    let point = |n: &i64| Some((*n as u64, session.ledger.cost(*n)?));
    let points: Vec<(u64, u64)> = sizes.iter().filter_map(point).collect();
    let explored = session.knowledge.explored().last().map_or(0, |found| found.size as u64);
    let doublings = points.iter().filter(|(size, _)| *size > explored).count();
    if doublings < STABLE + 1 {
        return false;
    }
    // What costs the same at every size by now has come to its end, whatever smaller sizes cost.
    if points[points.len() - STABLE - 1..].windows(2).all(|pair| pair[0].1 == pair[1].1) {
        return true;
    }
    let class = |less: usize| fit(&points[..points.len() - less]).class;
    let now = class(0);
    now.is_some() && (1..=STABLE).all(|less| class(less) == now)
}

#[cfg(test)]
mod tests {
    use super::widest_gap;

    #[test]
    fn gaps_are_filled_from_the_widest() {
        assert_eq!(widest_gap(&[1, 2, 3, 4, 8]), Some(6));
        assert_eq!(widest_gap(&[1, 2, 3, 6, 12, 24, 26]), Some(18));
        assert_eq!(widest_gap(&[1, 2, 3]), None);
    }
}
