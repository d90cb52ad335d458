//! Costs of well-known programs, from their recurrences, get the textbook class.

use slowpath_fit::{Class, Fit, fit};

fn over(sizes: impl IntoIterator<Item = u64>, cost: impl Fn(u64) -> u64) -> Fit {
    let points: Vec<(u64, u64)> = sizes.into_iter().map(|n| (n, cost(n))).collect();
    fit(&points)
}

fn sparse() -> Vec<u64> {
    (1..=10).chain([20, 30, 50, 100]).collect()
}

/// The sizes programs are commonly run at.
fn ranges() -> [Vec<u64>; 3] {
    [(1..=30).collect(), (1..=100).collect(), sparse()]
}

#[track_caller]
fn check(fit: &Fit, class: Class) {
    assert_eq!(fit.class, Some(class), "{}: {}\n{:#?}", fit.formula, fit.why, fit.candidates);
}

/// Three branches for each level of the highest red-black tree with n nodes.
fn red_black_search(n: u64) -> u64 {
    let nodes_needed = |height: u32| match height % 2 {
        0 => 2 * 2u64.pow(height / 2) - 2,
        _ => 3 * 2u64.pow(height / 2) - 2,
    };
    3 * (1..64).take_while(|height| nodes_needed(*height) <= n).count() as u64 + 1
}

/// A merge sort that sorts fewer than seven elements by insertion.
fn merge_sort(n: u64) -> u64 {
    if n < 7 { n * n + n + 2 } else { merge_sort(n / 2) + merge_sort(n - n / 2) + 4 * n + 2 }
}

/// A tour through all cities by depth-first search, with a loop over the cities at each step.
fn travelling_salesman(n: u64) -> u64 {
    fn visit(left: u64, all: u64) -> u64 {
        if left == 0 { 2 } else { all + left * visit(left - 1, all) }
    }
    visit(n - 1, n)
}

#[test]
fn red_black_search_is_logarithmic() {
    for sizes in ranges() {
        check(&over(sizes, red_black_search), Class::LOG);
    }
}

#[test]
fn merge_sort_with_short_runs_is_n_log_n() {
    for sizes in ranges() {
        check(&over(sizes, merge_sort), Class::N_LOG_N);
    }
}

#[test]
fn travelling_salesman_is_factorial() {
    // The published worst costs in branches.
    let published = [4, 12, 35, 127, 587, 3337, 22_477, 174_629, 1_535_551];
    for most in 6..=9 {
        check(&over(1..=most, |n| published[n as usize - 1]), Class::Factorial);
    }
    for most in 7..=11 {
        check(&over(1..=most, travelling_salesman), Class::Factorial);
    }
}

#[test]
fn exponentials_keep_their_base() {
    let fibonacci = |n: u64| {
        let (mut a, mut b) = (1u64, 1u64);
        for _ in 1..n {
            (a, b) = (b, a + b + 3);
        }
        a
    };
    check(&over(1..=30, fibonacci), Class::exponential(1.62));
    check(&over(1..=12, |n| 7 * 2u64.pow(n as u32) + 3 * (n * n / 7)), Class::exponential(2.0));
}

#[test]
fn a_power_between_the_classes_is_named_as_one() {
    check(&over(1..=100, |n| (3.0 * (n as f64).powf(1.5)) as u64), Class::real_power(1.5));
}

#[test]
fn n_log_n_is_never_a_power() {
    for factor in [1.0, 2.5, 10.0, 80.0] {
        for constant in [0.0, 5.0, 100.0] {
            let cost = |n: u64| (factor * n as f64 * (n as f64).log2() + constant) as u64;
            for sizes in ranges() {
                check(&over(sizes, cost), Class::N_LOG_N);
            }
        }
    }
}
