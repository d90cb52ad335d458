//! Costs as they were measured, with what makes them hard: a threshold in the program, sizes whose worst was not found.

use slowpath_fit::{Class, fit};

/// A fill that takes another way from 17 elements on.
#[test]
fn two_lines_are_no_logarithm() {
    let cost = |n: u64| if n <= 16 { 24 * n + 16 } else { 33 * n + 132 };
    for most in 20..60 {
        let fit = fit(&(1..=most).map(|n| (n, cost(n))).collect::<Vec<_>>());
        assert!(
            fit.class.is_none_or(|class| class == Class::LINEAR) || !fit.exact,
            "to {most}: {:?} {}",
            fit.class,
            fit.formula
        );
    }
    let late = fit(&(17..=40).map(|n| (n, cost(n))).collect::<Vec<_>>());
    assert_eq!((late.class, late.formula.as_str()), (Some(Class::LINEAR), "33n + 132"));
}

/// JDK 1.5's merge sort, which leaves runs of less than seven to insertion sort; from size 9 on found by local search.
#[test]
fn merge_sort_is_n_log_n_though_small_runs_are_quadratic() {
    let costs = [
        4, 8, 14, 22, 32, 44, 66, 78, 92, 106, 122, 138, 164, 190, 206, 222, 240, 257, 276, 294, 314, 334, 354, 374,
        403, 434, 464, 494, 512, 532, 552, 574, 596, 617, 639, 659, 683, 704, 728, 747,
    ];
    let points: Vec<(u64, u64)> = (1..).zip(costs).collect();
    let fit = fit(&points);
    assert_eq!(fit.class, Some(Class::N_LOG_N), "{} {}", fit.formula, fit.why);
}
