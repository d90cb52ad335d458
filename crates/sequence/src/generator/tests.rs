//! Sequences that loops make, and how their generators read.

use super::*;

fn samples(sizes: impl Iterator<Item = u64>, make: impl Fn(i64) -> Vec<i64>) -> Vec<(u64, Vec<i64>)> {
    sizes.map(|n| (n, make(n as i64))).collect()
}

/// Inferred from sizes 1 to 8, the generator makes the same at sizes it has not seen.
#[track_caller]
fn check(make: impl Fn(i64) -> Vec<i64>, text: &str) {
    let generator = infer(&samples(1..=8, &make)).unwrap_or_else(|| panic!("no generator, expected {text}"));
    assert_eq!(generator.to_string(), text);
    for n in [9, 10, 15, 16, 33, 40] {
        assert_eq!(generator.generate(n, 1_000_000), Some(make(n as i64)), "{text} at {n}");
    }
}

#[test]
fn insertion_sort_of_the_paper() {
    check(|n| (1..n).flat_map(|i| (0..i).rev()).collect(), "incre(incre(0, n - 2, 1), const(0, n - 1), -1)");
    check(|n| (1..n).flat_map(|i| (0..i).map(move |_| i)).collect(), "const(incre(1, n - 1, 1), incre(1, n - 1, 1))");
}

#[test]
fn plain_loops() {
    check(|n| (0..n).collect(), "incre(0, n - 1, 1)");
    check(|n| (0..n).rev().collect(), "incre(n - 1, 0, -1)");
    check(|n| vec![7; n as usize], "const(7, n)");
    check(|n| vec![n - 1; 2], "const(n - 1, 2)");
    check(|n| vec![n * n], "n²");
    check(|n| (0..n).step_by(2).collect(), "incre(0, 2·⌈n/2⌉ - 2, 2)");
    check(|n| (0..n / 2).collect(), "incre(0, ⌊n/2⌋ - 1, 1)");
    check(|_| vec![], "const(0, 0)");
}

#[test]
fn nested_loops() {
    check(|n| (0..n).flat_map(|i| i + 1..n).collect(), "incre(incre(1, n - 1, 1), const(n - 1, n - 1), 1)");
    check(|n| (0..n).flat_map(|_| 0..n).collect(), "incre(const(0, n), const(n - 1, n), 1)");
    check(
        |n| (0..n).flat_map(|j| (0..n).map(move |k| k * n + j)).collect(),
        "incre(incre(0, n - 1, 1), incre(n² - n, n² - 1, 1), n)",
    );
    // Three deep: the middle index of a matrix product.
    check(
        |n| (0..n).flat_map(|_| (0..n).flat_map(move |j| vec![j; n as usize])).collect(),
        "const(incre(const(0, n), const(n - 1, n), 1), const(n, n²))",
    );
}

#[test]
fn the_left_matrix_of_a_product_is_found_although_rows_continue_each_other() {
    let make = |n: i64| (0..n).flat_map(|i| (0..n).flat_map(move |_| i * n..i * n + n)).collect::<Vec<_>>();
    let generator = infer(&samples(1..=7, make)).expect("a generator");
    assert_eq!(generator.generate(12, 100_000), Some(make(12)), "{generator}");
}

#[test]
fn alternations_phases_and_exceptions() {
    check(
        |n| (0..n).map(|i| if i % 2 == 0 { i } else { -1 }).collect(),
        "cycle(incre(0, 2·⌈n/2⌉ - 2, 2), const(-1, ⌊n/2⌋))",
    );
    check(|n| (0..n).chain((0..n).rev()).collect(), "incre(0, n - 1, 1) ++ incre(n - 1, 0, -1)");
    check(|n| std::iter::once(99).chain(0..n).collect(), "99 ++ incre(0, n - 1, 1)");
    check(|n| (0..n).chain([-5]).collect(), "incre(0, n - 1, 1) ++ -5");
    check(|n| [1, 5, 2].repeat(n as usize), "cycle(const(1, n), const(5, n), const(2, n))");
    let wave = |n: i64| (0..=n).chain((0..n).rev()).collect::<Vec<_>>();
    check(|n| wave(n).repeat(n as usize), "repeat(incre(0, n, 1) ++ incre(n - 1, 0, -1), n)");
    check(|n| (0..n).map(|i| i * i).collect(), "steps(0, incre(1, 2·n - 3, 2))");
}

#[test]
fn doubling_and_halving() {
    let doubling = |n: i64| std::iter::successors(Some(1), |x| Some(x * 2)).take_while(|x| *x <= n).collect::<Vec<_>>();
    check(doubling, "geometric(1, n, 2)");
    let halving = |n: i64| std::iter::successors(Some(n), |x| (*x > 1).then_some(x / 2)).collect::<Vec<_>>();
    check(halving, "dividing(n, 1, 2)");
    let merge = |n: i64| {
        let widths = std::iter::successors(Some(1), |w| Some(w * 2)).take_while(move |w| *w < n);
        widths.flat_map(|w| (0..n).step_by(2 * w as usize)).collect::<Vec<_>>()
    };
    let generator = infer(&samples(1..=10, merge)).expect("a generator");
    assert_eq!(generator.generate(37, 1000), Some(merge(37)), "{generator}");
}

#[test]
fn small_sizes_may_follow_no_rule_and_that_is_said() {
    let make = |n: i64| if n < 3 { vec![42; 3] } else { (0..n - 2).collect() };
    let generator = infer(&samples(1..=9, make)).expect("a generator");
    assert_eq!(generator.to_string(), "incre(0, n - 3, 1) for n ≥ 3");
    assert_eq!(generator.generate(2, 100), None);
}

#[test]
fn a_sequence_longer_than_allowed_is_none() {
    let generator = infer(&samples(1..=6, |n| (0..n).collect())).unwrap();
    assert_eq!(generator.generate(1_000_000_000_000, 1000), None);
    assert_eq!(generator.generate(u64::MAX, 1000), None);
    assert_eq!(generator.generate(1000, 1000).map(|made| made.len()), Some(1000));
}

#[test]
fn no_samples_give_no_generator_and_no_panic() {
    assert_eq!(infer(&[]), None);
    assert_eq!(infer(&[(1, vec![1])]), None);
    let ragged = samples(1..=8, |n| (0..(n * 7919) % 13).map(|i| (i * i * 31 + n * 17) % 11).collect());
    if let Some(found) = infer(&ragged) {
        let (n, values) = &ragged[7];
        assert_eq!(found.generate(*n, 100).as_ref(), Some(values));
    }
    let extremes = samples(0..=8, |n| (0..n * 2).map(|i| if i % 2 == 0 { i64::MIN } else { i64::MAX }).collect());
    let found = infer(&extremes).expect("an alternation");
    assert_eq!(found.generate(20, 100).map(|made| made[38..40].to_vec()), Some(vec![i64::MIN, i64::MAX]));
}

#[test]
fn a_generator_survives_json() {
    let generator = infer(&samples(1..=8, |n| (1..n).flat_map(|i| (0..i).rev()).collect())).unwrap();
    let text = serde_json::to_string(&generator).unwrap();
    assert_eq!(serde_json::from_str::<Generator>(&text).unwrap(), generator);
}

#[test]
fn triangular_numbers_each_as_often_as_a_row_is_long() {
    let make = |n: i64| {
        let mut all = Vec::new();
        let mut at = 0;
        for row in (1..n - 3).rev() {
            all.extend(vec![at; row as usize]);
            at += row + 1;
        }
        all
    };
    let generator = infer(&samples(5..=11, make)).expect("a generator");
    assert_eq!(generator.generate(40, 100_000), Some(make(40)), "{generator}");
}
