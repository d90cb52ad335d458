//! Costs of classes between and beside those that laws are made of: nothing wrong is stated as exact or fitted, and no lower bound is too high.

use slowpath_fit::{Class, Growth, Known, Verdict, growth};

/// A program's worst cost, and what its growth may be called.
struct Series {
    name: &'static str,
    /// The class, between the next lower and the next higher one that two digits can say.
    class: Class,
    cost: Box<dyn Fn(f64) -> f64>,
    /// Whether slower factors hide it at the sizes that can be run: three logarithms. Lower bounds take them for more.
    hides: bool,
}

fn series(name: &'static str, class: &str, cost: impl Fn(f64) -> f64 + 'static) -> Series {
    let hides = name == "n log³";
    Series { name, class: class.parse().expect("a class"), cost: Box::new(cost), hides }
}

fn floor_log(n: f64) -> f64 {
    n.max(1.0).log2().floor()
}

/// A problem divided into so many of half its size.
fn parts(n: f64, count: f64, work: f64) -> f64 {
    let half = (n / 2.0).floor();
    if n < 2.0 {
        16.0
    } else {
        (count - 1.0) * parts(half, count, work) + parts(n - half, count, work) + work * n + 41.0
    }
}

fn all() -> Vec<Series> {
    let mut out = Vec::new();
    for (a, b, c) in [(13.0, 20.0, 40.0), (13.0, 400.0, 40.0), (4.0, 0.0, 0.0), (3.0, 60.0, 900.0), (80.0, 31.0, 7.0)] {
        out.push(series("log²", "log^2 n", move |n| a * (floor_log(n) + 1.0).powi(2) + b + c));
        out.push(series("smooth log²", "log^2 n", move |n| a * n.log2().powi(2) + b + c));
        out.push(series("n log²", "n log^2 n", move |n| a * n * (floor_log(n) + 1.0).powi(2) + b * n + c));
        out.push(series("smooth n log²", "n log^2 n", move |n| a * n * n.log2().powi(2) + b * n + c));
        out.push(series("n log² beside n log", "n log^2 n", move |n| {
            a * n * n.log2() * (n.log2() + 1.0) / 2.0 + b * n + c
        }));
        out.push(series("n log³", "n log^3 n", move |n| a * n * n.log2().powi(3) + b * n + c));
        out.push(series("n² log²", "n^2 log^2 n", move |n| a * n * n * n.log2().powi(2) + b * n + c));
        out.push(series("n³ log", "n^3 log n", move |n| a * n * n * n * n.log2() + b * n + c));
        out.push(series("n√n", "n^1.5", move |n| a * n * n.sqrt().ceil() + b * n + c));
        out.push(series("n√n log", "n^1.5 log n", move |n| a * n * n.sqrt() * n.log2() + b * n + c));
        out.push(series("√n log", "n^0.5 log n", move |n| a * n.sqrt() * n.log2() + b + c));
        out.push(series("n to 4/3", "n^1.33", move |n| a * n * n.cbrt().ceil() + c));
        out.push(series("n to 5/3", "n^1.67", move |n| a * n * n.cbrt().powi(2) + b * n + c));
        out.push(series("n to 2.5", "n^2.5", move |n| a * n * n * n.sqrt().ceil() + b * n + c));
        out.push(series("n to 2.5 beside a square", "n^2.5", move |n| {
            n * (a * n * n.sqrt().ceil() + b * n) + b * n + c
        }));
        out.push(series("smooth n to 2.5", "n^2.5", move |n| a * n.powf(2.5) + b * n + c));
        out.push(series("n to 3.5", "n^3.5", move |n| a * n.powf(3.5) + b * n + c));
        out.push(series("three halves", "n^1.58", move |n| a * parts(n, 3.0, 10.0 + c) + b));
        out.push(series("seven halves", "n^2.81", move |n| parts(n, 7.0, 10.0 + c) + b + a));
        out.push(series("five halves", "n^2.32", move |n| parts(n, 5.0, 10.0 + c) + b + a));
        for (k, class) in [(2.0, "1.41^n"), (3.0, "1.26^n"), (4.0, "1.19^n")] {
            out.push(series("2 to a part of n", class, move |n| a * 2f64.powf((n / k).ceil()) + c));
            out.push(series("2 to a part of n beside a line", class, move |n| {
                a * 2f64.powf((n / k).floor()) + b * n + c
            }));
            out.push(series("n times 2 to a part of n", class, move |n| a * n * 2f64.powf((n / k).floor()) + c));
        }
        out.push(series("n² 2ⁿ", "2^n", move |n| a * n * n * 2f64.powf(n) + b * n + c));
        out.push(series("4ⁿ/√n", "4^n", move |n| a * 4f64.powf(n) / n.sqrt() + b * n + c));
        out.push(series("Catalan", "4^n", move |n| a * 4f64.powf(n) / n.powf(1.5) + b * n + c));
    }
    out
}

/// Sizes as they are chosen by default: 1 to 12 exact, then doublings, of which the last ones are believed.
fn known(series: &Series, dense: u64, sure: bool) -> Known {
    let at = |n: u64| (n, (series.cost)(n as f64).round() as u64);
    let ends = |n: &u64| (series.cost)(*n as f64) <= 6e7;
    let exponential = series.class > Class::ANY_POWER;
    let small = (1..=dense).filter(ends);
    let large: Vec<u64> = match exponential {
        true => (dense + 3..=60).step_by(3).filter(ends).collect(),
        false => {
            std::iter::successors(Some(2 * dense), |n| Some(2 * n)).take_while(|n| *n <= 10_000).filter(ends).collect()
        }
    };
    let believed = if sure { large.clone() } else { Vec::new() };
    Known { exact: small.map(at).collect(), found: large.into_iter().map(at).collect(), believed, cut: Vec::new() }
}

fn is(found: Class, class: Class) -> bool {
    match (found, class) {
        (Class::Polynomial { hundredths: a, logs: x }, Class::Polynomial { hundredths: b, logs: y }) => {
            x == y && a.abs_diff(b) <= 1
        }
        (Class::Exponential { hundredths: a }, Class::Exponential { hundredths: b }) => a.abs_diff(b) <= 1.max(b / 50),
        _ => found == class,
    }
}

fn wrong(series: &Series, growth: &Growth) -> bool {
    growth.class.is_some_and(|class| match growth.verdict {
        Verdict::AtLeast => !series.hides && class > series.class && !is(class, series.class),
        _ => !is(class, series.class),
    })
}

#[test]
fn no_class_beside_the_usual_ones_is_stated_as_another() {
    let (mut all_wrong, mut right, mut count) = (Vec::new(), 0, 0);
    for series in all() {
        for dense in [8, 12] {
            for sure in [true, false] {
                let growth = growth(&known(&series, dense, sure));
                let class = growth.class.map_or("nothing".to_owned(), |class| class.to_string());
                let said = format!(
                    "{} ({}), dense to {dense}, sure {sure}: {} {class} {} | {}",
                    series.name, series.class, growth.verdict, growth.formula, growth.why
                );
                count += 1;
                if wrong(&series, &growth) {
                    all_wrong.push(said);
                } else {
                    println!("{said}");
                    right += usize::from(growth.class.is_some_and(|class| is(class, series.class)));
                }
            }
        }
    }
    println!("{right} right, {} wrong of {count}", all_wrong.len());
    assert!(all_wrong.is_empty(), "{} wrong, {right} right of {count}:\n{}", all_wrong.len(), all_wrong.join("\n"));
}
