//! Laws by example: what is found, how it reads, and what is refused.

use super::*;

fn samples(
    sizes: std::ops::RangeInclusive<u64>,
    len: fn(i64) -> i64,
    of: impl Fn(i64, i64) -> i64,
) -> Vec<(u64, Vec<i64>)> {
    sizes.map(|n| (n, (0..len(n as i64)).map(|i| of(i, n as i64)).collect())).collect()
}

/// The simplest law from sizes 1 to 8 reads like this and gives the same arrays at sizes not seen.
#[track_caller]
fn check_len(len: fn(i64) -> i64, of: impl Fn(i64, i64) -> i64, text: &str) {
    let laws = infer_law(&samples(1..=8, len, &of));
    let law = laws.first().unwrap_or_else(|| panic!("no law, expected {text}"));
    assert_eq!(law.to_string(), text);
    for n in [9, 10, 15, 16, 33, 40] {
        let array: Vec<i64> = (0..len(n)).map(|i| of(i, n)).collect();
        assert_eq!(law.array(n as u64, array.len()), Some(array), "{text} at {n}");
    }
}

#[track_caller]
fn check(of: impl Fn(i64, i64) -> i64, text: &str) {
    check_len(|n| n, of, text);
}

#[test]
fn formulas_in_index_and_size() {
    check(|_, _| 5, "a[i] = 5");
    check(|i, _| i, "a[i] = i");
    check(|i, n| n - i, "a[i] = n - i");
    check(|i, n| 2 * i - 3 * n + 1, "a[i] = 2·i - 3·n + 1");
    check(|i, _| i / 2, "a[i] = ⌊i/2⌋");
    check(|i, _| i * i, "a[i] = i²");
    check(|i, n| i * n, "a[i] = i·n");
    check(|i, n| i + n / 2, "a[i] = i + ⌊n/2⌋");
    check(|i, _| i64::from(i.count_ones()), "a[i] = ones(i)");
}

#[test]
fn scalars_are_arrays_of_one() {
    check_len(|_| 1, |_, n| n - 1, "a[i] = n - 1");
    check_len(|_| 1, |_, _| -4, "a[i] = -4");
    check_len(|_| 1, |_, n| n * n, "a[i] = n²");
}

#[test]
fn alternations() {
    check(|i, n| if i % 2 == 0 { i } else { n - i }, "a[i] = i if i is even, else n - i");
    check(|i, _| i % 2, "a[i] = 0 if i is even, else 1");
    check(|i, _| [7, 1, 4][i as usize % 3], "a[i] = 7 if i mod 3 = 0, 1 if i mod 3 = 1, else 4");
    check(|i, n| if (i + n) % 2 == 0 { 0 } else { i }, "a[i] = 0 if i + n is even, else i");
}

#[test]
fn constants_with_exceptions() {
    check(|i, n| i64::from(i == n - 1), "a[i] = 0, except a[n-1] = 1");
    check(|i, _| if i == 0 { 9 } else { 2 }, "a[i] = 2, except a[0] = 9");
    check(|i, n| if i == n / 2 { n } else { 0 }, "a[i] = 0, except a[⌊n/2⌋] = n");
    check(|i, n| if i == n - 1 { -1 } else { i }, "a[i] = i, except a[n-1] = -1");
}

#[test]
fn pieces_meet_at_a_threshold() {
    check(|i, n| if i < n / 2 { 1 } else { 0 }, "a[i] = 1 if i < ⌊n/2⌋, else 0");
    check(|i, n| if i < n / 2 { i } else { n - 1 - i }, "a[i] = i if i < ⌈n/2⌉, else n - i - 1");
    let three = |i: i64, n: i64| {
        if i < 2 {
            50
        } else if i < n - 2 {
            i
        } else {
            0
        }
    };
    let laws = infer_law(&samples(4..=11, |n| n, three));
    let law = laws.first().expect("a law");
    assert_eq!(law.array(20, 20), Some((0..20).map(|i| three(i, 20)).collect()), "{law}");
}

#[test]
fn matrices_by_row_and_column() {
    let square = |n: i64| n * n;
    check_len(square, |i, n| i64::from(i / n == i % n), "a[i] = 1 if r = c, else 0, where r = ⌊i/n⌋, c = i mod n");
    check_len(
        square,
        |i, n| i64::from(i % n == i / n + 1),
        "a[i] = 1 if c = r + 1, else 0, where r = ⌊i/n⌋, c = i mod n",
    );
    check_len(
        square,
        |i, n| if i / n < i % n { n - i % n } else { 0 },
        "a[i] = n - c if r < c, else 0, where r = ⌊i/n⌋, c = i mod n",
    );
    check_len(
        square,
        |i, n| match (i / n, i % n) {
            (r, c) if r == c => 0,
            (r, c) if r.abs_diff(c) == 1 => 1,
            _ => 99,
        },
        "a[i] = 0 if r = c, 1 if |r - c| = 1, else 99, where r = ⌊i/n⌋, c = i mod n",
    );
    check_len(|n| 3 * n, |i, n| (i / n) * 10 + i % n, "a[i] = 10·r + c, where r = ⌊i/n⌋, c = i mod n");
}

#[test]
fn even_and_odd_sizes_may_have_laws_of_their_own() {
    let of = |i: i64, n: i64| if n % 2 == 0 { i } else { n - i };
    let laws = infer_law(&samples(1..=10, |n| n, of));
    assert_eq!(laws[0].array(21, 21), Some((0..21).map(|i| of(i, 21)).collect()), "{}", laws[0]);
    assert_eq!(laws[0].array(20, 20), Some((0..20).map(|i| of(i, 20)).collect()), "{}", laws[0]);
}

#[test]
fn small_sizes_may_follow_no_law_and_that_is_said() {
    let laws = infer_law(&samples(1..=7, |n| n, |i, n| if n < 2 { 77 } else { n - i }));
    assert_eq!(laws[0].to_string(), "a[i] = n - i, for n ≥ 2");
    assert_eq!(laws[0].array(1, 1), None);
}

#[test]
fn two_sizes_have_to_agree_that_were_not_needed() {
    assert!(infer_law(&samples(1..=2, |n| n, |_, _| 1)).is_empty());
    assert!(!infer_law(&samples(1..=3, |n| n, |_, _| 1)).is_empty());
    assert!(infer_law(&samples(1..=3, |_| 1, |_, n| 3 * n)).is_empty());
    assert!(!infer_law(&samples(1..=4, |_| 1, |_, n| 3 * n)).is_empty());
}

#[test]
fn noise_has_no_law() {
    let noise = |i: i64, n: i64| (i * 7919 + n * 104_729).wrapping_mul(2_654_435_761) >> 7 & 0xff;
    assert_eq!(infer_law(&samples(3..=9, |n| n, noise)), []);
}

#[test]
fn extreme_and_ragged_samples_do_no_harm() {
    assert_eq!(infer_law(&[]), []);
    assert_eq!(infer_law(&[(0, vec![]), (1, vec![])]), []);
    let extremes = samples(1..=8, |n| n, |i, n| if (i + n) % 3 == 0 { i64::MIN } else { i64::MAX });
    let ragged: Vec<(u64, Vec<i64>)> = (0..9).map(|n| (n << 59, vec![n as i64 - 4; (n as usize * 5) % 7])).collect();
    for samples in [extremes, ragged] {
        for law in infer_law(&samples) {
            assert!(fit::holds(&law, &samples[2..]), "{law}");
            assert!(!law.to_c("f").is_empty() && !law.to_rust("f").is_empty());
            let _ = law.array(u64::MAX, 10);
            let _ = law.value(u64::MAX, u64::MAX);
        }
    }
    assert_eq!(infer_law(&[(1, vec![1]), (1, vec![2]), (2, vec![1]), (3, vec![1]), (4, vec![1])]), []);
}

#[test]
fn source_code_says_the_same() {
    let laws = infer_law(&samples(1..=8, |n| n, |i, n| if i % 2 == 0 { i } else { n - i }));
    assert_eq!(laws[0].c_expression(), "i % 2 == 0 ? i : (n - i)");
    assert_eq!(laws[0].rust_expression(), "if i % 2 == 0 { i } else { (n - i) }");
    let laws = infer_law(&samples(1..=8, |n| n, |i, n| i64::from(i == n / 2)));
    assert_eq!(
        laws[0].to_c("f"),
        "static long long f(long long i, long long n) {\n    return i == (n / 2) ? 1 : 0;\n}\n"
    );
}

#[test]
fn a_law_survives_json() {
    let laws = infer_law(&samples(1..=8, |n| n * n, |i, n| i64::from(i / n == i % n)));
    let text = serde_json::to_string(&laws[0]).unwrap();
    assert_eq!(serde_json::from_str::<Law>(&text).unwrap(), laws[0]);
}

/// Inferred from sizes 3 to 18, the law gives the same arrays at sizes it has not seen.
#[track_caller]
fn check_many(of: impl Fn(i64, i64) -> i64, text: &str) -> Law {
    let law =
        infer_law(&samples(3..=18, |n| n, &of)).into_iter().next().unwrap_or_else(|| panic!("no law, not {text}"));
    assert_eq!(law.to_string(), text);
    for n in [19, 20, 21, 22, 23, 24, 100] {
        let array: Vec<i64> = (0..n).map(|i| of(i, n)).collect();
        assert_eq!(law.array(n as u64, array.len()), Some(array), "{text} at {n}");
    }
    law
}

#[test]
fn residues_may_be_counted_from_the_end() {
    let of = |i: i64, n: i64| if i % 3 == n % 3 { 6 } else { 4 };
    let law = check_many(of, "a[i] = 6 if (i - n) mod 3 = 0, else 4, for n ≥ 3");
    // No remainder of a negative number, which C and Rust see differently than we do.
    assert!(law.c_expression() == "(i + 2 * n) % 3 == 0 ? 6 : 4", "{}", law.c_expression());
}

#[test]
fn loops_of_steps_two_and_three_have_laws_by_six() {
    let of = |i: i64, _: i64| {
        if i % 3 == 1 {
            -1
        } else if i % 2 == 0 {
            11
        } else {
            0
        }
    };
    let law = infer_law(&samples(3..=18, |n| n, of)).into_iter().next().expect("a law");
    assert_eq!(law.array(100, 100), Some((0..100).map(|i| of(i, 100)).collect()), "{law}");
}

#[test]
fn each_remainder_of_the_size_by_three_may_have_a_law_of_its_own() {
    let of = |i: i64, n: i64| [i, n - i, 7][n as usize % 3];
    let law = infer_law(&samples(3..=18, |n| n, of)).into_iter().next().expect("a law");
    for n in 40..46 {
        assert_eq!(law.array(n as u64, n as usize), Some((0..n).map(|i| of(i, n)).collect()), "{law}");
    }
}
