//! Growth verdicts on costs as slowpath found them in benchmark programs.

use slowpath_fit::{Class, Growth, Known, Verdict, growth};

/// Costs of sizes from `first` on: so many exact, then so many believed, the rest found.
fn known(first: u64, exact: usize, believed: usize, costs: &[u64]) -> Known {
    let points: Vec<(u64, u64)> = (first..).zip(costs.iter().copied()).collect();
    Known {
        exact: points[..exact].to_vec(),
        found: points[exact..].to_vec(),
        believed: points[exact..exact + believed].iter().map(|point| point.0).collect(),
        cut: Vec::new(),
    }
}

#[track_caller]
fn check(growth: &Growth, verdict: Verdict, class: Class) {
    assert_eq!((growth.verdict, growth.class), (verdict, Some(class)), "{}: {}", growth.formula, growth.why);
}

#[test]
fn a_red_black_tree_is_logarithmic_though_its_steps_are_uneven() {
    let heights = [1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7];
    let costs: Vec<u64> = heights.into_iter().chain([8; 11]).map(|height| 3 * height + 1).collect();
    check(&growth(&known(1, 6, 34, &costs)), Verdict::Fitted, Class::LOG);
}

/// From size 9 on by local search: what is known fits, and is not called more than fitted.
#[test]
fn a_merge_sort_is_n_log_n_though_most_sizes_are_only_found() {
    let costs = [
        4, 8, 14, 22, 32, 44, 66, 78, 92, 106, 122, 138, 164, 190, 206, 222, 240, 258, 276, 294, 314, 334, 354, 374,
        404, 434, 464, 494, 513, 534, 554, 574, 596, 618, 640, 660, 683, 705, 728, 748,
    ];
    check(&growth(&known(1, 8, 0, &costs)), Verdict::Fitted, Class::N_LOG_N);
}

/// `ledger.cpp`: a sort and containers with a large linear part; the square shows late.
#[test]
fn a_cheap_square_is_not_taken_for_n_log_n() {
    let exact = vec![(1, 1692), (2, 3466), (3, 5360), (4, 6889), (5, 8903), (6, 10_575)];
    for more in [vec![], vec![(7, 12_248)], vec![(7, 12_248), (8, 13_938)]] {
        let found = vec![(16, 29_052), (32, 62_499), (64, 140_645)];
        let law = growth(&Known { exact: [exact.clone(), more].concat(), found, ..Known::default() });
        assert!(matches!(law.verdict, Verdict::AtLeast | Verdict::NotSure), "{} {}", law.formula, law.why);
        assert!(law.class.is_none_or(|class| class <= Class::QUADRATIC), "{} {}", law.formula, law.why);
    }
}

#[test]
fn a_travelling_salesman_is_factorial() {
    let costs = [12, 35, 127, 587, 3337, 22_477, 174_629, 1_535_551];
    check(&growth(&known(2, 3, 5, &costs)), Verdict::Fitted, Class::Factorial);
    // How often one of its lines runs.
    let runs = [1, 2, 5, 16, 65, 326, 1957, 13_700, 109_601];
    check(&growth(&known(1, 4, 5, &runs)), Verdict::Fitted, Class::Factorial);
}

#[test]
fn a_verifier_of_addresses_is_exponential() {
    let costs = [
        53, 97, 198, 343, 589, 980, 1617, 2645, 4310, 7003, 11_361, 18_412, 29_821, 48_281, 78_150, 126_479, 204_677,
        331_204, 535_929, 867_181,
    ];
    let law = growth(&known(1, 3, 17, &costs));
    assert_eq!(law.verdict, Verdict::Fitted, "{}", law.why);
    let golden = Class::exponential(1.62);
    assert!(law.class.is_some_and(|class| !class.is_worse_than(&golden) && !golden.is_worse_than(&class)), "{law:?}");
}

/// The largest size was only looked at, since the code has a constant of half of it: a low cost there says nothing.
#[test]
fn a_far_size_that_nobody_searched_hides_no_growth() {
    let exact = vec![(1, 20), (2, 294), (3, 644), (4, 948), (5, 1452), (6, 1756), (7, 2136), (8, 2517), (10, 3531)];
    let mut found = vec![(16, 6226), (32, 14_835), (64, 34_484), (128, 78_693), (256, 176_982), (512, 393_351)];
    found.extend([(1024, 865_691), (2048, 1_889_605), (4096, 4_095_950)]);
    let without = growth(&Known { exact: exact.clone(), found: found.clone(), ..Known::default() });
    found.push((131_072, 83_919_536));
    let with = growth(&Known { exact, found, ..Known::default() });
    for law in [without, with] {
        assert!(matches!(law.verdict, Verdict::AtLeast | Verdict::Fitted), "{}", law.why);
        assert_eq!(law.class, Some(Class::N_LOG_N), "{}: {}", law.formula, law.why);
    }
}
