//! Closed forms are recognised exactly, with the sizes they were checked on, and only where there is evidence enough.

use slowpath_fit::{Class, Fit, fit};

fn over(sizes: impl IntoIterator<Item = u64>, cost: impl Fn(u64) -> u64) -> Fit {
    let points: Vec<(u64, u64)> = sizes.into_iter().map(|n| (n, cost(n))).collect();
    fit(&points)
}

fn log2(n: u64) -> u64 {
    u64::from(n.ilog2())
}

fn ceil_log2(n: u64) -> u64 {
    if n <= 1 { 0 } else { log2(n - 1) + 1 }
}

fn sparse() -> Vec<u64> {
    (1..=10).chain([20, 30, 50, 100]).collect()
}

#[track_caller]
fn check(fit: &Fit, class: Class, formula: &str, from: u64) {
    assert_eq!(
        (fit.class, fit.formula.as_str(), fit.exact, fit.from),
        (Some(class), formula, true, from),
        "{}",
        fit.why
    );
    assert!(fit.checked_on.len() >= 2, "checked on {:?} only", fit.checked_on);
}

#[test]
fn polynomials_are_exact() {
    check(&over(1..=6, |n| n * n + n - 1), Class::QUADRATIC, "n² + n - 1", 1);
    check(&over(1..=8, |n| (n * n + 3 * n) / 2 - 1), Class::QUADRATIC, "n²/2 + 3n/2 - 1", 1);
    check(&over(1..=4, |n| 3 * n), Class::LINEAR, "3n", 1);
    check(&over(0..=9, |_| 7), Class::CONSTANT, "7", 0);
    check(&over(1..=4, |_| 0), Class::CONSTANT, "0", 1);
    check(&over(sparse(), |n| n.pow(4) + 2), Class::power(4), "n⁴ + 2", 1);
}

#[test]
fn sizes_at_the_start_may_differ() {
    // The published cost of Bellman-Ford: one size differs.
    let bellman_ford = |n| if n == 1 { 10 } else { 4 * n * n * n + 4 * n + 3 };
    check(&over(1..=10, bellman_ford), Class::CUBIC, "4n³ + 4n + 3", 2);
}

#[test]
fn a_first_size_that_is_different_does_not_hide_a_curve() {
    // What Rust's sort of a short slice costs: nothing is done for one element.
    let costs = [110, 932, 1871, 3072, 4535, 6260];
    check(&over(1..=6, |n| costs[n as usize - 1]), Class::QUADRATIC, "131n² + 284n - 160", 2);
}

#[test]
fn coefficients_may_depend_on_the_residue() {
    check(&over(1..=12, |n| n * n / 4), Class::QUADRATIC, "n²/4 for even n, n²/4 - 1/4 for odd n", 1);
    let thirds = "n/3 for n mod 3 = 0, n/3 - 1/3 for n mod 3 = 1, n/3 - 2/3 for n mod 3 = 2";
    check(&over(0..=15, |n| n / 3), Class::LINEAR, thirds, 0);
    // A quicksort that sorts short arrays by insertion.
    let quicksort = |n: u64| match n {
        0..=6 => n * n + n + 2,
        _ if n.is_multiple_of(2) => (3 * n * n + 42 * n - 184) / 4,
        _ => (3 * n * n + 42 * n - 129) / 4,
    };
    let formula = "3n²/4 + 21n/2 - 46 for even n, 3n²/4 + 21n/2 - 129/4 for odd n";
    check(&over(1..=30, quicksort), Class::QUADRATIC, formula, 6);
}

#[test]
fn whole_logarithms_are_exact() {
    check(&over(1..=10, |n| 3 * log2(n) + 4), Class::LOG, "3⌊log₂ n⌋ + 4", 1);
    check(&over(1..=20, |n| 3 * ceil_log2(n) + 4), Class::LOG, "3⌈log₂ n⌉ + 4", 1);
    let height = |n: u64| log2(n + 1);
    check(&over(1..=20, height), Class::LOG, "⌊log₂(n + 1)⌋", 1);
}

#[test]
fn sums_of_logarithms_are_n_log_n() {
    let heap = over(sparse(), |n| (1..=n).map(|k| 5 + 2 * log2(k)).sum());
    check(&heap, Class::N_LOG_N, "2n⌊log₂ n⌋ + 5n - 4·2^⌊log₂ n⌋ + 2⌊log₂ n⌋ + 4", 1);
    let comparisons = |n: u64| n * ceil_log2(n) + 1 - (1 << ceil_log2(n));
    for sizes in [(1..=10).collect(), (1..=30).collect(), sparse()] {
        let merge = over(sizes, comparisons);
        assert_eq!((merge.class, merge.exact), (Some(Class::N_LOG_N), true), "{}", merge.formula);
        let at_1000 = merge.predict(1000).expect("a law").value;
        assert_eq!(at_1000, comparisons(1000) as f64);
    }
}

#[test]
fn exponentials_and_factorials_are_exact() {
    check(&over(1..=6, |n| 3 * 2u64.pow(n as u32) - 1), Class::exponential(2.0), "3·2ⁿ - 1", 1);
    check(&over(1..=12, |n| n * 3u64.pow(n as u32) + n), Class::exponential(3.0), "n·3ⁿ + n", 1);
    check(&over(1..=10, |n| 2 * (1..=n).product::<u64>() + 5), Class::Factorial, "2·n! + 5", 1);
}

#[test]
fn predictions_of_exact_laws_have_no_spread() {
    let prediction = over(1..=8, |n| n * (n - 1) / 2).predict(1000).expect("a law");
    assert_eq!((prediction.low, prediction.value, prediction.high), (499_500.0, 499_500.0, 499_500.0));
}

#[test]
fn an_exact_law_predicts_nothing_before_it_holds() {
    let bellman_ford = over(1..=10, |n| if n == 1 { 10 } else { 4 * n * n * n + 4 * n + 3 });
    assert_eq!(bellman_ford.predict(1), None);
    assert!(bellman_ford.predict(2).is_some());
}

#[test]
fn as_many_coefficients_as_points_prove_nothing() {
    // Four points lie on some cubic, whatever they are.
    assert!(!fit(&[(1, 3), (2, 1), (3, 4), (4, 1)]).exact);
    assert!(!fit(&[(1, 3), (2, 10), (3, 44), (4, 51), (5, 170)]).exact);
}

#[test]
fn one_cost_that_is_off_is_not_overlooked() {
    let mut points: Vec<(u64, u64)> = (1..=20).map(|n| (n, n * n)).collect();
    points[14].1 += 1;
    let fit = fit(&points);
    assert!(!fit.exact, "{}", fit.formula);
    assert_eq!(fit.class, Some(Class::QUADRATIC), "{}", fit.why);
}

#[test]
fn the_straight_end_of_a_staircase_is_not_a_law() {
    // n⌈log₂ n⌉ - 2^⌈log₂ n⌉ + 1 is a straight line from 8 to 16.
    let merge = over(1..=16, |n| n * ceil_log2(n) + 1 - (1 << ceil_log2(n)));
    assert_eq!(merge.class, Some(Class::N_LOG_N));
}
