//! Where costs do not say, the answer is unsure, with the reason; nothing that can be given is a panic.

mod common;

use common::{CLASSES, Rng, costs, draw};
use slowpath_fit::{Fit, fit};

fn over(sizes: impl IntoIterator<Item = u64>, cost: impl Fn(u64) -> u64) -> Fit {
    let points: Vec<(u64, u64)> = sizes.into_iter().map(|n| (n, cost(n))).collect();
    fit(&points)
}

#[track_caller]
fn unsure(fit: &Fit, because: &str) {
    assert_eq!(fit.class, None, "{}: {}", fit.formula, fit.why);
    assert!(fit.why.contains(because), "{}", fit.why);
    assert_eq!(fit.predict(1000), None);
}

#[test]
fn fewer_than_four_sizes_are_too_few() {
    unsure(&fit(&[]), "at least 4 sizes");
    unsure(&fit(&[(1, 1), (2, 2), (3, 3)]), "at least 4 sizes");
    unsure(&fit(&[(1, 1), (1, 1), (2, 2), (2, 2), (3, 3)]), "at least 4 sizes");
    unsure(&fit(&[(1, 1), (2, 2), (3, 3), (4, u64::MAX)]), "at least 4 sizes");
}

#[test]
fn four_sizes_suffice_for_an_exact_law_only() {
    unsure(&fit(&[(1, 10), (2, 21), (3, 29), (4, 41)]), "too few");
}

#[test]
fn random_costs_have_no_law() {
    let mut rng = Rng(3);
    for _ in 0..50 {
        let points: Vec<(u64, u64)> = (1..=20).map(|n| (n, 1 + rng.below(1000))).collect();
        assert_eq!(fit(&points).class, None);
    }
}

#[test]
fn a_level_end_after_growth_is_not_called_constant() {
    for most in [10, 30, 100] {
        unsure(&over(1..=most, |n| 7 * n.min(5)), "");
    }
}

#[test]
fn falling_costs_have_no_growth_law() {
    for most in [6, 10, 30, 100] {
        unsure(&over(1..=most, |n| 200 - n), "");
    }
}

#[test]
fn a_change_of_law_half_way_is_noticed() {
    unsure(&over(1..=30, |n| if n < 15 { 10 * n } else { n * n * n }), "");
}

fn assert_sound(points: &[(u64, u64)]) {
    let fit = fit(points);
    let json = serde_json::to_value(&fit).expect("a document");
    assert!(json["r2"].is_f64() && json["aicc"].is_f64(), "{json}");
    assert!(!json.as_object().is_some_and(|object| object.contains_key("model")), "{json}");
    for candidate in json["candidates"].as_array().expect("a list") {
        assert!(candidate["held_out_error"].is_f64() && candidate["aicc"].is_f64(), "{candidate}");
    }
    assert_eq!(fit.class.is_none(), fit.formula.is_empty(), "{points:?}");
    assert!(!fit.why.is_empty());
    for n in [0, 1, 2, 31, 1000, 1_000_000, u64::MAX] {
        if let Some(prediction) = fit.predict(n) {
            let numbers = [prediction.low, prediction.value, prediction.high];
            assert!(numbers.iter().all(|number| number.is_finite()), "{numbers:?} at {n} for {points:?}");
            assert!(prediction.low <= prediction.value && prediction.value <= prediction.high, "{numbers:?} at {n}");
        }
    }
}

#[test]
fn any_points_at_all_are_answered_in_finite_numbers() {
    let mut rng = Rng(4);
    let odd = [0, 1, 2, 3, 7, 64, 1000, 1 << 32, u64::MAX - 1, u64::MAX];
    for _ in 0..400 {
        let count = rng.below(40);
        let mut number = || match rng.below(3) {
            0 => odd[rng.below(odd.len() as u64) as usize],
            1 => rng.below(50),
            _ => rng.next() >> rng.below(64),
        };
        let points: Vec<(u64, u64)> = (0..count).map(|_| (number(), number())).collect();
        assert_sound(&points);
    }
}

#[test]
fn extreme_but_regular_points_are_answered_in_finite_numbers() {
    let last = u64::MAX - 1;
    assert_sound(&[(last - 4, 1), (last - 3, 2), (last - 2, 3), (last - 1, 4), (last, 5)]);
    assert_sound(&(0..30).map(|n| (n << 40, n << 50)).collect::<Vec<_>>());
    assert_sound(&(0..64).map(|n| (n, last)).collect::<Vec<_>>());
    assert_sound(&(0..64).map(|n| (n, 1 << n)).collect::<Vec<_>>());
    assert_sound(&(0..64).map(|n| (1 << n, 1 << n)).collect::<Vec<_>>());
    assert_sound(&(0..2000).map(|n| (n, n * n % 97)).collect::<Vec<_>>());
}

#[test]
fn order_and_repetition_of_points_do_not_matter() {
    let mut rng = Rng(5);
    for number in 0..CLASSES {
        let law = draw(number, &mut rng);
        let points = costs(&law, 0.05, &mut rng);
        let mixed: Vec<(u64, u64)> = points.iter().rev().chain(&points).copied().collect();
        let (plain, mixed) = (fit(&points), fit(&mixed));
        assert_eq!((plain.class, plain.formula), (mixed.class, mixed.formula));
    }
}

#[test]
fn intervals_hold_what_comes_later() {
    let mut rng = Rng(6);
    let (mut held, mut all) = (0, 0);
    for i in 0..260 {
        let law = draw(i % 9, &mut rng);
        let found = fit(&costs(&law, 0.05, &mut rng));
        if let Some(prediction) = found.predict(45).filter(|_| found.class == Some(law.class)) {
            all += 1;
            held += u32::from((prediction.low..=prediction.high).contains(&law.value(45)));
        }
    }
    assert!(all >= 200, "only {all} fits");
    assert!(held * 100 >= all * 90, "{held} of {all} intervals held the cost at 45");
}
