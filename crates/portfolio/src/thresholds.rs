//! Sizes at which a program may change its ways: beyond constants that its code has and that no input so far was large enough to reach. A
//! buffer that fills, a table that grows, a switch to another algorithm.

use slowpath_program::Program;

/// Constants further away than so many times the largest size are left alone.
const FURTHEST: i64 = 64;
/// Sizes looked at, the nearest ones.
const MOST: usize = 3;

/// Sizes well beyond constants of the code that lie beyond `reached`, ascending, each at least twice the one before.
pub fn beyond_constants(program: &Program, reached: i64) -> Vec<i64> {
    let constants = program.funcs.iter().flat_map(|f| f.body.iter().flat_map(|body| &body.constants));
    beyond(constants.copied(), reached)
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
