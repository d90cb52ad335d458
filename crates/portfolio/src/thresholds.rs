//! Sizes at which a program may change its ways: beyond constants that its code has and that no input so far was large enough to reach. A
//! buffer that fills, a table that grows, a switch to another algorithm.

use std::collections::HashSet;

use slowpath_program::{Program, SiteId};
use slowpath_search::unreached_constants;

use crate::technique::Session;

/// Constants further away than so many times the largest size are left alone.
const FURTHEST: i64 = 64;
/// Sizes looked at, the nearest ones.
const MOST: usize = 3;
/// The part of what is left that one run may take in which comparisons are counted.
const LOOKING_SHARE: f64 = 0.1;

/// Sizes well beyond constants of the code that lie beyond `reached`, ascending, each at least twice the one before.
pub fn beyond_constants(program: &Program, reached: i64) -> Vec<i64> {
    let constants = program.funcs.iter().flat_map(|f| f.body.iter().flat_map(|body| &body.constants));
    beyond(constants.copied(), reached)
}

/// Whether the worst input known of a size has the program compare a counter with a constant that it does not reach there, but may at a larger size.
pub fn has_unreached_counter(n: i64, session: &Session<'_>) -> bool {
    let worst = session.ledger.rows().filter_map(|row| row.best.as_ref()?.finding.worst.as_ref());
    let decided: HashSet<SiteId> =
        worst.flat_map(|worst| worst.decisions.iter().map(|decision| decision.site)).collect();
    let row = session.ledger.row(n).and_then(|row| row.best.as_ref()?.finding.worst.as_ref());
    let Some(worst) = row.filter(|worst| !worst.at_least) else { return false };
    let budget = session.budget.part(LOOKING_SHARE);
    let unreached = unreached_constants(session.target, n, &worst.input, &decided, &budget);
    let far = n.saturating_mul(FURTHEST);
    unreached.ok().flatten().is_some_and(|constants| constants.iter().any(|constant| *constant <= far))
}

fn beyond(constants: impl Iterator<Item = i64>, reached: i64) -> Vec<i64> {
    let far = reached.saturating_mul(FURTHEST);
    let mut unreached: Vec<i64> = constants.filter(|c| reached < *c && *c <= far).collect();
    unreached.sort_unstable();
    let mut sizes: Vec<i64> = Vec::new();
    for constant in unreached {
        if sizes.len() < MOST && sizes.last().is_none_or(|last| constant >= *last) {
            sizes.push(2 * constant);
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_lie_well_beyond_what_no_size_has_reached() {
        // The buffer of 4096 bytes is not reached at 1024; 100 is, and nobody goes to a million for a constant.
        assert_eq!(beyond([100, 4096, -1, 1_000_000].into_iter(), 1024), [8192]);
        // Constants within the size that is looked at anyway are passed on the way.
        assert_eq!(beyond([300, 100, 150, 200, 900, 2000].into_iter(), 64), [200, 400, 1800]);
        assert!(beyond([1, 2, 64].into_iter(), 64).is_empty());
    }
}
