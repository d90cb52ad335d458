//! Sizes that nobody asked for: those explored completely, then doublings for as long as they tell something.

use slowpath_fit::fit;

use super::attempts::Turns;
use crate::technique::{Session, Stage};

/// Sizes without `--sizes`: as many at least, and where a run of the worst input costs this much, no larger ones: on our own machine it
/// takes a tenth of a second.
const FEWEST_SIZES: usize = 8;
const LONG_RUN: u64 = 10_000_000;
/// Doublings that a growth law must have been the same for, and the most there are.
const STABLE: usize = 3;
const MOST_DOUBLINGS: usize = 16;
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
            if session.budget.expired().is_some() || (enough && (long.is_some() || is_stable(&sizes, session))) {
                break;
            }
            let n = match long {
                None => 2 * sizes.last().copied().unwrap_or(1),
                // What lies below the first that went past the limit still has something to say.
                Some(0) => break,
                Some(at) => sizes[at - 1] + (sizes[at] - sizes[at - 1] + 1) / 2,
            };
            if sizes.contains(&n) || session.target.check_size(n).is_err() {
                break;
            }
            session.settings.largest = session.settings.largest.max(n);
            self.double_to(n, session);
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
        self.search(n, 1.0, session);
        session.budget = whole;
    }
}

/// Whether a run of the worst input known went past the limit, or takes too long to go on from.
fn takes_long(n: i64, session: &Session<'_>) -> bool {
    let Some(row) = session.ledger.row(n) else { return false };
    row.best.as_ref().is_some_and(|best| best.is_at_least()) || row.cost().is_some_and(|cost| cost > LONG_RUN)
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
    let class = |less: usize| fit(&points[..points.len() - less]).class;
    let now = class(0);
    now.is_some() && (1..=STABLE).all(|less| class(less) == now)
}
