//! What makes a law exact, fitted, a lower bound or none: switches, thresholds, limits, and searches that fail.

use slowpath_fit::{Class, Growth, Known, Verdict, growth};

fn at(sizes: impl IntoIterator<Item = u64>, cost: impl Fn(u64) -> u64) -> Vec<(u64, u64)> {
    sizes.into_iter().map(|n| (n, cost(n))).collect()
}

fn exact(points: Vec<(u64, u64)>) -> Known {
    Known { exact: points, ..Known::default() }
}

fn doublings(from: u64, to: u64) -> impl Iterator<Item = u64> + Clone {
    std::iter::successors(Some(from), |n| Some(2 * n)).take_while(move |n| *n <= to)
}

#[track_caller]
fn check(growth: &Growth, verdict: Verdict, class: Class, because: &str) {
    assert_eq!((growth.verdict, growth.class), (verdict, Some(class)), "{}: {}", growth.formula, growth.why);
    assert!(growth.why.contains(because), "{}", growth.why);
}

#[track_caller]
fn not_sure(growth: &Growth, because: &str) {
    assert_eq!((growth.verdict, growth.class), (Verdict::NotSure, None), "{}: {}", growth.formula, growth.why);
    assert!(growth.why.contains(because), "{}", growth.why);
    assert_eq!(growth.predict(1000), None);
}

/// Whether nothing is stated, or a lower bound that is one.
#[track_caller]
fn no_more_than_at_least(growth: &Growth, class: Class) {
    let low = growth.class.is_none_or(|found| found <= class);
    let careful = matches!(growth.verdict, Verdict::AtLeast | Verdict::NotSure);
    assert!(careful && low, "{} {:?} {}: {}", growth.verdict, growth.class, growth.formula, growth.why);
}

#[test]
fn a_closed_form_is_exact_if_it_is_reached_well_beyond_the_exact_sizes() {
    let cost = |n: u64| 3 * n * n + 7;
    let small = exact(at(1..=8, cost));
    check(&growth(&small), Verdict::Fitted, Class::QUADRATIC, "no size beyond 8 was tried");
    let one = Known { found: at([16], cost), ..small.clone() };
    check(&growth(&one), Verdict::Fitted, Class::QUADRATIC, "");
    let near = Known { found: at([9, 10, 11], cost), ..small.clone() };
    check(&growth(&near), Verdict::Fitted, Class::QUADRATIC, "");
    let two = Known { found: at([16, 32], cost), ..small.clone() };
    let law = growth(&two);
    check(&law, Verdict::Exact, Class::QUADRATIC, "up to size 32");
    assert_eq!((law.formula.as_str(), law.checked_on.last()), ("3n² + 7", Some(&32)));
    let explored = exact(at((1..=8).chain([16, 32]), cost));
    check(&growth(&explored), Verdict::Exact, Class::QUADRATIC, "");
    let below = Known { found: at([16, 32], |n| cost(n) - 1), ..small };
    check(&growth(&below), Verdict::Fitted, Class::QUADRATIC, "");
}

#[test]
fn few_exact_sizes_alone_say_nothing() {
    not_sure(&growth(&exact(at(1..=5, |n| 9 * n + 2))), "too few");
    not_sure(&growth(&exact(at(1..=3, |n| 9 * n + 2))), "at least 4 sizes");
    not_sure(&growth(&Known::default()), "");
    let more = Known { found: at([16, 32], |n| 9 * n + 2), ..exact(at(1..=5, |n| 9 * n + 2)) };
    check(&growth(&more), Verdict::Exact, Class::LINEAR, "");
}

#[test]
fn a_verified_cost_above_a_law_refutes_it() {
    let line = |n: u64| 75 * n + 20;
    let known = Known { found: at([16, 32], line), ..exact(at(1..=8, line)) };
    let law = growth(&known);
    check(&law, Verdict::Exact, Class::LINEAR, "");
    assert!(law.refuted_by(24, line(24) + 1) && !law.refuted_by(24, line(24)));
    // A streak that small inputs cannot reach costs half as much again.
    let threshold = Known { found: at([16, 24, 32], |n| if n == 24 { line(n) * 3 / 2 } else { line(n) }), ..known };
    no_more_than_at_least(&growth(&threshold), Class::LINEAR);
    // So does a run that was cut.
    let cut = Known { cut: vec![(64, 1_000_000)], ..exact(at(1..=20, line)) };
    not_sure(&growth(&cut), "size 64 costs");
}

/// `std::stable_sort`: insertion sort up to 15, merging in chunks above; here with the switch at 128.
fn stable_sort(n: u64) -> u64 {
    if n < 128 { (47 * n * n + 9 * n) / 2 + 40 } else { 90 * n * u64::from(n.ilog2()) + 200 * n + 40 }
}

#[test]
fn a_switch_of_algorithm_is_not_overlooked() {
    let small = exact(at(1..=20, stable_sort));
    let found = Known { found: at(doublings(40, 2560), stable_sort), ..small.clone() };
    no_more_than_at_least(&growth(&found), Class::N_LOG_N);
    let believed = Known { believed: doublings(40, 2560).collect(), ..found };
    let law = growth(&believed);
    assert!(law.verdict != Verdict::Exact && law.class.is_none_or(|class| class <= Class::N_LOG_N), "{law:?}");
    let far =
        Known { found: at(doublings(40, 40 << 9), stable_sort), believed: doublings(40, 40 << 9).collect(), ..small };
    let law = growth(&far);
    check(&law, Verdict::Fitted, Class::N_LOG_N, "");
    assert!(law.from >= 128, "{}", law.from);
}

#[test]
fn two_lines_are_not_one_law() {
    let cost = |n: u64| if n <= 16 { 24 * n + 16 } else { 33 * n + 132 };
    for most in 20..60 {
        let law = growth(&exact(at(1..=most, cost)));
        assert!(law.class.is_none_or(|class| class == Class::LINEAR), "to {most}: {law:?}");
    }
    check(&growth(&exact(at((1..=20).chain(doublings(32, 1024)), cost))), Verdict::Fitted, Class::LINEAR, "");
}

#[test]
fn a_buffer_that_fills_is_noticed() {
    // Appending is cheap up to 64, then each byte moves the rest.
    let cost = |n: u64| 12 * n + 30 + n.saturating_sub(64) * 40 * 64;
    let known = Known { found: at(doublings(16, 1024), cost), ..exact(at(1..=8, cost)) };
    let law = growth(&known);
    assert!(law.verdict != Verdict::Exact, "{law:?}");
    assert!(law.class.is_none_or(|class| class == Class::LINEAR), "{law:?}");
}

#[test]
fn a_square_that_shows_late_is_not_called_linear() {
    let cost = |n: u64| 900 * n + n.saturating_sub(20).pow(2) + 300;
    let known = Known { found: at(doublings(16, 4096), cost), ..exact(at(1..=8, cost)) };
    let law = growth(&known);
    assert!(law.class.is_none_or(|class| class == Class::QUADRATIC || law.verdict == Verdict::AtLeast), "{law:?}");
}

/// Costs of a backtracking matcher: `(a|a)*b` doubles with every letter, `(a|aa)+$` follows Fibonacci's numbers.
#[test]
fn an_exponential_matcher_is_no_power() {
    let doubles = |n: u64| 109 + 31 * n + 57 * (1 << n) + 13 * (n % 3);
    let fibonacci = |n: u64| (0..n).fold((40u64, 71u64), |(a, b), i| (b, a + b + 9 + 5 * (i % 2))).0;
    for most in 8..=16 {
        for law in [growth(&exact(at(1..=most, doubles))), growth(&exact(at(1..=most, fibonacci)))] {
            let exponential =
                law.class.is_none_or(|class| class > Class::ANY_POWER && class <= Class::exponential(2.1));
            assert!(exponential, "to {most}: {} {} {}", law.verdict, law.formula, law.why);
        }
    }
    let limit = |n: u64| (n, 1_000_000_000);
    let cut = Known { cut: vec![limit(24), limit(48)], ..exact(at(1..=13, doubles)) };
    let law = growth(&cut);
    assert!(law.class.is_some_and(|class| class > Class::exponential(1.8)), "{law:?}");
    assert!(law.predict(100).is_some_and(|p| p.value > 1e25), "{law:?}");
}

#[test]
fn a_high_power_needs_sizes_that_are_far_apart() {
    let cost = |n: u64| 2 * n.pow(5) + 17 * (n % 3) * n + 40;
    let law = growth(&exact(at(1..=13, cost)));
    assert_eq!(law.verdict, Verdict::NotSure, "{} {}", law.formula, law.why);
    let far = growth(&exact(at((1..=13).chain(doublings(16, 64)), cost)));
    check(&far, Verdict::Fitted, Class::power(5), "");
}

#[test]
fn a_search_that_falls_behind_is_no_slower_growth() {
    let cost = |n: u64| 5 * n * n + 23 * n + 12;
    let small = exact(at(1..=8, cost));
    for reached in [16, 32] {
        let behind = |n: u64| if n <= reached { cost(n) } else { cost(reached) * n / reached };
        no_more_than_at_least(
            &growth(&Known { found: at(doublings(16, 1024), behind), ..small.clone() }),
            Class::LINEAR,
        );
    }
    let nothing = |n: u64| cost(8) / 2 + n % 7;
    no_more_than_at_least(
        &growth(&Known { found: at(doublings(16, 1024), nothing), ..small.clone() }),
        Class::CONSTANT,
    );
    // Half of the worst cost at every size is still a square.
    let half = Known { found: at(doublings(16, 1024), |n| cost(n) / 2), ..small.clone() };
    check(&growth(&half), Verdict::AtLeast, Class::QUADRATIC, "");
    // Where the law was reached again and again, larger sizes may fall short, but it is not called exact.
    let late = |n: u64| if n <= 256 { cost(n) } else { cost(n) * 3 / 4 };
    check(
        &growth(&Known { found: at(doublings(16, 1024), late), ..small }),
        Verdict::Fitted,
        Class::QUADRATIC,
        "below",
    );
}

#[test]
fn costs_that_are_only_found_are_lower_bounds() {
    let found = |points| Known { found: points, ..Known::default() };
    let cost = |n: u64| (13 * n * n + 9 * n) / 2 + 30;
    let law = growth(&found(at(doublings(1, 1024), cost)));
    check(&law, Verdict::AtLeast, Class::QUADRATIC, "no size was explored completely");
    assert!(law.predict(2048).is_some_and(|p| p.low == p.value && p.high == f64::MAX), "{law:?}");
    assert!(!law.refuted_by(2048, u64::MAX - 1), "more is no contradiction");
}

#[test]
fn what_is_believed_must_agree_with_what_is_exact() {
    let cost = |n: u64| 4 * n * n + 3;
    let known = Known { found: at([16, 32, 64], cost), believed: vec![16, 32, 64], ..exact(at(1..=8, cost)) };
    check(&growth(&known), Verdict::Exact, Class::QUADRATIC, "");
    let less = Known { found: at([16, 32, 64], |n| cost(n) * 99 / 100), ..known };
    let law = growth(&less);
    assert!(law.verdict != Verdict::Exact, "{law:?}");
}

#[test]
fn verdicts_are_written_as_documents_have_them() {
    let json = serde_json::to_value(growth(&exact(at(1..=8, |n| n)))).expect("a document");
    assert_eq!((json["verdict"].as_str(), json["class"].as_str()), (Some("fitted"), Some("n")));
    assert!(!json.as_object().is_some_and(|object| object.contains_key("model")));
    for verdict in [Verdict::Exact, Verdict::Fitted, Verdict::AtLeast, Verdict::NotSure] {
        let text = serde_json::to_value(verdict).expect("text");
        assert_eq!(text, verdict.name());
        assert_eq!(serde_json::from_value::<Verdict>(text).ok(), Some(verdict));
    }
}

#[test]
fn one_family_of_inputs_grows_as_its_last_doublings_say() {
    // A parser of Markdown: linear work hides the square up to a few hundred bytes.
    let costs = [
        (64, 198_875),
        (128, 378_814),
        (256, 964_363),
        (512, 2_927_032),
        (1024, 10_202_978),
        (2048, 38_188_787),
        (4096, 147_298_737),
    ];
    let found = slowpath_fit::growth_of_family(&costs);
    assert_eq!((found.verdict, found.class), (Verdict::AtLeast, Some(Class::QUADRATIC)));
    // What only looks like more for once is not taken for it.
    let bent = [(64, 640), (128, 1280), (256, 2560), (512, 9000), (1024, 10_240), (2048, 20_480)];
    assert!(slowpath_fit::growth_of_family(&bent).class <= Some(Class::LINEAR));
}

#[test]
fn a_square_that_smaller_sizes_fall_short_of_is_no_square_times_logarithm() {
    // A text editor: insertions at the front cost n² / 2, and small inputs spend a part of their length on getting there.
    let small = at([1, 2, 3, 4, 5, 6, 7], |n| [78, 139, 200, 277, 374, 471, 586][n as usize - 1]);
    let exact: Vec<(u64, u64)> = small.into_iter().chain([(14, 1_695)]).collect();
    let found = vec![
        (28, 5_877),
        (56, 22_631),
        (112, 93_001),
        (224, 383_685),
        (448, 1_579_711),
        (896, 6_421_689),
        (1792, 25_905_349),
    ];
    let law = growth(&Known { exact, found, ..Known::default() });
    assert!(law.class <= Some(Class::QUADRATIC), "{law:?}");
    let real =
        growth(&Known { found: at(doublings(8, 4096), |n| 3 * n * n * u64::from(n.ilog2())), ..Known::default() });
    assert_eq!((real.verdict, real.class), (Verdict::AtLeast, Some(Class::N2_LOG_N)), "{real:?}");
}
