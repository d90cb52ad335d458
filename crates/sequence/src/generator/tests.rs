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

/// Inferred from sizes 1 to `most`, the generator makes the same at sizes it has not seen.
#[track_caller]
fn check_from(most: u64, make: impl Fn(i64) -> Vec<i64>, text: &str) {
    let generator = infer(&samples(1..=most, &make)).unwrap_or_else(|| panic!("no generator, expected {text}"));
    assert_eq!(generator.to_string(), text);
    for n in [21, 24, 25, 32, 33, 37, 64, 100] {
        assert_eq!(generator.generate(n, 1_000_000), Some(make(n as i64)), "{text} at {n}");
    }
}

#[test]
fn inner_loops_may_follow_the_outer_one_in_ways_of_their_own() {
    let halves = |n: i64| std::iter::successors(Some(n), |x| (*x > 1).then_some(x / 2));
    check_from(
        12,
        |n| halves(n).flat_map(|w| 0..w).collect(),
        "incre(const(0, ⌊log₂ n⌋ + 1), dividing(n - 1, 0, 2, -1), 1)",
    );
    let twice = |w: i64| (0..w).chain((0..w).rev());
    check_from(
        12,
        |n| halves(n).flat_map(twice).collect(),
        "f(n) = incre(0, n - 1, 1) ++ incre(n - 1, 0, -1) ++ f(⌊n/2⌋)",
    );
    let to_root = |i: i64| std::iter::successors(Some(i), |i| (*i > 1).then_some((i - 1) / 2)).take_while(|i| *i > 0);
    check_from(10, |n| (1..n).flat_map(to_root).collect(), "f(n) = f(n - 1) ++ dividing(n - 1, 1, 2, -1)");
    check_from(
        10,
        |n| (0..n).flat_map(|i| (0..i).chain((0..i).rev())).collect(),
        "f(n) = f(n - 1) ++ incre(0, n - 2, 1) ++ incre(n - 2, 0, -1)",
    );
    // The middle index of three that grow: every first one leaves a smaller problem, one further on.
    let middle = |n: i64| (0..n).flat_map(|i| (i + 1..n).flat_map(move |j| vec![j; (n - j - 1) as usize])).collect();
    check_from(10, middle, "f(n) = const(incre(1, n - 2, 1), incre(n - 2, 1, -1)) ++ (f(n - 1) + 1)");
}

#[test]
fn strides_that_double_are_seen_from_the_end_as_well() {
    let make = |n: i64| {
        let widths = std::iter::successors(Some(1), |w| Some(w * 2)).take_while(move |w| *w < n);
        widths.flat_map(|w| 0..n - w).collect::<Vec<_>>()
    };
    check_from(12, make, "incre(const(0, ⌈log₂ n⌉), mirror(n - 1, geometric(1, n - 1, 2)), 1)");
}

#[test]
fn strides_and_turns_may_be_longer_than_four() {
    check_from(18, |n| (0..n).step_by(5).collect(), "incre(0, 5·⌈n/5⌉ - 5, 5)");
    check_from(18, |n| (0..n).step_by(6).collect(), "incre(0, 6·⌈n/6⌉ - 6, 6)");
    let make = |n: i64| (0..n).map(|i| [3, 1, 4, 1, 5][i as usize % 5]).collect::<Vec<_>>();
    let generator = infer(&samples(1..=18, make)).expect("a generator");
    assert_eq!(generator.generate(64, 100), Some(make(64)), "{generator}");
}

#[test]
fn a_recurrence_that_most_sizes_are_the_base_of_is_none() {
    // 0, and 5 from size 6 on: halves of sizes 3 to 8 happen to agree with that.
    assert_eq!(infer(&samples(1..=8, |n| (0..n).step_by(5).collect())), None);
}

#[test]
fn a_recurrence_ends_where_sequences_are_too_long() {
    let generator = infer(&samples(1..=10, |n| (0..n).flat_map(|i| (0..i).chain((0..i).rev())).collect())).unwrap();
    assert_eq!(generator.generate(1_000_000_000_000, 1000), None);
    assert_eq!(generator.generate(u64::MAX, 1000), None);
    assert_eq!(generator.generate(0, 1000), None);
    let text = serde_json::to_string(&generator).unwrap();
    assert_eq!(serde_json::from_str::<Generator>(&text).unwrap(), generator);
}
