//! What is found, how it reads, and what is refused.

use super::*;

fn sampled(sizes: std::ops::RangeInclusive<u64>, f: impl Fn(i128) -> i128) -> Vec<(u64, i128)> {
    sizes.map(|n| (n, f(i128::from(n)))).collect()
}

#[track_caller]
fn check(f: impl Fn(i128) -> i128, text: &str) {
    let parameter = Parameter::fit(&sampled(1..=10, &f)).expect("a function");
    assert_eq!(parameter.to_string(), text);
    for n in [11, 12, 37, 100, 1023, 1024, 1_000_000] {
        assert_eq!(parameter.value(n), Some(f(i128::from(n))), "{text} at {n}");
    }
}

#[test]
fn functions_are_found_and_read_as_people_write_them() {
    check(|_| 7, "7");
    check(|_| 0, "0");
    check(|n| n - 1, "n - 1");
    check(|n| 5 - 3 * n, "5 - 3·n");
    check(|n| n * (n - 1) / 2, "n²/2 - n/2");
    check(|n| n * n * n - 2, "n³ - 2");
    check(|n| n.pow(4), "n⁴");
    check(|n| n / 2, "⌊n/2⌋");
    check(|n| (n + 1) / 2, "⌈n/2⌉");
    check(|n| (n + 2) / 3 - 1, "⌈n/3⌉ - 1");
    check(|n| n + n / 4, "n + ⌊n/4⌋");
    check(|n| i128::from(n.ilog2()), "⌊log₂ n⌋");
    check(|n| i128::from(n.ilog2()) * 2 + 3, "2·⌊log₂ n⌋ + 3");
    check(|n| 1 << n.ilog2(), "2^⌊log₂ n⌋");
    check(|n| (n % 2) * 5, "0 if n is even, 5 if odd");
    check(|n| if n % 2 == 0 { n / 2 } else { 7 - n }, "n/2 if n is even, 7 - n if odd");
    check(|n| if n % 2 == 0 { 0 } else { (n - 1) / 2 }, "0 if n is even, (n - 1)/2 if odd");
    check(|n| n % 3, "0 if n mod 3 = 0, 1 if n mod 3 = 1, 2 if n mod 3 = 2");
    check(|n| n * n / 4, "n²/4 if n is even, (n² - 1)/4 if odd");
}

#[test]
fn worst_case_comparisons_of_merge_sort_are_found() {
    let ceil_log = |n: i128| if n == 1 { 0 } else { i128::from((n - 1).ilog2()) + 1 };
    check(|n| n * ceil_log(n) - (1 << ceil_log(n)) + 1, "n·⌈log₂ n⌉ - 2^⌈log₂ n⌉ + 1");
}

#[test]
fn two_samples_more_than_needed_have_to_agree() {
    assert!(Parameter::fit(&sampled(1..=3, |n| 2 * n)).is_none());
    assert!(Parameter::fit(&sampled(1..=4, |n| 2 * n)).is_some());
    assert!(Parameter::fit_holding_out(&sampled(1..=3, |n| 2 * n), 1).is_some());
    assert!(Parameter::fit(&[(1, 5), (2, 5)]).is_none());
    assert!(Parameter::fit(&[]).is_none());
}

#[test]
fn noise_and_contradiction_have_no_function() {
    let noise = [3, 141, 59, 26, 535, 89, 79, 323, 84, 6];
    let samples: Vec<(u64, i128)> = (1..).zip(noise).collect();
    assert_eq!(Parameter::fit(&samples), None);
    assert_eq!(Parameter::fit(&[(1, 1), (1, 2), (2, 1), (3, 1), (4, 1)]), None);
}

#[test]
fn values_that_do_not_fit_are_none() {
    let parameter = Parameter::fit(&sampled(1..=8, |n| n.pow(4))).unwrap();
    assert_eq!(parameter.value(u64::MAX), None);
    let extreme: Vec<(u64, i128)> = (1..=8).map(|n| (n << 60, i128::MAX - i128::from(n))).collect();
    // Whatever comes of it, it agrees with the samples.
    if let Some(parameter) = Parameter::fit(&extreme) {
        assert!(extreme.iter().all(|(n, value)| parameter.value(*n) == Some(*value)));
    }
    assert_eq!(Parameter::atom(Atom::FloorLog).value(0), None);
}

#[test]
fn candidates_part_beyond_the_samples() {
    // Up to 4 these are ⌊n/2⌋ and ⌊log₂ n⌋ alike.
    let all = Parameter::candidates(&[(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)]);
    let texts: Vec<String> = all.iter().map(Parameter::to_string).collect();
    assert!(texts.contains(&"⌊n/2⌋".to_string()) && texts.contains(&"⌊log₂ n⌋".to_string()), "{texts:?}");
}

#[test]
fn long_periods_have_to_show_twice() {
    let f = |n: i128| 7 * (n / 2) + 5 * ((n + 1) / 3);
    let parameter = Parameter::fit(&sampled(1..=20, f)).expect("six remainders");
    assert_eq!((parameter.value(1_000_000), parameter.classes.len()), (Some(f(1_000_000)), 6));
    assert_eq!(Parameter::fit(&sampled(1..=15, |n| n / 5)).map(|found| found.to_string()), Some("⌊n/5⌋".to_owned()));
    // What roots do for a while.
    assert_eq!(Parameter::fit(&sampled(1..=20, |n| i128::from(u32::try_from(n).unwrap().isqrt()))), None);
}
