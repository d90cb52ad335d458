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
    let far = reached.saturating_mul(FURTHEST);
    let mut unreached: Vec<i64> = constants.copied().filter(|c| reached < *c && *c <= far).collect();
    unreached.sort_unstable();
    let mut sizes: Vec<i64> = Vec::new();
    for constant in unreached {
        if sizes.len() < MOST && sizes.last().is_none_or(|last| constant >= *last) {
            sizes.push(2 * constant);
        }
    }
    sizes
}
